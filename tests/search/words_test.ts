import assert from "node:assert/strict";
import { phraseOf } from "../../src/search/lexical.ts";
import { hintedIn, LANGUAGES, languagesOf } from "../../src/search/words.ts";

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
  ];
  for (const question of questions) {
    assert.deepEqual(named(question), [], question);
  }
});

Deno.test("hintedIn() is what a phrase of few words may be, where none is a small one of English", () => {
  const hinted = (text: string) => hintedIn(phraseOf(text)).map(({ name }) => name);
  assert.deepEqual(hinted("mot de passe postgres"), ["french", "spanish"]);
  assert.deepEqual(hinted("comment vérifier un jeton"), ["french", "spanish"]);
  for (const text of ["", "redis timeout", "the de facto standard", "die casting", "main branch"]) {
    assert.deepEqual(hinted(text), [], text);
  }
});

Deno.test("a language's small words are folded, and told once", () => {
  for (const { name, small, alike = new Set<string>() } of LANGUAGES) {
    for (const word of [...small, ...alike]) assert.equal(phraseOf(word), word, name);
    assert.ok(small.isDisjointFrom(alike), name);
  }
});
