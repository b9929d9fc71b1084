/**
 * The replaced file of a note that keeps no version: it lies beside the note for a moment, so that an
 * edit which slipped in is found. After a crash it is left to the sweep; its name has the hash of what
 * was read, and other bytes are somebody's and stay.
 */
import { discard, TEMP_NAME, tempPath } from "../base/atomic.ts";
import { systemErrorCode } from "../base/errors.ts";
import { basename, dirname, type Fs, join, readBytes } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import { NOTE_BYTES_MAX } from "../base/limits.ts";
import { conflictName } from "./conflict.ts";

/**
 * Calls `keep` with a name for the replaced file of `target`, made from the bytes that were read;
 * returns the name.
 */
export function keepReplaced(
  fs: Fs,
  target: string,
  base: Uint8Array,
  keep: (absolute: string) => void,
): string {
  const path = tempPath(target, digits(base), ".old");
  try {
    keep(path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    // The same text, replaced by a process of the same number.
    settleReplaced(fs, path);
    keep(path);
  }
  return path;
}

/** Removes it; what somebody wrote into it becomes a conflict copy beside the note, and is returned. */
export function settleReplaced(fs: Fs, path: string): string | undefined {
  const [, name = "", , hash] = TEMP_NAME.exec(basename(path)) ?? [];
  if (digits(readBytes(fs, path, NOTE_BYTES_MAX + 1)) === hash) {
    discard(fs, path);
    return undefined;
  }
  const copy = join(dirname(path), conflictName(name));
  fs.rename(path, copy);
  fs.syncDir(dirname(copy));
  return copy;
}

function digits(bytes: Uint8Array): string {
  return sha256Hex(bytes).slice(0, 16);
}
