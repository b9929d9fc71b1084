/**
 * What was forgotten, so that recovery, back-fill and sync do not bring it back: one empty-handed file
 * for each id and each content hash, named by SHA-256. Neither id nor text can be read from it.
 */
import { now, rfc3339 } from "../base/clock.ts";
import { systemError, systemErrorCode } from "../base/errors.ts";
import { encode, type Fs, join } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import { writeNew } from "./atomic.ts";

export interface Forgotten {
  readonly id?: string | undefined;
  /** SHA-256 of a file's bytes. */
  readonly contentHash?: string | undefined;
}

/** Remembers that a note was forgotten. On the disk when this returns. */
export function addTombstone(fs: Fs, stateDir: string, forgotten: Forgotten): void {
  const folder = join(stateDir, "tombstones");
  try {
    fs.makeDir(folder, 0o700);
    for (const name of names(forgotten)) {
      try {
        writeNew(fs, join(folder, name), encode(rfc3339(now()) + "\n"), 0o600);
      } catch (error) {
        if (systemErrorCode(error) !== "EEXIST") throw error;
      }
    }
  } catch (error) {
    throw systemError(error, "remember what was forgotten");
  }
}

/** True when a note with this id, or one with these bytes, was forgotten. */
export function isForgotten(fs: Fs, stateDir: string, { id, contentHash }: Forgotten): boolean {
  return names({ id, contentHash })
    .some((name) => fs.lstat(join(stateDir, "tombstones", name)) !== undefined);
}

function names({ id, contentHash }: Forgotten): string[] {
  return [
    ...(id === undefined ? [] : [`id-${sha256Hex(id.normalize("NFC")).slice(0, 32)}`]),
    ...(contentHash === undefined ? [] : [`content-${sha256Hex(contentHash).slice(0, 32)}`]),
  ];
}
