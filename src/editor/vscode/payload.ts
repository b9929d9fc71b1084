/**
 * VS Code's hooks speak as Claude Code's. GitHub's Copilot CLI runs them, too: its own are in the same
 * folder. It takes what is said to the agent beside the form of both, and nothing in that.
 */
import * as claudeCode from "../claude_code/payload.ts";
import type { HookEvent, HookReply } from "../editor.ts";
import { fit, notice } from "../payload.ts";

export const parsePayload = claudeCode.parsePayload;

/** The reply in the form of either; empty when there is nothing to say. */
export function renderReply(event: HookEvent, reply: HookReply): string {
  if (event !== "session-start") return "";
  return fit(reply.context ?? "", (additionalContext) => ({
    ...notice(reply),
    ...(additionalContext === "" ? {} : {
      additionalContext,
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext },
    }),
  }));
}
