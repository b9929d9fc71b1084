/** The end of a turn. A turn that added next to nothing is refused by the size of the file alone. */
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { sessionInDatabase } from "../editor/opencode/place.ts";
import { leaveReceipt, peekSession } from "../memory/session/state/peek.ts";
import type { EventQueue } from "./event_queue.ts";

/** Bytes; less than this holds no exchange worth keeping. */
const NEW_BYTES_MIN = 4096;
/** The transcript often lacks the last reply still, so that is weighed by itself, in characters. */
const REPLY_MIN = 256;

export async function handle(
  input: HookInput,
  env: Env,
  stateDir: string,
  queue?: EventQueue,
): Promise<HookReply> {
  const peek = peekSession(input.sessionId, stateDir);
  const path = input.transcriptPath;
  // Rows of a database have no size that could be looked at.
  const size = path === undefined
    ? undefined
    : sessionInDatabase(path) === undefined
    ? peek.fs.lstat(path)?.size
    : Infinity;
  const refusal = size === undefined
    ? "no transcript"
    : peek.state !== undefined && peek.state.pendingAsk === undefined &&
        isLittle(size - (peek.state.readTo ?? 0)) &&
        (input.lastAssistantMessage ?? "").length < REPLY_MIN
    ? "nothing new"
    : undefined;
  if (refusal !== undefined) {
    leaveReceipt(peek, now(), { hook: input.event, agent: input.agent, gate: refusal });
    return {};
  }
  return await (await import("./work.ts")).handle(input, env, stateDir, queue);
}

/** A file shorter than what was read of it is another file, and all of it is new. */
function isLittle(newBytes: number): boolean {
  return newBytes >= 0 && newBytes < NEW_BYTES_MIN;
}
