/** The rows of opencode's SQLite file. */
import { fieldsOf, parsed, textOf } from "../../base/fields.ts";
import type { Fs } from "../../base/fs.ts";
import { type CopyOptions, type DatabaseCopy, openDatabaseCopy } from "../database_copy.ts";
import type { Message, OpenRows } from "./rows.ts";

const SESSIONS_MAX = 20_000;
/** How the names of copies begin. */
export const COPY = "opencode-";

/** Undefined if the file is not a readable database, or has other tables. */
export async function openRows(
  fs: Fs,
  path: string,
  options: Omit<CopyOptions, "prefix">,
): Promise<OpenRows | undefined> {
  const copy = await openDatabaseCopy(fs, path, { ...options, prefix: COPY });
  if (copy === undefined) return undefined;
  const rows = rowsOf(copy);
  try {
    // The tables are those of another version.
    rows.sessions();
  } catch {
    copy.close();
    return undefined;
  }
  return { ...rows, close: () => copy.close() };
}

function rowsOf({ query }: DatabaseCopy): Pick<OpenRows, "sessions" | "messages"> {
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
