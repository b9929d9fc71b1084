/**
 * Files of editors, read and written: each replaced whole, all of a plan or nothing of it, and by one
 * process at a time. A file may be a link into somebody's dotfiles: what it points to is replaced.
 */
import { writeAtomic } from "../../base/atomic.ts";
import { unlessGone } from "../../base/attempt.ts";
import { SageError, systemError } from "../../base/errors.ts";
import { readBytes } from "../../base/fs.ts";
import { dirname, join } from "../../base/path.ts";
import { decodeExact, encode } from "../../base/utf8.ts";
import { LOCK_MS_MAX } from "../../base/limits.ts";
import { holdLock } from "../../base/lock.ts";
import type { FileChange } from "../../editor/plan.ts";
import { sweepHereToo } from "../../store/sweep.ts";
import type { Memory } from "../memory.ts";

const LOCK_TRIES = 20;
/** Settings of an editor are small; its state file grows with projects. */
const SETTINGS_BYTES_MAX = 32 * 1024 * 1024;
const UNCHANGED = "nothing was changed";

/** Runs `body` under the install lock: two installs at once would plan from texts the other changes. */
export function withInstallLock<T>(memory: Memory, body: () => T): T {
  const lock = holdInstallLock(memory);
  try {
    return body();
  } finally {
    lock.release();
  }
}

/** Uninstalling the last editor removes the lock's folder: then the lock is made once more. */
function holdInstallLock({ fs, places }: Memory): { release(): void } {
  const path = join(places.stateDir, "locks", "install.lock");
  for (let tries = 1;; tries++) {
    try {
      return holdLock(fs, path, { deadlineMs: LOCK_MS_MAX, holder: "sage install" });
    } catch (error) {
      const isGone = error instanceof SageError && error.code === "not_found";
      if (!isGone || tries === LOCK_TRIES) throw error;
    }
  }
}

export function readTexts(
  memory: Memory,
  paths: readonly string[],
): Map<string, string | undefined> {
  return new Map(paths.map((path) => [path, readText(memory, path)]));
}

export function readText(memory: Memory, path: string): string | undefined {
  const { fs } = memory;
  let bytes: Uint8Array | undefined;
  try {
    if (fs.lstat(path) === undefined) return undefined;
    // A link may lead nowhere.
    bytes = unlessGone(() => readBytes(fs, fs.realPath(path), SETTINGS_BYTES_MAX));
  } catch (error) {
    throw systemError(error, `read "${path}"`);
  }
  const text = bytes && decodeExact(bytes);
  if (bytes === undefined || text !== undefined) return text;
  throw new SageError("invalid_config", `Cannot read "${path}": not UTF-8`, {
    hint: "mend it by hand, then repeat",
  });
}

/** All of the plan, or nothing of it. */
export function apply(memory: Memory, plan: readonly FileChange[]): void {
  for (const change of plan) assertUntouched(memory, change);
  const done: FileChange[] = [];
  for (const change of plan) {
    try {
      // An editor at work may have written it while the files before it were.
      assertUntouched(memory, change);
      replaceFile(memory, change.path, change.after);
      done.push(change);
    } catch (error) {
      for (const one of done.reverse()) putBack(memory, one);
      const failure = systemError(error, `write "${change.path}"`);
      if (failure.code === "conflict") throw failure;
      const hint = failure.hint === undefined ? "" : `${failure.hint}; `;
      throw new SageError(failure.code, failure.message, { hint: hint + UNCHANGED, cause: error });
    }
  }
}

function assertUntouched(memory: Memory, { path, before }: FileChange): void {
  if (readText(memory, path) === before) return;
  throw new SageError("conflict", `"${path}" was changed just now`, {
    hint: `repeat; ${UNCHANGED}`,
  });
}

/** Refuses a read-only file of a person, although it could be replaced. */
export function assertWritable({ fs }: Memory, plan: readonly FileChange[]): void {
  for (const { path, before } of plan) {
    if (before === undefined && fs.lstat(path)?.kind === "link") {
      throw new SageError("not_found", `"${path}" is a link to a file that is not there`, {
        hint: `make the file, or take the link away, then repeat; ${UNCHANGED}`,
      });
    }
    // Nothing to say of one that is not there, or gone since it was planned without the lock.
    const mode = unlessGone(() => fs.lstat(fs.realPath(path))?.mode) ?? 0o200;
    if ((mode & 0o200) === 0) {
      throw new SageError("permission", `Cannot write "${path}": it is read-only`, {
        hint: `make it writable, then repeat; ${UNCHANGED}`,
      });
    }
  }
}

function putBack(memory: Memory, { path, before, after }: FileChange): void {
  try {
    if (readText(memory, path) === after) replaceFile(memory, path, before);
  } catch {
    // The file is whole, with Sage's entries; installing again completes the rest.
  }
}

function replaceFile(memory: Memory, path: string, after: string | undefined): void {
  const { fs } = memory;
  const info = fs.lstat(path);
  const target = info?.kind === "link" ? fs.realPath(path) : path;
  if (after === undefined) {
    fs.unlink(target);
    // The link would lead nowhere.
    if (target !== path) fs.unlink(path);
    return;
  }
  if (info === undefined) fs.makeDir(dirname(path), 0o755);
  const mode = fs.lstat(target)?.mode ?? 0o600;
  sweepHereToo(fs, memory.places.stateDir, dirname(target));
  writeAtomic(fs, target, encode(after), { mode: mode & 0o777, durable: true });
}
