/**
 * What memory did and what it cost, derived from receipts and nothing else: which note was shown, used
 * and overridden in which session, and the tokens that took. Every event names the line it comes from,
 * so that anybody can check the count. What no receipt records is listed as unknown, not guessed.
 */
import { DAY_MS, parseTime, rfc3339 } from "../../base/clock.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { shortId } from "../../base/id.ts";
import { compareText, count } from "../../base/text/text.ts";
import { catalogue } from "../catalogue.ts";
import type { Memory } from "../memory.ts";
import { OPENED } from "../use.ts";
import { type Figures, figuresOf } from "./figures.ts";
import { IMPACT_DAYS_MAX, readReceipts, type Receipt, type Receipts, toldIn } from "./receipts.ts";
import { tokensHeld } from "./session_tokens.ts";

/** Something that cost tokens, and the line that says so. */
interface Cost {
  readonly at: string;
  readonly what: "start" | "compaction" | "prompt" | "ask" | "tool";
  /** Of a tool: which. */
  readonly tool?: string;
  readonly tokens: number;
  /** Ids of the notes that were shown, where the receipt names them. */
  readonly notes: readonly string[];
  readonly from: string;
}

interface SessionImpact {
  readonly session: string;
  readonly started: string;
  readonly prompts: number;
  /** Prompts to which nothing was added. */
  readonly silent: number;
  readonly told: number;
  /** Tokens that went through the context window; absent where the transcript is gone. */
  readonly held?: number;
  readonly share?: number;
  readonly costs: readonly Cost[];
}

interface NoteEvent {
  readonly at: string;
  /** Empty where a person did it. */
  readonly session: string;
  /** `start`, `prompt`, `recalled`; `loaded`, `read`, `branched`; `replaced`, `removed`. */
  readonly how: string;
  readonly from: string;
}

interface NoteImpact {
  readonly id: string;
  readonly short_id: string;
  /** Absent where the note is gone. */
  readonly title?: string;
  readonly type?: string;
  readonly shown: readonly NoteEvent[];
  readonly used: readonly NoteEvent[];
  readonly overridden: readonly NoteEvent[];
}

export interface Impact {
  readonly since: string;
  readonly project: { readonly id: string; readonly name: string };
  readonly tokens: {
    readonly told: number;
    readonly by: Readonly<Record<Cost["what"], number>>;
    readonly per_session_median: number;
    /** Over the sessions whose transcripts still exist. */
    readonly held: number;
    readonly share?: number;
  };
  readonly prompts: {
    readonly total: number;
    readonly silent: number;
    /** Why, by gate. */
    readonly gates: Readonly<Record<string, number>>;
  };
  readonly figures: Figures;
  readonly sessions: readonly SessionImpact[];
  readonly notes: readonly NoteImpact[];
  readonly unknown: readonly string[];
  /** Files of receipts that are not counted whole; present if there are any. */
  readonly lost?: Receipts["lost"];
}

const OVERRIDDEN: readonly string[] = ["replaced", "removed"];

/** What no receipt records. */
const UNKNOWN: readonly string[] = [
  "whether the model heeded what it was shown: used is what it opened afterwards",
  "what a session would have cost without memory",
  "tokens are estimates (within 15 %); each stays in the window until a compaction and is sent again with every request",
  "tool schemas, which the client loads on demand and tells nobody",
];

interface ImpactOptions {
  /** Milliseconds; receipts go back two weeks. */
  readonly sinceMs?: number;
  /** An id or a prefix of one. */
  readonly session?: string;
}

export async function measureImpact(memory: Memory, options: ImpactOptions = {}): Promise<Impact> {
  const oldest = memory.now() - IMPACT_DAYS_MAX * DAY_MS;
  const sinceMs = Math.max(options.sinceMs ?? oldest, oldest);
  const receipts = readReceipts(memory, sinceMs, options.session);
  const sessions = sessionsOf(memory, receipts);
  const known = sessions.filter(({ held }) => held !== undefined);
  const held = sum(known.map((session) => session.held ?? 0));
  const costs = sessions.flatMap((session) => session.costs);
  const by = { start: 0, compaction: 0, prompt: 0, ask: 0, tool: 0 };
  for (const { what, tokens } of costs) by[what] += tokens;
  const notes = await notesOf(memory, receipts);
  return {
    since: rfc3339(sinceMs),
    project: { id: memory.places.projectId, name: memory.places.projectName },
    tokens: {
      told: sum(costs.map(({ tokens }) => tokens)),
      by,
      per_session_median: median(sessions.map(({ told }) => told)) ?? 0,
      held,
      ...(held === 0 ? {} : { share: sum(known.map(({ told }) => told)) / held }),
    },
    prompts: promptsOf(receipts.hooks),
    figures: figuresOf(receipts),
    sessions,
    notes,
    unknown: [...receipts.lost.map(lostText), ...UNKNOWN],
    ...defined({ lost: nonEmpty(receipts.lost) }),
  };
}

