/** The stamp of a file, by which a change is noticed; and whether a file is text. */
import { now } from "../base/clock.ts";
import type { FileInfo } from "../base/fs.ts";
import { decode } from "../base/utf8.ts";
import { QUIET_MS } from "../base/limits.ts";

export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Touched so recently that a further change could leave the same stamp. */
  readonly racy: boolean;
}

/** Earlier stamps, by path. */
export interface KnownStamps {
  readonly size: number;
  has(path: string): boolean;
  /** Whether the file had this stamp; false if that stamp was racy. */
  isUnchanged(path: string, info: Omit<FileStamp, "racy">): boolean;
  keys(): Iterable<string>;
}

/** Whether there is a NUL among the first bytes, as git decides it. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** Why these bytes are no note's text, or undefined. */
export function noText(bytes: Uint8Array): "binary" | typeof LFS_POINTER | undefined {
  if (isBinary(bytes)) return "binary";
  return decode(bytes.subarray(0, LFS_BEGINNING.length)) === LFS_BEGINNING
    ? LFS_POINTER
    : undefined;
}

export const LFS_POINTER = "a pointer of Git LFS, not the file itself";
/** The beginning of the pointer that Git LFS has in place of a file that was not fetched. */
const LFS_BEGINNING = "version https://git-lfs.github.com/spec/";

/** The stamp of a file. Raciness goes by ctime too, because mtime can be set back and ctime cannot. */
export function stampOf(info: FileInfo): FileStamp {
  const { size, mtimeMs, ctimeMs, inode } = info;
  const at = now();
  const racy = Math.abs(at - mtimeMs) < QUIET_MS || Math.abs(at - ctimeMs) < QUIET_MS;
  return { size, mtimeMs, ctimeMs, inode, racy };
}

/** Whether a file with this stamp has not been touched since. A racy stamp proves nothing. */
export function hasStamp(before: FileStamp, info: Omit<FileStamp, "racy">): boolean {
  return !before.racy && before.mtimeMs === info.mtimeMs && before.size === info.size &&
    before.ctimeMs === info.ctimeMs && before.inode === info.inode;
}
