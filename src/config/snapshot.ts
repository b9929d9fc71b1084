/**
 * What the tuning files said when they were last read, in JSON, so that a hook parses no YAML. Each
 * file is known by size and modification time, and which settings there are by the program that read it.
 * Derived: it may be deleted at any time, and failing to write it costs the next process a millisecond.
 */
import { writeAtomic } from "../base/atomic.ts";
import { versionName } from "../base/build_info.ts";
import { now } from "../base/clock.ts";
import { decode, encode, type FileInfo, type Fs, join, readIfFile } from "../base/fs.ts";
import type { Tuning } from "./file.ts";
import { type Key, KEYS } from "./keys.ts";

/** Projects come and go; the oldest entry leaves first. */
const FILES_MAX = 32;
const SNAPSHOT_BYTES_MAX = 256 * 1024;
/** A file that changed this shortly before may change again within one tick of its clock. */
const RACY_MS = 2000;

interface Entry {
  readonly size: number;
  readonly mtime_ms: number;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

export interface Snapshot {
  /** What the file said, if it is still the same file. */
  find(path: string, info: FileInfo): Tuning | undefined;
  /** Remembers a file for the next process; written by `save`. */
  put(path: string, info: FileInfo, tuning: Tuning): void;
  /** Best effort, and only where the folder for machine state is there already. */
  save(): void;
}

/** The snapshot of a user store. A missing or damaged one, or another version's, is empty. */
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
        typeof entry.values === "object" && entry.values !== null &&
        Array.isArray(entry.problems) &&
        Object.values(entry.values).every((value) => typeof value === "string")
      ),
    );
  } catch {
    // Derived: unreadable is the same as absent.
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
    // Derived: the next process reads the YAML again.
  }
}
