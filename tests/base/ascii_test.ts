/** toAscii(): what the model's tokenizer is given. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { toAscii } from "../../src/base/text/ascii.ts";

Deno.test("toAscii() drops marks, straightens apostrophes and blanks the rest", () => {
  const examples: [string, string][] = [
    ["naïve café", "naive cafe"],
    ["don’t ‘quote’ ʼtis", "don't 'quote' 'tis"],
    ["a—b…c", "a b...c"],
    ["ＡＢＣ ﬁle ①", "ABC file 1"],
    ["日本語 x", "    x"],
    ["plain\ttext\n", "plain\ttext\n"],
  ];
  for (const [text, ascii] of examples) assert.equal(toAscii(text), ascii);
});

Deno.test("toAscii() leaves nothing outside ASCII, and ASCII alone", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const ascii = toAscii(text);
    assert.ok([...ascii].every((c) => c.charCodeAt(0) < 128));
    assert.equal(toAscii(ascii), ascii);
  }));
});
