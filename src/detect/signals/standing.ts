/** How the last answer stands in its conversation: longer than usual, and with what it refers back to. */
import { mean, median, most } from "../measures.ts";
import type { Moment, Recent } from "../recent.ts";
import type { Family } from "../words.ts";

const USUAL_EXCHANGES = 15;
const USUAL_WORDS = 50;
const REFERRED_EXCHANGES = 8;
const COUNTED_EXCHANGES = 11;
/** A term of so many earlier exchanges is the subject's own and refers to none of them. */
const RARE = 3;
const TERMS_MIN = 3;

export interface Standing {
  /** 0 as long as the answers before it, 1 at three times as long. */
  readonly longer: number;
  /** To how many earlier exchanges, the one just before left out, it goes back by its words. */
  readonly refersBack: number;
  /** From how many earlier exchanges it takes up a number. */
  readonly numbersAgain: number;
}

export function standingOf(recent: Recent): Standing {
  const { moments, last } = recent;
  const numbers = last.answer.numbers.filter((number) => number.length >= 2);
  const taken = earlier(moments).filter(({ prompt, answer }) =>
    numbers.some((number) => answer.numbers.includes(number) || prompt.numbers.includes(number))
  );
  return {
    longer: longerThanUsual(recent),
    refersBack: most(referred(moments, last), 4),
    numbersAgain: most(taken.length, 3),
  };
}

export function longerThanUsual({ moments, last }: Pick<Recent, "moments" | "last">): number {
  const before = moments.slice(-USUAL_EXCHANGES - 1, -1).map(({ answer }) => answer.words);
  const usual = Math.max(20, median(before, USUAL_WORDS));
  return most(Math.log((last.answer.words + 10) / (usual + 10)), 1.2);
}

/** How many more of some words the last answer has, by length, than those before it. */
export function moreThanUsual({ moments, last }: Recent, family: Family): number {
  const density = ({ answer }: Moment): number =>
    answer.families[family] / Math.max(15, answer.words);
  const usual = mean(moments.slice(-USUAL_EXCHANGES - 1, -1).map(density), 0.03);
  return Math.max(-1, Math.min(1, (density(last) - usual) * 20));
}

/** To how many of the earlier ones. */
function referred(moments: readonly Moment[], last: Moment): number {
  const shared = moments.slice(-COUNTED_EXCHANGES - 1, -1)
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

function earlier(moments: readonly Moment[]): readonly Moment[] {
  return moments.slice(-REFERRED_EXCHANGES - 1, -1);
}
