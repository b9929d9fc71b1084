/**
 * Atomic writes: a temporary file in the same folder, its bytes synced to disk, then one call that gives it
 * its name. A crash leaves a temporary file, which `store/sweep.ts` recognises by its name.
 */
import { SageError, systemErrorCode } from "./errors.ts";
import { type FileInfo, type Fs, readBytes, removeIfThere, writeInto } from "./fs.ts";
import { basename, dirname, join } from "./path.ts";
import { randomHex } from "./hash.ts";
import { FILE_NAME_BYTES_MAX } from "./limits.ts";
import { memoize } from "./memoize.ts";
import { cutBytes } from "./text/text.ts";

/**
 * The name of a temporary file: the target's name, the process id, 16 hex digits. With `.old` it is a file
 * that was replaced, and the digits begin its SHA-256.
 */
export const TEMP_NAME = /^\.(.*)\.sage-(\d{1,10})-([0-9a-f]{16})(\.old)?\.tmp$/s;

/** Deeper than any folder of notes. */
const FOLDERS_DEPTH_MAX = 32;
/** The error codes of file systems without hard links. */
const NO_LINKS: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];

interface Form {
  readonly mode: number;
  /** False if the file may get lost in a power cut; otherwise it is on disk before it gets its name. */
  readonly isSynced?: boolean;
}

/** Writes a temporary file in the folder of `target`; returns its path. Removes it on failure. */
export function writeTemp(
  fs: Fs,
  target: string,
  parts: readonly Uint8Array[],
  { mode, isSynced = true }: Form,
): string {
  const path = tempPath(target, randomHex(8));
  try {
    // If the sync fails the file is discarded: a second one may succeed without having written anything.
    writeInto(fs, path, { write: true, createNew: true, mode }, parts, isSynced);
  } catch (error) {
    discard(fs, path);
    throw error;
  }
  return path;
}

/** A path beside `target` in the form of `TEMP_NAME`. */
export function tempPath(target: string, hex: string, kind: "" | ".old" = ""): string {
  const name = `.${
    cutBytes(basename(target), FILE_NAME_BYTES_MAX)
  }.sage-${Deno.pid}-${hex}${kind}.tmp`;
  return join(dirname(target), name);
}

/**
 * Gives `temp` the name `target`, which must be free (EEXIST otherwise), and syncs the folder. Without hard
 * links, checking and renaming are two steps, during which `alone` must keep other writers away.
 */
export function publishNew(
  fs: Fs,
  temp: string,
  target: string,
  alone: (body: () => void) => void = (body) => body(),
): void {
  try {
    fs.link(temp, target);
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    alone(() => moveToFree(fs, temp, target));
  }
  try {
    discard(fs, temp);
    fs.syncDir(dirname(target));
  } catch (error) {
    discard(fs, target);
    throw error;
  }
}

/** Creates a file with these bytes; throws EEXIST if there is one. */
export function writeNew(fs: Fs, target: string, bytes: Uint8Array, mode: number): void {
  const temp = writeTemp(fs, target, [bytes], { mode });
  try {
    publishNew(fs, temp, target);
  } catch (error) {
    discard(fs, temp);
    throw error;
  }
}

/** Writes or replaces a file atomically. The folder is not synced. */
export function writeWhole(fs: Fs, target: string, parts: readonly Uint8Array[], form: Form): void {
  const temp = writeTemp(fs, target, parts, form);
  try {
    fs.rename(temp, target);
  } catch (error) {
    discard(fs, temp);
    throw error;
  }
}

/** Replaces a file that only Sage writes. `durable`: it survives a power cut. */
export function writeAtomic(
  fs: Fs,
  target: string,
  bytes: Uint8Array,
  { mode, durable }: { readonly mode: number; readonly durable: boolean },
): void {
  const there = durable ? fs.lstat(target) : undefined;
  const old = there?.kind === "file" ? readBytes(fs, target, there.size) : undefined;
  writeWhole(fs, target, [bytes], { mode, isSynced: durable });
  if (!durable) return;
  try {
    fs.syncDir(dirname(target));
  } catch (error) {
    // A failed write must change nothing.
    if (there === undefined) discard(fs, target);
    else if (old !== undefined) putBack(fs, target, old, mode);
    throw error;
  }
}

/** Undoes a write as far as the failing disk allows; the caller reports the failure. */
function putBack(fs: Fs, target: string, bytes: Uint8Array, mode: number): void {
  try {
    writeWhole(fs, target, [bytes], { mode, isSynced: false });
  } catch {
    // Then the new text stays, which is complete.
  }
}

function moveToFree(fs: Fs, from: string, to: string): void {
  if (fs.lstat(to) !== undefined) throw new NameTaken(to);
  fs.rename(from, to);
}

export function isWithoutLinks(error: unknown): boolean {
  return NO_LINKS.includes(systemErrorCode(error) ?? "");
}

class NameTaken extends Error {
  readonly code = "EEXIST";
}

/** Removes a file, if it exists, and syncs its folder: no power cut brings it back. */
export function removeDurably(fs: Fs, path: string): void {
  removeIfThere(fs, path);
  fs.syncDir(dirname(path));
}

/** Removes a file, if it exists, without ever throwing: what stays is left to the sweep. */
export function discard(fs: Fs, path: string): void {
  try {
    fs.unlink(path);
  } catch {
    // Gone already, or swept later.
  }
}

/** For each `Fs`, the folders whose parents this process has synced. */
const durableFolders = memoize((_: Fs) => new Set<string>());

/**
 * Makes sure that a folder exists and survives a power cut. An existing one may have been made by a process
 * that died before it synced, so the parents are synced once in each process.
 */
export function ensureFolder(fs: Fs, root: string, folder: string, mode: number): void {
  const known = durableFolders(fs);
  // Checks every folder on the way: a cloned store may have a link in place of one.
  for (let path = folder; path.length > root.length && dirname(path) !== path;) {
    const there = fs.lstat(path);
    if (there !== undefined && there.kind !== "dir") {
      throw new SageError("unsafe_path", `Cannot use "${basename(path)}": it is no folder`);
    }
    path = dirname(path);
  }
  if (fs.lstat(folder) === undefined) fs.makeDir(folder, mode);
  const made: string[] = [];
  for (let path = folder; path.length >= root.length && !known.has(path); path = dirname(path)) {
    if (dirname(path) === path) break;
    fs.syncDir(dirname(path));
    made.push(path);
  }
  for (const path of made) known.add(path);
}

export function isSameFile(a: FileInfo, b: FileInfo): boolean {
  return a.inode === b.inode && a.device === b.device;
}

/** Removes a folder and all below it as far as they contain nothing but empty folders. */
export function removeEmptyFolders(fs: Fs, folder: string, depth = 0): void {
  if (depth > FOLDERS_DEPTH_MAX || fs.lstat(folder)?.kind !== "dir") return;
  for (const { name, kind } of fs.list(folder)) {
    if (kind === "dir") removeEmptyFolders(fs, join(folder, name), depth + 1);
  }
  if (fs.list(folder).length === 0) fs.removeDir(folder);
}
