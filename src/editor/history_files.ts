/**
 * Shared by histories with one file for each session: a file is listed by its name and its head, and read
 * whole on demand. The agent's own reader knows where the files are and what they mean.
 */
import { isSystemError, systemErrorCode } from "../base/errors.ts";
import {
  type FileInfo,
  type FolderEntry,
  type Fs,
  listIfDir,
  readBytes,
  readFull,
} from "../base/fs.ts";
import { slashedAsWritten } from "../base/path.ts";
import { decode } from "../base/utf8.ts";
import type { Transcript } from "./editor.ts";
import { type History, HISTORY_BYTES_MAX, type HistoryPlace, type PastFile } from "./history.ts";

export function fileHistory(
  list: (place: HistoryPlace) => PastFile[],
  read: (bytes: Uint8Array, file: PastFile, fs: Fs) => Transcript,
): (place: HistoryPlace) => History {
  return (place) => ({
    list: () => Promise.resolve(list(place)),
    read: (file) =>
      Promise.resolve(read(readBytes(place.fs, file.path, HISTORY_BYTES_MAX), file, place.fs)),
    close: () => Promise.resolve(),
  });
}

export function pastFile(
  found: Pick<PastFile, "agent" | "path" | "sessionId">,
  { size, mtimeMs }: FileInfo,
  cwd: string | undefined,
): PastFile {
  return { ...found, size, mtimeMs, ...(cwd === undefined ? {} : { cwd: slashedAsWritten(cwd) }) };
}

/** Whether the session is looked for. */
export function isMeant({ only }: HistoryPlace, session: string): boolean {
  return only?.has(session) ?? true;
}

/** The entries of a folder; none if it cannot be read. */
export function entriesOf(place: HistoryPlace, folder: string): FolderEntry[] {
  return tried(place, folder, () => listIfDir(place.fs, folder)) ?? [];
}

/** A file's facts and its beginning. */
export function headOf(
  place: HistoryPlace,
  path: string,
  bytes: number,
): { readonly info: FileInfo; readonly head: string } | undefined {
  const { fs } = place;
  return tried(place, path, () => {
    const info = fs.lstat(path);
    return info && { info, head: decode(readBytes(fs, path, bytes)) };
  });
}

/** Undefined if it may not be read, as after a run of the agent as root. */
export function tried<T>(
  { onUnreadable }: HistoryPlace,
  path: string,
  look: () => T,
): T | undefined {
  try {
    return look();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // Deleted since it was listed.
    if (systemErrorCode(error) !== "ENOENT") onUnreadable(path);
    return undefined;
  }
}

/** The bytes of a file between two offsets, as far as it has them. */
export function bytesOf(fs: Fs, path: string, from: number, to: number): Uint8Array {
  using file = fs.open(path, { read: true });
  file.seek(from);
  return readFull(file, new Uint8Array(to - from));
}
