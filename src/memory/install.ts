/**
 * Writes what editor/ planned: each file replaced whole, and what undoes it kept in a private receipt,
 * so that uninstalling restores it byte for byte. Nothing is written unless every file could be
 * planned.
 */
import { SageError, systemError } from "../base/errors.ts";
import { decodeExact, dirname, encode, join, readBytes } from "../base/fs.ts";
import { configDir } from "../editor/claude_code/payload.ts";
import { BEFORE_EDITS_EVENT } from "../editor/claude_code/registration.ts";
import {
  type FileChange,
  type FileTexts,
  hooksOff,
  type OwnEntries,
  ownEntries,
  planInstall,
  planStatusLine,
  planUninstall,
  planWhole,
  type Receipt,
  type ReceiptFile,
  receiptOf,
  receiptWithoutMemory,
  registered,
  type SettingsPaths,
  settingsPaths,
  statusLineOf,
} from "../editor/claude_code/settings.ts";
import { pluginFolder, pluginPaths, pluginSetting } from "../editor/claude_code/plugin.ts";
import { renderDiff } from "../editor/diff.ts";
import { writeAtomic } from "../store/atomic.ts";
import { readState, removeState, writeState } from "../store/state.ts";
import { sweepElsewhere, sweepHereToo } from "../store/sweep.ts";
import type { Memory } from "./memory.ts";
import { pluginTexts, pluginWithoutMemory, secondPlugin } from "./plugin.ts";
import { INSTALL_RECEIPT } from "./unseen.ts";
import { removeEmpty, sweepMachineState } from "./sweep_state.ts";

export type Scope = "user" | "project";

export interface InstallOptions {
  readonly scope: Scope;
  readonly dryRun: boolean;
  /** Absolute path of the program to register. */
  readonly binary: string;
  /** The status line too, where the person has none. */
  readonly statusLine?: boolean;
  /** As a plugin, which brings a skill and commands, instead of as entries of the settings. */
  readonly plugin?: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly diff: string;
}

/** How many of Sage's entries a file had and has; `after` is absent where the file goes. */
export interface EntryChange {
  readonly path: string;
  readonly before: OwnEntries;
  readonly after?: OwnEntries;
  /** A folder that is Sage's alone: how many of its files change. */
  readonly files?: number;
}

export interface InstallOutcome {
  readonly kind: "installed" | "unchanged" | "planned";
  readonly files: readonly ChangedFile[];
  readonly entries: readonly EntryChange[];
  /** The person has a status line of their own: it was left as it is. */
  readonly hasOtherStatusLine: boolean;
}

export interface UninstallOutcome {
  readonly kind: "uninstalled" | "unchanged" | "planned";
  readonly files: readonly ChangedFile[];
  readonly entries: readonly EntryChange[];
  /** Where notes stay. */
  readonly kept: readonly string[];
  /** Files of the plugin that somebody changed: they stay too. */
  readonly edited: readonly string[];
}

/** Settings of an editor are small; its state file grows with projects. */
const SETTINGS_BYTES_MAX = 32 * 1024 * 1024;

export function planEditorInstall(
  memory: Memory,
  editor: "claude-code",
  options: InstallOptions,
): InstallOutcome {
  return applyEditorInstall(memory, editor, { ...options, dryRun: true });
}

export function applyEditorInstall(
  memory: Memory,
  _editor: "claude-code",
  options: InstallOptions,
): InstallOutcome {
  const { settings } = pathsOf(memory, options.scope);
  const { plan, made } = planOf(memory, options);
  const told = {
    files: plan.map(toDiff),
    entries: toEntries(memory, plan),
    hasOtherStatusLine: statusLineOf(readText(memory, settings), settings) === "other",
  };
  if (plan.length === 0) return { kind: "unchanged", ...told };
  if (options.dryRun) return { kind: "planned", ...told };
  // The receipt first: what is written without one could not be taken back to the byte.
  const kept: Kept = { ...made, folders: newFolders(memory, plan, receipt(memory)) };
  writeState(memory.fs, memory.places.stateDir, INSTALL_RECEIPT, kept, { durable: true });
  apply(memory, plan);
  for (const folder of kept.folders ?? []) removeEmpty(memory.fs, folder);
  return { kind: "installed", ...told };
}

