/**
 * What time adds to the evidence of notes: a later checkpoint outdates an earlier one of the same subject,
 * and a note inherits evidence from the versions it replaced, for whoever asks in the words of an old
 * version wants to know what holds now.
 */
import type { IndexedNote } from "./document.ts";
import { type Evidence, WORTH } from "./score.ts";
import { tellingWords } from "./words.ts";

/** Kinds that say what was true on their day. */
const SNAPSHOTS: ReadonlySet<string> = new Set(["checkpoint", "session"]);

interface Placed {
  readonly sum: number;
  readonly evidence: Evidence;
  readonly stored: Pick<IndexedNote, "id" | "kind" | "title" | "updated" | "supersedes">;
}

/** The same notes in the same order, with `isOlder` and `inherited` in their evidence and in their sums. */
export function withTimeEvidence<T extends Placed>(notes: readonly T[]): T[] {
  // Mostly there is nothing to do.
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
  const sums = [...own];
  const places = new Map(notes.map(({ stored }, i) => [stored.id, i]));
  // From version to version until nothing changes. Each step costs `handedOn`, so circles end as well.
  for (let isMore = true; isMore;) {
    isMore = false;
    notes.forEach(({ stored }, i) => {
      for (const id of stored.supersedes) {
        const handed = (sums[places.get(id) ?? -1] ?? -Infinity) + WORTH.handedOn;
        if (handed > (sums[i] ?? 0)) [sums[i], isMore] = [handed, true];
      }
    });
  }
  return notes.map((note, i) => {
    const [sum = 0, alone = 0] = [sums[i], own[i]];
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
