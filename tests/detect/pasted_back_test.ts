/** What a person pastes back of an answer to ask about it is not theirs; what says what they mean stays. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { withoutPastedBack } from "../../src/detect/text/pasted_back.ts";
import { talk } from "../support/talk.ts";

const ANSWER = [
  "Three things cost most at the till:",
  "",
  "1. **Close idle drawers.** Each open `drawer` keeps a socket and some forty megabytes of cached receipts.",
  "2. **Print receipts later.** The printer waits two seconds for the fiscal module before it prints.",
].join("\n");
const FIRST =
  "1. Close idle drawers. Each open drawer keeps a socket and some\nforty megabytes of cached receipts.";
const SECOND =
  "2. Print receipts later. The printer waits two seconds for the fiscal module before it prints.";

function said(prompt: string, answer = ANSWER): string | undefined {
  return withoutPastedBack(talk("What makes the till slow?", answer, prompt, "I looked."))
    .filter(({ role }) => role === "user").at(-1)?.text;
}

Deno.test("withoutPastedBack() leaves the question behind what was pasted, or before it", () => {
  assert.equal(
    said(`${FIRST} Why does each of them use so much?`),
    "Why does each of them use so much?",
  );
  assert.equal(
    said(`${FIRST}\n\n${SECOND}\nwhich one is quicker to do?`),
    "which one is quicker to do?",
  );
  assert.equal(said(`is this really true? ${SECOND}`), "is this really true?");
  const back = "So nothing is printed at once, i would have to wait for it...";
  assert.equal(said(`${SECOND} ${back}`), back);
});

Deno.test("withoutPastedBack() keeps what says what is meant", () => {
  for (
    const prompt of [
      // To be done.
      FIRST,
      `${FIRST} Do this first.`,
      // Each part has its remark.
      `${FIRST} No, we need them open. ${SECOND} Can we do this?`,
      // Chance.
      "Each open drawer keeps a socket, is that so?",
      "Why does the till print receipts twice?",
    ]
  ) assert.equal(said(prompt), prompt);
  assert.equal(said(`${FIRST} Why?`, "I looked at something else."), `${FIRST} Why?`);
});

Deno.test("withoutPastedBack() gives the same turns where nothing was pasted back", () => {
  const turns = talk("What makes the till slow?", ANSWER, "Do the first.", "Done.");
  assert.equal(withoutPastedBack(turns), turns);
});

Deno.test("findDecisions() takes no item that is asked about for a choice of it", () => {
  const asked = talk(
    "What makes the till slow?",
    ANSWER,
    `${FIRST} Isn't having them open a gain?`,
    "It is.",
  );
  assert.deepEqual(findDecisions(withoutPastedBack(asked)), []);
});
