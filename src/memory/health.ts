/** Whether capture works, from the receipts of hooks: a tool that saves nothing must say so first. */
import { age, parseTime } from "../base/clock.ts";
import type { Fs } from "../base/fs.ts";
import { readLogTail } from "../base/log.ts";
import type { Memory } from "./memory.ts";

export interface CaptureHealth {
  readonly ok: boolean;
  readonly detail: string;
  readonly lastHookAt?: string;
}

const DAYS = 7;
/** So many failures in a row are no accident. */
const FAILURES_MIN = 3;
const SAVING: readonly string[] = ["stop", "pre-compact", "session-end"];

export function captureHealth({ fs, places, now }: Memory): CaptureHealth {
  return captureHealthOf(fs, places.stateDir, now());
}

/** The same without an open memory. */
export function captureHealthOf(fs: Fs, stateDir: string, nowMs: number): CaptureHealth {
  const hooks = readLogTail(fs, stateDir, nowMs, DAYS).filter(({ event }) => event === "hook");
  const last = hooks.at(-1);
  if (last === undefined) return { ok: true, detail: "no hook has run in the last 7 days" };
  const lastHookAt = last.at;
  const since = age(parseTime(last.at) ?? nowMs, nowMs);

  // Prompts between two stops work on when the disk is full; it is the saving hooks that tell.
  const saving = hooks.filter(({ hook }) => SAVING.includes(String(hook)));
  const failed = [hooks, saving].map((some) => some.slice(-FAILURES_MIN))
    .find((some) =>
      some.length === FAILURES_MIN && some.every(({ outcome }) => outcome === "failed")
    );
  if (failed !== undefined) {
    const error = failed.at(-1)?.error;
    const code = typeof error === "string" ? `: ${error}` : "";
    return {
      ok: false,
      detail: `the last ${FAILURES_MIN} hooks failed${code}; run sage doctor`,
      lastHookAt,
    };
  }
  const saves = hooks.filter(({ save }) => save !== undefined).slice(-FAILURES_MIN);
  if (saves.length === FAILURES_MIN && saves.every(({ save }) => save === "failed")) {
    return {
      ok: false,
      detail: `the last ${FAILURES_MIN} saves failed; run sage doctor`,
      lastHookAt,
    };
  }
  return { ok: true, detail: `last hook ${since} ago`, lastHookAt };
}
