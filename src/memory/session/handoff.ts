/**
 * Records which handoffs were taken up. A session takes one up by loading it, by changing a file that it
 * names, or by asking for what it left open; being told of it is not enough. Until then it is offered to
 * each new session. One file a project in the private state; without it a handoff is offered once more than
 * needed.
 */
import { parseTime } from "../../base/clock.ts";
import { fieldsOf, isObject } from "../../base/fields.ts";
import { isCyrillic } from "../../base/text/cyrillic.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../../base/limits.ts";
import { collapse } from "../../base/text/text.ts";
import { phrasePattern } from "../../detect/phrases/phrase_patterns.ts";
import type { Turn } from "../../editor/editor.ts";
import { frontText } from "../../note/front_values.ts";
import type { Note } from "../../note/note.ts";
import type { Session } from "../../note/session.ts";
import { readState, updateState } from "../../store/state.ts";
import { specificTerms } from "../surfacing/gates.ts";
import type { Memory } from "../memory.ts";
import { isLive } from "./instances.ts";
import type { Offer } from "./state/session_state.ts";
import { readSession, recordInSession } from "./state/state.ts";
import { turnsSince } from "./turns.ts";

type Act = "loaded" | "edited" | "asked";

export interface Taken {
  /** The session that took it up. */
  readonly by: string;
  readonly at: number;
  readonly act: Act;
}

interface Ledger {
  /** The folder of this ledger, which its name does not tell; older ones lack it. */
  readonly root?: string;
  /** By the session whose handoff it is. */
  readonly taken?: Readonly<Record<string, Taken>>;
  /** Hashes of open questions that somebody has decided. */
  readonly triaged?: readonly string[];
}

