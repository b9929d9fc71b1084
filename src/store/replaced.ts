/**
 * The replaced file of a note that keeps no versions: it stays beside the note for a moment, so that a
 * simultaneous edit is found. After a crash the sweep settles it. Its name has the hash of what was read:
 * if its bytes differ, somebody wrote them, and they are kept.
 */
import { discard, TEMP_NAME, tempPath } from "../base/atomic.ts";
import { systemErrorCode } from "../base/errors.ts";
import { type Fs, readBytes } from "../base/fs.ts";
import { basename, dirname, join } from "../base/path.ts";
import { sha256Hex } from "../base/hash.ts";
import { NOTE_BYTES_MAX } from "../base/limits.ts";
import { conflictName } from "./conflict.ts";

/**
 * Calls `keep` with a path for the replaced file of `target`, and returns it. `base`: the bytes that were
 * read.
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
    // Left by a process with the same id that replaced the same text.
    settleReplaced(fs, path);
    keep(path);
  }
  return path;
}

/** Removes the file; if somebody wrote into it, it becomes a conflict copy, whose path is returned. */
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
