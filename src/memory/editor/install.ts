/**
 * Writes what editor/ planned: each file replaced whole, and what undoes it kept in a private receipt,
 * so that uninstalling restores it byte for byte. Nothing is written unless every file could be
 * planned, and what was written is put back where a later one cannot be.
 */
import { SageError } from "../../base/errors.ts";
import { basename, dirname, join } from "../../base/fs.ts";
import { pluginPaths } from "../../editor/claude_code/plugin.ts";
import { statusLineOf } from "../../editor/claude_code/setup.ts";
import { renderDiff } from "../../base/diff.ts";
import {
  type FileChange,
  isAnything,
  planInstall,
  planUninstall,
  type Receipt,
  receiptOf,
  receiptWithoutMemory,
} from "../../editor/plan.ts";
import {
  type EditorName,
  type EditorSetup,
  type FileTexts,
  type Scope,
  SCOPES,
  type Via,
} from "../../editor/setup.ts";
import { SETUPS } from "../../editor/setups.ts";
import { readState, removeState, writeState } from "../../store/state.ts";
import { sweepElsewhere } from "../../store/sweep.ts";
import { alone, apply, assertWritable, readTexts } from "./files.ts";
import { placeOf, pluginElsewhere } from "./state.ts";
import type { Memory } from "../memory.ts";
import {
  isInPlugin,
  pluginFolderOf,
  pluginFolders,
  pluginSetupFiles,
  pluginWithoutMemory,
  refuseEdited,
} from "./plugin.ts";
import { receiptName } from "../status/unseen.ts";
import { dropAllIndexes } from "../sweep/index_folders.ts";
import { hasNotes } from "../sweep/residue.ts";
import { removeEmpty, sweepMachineState, unlessGone } from "../sweep/state.ts";

export interface InstallOptions {
  readonly scope: Scope;
  readonly dryRun: boolean;
  /** Absolute path of the program to register. */
  readonly binary: string;
  /** The status line too, where the person has none. */
  readonly statusLine?: boolean;
  /** Claude Code: as a plugin, which brings a skill and commands, instead of entries of its settings. */
  readonly plugin?: boolean;
  /** Claude Code: who answers prompts and ends of turns; as it is registered where missing. */
  readonly via?: Via | undefined;
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
  const { plan, made, hasOtherStatusLine } = planForm(memory, setup, options);
  // Where several editors are asked for, the first is not connected when another cannot be.
  assertWritable(memory, plan);
  const told = {
    files: plan.map(toDiff),
    entries: toEntries(memory, setup, plan),
    hasOtherStatusLine,
  };
  if (plan.length === 0) return { kind: "unchanged", ...told };
  if (options.dryRun) return { kind: "planned", ...told };
  // The receipt first: what is written without one could not be taken back to the byte.
  const known = receipt(memory, setup.name);
  const folders = innerFirst([...known?.folders ?? [], ...newFolders(memory, plan)]);
  writeReceipt(memory, setup.name, { ...made, folders });
  try {
    apply(memory, plan);
  } catch (error) {
    writeReceipt(memory, setup.name, known);
    for (const folder of folders) removeEmpty(memory.fs, folder);
    throw error;
  }
  // What held the other form is empty now.
  for (const folder of folders) removeEmpty(memory.fs, folder);
  return { kind: "installed", ...told };
}

/**
 * The changes to the one form, entries or plugin, and the receipt afterwards. The other form goes with
 * them: two of them would run each hook twice. Only Claude Code has two.
 */
