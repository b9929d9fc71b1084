/** Reads and changes the state of a session; session_state.ts says what is in it. */
import { processStart } from "../../../base/clock.ts";
import { SageError } from "../../../base/errors.ts";
import { thisHost } from "../../../base/host.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../../../base/limits.ts";
import { readStateOrThrow, removeState, updateState, writeState } from "../../../store/state.ts";
import type { SessionState } from "./session_state.ts";
import { endedName, findState, liveName, ofSession } from "./state_file.ts";
import type { Memory } from "../../memory.ts";

/** Lists in a state file keep the newest entries, this many. */
const ENTRIES_MAX = 200;
const MOST: Readonly<Record<string, number>> = { subagents: 20 };

/** Making a summary of a whole context window takes minutes. */
const SUMMARY_MS_MAX = 10 * 60_000;

export function readSession(memory: Memory, session: string): SessionState | undefined {
  return findState(memory.fs, memory.places.stateDir, session);
}

/** Whether all that was said before the compaction that is under way, or has just ended, is saved. */
export function isSavedForCompaction(
  memory: Memory,
  { savedForCompaction: at }: Pick<SessionState, "savedForCompaction"> = {},
): boolean {
  return at !== undefined && Math.abs(memory.now() - at) < SUMMARY_MS_MAX;
}

/** Reads, changes and replaces the state as one step; creates a missing one. */
export function updateSession(
  memory: Memory,
  session: string,
  change: (state: SessionState) => SessionState,
): SessionState {
  const { fs, places } = memory;
  const name = liveName(session);
  const next = (old: SessionState | undefined): SessionState =>
    bound(change({
      ...(ofSession(old, session) ??
        ofSession(readStateOrThrow(fs, places.stateDir, endedName(session)), session) ??
        begin(memory, session)),
      seen: memory.now(),
    }));
  const deadlineMs = memory.hook ? withoutLock.has(memory) ? 0 : LOCK_HOOK_MS_MAX : LOCK_MS_MAX;
  try {
    const state = updateState<SessionState>(fs, places.stateDir, name, next, {
      deadlineMs,
      append: true,
    });
    settle(memory, state);
    return state;
  } catch (error) {
    if (!memory.hook || !(error instanceof SageError) || error.code !== "locked") throw error;
    // Only a frozen process holds the lock this long. Go on without it and risk a lost hint:
    // without the state a hook would save nothing for as long as that process lives.
    withoutLock.add(memory);
    const state = next(readStateOrThrow<SessionState>(fs, places.stateDir, name));
    writeState(fs, places.stateDir, name, state, { append: true });
    settle(memory, state);
    return state;
  }
}

/** Ended sessions lie in another folder, so that a look at live ones need not read years of others. */
function settle({ fs, places }: Memory, state: SessionState): void {
  const { session } = state;
  if (state.ended === undefined) removeState(fs, places.stateDir, endedName(session));
  else {
    writeState(fs, places.stateDir, endedName(session), state);
    removeState(fs, places.stateDir, liveName(session));
  }
}

/** Hooks that have waited once for a lock of the state; they do not wait again. */
const withoutLock = new WeakSet<Memory>();

/** With what a later hook of the session proves about the process that started both. */
export function withStarterSeen(state: SessionState): SessionState {
  const isLater = (state.begun ?? state.started) < processStart();
  return isLater && state.starter === Deno.ppid ? { ...state, isStarterLasting: true } : state;
}

/** The same for bookkeeping after the fact, where a failure changes nothing. */
export function recordInSession(
  memory: Memory,
  session: string,
  change: (state: SessionState) => SessionState,
): void {
  try {
    updateSession(memory, session, change);
  } catch {
    // A full disk, a frozen process: at worst something is offered or saved a second time.
  }
}

function begin(memory: Memory, session: string): SessionState {
  const at = memory.now();
  return {
    session,
    project: memory.places.projectId,
    dir: memory.places.projectDir,
    host: thisHost(),
    started: at,
    seen: at,
  };
}

function bound({ shown, wrote, read, ...state }: SessionState): SessionState {
  const lists = Object.entries(state).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.slice(-(MOST[key] ?? ENTRIES_MAX)) : value,
  ]);
  const newest = (of: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(of).slice(-ENTRIES_MAX));
  return {
    ...Object.fromEntries(lists),
    ...(shown === undefined ? {} : { shown: newest(shown) }),
    ...(wrote === undefined ? {} : { wrote: newest(wrote) }),
    ...(read === undefined ? {} : { read: newest(read) }),
  };
}
