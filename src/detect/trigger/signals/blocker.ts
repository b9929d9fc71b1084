/**
 * A constraint: a limit that somebody outside sets rules out the intended approach. Either side may say so.
 * Its shape is a denial and a limit in one sentence with whoever sets it, after work on that approach, often
 * with a call that failed or a document that was read.
 */
import { saturate } from "../measures.ts";
import type { MeasuredExchange, RecentExchanges } from "../../text/recent_exchanges.ts";
import type { SentenceShape, Shape } from "../../text/shape.ts";
import type { Features } from "../signal.ts";
import { type AnswerContext, moreThanUsual } from "./answer_context.ts";

const WORK_BEFORE = 3;

export function blocker(recent: RecentExchanges, context: AnswerContext): Features {
  const { last } = recent;
  const { prompt, answer } = last;
  const before = recent.exchanges.slice(-WORK_BEFORE - 1, -1);
  return {
    "denials": saturate(answer.wordClasses.not, 5),
    "denied from outside": saturate(closing(answer, isFromOutside), 3),
    "denied and limited": saturate(closing(answer, isLimited), 2),
    "opens by denying": answer.sentences.slice(0, 1).some(isDenial) ? 1 : 0,
    "more denials than usual": moreThanUsual(recent, "not"),
    "more limits than usual": moreThanUsual(recent, "closed"),
    "words of limits": saturate(answer.wordClasses.closed, 4),
    "the prompt denies from outside": saturate(closing(prompt, isFromOutside), 1),
    "the prompt names limits": saturate(prompt.wordClasses.closed, 2),
    "the prompt names who sets them": saturate(prompt.wordClasses.outside, 2),
    "a call failed": last.failures > 0 ? 1 : 0,
    "a source was read": isSourceRead(last) ? 1 : 0,
    "it changes files": last.edits > 0 ? 1 : 0,
    "work before": saturate(before.filter(({ edits }) => edits > 0).length, WORK_BEFORE),
    "a long answer": saturate(answer.words, 200),
    "longer than usual": context.longer,
    "what could be": saturate(answer.wordClasses.could, 6),
    "words of price": saturate(answer.wordClasses.price, 8),
    "asked back": answer.asksBack ? 1 : 0,
    "asked for": prompt.questions > 0 ? 1 : 0,
  };
}

function closing(shape: Shape, isClosing: (sentence: SentenceShape) => boolean): number {
  return shape.sentences.filter(isClosing).length;
}

/** Denies or limits something, and names somebody outside. */
export function isFromOutside(sentence: SentenceShape): boolean {
  return isDenial(sentence) && sentence.wordClasses.outside > 0;
}

function isDenial({ wordClasses }: SentenceShape): boolean {
  return wordClasses.not + wordClasses.closed > 0;
}

function isLimited({ wordClasses }: SentenceShape): boolean {
  return wordClasses.not > 0 && wordClasses.closed > 0;
}

/** A page, a document, the terms of somebody. */
function isSourceRead({ exchange }: MeasuredExchange): boolean {
  return exchange.tools.some(({ name, command = "", filePath = "" }) =>
    name === "WebFetch" || name === "WebSearch" ||
    /https?:|\.(?:pdf|html?)\b|licen[cs]e|terms|contract/i.test(`${command} ${filePath}`)
  );
}
