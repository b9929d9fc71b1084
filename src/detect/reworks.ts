/**
 * What a person has made otherwise right after it was done: refused in a few words, or given another figure.
 * Such a prompt is told with what came of it, for neither is understood alone, and the note tells how it is now.
 */
import { mapEach } from "../base/map_each.ts";
import { memoize } from "../base/memoize.ts";
import { collapse, cut, isAskedAtEnd, splitSentences } from "../base/text.ts";
import type { Exchange } from "./exchanges.ts";
import { phrasePattern, WHOLE_WORD } from "./phrase_patterns.ts";
import { refuses } from "./replies.ts";
import { asProse, termsOf, wordCount } from "./sentences.ts";
import { filesChanged } from "./work.ts";

/** 'Rather use a queue': what was just done is to be otherwise, and not to have more beside it. */
const WANTS_OTHER = phrasePattern(
  "otherwise.wanted",
  String.raw`^\W*(?:(?:h?m+|uh|ugh|ok|oh|sorry)[,.!]* )*{}`,
);
/** A clause that is a figure, and how one gets to it: 'hm 16', 'actually 0.5', 'make it 25% of the width'. */
const BARE = phrasePattern(
  "otherwise.before_figure",
  String
    .raw`^(?:{} )*(?:\d[\d.,:]{0,20}(?: ?(?:[%°]|[a-zµ]{1,3}))?(?: {otherwise.after_figure})*[.!]*$|{otherwise.make_it} \d)`,
);
/** 'No wait, 70' takes back what stands in front of it. */
const TAKES_BACK = phrasePattern("otherwise.takes_back", "^{}");
const CLAUSE_END = /(?<![.,;:!])[.,;:!]+ | [–—-] /;
const NUMBER = /\d+(?:[.,:]\d+)*/g;
const BESIDE = phrasePattern("otherwise.beside", WHOLE_WORD);
const TOO_MUCH = phrasePattern("otherwise.too_much", WHOLE_WORD);
const FIGURE = /(?<![\w.])\d+(?:[.,]\d+)*(?![\w.]*\w)/g;
const WORDS_MAX = 12;
/** With the reason, where a clause says by itself that it is another. */
const BARE_WORDS_MAX = 25;
const TOLD_CHARACTERS_MAX = 120;

/** What a person takes back without a word on it: 'too floaty. back to .1'; an undo button is to be made. */
const UNDOES = phrasePattern(
  "outdated.undoes",
  String.raw`(?:^|[.;:,!?] |\b{outdated.undoes_after} ){}`,
);

export function undoes(said: string): boolean {
  return wordCount(said) <= WORDS_MAX && UNDOES.test(said);
}

/** An exchange, and the one that made its change otherwise, in the same file. */
export interface Rework {
  readonly before: Exchange;
  readonly by: Exchange;
  /** Else it gives another figure, and what was told of the matter beside it holds. */
  readonly isRefused: boolean;
}

/**
 * In order. What was made otherwise may be so again. Found once: what holds no more asks for it, and what is
 * told.
 */
export const reworksIn: (exchanges: readonly Exchange[]) => readonly Rework[] = memoize(
  find,
);

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
    // What else was done in between is no reason to think that the first figure holds; what is undone is one.
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
    const isRefused = isShort && isSameFile && (refuses(said) || WANTS_OTHER.test(said));
    if (before !== undefined) return [{ before, by, isRefused: isRefused && before === last }];
    const isOtherwise = isRefused || isSameFile && isBareFigure(said, last) ||
      isFigure && (isSameFile || changed.length > 0 && files[i - 1]?.length === 0);
    return isOtherwise ? [{ before: last, by, isRefused }] : [];
  });
}

/** Exchanges in which a figure may have been told that is another now. */
const BACK_EXCHANGES = 8;

/** What is told of both is the same but for its figures; or it is a bare figure of the unit that was told. */
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

/** No more than another figure: '250', '1.6 is too heavy. 1.3'. */
function namesOtherFigure(said: string, before: Exchange): boolean {
  const told = `${before.prompt?.text ?? ""} ${before.answer?.text ?? ""}`;
  const known = new Set(told.match(FIGURE));
  const figures = said.match(FIGURE) ?? [];
  if (known.size === 0 || figures.every((figure) => known.has(figure))) return false;
  const words = termsOf(said.replaceAll(FIGURE, ""));
  return words.isSubsetOf(termsOf(told)) ||
    TOO_MUCH.test(said) && figures.some((figure) => known.has(figure));
}

/** Another figure than the one that was told as done, which is the whole of a clause. */
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

/** 'Make it 80. no wait, 70', and it was made so: the figure that stands last. */
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

export const THEN = "Then: ";

/** With what was made of it right after, of the exchange that it tells. */
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

/** How it stands where something was made otherwise, as far as none of these texts tells it. */
export function reworkOutcomes(
  exchanges: readonly Exchange[],
  texts: readonly string[],
): string[] {
  const otherwise = reworksIn(exchanges);
  const last = new Set(otherwise.map((one) => lastOf(one, otherwise).by));
  return exchanges.filter((one) =>
    last.has(one) || tellsTwoFigures(one) && !otherwise.some(({ before }) => before === one)
  )
    .filter((by) => !texts.some((text) => text.includes(firstOf(by))))
    .map((by) => tellOne({ by }));
}

/** Where it stands after all that was made otherwise in turn. */
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
