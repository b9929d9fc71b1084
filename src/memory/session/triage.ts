/**
 * The questions that earlier sessions left open, and checkpoints that a person saved outside of any. A person
 * makes a todo of each or drops it. One line at a session's start mentions those of sessions, never in the
 * middle of work. What was decided, or dealt with in a later session or one beside, is not asked again.
 */
import { DAY_MS, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { cut, cutTitle } from "../../base/text/text.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { readSession as readSessionNote, type Session } from "../../note/session.ts";
import { catalogue } from "../catalogue.ts";
import { type Entry, isHere, lastUpdatedFirst, readEntries } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import type { Author, SaveOutcome } from "../write/outcome.ts";
import { addTodo } from "../todo.ts";
import { isSettled, ranBeside } from "./answered.ts";
import { markTriaged, questionKey, triagedQuestions } from "./handoff.ts";
import { runningNotes } from "./instances.ts";

/** snake_case, because it is printed as it is. */
export interface OpenQuestion {
  /** A hash of its words. */
  readonly id: string;
  readonly question: string;
  /** The note that left it open. */
  readonly source: string;
  /** The title of that note. */
  readonly session_title: string;
  readonly asked: string;
}

export interface Triaged {
  readonly added: readonly { readonly question: OpenQuestion; readonly outcome: SaveOutcome }[];
  readonly dropped: readonly OpenQuestion[];
  readonly left: number;
}

/** Older sessions are left out: their questions were answered, or do not matter. */
const SESSIONS_MAX = 20;
const DAYS_MAX = 30;
const CONTENT_CHARACTERS_MAX = 300;

/** The latest first, each once. */
export async function openQuestions(memory: Memory): Promise<OpenQuestion[]> {
  const running = runningNotes(memory);
  const since = rfc3339(memory.now() - DAYS_MAX * DAY_MS);
  const all = (await catalogue(memory, ["session", "checkpoint"]))
    .filter((entry) =>
      !entry.note.problem && entry.note.updated >= since && isHere(memory, entry) &&
      entry.store.trust !== "unknown"
    ).sort(lastUpdatedFirst);
  const entries = [
    ...all.filter(({ note }) => note.kind === "session").slice(0, SESSIONS_MAX),
    ...all.filter(isOutsideSessions).slice(0, SESSIONS_MAX),
  ].sort(lastUpdatedFirst);
  const read = (await readEntries(entries)).map(({ note }) => {
    const open = withoutPrivate(note);
    return { open, session: open.kind === "session" ? readSessionNote(open) : undefined };
  });
  const sessionsOf = (some: typeof read): Session[] => some.flatMap(({ session }) => session ?? []);
  const seen = new Set(triagedQuestions(memory));
  const found: OpenQuestion[] = [];
  for (const [i, { open, session }] of read.entries()) {
    // Whoever is at work may still answer its own.
    if (running.has(open.id)) continue;
    const later = sessionsOf(read.slice(0, i));
    const beside = session === undefined ? [] : ranBeside(session, sessionsOf(read.slice(i + 1)));
    for (const question of (session ?? readCheckpoint(open)).openQuestions) {
      const id = questionKey(question);
      if (seen.has(id) || isSettled(question, later, beside)) continue;
      seen.add(id);
      const asked = session?.ended ?? open.updated;
      found.push({ id, question, source: open.id, session_title: open.title, asked });
    }
  }
  return found;
}

/** A checkpoint that no session's note can speak of. */
function isOutsideSessions({ note }: Entry): boolean {
  return note.kind === "checkpoint" && note.session === undefined;
}

/** Makes todos of some and drops others; the rest stays open. */
export async function triage(
  memory: Memory,
  choice: { readonly accept: readonly string[]; readonly drop: readonly string[] },
  author: Author,
): Promise<Triaged> {
  const open = await openQuestions(memory);
  const byId = new Map(open.map((question) => [question.id, question]));
  const wanted = (ids: readonly string[]): OpenQuestion[] =>
    [...new Set(ids)].map((id) => {
      const question = byId.get(id);
      if (question !== undefined) return question;
      throw new SageError("not_found", `No open question is called "${cut(id, 40)}"`, {
        hint: "sage todo triage lists them with their ids",
      });
    });
  const dropped = wanted(choice.drop);
  const both = choice.accept.find((id) => choice.drop.includes(id));
  if (both !== undefined) {
    throw new SageError("usage", `Question ${cut(both, 40)} cannot be a todo and let go`);
  }
  const added: { question: OpenQuestion; outcome: SaveOutcome }[] = [];
  let left = open.length - dropped.length;
  for (const question of wanted(choice.accept)) {
    const whole = question.question;
    const content = cutTitle(whole, CONTENT_CHARACTERS_MAX);
    const todo = {
      content,
      source: question.source,
      ...content === whole ? {} : { context: whole },
    };
    const outcome = await addTodo(memory, todo, author);
    added.push({ question, outcome });
    // Recorded at once, so that a run that is interrupted here makes no todo twice.
    if (outcome.kind === "saved" || outcome.kind === "duplicate") {
      markTriaged(memory, [question.id]);
      left--;
    }
  }
  if (dropped.length > 0) markTriaged(memory, dropped.map(({ id }) => id));
  return { added, dropped, left };
}
