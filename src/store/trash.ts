/**
 * The trash, `.trash/<time>-<random>/<former path>`: notes are deleted by moving them there for at least
 * thirty days. During the move a file is in both places for a moment rather than in neither.
 */
import {
  discard,
  ensureFolder,
  isWithoutLinks,
  removeEmptyFolders,
  writeNew,
} from "../base/atomic.ts";
import { DAY_MS, fileStamp, now, parseTime } from "../base/clock.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { type FileInfo, type Fs, listIfDir } from "../base/fs.ts";
import { basename, dirname, join } from "../base/path.ts";
import { equalBytes, randomHex } from "../base/hash.ts";
import { NAME_TRIES_MAX, TEMP_AGE_MS_MAX, TRASH_DAYS } from "../base/limits.ts";
import { folderMode, type Store, withNoteLock } from "./handle.ts";
import { numberedStem, stemOf, TRASH_FOLDER } from "./layout.ts";
import { type LoadedNote, loadNote, readNoteBytes } from "./load.ts";
import { quote, resolveNew, resolvePath } from "./paths.ts";
import { noteTrash } from "./trash_days.ts";
import { filesUnder } from "./walk.ts";

export type TrashOutcome =
  /** `trash`: its path in the trash, for `restoreTrash`. */
  | { readonly kind: "trashed"; readonly trash: string }
  | { readonly kind: "conflict"; readonly current: LoadedNote };

export interface TrashedNote {
  /** Relative to the store's root, for `restoreTrash`. */
  readonly trash: string;
  /** Its former path. */
  readonly path: string;
  readonly trashedMs: number;
}

const ENTRY = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})-[0-9a-f]{8}$/;

/** Moves a note to the trash, unless somebody changed it since it was loaded. */
export async function trashNote(store: Store, loaded: LoadedNote): Promise<TrashOutcome> {
  if (loaded.note.problem !== undefined) {
    throw new SageError("invalid_note", `Cannot remove ${quote(loaded.path)}: ${loaded.readOnly}`, {
      hint: "mend or delete the file by hand",
    });
  }
  try {
    const trash = withNoteLock(store, loaded.note.id, () => {
      const { bytes, info } = readNoteBytes(store, loaded.path);
      return equalBytes(bytes, loaded.bytes) ? moveToTrash(store, loaded.path, info) : undefined;
    });
    if (trash !== undefined) return { kind: "trashed", trash };
  } catch (error) {
    throw systemError(error, `remove ${quote(join(store.root, loaded.path))}`);
  }
  return { kind: "conflict", current: await loadNote(store, loaded.path) };
}

/** Moves a note back to its former path, or to a numbered one if that is taken. Returns the path. */
export function restoreTrash(store: Store, trash: string): string {
  const source = resolvePath(store, trash);
  const original = trash.split("/").slice(2).join("/");
  const { folder, stem } = { folder: dirname(original), stem: stemOf(basename(original)) };
  try {
    for (let n = 1; n <= NAME_TRIES_MAX; n++) {
      const path = n === 1 ? original : `${folder}/${numberedStem(stem, n)}.md`;
      if (place(store, source.absolute, path, source.info)) {
        discardTrash(store, trash);
        return path;
      }
    }
  } catch (error) {
    throw systemError(error, `restore ${quote(join(store.root, original))}`);
  }
  throw new SageError("io", `Cannot restore ${quote(original)}: no free name`);
}

/** Everything in the trash, oldest first. */
export function listTrash(store: Store): TrashedNote[] {
  const { fs, root } = store;
  try {
    return trashEntries(fs, root).flatMap(({ name, trashedMs }) =>
      filesUnder(store, `${TRASH_FOLDER}/${name}`).filter((path) => !path.endsWith(".tmp"))
        .map((trash) => ({ trash, path: trash.split("/").slice(2).join("/"), trashedMs }))
    );
  } catch (error) {
    throw systemError(error, `list the trash of "${store.root}"`);
  }
}

/**
 * Deletes entries for good that are expired by the clock and also by the number of days on which they were
 * seen, because a wrong clock must not lose anything. Returns how many notes were deleted.
 */
