/**
 * R25: processes die with half-written files, again and again; fifteen minutes later one ordinary write
 * has swept all of it, wherever it lay.
 */
import assert from "node:assert/strict";
import { openStore } from "../../src/store/handle.ts";
import { sweep } from "../../src/store/sweep.ts";
import { depth } from "../support/depth.ts";
import { laterBy } from "../support/dying_fs.ts";
import { hasBinary } from "../support/sage.ts";
import { canTrace, runTraced } from "../support/strace.ts";
import { age } from "../support/temp_store.ts";
import { filesBelow, type Lived, lived, notesOf, SAGE } from "./lived.ts";
import { MUTATIONS } from "./mutations.ts";

/** The first so many of each call. */
const KILLS = depth(1, 8);
/** The editor's files come after what is remembered about them. */
const INSTALL_KILLS = 6;
const QUARTER_HOUR_MS = 15 * 60_000;
/** A file is half written when its bytes are about to be made sure of, or it is about to get its name. */
const CALLS = ["fsync", "rename", "linkat"];

Deno.test({
  name: "what crashes left is gone fifteen minutes later, after one write",
  ignore: !hasBinary || !canTrace(),
  async fn() {
    const on = await lived();
    for (const { args, stdin } of MUTATIONS) {
      const how = { calls: CALLS.join(), env: on.env, cwd: on.cwd, stdin: stdin?.(on) ?? "" };
      const kills = args[0] === "install" ? INSTALL_KILLS : KILLS;
      for (const call of CALLS) {
        for (let n = 1; n <= kills; n++) {
          await runTraced([SAGE, ...args], ["-e", `inject=${call}:signal=SIGKILL:when=${n}`], how);
        }
      }
    }
    const left = litter(on);
    assert.ok(left.length > MUTATIONS.length, `only ${left.length} files were left by the dead`);
    assert.ok(left.some((path) => path.startsWith(`${on.home}/.claude/`)), "none at the editor's");
    for (const path of filesBelow(on.home)) {
      if (isLitter(path) || path.endsWith("/swept")) age(path, QUARTER_HOUR_MS);
    }
    const before = notesOf(on);
    await on.must(["knowledge", "add", "-", "--title", "Later"], "Fifteen minutes went by.");
    const own = ["--scope", "user"];
    await on.must(
      ["knowledge", "add", "-", "--title", "My own", ...own],
      "Mine, a store of its own.",
    );
    // What was replaced is as old as its inode says, which nobody can set back.
    const replaced = /\.old\.tmp$/;
    assert.deepEqual(litter(on).filter((path) => !replaced.test(path)), []);
    const root = `${on.cwd}/.sage`;
    const how = { root, scope: "project", stateDir: `${on.home}/.sage/state` } as const;
    sweep(openStore({ ...how, holder: "test", fs: laterBy(QUARTER_HOUR_MS) }));
    assert.deepEqual(litter(on), []);
    for (const path of before.keys()) assert.ok(notesOf(on).has(path), `${path} was swept`);
  },
});

function litter(on: Lived): string[] {
  return filesBelow(on.home).filter(isLitter);
}

function isLitter(path: string): boolean {
  return /\.tmp$|\.sage-\d+-|\.forget-/.test(path.replace(/^.*\//, ""));
}
