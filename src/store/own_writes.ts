/**
 * Which bytes Sage itself wrote lately. A note is left alone for two seconds after somebody else
 * changed it; this keeps Sage from waiting for itself. Hashes only; a hint that may be lost.
 */
import { decode, encode, type Fs, join, readIfFile, writeInto } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import { lockDir, type Store } from "./handle.ts";

/** Sage's own writes are on disk within this time of the second that they are dated with. */
export const OWN_WRITE_MS = 10_000;
const LINE_BYTES = 33;
/** The last two seconds matter; beyond this size older lines are dropped. */
const FILE_BYTES_MAX = 1024 * LINE_BYTES;
const KEPT_BYTES = 256 * LINE_BYTES;

/** Records that these bytes are Sage's. One append, without a lock. */
export function rememberOwnWrite(store: Store, bytes: Uint8Array): void {
  const { fs } = store;
  const path = writtenPath(store);
  try {
    const isFull = (fs.lstat(path)?.size ?? 0) >= FILE_BYTES_MAX;
    const kept = isFull ? readWritten(fs, path).slice(-KEPT_BYTES) : "";
    fs.makeDir(lockDir(store), 0o700);
    const how = { ...isFull ? { write: true, truncate: true } : { append: true }, create: true };
    writeInto(fs, path, { ...how, mode: 0o600 }, encode(kept + line(bytes)));
  } catch {
    // Without it the next writer of this note waits two seconds at most.
  }
}

/** True when these bytes are known to be Sage's. */
export function isOwnWrite(store: Store, bytes: Uint8Array): boolean {
  return readWritten(store.fs, writtenPath(store)).includes(line(bytes));
}

function readWritten(fs: Fs, path: string): string {
  try {
    return decode(readIfFile(fs, path, 2 * FILE_BYTES_MAX) ?? new Uint8Array());
  } catch {
    // As above.
    return "";
  }
}

function writtenPath(store: Store): string {
  return join(lockDir(store), "written");
}

function line(bytes: Uint8Array): string {
  return sha256Hex(bytes).slice(0, 32) + "\n";
}
