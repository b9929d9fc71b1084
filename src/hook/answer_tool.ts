/**
 * An event that comes as a call of our tool over the editor's connection to the server: the same gates,
 * the same work and the same reply as in a process. What the client fills in comes as text, and as the
 * empty text where the event has no such field.
 */
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { codeOf } from "../base/errors.ts";
import * as claudeCode from "../editor/claude_code/payload.ts";
import type { HookEvent } from "../editor/editor.ts";
import { answerEvent } from "./answer.ts";
import type { EventQueue } from "./event_queue.ts";
import { logFailure } from "./receipt.ts";

/** By the client's names: those that are worth asking the server for. */
const EVENTS = new Map<unknown, HookEvent>([
  ["UserPromptSubmit", "user-prompt-submit"],
  ["Stop", "stop"],
  ["SubagentStop", "subagent-stop"],
]);

/** No text at all would stand in the conversation as a line that says so; this leaves nothing. */
const NOTHING = "{}";

/** The reply in the client's form. Never throws: a failure is in the receipts. */
export async function answerTool(args: unknown, env: Env, queue: EventQueue): Promise<string> {
  const raw = { ...args as Readonly<Record<string, unknown>> | undefined };
  const event = EVENTS.get(raw.hook_event_name);
  if (event === undefined || claudeCode.isChildSession(env)) return NOTHING;
  try {
    // A client that fills in values as they are is understood as well.
    const told = { ...raw, stop_hook_active: String(raw.stop_hook_active) === "true" };
    return await answerEvent(event, told, claudeCode, env, queue) || NOTHING;
  } catch (error) {
    logFailure(env, now(), event, codeOf(error), undefined);
    return NOTHING;
  }
}
