/** Answers one event, whether it came to a process of its own or over a connection. */
import type { Env } from "../base/environment.ts";
import { isObject } from "../base/fields.ts";
import type { HookEvent, HookForm, HookInput, HookReply } from "../editor/editor.ts";
import { refusal } from "../editor/payload.ts";
import { locateState } from "../memory/session/state/peek.ts";
import type { EventQueue } from "./event_queue.ts";
import { isUninstalled } from "./uninstalled.ts";

type Handler = (
  input: HookInput,
  env: Env,
  stateDir: string,
  queue?: EventQueue,
) => Promise<HookReply>;

/** A lazy import for each event, so that a hook loads its own handler only. */
const HANDLERS: Readonly<Record<HookEvent, () => Promise<{ readonly handle: Handler }>>> = {
  "session-start": () => import("./session_start.ts"),
  "user-prompt-submit": () => import("./user_prompt_submit.ts"),
  "stop": () => import("./stop.ts"),
  "subagent-stop": () => import("./work.ts"),
  "pre-compact": () => import("./work.ts"),
  "pre-tool-use": () => import("./pre_tool_use.ts"),
  "session-end": () => import("./session_end.ts"),
};

/** Events whose handlers read what was said right before. */
const AFTER_WORDS: ReadonlySet<HookEvent> = new Set(["stop", "pre-compact", "session-end"]);

/** Starts to load the handler of an event while its payload is still being read. */
export function loadHandler(event: HookEvent): void {
  // A failure is thrown again where the handler is awaited.
  HANDLERS[event]().catch(() => {});
}

export function isHookEvent(event: string): event is HookEvent {
  return Object.hasOwn(HANDLERS, event);
}

/**
 * The reply in the editor's format; empty if there is nothing to say. Throws for a payload that
 * makes no sense.
 */
export async function answerEvent(
  event: HookEvent,
  raw: unknown,
  form: HookForm,
  env: Env,
  queue?: EventQueue,
): Promise<string> {
  if (!isObject(raw)) throw refusal("unreadable_payload");
  const input = form.parsePayload(raw, event, env);
  if (input === undefined) return "";
  // Of a subagent's events only the end is handled.
  if (input.agentId !== undefined && event !== "subagent-stop") return "";
  try {
    const stateDir = locateState(env);
    if (isUninstalled(input, stateDir)) return "";
    if (AFTER_WORDS.has(event)) await form.settled?.(input, raw);
    const { handle } = await HANDLERS[event]();
    return form.renderReply(event, await handle(input, env, stateDir, queue));
  } catch (error) {
    if (event !== "session-start") throw error;
    const { replyWhySilent: whyNothing } = await import("./why_silent.ts");
    return form.renderReply(event, await whyNothing(error, env));
  }
}