export function emptyTrash(store: Store, nowMs: number, dryRun = false): number {
  const notes = listTrash(store);
  const entries = new Set(notes.map(({ trash }) => entryOf(trash)));
  const daysSeen = noteTrash(store, [...entries], nowMs, dryRun);
  const old = notes.filter(({ trash, trashedMs }) =>
    // Entries from the future, by a wrong clock, expire too.
    Math.abs(nowMs - trashedMs) > TRASH_DAYS * DAY_MS && daysSeen(entryOf(trash)) > TRASH_DAYS
  );
  for (const { trash } of old) discardTrash(store, trash);
  dropEmptyEntries(store, entries, nowMs);
  return old.length;
}

/** Removes entries that a crash left empty, between making one and moving a note into it. */
function dropEmptyEntries({ fs, root }: Store, full: ReadonlySet<string>, nowMs: number): void {
  for (const { name, trashedMs } of trashEntries(fs, root)) {
    if (full.has(name) || Math.abs(nowMs - trashedMs) < TEMP_AGE_MS_MAX) continue;
    try {
      removeEmptyFolders(fs, join(root, TRASH_FOLDER, name));
    } catch {
      // In use again, or not ours to remove.
    }
  }
}

/** Writes a text into the trash whose note is gone. Returns its path there. */
export function writeToTrash(store: Store, path: string, bytes: Uint8Array): string {
  const trash = newEntry(store, path);
  writeNew(store.fs, join(store.root, trash), bytes, 0o600);
  return trash;
}

function moveToTrash(store: Store, path: string, info: FileInfo): string {
  const trash = newEntry(store, path);
  const { fs, root } = store;
  const source = join(root, path);
  try {
    fs.link(source, join(root, trash));
  } catch (error) {
    if (!isWithoutLinks(error)) throw dropEntry(store, trash, error);
    fs.rename(source, join(root, trash));
    fs.syncDir(dirname(join(root, trash)));
    fs.syncDir(dirname(source));
    return trash;
  }
  try {
    fs.syncDir(dirname(join(root, trash)));
    fs.unlink(source);
  } catch (error) {
    throw dropEntry(store, trash, error);
  }
  try {
    fs.syncDir(dirname(source));
  } catch (error) {
    place(store, join(root, trash), path, info);
    throw dropEntry(store, trash, error);
  }
  return trash;
}

function entryOf(trash: string): string {
  return trash.split("/")[1] ?? "";
}

function newEntry(store: Store, path: string): string {
  const trash = `${TRASH_FOLDER}/${fileStamp(now())}-${randomHex(4)}/${path}`;
  const folder = join(store.root, dirname(trash));
  ensureFolder(store.fs, store.root, folder, folderMode(store));
  return trash;
}

function dropEntry(store: Store, trash: string, error: unknown): unknown {
  discardTrash(store, trash);
  return error;
}

/** Removes a file of the trash, and the folders that become empty. */
export function discardTrash(store: Store, trash: string): void {
  const { fs, root } = store;
  discard(fs, join(root, trash));
  for (let folder = dirname(trash); folder !== TRASH_FOLDER; folder = dirname(folder)) {
    try {
      fs.removeDir(join(root, folder));
    } catch {
      // Not empty: another note was trashed with it.
      return;
    }
  }
}

/** Links or copies `source` to `path`; false if that is taken. */
function place(store: Store, source: string, path: string, info: FileInfo): boolean {
  const { fs, root } = store;
  const target = resolveNew(store, path).absolute;
  ensureFolder(fs, root, dirname(target), folderMode(store));
  try {
    fs.link(source, target);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    if (!isWithoutLinks(error)) throw error;
    if (fs.lstat(target) !== undefined) return false;
    writeNew(
      fs,
      target,
      readNoteBytes(store, source.slice(root.length + 1)).bytes,
      info.mode & 0o777,
    );
  }
  try {
    fs.syncDir(dirname(target));
  } catch (error) {
    discard(fs, target);
    throw error;
  }
  return true;
}

function trashEntries(fs: Fs, root: string): { name: string; trashedMs: number }[] {
  const folder = join(root, TRASH_FOLDER);
  return listIfDir(fs, folder).flatMap(({ name, kind }) => {
    const stamp = ENTRY.exec(name)?.[1];
    if (kind !== "dir" || stamp === undefined) return [];
    const trashedMs = parseTime(stamp.replace(/T(\d{2})-(\d{2})-/, "T$1:$2:") + "Z");
    return trashedMs === undefined ? [] : [{ name, trashedMs }];
  }).sort((a, b) => a.trashedMs - b.trashedMs);
}
