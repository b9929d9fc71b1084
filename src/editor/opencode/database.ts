/**
 * The rows of opencode's SQLite file, read from a copy: opening a database, even to read it, leaves files
 * beside it, and its owner may be at work. The runtime brings the engine; it is loaded here alone.
 */
import { now } from "../../base/clock.ts";
import { systemError, systemErrorCode } from "../../base/errors.ts";
import { type Fs, join } from "../../base/fs.ts";
import { randomHex } from "../../base/hash.ts";
import { fieldsOf, parsed, textOf } from "../turn_list.ts";
import type { Message, OpenRows } from "./rows.ts";

const BLOCK_BYTES = 1024 * 1024;
/** A history beyond this is copied for minutes, to a disk that may not have the room. */
const DATABASE_BYTES_MAX = 2 * 1024 ** 3;
const SESSIONS_MAX = 20_000;
/** What the engine keeps beside a database. */
const SUFFIXES = ["", "-wal", "-shm"];
const PREFIX = "opencode-";
/** Nobody reads a history for so long. */
const LEFT_MS_MIN = 3_600_000;

/** Undefined where the file is no database that can be read, or has other tables. */
export async function openRows(
  fs: Fs,
  path: string,
  scratch: string,
): Promise<OpenRows | undefined> {
  const size = SUFFIXES.reduce((sum, suffix) => sum + (fs.lstat(path + suffix)?.size ?? 0), 0);
  if (size > DATABASE_BYTES_MAX) return undefined;
  fs.makeDir(scratch, 0o700);
  sweep(fs, scratch);
  const copy = join(scratch, `${PREFIX}${randomHex(8)}.db`);
  const remove = (): void => {
    for (const suffix of SUFFIXES) {
      if (fs.lstat(copy + suffix) !== undefined) fs.unlink(copy + suffix);
    }
  };
  try {
    // The log after the data: what is written in between is in the log.
    for (const suffix of ["", "-wal"]) copyFile(fs, path + suffix, copy + suffix);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(copy);
    const rows = rowsOf((sql, ...values) => database.prepare(sql).all(...values));
    const close = (): void => {
      database.close();
      remove();
    };
    try {
      // Other tables are another opencode's.
      rows.sessions();
    } catch {
      close();
      return undefined;
    }
    return { ...rows, close };
  } catch (error) {
    remove();
    // The engine's own failures have no code of the system's.
    if (systemErrorCode(error) === undefined) return undefined;
    throw systemError(error, "copy opencode's sessions");
  }
}

/** A copy that a killed process left behind. */
function sweep(fs: Fs, scratch: string): void {
  for (const { name } of fs.list(scratch)) {
    const path = join(scratch, name);
    const age = now() - (fs.lstat(path)?.mtimeMs ?? Infinity);
    if (name.startsWith(PREFIX) && age > LEFT_MS_MIN) fs.unlink(path);
  }
}

type Query = (sql: string, ...values: (string | number)[]) => readonly Record<string, unknown>[];

function rowsOf(query: Query): Pick<OpenRows, "sessions" | "messages"> {
  return {
    sessions: () =>
      query(
        "select id, directory, time_updated from session where parent_id is null " +
          "order by time_updated desc limit ?",
        SESSIONS_MAX,
      ).flatMap(({ id, directory, time_updated }) => {
        const name = textOf(id) ?? "";
        if (!/^[A-Za-z0-9_-]{8,128}$/.test(name)) return [];
        return [{
          id: name,
          directory: textOf(directory) ?? "",
          updatedMs: Number(time_updated) || 0,
        }];
      }),
    messages: (session) =>
      query("select id, data from message where session_id = ? order by time_created, id", session)
        .map(({ id, data }): Message => ({
          id: textOf(id) ?? "",
          data: fieldsOf(parsed(textOf(data) ?? "")),
          parts: query("select data from part where message_id = ? order by id", textOf(id) ?? "")
            .map((part) => fieldsOf(parsed(textOf(part.data) ?? ""))),
        })),
  };
}

function copyFile(fs: Fs, from: string, to: string): void {
  if (fs.lstat(to) !== undefined) fs.unlink(to);
  if (fs.lstat(from)?.kind !== "file") return;
  const source = fs.open(from, { read: true });
  const target = fs.open(to, { write: true, createNew: true, mode: 0o600 });
  try {
    const block = new Uint8Array(BLOCK_BYTES);
    for (let count = source.read(block); count > 0; count = source.read(block)) {
      target.write(block.subarray(0, count));
    }
  } finally {
    source.close();
    target.close();
  }
}
