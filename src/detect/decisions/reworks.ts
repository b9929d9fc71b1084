/**
 * Reworks: a person has the last change done differently, in a few words or with another figure. Neither the
 * prompt nor the result is understood alone, so a note tells both, and how things are now.
 */
import { mapEach } from "../../base/map_each.ts";
import { memoize } from "../../base/memoize.ts";
import { collapse, cut, isAskedAtEnd, splitSentences } from "../../base/text/text.ts";
import type { Exchange } from "../text/exchanges.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { refuses } from "./refusals.ts";
import { asProse, termsOf, wordCount } from "../text/sentences.ts";
import { THEN } from "../summary/summary_marks.ts";
import { filesChanged } from "../summary/work.ts";

/**
 * A clause that is only a figure, with what leads to it: 'hm 16', 'actually 0.5', 'make it 25% of the width'.
 */
const BARE = phrasePattern(
  "reworks.before_figure",
  String
    .raw`^(?:{} )*(?:\d[\d.,:]{0,20}(?: ?(?:[%°]|[a-zµ]{1,3}))?(?: {reworks.after_figure})*[.!]*$|{reworks.make_it} \d)`,
);
/** 'No wait, 70' takes back what stands before it. */
const TAKES_BACK = phrasePattern("reworks.takes_back", "^{}");
const CLAUSE_END = /(?<![.,;:!])[.,;:!]+ | [–—-] /;
const NUMBER = /\d+(?:[.,:]\d+)*/g;
const BESIDE = phrasePattern("reworks.beside", WHOLE_WORD);
const TOO_MUCH = phrasePattern("reworks.too_much", WHOLE_WORD);
const FIGURE = /(?<![\w.])\d+(?:[.,]\d+)*(?![\w.]*\w)/g;
const WORDS_MAX = 12;
/** More words are allowed where a clause is a bare figure: they are its reason. */
const BARE_WORDS_MAX = 25;
const TOLD_CHARACTERS_MAX = 120;

/** Takes something back without naming it: 'too floaty. back to .1'; but not a request for an undo button. */
const UNDOES = phrasePattern(
  "outdated.undoes",
  String.raw`(?:^|[.;:,!?] |(?<![\wà-ÿ])(?:{discourse.links}|{discourse.no}) ){}`,
);

export function undoes(said: string): boolean {
  return wordCount(said) <= WORDS_MAX && UNDOES.test(said);
}

/** An exchange, and the later one that did its change differently in the same file. */
export interface Rework {
  readonly before: Exchange;
  readonly by: Exchange;
  /** Otherwise it only gives another figure, and the rest of what was said still holds. */
  readonly isRefused: boolean;
}

/** In order. A rework may be reworked again. */
export const reworksIn: (exchanges: readonly Exchange[]) => readonly Rework[] = memoize(find);

function find(exchanges: readonly Exchange[]): Rework[] {
  const files = exchanges.map(({ replies }) => filesChanged(replies));
  return exchanges.flatMap((by, i) => {
    const last = exchanges[i - 1];
    const said = by.prompt?.text ?? "";
    if (last === undefined || by.answer === undefined || isAskedAtEnd(said)) return [];
    const words = wordCount(said);
    if (words > BARE_WORDS_MAX || BESIDE.test(said)) return [];
    const changed = files[i] ?? [];
    const isSame = (at: number): boolean =>
      files[at]?.some((file) => changed.includes(file)) ?? false;
    // Other work in between does not make the first figure valid again; undoing the rework does.
    const isUndone = undoes(exchanges[i + 1]?.prompt?.text ?? "");
    const from = Math.max(0, i - BACK_EXCHANGES);
    const before = isUndone
      ? undefined
      : exchanges.slice(from, i).findLast((one, n) =>
        isSame(from + n) && givesOtherFigure(said, one, by)
      );
    const isSameFile = isSame(i - 1);
    const isShort = words <= WORDS_MAX;
    const isFigure = isShort && namesOtherFigure(said, last);
    const isRefused = isShort && isSameFile && refuses(said);
    if (before !== undefined) return [{ before, by, isRefused: false }];
    const isOtherwise = isRefused || isSameFile && isBareFigure(said, last) ||
      isFigure && (isSameFile || changed.length > 0 && files[i - 1]?.length === 0);
    return isOtherwise ? [{ before: last, by, isRefused }] : [];
  });
}

/** How many exchanges back the same figure may have been reported. */
const BACK_EXCHANGES = 8;

