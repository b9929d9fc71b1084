/** The model's tokenizer against its twin, on the shipped vocabulary. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { StaticModel } from "../../src/embed/static_model.ts";
import { depth } from "../support/depth.ts";
import { modelTokenize } from "../support/twins.ts";
import { readVocabulary } from "../support/vocabulary.ts";

const tokens = readVocabulary();
const vocabulary = { ids: new Map(tokens.map((token, id) => [token, id])) };

const word = fc.oneof(
  fc.constantFrom(...tokens.filter((token) => !token.startsWith("##"))),
  fc.stringMatching(/^[A-Za-z0-9]{1,9}$/),
  fc.stringMatching(/^[a-z]{38,44}$/),
  fc.constantFrom("c", "C", "f", "F", "don", "CAN", "n", "HTTPServerError", "getUserName", "++"),
);
const mark = fc.constantFrom(
  " ",
  "",
  "'t",
  "'T ",
  "'tx",
  "#",
  "++",
  "+",
  "'",
  "_",
  "-",
  "/",
  "\n",
  "n't",
);
const prose = fc.array(fc.tuple(word, mark), { maxLength: 12 }).map((parts) =>
  parts.flat().join("")
);

Deno.test("modelTokenize() gives the twin's ids for words, signs and noise", () => {
  const model = new StaticModel();
  const text = fc.oneof(prose, fc.string({ unit: "binary-ascii", maxLength: 80 }));
  fc.assert(
    fc.property(text, (value) => {
      assert.deepEqual([...model.tokenize(value)], modelTokenize(value, vocabulary));
    }),
    { numRuns: depth(2000, 50_000) },
  );
  model.close();
});

Deno.test("modelTokenize() splits nothing that the vocabulary has whole", () => {
  const model = new StaticModel();
  const whole = tokens.filter((token) => !token.startsWith("##") && token.length > 1);
  const ids = whole.map((token) => vocabulary.ids.get(token));
  assert.deepEqual([...model.tokenize(whole.join(" "))], ids);
  model.close();
});
