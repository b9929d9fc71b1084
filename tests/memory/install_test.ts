/** Registering with the editor, and leaving without a trace. */
import assert from "node:assert/strict";
import { editorState } from "../../src/memory/editor/state.ts";
import { applyEditorInstall, uninstallEditors } from "../../src/memory/editor/install.ts";
import { installHooks, uninstallAllHooks } from "../../src/memory/guard/git_hooks.ts";
import { EDITORS } from "../../src/editor/setup.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { surface } from "../../src/memory/surfacing/surfacing.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { writeLog } from "../../src/base/log.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import {
  begin,
  knowledge,
  put,
  read,
  repository,
  SESSION,
  type World,
  world,
} from "../support/world.ts";

const SETTINGS = `{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "/usr/bin/beep" }] }]
  }
}
`;
const STATE =
  '{"numStartups":7,"projects":{"/p":{"x":1}},"mcpServers":{"other":{"command":"other"}}}';

/** What is registered has to exist to count as installed, and is known by its name. */
const BINARY = `${tempDir()}/sage`;
put(BINARY, "");

const how = (scope: "user" | "project" = "user", dryRun = false) => ({
  scope,
  dryRun,
  binary: BINARY,
});

async function configured(): Promise<World> {
  const on = await world({ project: "none" });
  // As on a machine that never met Sage.
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  put(`${on.home}/.claude/settings.json`, SETTINGS);
  put(`${on.home}/.claude.json`, STATE);
  return on;
}

/** Every file and folder below home and project, with bytes and mode. */
function snapshot(on: World): string[] {
  const lines: string[] = [];
  const visit = (folder: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = `${folder}/${name}`;
      const { mode } = Deno.statSync(path);
      lines.push(`${path} ${mode} ${isDirectory ? "" : read(path)}`);
      if (isDirectory) visit(path);
    }
  };
  visit(on.home);
  visit(on.cwd);
  return lines.sort();
}

/** What is in each file of a folder. */
function contents(folder: string): readonly (readonly [path: string, text: string])[] {
  return filesIn(folder).map((path) => [path, read(`${folder}/${path}`)]);
}

Deno.test("install overwrites nothing that the editor wrote after the plan was made", async () => {
  using on = await configured();
  const settings = `${on.home}/.claude/settings.json`;
  const theirs = SETTINGS.replace("opus", "sonnet");
  // The receipt is written between the two.
  const rename: Fs["rename"] = (from, to) => {
    if (to.includes("/state/install/")) put(settings, theirs);
    realFs.rename(from, to);
  };
  const memory = await on.open({ fs: { ...realFs, rename } });
  assert.throws(() => applyEditorInstall(memory, "claude-code", how()), { code: "conflict" });
  assert.deepEqual([read(settings), read(`${on.home}/.claude.json`)], [theirs, STATE]);
});

Deno.test("install overwrites nothing that the editor wrote while another file was written", async () => {
  using on = await configured();
  const dry = applyEditorInstall(await on.open(), "claude-code", how("user", true));
  const [first = "", second = ""] = dry.files.map(({ path }) => path)
    .filter((path) => realFs.lstat(path) !== undefined);
  const before = read(first);
  const theirs = `${read(second)}\n`;
  const rename: Fs["rename"] = (from, to) => {
    realFs.rename(from, to);
    if (to === first) put(second, theirs);
  };
  const memory = await on.open({ fs: { ...realFs, rename } });
  assert.throws(() => applyEditorInstall(memory, "claude-code", how()), {
    code: "conflict",
    hint: "repeat; nothing was changed",
  });
  assert.deepEqual([read(first), read(second)], [before, theirs]);
});

for (const came of ["was moved", "is a copy"] as const) {
  Deno.test(`uninstall in a home that ${came} restores that home and touches no other`, async () => {
    using on = await configured();
    const project = `${on.home}/project`;
    repository(project);
    const before = contents(on.home);
    applyEditorInstall(await on.open(), "claude-code", how());
    installHooks(await on.open({ cwd: project }), BINARY);
    const there = contents(on.home);
    const home = `${tempDir()}/anna`;
    if (came === "was moved") await Deno.rename(on.home, home);
    else for (const [path, text] of there) put(`${home}/${path}`, text);
    on.env.HOME = home;
    uninstallAllHooks(await on.open());
    uninstallEditors(await on.open(), EDITORS, { dryRun: false });
    assert.deepEqual(contents(home), before);
    if (came === "is a copy") assert.deepEqual(contents(on.home), there);
  });
}

