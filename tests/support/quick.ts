/**
 * How long a call takes where what matters is that it comes back: a hang or a square of the input fails, a
 * machine that is slow or does something else does not.
 */
import assert from "node:assert/strict";
import { cpuUsage } from "node:process";
import { run } from "./within.ts";

/** A hang is no quicker the next time; what else went on meanwhile is over then. */
const TRIES = 3;

/**
 * Starts a watch: milliseconds on the processor since, or on the clock where these are fewer, for V8's own
 * threads count too. What else the machine does is in neither.
 */
export function stopwatch(): () => number {
  const [start, before] = [performance.now(), cpuUsage()];
  return () => {
    const wall = performance.now() - start;
    const { user, system } = cpuUsage(before);
    return Math.min(wall, (user + system) / 1000);
  };
}

/** Milliseconds of a call, as `stopwatch` counts them. */
export async function workMs(run: () => unknown): Promise<number> {
  const watch = stopwatch();
  await run();
  return watch();
}

/** Fails unless one of a few runs stays below `msMax`. */
export async function assertQuick(
  run: () => unknown,
  msMax: number,
  context = "",
): Promise<void> {
  const took: number[] = [];
  while (took.length < TRIES) {
    const ms = await workMs(run);
    if (ms < msMax) return;
    took.push(Math.round(ms));
  }
  assert.fail(`${took.join(", ")} ms, where ${msMax} may be: ${context}`);
}

/** Fails where a process took longer, and the machine was not so slow that none could have been quicker. */
export async function assertInTime(ms: number, msMax: number, context: string): Promise<void> {
  if (ms < msMax) return;
  const allowed = msMax * await slowdown();
  assert.ok(
    ms < allowed,
    `${context} took ${Math.round(ms)} ms, where ${Math.round(allowed)} may be`,
  );
}

/**
 * How long a process takes that only computes, as a multiple of what it computes: other work on the
 * machine, and nothing that another process could do about. At least 1.
 */
async function slowdown(): Promise<number> {
  if (Deno.build.os === "windows") return 1;
  const start = performance.now();
  const { stdout } = await run("sh", {
    args: ["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; times"],
  });
  const milliseconds = performance.now() - start;
  const [user = 0, system = 0] = [
    ...stdout.matchAll(/(\d+)m([\d.]+)s/g),
  ].map(([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000);
  return Math.max(1, milliseconds / Math.max(1, user + system));
}
