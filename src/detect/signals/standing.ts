/** How the last answer stands in its conversation: longer than usual, and with what it refers back to. */
import { median, most } from "../measures.ts";
import type { Moment, Recent } from "../recent.ts";

const USUAL_EXCHANGES = 15;
const USUAL_WORDS = 50;
const REFERRED_EXCHANGES = 8;
/** A term of so many earlier exchanges is the subject's own and refers to none of them. */
const RARE = 3;
const TERMS_MIN = 3;

/** 0 as long as the answers before it, 1 at three times as long. */
export function lengthAgainstUsual({ moments, last }: Recent): number {
  const before = moments.slice(-USUAL_EXCHANGES - 1, -1).map(({ answer }) => answer.words);
  const usual = Math.max(20, median(before, USUAL_WORDS));
  return most(Math.log((last.answer.words + 10) / (usual + 10)), 1.2);
}

/** To how many earlier exchanges, the one just before left out, the last one goes back by its words. */
export function referencesBack({ moments, last }: Recent): number {
  const counts = new Map<string, number>();
  for (const { terms } of moments.slice(-12, -1)) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const rare = [...last.terms].filter((term) => {
    const count = counts.get(term) ?? 0;
    return count >= 1 && count <= RARE;
  });
  const referred = earlier(moments).slice(0, -1).filter(({ terms }) =>
    rare.filter((term) => terms.has(term)).length >= TERMS_MIN
  );
  return most(referred.length, 4);
}

/** From how many earlier exchanges the last answer takes up a number. */
export function numbersAgain({ moments, last }: Recent): number {
  const numbers = last.answer.numbers.filter((number) => number.length >= 2);
  const taken = earlier(moments).filter(({ prompt, answer }) =>
    numbers.some((number) => answer.numbers.includes(number) || prompt.numbers.includes(number))
  );
  return most(taken.length, 3);
}

function earlier(moments: readonly Moment[]): readonly Moment[] {
  return moments.slice(-REFERRED_EXCHANGES - 1, -1);
}
