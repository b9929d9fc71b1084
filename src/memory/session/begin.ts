/** A session registers itself: who, where, since when. The state of a resumed one is kept. */
import type { HookInput } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { recentSessions, sweepSessions } from "./instances.ts";
import type { SessionState } from "./session_state.ts";
import { updateSession } from "./state.ts";

export function register(memory: Memory, input: HookInput): SessionState {
  if (input.source === "startup") sweepSessions(memory);
  const pid = Number(memory.env("CLAUDE_PID") ?? "");
  const inherited = input.source === "fork" ? toldBefore(memory, input.sessionId, pid) : {};
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
      ...(keepsSteps && contextSteps !== undefined ? { contextSteps } : {}),
    };
  });
}

/** What a forked conversation holds a copy of: that of the session its process left a moment ago. */
function toldBefore(memory: Memory, own: string, pid: number): Partial<SessionState> {
  if (pid <= 0) return {};
  const origin = recentSessions(memory).find((state) => state.session !== own && state.pid === pid);
  if (origin === undefined) return {};
  const { shown, lastTerms, told, offered, contextSteps } = origin;
  return {
    ...(shown === undefined ? {} : { shown }),
    ...(lastTerms === undefined ? {} : { lastTerms }),
    ...(told === undefined ? {} : { told }),
    ...(offered === undefined ? {} : { offered }),
    ...(contextSteps === undefined ? {} : { contextSteps }),
  };
}
