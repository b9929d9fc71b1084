/**
 * What an agent offers out of courtesy: 'Would you like me to …?' asks nothing that somebody has to answer.
 * Apart from questions.ts, because a list of offers is not one of questions either.
 */
import { phrasePattern } from "../phrases/phrase_patterns.ts";

const COURTESY = phrasePattern("questions.courtesy", String.raw`^¿?{}(?:\b|$)`);

/** Whether a sentence of the agent only offers more work. */
export function isCourtesy(sentence: string): boolean {
  return COURTESY.test(sentence);
}

const IF_WANTED = phrasePattern("questions.if_wanted", "^{}");

/** Whether it offers more work for the case that somebody wants it: 'If you like, I can also …'. */
export function offersMore(sentence: string): boolean {
  return IF_WANTED.test(sentence);
}