/** Only the newest are kept. */
const ENTRIES_MAX = 500;
/** The share of an open step's words that a prompt must have to ask for it. */
const COVERED = 0.5;
/** The least words that it must share, where the step has as many. */
const TERMS_MIN = 2;
/** Matches a prompt that says to go on, or asks where the work stopped or what was planned. */
const GOES_ON =
  /^(?:ok(?:ay)?[\s,]+|please[\s,]+|let'?s[\s,]+)*(?:continue|carry on|go on|resume|pick up|proceed|where (?:did|were) we|what was next|weiter|mach(?:en wir)? weiter|on reprend|seguimos)\b|\b(?:where (?:was i|were we|did (?:we|i) (?:stop|leave off))|what (?:was it (?:that )?|did )(?:i|we) want(?:ed)? to (?:do|finish)|wo (?:war ich|waren wir)|was wollte ich|o[uù] en [eé]tions-nous|por d[oó]nde [ií]ba(?:mos)?)\b/i;

/** The same in Russian. */
const GOES_ON_RUSSIAN = phrasePattern(
  "intent.goes_on",
  String.raw`^(?:{}|{intent.where_it_stood})`,
);

function goesOn(prompt: string): boolean {
  return GOES_ON.test(prompt) || isCyrillic(prompt) && GOES_ON_RUSSIAN.test(prompt);
}

export function ledgerName({ places }: Memory): string {
  return `handoffs/${sha256Hex(places.projectDir).slice(0, 16)}.json`;
}

/** What a session is offered of another's note. */
export function offerOf(memory: Memory, note: Session): Offer {
  const left = [...note.next, ...note.openQuestions];
  const named = note.summary.match(NUMBERED) ?? [];
  const marks = [...named, ...left].map((text) => specificTerms(text))
    .filter((terms) => terms.length > 0).slice(0, MARKS_MAX);
  const files = [...left.flatMap(filesNamed), ...note.filesTouched.toReversed()];
  return {
    session: note.session,
    note: note.id,
    at: memory.now(),
    files: [...new Set(files)].slice(0, FILES_MAX),
    marks,
  };
}

/** Paths of several parts: 'index.ts' is in every folder. */
export function filesNamed(text: string): string[] {
  return text.match(/[\w@.-]{1,200}(?:\/[\w@.-]+){0,40}\/[\w@-]+(?:\.[\w-]+)+/g) ?? [];
}

/** The number of a job or ticket: naming it asks what became of it. */
const NUMBERED = /\b(?:[A-Z]{2,10}-\d{1,6}|\d{5,12})\b(?![.,]\d)/g;

const MARKS_MAX = 12;
const FILES_MAX = 60;

/** How the turns since the offer take it up, if they do. `mayGoOn`: "go on" refers to this handoff. */
function actOn(
  offer: Offer,
  turns: readonly Turn[],
  filesOf: (turns: readonly Turn[]) => readonly string[],
  mayGoOn: boolean,
): Act | undefined {
  const since = turnsSince(turns, offer.at);
  const files = new Set(offer.files);
  if (filesOf(since).some((file) => files.has(file))) return "edited";
  const prompts = since.filter(({ role }) => role === "user").map(({ text }) => text);
  if (mayGoOn && goesOn(prompts[0]?.trim() ?? "")) return "asked";
  return prompts.some((prompt) => asksFor(prompt, offer.marks)) ? "asked" : undefined;
}

function asksFor(prompt: string, marks: Offer["marks"]): boolean {
  const said = new Set(specificTerms(prompt));
  return marks.some((mark) => {
    const shared = mark.filter((term) => said.has(term)).length;
    return shared >= Math.min(TERMS_MIN, mark.length) && shared / mark.length >= COVERED;
  });
}

/** Takes up the offers that the turns act on; the others stay offered. */
export function takeUpActed(
  memory: Memory,
  session: string,
  turns: readonly Turn[],
  filesOf: (turns: readonly Turn[]) => readonly string[],
): void {
  const state = readSession(memory, session);
  // Later in a session "go on" means the work at hand.
  const isFirstTurn = state?.readTo === undefined;
  for (const [i, offer] of (state?.offered ?? []).entries()) {
    const act = actOn(offer, turns, filesOf, isFirstTurn && i === 0);
    if (act !== undefined) takeUp(memory, offer.session, session, act);
  }
}

/** Records that an agent loaded a note: a session's own, or a checkpoint of the session. */
export function takeUpNote(memory: Memory, note: Note): void {
  const origin = frontText(note.front, "session");
  if (memory.session === undefined || origin === undefined || origin === "") return;
  if (note.kind === "session" || note.kind === "checkpoint") {
    takeUp(memory, origin, memory.session, "loaded");
  }
}

function takeUp(memory: Memory, origin: string, by: string, act: Act): void {
  if (origin === by) return;
  changeLedger(memory, (ledger) => {
    const { [origin]: _, ...others } = ledger.taken ?? {};
    const taken = { ...others, [origin]: { by, at: memory.now(), act } };
    return { ...ledger, taken: Object.fromEntries(Object.entries(taken).slice(-ENTRIES_MAX)) };
  });
  recordInSession(memory, by, ({ offered = [], ...state }) => {
    const left = offered.filter(({ session }) => session !== origin);
    return left.length === 0 ? state : { ...state, offered: left };
  });
}

/**
 * The session that took it up after it was last written, unless nothing came of that: a session
 * that died at once, or said nothing, has not continued it.
 */
export function takenBy(memory: Memory, origin: string, updated: string): Taken | undefined {
  const taken = readLedger(memory).taken?.[origin];
  if (taken === undefined || taken.at < (parseTime(updated) ?? 0)) return undefined;
  const state = readSession(memory, taken.by);
  const came = state === undefined || state.note !== undefined || state.lastSave !== undefined;
  return came || (state.ended === undefined && isLive(memory, state)) ? taken : undefined;
}

/** Forgets a session in this ledger. Returns the file that changed. */
export function dropHandoffs(memory: Memory, session: string): string[] {
  const isOfIt = ([origin, { by }]: [string, Taken]): boolean => [origin, by].includes(session);
  const entriesOf = ({ taken = {} }: Ledger): [string, Taken][] => Object.entries(taken);
  if (!entriesOf(readLedger(memory)).some(isOfIt)) return [];
  changeLedger(memory, (ledger) => ({
    ...ledger,
    taken: Object.fromEntries(entriesOf(ledger).filter((entry) => !isOfIt(entry))),
  }));
  return [join(memory.places.stateDir, ledgerName(memory))];
}

/** The key of an open question: a hash of its words. */
export function questionKey(question: string): string {
  return sha256Hex(collapse(question).toLowerCase()).slice(0, 8);
}

export function triagedQuestions(memory: Memory): ReadonlySet<string> {
  return new Set(readLedger(memory).triaged ?? []);
}

export function markTriaged(memory: Memory, keys: readonly string[]): void {
  changeLedger(memory, (ledger) => ({
    ...ledger,
    triaged: [...new Set([...ledger.triaged ?? [], ...keys])].slice(-ENTRIES_MAX),
  }));
}

function readLedger(memory: Memory, name = ledgerName(memory)): Ledger {
  return wholeOf(readState(memory.fs, memory.places.stateDir, name));
}

/** A damaged ledger, or one of another shape, counts as missing. */
function wholeOf(read: unknown): Ledger {
  const { taken = {}, triaged = [] } = fieldsOf(read);
  const isWhole = Array.isArray(triaged) && isObject(taken) && Object.values(taken).every(isObject);
  return isWhole ? fieldsOf(read) : {};
}

/** Whether the folder of a ledger still exists. */
export function isLedgerOfFolder(memory: Memory, name: string): boolean {
  const { root } = readLedger(memory, name);
  return typeof root === "string" && memory.fs.lstat(root)?.kind === "dir";
}

function changeLedger(memory: Memory, change: (ledger: Ledger) => Ledger): void {
  try {
    updateState<Ledger>(
      memory.fs,
      memory.places.stateDir,
      ledgerName(memory),
      (old) => ({ ...change(wholeOf(old)), root: memory.places.projectDir }),
      { deadlineMs: memory.hook ? LOCK_HOOK_MS_MAX : LOCK_MS_MAX },
    );
  } catch {
    // Failed: offered once more than needed, which does no harm.
  }
}
