/**
 * Which notes an orientation may speak of, from the index as it stands, and which files it rests on.
 * lines.ts words it.
 */
import { join } from "../../../base/path.ts";
import { type Entry, exceptAhead, knownEntries, newestFirst } from "../../index/entries.ts";
import type { Memory } from "../../memory.ts";
import { hadHere } from "../local_sessions.ts";

/** The most that are looked at of one kind in one store: enough to get past other projects' notes. */
const NEWEST = 20;

/** Only the newest sessions and checkpoints, whose number has no limit; nothing of an untrusted store. */
export function relevantEntries(memory: Memory): Entry[] {
  const isHad = hadHere(memory);
  const isOwn = ({ note }: Entry): boolean => isHad(note.session);
  const sessions = newestKnown(memory, "session", isOwn);
  const checkpoints = newestKnown(memory, "checkpoint", isOwn);
  return [
    ...sessions,
    // What a person saved by a command belongs to no session.
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
  // After a long absence the newest are all from others.
  const known = newest.length < NEWEST || newest.some(isOwn)
    ? newest
    : [...newest, ...knownEntries(memory, { kinds: [kind] }).filter(isOwn)];
  return exceptAhead(memory, known);
}

/**
 * Files whose change makes it out of date: the newest checkpoint, and all notes of the kinds that are
 * counted.
 */
export function quotedPaths(entries: readonly Entry[]): string[] {
  const checkpoints = entries.filter(({ note }) => note.kind === "checkpoint").sort(newestFirst);
  const counted = entries.filter(({ note }) => note.kind === "todo" || note.pinned);
  return [...checkpoints.slice(0, 1), ...counted]
    .map(({ store, note }) => join(store.root, note.path));
}

export function isTrusted({ store }: Entry): boolean {
  return store.trust !== "unknown";
}
