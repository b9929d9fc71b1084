/**
 * Where earlier sessions stopped: the last one with its next step, an earlier handoff that nobody
 * has taken up, and what others did since. As lines for the agent, and as a sentence or two for the
 * person.
 */
import { DAY_MS, parseTime, rfc3339 } from "../../../base/clock.ts";
import { join } from "../../../base/path.ts";
import { asksToBeReminded, matterOfReminder } from "../../../detect/open/reminders.ts";
import { MENDED_LABEL } from "../../../detect/summary/work.ts";
import { readSession as readSessionNote, type Session } from "../../../note/session.ts";
import { readGit } from "../../../store/git/git.ts";
import { type Entry, lastUpdatedFirst, readEntries, readEntry } from "../../index/entries.ts";
import { specificTerms } from "../../surfacing/gates.ts";
import type { Memory } from "../../memory.ts";
import { withoutPrivate } from "../../write/public_part.ts";
import { howToRead } from "../../pointer.ts";
import {
  asSentence,
  quotable,
  quote,
  quoteSummary,
  untilStop,
  whereStopped,
} from "../../recalled.ts";
import { isBegun, isDropped, isSettled, ranBeside } from "../answered.ts";
import type { Candidate } from "./pack.ts";
import { offerOf, questionKey, takenBy, triagedQuestions } from "../handoff.ts";
import { isLeft, liveSessions } from "../instances.ts";
import type { Offer } from "../state/session_state.ts";
import { readSession } from "../state/state.ts";
import { hadHere, ownFirst } from "../local_sessions.ts";

export interface LastSession {
  readonly candidates: readonly Candidate[];
  readonly offers: readonly (Offer & { readonly line: string })[];
  /** For the person; empty where there was no session. */
  readonly notice: string;
  /** The session itself, by the editor's id, and when it began, RFC 3339; undefined where there was none. */
  readonly session?: string;
  readonly started?: string;
  /** The notes that were read. */
  readonly paths: readonly string[];
}

/** The notes read while somebody waits: the last, and a few before it. */
const READ_MAX = 4;
/** An older handoff is not offered any more. */
const OFFERED_DAYS = 14;
/** What somebody asked to be reminded of waits for its day, which may be in another month. */
const REMINDED_DAYS = 60;
/** Sessions of others are counted among the newest only. */
const COUNTED_MAX = 10;
/** A shorter reply may occur anywhere. */
const WORDS_CHARACTERS_MIN = 20;
/** A step with this many specific words can be understood alone. */
const TERMS_MIN = 3;

