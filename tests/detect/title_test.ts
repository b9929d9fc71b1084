/** What a checkpoint that nobody named is known by. */
import assert from "node:assert/strict";
import { titleOf } from "../../src/detect/title.ts";

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
  assert.equal(titleOf(["The basket has another name."], asked), "The basket has another name.");
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
  const advice = "I'd recommend the newest first.";
  assert.equal(titleOf([...menu, advice], asked), advice);
});

Deno.test("titleOf() takes no sentence that says where the agent was", () => {
  const narrated = "I'll help you move the invoices into a table of their own.";
  const asked = ["Invoices and their payments should be two tables."];
  assert.equal(titleOf([narrated], asked), asked[0]);
  const told = "Invoices have a table of their own, and payments refer to it.";
  assert.equal(titleOf([narrated, told], asked), told);
});
