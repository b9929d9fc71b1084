/**
 * The registry of sessions: one file each. A dead session is recognised by its process, else by its
 * silence.
 */
import { ifReadable } from "../../base/attempt.ts";
import { DAY_MS } from "../../base/clock.ts";
import { EDITOR_PID } from "../../base/environment.ts";
import { join } from "../../base/path.ts";
import { isOfHere, isSameProcess } from "../../base/host.ts";
import { readGit } from "../../store/git/git.ts";
import { isDamaged, readState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";
import { CLOCK_MS_MAX, knowsProcesses, type Liveness, livenessOf } from "./liveness.ts";
import { lostNotes } from "./lost_note.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession } from "./state/state.ts";
import { ENDED_FOLDER, isOfProject, LIVE_FOLDER, stateNames } from "./state/state_file.ts";

/** A session without a known process counts as live while its transcript or state changed this recently. */
const QUIET_MS_MAX = 30 * 60 * 1000;
/** A fork or a branch begins right after its origin was left. */
const MOMENT_MS = 10 * 60 * 1000;
/** Ended sessions are kept this long, for recovery and handoffs. */
const KEPT_MS = 30 * DAY_MS;
const LOST_MS_MAX = 14 * DAY_MS;
/** This many of each kind are kept, however old they seem. */
const KEPT_MIN = 50;
/**
 * The most session files that are looked at; more are years of them, and the sweep below removes
 * the oldest.
 */
const INSTANCES_MAX = 2000;

/** Sessions of this project that have not ended, newest first. */
export function openSessions(memory: Memory): SessionState[] {
  return readStates(memory, LIVE_FOLDER, 0);
}

/**
 * The session that a long-lived server works for. The client names it when it starts the server,
 * and not again when its person clears, resumes or branches; the registry knows which came after,
 * in the same process. `claude -p --continue` names a session that never begins. Gemini CLI and
 * opencode name none: then it is the one session of its process, or, before a hook has met the server,
 * the one whose hooks that process started.
 */
export function currentSession(memory: Memory): string | undefined {
  const { session } = memory;
  if (session === undefined) {
    const [only, ...more] = openSessions(memory).filter((state) =>
      state.ended === undefined && (isLeft(memory, state) || isStartedHere(memory, state)) &&
      isLive(memory, state)
    );
    return more.length === 0 ? only?.session : undefined;
  }
  const named = readSession(memory, session);
  if (named !== undefined && named.ended === undefined) return session;
  const isHeir = (state: SessionState): boolean =>
    named === undefined
      ? isLeft(memory, state) && isLive(memory, state)
      : isSameProcess(state, named);
  const heir = openSessions(memory).find((state) => state.ended === undefined && isHeir(state));
  return heir?.session ?? session;
}

/** The same, with those that ended since or a moment ago: one of them may continue under another id. */
export function recentSessions(
  memory: Memory,
  sinceMs: number = memory.now() - MOMENT_MS,
): SessionState[] {
  return [...openSessions(memory), ...readStates(memory, ENDED_FOLDER, sinceMs)]
    .sort((a, b) => b.seen - a.seen);
}

/** Those of this project, or for which `isMeant`. */
function readStates(
  memory: Memory,
  part: string,
  sinceMs: number,
  isMeant: (state: SessionState) => boolean = () => false,
): SessionState[] {
  const { fs, places } = memory;
  const states: SessionState[] = [];
  for (const name of stateNames(fs, places.stateDir, part).slice(0, INSTANCES_MAX)) {
    const path = join(places.stateDir, name);
    if (sinceMs > 0 && (fs.lstat(path)?.mtimeMs ?? 0) < sinceMs) continue;
    const state = readState<SessionState>(fs, places.stateDir, name);
    if (state === undefined || `${part}/${state.session}.json` !== name) continue;
    if (typeof state.seen !== "number") continue;
    if (isOfProject(fs, state, places.projectDir, places.projectIds) || isMeant(state)) {
      states.push(state);
    }
  }
  return states.sort((a, b) => b.seen - a.seen);
}

/** Live sessions of this project, without `own`. */
export function liveSessions(memory: Memory, own?: string): SessionState[] {
  return openSessions(memory).filter((state) => isLiveOther(memory, own, state));
}

/** Ids of the notes whose sessions go on. */
export function runningNotes(memory: Memory): ReadonlySet<string | undefined> {
  return new Set(liveSessions(memory).map(({ note }) => note?.id));
}

/** The same, with those in other worktrees of the repository, whose changes will be merged with ours. */
export function neighbours(memory: Memory, own: string): SessionState[] {
  return openAround(memory).filter((state) => isLiveOther(memory, own, state));
}

/** Sessions of this project and of its other worktrees that have not ended. */
export function openAround(memory: Memory): SessionState[] {
  const { fs, places } = memory;
  const main = (dir: string): string | undefined => {
    const git = readGit(fs, dir);
    return git?.mainCheckout ?? git?.top;
  };
  // Git is asked only for projects with our id and another folder.
  const isBeside = ({ project, dir }: SessionState): boolean =>
    places.projectIds.includes(project) && main(dir) !== undefined &&
    main(dir) === main(places.projectDir);
  return readStates(memory, LIVE_FOLDER, 0, isBeside);
}

function isLiveOther(memory: Memory, own: string | undefined, state: SessionState): boolean {
  return state.session !== own && state.ended === undefined && isLive(memory, state);
}

/**
 * Whether this client has left that session for another conversation: Codex does not end a session at
 * `/clear` and `/new`, or only later. A session that was seen after `own` began continues in another
 * terminal.
 */
export function isLeft({ env }: Memory, state: SessionState, own?: SessionState): boolean {
  return isSameProcess(state, { pid: Number(env(EDITOR_PID)) || Deno.ppid }) &&
    (own === undefined || state.seen <= begunAt(own));
}

/** Whether the process that started this one started the session's hooks. */
function isStartedHere(memory: Memory, { pid, starter, ...state }: SessionState): boolean {
  return pid === undefined && starter !== undefined && isLeft(memory, { ...state, pid: starter });
}

/** When a session's conversation began or was last resumed. */
export function begunAt({ begun, started }: SessionState): number {
  return begun ?? started;
}

/** Sessions of this project that were not ended and whose process is gone. */
export function deadSessions(memory: Memory, own: string): SessionState[] {
  return openSessions(memory).filter((state) =>
    state.session !== own && state.ended === undefined && !isLive(memory, state)
  );
}

/** Sessions that ended, whose notes went with their worktree. An older handoff is not offered any more. */
export function lostSessions(memory: Memory): SessionState[] {
  const isLost = lostNotes(memory);
  if (isLost === undefined) return [];
  const since = memory.now() - LOST_MS_MAX;
  return readStates(memory, ENDED_FOLDER, since).filter((state) =>
    state.seen >= since && isLost(state)
  );
}

/**
 * Sessions of any project whose state is damaged, and silent for so long that none of their hooks will write it
 * anew.
 */
export function damagedSessions({ fs, places, now }: Memory, own: string): string[] {
  return stateNames(fs, places.stateDir, LIVE_FOLDER).slice(0, INSTANCES_MAX).filter((name) => {
    const mtimeMs = fs.lstat(join(places.stateDir, name))?.mtimeMs ?? now();
    return Math.abs(now() - mtimeMs) >= QUIET_MS_MAX &&
      isDamaged(fs, places.stateDir, name, (state) => state !== undefined);
  }).map((name) => name.slice(LIVE_FOLDER.length + 1, -".json".length))
    .filter((session) => session !== own);
}

/** Whether there are sessions to recover, as far as can be told without the editor's files. */
export function isAnyLeft(memory: Memory, own: string): boolean {
  return deadSessions(memory, own).length > 0 || damagedSessions(memory, own).length > 0 ||
    lostSessions(memory).length > 0;
}

export function isLive(memory: Memory, state: SessionState): boolean {
  const { fs, places } = memory;
  if (state.pid !== undefined) {
    const life = isOfHere(state) && knowsProcesses(fs)
      ? processOf(memory, state.pid, state.seen)
      : livenessOf(fs, places.stateDir, state, state.seen);
    if (life !== "unknown") return life === "alive";
  }
  if (isStarterGone(memory, state)) return false;
  const { transcriptPath: path } = state;
  const transcript = path === undefined ? undefined : ifReadable(undefined, () => fs.lstat(path));
  // A time in the future comes from a clock that was set back since, and proves nothing.
  return [state.seen, transcript?.mtimeMs ?? 0]
    .some((atMs) => Math.abs(memory.now() - atMs) < QUIET_MS_MAX);
}

/** An editor that is there may have left the conversation; one that is gone has. */
function isStarterGone(memory: Memory, state: SessionState): boolean {
  const { starter, isStarterLasting } = state;
  return starter !== undefined && isStarterLasting === true && isOfHere(state) &&
    knowsProcesses(memory.fs) && processOf(memory, starter, state.seen) === "dead";
}

/**
 * Whether a pid still belongs to the session's process, because pids are reused. The entry in `/proc` is made
 * when the process starts (under memory pressure also later, when somebody looks): an entry older than the
 * session's last sign of life is its own, a newer one proves nothing. `/proc` itself is made at boot.
 */
function processOf({ fs, now }: Memory, pid: number, seenMs: number): Liveness {
  const entry = fs.lstat(`/proc/${pid}`);
  if (entry?.kind !== "dir") return "dead";
  if (entry.mtimeMs <= seenMs + CLOCK_MS_MAX) return "alive";
  const started = fs.lstat("/proc")?.mtimeMs ?? 0;
  return started > seenMs + CLOCK_MS_MAX && started <= now() ? "dead" : "unknown";
}

/**
 * Removes states of sessions that ended long ago, or were never ended because the project was not opened
 * again and the editor deleted the transcript. Some stay whatever the clock says, because it may be wrong.
 */
export function sweepSessions(memory: Memory): void {
  const { fs, places } = memory;
  const now = memory.now();
  for (const part of [LIVE_FOLDER, ENDED_FOLDER]) {
    const states = stateNames(fs, places.stateDir, part).map((name) => {
      const path = join(places.stateDir, name);
      return { name, path, awayMs: Math.abs(now - (fs.lstat(path)?.mtimeMs ?? now)) };
    }).sort((a, b) => a.awayMs - b.awayMs);
    for (const { name, path } of states.slice(KEPT_MIN).filter(({ awayMs }) => awayMs > KEPT_MS)) {
      const state = readState<SessionState>(fs, places.stateDir, name);
      const isOver = part === ENDED_FOLDER || state === undefined || !isLive(memory, state);
      if (isOver) fs.unlink(path);
    }
  }
}
