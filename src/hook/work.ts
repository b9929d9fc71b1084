/**
 * The expensive part of an event, once its gates let it through: done by the session's server if
 * there is one, else by the hook itself, with the same result.
 */
import type { Env } from "../base/environment.ts";
import type { HookEvent, HookInput, HookReply } from "../editor/editor.ts";
import { delegate } from "./delegate.ts";
import type { EventQueue } from "./event_queue.ts";
import type { Handler } from "./handler.ts";

/** Lazy imports: a hook loads its own handler only, a server keeps what it has loaded. */
const WORK: Readonly<Partial<Record<HookEvent, () => Promise<Handler>>>> = {
  "user-prompt-submit": async () => (await import("./surface_prompt.ts")).surfacePrompt,
  "stop": async () => (await import("./end_turn.ts")).endTurn,
  "subagent-stop": async () => (await import("./note_subagent.ts")).noteSubagent,
  "pre-compact": async () => (await import("./save_before_compaction.ts")).saveBeforeCompaction,
};

/** Loads all of it, in a server that has time. */
export async function loadWork(): Promise<void> {
  await Promise.all(Object.values(WORK).map((load) => load()));
}

/** `queue`: given in the server. */
export async function handle(
  input: HookInput,
  env: Env,
  stateDir: string,
  queue?: EventQueue,
): Promise<HookReply> {
  const reply = queue === undefined ? await delegate(input, env, stateDir) : undefined;
  if (reply !== undefined) return reply;
  const work = await WORK[input.event]?.();
  if (work === undefined) return {};
  return queue === undefined
    ? await work(input, env)
    : await queue.run((served) => work(input, env, served));
}
