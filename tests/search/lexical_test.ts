import assert from "node:assert/strict";
import type { Embedder } from "../../src/embed/embedder.ts";
import { phraseOf, termText } from "../../src/search/query/lexical.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { testEmbedder } from "./embedder.ts";

const terms = (text: string): string[] => prepareQuery(text).terms.map(({ term }) => term);

Deno.test("termText() hands ASCII through untouched, for the core needs its case", () => {
  assert.equal(termText("getUserName in src/a_b.ts"), "getUserName in src/a_b.ts");
});

Deno.test("termText() folds marks, widths and case outside ASCII", () => {
  const folded = (text: string): string => termText(text).replace(/\s+/g, " ").trim();
  assert.equal(folded("naïve Café"), "naive Cafe");
  assert.equal(folded("ＡＢＣ１２"), "ABC12");
  assert.equal(folded("ΣΊΣΥΦΟΣ Ёлка Straße"), "σισυφοσ елка Strasse");
  assert.equal(folded("don’t — stop…"), "don't stop...");
  assert.equal(folded("Which one? → getUserName"), "Which one? getUserName");
});

Deno.test("termText() cuts Chinese, Japanese and Korean into overlapping pairs", () => {
  assert.equal(termText("記憶力").trim(), "記憶 憶力");
  assert.equal(termText("データ").trim(), "デー ータ");
  assert.match(termText("기억은 저장된다"), /기억 억은\s+저장 장된 된다/);
});

Deno.test("termText() cuts Thai into words", () => {
  assert.ok(termText("ภาษาไทยง่าย").trim().split(/\s+/).length >= 2);
});

Deno.test("prepareQuery() splits identifiers and keeps them whole", () => {
  assert.deepEqual(terms("parse_noteBody"), [
    "parse_notebody",
    "parse",
    "notebody",
    "note",
    "body",
  ]);
});

Deno.test("prepareQuery() drops noise words unless there is nothing else", () => {
  assert.deepEqual(terms("how do we handle the postgres retries"), [
    "handle",
    "postgres",
    "retries",
  ]);
  assert.deepEqual(terms("who are you"), ["who", "are", "you"]);
  // In capitals it is a name, unless all is.
  assert.deepEqual(terms("who pays for IT in the US"), ["pays", "it", "us"]);
  assert.deepEqual(terms("WHO PAYS FOR IT"), ["pays"]);
});

Deno.test("prepareQuery() has no vector for what an English model does not read, known language or not", () => {
  const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
  const english = { ...testEmbedder, isEnglish: true, reads: isAscii };
  const has = (text: string, model: Embedder): boolean =>
    prepareQuery(text, model).vector !== undefined;
  assert.deepEqual([has("a door", english), has("a dörr", english)], [true, false]);
  const other = { ...english, isEnglish: false };
  assert.deepEqual([has("a dörr", other), has("鍵 door", english)], [true, true]);
});

Deno.test("phraseOf() is the same for each way to join words", () => {
  const forms = ["Git-Worktrees", "git worktrees", "git_worktrees", " git/worktrees! "];
  assert.deepEqual(new Set(forms.map(phraseOf)), new Set(["git worktrees"]));
});
