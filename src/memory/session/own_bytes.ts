/**
 * Which bytes of a session's note are Sage's own. Sage rewrites the note only while it consists of them, so
 * every other part of Sage that changes the note must record that here; otherwise it counts as a person's.
 */
import { parseTime } from "../../base/clock.ts";
import { dirname } from "../../base/path.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { sha256Hex } from "../../base/hash.ts";
import { frontText } from "../../note/front_values.ts";
import { readGenerated } from "../../note/provenance.ts";
import { readGit } from "../../store/git/git.ts";
import { withdrawFromInbox } from "../../store/inbox.ts";
import type { LoadedNote } from "../../store/load.ts";
import type { Store } from "../../store/handle.ts";
import { isOwnWrite, OWN_WRITE_MS } from "../../store/own_writes.ts";
import type { Memory } from "../memory.ts";
import { worktreeOfStore } from "./lost_note.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession, updateSession } from "./state/state.ts";

export type OwnNote = NonNullable<SessionState["note"]>;

/** What Sage wrote last, or what waited in the inbox and was folded in by another process since. */
function isOwn(note: OwnNote, bytes: Uint8Array): boolean {
  const hash = sha256Hex(bytes);
  return hash === note.hash || hash === note.waiting?.hash;
}

/**
 * Whether the file is newer than its note says: edited by hand, or by git. Also where the note says
 * nothing.
 */
export function isWrittenSince({ stamp }: LoadedNote, at: string): boolean {
  const said = parseTime(at);
  return said === undefined || stamp.mtimeMs > said + OWN_WRITE_MS;
}

/**
 * Whether the note on disk is as Sage wrote it. The state may lack Sage's last text, because the process was
 * killed right after writing it, and git may bring back an earlier one. Outside of git an earlier text was
 * brought back by a person, and stays.
 */
export function isOwnStill(store: Store, note: OwnNote, loaded: LoadedNote): boolean {
  return isOwn(note, loaded.bytes) || isOwnWrite(store, loaded.bytes) &&
      (isInGit(store) || !isWrittenSince(loaded, loaded.note.updated));
}

/** Whether git may have written the note, as by a checkout or a reset. */
function isInGit({ fs, home, scope, vault }: Store): boolean {
  return scope === "project" && vault === undefined && readGit(fs, dirname(home)) !== undefined;
}

/** Records what Sage has written. Older text that waits in the inbox must not come after it. */
export function rememberOwn(memory: Memory, store: Store, session: string, note: OwnNote): void {
  const before = readSession(memory, session)?.note?.waiting;
  if (before !== undefined) withdrawFromInbox(store, before.inbox);
  const worktree = worktreeOfStore(store);
  const { worktree: _, ...own } = note;
  updateSession(memory, session, (state) => ({
    ...state,
    note: { ...own, ...defined({ worktree }) },
    ...defined({ notesElsewhere: nonEmpty(othersOf(state, note)) }),
    noteAt: memory.now(),
  }));
}

/** More branches than a session is likely to visit. */
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
  // Not a sign of life of the session.
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
