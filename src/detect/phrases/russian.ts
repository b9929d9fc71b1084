/**
 * The Russian table (russian.txt), read when the first text in Cyrillic comes. Apart from the tables of the
 * other languages: a single Cyrillic letter would make V8 store every pattern with two bytes a character, for
 * people who never write one.
 */
import { isCyrillic } from "../../base/text/cyrillic.ts";
import { lazy } from "../../base/memoize.ts";
import { fold } from "../../base/text/text.ts";
import { readPhraseTable } from "./unspaced.ts";

export const russian = lazy(() => readPhraseTable("russian.txt"));

/** The lines under a name, as written. */
export function russianLines(name: string): readonly string[] {
  return russian().get(name) ?? [];
}

/** The words of a list, folded as text is before a comparison. */
export function russianWords(name: string, between = " "): string[] {
  return russianLines(name).flatMap((line) => fold(line).split(between));
}

/** Tests whether a folded word is in a list. The table is read at the first word in Cyrillic. */
export function inRussianList(name: string): (word: string) => boolean {
  const words = lazy(() => new Set(russianWords(name)));
  return (word) => isCyrillic(word) && words().has(word);
}
