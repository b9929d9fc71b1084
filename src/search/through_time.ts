/**
 * What time adds to evidence: a later checkpoint outdates an earlier one of the same subject, and what
 * an earlier version says of the question speaks for the later one. Who asks in the words of the old one
 * wants to know what holds now.
 */
import type { IndexedNote } from "./document.ts";
import { type Evidence, WORTH } from "./score.ts";
import { tellingWords } from "./words.ts";

/** What such a note says is true of its day. */
const SNAPSHOTS: ReadonlySet<string> = new Set(["checkpoint", "session"]);

interface Placed {
  readonly sum: number;
  /** Log-odds that count for certainty alone. */
  readonly covered: number;
  readonly evidence: Evidence;
  readonly stored: Pick<IndexedNote, "id" | "kind" | "title" | "updated" | "supersedes">;
}

/** The same notes with that in their evidence, sums and certainty. */
export function throughTime<T extends Placed>(notes: readonly T[]): T[] {
  // Most often nothing that was found replaces anything, and nothing is of its day.
  if (!notes.some(({ stored }) => stored.supersedes.length > 0 || SNAPSHOTS.has(stored.kind))) {
    return [...notes];
  }
  const newest = newestOfSeries(notes);
  const places = new Map(notes.map(({ stored }, i) => [stored.id, i]));
  const earlier = notes.map(({ stored }) => stored.supersedes.map((id) => places.get(id)));
  notes.forEach(({ stored }, i) => {
    const last = newest[i];
    if (last === undefined || last === i || notes[last]?.stored.title === stored.title) return;
    earlier[last]?.push(i);
  });
  const said = notes.map(({ sum, covered }) => ({ sum, covered }));
  // From version to version, until none has more to hand on: each step takes from it, so circles end too.
  for (let isMore = true; isMore;) {
    isMore = false;
    earlier.forEach((versions, i) => {
      for (const version of versions) {
        const [before, own] = [said[version ?? -1], said[i]];
        if (before === undefined || own === undefined) continue;
        const sum = before.sum + WORTH.handedOn;
        if (sum <= own.sum) continue;
        said[i] = { sum, covered: Math.max(own.covered, before.covered) };
        isMore = true;
      }
    });
  }
  return notes.map((note, i) => {
    const { sum, covered } = said[i] ?? note;
    const isOlder = newest[i] !== undefined && newest[i] !== i;
    const evidence = {
      ...note.evidence,
      isOlder,
      inherited: sum - note.sum,
      inheritedCertainty: covered - note.covered,
    };
    return { ...note, sum: sum + (isOlder ? WORTH.older : 0), covered, evidence };
  });
}

/** For each note the place of the last of its series. */
function newestOfSeries(notes: readonly Placed[]): readonly (number | undefined)[] {
  const series = notes.map(({ stored }) => seriesOf(stored));
  const newest = new Map<string, number>();
  notes.forEach(({ stored }, i) => {
    const [name, last] = [series[i], notes[newest.get(series[i] ?? "") ?? -1]];
    if (name !== undefined && stored.updated > (last?.stored.updated ?? "")) newest.set(name, i);
  });
  return series.map((name) => newest.get(name ?? ""));
}

/**
 * `Checkpoint: slow routes, done` and `Checkpoint: slow routes, baseline` are of one series, and so is
 * what begins with the same ticket.
 */
function seriesOf({ kind, title }: Placed["stored"]): string | undefined {
  if (!SNAPSHOTS.has(kind)) return undefined;
  const ticket = TICKET_AHEAD.exec(title)?.[1];
  if (ticket !== undefined) return `${kind} ${ticket}`;
  const subject = [...tellingWords(title.split(",")[0] ?? "")].sort().join(" ");
  return subject === "" ? undefined : `${kind} ${subject}`;
}

/** `SOR-2107: …`, `Checkpoint #377 …`. */
const TICKET_AHEAD =
  /^(?:[Cc]heckpoint|[Ss]ession)?:?\s*\[?((?:[A-Z][A-Z0-9]{1,9}-|#)\d{1,6})\b(?!-)/;
