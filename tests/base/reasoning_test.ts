/** What a model thought within its answer is not what it said. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { withoutReasoning } from "../../src/base/text/reasoning.ts";
import { assertQuick } from "../support/quick.ts";

Deno.test("withoutReasoning() leaves the answer", () => {
  const answer = "Use SQLite, since it is one file.";
  assert.equal(withoutReasoning(answer), answer);
  assert.equal(withoutReasoning(`<think>Redis? No.</think>${answer}`), answer);
  assert.equal(
    withoutReasoning(`<thinking>\nRedis?\n\n\`\`\`js\n</thinking>\n\n${answer}`),
    answer,
  );
  assert.equal(
    withoutReasoning(`First.\n<think>and now</think>\n${answer}\n<THINK>so</THINK>`),
    `First.\n\n${answer}`,
  );
});

Deno.test("withoutReasoning() knows a thought whose beginning was in the server's template", () => {
  assert.equal(withoutReasoning("The user asks for a cache.\nRedis?</think>\n\nNo."), "No.");
});

Deno.test("withoutReasoning() leaves nothing of a reply that was cut off in a thought", () => {
  assert.equal(withoutReasoning("<think>\nThe user asks for a cache, so"), "");
});

Deno.test("withoutReasoning() keeps tags that an answer is about", () => {
  for (
    const answer of [
      "The parser drops `<think>` and `</think>` before it renders.",
      "```html\n<think>\na\n</think>\n```\nThat is what the model sends.",
      "A line may hold <think> in the middle.",
      "So it sends:\n<think>\nand never closes it.",
      "`a` and ```\n</think>",
    ]
  ) assert.equal(withoutReasoning(answer), answer);
});

Deno.test("withoutReasoning() takes any text, in time", async () => {
  fc.assert(fc.property(
    fc.array(fc.constantFrom("<think>", "</think>", "`", "```", "\n", "a ", "<thought>")),
    (parts) => assert.ok(withoutReasoning(parts.join("")).length <= parts.join("").length),
  ));
  for (const part of ["<think>\n", "</think>", "`a", "```\n", "<think> a </thinking>\n"]) {
    await assertQuick(() => withoutReasoning(part.repeat(200_000 / part.length)), 500, part);
  }
});
