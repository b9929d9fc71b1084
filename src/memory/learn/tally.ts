/**
 * What became of the checkpoints that detection saved in this project: gone back to, removed, or never
 * used. Counted from the notes themselves and the private journal of uses; nothing is stored for it.
 */
import { DAY_MS, parseTime } from "../../base/clock.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { type Inflection, INFLECTIONS, isInflection } from "../../detect/trigger/signal.ts";
import { checkpointEntries } from "../checkpoint/list.ts";
import { knownEntries, newestFirst, readEntry } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { readUses } from "../use.ts";
import { forgottenSince } from "./since.ts";

interface Tally {
  readonly saved: number;
  /** Loaded, restored, found and read, or branched from. */
  readonly used: number;
  /** Moved to the trash by hand. */
  readonly removed: number;
  /** Older than a month, and never used. */
  readonly unused: number;
}

export type Tallies = Readonly<Record<Inflection, Tally>>;

const NEWEST = 300;
const UNUSED_MS = 30 * DAY_MS;
const USES: readonly string[] = ["loaded", "read", "branched"];

export interface ValuedCheckpoint {
  readonly trigger: Inflection;
  readonly session: string;
  readonly createdMs: number;
}

interface Counted {
  readonly tallies: Tallies;
  /** Those that somebody went back to, newest first. */
  readonly valued: readonly ValuedCheckpoint[];
}

export async function countUses(memory: Memory): Promise<Counted> {
  const since = forgottenSince(memory);
  const uses = readUses(memory).filter(({ at }) => (parseTime(at) ?? 0) > since);
  const used = new Set(uses.filter(({ use }) => USES.includes(use)).map(({ id }) => id));
  const tallies = Object.fromEntries(
    INFLECTIONS.map((trigger) => [trigger, { saved: 0, used: 0, removed: 0, unused: 0 }]),
  ) as Record<Inflection, { -readonly [K in keyof Tally]: Tally[K] }>;
  const valued: ValuedCheckpoint[] = [];
  // A hook does not walk the disk: the index as it is will do.
  const entries = memory.hook
    ? knownEntries(memory, { kinds: ["checkpoint"] }, NEWEST).sort(newestFirst)
    : await checkpointEntries(memory);
  for (const entry of entries.slice(0, NEWEST)) {
    const created = parseTime(entry.note.created);
    if (created === undefined || created < since) continue;
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const { trigger, session, generated } = readCheckpoint(stored.note);
    // What a person saved by hand says nothing about detection.
    const isByHand = generated === undefined || generated.by === "person";
    if (isByHand || !isInflection(trigger)) continue;
    const tally = tallies[trigger];
    tally.saved++;
    if (used.has(stored.note.id)) {
      tally.used++;
      valued.push({ trigger, session: session ?? "", createdMs: created });
    } else if (memory.now() - created > UNUSED_MS) tally.unused++;
  }
  // A note that was restored is not counted as removed, and one removed twice is counted once.
  const here = new Set<string>(entries.map(({ note }) => note.id));
  const { projectIds } = memory.places;
  const removed = new Map(
    uses.filter(({ use, id, project }) =>
      use === "removed" && !here.has(id) && (project === undefined || projectIds.includes(project))
    ).map(({ id, trigger }) => [id, trigger]),
  );
  for (const trigger of removed.values()) if (isInflection(trigger)) tallies[trigger].removed++;
  return { tallies, valued };
}
