/** A hook hands its work to the server that the same editor started. */
import { realFs } from "../base/fs.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { greet, handOver, programId, socketPath } from "../memory/session/handover.ts";
import type { Env } from "./handler.ts";

/** A reply is bounded by what the editor takes. */
const REPLY_BYTES_MAX = 256 * 1024;

export type Outcome = { readonly reply: HookReply } | { readonly failed: string };

/** The server's reply; undefined where the work is still to be done. Throws what failed there. */
export async function delegate(
  input: HookInput,
  env: Env,
  stateDir: string,
): Promise<HookReply | undefined> {
  const ready = await greet(socketPath(stateDir, Deno.ppid), { program: programId(realFs) });
  if (ready === undefined) return undefined;
  const outcome = await handOver<Outcome>(ready, { input }, env, { bytesMax: REPLY_BYTES_MAX });
  if (outcome === undefined) return undefined;
  if ("reply" in outcome) return outcome.reply;
  throw Object.assign(new Error("the session's server failed"), { code: outcome.failed });
}