for (const scope of ["user", "project"] as const) {
  Deno.test(`install and uninstall (${scope}) leave home and project byte for byte as they were`, async () => {
    using on = await configured();
    const before = snapshot(on);
    assert.equal(applyEditorInstall(await on.open(), "claude-code", how(scope)).kind, "installed");
    assert.notDeepEqual(snapshot(on), before);
    const again = applyEditorInstall(await on.open(), "claude-code", how(scope));
    assert.deepEqual([again.kind, again.files], ["unchanged", []]);
    assert.equal(editorState(await on.open()).kind, "installed");
    // A session in between leaves its own traces.
    const memory = await on.open({ hook: true });
    begin(memory, on);
    await surface(memory, SESSION, "Why does the importer stall on large files?");
    writeLog(memory.fs, memory.places.stateDir, memory.now(), "hook", { hook: "stop" });
    await refreshAll(memory);
    const gone = uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
    assert.deepEqual([gone.kind, gone.kept], ["uninstalled", []]);
    assert.deepEqual(snapshot(on), before);
    assert.equal(editorState(await on.open()).kind, "absent");
  });

  Deno.test(`install (${scope}) creates missing files of the editor, and uninstall removes them`, async () => {
    using on = await world({ project: "none" });
    await Deno.remove(`${on.home}/.sage`, { recursive: true });
    const before = snapshot(on);
    applyEditorInstall(await on.open(), "claude-code", how(scope));
    uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
    assert.deepEqual(snapshot(on), before);
  });

  Deno.test(`uninstall (${scope}) finds Sage's entries without the receipt`, async () => {
    using on = await configured();
    applyEditorInstall(await on.open(), "claude-code", how(scope));
    await Deno.remove(`${on.home}/.sage`, { recursive: true });
    assert.equal(
      uninstallEditors(await on.open(), ["claude-code"], { dryRun: false }).kind,
      "uninstalled",
    );
    for (const name of [...filesIn(on.home), ...filesIn(on.cwd)]) {
      assert.ok(!name.startsWith(".sage"));
    }
    for (const path of [`${on.home}/.claude/settings.json`, `${on.home}/.claude.json`]) {
      assert.doesNotMatch(read(path), /"hook"|"sage"/, path);
    }
    assert.match(
      read(`${on.home}/.claude/settings.json`),
      /\/\/ mine\n(?:.*\n)*.*\/usr\/bin\/beep/,
    );
    assert.equal(editorState(await on.open()).kind, "absent");
  });
}

Deno.test("uninstall keeps what somebody else wrote into the files since", async () => {
  using on = await configured();
  applyEditorInstall(await on.open(), "claude-code", how());
  const settings = `${on.home}/.claude/settings.json`;
  put(settings, read(settings).replace('"opus"', '"sonnet"').replace("// mine", "// still mine"));
  const state = JSON.parse(read(`${on.home}/.claude.json`));
  put(`${on.home}/.claude.json`, JSON.stringify({ ...state, numStartups: 8 }));
  uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
  assert.equal(
    read(settings),
    SETTINGS.replace('"opus"', '"sonnet"').replace("// mine", "// still mine"),
  );
  assert.deepEqual(JSON.parse(read(`${on.home}/.claude.json`)), {
    ...JSON.parse(STATE),
    numStartups: 8,
  });
});

Deno.test("install stores none of the text in the editor's files", async () => {
  using on = await configured();
  const token = "zanzibar" + "Token";
  const server = { command: "other", env: { KEY: token } };
  for (const indent of [undefined, 2]) {
    const state = JSON.stringify({ oauth: token, mcpServers: { other: server } }, null, indent);
    const hooks = { Stop: [{ hooks: [{ type: "command", command: `beep ${token}` }] }] };
    // On the line behind which our server comes.
    const remarked = state.replace(/(\s*}\s*})$/, ` // ${token}\n$1`);
    put(`${on.home}/.claude.json`, remarked);
    put(
      `${on.home}/.claude/settings.json`,
      JSON.stringify({ env: { KEY: token }, hooks, model: token }, null, indent),
    );
    const before = snapshot(on);
    applyEditorInstall(await on.open(), "claude-code", how());
    const moved = `${tempDir()}/sage`;
    put(moved, "");
    applyEditorInstall(await on.open(), "claude-code", { ...how(), binary: moved });
    const kept = filesIn(`${on.home}/.sage`).map((path) => read(`${on.home}/.sage/${path}`));
    assert.ok(kept.some((text) => text.includes("sha256")), "there is a receipt");
    assert.ok(!kept.join("\n").includes(token), "and it holds no token");
    uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
    assert.deepEqual(snapshot(on), before);
  }
});

