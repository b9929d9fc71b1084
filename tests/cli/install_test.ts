/** `sage install` and `uninstall` as typed: names, none, several, on a terminal and elsewhere. */
import assert from "node:assert/strict";
import { dirname } from "../../src/base/path.ts";
import { program } from "../../src/cli/installed.ts";
import type { Io } from "../../src/cli/io.ts";
import { EDITORS } from "../../src/editor/setup.ts";
import { sage, sageJson, type SageOptions } from "../support/sage.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";

function place(): SageOptions & { readonly home: string; readonly cwd: string } {
  const home = tempDir();
  put(`${home}/bin/sage`, "");
  Deno.mkdirSync(`${home}/project`);
  return { home, cwd: `${home}/project` };
}

const binary = (on: SageOptions): string[] => ["--binary", `${on.home}/bin/sage`];

Deno.test("sage install without a name lists the editors of this machine, and needs one", async () => {
  const on = place();
  const none = await sage(["install"], on);
  assert.deepEqual([none.code, none.stdout], [
    2,
    "No editor that Sage knows was used on this machine.\n",
  ]);
  put(`${on.home}/.cursor/mcp.json`, "{}");
  put(`${on.home}/.codex/config.toml`, "");
  const before = filesIn(on.home);
  const listed = await sage(["install"], on);
  assert.equal(listed.code, 2);
  assert.match(
    listed.stdout,
    /^On this machine:\ncursor {2}Cursor {2}not connected\ncodex {3}Codex {3}not connected\n$/,
  );
  assert.match(listed.stderr, /Which editor is to be connected\?\n.*sage install <name>…/);
  const { code, json } = await sageJson(["install"], on);
  assert.equal(code, 2);
  assert.deepEqual(json.items, [
    { editor: "cursor", title: "Cursor", state: "absent" },
    { editor: "codex", title: "Codex", state: "absent" },
  ]);
  assert.deepEqual(filesIn(on.home), before);
});

Deno.test("sage install without a name asks on a terminal, by number, for one or for all", async () => {
  const on = place();
  for (const name of [".cursor", ".config/zed"]) put(`${on.home}/${name}/x`, "");
  const one = await sage(["install", ...binary(on)], { ...on, terminal: true, stdin: "2\n" });
  assert.equal(one.code, 0, one.stderr);
  assert.match(one.stderr, /1\) cursor {2}Cursor {2}not connected\n2\) zed .*\nConnect which\?/);
  assert.match(
    one.stdout,
    /Connected Zed\. It has no hooks: .* saved at\nits end; .*\nsage status says/,
  );
  const all = await sage(["install", ...binary(on)], { ...on, terminal: true, stdin: "a\n" });
  assert.match(all.stdout, /Connected Cursor\.[^]*Zed is connected already\./);
  const no = await sage(["install", ...binary(on)], { ...on, terminal: true, stdin: "\n" });
  assert.equal(no.code, 2);
});

Deno.test("program() names the link by which PATH has it, which outlives the version that it leads to", async () => {
  const home = await Deno.realPath(tempDir());
  const version = `${home}/versions/sage/1.0.0/bin/sage`;
  const [other, bin] = [`${home}/other`, `${home}/bin`];
  const named = (path: string | undefined): string =>
    program(
      { binary: version, env: (name) => name === "PATH" ? path : undefined } as Io,
      undefined,
    );
  put(version, "");
  put(`${other}/sage`, "another");
  await Deno.mkdir(bin);
  await Deno.symlink("../versions/sage/1.0.0/bin/sage", `${bin}/sage`);
  const joined = (...folders: string[]): string =>
    folders.join(Deno.build.os === "windows" ? ";" : ":");
  assert.equal(named(joined(other, `${home}/none`, bin)), `${bin}/sage`);
  assert.equal(named(joined(dirname(version), bin)), version);
  for (const path of [undefined, "", other, "bin", "."]) assert.equal(named(path), version);
});

Deno.test("sage install takes several names; one file that cannot be read stops all of them", async () => {
  const on = place();
  put(`${on.home}/.config/zed/settings.json`, "{ broken");
  const before = filesIn(on.home);
  const broken = await sage(["install", "cursor", "zed", ...binary(on)], on);
  assert.equal(broken.code, 1);
  assert.match(
    broken.stderr,
    /^sage: Cannot read ".*zed\/settings\.json": .*\n.*nothing was changed/,
  );
  assert.deepEqual(filesIn(on.home), before);
  const { code, json } = await sageJson(["install", "cursor", "codex", ...binary(on)], on);
  assert.equal(code, 0);
  assert.deepEqual(
    (json.items as { editor: string; outcome: string }[]).map(({ editor, outcome }) =>
      `${editor} ${outcome}`
    ),
    ["cursor installed", "codex installed"],
  );
  const unknown = await sage(["install", "emacs", ...binary(on)], on);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Unknown editor "emacs"\n.*claude-code, cursor, vscode, zed, codex/);
});

