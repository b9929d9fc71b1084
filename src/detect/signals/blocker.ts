/**
 * A blocker: what somebody outside sets closes the way that was meant. Either side may say so. Its shape
 * is denial and limit in one sentence with whoever sets it, after work on that way, often beside a call
 * that failed or a document that was read.
 */
import { most } from "../measures.ts";
import type { Moment, Recent } from "../recent.ts";
import type { SentenceShape, Shape } from "../shape.ts";
import type { Features } from "../signal.ts";
import { moreThanUsual, type Standing } from "./standing.ts";

const WORK_BEFORE = 3;

export function blocker(recent: Recent, standing: Standing): Features {
  const { last } = recent;
  const { prompt, answer } = last;
  const before = recent.moments.slice(-WORK_BEFORE - 1, -1);
  return {
    "denials": most(answer.families.not, 5),
    "denied from outside": most(closing(answer, isFromOutside), 3),
    "denied and limited": most(closing(answer, isLimited), 2),
    "opens by denying": answer.sentences.slice(0, 1).some(isDenial) ? 1 : 0,
    "more denials than usual": moreThanUsual(recent, "not"),
    "more limits than usual": moreThanUsual(recent, "closed"),
    "words of limits": most(answer.families.closed, 4),
    "the prompt denies from outside": most(closing(prompt, isFromOutside), 1),
    "the prompt names limits": most(prompt.families.closed, 2),
    "the prompt names who sets them": most(prompt.families.outside, 2),
    "a call failed": last.failures > 0 ? 1 : 0,
    "a source was read": isSourceRead(last) ? 1 : 0,
    "it changes files": last.edits > 0 ? 1 : 0,
    "work before": most(before.filter(({ edits }) => edits > 0).length, WORK_BEFORE),
    "a long answer": most(answer.words, 200),
    "longer than usual": standing.longer,
    "what could be": most(answer.families.could, 6),
    "words of price": most(answer.families.price, 8),
    "asked back": answer.asksBack ? 1 : 0,
    "asked for": prompt.questions > 0 ? 1 : 0,
  };
}

function closing(shape: Shape, isClosing: (sentence: SentenceShape) => boolean): number {
  return shape.sentences.filter(isClosing).length;
}

/** Somebody outside denies or limits something. */
export function isFromOutside(sentence: SentenceShape): boolean {
  return isDenial(sentence) && sentence.families.outside > 0;
}

function isDenial({ families }: SentenceShape): boolean {
  return families.not + families.closed > 0;
}

function isLimited({ families }: SentenceShape): boolean {
  return families.not > 0 && families.closed > 0;
}

/** A page, a document, the terms of somebody. */
function isSourceRead({ exchange }: Moment): boolean {
  return exchange.tools.some(({ name, command = "", filePath = "" }) =>
    name === "WebFetch" || name === "WebSearch" ||
    /https?:|\.(?:pdf|html?)\b|licen[cs]e|terms|contract/i.test(`${command} ${filePath}`)
  );
}