Deno.test("install writes nothing if one of the files is broken", async () => {
  for (
    const [path, text] of [[".claude/settings.json", "{ broken"], [".claude.json", '{"a":'], [
      ".claude.json",
      "[]",
    ]]
  ) {
    using on = await configured();
    put(`${on.home}/${path}`, text ?? "");
    const before = snapshot(on);
    const memory = await on.open();
    assert.throws(() => applyEditorInstall(memory, "claude-code", how()), { name: "SageError" });
    assert.deepEqual(snapshot(on), before, path);
  }
});

Deno.test("a dry run shows the diff and writes nothing", async () => {
  using on = await configured();
  const before = snapshot(on);
  const plan = applyEditorInstall(await on.open(), "claude-code", { ...how(), dryRun: true });
  assert.equal(plan.kind, "planned");
  assert.match(plan.files.map(({ diff }) => diff).join(), /\+ .*"SessionStart"/);
  assert.deepEqual(snapshot(on), before);
  applyEditorInstall(await on.open(), "claude-code", how());
  const installed = snapshot(on);
  assert.equal(uninstallEditors(await on.open(), EDITORS, { dryRun: true }).kind, "planned");
  assert.deepEqual(snapshot(on), installed);
});

Deno.test("install writes through a link into somebody's dotfiles", async () => {
  using on = await configured();
  const settings = `${on.home}/.claude/settings.json`;
  await Deno.rename(settings, `${on.home}/dotfile.json`);
  await Deno.symlink(`${on.home}/dotfile.json`, settings);
  applyEditorInstall(await on.open(), "claude-code", how());
  assert.match(read(`${on.home}/dotfile.json`), /session-start/);
  uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
  assert.equal(read(`${on.home}/dotfile.json`), SETTINGS);
  assert.ok((await Deno.lstat(settings)).isSymlink);
});

Deno.test("uninstall from all editors removes every folder that was made for one", async () => {
  using on = await world({ project: "none" });
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  const before = snapshot(on);
  for (const editor of EDITORS) applyEditorInstall(await on.open(), editor, how());
  uninstallEditors(await on.open(), EDITORS, { dryRun: false });
  assert.deepEqual(snapshot(on), before);
});

Deno.test("install reports a link to nothing, and connects the other editors", async () => {
  using on = await configured();
  const link = `${on.home}/.cursor/mcp.json`;
  await Deno.mkdir(`${on.home}/.cursor`);
  await Deno.symlink(`${on.home}/dotfiles/mcp.json`, link);
  const memory = await on.open();
  assert.throws(() => applyEditorInstall(memory, "cursor", how()), {
    code: "not_found",
    message: `"${link}" is a link to a file that is not there`,
    hint: /make the file, or take the link away/,
  });
  assert.equal(editorState(memory, "cursor").kind, "absent");
  applyEditorInstall(memory, "claude-code", how());
  assert.equal(uninstallEditors(memory, EDITORS, { dryRun: false }).kind, "uninstalled");
  assert.equal(await Deno.readLink(link), `${on.home}/dotfiles/mcp.json`);
});

Deno.test("uninstall leaves no link to a file that it deletes", async () => {
  using on = await configured();
  const memory = await on.open();
  applyEditorInstall(memory, "cursor", how());
  const [path, moved] = [`${on.home}/.cursor/mcp.json`, `${on.home}/moved.json`];
  await Deno.rename(path, moved);
  await Deno.symlink(moved, path);
  uninstallEditors(memory, ["cursor"], { dryRun: false });
  assert.throws(() => Deno.lstatSync(moved), Deno.errors.NotFound);
  assert.throws(() => Deno.lstatSync(`${on.home}/.cursor`), Deno.errors.NotFound);
});

Deno.test("uninstall removes what Codex recorded about a project's hooks from the person's own file", async () => {
  using on = await configured();
  const memory = await on.open();
  applyEditorInstall(memory, "codex", how("project"));
  const config = `${on.home}/.codex/config.toml`;
  const mine = 'model = "gpt-5" # mine\n';
  const key = `${on.cwd}/.codex/hooks.json:stop:0:0`;
  put(config, `${mine}\n[hooks.state]\n\n[hooks.state."${key}"]\ntrusted_hash = "sha256:x"\n`);
  uninstallEditors(memory, ["codex"], { dryRun: false });
  assert.equal(read(config), mine);
});

