/**
 * One session of opencode's database, read where it lies: a hook runs at each turn and cannot copy the file,
 * which holds the conversations of all projects. Nothing is left beside it: while opencode runs, its
 * write-ahead log is there, and reading needs nothing else. Without a log no program writes, and reading
 * would leave one, so a copy is read. (The program may not open a file as `immutable`: the runtime takes
 * SQLite's URI for a path.)
 */
import type { DatabaseSync } from "node:sqlite";
import { defined } from "../../base/defined.ts";
import { SageError } from "../../base/errors.ts";
import { fieldsOf, parsed, textOf } from "../../base/fields.ts";
import type { Fs } from "../../base/fs.ts";
import { HOOK_DATABASE_BYTES_MAX } from "../../base/limits.ts";
import { copyDatabase } from "../database_copy.ts";
import type { Transcript } from "../editor.ts";
import { COPY } from "./database.ts";
import { transcriptOf } from "./history.ts";
import type { Message } from "./rows.ts";

/** A larger part is a file or an output, of which a turn keeps two ends at most. */
const PART_CHARACTERS_MAX = 4 * 1024 * 1024;
/** opencode holds a lock for a moment when it opens the file. */
const BUSY_MS_MAX = 200;

interface Row {
  readonly database: string;
  readonly session: string;
}

/**
 * The last messages, in at most so many characters; empty if there is no database. `scratch`: a folder for a
 * copy. Throws SQLite's error for one with other tables, because a session that cannot be read must be noticed.
 */
export async function readLive(
  fs: Fs,
  row: Row,
  { charactersMax, scratch }: { readonly charactersMax: number; readonly scratch: string },
): Promise<Transcript> {
  const { database: path, session } = row;
  const nothing = { agent: "opencode", sessionId: session, cwd: "" };
  if (fs.lstat(path)?.kind !== "file") return transcriptOf(nothing, []);
  const { DatabaseSync } = await import("node:sqlite");
  const open = (file: string) => new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS_MAX });
  if (fs.lstat(`${path}-wal`) !== undefined) return readRows(open, row, charactersMax);
  const copy = copyDatabase(fs, path, {
    scratch,
    prefix: COPY,
    bytesMax: HOOK_DATABASE_BYTES_MAX,
  });
  if (copy === undefined) {
    throw new SageError("too_large", `Cannot copy "${path}": it is too large`, {
      hint: "start opencode: while it runs, no copy is needed",
    });
  }
  // From here on a hook that is out of time cannot end before the copy is gone.
  try {
    return readRows(open, { database: copy.path, session }, charactersMax);
  } finally {
    copy.remove();
  }
}

function readRows(
  open: (path: string) => DatabaseSync,
  { database: path, session }: Row,
  charactersMax: number,
): Transcript {
  using database = open(path);
  const [about] = database.prepare("select directory, revert from session where id = ?")
    .all(session);
  const parts = database.prepare(
    "select data from part where message_id = ? and length(data) <= ? order by id",
  );
  const rows = database.prepare(
    "select id, data from message where session_id = ? order by time_created desc, id desc",
  );
  // What a person took back stays in the database until the next prompt.
  const reverted = textOf(fieldsOf(parsed(textOf(about?.revert) ?? "")).messageID);
  const messages: Message[] = [];
  let left = charactersMax;
  let fromStart = true;
  for (const row of rows.iterate(session)) {
    const id = textOf(row.id) ?? "";
    if (reverted !== undefined && id >= reverted) continue;
    const texts = parts.all(id, PART_CHARACTERS_MAX).map(({ data }) => textOf(data) ?? "");
    left -= texts.reduce((sum, text) => sum + text.length, 0);
    if (left < 0) {
      fromStart = false;
      break;
    }
    const data = fieldsOf(parsed(textOf(row.data) ?? ""));
    messages.push({ id, data, parts: texts.map((text) => fieldsOf(parsed(text))) });
  }
  const count = database.prepare("select count(*) as n from message where session_id = ?")
    .all(session)[0]?.n;
  const cwd = textOf(about?.directory);
  return {
    ...transcriptOf({ sessionId: session, ...defined({ cwd }) }, messages.reverse()),
    fromStart,
    // Of rows there is no offset: their number says as well whether any came since.
    endOffset: Number(count),
  };
}
