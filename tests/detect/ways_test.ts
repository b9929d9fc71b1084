/** Names of ways, as answers lay them out, and which of them a prompt takes. */
import assert from "node:assert/strict";
import { areOffered, wayMeant, waysIn } from "../../src/detect/ways.ts";

const isOffer = (answer: string): boolean => {
  const ways = waysIn(answer);
  return ways !== undefined && areOffered(ways, answer);
};

Deno.test("waysIn() reads names from headings, bold leads and items", () => {
  const headings = "Three ways:\n\n### Option A: idempotency key\nOne line.\n\n" +
    "### Option B: row lock\nSlow.\n\nI would go with **A**. Want me to start?";
  assert.deepEqual(waysIn(headings), {
    names: ["A: idempotency key", "B: row lock"],
    recommended: "I would go with A.",
    areNumbered: false,
  });
  const bold = "**Flow fields.** One pass.\n\n**Hierarchical A\\*.** Portals.\n\n" +
    "**Time slicing.** An afternoon.";
  assert.deepEqual(waysIn(bold)?.names, ["Flow fields", "Hierarchical A*", "Time slicing"]);
  assert.deepEqual(waysIn(`## Options\n\n${headings}`)?.names, [
    "A: idempotency key",
    "B: row lock",
  ]);
  const items = "1. Put the line back — ten minutes\n2. Overwrite by day: a day of work";
  assert.deepEqual(waysIn(items)?.names, ["Put the line back", "Overwrite by day"]);
});

Deno.test("waysIn() reads names that are lettered in one line", () => {
  const line = "Photos would be stored twice. Two ways: A) the base keeps the attachment's hash; " +
    "B) attachments become append-only and never conflict.\n\nB is simpler.";
  assert.deepEqual(waysIn(line)?.names, [
    "A: the base keeps the attachment's hash",
    "B: attachments become append-only and never conflict",
  ]);
  const bracketed = "Either (A) one table per tenant, slow to migrate, or (B) row level security.";
  assert.deepEqual(waysIn(bracketed)?.names, ["A: one table per tenant", "B: row level security"]);
  for (const none of ["See appendix B) and then A) again.", "A) the cache", "f(A), g(B)"]) {
    assert.equal(waysIn(none), undefined, none);
  }
});

Deno.test("areOffered() tells ways from the parts of a report", () => {
  const ways = "**Row lock.** Slow under load.\n\n**Advisory lock.** Quick.";
  assert.ok(isOffer(`Three ways:\n\n${ways}`));
  assert.ok(isOffer(`${ways}\n\nI would take the advisory lock.`));
  assert.ok(isOffer(`${ways}\n\nWhich one?`));
  assert.ok(isOffer(`${ways}\n\nShall it be the row lock, or the advisory one?`));
  assert.ok(isOffer("### Option A: row lock\nSlow.\n\n### Option B: advisory lock\nQuick."));
  const report = "## Summary of the fix\n\n- **Efficiency:** one lookup, not N\n" +
    "- **Counts:** it fails at once\n\n";
  assert.ok(!isOffer(report));
  assert.ok(!isOffer(`${report}Want me to drop the rank, which makes it quicker?`));
  assert.ok(!isOffer(`${report}I'd recommend to release it. Want me to tag it, or leave it?`));
});

Deno.test("waysIn() takes neither running text nor a single name", () => {
  assert.equal(waysIn("Either we rewrite it, which takes weeks, or we wrap it."), undefined);
  assert.equal(waysIn("- **Cause:** the cache\n\nIt was never cleared."), undefined);
});

Deno.test("wayMeant() knows a way by its letter or by words that no other has", () => {
  const lettered = ["A: idempotency key", "B: row lock", "C: event inbox"];
  assert.equal(wayMeant("C, properly. Two days are nothing", lettered), "C: event inbox");
  assert.equal(wayMeant("ok then B", lettered), "B: row lock");
  const named = ["Lock the device instead of the account", "Tokens for sync"];
  assert.equal(wayMeant("lock the device. two days I can sell", named), named[0]);
  assert.equal(wayMeant("a break first", named), undefined);
  assert.equal(wayMeant("1, 2 and 3", lettered), undefined);
  const long = ["Failed uploads are tried again by the queue", "Nothing"];
  assert.equal(wayMeant("the queue page needs a header", long), undefined);
  assert.equal(wayMeant("tokens on the device", named), undefined);
  assert.equal(wayMeant("both: lock the device and notify", named), undefined);
  assert.equal(wayMeant("lock the device, not tokens for sync", named), named[0]);
});
