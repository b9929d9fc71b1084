import assert from "node:assert/strict";
import { readingOf } from "../../src/embed/reading.ts";
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

Deno.test("prepareQuery() has a vector only of what the model understands", () => {
  const embedded = (text: string, languages?: readonly string[]): string | undefined => {
    let read: string | undefined;
    const embedQuery = (text: string) => testEmbedder.embedQuery(read = text);
    prepareQuery(text, { ...testEmbedder, embedQuery, ...readingOf(languages) });
    return read;
  };
  const [german, russian, japanese] = [
    "Wo liegt der Schlüssel?",
    "где ключ door",
    "鍵は door の上",
  ];
  const texts = ["where is the key", german, russian, japanese, "鍵はどこですか"];
  const none = undefined;
  assert.deepEqual(texts.map((text) => embedded(text, [])), [texts[0], none, none, "door", none]);
  const latin = texts.map((text) => embedded(text, ["german"]));
  assert.deepEqual(latin, [texts[0], german, none, "door", none]);
  const all = texts.map((text) => embedded(text, ["german", "japanese"]));
  assert.deepEqual(all, texts);
  // Nobody measured it.
  assert.deepEqual(texts.map((text) => embedded(text)), texts);
});

Deno.test("phraseOf() is the same for each way to join words", () => {
  const forms = ["Git-Worktrees", "git worktrees", "git_worktrees", " git/worktrees! "];
  assert.deepEqual(new Set(forms.map(phraseOf)), new Set(["git worktrees"]));
});
