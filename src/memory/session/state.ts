/**
 * What Sage remembers of one editor session while it lasts: a small private file a session, replaced
 * whole. Losing it costs a repeated hint at most, never a note.
 */
import { SageError } from "../../base/errors.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../../base/limits.ts";
import { readState, removeState, updateState, writeState } from "../../store/state.ts";
import { endedName, findState, liveName } from "./state_file.ts";
import type { Memory } from "../memory.ts";

export interface SessionState {
  readonly session: string;
  readonly project: string;
  readonly cwd: string;
  readonly transcriptPath?: string;
  /** Bytes of the transcript that the last stop has seen. */
  readonly readTo?: number;
  /** Milliseconds. */
  readonly started: number;
  readonly seen: number;
  /** The editor's process, where it tells. */
  readonly pid?: number;
  /** First prompt, shortened: what this session is about. */
  readonly topic?: string;
  readonly filesTouched?: readonly string[];
  /** Set when the session ended in good order or was recovered. */
  readonly ended?: number;
  readonly endReason?: string;

  /** The last save of this session: turns after it are new. `turn` is empty where the saver saw no turns. */
  readonly lastSave?: {
    readonly at: number;
    readonly turn: string;
    /** Where the transcript ended then, as far as the saver knew. */
    readonly offset?: number;
    readonly hash: string;
    readonly id: string;
  };
  /** Context thresholds already saved at, in percent; emptied by a compaction. */
  readonly contextSteps?: readonly number[];
  readonly asks?: readonly {
    readonly at: number;
    readonly trigger: string;
    readonly hash: string;
  }[];
  /** An ask that the agent has not answered yet. */
  readonly pendingAsk?: {
    readonly at: number;
    readonly trigger: string;
    readonly confidence: number;
  };
  readonly cooldowns?: Readonly<Record<string, number>>;
  /** Content hashes that triggered before. */
  readonly hashes?: readonly string[];

  /** The session note, and the hash of the bytes that Sage wrote last: other bytes are a person's. */
  readonly note?: {
    readonly id: string;
    readonly path: string;
    readonly hash: string;
    readonly scope: "project" | "user";
  };
  /** When it was last written. */
  readonly noteAt?: number;
  /** Shown-once ledger: note id → content hash at the time. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Terms of the last prompt that got through the gates. */
  readonly lastTerms?: readonly string[];
  /** The orientation this conversation holds already, by hash. */
  readonly oriented?: string;
  readonly subagents?: readonly {
    readonly at: number;
    readonly type: string;
    readonly said: string;
  }[];

  readonly notesWritten?: number;
  readonly bytesWritten?: number;
}

/** Lists kept in a state file hold at most this many entries, the newest. */
const ENTRIES_MAX = 200;
const SUBAGENTS_MAX = 20;

export function readSession(memory: Memory, session: string): SessionState | undefined {
  return findState(memory.fs, memory.places.stateDir, session);
}

/** Reads, changes and replaces the state as one step; a missing one begins here. */
export function updateSession(
  memory: Memory,
  session: string,
  change: (state: SessionState) => SessionState,
): SessionState {
  const { fs, places } = memory;
  const name = liveName(session);
  const next = (old: SessionState | undefined): SessionState =>
    bound(change({
      ...(old ?? readState<SessionState>(fs, places.stateDir, endedName(session)) ??
        begin(memory, session)),
      seen: memory.now(),
    }));
  const deadlineMs = memory.hook ? withoutLock.has(memory) ? 0 : LOCK_HOOK_MS_MAX : LOCK_MS_MAX;
  try {
    const state = updateState<SessionState>(fs, places.stateDir, name, next, { deadlineMs });
    settle(memory, state);
    return state;
  } catch (error) {
    if (!memory.hook || !(error instanceof SageError) || error.code !== "locked") throw error;
    // Nobody holds it that long but a frozen process. A lost hint is the lesser loss: without the
    // state a hook would save nothing for as long as that process lives.
    withoutLock.add(memory);
    const state = next(readState<SessionState>(fs, places.stateDir, name));
    writeState(fs, places.stateDir, name, state);
    return state;
  }
}

/** Ended sessions lie apart, so that whoever asks for live ones need not read years of others. */
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

/** The same for bookkeeping after the fact: what was done is done, noted or not. */
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
    cwd: memory.places.projectDir,
    started: at,
    seen: at,
  };
}

function bound(state: SessionState): SessionState {
  const shown = Object.entries(state.shown ?? {}).slice(-ENTRIES_MAX);
  return {
    ...state,
    ...(state.shown === undefined ? {} : { shown: Object.fromEntries(shown) }),
    ...(state.asks === undefined ? {} : { asks: state.asks.slice(-ENTRIES_MAX) }),
    ...(state.hashes === undefined ? {} : { hashes: state.hashes.slice(-ENTRIES_MAX) }),
    ...(state.filesTouched === undefined
      ? {}
      : { filesTouched: state.filesTouched.slice(-ENTRIES_MAX) }),
    ...(state.subagents === undefined ? {} : { subagents: state.subagents.slice(-SUBAGENTS_MAX) }),
  };
}
