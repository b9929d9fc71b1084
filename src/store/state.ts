/**
 * Small machine-made JSON files under `state/`: cooldowns, ledgers, registries. Each is replaced as a
 * whole, so a reader sees the old or the new one; one that is damaged reads as missing. All of them
 * may be deleted.
 */
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { decode, dirname, encode, type Fs, join, readBytes } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import { LOCK_MS_MAX } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import { writeAtomic } from "./atomic.ts";

const STATE_BYTES_MAX = 16 * 1024 * 1024;

/** The value last written under `name` (`cooldown/<session>.json`), or undefined. */
export function readState<T>(fs: Fs, stateDir: string, name: string): T | undefined {
  const path = statePath(stateDir, name);
  try {
    if (fs.lstat(path)?.kind !== "file") return undefined;
    return JSON.parse(decode(readBytes(fs, path, STATE_BYTES_MAX))) as T;
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === "ENOENT") return undefined;
    throw systemError(error, `read state "${name}"`);
  }
}

/** Replaces the value. Not synced unless `durable`: a power cut may bring back the one before. */
export function writeState(
  fs: Fs,
  stateDir: string,
  name: string,
  value: unknown,
  options: { readonly durable?: boolean } = {},
): void {
  const path = statePath(stateDir, name);
  const bytes = encode(JSON.stringify(value) + "\n");
  const how = { mode: 0o600, durable: options.durable ?? false };
  try {
    try {
      writeAtomic(fs, path, bytes, how);
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
      fs.makeDir(dirname(path), 0o700);
      writeAtomic(fs, path, bytes, how);
    }
  } catch (error) {
    throw systemError(error, `write state "${name}"`);
  }
}

/** Reads, changes and writes as one step, alone among the processes of this person. */
export function updateState<T>(
  fs: Fs,
  stateDir: string,
  name: string,
  change: (old: T | undefined) => T,
  options: { readonly durable?: boolean; readonly deadlineMs?: number } = {},
): T {
  // Striped, because lock files are never deleted and there is a name for every session.
  const stripe = sha256Hex(name).slice(0, 1);
  const lock = join(stateDir, "locks", `state-${stripe}.lock`);
  const how = { deadlineMs: options.deadlineMs ?? LOCK_MS_MAX };
  return withLock(fs, lock, how, () => {
    const next = change(readState<T>(fs, stateDir, name));
    writeState(fs, stateDir, name, next, options);
    return next;
  });
}

/** True when there was one. */
export function removeState(fs: Fs, stateDir: string, name: string): boolean {
  try {
    fs.unlink(statePath(stateDir, name));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw systemError(error, `remove state "${name}"`);
  }
}

/** Session ids and the like come from outside and become file names here. */
function statePath(stateDir: string, name: string): string {
  if (!/^[A-Za-z0-9_][\w.@-]{0,120}(\/[A-Za-z0-9_][\w.@-]{0,120}){0,3}$/.test(name)) {
    throw new SageError("unsafe_path", `Cannot use ${JSON.stringify(name.slice(0, 80))} as a name`);
  }
  return join(stateDir, name);
}
