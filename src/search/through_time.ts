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
  // Most often nothing that was found replaces anything, and nothing is of its day.
  if (!notes.some(({ stored }) => stored.supersedes.length > 0 || SNAPSHOTS.has(stored.kind))) {
    return [...notes];
  }
  const newest = new Map<string, string>();
  for (const { stored } of notes) {
    const series = seriesOf(stored);
    if (series !== undefined && stored.updated > (newest.get(series) ?? "")) {
      newest.set(series, stored.updated);
    }
  }
  const isOlder = ({ stored }: Placed): boolean =>
    stored.updated < (newest.get(seriesOf(stored) ?? "") ?? "");
  const own = (note: Placed): number => note.sum + (isOlder(note) ? WORTH.older : 0);
  const byId = new Map(notes.map((note) => [note.stored.id, note]));
  // Notes that replace each other in a circle hand nothing on.
  const said = (note: Placed, behind: ReadonlySet<string>): number =>
    note.stored.supersedes.reduce((most, id) => {
      const old = behind.has(id) ? undefined : byId.get(id);
      const further = new Set([...behind, id]);
      return old === undefined ? most : Math.max(most, said(old, further) + WORTH.handedOn);
    }, own(note));
  return notes.map((note) => {
    const sum = said(note, new Set([note.stored.id]));
    const inherited = sum - own(note);
    const evidence = { ...note.evidence, isOlder: isOlder(note), inherited };
    return { ...note, sum, evidence };
  });
}

/** `Checkpoint: slow routes, done` and `Checkpoint: slow routes, baseline` are of one series. */
function seriesOf({ kind, title }: Placed["stored"]): string | undefined {
  if (!SNAPSHOTS.has(kind)) return undefined;
  const subject = [...tellingWords(title.split(",")[0] ?? "")].sort().join(" ");
  return subject === "" ? undefined : `${kind} ${subject}`;
}
