/**
 * What an agent puts forward, in whatever form: ways in a list or a table, the halves of an either-or, an
 * offer, what it would or could do. Apart from alternatives.ts, which reads only ways that have names, to
 * tell them where they were laid out.
 */
import { memoize } from "../../base/memoize.ts";
import { collapse, cut, isAskedAtEnd, splitSentences, splitTyped } from "../../base/text/text.ts";
import { asksForAlternatives, proposes } from "./alternatives.ts";
import { withoutQuoted } from "../text/clean.ts";
import type { Exchange } from "../text/exchanges.ts";
import { spokenPattern, WHOLE_WORD, WORD_START } from "../phrases/phrase_patterns.ts";
import { inLanguagesOf } from "../phrases/phrase_tables.ts";
import { isTypedQuestion, withoutEmphasis, wordCount } from "../text/sentences.ts";

export interface Proposal {
  readonly text: string;
  /** With what it is about, if its own words do not say. */
  readonly told: string;
  /** An item of a list, or a row of a table. */
  readonly isListed: boolean;
  /** One of several, which a word of it is enough to take. */
  readonly isWay: boolean;
  /** What the agent advises, rather than offers or thinks possible. */
  readonly isAdvice: boolean;
}

const CHARACTERS_MAX = 160;

/** What it would, could or offers to do. */
const PUTS = spokenPattern("proposals.puts", WHOLE_WORD);
const COURTESY = spokenPattern("proposals.courtesy", WHOLE_WORD);
/** 'Would you like me to apply this fix?': a yes lets the agent go on, and settles nothing. */
const OFFERS_WORK = spokenPattern("proposals.offers_work", WORD_START);
/** What is put forward comes below it. */
const LEADS_ON = /:\**$/;
/** Leads to ways, in a list or behind a colon. */
const LEADS = spokenPattern("proposals.leads", WHOLE_WORD);
/** Two are named, of which one is to be taken; an either-or of causes is a diagnosis. */
const EITHER = spokenPattern("proposals.either", WHOLE_WORD);
const FAULTS = spokenPattern("proposals.faults", WHOLE_WORD);
/** 'Or Postgres, which …': the other half. */
const OTHER = spokenPattern("proposals.or", String.raw`^[¿¡]?{}\b`);

/** In the order of the answer, but the items of a list or table first. Kept, because several ask. */
export const proposalsIn = memoize((exchange: Exchange): readonly Proposal[] =>
  inLanguagesOf(textsOf(exchange), () => find(exchange))
);

/** What shows the languages of an exchange. */
export function textsOf({ prompt, answer }: Exchange): readonly string[] {
  return [answer?.text ?? "", prompt?.text ?? ""];
}

function find({ prompt, answer }: Exchange): readonly Proposal[] {
  const lines = withoutQuoted(answer?.text ?? "").split("\n");
  const prose = lines.filter((line) => !LINE.test(line) && !HEADING.test(line)).join("\n");
  const sentences = splitSentences(withoutEmphasis(prose));
  const areWays = asksForAlternatives(prompt?.text ?? "") ||
    sentences.some((one) => proposes(one) || LEADS.test(one));
  const items = areWays ? itemsIn(lines) : [];
  const other = sentences.findLastIndex((one) => OTHER.test(one));
  const isAsked = ASKED_FOR.test(prompt?.text ?? "") && sentences.length > 1;
  const put = sentences.flatMap((text, i): Proposal[] => {
    if (offersWork(text) || COURTESY.test(text) || LEADS_ON.test(text)) return [];
    const isAdvice = proposes(text);
    const isPut = isAdvice || putsForward(text) || isSuggested(text);
    const isWay = isAsked && !isAdvice && !isAskedAtEnd(text) || i === other ||
      i < other && isPut ||
      isEitherOr(text) && (isPut || !FAULTS.test(text)) ||
      LEADS.test(text) && /[:,]/.test(text);
    if (!isWay && !isPut) return [];
    const told = withNumbered(withMatter(text, sentences[i - 1], prompt?.text ?? ""), items);
    return [{
      text,
      told: cut(told, told === text ? CHARACTERS_MAX : LED_CHARACTERS_MAX),
      isListed: false,
      isWay,
      isAdvice,
    }];
  });
  return [
    ...items.map((item) => ({ ...ITEM, text: item, told: cut(item, CHARACTERS_MAX) })),
    ...put,
  ];
}

