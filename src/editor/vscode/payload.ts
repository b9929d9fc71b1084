/**
 * VS Code's hooks have Claude Code's format. GitHub's Copilot CLI runs them too, since its own are in the
 * same folder; it reads the context for the agent from another field, at the top level.
 */
import * as claudeCode from "../claude_code/payload.ts";
import type { HookEvent, HookReply } from "../editor.ts";
import { fit, notice } from "../payload.ts";

export const parsePayload = claudeCode.parsePayload;

/** The reply in the formats of both; "" if there is nothing to say. */
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
