/**
 * The inbox: changes that a hook could not write in time, one file each, until the next process folds them
 * into their notes. An entry has the texts before and after, so that it can be merged with what a person
 * wrote meanwhile; what cannot be merged becomes a conflict copy. Nothing is dropped.
 */
import { discard, ensureFolder, writeNew } from "../base/atomic.ts";
import { fileStamp, now } from "../base/clock.ts";
import { SageError, systemError } from "../base/errors.ts";
import { listIfDir, readBytes } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode, decodeExact, encode } from "../base/utf8.ts";
import { randomHex } from "../base/hash.ts";
import { NOTE_BYTES_MAX } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import { merge3 } from "../note/merge.ts";
import { folderMode, lockDir, type Store } from "./handle.ts";
import { INBOX_FOLDER } from "./layout.ts";
import { type FileBytes, readNoteBytes } from "./load.ts";
import { pathProblem, quote } from "./paths.ts";
import { replaceBytes, writeConflictCopy } from "./replace.ts";
import { isForgotten } from "./tombstones.ts";
import { writeToTrash } from "./trash.ts";
import { idOnDisk } from "./sync_copies.ts";
import { listPaths } from "./walk.ts";
import { isOwnWrite, rememberOwnWrite } from "./own_writes.ts";

/** A replacement that waits. Texts and not bytes, because only valid UTF-8 is ever rewritten. */
export interface InboxEntry {
  readonly path: string;
  readonly noteId: string;
  readonly updated: string;
  readonly base: string;
  readonly next: string;
}

