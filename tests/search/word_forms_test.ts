import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { endings, typos } from "../../src/search/query/word_forms.ts";
import { LANGUAGES } from "../../src/search/query/words.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { tempDir } from "../support/temp_store.ts";

Deno.test("endings() leads from each form of a word to the others", () => {
  for (
    const [word, form] of [
      ["tokens", "token"],
      ["token", "tokens"],
      ["retries", "retry"],
      ["retry", "retries"],
      ["cached", "cache"],
      ["cache", "cached"],
      ["logging", "log"],
      ["deploys", "deployed"],
      ["migration", "migrations"],
    ] as const
  ) assert.ok(endings(word).includes(form), `${word} → ${form}: ${endings(word)}`);
  for (const word of ["db", "x86", "naïve", "記憶", "user_name"]) {
    assert.deepEqual(endings(word), []);
  }
});

Deno.test("endings() leads from each form of a word to the others in other scripts", () => {
  const said =
    "сессия сессии|пароль паролями|роль ролеи|хранить хранятся|хранение хранить|копирование копируем|" +
    "резервная резервные|розгортання розгортанням|пароли паролям|базата бази|βαση βασεισ|συνδεση συνδεσεισ|" +
    "χρηστησ χρηστεσ|البيانات بيانات|قاعدة القاعدة|مستخدم المستخدمين|يحفظ حفظ|הסיסמאות סיסמאות|משתמש משתמשים|" +
    "नोट नोटों|फाइल फाइलें";
  for (const [word = "", form = ""] of said.split("|").map((pair) => pair.split(" "))) {
    assert.ok(endings(word).includes(form), `${word} → ${form}`);
    assert.ok(endings(form).includes(word), `${form} → ${word}`);
    assert.ok(!endings(word).includes(word), word);
  }
  for (const word of ["да", "記憶", "ひらがな", "한국어", "ไทย"]) {
    assert.deepEqual(endings(word), []);
  }
});

Deno.test("endings() are those of the language that a question is in, too", () => {
  const of = (name: string) => LANGUAGES.find((language) => language.name === name);
  const said: Record<string, string> = {
    german: "sitzung sitzungen|speichern gespeichert|sicherung sichern|kunde kunden|aktive aktiven",
    french:
      "chargement charger|journaux journal|utilisateur utilisatrices|finir finissent|active actifs",
    spanish:
      "sesiones sesion|guardar guardado|matrices matriz|decisiones decision|migrar migracion",
    italian:
      "sessione sessioni|salvare salvato|parchi parco|bianche bianca|distribuire distribuiscono",
    portuguese: "sessoes sessao|guardar guardados|jornais jornal|imagem imagens|partir partida",
  };
  for (const [name, pairs] of Object.entries(said)) {
    const language = of(name);
    assert.ok(language !== undefined);
    for (const [word = "", form = ""] of pairs.split("|").map((pair) => pair.split(" "))) {
      assert.ok(endings(word, language).includes(form), `${word} → ${form}`);
    }
  }
  assert.deepEqual(endings("tokens", of("russian")), endings("tokens"));
});

Deno.test("query() tries the endings of any language where the question tells none", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const filler = Array.from(
    { length: 20 },
    (_, i) => noteDocument(`f${i}.md`, `nothing number${i}`),
  );
  index.apply(
    { put: [noteDocument("plz.md", "die Postleitzahl fehlt"), ...filler], remove: [] },
    embedder,
  );
  const finds = (text: string, guessesMax = 1): boolean =>
    index.query(prepareQuery(text, undefined, { guessesMax }), { limit: 1 })[0]?.note.id === "plz";
  assert.ok(finds("Postleitzahlen") && finds("Postleitzahlen Suche"));
  assert.ok(!finds("Postleitzahlen", 0), "only where somebody asks");
  assert.ok(!finds("where are the Postleitzahlen of it"), "in English");
  assert.ok(!finds("Postleitzahlung"), "no word has all endings");
  index.close();
});

Deno.test("typos() has every word one slip away, but for the first letter", () => {
  for (const slip of ["posgres", "postgress", "pstgres", "postrges", "postfres"]) {
    assert.ok(typos(slip).includes("postgres"), slip);
  }
  assert.ok(!typos("mostgres").includes("postgres"));
  assert.ok(!typos("postgres").includes("postgres"));
  for (const word of ["five", "a1b2c3", "x".repeat(21)]) assert.deepEqual(typos(word), []);
});

Deno.test("query() finds a word by another form of it, for less than by itself", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const filler = Array.from(
    { length: 20 },
    (_, i) => noteDocument(`f${i}.md`, `nothing number${i}`),
  );
  const note = noteDocument("db.md", "a token bucket in postgres");
  index.apply({ put: [note, ...filler], remove: [] }, embedder);
  const kw = (text: string, guesses = 0): number =>
    index.query(prepareQuery(text, undefined, { guessesMax: guesses }), { limit: 1 })[0]?.kw ?? 0;
  assert.ok(kw("tokens") > 0.3 && kw("tokens") < kw("token"));
  assert.equal(kw("posgres"), 0, "slips are looked for only where somebody asks");
  assert.ok(kw("posgres", 1) > 0.3 && kw("posgres", 1) < kw("postgres"));
  assert.equal(kw("kangaroo", 3), 0);
  const [hit] = index.query(prepareQuery("tokens"), { limit: 1 });
  assert.deepEqual(hit?.terms, ["token"], "the form that was found is named");
  index.close();
});

Deno.test("query() counts a passage once that has a word in two forms", () => {
  const kwOf = (text: string): number => {
    const index = openIndex(tempDir(), realFs, embedder.id);
    const put = [
      noteDocument("a.md", text),
      noteDocument("b.md", "two"),
      noteDocument("c.md", "six"),
    ];
    index.apply({ put, remove: [] }, embedder);
    const [hit] = index.query(prepareQuery("webhook kangaroo"), { limit: 1 });
    index.close();
    return hit?.kw ?? 0;
  };
  assert.ok(Math.abs(kwOf("a webhook of webhooks") - kwOf("a webhook of others")) < 0.02);
});

Deno.test("query() finds other forms of a word that a note has, behind it", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const notes = [noteDocument("a.md", "one token"), noteDocument("b.md", "two tokens")];
  index.apply({ put: notes, remove: [] }, embedder);
  const hits = index.query(prepareQuery("tokens"), { limit: 5 });
  assert.deepEqual(hits.map(({ note }) => note.id), ["b", "a"]);
  assert.deepEqual(hits.map(({ terms }) => terms), [["tokens"], ["token"]]);
  index.close();
});
