/**
 * Reads another program's SQLite file from a copy: opening a database, even to read it, leaves files beside
 * it, and the program may be writing. Uses the runtime's SQLite, which is loaded here only.
 */
import { now } from "../base/clock.ts";
import { systemError } from "../base/errors.ts";
import { chunksOf, type Fs, listIfDir, removeIfThere } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { randomHex } from "../base/hash.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface DatabaseCopy {
  /** The rows of a query, integers as BigInt. Throws SQLite's error for a missing table or column. */
  query(sql: string, ...values: (string | number)[]): readonly Row[];
  /** Removes the copy. */
  close(): void;
}

/** A larger file would take minutes to copy, and the disk may not have the room. */
const DATABASE_BYTES_MAX = 2 * 1024 ** 3;
/** Suffixes of the files that SQLite keeps beside a database. */
const SUFFIXES = ["", "-wal", "-shm"];
const COPY_NAME = /^(?:opencode|claude-mem)-[0-9a-f]{16}\.db(?:-wal|-shm)?$/;
/** A copy older than this was left by a killed process. */
const LEFT_MS_MIN = 3_600_000;

export interface CopyOptions {
  /** A folder of Sage's own. */
  readonly scratch: string;
  /** How the copy's name begins. */
  readonly prefix: string;
  readonly bytesMax?: number;
}

/** A copy of the file and its log, until it is removed; undefined if they are too large. */
export function copyDatabase(
  fs: Fs,
  path: string,
  { scratch, prefix, bytesMax = DATABASE_BYTES_MAX }: CopyOptions,
): { readonly path: string; remove(): void } | undefined {
  const size = SUFFIXES.reduce((sum, suffix) => sum + (fs.lstat(path + suffix)?.size ?? 0), 0);
  if (size > bytesMax) return undefined;
  fs.makeDir(scratch, 0o700);
  sweepCopies(fs, scratch);
  const copy = join(scratch, `${prefix}${randomHex(8)}.db`);
  const remove = (): void => {
    for (const suffix of SUFFIXES) {
      if (fs.lstat(copy + suffix) !== undefined) fs.unlink(copy + suffix);
    }
  };
  try {
    // The write-ahead log last, since it has what is written during the copy.
    for (const suffix of ["", "-wal"]) copyFile(fs, path + suffix, copy + suffix);
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw systemError(error, `copy "${path}"`);
  }
}

/** Undefined if the file is not a readable database, or too large to copy. */
export async function openDatabaseCopy(
  fs: Fs,
  path: string,
  options: CopyOptions,
): Promise<DatabaseCopy | undefined> {
  const copy = copyDatabase(fs, path, options);
  if (copy === undefined) return undefined;
  try {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(copy.path);
    const close = (): void => {
      database.close();
      copy.remove();
    };
    try {
      database.prepare("select count(*) from sqlite_master").all();
    } catch {
      close();
      return undefined;
    }
    return {
      query(sql, ...values) {
        const statement = database.prepare(sql);
        // Otherwise one integer beyond 2^53 would make the whole query fail.
        statement.setReadBigInts(true);
        return statement.all(...values);
      },
      close,
    };
  } catch {
    // SQLite's own error: it is no database.
    copy.remove();
    return undefined;
  }
}

/** Removes copies that killed processes left behind. */
export function sweepCopies(fs: Fs, scratch: string): void {
  for (const { name } of listIfDir(fs, scratch)) {
    const path = join(scratch, name);
    const age = now() - (fs.lstat(path)?.mtimeMs ?? Infinity);
    if (COPY_NAME.test(name) && age > LEFT_MS_MIN) removeIfThere(fs, path);
  }
}

function copyFile(fs: Fs, from: string, to: string): void {
  removeIfThere(fs, to);
  if (fs.lstat(from)?.kind !== "file") return;
  using source = fs.open(from, { read: true });
  using target = fs.open(to, { write: true, createNew: true, mode: 0o600 });
  for (const chunk of chunksOf(source)) target.write(chunk);
}
