/**
 * Session start: prints what was prepared when the last session ended, if it still holds; else
 * orients anew.
 */
import { monotonic, now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { takeTip } from "../memory/coaching/tip.ts";
import { leaveReceipt, type Peek } from "../memory/session/state/peek.ts";
import { startPrepared } from "../memory/session/orientation/start_prepared.ts";
import { joinNotices } from "./notices.ts";

export async function handle(input: HookInput, env: Env, stateDir: string): Promise<HookReply> {
  const started = prepared(input, env, stateDir);
  if (started !== undefined) {
    const { peek, text, tokens, named, notice, asksIn } = started;
    const receipt = {
      hook: input.event,
      agent: input.agent,
      source: input.source,
      tokens,
      told: named,
      prepared: true,
    };
    leaveReceipt(peek, now(), { ...receipt, ms: Math.round(monotonic()) });
    if (asksIn !== undefined) await settle(peek, asksIn);
    const tip = takeTip(peek.fs, peek.stateDir, now());
    return { ...(text === "" ? {} : { context: text }), ...joinNotices(notice, tip) };
  }
  const { orientSession } = await import("./orient_session.ts");
  return await orientSession(input, env);
}

/** Once a month, so that nearly no start loads it. To be told twice is better than never. */
async function settle({ fs, stateDir }: Peek, projectDir: string): Promise<void> {
  try {
    const { settleAsked } = await import("../memory/freshness/state.ts");
    settleAsked(fs, stateDir, projectDir, now());
  } catch {
    // The next start asks again.
  }
}

/** Undefined if what was prepared cannot be used: the session is then oriented anew. */
function prepared(input: HookInput, env: Env, stateDir: string): ReturnType<typeof startPrepared> {
  try {
    return startPrepared(input, env, stateDir, now());
  } catch {
    return undefined;
  }
}
