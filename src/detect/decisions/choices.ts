/**
 * Choices between alternatives that were laid out before, each with the name of the alternative; and, of a
 * prompt that decides by its position alone, the sentence that says how things are to be. Apart from
 * decisions.ts, which recognises a decision by its wording.
 */
import { collapse, hasQuestionMark, isAskedAtEnd, splitTyped } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { isDoubted, isNormative, isUndecided } from "./norms.ts";
import { NUMBERED_LIST } from "../text/list_items.ts";
import { goesOn, REPLY_WORDS_MAX, takes } from "./replies.ts";
import { hasWithheld, stemsOf, termsOf, wordCount } from "../text/sentences.ts";
import {
  alternativeMeant,
  type Alternatives,
  alternativesIn,
  areOffered,
  asksForAlternatives,
  beginsWithNumber,
  isLettered,
  isNamedByLetter,
  itemNamed,
  type Names,
  namesALetter,
} from "./alternatives.ts";
import type { Salient } from "../checkpoint/salience.ts";

export interface Choice {
  readonly text: string;
  readonly turn: Turn;
  /** The name of the alternative that was taken, if it had one. */
  readonly alternative?: string;
}

/** A prompt that decides and is no longer than this is kept whole. */
export const WHOLE_CHARACTERS_MAX = 200;
/** How many exchanges back the alternatives may have been laid out. */
const LAID_OUT_BEFORE = 10;

/** Whether it says how things are to be, without reporting or doubting. */
export function mayDecide(text: string): boolean {
  return isNormative(text) && !isDoubted(text) && !isUndecided(text);
}

/** In order. Of a prompt that takes an alternative, the sentence most worth keeping. */
export function findChoices(
  turns: readonly Turn[],
  salient: readonly Salient[],
  earlier: readonly Turn[],
): Choice[] {
  const own = exchangesOf(turns);
  const before = exchangesOf(earlier);
  const exchanges = [...before, ...own];
  const best = bestOfEach(own, salient);
  const choices = [
    ...[...best.values()].map(({ sentence: { text, turn } }): Candidate => ({
      text,
      turn,
      needsAlternative: !mayDecide(text),
    })),
    ...own.flatMap((exchange, i): Candidate[] =>
      best.has(i) ? [] : repliedCandidate(exchange, own[i - 1] ?? before.at(-1))
    ),
  ];
  return choices.flatMap((choice) => {
    const place = exchanges.findIndex(({ prompt }) => prompt === choice.turn);
    return withItsAlternative(choice, exchanges.slice(0, place));
  });
}

/** May be a choice; which alternative it takes is not known yet. */
interface Candidate {
  readonly text: string;
  readonly turn: Turn;
  /** Decides nothing by its own words: counts only if it takes an alternative. */
  readonly needsAlternative: boolean;
}

/** By exchange: of the prompt's sentences that decide something the one most worth keeping, else of all. */
function bestOfEach(
  exchanges: readonly Exchange[],
  salient: readonly Salient[],
): ReadonlyMap<number, Salient> {
  const best = new Map<number, Salient>();
  for (const one of salient) {
    const { text, turn, turnIndex } = one.sentence;
    if (!one.isDecided || turn.role !== "user" || isAskedAtEnd(text)) continue;
    const exchange = exchanges.findLastIndex(({ start }) => start <= turnIndex);
    const known = best.get(exchange);
    const settles = mayDecide(text);
    const knownSettles = known !== undefined && mayDecide(known.sentence.text);
    const isBetter = settles === knownSettles ? one.score > (known?.score ?? 0) : settles;
    if (isBetter) best.set(exchange, one);
  }
  return best;
}

function repliedCandidate({ prompt }: Exchange, before: Exchange | undefined): Candidate[] {
  if (prompt === undefined || before === undefined) return [];
  // Another question may be answered first: '1.9.5. go with the import one'.
  const said = splitTyped(prompt.text);
  const text = said.find(takes) ?? said[0] ?? "";
  if (!namesAlternative(text, prompt.text, before)) return [];
  return [{ text, turn: prompt, needsAlternative: false }];
}

/**
 * The choice with the name of its alternative; none if it says nothing by itself and takes no alternative.
 */
