/**
 * Replies that choose by position: 'yes to 1 and 3', 'i think b is good', 'the second one'. Each is kept with
 * what stands at that position, also where the alternatives have no names: listed in one line, or the two
 * halves of an 'or'. Apart from alternatives.ts, which reads names, and replies.ts, which reads words.
 */
import { collapse, cut, isAskedAtEnd, splitSentences, splitTyped } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { listItems, NUMBERED_LIST } from "../text/list_items.ts";
import { proposalsIn } from "./proposals.ts";
import { asksWhatToShow, EITHER_OR, joined } from "./replies.ts";
import type { Reply } from "./reply.ts";
import {
  endsWithQuestion,
  hasWithheld,
  isTypedQuestion,
  termsOf,
  withoutEmphasis,
  wordCount,
} from "../text/sentences.ts";
import { alternativesIn, areOffered, asksWhich, inCells, recommends } from "./alternatives.ts";

const ONE = String
  .raw`(?:#?[1-6]|[a-f]|{positional_choices.first}|{positional_choices.second}|{positional_choices.third})`;
const AND = String.raw`(?: ?[,+&] ?| )(?:{positional_choices.and} )?`;
/**
 * After the position the reply ends, or gives a reason or a time. Anything else said of an alternative is no
 * choice of it ('the first one fails', '3 of them').
 */