Deno.test("uninstall finds what Codex recorded about a project's hooks without a receipt and behind a link", async () => {
  for (const lost of [true, false]) {
    using on = await configured();
    const memory = await on.open();
    if (!lost) {
      await Deno.mkdir(`${on.home}/dots`);
      await Deno.symlink(`${on.home}/dots`, `${on.cwd}/.codex`);
    }
    applyEditorInstall(memory, "codex", how("project"));
    const config = `${on.home}/.codex/config.toml`;
    const folder = await Deno.realPath(`${on.cwd}/.codex`);
    put(config, `[hooks.state."${folder}/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:x"\n`);
    if (lost) await Deno.remove(`${on.home}/.sage/state/install/codex.json`);
    uninstallEditors(memory, ["codex"], { dryRun: false });
    assert.equal(read(config), "", lost ? "lost" : "linked");
  }
});

Deno.test("uninstall recognises what Codex recorded where its folder is reached by a link", async () => {
  using on = await configured();
  await Deno.mkdir(`${on.home}/real`);
  await Deno.symlink(`${on.home}/real`, `${on.home}/.codex`);
  const memory = await on.open();
  applyEditorInstall(memory, "codex", how());
  const config = `${on.home}/real/config.toml`;
  const key = `${await Deno.realPath(on.home)}/real/hooks.json:stop:0:0`;
  put(config, `${read(config)}\n[hooks.state."${key}"]\ntrusted_hash = "sha256:x"\n`);
  uninstallEditors(memory, ["codex"], { dryRun: false });
  assert.deepEqual(filesIn(`${on.home}/real`), []);
});

Deno.test("uninstall keeps notes, trust and the record of what was forgotten, and says where", async () => {
  using on = await world();
  await knowledge(on.memory, "Oak", "It grows.");
  applyEditorInstall(on.memory, "claude-code", how());
  const { kept } = uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
  assert.deepEqual(kept, [`${on.cwd}/.sage`]);
  assert.match(read(`${on.cwd}/.sage/knowledge/oak.md`), /It grows/);
  assert.equal((await on.open()).project?.trust, "own");
});

Deno.test("uninstall without an installation changes nothing", async () => {
  using on = await configured();
  const before = snapshot(on);
  assert.equal(uninstallEditors(await on.open(), EDITORS, { dryRun: false }).kind, "unchanged");
  assert.deepEqual(snapshot(on), before);
});

Deno.test("editorState() reports a registered program that is gone, and a half registration", async () => {
  using on = await configured();
  applyEditorInstall(await on.open(), "claude-code", { ...how(), binary: `${on.home}/gone/sage` });
  const gone = editorState(await on.open());
  assert.ok(gone.kind === "broken" && /does not exist/.test(gone.reason));
  applyEditorInstall(await on.open(), "claude-code", how());
  put(`${on.home}/.claude.json`, STATE);
  const half = editorState(await on.open());
  assert.ok(
    half.kind === "broken" && /lacks Sage's MCP server/.test(half.reason),
    JSON.stringify(half),
  );
});

Deno.test("the hook before edits is registered if it is turned on, reported if missing, and removed", async () => {
  using on = await configured();
  const before = snapshot(on);
  applyEditorInstall(on.memory, "claude-code", how());
  assert.doesNotMatch(read(`${on.home}/.claude/settings.json`), /PreToolUse/);
  on.env["SAGE_SURFACING_BEFORE_EDITS"] = "true";
  const memory = await on.open();
  const state = editorState(memory);
  assert.ok(state.kind === "broken");
  assert.equal(state.reason, "Claude Code lacks Sage's hook before edits");
  assert.equal(applyEditorInstall(memory, "claude-code", how()).kind, "installed");
  assert.equal(editorState(memory).kind, "installed");
  assert.match(read(`${on.home}/.claude/settings.json`), /"PreToolUse"[^]*"pre-tool-use"/);
  uninstallEditors(memory, EDITORS, { dryRun: false });
  assert.deepEqual(snapshot(on), before);
});

const plugin = () => ({ ...how(), plugin: true });
const PLUGIN_FOLDER = ".claude/skills/sage";