export async function lastSession(
  memory: Memory,
  session: string,
  isFresh: boolean,
  entries: readonly Entry[],
): Promise<LastSession> {
  const others = liveSessions(memory, session).filter((state) => !isLeft(memory, state));
  const live = new Set(others.map((state) => state.session));
  // A conversation contains what it said itself, and what it was branched from.
  const state = readSession(memory, session);
  const own = state?.note?.id;
  const origins = new Set(state?.forkedFrom);
  const all = entries
    .filter(({ note }) => note.kind === "session" && note.status !== "archived")
    .sort(lastUpdatedFirst);
  // One on several branches has several notes.
  const goesOn = ({ note }: Entry): boolean => note.id === own || live.has(note.session ?? "");
  const sessions = all.filter((entry) => !goesOn(entry));
  const ours = ownFirst(memory, sessions);
  const notes = ours.slice(0, READ_MAX);
  const running = all.filter(goesOn).slice(0, READ_MAX);
  const atWork = await readSessions(running);
  const read = (await readSessions(notes)).filter((note) => !origins.has(note.session))
    .map((note, i, read) =>
      withoutSettled(note, [...atWork, ...read.slice(0, i)], read.slice(i + 1))
    );
  const paths = [...notes, ...running].map(({ store, note }) => join(store.root, note.path));
  const [last, ...earlier] = read;
  if (last === undefined) return { candidates: [], offers: [], notice: "", paths };
  const taken = takenBy(memory, last.session, last.updated);
  const steps = taken === undefined ? stepLines(last) : [];
  const told = steps.length === 0 ? last : withoutStepAsStop(last);
  const isTheirs = isOfOthers(memory, last);
  const whose = isTheirs ? `, ${OF_OTHERS}` : "";
  const first = lastLine(memory, told, { isTaken: taken !== undefined, whose });
  const left = leftLine(memory, last, earlier, whose);
  const since = await othersSince(last, sessions.filter((entry) => !ours.includes(entry)));
  return {
    candidates: [
      first,
      ...(since === undefined ? [] : [since.candidate]),
      ...steps,
      ...decisionLine(last, [first, ...steps]),
      ...mendedLine(last),
      ...(left === undefined ? [] : [left.candidate]),
      ...(isFresh ? triageLine(memory, read) : []),
    ],
    offers: [
      ...(taken === undefined ? [{ ...offerOf(memory, last), line: first.text }] : []),
      ...(left === undefined ? [] : [{ ...offerOf(memory, left.note), line: left.candidate.text }]),
    ],
    notice: [
      noticeOf(told, { isTaken: taken !== undefined, isTheirs }),
      ...(since === undefined ? [] : [since.notice]),
    ]
      .join(" "),
    session: last.session,
    started: last.started,
    paths: [...paths, ...(since === undefined ? [] : [since.path])],
  };
}

/** Nothing says which. */
const OF_OTHERS = "a teammate's or on another machine";

/** Whether its note came with git: no session was had here yet. */
function isOfOthers(memory: Memory, { session }: Session): boolean {
  return !hadHere(memory)(session) &&
    readGit(memory.fs, memory.places.projectDir)?.remote !== undefined;
}

async function readSessions(entries: readonly Entry[]): Promise<Session[]> {
  return (await readEntries(entries)).map(({ note }) => readSessionNote(withoutPrivate(note)));
}

/** The note without the questions that others have dealt with; those that go on count as later ones. */
function withoutSettled(
  note: Session,
  later: readonly Session[],
  earlier: readonly Session[],
): Session {
  const beside = ranBeside(note, earlier);
  const openQuestions = note.openQuestions.filter((one) => !isSettled(one, later, beside));
  return { ...note, openQuestions };
}

/**
 * Notes that came with git after our last session ended: from other people or another machine,
 * nothing says which.
 */
async function othersSince(last: Session, theirs: readonly Entry[]): Promise<
  { readonly candidate: Candidate; readonly notice: string; readonly path: string } | undefined
> {
  const newer = theirs.filter(({ note }) => note.updated > last.updated);
  const [newest] = newer;
  const stored = await readEntry(newest);
  if (newest === undefined || stored === undefined) return undefined;
  const note = readSessionNote(withoutPrivate(stored.note));
  const many = newer.length > COUNTED_MAX
    ? `, the last of more than ${COUNTED_MAX}`
    : newer.length === 1
    ? ""
    : `, the last of ${newer.length}`;
  const when = `${timeOf(note)} UTC${many}`;
  const [next] = note.next;
  const isTold = next === undefined || begins(gistOf(note), next);
  const step = isTold ? "" : `; next ${quote(next, 80)}`;
  return {
    candidate: {
      // Below what a person pinned.
      priority: 3.6,
      note: note.id,
      text: `- Since then elsewhere, ${OF_OTHERS} (${when}): ${
        quoteSummary(gistOf(note), 100)
      }${step}.`,
    },
    notice: `Since then elsewhere (${when}): ${asSentence(quoteSummary(gistOf(note), 100))}`,
    path: join(newest.store.root, newest.note.path),
  };
}

