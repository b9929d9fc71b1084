/**
 * Reads a note from disk, with what it takes to replace it safely later: its exact bytes, and whether it may
 * be replaced at all. Never blocks on a FIFO, never follows a link.
 */
import { rfc3339 } from "../base/clock.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { type FileInfo, readFull } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode, decodeExact } from "../base/utf8.ts";
import { NOTE_BYTES_MAX, NOTE_INDEXED_BYTES_MAX } from "../base/limits.ts";
import type { Note } from "../note/note.ts";
import { parseNote } from "../note/parse.ts";
import type { Store } from "./handle.ts";
import { openInside, quote, resolvePath } from "./paths.ts";
import { type FileStamp, noText, stampOf } from "./stamp.ts";

export interface LoadedNote {
  readonly note: Note;
  /** As on disk; for an oversized file only the beginning. */
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Relative to the store's root. */
  readonly path: string;
  readonly stamp: FileStamp;
  /** Why Sage must not rewrite, move or drop this file, or undefined. */
  readonly readOnly: string | undefined;
}

/** A file's bytes, and what the open file looked like after they were read. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly info: FileInfo;
}

/** Attempts, because a busy writer may replace the note while it is opened or read. */
const TRIES = 12;

export async function loadNote(store: Store, path: string): Promise<LoadedNote> {
  const { bytes, info } = readNoteBytes(store, path);
  return await toLoaded(path, bytes, info);
}

/** Parses a note from bytes that were read already. */
export async function toLoaded(
  path: string,
  bytes: Uint8Array,
  info: FileInfo,
): Promise<LoadedNote> {
  const reason = noText(bytes);
  if (reason !== undefined) {
    const what = reason === "binary" ? "no text" : reason;
    throw new SageError("invalid_note", `Cannot read ${quote(path)}: it is ${what}`);
  }
  const exact = decodeExact(bytes);
  const text = exact ?? decode(bytes);
  const written = rfc3339(info.mtimeMs);
  const note = await parseNote(text, path, { created: written, updated: written });
  const readOnly = info.size > bytes.length
    ? `it is larger than ${NOTE_BYTES_MAX / 1024} KiB`
    : exact === undefined
    ? "it is not valid UTF-8"
    : note.problem === undefined
    ? undefined
    : `line ${note.problem.line}, column ${note.problem.column}: ${note.problem.reason}`;
  return { note, bytes, text, path, stamp: stampOf(info), readOnly };
}

/** The bytes of a note: all of them, or the indexed part of an oversized one. */
export function readNoteBytes(store: Store, path: string): FileBytes {
  for (let tries = 1;; tries++) {
    try {
      const file = resolvePath(store, path);
      using handle = openInside(store.fs, file);
      const before = file.info;
      const bytesMax = before.size > NOTE_BYTES_MAX ? NOTE_INDEXED_BYTES_MAX : before.size;
      const bytes = readFull(handle, new Uint8Array(bytesMax));
      const info = handle.info();
      // An editor that writes in place may have emptied the file: read again if it changed meanwhile.
      const isSame = info.size === before.size && info.mtimeMs === before.mtimeMs;
      if (!isSame && tries < TRIES) continue;
      return { bytes, info };
    } catch (error) {
      // The file was replaced between `lstat` and `open`: another process was saving.
      const isReplaced = error instanceof SageError && error.code === "conflict";
      if ((isReplaced || systemErrorCode(error) === "ENOENT") && tries < TRIES) continue;
      throw systemError(error, `read ${quote(join(store.root, path))}`);
    }
  }
}
