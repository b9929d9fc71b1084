/**
 * Kernel locks on permanent, empty files. The kernel frees the lock of a dead process, so locks are never
 * stale. A lock file is never deleted, because that would let in two holders. Waiting is a loop, because a
 * blocking lock has no deadline.
 */
import { pattern } from "./text/pattern.ts";
import { monotonic, sleep } from "./clock.ts";
import { SageError, systemError, systemErrorCode } from "./errors.ts";
import { type FileHandle, type Fs, readBytes, writeInto } from "./fs.ts";
import { basename, dirname } from "./path.ts";
import { decode, encode } from "./utf8.ts";
import { defined } from "./defined.ts";
import { isOfHere, thisHost } from "./host.ts";

export interface LockOptions {
  /** How long to wait; 0 tries once. */
  readonly deadlineMs: number;
  /** Our name for the error that a waiting process shows: `sage checkpoint`. */
  readonly holder?: string;
  /** False: shares the lock with others who share it. */
  readonly exclusive?: boolean;
}

/** Pauses between two tries grow up to this. */
const PAUSE_MS_MAX = 4;
/** Signals that may interrupt one attempt. */
const INTERRUPTS_MAX = 10;
/** What is read of a holder file. */
const HOLDER_BYTES_MAX = 256;

/** Runs `body` with the lock of `path`. Throws `locked`, naming the holder, after the deadline. */
export function withLock<T>(fs: Fs, path: string, options: LockOptions, body: () => T): T {
  const held = holdLock(fs, path, options);
  try {
    return body();
  } finally {
    held.release();
  }
}

/** Takes a lock for asynchronous work; the caller releases it. */
export function holdLock(fs: Fs, path: string, options: LockOptions): { release(): void } {
  const file = openLock(fs, path);
  try {
    acquire(fs, file, path, options);
    if (options.holder !== undefined) nameHolder(fs, path, options.holder);
  } catch (error) {
    file.close();
    throw error;
  }
  // Closing frees the lock.
  return { release: () => file.close() };
}

function openLock(fs: Fs, path: string): FileHandle {
  const how = { read: true, write: true, create: true, mode: 0o600 };
  try {
    try {
      return fs.open(path, how);
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
      fs.makeDir(dirname(path), 0o700);
      return fs.open(path, how);
    }
  } catch (error) {
    throw systemError(error, `open the lock "${path}"`);
  }
}

function acquire(fs: Fs, file: FileHandle, path: string, options: LockOptions): void {
  const start = monotonic();
  for (let pause = 0.5;; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
    if (tryLock(file, path, options.exclusive ?? true)) return;
    const left = options.deadlineMs - (monotonic() - start);
    if (left <= 0) throw locked(fs, path);
    // At random, so that not all waiting processes wake at once.
    sleep(Math.min(left, pause * (0.5 + Math.random())));
  }
}

function tryLock(file: FileHandle, path: string, exclusive: boolean): boolean {
  for (let tries = 1;; tries++) {
    try {
      return file.tryLock(exclusive);
    } catch (error) {
      if (systemErrorCode(error) === "EINTR" && tries < INTERRUPTS_MAX) continue;
      throw systemError(error, `lock "${basename(path)}"`);
    }
  }
}

function locked(fs: Fs, path: string): SageError {
  const holder = readHolder(fs, path);
  const pid = /\(pid (\d+)\)$/.exec(holder)?.[1];
  return new SageError("locked", `Cannot lock "${basename(path)}": held by ${holder}`, {
    hint: pid === undefined ? "try again in a moment" : `wait for it, or end process ${pid}`,
  });
}

/** Writes a file beside the lock, which others cannot read on Windows: the holder, then the host. */
function nameHolder(fs: Fs, path: string, holder: string): void {
  try {
    const how = { write: true, create: true, truncate: true, mode: 0o600 };
    const text = `${holder} (pid ${Deno.pid})\n${thisHost()}`;
    writeInto(fs, `${path}.holder`, how, [encode(text)]);
  } catch {
    // Needed only for an error message.
  }
}

/** The holder's name. It ends in the process id only if the process is of this host, where it can be ended. */
function readHolder(fs: Fs, path: string): string {
  try {
    const lines = decode(readBytes(fs, `${path}.holder`, HOLDER_BYTES_MAX)).trim().split("\n");
    // The file may be damaged, and the name is printed on a terminal.
    const [who = "", host] = lines.map((line) =>
      line.replace(pattern(String.raw`\p{Cc}`, "gu"), "")
    );
    const where = isOfHere(defined({ host })) ? "" : " on another machine, or in another container";
    return (who || "another process") + where;
  } catch {
    return "another process";
  }
}
