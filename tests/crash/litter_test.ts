/**
 * R25: processes die with half-written files, again and again; fifteen minutes later one ordinary write
 * has swept all of it, wherever it lay.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { canTrace, runTraced, samplePoints, surveyPoints } from "../support/strace.ts";
import { age } from "../support/temp_store.ts";
import { filesBelow, type Lived, lived, notesOf, SAGE } from "./lived.ts";
import { MUTATIONS } from "./mutations.ts";

const KILLS = depth(3, 1000);
const QUARTER_HOUR_MS = 15 * 60_000;
/** A file is half written when its bytes are about to be made sure of, or it is about to get its name. */
const CALLS = "fsync,rename,linkat,unlink";

Deno.test({
  name: "what crashes left is gone fifteen minutes later, after one write",
  ignore: !hasBinary || !canTrace(),
  async fn() {
    const on = await lived();
    for (const { args, stdin } of MUTATIONS) {
      const how = { calls: CALLS, env: on.env, cwd: on.cwd, stdin: stdin?.(on) ?? "" };
      await on.restore();
      const points = await surveyPoints([SAGE, ...args], on.base, how);
      await on.restore();
      const left = new Set<string>();
      for (const { call, n } of samplePoints(points, KILLS)) {
        const inject = ["-e", `inject=${call}:signal=SIGKILL:when=${n}`];
        await runTraced([SAGE, ...args], inject, how);
        litter(on).forEach((path) => left.add(path));
      }
      assert.ok(left.size > 0, `${args.join(" ")} left nothing, so nothing was shown`);
      for (const path of filesBelow(on.home)) {
        if (isLitter(path) || path.endsWith("/swept")) age(path, QUARTER_HOUR_MS);
      }
      const before = notesOf(on);
      await on.must(["knowledge", "add", "-", "--title", "Later"], "Fifteen minutes went by.");
      await on.must(["checkpoint", "save", "-m", "The crashes of the morning are forgotten."]);
      assert.deepEqual(litter(on), [], `after ${args.join(" ")}`);
      for (const path of before.keys()) assert.ok(notesOf(on).has(path), `${path} was swept`);
    }
  },
});

function litter(on: Lived): string[] {
  return filesBelow(on.home).filter(isLitter);
}

function isLitter(path: string): boolean {
  return /\.tmp$|\.sage-\d+-|\.forget-/.test(path.replace(/^.*\//, ""));
}
