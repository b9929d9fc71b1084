/**
 * Replaces an existing note by the protocol of docs/RELIABILITY.md. It compares before it replaces, keeps
 * the replaced file by its inode (a hard link), and compares that file again afterwards, so that an edit in
 * between is found and kept. All of it runs under the note's lock.
 */
import {
  discard,
  isSameFile,
  isWithoutLinks,
  writeAtomic,
  writeNew,
  writeTemp,
} from "../base/atomic.ts";
import { now, parseTime } from "../base/clock.ts";
import { systemError, systemErrorCode } from "../base/errors.ts";
import type { FileInfo } from "../base/fs.ts";
import { basename, dirname, join } from "../base/path.ts";
import { equalBytes } from "../base/hash.ts";
import { QUIET_MS } from "../base/limits.ts";
import { conflictName } from "./conflict.ts";
import { type Store, withNoteLock } from "./handle.ts";
import { readNoteBytes } from "./load.ts";
import { quote } from "./paths.ts";
import { keepReplaced, settleReplaced } from "./replaced.ts";
import { dropLiveVersions, keepVersion } from "./versions.ts";
import { isOwnWrite, rememberOwnWrite } from "./own_writes.ts";

/** A replacement in bytes: `base` was loaded, `next` is to replace it. */
export interface Replacement {
  readonly path: string;
  readonly noteId: string;
  /** `updated` of the loaded note, which its version is named after. */
  readonly updated: string;
  readonly base: Uint8Array;
  readonly next: Uint8Array;
  /** False: the replaced file is kept only until it is certain that nobody wrote into it. */
  readonly keepVersion: boolean;
}

export type ReplaceOutcome =
  | { readonly kind: "written" }
  /** Somebody else changed the note; nothing was written, or nothing of it is left. */
  | { readonly kind: "changed" }
  /** Ours was written; what somebody wrote at the same moment is kept in `copy`. */
  | { readonly kind: "raced"; readonly copy: string }
  /** Somebody changed it less than two seconds ago and may not be done. */
  | { readonly kind: "busy"; readonly waitMs: number };

const BEING_WRITTEN: ReplaceOutcome = { kind: "busy", waitMs: QUIET_MS };

/** One attempt. Afterwards either `next` is on disk for good, or the old bytes are untouched. */
export function replaceBytes(store: Store, replacement: Replacement): ReplaceOutcome {
  try {
    return withNoteLock(store, replacement.noteId, () => attempt(store, replacement));
  } catch (error) {
    throw systemError(error, `write ${quote(join(store.root, replacement.path))}`);
  }
}

function attempt(store: Store, replacement: Replacement): ReplaceOutcome {
  const { path, noteId, base, next } = replacement;
  const { bytes, info } = readNoteBytes(store, path);
  if (equalBytes(bytes, next)) return { kind: "written" };
  // Loaded while an editor wrote in place, which empties the file first. Merged with an empty base,
  // everything would count as new.
  if (base.length === 0) return bytes.length === 0 ? BEING_WRITTEN : { kind: "changed" };
  // A file too large to be read whole has changed, however it begins.
  if (bytes.length < info.size || !equalBytes(bytes, base)) return { kind: "changed" };
  const ageMs = now() - info.mtimeMs;
  // A time in the future is a wrong clock, not a busy person.
  if (ageMs >= 0 && ageMs < QUIET_MS && !isOwnWrite(store, bytes)) {
    return { kind: "busy", waitMs: QUIET_MS - ageMs };
  }
  dropLiveVersions(store, path, noteId, info);
  const outcome = swap(store, replacement, info);
  if (outcome.kind === "changed") return outcome;
  rememberOwnWrite(store, next);
  return outcome.kind === "written" && isOverwritten(store, path, next)
    ? { kind: "changed" }
    : outcome;
}

/**
 * Whether somebody who had read the old text saved over what was just written: it is gone then, and in no version.
 * A note that was moved away took it along; of one that cannot be read nobody knows, and it is on the disk.
 */
export function isOverwritten(store: Store, path: string, written: Uint8Array): boolean {
  try {
    const { bytes } = readNoteBytes(store, path);
    return !equalBytes(bytes, written) && !isOwnWrite(store, bytes);
  } catch {
    return false;
  }
}

