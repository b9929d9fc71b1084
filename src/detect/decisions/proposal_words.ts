/**
 * A short reply beside what it replies to, and the words in which it names a part of that, says yes, or waits.
 * Apart from proposal_replies.ts, because what counters a proposal asks the same (counter_proposals.ts).
 */
import { collapse, cut, fold, isAskedAtEnd, splitSentences } from "../../base/text/text.ts";
import { patternFor } from "../../base/text/pattern.ts";
import type { Exchange } from "../text/exchanges.ts";
import { spokenPattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import type { Proposal } from "./proposals.ts";
import { joined, OPEN_ENDED } from "./replies.ts";
import type { Said } from "./reply.ts";
import { withoutEmphasis, wordCount } from "../text/sentences.ts";

export const ASKED_CHARACTERS_MAX = 160;
/** What is taken is named in so many words. */
export const NAME_WORDS_MAX = 5;

/** A reply, and what surrounds it. */
export interface Answered {
  readonly said: readonly string[];
  readonly proposals: readonly Proposal[];
  /** What was put forward before, if the person asked a question in between, or turns back to it. */
  readonly earlier: readonly Proposal[];
  readonly before: Exchange;
  /** The agent changed files upon it: it was more than talk. */
  readonly isDone: boolean;
  /** The agent did nothing upon it. */
  readonly isLeft: boolean;
}

/** `where`: the sentence that is replied to. */
export function replyTo(where: string, said: readonly string[]): Said {
  return { asked: cut(collapse(where), ASKED_CHARACTERS_MAX), said: joined(said) };
}

/** Where the name ends, and a reason or a reservation begins. */
export const NAME_ENDS = spokenPattern(
  "proposals.name_ends",
  String
    .raw`[,;:!.(–—](?:\s|$)|(?<![\wà-ÿ])(?:{}(?![\wà-ÿ])|{proposals.behind}(?= ?(?:$|[,.;:!–—]|{proposals.name_ends}\b)))`,
);
/** Words of choosing before a name. */
export const BEFORE = spokenPattern("proposals.before", String.raw`^(?:{}[,.!]* +)+`);
/** Ordered for the moment. */
export const MOMENT = spokenPattern(
  "proposals.moment",
  String.raw`^(?:{proposals.before}[,.!]* +)*{}\b`,
);
/** Articles, prepositions, and verbs of taking and leaving: what is taken has other words. */
const LIGHT = spokenPattern("proposals.light", "^{}$");

export function isLight(word: string): boolean {
  return LIGHT.test(word);
}

/** Says nothing of what is taken. */
export const EMPTY = spokenPattern("proposals.empty", "^{}$");

export const DROPS = spokenPattern("proposals.drops", String.raw`(?:^|[ ,;.]){}[.! ]*$`);
/** The words of a short name that a sentence begins with; undefined if they name nothing. */
export function namedIn(said: string): readonly string[] | undefined {
  const bare = `${withoutElided(collapse(said))} `.replace(BEFORE, "");
  const words = wordsOf(bare.split(NAME_ENDS, 1)[0] ?? "");
  const isEmpty = (word: string): boolean => EMPTY.test(word) || PLACE.test(word);
  return words.length > NAME_WORDS_MAX || words.every(isEmpty) ? undefined : words;
}

const PARTS_WORDS_MAX = 10;

/** 'Leave the lines in and take the median': what is named among words of taking and leaving. */
export function partsIn(said: string): readonly string[] | undefined {
  const clause = `${withoutElided(collapse(said))} `.replace(BEFORE, "").split(NAME_ENDS, 1)[0] ??
    "";
  const words = wordsOf(clause);
  const parts = words.filter((word) => !isLight(word));
  const isName = words.length <= PARTS_WORDS_MAX && parts.length < words.length &&
    !parts.every((word) => EMPTY.test(word) || PLACE.test(word));
  return isName ? parts : undefined;
}

/** "L'index", "d'index". */
const ELIDED = /(?<![\wà-ÿ])(?:[dl]|dell|all|sull|nell|un)['’](?=[\wà-ÿ])/gi;

export function withoutElided(text: string): string {
  return text.replace(ELIDED, "");
}

/** What has a letter or a number is read elsewhere; in running text each occurs by chance. */
export const PLACE = /^[a-f1-6]$/;

export function wordsOf(text: string): string[] {
  const folded = fold(text);
  return folded.match(patternFor(folded, WORD, "gu")) ?? [];
}

const WORD = String.raw`[\p{L}\p{N}]+(?:[.'’][\p{N}]+)*`;

export function saysAll(text: string, words: readonly string[]): boolean {
  const known = wordsOf(text);
  return words.every((word) => known.some((one) => isSameWord(one, word)));
}

/** 'Pin' and 'pins', 'ouvre' and 'ouvrir'; `other` may be the end of a compound. */
export function isSameWord(one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].map((word) => word.slice(0, STEM))
    .sort((a, b) => a.length - b.length);
  return short === long || short.length >= SHORT_WORD && long.startsWith(short) ||
    other.length >= STEM && one.endsWith(other) ||
    one.slice(0, ROOT) === other.slice(0, ROOT) && other.length > ROOT &&
      [one, other].every((word) => ENDING.test(word.slice(ROOT)));
}

const ROOT = 4;
/** What differs between two forms of a word, in one language or another. */
const ENDING =
  /^(?:e[nrstz]?|es|ent|ons?|s|t|te|st|i[rst]?|re|o|as?|ar|an|amos|emos|iamo|are|ere|ire|ing|ed)$/;

const STEM = 5;
export const SHORT_WORD = 3;

/** A yes, with what is said before it. */
export const AGREES = spokenPattern(
  "proposals.agrees",
  // Bounded, because "cool" is either.
  String
    .raw`^(?:{proposals.hum}[,.!…]* +){0,6}(?:{}[,.! ]*)+(?=$|[,.;:!–—]|\b{proposals.name_ends}\b)`,
);
export const STARTS_YES = spokenPattern(
  "proposals.yes",
  String.raw`^(?:{proposals.hum}[,.!…]* +)*{}[,.!]*(?: |$)`,
);
/** It may only take note of what was said. */
export const WEAK = spokenPattern(
  "proposals.weak",
  String.raw`^(?:{proposals.hum}[,.!…]* +)*{}(?=$|[,.;!])`,
);
/** What was said is to be done. */
export const ACTS = spokenPattern("proposals.acts", WHOLE_WORD);
export const PRAISES = spokenPattern("proposals.praises", String.raw`^(?:{}[,.! ]*)+$`);
export const IS_SO = spokenPattern("proposals.is_so", "^{}");
export const HALTS = spokenPattern("proposals.halts", String.raw`^{}\b`);
/** 'Yes, later' and 'yes maybe'. */
export const LATER = spokenPattern("proposals.later", String.raw`^{}\b`);
export const OFFERS_MOMENT = spokenPattern(
  "proposals.moment",
  String.raw`\b{}\b[^?]{0,300}\?$|\b(?:{proposals.weighs}) (?:\S+ )?{proposals.moment}\b`,
);

export const WEIGHS = spokenPattern("proposals.weighs", WHOLE_WORD);

/** 'Agreed?', 'shall I?': asks about what the sentence before puts forward. */
const TAG_WORDS_MAX = 5;
const BARE_TAG_WORDS_MAX = 3;
/** 'Do you want me to do that?' */
export const THAT = spokenPattern("proposals.that", WHOLE_WORD);

/** The last sentence of an answer, or the one before such a question. */
export function endOf(answer: string, proposals: readonly Proposal[]): string {
  const [before = "", end = ""] = splitSentences(answer).slice(-2);
  const last = end === "" ? before : end;
  const wordsMax = THAT.test(end) ? TAG_WORDS_MAX : BARE_TAG_WORDS_MAX;
  const isTag = end !== "" && isAskedAtEnd(end) && wordCount(end) <= wordsMax &&
    !OFFERS_MOMENT.test(end) && !OPEN_ENDED.test(end);
  const isPut = proposals.some(({ text, isListed }) =>
    !isListed && withoutEmphasis(before) === text
  );
  return isTag && isPut ? before : last;
}
