/**
 * Which bytes of a session's note are Sage's own. It rewrites the note only while they stand there, so
 * whatever else of Sage writes into it has to say so, or the note is taken for a person's.
 */
import { parseTime } from "../../base/clock.ts";
import { filled, given } from "../../base/given.ts";
import { sha256Hex } from "../../base/hash.ts";
import { frontText } from "../../note/front_values.ts";
import { readGenerated } from "../../note/provenance.ts";
import { withdrawFromInbox } from "../../store/inbox.ts";
import type { LoadedNote } from "../../store/load.ts";
import type { Store } from "../../store/handle.ts";
import { isOurs, OWN_WRITE_MS } from "../../store/written.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "./session_state.ts";
import { readSession, updateSession } from "./state.ts";

export type OwnNote = NonNullable<SessionState["note"]>;

/** What Sage wrote last, or what it could not write yet and another process has folded in since. */
function isOwn(note: OwnNote, bytes: Uint8Array): boolean {
  const hash = sha256Hex(bytes);
  return hash === note.hash || hash === note.waiting?.hash;
}

/** Whether the file is of later than its note says: by hand, or by git. So is one whose note says nothing. */
export function isWrittenSince({ stamp }: LoadedNote, at: string): boolean {
  const said = parseTime(at);
  return said === undefined || stamp.mtimeMs > said + OWN_WRITE_MS;
}

/** The same of the note on the disk: who was killed right after writing could not say so any more. */
export function isOwnStill(store: Store, note: OwnNote, loaded: LoadedNote): boolean {
  return isOwn(note, loaded.bytes) ||
    isOurs(store, loaded.bytes) && !isWrittenSince(loaded, loaded.note.updated);
}

/** Sage has written the note: what waited to be written is older, and may not come after it. */
export function rememberOwn(memory: Memory, store: Store, session: string, note: OwnNote): void {
  const before = readSession(memory, session)?.note?.waiting;
  if (before !== undefined) withdrawFromInbox(store, before.inbox);
  updateSession(memory, session, (state) => ({
    ...state,
    note,
    ...given({ notesElsewhere: filled(othersOf(state, note)) }),
    noteAt: memory.now(),
  }));
}

/** As many branches as a session is likely to go to. */
const ELSEWHERE_MAX = 8;

function othersOf({ note, notesElsewhere = [] }: SessionState, now: OwnNote): readonly OwnNote[] {
  return [...note === undefined ? [] : [note], ...notesElsewhere]
    .filter(({ id }) => id !== now.id).slice(0, ELSEWHERE_MAX);
}

/** Another part of Sage replaced the text of a session's note, or of one that the session wrote. */
export function rewroteNote(memory: Memory, { note, bytes }: LoadedNote, text: string): void {
  const session = readGenerated(note.front)?.session ?? frontText(note.front, "session");
  const state = session === undefined ? undefined : readSession(memory, session);
  if (state === undefined) return;
  const hash = sha256Hex(text);
  // Nothing was heard of the session by this.
  const { seen } = state;
  if (state.note?.id === note.id && isOwn(state.note, bytes)) {
    const { waiting: _, ...own } = { ...state.note, hash };
    updateSession(memory, state.session, (now) => ({ ...now, seen, note: own }));
  }
  if (state.wrote?.[note.id] === sha256Hex(bytes)) {
    const wrote = { [note.id]: hash };
    updateSession(memory, state.session, (now) => ({
      ...now,
      seen,
      wrote: { ...now.wrote, ...wrote },
    }));
  }
}