Deno.test("sage install writes for none of several where one file is read-only, and a dry run says so", async () => {
  const on = place();
  const settings = `${on.home}/.config/zed/settings.json`;
  put(settings, "{}");
  await Deno.chmod(settings, 0o444);
  const before = filesIn(on.home);
  for (const more of [[], ["--dry-run"]]) {
    const { code, stderr } = await sage(["install", "cursor", "zed", ...more, ...binary(on)], on);
    assert.equal(code, 1);
    assert.match(stderr, /^sage: Cannot write ".*zed\/settings\.json": it is read-only\n/);
    assert.deepEqual(filesIn(on.home), before);
  }
});

Deno.test("sage install --scope project says that the others need sage at the same place", async () => {
  const on = place();
  const names = ["install", "cursor", "zed", ...binary(on)];
  assert.equal((await sage(names, on)).stderr, "");
  const { stderr } = await sage([...names, "--scope", "project"], on);
  const told =
    `sage: the files name ${on.home}/bin/sage: whoever shares them needs sage at that place\n`;
  assert.equal(stderr, told);
  assert.equal((await sage([...names, "--scope", "project"], on)).stderr, "");
});

Deno.test("sage install shows what would change in TOML as well, and changes nothing", async () => {
  const on = place();
  put(`${on.home}/.codex/config.toml`, '# mine\nmodel = "x"\n');
  const { stdout } = await sage(["install", "codex", "--dry-run", ...binary(on)], on);
  assert.match(
    stdout,
    /config\.toml\n@@ .*\n # mine\n model = "x"\n\+\n\+# Sage: .*\n\+\[mcp_servers\.sage\]\n/,
  );
  assert.match(stdout, /Nothing was changed\.\n$/);
  assert.equal(read(`${on.home}/.codex/config.toml`), '# mine\nmodel = "x"\n');
  put(`${on.home}/.codex/config.toml`, '# mine\r\nmodel = "x"\r\n');
  const windows = await sage(["install", "codex", "--dry-run", ...binary(on)], on);
  assert.equal(windows.stdout, stdout, "a line of two ends is one");
});

Deno.test("sage install --via mcp asks the server at prompts and ends of turns, until it is told otherwise", async () => {
  const on = place();
  const settings = `${on.home}/.claude/settings.json`;
  const own =
    '{\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "ding"}]}]\n  }\n}\n';
  put(settings, own);
  const handlers = (): Record<string, unknown[]> =>
    Object.fromEntries(
      Object.entries(JSON.parse(read(settings)).hooks as Record<string, Group[]>)
        .map(([event, groups]) => [event, groups.flatMap(({ hooks }) => hooks)]),
    );
  const install = (...args: string[]) =>
    sage(["install", "claude-code", ...args, ...binary(on)], on);
  await install();
  const plain = read(settings);
  await install("--via", "mcp");
  const asked = handlers();
  assert.deepEqual(asked.UserPromptSubmit, [{
    type: "mcp_tool",
    server: "sage",
    tool: "sage_hook",
    input: {
      hook_event_name: "${hook_event_name}",
      session_id: "${session_id}",
      transcript_path: "${transcript_path}",
      cwd: "${cwd}",
      agent_id: "${agent_id}",
      prompt: "${prompt}",
    },
    timeout: 10,
  }]);
  assert.deepEqual(
    Object.entries(asked).map(([event, all]) =>
      `${event} ${all.map((one) => (one as { type: string }).type).join()}`
    ).sort(),
    [
      "PreCompact command",
      "SessionEnd command",
      "SessionStart command",
      "Stop command,mcp_tool",
      "SubagentStop mcp_tool",
      "UserPromptSubmit mcp_tool",
    ],
  );
  const { stdout } = await sage(["doctor"], on);
  assert.match(stdout, /ok {6}Claude Code: hooks and MCP server registered\n/);
  assert.equal((await install()).stdout, "Claude Code is connected already.\n");
  await install("--via", "process");
  assert.deepEqual(JSON.parse(read(settings)), JSON.parse(plain));
  await install("--via", "mcp");
  await sage(["uninstall"], on);
  assert.equal(read(settings), own);
  for (const wrong of [["cursor", "--via", "mcp"], ["claude-code", "--plugin", "--via", "mcp"]]) {
    const { code, stderr } = await sage(["install", ...wrong, ...binary(on)], on);
    assert.equal(code, 2);
    assert.match(stderr, /--via mcp/);
  }
});

