/** BERT's tokenizer on what its makers' own tests and documentation say of it. */
import assert from "node:assert/strict";
import type { Shape, Tokenizing } from "../../src/embed/bert/layout.ts";
import { vocabularyParts } from "../../src/embed/bert/layout.ts";
import { layPieces, Vocabulary } from "../../src/embed/bert/vocabulary.ts";
import { wordPieces } from "../../src/embed/bert/word_piece.ts";

const PIECES = [
  ...["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "##wanted", "want", "##want"],
  ...["##ed", "wa", "runn", "##ing", ",", "low", "lowest", "hello", "!", "how", "are", "you", "?"],
  ...["ah", "\u535a", "\u63a8", "zz", "\u03c3", "\u03c2", "i", "##\u03c3", "don", "'", "t", "-"],
  ...["resume", "$", "5", "\u00df", "h\u00e9llo", "HeLLo", "`", "##llo", "he"],
];

function tokens(text: string, options: Partial<Tokenizing> = {}): string[] {
  const tokenizing: Tokenizing = {
    ...{ kind: "wordpiece", lowercase: true, stripAccents: true, unknown: 1 },
    ...{ before: [2], after: [3] },
    ...options,
  };
  const laid = layPieces(PIECES);
  const shape = {
    ...{ tokens: PIECES.length, slots: laid.slots, stringsBytes: laid.stringsBytes },
    tokenizer: tokenizing,
  } as Shape;
  const bytes = new Uint8Array(vocabularyParts(shape).length);
  laid.lay(bytes, shape);
  return wordPieces(text, new Vocabulary(bytes, shape), tokenizing, 500).map((id) =>
    PIECES[id] ?? ""
  );
}

const CASES: [string, readonly string[]][] = [
  ["", []],
  ["unwanted running", ["un", "##wanted", "runn", "##ing"]],
  ["unaffable", ["un", "##aff", "##able"]],
  ["unwantedX running", ["[UNK]", "runn", "##ing"]],
  [" \tHeLLo!how  \n Are yoU?  ", ["hello", "!", "how", "are", "you", "?"]],
  ["H\u00e9llo", ["hello"]],
  ["r\u00e9sum\u00e9", ["resume"]],
  ["ah\u535a\u63a8zz", ["ah", "\u535a", "\u63a8", "zz"]],
  ["don't", ["don", "'", "t"]],
  ["low-lowest", ["low", "-", "lowest"]],
  ["$5`", ["$", "5", "`"]],
  ["hel\u0000lo \u200bhel\ufffdlo", ["hello", "hello"]],
  ["hel\u00adlo\u00a0hello", ["hello", "hello"]],
  ["\u03a3", ["\u03c3"]],
  ["\u03c3\u03a3", ["\u03c3", "##\u03c3"]],
  ["\u00df", ["\u00df"]],
  ["\u0130", ["i"]],
  ["a".repeat(101), ["[UNK]"]],
  ["[SEP]", ["[UNK]", "[UNK]", "[UNK]"]],
];

for (const [text, expected] of CASES) {
  Deno.test(`wordPieces() cuts ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.deepEqual(tokens(text), expected);
  });
}

Deno.test("wordPieces() keeps case and accents where the model does", () => {
  const options = { lowercase: false, stripAccents: false };
  assert.deepEqual(tokens("HeLLo h\u00e9llo", options), ["HeLLo", "h\u00e9llo"]);
});