function withItsAlternative(
  { text, turn, needsAlternative }: Candidate,
  before: readonly Exchange[],
): Choice[] {
  const whole = collapse(turn.text);
  // 'Lock the device.' is too short to stand alone, and the reason after it says nothing without it.
  const isShort = whole.length <= WHOLE_CHARACTERS_MAX && !hasQuestionMark(whole) &&
    !hasWithheld(whole);
  const said = isShort ? whole : text;
  const laidOut = alternativesBefore(before, said);
  const alternative = alternativeMeant(said, laidOut.names, laidOut.numbered);
  // A sentence that stands alone must contain the whole name: a single word of it may be chance.
  const isMeant = alternative !== undefined &&
    (beginsWithNumber(said) ||
      (needsAlternative ? takesUp(said, alternative) : isSaidWhole(alternative, said)));
  // 'Then header session id' is no rule, but names what was laid out.
  // 'Proceed with the circles next.' orders what was laid out, and settles nothing.
  if (!isMeant) return needsAlternative || goesOn(said) ? [] : [{ text: said, turn }];
  const isNamed = said.toLowerCase().includes(alternative.toLowerCase().replaceAll("`", ""));
  if (isNamed) return [{ text: said, turn, alternative }];
  const isBare = wordCount(said) === 1;
  const told = isBare ? itemNamed(alternative, laidOut.answer) : `${alternative} — ${said}`;
  return [{ text: told, turn, alternative }];
}

/** Whether the text is about this alternative, and does not only mention a word of it. */
function takesUp(said: string, alternative: string): boolean {
  const code = /`([^`]+)`/.exec(alternative)?.[1];
  if (isSaidWhole(alternative, said) || code !== undefined && said.includes(code)) return true;
  const stems = stemsOf(said);
  const common = stems.intersection(stemsOf(alternative)).size;
  return common >= stems.size * (common >= TAKEN_UP_MIN ? SHARE_OF_TWO_MIN : SHARE_MIN);
}

const TAKEN_UP_MIN = 2;
const SHARE_MIN = 0.3;
const SHARE_OF_TWO_MIN = 0.25;

/** A short reply that names one of the alternatives which the last answer laid out. */
function namesAlternative(said: string, prompt: string, before: Exchange): boolean {
  const answer = before.answer?.text ?? "";
  const alternatives = alternativesIn(answer);
  // A number or a letter alone takes one; but a list of findings has numbers too.
  const isMarked = beginsWithNumber(said) || /^[A-F]\b/.test(said) && namesALetter(said);
  if (alternatives === undefined || isAskedAtEnd(said)) return false;
  if (NUMBERED_LIST.test(prompt)) return false;
  const isTaken = isMarked || takes(said);
  if (alternatives.recommended === undefined && !(isTaken && areOffered(alternatives, answer))) {
    return false;
  }
  const alternative = wordCount(said) > REPLY_WORDS_MAX
    ? undefined
    : alternativeMeant(said, alternatives.names, alternatives.numbered);
  if (isMarked) {
    return alternative !== undefined &&
      (alternatives.numbered.length > 0 || !beginsWithNumber(said));
  }
  const [name] = termsOf(alternative ?? "");
  return name !== undefined && termsOf(said).has(name);
}

interface LaidOut {
  readonly prompt: Turn | undefined;
  readonly answer: string;
  readonly alternatives: Alternatives;
}

/** What earlier answers laid out under names, latest first; each answer is parsed only when asked for. */
export function* alternativesLaidOutBefore(before: readonly Exchange[]): Generator<LaidOut> {
  for (const { prompt, answer } of before.slice(-LAID_OUT_BEFORE).reverse()) {
    const text = answer?.text ?? "";
    const alternatives = alternativesIn(text);
    if (alternatives !== undefined) yield { prompt, answer: text, alternatives };
  }
}

/** Names, and the answer that they are from. */
interface NamesLaidOut extends Names {
  readonly answer: string;
}

const NO_NAMES: NamesLaidOut = { names: [], numbered: [], answer: "" };

/**
 * What 'C, properly' may mean. Headings of a report are no alternatives, even if the next prompt shares words
 * with them, unless it contains one whole.
 */
export function alternativesBefore(before: readonly Exchange[], said = ""): NamesLaidOut {
  for (const { prompt, answer, alternatives } of alternativesLaidOutBefore(before)) {
    const { names, numbered } = alternatives;
    if (beginsWithNumber(said) && numbered.length === 0 && !names.some(isLettered)) continue;
    if (areOffered(alternatives, answer) || asksForAlternatives(prompt?.text ?? "")) {
      return { names, numbered, answer };
    }
    const whole = names.filter((name) => isSaidWhole(name, beginningOf(said, name)));
    if (whole.length > 0) return { names: whole, numbered: [], answer };
  }
  return NO_NAMES;
}

function isSaidWhole(name: string, said: string): boolean {
  if (isNamedByLetter(name, said)) return true;
  const stems = stemsOf(name);
  return stems.size >= WHOLE_NAME_MIN && stems.isSubsetOf(stemsOf(said));
}

/** The name of what is taken comes first, after a word of assent at most. */
function beginningOf(said: string, name: string): string {
  return said.slice(0, name.length + BEFORE_CHARACTERS_MAX);
}

const BEFORE_CHARACTERS_MAX = 8;
/** A heading of one word may be mentioned by chance. */
const WHOLE_NAME_MIN = 2;
