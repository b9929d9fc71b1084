/**
 * What the patterns and lists of this room look for where Cyrillic is written: a table (russian.txt), read when
 * the first such text is asked about. Apart from languages.ts, whose patterns have what all its languages say:
 * one letter of it would hold each of them in twice the room, for whoever never writes one.
 */
import { lazy } from "../base/memoize.ts";
import { fold } from "../base/text.ts";
import { readTable } from "./unspaced.ts";

export const russian = lazy(() => readTable("russian.txt"));

/** The words of a list, as text is compared. */
export function russianWords(name: string, between = " "): string[] {
  return (russian().get(name) ?? []).flatMap((line) => fold(line).split(between));
}
