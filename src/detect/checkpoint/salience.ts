/**
 * The salience of sentences: how likely somebody wants them back, from what happened in their exchange, who
 * said them and their word classes. A logistic model, fitted on what readers marked as worth keeping. The
 * detectors are features too: a decision is where an alternative was taken.
 */
import { isAskedAtEnd } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { saturate } from "../trigger/measures.ts";
import type { Ranked } from "./rank_sentences.ts";
import { type RecentExchanges, recentExchangesOf } from "../text/recent_exchanges.ts";
import { wordsIn } from "../text/shape.ts";
import { confidencesOf, type DetectorName, observeLastExchange } from "../trigger/detectors.ts";
import { chanceOf, type Features } from "../trigger/signal.ts";
import { SALIENCE_WEIGHTS } from "./salience_weights.ts";

/** Detectors are not run on older exchanges. */
const EXCHANGES_MAX = 60;
const WINDOW = 24;

/** A sentence whose score is the probability that somebody wants it back. */
export interface Salient extends Ranked {
  /** The score that `rankSentences` gave. */
  readonly rankScore: number;
  /** Whether an alternative was taken in its exchange. */
  readonly isDecided: boolean;
  /** The chances that alternatives were laid out, and that findings came together, in its exchange. */
  readonly isLaidOut: boolean;
  readonly concludes: number;
}

const SEEN_MIN = 0.5;

/** Kept, because a checkpoint and the session note score the same sentences. */
const scored = new WeakMap<
  readonly Ranked[],
  { readonly earlier: readonly Turn[]; readonly salient: readonly Salient[] }
>();
const NOTHING: readonly Turn[] = [];

/**
 * In the given order. `ranked` are sentences of `turns`; `earlier` turns are not scored, but alternatives may
 * have been laid out there.
 */
export function scoreSalience(
  turns: readonly Turn[],
  ranked: readonly Ranked[],
  earlier: readonly Turn[] = NOTHING,
): readonly Salient[] {
  const before = earlier.length === 0 ? NOTHING : earlier;
  const known = scored.get(ranked);
  if (known?.earlier === before) return known.salient;
  const salient = score(turns, ranked, before);
  scored.set(ranked, { earlier: before, salient });
  return salient;
}

function score(
  turns: readonly Turn[],
  ranked: readonly Ranked[],
  earlier: readonly Turn[],
): Salient[] {
  return salienceFeatures(turns, ranked, earlier).flatMap((features, i) => {
    const candidate = ranked[i];
    if (candidate === undefined) return [];
    const { "a way was taken": taken = 0, "ways were laid out": laidOut = 0 } = features;
    const { "findings came together": together = 0, "a way was closed": closed = 0 } = features;
    return [{
      ...candidate,
      score: chanceOf(features, SALIENCE_WEIGHTS),
      rankScore: candidate.score,
      isDecided: taken >= SEEN_MIN,
      isLaidOut: laidOut >= SEEN_MIN,
      concludes: Math.max(together, closed),
    }];
  });
}

export function salienceFeatures(
  turns: readonly Turn[],
  ranked: readonly Ranked[],
  earlier: readonly Turn[] = [],
): Features[] {
  const known = exchangesOf(earlier).slice(-WINDOW);
  const exchanges = exchangesOf(turns);
  const shares = repetition(ranked);
  let place = 0;
  let moment = detectionAt(known, exchanges, place);
  return ranked.map(({ sentence, score }, i) => {
    const before = place;
    while ((exchanges[place + 1]?.start ?? Infinity) <= sentence.turnIndex) place++;
    if (place !== before) moment = detectionAt(known, exchanges, place);
    const { recent, seen } = moment ?? {};
    const isUser = sentence.turn.role === "user";
    const { wordClasses, words } = wordsIn(sentence.text);
    const last = recent?.last;
    return {
      "the person says it": isUser ? 1 : 0,
      "a way was taken": seen?.get("a way taken") ?? 0,
      "the person took it": isUser ? seen?.get("a way taken") ?? 0 : 0,
      "a way was closed": seen?.get("a way closed") ?? 0,
      "the person told of it": isUser ? seen?.get("a way closed") ?? 0 : 0,
      "ways were laid out": seen?.get("ways laid out") ?? 0,
      "findings came together": seen?.get("findings together") ?? 0,
      "files changed": (last?.edits ?? 0) > 0 ? 1 : 0,
      "after work": !isUser && (last?.exchange.tools.length ?? 0) > 0 ? 1 : 0,
      "first": sentence.position === 0 ? 1 : 0,
      "a question": isAskedAtEnd(sentence.text) ? 1 : 0,
      "words of choice": saturate(wordClasses.choose, 2),
      "reasons": saturate(wordClasses.cause, 2),
      "denials": saturate(wordClasses.not, 2),
      "limits": saturate(wordClasses.closed, 1),
      "from outside": saturate(wordClasses.outside, 2),
      "what could be": saturate(wordClasses.could, 2),
      "a name in code": /`[^`]+`/.test(sentence.text) ? 1 : 0,
      "a number": /\d/.test(sentence.text) ? 1 : 0,
      "long": saturate(words, 35),
      "parts": /[;:–—]/.test(sentence.text) ? 1 : 0,
      "late": exchanges.length < 2 ? 1 : place / (exchanges.length - 1),
      "what it is all about": shares[i] ?? 0,
      "telling": score,
    };
  });
}

/** The detectors' confidences at the end of an exchange; `before` are the exchanges of earlier turns. */
function detectionAt(
  before: readonly Exchange[],
  exchanges: readonly Exchange[],
  place: number,
): { recent: RecentExchanges; seen: Map<DetectorName, number> } | undefined {
  if (place < exchanges.length - EXCHANGES_MAX) return undefined;
  const window = [...before, ...exchanges.slice(Math.max(0, place + 1 - WINDOW), place + 1)]
    .slice(-WINDOW);
  const recent = recentExchangesOf(window, window.length, undefined);
  return recent === undefined ? undefined : { recent, seen: confidencesIn(recent) };
}

/** Whether an alternative was taken in the exchange of this prompt. */
export function isDecidedBy(prompt: Turn, turns: readonly Turn[]): boolean {
  const exchanges = exchangesOf(turns);
  const place = exchanges.findIndex((exchange) => exchange.prompt === prompt);
  const { seen } = detectionAt([], exchanges, place) ?? {};
  return place >= 0 && (seen?.get("a way taken") ?? 0) >= SEEN_MIN;
}

function confidencesIn(recent: RecentExchanges): Map<DetectorName, number> {
  const here = observeLastExchange(recent);
  const confidences = confidencesOf(here);
  return new Map(here.map(({ detector }, i) => [detector, confidences[i] ?? 0]));
}

/** The mean, over a sentence's terms, of how many other sentences have the term: five or more are 1. */
function repetition(ranked: readonly Ranked[]): number[] {
  const counts = new Map<string, number>();
  for (const { terms } of ranked) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return ranked.map(({ terms }) => {
    let sum = 0;
    for (const term of terms) sum += saturate((counts.get(term) ?? 1) - 1, 5);
    return terms.size === 0 ? 0 : sum / terms.size;
  });
}
