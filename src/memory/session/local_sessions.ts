/**
 * Which sessions ran on this machine. Git brings the notes of other people and other machines too,
 * and only local sessions have a state here.
 */
import { listIfReadable } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import type { IndexedNote } from "../../search/document.ts";
import { type Entry, exceptAhead, lastUpdatedFirst } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { ENDED_FOLDER, LIVE_FOLDER } from "./state/state_file.ts";

/** Whether a session, by the editor's id, ran on this machine. */
export function hadHere({ fs, places }: Memory): (session: string | undefined) => boolean {
  const names = new Set(
    [LIVE_FOLDER, ENDED_FOLDER].flatMap((part) => listIfReadable(fs, join(places.stateDir, part)))
      .map(({ name }) => name),
  );
  return (session) => names.has(`${session}.json`);
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
