/** Plain letters take a short way; what comes out must be the same as on the long one. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CONTROL, cutTitle, toJson } from "../../src/base/text.ts";
import { phraseOf } from "../../src/search/lexical.ts";

const signs = [..."\u00a0«»‐–—―‚“”„†•‹›‘’"];
const plain = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 1 }),
    fc.constantFrom(...signs),
  ),
  maxLength: 60,
});

Deno.test("phraseOf() gives the same on its short way, for plain letters, and on its long one", () => {
  fc.assert(fc.property(plain, (text) => {
    // A letter outside ASCII sends the whole text along the other way.
    assert.equal(phraseOf(`${text} ж`), phraseOf(`${text} x`).replace(/x$/, "ж"));
  }));
});

Deno.test("CONTROL is Unicode's category of controls", () => {
  for (let code = 0; code <= 0x2100; code++) {
    const character = String.fromCodePoint(code);
    assert.equal(CONTROL.test(character), /\p{Cc}/u.test(character), code.toString(16));
  }
});

const LONG: readonly (readonly [text: string, title: string])[] = [
  [
    "The CI job fails at the install step, can you look at the workflow of the nightly and fix it?",
    "The CI job fails at the install step…",
  ],
  [
    "The export asks the database once for each of the rows of the table with customers and orders",
    "The export asks the database once for each of the rows of the table…",
  ],
  [
    "Yes, the importer of the northern warehouse writes each of its rows into its own transaction now",
    "Yes, the importer of the northern warehouse writes each of its rows…",
  ],
  [
    "Der nächtliche Lauf bricht ab, weil der Anbieter seit gestern eine leere Datei liefert, und zwar die",
    "Der nächtliche Lauf bricht ab, weil der Anbieter seit gestern eine leere Datei…",
  ],
  ["short", "short"],
  ["x".repeat(90), "x".repeat(79) + "…"],
];

Deno.test("cutTitle() ends where something was said, and not on what opens a phrase", () => {
  for (const [text, title] of LONG) assert.equal(cutTitle(text, 80), title);
  const clauses =
    "Batches of 500 customers; a cache would need 3 GB of the memory that there is now, or more";
  assert.equal(cutTitle(clauses, 50), "Batches of 500 customers…");
});

Deno.test("toJson() writes no half of a pair, and everything else as it is", () => {
  for (
    const [text, read] of [
      ["\ud83d", "\ufffd"],
      ["a\udc00b\ud800", "a\ufffdb\ufffd"],
      ["\\ud83d \\\\ud83d", "\\ud83d \\\\ud83d"],
      ["\\\ud83d", "\\\ufffd"],
      ["👍 \ud83d👍", "👍 \ufffd👍"],
      ["", ""],
    ] as const
  ) {
    assert.deepEqual(JSON.parse(toJson({ [text]: [text] })), { [read]: [read] });
  }
});