export interface FoldReport {
  readonly folded: number;
  /** Paths of conflict copies, and of texts in the trash whose note is gone. */
  readonly copies: readonly string[];
  /** Entries that stay, because their note is locked or something is wrong with it. */
  readonly left: number;
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

const ENTRY_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-[0-9a-f]{16}\.json$/;
const ENTRY_BYTES_MAX = 16 * NOTE_BYTES_MAX;

/** Keeps a replacement for later. Returns the entry's path, when it is on disk. */
export function deferToInbox(store: Store, entry: InboxEntry): string {
  const { fs, root } = store;
  const path = `${INBOX_FOLDER}/${fileStamp(now())}-${randomHex(8)}.json`;
  try {
    ensureFolder(fs, root, join(root, INBOX_FOLDER), folderMode(store));
    const bytes = encode(JSON.stringify(entry));
    writeNew(fs, join(root, path), bytes, 0o600);
    rememberOwnWrite(store, bytes);
  } catch (error) {
    throw systemError(error, `defer the change of ${quote(entry.path)}`);
  }
  return path;
}

/** The paths of the waiting entries, oldest first. */
export function listInbox(store: Store): string[] {
  const folder = join(store.root, INBOX_FOLDER);
  try {
    return listIfDir(store.fs, folder)
      .filter(({ name, kind }) => kind === "file" && ENTRY_NAME.test(name))
      .map(({ name }) => `${INBOX_FOLDER}/${name}`)
      .sort();
  } catch (error) {
    throw systemError(error, "list the inbox");
  }
}

/** Withdraws an entry because something newer was written; nothing happens if it was folded in already. */
export function withdrawFromInbox(store: Store, path: string): void {
  if (listInbox(store).includes(path)) drop(store, path);
}

/** Removes an entry. Synced: folded in a second time, it would undo what a person changed since. */
function drop({ fs, root }: Store, path: string): void {
  discard(fs, join(root, path));
  try {
    fs.syncDir(join(root, INBOX_FOLDER));
  } catch {
    // The change itself is on disk.
  }
}

/** The entry at a path, or undefined if it is damaged. */
function readInboxEntry(store: Store, path: string): InboxEntry | undefined {
  try {
    const bytes = readBytes(store.fs, join(store.root, path), ENTRY_BYTES_MAX);
    const entry = JSON.parse(decode(bytes)) as Record<string, unknown>;
    const isWhole = ["path", "noteId", "updated", "base", "next"]
      .every((key) => typeof entry[key] === "string");
    return isWhole && pathProblem(String(entry["path"])) === undefined
      ? entry as unknown as InboxEntry
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw systemError(error, `read ${quote(path)}`);
  }
}

/** Folds every waiting change into its note, unless another process does so just now. */
export function foldInbox(store: Store): FoldReport {
  const copies: string[] = [];
  const problems: { path: string; reason: string }[] = [];
  const report = { folded: 0, copies, left: 0, problems };
  const waiting = listInbox(store).length;
  if (waiting === 0) return report;
  const lock = join(lockDir(store), "inbox.lock");
  try {
    withLock(store.fs, lock, { deadlineMs: 0, holder: store.holder }, () => {
      for (const path of listInbox(store)) {
        const outcome = tryFold(store, path);
        if (outcome === "left") report.left++;
        else if (outcome instanceof SageError) {
          report.left++;
          problems.push({ path, reason: outcome.message });
        } else {
          report.folded++;
          if (outcome !== "folded") copies.push(outcome.copy);
        }
      }
    });
  } catch (error) {
    if (!(error instanceof SageError && error.code === "locked")) throw error;
    report.left = waiting;
  }
  return report;
}

/** Folds one entry. Returns an error instead of throwing it, so that the other entries are folded too. */
function tryFold(store: Store, path: string): "folded" | "left" | { copy: string } | SageError {
  try {
    if (isForeign(store, path)) return "left";
    const entry = readInboxEntry(store, path);
    if (entry === undefined) {
      return new SageError("io", `Cannot fold in ${quote(path)}: it is damaged`);
    }
    const outcome = applyEntry(store, entry);
    if (outcome !== "left") drop(store, path);
    return outcome;
  } catch (error) {
    return systemError(error, `fold in ${quote(path)}`);
  }
}

/**
 * Whether an entry may have come with a clone: in a store that nobody trusted, only entries that Sage wrote
 * on this machine are folded.
 */
function isForeign(store: Store, path: string): boolean {
  return store.trust === "unknown" &&
    !isOwnWrite(store, readBytes(store.fs, join(store.root, path), ENTRY_BYTES_MAX));
}

function applyEntry(store: Store, entry: InboxEntry): "folded" | "left" | { copy: string } {
  if (isForgotten(store.fs, store.stateDir, { id: entry.noteId, store })) return "folded";
  const path = pathNow(store, entry);
  const current = path === undefined ? undefined : readCurrent(store, path);
  // A person removed the note: it stays removed, and the changed text goes to the trash.
  if (path === undefined || current === undefined) {
    return { copy: writeToTrash(store, entry.path, encode(entry.next)) };
  }
  const { bytes, info } = current;
  // A note too large to be read whole is never rewritten.
  const theirs = bytes.length < info.size ? undefined : decodeExact(bytes);
  const merged = theirs === undefined ? undefined : mergeInto(entry, theirs);
  if (merged === undefined) {
    return { copy: writeConflictCopy(store, path, encode(entry.next), info.mode & 0o777) };
  }
  const outcome = replaceBytes(store, {
    path,
    noteId: entry.noteId,
    updated: entry.updated,
    base: bytes,
    next: encode(merged),
    keepVersion: true,
  });
  if (outcome.kind === "raced") return { copy: outcome.copy };
  return outcome.kind === "written" ? "folded" : "left";
}

/** The note's present path: it is found by id if it was moved or renamed, even if another has its old name. */
function pathNow(store: Store, { path, noteId }: InboxEntry): string | undefined {
  const isThere = store.fs.lstat(join(store.root, path)) !== undefined;
  if (isThere && [noteId, undefined].includes(idOnDisk(store, path))) return path;
  return listPaths(store).files.find((file) => idOnDisk(store, file.path) === noteId)?.path;
}

function mergeInto({ base, next }: InboxEntry, theirs: string): string | undefined {
  const merged = merge3(base, next, theirs);
  return merged.clean ? merged.text : undefined;
}

function readCurrent(store: Store, path: string): FileBytes | undefined {
  try {
    return readNoteBytes(store, path);
  } catch (error) {
    if (error instanceof SageError && error.code === "not_found") return undefined;
    throw error;
  }
}
