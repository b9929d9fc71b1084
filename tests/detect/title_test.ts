/** What a checkpoint that nobody named is known by. */
import assert from "node:assert/strict";
import { titleOf as titleFor } from "../../src/detect/checkpoint/title.ts";

const titleOf = (concluded: readonly string[], asked: readonly string[], isItem = false): string =>
  titleFor(concluded.map((text) => ({ text, isItem })), asked, asked.at(-1));

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

Deno.test("titleOf() names the page that a request means, where its address stands before", () => {
  const asked = "https://github.com/till/drawer?tab=readme Is it worth setting this up in our shop";
  assert.equal(
    titleOf(["Both are done."], [asked]),
    "till/drawer: Is it worth setting this up in our shop",
  );
  const other = "https://www.example.org/till/ use version 1.105 of the drawer";
  assert.equal(titleOf(["Both are done."], [other]), "use version 1.105 of the drawer");
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

Deno.test("titleOf() takes no item of a list of what was done, where the request says more", () => {
  const asked = ["Implement: Parcels are weighed at the counter"];
  const items = [
    "`src/scale.ts` — reads the weight twice and takes the mean.",
    "[scale.md](docs/scale.md): says how the scale is calibrated.",
    "Step 2 - The label prints `weight_g`.",
    "Added `weight_g` to the table of parcels",
  ];
  for (const item of items) {
    assert.equal(titleOf([item], asked), asked[0], item);
    assert.equal(titleOf([item], ["go on"]), item);
  }
  const item = "Parcels without a weight are kept back until `weigh()` was called.";
  const wanted = "Keep parcels back that have no weight";
  assert.equal(titleOf([item], [wanted], true), wanted);
  assert.equal(titleOf([item], [wanted]), item);
  assert.equal(titleOf([item], ["push, then look at the comments of the review"], true), item);
});

Deno.test("titleOf() takes no sentence that only says where something lies, or how much passed", () => {
  const asked = ["keep a parcel back until it is weighed"];
  for (
    const told of [
      "The commit is `06d0b6a`.",
      "Commit `9fa31be` was created successfully.",
      "PR opened: https://git.example.org/post/office/pull/157",
      "Verification: 150 tests pass, lint is clean.",
      "Both commits are done and all tests pass (230 core, 478 api, 121 desk).",
    ]
  ) assert.equal(titleOf([told], asked), asked[0], told);
});

Deno.test("titleOf() takes a command of the client only where nothing else is known", () => {
  const told = "Phase 4: Parcels are weighed — 3 plans in 2 waves";
  assert.equal(titleOf([told], ["plan:phase 4"]), told);
  assert.equal(titleOf(["Both are done."], ["plan:phase 4"]), "plan:phase 4");
});