Deno.test("install --plugin and uninstall leave home byte for byte as it was", async () => {
  using on = await configured();
  const before = snapshot(on);
  const made = applyEditorInstall(await on.open(), "claude-code", plugin());
  assert.equal(made.kind, "installed");
  assert.equal(read(`${on.home}/.claude/settings.json`), SETTINGS);
  assert.equal(read(`${on.home}/.claude.json`), STATE);
  assert.ok(made.files.every(({ path }) => path.includes(PLUGIN_FOLDER)));
  const state = editorState(await on.open());
  assert.deepEqual(state, { kind: "installed", binary: BINARY, scope: "user", plugin: true });
  assert.equal(applyEditorInstall(await on.open(), "claude-code", plugin()).kind, "unchanged");
  assert.equal(
    uninstallEditors(await on.open(), ["claude-code"], { dryRun: false }).kind,
    "uninstalled",
  );
  assert.deepEqual(snapshot(on), before);
});

Deno.test("install --plugin creates a missing folder of the editor, and uninstall removes it", async () => {
  using on = await world({ project: "none" });
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  const before = snapshot(on);
  applyEditorInstall(await on.open(), "claude-code", { ...plugin(), dryRun: true });
  assert.deepEqual(snapshot(on), before);
  applyEditorInstall(await on.open(), "claude-code", plugin());
  uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
  assert.deepEqual(snapshot(on), before);
});

for (const statusLine of [false, true]) {
  Deno.test(`plugin and settings replace each other${statusLine ? ", and the status line stays" : ""}`, async () => {
    using on = await configured();
    const before = snapshot(on);
    const hooksIn = (): string =>
      filesIn(`${on.home}/.claude`).filter((path) =>
        /"hook", "session-start"|"hook",\s+"session-start"/.test(read(`${on.home}/.claude/${path}`))
      ).join();
    applyEditorInstall(await on.open(), "claude-code", { ...how(), statusLine });
    const entered = snapshot(on);
    assert.equal(hooksIn(), "settings.json");
    for (let round = 0; round < 2; round++) {
      applyEditorInstall(await on.open(), "claude-code", plugin());
      assert.equal(hooksIn(), "skills/sage/hooks/hooks.json");
      assert.doesNotMatch(read(`${on.home}/.claude.json`), /sage/);
      assert.equal(/statusline/.test(read(`${on.home}/.claude/settings.json`)), statusLine);
      assert.equal(applyEditorInstall(await on.open(), "claude-code", plugin()).kind, "unchanged");
      applyEditorInstall(await on.open(), "claude-code", { ...how(), statusLine });
      assert.equal(hooksIn(), "settings.json");
      const settled = (lines: readonly string[]) => lines.filter((line) => !/\.sage/.test(line));
      assert.deepEqual(settled(snapshot(on)), settled(entered));
    }
    applyEditorInstall(await on.open(), "claude-code", plugin());
    uninstallEditors(await on.open(), EDITORS, { dryRun: false });
    assert.deepEqual(snapshot(on), before);
  });
}

Deno.test("the plugin also replaces hooks in the project's settings", async () => {
  using on = await configured();
  applyEditorInstall(await on.open(), "claude-code", how("project"));
  applyEditorInstall(await on.open(), "claude-code", plugin());
  assert.deepEqual(filesIn(on.cwd).filter((path) => /settings|mcp/.test(path)), []);
  assert.equal(editorState(await on.open()).kind, "installed");
});

Deno.test("installing the plugin in one profile leaves another profile alone", async () => {
  using on = await configured();
  applyEditorInstall(await on.open(), "claude-code", how());
  applyEditorInstall(await on.open(), "claude-code", how("project"));
  const profiles = [`${on.home}/.claude.json`, `${on.home}/.claude/settings.json`];
  for (const name of ["one", "two"]) {
    on.env.CLAUDE_CONFIG_DIR = `${on.home}/${name}`;
    applyEditorInstall(await on.open(), "claude-code", how());
    profiles.push(`${on.home}/${name}/.claude.json`, `${on.home}/${name}/settings.json`);
  }
  const texts = new Map(profiles.map((path) => [path, read(path)]));
  const { entries } = applyEditorInstall(await on.open(), "claude-code", plugin());
  assert.deepEqual(
    entries.map(({ path }) => path).sort(),
    [
      ...[`${on.cwd}/.claude/settings.json`, `${on.cwd}/.mcp.json`],
      ...[...profiles.slice(-2), `${on.home}/two/skills/sage`],
    ].sort(),
  );
  for (const path of profiles.slice(0, -2)) assert.equal(read(path), texts.get(path), path);
});

