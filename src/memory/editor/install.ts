/**
 * Writes what editor/ planned: each file replaced whole, with a private receipt that lets uninstalling
 * restore it byte for byte. Nothing is written unless every file could be planned, and files that were
 * written are put back if a later one fails.
 */
import { unlessGone } from "../../base/attempt.ts";
import { dirname, join } from "../../base/path.ts";
import { removeEmpty } from "../../base/remove.ts";
import { renderDiff } from "../../base/text/diff.ts";
import { type FileChange, planUninstall } from "../../editor/plan.ts";
import type { EditorName, EditorSetup } from "../../editor/setup.ts";
import { SETUPS } from "../../editor/setups.ts";
import { sweepElsewhere } from "../../store/sweep.ts";
import type { Memory } from "../memory.ts";
import { dropAllIndexes } from "../sweep/index_folders.ts";
import { hasNotes } from "../sweep/residue.ts";
import { sweepMachineState } from "../sweep/state.ts";
import { apply, assertWritable, readTexts, withInstallLock } from "./files.ts";
import { type Form, planForm } from "./plan_form.ts";
import { isInPlugin, pluginFolderOf, pluginFolders } from "./plugin.ts";
import { filesOfTeam, filesWithUs, receipt, withRealNames, writeReceipt } from "./receipts.ts";

export interface InstallOptions extends Form {
  readonly dryRun: boolean;
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

interface InstallOutcome {
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
  /** Files of a plugin that somebody changed: they stay too. */
  readonly edited: readonly string[];
  /** Files that came with the project: they stay, because they are everybody's. */
  readonly shared: readonly string[];
}

export function applyEditorInstall(
  memory: Memory,
  editor: EditorName,
  options: InstallOptions,
): InstallOutcome {
  const planned = install(memory, SETUPS[editor], { ...options, dryRun: true });
  // Where there is nothing to write, nothing is: no lock either.
  if (options.dryRun || planned.kind === "unchanged") return planned;
  return withInstallLock(memory, () => install(memory, SETUPS[editor], options));
}

function install(memory: Memory, setup: EditorSetup, options: InstallOptions): InstallOutcome {
  const { plan, made, hasOtherStatusLine } = planForm(memory, setup, options);
  // With several editors, the first is not connected if another cannot be.
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

/** From one editor, or from all of them. */
export function uninstallEditors(
  memory: Memory,
  names: readonly EditorName[],
  { dryRun }: { readonly dryRun: boolean },
): UninstallOutcome {
  if (dryRun) return uninstall(memory, names, dryRun);
  const outcome = withInstallLock(memory, () => uninstall(memory, names, dryRun));
  // With the last editor gone, the machine's state is swept, including the lock that was just held.
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
    const found = filesWithUs(memory, name);
    const shared = filesOfTeam(memory, name, found);
    const files = found.filter(({ path }) => !shared.includes(path));
    const texts = withRealNames(memory, readTexts(memory, files.map(({ path }) => path)));
    return {
      setup: SETUPS[name],
      files,
      shared,
      plan: planUninstall(SETUPS[name], texts, { files }),
    };
  });
  const plan = plans.flatMap(({ plan }) => plan);
  assertWritable(memory, plan);
  const kept = memory.stores.filter((store) => hasNotes(memory, store.root)).map(({ root }) =>
    root
  );
  const gone = new Set(plan.flatMap(({ path, after }) => after === undefined ? [path] : []));
  const edited = plans.flatMap(({ setup, files }) =>
    files.map(({ path }) => path).filter((path) =>
      isInPlugin(memory, path) || setup.format(path).isWhole === true
    )
  ).filter((path) => !gone.has(path) && memory.fs.lstat(path) !== undefined);
  const told = {
    files: plan.map(toDiff),
    entries: plans.flatMap(({ setup, plan }) => toEntries(memory, setup, plan)),
    kept,
    edited,
    shared: plans.flatMap(({ shared }) => shared),
  };
  if (dryRun) return { kind: plan.length === 0 ? "unchanged" : "planned", ...told };
  apply(memory, plan);
  const folders = editors.flatMap((name) =>
    receipt(memory, name)?.folders ?? (name === "claude-code" ? pluginFolders(memory) : [])
  );
  // A folder that was made for one editor may hold another's files.
  for (const folder of innerFirst(folders)) removeEmpty(memory.fs, folder);
  for (const name of editors) writeReceipt(memory, name, undefined);
  return { kind: plan.length === 0 ? "unchanged" : "uninstalled", ...told };
}

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

function toDiff({ path, before, after }: FileChange): ChangedFile {
  return { path, diff: renderDiff(before ?? "", after ?? "") };
}

/** The files of the plugin are told as one folder. */
function toEntries(memory: Memory, setup: EditorSetup, plan: readonly FileChange[]): EntryChange[] {
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
