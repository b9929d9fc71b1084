/**
 * Sentences of an agent after a change that report no work: how the checks went, what it waits for or expects, what
 * was wrong, and good words.
 */
import assert from "node:assert/strict";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { exchanged } from "../support/exchanged.ts";

const REPORT = "Added the loan dates to the list of books.";

/** What is told as done of an answer after a change, without what the calls show. */
function done(answer: string): readonly string[] {
  const turns = exchanged(
    "show the loan dates in the list of books",
    [answer, "/p/books.ts"],
    "and sort the list by them please",
    ["Sorted the list of books by loan date.", "/p/books.ts"],
  );
  const told = summarizeSession(turns as Turn[])?.done ?? [];
  return told.filter((line) => !line.startsWith("Changed: ") && !line.startsWith("Sorted "));
}

Deno.test("summarizeSession() tells a report as done, and not how the checks went", () => {
  assert.deepEqual(done(REPORT), [REPORT]);
  for (
    const checks of [
      "All 412 tests pass, lint clean, typecheck clean.",
      "All tests pass (412/412) and lint is clean.",
      "All three checks pass (tests, lint, typecheck).",
      "Everything compiles cleanly, tests pass, and clippy is happy.",
      "Pre-commit hooks ran and all passed (412 tests, lint clean).",
      "Lint is clean now.",
      "Alle Tests sind grün.",
      "Todos los tests pasan.",
      "Все тесты проходят.",
      "所有测试都通过了。",
    ]
  ) {
    assert.deepEqual(done(checks), [], checks);
    assert.deepEqual(done(`${checks} ${REPORT}`), [REPORT], checks);
  }
  for (
    const kept of [
      "All tests of the loan dates run against a copy of the library now.",
      "All 26 comments on the loan dates are now resolved.",
    ]
  ) assert.deepEqual(done(kept), [kept], kept);
});

Deno.test("summarizeSession() takes nothing for done that says no more than that it is", () => {
  for (
    const empty of [
      "Glad the list is working now!",
      "All 8 tasks completed.",
      "All 5 list tasks (L-1 through L-5) are complete.",
      "I've fixed the issue!",
      "All files are in place.",
    ]
  ) assert.deepEqual(done(empty), [], empty);
});

Deno.test("summarizeSession() takes for done neither what is expected nor what is waited for", () => {
  for (
    const pending of [
      "The build of the library should be green now.",
      "This should now return 40 books instead of 4.",
      "The app is up and waiting for your login.",
      "The library is up — please log in.",
      "Waiting for the lead to assign more of the list.",
      "The deployment of the list is now queued.",
      "I have the full context of the list now.",
      "I'm on main — need to switch to the branch of the list.",
      "Now, back to the list — the fallback lets books show up.",
      "Now step 2 — the dates of the list.",
      "Now rebuild the library and you'll see the dates.",
      "Die Liste sollte jetzt stimmen.",
      "La liste devrait être correcte maintenant.",
      "Список теперь должен работать быстрее.",
    ]
  ) assert.deepEqual(done(pending), [], pending);
  assert.deepEqual(done("Loan dates sorted and pushed. The list should now be right."), [
    "Loan dates sorted and pushed.",
  ]);
  for (
    const kept of [
      "Books that should be returned are marked in the list now.",
      "The list now says which books should be returned.",
    ]
  ) assert.deepEqual(done(kept), [kept], kept);
});

Deno.test("summarizeSession() takes what was wrong for a reason, and not for work", () => {
  for (
    const cause of [
      "The issue was that `dates` and `list` used different formats of a day.",
      "Root cause: the list reads `dates` before they are loaded.",
      "There's an old server of the list on `5173` that was running before.",
    ]
  ) assert.equal(done(`${cause} ${REPORT}`)?.includes(cause), false, cause);
});
