/** What a file looks like from outside: enough to tell that it changed, and that it is no text. */
import { now } from "../base/clock.ts";
import type { FileInfo } from "../base/fs.ts";
import { QUIET_MS } from "../base/limits.ts";

/** What tells whether a file changed since. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** Touched so recently that another change might not show; hash it next time. */
  readonly racy: boolean;
}

/** What was seen before, by path. */
export interface KnownStamps {
  readonly size: number;
  has(path: string): boolean;
  /** Whether it was there and looked so; never where the stamp was racy. */
  isUnchanged(path: string, info: Omit<FileStamp, "racy">): boolean;
  keys(): Iterable<string>;
}

/** NUL stands in no text. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/**
 * The freshness key. ctime counts for raciness too: it cannot be set back, mtime can.
 */
export function stampOf(info: FileInfo): FileStamp {
  const { size, mtimeMs, ctimeMs, inode } = info;
  const at = now();
  const racy = Math.abs(at - mtimeMs) < QUIET_MS || Math.abs(at - ctimeMs) < QUIET_MS;
  return { size, mtimeMs, ctimeMs, inode, racy };
}

/** Whether a file that looked so then has not been touched since. A racy stamp proves nothing. */
export function looksAs(before: FileStamp, info: Omit<FileStamp, "racy">): boolean {
  return !before.racy && before.mtimeMs === info.mtimeMs && before.size === info.size &&
    before.ctimeMs === info.ctimeMs && before.inode === info.inode;
}
