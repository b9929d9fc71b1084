/**
 * R7 on the built program: one system call of a command fails, with every code that a disk or a limit
 * gives. Then the old content stands or the new one, the exit code says which, stderr holds one clear
 * line, and what is left lying about is what the next writer sweeps.
 */
import assert from "node:assert/strict";
import { TEMP_NAME } from "../../src/base/atomic.ts";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import {
  canTrace,
  type Injected,
  type Point,
  runTraced,
  samplePoints,
  surveyPoints,
} from "../support/strace.ts";
import { filesBelow, type Lived, lived, notesOf, SAGE } from "./lived.ts";
import { assertKept, type Mutation, MUTATIONS } from "./mutations.ts";

const POINTS = depth(3, 200);
const ignore = !canTrace() || !hasBinary;
const skipped = ignore ? " (skipped: no strace or no binary here)" : "";

/** How each call may fail. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  openat: ["EMFILE", "EACCES", "EROFS", "ENOSPC", "EIO"],
  write: ["ENOSPC", "EIO", "EDQUOT"],
  fsync: ["EIO", "ENOSPC"],
  rename: ["EACCES", "EIO", "EROFS"],
  linkat: ["ENOSPC", "EIO", "EACCES", "EROFS"],
  mkdir: ["ENOSPC", "EACCES", "EROFS", "EIO"],
  unlink: ["EIO", "EACCES", "EROFS"],
  flock: ["EIO"],
  readlink: ["EACCES"],
};
const CALLS = Object.keys(CODES).join();

let made: Promise<Lived> | undefined;

for (const mutation of MUTATIONS) {
  Deno.test({
    name: `sage ${mutation.name} with a call that fails leaves the old or the new${skipped}`,
    ignore,
    async fn() {
      const on = await (made ??= lived());
      await on.restore();
      const points = await surveyPoints([SAGE, ...mutation.args], on.base, howOf(mutation, on));
      const cases = points.filter(isWorthFailing).flatMap((point) =>
        codesOf(point).map((code) => ({ ...point, code }))
      );
      const failures: unknown[] = [];
      for (const one of samplePoints(cases, POINTS)) {
        await fail(mutation, on, one as Point & { code: string }).catch((error) =>
          failures.push(error)
        );
      }
      if (failures.length > 0) throw new AggregateError(failures, reasons(failures));
    },
  });
}

function reasons(failures: readonly unknown[]): string {
  return failures.map((error) => `${(error as Error).message}\n  ${(error as Error).cause}`)
    .join("\n");
}

/** A file that is only read fails as such: never for want of room on its disk. */
const READING: readonly string[] = ["EMFILE", "EACCES", "EIO"];

function codesOf({ call, line }: Point): readonly string[] {
  const codes = CODES[call] ?? [];
  return line.includes("O_RDONLY") ? codes.filter((code) => READING.includes(code)) : codes;
}

/** A note that cannot be read is no part of the index, and so of no choice. */
function isUnlisted({ code, stderr }: Injected, failure: string, line: string): boolean {
  return code === 3 && /^sage: No \w+ matches /.test(stderr) && /\.md", O_RDONLY/.test(line) &&
    ["EACCES", "EIO"].includes(failure);
}

/** Telling may fail too, but what is told is no longer about the notes. */
function isWorthFailing({ line }: Point): boolean {
  return !/^\d+ +write\([12],/.test(line) && !/= -1 /.test(line) && !/"\/(proc|sys|etc)/.test(line);
}

function howOf({ stdin }: Mutation, on: Lived) {
  return { calls: CALLS, env: on.env, cwd: on.cwd, stdin: stdin?.(on) ?? "" };
}

async function fail(
  mutation: Mutation,
  on: Lived,
  { call, n, line, code }: Point & { readonly code: string },
): Promise<void> {
  await on.restore();
  const before = notesOf(on);
  const inject = ["-e", `inject=${call}:error=${code}:when=${n}`];
  const run = await runTraced([SAGE, ...mutation.args], inject, howOf(mutation, on));
  try {
    const state = assertKept(mutation, on, before, run.stdout);
    if (mutation.args[0] === "hook") assert.equal(run.code, 0, run.stderr);
    else if (run.code === 0) assert.equal(state, "new", `0, but it did nothing: ${run.stdout}`);
    else if (!isUnlisted({ ...run, n, isHit: true }, code, line)) {
      assert.equal(run.code, 1, run.stderr);
      assert.match(run.stderr, /^sage: Cannot [^\n]+\n( {2}[^\n]+\n)?$/);
      if (mutation.isErasure !== true) {
        assert.equal(state, "old", `it failed, but it did it: ${run.stderr}`);
      }
    }
    assertSweepable(on, call);
    const stdin = mutation.stdin?.(on) ?? "";
    const next = await on.run(mutation.args, { stdin });
    assert.ok(mutation.again.includes(next.code), `again: ${next.code} ${next.stderr}`);
    assert.equal(assertKept(mutation, on, before, next.stdout), "new", "the next did not do it");
    await mutation.after?.(on);
  } catch (cause) {
    throw new Error(`${mutation.name}, ${code} at ${call} ${n}: ${line}`, { cause });
  }
}

/** Temporary files only where removing them failed, and with names that the sweep knows. */
function assertSweepable(on: Lived, call: string): void {
  const left = filesBelow(on.home).filter((path) => /\.tmp$|\.forget-/.test(path));
  if (call !== "unlink") assert.deepEqual(left, [], "litter");
  for (const path of left) {
    assert.match(path.replace(/^.*\//, ""), TEMP_NAME);
  }
}
