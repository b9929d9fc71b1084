/** The receipt of a hook that failed before or inside its handler. Never content. */
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { writeLog } from "../base/log.ts";
import { locateState } from "../memory/session/peek.ts";

export function logFailure(
  env: Env,
  atMs: number,
  event: string,
  error: string,
  stack: string | undefined,
): void {
  try {
    const stateDir = locateState(env);
    writeLog(realFs, stateDir, atMs, "hook", { hook: event, outcome: "failed", error, stack });
  } catch {
    // Nobody says which home this is.
  }
}
