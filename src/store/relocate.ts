/**
 * Moves all files of a store from one root to another: notes, versions, trash, inbox, and other files in
 * their folders. `copyNotes` copies everything, then the caller switches to the new root, then `moveNotes`
 * copies what changed since and removes the old files. So one of the two is complete at any time, and an
 * interrupted run can be repeated. Nothing is overwritten: a different text becomes a conflict copy.
 */
import {
  discard,
  ensureFolder,
  isSameFile,
  isWithoutLinks,
  publishNew,
  removeEmptyFolders,
  TEMP_NAME,
  tempPath,
} from "../base/atomic.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { chunksOf, type FileInfo, type Fs, removeIfThere } from "../base/fs.ts";
import { basename, dirname, join } from "../base/path.ts";
import { equalBytes, randomHex } from "../base/hash.ts";
import { NAME_TRIES_MAX } from "../base/limits.ts";
import { conflictName, conflictOf } from "./conflict.ts";
import { INBOX_FOLDER, NOTE_FOLDERS, stemOf, TRASH_FOLDER } from "./layout.ts";

export interface Relocation {
  readonly from: string;
  readonly to: string;
  /** New paths by present ones; other files keep their paths. */
  readonly names: ReadonlyMap<string, string>;
  /** The mode of new folders. */
  readonly mode: number;
}

export interface Relocated {
  readonly files: number;
  /** Paths of links, sockets and the like, which are not moved. */
  readonly left: readonly string[];
}

const TOPS: readonly string[] = [...NOTE_FOLDERS, INBOX_FOLDER, TRASH_FOLDER];
/** Deeper than any note; in the trash a note has its whole path below its entry. */
const DEPTH_MAX = 32;
/** How often a file may change while it is copied. */
const CHANGES_MAX = 5;

/** Every file below a root that belongs to notes, versions and trash included. `others`: not regular files. */
export function filesOfNotes(
  fs: Fs,
  root: string,
): { readonly files: readonly string[]; readonly others: readonly string[] } {
  const [files, others]: [string[], string[]] = [[], []];
  const enter = (folder: string, depth: number): void => {
    for (const { name, kind } of fs.list(join(root, folder))) {
      const path = `${folder}/${name}`;
      if (kind === "dir" && depth < DEPTH_MAX) enter(path, depth + 1);
      else if (kind !== "file") others.push(path);
      // Temporary files are of a dead writer, or of one that will find the note gone.
      else if (!TEMP_NAME.test(name)) files.push(path);
    }
  };
  for (const top of TOPS) if (fs.lstat(join(root, top))?.kind === "dir") enter(top, 0);
  return { files, others };
}

/** Copies every file to the new root; changes nothing in the old one. */
export function copyNotes(fs: Fs, relocation: Relocation): Relocated {
  const { files, others } = filesOfNotes(fs, relocation.from);
  for (const path of files) place(fs, relocation, path);
  return { files: files.length, left: others };
}

/** Removes every file from the old root, after copying it to the new one if it is not there yet. */
export function moveNotes(fs: Fs, relocation: Relocation): Relocated {
  const { files, others } = filesOfNotes(fs, relocation.from);
  for (const path of files) {
    let tries = 0;
    // Copy again if somebody saved into it meanwhile.
    while (!isUnchanged(fs, join(relocation.from, path), place(fs, relocation, path))) {
      if (++tries === CHANGES_MAX) throw changing(path);
    }
    removeIfThere(fs, join(relocation.from, path));
  }
  for (const top of TOPS) removeEmptyFolders(fs, join(relocation.from, top));
  return { files: files.length, left: others };
}

function isUnchanged(fs: Fs, source: string, before: FileInfo | undefined): boolean {
  const now = fs.lstat(source);
  return now?.inode === before?.inode && now?.mtimeMs === before?.mtimeMs &&
    now?.size === before?.size;
}

function changing(path: string): SageError {
  return new SageError("locked", `Cannot move "${path}": somebody keeps changing it`, {
    hint: "close it in the editor, or try again",
  });
}

