/** The conversation of a session, and which part of it is new since the last save. */
import { parseTime } from "../../base/clock.ts";
import { mapChanged } from "../../base/map_changed.ts";
import { withoutReasoning } from "../../base/text/reasoning.ts";
import { withoutRecalled } from "../../base/text/recalled_fence.ts";
import { TRANSCRIPT_TAIL_BYTES } from "../../base/limits.ts";
import type { ToolUse, Transcript, Turn } from "../../editor/editor.ts";
import { withLastMessage } from "../../editor/claude_code/transcript.ts";
import { stripPrivate, withholdPrivate } from "../../guard/private.ts";
import { openIgnores } from "../../store/ignore.ts";
import type { Memory } from "../memory.ts";
import { readConversation } from "./conversation.ts";
import type { SessionState } from "./state/session_state.ts";

/** Timestamps of a transcript carry fractions of a millisecond. */
function timeOf(turn: Turn): number | undefined {
  return turn.at === "" ? undefined : parseTime(turn.at);
}

interface ReadTurnsOptions {
  /** The last reply, which the file may lack still. */
  readonly lastMessage?: string | undefined;
  /** All of the file, in bounded memory, instead of its end. */
  readonly whole?: boolean;
  /** Only what came after this save, and some of what came before. */
  readonly since?: SessionState["lastSave"];
  /** Where the session worked, if that is not where this process does. */
  readonly from?: Pick<SessionState, "dir" | "checkout">;
}

/**
 * How much of what came before a save is read for comparison, because a topic may have begun there.
 * Where tools printed much, the first amount holds next to nothing that was said, and the next is
 * read.
 */
const EARLIER_BYTES = [64 * 1024, 512 * 1024, TRANSCRIPT_TAIL_BYTES];
const EARLIER_EXCHANGES = 8;

/**
 * The turns of a transcript, without private text and without what is about excluded paths;
 * undefined where there is no file.
 */
export async function readTurns(
  memory: Memory,
  path: string | undefined,
  options: ReadTurnsOptions = {},
): Promise<Transcript | undefined> {
  if (path === undefined) return undefined;
  const size = memory.fs.lstat(path)?.size ?? 0;
  const offset = options.since?.offset ?? 0;
  // The client, or a person, made the file anew.
  const saved = offset > size ? 0 : offset;
  const tailOf = (earlier: number): number => {
    const tail = Math.min(TRANSCRIPT_TAIL_BYTES, size - Math.max(0, saved - earlier));
    return options.whole === true ? Infinity : Math.max(tail, 0);
  };
  // A length that was read is not read again.
  const [least = 0, ...more] = new Set(EARLIER_BYTES.map(tailOf));
  const read = (tailBytes: number): Promise<Transcript> =>
    readConversation(memory, path, tailBytes);
  let transcript = await read(least);
  for (const tailBytes of more) {
    if (isTooLittle(transcript, options.since)) transcript = await read(tailBytes);
  }
  const whole = withLastMessage(transcript, options.lastMessage);
  return await openTurns(memory, asHere(memory, whole, options.from));
}

/**
 * With paths in the project as it lies here, so that its files are its own, and what it excludes stays excluded:
 * it may have been moved since. The path of a worktree stays in what was said and run, but its files are those of
 * the project.
 */
function asHere(
  { places }: Memory,
  whole: Transcript,
  from?: ReadTurnsOptions["from"],
): Transcript {
  const { projectDir } = places;
  const { dir, checkout = dir } = from ?? { dir: projectDir, checkout: places.checkoutDir };
  const at = (path: string, root: string): string => path.replaceAll(`${root}/`, `${projectDir}/`);
  const turns = dir === projectDir
    ? whole.turns
    : whole.turns.map((turn) => mapTexts(turn, (text) => at(text, dir)) as Turn);
  if (checkout === dir) return { ...whole, turns };
  const ofProject = (tool: ToolUse): ToolUse =>
    tool.filePath?.startsWith(`${checkout}/`) === true
      ? { ...tool, filePath: at(tool.filePath, checkout) }
      : tool;
  return { ...whole, turns: turns.map((turn) => ({ ...turn, tools: turn.tools.map(ofProject) })) };
}

/** The same for a given conversation. */
export async function openTurns(memory: Memory, whole: Transcript): Promise<Transcript> {
  const open = { ...whole, turns: mapChanged(whole.turns, openPart) };
  const ignores = await openIgnores(memory.fs, memory.places);
  if (ignores.files.length === 0) return open;
  const { withoutIgnored } = await import("../write/ignored_paths.ts");
  const { text, turn } = withoutIgnored(memory, ignores);
  const { title = "" } = open;
  return {
    ...open,
    title: text(title) === title ? open.title : undefined,
    turns: open.turns.map(turn),
  };
}

/** Whether next to nothing of what was said before the save was read, although there is more. */
function isTooLittle({ turns, fromStart }: Transcript, since: SessionState["lastSave"]): boolean {
  if (since === undefined || fromStart) return false;
  const isEarlier = (turn: Turn): boolean => (timeOf(turn) ?? Infinity) <= since.at;
  return turns.filter((turn) => turn.role === "user" && isEarlier(turn)).length < EARLIER_EXCHANGES;
}

/**
 * The turn without private text, what Sage itself gave back and what the model thought. Done before
 * anything splits it, because a torn tag protects nothing. Private text in what was said is replaced by a word, so
 * that the rest of the sentence is not taken for the whole.
 */
function openPart(turn: Turn): Turn {
  // What the agent tells Sage is no answer to the person, and would replace the one before it.
  const said = turn.toSage === true ? "" : withholdPrivate(withoutRecalled(turn.text));
  const text = turn.role === "assistant" ? withoutReasoning(said) : said;
  const tools = mapChanged(turn.tools, openTool);
  return text === turn.text && tools === turn.tools ? turn : { ...turn, text, tools };
}

/** Every text of a tool use, under any key, items of lists included. */
function openTool(tool: ToolUse): ToolUse {
  return mapTexts(tool, (text) => stripPrivate(withoutRecalled(text))) as ToolUse;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return mapChanged(value, (item: unknown) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const open = mapChanged<[string, unknown]>(entries, (entry) => {
    const item = mapTexts(entry[1], change);
    return item === entry[1] ? entry : [entry[0], item];
  });
  return open === entries ? value : Object.fromEntries(open);
}

/** Clocks of the editor and of ours differ by this much at most; its times carry fractions. */
const CLOCK_MS_MAX = 2000;

/** Turns from that moment on, and those without a time. */
export function turnsSince(turns: readonly Turn[], atMs: number): readonly Turn[] {
  return turns.filter((turn) => (timeOf(turn) ?? Infinity) >= atMs - CLOCK_MS_MAX);
}

/** Turns that no save holds yet. */
export function newTurns(transcript: Transcript, state: SessionState | undefined): readonly Turn[] {
  const { turns } = transcript;
  const last = state?.lastSave;
  if (last === undefined) return turns;
  const at = last.turn === "" ? -1 : turns.findIndex(({ uuid }) => uuid === last.turn);
  if (at >= 0) return turns.slice(at + 1);
  return turns.filter((turn) => (timeOf(turn) ?? Infinity) > last.at);
}

/** The last turn that a save made now would cover; by the client's own id, never our stand-in. */
export function lastTurnId(transcript: Transcript): string {
  return transcript.turns.findLast(({ at }) => at !== "")?.uuid ?? "";
}
