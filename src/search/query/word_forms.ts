/**
 * Other forms of a word that are looked up beside it and count less: with other endings, English ones and
 * those of its language, and with one typing mistake.
 */
import { inflectionsOf, isInflectedScript } from "./inflections.ts";
import { type Language, LANGUAGES } from "./words.ts";

/** Lengths of words that have other forms: shorter ones are too much like other words. */
const INFLECTED_LENGTH_MIN = 4;
const TYPOS_LENGTH_MIN = 5;
const TYPOS_LENGTH_MAX = 20;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

export function isInflected(word: string): boolean {
  return isPlain(word) || isInflectedScript(word);
}

function isPlain(word: string): boolean {
  return word.length >= INFLECTED_LENGTH_MIN && /^[a-z]+$/.test(word);
}

/** The word with other endings, English ones and those of its language: `retries` → `retry`. */
export function endings(word: string, language?: Language): string[] {
  return isPlain(word)
    ? [...englishEndings(word), ...inflectionsOf(word, language?.paradigms)]
    : inflectionsOf(word);
}

/** The word with the endings of every language, for a question whose language is unknown. */
export function endingsInAny(word: string): string[] {
  return isPlain(word)
    ? [...new Set(LANGUAGES.flatMap(({ paradigms }) => inflectionsOf(word, paradigms)))]
    : [];
}

/** `logger` → `log`, `token` → `tokens`. */
function englishEndings(word: string): string[] {
  const stem = word.replace(/(?:ies|ied)$/, "y").replace(
    /(?<=[a-z]{3})(?:ing|ers?|ed|es|s|ly)$/,
    "",
  );
  const base = stem.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  const forms = new Set([stem, base, `${stem}e`]);
  for (const end of ["s", "es", "ed", "ing", "er"]) forms.add(stem + end);
  if (stem.endsWith("y")) forms.add(`${stem.slice(0, -1)}ies`);
  if (stem.endsWith("e")) { for (const end of ["d", "r", "rs"]) forms.add(stem + end); }
  forms.delete(word);
  return [...forms].filter((form) => form.length >= 3);
}

/** Every string at edit distance 1, transpositions included, with the first letter kept. */
export function typos(word: string): string[] {
  if (word.length < TYPOS_LENGTH_MIN || word.length > TYPOS_LENGTH_MAX) return [];
  if (!/^[a-z]+$/.test(word)) return [];
  const forms = new Set<string>();
  // The first letter is seldom mistyped.
  for (let i = 1; i <= word.length; i++) {
    const [head, tail] = [word.slice(0, i), word.slice(i)];
    if (tail !== "") forms.add(head + tail.slice(1));
    if (tail.length > 1) forms.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of LETTERS) {
      forms.add(head + letter + tail);
      if (tail !== "") forms.add(head + letter + tail.slice(1));
    }
  }
  forms.delete(word);
  return [...forms];
}