function planForm(
  memory: Memory,
  setup: EditorSetup,
  { scope, binary, statusLine = false, plugin = false, via }: InstallOptions,
): {
  readonly plan: readonly FileChange[];
  readonly made: Receipt;
  readonly hasOtherStatusLine: boolean;
} {
  const place = placeOf(memory);
  const entries = setup.files(scope, place);
  const isClaudeCode = setup.name === "claude-code";
  const known = isClaudeCode ? filesWithUs(memory, setup.name) : [];
  const texts = readTexts(memory, [...entries, ...known].map(({ path }) => path));
  const line = isClaudeCode
    ? entries.map(({ path }) => statusLineOf(texts.get(path), path)).find((one) => one !== "none")
    : undefined;
  const files = plugin
    ? pluginSetupFiles(memory, entries[0]?.path ?? "", statusLine || line === "own")
    : entries;
  for (const [path, text] of readTexts(memory, files.map(({ path }) => path))) {
    texts.set(path, text);
  }
  if (isClaudeCode) refuseSecond(memory);
  if (plugin) refuseEdited(files.filter(({ path }) => isInPlugin(memory, path)), texts, known);
  const wanted = new Set(files.map(({ path }) => path));
  const others = otherProfiles(known.map(({ path }) => path), entries.map(({ path }) => path));
  const leaving = known.filter(({ path }) =>
    isInPlugin(memory, path) ? !plugin || !wanted.has(path) : plugin && !others.has(path)
  );
  const out = planUninstall(setup, texts, { files: leaving });
  const left = new Map([...texts, ...out.map(({ path, after }) => [path, after] as const)]);
  const brought = planInstall(files, left, {
    command: binary,
    os: place.os,
    beforeEdits: memory.config.get("surfacing.before_edits"),
    statusLine,
    via,
  });
  const gone = new Set(leaving.map(({ path }) => path));
  const rest = (receipt(memory, setup.name)?.files ?? []).filter(({ path }) => !gone.has(path));
  const plan = [
    ...out.filter(({ path }) => brought.every((change) => change.path !== path)),
    ...brought.map((change) => ({ ...change, before: texts.get(change.path) })),
  ].filter(({ before, after }) => before !== after);
  return {
    plan,
    made: receiptOf(setup, brought, { files: rest }),
    hasOtherStatusLine: line === "other",
  };
}

/** Files of Claude Code that belong to a person, and to another of their profiles than this one. */
function otherProfiles(paths: readonly string[], own: readonly string[]): Set<string> {
  const folders = paths.filter((path) => basename(path) === ".claude.json" && !own.includes(path))
    .map(dirname);
  const files = [".claude.json", "settings.json", ".claude/settings.json"];
  return new Set(folders.flatMap((folder) => files.map((name) => join(folder, name))));
}

function refuseSecond(memory: Memory): void {
  const elsewhere = pluginElsewhere(memory);
  if (elsewhere === undefined) return;
  throw new SageError("conflict", `Claude Code has Sage as the plugin "${elsewhere}" already`, {
    hint: `claude plugin uninstall ${elsewhere}, then repeat; or leave it as it is`,
  });
}

/** From one editor, or from all of them. */
export function uninstallEditors(
  memory: Memory,
  names: readonly EditorName[],
  { dryRun }: { readonly dryRun: boolean },
): UninstallOutcome {
  if (dryRun) return uninstall(memory, names, dryRun);
  const outcome = alone(memory, () => uninstall(memory, names, dryRun));
  // The state, with the lock in it, goes with the last of what is known there.
  const { fs, places: { stateDir } } = memory;
  const receipts = unlessGone(() => fs.list(join(stateDir, "install"))) ?? [];
  if (receipts.length === 0) {
    sweepElsewhere(fs, stateDir);
    memory.close();
    dropAllIndexes(memory);
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
    const texts = withRealNames(memory, readTexts(memory, files.map(({ path }) => path)));
    return { setup: SETUPS[name], files, plan: planUninstall(SETUPS[name], texts, { files }) };
  });
  const plan = plans.flatMap(({ plan }) => plan);
  assertWritable(memory, plan);
  const kept = memory.stores.filter((store) => hasNotes(memory, store.root)).map(({ root }) =>
    root
  );
  const gone = new Set(plan.flatMap(({ path, after }) => after === undefined ? [path] : []));
  const edited = plans.flatMap(({ files }) => files.map(({ path }) => path))
    .filter((path) =>
      isInPlugin(memory, path) && !gone.has(path) && memory.fs.lstat(path) !== undefined
    );
  const told = {
    files: plan.map(toDiff),
    entries: plans.flatMap(({ setup, plan }) => toEntries(memory, setup, plan)),
    kept,
    edited,
  };
  if (dryRun) return { kind: plan.length === 0 ? "unchanged" : "planned", ...told };
  apply(memory, plan);
  const folders = editors.flatMap((name) =>
    receipt(memory, name)?.folders ?? (name === "claude-code" ? pluginFolders(memory) : [])
  );
  // One that was made for an editor may hold another's.
  for (const folder of innerFirst(folders)) removeEmpty(memory.fs, folder);
  for (const name of editors) writeReceipt(memory, name, undefined);
  return { kind: plan.length === 0 ? "unchanged" : "uninstalled", ...told };
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
  return innerFirst([...made]);
}

