/** `sage init` into a vault and out of it, as a person types it. */
import assert from "node:assert/strict";
import { sage, sageJson } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";

function place(): { home: string; cwd: string } {
  const home = tempDir();
  Deno.mkdirSync(`${home}/project`);
  return { home, cwd: `${home}/project` };
}

Deno.test("what sage init says fits a terminal of 80 columns, but for a path", async () => {
  const { stdout } = await sage(["init"], { ...place(), terminal: true });
  const wide = stdout.split("\n").filter((line) => line.length > 80 && !line.includes(".sage "));
  assert.deepEqual(wide, []);
});

Deno.test("sage init names the editor that is here, and a session in the one that is connected", async () => {
  const { home, cwd } = place();
  const next = async (name: string): Promise<string[]> => {
    const folder = `${home}/${name}`;
    await Deno.mkdir(folder);
    const { stdout } = await sage(["init"], { home, cwd: folder });
    const lines = stdout.split("\n");
    const at = lines.findIndex((line) => line.startsWith("Next: "));
    return lines.slice(at, at + 2);
  };
  put(`${home}/.config/zed/settings.json`, "{}\n");
  assert.deepEqual(await next("a"), ["Next: sage install zed", ""]);
  const program = `${home}/bin/sage`;
  put(program, "");
  assert.equal((await sage(["install", "zed", "--binary", program], { home, cwd })).code, 0);
  assert.deepEqual(await next("b"), ["Next: start a session in Zed", ""]);
  await sage(["install", "cursor", "--binary", program], { home, cwd });
  await sage(["uninstall", "zed"], { home, cwd });
  const [step, promise] = await next("c");
  assert.equal(step, "Next: start a session in Cursor");
  assert.match(promise ?? "", /^From then on Sage saves by itself/);
});

Deno.test("sage init says what is no project, and what to do", async () => {
  const at = place();
  const disk = await sage(["init"], { ...at, cwd: "/" });
  assert.deepEqual([disk.code, disk.stdout], [2, ""]);
  assert.match(
    disk.stderr,
    /^sage: Cannot make a project of "\/": it is the whole disk\n {2}go to /,
  );
  const home = await sage(["init"], { ...at, cwd: at.home });
  assert.equal(home.code, 0);
  assert.match(home.stderr, /^Your home folder is not a project: /);
  assert.equal((await sage(["init", "--user"], { ...at, cwd: at.home })).stderr, "");
});

Deno.test("sage init takes options for a vault only with a vault", async () => {
  const at = place();
  for (
    const [args, said] of [
      [["--namespace", "X"], /--namespace and --source belong to --obsidian/],
      [["--source", "X"], /belong to --obsidian/],
      [["--no-obsidian", "--obsidian", "V"], /--no-obsidian cannot be combined/],
      [["--obsidian", "V", "--namespace", "a:b"], /Cannot use "a:b" as a namespace/],
      [["--obsidian", "V", "--source", "../x"], /Cannot read "\.\.\/x"/],
      [["--obsidian", ".sage/V"], /cannot lie in/],
    ] as const
  ) {
    const { code, stderr } = await sage(["init", ...args], at);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, said);
  }
  const { code, stderr } = await sage(["init", "--no-obsidian"], at);
  assert.equal(code, 3);
  assert.match(stderr, /No notes lie in a vault/);
});

Deno.test("sage init says where notes went, and a new project joins the vault by itself", async () => {
  const at = place();
  const { json } = await sageJson(["init", "--obsidian", "~/V", "--namespace", "Areas/Memory"], at);
  assert.deepEqual([json["vault"], json["namespace"]], [`${at.home}/V`, "Areas/Memory"]);
  const other = { home: at.home, cwd: `${at.home}/second` };
  await Deno.mkdir(other.cwd);
  const { stdout } = await sage(["init"], other);
  assert.match(stdout, /^Notes lie in .*\/V\/Areas\/Memory; begin with _index\.md there\n/);
  await sage(["todo", "add", "Look"], other);
  assert.match(read(`${at.home}/V/Areas/Memory/projects/second/todos/Look.md`), /^---\nid: look\n/);
  assert.match(read(`${at.home}/V/Areas/Memory/_index.md`), /projects\/second\/_index\|second\]\]/);
});

Deno.test("a vault.yaml that cannot be read is named, and nothing is written elsewhere instead", async () => {
  const at = place();
  await sage(["init", "--obsidian", "~/V"], at);
  const file = `${at.home}/.sage/vault.yaml`;
  put(file, "vault: [\n");
  const { code, stderr } = await sage(["todo", "add", "Look"], at);
  assert.equal(code, 1);
  assert.match(stderr, /Cannot read ".*vault\.yaml"/);
  assert.throws(() => Deno.statSync(`${at.cwd}/.sage/todos`));
});

Deno.test("who names notes of the vault is told how many are searched, then and in the status", async () => {
  const at = place();
  for (const name of ["Bees", "Wasps"]) put(`${at.home}/V/Insects/${name}.md`, "They fly.\n");
  const said = "2 notes of the vault, searched and never written\n";
  const moved = await sage(["init", "--obsidian", "~/V", "--source", "Insects"], at);
  assert.ok(moved.stdout.endsWith(said), moved.stdout);
  assert.ok((await sage(["status", "-v"], at)).stdout.includes(said));
  const { json } = await sageJson(["init", "--obsidian", "~/V"], at);
  assert.equal(json.searched, 2, "also of those that were named before");
  await Deno.rename(`${at.home}/V`, `${at.home}/away`);
  assert.ok(!(await sage(["status", "-v"], at)).stdout.includes("searched and"));
});

Deno.test("every list of notes whose vault is not there says so, and not only that it is empty", async () => {
  const at = place();
  await sage(["init", "--obsidian", "~/V"], at);
  await sage(["knowledge", "add", "Bees", "-m", "They dance."], at);
  await Deno.rename(`${at.home}/V`, `${at.home}/away`);
  for (
    const words of [
      "knowledge list",
      "todo list",
      "checkpoint list",
      "graph orphans",
      "knowledge match bees",
      "search bees",
    ]
  ) {
    const { stderr } = await sage(words.split(" "), at);
    const said = stderr.split("\n").filter((line) => line.includes("/V/Sage/"));
    assert.equal(said.length, 1, `${words}: ${stderr}`);
    assert.match(
      said[0] ?? "",
      /^sage: warning: ".*" in the vault is missing, and so are its notes/,
    );
  }
  for (const words of [[], ["status"]]) {
    const { stdout, stderr } = await sage(words, at);
    assert.match(stdout, /nothing can be saved: ".*" in the vault is missing/);
    assert.equal(stderr, "", "once is enough");
  }
  const { stdout } = await sage(["status", "--verbose"], at);
  assert.match(stdout, /^private .*\/V\/Sage\/\S+: missing$/m);
});
