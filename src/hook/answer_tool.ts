/**
 * An event that arrives as a call of an MCP tool: the same gates, work and reply as in a process.
 * The client fills in all values as text, empty if the event has no such field.
 */
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { codeOf } from "../base/errors.ts";
import * as claudeCode from "../editor/claude_code/payload.ts";
import type { HookEvent } from "../editor/editor.ts";
import { answerEvent } from "./answer.ts";
import type { EventQueue } from "./event_queue.ts";
import { logFailure } from "./receipt.ts";

/** The events, by the client's names, that are worth a call to the server. */
const EVENTS = new Map<unknown, HookEvent>([
  ["UserPromptSubmit", "user-prompt-submit"],
  ["Stop", "stop"],
  ["SubagentStop", "subagent-stop"],
]);

/** Shows nothing, where an empty answer would show as a line in the conversation. */
const NOTHING = "{}";

/** The reply in the client's format. Never throws: a failure is written to the receipts. */
export async function answerTool(args: unknown, env: Env, queue: EventQueue): Promise<string> {
  const raw = { ...args as Readonly<Record<string, unknown>> | undefined };
  const event = EVENTS.get(raw.hook_event_name);
  if (event === undefined || claudeCode.isChildSession(env)) return NOTHING;
  try {
    // Also accepts a client that fills in values as they are.
    const told = { ...raw, stop_hook_active: String(raw.stop_hook_active) === "true" };
    return await answerEvent(event, told, claudeCode, env, queue) || NOTHING;
  } catch (error) {
    logFailure(env, now(), event, codeOf(error), undefined);
    return NOTHING;
  }
}
