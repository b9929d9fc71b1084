/**
 * What people and agents say at an inflection point. Long phrases only: they confirm a structural signal and
 * never initiate. Matched against cleaned, folded text, so accents and case do not matter.
 */
import { lazy, memoize } from "../../base/memoize.ts";
import { fold } from "../../base/text/text.ts";
import { isCyrillic } from "../../base/text/cyrillic.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import { spoken } from "../text/clean.ts";
import { russianWords } from "./russian.ts";
import { phraseLines } from "./phrase_patterns.ts";
import { type Inflection, INFLECTIONS } from "../trigger/signal.ts";
import { tablesFor } from "./phrase_tables.ts";
import { type PhraseTable, unspacedWords } from "./unspaced.ts";

const phrasesOf = memoize((tables: readonly PhraseTable[]) =>
  byTrigger((trigger) =>
    phraseLines(`phrases.${trigger}`, tables).flatMap((line) => line.split("|"))
  )
);
const russian = lazy(() => byTrigger((trigger) => russianWords(`phrases.${trigger}`, "|")));

function byTrigger(listedBy: (trigger: Inflection) => readonly string[]) {
  return new Map(INFLECTIONS.map((trigger) => [trigger, listedBy(trigger)]));
}

/** The triggers that have a phrase in a text, with the first such phrase. */
export function confirmedTriggers(
  text: string,
  own: Partial<Record<Inflection, readonly string[]>> = {},
): Map<Inflection, string> {
  const folded = fold(spoken(text)).replaceAll("’", "'").replace(/[ \t]+/g, " ");
  const phrases = phrasesOf(tablesFor(text));
  const found = new Map<Inflection, string>();
  for (const trigger of INFLECTIONS) {
    const phrase = phrases.get(trigger)?.find((one) => isIn(folded, one)) ??
      unspacedIn(folded, trigger) ?? cyrillicIn(folded, trigger) ?? own[trigger]?.find((one) =>
        isIn(folded, foldParts(one))
      );
    if (phrase !== undefined) found.set(trigger, phrase);
  }
  return found;
}

function unspacedIn(folded: string, trigger: Inflection): string | undefined {
  if (!isUnspaced(folded)) return undefined;
  return unspacedWords(`phrases.${trigger}`).find((phrase) => folded.includes(phrase));
}

function cyrillicIn(folded: string, trigger: Inflection): string | undefined {
  if (!isCyrillic(folded)) return undefined;
  return russian().get(trigger)?.find((phrase) => isIn(folded, phrase));
}

/** Folded in parts, because folding would turn the gap's "…" into three dots. */
function foldParts(phrase: string): string {
  return phrase.split(" … ").map(fold).join(" … ");
}

/** Plain search: a gap is bounded and ends with its sentence, so no text makes it slow. */
function isIn(text: string, phrase: string): boolean {
  const gap = phrase.indexOf(" … ");
  if (gap < 0) return text.includes(phrase);
  const [before, after] = [phrase.slice(0, gap), phrase.slice(gap + 2)];
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
    const from = at + before.length;
    if (text.slice(from, from + 60).split(/[.!?\n]/)[0]?.includes(after)) return true;
  }
  return false;
}
