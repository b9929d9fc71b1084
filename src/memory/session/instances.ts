/** Who else is at work: one file a session. A dead process is told by its pid, else by its silence. */
import { join } from "../../base/fs.ts";
import { readState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "./state.ts";

/** A session without a known process counts as live while its transcript or state moved this recently. */
const QUIET_MS_MAX = 30 * 60 * 1000;
/** Ended sessions are kept this long: recovery and handoffs look at them. */
const KEPT_MS = 30 * 86_400_000;
/** Session files looked at; more than this are years of them, and the sweep below takes the oldest. */
const INSTANCES_MAX = 2000;

/** Every known session of this person, newest first. */
export function allSessions(memory: Memory): SessionState[] {
  const { fs, places } = memory;
  const folder = join(places.stateDir, "instances");
  if (fs.lstat(folder)?.kind !== "dir") return [];
  const sessions: SessionState[] = [];
  for (const { name } of fs.list(folder).slice(0, INSTANCES_MAX)) {
    if (!name.endsWith(".json")) continue;
    const state = readState<SessionState>(fs, places.stateDir, `instances/${name}`);
    if (typeof state?.session === "string" && typeof state.seen === "number") sessions.push(state);
  }
  return sessions.sort((a, b) => b.seen - a.seen);
}

/** The sessions of this project. */
export function projectSessions(memory: Memory): SessionState[] {
  return allSessions(memory).filter(({ project }) => project === memory.places.projectId);
}

/** Others that are alive in this project. */
export function liveSessions(memory: Memory, own: string): SessionState[] {
  return projectSessions(memory).filter((state) =>
    state.session !== own && state.ended === undefined && isLive(memory, state)
  );
}

export function isLive(memory: Memory, state: SessionState): boolean {
  const { fs } = memory;
  if (state.pid !== undefined && fs.lstat("/proc/self") !== undefined) {
    return fs.lstat(`/proc/${state.pid}`)?.kind === "dir";
  }
  const transcript = state.transcriptPath === undefined
    ? undefined
    : fs.lstat(state.transcriptPath);
  return memory.now() - Math.max(state.seen, transcript?.mtimeMs ?? 0) < QUIET_MS_MAX;
}

/** Removes what is long over. */
export function sweepSessions(memory: Memory): void {
  const { fs, places } = memory;
  for (const state of allSessions(memory)) {
    if (state.ended === undefined || memory.now() - state.seen < KEPT_MS) continue;
    fs.unlink(join(places.stateDir, "instances", `${state.session}.json`));
  }
}
