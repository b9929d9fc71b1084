import assert from "node:assert/strict";
import { phraseOf } from "../../src/search/query/lexical.ts";
import { hintedIn, LANGUAGES, languagesOf, unspacedIn } from "../../src/search/query/words.ts";

const named = (text: string) => languagesOf(phraseOf(text)).map(({ name }) => name);

Deno.test("languagesOf() knows what a question is written in, typed with accents or without", () => {
  const cases = {
    german: ["wie lange dauert die Sicherung der Datenbank", "wo liegen die Logs"],
    french: [
      "où sont les sauvegardes de la base de données",
      "ou sont les sauvegardes",
      "qu'est-ce qu'on a décidé pour le cache",
      "le health check du pod renvoie 503 au start-up, pourquoi",
    ],
    spanish: [
      "¿dónde están las copias de la base de datos?",
      "donde estan las copias",
      "el login de la app no funciona",
      "¿cuál es el timeout del retry?",
    ],
    portuguese: [
      "onde estão as cópias de segurança do banco de dados",
      "onde estao as copias do banco",
      "qual foi a causa da queda do gateway",
    ],
    italian: [
      "dove sono le copie di sicurezza della base di dati",
      "perche il login non funziona piu",
      "qual è il timeout del retry",
    ],
  };
  for (const [name, questions] of Object.entries(cases)) {
    for (const question of questions) {
      assert.deepEqual(named(question), [name], question);
    }
  }
});

Deno.test("languagesOf() tells no more than there is", () => {
  assert.deepEqual(named("comment vérifier la signature d'un jeton"), ["french", "spanish"]);
});

Deno.test("languagesOf() is not misled by words that English has too, or names, or one foreign word", () => {
  const questions = [
    "",
    "postgres",
    "redis timeout",
    "man page",
    "MIT license",
    "on par with the plus plan",
    "comment on the main page",
    "does the comment plus button work on main",
    "plus plan comment form",
    "locale es en de fallback",
    "translations: de, es, en, no, se",
    "is son a child of me, or no one",
    "the Rio de la Plata site",
    "why do we pin de_DE and es_ES on CI",
    "car comment import par level",
    "me no es todo tu",
    "con de facto standard",
    "du -sh on the build cache, why so slow",
    "El Niño years in the data set",
    "what did we decide for la carte pricing",
    "state per ci job, come non null",
    "do as the os does, or no com port",
  ];
  for (const question of questions) {
    assert.deepEqual(named(question), [], question);
  }
});

Deno.test("hintedIn() is what a phrase of few words may be, where none is a small one of English", () => {
  const hinted = (text: string) => hintedIn(phraseOf(text)).map(({ name }) => name);
  assert.deepEqual(hinted("mot de passe postgres"), ["french", "spanish", "portuguese"]);
  assert.deepEqual(hinted("comment vérifier un jeton"), ["french", "spanish", "italian"]);
  assert.deepEqual(hinted("base di dati"), ["italian"]);
  // `as` is a small word of both; of French too, which is not for that what an English phrase is taken for.
  assert.deepEqual(hinted("quantos dias guardamos as fotos"), ["portuguese"]);
  for (
    const text of ["add ai as a reviewer", "ci cache per branch", "come state", "non null com port"]
  ) {
    assert.ok(!hinted(text).some((name) => /french|portuguese|italian/.test(name)), text);
  }
  for (const text of ["", "redis timeout", "the de facto standard", "die casting", "main branch"]) {
    assert.deepEqual(hinted(text), [], text);
  }
});

Deno.test("unspacedIn() tells Chinese and Japanese by their characters, and English that quotes them", () => {
  const told = (text: string) => unspacedIn(phraseOf(text)).map(({ name }) => name);
  assert.deepEqual(told("为什么数据库这么慢"), ["chinese"]);
  assert.deepEqual(told("為什麼資料庫這麼慢"), ["chinese"]);
  assert.deepEqual(told("データベースはなぜ遅いのか"), ["japanese"]);
  assert.deepEqual(told("LaunchDarkly をやめた理由"), ["japanese"]);
  // Han alone is either's.
  assert.deepEqual(told("Redis 認証"), ["chinese", "japanese"]);
  for (
    const text of ["", "why is the database slow", "rename the button 保存 to the new one", "база"]
  ) {
    assert.deepEqual(told(text), [], text);
  }
});

Deno.test("a language's small words are folded, and told once", () => {
  const none: ReadonlySet<string> = new Set();
  for (const { name, small, alike = none, shy = none } of LANGUAGES) {
    for (const word of [...small, ...alike]) assert.equal(phraseOf(word), word, name);
    assert.ok(small.isDisjointFrom(alike), name);
    assert.ok(shy.isSubsetOf(alike), name);
  }
});
