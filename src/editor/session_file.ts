/**
 * Reads the conversation in a session's file, of any agent, recognized by the file's name. Readers for
 * other agents than Claude Code are imported on demand.
 */
import type { Fs } from "../base/fs.ts";
import { basename } from "../base/path.ts";
import { type ReadOptions, readTranscript } from "./claude_code/transcript.ts";
import { conversationIn } from "./cursor/place.ts";
import type { Transcript } from "./editor.ts";
import { HISTORY_BYTES_MAX } from "./history.ts";
import { bytesOf } from "./history_files.ts";
import { sessionInDatabase } from "./opencode/place.ts";
import { eventsIn } from "./vscode/place.ts";

/** The end of a session of rows: what a prompt can wait for. */
const ROWS_CHARACTERS_MAX = 1024 * 1024;

/** Claude Code's files are named by the session's id only. */
const OTHERS = /^(?:rollout|session)-.*\.jsonl?$/;

export async function readSessionFile(
  path: string,
  options: Required<Pick<ReadOptions, "fs" | "tailBytes">> & {
    /** A folder of Sage's own, for a database that must be copied before it can be read. */
    readonly scratch: string;
  },
): Promise<Transcript> {
  const row = sessionInDatabase(path);
  if (row !== undefined) {
    const { readLive } = await import("./opencode/live.ts");
    const { fs, tailBytes, scratch } = options;
    const charactersMax = tailBytes === Infinity ? HISTORY_BYTES_MAX : ROWS_CHARACTERS_MAX;
    return await readLive(fs, row, { charactersMax, scratch });
  }
  if (conversationIn(path) !== undefined) {
    const { readConversation } = await import("./cursor/history.ts");
    const mtimeMs = options.fs.lstat(path)?.mtimeMs ?? 0;
    const { bytes, size, from } = endOf(options.fs, path, options.tailBytes);
    return {
      ...readConversation(bytes, path, { mtimeMs, from }),
      endOffset: size,
      fromStart: from === 0,
    };
  }
  if (eventsIn(path) !== undefined) {
    const { readEvents } = await import("./vscode/history.ts");
    const { bytes, size, from } = endOf(options.fs, path, options.tailBytes);
    return { ...readEvents(bytes, path), endOffset: size, fromStart: from === 0 };
  }
  if (!OTHERS.test(basename(path))) return readTranscript(path, options);
  const { readRollout, rolloutSession, withEarlier } = await import("./codex/history.ts");
  const session = rolloutSession(path);
  // A file that is one JSON value cannot be read from its end.
  const isWhole = path.endsWith(".json");
  const { bytes, size, from } = endOf(options.fs, path, isWhole ? Infinity : options.tailBytes);
  const extent = { endOffset: size, fromStart: from === 0 };
  if (session !== undefined) {
    const room = Math.min(options.tailBytes, HISTORY_BYTES_MAX) - bytes.length;
    const all = from === 0 ? withEarlier(options.fs, path, bytes, room) : { bytes, isWhole: false };
    return { ...readRollout(all.bytes, session), ...extent, fromStart: all.isWhole };
  }
  const { readChat } = await import("./gemini/history.ts");
  return { ...readChat(bytes, path), ...extent };
}

/** Every line of a branch says where it comes from. */
const ORIGIN_BYTES = 64 * 1024;

/** The session that this one was forked from, if the file says so. */
export async function readOrigin(path: string, fs: Fs): Promise<string | undefined> {
  // Forks of opencode's are sessions of their own, with copies of messages under new ids; others name none.
  if ([sessionInDatabase, conversationIn, eventsIn].some((known) => known(path) !== undefined)) {
    return undefined;
  }
  if (!OTHERS.test(basename(path))) {
    return readTranscript(path, { fs, tailBytes: ORIGIN_BYTES }).forkedFrom;
  }
  const { rolloutOrigin } = await import("./codex/history.ts");
  return rolloutOrigin(fs, path);
}

/** The last bytes of a file; none if it does not exist yet. */
function endOf(
  fs: Fs,
  path: string,
  bytesMax: number,
): { bytes: Uint8Array; size: number; from: number } {
  const info = fs.lstat(path);
  if (info?.kind !== "file") return { bytes: new Uint8Array(), size: 0, from: 0 };
  const { size } = info;
  const from = Math.max(0, size - Math.min(bytesMax, HISTORY_BYTES_MAX));
  const bytes = bytesOf(fs, path, from, size);
  return { bytes, size: from + bytes.length, from };
}
