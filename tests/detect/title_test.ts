/** What a checkpoint that nobody named is known by. */
import assert from "node:assert/strict";
import { titleOf } from "../../src/detect/checkpoint/title.ts";

const WITH_MATTER = [
  "Everything green — build OK, 17 packages pass.",
  "Also worth a look: the second run.",
  "Sessions with an empty `session_id` were colliding and are skipped now.",
];

Deno.test("titleOf() takes the first sentence that says what it is about", () => {
  assert.equal(
    titleOf(WITH_MATTER, []),
    "Sessions with an empty `session_id` were colliding and are skipped now.",
  );
  assert.equal(
    titleOf(["Step 3 is done, all tests pass.", "Der Import liest jetzt Blöcke von 500."], []),
    "Der Import liest jetzt Blöcke von 500.",
  );
  const long = `${"Sessions without an id collide, ".repeat(4)}and are skipped.`;
  assert.equal(titleOf([long], []), long);
});

Deno.test("titleOf() takes what was asked where the conclusion is of something else, or of nothing", () => {
  const asked = ["why is the list of hits so slow", "rename the shop's basket page"];
  assert.equal(titleOf(["Both are done.", "All tests pass."], asked), asked[1]);
  assert.equal(titleOf(["The pipeline of the branch went through at once."], asked), asked[1]);
  const renamed = "The page of the basket has another name.";
  assert.equal(titleOf([renamed], asked), renamed);
  assert.equal(titleOf(["The basket works as it should."], asked), asked[1]);
  assert.equal(titleOf(["The migration of the store went through.", renamed], asked), asked[1]);
  assert.equal(titleOf(["`index.ts` has another name."], asked), "`index.ts` has another name.");
  assert.equal(
    titleOf(["The pipeline of the branch went through."], ["go on"]),
    "The pipeline of the branch went through.",
  );
  assert.equal(titleOf([], []), "");
});

Deno.test("titleOf() takes the question of a choice that is open, where it is about the same", () => {
  const menu = ["Options: newest first; most relevant first"];
  const asked = ["why is the list of hits so slow", "should hits be sorted by newest or relevant?"];
  assert.equal(titleOf(menu, asked), asked[1]);
  assert.equal(titleOf(menu, [asked[0] ?? ""]), "");
  const advice = "I'd recommend newest, as hits of last week are read most.";
  assert.equal(titleOf([...menu, advice], asked), advice);
});

Deno.test("titleOf() takes no page that was given along for a request", () => {
  const page = "https://example.org/shop/basket/rename.html";
  assert.equal(
    titleOf(["Both are done."], ["rename the shop's basket page", page]),
    "rename the shop's basket page",
  );
  const asked = `@src/basket.ts ${page} the basket is empty after a login`;
  assert.equal(titleOf(["Both are done."], [asked]), "the basket is empty after a login");
  assert.equal(
    titleOf(["Both are done."], ["@basket.ts (22-31) keep the basket after a login"]),
    "keep the basket after a login",
  );
});

Deno.test("titleOf() takes no sentence that tells the reader what to do", () => {
  const asked = ["why is `invoices.total` null for drafts"];
  assert.equal(titleOf(["Replace `DATABASE_URL` with your own."], asked), asked[0]);
  assert.equal(titleOf(["See `invoices.ts` for the totals of drafts."], asked), asked[0]);
  assert.equal(titleOf(["The user wants the `total` of drafts to be set."], asked), asked[0]);
});

Deno.test("titleOf() takes no sentence that says where the agent was", () => {
  const narrated = "I'll help you move the invoices into a table of their own.";
  const asked = ["Invoices and their payments should be two tables."];
  assert.equal(titleOf([narrated], asked), asked[0]);
  const told = "Invoices have a table of their own, and payments refer to it.";
  assert.equal(titleOf([narrated, told], asked), told);
});
