/** Answers one by one, each told with the question of its number. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

const ASKED =
  "Before I start:\n\n1. **Storage:** should the ratings be:\n   - A column of the books?\n" +
  "   - A table of their own?\n2. Who may rate?\n   - a) everybody\n   - b) members only\n" +
  "3. Should old ratings be kept when a book is sold?\n4. What color?";

function decided(answer: string, prompt: string): string[] {
  const turns = exchanged("plan the ratings", answer, prompt, "Done.");
  return findDecisions(turns).map(({ text }) => text);
}

const TOLD = [
  "Storage: should the ratings be: A column of the books? → a table of their own",
  "Who may rate? → members only",
  "Should old ratings be kept when a book is sold? → yes, for two years",
];

Deno.test("findDecisions() pairs answers with the questions of their numbers", () => {
  const answers = "1. a table of their own\n2. b\n3. yes, for two years\n4. no idea";
  assert.deepEqual(decided(ASKED, answers), TOLD);
  assert.deepEqual(decided(ASKED, answers.replaceAll("\n", " ")), TOLD);
  assert.deepEqual(
    decided(ASKED, `ok. ${answers.replaceAll(". ", ") ").replaceAll("\n", " ")}`),
    TOLD,
  );
});

Deno.test("findDecisions() tells a letter with what is said to it", () => {
  const [, who] = decided(ASKED, "1) own table 2) b) but staff as well 3) no 4) red");
  assert.equal(who, "Who may rate? → members only; but staff as well");
});

Deno.test("findDecisions() pairs nothing with findings, or with fewer questions than answers", () => {
  const findings =
    "I found:\n\n1. The cache is cold.\n2. The index is missing.\n3. The disk is slow.";
  assert.deepEqual(decided(findings, "1. warm it 2. add it 3. wait"), []);
  const two = "1. Which color?\n2. Which font?";
  assert.deepEqual(decided(two, "1) red 2) serif 3) and a footer 4) with a date"), []);
  assert.deepEqual(decided(two, "1) what do you mean? 2) not sure"), []);
});

Deno.test("findDecisions() pairs no answer with a question about what there is", () => {
  const asked =
    "1. **Ratings:** what do you already have?\n2. The shelf — do you have a list of it?\n" +
    "3. Who may rate?\n4. Should old ratings be kept?";
  const answers =
    "1. It is the full dump 2. There is one in the office 3. members only 4. Sounds good.";
  assert.deepEqual(decided(asked, answers), ["Who may rate? → members only"]);
});

Deno.test("findDecisions() pairs no list of the person with what the agent only offered", () => {
  const wants = "1. the price per night 2. the name of the guest 3. the day of arrival";
  for (
    const lead of ["Would you like:", "Would you like me to:", "Would you like any changes to:"]
  ) {
    const offers =
      `The list is sorted.\n\n1. By name\n2. By day\n3. By price\n\n${lead}\n1. Another order?\n2. A search field?\n3. A filter?`;
    assert.deepEqual(decided(offers, wants), [], lead);
  }
});
