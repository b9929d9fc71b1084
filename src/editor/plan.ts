/**
 * Registering Sage in an editor's files and taking it out again, as plans: texts in, texts out. What
 * others wrote stays byte for byte, installing twice changes nothing, and a receipt says how a file
 * becomes what it was.
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
  /** Undefined: the file goes. */
  readonly after: string | undefined;
  /** Makes the text before of the one after; null where there was no file. Of an installation only. */
  readonly undo?: readonly Splice[] | null;
}

/**
 * What uninstalling needs to know of one file. As it is, it may be kept as JSON. It holds no word that
 * was there before: tokens of other programs stand in these files.
 */
export interface ReceiptFile {
  readonly path: string;
  /** Of the text that was written. */
  readonly sha256: string;
  /** Makes the text before of it; null where there was no file; absent where it cannot be known. */
  readonly undo?: readonly Splice[] | null;
  /** Objects and lists that were made for our entries: `hooks`, `hooks.Stop`, `mcpServers`. */
  readonly containers: readonly string[];
}

export interface Receipt {
  readonly files: readonly ReceiptFile[];
}

/** The changes that register what is wanted; none where it is registered already. */
export function planInstall(
  files: readonly SetupFile[],
  texts: FileTexts,
  wanted: Wanted,
): FileChange[] {
  assertSage(wanted.command);
  // Every file is planned before any is written, so a broken one stops the whole.
  return files.flatMap(({ path, add }) => {
    const before = texts.get(path);
    const steps = [before ?? "", ...add(before ?? "", wanted)];
    const after = steps.at(-1) ?? "";
    const undo = before === undefined ? null : undoOf(steps);
    return after === steps[0] ? [] : [{ path, before, after, undo }];
  });
}

/** What to keep of an installation, together with what is known of earlier ones. */
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
 * The changes that take Sage out. A file that is still what we wrote becomes what it was. In any other
 * exactly our entries go, and what was made to hold them when nothing else is in it: to the byte where
 * they stand as they were written, else by their meaning.
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
    // A receipt that does not fit is damaged, and no reason to remove a file.
    const after = undo === null ? undefined : undone ?? withoutSage(setup, text, file);
    return after === before ? [] : [{ path: file.path, before, after }];
  });
}

/** The receipt of an installation that left none: its entries are found by name, its containers stay. */
export function assumedReceipt(files: readonly SetupFile[]): Receipt {
  return { files: files.map(({ path }) => ({ path, sha256: "", containers: [] })) };
}

/** Whether anything of ours is there. */
export function isAnything({ hooks, server, hasStatusLine }: Own): boolean {
  return hooks.size > 0 || server !== undefined || hasStatusLine;
}

function withoutSage(setup: EditorSetup, text: string, file: ReceiptFile): string | undefined {
  const format = setup.format(file.path);
  const meaning = (given: string): string => stable(format.parse(given, file.path));
  const edited = format.remove(text, file.path, file.containers);
  if (isAnything(format.own(edited, file.path))) {
    throw new SageError("invalid_config", `Cannot take Sage out of "${file.path}"`, {
      hint: `it was written anew by another program: remove "sage" there by hand`,
    });
  }
  if (file.undo === null) return meaning(edited) === "{}" ? undefined : edited;
  try {
    const exact = applySplicesByText(text, file.undo ?? []);
    if (exact !== undefined && meaning(exact) === meaning(edited)) return exact;
  } catch {
    // What stood there does not fit any more.
  }
  return edited;
}

/** What undoing would bring back; never a text that has us in it already. */
function wholeUndo(
  setup: EditorSetup,
  { path, before, undo }: FileChange,
  known: ReceiptFile | undefined,
): readonly Splice[] | null | undefined {
  if (before === undefined) return null;
  if (known !== undefined) {
    // What was changed by hand is still only ours, where nothing is left without it.
    if (known.undo === null && withoutSage(setup, before, known) === undefined) return null;
    if (known.sha256 !== sha256Hex(before) || known.undo === undefined) return undefined;
    return known.undo === null ? null : [...undo ?? [], ...known.undo];
  }
  return isAnything(setup.format(path).own(before, path)) ? undefined : undo;
}

/** Two texts that mean the same give the same; also for what JSON has no word for. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}n` : part) ?? "";
}
