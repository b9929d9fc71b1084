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

/**
 * A subject that has a number for a name: 'Sprint 14 ended with 23 points'. No amount: 'Keep 30 backups',
 * 'Timeout 30 seconds'.
 */
const NUMBERED =
  /^(?:(?:the|der|die|das|dem|le|la|les|el|los|il|lo|o|os|as)\s+)?(?!(?:about|after|allow|at|cap|every|keep|limit|max|maximum|min|minimum|only|over|port|retry|run|send|set|take|timeout|ttl|under|up|use|wait|within)s?\s)([a-zß-ÿ][a-zß-ÿ-]*)\s+#?(\d{1,6})(?![\w.,:/%€$°-]*\d|\s*[%€$°])(?!\s+(?:bytes|characters|cores|days|dollars|euros?|files|gb|hours|items|kb|lines|mb|minutes|months|ms|percent|points|replicas|requests|retries|rows|s|seconds|threads|times|tokens|users|weeks|workers|years)\b)/i;

/** Whether two texts are about different things of a row that only their number tells apart. */
export function namesAnother(text: string, known: string): boolean {
  const [, name, number] = NUMBERED.exec(fold(text)) ?? [];
  const [, other, its] = NUMBERED.exec(fold(known)) ?? [];
  return name !== undefined && name === other && number !== its;
}

/** Whether a clause of `text` is in `known` with another figure. */
export function changesFigure(text: string, known: string): boolean {
  const before = new Map(clausesOf(known));
  return clausesOf(text).some(([frame, { said, figures }]) => {
    const others = before.get(frame);
    return others !== undefined && others.figures !== figures && !namesAnother(said, others.said);
  });
}

interface Clause {
  readonly said: string;
  readonly figures: string;
}

/** Clauses with a figure, by the words around it. */
function clausesOf(text: string): [frame: string, clause: Clause][] {
  return splitSentences(text).flatMap((sentence) => sentence.split(CLAUSE_END))
    .filter((clause) => OF_SOMETHING.test(clause)).flatMap((clause) => {
      const plain = fold(clause).replace(/[`*"]/g, "");
      // '10MB' and '10 MB' are the same.
      const frame = collapse(plain.replace(FIGURE, " # "));
      return wordCount(frame) < WORDS_MIN
        ? []
        : [[frame, { said: plain.trim(), figures: (plain.match(FIGURE) ?? []).join(" ") }]];
    });
}
