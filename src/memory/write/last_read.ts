/**
 * Which text of a note an agent knows: the one that it read or wrote last, by its hash. Other bytes are
 * somebody else's, and are not replaced before it has seen them. merge_base.ts keeps the texts.
 */
import type { Memory } from "../memory.ts";
import { readSession, recordInSession } from "../session/state/state.ts";

interface Known {
  readonly id: string;
  /** SHA-256 of the file. */
  readonly hash: string;
}

/** For clients that name no session: this process counts as one. */
const unnamed = new Map<string, string>();
const UNNAMED_MAX = 256;

export function recordRead(
  memory: Memory,
  session: string | undefined,
  notes: readonly Known[],
): void {
  if (notes.length === 0) return;
  if (session !== undefined) {
    const read = Object.fromEntries(notes.map(({ id, hash }) => [id, hash]));
    recordInSession(memory, session, (state) => ({ ...state, read: latest(state.read, read) }));
    return;
  }
  for (const { id, hash } of notes) {
    unnamed.delete(keyOf(memory, id));
    unnamed.set(keyOf(memory, id), hash);
  }
  for (const key of [...unnamed.keys()].slice(0, -UNNAMED_MAX)) unnamed.delete(key);
}

/** Undefined where the session knows no text of the note. */
export function lastRead(
  memory: Memory,
  session: string | undefined,
  id: string,
): string | undefined {
  return session === undefined
    ? unnamed.get(keyOf(memory, id))
    : readSession(memory, session)?.read?.[id];
}

type Hashes = Readonly<Record<string, string>>;

/** With the latest at the end: the first are dropped where there are too many. */
function latest(before: Hashes = {}, next: Hashes): Hashes {
  const others = Object.entries(before).filter(([id]) => !Object.hasOwn(next, id));
  return { ...Object.fromEntries(others), ...next };
}

function keyOf({ places }: Memory, id: string): string {
  return `${places.projectDir}\n${id}`;
}
