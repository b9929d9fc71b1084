/**
 * The steps of every complete write: a temporary file in the same folder, its bytes synced to disk,
 * then one call that gives it its name. A crash leaves a temporary file that `store/sweep.ts`
 * recognises by its name.
 */
import { SageError, systemErrorCode } from "./errors.ts";
import { basename, dirname, type FileInfo, type Fs, join, readBytes, removeIfThere } from "./fs.ts";
import { randomHex } from "./hash.ts";
import { FILE_NAME_BYTES_MAX } from "./limits.ts";
import { memoize } from "./memoize.ts";
import { cutBytes } from "./text.ts";

/**
 * The exact form of a temporary file: the target's name, the pid, 16 hex digits. With `.old` it was
 * replaced instead of being about to come, and the digits begin its SHA-256.
 */
export const TEMP_NAME = /^\.(.*)\.sage-(\d{1,10})-([0-9a-f]{16})(\.old)?\.tmp$/s;

/** No folder of notes lies deeper. */
const FOLDERS_DEPTH_MAX = 32;
/** How file systems without hard links answer. */
const NO_LINKS: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];

interface Form {
  readonly mode: number;
  /** False where its loss matters to nobody; otherwise it is on disk before it gets its name. */
  readonly isSynced?: boolean;
}

/** Writes a temporary file for `target`, in its folder; returns its path. Cleans up on failure. */
export function writeTemp(
  fs: Fs,
  target: string,
  parts: readonly Uint8Array[],
  { mode, isSynced = true }: Form,
): string {
  const path = tempPath(target, randomHex(8));
  const file = fs.open(path, { write: true, createNew: true, mode });
  try {
    try {
      for (const part of parts) file.write(part);
      // After a failed sync the file is thrown away: a second sync may claim what never happened.
      if (isSynced) file.sync();
    } finally {
      file.close();
    }
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
 * Gives `temp` the free name `target` (EEXIST when it is taken) and syncs the folder. Without hard
 * links, looking and renaming are two steps: `alone` must keep other writers away.
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

/** Creates a file with these bytes, or throws EEXIST. */
export function writeNew(fs: Fs, target: string, bytes: Uint8Array, mode: number): void {
  const temp = writeTemp(fs, target, [bytes], { mode });
  try {
    publishNew(fs, temp, target);
  } catch (error) {
    discard(fs, temp);
    throw error;
  }
}

/** Writes a file that appears whole under its name. The folder is not synced. */
export function writeWhole(
  fs: Fs,
  target: string,
  parts: readonly Uint8Array[],
  form: Form,
): void {
  const temp = writeTemp(fs, target, parts, form);
  try {
    fs.rename(temp, target);
  } catch (error) {
    discard(fs, temp);
    throw error;
  }
}

/** Replaces a file of which Sage is the only writer. `durable` makes it survive a power cut. */
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
    // A write that fails must change nothing.
    if (there === undefined) discard(fs, target);
    else if (old !== undefined) putBack(fs, target, old, mode);
    throw error;
  }
}

/** Undoes as well as a disk allows that just failed; the caller reports the failure itself. */
function putBack(fs: Fs, target: string, bytes: Uint8Array, mode: number): void {
  try {
    writeWhole(fs, target, [bytes], { mode, isSynced: false });
  } catch {
    // The new text is complete.
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

/** Removes a file that may not exist; it is gone for good when this returns. */
export function removeDurably(fs: Fs, path: string): void {
  removeIfThere(fs, path);
  fs.syncDir(dirname(path));
}

/** Removes what may not exist; a failure leaves litter for the sweep, never an error. */
export function discard(fs: Fs, path: string): void {
  try {
    fs.unlink(path);
  } catch {
    // Swept later, or gone already.
  }
}

/** By disk: folders that this process has synced into their parents. */
const durableFolders = memoize((_: Fs) => new Set<string>());

/**
 * Makes sure that a folder exists and survives a power cut. An existing one may be the unsynced work of
 * a process that died, so its parents are synced once a process.
 */
export function ensureFolder(fs: Fs, root: string, folder: string, mode: number): void {
  const known = durableFolders(fs);
  // Each on the way: a stranger's store may have a link in the place of a folder.
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

/** Removes the folder and those below it that hold nothing but empty folders. */
export function removeEmptyFolders(fs: Fs, folder: string, depth = 0): void {
  if (depth > FOLDERS_DEPTH_MAX || fs.lstat(folder)?.kind !== "dir") return;
  for (const { name, kind } of fs.list(folder)) {
    if (kind === "dir") removeEmptyFolders(fs, join(folder, name), depth + 1);
  }
  if (fs.list(folder).length === 0) fs.removeDir(folder);
}
