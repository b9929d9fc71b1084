import assert from "node:assert/strict";
import { askedFor } from "../../src/search/query/asked_for.ts";
import { phraseOf } from "../../src/search/query/lexical.ts";
import { LANGUAGES } from "../../src/search/query/words.ts";

const wordsIn = (text: string): string[] => phraseOf(text).split(" ");
const asked = (text: string): string | undefined => askedFor(wordsIn(text))?.word;

Deno.test("askedFor() tells what a question asks of a thing", () => {
  assert.equal(asked("how many seats are in the boat"), "seats");
  assert.equal(asked("what does a recorder cost"), "cost");
  assert.equal(asked("price per message"), "price");
  assert.equal(asked("which port does the queue listen on"), "port");
  assert.equal(asked("welchen Port hat der Server"), "port");
  assert.equal(asked("wie viele Stationen gibt es"), "stationen");
  assert.equal(asked("Preis der Platte"), "preis");
});

Deno.test("askedFor() leaves alone what asks for nothing of a thing, or for what has a name of its own", () => {
  const others = [
    "why did the import hang",
    "why does the import cost so much",
    "which",
    "how many",
    "what did we decide about the queue",
    "which database do we use for storing on the device",
    "who is the code owner of packages/mail",
    "did we port the parser to rust",
    "how many hours does the import take",
  ];
  for (const text of others) assert.equal(asked(text), undefined, text);
  const french = LANGUAGES.find(({ name }) => name === "french");
  assert.equal(askedFor(wordsIn("le cost per message"), french), undefined);
});

Deno.test("askedFor() knows what some answers look like", () => {
  const looksLike = (question: string, text: string): boolean | undefined =>
    askedFor(wordsIn(question))?.form?.test(text);
  for (
    const text of [
      "38 € a month",
      "14,500 SEK",
      "free for teams",
      "40 ms each",
      "0.9 percent",
      "1.2k tokens",
    ]
  ) {
    assert.equal(looksLike("what does it cost", text), true, text);
  }
  for (const text of ["38 grams", "version 1.8", "built with Astro"]) {
    assert.equal(looksLike("what does it cost", text), false, text);
  }
  assert.equal(looksLike("which port does it use", "on db1:5432"), true);
  assert.equal(looksLike("which port does it use", "MariaDB 10.11, 40 s behind"), false);
  assert.equal(looksLike("how many seats are there", "any text"), undefined);
});
