/**
 * What Gemini CLI puts on a hook's stdin, and what it accepts, as docs/hooks/reference.md of
 * https://github.com/google-gemini/gemini-cli describes it: Claude Code's common fields, other events.
 */
import type { Env } from "../../base/environment.ts";
import { isObject } from "../../base/fields.ts";
import { parsePayload as parseLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { withoutHookContext } from "./hook_context.ts";
import { fileInside, fit, homeOf, notice, tidyPath } from "../payload.ts";

/** Sage's names of events, and the client's. */
export const GEMINI_EVENTS = {
  "session-start": "SessionStart",
  "user-prompt-submit": "BeforeAgent",
  "stop": "AfterAgent",
  "pre-compact": "PreCompress",
  "session-end": "SessionEnd",
} as const satisfies Partial<Record<HookEvent, string>>;

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw) || !isOurs(event) || raw.hook_event_name !== GEMINI_EVENTS[event]) {
    return undefined;
  }
  const { hook_event_name: _name, prompt_response: reply, prompt, ...fields } = raw;
  const typed = typeof prompt === "string" ? withoutHookContext(prompt) : undefined;
  const input = parseLike({ ...fields, prompt: typed, last_assistant_message: reply }, event, env);
  if (input === undefined) return undefined;
  const { startDir: _startDir, ...rest } = input;
  return { ...rest, agent: "gemini", transcriptPath: chat(raw.transcript_path, env) };
}

/** The reply in the client's format; "" if there is nothing to say. */
export function renderReply(event: HookEvent, reply: HookReply): string {
  switch (event) {
    case "session-start":
    case "user-prompt-submit":
      return fit(reply.context ?? "", (context) => ({
        ...notice(reply),
        ...(context === "" ? {} : {
          hookSpecificOutput: { hookEventName: GEMINI_EVENTS[event], additionalContext: context },
        }),
      }));
    case "stop":
      // The agent gets the reason as a new prompt, and continues.
      return fit(reply.block ?? "", (reason) => ({
        ...notice(reply),
        ...(reason === "" ? {} : { decision: "deny", reason }),
      }));
    default:
      return "";
  }
}

function chat(value: unknown, env: Env): string | undefined {
  const home = tidyPath(env("GEMINI_CLI_HOME")) ?? homeOf(env);
  return home === undefined
    ? undefined
    : fileInside(value, `${home}/.gemini/tmp`, /\/chats\/session-[^/]*\.jsonl?$/);
}

function isOurs(event: string): event is keyof typeof GEMINI_EVENTS {
  return Object.hasOwn(GEMINI_EVENTS, event);
}
