/**
 * Which sessions ran on this machine. Git brings the notes of other people and other machines too,
 * and only local sessions have a state here.
 */
import type { IndexedNote } from "../../search/document.ts";
import { type Entry, exceptAhead, lastUpdatedFirst } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { ENDED_FOLDER, endedName, LIVE_FOLDER, liveName, stateNames } from "./state/state_file.ts";

/** Whether a session, by the editor's id, ran on this machine. */
export function hadHere({ fs, places }: Memory): (session: string | undefined) => boolean {
  const names = new Set(
    [LIVE_FOLDER, ENDED_FOLDER].flatMap((part) => stateNames(fs, places.stateDir, part)),
  );
  return (session = "") => names.has(liveName(session)) || names.has(endedName(session));
}

/** The notes of sessions that ran here; all of them where none did, as on a new machine. */
export function ownFirst<T extends { readonly note: Pick<IndexedNote, "session"> }>(
  memory: Memory,
  entries: readonly T[],
): readonly T[] {
  const isHad = hadHere(memory);
  const own = entries.filter(({ note }) => isHad(note.session));
  return own.length === 0 ? entries : own;
}

/** The latest session note: of this person where there is one, and of no clock that was ahead. */
export function latestOf(memory: Memory, sessions: readonly Entry[]): Entry | undefined {
  return [...exceptAhead(memory, ownFirst(memory, sessions))].sort(lastUpdatedFirst)[0];
}
