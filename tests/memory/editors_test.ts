/** Installing into every editor on a real disk: folders, links, modes, faults, several at once. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { slashed } from "../../src/base/path.ts";
import { type EditorName, EDITORS } from "../../src/editor/setup.ts";
import { editorState, knownEditors } from "../../src/memory/editor/state.ts";
import { assertWritable } from "../../src/memory/editor/files.ts";
import { applyEditorInstall, uninstallEditors } from "../../src/memory/editor/install.ts";
import { withRealNames } from "../../src/memory/editor/receipts.ts";
import { binary, hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { put, read, type World, world } from "../support/world.ts";

const BINARY = `${tempDir()}/sage`;
put(BINARY, "");

const JSONC = `{
  // mine
  "model": "x",   /* odd */
  "mcpServers": { "other": { "command": "npx", "args": ["-y"], } },
}
`;
const TOML =
  `# mine\nmodel = "gpt-5"   # odd\n\n[mcp_servers.other]\r\ncommand = "npx"\nargs = [\n  "-y",\n]`;

/** Files that are there before, below home or project. */
/** Where VS Code keeps its profiles, in the home. */
const VSCODE = Deno.build.os === "darwin" ? "Library/Application Support" : ".config";

const THERE: Readonly<Record<string, string>> = {
  ".claude.json": '{"numStartups":7}',
  ".claude/settings.json": JSONC,
  ".mcp.json": "{}",
  ".cursor/mcp.json": JSONC,
  [`${VSCODE}/Code/User/mcp.json`]: JSONC,
  ".vscode/mcp.json": "{\r\n\t// none\r\n}",
  ".config/zed/settings.json": `// Zed settings\n//\n${JSONC}`,
  ".zed/settings.json": JSONC,
  ".codex/config.toml": TOML,
  ".gemini/settings.json": JSONC,
  ".config/opencode/opencode.jsonc": JSONC,
  "opencode.json": '{ "$schema": "https://opencode.ai/config.json" }',
};

const how = (scope: "user" | "project" = "user") => ({ scope, dryRun: false, binary: BINARY });

async function fresh(files: Readonly<Record<string, string>> = {}): Promise<World> {
  const on = await world({ project: "none" });
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    put(`${on.home}/${path}`, text);
    put(`${on.cwd}/${path}`, text);
  }
  return on;
}

