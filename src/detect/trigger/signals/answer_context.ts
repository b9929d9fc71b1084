/** The last answer compared with those before it: longer than usual, and what it refers back to. */
import { mean, median, saturate } from "../measures.ts";
import type { MeasuredExchange, RecentExchanges } from "../../text/recent_exchanges.ts";
import type { WordClass } from "../../phrases/word_classes.ts";

const USUAL_EXCHANGES = 15;
const USUAL_WORDS = 50;
const REFERRED_EXCHANGES = 8;
const COUNTED_EXCHANGES = 11;
/** A term that more earlier exchanges have is the subject's own, and refers to none of them. */
const RARE = 3;
const TERMS_MIN = 3;

export interface AnswerContext {
  /** 0 as long as the answers before it, 1 at three times as long. */
  readonly longer: number;
  /** How many earlier exchanges it shares rare words with, without the one just before; 4 or more are 1. */
  readonly refersBack: number;
  /** How many earlier exchanges have one of its numbers; 3 or more are 1. */
  readonly numbersAgain: number;
}

export function answerContextOf(recent: RecentExchanges): AnswerContext {
  const { exchanges, last } = recent;
  const numbers = last.answer.numbers.filter((number) => number.length >= 2);
  const taken = earlier(exchanges).filter(({ prompt, answer }) =>
    numbers.some((number) => answer.numbers.includes(number) || prompt.numbers.includes(number))
  );
  return {
    longer: longerThanUsual(recent),
    refersBack: saturate(referred(exchanges, last), 4),
    numbersAgain: saturate(taken.length, 3),
  };
}

export function longerThanUsual(
  { exchanges, last }: Pick<RecentExchanges, "exchanges" | "last">,
): number {
  const before = exchanges.slice(-USUAL_EXCHANGES - 1, -1).map(({ answer }) => answer.words);
  const usual = Math.max(20, median(before, USUAL_WORDS));
  return saturate(Math.log((last.answer.words + 10) / (usual + 10)), 1.2);
}

/** How much denser the last answer is in words of a class than those before it: −1 to 1. */
export function moreThanUsual({ exchanges, last }: RecentExchanges, wordClass: WordClass): number {
  const density = ({ answer }: MeasuredExchange): number =>
    answer.wordClasses[wordClass] / Math.max(15, answer.words);
  const usual = mean(exchanges.slice(-USUAL_EXCHANGES - 1, -1).map(density), 0.03);
  return Math.max(-1, Math.min(1, (density(last) - usual) * 20));
}

/** How many earlier exchanges the last one refers back to. */
function referred(exchanges: readonly MeasuredExchange[], last: MeasuredExchange): number {
  const shared = exchanges.slice(-COUNTED_EXCHANGES - 1, -1)
    .map(({ terms }) => last.terms.intersection(terms));
  const counts = new Map<string, number>();
  for (const terms of shared) {
    terms.forEach((term) => void counts.set(term, (counts.get(term) ?? 0) + 1));
  }
  const isRare = (term: string): boolean => (counts.get(term) ?? 0) <= RARE;
  return shared.slice(-REFERRED_EXCHANGES, -1)
    .filter((terms) => terms.size >= TERMS_MIN && [...terms].filter(isRare).length >= TERMS_MIN)
    .length;
}

function earlier(exchanges: readonly MeasuredExchange[]): readonly MeasuredExchange[] {
  return exchanges.slice(-REFERRED_EXCHANGES - 1, -1);
}
