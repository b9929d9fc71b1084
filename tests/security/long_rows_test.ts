/**
 * What comes from outside may hold a row of one sign, however long: a table of contents, a ruler, blank
 * lines. A pattern that begins anew at each of them takes the square of it, and a hook cannot be stopped in
 * the middle of one.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { splitSentences } from "../../src/base/text/text.ts";
import { correctedIn } from "../../src/detect/decisions/corrections.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { shapeOf } from "../../src/detect/text/shape.ts";
import { alternativesIn } from "../../src/detect/decisions/alternatives.ts";
import { plainLine } from "../../src/detect/summary/shell.ts";
import { addHistory } from "../../src/note/knowledge.ts";
import { noteLinks } from "../../src/note/links.ts";
import { parseNote } from "../../src/note/parse.ts";
import { safeStem } from "../../src/store/layout.ts";
import { assertQuick } from "../support/quick.ts";

const LENGTH = 100_000;
/** The square of the length takes ten times as long and more. */
const MS_MAX = 1000;

const READERS: readonly (readonly [
  name: string,
  read: (text: string) => unknown,
  units: readonly string[],
])[] = [
  ["splitSentences()", splitSentences, [".", "…", "!", "。", '."', ". ", "\n"]],
  ["shapeOf()", (text) => shapeOf(`1${text}`), [",", ".", ". "]],
  ["plain()", plainLine, ["-", "=", " ", "- "]],
  ["waysIn()", (text) => alternativesIn(`- **${text}**\n- **b:** c\n- **d:** e`), [".", ":", "- "]],
  ["safeStem()", safeStem, ["<", "#", "[ ", "- ", ".", "\u200b"]],
  ["noteLinks()", links, ["](", "](a.md#", "](a.md", "[[", ".md#m"]],
  ["sentencesOf()", said, ["✅", "👨‍👩‍👧", " ✅"]],
  ["correctedIn()", corrected, ["!", "'", "`"]],
  ["addHistory()", (text) => addHistory(`${text}\n## History\n`, "2026-01-13", "so"), [
    "\n",
    "\r\n",
  ]],
];

for (const [name, read, units] of READERS) {
  Deno.test(`${name} takes a long row of one sign in its stride`, async () => {
    for (const unit of units) {
      const row = unit.repeat(LENGTH / unit.length);
      await assertQuick(() => read(`x${row}x`), MS_MAX, JSON.stringify(unit));
    }
  });
}

Deno.test("splitSentences() ends a sentence where the plain pattern would", () => {
  const plainPattern = /[.!?…。！？]+["'”’)\]]*(?=\s|$)|[。！？]+[”’）」』]*/g;
  const text = fc.string({ unit: fc.constantFrom(..."..!?。！A1)”』' "), maxLength: 30 });
  fc.assert(fc.property(text, (text) => {
    const line = text.replace(/\s+/g, " ").trim();
    // Without small letters, abbreviations and numbers in it, each end that the pattern finds is one.
    const ends = [...line.matchAll(plainPattern)].map((match) => match.index + match[0].length);
    const parts = [0, ...ends].map((start, i) => line.slice(start, ends[i] ?? line.length).trim());
    assert.deepEqual(splitSentences(line), parts.filter((part) => part !== ""));
  }));
});

/** Between words, because at either end such a row is taken off at once; of longer lines nothing is read. */
function said(row: string): unknown {
  const text = row.slice(0, 35_000);
  return sentencesOf([{
    uuid: "a",
    role: "assistant",
    at: "",
    text: `We keep the ${text} in the list of the release.`,
    tools: [],
  }]);
}

function corrected(text: string): unknown {
  return correctedIn("the staging API listens on 9090", "", `The staging API listens on ${text}.`);
}

async function links(text: string): Promise<unknown> {
  return noteLinks(await parseNote(`# x\n\n[a](${text} [a](b.md)`, "knowledge/x.md"));
}
