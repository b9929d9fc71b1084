/** R7 in memory: one call fails, with every code, at every place of a life of notes. */
import assert from "node:assert/strict";
import { ERRORS } from "../../src/base/errors.ts";
import type { FailingCall } from "../support/crash_fs.ts";
import { assertKept, assertTidy, assertUsable, freshDisk, live, World } from "./scenario.ts";

const CODES = [
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EACCES",
  "EROFS",
  "EMFILE",
  "ENOLCK",
  "EXDEV",
  "EBUSY",
  "EINTR",
] as const;

const CALLS: readonly FailingCall[] = [
  "open",
  "write",
  "sync",
  "syncDir",
  "rename",
  "link",
  "lock",
  "mkdir",
  "unlink",
  "read",
  "list",
  "chmod",
];

for (const call of CALLS) {
  Deno.test(`a failing ${call} leaves the old text, one clear error and no litter`, async () => {
    let failures = 0;
    for (const code of CODES) {
      for (let n = 1;; n++) {
        const disk = freshDisk({ failAt: { n, code, only: [call] } });
        const world = new World();
        const context = `${code} at ${call} ${n}`;
        const errors = await live(disk, world);
        assert(errors.length <= 1, context);
        for (const error of errors) {
          failures++;
          assert(error.code in ERRORS, context);
          assert.match(error.message, /^Cannot [^\n]+$/, context);
        }
        assertKept(disk, world, context);
        const left = assertTidy(disk, context);
        if (call !== "unlink") assert.deepEqual(left, [], context);
        await assertUsable(disk.restarted(), world, context);
        if (disk.calls.filter((one) => one === call).length < n) break;
      }
    }
    assert(failures > 0 || ["chmod", "unlink"].includes(call), "nothing ever failed");
  });
}

Deno.test("a disk without hard links is good enough", async () => {
  const disk = freshDisk({ withoutLinks: true });
  const world = new World();
  assert.deepEqual(await live(disk, world), []);
  assertKept(disk, world, "without links");
  assert.deepEqual(assertTidy(disk, "without links"), []);
});
