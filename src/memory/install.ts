/**
 * Writes what editor/ planned: each file replaced whole, and what undoes it kept in a private receipt,
 * so that uninstalling restores it byte for byte. Nothing is written unless every file could be
 * planned, and what was written is put back where a later one cannot be.
 */
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { decodeExact, dirname, encode, join, readBytes } from "../base/fs.ts";
import { LOCK_MS_MAX } from "../base/limits.ts";
import { holdLock } from "../base/lock.ts";
import { BEFORE_EDITS_EVENT } from "../editor/claude_code/registration.ts";
import { hooksOff, settingsPaths, statusLineOf } from "../editor/claude_code/setup.ts";
import { renderDiff } from "../editor/diff.ts";
import {
  type FileChange,
  type FileTexts,
  isAnything,
  planInstall,
  planUninstall,
  type Receipt,
  receiptOf,
  receiptWithoutMemory,
} from "../editor/plan.ts";
import {
  type EditorName,
  EDITORS,
  type EditorSetup,
  isFound,
  type Place,
  type Scope,
} from "../editor/setup.ts";
import { SETUPS } from "../editor/setups.ts";
import { writeAtomic } from "../store/atomic.ts";
import { readState, removeState, writeState } from "../store/state.ts";
import { sweepElsewhere, sweepHereToo } from "../store/sweep.ts";
import type { Memory } from "./memory.ts";
import { receiptName } from "./unseen.ts";
import { removeEmpty, sweepMachineState, unlessGone } from "./sweep_state.ts";

export type { EditorName, Scope };

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