/** Whether it says what would, could or might be done. */
export function putsForward(text: string): boolean {
  return PUTS.test(text);
}

/** Whether it offers to go on with the work, rather than a way to have it. */
export function offersWork(text: string): boolean {
  return OFFERS_WORK.test(text);
}

/** 'Then ten minutes, with three retries?' */
function isSuggested(text: string): boolean {
  return isAskedAtEnd(text) && wordCount(text) >= SUGGESTED_WORDS_MIN && IS_KNOWN.test(text) &&
    !INFORMS.test(text) && !ASKS_WHAT.test(text);
}

/** Of any other language it is not known what asks, and what offers to go on. */
const IS_KNOWN = spokenPattern("languages.words", WHOLE_WORD);
const ASKS_WHAT = spokenPattern("proposals.wh", WHOLE_WORD);
const SUGGESTED_WORDS_MIN = 3;
/** What could be done was asked. */
const ASKED_FOR = spokenPattern("proposals.asked_for", WHOLE_WORD);

function isEitherOr(text: string): boolean {
  return EITHER.test(text) && !asksHowItIs(text) && !isDiagnosis(text);
}

/** 'How many users, 30 or 300?', 'do you use npm or pnpm?': to tell it decides nothing. */
export function asksHowItIs(text: string): boolean {
  return isAskedAtEnd(text) && INFORMS.test(text) && !WANTS.test(text);
}

const INFORMS = spokenPattern("proposals.informs", String.raw`^[¿¡]?{}\b`);
/** 'Is a list or a table better?' asks what is wanted. */
const WANTS = spokenPattern("proposals.wants", WHOLE_WORD);

/** 'That may be the cache or the proxy': which of them it is nobody chooses. */
export function isDiagnosis(text: string): boolean {
  return MAY_BE.test(text);
}

const MAY_BE = spokenPattern("proposals.may_be", WORD_START);

const ITEM = { isListed: true, isWay: true, isAdvice: false } as const;
const LED_CHARACTERS_MAX = 280;

const HEADING = /^\s{0,3}#{1,6} /;
const LINE = /^\s{0,6}(?:(?:[-*+•]|\d{1,2}[.)])\s+|\|\s*)(?=\S)(.*)$/;
const TABLE_RULE = /^\s{0,9}\|?[\s:|-]+$/;

/** The items of a list; of a table the rows, without its head. */
function itemsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    const text = withoutEmphasis(LINE.exec(line)?.[1] ?? "").trim();
    const isHead = TABLE_RULE.test(line) ||
      line.trimStart().startsWith("|") && TABLE_RULE.test(lines[i + 1] ?? "");
    if (text === "" || isHead) return [];
    return [text.split("|").map((cell) => cell.trim()).filter((cell) => cell !== "").join(", ")];
  });
}

/** Refers to what comes before it. */
const POINTS = spokenPattern("proposals.points");
const OWN_WORDS_MIN = 6;
/** 'Do we?' asks about the sentence before it. */
const MATTER_WORDS_MIN = 4;
const MATTER_CHARACTERS_MAX = 100;

/** 'Should I?' and 'I would do it after the release' are about what was asked, or the sentence before. */
function withMatter(text: string, before: string | undefined, prompt: string): string {
  if (wordCount(text) >= OWN_WORDS_MIN && !POINTS.test(text)) return text;
  const last = splitTyped(prompt).findLast((one) => isTypedQuestion(one));
  const asked = last !== undefined && wordCount(last) < MATTER_WORDS_MIN ? collapse(prompt) : last;
  const matter = asked !== undefined && asked.length <= MATTER_CHARACTERS_MAX && !isAskedAtEnd(text)
    ? asked
    : before ?? asked ?? "";
  return matter === "" || matter.length > CHARACTERS_MAX ? text : `${matter} ${text}`;
}

/** 'I would do 2 now' with what has the number. */
function withNumbered(text: string, items: readonly string[]): string {
  const meant = (text.match(/(?<![\w.,])[1-6](?![\w%]|[.,]\d)/g) ?? [])
    .flatMap((digit) => items[Number(digit) - 1] ?? [])
    .map((item) => cut(item.split(/[:.;]\s/, 1)[0] ?? item, ITEM_CHARACTERS_MAX));
  return meant.length === 0 ? text : `${text} (${meant.join("; ")})`;
}

const ITEM_CHARACTERS_MAX = 70;
