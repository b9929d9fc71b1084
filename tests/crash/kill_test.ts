/**
 * R1 on the built program: each command that changes something is killed at a system call, and then
 * everything acknowledged is there, nothing is torn, and a fresh process does the same to its end.
 */
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import {
  BOUNDARY_CALLS,
  canTrace,
  type Point,
  runTraced,
  samplePoints,
  surveyPoints,
} from "../support/strace.ts";
import { type Lived, lived, notesOf, SAGE } from "./lived.ts";
import assert from "node:assert/strict";
import { assertKept, type Mutation, MUTATIONS } from "./mutations.ts";

const POINTS = depth(3, 100_000);
const CALLS = Object.values(BOUNDARY_CALLS).join();
const ignore = !canTrace() || !hasBinary;
const skipped = ignore ? " (skipped: no strace or no binary here)" : "";

let made: Promise<Lived> | undefined;

for (const mutation of MUTATIONS) {
  Deno.test({
    name: `sage ${mutation.name} killed at any system call loses nothing${skipped}`,
    ignore,
    async fn() {
      const on = await (made ??= lived());
      await on.restore();
      const before = notesOf(on);
      const points = await surveyPoints([SAGE, ...mutation.args], on.base, howOf(mutation, on));
      const state = assertKept(mutation, on, before, "");
      assert.equal(state, "new", "it did nothing, so there is nothing to kill");
      assert.ok(points.length > 10, `only ${points.length} calls of its own`);
      const tried = samplePoints(points, POINTS);
      let killed = 0;
      for (const point of tried) killed += await kill(mutation, on, point);
      // deno-lint-ignore no-console -- the number is the result: docs/RELIABILITY.md has it
      console.log(`killed at ${killed} of ${tried.length} calls, of ${points.length} in all`);
      assert.ok(killed * 2 > tried.length, `only ${killed} of ${tried.length} were killed`);
    },
  });
}

function howOf({ stdin }: Mutation, on: Lived) {
  return { calls: CALLS, env: on.env, cwd: on.cwd, stdin: stdin?.(on) ?? "" };
}

/** One when the program made the call this time too, and so died of it. */
async function kill(mutation: Mutation, on: Lived, { call, n, line }: Point): Promise<number> {
  const context = `${mutation.name}, killed at ${call} ${n}: ${line}`;
  await on.restore();
  const before = notesOf(on);
  const inject = ["-e", `inject=${call}:signal=SIGKILL:when=${n}`];
  const run = await runTraced([SAGE, ...mutation.args], inject, howOf(mutation, on));
  try {
    assertKept(mutation, on, before, run.stdout);
    const stdin = mutation.stdin?.(on) ?? "";
    const next = await on.run(mutation.args, { stdin });
    assert.ok(mutation.again.includes(next.code), `again: ${next.code} ${next.stderr}`);
    const state = assertKept({ ...mutation, acknowledged: /^/ }, on, before, next.stdout + "\n");
    assert.equal(state, "new", "the next process did not do it");
    await mutation.after?.(on);
  } catch (cause) {
    throw new Error(context, { cause });
  }
  return run.signal === "SIGKILL" || run.code === 137 ? 1 : 0;
}