/**
 * The changes to the one form, entries or plugin, and the receipt afterwards. The other form goes with
 * them: two of them would run each hook twice.
 */
function planOf(
  memory: Memory,
  { scope, binary: command, statusLine = false, plugin = false }: InstallOptions,
): { readonly plan: readonly FileChange[]; readonly made: Receipt } {
  const paths = pathsOf(memory, scope);
  const hooks = hookChoice(memory);
  const known = receipt(memory)?.files ?? [];
  const named = new Set(known.map(({ path }) => path));
  const files = [...known, ...foundFiles(memory).filter(({ path }) => !named.has(path))];
  const wanted = plugin ? pluginTexts(folderOf(memory), command, hooks) : new Map<string, string>();
  const texts = readTexts(memory, [
    ...[paths.settings, paths.mcp, ...wanted.keys()],
    ...files.map(({ path }) => path),
  ]);
  const elsewhere = pluginElsewhere(memory);
  if (elsewhere !== undefined) {
    throw new SageError("conflict", `Claude Code has Sage as the plugin "${elsewhere}" already`, {
      hint: `claude plugin uninstall ${elsewhere}, then repeat; or leave it as it is`,
    });
  }
  const others = files.filter(({ path, whole }) =>
    plugin ? !whole && isRegistered(texts.get(path), path) : whole
  );
  const out = planUninstall(texts, { files: others });
  const left = new Map([...texts, ...out.map(({ path, after }) => [path, after] as const)]);
  const rest = { files: known.filter((file) => !others.includes(file)) };
  const hadLine = statusLineOf(texts.get(paths.settings), paths.settings) === "own";
  const brought = plugin
    ? [
      ...planWhole(left, wanted, files.filter(({ whole }) => whole)),
      ...(statusLine || hadLine ? planStatusLine(left, paths.settings, command) : []),
    ]
    : planInstall(left, { paths, command, hooks, statusLine });
  const plan = [
    ...out.filter(({ path }) => brought.every((change) => change.path !== path)),
    ...brought.map((change) => ({ ...change, before: texts.get(change.path) })),
  ];
  return { plan, made: receiptOf(brought, rest) };
}

function isRegistered(text: string | undefined, path: string): boolean {
  const { hooks, servers } = ownEntries(text, path);
  return hooks + servers > 0;
}

function hookChoice(memory: Memory): { readonly beforeEdits: boolean } {
  return { beforeEdits: memory.config.get("surfacing.before_edits") };
}

export function uninstallEditor(
  memory: Memory,
  _editor: "claude-code" | undefined,
  options: { readonly dryRun: boolean },
): UninstallOutcome {
  const known = receipt(memory) ?? { files: foundFiles(memory) };
  const plan = planUninstall(readTexts(memory, known.files.map(({ path }) => path)), known);
  const kept = memory.stores.filter((store) => hasNotes(memory, store.root)).map(({ root }) =>
    root
  );
  const gone = new Set(plan.flatMap(({ path, after }) => after === undefined ? [path] : []));
  const edited = known.files.filter(({ path, whole }) =>
    whole && !gone.has(path) && memory.fs.lstat(path) !== undefined
  ).map(({ path }) => path);
  const told = { files: plan.map(toDiff), entries: toEntries(memory, plan), kept, edited };
  if (options.dryRun) return { kind: plan.length === 0 ? "unchanged" : "planned", ...told };
  apply(memory, plan);
  const folders = "folders" in known ? known.folders ?? [] : pluginFolders(memory);
  for (const folder of folders) removeEmpty(memory.fs, folder);
  removeState(memory.fs, memory.places.stateDir, INSTALL_RECEIPT);
  sweepElsewhere(memory.fs, memory.places.stateDir);
  sweepMachineState(memory);
  return { kind: plan.length === 0 ? "unchanged" : "uninstalled", ...told };
}

export type EditorState =
  | {
    readonly kind: "installed";
    readonly binary: string;
    readonly scope: Scope;
    readonly plugin?: true;
  }
  | { readonly kind: "absent" }
  /** A plugin that a marketplace handed out; it starts the program that is on the PATH. */
  | { readonly kind: "elsewhere"; readonly plugin: string }
  | {
    readonly kind: "broken";
    readonly reason: string;
    readonly scope: Scope;
    readonly plugin?: true;
  }
  /** A person has to mend the file; whether we are in it cannot be known. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Whether the editor would run us, in the user's settings or in this project's. */
