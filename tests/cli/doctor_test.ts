/** `sage doctor --fix` asks before each thing it mends; explanations are for people at a terminal. */
import assert from "node:assert/strict";
import { binary, hasBinary, sage, sageJson, type SageOptions } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";

async function home(): Promise<SageOptions> {
  const base = tempDir();
  const on = { home: `${base}/home`, cwd: `${base}/project` };
  for (const folder of [on.home, on.cwd]) await Deno.mkdir(folder);
  await sage(["init"], on);
  return on;
}

/** No process: beyond what Linux and macOS number. */
const GONE = 4_200_000;

async function modeOf(path: string): Promise<number> {
  return ((await Deno.stat(path)).mode ?? 0) & 0o777;
}

Deno.test("sage doctor says what is wrong and how to mend it, and changes nothing", async () => {
  const on = await home();
  await Deno.chmod(`${on.home}/.sage`, 0o755);
  const { code, stdout } = await sage(["doctor"], on);
  assert.equal(code, 0, "a warning is no error");
  assert.match(stdout, /warning .*\.sage may be read by other accounts\n +chmod 700 /);
  assert.match(stdout, /sage doctor --fix mends 1 of them\./);
  assert.match(stdout, /ok +MCP server: starts and offers \d+ tools/);
  assert.equal(await modeOf(`${on.home}/.sage`), 0o755);
});

Deno.test("a line break in the name of a file breaks no line of doctor and status", async () => {
  const on = await home();
  await Deno.mkdir(`${on.cwd}/.sage/knowledge`, { recursive: true });
  await Deno.writeTextFile(`${on.cwd}/.sage/knowledge/two\nlines.md`, "# Two\n");
  const { stdout } = await sage(["doctor"], on);
  assert.match(stdout, /^warning .*two\\nlines\.md is not read: it holds control characters$/m);
  const status = await sage(["status", "-v"], on);
  assert.match(status.stdout, /^ +knowledge\/two\\nlines\.md: it holds control characters$/m);
});

Deno.test({
  name: "sage doctor says of one thing to mend that it mends it",
  ignore: !hasBinary,
  async fn() {
    const on = await home();
    await Deno.mkdir(`${on.home}/.claude`);
    const { stdout } = await binary(["doctor"], on);
    assert.match(stdout, /\n1 warning\. sage doctor --fix mends it\.\n$/);
  },
});

Deno.test({
  name: "sage doctor names an older server of a session that goes on, not of one that is gone",
  ignore: !hasBinary,
  async fn() {
    for (const [pid, isNamed] of [[Deno.pid, true], [GONE, false]] as const) {
      const on = await home();
      const session_id = "11111111-0000-4000-8000-000000000001";
      const stdin = JSON.stringify({ session_id, cwd: on.cwd, hook_event_name: "SessionStart" });
      await binary(["hook", "session-start"], { ...on, stdin, env: { CLAUDE_PID: String(pid) } });
      const [log] = [...Deno.readDirSync(`${on.home}/.sage/state/log`)];
      const greeted = { at: new Date().toISOString(), event: "tool", tool: "instructions" };
      const line = JSON.stringify({ ...greeted, outcome: "done", version: "0.0.1 (0000000)" });
      await Deno.writeTextFile(`${on.home}/.sage/state/log/${log?.name}`, `${line}\n`, {
        append: true,
      });
      const { stdout } = await binary(["doctor"], on);
      assert.equal(stdout.includes("server of a running session is 0.0.1"), isNamed, stdout);
    }
  },
});

Deno.test("sage doctor --fix mends what was agreed to, one by one", async () => {
  const on = await home();
  await Deno.chmod(`${on.home}/.sage`, 0o755);
  await Deno.chmod(`${on.home}/.sage/state`, 0o755);
  const { stdout, stderr } = await sage(["doctor", "--fix"], {
    ...on,
    terminal: true,
    stdin: "n\ny\n",
  });
  assert.match(
    stderr,
    /may be read by other accounts\. Change its mode \(chmod 700 .*\)\? \[y\/N\]/,
  );
  assert.match(stdout, /^mended +.*\/state may be read/);
  assert.equal(await modeOf(`${on.home}/.sage`), 0o755, "no was said to this one");
  assert.equal(await modeOf(`${on.home}/.sage/state`), 0o700);
});

Deno.test("sage doctor --fix mends nothing unasked, and everything with --yes", async () => {
  const on = await home();
  await Deno.chmod(`${on.home}/.sage`, 0o755);
  const refused = await sage(["doctor", "--fix"], on);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /nobody to ask.*\n.*--fix --yes/);
  assert.equal(await modeOf(`${on.home}/.sage`), 0o755);
  const { json } = await sageJson(["doctor", "--fix", "--yes"], on);
  assert.equal((json.mended as unknown[]).length, 1);
  assert.equal(await modeOf(`${on.home}/.sage`), 0o700);
});

Deno.test("sage doctor breaks no word on a narrow terminal", async () => {
  const on = await home();
  await Deno.mkdir(`${on.home}/.claude`);
  const { stdout } = await sage(["doctor"], { ...on, terminal: true, columns: 40 });
  assert.match(stdout, /^warning Claude Code does not know Sage$/m);
  assert.match(stdout, /^ok {6}3 folders can be written to and\n {8}read back$/m);
});

Deno.test("a save explains itself at a terminal while it is new, and to no script", async () => {
  const on = await home();
  const save = async (n: number, terminal: boolean) => {
    const options = { ...on, terminal, stdin: terminal ? "" : `Text ${n}.` };
    const args = terminal
      ? ["checkpoint", "save", "-m", `Conclusion ${n} about module ${n * 7}`]
      : ["knowledge", "add", "-", "--title", `Title ${n}`];
    return (await sage(args, options)).stderr;
  };
  assert.equal(await save(0, false), "");
  const told: string[] = [];
  for (let n = 1; n < 7; n++) told.push(await save(n, true));
  assert.match(told[0] ?? "", /^A checkpoint keeps where the thinking stands/);
  assert.ok((told[0] ?? "").split("\n").every((line) => line.length <= 80), told[0]);
  assert.match(told[4] ?? "", /^A checkpoint was saved; sage load continues from it\.\n$/);
  assert.equal(told[5], "");
  assert.match(
    (await sage(["admin", "teaching", "checkpoint"], on)).stdout,
    /5 times +says no more/,
  );
  await sage(["admin", "teaching", "--reset"], on);
  assert.match(await save(8, true), /^A checkpoint keeps/);
  assert.equal((await sage(["admin", "teaching", "chekpoint"], on)).code, 2);
});

Deno.test("sage impact refuses what it cannot read, and says where nothing is known", async () => {
  const on = await home();
  const wrong = await sage(["impact", "--since", "yesterday-ish"], on);
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /Cannot read "yesterday-ish" as a time/);
  const { code, json } = await sageJson(["impact", "--session", "../../etc"], on);
  assert.equal(code, 3);
  assert.deepEqual([json.sessions, json.notes], [[], []]);
});
