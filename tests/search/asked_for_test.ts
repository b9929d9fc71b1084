import assert from "node:assert/strict";
import { askedFor } from "../../src/search/asked_for.ts";
import { phraseOf } from "../../src/search/lexical.ts";
import { LANGUAGES } from "../../src/search/words.ts";

const wordsIn = (text: string): string[] => phraseOf(text).split(" ");
const asked = (text: string): string | undefined => askedFor(wordsIn(text))?.words.join(" ");

Deno.test("askedFor() tells what a question asks of a thing", () => {
  assert.equal(asked("which font do we use on the page?"), "font");
  assert.equal(asked("on which chroma subsampling does it depend"), "chroma subsampling");
  assert.equal(asked("how many seats are in the boat"), "seats");
  assert.equal(asked("how much RAM has box 2"), "ram");
  assert.equal(asked("what does a recorder cost"), "cost");
  assert.equal(asked("who is the code owner of packages/mail"), "code owner");
  assert.equal(asked("price per message"), "price");
  assert.equal(asked("welchen Port hat der Server"), "port");
  assert.equal(asked("wie viele Stationen gibt es"), "stationen");
  assert.equal(asked("Preis der Platte"), "preis");
});

Deno.test("askedFor() leaves alone what asks for nothing of a thing, or for what nobody says", () => {
  const others = [
    "why did the import hang",
    "which",
    "what did we decide about the queue",
    "what kind of queue is it",
    "how many hours does the import take",
    "instead of the queue",
    `${"what lies beside the queue and ".repeat(8)}which font do we use`,
  ];
  for (const text of others) assert.equal(asked(text), undefined, text);
  const french = LANGUAGES.find(({ name }) => name === "french");
  assert.equal(askedFor(wordsIn("prix per message"), french), undefined);
});

Deno.test("askedFor() knows what some answers look like", () => {
  const looksLike = (question: string, text: string): boolean | undefined =>
    askedFor(wordsIn(question))?.form?.test(text);
  assert.equal(looksLike("what does it cost", "38 € a month"), true);
  assert.equal(looksLike("what does it cost", "38 grams"), false);
  assert.equal(looksLike("which port does it use", "on db1:5432"), true);
  assert.equal(looksLike("which port does it use", "MariaDB 10.11, 40 s behind"), false);
  assert.equal(looksLike("how much memory does it need", "512 MiB"), true);
  assert.equal(looksLike("date of the count", "on Sunday at noon"), true);
  assert.equal(looksLike("which font do we use", "any text"), undefined);
});
