/**
 * Registers a session: who, where, since when. A resumed session keeps its state. Two editors' settings may
 * both have a hook for one start: the second to come is told so.
 */
import { EDITOR_PID } from "../../base/environment.ts";
import { defined } from "../../base/defined.ts";
import { isSameProcess, thisHost } from "../../base/host.ts";
import type { HookInput } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { socketPath } from "./handover.ts";
import { recentSessions } from "./instances.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession, recordInSession, updateSession } from "./state/state.ts";

/** The session that was forked: as the transcript names it, or as forkOrigin() guesses it. */
export interface Origin {
  readonly named?: string;
  readonly guessed?: string;
}

/** Hooks of one event are started together; a busy machine may keep one of them for seconds. */
const SAME_START_MS_MAX = 5_000;

/** False if another hook answers the same start; either may know the editor's process. */
export function register(memory: Memory, input: HookInput, origin: Origin = {}): boolean {
  const at = memory.now();
  const { projectDir, checkoutDir } = memory.places;
  // A prompt registers a session too, if it began without a start.
  const start = input.event === "session-start"
    ? { at, source: input.source ?? "startup" }
    : undefined;
  const pid = editorOf(memory);
  const inherited = input.source === "fork" ? toldBefore(memory, input.sessionId, pid, origin) : {};
  let isFirst = true;
  updateSession(memory, input.sessionId, (state) => {
    isFirst = !isSameStart(state, start);
    const {
      ended: _ended,
      endReason: _reason,
      pid: _pid,
      starter: _starter,
      isStarterLasting: _,
      checkout: _checkout,
      ...old
    } = state;
    const { contextSteps, ...rest } = old;
    const keepsSteps = input.source === "resume" || input.source === "fork";
    // What a compaction or /clear took out of the conversation may be shown again.
    const { shown: _shown, lastTerms: _terms, ...cleared } = rest;
    return {
      ...inherited,
      ...(input.source === "compact" || input.source === "clear" ? cleared : rest),
      project: memory.places.projectId,
      dir: projectDir,
      ...(checkoutDir === projectDir ? {} : { checkout: checkoutDir }),
      ...defined({ answeredStart: start }),
      host: thisHost(),
      ...(input.source === "compact" ? {} : { begun: at }),
      ...(input.transcriptPath === undefined ? {} : { transcriptPath: input.transcriptPath }),
      ...(pid > 0 ? { pid } : { starter: Deno.ppid }),
      ...(input.source === "fork" ? { forkedAt: at } : {}),
      ...(keepsSteps && contextSteps !== undefined ? { contextSteps } : {}),
    };
  });
  return isFirst;
}

function isSameStart(
  { answeredStart: last, ended }: SessionState,
  start: SessionState["answeredStart"],
): boolean {
  return start !== undefined && ended === undefined && last?.source === start.source &&
    Math.abs(start.at - last.at) < SAME_START_MS_MAX;
}

/**
 * The editor's process, or 0 if it is not known. Claude Code names it. For other clients it is the process
 * that started this one, if that started a Sage server too, which a shell in between did not.
 */
function editorOf({ env, fs, places }: Memory): number {
  const named = Number(env(EDITOR_PID) ?? "");
  if (named > 0) return named;
  return fs.lstat(socketPath(places.stateDir, Deno.ppid)) === undefined ? 0 : Deno.ppid;
}

/** Records the editor's process of a session that began before it was known. */
export function recordEditor(memory: Memory, session: string): void {
  const pid = editorOf(memory);
  const state = readSession(memory, session);
  if (!(pid > 0) || state === undefined || state.pid !== undefined) return;
  recordInSession(memory, session, (known) => ({ ...known, pid, host: thisHost() }));
}

/** What a forked conversation was told before: all that its origin was told. */
function toldBefore(
  memory: Memory,
  own: string,
  pid: number,
  { named, guessed }: Origin,
): Partial<SessionState> {
  const stateOf = (id: string | undefined): SessionState | undefined =>
    id === undefined ? undefined : readSession(memory, id);
  // Second, because a process may have several conversations: Codex has those of all terminals in one.
  const left = (): SessionState | undefined =>
    pid <= 0
      ? undefined
      : recentSessions(memory).find((state) =>
        state.session !== own && isSameProcess(state, { pid })
      );
  const origin = stateOf(named) ?? left() ?? stateOf(guessed);
  if (origin === undefined) return {};
  const { session, shown, lastTerms, told, offered, contextSteps, forkedFrom = [] } = origin;
  return {
    forkedFrom: [...forkedFrom, session],
    ...defined({ shown, lastTerms, told, offered, contextSteps }),
  };
}
