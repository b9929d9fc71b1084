/**
 * What a person takes where ways lay open, told with the name of the way; and of a prompt that settles something
 * by its place the sentence that says what shall be. Apart from decisions.ts, which reads sentences that settle
 * something wherever they stand.
 */
import { collapse, hasQuestionMark, isAskedAtEnd, splitTyped } from "../base/text.ts";
import type { Turn } from "../editor/editor.ts";
import { type Exchange, exchangesOf } from "./exchanges.ts";
import { heard } from "./languages.ts";
import {
  isDoubted,
  isUndecided,
  pointsBack,
  reproaches,
  saysEnough,
  saysWhatShallBe,
} from "./norms.ts";
import { LISTED } from "./listed.ts";
import { REPLY_WORDS_MAX } from "./replies.ts";
import { isTorn, stemsOf, termsOf, wordCount } from "./sentences.ts";
import {
  areOffered,
  asksForWays,
  hasLetter,
  isByNumber,
  isCalled,
  isLettered,
  wayMeant,
  type Ways,
  waysIn,
} from "./ways.ts";
import type { Worthy } from "./worth.ts";

export interface Taken {
  readonly text: string;
  readonly turn: Turn;
  /** The name of the way that was taken, where it had one. */
  readonly way?: string;
}

/** A prompt that decides and is no longer is told as it is. */
export const WHOLE_CHARACTERS_MAX = 200;
/** Exchanges before a choice in which its ways may have been laid out. */
const LAID_OUT_BEFORE = 10;

/**
 * Whether it says what shall be, and is no call to look at something, nor tells what somebody saw or doubts. 'Only
 * 2 and 4' says nothing without the list.
 */
export function maySettle(text: string): boolean {
  const isNumbers = termsOf(text.replace(NUMBERS, "")).size < TERMS_MIN && NUMBERS_SAID.test(text);
  return saysWhatShallBe(text) && !reproaches(text) &&
    !LOOKS.test(text) && !isDoubted(text) && !isUndecided(text) && !isNumbers;
}

const NUMBERS = /\d+/g;
const NUMBERS_SAID = /\b\d{1,3}\b/;
const TERMS_MIN = 2;

const LOOKS = heard("decisions.looks", String.raw`^(?:{decisions.ordered_after}[,.!]? )*{}\b`);

/** Where a way was taken, the sentence of that prompt which somebody would want back the most. */
export function taken(
  turns: readonly Turn[],
  worthy: readonly Worthy[],
  earlier: readonly Turn[],
): Taken[] {
  const own = exchangesOf(turns);
  const before = exchangesOf(earlier);
  const exchanges = [...before, ...own];
  const best = bestOfEach(own, worthy);
  const choices = [
    ...[...best.values()].map(({ sentence: { text, turn } }): Choice => ({
      text,
      turn,
      needsWay: !maySettle(text),
      isReply: false,
    })),
    ...own.flatMap((exchange, i): Choice[] =>
      best.has(i) ? [] : repliedChoice(exchange, own[i - 1] ?? before.at(-1))
    ),
  ];
  return choices.flatMap((choice) => {
    const place = exchanges.findIndex(({ prompt }) => prompt === choice.turn);
    return withItsWay(choice, exchanges.slice(0, place));
  });
}

/** What may have settled something, before it is known which way it takes. */
interface Choice {
  readonly text: string;
  readonly turn: Turn;
  /** Settles nothing by its own words: it counts only where it takes a way. */
  readonly needsWay: boolean;
  /** A short reply that names a way. */
  readonly isReply: boolean;
}

/** By exchange: its prompt's sentence that settles something and is worth most, else the one worth most. */
function bestOfEach(
  exchanges: readonly Exchange[],
  worthy: readonly Worthy[],
): ReadonlyMap<number, Worthy> {
  const best = new Map<number, Worthy>();
  for (const one of worthy) {
    const { text, turn, turnIndex } = one.sentence;
    if (!one.isDecided || turn.role !== "user" || isAskedAtEnd(text)) continue;
    const exchange = exchanges.findLastIndex(({ start }) => start <= turnIndex);
    const known = best.get(exchange);
    const settles = maySettle(text);
    const knownSettles = known !== undefined && maySettle(known.sentence.text);
    const isBetter = settles === knownSettles ? one.score > (known?.score ?? 0) : settles;
    if (isBetter) best.set(exchange, one);
  }
  return best;
}

function repliedChoice({ prompt }: Exchange, before: Exchange | undefined): Choice[] {
  if (prompt === undefined || before === undefined || !namesWay(prompt.text, before)) return [];
  const text = splitTyped(prompt.text)[0] ?? "";
  return [{ text, turn: prompt, needsWay: false, isReply: true }];
}

