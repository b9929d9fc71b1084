/** A prompt: first the gates that need the prompt alone and load nothing, then surfacing. */
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { passGates } from "../memory/surfacing/gates.ts";
import { hasUnsaidOverlap, hasUntoldOffer } from "../memory/session/pending_notices.ts";
import { leaveReceipt, peekSession } from "../memory/session/state/peek.ts";
import type { EventQueue } from "./event_queue.ts";

export async function handle(
  input: HookInput,
  env: Env,
  stateDir: string,
  queue?: EventQueue,
): Promise<HookReply> {
  const peek = peekSession(input.sessionId, stateDir);
  const passed = passGates(input.prompt ?? "", peek.state?.lastTerms !== undefined);
  const hasNews = hasUntoldOffer(peek.state, input.prompt ?? "") || hasUnsaidOverlap(peek.state);
  // A session that is not registered began without SessionStart: then even "hello" is its
  // beginning.
  if ("gate" in passed && peek.state !== undefined && !hasNews) {
    leaveReceipt(peek, now(), { hook: input.event, agent: input.agent, gate: passed.gate });
    return {};
  }
  return await (await import("./work.ts")).handle(input, env, stateDir, queue);
}
