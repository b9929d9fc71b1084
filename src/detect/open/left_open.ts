/**
 * What a person leaves open in passing, undecided, not known, for somebody else or for its day, until they come back
 * to it. Apart from questions.ts, which reads what is asked, and what an agent says is left.
 */
import { memoize } from "../../base/memoize.ts";
import { collapse, hasQuestionMark, isAskedAtEnd, splitTyped } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { answersOf, type Exchange, exchangeAfter, exchangesOf } from "../text/exchanges.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import {
  isTypedQuestion,
  jaccard,
  namesMatter,
  precedingTyped,
  type Sentence,
  sentencesOf,
  termsOf,
  withPreceding,
} from "../text/sentences.ts";
import { type PhrasePattern, unspacedPattern } from "../phrases/unspaced.ts";
import { isStillWaiting } from "./waits_and_deadlines.ts";

/** Somebody who has to think about it, or leaves, has not answered. */
export const PUTS_OFF = phrasePattern("questions.puts_off", WHOLE_WORD);

interface Left {
  /** Undecided, or not known. */
  readonly left: readonly Sentence[];
  /** For somebody else, or for its day. */
  readonly waiting: readonly Sentence[];
}

/** What a person leaves open. Kept, because a note asks twice. */
export const leftIn = memoize((turns: readonly Turn[]): Left => {
  const exchanges = exchangesOf(turns);
  const sentences = sentencesOf(turns);
  const left = sentences.filter((sentence) => isLeftOpen(sentence, exchanges, sentences));
  const waiting = sentences.filter((sentence) =>
    !left.includes(sentence) && isStillWaiting(sentence, exchanges)
  );
  return { left, waiting };
});

/** Answers to what a person leaves open, for which nothing was done: no result, however late they come. */
export function answersToWhatIsLeft(turns: readonly Turn[]): ReadonlySet<Turn | undefined> {
  const { left, waiting } = leftIn(turns);
  const prompts = new Set([...left, ...waiting].map(({ turn }) => turn));
  return answersOf(
    exchangesOf(turns).filter(({ prompt, tools }) =>
      prompt !== undefined && prompts.has(prompt) && tools.length === 0
    ),
  );
}

/**
 * A choice that a person leaves open, or that others have not made yet: 'leave it open for now', 'not decided
 * yet'.
 */
const UNDECIDED = phrasePattern("questions.undecided").prefilteredBy(
  phrasePattern("questions.undecided_sign"),
);
const UNDECIDED_UNSPACED = unspacedPattern("questions.undecided_unspaced");

/** The pattern by which something is left open; undefined if none matches. */
function undecidedIn(text: string): PhrasePattern | undefined {
  return [UNDECIDED_UNSPACED, UNDECIDED].find((one) => one.test(text));
}

/**
 * Whether a person left it open and nobody came back to it. What the agent says right away only acknowledges
 * it.
 */
function isLeftOpen(
  sentence: Sentence,
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const { text, turn, turnIndex } = sentence;
  if (turn.role !== "user" || undecidedIn(text) === undefined || isAskedAtEnd(text)) return false;
  const matter = termsOf(matterLeftOpen(sentence, exchanges));
  const after = exchangeAfter(turnIndex, exchanges)?.start;
  return after === undefined ||
    !comesBackTo(matter, sentences, (later) => later.turnIndex >= after);
}

/** The question that is left open: in the same prompt, in the sentence itself, or in the prompt before. */
export function matterLeftOpen(
  { text, turn, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
): string {
  const mark = undecidedIn(text);
  const rest = mark === undefined ? text : text.replace(mark, "");
  const isOwn = namesMatter(rest, ASKED_TERMS_MIN);
  if (PUT_ASIDE.test(text)) {
    if (isOwn) return text;
    return precedingTyped({ text, turn }) === undefined ? "" : withPreceding({ text, turn });
  }
  const own = splitTyped(turn.text);
  const asked = own.findLast((one) => isTypedQuestion(one));
  if (asked !== undefined) return own.slice(own.indexOf(asked)).join(" ");
  if (isOwn && !POINTS_BACK.test(text)) return text;
  const { prompt, answer } = exchanges.findLast(({ start }) => start < turnIndex) ?? {};
  const isChoice = [prompt, answer].some((turn) => TWO_WAYS.test(turn?.text ?? "")) ||
    hasQuestionMark(prompt?.text ?? "");
  return isChoice ? `${collapse(prompt?.text ?? "")} → ${text}` : "";
}

/** There is something to leave open. */
const TWO_WAYS = phrasePattern("questions.two_ways", WHOLE_WORD);

/** 'That is for another day' refers to what comes before it. */
const PUT_ASIDE = phrasePattern("questions.put_aside");

/** Refers to something said before; 'leave it open whether …' says it itself. */
const POINTS_BACK = phrasePattern(
  "questions.points_back",
  String.raw`^(?!.*\b{questions.says_which}\b).*\b{}\b`,
);

/** Terms by which a question is understood alone. */
export const ASKED_TERMS_MIN = 2;

/** Whether a later sentence is about the matter of these terms. */
export function comesBackTo(
  terms: ReadonlySet<string>,
  sentences: readonly Sentence[],
  isLater: (sentence: Sentence) => boolean,
): boolean {
  return sentences.some((one) => isLater(one) && jaccard(terms, termsOf(one.text)) > SAME_MATTER);
}

/** The share of terms that a question and its answer have in common. */
const SAME_MATTER = 0.3;
