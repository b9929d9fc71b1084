/**
 * Writes what editor/ planned: each file replaced whole, and what undoes it kept in a private receipt,
 * so that uninstalling restores it byte for byte. Nothing is written unless every file could be
 * planned.
 */
import { SageError, systemError } from "../base/errors.ts";
import { decodeExact, dirname, encode, join, readBytes } from "../base/fs.ts";
import { configDir } from "../editor/claude_code/payload.ts";
import {
  type FileChange,
  type FileTexts,
  hooksOff,
  type OwnEntries,
  ownEntries,
  planInstall,
  planUninstall,
  type Receipt,
  receiptOf,
  receiptWithoutMemory,
  registered,
  type SettingsPaths,
  settingsPaths,
  statusLineOf,
} from "../editor/claude_code/settings.ts";
import { renderDiff } from "../editor/diff.ts";
import { writeAtomic } from "../store/atomic.ts";
import { readState, removeState, writeState } from "../store/state.ts";
import { sweepElsewhere, sweepHereToo } from "../store/sweep.ts";
import type { Memory } from "./memory.ts";
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
  const paths = pathsOf(memory, options.scope);
  const texts = readTexts(memory, [paths.settings, paths.mcp]);
  const { binary: command, statusLine = false } = options;
  const hooks = { beforeEdits: memory.config.get("surfacing.before_edits") };
  const plan = planInstall(texts, { paths, command, hooks, statusLine });
  const told = {
    files: plan.map(toDiff),
    entries: plan.map(toEntries),
    hasOtherStatusLine: statusLineOf(texts.get(paths.settings), paths.settings) === "other",
  };
  if (plan.length === 0) return { kind: "unchanged", ...told };
  if (options.dryRun) return { kind: "planned", ...told };
  // The receipt first: what is written without one could not be taken back to the byte.
  const known = receipt(memory);
  const made: Kept = { ...receiptOf(plan, known), folders: newFolders(memory, plan, known) };
  writeState(memory.fs, memory.places.stateDir, INSTALL_RECEIPT, made, { durable: true });
  apply(memory, plan);
  return { kind: "installed", ...told };
}

export function uninstallEditor(
  memory: Memory,
  _editor: "claude-code" | undefined,
  options: { readonly dryRun: boolean },
): UninstallOutcome {
  const known = receipt(memory) ?? lostReceipt(memory);
  const plan = planUninstall(readTexts(memory, known.files.map(({ path }) => path)), known);
  const kept = memory.stores.filter((store) => hasNotes(memory, store.root)).map(({ root }) =>
    root
  );
  const told = { files: plan.map(toDiff), entries: plan.map(toEntries), kept };
  if (options.dryRun) return { kind: plan.length === 0 ? "unchanged" : "planned", ...told };
  apply(memory, plan);
  for (const folder of known.folders ?? []) removeEmpty(memory.fs, folder);
  removeState(memory.fs, memory.places.stateDir, INSTALL_RECEIPT);
  sweepElsewhere(memory.fs, memory.places.stateDir);
  sweepMachineState(memory);
  return { kind: plan.length === 0 ? "unchanged" : "uninstalled", ...told };
}

export type EditorState =
  | { readonly kind: "installed"; readonly binary: string; readonly scope: Scope }
  | { readonly kind: "absent" }
  | { readonly kind: "broken"; readonly reason: string; readonly scope: Scope }
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
  const absent: string[] = [];
  for (const scope of ["user", "project"] as const) {
    const paths = pathsOf(memory, scope);
    const { hooks, server } = registered(readTexts(memory, [paths.settings, paths.mcp]), paths);
    if (hooks.size === 0 && server === undefined) continue;
    const binaries = [...new Set([...hooks.values(), ...(server === undefined ? [] : [server])])];
    const gone = binaries.find((path) => memory.fs.lstat(path) === undefined);
    if (gone !== undefined) {
      const reason = `Claude Code runs ${gone}, which does not exist`;
      return { kind: "broken", reason, scope };
    }
    if (hooks.size === 0) absent.push("hooks");
    if (server === undefined) absent.push("the MCP server");
    if (absent.length > 0) {
      const reason = `Claude Code lacks ${absent.join(" and ")} of Sage`;
      return { kind: "broken", reason, scope };
    }
    return { kind: "installed", binary: binaries[0] ?? "", scope };
  }
  return { kind: "absent" };
}

/** The settings file that keeps the editor from calling any hook, or ours, and how. */
export function hooksOffIn(memory: Memory): { path: string; key: string } | undefined {
  const { settings } = pathsOf(memory, "project");
  const local = join(dirname(settings), "settings.local.json");
  for (const path of [pathsOf(memory, "user").settings, settings, local]) {
    try {
      const key = hooksOff(readText(memory, path), path);
      if (key !== undefined) return { path, key };
    } catch {
      // A file that cannot be read is a finding of its own.
    }
  }
  return undefined;
}

function pathsOf(memory: Memory, scope: Scope): SettingsPaths {
  const { home, projectDir } = memory.places;
  const moved = memory.env("CLAUDE_CONFIG_DIR") === undefined ? undefined : configDir(memory.env);
  return settingsPaths(scope, { home, projectDir, configDir: moved });
}

/** What install keeps beside the texts: folders that it had to make. */
type Kept = Receipt & { readonly folders?: readonly string[] };

function newFolders(
  memory: Memory,
  plan: readonly FileChange[],
  known: Kept | undefined,
): readonly string[] {
  const made = plan.map(({ path }) => dirname(path)).filter((folder) =>
    memory.fs.lstat(folder) === undefined
  );
  return [...new Set([...known?.folders ?? [], ...made])];
}

/** Wherever it may have been installed from here; entries are found, containers stay. */
function lostReceipt(memory: Memory): Kept {
  const scopes = (["user", "project"] as const).map((scope) =>
    receiptWithoutMemory(pathsOf(memory, scope))
  );
  return { files: scopes.flatMap(({ files }) => files) };
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

function toEntries({ path, before, after }: FileChange): EntryChange {
  return {
    path,
    before: ownEntries(before, path),
    ...(after === undefined ? {} : { after: ownEntries(after, path) }),
  };
}

const NOTE_FOLDERS = ["checkpoints", "knowledge", "todos", "sessions", "topics"];

function hasNotes(memory: Memory, root: string): boolean {
  return NOTE_FOLDERS.some((name) => memory.fs.lstat(join(root, name))?.kind === "dir");
}
