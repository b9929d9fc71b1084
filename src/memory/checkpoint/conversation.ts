/**
 * The conversation behind a checkpoint: what was said since the save before it. Kept only where the
 * person turned it on, on this machine, without private text and secrets, compressed. Sage's own
 * format, because the editor's may change. Losing it loses no note.
 */
import { attempt } from "../../base/attempt.ts";
import { writeAtomic } from "../../base/atomic.ts";
import { fieldsOf } from "../../base/fields.ts";
import { listIfDir, readBytes, readIfFile } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { encode } from "../../base/utf8.ts";
import { readJsonLines } from "../../base/jsonl.ts";
import { writeLog } from "../../base/log.ts";
import { cut } from "../../base/text/text.ts";
import { estimateTokens } from "../../base/text/tokens.ts";
import type { Transcript } from "../../editor/editor.ts";
import { isExcluded } from "../write/capture.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "../session/state/session_state.ts";
import { newTurns, readTurns } from "../session/turns.ts";

export interface SaidTurn {
  readonly at: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** What the agent did, a line each. */
  readonly did: readonly string[];
}

const CONVERSATIONS_FOLDER = "transcripts";

/**
 * The most that is kept of one conversation, from its end: what a hook can redact and compress in
 * its time.
 */
const CHARACTERS_MAX = 512 * 1024;
/** How many are kept; one takes some ten kilobytes. */
const CONVERSATIONS_MAX = 500;
/** The most that a compressed file may hold when it is read back. */
const BYTES_MAX = 8 * 1024 * 1024;
const COMMAND_CHARACTERS_MAX = 400;

/** Keeps the turns since the last save in `state`. A failure costs this copy, never the save. */
export async function keepConversation(
  memory: Memory,
  id: string,
  state: SessionState | undefined,
): Promise<void> {
  const { fs, places } = memory;
  try {
    // A save by hand in an excluded project is made, but its conversation is not read.
    if (await isExcluded(memory)) return;
    const transcript = await readTurns(memory, state?.transcriptPath);
    if (transcript === undefined) return;
    const turns = await clean(memory, saidTurns(transcript, state));
    if (turns.length === 0) return;
    const lines = turns.map((turn) => JSON.stringify(turn) + "\n").join("");
    const bytes = await through(encode(lines), new CompressionStream("gzip"));
    fs.makeDir(join(places.stateDir, CONVERSATIONS_FOLDER), 0o700);
    writeAtomic(fs, conversationPath(memory, id), bytes, { mode: 0o600, durable: true });
    dropOldest(memory);
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    writeLog(fs, places.stateDir, memory.now(), "conversation", { outcome: "failed", error: name });
  }
}

/** What was said behind a checkpoint, or undefined where nothing was kept, or nothing that can be read. */
export async function readConversation(
  memory: Memory,
  id: string,
): Promise<readonly SaidTurn[] | undefined> {
  const path = conversationPath(memory, id);
  return await attempt(undefined, () => {
    const packed = readIfFile(memory.fs, path, BYTES_MAX);
    return packed === undefined ? undefined : unpack(packed);
  });
}

/** Undefined for what was torn by a power cut, or is not ours. */
async function unpack(packed: Uint8Array): Promise<readonly SaidTurn[] | undefined> {
  const lines = await attempt(undefined, () => through(packed, new DecompressionStream("gzip")));
  return lines && readJsonLines(lines).filter(isTurn);
}

/** The last turns that fit into the tokens: whoever continues needs the end. */
export function lastTurns(turns: readonly SaidTurn[], tokensMax: number): readonly SaidTurn[] {
  let left = tokensMax;
  const first = turns.findLastIndex(({ text, did }) => {
    left -= estimateTokens([text, ...did].join("\n")) + TURN_TOKENS;
    return left < 0;
  });
  return turns.slice(first + 1);
}

/** The tokens of a turn's heading: who spoke, and when. */
const TURN_TOKENS = 12;

export function hasConversation(memory: Memory, id: string): boolean {
  return memory.fs.lstat(conversationPath(memory, id))?.kind === "file";
}

/**
 * Deletes the oldest beyond CONVERSATIONS_MAX. The folder holds those of all projects, also of
 * checkpoints that are gone.
 */
function dropOldest({ fs, places }: Memory): void {
  const folder = join(places.stateDir, CONVERSATIONS_FOLDER);
  const names = fs.list(folder).filter(({ name }) => name.endsWith(EXTENSION));
  if (names.length <= CONVERSATIONS_MAX) return;
  const paths = names.map(({ name }) => join(folder, name));
  const oldestFirst = paths.map((path) => ({ path, at: fs.lstat(path)?.mtimeMs ?? 0 }))
    .sort((a, b) => a.at - b.at);
  for (const { path } of oldestFirst.slice(0, names.length - CONVERSATIONS_MAX)) fs.unlink(path);
}

/**
 * Deletes the conversation of a checkpoint, and every other one with a forgotten sentence in it. One that
 * cannot be unpacked serves nobody and may have it too. Fails on one that may not be read.
 */
export async function dropConversations(
  memory: Memory,
  id: string,
  saysForgotten: (text: string) => boolean,
): Promise<string[]> {
  const { fs, places } = memory;
  const folder = join(places.stateDir, CONVERSATIONS_FOLDER);
  const dropped: string[] = [];
  for (const { name, kind } of listIfDir(fs, folder)) {
    if (kind !== "file" || !name.endsWith(EXTENSION)) continue;
    const path = join(folder, name);
    const turns = path === conversationPath(memory, id)
      ? undefined
      : await unpack(readBytes(fs, path, BYTES_MAX));
    if (turns !== undefined && !turns.some(({ text }) => saysForgotten(text))) continue;
    fs.unlink(path);
    dropped.push(path);
  }
  return dropped;
}

const EXTENSION = ".jsonl.gz";

function conversationPath({ places }: Memory, id: string): string {
  return join(places.stateDir, CONVERSATIONS_FOLDER, id + EXTENSION);
}

/** What was said and done, without the output of tools, which is most of a transcript. */
function saidTurns(transcript: Transcript, state: SessionState | undefined): SaidTurn[] {
  const kept: SaidTurn[] = [];
  let left = CHARACTERS_MAX;
  for (const { at, role, text, tools } of newTurns(transcript, state).toReversed()) {
    const did = tools.map(({ name, command, filePath, description }) =>
      cut(`${name} ${command ?? filePath ?? description ?? ""}`.trim(), COMMAND_CHARACTERS_MAX)
    );
    if (text.trim() === "" && did.length === 0) continue;
    left -= text.length + did.join("").length;
    if (left < 0) break;
    kept.push({ at, role, text, did });
  }
  return kept.reverse();
}

/** Without private text, secrets and forgotten sentences, as in every automatic save. */
async function clean(memory: Memory, turns: SaidTurn[]): Promise<readonly SaidTurn[]> {
  return (await cleanDraft(memory, turns, { by: "sage", explicit: false })).draft;
}

async function through(
  bytes: Uint8Array,
  stream: { readonly readable: ReadableStream; readonly writable: WritableStream },
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  // A stream that cannot be decompressed fails at both ends; the reading end is awaited.
  written.catch(() => {});
  const out = new Uint8Array(await new Response(stream.readable).arrayBuffer());
  await written;
  return out;
}

function isTurn(value: unknown): value is SaidTurn {
  const { role, text, did } = fieldsOf(value);
  return (role === "user" || role === "assistant") && typeof text === "string" &&
    Array.isArray(did);
}
