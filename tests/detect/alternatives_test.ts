/** Names of ways, as answers lay them out, and which of them a prompt takes. */
import assert from "node:assert/strict";
import {
  alternativeMeant,
  alternativesIn,
  areOffered,
  itemNamed,
} from "../../src/detect/decisions/alternatives.ts";

const isOffer = (answer: string): boolean => {
  const ways = alternativesIn(answer);
  return ways !== undefined && areOffered(ways, answer);
};

Deno.test("alternativesIn() reads names from headings, bold leads and items", () => {
  const headings = "Three ways:\n\n### Option A: idempotency key\nOne line.\n\n" +
    "### Option B: row lock\nSlow.\n\nI would go with **A**. Want me to start?";
  assert.deepEqual(alternativesIn(headings), {
    names: ["A: idempotency key", "B: row lock"],
    recommended: "I would go with A.",
    numbered: [],
  });
  const bold = "**Flow fields.** One pass.\n\n**Hierarchical A\\*.** Portals.\n\n" +
    "**Time slicing.** An afternoon.";
  assert.deepEqual(alternativesIn(bold)?.names, ["Flow fields", "Hierarchical A*", "Time slicing"]);
  assert.deepEqual(alternativesIn(`## Options\n\n${headings}`)?.names, [
    "A: idempotency key",
    "B: row lock",
  ]);
  const items = "1. Put the line back — ten minutes\n2. Overwrite by day: a day of work";
  assert.deepEqual(alternativesIn(items)?.names, ["Put the line back", "Overwrite by day"]);
  const lettered =
    "Two ways.\n\n1. **The lock** is held too long.\n2. **The retry** hides it.\n\n" +
    "A. **Shorter lock** — only around the write.\n\nB. **Queue** — A and a worker.\n\n" +
    "C. **Leave it**, and tell the users. I would take B.";
  assert.deepEqual(alternativesIn(lettered)?.names, ["A: Shorter lock", "B: Queue", "C: Leave it"]);
});

Deno.test("alternativesIn() knows what a number stands for, also of an item without a name", () => {
  const answer = "**The map is slow.** It draws every tile.\n\nOptions:\n\n" +
    "1. Draw fewer tiles — only those in view.\n2. Set `tiles.rate=4k:60`, as on the phone.\n" +
    "3. Leave it — nobody complained.";
  assert.deepEqual(alternativesIn(answer)?.numbered, [
    "Draw fewer tiles",
    "Set `tiles.rate=4k:60`, as on the phone",
    "Leave it",
  ]);
});

Deno.test("alternativesIn() reads names that are lettered in one line", () => {
  const line = "Photos would be stored twice. Two ways: A) the base keeps the attachment's hash; " +
    "B) attachments become append-only and never conflict.\n\nB is simpler.";
  assert.deepEqual(alternativesIn(line)?.names, [
    "A: the base keeps the attachment's hash",
    "B: attachments become append-only and never conflict",
  ]);
  const bracketed = "Either (A) one table per tenant, slow to migrate, or (B) row level security.";
  assert.deepEqual(alternativesIn(bracketed)?.names, [
    "A: one table per tenant",
    "B: row level security",
  ]);
  for (const none of ["See appendix B) and then A) again.", "A) the cache", "f(A), g(B)"]) {
    assert.equal(alternativesIn(none), undefined, none);
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

Deno.test("alternativesIn() reads what stands below the line that calls it ways, or is lettered", () => {
  const report =
    "## How the rank works\n\nIt weighs **rare words**.\n\n## Why it looks random\n\n" +
    "One word has one weight.\n\n";
  const table =
    "A few options:\n\n| Order | |\n|---|---|\n| **Recency** (`updated`) | newest first |\n" +
    "| **Relevance** | densest first |\n\nMy recommendation: **recency**. Shall I switch?";
  assert.deepEqual(alternativesIn(report + table)?.names, ["Recency", "Relevance"]);
  const items =
    "Options:\n\n1. **(Recommended) Build the table once.** Small.\n2. Also mend the other caller.\n" +
    "3. Do nothing.\n\nI'd do 1.";
  assert.deepEqual(alternativesIn(report + items)?.names, [
    "Build the table once",
    "Also mend the other caller",
    "Do nothing",
  ]);
  const lettered = "**What it mends:**\n\n1. **The text** is the same.\n2. **The scope** too.\n\n" +
    "- **B — the client flattens it.** More bytes.\n- **A — the server does.** A port to keep.\n\nI recommend B.";
  assert.deepEqual(alternativesIn(lettered)?.names, [
    "B: the client flattens it",
    "A: the server does",
  ]);
  assert.ok(isOffer(report + table) && isOffer(report + items) && isOffer(lettered));
});

Deno.test("areOffered() takes no headings of a report for ways, nor several questions for one", () => {
  const report = (last: string): string =>
    `## The point you raise\n\nRight.\n\n## Why the code does not\n\nOld.\n\n## The order I'd recommend\n\n${last}`;
  assert.ok(!isOffer(report("First the id. Which way on both points?")));
  assert.ok(!isOffer(report("I'd recommend yes: case matters here.")));
  assert.ok(!isOffer(report("These aren't two ways things get in, they are warm and cold.")));
  const benefits =
    "## How to use it\n\n```sh\n# Option 1: the script\n./run\n# Option 2: by hand\nmake\n```\n\n" +
    "1. **Quicker** - one pass\n2. **Less code** - half of it";
  assert.ok(!isOffer(benefits));
  const questions = "**Default scope** → all projects (recommended), tab narrows it.\n\n" +
    "**Reader** → plain text (recommended), rendered later.\n\nWant me to build those?";
  assert.ok(!isOffer(questions));
});

Deno.test("alternativesIn() takes neither running text nor a single name", () => {
  assert.equal(
    alternativesIn("Either we rewrite it, which takes weeks, or we wrap it."),
    undefined,
  );
  assert.equal(alternativesIn("- **Cause:** the cache\n\nIt was never cleared."), undefined);
});

Deno.test("alternativeMeant() knows a way by its letter or by words that no other has", () => {
  const lettered = ["A: idempotency key", "B: row lock", "C: event inbox"];
  assert.equal(alternativeMeant("C, properly. Two days are nothing", lettered), "C: event inbox");
  assert.equal(alternativeMeant("ok then B", lettered), "B: row lock");
  const named = ["Lock the device instead of the account", "Tokens for sync"];
  assert.equal(alternativeMeant("lock the device. two days I can sell", named), named[0]);
  assert.equal(alternativeMeant("a break first", named), undefined);
  assert.equal(alternativeMeant("1, 2 and 3", lettered), undefined);
  const long = ["Failed uploads are tried again by the queue", "Nothing"];
  assert.equal(alternativeMeant("the queue page needs a header", long), undefined);
  assert.equal(alternativeMeant("tokens on the device", named), undefined);
  assert.equal(alternativeMeant("both: lock the device and notify", named), undefined);
  assert.equal(alternativeMeant("lock the device, not tokens for sync", named), named[0]);
});

Deno.test("itemNamed() tells an alternative in the words of its line, of a table in those of its cells", () => {
  const list = "1. Verify first — open the till and count, then merge.\n2. Merge now";
  assert.equal(
    itemNamed("Verify first", list),
    "Verify first — open the till and count, then merge.",
  );
  const table =
    "| Way | What it does |\n|---|---|\n| A: At closing | Counts once. |\n| B: Each hour | Slow. |";
  assert.equal(itemNamed("A: At closing", table), "At closing — Counts once.");
});
