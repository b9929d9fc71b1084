/**
 * Plans for registering Sage in an editor's files and removing it again: texts in, texts out. What others
 * wrote stays byte for byte, installing twice changes nothing, and a receipt says how to restore a file.
 */
import { SageError } from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import { sha256Hex } from "../base/hash.ts";
import { assertSage } from "./own.ts";
import type { EditorSetup, FileTexts, Own, SetupFile, Wanted } from "./setup.ts";
import { applySplices, applySplicesByText, type Splice, undoOf } from "./undo.ts";

export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  /** Undefined: the file is deleted. */
  readonly after: string | undefined;
  /** Turns the new text into the old one; null if there was no file. Only for an installation. */
  readonly undo?: readonly Splice[] | null;
}

/**
 * What uninstalling needs to know of one file. Serializable as JSON. It holds nothing that was in the file
 * before, because these files may contain other programs' tokens.
 */
export interface ReceiptFile {
  readonly path: string;
  /** The hash of the text that was written. */
  readonly sha256: string;
  /** Turns it into the text before; null if there was no file; absent if unknown. */
  readonly undo?: readonly Splice[] | null;
  /** Objects and lists that were added for Sage's entries: `hooks`, `hooks.Stop`, `mcpServers`. */
  readonly containers: readonly string[];
}

export interface Receipt {
  readonly files: readonly ReceiptFile[];
}

/** The changes that register what is wanted; none if it is registered already. */
export function planInstall(
  files: readonly SetupFile[],
  texts: FileTexts,
  wanted: Wanted,
): FileChange[] {
  assertSage(wanted.command);
  // All files are planned before any is written, so that a broken one stops everything.
  return files.flatMap(({ path, add }) => {
    const before = texts.get(path);
    const steps = [before ?? "", ...add(before ?? "", wanted)];
    const after = steps.at(-1) ?? "";
    const undo = before === undefined ? null : undoOf(steps);
    return after === steps[0] ? [] : [{ path, before, after, undo }];
  });
}

/** The receipt of an installation, merged with that of earlier ones. */
export function receiptOf(
  setup: EditorSetup,
  plan: readonly FileChange[],
  earlier: Receipt = { files: [] },
): Receipt {
  const files = new Map(earlier.files.map((file) => [file.path, file]));
  for (const change of plan) {
    const { path, before, after } = change;
    if (after === undefined) continue;
    const format = setup.format(path);
    const known = files.get(path);
    const there = before === undefined ? [] : format.containers(before, path);
    const created = format.containers(after, path).filter((name) => !there.includes(name));
    const undo = wholeUndo(setup, change, known);
    files.set(path, {
      path,
      sha256: sha256Hex(after),
      ...defined({ undo }),
      containers: [...new Set([...known?.containers ?? [], ...created])],
    });
  }
  return { files: [...files.values()] };
}

/**
 * The changes that remove Sage. A file that was not changed since becomes what it was. From any other exactly
 * Sage's entries are removed, and the objects and lists added for them if they are empty then: byte for byte
 * if the entries are as they were written, otherwise by their meaning.
 */
export function planUninstall(
  setup: EditorSetup,
  texts: FileTexts,
  receipt: Receipt,
): FileChange[] {
  return receipt.files.flatMap((file): FileChange[] => {
    const before = texts.get(file.path);
    if (before === undefined) return [];
    const text = setup.withoutNotes?.(before, file.path, texts) ?? before;
    const undo = sha256Hex(text) === file.sha256 ? file.undo : undefined;
    const undone = undo === undefined || undo === null ? undefined : applySplices(text, undo);
    // A receipt that does not match is damaged, and no reason to delete a file.
    const after = undo === null ? undefined : undone ?? withoutSage(setup, text, file);
    return after === before ? [] : [{ path: file.path, before, after }];
  });
}

/** The receipt of an installation that left none: its entries are found by name, its containers stay. */
export function assumedReceipt(files: readonly SetupFile[]): Receipt {
  return { files: files.map(({ path }) => ({ path, sha256: "", containers: [] })) };
}

/** Whether a file has any entry of Sage's. */
export function isAnything({ hooks, server, hasStatusLine }: Own): boolean {
  return hooks.size > 0 || server !== undefined || hasStatusLine;
}

function withoutSage(setup: EditorSetup, text: string, file: ReceiptFile): string | undefined {
  const format = setup.format(file.path);
  const meaning = (given: string): string => stable(format.parse(given, file.path));
  const edited = format.remove(text, file.path, file.containers);
  if (isAnything(format.own(edited, file.path))) {
    throw new SageError("invalid_config", `Cannot remove Sage from "${file.path}"`, {
      hint: `another program rewrote it: remove "sage" there by hand`,
    });
  }
  if (file.undo === null || format.isWhole) return meaning(edited) === "{}" ? undefined : edited;
  try {
    const exact = applySplicesByText(text, file.undo ?? []);
    if (exact !== undefined && meaning(exact) === meaning(edited)) return exact;
  } catch {
    // The old text no longer fits.
  }
  return edited;
}

/** The text before the installation, unless it already has an entry of Sage's. */
function wholeUndo(
  setup: EditorSetup,
  { path, before, undo }: FileChange,
  known: ReceiptFile | undefined,
): readonly Splice[] | null | undefined {
  if (before === undefined) return null;
  if (known !== undefined) {
    // Even if changed by hand, the file is Sage's if nothing is left without its entries.
    if (known.undo === null && withoutSage(setup, before, known) === undefined) return null;
    if (known.sha256 !== sha256Hex(before) || known.undo === undefined) return undefined;
    return known.undo === null ? null : [...undo ?? [], ...known.undo];
  }
  return isAnything(setup.format(path).own(before, path)) ? undefined : undo;
}

/** A canonical string: equal for texts with the same meaning, also for values that JSON lacks. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}n` : part) ?? "";
}