Deno.test("a plugin file that a person changed is neither overwritten nor deleted", async () => {
  using on = await configured();
  applyEditorInstall(await on.open(), "claude-code", plugin());
  const skill = `${on.home}/${PLUGIN_FOLDER}/skills/managing-working-memory/SKILL.md`;
  const hooks = `${on.home}/${PLUGIN_FOLDER}/hooks/hooks.json`;
  put(skill, read(skill) + "\nIn this house we write French.\n");
  put(hooks, read(hooks).replace('"timeout": 5', '"timeout": 6'));
  const moved = { ...plugin(), binary: `${tempDir()}/sage` };
  const memory = await on.open();
  assert.throws(
    () => applyEditorInstall(memory, "claude-code", moved),
    /is not as Sage wrote it/,
  );
  const gone = uninstallEditors(memory, ["claude-code"], { dryRun: false });
  assert.deepEqual(gone.edited, [hooks, skill]);
  assert.match(read(skill), /write French/);
  assert.doesNotMatch(read(hooks), /session-start/, "no hook of ours is left");
  assert.equal(editorState(await on.open()).kind, "absent");
});

Deno.test("uninstall finds the plugin when the receipt is lost, and leaves what is not Sage's", async () => {
  using on = await configured();
  const before = snapshot(on);
  put(`${on.home}/.claude/skills/mine/SKILL.md`, "---\nname: mine\n---\n");
  applyEditorInstall(await on.open(), "claude-code", plugin());
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
  await Deno.remove(`${on.home}/.claude/skills`, { recursive: true });
  assert.deepEqual(snapshot(on), before);
});

Deno.test("install is refused where a marketplace's plugin would run each hook a second time", async () => {
  using on = await configured();
  put(`${on.home}/.claude/settings.json`, '{"enabledPlugins":{"sage@sage":true}}');
  const before = snapshot(on);
  const memory = await on.open();
  for (const form of [how(), plugin()]) {
    assert.throws(() => applyEditorInstall(memory, "claude-code", form), /plugin "sage@sage"/);
  }
  assert.deepEqual(editorState(memory), { kind: "elsewhere", plugin: "sage@sage" });
  memory.close();
  assert.deepEqual(snapshot(on), before);
});

Deno.test("editorState() reports a marketplace's plugin beside an installed one", async () => {
  using on = await configured();
  for (const form of [how(), plugin()]) {
    put(`${on.home}/.claude/settings.json`, "{}");
    applyEditorInstall(await on.open(), "claude-code", form);
    const settings = JSON.parse(read(`${on.home}/.claude/settings.json`));
    const both = { ...settings, enabledPlugins: { "sage@team": true } };
    put(`${on.home}/.claude/settings.json`, JSON.stringify(both));
    const found = editorState(await on.open());
    assert.match("reason" in found ? found.reason : "", /twice, once as the plugin "sage@team"/);
    uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
    assert.equal(editorState(await on.open()).kind, "elsewhere");
  }
});

Deno.test("a person's own skill in the place of the plugin is not touched", async () => {
  using on = await configured();
  put(`${on.home}/${PLUGIN_FOLDER}/README.md`, "my own skill called sage\n");
  const before = snapshot(on);
  const memory = await on.open();
  assert.throws(
    () => applyEditorInstall(memory, "claude-code", plugin()),
    /README.md" is not as Sage wrote it/,
  );
  memory.close();
  assert.deepEqual(snapshot(on), before);
});

Deno.test("editorState() reports plugin and settings at the same time", async () => {
  using on = await configured();
  applyEditorInstall(await on.open(), "claude-code", plugin());
  applyEditorInstall(await on.open(), "claude-code", how());
  const entered = read(`${on.home}/.claude/settings.json`);
  applyEditorInstall(await on.open(), "claude-code", plugin());
  put(`${on.home}/.claude/settings.json`, entered);
  const found = editorState(await on.open());
  assert.equal(found.kind, "broken");
  assert.match("reason" in found ? found.reason : "", /twice/);
  applyEditorInstall(await on.open(), "claude-code", plugin());
  // What nobody knows Sage to have made stays; its hooks go.
  assert.doesNotMatch(read(`${on.home}/.claude/settings.json`), /session-start/);
  assert.equal(editorState(await on.open()).kind, "installed");
});
