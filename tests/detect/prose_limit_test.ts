/** A conversation too long to be read whole: what is kept of its beginning, its middle and its end. */
import assert from "node:assert/strict";
import { withinProseLimit } from "../../src/detect/text/prose_limit.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import type { Turn } from "../../src/editor/editor.ts";

/** 400 exchanges of about ten thousand characters; each edits a file of its own. */
function long(): Turn[] {
  const filler = "The table has rows of many kinds, and each of them was looked at in turn. ";
  return Array.from({ length: 400 }, (_, n): Turn[] => [
    {
      uuid: `u${n}`,
      role: "user",
      at: "",
      text: `Why does importer ${n} stall on the job?`,
      tools: [],
    },
    {
      uuid: `a${n}`,
      role: "assistant",
      at: "",
      text: `The root cause is lock ${n} of the importer. ` + filler.repeat(140),
      tools: [{ id: `t${n}`, name: "Edit", filePath: `/p/file-${n}.ts` }],
    },
  ]).flat();
}

Deno.test("withinProseLimit() leaves a conversation of usual length as it is", () => {
  const turns = long().slice(0, 200);
  assert.equal(withinProseLimit(turns), turns);
});

Deno.test("withinProseLimit() keeps the opening, the end, and what was done in between", () => {
  const turns = long();
  const reached = withinProseLimit(turns);
  assert.equal(reached.length, turns.length);
  assert.deepEqual(reached.slice(0, 8), turns.slice(0, 8));
  assert.deepEqual(reached.slice(-200), turns.slice(-200));
  assert.equal(reached[101]?.text, "");
  assert.deepEqual(reached[101]?.tools, turns[101]?.tools);
});

Deno.test("the summary of a very long session knows its first question, its last answer and every file", () => {
  const summary = summarizeSession(long(), { cwd: "/p" });
  assert.match(summary?.summary ?? "", /^Why does importer 0 stall/);
  assert.match(summary?.summary ?? "", /root cause is lock 399 /);
  assert.equal(summary?.filesTouched.length, 400);
});
