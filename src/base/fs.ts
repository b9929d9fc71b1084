/**
 * The file system: the only code that writes files. A small synchronous interface, so that
 * `CrashFs` (tests/support) can replace the disk, and fail, stop or lose unsynced data at any call.
 */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  statfsSync,
} from "node:fs";
import { ifReadable } from "./attempt.ts";
import { monotonic, sleep } from "./clock.ts";
import { isSystemError, lostLink, SageError, systemErrorCode } from "./errors.ts";
import { dirname, slashed } from "./path.ts";

export interface FileInfo {
  readonly kind: "file" | "dir" | "link" | "other";
  readonly size: number;
  /** Milliseconds; 0 if the platform has none. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** When it was made; with the inode it names a file or folder for good. 0 if that is not kept. */
  readonly bornMs: number;
  readonly inode: number;
  readonly device: number;
  readonly mode: number;
  readonly links: number;
  readonly uid: number;
}

export interface OpenOptions {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly append?: boolean;
  readonly create?: boolean;
  /** Fails with EEXIST if the name is taken. */
  readonly createNew?: boolean;
  readonly truncate?: boolean;
  readonly mode?: number;
  /**
   * Opens for reading only; fails on a link, and never blocks on a FIFO. For files that may have come with
   * a clone.
   */
  readonly noFollow?: boolean;
}

export interface FileHandle extends Disposable {
  /** Reads up to `into.length` bytes; 0 at the end. */
  read(into: Uint8Array): number;
  /** Writes all of `bytes`. */
  write(bytes: Uint8Array): void;
  seek(offset: number): void;
  info(): FileInfo;
  /**
   * fsync: what was written survives a power cut when this returns, as far as the file system can promise
   * that.
   */
  sync(): void;
  /** One attempt at an exclusive (or shared) kernel lock on the file. Returns whether it was got. */
  tryLock(exclusive: boolean): boolean;
  close(): void;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileInfo["kind"];
}

export interface Fs {
  open(path: string, options: OpenOptions): FileHandle;
  /** Facts of the path itself, not of a link's target; undefined if there is nothing. */
  lstat(path: string): FileInfo | undefined;
  list(path: string): FolderEntry[];
  /** Creates the folder and its missing parents, and syncs the parent of each. */
  makeDir(path: string, mode: number): void;
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  removeDir(path: string): void;
  chmod(path: string, mode: number): void;
  /** Sets the mtime, for copies. */
  setTime(path: string, mtimeMs: number): void;
  syncDir(path: string): void;
  /** `sync` of files that were written and closed, several at a time: one wait for the disk serves many. */
  syncFiles(paths: readonly string[]): Promise<void>;
  realPath(path: string): string;
}

const isWindows = Deno.build.os === "windows";
/** Beyond this a disk that serves several at a time was hardly faster. */
const SYNCS_AT_ONCE = 16;

/** The real file system. */
export const realFs: Fs = {
  open(path, options) {
    if (options.noFollow === true && !isWindows) return openNoFollow(path);
    const file = Deno.openSync(path, options);
    if (options.create === true || options.createNew === true) giveToFolder(path);
    return {
      read: (into) => naming(path, () => file.readSync(into) ?? 0),
      write(bytes) {
        naming(path, () => {
          for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
        });
      },
      seek: (offset) => void file.seekSync(offset, Deno.SeekMode.Start),
      info: () => toInfo(file.statSync()),
      sync() {
        try {
          file.syncSync();
        } catch (error) {
          if (!isWithoutSync(error)) throw error;
        }
      },
      tryLock: (exclusive) => file.tryLockSync(exclusive),
      close: () => file.close(),
      [Symbol.dispose]() {
        this.close();
      },
    };
  },
  lstat(path) {
    try {
      return toInfo(Deno.lstatSync(path));
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      // No file can have such a name: somebody typed a text and not a path.
      if (code === "ENAMETOOLONG") return undefined;
      throw error;
    }
  },
  list(path) {
    return [...Deno.readDirSync(path)].map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  },
  makeDir(path, mode) {
    const kind = this.lstat(path)?.kind;
    if (kind !== undefined && kind !== "link") return;
    try {
      // In a link to nowhere nothing can be made, and no later error would name the link.
      if (kind === "link") return void this.realPath(path);
    } catch (error) {
      throw systemErrorCode(error) === "ENOENT" ? lostLink(path) : error;
    }
    const parent = dirname(path);
    if (parent !== path && parent !== ".") this.makeDir(parent, mode);
    try {
      Deno.mkdirSync(path, { mode });
    } catch (error) {
      // Another process was faster; it may die before it syncs, so we sync as well.
      if (systemErrorCode(error) !== "EEXIST") throw error;
    }
    giveToFolder(path);
    this.syncDir(parent);
  },
  link: (from, to) => Deno.linkSync(from, to),
  rename: (from, to) => whenLetGo(() => Deno.renameSync(from, to)),
  unlink: (path) => whenLetGo(() => Deno.removeSync(path)),
  removeDir: (path) => Deno.removeSync(path),
  chmod(path, mode) {
    if (!isWindows) Deno.chmodSync(path, mode);
  },
  setTime: (path, mtimeMs) => Deno.utimeSync(path, mtimeMs / 1000, mtimeMs / 1000),
  syncDir(path) {
    if (isWindows) return;
    let folder: Deno.FsFile | undefined;
    try {
      folder = Deno.openSync(path, { read: true });
      folder.syncSync();
    } catch (error) {
      const isFoldersOnly = ["EISDIR", "EACCES"].includes(systemErrorCode(error) ?? "");
      if (!isFoldersOnly && !isWithoutSync(error)) throw error;
    } finally {
      folder?.close();
    }
  },
  async syncFiles(paths) {
    const left = paths.values();
    const syncEach = async (): Promise<void> => {
      for (const path of left) {
        // Windows syncs only what may be written.
        const file = await Deno.open(path, { write: true });
        try {
          await file.sync();
        } catch (error) {
          if (!isWithoutSync(error)) throw error;
        } finally {
          file.close();
        }
      }
    };
    await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, syncEach));
  },
  realPath: (path) => slashed(Deno.realPathSync(path)),
};

