/**
 * What the patterns and lists of this room look for where Cyrillic is written: a table (russian.txt), read when
 * the first such text is asked about. Apart from languages.ts, whose patterns have what all its languages say:
 * one letter of it would hold each of them in twice the room, for whoever never writes one.
 */
import { isCyrillic } from "../base/cyrillic.ts";
import { lazy } from "../base/memoize.ts";
import { fold } from "../base/text.ts";
import { readTable } from "./unspaced.ts";

export const russian = lazy(() => readTable("russian.txt"));

/** The words of a list, as text is compared. */
export function russianWords(name: string, between = " "): string[] {
  return (russian().get(name) ?? []).flatMap((line) => fold(line).split(between));
}

/** Whether a folded word is in a list of the table, which is read for the first word in such letters. */
export function inRussian(name: string): (word: string) => boolean {
  const words = lazy(() => new Set(russianWords(name)));
  return (word) => isCyrillic(word) && words().has(word);
}
