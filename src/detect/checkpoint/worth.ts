/**
 * What a sentence is worth to somebody who comes back, by its form: a cause, a limit or a figure is wanted,
 * and what the agent saw, was about to do or praised is not. A logistic model. What happened around a
 * sentence is in its salience (salience.ts), and the two are multiplied.
 */
import type { Turn } from "../../editor/editor.ts";
import { saturate } from "../trigger/measures.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { hasReason } from "../decisions/norms.ts";
import type { Salient } from "./salience.ts";
import { wordsIn } from "../text/shape.ts";
import { chanceOf, type Features } from "../trigger/signal.ts";
import { WORTH_WEIGHTS } from "./worth_weights.ts";

/** "Now I can see the file", "let me check". */
const NARRATES = phrasePattern("worth.narrates", String.raw`^{}\b`);
/** "I'll add the test", "now let me check", "the user wants". */
const ANNOUNCES = phrasePattern(
  "worth.announces",
  String.raw`^(?:{sentences.leads}[,.!:]?\s+)*{}\b`,
);
/** "Run the script again": steps for the reader, and nobody knows whether they were taken. */
const INSTRUCTS = phrasePattern("worth.instructs", String.raw`^{}\b`);
/** "`/plan 12` - plans without research": a command of the client that could come next. */
const COULD_RUN = /^`\/[a-z][\w:-]*(?: [^`\n]*)?` (?:[—–-] |to )/;
const PRAISES = phrasePattern("worth.praises", String.raw`\b{}\b|!$`);
const EXPLAINS = phrasePattern("worth.explains", WHOLE_WORD);

/** 'I'm replacing the 58 calls': more than what step or part comes next. */
const FIGURE = /(?<![\d.])\d\d(?!\.\d)/;

/** More words add nothing. */
const LONG_WORDS = 30;
/** Just below what a sentence with no mark at all has. None that readers wanted has less. */
const LEAST = 0.065;
/** A person says little, and none of it is narration. */
const WORTH_OF_A_PERSONS = 0.3;
/** Factor for what an agent says between calls: mostly what it sees, and what it is at. */
const REMARK = 0.5;

/**
 * Without those that are noise by their form; those likeliest to be wanted first. `answers`: the turns that
 * answer; what is said between calls is worth less.
 */
export function byWorth(
  salient: readonly Salient[],
  answers: ReadonlySet<Turn | undefined>,
): Salient[] {
  const placed = salient.flatMap((one) => {
    const { text, turn } = one.sentence;
    const { role } = turn;
    const worth = role === "user"
      ? WORTH_OF_A_PERSONS
      : worthOf(text) * (answers.has(turn) ? 1 : REMARK);
    const isLeft = worth < LEAST ||
      role === "assistant" && announces(text) && !FIGURE.test(text);
    return isLeft ? [] : [{ one, odds: oddsOf(one.score) * oddsOf(worth) }];
  });
  return placed.sort((a, b) => b.odds - a.odds).map(({ one }) => one);
}

/**
 * Whether an agent only says what it sets about, or what it thinks the person wants: nothing came of it yet. With a
 * reason it says something.
 */
export function announces(text: string): boolean {
  return ANNOUNCES.test(text) && !hasReason(text);
}

/** Whether it says what the agent saw or was about to do, or what the reader is to do: no result. */
export function leadsTo(text: string): boolean {
  return narrates(text) || instructs(text);
}

/** Whether it tells the reader what to do. */
export function instructs(text: string): boolean {
  return INSTRUCTS.test(text) || COULD_RUN.test(text);
}

/** Whether an agent's sentence has a mark of noise and none of worth. */
export function isNoise(text: string): boolean {
  return worthOf(text) < LEAST;
}

/** The chance that a reader wants this sentence of an agent, 0..1. */
export function worthOf(text: string): number {
  return chanceOf(worthFeatures(text), WORTH_WEIGHTS);
}

export function worthFeatures(text: string): Features {
  const { wordClasses, words } = wordsIn(text);
  return {
    "narrates": Number(narrates(text)),
    "instructs": Number(instructs(text)),
    "praises": Number(PRAISES.test(text)),
    "explains": Number(EXPLAINS.test(text)),
    "denies or limits": Number(wordClasses.not + wordClasses.closed > 0),
    "a name in code": Number(text.includes("`")),
    "a number": Number(/\d/.test(text)),
    "long": saturate(words, LONG_WORDS),
  };
}

/** Whether an agent says what it sees or is about to do. */
export function narrates(text: string): boolean {
  return NARRATES.test(text) || ANNOUNCES.test(text);
}

function oddsOf(chance: number): number {
  return chance / (1 - chance);
}