export function editorState(memory: Memory): EditorState {
  try {
    return readEditorState(memory);
  } catch (error) {
    if (!(error instanceof SageError) || error.code !== "invalid_config") throw error;
    return { kind: "unreadable", reason: error.message };
  }
}

function readEditorState(memory: Memory): EditorState {
  const forms = [
    ...SCOPES.map((scope) => ({ scope, paths: pathsOf(memory, scope) })),
    { scope: "user", paths: pluginPaths(folderOf(memory)), plugin: true },
  ] as const;
  const there = forms.flatMap(({ paths, ...form }) => {
    const found = registered(readTexts(memory, [paths.settings, paths.mcp]), paths);
    return found.hooks.size === 0 && found.server === undefined ? [] : [{ ...form, ...found }];
  });
  const elsewhere = pluginElsewhere(memory);
  const [first] = there;
  if (first === undefined) {
    return elsewhere === undefined ? { kind: "absent" } : { kind: "elsewhere", plugin: elsewhere };
  }
  const { hooks, server, ...form } = first;
  const broken = (reason: string): EditorState => ({ kind: "broken", reason, ...form });
  if (elsewhere !== undefined) {
    const twice = `Claude Code has Sage twice, once as the plugin "${elsewhere}"`;
    return broken(`${twice}: take one of them out`);
  }
  if (!("plugin" in form) && there.some((one) => "plugin" in one)) {
    return broken("Claude Code has Sage twice, in its settings and as a plugin");
  }
  const binaries = [...new Set([...hooks.values(), ...(server === undefined ? [] : [server])])];
  const gone = binaries.find((path) => memory.fs.lstat(path) === undefined);
  if (gone !== undefined) return broken(`Claude Code runs ${gone}, which does not exist`);
  const lacks = [
    ...(hooks.size === 0 ? ["hooks"] : []),
    ...(server === undefined ? ["the MCP server"] : []),
    ...(hookChoice(memory).beforeEdits && !hooks.has(BEFORE_EDITS_EVENT)
      ? ["the hook before edits"]
      : []),
  ];
  if (lacks.length > 0) return broken(`Claude Code lacks ${lacks.join(" and ")} of Sage`);
  return { kind: "installed", binary: binaries[0] ?? "", ...form };
}

/** The name of a marketplace's plugin that is enabled, for the user or in this project. */
function pluginElsewhere(memory: Memory): string | undefined {
  const paths = SCOPES.map((scope) => pathsOf(memory, scope).settings);
  return secondPlugin(readTexts(memory, paths), paths);
}

/** The settings file that keeps the editor from calling any hook, or ours, and how. */
export function hooksOffIn(memory: Memory): { path: string; key: string } | undefined {
  const { settings } = pathsOf(memory, "project");
  const local = join(dirname(settings), "settings.local.json");
  const isPlugin = memory.fs.lstat(folderOf(memory)) !== undefined;
  for (const path of [pathsOf(memory, "user").settings, settings, local]) {
    try {
      const text = readText(memory, path);
      const plugin = isPlugin ? pluginSetting(text, path) : undefined;
      const key = hooksOff(text, path) ?? (plugin?.kind === "off" ? plugin.key : undefined);
      if (key !== undefined) return { path, key };
    } catch {
      // A file that cannot be read is a finding of its own.
    }
  }
  return undefined;
}

const SCOPES = ["user", "project"] as const;

function folderOf(memory: Memory): string {
  return pluginFolder(configDir(memory.env) ?? join(memory.places.home, ".claude"));
}

function pathsOf(memory: Memory, scope: Scope): SettingsPaths {
  const { home, projectDir } = memory.places;
  const moved = memory.env("CLAUDE_CONFIG_DIR") === undefined ? undefined : configDir(memory.env);
  return settingsPaths(scope, { home, projectDir, configDir: moved });
}

/** What install keeps beside the texts: folders that it had to make. */
type Kept = Receipt & { readonly folders?: readonly string[] };

/** The inner ones first, as they are to be removed. */
function newFolders(
  memory: Memory,
  plan: readonly FileChange[],
  known: Kept | undefined,
): readonly string[] {
  const made = new Set(known?.folders ?? []);
  for (const { path } of plan) {
    let folder = dirname(path);
    for (; memory.fs.lstat(folder) === undefined; folder = dirname(folder)) made.add(folder);
  }
  return innerFirst(made);
}

