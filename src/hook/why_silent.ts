/**
 * The reply at a session's start if a .sageignore or an unusable home keeps all hooks
 * from working. They are silent from then on, and this is the only explanation.
 */
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { SageError, toldError } from "../base/errors.ts";
import type { HookReply } from "../editor/editor.ts";

/** Throws any other failure again. */
export async function replyWhySilent(cause: unknown, env: Env): Promise<HookReply> {
  const error = toldError(cause);
  const isOfAll = error instanceof SageError &&
    (error.code === "invalid_config" || error.code === "permission");
  if (!isOfAll) throw cause;
  const { logFailure } = await import("./receipt.ts");
  logFailure(env, now(), "session-start", error.code, undefined);
  const told = `Sage captures and recalls nothing here: ${error.message}`;
  return {
    context: `${told}. Tell the person.`,
    notice: `${told}; ${error.hint ?? "sage doctor"}`,
  };
}