/** The choice with the name of its way, where it takes one; nothing where it says nothing by itself. */
function withItsWay(
  { text, turn, needsWay, isReply }: Choice,
  before: readonly Exchange[],
): Taken[] {
  const whole = collapse(turn.text);
  // 'Lock the device.' is too short to stand alone, and the reason behind it says nothing without.
  const isShort = whole.length <= WHOLE_CHARACTERS_MAX && !hasQuestionMark(whole) &&
    !isTorn(whole);
  const said = isShort ? whole : text;
  // '1. yes 2. no' answers questions one by one.
  const names = LISTED.test(turn.text) ? [] : namesBefore(before, said);
  const way = wayMeant(said, names);
  // A sentence that stands by itself must say the name whole: it has a word of it by chance.
  const isMeant = way !== undefined &&
    (isByNumber(said) || (needsWay ? takesUp(said, way) : isSaidWhole(way, said)));
  // 'Then header session id' does not say what shall be, and names what was laid out.
  if (needsWay && (!isMeant || LOOKS.test(text))) return [];
  if (!isMeant) {
    const standsAlone = isReply || saysEnough(said) && (isShort || !pointsBack(said));
    return standsAlone ? [{ text: said, turn }] : [];
  }
  const isNamed = said.toLowerCase().includes(way.toLowerCase().replaceAll("`", ""));
  if (isNamed) return [{ text: said, turn, way }];
  const isNumber = isByNumber(said) && wordCount(said) === 1;
  return [{ text: isNumber ? way : `${way} — ${said}`, turn, way }];
}

/** Whether a way is what it is about, and no word in passing. */
function takesUp(said: string, way: string): boolean {
  const code = /`([^`]+)`/.exec(way)?.[1];
  if (isSaidWhole(way, said) || code !== undefined && said.includes(code)) return true;
  const stems = stemsOf(said);
  const common = stems.intersection(stemsOf(way)).size;
  return common >= stems.size * (common >= TAKEN_UP_MIN ? SHARE_OF_TWO_MIN : SHARE_MIN);
}

const TAKEN_UP_MIN = 2;
const SHARE_MIN = 0.3;
const SHARE_OF_TWO_MIN = 0.25;

/** A short reply that says the name of one of the ways which were just laid out. */
function namesWay(prompt: string, before: Exchange): boolean {
  const answer = before.answer?.text ?? "";
  const ways = waysIn(answer);
  const [said = ""] = splitTyped(prompt);
  // A number or a letter says by itself that one is taken; a list of findings has them too.
  const isMarked = isByNumber(said) || /^[A-F]\b/.test(said) && hasLetter(said);
  if (ways === undefined || isAskedAtEnd(said) || isUndecided(said)) return false;
  if (LISTED.test(prompt)) return false;
  if (ways.recommended === undefined && !(isMarked && areOffered(ways, answer))) return false;
  const way = wordCount(said) > REPLY_WORDS_MAX ? undefined : wayMeant(said, ways.names);
  if (isMarked) return way !== undefined && (ways.areNumbered || !isByNumber(said));
  const [name] = termsOf(way ?? "");
  return name !== undefined && termsOf(said).has(name);
}

interface LaidOut {
  readonly prompt: Turn | undefined;
  readonly answer: string;
  readonly ways: Ways;
}

/** What answers laid out by names, the latest first, each read when it is asked for. */
export function* laidOutBefore(before: readonly Exchange[]): Generator<LaidOut> {
  for (const { prompt, answer } of before.slice(-LAID_OUT_BEFORE).reverse()) {
    const text = answer?.text ?? "";
    const ways = waysIn(text);
    if (ways !== undefined) yield { prompt, answer: text, ways };
  }
}

/**
 * 'C, properly' means nothing without the name of C, which was said when it was laid out. The headings of a
 * report are no ways, whatever words they share with what is said next, unless one is said whole.
 */
export function namesBefore(before: readonly Exchange[], said = ""): readonly string[] {
  for (const { prompt, answer, ways } of laidOutBefore(before)) {
    if (isByNumber(said) && !ways.areNumbered && !ways.names.some(isLettered)) continue;
    if (areOffered(ways, answer) || asksForWays(prompt?.text ?? "")) return ways.names;
    const whole = ways.names.filter((name) => isSaidWhole(name, beginningOf(said, name)));
    if (whole.length > 0) return whole;
  }
  return [];
}

function isSaidWhole(name: string, said: string): boolean {
  if (isCalled(name, said)) return true;
  const stems = stemsOf(name);
  return stems.size >= WHOLE_NAME_MIN && stems.isSubsetOf(stemsOf(said));
}

/** What is taken is named first, behind a word of assent at most. */
function beginningOf(said: string, name: string): string {
  return said.slice(0, name.length + BEFORE_CHARACTERS_MAX);
}

const BEFORE_CHARACTERS_MAX = 8;
/** A heading of one word may be said by chance. */
const WHOLE_NAME_MIN = 2;
