/**
 * What a person pasted back of the agent's answer to ask about it: their own words are the question behind
 * it or before it. What is pasted back and not asked about says what is meant, and stays.
 */
import { memoize } from "../../base/memoize.ts";
import type { Turn } from "../../editor/editor.ts";
import { endsWithQuestion, wordCount } from "./sentences.ts";

/** So many words in a row are no chance. */
const RUN_WORDS_MIN = 8;
/** Between two pasted parts: an item's number, or a mark that was lost. */
const GAP_WORDS_MAX = 2;
/** Of the answer, its end: nobody pastes back what has scrolled away. */
const ANSWER_CHARACTERS_MAX = 40_000;
/** A longer prompt is a document. */
const PROMPT_CHARACTERS_MAX = 8_000;
const OWN_WORDS_MIN = 2;

/** The same turns, each question about a pasted part without that part. */
export const withoutPastedBack: (turns: readonly Turn[]) => readonly Turn[] = memoize(stripped);

function stripped(turns: readonly Turn[]): readonly Turn[] {
  let answer = "";
  let isAny = false;
  const own = turns.map((turn) => {
    if (turn.role === "assistant") {
      if (turn.text !== "") answer = turn.text;
      return turn;
    }
    const text = questionAbout(turn.text, answer);
    if (text === undefined) return turn;
    isAny = true;
    return { ...turn, text };
  });
  return isAny ? own : turns;
}

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The person's question, if the rest of the prompt is from the answer; else undefined. */
function questionAbout(prompt: string, answer: string): string | undefined {
  if (prompt.length > PROMPT_CHARACTERS_MAX || answer === "") return undefined;
  const words = wordsOf(prompt);
  if (words.length < RUN_WORDS_MIN + OWN_WORDS_MIN) return undefined;
  const runs = runsIn(words, wordsOf(answer.slice(-ANSWER_CHARACTERS_MAX)));
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  // Remarks between the parts answer each.
  if (runs.some(({ from }, i) => i > 0 && from - (runs[i - 1]?.to ?? 0) > GAP_WORDS_MAX)) {
    return undefined;
  }
  const before = prompt.slice(0, words[first.from]?.from).replace(LEAD, "").trim();
  const behind = prompt.slice(words[last.to - 1]?.to).replace(MARKS, "").trim();
  return [behind, before].find((own) =>
    wordCount(own) >= OWN_WORDS_MIN && (endsWithQuestion(own) || CHECKS_BACK.test(own))
  );
}

/** 'So it is not automated, I would have to …' asks whether that is right. */
const CHECKS_BACK = /^so\b/i;
/** What ends the last pasted sentence. */
const MARKS = /^[^\p{L}\p{N}]+/u;
/** What leads to the first pasted word: a number, a quotation mark. */
const LEAD = /(?:^|\s)(?:\d{1,2}[.)]|[-*•>"“'`(])\s*$/;

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
}

interface Run {
  /** Of the prompt's words, `to` excluded. */
  readonly from: number;
  readonly to: number;
}

/** The longest runs of words that both have, in the order of the prompt. */
function runsIn(prompt: readonly Word[], answer: readonly Word[]): Run[] {
  const places = new Map<string, number[]>();
  for (let i = 0; i + RUN_WORDS_MIN <= answer.length; i++) {
    const key = keyAt(answer, i);
    const known = places.get(key);
    if (known === undefined) places.set(key, [i]);
    else known.push(i);
  }
  const runs: Run[] = [];
  for (let i = 0; i + RUN_WORDS_MIN <= prompt.length;) {
    const lengths = (places.get(keyAt(prompt, i)) ?? []).map((at) => {
      let n = RUN_WORDS_MIN;
      while (n < prompt.length - i && prompt[i + n]?.text === answer[at + n]?.text) n++;
      return n;
    });
    const length = Math.max(0, ...lengths);
    if (length > 0) runs.push({ from: i, to: i + length });
    i += Math.max(1, length);
  }
  return runs;
}

function keyAt(words: readonly Word[], at: number): string {
  return words.slice(at, at + RUN_WORDS_MIN).map(({ text }) => text).join(" ");
}
