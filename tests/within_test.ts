/** The waits of tests themselves: each ends, and names what did not come. */
import assert from "node:assert/strict";
import { isOnThisMachine } from "./support/on_this_machine.ts";
import { run, until, within } from "./support/within.ts";

const MS_MAX = 100;

Deno.test("within() and until() fail when it is late, with what they waited for", async () => {
  assert.equal(await within("one", Promise.resolve(1), MS_MAX), 1);
  const never = new Promise<boolean>(() => {});
  await assert.rejects(within("rain", never, MS_MAX), /^Error: Waited 0\.1 s in vain: rain$/);
  await assert.rejects(until("rain", () => false, MS_MAX), /in vain: rain$/);
  await assert.rejects(until("rain", () => never, MS_MAX), /in vain: rain$/);
});

Deno.test({
  name: "run() does not wait for who holds the pipes of a program that is late",
  ignore: !isOnThisMachine("sleep"),
  // The other one has them until it ends.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const late = { args: ["-c", "sleep 3 & exec sleep 60"], msMax: MS_MAX };
    await assert.rejects(run("sh", late), /^Error: Waited 0\.1 s in vain: sh -c sleep 3/);
    assert.equal((await run("cat", { input: "x" })).stdout, "x");
  },
});
