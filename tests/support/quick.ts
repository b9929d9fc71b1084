/**
 * How long a call takes where what matters is that it comes back: a hang or a square of the input fails, a
 * machine that is slow or does something else does not.
 */
import assert from "node:assert/strict";
import { cpuUsage } from "node:process";

/** A hang is no quicker the next time; what else went on meanwhile is over then. */
const TRIES = 3;

/**
 * Milliseconds of it on the processor, or on the clock where these are fewer: other tests run in threads of
 * the same process and count there.
 */
export async function workMs(run: () => unknown): Promise<number> {
  const [start, before] = [performance.now(), cpuUsage()];
  await run();
  const wall = performance.now() - start;
  const { user, system } = cpuUsage(before);
  return Math.min(wall, (user + system) / 1000);
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