/**
 * Whether the file system cannot sync: some cannot sync folders, and on macOS shares, exFAT and FUSE have no
 * F_FULLFSYNC, which the runtime uses there.
 */
function isWithoutSync(error: unknown): boolean {
  return ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOTTY"].includes(systemErrorCode(error) ?? "");
}

/** Adds the path to an error on an open file, for which the runtime names none, in the runtime's form. */
function naming<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && isSystemError(error)) error.message += `: use '${path}'`;
    throw error;
  }
}

/**
 * Gives a file that root makes in somebody's folder to the folder's owner: after `sudo` in their home, or in
 * a container with their project, it would lock them out of their own memory. Never follows a link, and
 * skips a file with a second link, which the folder's owner may have put there meanwhile.
 */
function giveToFolder(path: string): void {
  if (Deno.uid() !== 0) return;
  try {
    const { uid, gid } = Deno.lstatSync(dirname(path));
    if (uid === null || gid === null || uid === 0) return;
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const made = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const info = fstatSync(made);
      if (info.uid === 0 && (info.isDirectory() || info.nlink === 1)) fchownSync(made, uid, gid);
    } finally {
      closeSync(made);
    }
  } catch {
    // A file system without owners locks nobody out.
  }
}

/** How long to wait for another program to close a file. */
const LET_GO_MS_MAX = 2000;

/** Repeats an action that Windows refuses while a file is open anywhere, for instance in a virus scan. */
function whenLetGo(act: () => void): void {
  const start = monotonic();
  for (let pause = 10;; pause = Math.min(100, pause * 2)) {
    try {
      return act();
    } catch (error) {
      const isHeld = ["EPERM", "EACCES", "EBUSY"].includes(systemErrorCode(error) ?? "");
      if (!isWindows || !isHeld || monotonic() - start > LET_GO_MS_MAX) throw error;
      sleep(pause);
    }
  }
}

function openNoFollow(path: string): FileHandle {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  let position = 0;
  return {
    read(into) {
      const count = readSync(file, into, 0, into.length, position);
      position += count;
      return count;
    },
    write: readOnly,
    seek: (offset) => void (position = offset),
    info() {
      const stat = fstatSync(file);
      const kind = stat.isFile() ? "file" : stat.isDirectory() ? "dir" : "other";
      const { size, mode, nlink: links, uid, ino: inode, dev: device } = stat;
      const mtimeMs = timeOf(Math.floor(stat.mtimeMs));
      const ctimeMs = timeOf(Math.floor(stat.ctimeMs));
      const bornMs = timeOf(Math.floor(stat.birthtimeMs));
      return { kind, size, mtimeMs, ctimeMs, bornMs, inode, device, mode, links, uid };
    },
    sync: readOnly,
    tryLock: readOnly,
    close: () => closeSync(file),
    [Symbol.dispose]() {
      this.close();
    },
  };
}

function readOnly(): never {
  throw new Error("Opened for reading only");
}

function kindOf(found: Pick<Deno.FileInfo, "isFile" | "isDirectory" | "isSymlink">) {
  return found.isFile ? "file" : found.isDirectory ? "dir" : found.isSymlink ? "link" : "other";
}

