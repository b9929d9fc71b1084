/**
 * What a person has made otherwise right after it was done: refused in a few words, or given another figure.
 * Such a prompt is told with what came of it, for neither is understood alone, and the note tells how it is now.
 */
import { memoize } from "../base/memoize.ts";
import { collapse, cut, isAskedAtEnd, splitSentences } from "../base/text.ts";
import type { Exchange } from "./exchanges.ts";
import { heard } from "./languages.ts";
import { refuses } from "./replies.ts";
import { tell, termsOf, wordCount } from "./sentences.ts";
import { filesChanged } from "./work.ts";

/** 'Rather use a queue': what was just done is to be otherwise, and not to have more beside it. */
const OTHERWISE = heard(
  "otherwise.wanted",
  String.raw`^\W*(?:(?:h?m+|uh|ugh|ok|oh|sorry)[,.!]* )*{}`,
);
const BESIDE = heard("otherwise.beside", String.raw`\b{}\b`);
const TOO_MUCH = heard("otherwise.too_much", String.raw`\b{}\b`);
const FIGURE = /(?<![\w.])\d+(?:[.,]\d+)*(?![\w.]*\w)/g;
const WORDS_MAX = 12;
const TOLD_CHARACTERS_MAX = 120;

/** An exchange, and the one that made its change otherwise, in the same file. */
export interface MadeOtherwise {
  readonly before: Exchange;
  readonly by: Exchange;
  /** Else it gives another figure, and what was told of the matter beside it holds. */
  readonly isRefused: boolean;
}

/**
 * In order. What was made otherwise may be so again. Found once: what holds no more asks for it, and what is
 * told.
 */
export const madeOtherwise: (exchanges: readonly Exchange[]) => readonly MadeOtherwise[] = memoize(
  find,
);

function find(exchanges: readonly Exchange[]): MadeOtherwise[] {
  return exchanges.flatMap((by, i) => {
    const before = exchanges[i - 1];
    const said = by.prompt?.text ?? "";
    const isShort = wordCount(said) <= WORDS_MAX && !isAskedAtEnd(said);
    if (before === undefined || by.answer === undefined || !isShort || BESIDE.test(said)) return [];
    const [files, changed] = [filesChanged(by.replies), filesChanged(before.replies)];
    const isFigure = namesOtherFigure(said, before);
    const isSameFile = changed.some((file) => files.includes(file));
    const isRefused = isSameFile && (refuses(said) || OTHERWISE.test(said));
    const isOtherwise = isRefused ||
      isFigure && (isSameFile || files.length > 0 && changed.length === 0);
    return isOtherwise ? [{ before, by, isRefused }] : [];
  });
}

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

export const THEN = "Then: ";

/** With what was made of it right after, of the exchange that it tells. */
export function withLast(
  summary: string,
  otherwise: readonly MadeOtherwise[],
  isTold: (exchange: Exchange) => boolean,
): string {
  const one = otherwise.findLast(({ before }) => isTold(before));
  if (one === undefined) return summary;
  const last = lastOf(one, otherwise);
  if (summary.includes(firstOf(last.by))) return summary;
  return `${tell([summary])} ${THEN}${tellOne(last)}`;
}

/** How it stands where something was made otherwise, as far as none of these texts tells it. */
export function lastOnes(otherwise: readonly MadeOtherwise[], texts: readonly string[]): string[] {
  return otherwise.filter((one) => lastOf(one, otherwise) === one)
    .filter(({ by }) => !texts.some((text) => text.includes(firstOf(by))))
    .map(tellOne);
}

/** Where it stands after all that was made otherwise in turn. */
function lastOf(one: MadeOtherwise, all: readonly MadeOtherwise[]): MadeOtherwise {
  const next = all.find(({ before }) => before === one.by);
  return next === undefined ? one : lastOf(next, all);
}

/** 'Nah use ntfy → It uses ntfy now.' */
function tellOne({ by }: MadeOtherwise): string {
  return `${collapse(by.prompt?.text ?? "")} → ${cut(firstOf(by), TOLD_CHARACTERS_MAX)}`;
}

function firstOf({ answer }: Exchange): string {
  return collapse(splitSentences(answer?.text ?? "")[0] ?? "");
}
