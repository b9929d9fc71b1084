/** A session registers itself: who, where, since when. The state of a resumed one is kept. */
import type { HookInput } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { recentSessions, sweepSessions } from "./instances.ts";
import type { SessionState } from "./session_state.ts";
import { readSession, updateSession } from "./state.ts";

/** `branchedFrom`: what a branch's transcript says of itself, for where its process says nothing. */
export function register(
  memory: Memory,
  input: HookInput,
  branchedFrom?: string,
): SessionState {
  if (input.source === "startup") sweepSessions(memory);
  const pid = Number(memory.env("CLAUDE_PID") ?? "");
  const inherited = input.source === "fork"
    ? toldBefore(memory, input.sessionId, pid, branchedFrom)
    : {};
  return updateSession(memory, input.sessionId, (state) => {
    const { ended: _ended, endReason: _reason, pid: _pid, contextSteps, ...rest } = state;
    const keepsSteps = input.source === "resume" || input.source === "fork";
    // What a compaction or /clear took out of the conversation may be shown anew.
    const { shown: _shown, lastTerms: _terms, ...cleared } = rest;
    return {
      ...inherited,
      ...(input.source === "compact" || input.source === "clear" ? cleared : rest),
      project: memory.places.projectId,
      dir: memory.places.projectDir,
      cwd: input.startDir ?? input.cwd,
      ...(input.transcriptPath === undefined ? {} : { transcriptPath: input.transcriptPath }),
      ...(pid > 0 ? { pid } : {}),
      ...(input.source === "fork" ? { forkedAt: memory.now() } : {}),
      ...(keepsSteps && contextSteps !== undefined ? { contextSteps } : {}),
    };
  });
}

/** What a forked conversation holds a copy of: that of the session it comes from. */
function toldBefore(
  memory: Memory,
  own: string,
  pid: number,
  branchedFrom: string | undefined,
): Partial<SessionState> {
  const left = pid <= 0
    ? undefined
    : recentSessions(memory).find((state) => state.session !== own && state.pid === pid);
  const origin = left ??
    (branchedFrom === undefined ? undefined : readSession(memory, branchedFrom));
  if (origin === undefined) return {};
  const { session, shown, lastTerms, told, offered, contextSteps, forkedFrom = [] } = origin;
  return {
    forkedFrom: [...forkedFrom, session],
    ...(shown === undefined ? {} : { shown }),
    ...(lastTerms === undefined ? {} : { lastTerms }),
    ...(told === undefined ? {} : { told }),
    ...(offered === undefined ? {} : { offered }),
    ...(contextSteps === undefined ? {} : { contextSteps }),
  };
}
