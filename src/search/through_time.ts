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
  const own = notes.map((note) => note.sum + (isOlder(note) ? WORTH.older : 0));
  const said = [...own];
  const places = new Map(notes.map(({ stored }, i) => [stored.id, i]));
  // From version to version, until none has more to hand on: each step takes from it, so circles end too.
  for (let isMore = true; isMore;) {
    isMore = false;
    notes.forEach(({ stored }, i) => {
      for (const id of stored.supersedes) {
        const handed = (said[places.get(id) ?? -1] ?? -Infinity) + WORTH.handedOn;
        if (handed > (said[i] ?? 0)) [said[i], isMore] = [handed, true];
      }
    });
  }
  return notes.map((note, i) => {
    const [sum = 0, alone = 0] = [said[i], own[i]];
    const evidence = { ...note.evidence, isOlder: isOlder(note), inherited: sum - alone };
    return { ...note, sum, evidence };
  });
}

/** `Checkpoint: slow routes, done` and `Checkpoint: slow routes, baseline` are of one series. */
function seriesOf({ kind, title }: Placed["stored"]): string | undefined {
  if (!SNAPSHOTS.has(kind)) return undefined;
  const subject = [...tellingWords(title.split(",")[0] ?? "")].sort().join(" ");
  return subject === "" ? undefined : `${kind} ${subject}`;
}
