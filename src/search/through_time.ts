/**
 * What time adds to evidence: a later checkpoint outdates an earlier one of the same subject, and what
 * a note replaced speaks for it. Who asks in the words of the old version wants to know what holds now.
 */
import type { IndexedNote } from "./document.ts";
import { type Evidence, WORTH } from "./score.ts";
import { tellingWords } from "./words.ts";

/** What such a note says is true of its day. */
const SNAPSHOTS: ReadonlySet<string> = new Set(["checkpoint", "session"]);

interface Placed {
  readonly sum: number;
  readonly evidence: Evidence;
  readonly stored: Pick<IndexedNote, "id" | "kind" | "title" | "updated" | "supersedes">;
}

/** The same notes with that in their evidence and sums. */
export function throughTime<T extends Placed>(notes: readonly T[]): T[] {
  const newest = new Map<string, string>();
  for (const { stored } of notes) {
    const series = seriesOf(stored);
    if (series !== undefined && stored.updated > (newest.get(series) ?? "")) {
      newest.set(series, stored.updated);
    }
  }
  const sums = new Map<string, number>();
  // Versions that were replaced first, so that what they say is handed on from one to the next.
  return notes.toSorted((a, b) => a.stored.updated < b.stored.updated ? -1 : 1).map((note) => {
    const { stored, evidence } = note;
    const series = seriesOf(stored);
    const isOlder = series !== undefined && stored.updated < (newest.get(series) ?? "");
    const own = note.sum + (isOlder ? WORTH.older : 0);
    const replaced = Math.max(...stored.supersedes.map((id) => sums.get(id) ?? -Infinity));
    const inherited = Math.max(0, replaced + WORTH.handedOn - own);
    sums.set(stored.id, own + inherited);
    if (!isOlder && inherited === 0) return note;
    return { ...note, sum: own + inherited, evidence: { ...evidence, isOlder, inherited } };
  });
}

/** `Checkpoint: slow routes, done` and `Checkpoint: slow routes, baseline` are of one series. */
function seriesOf({ kind, title }: Placed["stored"]): string | undefined {
  if (!SNAPSHOTS.has(kind)) return undefined;
  const subject = [...tellingWords(title.split(",")[0] ?? "")].sort().join(" ");
  return subject === "" ? undefined : `${kind} ${subject}`;
}