function lastLine(
  memory: Memory,
  note: Session,
  { isTaken, whose }: { readonly isTaken: boolean; readonly whose: string },
): Candidate {
  // A note that a person took over cannot say it.
  const hasEnded = note.ended !== undefined ||
    readSession(memory, note.session)?.ended !== undefined;
  const how = [
    ...(note.endReason === "recovered" ? ["cut off and recovered"] : hasEnded ? [] : ["not ended"]),
    ...(isTaken ? ["taken up since"] : []),
  ];
  const when = [`${timeOf(note)} UTC`, ...how].join(", ");
  const stop = whereStopped(note.summary);
  if (!isTaken && isUnanswered(note)) {
    return { priority: 1, note: note.id, text: `- Last session${whose}: ${when}.` };
  }
  const what = stop === undefined
    ? quoteSummary(gistOf(note), 220)
    : `${quote(note.title ?? note.id, 80)}; it stopped at ${quoteSummary(stop, 180)}`;
  return { priority: 1, note: note.id, text: `- Last session${whose} (${when}): ${what}` };
}

/** Whether it is the next step or its beginning, which has a line of its own. */
function isStep(text: string, { next }: Session): boolean {
  const step = next.find(saysWhat);
  return step !== undefined && begins(text, step);
}

/** Whether a text, which may be cut, is the step or its beginning. */
function begins(text: string, step: string): boolean {
  return step.startsWith(text.replace(/…$/, ""));
}

/** Whether all that is known of it is a request, which is its next step too. */
function isUnanswered(note: Session): boolean {
  return whereStopped(note.summary) === undefined && isStep(gistOf(note), note);
}

/** Where the last words were the next step, which has a line of its own: what came out before them. */
function withoutStepAsStop(note: Session): Session {
  const stop = whereStopped(note.summary);
  return stop !== undefined && isStep(stop, note)
    ? { ...note, summary: untilStop(note.summary) }
    : note;
}

/** What came of it; its title where the note does not say. */
function gistOf({ id, summary, title }: Session): string {
  return summary || title || id;
}

/** The nearest step comes first; questions come in the order in which they were asked. */
function stepLines(note: Session): Candidate[] {
  const [next, ...further] = note.next.filter(saysWhat);
  // The last question, if unanswered, is both.
  const open = note.openQuestions.findLast((question) => question !== next);
  const promised = further.find(asksToBeReminded);
  return [
    ...(next === undefined ? [] : [{ priority: 2, text: `- Next: ${quote(next, 140)}` }]),
    ...(promised === undefined
      ? []
      : [{ priority: 3, text: `- Reminder: ${quote(promised, 140)}` }]),
    ...(open === undefined ? [] : [{ priority: 3, text: `- Open: ${quote(open, 140)}` }]),
  ];
}

/** The last decision that no line above tells: what a person settled last is often what was done last. */
function decisionLine({ decisions }: Session, told: readonly Candidate[]): Candidate[] {
  const decision = decisions.findLast((one) =>
    saysWhat(one) && !told.some(({ text }) => text.includes(wordsOf(one)))
  );
  return decision === undefined
    ? []
    : [{ priority: 6, text: `- Decided: ${quoteSummary(decision, 140)}` }];
}

/**
 * The decision as a quotation has it, without what it replies to. A line that quotes only its beginning lacks
 * the reason, and does not count as having it.
 */
function wordsOf(decision: string): string {
  const whole = quotable(decision);
  const said = whole.split(/ → | — |^Approved plan: /).at(-1) ?? "";
  return JSON.stringify(said.length < WORDS_CHARACTERS_MIN ? whole : said).slice(1, -1);
}

/** How the last failure was fixed, because a session that continues runs the same commands. */
function mendedLine({ done }: Session): Candidate[] {
  const mended = done.findLast((item) => item.startsWith(MENDED_LABEL));
  return mended === undefined ? [] : [{
    priority: 6.5,
    text: `- Failed before: ${quoteSummary(mended.slice(MENDED_LABEL.length), 140)}`,
  }];
}

/**
 * The latest session before the last with something left open that no later one continued, or a
 * reminder that no later one gave.
 */