interface Group {
  readonly hooks: readonly unknown[];
}

Deno.test("sage uninstall takes out one editor, or all; sage status and doctor say which are in", async () => {
  const on = place();
  await sage(["install", ...EDITORS, ...binary(on)], on);
  const { stdout } = await sage(["status", "--verbose"], on);
  assert.match(stdout, /editors {5}Claude Code: hooks and tools\n {12}Cursor: hooks and tools\n/);
  assert.match(stdout, / Zed: tools\n[^]* opencode: hooks and tools\n/);
  const gone = await sage(["uninstall", "cursor"], on);
  assert.match(gone.stdout, /\.cursor\/hooks\.json +-4 hooks; the file is deleted[^]*Removed\.\n/);
  assert.match(gone.stdout, /\.cursor\/mcp\.json +-1 MCP server; the file is deleted/);
  const { json } = await sageJson(["status"], on);
  const states = (json.editors as { name: string; state: string; scope: string }[])
    .map(({ name, state, scope }) => `${name} ${state} ${scope}`);
  assert.deepEqual(
    states,
    EDITORS.filter((name) => name !== "cursor").map((name) => `${name} installed user`),
  );
  const doctor = await sage(["doctor"], on);
  assert.match(doctor.stdout, /ok {6}Zed: MCP server registered\n/);
  assert.match(
    doctor.stdout,
    /warning Codex: hooks and MCP server registered, but .* 6 of 6 wait\n/,
  );
  await sage(["uninstall"], on);
  assert.deepEqual(filesIn(on.home), ["bin/sage"]);
  assert.equal((await sage(["uninstall"], on)).stdout, "Nothing to remove.\n");
});

Deno.test("sage uninstall takes several names, as sage install does, and leaves the others", async () => {
  const on = place();
  await sage(["install", "cursor", "zed", "codex", ...binary(on)], on);
  const looked = await sage(["uninstall", "cursor", "zed", "--dry-run"], on);
  assert.equal(looked.stdout.split("Nothing was changed.").length, 2);
  const { code, stdout } = await sage(["uninstall", "cursor", "zed"], on);
  assert.equal(code, 0);
  assert.match(stdout, /cursor\/mcp\.json [^]*zed\/settings\.json [^]*\nRemoved\.\n/);
  const left = filesIn(on.home).filter((path) => !path.startsWith(".sage/") && path !== "bin/sage");
  assert.deepEqual(left, [".codex/config.toml", ".codex/hooks.json"]);
  assert.match(
    (await sage(["uninstall", "codex", "emacs"], on)).stderr,
    /^sage: Unknown editor "emacs"/,
  );
  assert.match(read(`${on.home}/.codex/config.toml`), /mcp_servers\.sage/);
});

Deno.test("sage install --statusline says of hooks that are there nothing", async () => {
  const on = place();
  const install = ["install", "claude-code", ...binary(on)];
  await sage(install, on);
  const { stdout } = await sage([...install, "--statusline"], on);
  assert.match(stdout, /settings\.json {2}\+1 status line\n/);
  put(`${on.home}/other/sage`, "");
  const moved = ["install", "claude-code", "--binary", `${on.home}/other/sage`];
  assert.match((await sage(moved, on)).stdout, /settings\.json {2}6 hooks changed, 1 status line/);
});

Deno.test("sage install says once of several editors that nothing was changed", async () => {
  const on = place();
  put(`${on.home}/.cursor/mcp.json`, "{}\n");
  const dry = ["install", "cursor", "zed", "codex", "--dry-run", ...binary(on)];
  const { stdout } = await sage(dry, on);
  assert.equal(stdout.split("Nothing was changed.").length, 2);
  assert.match(stdout, /\n\n[^\n]*zed\/settings\.json\n@@ [^]*\n\nNothing was changed\.\n$/);
  await sage(["install", "cursor", "zed", "codex", ...binary(on)], on);
  assert.ok(!(await sage(dry, on)).stdout.includes("Nothing was changed."));
});

Deno.test("sage doctor mends an editor whose program is gone", async () => {
  const on = place();
  await sage(["install", "gemini", ...binary(on)], on);
  await Deno.remove(`${on.home}/bin/sage`);
  const { code, stdout } = await sage(["doctor"], on);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /error +Gemini CLI runs .*\/bin\/sage, which does not exist\n +sage install gemini\n/,
  );
  assert.match((await sage(["status"], on)).stdout, /\nnext: sage install gemini\n$/);
});
