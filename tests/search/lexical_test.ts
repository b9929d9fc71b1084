import assert from "node:assert/strict";
import { phraseOf, termText } from "../../src/search/query/lexical.ts";
import { prepareQuery } from "../../src/search/query/query.ts";

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
});

Deno.test("phraseOf() is the same for each way to join words", () => {
  const forms = ["Git-Worktrees", "git worktrees", "git_worktrees", " git/worktrees! "];
  assert.deepEqual(new Set(forms.map(phraseOf)), new Set(["git worktrees"]));
});
