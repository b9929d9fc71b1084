/**
 * Replaced versions of notes, `<first folder>/.history/<id>/<updated>.md`, each the very file that once was
 * the note, kept by its inode. This file only knows their names and places; replace.ts makes them.
 */
import { discard, ensureFolder, isSameFile } from "../base/atomic.ts";
import { fileStamp } from "../base/clock.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { type FileInfo, type Fs, listIfDir } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { sha256Hex } from "../base/hash.ts";
import { NAME_TRIES_MAX } from "../base/limits.ts";
import { compareText } from "../base/text/text.ts";
import { folderMode, type Store } from "./handle.ts";
import { HISTORY_FOLDER, NOTE_FOLDERS, safeStem } from "./layout.ts";

/** One kept version of a note. */
export interface Version {
  /** Relative to the store's root. */
  readonly path: string;
  /** The note's `updated` when it was replaced, as in file names: `2026-01-13T14-30-00`. */
  readonly updated: string;
  /** Versions of the same second, in the order they were replaced. */
  readonly number: number;
}

const VERSION_NAME = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})(?:-(\d{1,6}))?\.md$/;

/** Every kept version of a note, oldest first, whichever folder the note was in then. */
export function listVersions(store: Store, noteId: string): Version[] {
  const versions = NOTE_FOLDERS.flatMap((folder) =>
    versionsIn(store.fs, store.root, `${folder}/${HISTORY_FOLDER}/${historyName(noteId)}`)
  );
  return versions.sort((a, b) => compareText(a.updated, b.updated) || a.number - b.number);
}

/** Whether a note has versions, for callers that ask for many notes. */
export function versionedNotes({ fs, root }: Store): (noteId: string) => boolean {
  const names = new Set(
    NOTE_FOLDERS.flatMap((folder) =>
      listIfDir(fs, join(root, folder, HISTORY_FOLDER)).map(({ name }) => name)
    ),
  );
  return (noteId) => names.has(historyName(noteId));
}

/** The folder for versions of the note at `path`, relative to the store's root. */
export function historyFolder(path: string, noteId: string): string {
  return `${path.slice(0, path.indexOf("/") + 1)}${HISTORY_FOLDER}/${historyName(noteId)}`;
}

/** The id if it can be a folder's name, else a safe name that no other id has. */
export function historyName(noteId: string): string {
  const safe = safeStem(noteId);
  return safe === noteId ? noteId : `${safe.slice(0, 60)}-${sha256Hex(noteId).slice(0, 8)}`;
}

/** Calls `keep` with paths in the history until one is not taken; returns its path, relative to the root. */
export function keepVersion(
  store: Store,
  path: string,
  noteId: string,
  updatedMs: number,
  keep: (absolute: string) => void,
): string {
  const folder = historyFolder(path, noteId);
  ensureFolder(store.fs, store.root, join(store.root, folder), folderMode(store));
  const stamp = fileStamp(updatedMs);
  let number = nextNumber(store.fs, store.root, folder, stamp);
  for (let tries = 0; tries < NAME_TRIES_MAX; tries++, number++) {
    const entry = `${folder}/${stamp}${number === 1 ? "" : `-${number}`}.md`;
    try {
      keep(join(store.root, entry));
      return entry;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    }
  }
  throw new SageError("io", `Cannot keep a version in "${folder}": no free name`);
}

/**
 * Removes versions that are the live note itself, because a writer died between keeping the file and
 * replacing the note. The caller holds the note's lock.
 */
export function dropLiveVersions(store: Store, path: string, noteId: string, live: FileInfo): void {
  if (live.links < 2) return;
  const { fs, root } = store;
  for (const version of versionsIn(fs, root, historyFolder(path, noteId))) {
    const info = fs.lstat(join(root, version.path));
    if (info !== undefined && isSameFile(info, live)) discard(fs, join(root, version.path));
  }
}

function nextNumber(fs: Fs, root: string, folder: string, stamp: string): number {
  if (fs.lstat(join(root, folder, `${stamp}.md`)) === undefined) return 1;
  return versionsIn(fs, root, folder)
    .filter(({ updated }) => updated === stamp)
    .reduce((most, { number }) => Math.max(most, number), 1) + 1;
}

function versionsIn(fs: Fs, root: string, folder: string): Version[] {
  const absolute = join(root, folder);
  try {
    return listIfDir(fs, absolute).flatMap(({ name, kind }) => {
      const match = VERSION_NAME.exec(name);
      if (kind !== "file" || match === null) return [];
      const number = Number(match[2] ?? "1");
      return [{ path: `${folder}/${name}`, updated: match[1] ?? "", number }];
    });
  } catch (error) {
    throw systemError(error, `list versions in "${absolute}"`);
  }
}
