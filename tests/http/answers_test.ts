/** Kept answers: for the same question about the same notes, and no more of them than is allowed. */
import assert from "node:assert/strict";
import {
  HTTP_ANSWER_MS_MAX,
  HTTP_ANSWERS_BYTES_MAX,
  HTTP_ANSWERS_MAX,
} from "../../src/base/limits.ts";
import { type Answered, type Answers, createAnswers } from "../../src/http/answers.ts";

const answer = (bytes = 1): Answered => ({
  bytes: new Uint8Array(bytes),
  etag: `"${bytes}"`,
  isOfAnswer: true,
});
/** Not the answer itself: who is shown the difference of megabytes waits for it. */
const has = (answers: Answers, question: string, state: string): boolean =>
  answers.get(question, state) !== undefined;

Deno.test("an answer is kept for the same question and the same state alone", () => {
  const answers = createAnswers();
  answers.put("a", "1", answer());
  assert.equal(has(answers, "a", "1"), true);
  assert.equal(has(answers, "b", "1"), false);
  assert.equal(has(answers, "a", "2"), false);
  assert.equal(has(answers, "a", "1"), false, "of a state that is over none is kept");
});

Deno.test("the oldest answers go where there are too many, or where they are too large", () => {
  const many = createAnswers();
  for (let n = 0; n <= HTTP_ANSWERS_MAX; n++) many.put(`${n}`, "1", answer());
  assert.deepEqual(["0", "1"].map((question) => has(many, question, "1")), [false, true]);

  const large = createAnswers();
  const third = Math.floor(HTTP_ANSWERS_BYTES_MAX / 3);
  // One question, asked anew each time, takes its room once.
  for (let n = 0; n < 5; n++) large.put("same", `${n}`, answer(third));
  large.put("b", "4", answer(third));
  assert.deepEqual(["same", "b"].map((question) => has(large, question, "4")), [true, true]);
  large.put("c", "4", answer(third + 3));
  assert.deepEqual(["same", "c"].map((question) => has(large, question, "4")), [false, true]);
});

Deno.test("an answer is kept for a minute at most, because some questions mean the time of day", () => {
  let now = 0;
  const answers = createAnswers(() => now);
  answers.put("a", "1", answer());
  now = HTTP_ANSWER_MS_MAX / 2 - 1;
  assert.equal(has(answers, "a", "1"), true);
  now = HTTP_ANSWER_MS_MAX;
  assert.equal(has(answers, "a", "1"), false);
});
