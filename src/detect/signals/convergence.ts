/**
 * Findings come together: after exchanges that looked, asked and measured, an answer that is longer than
 * usual, states and asks nothing, gives reasons, and takes up words and numbers of several exchanges
 * before it. Green tests, commits and finished lists are no findings by themselves.
 */
import { most } from "../measures.ts";
import type { Recent } from "../recent.ts";
import type { Features } from "../signal.ts";
import { isFromOutside } from "./blocker.ts";
import { moreThanUsual, type Standing } from "./standing.ts";

const WORK_BEFORE = 4;

export function convergence(recent: Recent, standing: Standing): Features {
  const { last } = recent;
  const { prompt, answer, exchange } = last;
  const { families } = answer;
  const before = recent.moments.slice(-WORK_BEFORE - 1, -1);
  const earlier = recent.moments.slice(0, -1);
  const newTerms =
    [...prompt.terms].filter((term) => !earlier.some(({ terms }) => terms.has(term))).length;
  return {
    "longer than usual": standing.longer,
    "a long answer": most(answer.words, 200),
    "refers back": standing.refersBack,
    "numbers again": standing.numbersAgain,
    "numbers": most(Math.log(1 + answer.numbers.length), Math.log(16)),
    "reasons": most(families.cause, 5),
    "more reasons than usual": moreThanUsual(recent, "cause"),
    "more of the whole than usual": moreThanUsual(recent, "whole"),
    "words of the whole": most(families.whole, 4),
    "asked in known words": 1 - most(newTerms, 4),
    "told in the same form": most(answer.parallels, 3),
    "the prompt asks for the whole": most(prompt.families.whole, 2),
    "denied from outside": most(answer.sentences.filter(isFromOutside).length, 3),
    "what could be": most(families.could, 6),
    "either and or": most(families.or, 3),
    "words of price": most(families.price, 8),
    "it looked": last.looks > 0 ? 1 : 0,
    "it had looked": most(before.filter(({ looks }) => looks > 0).length, WORK_BEFORE),
    "it changes files": last.edits > 0 ? 1 : 0,
    "a call failed": last.failures > 0 ? 1 : 0,
    "it had asked": most(before.filter(({ answer }) => answer.questions > 0).length, 2),
    "asked back": answer.asksBack ? 1 : 0,
    "asked for": prompt.questions > 0 ? 1 : 0,
    "listed": most(Math.max(answer.items, answer.leads), 3),
    "a table": answer.hasTable ? 1 : 0,
    "a plan was approved":
      exchange.tools.some(({ name, failed }) => name === "ExitPlanMode" && failed === false)
        ? 1
        : 0,
    "a commit": last.commits > 0 ? 1 : 0,
  };
}