function leftLine(
  memory: Memory,
  last: Session,
  earlier: readonly Session[],
  whose: string,
): { readonly note: Session; readonly candidate: Candidate } | undefined {
  const later = new Set(last.filesTouched);
  for (const [i, note] of earlier.entries()) {
    const newer = [last, ...earlier.slice(0, i)];
    const isTouched = note.filesTouched.some((file) => later.has(file));
    for (const file of note.filesTouched) later.add(file);
    const isAhead = (one: string): boolean =>
      isSpecific(one) && !isDropped(one, newer) && !isBegun(matterOfReminder(one), newer);
    // A session that continues the rest has not been reminded yet.
    const promised = note.next.find((one) => asksToBeReminded(one) && isAhead(one));
    const step = promised ?? note.next.find(isAhead) ??
      note.openQuestions.findLast(isSpecific);
    const until = offeredUntil(memory, note, promised === undefined ? OFFERED_DAYS : REMINDED_DAYS);
    if (step === undefined || note.ended === undefined || until < memory.now()) continue;
    const isTaken = isTouched || takenBy(memory, note.session, note.updated) !== undefined;
    if (isTaken && promised === undefined) continue;
    const what = note.next.includes(step) ? "next" : "open";
    const named = note.title ?? note.summary;
    const about = begins(named, step) ? "" : `${quote(named, 80)}; `;
    return {
      note,
      candidate: {
        priority: 5.5,
        note: note.id,
        text: `- Not taken up since ${timeOf(note).slice(0, 10)}${whose}: ${about}${what} ${
          quote(step, 100)
        } (${howToRead(note.id)}).`,
        until,
      },
    };
  }
  return undefined;
}

/** Whether it names anything: "it may be just one of them" and "go ahead and push" do not. */
function saysWhat(step: string): boolean {
  return specificTerms(step).length > 0;
}

/** Whether it can be understood alone: "fix it" cannot. */
function isSpecific(step: string): boolean {
  return specificTerms(step).length >= TERMS_MIN;
}

/** One line, if the last sessions left several questions open. */
function triageLine(memory: Memory, read: readonly Session[]): Candidate[] {
  const triaged = triagedQuestions(memory);
  const since = rfc3339(memory.now() - OFFERED_DAYS * DAY_MS);
  const asking = read.filter(({ updated, openQuestions }) =>
    updated >= since && openQuestions.length > 0
  );
  const keys = new Set(asking.flatMap(({ openQuestions }) => openQuestions.map(questionKey)));
  const open = [...keys].filter((key) => !triaged.has(key)).length;
  if (open < 2) return [];
  return [{
    priority: 7,
    text: `- ${open} questions of the last sessions are open: sage_todo {"action":"triage"}.`,
    until: Math.min(...asking.map((note) => offeredUntil(memory, note, OFFERED_DAYS))),
  }];
}

function offeredUntil(memory: Memory, { updated }: Session, days: number): number {
  return (parseTime(updated) ?? memory.now()) + days * DAY_MS;
}

function noticeOf(
  note: Session,
  { isTaken, isTheirs }: { readonly isTaken: boolean; readonly isTheirs: boolean },
): string {
  const next = note.next.find(saysWhat);
  const open = note.openQuestions.at(-1);
  return [
    `${isTheirs ? `The last session was ${OF_OTHERS}` : "I remember where we stopped"} (${
      timeOf(note)
    } UTC): ${asSentence(quoteSummary(whereStopped(note.summary) ?? gistOf(note), 160))}`,
    ...(note.endReason === "recovered" ? ["It was cut off, and I kept what was said."] : []),
    ...(isTaken
      ? []
      : next !== undefined && !isUnanswered(note)
      ? [`Next was ${asSentence(quote(next, 120))}`]
      : open !== undefined
      ? [`Still open: ${asSentence(quote(open, 120))}`]
      : []),
  ].join(" ");
}

function timeOf({ ended, updated }: Session): string {
  return (ended ?? updated).replace("T", " ").slice(0, 16);
}