/** Every file and folder below home and project, with bytes, mode and where a link leads. */
function snapshot(on: World): string[] {
  const lines: string[] = [];
  const visit = (folder: string): void => {
    for (const { name, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
      const path = `${folder}/${name}`;
      const { mode } = Deno.statSync(path);
      lines.push(`${path} ${mode} ${isSymlink} ${isDirectory ? "" : read(path)}`);
      if (isDirectory) visit(path);
    }
  };
  visit(on.home);
  visit(on.cwd);
  return lines.sort();
}

for (const editor of EDITORS) {
  for (const scope of ["user", "project"] as const) {
    for (const [what, files] of [["empty", {}], ["used", THERE]] as const) {
      Deno.test(`${editor} (${scope}): install and uninstall leave a home that is ${what} as it was`, async () => {
        using on = await fresh(files);
        const before = snapshot(on);
        assert.equal(applyEditorInstall(await on.open(), editor, how(scope)).kind, "installed");
        const state = editorState(await on.open(), editor);
        assert.ok(state.kind === "installed");
        // A client of Windows is told as the system writes it.
        assert.deepEqual({ ...state, binary: slashed(state.binary) }, {
          kind: "installed",
          binary: BINARY,
          scope,
        });
        assert.equal(applyEditorInstall(await on.open(), editor, how(scope)).kind, "unchanged");
        const outcome = uninstallEditors(await on.open(), [editor], { dryRun: false });
        assert.equal(outcome.kind, "uninstalled");
        assert.deepEqual(snapshot(on), before);
        assert.equal(editorState(await on.open(), editor).kind, "absent");
      });
    }
  }

  Deno.test(`${editor}: uninstall keeps what others wrote, even without the receipt`, async () => {
    using on = await fresh(THERE);
    const { entries } = applyEditorInstall(await on.open(), editor, how());
    const there = entries.map(({ path }) => path);
    await Deno.remove(`${on.home}/.sage`, { recursive: true });
    uninstallEditors(await on.open(), EDITORS, { dryRun: false });
    assert.equal(editorState(await on.open(), editor).kind, "absent");
    for (const path of there) {
      const name = path.slice(on.home.length + 1);
      if (THERE[name] === undefined) continue;
      assert.match(read(path), /mine|numStartups/, path);
      assert.doesNotMatch(read(path), /\bsage\b/i, path);
    }
  });

  Deno.test(`${editor}: install writes nothing if one of the files cannot be written`, async () => {
    using on = await fresh(THERE);
    const before = snapshot(on);
    const paths = applyEditorInstall(await on.open(), editor, { ...how(), dryRun: true }).files
      .map(({ path }) => path);
    for (const bad of paths) {
      const memory = await on.open({ fs: failing(bad, "ENOSPC") });
      assert.throws(() => applyEditorInstall(memory, editor, how()), (error: Error) => {
        assert.match(error.message, /^Cannot write ".*": no room is left on the disk \(ENOSPC\)$/);
        assert.match((error as Error & { hint: string }).hint, /nothing was changed$/);
        return true;
      });
      assert.deepEqual(withoutState(snapshot(on)), before, bad);
      assert.equal(editorState(await on.open(), editor).kind, "absent");
    }
  });

  Deno.test(`${editor}: install leaves a read-only file alone and reports it`, async () => {
    using on = await fresh(THERE);
    const paths = applyEditorInstall(await on.open(), editor, { ...how(), dryRun: true }).files
      .map(({ path }) => path).filter((path) => realFs.lstat(path) !== undefined);
    for (const path of paths) {
      await Deno.chmod(path, 0o444);
      const before = snapshot(on);
      const memory = await on.open();
      assert.throws(() => applyEditorInstall(memory, editor, how()), {
        message: `Cannot write "${path}": it is read-only`,
      });
      assert.deepEqual(withoutState(snapshot(on)), withoutState(before));
      await Deno.chmod(path, 0o644);
    }
  });

  Deno.test(`${editor}: install keeps a link into somebody's dotfiles`, async () => {
    using on = await fresh(THERE);
    const [path = ""] = applyEditorInstall(await on.open(), editor, { ...how(), dryRun: true })
      .files.map(({ path }) => path).filter((path) => realFs.lstat(path) !== undefined);
    const text = read(path);
    put(`${on.home}/dotfiles/file`, text);
    await Deno.remove(path);
    await Deno.symlink("../".repeat(path.split("/").length) + `${on.home}/dotfiles/file`, path);
    applyEditorInstall(await on.open(), editor, how());
    assert.ok((await Deno.lstat(path)).isSymlink);
    assert.match(read(`${on.home}/dotfiles/file`), /\bsage\b/);
    uninstallEditors(await on.open(), [editor], { dryRun: false });
    assert.ok((await Deno.lstat(path)).isSymlink);
    assert.equal(read(`${on.home}/dotfiles/file`), text);
  });
}

Deno.test("editors are connected and disconnected one by one, and each touches only its own files", async () => {
  using on = await fresh(THERE);
  const states = [snapshot(on)];
  const memory = await on.open();
  for (const editor of EDITORS) {
    applyEditorInstall(memory, editor, how());
    states.push(withoutState(snapshot(on)));
  }
  assert.deepEqual(
    knownEditors(memory).map(({ state }) => state.kind),
    EDITORS.map(() => "installed"),
  );
  for (const editor of [...EDITORS].reverse()) {
    assert.deepEqual(withoutState(snapshot(on)), states.pop());
    uninstallEditors(await on.open(), [editor], { dryRun: false });
  }
  assert.deepEqual(snapshot(on), states.pop());
});

Deno.test("uninstall without a name disconnects all editors, and keeps what others wrote since", async () => {
  using on = await fresh(THERE);
  for (const editor of EDITORS) applyEditorInstall(await on.open(), editor, how());
  const toml = `${on.home}/.codex/config.toml`;
  put(toml, `${read(toml)}\n[mcp_servers.sage.tools.x]\napproval_mode = "approve"\n[tui]\na = 1\n`);
  const jsonc = `${on.home}/.cursor/mcp.json`;
  put(jsonc, read(jsonc).replace("// mine", "// mine, and more"));
  uninstallEditors(await on.open(), EDITORS, { dryRun: false });
  // Without a line's end before, the one that another table needs is ours.
  assert.equal(read(toml), `${TOML}\r\n[tui]\na = 1\n`);
  assert.equal(read(jsonc), JSONC.replace("// mine", "// mine, and more"));
  assert.equal(read(`${on.home}/.claude/settings.json`), JSONC);
  assert.ok(realFs.lstat(`${on.home}/.sage`) === undefined);
});

Deno.test("a broken file of one editor does not prevent installing or uninstalling others", async () => {
  using on = await fresh(THERE);
  put(`${on.home}/.gemini/settings.json`, "{ broken");
  put(`${on.home}/.codex/config.toml`, "a = = 1");
  const memory = await on.open();
  applyEditorInstall(memory, "cursor", how());
  assert.throws(() => applyEditorInstall(memory, "gemini", how()), { code: "invalid_config" });
  assert.throws(() => applyEditorInstall(memory, "codex", how()), {
    code: "invalid_config",
    message: /config\.toml": .* at 1:\d+$/,
  });
  const kinds = new Map(knownEditors(memory).map(({ name, state }) => [name, state.kind]));
  assert.equal(kinds.get("gemini"), "unreadable");
  assert.equal(kinds.get("cursor"), "installed");
  assert.equal(uninstallEditors(memory, EDITORS, { dryRun: false }).kind, "uninstalled");
  assert.equal(read(`${on.home}/.cursor/mcp.json`), JSONC);
  assert.equal(read(`${on.home}/.gemini/settings.json`), "{ broken");
});

Deno.test({
  name: "several installs at the same time leave every editor's files valid",
  ignore: !hasBinary,
  async fn() {
    using on = await fresh(THERE);
    const before = snapshot(on);
    const at = { home: on.home, cwd: on.cwd };
    const runs = [...EDITORS, ...EDITORS].map((editor) => binary(["install", editor], at));
    for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
    const memory = await on.open();
    for (const editor of EDITORS) {
      assert.equal(editorState(memory, editor).kind, "installed", editor);
    }
    const gone = [binary(["uninstall"], at), binary(["uninstall"], at)];
    for (const { code, stderr } of await Promise.all(gone)) assert.equal(code, 0, stderr);
    assert.deepEqual(snapshot(on), before);
  },
});

Deno.test("assertWritable() and withRealNames() have nothing against a file that another uninstall took away", async () => {
  using on = await fresh();
  const memory = await on.open();
  const path = `${on.home}/.cursor/hooks.json`;
  assertWritable(memory, [{ path, before: "{}", after: undefined }]);
  const texts = new Map([[path, "{}"]]);
  assert.deepEqual([...withRealNames(memory, texts)], [...texts]);
});

Deno.test("an installed editor is recognised by its files on this machine", async () => {
  using on = await fresh();
  const known = async (): Promise<EditorName[]> =>
    knownEditors(await on.open()).map(({ name }) => name);
  assert.deepEqual(await known(), []);
  put(`${on.home}/.cursor/argv.json`, "{}");
  put(`${on.home}/${VSCODE}/Code - Insiders/User/settings.json`, "{}");
  assert.deepEqual(await known(), ["cursor", "vscode"]);
  const { entries } = applyEditorInstall(await on.open(), "vscode", how());
  assert.equal(entries[0]?.path, `${on.home}/${VSCODE}/Code - Insiders/User/mcp.json`);
});

/** A disk on which one file cannot be put in its place. */
function failing(path: string, code: string): Partial<Fs> & Fs {
  return {
    ...realFs,
    rename(from, to) {
      if (to === path) throw Object.assign(new Error(code), { code });
      realFs.rename(from, to);
    },
  };
}

/** What Sage keeps for itself is no part of an editor. */
function withoutState(lines: readonly string[]): string[] {
  return lines.filter((line) => !/\/home\/\.sage[/ ]/.test(line) && !line.includes("/.sage "));
}