function lostText({ from, lines }: Receipts["lost"][number]): string {
  return lines === undefined
    ? `what ${from} says: it cannot be read, or not whole`
    : `what ${count(lines, "damaged line")} of ${from} said`;
}

/** For so many sessions, the newest, the transcript is read; for older ones the share stays unknown. */
const READ_MAX = 50;

function sessionsOf(memory: Memory, { hooks, tools }: Receipts): SessionImpact[] {
  const groups = Map.groupBy([...hooks, ...tools], ({ session }) => session);
  const ordered = [...groups].map(([session, receipts]) => ({
    session,
    receipts: receipts.sort((a, b) => a.atMs - b.atMs),
  })).sort((a, b) => (b.receipts[0]?.atMs ?? 0) - (a.receipts[0]?.atMs ?? 0));
  return ordered.map(({ session, receipts }, i): SessionImpact => {
    const costs = receipts.flatMap(costOf);
    const told = sum(costs.map(({ tokens }) => tokens));
    const { total, silent } = promptsOf(receipts);
    const held = i < READ_MAX ? tokensHeld(memory, session) : undefined;
    return {
      session,
      started: rfc3339(receipts[0]?.atMs ?? 0),
      prompts: total,
      silent,
      told,
      ...(held === undefined ? {} : { held, share: told / held }),
      costs,
    };
  });
}

/** What a receipt cost, as a list of one; empty for most, which cost nothing. */
function costOf({ line, from }: Receipt): Cost[] {
  const tokens = Number(line.tokens ?? 0);
  if (!(tokens > 0)) return [];
  const notes = toldIn(line);
  const what = line.event === "tool"
    ? "tool"
    : line.hook === "session-start"
    ? line.source === "compact" ? "compaction" : "start"
    : line.hook === "stop"
    ? "ask"
    : "prompt";
  const tool = what === "tool" ? { tool: String(line.tool) } : {};
  return [{ at: line.at, what, ...tool, tokens, notes, from }];
}

function promptsOf(hooks: readonly Receipt[]): Impact["prompts"] {
  const prompts = hooks.filter(({ line }) =>
    line.hook === "user-prompt-submit" && line.outcome === "done"
  );
  const silent = prompts.filter(({ line }) => line.shown === undefined);
  const gates: Record<string, number> = {};
  for (const { line } of silent) {
    const gate = String(line.gate ?? "unknown");
    gates[gate] = (gates[gate] ?? 0) + 1;
  }
  return { total: prompts.length, silent: silent.length, gates };
}

/** Notes that were shown, used or overridden, the most used first. */
async function notesOf(memory: Memory, { hooks, uses }: Receipts): Promise<NoteImpact[]> {
  const shown: (NoteEvent & { readonly id: string })[] = hooks.flatMap((receipt) =>
    costOf(receipt).flatMap(({ what, at, notes, from }) =>
      notes.map((id) => ({ id, at, session: receipt.session, how: what, from }))
    )
  );
  const journal = uses.map(({ id, at, use, session = "", from }) => (
    { id, at, session, how: use, from }
  ));
  shown.push(...journal.filter(({ how }) => how === "recalled"));
  const used = Map.groupBy(journal.filter(({ how }) => OPENED.includes(how)), ({ id }) => id);
  const gone = Map.groupBy(journal.filter(({ how }) => OVERRIDDEN.includes(how)), ({ id }) => id);
  const seen = Map.groupBy(shown, ({ id }) => id);
  const entries = new Map((await catalogue(memory)).map(({ note }) => [note.id, note]));
  return [...new Set([...seen.keys(), ...used.keys(), ...gone.keys()])].map((id): NoteImpact => {
    const note = entries.get(id);
    return {
      id,
      short_id: shortId(id),
      ...(note === undefined ? {} : { title: note.title, type: note.kind }),
      shown: eventsOf(seen.get(id)),
      used: eventsOf(used.get(id)),
      overridden: eventsOf(gone.get(id)),
    };
  }).sort((a, b) =>
    b.used.length - a.used.length || b.shown.length - a.shown.length || compareText(a.id, b.id)
  );
}

function eventsOf(events: readonly (NoteEvent & { readonly id: string })[] = []): NoteEvent[] {
  return events.map(({ id: _, ...event }) => event)
    .sort((a, b) => (parseTime(a.at) ?? 0) - (parseTime(b.at) ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The middle one; of an even number the lower of the two. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
}