const PICKS = phrasePattern(
  "positional_choices.behind",
  String
    .raw`^(?:{positional_choices.after}[,.!:…]* )*(?<places>${ONE}(?:${AND}${ONE})*)(?!${AND}${ONE}(?![\wà-ÿ]))(?=$|[.;!)](?!\w)|, | [–—-] | {}(?![\wà-ÿ]))`,
);
/** What comes of a reason: 'it has to work on hers so the second thing'. */
const SO = phrasePattern("positional_choices.so", String.raw`(?<=\S{2} ){} `);
const PLACE = phrasePattern(
  "positional_choices.first",
  String
    .raw`(?<![\wà-ÿ])(?:#?(?<digit>[1-6])|(?<letter>[a-f])|(?<first>{})|(?<second>{positional_choices.second})|(?<third>{positional_choices.third}))(?![\wà-ÿ])`,
  "gi",
);
/** Prefilter: most replies have none of these, and the patterns are expensive to compile. */
const SIGN = phrasePattern(
  "positional_choices.sign",
  String.raw`(?<![\w.:-])(?:[1-6]|[a-fA-F])(?![\w:%-]|[.,]\d)|{}`,
);
/** Tells alternatives from findings. */
const OFFERS = phrasePattern(
  "positional_choices.offers",
  String.raw`(?<![\wà-ÿ])(?:{}|{decisions.ways})(?![\wà-ÿ])`,
);
/** Asked with it, the alternative is not taken yet. */
const WEIGHS = phrasePattern("positional_choices.weighs", String.raw`^{}(?![\wà-ÿ])`);
const ITEM = /(?<=^|[\s(*])\(?([1-6]|[a-f])[.)]\**\s+(?=\S)/gi;
const ITEM_CHARACTERS_MAX = 90;
const HALVES_CHARACTERS_MAX = 160;

const SHORT_ANSWER = 600;
const NAME_TERMS_MIN = 2;

/** In order, at most one for each prompt. */
export function positionalChoices(turns: readonly Turn[]): Reply[] {
  const exchanges = exchangesOf(turns);
  return exchanges.flatMap(({ prompt }, i) => {
    const before = exchanges[i - 1];
    if (prompt === undefined || before?.answer === undefined || !SIGN.test(prompt.text)) return [];
    const said = splitTyped(prompt.text);
    const [first = ""] = said;
    if (hasWithheld(prompt.text) || isTypedQuestion(first) || !isOffered(before)) return [];
    const each = said.flatMap((one) => IN_FRONT.exec(one)?.[1] ?? []);
    const places = each.length > 1 ? each.join(" ") : placesIn(prompt.text, said);
    // 'B sounds good. but what if …' weighs it.
    if (said.slice(1).some((one) => isTypedQuestion(one) && WEIGHS.test(one))) return [];
    // A prompt that numbers its own requests chooses nothing.
    const isList = itemsIn(prompt.text).length > 0 || NUMBERED_LIST.test(prompt.text);
    const isBare = wordCount(joined(said)) <= 1;
    const taken = places === "" || isList ? undefined : takenIn(places, before, isBare);
    if (taken === undefined) return [];
    // 'Long-term' does not say of what.
    if (isBare && termsOf(taken).size < NAME_TERMS_MIN) return [];
    // 'B' alone says no more than the item.
    return isBare
      ? [{ said: taken, turn: prompt }]
      : [{ asked: taken, said: joined(said), turn: prompt }];
  });
}

/** The first that is picked: in front, in another sentence, or behind a reason. */
function placesIn(whole: string, said: readonly string[]): string {
  const parts = [
    collapse(whole),
    ...said.slice(1),
    ...said.flatMap((one) => one.split(SO).slice(1)),
  ];
  for (const part of parts) {
    const { places } = PICKS.exec(part)?.groups ?? {};
    if (places !== undefined) return places;
  }
  return "";
}

/** '1 today. 3 by the team': each in a sentence of its own. */
const IN_FRONT = /^#?([1-6])[ ,:]/;

function isOffered(before: Exchange): boolean {
  const { prompt, answer } = before;
  const [asked, said] = [prompt?.text ?? "", answer?.text ?? ""];
  if (asksWhatToShow(said)) return false;
  // A long answer contains 'ways' or 'options' somewhere; one that offers them asks at its end, or recommends
  // one.
  const end = splitSentences(said).at(-1) ?? "";
  const isPut = isAskedAtEnd(end) || asksWhich(end) || said.length <= SHORT_ANSWER;
  const laidOut = alternativesIn(said);
  return OFFERS.test(said) && isPut || recommends(said) ||
    laidOut !== undefined && laidOut.numbered.length > 0 && areOffered(laidOut, said) ||
    endsWithQuestion(asked) &&
      (OFFERS.test(asked) || EITHER_OR.test(asked)) ||
    said.length <= SHORT_ANSWER && proposalsIn(before).some(({ isWay }) => isWay);
}

/** `isWhole`: with all that the items say, because the reply says nothing. */
function takenIn(
  places: string,
  { prompt, answer }: Exchange,
  isWhole: boolean,
): string | undefined {
  const meant = [...PLACE.matchAll(places)].map(({ groups = {} }) => {
    const { digit, letter, first, second } = groups;
    return letter !== undefined
      ? letter.toLowerCase().charCodeAt(0) - 97
      : first !== undefined
      ? 0
      : second !== undefined
      ? 1
      : Number(digit ?? 3) - 1;
  });
  const [asked, said] = [prompt?.text ?? "", answer?.text ?? ""];
  for (const text of [said, asked]) {
    const items = itemsIn(text, /^[a-f]\b/i.test(places), isWhole ? wholeOf : nameOf);
    const named = meant.flatMap((place) => items[place] ?? []);
    if (named.length === meant.length) return named.join("; ");
  }
  // A number or a letter can only mean an item that has one.
  if (/^#?(?:\d|[a-f]\b)/i.test(places)) return undefined;
  const lines = [...withoutEmphasis(said).matchAll(BULLET)].map(([, item = ""]) => nameOf(item));
  const bulleted = meant.flatMap((place) => lines[place] ?? []);
  if (bulleted.length === meant.length) return bulleted.join("; ");
  const halves = [...splitSentences(said), ...splitTyped(asked)].find((one) =>
    EITHER_OR.test(one) || OFFERS.test(one)
  );
  return halves && cut(collapse(halves), HALVES_CHARACTERS_MAX);
}

/** The names of listed items, one per line or all in one line. */
function itemsIn(text: string, isLettered?: boolean, told = nameOf): string[] {
  const plain = withoutEmphasis(text);
  const marks = plain.matchAll(ITEM).filter(([, mark = ""]) =>
    isLettered === undefined || isLettered !== /\d/.test(mark)
  );
  return listItems(plain, marks).map(told);
}

const BULLET = /^\s{0,6}[-*+•]\s+(\S.*)$/gm;

function nameOf(item: string): string {
  const [name = ""] = item.split(/\n|[.:;](?=\s|$)|\s[–—-]\s/, 1);
  return cut(collapse(withoutLink(name)), ITEM_CHARACTERS_MAX);
}

/** Its first line; of a row of a table the cells. */
function wholeOf(item: string): string {
  return cut(collapse(inCells(withoutLink(item.split("\n", 1)[0] ?? ""))), HALVES_CHARACTERS_MAX);
}

/** What leads to the next item in the same line. */
const LINKS = phrasePattern(
  "positional_choices.and",
  String.raw`(?:,|,? (?:{}|{replies.opens}))[\s(]*$`,
);

function withoutLink(name: string): string {
  return name.slice(0, LINKS.exec(name)?.index);
}