/** Puts `next` in place of `base`, and keeps `base` as a version if one is wanted. */
function swap(store: Store, replacement: Replacement, info: FileInfo): ReplaceOutcome {
  const { fs, root } = store;
  const target = join(root, replacement.path);
  const temp = writeTemp(fs, target, [replacement.next], { mode: info.mode & 0o777 });
  let kept: string | undefined;
  let isReplaced = false;
  try {
    keepMode(store, temp, info.mode & 0o777);
    const again = readNoteBytes(store, replacement.path);
    const isSame = equalBytes(again.bytes, replacement.base);
    if (!isSame || again.info.mtimeMs !== info.mtimeMs) {
      discard(fs, temp);
      return { kind: "changed" };
    }
    kept = keepOld(store, replacement, info);
    if (replacement.keepVersion) fs.syncDir(dirname(kept));
    const last = fs.lstat(target);
    if (last === undefined || !isSameFile(last, again.info)) {
      discard(fs, temp);
      discard(fs, kept);
      return { kind: "changed" };
    }
    fs.rename(temp, target);
    isReplaced = true;
    fs.syncDir(dirname(target));
    return verify(store, replacement, kept);
  } catch (error) {
    if (isReplaced && kept !== undefined) undo(store, kept, target);
    else {
      discard(fs, temp);
      if (kept !== undefined) discard(fs, kept);
      // Somebody replaced or removed the file between comparing and linking.
      if (systemErrorCode(error) === "ENOENT") return { kind: "changed" };
    }
    throw error;
  }
}

/** Restores permission bits that the umask has removed. */
function keepMode(store: Store, temp: string, mode: number): void {
  const made = store.fs.lstat(temp);
  if (made !== undefined && (made.mode & 0o777) !== mode) store.fs.chmod(temp, mode);
}

/** Gives the existing file a second name, and returns that. */
function keepOld(
  store: Store,
  { path, noteId, updated, base, keepVersion: isVersion }: Replacement,
  info: FileInfo,
): string {
  const { fs, root } = store;
  const target = join(root, path);
  const keep = (absolute: string): void => {
    try {
      fs.link(target, absolute);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
      // Without hard links a copy must do, in which a simultaneous edit does not show.
      writeNew(fs, absolute, base, info.mode & 0o777);
    }
  };
  if (!isVersion) return keepReplaced(fs, target, base, keep);
  return join(root, keepVersion(store, path, noteId, parseTime(updated) ?? info.mtimeMs, keep));
}

/** Compares the kept file with what was loaded; a simultaneous edit becomes a conflict copy. */
function verify(store: Store, replacement: Replacement, kept: string): ReplaceOutcome {
  const { fs, root } = store;
  const { path, base, keepVersion: isVersion } = replacement;
  if (!isVersion) {
    const copy = settleReplaced(fs, kept);
    if (copy === undefined) return { kind: "written" };
    return { kind: "raced", copy: join(dirname(path), basename(copy)) };
  }
  const { bytes, info } = readNoteBytes(store, kept.slice(root.length + 1));
  if (equalBytes(bytes, base)) return { kind: "written" };
  const copy = join(dirname(path), conflictName(basename(path)));
  try {
    // By its inode again, because an editor may still be writing into it.
    fs.link(kept, join(root, copy));
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    writeNew(fs, join(root, copy), bytes, info.mode & 0o777);
  }
  writeAtomic(fs, kept, base, { mode: info.mode & 0o777, durable: true });
  fs.syncDir(dirname(join(root, copy)));
  return { kind: "raced", copy };
}

/** Puts the kept file back by a rename: a write that cannot be completed did not happen. */
function undo({ fs }: Store, kept: string, target: string): void {
  try {
    fs.rename(kept, target);
    fs.syncDir(dirname(target));
  } catch {
    // The caller reports its own error; the old text still has its second name.
  }
}

/** Writes a text that could not be merged as a conflict copy beside its note. Returns the copy's path. */
export function writeConflictCopy(
  store: Store,
  path: string,
  bytes: Uint8Array,
  mode: number,
): string {
  const copy = join(dirname(path), conflictName(basename(path)));
  try {
    writeNew(store.fs, join(store.root, copy), bytes, mode);
  } catch (error) {
    throw systemError(error, `write ${quote(join(store.root, copy))}`);
  }
  return copy;
}
