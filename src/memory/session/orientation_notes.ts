/**
 * Which notes an orientation may speak of, from the index as it stands, and which files what it says rests
 * on. What it says of them is orientation_lines.ts.
 */
import { join } from "../../base/fs.ts";
import { type Entry, exceptAhead, knownEntries, newestFirst } from "../index_entries.ts";
import type { Memory } from "../memory.ts";
import { hadHere } from "./local_sessions.ts";

/** Looked at of one kind in one store: enough to get past those of other projects. */
const NEWEST = 20;

/** Of a kind that grows without end only the newest; none that nobody vouched for. */
export function relevantEntries(memory: Memory): Entry[] {
  const isHad = hadHere(memory);
  const isOwn = ({ note }: Entry): boolean => isHad(note.session);
  const sessions = newestKnown(memory, "session", isOwn);
  const checkpoints = newestKnown(memory, "checkpoint", isOwn);
  return [
    ...sessions,
    // What a person saved by a command is of no session.
    ...(sessions.some(isOwn)
      ? checkpoints.filter((entry) => !entry.note.session || isOwn(entry))
      : checkpoints),
    ...knownEntries(memory, { kinds: ["todo"], statuses: ["pending", "in_progress", "blocked"] }),
    ...knownEntries(memory, { kinds: ["knowledge", "topic"], statuses: ["active"], pinned: true }),
  ].filter(isTrusted);
}

function newestKnown(
  memory: Memory,
  kind: "session" | "checkpoint",
  isOwn: (entry: Entry) => boolean,
): readonly Entry[] {
  const newest = knownEntries(memory, { kinds: [kind] }, NEWEST);
  // Whoever was away finds more than these of others.
  const known = newest.length < NEWEST || newest.some(isOwn)
    ? newest
    : [...newest, ...knownEntries(memory, { kinds: [kind] }).filter(isOwn)];
  return exceptAhead(memory, known);
}

/** Files whose change makes it another: the newest checkpoint, and all notes of the kinds that are counted. */
export function quotedPaths(entries: readonly Entry[]): string[] {
  const checkpoints = entries.filter(({ note }) => note.kind === "checkpoint").sort(newestFirst);
  const counted = entries.filter(({ note }) => note.kind === "todo" || note.pinned);
  return [...checkpoints.slice(0, 1), ...counted]
    .map(({ store, note }) => join(store.root, note.path));
}

export function isTrusted({ store }: Entry): boolean {
  return store.trust !== "unknown";
}
