/**
 * A prompt's sentences, for what is asked in one of them is lost among the words of the others. Apart from
 * candidates.ts, because most prompts have one sentence, or are answered as a whole.
 */
import { hasQuestionMark, splitTyped } from "../base/text.ts";
import { prose } from "../detect/clean.ts";
import { passGates } from "./gates.ts";

/** Each costs a search. */
const PARTS_MAX = 4;

/** Those that could be a prompt alone: questions first, then what was said last. */
export function partsOf(prompt: string): string[] {
  const sentences = splitTyped(prose(prompt));
  if (sentences.length < 2) return [];
  return sentences.filter((sentence) => !("gate" in passGates(sentence))).reverse()
    .sort((a, b) => Number(hasQuestionMark(b)) - Number(hasQuestionMark(a)))
    .slice(0, PARTS_MAX);
}

/**
 * What one of so many sentences needs, 0..1, where the prompt needed `threshold`: with it they meet something by
 * chance so many times as often, so its odds must be so many times as high.
 */
export function levelOf(threshold: number, sentences: number): number {
  const odds = (1 + sentences) * threshold / Math.max(1e-9, 1 - threshold);
  return odds / (1 + odds);
}
