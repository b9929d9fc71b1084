/** Sentences that lost something to privacy are left out; what is whole beside them stays. */
import assert from "node:assert/strict";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { withholdPrivate } from "../../src/guard/private.ts";
import { talk } from "../support/talk.ts";

const withheld = (...texts: readonly string[]) =>
  talk(...texts.map((text) => withholdPrivate(text)));

const ANSWER =
  "The import for the customer <private>ACME</private> stalls at row 40,000. The root cause is a lock that the nightly backup holds for 11 minutes. We decided to run it for <private>ACME</private> after the backup because nobody else waits. <private>Their</private> contract says the rows must be there at six.";

Deno.test("extractCheckpoint() and summarizeSession() keep no sentence with a gap", () => {
  const turns = withheld(
    "The customer is <private>ACME</private>. Why does the import stall every night?",
    ANSWER,
    "Shall we tell <private>Jane</private> or <private>Joe</private>?",
    "Tell the person on call; the page is in the handbook under imports, with all numbers.",
  );
  const extract = extractCheckpoint(turns, { effortMin: 0 });
  const summary = summarizeSession(turns);
  assert.equal(extract?.coreQuestion, "Why does the import stall every night?");
  assert.match(extract?.thesis ?? "", /nightly backup holds/);
  assert.deepEqual(summary?.decisions, []);
  const all = JSON.stringify([extract, summary]);
  for (const gone of ["[private]", "customer", "contract", "after the backup", "ACME", "Jane"]) {
    assert.ok(!all.includes(gone), `${gone} in ${all}`);
  }
});

Deno.test("extractCheckpoint() takes a question with a gap where there is no other", () => {
  const extract = extractCheckpoint(
    withheld("Fix the nightly import for <private>ACME</private>.", ANSWER),
    { effortMin: 0 },
  );
  assert.equal(extract?.coreQuestion, "Fix the nightly import for [private].");
});

Deno.test("withholdPrivate() marks a gap in a sentence, none for a block, and lets nothing through", () => {
  assert.equal(withholdPrivate("plain"), "plain");
  assert.equal(withholdPrivate("It is <private>x</private>."), "It is [private].");
  assert.equal(withholdPrivate("a.\n<private>\nx\n</private>\nb."), "a.\n\nb.");
  assert.equal(withholdPrivate("a <private>x"), "a [private]");
  assert.equal(withholdPrivate("<pri<private>x</private>vate>secret</private>."), ".");
});
