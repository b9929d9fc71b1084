/** A hook hands its work to the server that the same editor started. */
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { handOver, socketPath } from "../memory/session/handover.ts";

/** More than any reply that an editor accepts. */
const REPLY_BYTES_MAX = 256 * 1024;

export type Outcome = { readonly reply: HookReply } | { readonly failed: string };

/**
 * The server's reply; undefined if the work is still to be done here. Throws what failed in the
 * server.
 */
export async function delegate(
  input: HookInput,
  env: Env,
  stateDir: string,
): Promise<HookReply | undefined> {
  const path = socketPath(stateDir, Deno.ppid);
  const patience = { answerBytesMax: REPLY_BYTES_MAX };
  const outcome = await handOver<Outcome>(path, { input }, env, patience);
  if (typeof outcome === "string") return undefined;
  if ("reply" in outcome.done) return outcome.done.reply;
  throw Object.assign(new Error("the session's server failed"), { code: outcome.done.failed });
}
