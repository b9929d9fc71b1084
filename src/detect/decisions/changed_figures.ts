/**
 * A statement repeated with another figure: 'DHL allows 60 requests per minute', later 'DHL allows 100
 * requests per minute, since November'. A thing has one figure, so both cannot hold. Apart from
 * corrections.ts, where a word says that something changed.
 */
import { collapse, fold, splitSentences } from "../../base/text/text.ts";
import { wordCount } from "../text/sentences.ts";

/** A comma inside a number does not end a clause. */
const CLAUSE_END = /[;:()]|,(?!\d)|\.(?=\s|$)| [–—-] /;
/** A number that counts or measures: no version, date, or name (#214, 0042). */
const FIGURE =
  /(?<![\w.,:#/-])(?!0\d|\d{1,12}\.\d{1,6}\.\d)\d{1,12}(?:[.,]\d{1,6}){0,3}(?![:.,-]?\d|\w{0,20}\d)/g;
/** A unit or noun follows, so the number is an amount; 'PR 214 is merged' names one of many. */
const OF_SOMETHING =
  /(?<![\w.,:#/-])(?!0\d|\d{1,12}\.\d{1,6}\.\d)\d{1,12}(?:[.,]\d{1,6}){0,3} ?(?:[%€$°]|\/ ?[a-z]|(?!(?:a|an|and|are|at|by|can|did|do|does|fails?|for|from|had|has|have|in|is|of|on|or|that|the|to|until|was|were|which|will|with)\b)[a-zµ])/i;
/** A clause with fewer words may be about anything. */
const WORDS_MIN = 4;

/** Whether a clause of `text` is in `known` with another figure. */
export function changesFigure(text: string, known: string): boolean {
  const before = new Map(clausesOf(known));
  return clausesOf(text).some(([frame, figures]) => {
    const others = before.get(frame);
    return others !== undefined && others !== figures;
  });
}

/** Clauses with a figure: the words around it, and its figures. */
function clausesOf(text: string): [frame: string, figures: string][] {
  return splitSentences(text).flatMap((sentence) => sentence.split(CLAUSE_END))
    .filter((clause) => OF_SOMETHING.test(clause)).flatMap((clause) => {
      const plain = fold(clause).replace(/[`*"]/g, "");
      // '10MB' and '10 MB' are the same.
      const frame = collapse(plain.replace(FIGURE, " # "));
      return wordCount(frame) < WORDS_MIN
        ? []
        : [[frame, (plain.match(FIGURE) ?? []).join(" ")] as [string, string]];
    });
}
