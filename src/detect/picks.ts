/**
 * What a reply takes by its place: 'yes to 1 and 3', 'i think b is good', 'the second one'. Told with what
 * stands there, also where the ways have no names: listed in one line, or the halves of an 'or'. Apart from
 * ways.ts, which reads names, and replies.ts, which reads words.
 */
import {
  collapse,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../base/text.ts";
import type { Turn } from "../editor/editor.ts";
import { type Exchange, exchangesOf } from "./exchanges.ts";
import { heard } from "./languages.ts";
import { itemsBehind, LISTED } from "./listed.ts";
import { asksWhatToShow, OPENS, whole } from "./replies.ts";
import type { Reply } from "./reply.ts";
import { isAsked, isTorn, termsOf, withoutEmphasis, wordCount } from "./sentences.ts";
import { asksWhich, recommends } from "./ways.ts";

const ONE = String.raw`(?:#?[1-6]|[a-f]|{picks.first}|{picks.second}|{picks.third})`;
const AND = String.raw`(?: ?[,+&] ?| )(?:{picks.and} )?`;
/**
 * Behind it the reply ends, or says why or for how long: what else is said of a way is no choice of it ('the
 * first one fails', '3 of them').
 */
const PICKS = heard(
  "picks.behind",
  String
    .raw`^(?:{picks.after}[,.!:…]* )*(?<places>${ONE}(?:${AND}${ONE})*)(?!${AND}${ONE}(?![\wà-ÿ]))(?=$|[.;!)](?!\w)|, | [–—-] | {}(?![\wà-ÿ]))`,
);
const PLACE = heard(
  "picks.first",
  String
    .raw`(?<![\wà-ÿ])(?:#?(?<digit>[1-6])|(?<letter>[a-f])|(?<first>{})|(?<second>{picks.second})|(?<third>{picks.third}))(?![\wà-ÿ])`,
  "gi",
);
/** A word or a sign of each: most replies have none, and the patterns are dear to make. */
const SIGN = heard("picks.sign", String.raw`(?<![\w.:-])(?:[1-6]|[a-fA-F])(?![\w:%-]|[.,]\d)|{}`);
/** That ways were laid out, and no findings. */
const OFFERS = heard("picks.offers", String.raw`(?<![\wà-ÿ])(?:{}|{decisions.ways})(?![\wà-ÿ])`);
const ITEM = /(?<=^|[\s(*])\(?([1-6]|[a-f])[.)]\**\s+(?=\S)/gi;
const ITEM_CHARACTERS_MAX = 90;
const HALVES_CHARACTERS_MAX = 160;

const SHORT_ANSWER = 600;
const NAME_TERMS_MIN = 2;

/** One a prompt at most, in order. */
export function picked(turns: readonly Turn[]): Reply[] {
  const exchanges = exchangesOf(turns);
  return exchanges.flatMap(({ prompt }, i) => {
    const before = exchanges[i - 1];
    if (prompt === undefined || before?.answer === undefined || !SIGN.test(prompt.text)) return [];
    const said = splitTyped(prompt.text);
    const [first = ""] = said;
    if (isTorn(prompt.text) || isAsked(first) || !isOffered(before)) return [];
    const { places = "" } = PICKS.exec(collapse(prompt.text))?.groups ?? {};
    // Whoever numbers what is to be done takes nothing by it.
    const isList = itemsIn(prompt.text).length > 0 || LISTED.test(prompt.text);
    const taken = places === "" || isList ? undefined : takenIn(places, before);
    if (taken === undefined) return [];
    // 'Long-term' says nothing of what.
    if (wordCount(whole(said)) <= 1 && termsOf(taken).size < NAME_TERMS_MIN) return [];
    // 'B' says no more than the name does.
    return wordCount(whole(said)) > 1
      ? [{ asked: taken, said: whole(said), turn: prompt }]
      : [{ said: taken, turn: prompt }];
  });
}

function isOffered({ prompt, answer }: Exchange): boolean {
  const [asked, said] = [prompt?.text ?? "", answer?.text ?? ""];
  if (asksWhatToShow(said)) return false;
  // A long answer names 'ways' and 'options' somewhere; who offers them asks at the end, or would take one.
  const end = splitSentences(said).at(-1) ?? "";
  const isPut = isAskedAtEnd(end) || asksWhich(end) || said.length <= SHORT_ANSWER;
  return OFFERS.test(said) && isPut || recommends(said) ||
    hasQuestionMark(asked) && (OFFERS.test(asked) || OPENS.test(asked));
}

function takenIn(places: string, { prompt, answer }: Exchange): string | undefined {
  const meant = [...PLACE.all(places)].map(({ groups = {} }) => {
    const { digit, letter, first, second } = groups;
    return letter !== undefined
      ? letter.toLowerCase().charCodeAt(0) - 97
      : first !== undefined
      ? 0
      : second !== undefined
      ? 1
      : Number(digit ?? 3) - 1;
  });
  if (meant.length === 0) return undefined;
  const [asked, said] = [prompt?.text ?? "", answer?.text ?? ""];
  for (const text of [said, asked]) {
    const items = itemsIn(text, /^[a-f]\b/i.test(places));
    const named = meant.flatMap((place) => items[place] ?? []);
    if (named.length === meant.length) return named.join("; ");
  }
  // By a number or a letter only what has one is meant.
  if (/^#?(?:\d|[a-f]\b)/i.test(places)) return undefined;
  const halves = [...splitSentences(said), ...splitTyped(asked)].find((one) =>
    OPENS.test(one) || OFFERS.test(one)
  );
  return halves && cut(collapse(halves), HALVES_CHARACTERS_MAX);
}

/** The names of what is listed, in lines or in one. */
function itemsIn(text: string, isLettered?: boolean): string[] {
  const plain = withoutEmphasis(text);
  const marks = plain.matchAll(ITEM).filter(([, mark = ""]) =>
    isLettered === undefined || isLettered !== /\d/.test(mark)
  );
  return itemsBehind(plain, marks).map((item) => {
    const [name = ""] = item.split(/\n|[.:;](?=\s|$)|\s[–—-]\s/, 1);
    return cut(collapse(withoutLink(name)), ITEM_CHARACTERS_MAX);
  });
}

/** What leads to the next item in the same line. */
const LINKS = heard("picks.and", String.raw`(?:,|,? (?:{}|{replies.opens}))[\s(]*$`);

function withoutLink(name: string): string {
  return name.slice(0, LINKS.exec(name)?.index);
}
