/**
 * Reads a session file of Claude Code. The format is the client's own and changes: what is unknown is
 * skipped, an incomplete last line is normal, and a hook reads only the end of the file. conversation.ts
 * interprets the lines, lines.ts finds them.
 */
import { type Fs, realFs } from "../../base/fs.ts";
import { basename } from "../../base/path.ts";
import { TRANSCRIPT_TAIL_BYTES } from "../../base/limits.ts";
import { collapse } from "../../base/text/text.ts";
import type { Transcript, Turn } from "../editor.ts";
import { Conversation } from "./conversation.ts";
import { walkRecords } from "./lines.ts";

export interface ReadOptions {
  readonly fs?: Fs;
  /** How much of the end is read; `Infinity` reads the whole file in bounded memory. */
  readonly tailBytes?: number;
  /** How much of the beginning is read, instead of the end. */
  readonly headBytes?: number;
}

/** The transcript of the part that is read. Without a file, as when a session begins, it has no turns. */
export function readTranscript(path: string, options: ReadOptions = {}): Transcript {
  const fs = options.fs ?? realFs;
  const conversation = new Conversation();
  const info = fs.lstat(path);
  // Only a regular file is opened: a pipe would block, a link may lead anywhere.
  if (info?.kind !== "file") {
    const nothing = conversation.finish({ fromStart: true, endOffset: 0 });
    return { ...nothing, sessionId: sessionIdOf(path) };
  }
  const { headBytes, tailBytes = TRANSCRIPT_TAIL_BYTES } = options;
  const from = headBytes === undefined ? Math.max(0, info.size - tailBytes) : 0;
  const to = Math.min(info.size, headBytes ?? Infinity);
  using file = fs.open(path, { read: true });
  const endOffset = walkRecords(file, from, to, (record) => conversation.add(record));
  const transcript = conversation.finish({ fromStart: from === 0, endOffset });
  return transcript.sessionId === "" ? { ...transcript, sessionId: sessionIdOf(path) } : transcript;
}

/**
 * The transcript with the reply that the stop hook got, which in a quarter of all turns is not in the file
 * yet.
 */
export function withLastMessage(transcript: Transcript, text: string | undefined): Transcript {
  const wanted = collapse(text ?? "");
  if (wanted === "") return transcript;
  for (let i = transcript.turns.length - 1; i >= 0; i--) {
    const turn = transcript.turns[i];
    if (turn === undefined || turn.role === "user") break;
    if (collapse(turn.text).includes(wanted)) return transcript;
  }
  const last: Turn = {
    uuid: "last-assistant-message",
    role: "assistant",
    at: "",
    text: text ?? "",
    tools: [],
  };
  return { ...transcript, turns: [...transcript.turns, last] };
}

/** The turns that no earlier file of a fork holds: copies keep the uuid of what they copy. */
export function turnsNotIn(transcript: Transcript, known: ReadonlySet<string>): readonly Turn[] {
  return transcript.turns.filter((turn) => !known.has(turn.uuid));
}

/** The tokens of a model's context window. The caller applies the editor's own setting. */
export function contextWindow(model: string): number {
  const name = model.toLowerCase();
  if (name.includes("[1m]") || /^(?:opus|sonnet|fable)$/.test(name)) return 1_000_000;
  // The generation follows the family (`claude-opus-5-5`); before the fifth the large window was extra.
  const generation = /(?:opus|sonnet|fable)-(\d{1,2})(?!\d)/.exec(name)?.[1];
  return Number(generation ?? 0) >= 5 ? 1_000_000 : 200_000;
}

function sessionIdOf(path: string): string {
  return basename(path).replace(/\.jsonl$/, "");
}
