/**
 * A JSON cache of parsed tuning files (state/config.json in the user store), which spares hooks the
 * YAML parser. An entry is valid while the file's size and modification time are the same, and the whole
 * cache while Sage's version is. It may be deleted at any time; a failure to write it is ignored.
 */
import { writeAtomic } from "../base/atomic.ts";
import { versionName } from "../base/build_info.ts";
import { now } from "../base/clock.ts";
import { type FileInfo, type Fs, readIfFile } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode, encode } from "../base/utf8.ts";
import type { Tuning } from "./file.ts";
import { type Key, KEYS } from "./keys.ts";

/** One file a project, plus the user's; the entry written longest ago is dropped first. */
const FILES_MAX = 32;
const SNAPSHOT_BYTES_MAX = 256 * 1024;
/** A file changed this recently is not cached: it may change again with the same modification time. */
const RACY_MS = 2000;

interface Entry {
  readonly size: number;
  readonly mtime_ms: number;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

export interface Snapshot {
  /** The cached contents, if the file is unchanged. */
  find(path: string, info: FileInfo): Tuning | undefined;
  /** Remembers a file for the next process; written by `save`. */
  put(path: string, info: FileInfo, tuning: Tuning): void;
  /** Best effort, and only if the state folder already exists. */
  save(): void;
}

/** The snapshot of a user store: empty if it is missing, damaged or from another version. */
export function openSnapshot(fs: Fs, userDir: string): Snapshot {
  const path = join(userDir, "state", "config.json");
  const files = readFiles(fs, path);
  let isChanged = false;
  return {
    find(file, info) {
      const entry = files.get(file);
      if (entry?.size !== info.size || entry.mtime_ms !== info.mtimeMs) return undefined;
      const known = Object.entries(entry.values).filter(([key]) => KEYS.includes(key as Key));
      return { values: new Map(known as [Key, string][]), problems: entry.problems };
    },
    put(file, info, { values, problems }) {
      if (Math.abs(now() - info.mtimeMs) < RACY_MS) return;
      files.delete(file);
      files.set(file, {
        size: info.size,
        mtime_ms: info.mtimeMs,
        values: Object.fromEntries(values),
        problems,
      });
      isChanged = true;
    },
    save() {
      if (isChanged) write(fs, join(userDir, "state"), path, files);
    },
  };
}

function readFiles(fs: Fs, path: string): Map<string, Entry> {
  try {
    const bytes = readIfFile(fs, path, SNAPSHOT_BYTES_MAX);
    if (bytes === undefined) return new Map();
    const json = JSON.parse(decode(bytes));
    if (json.version !== versionName()) return new Map();
    return new Map(
      Object.entries(json.files as Record<string, Entry>).filter(([, entry]) =>
        Array.isArray(entry.problems) &&
        Object.values(entry.values).every((value) => typeof value === "string")
      ),
    );
  } catch {
    // Derived data: an unreadable file is the same as none.
    return new Map();
  }
}

function write(fs: Fs, dir: string, path: string, files: ReadonlyMap<string, Entry>): void {
  const kept = Object.fromEntries([...files].slice(-FILES_MAX));
  try {
    if (fs.lstat(dir)?.kind !== "dir") return;
    const bytes = encode(JSON.stringify({ version: versionName(), files: kept }));
    writeAtomic(fs, path, bytes, { mode: 0o600, durable: false });
  } catch {
    // Derived data: the next process parses the YAML again.
  }
}
