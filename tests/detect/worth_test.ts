/** Which of an agent's sentences are noise by their form, and which are wanted first. */
import assert from "node:assert/strict";
import type { Salient } from "../../src/detect/checkpoint/salience.ts";
import { byWorth, isNoise } from "../../src/detect/checkpoint/worth.ts";

Deno.test("isNoise() knows narration, steps for the reader and praise", () => {
  for (
    const text of [
      "I can see the current structure.",
      "Now let's test the build to see where we are.",
      "I found the issue!",
      "I’ll go through the three call sites of the parser.",
      "Let me look at the remaining call sites of the parser.",
      "Now updating the list of items in the appendix.",
      "The search brought up little, let me read the file from the top.",
      "Restart the development server for the changes to take effect.",
      "Open this file on your computer with a plain editor.",
      "The system is now fully integrated and works with excellent quality!",
    ]
  ) assert.ok(isNoise(text), text);
});

Deno.test("isNoise() leaves what says why, what cannot be and what was measured", () => {
  for (
    const text of [
      "The worker dies because `readAll()` builds one string of the whole file.",
      "I see the issue: version 0.37 expects tags at the root level, not inside a `tags` object.",
      "I'll convert with `plutil`, since plist-cil does not resolve archived keys.",
      "Use `conda env update` instead of `create` if the environment exists already.",
      "The cache holds 40 tenants, and the 41st evicts the first.",
      "Unknown devices share one key per user.",
      "I switched the renderer.",
    ]
  ) assert.ok(!isNoise(text), text);
});

Deno.test("byWorth() puts a cause before a report, and takes none of a person's sentences out", () => {
  const texts = (roles: readonly ("user" | "assistant")[], said: readonly string[]): string[] =>
    byWorth(said.map((text, i) => salient(text, roles[i] ?? "assistant")))
      .map(({ sentence }) => sentence.text);
  const [report, cause, order] = [
    "All the pages of the report were written.",
    "The report was empty because `render()` ran before the rows had arrived.",
    "Let me know when you are ready!",
  ];
  assert.deepEqual(texts(["assistant", "assistant"], [report, cause]), [cause, report]);
  assert.ok(texts(["assistant", "user"], [report, order]).includes(order));
  assert.ok(!texts(["assistant", "assistant"], [report, order]).includes(order));
});

function salient(text: string, role: "user" | "assistant"): Salient {
  return {
    sentence: {
      text,
      turn: { uuid: text, role, at: "", text, tools: [] },
      turnIndex: 0,
      position: 0,
      heading: "",
    },
    score: 0.1,
    rankScore: 0.1,
    terms: new Set(),
    vectors: undefined,
    place: 0,
    isDecided: false,
    isLaidOut: false,
    concludes: 0,
  };
}