/** As they are to be removed: one may hold the other. */
function innerFirst(folders: readonly string[]): string[] {
  return [...new Set(folders)].sort((a, b) => b.length - a.length);
}

/** Each by the name, too, that it has where links on the way are followed: an editor may call it so. */
function withRealNames({ fs }: Memory, texts: FileTexts): FileTexts {
  const real = [...texts].filter(([, text]) => text !== undefined).map(([path, text]) =>
    [join(fs.realPath(dirname(path)), basename(path)), text] as const
  );
  return new Map([...real, ...texts]);
}

/** Those that the receipt names, and those in which we, or what an editor notes of us, stand although none does. */
function filesWithUs(memory: Memory, name: EditorName): Receipt["files"] {
  const place = placeOf(memory);
  const told = receipt(memory, name)?.files ?? [];
  const usual = SCOPES.flatMap((scope) =>
    receiptWithoutMemory(SETUPS[name].files(scope, place)).files
  );
  const untold = usual.filter(({ path }) => told.every((file) => file.path !== path));
  const texts = readTexts(memory, untold.map(({ path }) => path));
  const ours = untold.filter(({ path }) => {
    const text = texts.get(path) ?? "";
    // One without our name is not read for its meaning: it may be broken without being our concern.
    return /\bsage\b/i.test(text) && isAnything(SETUPS[name].format(path).own(text, path));
  });
  const known = [...told, ...ours].map(({ path }) => path);
  const names = [...withRealNames(memory, readTexts(memory, known)).keys()];
  const others = untold.filter((file) => {
    const text = texts.get(file.path)?.replace(/\\+/g, "/") ?? "";
    return ours.includes(file) || names.some((path) => text.includes(path));
  });
  if (name !== "claude-code") return [...told, ...others];
  const { settings, mcp } = pluginPaths(pluginFolderOf(memory));
  const plugin = pluginWithoutMemory(memory, readTexts(memory, [settings, mcp]))
    .filter(({ path }) => told.every((file) => file.path !== path));
  return [...told, ...others, ...plugin];
}

function receipt({ fs, places }: Memory, name: EditorName): Kept | undefined {
  return readState<Kept>(fs, places.stateDir, receiptName(name));
}

function writeReceipt({ fs, places }: Memory, name: EditorName, kept: Kept | undefined): void {
  if (kept === undefined) removeState(fs, places.stateDir, receiptName(name));
  else writeState(fs, places.stateDir, receiptName(name), kept, { durable: true });
}

function toDiff({ path, before, after }: FileChange): ChangedFile {
  return { path, diff: renderDiff(before ?? "", after ?? "") };
}

/** The files of the plugin are told as one folder. */
function toEntries(
  memory: Memory,
  setup: EditorSetup,
  plan: readonly FileChange[],
): EntryChange[] {
  const count = (text: string | undefined, path: string): OwnEntries => {
    const { hooks, server, hasStatusLine } = setup.format(path).own(text ?? "", path);
    const servers = server === undefined ? 0 : 1;
    return { hooks: hooks.size, servers, statusLines: hasStatusLine ? 1 : 0 };
  };
  const whole = plan.filter(({ path }) => isInPlugin(memory, path));
  const entries = plan.filter((change) => !whole.includes(change)).map((
    { path, before, after },
  ) => ({
    path,
    before: count(before, path),
    ...(after === undefined ? {} : { after: count(after, path) }),
  }));
  if (whole.length === 0) return entries;
  const none: OwnEntries = { hooks: 0, servers: 0, statusLines: 0 };
  const folder = { path: pluginFolderOf(memory), before: none, files: whole.length };
  const isGoing = whole.every(({ after }) => after === undefined);
  return [...entries, isGoing ? folder : { ...folder, after: none }];
}