function toInfo(stat: Deno.FileInfo): FileInfo {
  return {
    kind: kindOf(stat),
    size: stat.size,
    mtimeMs: timeOf(stat.mtime?.getTime()),
    ctimeMs: timeOf(stat.ctime?.getTime()),
    bornMs: timeOf(stat.birthtime?.getTime()),
    inode: stat.ino ?? 0,
    device: stat.dev,
    mode: isWindows ? windowsMode(stat) : stat.mode ?? 0,
    links: stat.nlink ?? 1,
    uid: stat.uid ?? 0,
  };
}

/** Milliseconds in the range of `Date`, else 0: a damaged disk may have others. */
function timeOf(ms = 0): number {
  return Math.abs(ms) <= DATE_MS_MAX ? ms : 0;
}

const DATE_MS_MAX = 8.64e15;

/** On Windows the only mode bit of a file is write; who may read it is inherited from folders. */
function windowsMode({ mode, isFile }: Deno.FileInfo): number {
  return isFile && ((mode ?? 0o200) & 0o200) === 0 ? 0o500 : 0o700;
}

/** Removes a file. Returns whether there was one: another process may have removed it. */
export function removeIfThere(fs: Fs, path: string): boolean {
  try {
    fs.unlink(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** All bytes of a regular file, or the first `bytesMax` of them. */
export function readBytes(fs: Fs, path: string, bytesMax: number): Uint8Array {
  return readOpened(fs, path, refuseWaiting(fs, path), bytesMax);
}

/** The same; undefined if there is nothing, or no regular file. With a single `lstat`. */
export function readIfFile(fs: Fs, path: string, bytesMax: number): Uint8Array | undefined {
  const info = fs.lstat(path);
  return info?.kind === "file" ? readOpened(fs, path, info.size, bytesMax) : undefined;
}

/** The entries of a folder; none if there is no folder, or a link to one. */
export function listIfDir(fs: Pick<Fs, "lstat" | "list">, path: string): FolderEntry[] {
  if (fs.lstat(path)?.kind !== "dir") return [];
  try {
    return fs.list(path);
  } catch (error) {
    // Removed since `lstat`.
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The same; none if it cannot be read either, for callers to whom it is optional. */
export function listIfReadable(fs: Pick<Fs, "lstat" | "list">, path: string): FolderEntry[] {
  return ifReadable([], () => listIfDir(fs, path));
}

/** `size`: its length a moment ago. Asking the open file again costs ten times as much as one more read. */
function readOpened(fs: Fs, path: string, size: number, bytesMax: number): Uint8Array {
  using file = fs.open(path, { read: true });
  const bytes = readFull(file, new Uint8Array(Math.min(size + 1, bytesMax)));
  const hasGrown = bytes.length > size && bytes.length < bytesMax;
  return hasGrown ? readOpened(fs, path, 2 * bytes.length, bytesMax) : bytes;
}

/** The target of a link, as of one into somebody's dotfiles; other paths as they are. */
export function followed(fs: Fs, path: string): string {
  return fs.lstat(path)?.kind === "link" ? fs.realPath(path) : path;
}

/** The size. Throws for a pipe or device: opening a pipe would wait for its other end, maybe for ever. */
function refuseWaiting(fs: Fs, path: string): number {
  let info = fs.lstat(path);
  if (info?.kind === "link") info = fs.lstat(fs.realPath(path));
  if (info?.kind !== "other") return info?.size ?? 0;
  throw new SageError("unsafe_path", `Cannot read ${path}: it is no regular file`);
}

/** Reads from the file's position until `into` is full or the file ends; returns the part that was filled. */
export function readFull(file: Pick<FileHandle, "read">, into: Uint8Array): Uint8Array {
  let filled = 0;
  while (filled < into.length) {
    const count = file.read(into.subarray(filled));
    if (count === 0) return into.subarray(0, filled);
    filled += count;
  }
  return into;
}

/** The rest of a file in parts; each is valid until the next one is read. */
export function* chunksOf(file: Pick<FileHandle, "read">): Generator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let count = file.read(buffer); count > 0; count = file.read(buffer)) {
    yield buffer.subarray(0, count);
  }
}

const CHUNK_BYTES = 1024 * 1024;

/** Opens a file, writes and closes it. `isSynced`: what was written survives a power cut. */
export function writeInto(
  fs: Fs,
  path: string,
  how: OpenOptions,
  parts: readonly Uint8Array[],
  isSynced = false,
): void {
  // No `using`: the bundler would inline a variable that is used once, and then nothing closes it.
  const file = fs.open(path, how);
  try {
    for (const part of parts) file.write(part);
    if (isSynced) file.sync();
  } finally {
    file.close();
  }
}

/** Free bytes on the disk of a folder, if the system tells. */
export function freeBytes(path: string): number | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(path);
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    return undefined;
  }
}