/** Those of a plugin whose receipt is lost. */
function pluginFolders(memory: Memory): readonly string[] {
  const folder = folderOf(memory);
  const folders = [...pluginTexts(folder, "sage", {}).keys()].map(dirname);
  return innerFirst(new Set([...folders, folder, join(folder, "skills")]));
}

function innerFirst(folders: ReadonlySet<string>): readonly string[] {
  return [...folders].sort((a, b) => b.length - a.length);
}

/** Wherever it may have been installed from here; entries are found, containers stay. */
function foundFiles(memory: Memory): ReceiptFile[] {
  const folder = folderOf(memory);
  const { settings, mcp } = pluginPaths(folder);
  const texts = readTexts(memory, [settings, mcp]);
  return [
    ...SCOPES.flatMap((scope) => receiptWithoutMemory(pathsOf(memory, scope)).files),
    ...pluginWithoutMemory(folder, texts, hookChoice(memory)),
  ];
}

function receipt(memory: Memory): Kept | undefined {
  return readState<Kept>(memory.fs, memory.places.stateDir, INSTALL_RECEIPT);
}

function readTexts(memory: Memory, paths: readonly string[]): FileTexts {
  return new Map(paths.map((path) => [path, readText(memory, path)]));
}

function readText(memory: Memory, path: string): string | undefined {
  if (memory.fs.lstat(path) === undefined) return undefined;
  const text = decodeExact(readBytes(memory.fs, memory.fs.realPath(path), SETTINGS_BYTES_MAX));
  if (text !== undefined) return text;
  throw new SageError("invalid_config", `Cannot read "${path}": not UTF-8`, {
    hint: "mend it by hand, then repeat",
  });
}

/** A settings file may be a link into somebody's dotfiles: what it points to is replaced. */
function apply(memory: Memory, plan: readonly FileChange[]): void {
  for (const { path, after } of plan) {
    try {
      replaceFile(memory, path, after);
    } catch (error) {
      throw systemError(error, `write "${path}"`);
    }
  }
}

function replaceFile(memory: Memory, path: string, after: string | undefined): void {
  const { fs } = memory;
  const info = fs.lstat(path);
  const target = info?.kind === "link" ? fs.realPath(path) : path;
  if (after === undefined) {
    fs.unlink(target);
    removeMadeFolder(memory, dirname(path));
  } else {
    if (info === undefined) fs.makeDir(dirname(path), 0o755);
    const mode = fs.lstat(target)?.mode ?? 0o600;
    sweepHereToo(fs, memory.places.stateDir, dirname(target));
    writeAtomic(fs, target, encode(after), { mode: mode & 0o777, durable: true });
  }
}

/** `.claude` of a project, when we made it for our file alone. */
function removeMadeFolder(memory: Memory, folder: string): void {
  const { fs, places } = memory;
  if (folder !== join(places.projectDir, ".claude") || fs.lstat(folder)?.kind !== "dir") return;
  if (fs.list(folder).length === 0) fs.removeDir(folder);
}

function toDiff({ path, before, after }: FileChange): ChangedFile {
  return { path, diff: renderDiff(before ?? "", after ?? "") };
}

/** The files of the plugin are told as one folder. */
function toEntries(memory: Memory, plan: readonly FileChange[]): EntryChange[] {
  const none: OwnEntries = { hooks: 0, servers: 0, statusLines: 0 };
  const whole = plan.filter((change) => change.whole);
  const entries = plan.filter((change) => !change.whole).map(({ path, before, after }) => ({
    path,
    before: ownEntries(before, path),
    ...(after === undefined ? {} : { after: ownEntries(after, path) }),
  }));
  if (whole.length === 0) return entries;
  const isGoing = whole.every(({ after }) => after === undefined);
  const folder = { path: folderOf(memory), before: none, files: whole.length };
  return [...entries, isGoing ? folder : { ...folder, after: none }];
}

const NOTE_FOLDERS = ["checkpoints", "knowledge", "todos", "sessions", "topics"];

function hasNotes(memory: Memory, root: string): boolean {
  return NOTE_FOLDERS.some((name) => memory.fs.lstat(join(root, name))?.kind === "dir");
}
