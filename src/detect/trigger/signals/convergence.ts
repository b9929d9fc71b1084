/**
 * Synthesis: after exchanges that read, asked and measured, an answer that is longer than usual, asks
 * nothing, gives reasons, and uses words and numbers of several exchanges before it. Green tests, commits
 * and finished lists alone are no synthesis.
 */
import { saturate } from "../measures.ts";
import type { RecentExchanges } from "../../text/recent_exchanges.ts";
import type { Features } from "../signal.ts";
import { isFromOutside } from "./blocker.ts";
import { type AnswerContext, moreThanUsual } from "./answer_context.ts";

const WORK_BEFORE = 4;

export function convergence(recent: RecentExchanges, context: AnswerContext): Features {
  const { last } = recent;
  const { prompt, answer, exchange } = last;
  const { wordClasses } = answer;
  const before = recent.exchanges.slice(-WORK_BEFORE - 1, -1);
  const earlier = recent.exchanges.slice(0, -1);
  const newTerms =
    [...prompt.terms].filter((term) => !earlier.some(({ terms }) => terms.has(term))).length;
  return {
    "longer than usual": context.longer,
    "a long answer": saturate(answer.words, 200),
    "refers back": context.refersBack,
    "numbers again": context.numbersAgain,
    "numbers": saturate(Math.log(1 + answer.numbers.length), Math.log(16)),
    "reasons": saturate(wordClasses.cause, 5),
    "more reasons than usual": moreThanUsual(recent, "cause"),
    "more of the whole than usual": moreThanUsual(recent, "whole"),
    "words of the whole": saturate(wordClasses.whole, 4),
    "asked in known words": 1 - saturate(newTerms, 4),
    "told in the same form": saturate(answer.parallels, 3),
    "the prompt asks for the whole": saturate(prompt.wordClasses.whole, 2),
    "denied from outside": saturate(answer.sentences.filter(isFromOutside).length, 3),
    "what could be": saturate(wordClasses.could, 6),
    "either and or": saturate(wordClasses.or, 3),
    "words of price": saturate(wordClasses.price, 8),
    "it looked": last.looks > 0 ? 1 : 0,
    "it had looked": saturate(before.filter(({ looks }) => looks > 0).length, WORK_BEFORE),
    "it changes files": last.edits > 0 ? 1 : 0,
    "a call failed": last.failures > 0 ? 1 : 0,
    "it had asked": saturate(before.filter(({ answer }) => answer.questions > 0).length, 2),
    "asked back": answer.asksBack ? 1 : 0,
    "asked for": prompt.questions > 0 ? 1 : 0,
    "listed": saturate(Math.max(answer.items, answer.leads), 3),
    "a table": answer.hasTable ? 1 : 0,
    "a plan was approved":
      exchange.tools.some(({ name, failed }) => name === "ExitPlanMode" && failed === false)
        ? 1
        : 0,
    "a commit": last.commits > 0 ? 1 : 0,
  };
}
