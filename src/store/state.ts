/**
 * Small machine-made JSON files in `state/`: cooldowns, ledgers, registries. The last complete line is the
 * value, so that a reader sees the old value or the new one. Without a complete line a file counts as
 * missing, except for what nobody can make again (`readKept`). All of them may be deleted.
 */
import { ifReadable } from "../base/attempt.ts";
import { writeAtomic } from "../base/atomic.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { type Fs, readIfFile, removeIfThere, writeInto } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { decode, encode } from "../base/utf8.ts";
import { sha256Hex } from "../base/hash.ts";
import { LOCK_MS_MAX } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";

const STATE_BYTES_MAX = 16 * 1024 * 1024;
/** A file that would become larger is rewritten, without the old values. */
const APPENDED_BYTES_MAX = 32 * 1024;

export interface WriteOptions {
  /** Synced, so that a power cut cannot bring back the value before. */
  readonly durable?: boolean;
  /**
   * Appends the new value to the old ones. For values that every prompt writes, because replacing a file
   * makes ext4 allocate and submit its blocks, which is slow on a busy disk. Old values stay readable, so
   * never use it for what may have to be forgotten.
   */
  readonly append?: boolean;
  /** Throws EEXIST if there is a value. A crash may leave a torn one, which counts as missing. */
  readonly isNew?: boolean;
}

/**
 * The value last written under `name` (`cooldown/<session>.json`); undefined if there is none, or if the file
 * is damaged or cannot be read, which `sage status` reports. Whoever acts on its absence, as by writing it
 * anew, takes `readStateOrThrow`.
 */
export function readState<T>(fs: Fs, stateDir: string, name: string): T | undefined {
  return ifReadable(undefined, () => readLast(fs, statePath(stateDir, name))) as T | undefined;
}

/** The same; throws if there is a file that cannot be read. */
export function readStateOrThrow<T>(fs: Fs, stateDir: string, name: string): T | undefined {
  const path = statePath(stateDir, name);
  try {
    return readLast(fs, path) as T | undefined;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw systemError(error, `read "${path}"`);
  }
}

/**
 * The same for what a person decided, or what nobody can make again: throws also if there is a file without a
 * whole value, so that it is neither taken for missing nor written over. `isWhole` looks at the shape.
 */
export function readKept<T>(
  fs: Fs,
  stateDir: string,
  name: string,
  isWhole: (value: unknown) => boolean,
): T | undefined {
  const value = readStateOrThrow<T>(fs, stateDir, name);
  const path = statePath(stateDir, name);
  if (value === undefined && fs.lstat(path)?.kind !== "file") return undefined;
  if (isWhole(value)) return value;
  throw new SageError("invalid_config", `Cannot read "${path}": it is damaged`, {
    hint: "move it away, then repeat",
  });
}

/** Whether there is a file that can be read and holds no whole value. */
export function isDamaged(
  fs: Fs,
  stateDir: string,
  name: string,
  isWhole: (value: unknown) => boolean,
): boolean {
  try {
    readKept(fs, stateDir, name, isWhole);
    return false;
  } catch (error) {
    return error instanceof SageError && error.code === "invalid_config";
  }
}

function readLast(fs: Fs, path: string): unknown {
  const bytes = readIfFile(fs, path, STATE_BYTES_MAX);
  return bytes === undefined ? undefined : lastValue(decode(bytes));
}

/** The value of the last complete line: an interrupted write leaves a torn one. */
function lastValue(text: string): unknown {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    try {
      if (start < end) return JSON.parse(text.slice(start, end));
    } catch {
      // Torn, or damaged.
    }
    end = start - 1;
  }
  return undefined;
}

/** Replaces the value. Not synced unless `durable`: a power cut may bring back the one before. */
export function writeState(
  fs: Fs,
  stateDir: string,
  name: string,
  value: unknown,
  options: WriteOptions = {},
): void {
  const path = statePath(stateDir, name);
  const bytes = encode(JSON.stringify(value) + "\n");
  const mode = 0o600;
  const write = (): void => {
    if (options.isNew === true) {
      writeInto(fs, path, { write: true, createNew: true, mode }, [bytes]);
    } else writeAtomic(fs, path, bytes, { mode, durable: options.durable ?? false });
  };
  try {
    if (options.append === true && append(fs, path, bytes)) return;
    try {
      write();
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
      fs.makeDir(dirname(path), 0o700);
      write();
    }
  } catch (error) {
    throw systemError(error, `write "${path}"`);
  }
}

/** False if there is no file to append to, or it would grow too large. */
function append(fs: Fs, path: string, bytes: Uint8Array): boolean {
  const info = fs.lstat(path);
  if (info?.kind !== "file" || info.size + bytes.length > APPENDED_BYTES_MAX) return false;
  // Begins with a line break, because the last line may be torn.
  writeInto(fs, path, { append: true }, [encode("\n" + decode(bytes))]);
  return true;
}

/** Reads, changes and writes as one step under a lock. `isWhole`: as for `readKept`. */
export function updateState<T>(
  fs: Fs,
  stateDir: string,
  name: string,
  change: (old: T | undefined) => T,
  options: WriteOptions & {
    readonly deadlineMs?: number;
    readonly isWhole?: (value: unknown) => boolean;
  } = {},
): T {
  // Names share 16 lock files, because lock files are never deleted and each session has its own name.
  const stripe = sha256Hex(name).slice(0, 1);
  const lock = join(stateDir, "locks", `state-${stripe}.lock`);
  const how = { deadlineMs: options.deadlineMs ?? LOCK_MS_MAX };
  return withLock(fs, lock, how, () => {
    const { isWhole } = options;
    const old = isWhole === undefined
      ? readStateOrThrow<T>(fs, stateDir, name)
      : readKept<T>(fs, stateDir, name, isWhole);
    const next = change(old);
    writeState(fs, stateDir, name, next, options);
    return next;
  });
}

/** Returns whether there was one. */
export function removeState(fs: Fs, stateDir: string, name: string): boolean {
  try {
    return removeIfThere(fs, statePath(stateDir, name));
  } catch (error) {
    throw systemError(error, `remove "${statePath(stateDir, name)}"`);
  }
}

/** Returns the paths of those that existed. */
export function removeStates(fs: Fs, stateDir: string, names: readonly string[]): string[] {
  return names.filter((name) => removeState(fs, stateDir, name)).map((name) =>
    join(stateDir, name)
  );
}

/** The path of a state file. Names may contain session ids and the like, which come from outside. */
function statePath(stateDir: string, name: string): string {
  if (!/^[A-Za-z0-9_][\w.@-]{0,120}(\/[A-Za-z0-9_][\w.@-]{0,120}){0,3}$/.test(name)) {
    throw new SageError("unsafe_path", `Cannot use ${JSON.stringify(name.slice(0, 80))} as a name`);
  }
  return join(stateDir, name);
}