/**
 * Both answers are the same but for their figures; or the prompt is a bare figure in the unit of the earlier
 * answer.
 */
function givesOtherFigure(said: string, before: Exchange, by: Exchange): boolean {
  const [one, other] = [firstOf(before), firstOf(by)];
  if (!/\d/.test(one) || !/\d/.test(other) || one === other) return false;
  const [told, now] = [one, other].map((text) => text.replaceAll(NUMBER, "#").toLowerCase());
  return told === now ||
    isBareFigure(said, before) && !unitsIn(one).isDisjointFrom(unitsIn(other));
}

function unitsIn(text: string): Set<string> {
  return new Set([...text.matchAll(UNIT)].map(([, unit = ""]) => unit.toLowerCase()));
}

const UNIT = /\d ?([%°€$]|[a-zµ]{1,12})(?![\w])/gi;

/** The prompt is no more than another figure: '250', '1.6 is too heavy. 1.3'. */
function namesOtherFigure(said: string, before: Exchange): boolean {
  const told = `${before.prompt?.text ?? ""} ${before.answer?.text ?? ""}`;
  const known = new Set(told.match(FIGURE));
  const figures = said.match(FIGURE) ?? [];
  if (known.size === 0 || figures.every((figure) => known.has(figure))) return false;
  const words = termsOf(said.replaceAll(FIGURE, ""));
  return words.isSubsetOf(termsOf(told)) ||
    TOO_MUCH.test(said) && figures.some((figure) => known.has(figure));
}

/** A whole clause is another figure than the one reported as done. */
function isBareFigure(said: string, { answer }: Exchange): boolean {
  const known = numbersIn(answer?.text ?? "");
  return known.size > 0 &&
    said.split(CLAUSE_END).some((clause) =>
      BARE.test(clause) && numbersIn(clause).isDisjointFrom(known)
    );
}

function numbersIn(text: string): Set<string> {
  return new Set(text.match(NUMBER));
}

/** 'Make it 80. no wait, 70': the last figure was made. */
function tellsTwoFigures({ prompt, replies, answer }: Exchange): boolean {
  const said = prompt?.text ?? "";
  if (answer === undefined || isAskedAtEnd(said) || wordCount(said) > BARE_WORDS_MAX) return false;
  const clauses = said.split(CLAUSE_END);
  const at = clauses.findIndex((clause, i) => i > 0 && TAKES_BACK.test(clause));
  if (at < 0 || filesChanged(replies).length === 0) return false;
  const [first, last] = mapEach(
    [clauses.slice(0, at), clauses.slice(at)],
    (part) => numbersIn(part.join(" ")),
  );
  return first.size > 0 && !last.isSubsetOf(first);
}

/** Adds to a text what a rework made, right after, of an exchange that the text is about. */
export function withReworks(
  summary: string,
  otherwise: readonly Rework[],
  isTold: (exchange: Exchange) => boolean,
): string {
  const one = otherwise.findLast(({ before }) => isTold(before));
  if (one === undefined) return summary;
  const last = lastOf(one, otherwise);
  if (summary.includes(firstOf(last.by))) return summary;
  return `${asProse([summary])} ${THEN}${tellOne(last)}`;
}

/** The state after each rework that none of these texts tells. */
export function reworkOutcomes(exchanges: readonly Exchange[], texts: readonly string[]): string[] {
  const otherwise = reworksIn(exchanges);
  const last = new Set(otherwise.map((one) => lastOf(one, otherwise).by));
  return exchanges.filter((one) =>
    last.has(one) || tellsTwoFigures(one) && !otherwise.some(({ before }) => before === one)
  )
    .filter((by) => !texts.some((text) => text.includes(firstOf(by))))
    .map((by) => tellOne({ by }));
}

/** The last of several reworks of the same thing. */
function lastOf(one: Rework, all: readonly Rework[]): Rework {
  const next = all.find(({ before }) => before === one.by);
  return next === undefined ? one : lastOf(next, all);
}

/** 'Nah use ntfy → It uses ntfy now.' */
function tellOne({ by }: Pick<Rework, "by">): string {
  return `${collapse(by.prompt?.text ?? "")} → ${cut(firstOf(by), TOLD_CHARACTERS_MAX)}`;
}

function firstOf({ answer }: Exchange): string {
  return collapse(splitSentences(answer?.text ?? "")[0] ?? "");
}
