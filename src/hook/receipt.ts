/** The receipt of a hook that failed before or inside its handler. Never content. */
import { join, realFs } from "../base/fs.ts";
import { writeLog } from "../base/log.ts";
import type { Env } from "./handler.ts";

export function logFailure(
  env: Env,
  atMs: number,
  event: string,
  error: string,
  stack: string | undefined,
): void {
  const home = env("SAGE_HOME") ?? join(env("HOME") ?? env("USERPROFILE") ?? "", ".sage");
  writeLog(realFs, join(home, "state"), atMs, "hook", {
    hook: event,
    outcome: "failed",
    error,
    stack,
  });
}
