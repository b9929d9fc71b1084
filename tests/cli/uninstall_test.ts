/** `sage uninstall --all`: what is known by name goes after a yes; what is not, and what is others', stays. */
import assert from "node:assert/strict";
import { sage } from "../support/sage.ts";
import { filesIn, tempDir, writeOld } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

async function lived(): Promise<{ home: string; cwd: string }> {
  const home = tempDir();
  const cwd = `${home}/project`;
  await Deno.mkdir(cwd);
  await sage(["init"], { home, cwd });
  await sage(["checkpoint", "save", "-m", "Otters hold hands while they sleep."], { home, cwd });
  writeOld(`${home}/.sage/config.yaml`, "api_key: made-up\n");
  writeOld(`${home}/.sage/models/tiny/model.json`, "{}\n");
  writeOld(`${home}/.sage/shared_memory.md`, "Answer in English.\n");
  writeOld(`${home}/.sage/thesis.pdf`, "somebody's");
  return { home, cwd };
}

Deno.test("sage uninstall --all changes nothing without a yes", async () => {
  const place = await lived();
  const before = filesIn(place.home);
  for (const [more, code] of [[{ terminal: true, stdin: "n\n" }, 1], [{}, 2]] as const) {
    const { code: was, stdout } = await sage(["uninstall", "--all"], { ...place, ...more });
    assert.deepEqual([was, stdout], [code, ""]);
  }
  const looked = await sage(["uninstall", "--all", "--dry-run"], place);
  assert.match(looked.stdout, /\nPulled models\n[^]*\nNothing was changed\.\n/);
  assert.deepEqual(filesIn(place.home), before);
  assert.equal((await sage(["uninstall", "claude-code", "--all"], place)).code, 2);
});

Deno.test("sage uninstall --all leaves notes, and what it does not know", async () => {
  const place = await lived();
  const answer = await sage(["uninstall", "--all"], { ...place, terminal: true, stdin: "y\n" });
  assert.equal(answer.code, 0, answer.stderr);
  assert.match(answer.stderr, /config\.yaml/);
  const left = filesIn(place.home);
  assert.deepEqual(left.filter((path) => !path.endsWith(".md")), [
    ".sage/thesis.pdf",
    "project/.sage/.gitignore",
    "project/.sage/project.yaml",
  ]);
  assert.equal(left.filter((path) => path.endsWith(".md")).length, 2);
});

Deno.test("sage uninstall --all names where the notes of every project stay", async () => {
  const place = await lived();
  const other = `${place.home}/other`;
  await Deno.mkdir(other);
  await sage(["init"], { ...place, cwd: other });
  await sage(["todo", "add", "Feed them."], { ...place, cwd: other });
  const { stdout } = await sage(["uninstall", "--all", "--yes"], place);
  const [, kept = ""] = /^Your notes stay: (.*)$/m.exec(stdout) ?? [];
  assert.deepEqual(kept.split(", ").sort(), [`${other}/.sage`, `${place.cwd}/.sage`]);
});

Deno.test("sage uninstall --all is not kept from a folder by the Finder's file in it", async () => {
  const home = tempDir();
  const cwd = `${home}/project`;
  await Deno.mkdir(cwd);
  await sage(["init"], { home, cwd });
  for (const folder of ["", "/knowledge", "/checkpoints"]) {
    writeOld(`${cwd}/.sage${folder}/.DS_Store`, "Bud1");
  }
  writeOld(`${home}/.sage/.DS_Store`, "Bud1");
  writeOld(`${home}/.sage/notes/.DS_Store`, "Bud1");
  assert.equal((await sage(["uninstall", "--all", "--yes"], { home, cwd })).code, 0);
  assert.deepEqual(filesIn(home), [".sage/.DS_Store", ".sage/notes/.DS_Store"]);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(cwd)), []);
});

Deno.test("sage uninstall --all leaves a store that came with a clone as it came", async () => {
  const { home } = await lived();
  const cwd = `${home}/clone`;
  writeOld(`${cwd}/.sage/project.yaml`, "id: clone-1\nname: clone\n");
  writeOld(`${cwd}/.sage/.trash/x.md`, "theirs\n");
  await sage(["status"], { home, cwd });
  assert.equal((await sage(["uninstall", "--all", "--yes"], { home, cwd })).code, 0);
  assert.deepEqual(filesIn(`${cwd}/.sage`), [".trash/x.md", "project.yaml"]);
});

Deno.test("sage uninstall --all takes what was removed out of a clone that was trusted, and names its notes", async () => {
  const place = await lived();
  const cwd = `${place.home}/clone`;
  writeOld(`${cwd}/.sage/project.yaml`, "id: clone-1\nname: clone\n");
  for (const name of ["otters", "herons"]) {
    writeOld(
      `${cwd}/.sage/knowledge/${name}.md`,
      `---\nid: ${name}\ntype: knowledge\n---\n\n# ${name}\n`,
    );
  }
  for (const words of [["trust"], ["knowledge", "rm", "herons", "--yes"]]) {
    assert.equal((await sage(words, { ...place, cwd })).code, 0);
  }
  const { stdout } = await sage(["uninstall", "--all", "--yes"], place);
  assert.match(stdout, new RegExp(`^Your notes stay: .*${cwd}/\\.sage`, "m"));
  assert.deepEqual(filesIn(`${cwd}/.sage`), ["knowledge/otters.md", "project.yaml"]);
});

