/**
 * Remembers what Sage itself wrote recently, by hash. A note is not replaced within two seconds after
 * somebody changed it; this keeps Sage from waiting for itself. Only a hint: the file may be lost.
 */
import { type Fs, readIfFile, writeInto } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode, encode } from "../base/utf8.ts";
import { sha256Hex } from "../base/hash.ts";
import { lockDir, type Store } from "./handle.ts";

/** A file that is newer than its note's `updated` by more than this was written by somebody else. */
export const OWN_WRITE_MS = 10_000;
const LINE_BYTES = 33;
/** Only the last two seconds matter: of a larger file the older lines are dropped. */
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
    writeInto(fs, path, { ...how, mode: 0o600 }, [encode(kept + line(bytes))]);
  } catch {
    // Without it the next writer of this note waits two seconds at most.
  }
}

/** Whether these bytes are known to be Sage's. */
export function isOwnWrite(store: Store, bytes: Uint8Array): boolean {
  return readWritten(store.fs, writtenPath(store)).includes(line(bytes));
}

function readWritten(fs: Fs, path: string): string {
  try {
    return decode(readIfFile(fs, path, 2 * FILE_BYTES_MAX) ?? new Uint8Array());
  } catch {
    // As above: a hint only.
    return "";
  }
}

function writtenPath(store: Store): string {
  return join(lockDir(store), "written");
}

function line(bytes: Uint8Array): string {
  return sha256Hex(bytes).slice(0, 32) + "\n";
}