/** Makes sure that a file is in the new root as well. Returns its stamp; undefined if it was gone. */
function place(fs: Fs, { from, to, names, mode }: Relocation, path: string): FileInfo | undefined {
  const source = join(from, path);
  const target = join(to, names.get(path) ?? copyPath(names, path));
  try {
    ensureFolder(fs, to, dirname(target), mode);
    const info = fs.lstat(source);
    if (info === undefined || put(fs, source, info, target)) return info;
    if (!isThere(fs, source, info, target)) putBeside(fs, source, info, target);
    return info;
  } catch (error) {
    throw systemError(error, `move "${path}"`);
  }
}

/** The new path of a file without a new name of its own: a conflict copy is named after its note. */
function copyPath(names: ReadonlyMap<string, string>, path: string): string {
  const name = basename(path);
  const original = conflictOf(name);
  const moved = original === undefined ? undefined : names.get(`${dirname(path)}/${original}.md`);
  if (original === undefined || moved === undefined) return path;
  return `${dirname(path)}/${stemOf(basename(moved))}${name.slice(original.length)}`;
}

/** Whether an earlier run has copied this file, to its own name or beside another text. */
function isThere(fs: Fs, source: string, info: FileInfo, target: string): boolean {
  const folder = dirname(target);
  const stem = stemOf(basename(target));
  const isIt = (name: string): boolean => {
    const there = fs.lstat(join(folder, name));
    return there?.kind === "file" &&
      (isSameFile(there, info) ||
        (there.size === info.size && sameBytes(fs, source, join(folder, name))));
  };
  // Its own name first, so that a folder of thousands need not be listed for each file.
  return isIt(basename(target)) ||
    fs.list(folder).some(({ name }) => conflictOf(name) === stem && isIt(name));
}

/** Links or copies a file to a free name; false if the name is taken. */
function put(fs: Fs, source: string, info: FileInfo, target: string): boolean {
  try {
    fs.link(source, target);
    fs.syncDir(dirname(target));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    if (!isWithoutLinks(error)) throw error;
  }
  if (fs.lstat(target) !== undefined) return false;
  const temp = copyOf(fs, source, info, target);
  try {
    publishNew(fs, temp, target);
    return true;
  } catch (error) {
    discard(fs, temp);
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function putBeside(fs: Fs, source: string, info: FileInfo, target: string): void {
  const isNote = /\.md$/i.test(target);
  const extension = isNote ? "" : /\.[^.]*$/.exec(target)?.[0] ?? "";
  for (let tries = 0; tries < NAME_TRIES_MAX; tries++) {
    const name = conflictName(basename(target));
    const copy = join(dirname(target), isNote ? name : name.slice(0, -3) + extension);
    // Two copies of one second may have the same name.
    if (put(fs, source, info, copy)) return;
  }
  throw new SageError("io", `Cannot put "${basename(source)}" beside another: no free name`);
}

/** A temporary copy of a file beside its target, with the same mtime, for when it cannot be linked. */
function copyOf(fs: Fs, source: string, info: FileInfo, target: string): string {
  const temp = tempPath(join(dirname(target), "copy"), randomHex(8));
  using output = fs.open(temp, { write: true, createNew: true, mode: info.mode & 0o777 });
  try {
    using input = fs.open(source, { read: true, noFollow: true });
    for (const chunk of chunksOf(input)) output.write(chunk);
    output.sync();
    fs.setTime(temp, info.mtimeMs);
    return temp;
  } catch (error) {
    discard(fs, temp);
    throw error;
  }
}

function sameBytes(fs: Fs, a: string, b: string): boolean {
  using one = fs.open(a, { read: true, noFollow: true });
  using other = fs.open(b, { read: true, noFollow: true });
  const rest = chunksOf(other);
  for (const chunk of chunksOf(one)) {
    const { value } = rest.next();
    if (value === undefined || !equalBytes(chunk, value)) return false;
  }
  return rest.next().done === true;
}