export interface OwnEntries {
  readonly hooks: number;
  readonly servers: number;
  readonly statusLines: number;
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

const LOCK_TRIES = 20;
/** Settings of an editor are small; its state file grows with projects. */
const SETTINGS_BYTES_MAX = 32 * 1024 * 1024;

export function planEditorInstall(
  memory: Memory,
  editor: EditorName,
  options: InstallOptions,
): InstallOutcome {
  return applyEditorInstall(memory, editor, { ...options, dryRun: true });
}

export function applyEditorInstall(
  memory: Memory,
  editor: EditorName,
  options: InstallOptions,
): InstallOutcome {
  const planned = install(memory, SETUPS[editor], { ...options, dryRun: true });
  // Where there is nothing to write, nothing is: no lock either.
  if (options.dryRun || planned.kind === "unchanged") return planned;
  return alone(memory, () => install(memory, SETUPS[editor], options));
}

function install(memory: Memory, setup: EditorSetup, options: InstallOptions): InstallOutcome {
  const place = placeOf(memory);
  const files = setup.files(options.scope, place);
  const texts = readTexts(memory, files.map(({ path }) => path));
  const plan = planInstall(files, texts, {
    command: options.binary,
    os: place.os,
    beforeEdits: memory.config.get("surfacing.before_edits"),
    statusLine: options.statusLine ?? false,
  });
  const told = {
    files: plan.map(toDiff),
    entries: plan.map((change) => toEntries(setup, change)),
    hasOtherStatusLine: setup.name === "claude-code" &&
      files.some(({ path }) => statusLineOf(texts.get(path), path) === "other"),
  };
  if (plan.length === 0) return { kind: "unchanged", ...told };
  if (options.dryRun) return { kind: "planned", ...told };
  // The receipt first: what is written without one could not be taken back to the byte.
  const known = receipt(memory, setup.name);
  const folders = newFolders(memory, plan);
  const made = [...known?.folders ?? [], ...folders];
  writeReceipt(memory, setup.name, { ...receiptOf(setup, plan, known), folders: made });
  try {
    apply(memory, plan);
  } catch (error) {
    writeReceipt(memory, setup.name, known);
    for (const folder of folders) removeEmpty(memory.fs, folder);
    throw error;
  }
  return { kind: "installed", ...told };
}

/** From one editor, or from all of them. */
export function uninstallEditor(
  memory: Memory,
  editor: EditorName | undefined,
  { dryRun }: { readonly dryRun: boolean },
): UninstallOutcome {
  const names = editor === undefined ? EDITORS : [editor];
  if (dryRun) return uninstall(memory, names, dryRun);
  const outcome = alone(memory, () => uninstall(memory, names, dryRun));
  // The state, with the lock in it, goes with the last of what is known there.
  const { fs, places: { stateDir } } = memory;
  const receipts = unlessGone(() => fs.list(join(stateDir, "install"))) ?? [];
  if (receipts.length === 0) {
    sweepElsewhere(fs, stateDir);
    sweepMachineState(memory);
  }
  return outcome;
}

function uninstall(
  memory: Memory,
  editors: readonly EditorName[],
  dryRun: boolean,
): UninstallOutcome {
  // Every file is planned before any is written, so a broken one stops the whole.
  const plans = editors.map((name) => {
    const files = filesWithUs(memory, name);
    const texts = readTexts(memory, files.map(({ path }) => path));
    return { setup: SETUPS[name], plan: planUninstall(SETUPS[name], texts, { files }) };
  });
  const plan = plans.flatMap(({ plan }) => plan);
  const kept = memory.stores.filter((store) => hasNotes(memory, store.root)).map(({ root }) =>
    root
  );
  const told = {
    files: plan.map(toDiff),
    entries: plans.flatMap(({ setup, plan }) => plan.map((change) => toEntries(setup, change))),
    kept,
  };
  if (dryRun) return { kind: plan.length === 0 ? "unchanged" : "planned", ...told };
  apply(memory, plan);
  for (const name of editors) {
    // The deeper ones first: one may hold the other.
    const folders = [...receipt(memory, name)?.folders ?? []].sort((a, b) => b.length - a.length);
    for (const folder of folders) removeEmpty(memory.fs, folder);
    writeReceipt(memory, name, undefined);
  }
  return { kind: plan.length === 0 ? "unchanged" : "uninstalled", ...told };
}

export type EditorState =
  | { readonly kind: "installed"; readonly binary: string; readonly scope: Scope }
  | { readonly kind: "absent" }
  | { readonly kind: "broken"; readonly reason: string; readonly scope: Scope }
  /** A person has to mend the file; whether we are in it cannot be known. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Whether the editor would run us, by the user's settings or by this project's. */
export function editorState(memory: Memory, editor: EditorName = "claude-code"): EditorState {
  try {
    return readEditorState(memory, SETUPS[editor]);
  } catch (error) {
    if (!(error instanceof SageError) || error.code !== "invalid_config") throw error;
    return { kind: "unreadable", reason: error.message };
  }
}

/** An editor that was used on this machine, or that has Sage in its settings. */
export interface KnownEditor {
  readonly name: EditorName;
  /** As people call it. */
  readonly title: string;
  /** Whether it can be told of anything by itself, or only asks through the tools. */
  readonly hasHooks: boolean;
  readonly state: EditorState;
}

export function knownEditors(memory: Memory): KnownEditor[] {
  const place = placeOf(memory);
  return EDITORS.flatMap((name) => {
    const setup = SETUPS[name];
    const state = editorState(memory, name);
    const isKnown = state.kind === "installed" || state.kind === "broken" || isFound(setup, place);
    const hasHooks = setup.hookEvents({}).length > 0;
    return isKnown ? [{ name, title: setup.title, hasHooks, state }] : [];
  });
}

function readEditorState(memory: Memory, setup: EditorSetup): EditorState {
  const place = placeOf(memory);
  const chosen = { beforeEdits: memory.config.get("surfacing.before_edits") };
  for (const scope of ["user", "project"] as const) {
    const files = setup.files(scope, place);
    const texts = readTexts(memory, files.map(({ path }) => path));
    const own = files.map(({ path }) => setup.format(path).own(texts.get(path) ?? "", path));
    const hooks = new Map(own.flatMap(({ hooks }) => [...hooks]));
    const server = own.find(({ server }) => server !== undefined)?.server;
    if (hooks.size === 0 && server === undefined) continue;
    const binaries = [...new Set([...hooks.values(), ...(server === undefined ? [] : [server])])];
    const gone = binaries.find((path) => memory.fs.lstat(path) === undefined);
    if (gone !== undefined) {
      const reason = `${setup.title} runs ${gone}, which does not exist`;
      return { kind: "broken", reason, scope };
    }
    const absent: string[] = [];
    if (hooks.size === 0 && setup.hookEvents(chosen).length > 0) absent.push("hooks");
    if (server === undefined) absent.push("the MCP server");
    if (setup.hookEvents(chosen).includes(BEFORE_EDITS_EVENT) && !hooks.has(BEFORE_EDITS_EVENT)) {
      absent.push("the hook before edits");
    }
    if (absent.length > 0) {
      const reason = `${setup.title} lacks ${absent.join(" and ")} of Sage`;
      return { kind: "broken", reason, scope };
    }
    return { kind: "installed", binary: binaries[0] ?? "", scope };
  }
  return { kind: "absent" };
}

/** The settings file that keeps Claude Code from calling any hook, or ours, and how. */
export function hooksOffIn(memory: Memory): { path: string; key: string } | undefined {
  const place = placeOf(memory);
  const { settings } = settingsPaths("project", place);
  const local = join(dirname(settings), "settings.local.json");
  for (const path of [settingsPaths("user", place).settings, settings, local]) {
    try {
      const key = hooksOff(readText(memory, path), path);
      if (key !== undefined) return { path, key };
    } catch {
      // A file that cannot be read is a finding of its own.
    }
  }
  return undefined;
}

function placeOf({ fs, places, env }: Memory): Place {
  return { fs, os: Deno.build.os, home: places.home, projectDir: places.projectDir, env };
}

/** What install keeps beside the texts: folders that it had to make. */
type Kept = Receipt & { readonly folders?: readonly string[] };

/** Every folder on the way that is not there yet, the deepest first: all of them go again. */
function newFolders({ fs }: Memory, plan: readonly FileChange[]): string[] {
  const made = new Set<string>();
  for (const { path } of plan) {
    let folder = dirname(path);
    for (; fs.lstat(folder) === undefined && dirname(folder) !== folder; folder = dirname(folder)) {
      made.add(folder);
    }
  }
  return [...made].sort((a, b) => b.length - a.length);
}

/** Those that the receipt names, and those in which we stand although none does. */
function filesWithUs(memory: Memory, name: EditorName): Receipt["files"] {
  const place = placeOf(memory);
  const told = receipt(memory, name)?.files ?? [];
  const usual = (["user", "project"] as const).flatMap((scope) =>
    receiptWithoutMemory(SETUPS[name].files(scope, place)).files
  );
  const others = usual.filter(({ path }) => {
    const text = told.some((file) => file.path === path) ? undefined : readText(memory, path);
    // One without our name is not read for its meaning: it may be broken without being our concern.
    return text !== undefined && /\bsage\b/i.test(text) &&
      isAnything(SETUPS[name].format(path).own(text, path));
  });
  return [...told, ...others];
}

function receipt({ fs, places }: Memory, name: EditorName): Kept | undefined {
  return readState<Kept>(fs, places.stateDir, receiptName(name));
}

function writeReceipt({ fs, places }: Memory, name: EditorName, kept: Kept | undefined): void {
  if (kept === undefined) removeState(fs, places.stateDir, receiptName(name));
  else writeState(fs, places.stateDir, receiptName(name), kept, { durable: true });
}

/** Two that install at once would each plan from what the other is about to change. */
function alone<T>(memory: Memory, body: () => T): T {
  const lock = holdInstallLock(memory, LOCK_TRIES);
  try {
    return body();
  } finally {
    lock.release();
  }
}

/** Whoever takes the last editor out takes the lock's folder along: then it is made once more. */
function holdInstallLock({ fs, places }: Memory, tries: number): { release(): void } {
  const path = join(places.stateDir, "locks", "install.lock");
  for (let left = tries;; left--) {
    try {
      return holdLock(fs, path, { deadlineMs: LOCK_MS_MAX, holder: "sage install" });
    } catch (error) {
      const isGone = error instanceof SageError && error.code === "not_found" ||
        systemErrorCode(error) === "ENOENT";
      if (!isGone || left <= 1) throw error;
    }
  }
}

function readTexts(memory: Memory, paths: readonly string[]): FileTexts {
  return new Map(paths.map((path) => [path, readText(memory, path)]));
}

function readText(memory: Memory, path: string): string | undefined {
  const { fs } = memory;
  if (fs.lstat(path) === undefined) return undefined;
  let text: string | undefined;
  try {
    text = decodeExact(readBytes(fs, fs.realPath(path), SETTINGS_BYTES_MAX));
  } catch (error) {
    throw systemError(error, `read "${path}"`);
  }
  if (text !== undefined) return text;
  throw new SageError("invalid_config", `Cannot read "${path}": not UTF-8`, {
    hint: "mend it by hand, then repeat",
  });
}

/** All of the plan, or nothing of it. */
function apply(memory: Memory, plan: readonly FileChange[]): void {
  for (const change of plan) assertUntouched(memory, change);
  const done: FileChange[] = [];
  for (const change of plan) {
    try {
      replaceFile(memory, change.path, change.after);
      done.push(change);
    } catch (error) {
      for (const { path, before } of done.reverse()) putBack(memory, path, before);
      const failure = systemError(error, `write "${change.path}"`);
      const hint = failure.hint === undefined ? "" : `${failure.hint}; `;
      throw new SageError(failure.code, failure.message, {
        hint: `${hint}nothing was changed`,
        cause: error,
      });
    }
  }
}

/** A person's file that says it is not to be written is not replaced either, although it could be. */
function assertUntouched(memory: Memory, { path, before }: FileChange): void {
  const { fs } = memory;
  const hint = "nothing was changed";
  if (readText(memory, path) !== before) {
    throw new SageError("conflict", `"${path}" was changed just now`, { hint: `repeat; ${hint}` });
  }
  const mode = before === undefined ? 0o200 : fs.lstat(fs.realPath(path))?.mode ?? 0o200;
  if (Deno.build.os !== "windows" && (mode & 0o200) === 0) {
    throw new SageError("permission", `Cannot write "${path}": it is read-only`, {
      hint: `make it writable, then repeat; ${hint}`,
    });
  }
}

function putBack(memory: Memory, path: string, before: string | undefined): void {
  try {
    replaceFile(memory, path, before);
  } catch {
    // What it holds is whole, and doing it again brings the rest.
  }
}

/** A settings file may be a link into somebody's dotfiles: what it points to is replaced. */
function replaceFile(memory: Memory, path: string, after: string | undefined): void {
  const { fs } = memory;
  const info = fs.lstat(path);
  const target = info?.kind === "link" ? fs.realPath(path) : path;
  if (after === undefined) return fs.unlink(target);
  if (info === undefined) fs.makeDir(dirname(path), 0o755);
  const mode = fs.lstat(target)?.mode ?? 0o600;
  sweepHereToo(fs, memory.places.stateDir, dirname(target));
  writeAtomic(fs, target, encode(after), { mode: mode & 0o777, durable: true });
}

function toDiff({ path, before, after }: FileChange): ChangedFile {
  return { path, diff: renderDiff(before ?? "", after ?? "") };
}

function toEntries(setup: EditorSetup, { path, before, after }: FileChange): EntryChange {
  const count = (text: string): OwnEntries => {
    const { hooks, server, hasStatusLine } = setup.format(path).own(text, path);
    return {
      hooks: hooks.size,
      servers: server === undefined ? 0 : 1,
      statusLines: hasStatusLine ? 1 : 0,
    };
  };
  return {
    path,
    before: count(before ?? ""),
    ...(after === undefined ? {} : { after: count(after) }),
  };
}

const NOTE_FOLDERS = ["checkpoints", "knowledge", "todos", "sessions", "topics"];

function hasNotes(memory: Memory, root: string): boolean {
  return NOTE_FOLDERS.some((name) => memory.fs.lstat(join(root, name))?.kind === "dir");
}
