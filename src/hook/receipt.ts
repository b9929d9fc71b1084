/** Logs a hook that failed before or in its handler. Never with content. */
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { type LogLine, logTails, writeLog } from "../base/log.ts";
import { REFUSALS } from "../editor/payload.ts";
import { isInUse, locateState } from "../memory/session/state/peek.ts";
import { isHookEvent } from "./answer.ts";

/** Enough for `sage status` to see that it was not a single accident. */
const REFUSALS_MAX = 3;
/** Longer than today, for people who work past midnight. */
const DAYS = 2;

export function logFailure(
  env: Env,
  atMs: number,
  event: string,
  error: string,
  stack: string | undefined,
): void {
  try {
    const stateDir = locateState(env);
    if (isRefusal(error) && !isWorthALine(stateDir, atMs, error)) return;
    // An unknown name came from outside, and is not logged.
    const hook = isHookEvent(event) ? event : undefined;
    writeLog(realFs, stateDir, atMs, "hook", { hook, outcome: "failed", error, stack });
  } catch {
    // Without a home there is no log.
  }
}

/**
 * Whether Sage keeps anything here, and this failure has not been logged often enough since the
 * last success.
 */
function isWorthALine(stateDir: string, atMs: number, error: string): boolean {
  if (!isInUse(stateDir)) return false;
  const lines = [...logTails(realFs, stateDir, atMs, DAYS)].reverse().flat();
  const hooks = lines.filter(({ event }) => event === "hook");
  const row = hooks.slice(hooks.findLastIndex((line) => !isRefusal(line.error)) + 1);
  return row.filter((line) => line.error === error).length < REFUSALS_MAX;
}

function isRefusal(error: LogLine[string]): boolean {
  return REFUSALS.some((code) => code === error);
}
