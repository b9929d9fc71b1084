/**
 * What a person pasted back of the agent's answer to ask about it: their own words are the question behind
 * it or before it. What is pasted back and not asked about says what is meant, and stays.
 */
import { memoize } from "../../base/memoize.ts";
import { patternFor } from "../../base/text/pattern.ts";
import { hasQuestionMark } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { replaceTexts } from "./replace_text.ts";
import { endsWithQuestion, wordCount } from "./sentences.ts";

/** So many words in a row are no chance. */
const RUN_WORDS_MIN = 8;
/** Between two pasted parts: an item's number, or a mark that was lost. */
const GAP_WORDS_MAX = 2;
const OWN_WORDS_MIN = 2;
/** Of the answer, its end: nobody pastes back what has scrolled away. */
const ANSWER_CHARACTERS_MAX = 20_000;
/** A longer prompt is a document. */
const PROMPT_CHARACTERS_MAX = 4_000;

/** The same turns, each question about a pasted part without that part. */
export const withoutPastedBack: (turns: readonly Turn[]) => readonly Turn[] = memoize(stripped);

function stripped(turns: readonly Turn[]): readonly Turn[] {
  let answer = "";
  return replaceTexts(turns, ({ role, text }) => {
    if (role !== "assistant") return questionAbout(text, answer);
    if (text !== "") answer = text;
    return undefined;
  });
}

/** The person's question, if the rest of the prompt is from the answer; else undefined. */
function questionAbout(prompt: string, answer: string): string | undefined {
  if (prompt.length > PROMPT_CHARACTERS_MAX || answer === "") return undefined;
  if (!hasQuestionMark(prompt) && !SO.test(prompt) && !endsWithQuestion(prompt)) return undefined;
  const words = wordsOf(prompt);
  if (words.length < RUN_WORDS_MIN + OWN_WORDS_MIN) return undefined;
  const runs = runsIn(words, wordsOf(answer.slice(-ANSWER_CHARACTERS_MAX)));
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  // Remarks between the parts answer each.
  const isRemarked = runs.some(({ from }, i) =>
    i > 0 && from - (runs[i - 1]?.to ?? 0) > GAP_WORDS_MAX
  );
  if (isRemarked) return undefined;
  const behind = prompt.slice(words[last.to - 1]?.to);
  const before = prompt.slice(0, words[first.from]?.from);
  return [behind.replace(MARKS, ""), before.replace(LEAD, "")].map((own) => own.trim())
    .find((own) => wordCount(own) >= OWN_WORDS_MIN && (endsWithQuestion(own) || SO.test(own)));
}

/** 'So it is not automated, I would have to …' asks whether that is right. */
const SO = /(?:^|[.!\n"'`] {0,2})so\b/i;
/** What ends the last pasted sentence. */
const MARKS = /^[\s.,;:!?)\]}"'”’`*_>…-]+/;
/** What leads to the first pasted word: a number, a quotation mark. */
const LEAD = /(?:^|\s)(?:\d{1,2}[.)]|[-*•>"“'`(])\s*$/;

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(patternFor(text, String.raw`[\p{L}\p{N}]+`, "gu"))].map((
    { 0: word, index },
  ) => ({ text: word.toLowerCase(), from: index, to: index + word.length }));
}

/** Places among the prompt's words, `to` excluded. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** The longest runs of words that both have, in the order of the prompt. */
function runsIn(prompt: readonly Word[], answer: readonly Word[]): Run[] {
  const whole = joined(answer);
  const runs: Run[] = [];
  for (let from = 0; from + RUN_WORDS_MIN <= prompt.length; from++) {
    let to = from + RUN_WORDS_MIN;
    if (!whole.includes(joined(prompt.slice(from, to)))) continue;
    while (to < prompt.length && whole.includes(joined(prompt.slice(from, to + 1)))) to++;
    runs.push({ from, to });
    from = to - 1;
  }
  return runs;
}

/** With a space around each word. */
function joined(words: readonly Word[]): string {
  return ` ${words.map(({ text }) => text).join(" ")} `;
}
