/**
 * What time adds to the evidence of notes: a later checkpoint outdates an earlier one of the same subject,
 * and a note inherits evidence from the versions it replaced, for whoever asks in the words of an old
 * version wants to know what holds now.
 */
import type { IndexedNote } from "../document.ts";
import { type Evidence, WORTH } from "./score.ts";
import { tellingWords } from "../query/words.ts";

const SNAPSHOTS: ReadonlySet<string> = new Set(["checkpoint", "session"]);

/** Whether notes of this kind describe the state of one day, and age. */
export function isSnapshot(kind: string): boolean {
  return SNAPSHOTS.has(kind);
}

/** A snapshot with a smaller share of the question's words may be about anything. */
const SHARE_MIN = 0.3;
/** What outdates another says nearly as much of the question, and is not far behind it. */
const SHARE_OF_EARLIER = 0.75;
const BEHIND_MAX = 1;

/** Folded words of questions about what happened or why; one of them is enough. */
const OF_THEN: ReadonlySet<string> = new Set(
  ("why did was were had caused failed happened went " +
    "warum wieso weshalb war waren hatte hatten wurde wurden gab pourquoi etait etaient avait avaient " +
    "eran fue fueron estaba habia foi foram estava havia erano aveva perche").split(" "),
);

/** Whether a question, as a phrase, is about the past. */
export function asksOfThen(phrase: string): boolean {
  return phrase.split(" ").some((word) => OF_THEN.has(word));
}

interface Placed {
  readonly sum: number;
  /** Log-odds that count in the combined score and not in competition. */
  readonly certainty: number;
  readonly evidence: Evidence;
  readonly stored: Pick<
    IndexedNote,
    "id" | "kind" | "title" | "updated" | "supersedes" | "session"
  >;
}

/**
 * The notes in their order, with `isOlder` and what they inherit in evidence, sum and certainty. `isAlike`:
 * whether two are about one thing; undefined for a question about the past, to which no note is outdated.
 */
export function withTimeEvidence<T extends Placed>(
  notes: readonly T[],
  isAlike?: (a: T, b: T) => boolean,
): T[] {
  // Mostly there is nothing to do.
  if (!notes.some(({ stored }) => stored.supersedes.length > 0 || isSnapshot(stored.kind))) {
    return [...notes];
  }
  const newest = newestOfSeries(notes);
  const places = new Map(notes.map(({ stored }, i) => [stored.id, i]));
  const earlier = notes.map(({ stored }) => stored.supersedes.map((id) => places.get(id)));
  notes.forEach(({ stored }, i) => {
    const last = newest[i];
    if (last !== undefined && notes[last]?.stored.title !== stored.title) earlier[last]?.push(i);
  });
  const scores = notes.map(({ sum, certainty }) => ({ sum, certainty }));
  // Hands evidence on from version to version until nothing changes. Each step loses some, so cycles end.
  for (let isMore = true; isMore;) {
    isMore = false;
    earlier.forEach((versions, i) => {
      for (const version of versions) {
        const [before, own] = [scores[version ?? -1], scores[i]];
        if (before === undefined || own === undefined) continue;
        const sum = before.sum + WORTH.handedOn;
        if (sum <= own.sum) continue;
        scores[i] = { sum, certainty: Math.max(own.certainty, before.certainty) };
        isMore = true;
      }
    });
  }
  return notes.map((note, i) => {
    const { sum, certainty } = scores[i] ?? note;
    const isOlder = newest[i] !== undefined ||
      isAlike !== undefined && notes.some((later) => outdates(later, note) && isAlike(later, note));
    const evidence = {
      ...note.evidence,
      isOlder,
      inherited: sum - note.sum,
      inheritedCertainty: certainty - note.certainty,
    };
    return { ...note, sum: sum + (isOlder ? WORTH.older : 0), certainty, evidence };
  });
}

/**
 * Whether a snapshot of a later session says as much of the question. What it says may be something else, so
 * it inherits nothing.
 */
function outdates(later: Placed, note: Placed): boolean {
  const [a, b] = [later.stored, note.stored];
  return note.evidence.kw >= SHARE_MIN && isSnapshot(b.kind) && isSnapshot(a.kind) &&
    a.updated > b.updated && (a.session === undefined || a.session !== b.session) &&
    later.evidence.kw >= SHARE_OF_EARLIER * note.evidence.kw &&
    later.sum >= note.sum - BEHIND_MAX;
}

/** For each note the place of the last of its series, if that is a later one. */
function newestOfSeries(notes: readonly Placed[]): readonly (number | undefined)[] {
  const series = notes.map(({ stored }) => seriesOf(stored));
  const updatedOf = (i: number | undefined): string => notes[i ?? -1]?.stored.updated ?? "";
  const newest = new Map<string, number>();
  series.forEach((name, i) => {
    if (name !== undefined && updatedOf(i) > updatedOf(newest.get(name))) newest.set(name, i);
  });
  return series.map((name, i) => {
    const last = newest.get(name ?? "");
    return updatedOf(last) > updatedOf(i) ? last : undefined;
  });
}

/**
 * `Checkpoint: slow routes, done` and `Checkpoint: slow routes, baseline` are of one series, and so is
 * what begins with the same ticket.
 */
function seriesOf({ kind, title }: Placed["stored"]): string | undefined {
  if (!isSnapshot(kind)) return undefined;
  const ticket = TICKET_AHEAD.exec(title)?.[1];
  if (ticket !== undefined) return `${kind} ${ticket}`;
  const subject = [...tellingWords(title.split(",")[0] ?? "")].sort().join(" ");
  return subject === "" ? undefined : `${kind} ${subject}`;
}

/** `SOR-2107: …`, `Checkpoint #377 …`. */
const TICKET_AHEAD =
  /^(?:[Cc]heckpoint|[Ss]ession)?:?\s*\[?((?:[A-Z][A-Z0-9]{1,9}-|#)\d{1,6})\b(?!-)/;
