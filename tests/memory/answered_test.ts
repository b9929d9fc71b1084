/** Whether a later session came back to what an earlier one left, or decided against it. */
import assert from "node:assert/strict";
import { isAnswered, isBegun, isDropped, isSettled } from "../../src/memory/session/answered.ts";
import type { Session } from "../../src/note/session.ts";

const STEP = "run the codemod for real once you have decided about the twelve";

Deno.test("isDropped() knows a step whose matter a later session dropped", () => {
  const later = (...decisions: string[]): Session[] => [{ decisions } as unknown as Session];
  assert.ok(isDropped(STEP, later("workspace. and drop the codemod file")));
  const reply = "I'd expect 1:30 instead of 6:02. → workspace. and drop the codemod file";
  assert.ok(isDropped(STEP, later(reply)));
  assert.ok(!isDropped(STEP, later("drop the legacy theme")));
  const step = "Write the test for the invoices of tenants";
  assert.ok(!isDropped(step, later("users must not see other tenants' invoices")));
  assert.ok(!isDropped(step, later("not before monday, invoices are printed until then")));
  assert.ok(!isDropped(STEP, later("the codemod uses ts-morph")));
  assert.ok(!isDropped(STEP, []));
});

Deno.test("isAnswered() knows a question whose words are not parted by spaces", () => {
  const later = (summary: string): Session[] => [
    { summary, decisions: [], done: [], openQuestions: [] } as unknown as Session,
  ];
  const open = "连接池的大小降到 20 能不能撑住峰值流量？";
  assert.ok(isAnswered(open, later("压测结果：连接池的大小降到 20 可以撑住峰值流量。")));
  assert.ok(!isAnswered(open, later("导出任务的连接泄漏已经修好了。")));
});

Deno.test("isAnswered() leaves a question open of which a sentence has but some words", () => {
  const later = (summary: string): Session[] => [
    { summary, decisions: [], done: [], openQuestions: [] } as unknown as Session,
  ];
  const open = "Should the importer retry failed batches after a timeout of the mirror in Oslo?";
  const told = "The importer retries failed batches after a timeout of the mirror in Oslo.";
  assert.ok(isAnswered(open, later(told)));
  assert.ok(!isAnswered(open, later("The importer logs failed batches.")));
});

Deno.test("isAnswered() knows a check that failed by its being run again", () => {
  const failed = "Failed last: `go test ./gateway/...` → FAIL: TestClockSkew (0.01s)";
  const later = (done: string[], openQuestions: string[] = []): Session[] => [
    { summary: "", decisions: [], done, openQuestions } as unknown as Session,
  ];
  assert.ok(isAnswered(failed, later(["Ran: `go test ./gateway/...` → ok gateway 0.4s"])));
  const again = "Failed last: `go test ./gateway/...` → FAIL: TestOther (0.01s)";
  assert.ok(isAnswered(failed, later([], [again])));
  // As a whole, and in another folder.
  assert.ok(isAnswered(failed, later(["Ran: `cd /p && go test ./...` → ok gateway 0.4s"])));
  assert.ok(isAnswered(failed, later(["Committed: 1a2b3c4 Take the server's clock"])));
  assert.ok(
    !isAnswered(failed, later(["Ran: `npm run build` → built in 4.0s", "Read the clock."])),
  );
});

Deno.test("isBegun() knows a step by the file that it names, and by what was done since", () => {
  const later = (done: string[], filesTouched: string[] = []): Session[] => [
    { done, filesTouched } as unknown as Session,
  ];
  const step =
    "Tomorrow: restore the permission in `modules/rotation/iam.tf`, apply, then test it.";
  assert.ok(isBegun(step, later([], ["modules/rotation/iam.tf"])));
  assert.ok(!isBegun(step, later([], ["modules/network/iam.tf"])));
  const german = "Morgen also rotierende Refresh Tokens mit 10 Sekunden Grace-Period.";
  const told = "Refresh Tokens rotieren jetzt: pro Familie ein Eintrag, mit 10 s Grace-Period.";
  assert.ok(isBegun(german, later([told])));
  assert.ok(!isBegun(german, later(["Der Token liegt jetzt in Redis."])));
  assert.ok(!isBegun("Test it.", later(["Tested."])));
  const since = [...later(["Read the news."]), ...later([told]), ...later([])];
  assert.ok(isBegun(german, since), "one of several sessions since did it");
});

Deno.test("isSettled() knows a question whose matter a later session needs no more", () => {
  const later = (...decisions: string[]): Session[] => [
    { summary: "", decisions, done: [] } as unknown as Session,
  ];
  const open = "It is still open whether mod 97 is needed for reviewer 2.";
  assert.ok(isSettled(open, later("write it up, and no we don't need mod 97, asked the editor")));
  assert.ok(!isSettled(open, later("we don't need the poster, asked the editor")));
});