Deno.test("sage uninstall --all names what of the plugin somebody changed, and leaves it", async () => {
  const place = await lived();
  const program = `${place.home}/bin/sage`;
  writeOld(program, "#!/bin/sh\n");
  await Deno.chmod(program, 0o755);
  const installed = await sage(
    ["install", "claude-code", "--plugin", "--binary", program],
    place,
  );
  assert.equal(installed.code, 0, installed.stderr);
  const path = `${place.home}/.claude/skills/sage/commands/recall.md`;
  await Deno.writeTextFile(path, "My words.\n", { append: true });
  const answer = await sage(["uninstall", "--all", "--yes"], place);
  assert.ok(
    answer.stdout.includes(`Left, because it was changed by hand: ${path}\n`),
    answer.stdout,
  );
  assert.match(await Deno.readTextFile(path), /My words/);
});

Deno.test("sage uninstall --all leaves what was said in a chat that did not end", async () => {
  const place = await lived();
  const said = [
    { project: "project-1" },
    { role: "user", content: "Why do otters hold hands?", at: 1_763_000_000_000 },
    { role: "assistant", content: "So that they do not drift.", at: 1_763_000_005_000 },
  ].map((line) => JSON.stringify(line) + "\n").join("");
  const id = "11111111-0000-4000-8000-000000000001";
  writeOld(`${place.home}/.sage/state/chats/${id}.jsonl`, `${said}{"role":"user","cont`);
  const page = `${place.home}/.sage/chat-2025-11-13T02-13-20-11111111-2.md`;
  const others = page.replace("-2.md", "-1.md");
  writeOld(others, "of a run that was cut short, before more was said");
  const looked = await sage(["uninstall", "--all", "--dry-run"], place);
  assert.ok(looked.stdout.endsWith(`stays: ${page}\n`), looked.stdout);
  const answer = await sage(["uninstall", "--all", "--yes"], place);
  assert.ok(answer.stdout.endsWith(`stays: ${page}\n`), answer.stdout);
  assert.match(
    await Deno.readTextFile(page),
    /^## You \(2025-11-13T02:13:20Z\)\n\nWhy do otters hold hands\?\n\n## Answer .*\n\nSo that they do/,
  );
  assert.deepEqual(filesIn(`${place.home}/.sage`).filter((path) => path.startsWith("state/")), []);
});

Deno.test("sage uninstall changes nothing of git's where an editor's file cannot be read", async () => {
  const { home, cwd } = await lived();
  writeOld(`${cwd}/.git/HEAD`, "ref: refs/heads/main\n");
  writeOld(`${cwd}/.git/config`, "[core]\n");
  const program = `${home}/bin/sage`;
  writeOld(program, "#!/bin/sh\n");
  for (const words of [["guard", "install"], ["install", "codex"]]) {
    assert.equal((await sage([...words, "--binary", program], { home, cwd })).code, 0);
  }
  writeOld(`${home}/.codex/hooks.json`, "{{");
  const before = filesIn(`${cwd}/.git`);
  assert.ok(before.includes("hooks/pre-commit"));
  const answer = await sage(["uninstall"], { home, cwd });
  assert.equal(answer.code, 1);
  assert.match(answer.stderr, /hooks\.json.*\n.*nothing was changed/);
  assert.deepEqual(filesIn(`${cwd}/.git`), before);
});

Deno.test("sage uninstall leaves the settings that everybody has who shares the project", async () => {
  const home = tempDir();
  const cwd = `${home}/project`;
  const program = `${home}/bin/sage`;
  writeOld(program, "#!/bin/sh\n");
  await Deno.chmod(program, 0o755);
  await Deno.mkdir(cwd);
  const git = (...args: string[]) => run("git", { args, cwd });
  await git("init", "-q");
  await sage(["init"], { home, cwd });
  const install = ["install", "claude-code", "--scope", "project", "--binary", program];
  assert.equal((await sage(install, { home, cwd })).code, 0);
  await git("add", "-A");
  const settings = `${cwd}/.claude/settings.json`;
  const text = await Deno.readTextFile(settings);

  const teammate = { home: tempDir(), cwd };
  const theirs = await sage(["uninstall", "claude-code"], teammate);
  assert.match(
    theirs.stdout,
    /^Nothing to remove\.\nLeft, because everybody who shares .*settings\.json$/m,
  );
  assert.equal(await Deno.readTextFile(settings), text);
  const all = await sage(["uninstall", "--all", "--yes"], teammate);
  assert.match(all.stdout, /^Left, because everybody who shares .*\.mcp\.json$/m);
  assert.equal(await Deno.readTextFile(settings), text);

  // Whoever wrote them takes them out.
  assert.equal((await sage(["uninstall", "claude-code"], { home, cwd })).code, 0);
  await assert.rejects(Deno.stat(settings), Deno.errors.NotFound);
});

Deno.test("sage uninstall --all does not say that notes stay where only empty folders were", async () => {
  const home = tempDir();
  const cwd = `${home}/project`;
  await Deno.mkdir(cwd);
  await sage(["init", "--user"], { home, cwd });
  await Deno.mkdir(`${home}/.sage/knowledge`, { recursive: true });
  const { stdout } = await sage(["uninstall", "--all", "--yes"], { home, cwd });
  assert.doesNotMatch(stdout, /Your notes stay/);
  assert.deepEqual(filesIn(home), []);
});
