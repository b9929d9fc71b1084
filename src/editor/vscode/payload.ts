/**
 * VS Code's hooks have Claude Code's format. GitHub's Copilot CLI runs them too, since its own are in the
 * same folder; it reads the context for the agent from another field, at the top level.
 */
import type { Env } from "../../base/environment.ts";
import { type Fields, isObject } from "../../base/fields.ts";
import * as claudeCode from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fileInside, fit, homeOf, notice } from "../payload.ts";
import { copilotFolder, EVENTS_FILE, eventsIn, eventsPath } from "./place.ts";

/** What both report of a session. */
export const VSCODE_EVENTS = {
  "session-start": "SessionStart",
  "stop": "Stop",
  "pre-compact": "PreCompact",
  "session-end": "SessionEnd",
} as const satisfies Partial<Record<HookEvent, string>>;

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw) || !Object.hasOwn(VSCODE_EVENTS, event)) return undefined;
  const input = claudeCode.parsePayload(raw, event, env);
  if (input === undefined) return undefined;
  return {
    ...input,
    agent: "vscode",
    transcriptPath: transcript(raw, input.sessionId, env),
    // Nothing is asked of the agent, as in Cursor: it would go on with words that the person did not type.
    ...(event === "stop" ? { isUnattended: true } : {}),
  };
}

/** The session's file as it is named; Copilot CLI, whose fields are in snake case, names it at a stop only. */
function transcript(raw: Fields, session: string, env: Env): string | undefined {
  const home = homeOf(env);
  if (home === undefined) return undefined;
  const folders = [home, copilotFolder(home, env)];
  const named = folders.map((folder) => fileInside(raw.transcript_path, folder, EVENTS_FILE))
    .find((path) => path !== undefined && eventsIn(path)?.session === session);
  return named ?? (raw.session_id === undefined ? undefined : eventsPath(home, env, session));
}

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
