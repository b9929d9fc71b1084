/**
 * A short reply straight behind what the agent put forward: it takes a part of it by its words, says yes, or
 * turns it down, and it asks, orders and reports nothing else. That is the decision, told with what it
 * replies to. Apart from replies.ts, where the words of the reply say what it is.
 */
import {
  collapse,
  cut,
  fold,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../../base/text/text.ts";
import { patternFor } from "../../base/text/pattern.ts";
import type { Turn } from "../../editor/editor.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { PUTS_OFF } from "../open/left_open.ts";
import { NUMBERED_LIST } from "../text/list_items.ts";
import { SEVERAL_MEANT } from "./alternatives.ts";
import { criticizesAgent, isUndecided, reportsObservation } from "./norms.ts";
import { spokenPattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { inLanguagesOf } from "../phrases/phrase_tables.ts";
import { offersWork, type Proposal, proposalsIn, putsForward, textsOf } from "./proposals.ts";
import {
  asksWhatToShow,
  figuresIn,
  goesOn,
  handsOver,
  joined,
  REPLY_WORDS_MAX,
} from "./replies.ts";
import type { Reply, Said } from "./reply.ts";
import {
  endsWithQuestion,
  hasWithheld,
  isTypedQuestion,
  withoutEmphasis,
  wordCount,
} from "../text/sentences.ts";
import { filesChanged } from "../summary/work.ts";

const ASKED_CHARACTERS_MAX = 160;
const SENTENCES_MAX = 4;
/** What is taken is named in so many words. */
const NAME_WORDS_MAX = 5;

/** A reply, and what surrounds it. */
interface Answered {
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

/** In order, at most one for each prompt; without what a later prompt undoes. */
export function repliesToProposals(turns: readonly Turn[]): Reply[] {
  const exchanges = exchangesOf(turns);
  const replies = exchanges.flatMap((exchange, i): Reply[] => {
    const { prompt } = exchange;
    const before = exchanges[i - 1];
    if (prompt === undefined || before?.answer === undefined) return [];
    const whole = prompt.text;
    if (asksWhatToShow(before.answer.text)) return [];
    if (hasWithheld(whole) || hasWithheld(before.answer.text) || NUMBERED_LIST.test(whole)) {
      return [];
    }
    const said = splitTyped(whole);
    if (said.length === 0 || said.length > SENTENCES_MAX || wordCount(whole) > REPLY_WORDS_MAX) {
      return [];
    }
    return inLanguagesOf([...textsOf(before), whole], () => {
      const reply = replyOf(said, exchanges, i);
      const later = exchanges.slice(i + 1).map((one) => one.prompt?.text ?? "");
      return reply === undefined ||
          later.some((one) => undoes(one, `${reply.asked} ${reply.said}`))
        ? []
        : [{ ...reply, turn: prompt }];
    });
  });
  // Of two that reply to the same, the later holds.
  return replies.filter(({ asked }, i) => !replies.slice(i + 1).some((one) => one.asked === asked));
}

/** What the exchange at a place says of the one before it. */
function replyOf(
  said: readonly string[],
  exchanges: readonly Exchange[],
  place: number,
): Said | undefined {
  const [before, exchange] = [exchanges[place - 1], exchanges[place]];
  if (before === undefined || exchange === undefined) return undefined;
  // '9% for never having this again? deal.'
  const at = said.findIndex((one) => !isTypedQuestion(one));
  if (at < 0 || at > 0 && !AGREES.test(said[at] ?? "") || said.some(isNoReply)) return undefined;
  const answered = {
    said: said.slice(at),
    proposals: proposalsIn(before),
    earlier: laidOutBefore(exchanges.slice(0, place), exchange.prompt?.text ?? ""),
    before,
    isDone: filesChanged(exchange.replies).length > 0,
    isLeft: exchange.tools.length === 0,
  };
  return refused(answered) ?? taken(answered) ?? agreed(answered) ?? figured(answered) ??
    kept(answered) ?? namedOnly(answered);
}

/** How far back a person may turn. */
const RETURN_EXCHANGES = 4;
const RETURNS = spokenPattern("proposals.returns", WHOLE_WORD);

function laidOutBefore(exchanges: readonly Exchange[], said: string): readonly Proposal[] {
  const before = exchanges.at(-1);
  const isAside = endsWithQuestion(before?.prompt?.text ?? "") && before?.tools.length === 0;
  const far = RETURNS.test(said) ? RETURN_EXCHANGES : isAside ? 1 : 0;
  return exchanges.slice(0, -1).slice(exchanges.length - 1 - far).flatMap(proposalsIn);
}

/** What says how it is, or that nothing is settled. */
function isNoReply(said: string): boolean {
  return reportsObservation(said) || criticizesAgent(said) || isUndecided(said) ||
    PUTS_OFF.test(said) || ASKS_BEHIND.test(said) || DOUBTS.test(said) || handsOver(said);
}

/** 'There would be one, but not sure how far to trust him.' */
const DOUBTS = spokenPattern("proposals.doubts", WHOLE_WORD);

/** 'Sounds good but who maintains that'. */
const ASKS_BEHIND = spokenPattern("proposals.asks_behind", String.raw`(?:, | ){}\b`);

/** Where the name ends, and a reason or a reservation begins. */
const NAME_ENDS = spokenPattern(
  "proposals.name_ends",
  String
    .raw`[,;:!.(–—](?:\s|$)|(?<![\wà-ÿ])(?:{}(?![\wà-ÿ])|{proposals.behind}(?= ?(?:$|[,.;:!–—]|{proposals.name_ends}\b)))`,
);
/** Words of choosing before a name. */
const BEFORE = spokenPattern("proposals.before", String.raw`^(?:{}[,.!]* +)+`);
/** Ordered for the moment. */
const MOMENT = spokenPattern("proposals.moment", String.raw`^(?:{proposals.before}[,.!]* +)*{}\b`);
/** Says nothing of what is taken. */
const EMPTY = spokenPattern("proposals.empty", "^{}$");

/** 'Flag, 10%', 'with each workout yeah people travel': a part of what was put forward, in its own words. */
function taken({ said, proposals, earlier, isDone }: Answered): Said | undefined {
  const isYes = AGREES.test(said[0] ?? "") || STARTS_YES.test(said[0] ?? "");
  const several = SEVERAL_MEANT.exec(said[0]?.replace(BEFORE, "") ?? "")?.index === 0 &&
      wordCount(said[0] ?? "") <= SEVERAL_WORDS_MAX
    ? proposals.findLast(({ isWay }) => isWay)
    : undefined;
  if (several !== undefined) return { asked: several.told, said: joined(said) };
  for (const one of said) {
    if (isTypedQuestion(one)) continue;
    const words = namedIn(one);
    if (words === undefined) continue;
    const best = bestOf(proposals, words, isDone || isYes) ??
      bestOf(earlier.filter(({ isWay, isAdvice }) => isWay || isAdvice), words, false);
    if (best === undefined || !best.isListed && (goesOn(one) || IS_SO.test(one))) continue;
    if (!best.isWay && (MOMENT.test(one) || OFFERS_MOMENT.test(best.text))) continue;
    return { asked: best.told, said: joined(said) };
  }
  return undefined;
}

/** 'Both'. */
const SEVERAL_WORDS_MAX = 3;

/** The shortest that has all of the words, of the ways if there are any. */
function bestOf(
  proposals: readonly Proposal[],
  words: readonly string[],
  isTaken: boolean,
): Proposal | undefined {
  const [best] = proposals.filter(({ text, isWay, isAdvice }) =>
    (isWay || isAdvice || isTaken) && saysAll(text, words)
  ).sort((a, b) => Number(b.isWay) - Number(a.isWay) || a.text.length - b.text.length);
  return best;
}

/** The words of a short name that a sentence begins with; undefined if they name nothing. */
function namedIn(said: string): readonly string[] | undefined {
  const bare = `${withoutElided(collapse(said))} `.replace(BEFORE, "");
  const words = wordsOf(bare.split(NAME_ENDS, 1)[0] ?? "");
  const isEmpty = (word: string): boolean => EMPTY.test(word) || PLACE.test(word);
  return words.length > NAME_WORDS_MAX || words.every(isEmpty) ? undefined : words;
}

/** "L'index", "d'index". */
const ELIDED = /(?<![\wà-ÿ])(?:[dl]|dell|all|sull|nell|un)['’](?=[\wà-ÿ])/gi;

function withoutElided(text: string): string {
  return text.replace(ELIDED, "");
}

/** What has a letter or a number is read elsewhere; in running text each occurs by chance. */
const PLACE = /^[a-f1-6]$/;

function wordsOf(text: string): string[] {
  const folded = fold(text);
  return folded.match(patternFor(folded, WORD, "gu")) ?? [];
}

const WORD = String.raw`[\p{L}\p{N}]+(?:[.'’][\p{N}]+)*`;

function saysAll(text: string, words: readonly string[]): boolean {
  const known = wordsOf(text);
  return words.every((word) => known.some((one) => isSameWord(one, word)));
}

/** 'Pin' and 'pins'. */
function isSameWord(one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].map((word) => word.slice(0, STEM))
    .sort((a, b) => a.length - b.length);
  return short === long || short.length >= SHORT_WORD && long.startsWith(short);
}

const STEM = 5;
const SHORT_WORD = 3;

/** A yes, with what is said before it. */
const AGREES = spokenPattern(
  "proposals.agrees",
  // Bounded, because "cool" is either.
  String
    .raw`^(?:{proposals.hum}[,.!…]* +){0,6}(?:{}[,.! ]*)+(?=$|[,.;:!–—]|\b{proposals.name_ends}\b)`,
);
const STARTS_YES = spokenPattern(
  "proposals.yes",
  String.raw`^(?:{proposals.hum}[,.!…]* +)*{}[,.!]*(?: |$)`,
);
/** It may only take note of what was said. */
const WEAK = spokenPattern(
  "proposals.weak",
  String.raw`^(?:{proposals.hum}[,.!…]* +)*{}(?=$|[,.;!])`,
);
/** What was said is to be done. */
const ACTS = spokenPattern("proposals.acts", WHOLE_WORD);
const PRAISES = spokenPattern("proposals.praises", String.raw`^(?:{}[,.! ]*)+$`);
const IS_SO = spokenPattern("proposals.is_so", "^{}");
const HALTS = spokenPattern("proposals.halts", String.raw`^{}\b`);
/** 'Yes, later' and 'yes maybe'. */
const LATER = spokenPattern("proposals.later", String.raw`^{}\b`);
const OFFERS_MOMENT = spokenPattern(
  "proposals.moment",
  String.raw`\b{}\b[^?]{0,300}\?$|\b(?:{proposals.weighs}) (?:\S+ )?{proposals.moment}\b`,
);

/** 'Yes, stale prices get us angry mails': says yes to the last of it, and nothing but why. */
function agreed({ said, proposals, before, isDone }: Answered): Said | undefined {
  const [yes = "", ...rest] = said;
  const isPraise = PRAISES.test(yes);
  const isTalk = filesChanged(before.replies).length === 0;
  const isYes = AGREES.test(yes) && !isPraise;
  const more = yes.replace(STARTS_YES, "");
  const isShortYes = isDone && more !== yes && wordCount(yes) <= NAME_WORDS_MAX &&
    !IS_SO.test(more) && !HALTS.test(more) && !LATER.test(more);
  if (!isYes && !isShortYes && !(isDone && isTalk && rest.length === 0 && isPraise)) {
    return undefined;
  }
  const why = isYes ? yes.replace(AGREES, "").replace(/^[\s,.;:!–—-]+/, "") : "";
  if (LATER.test(why)) return undefined;
  const behind = [why, ...rest].filter((one) => one !== "" && !AGREES.test(one));
  if ([yes, ...behind].some((one) => HALTS.test(one) || MOMENT.test(one) || isTypedQuestion(one))) {
    return undefined;
  }
  const offered = proposals.filter(({ isWay }) => !isWay);
  const advised = offered.filter(({ isAdvice }) => isAdvice);
  const sentences = splitSentences(before.answer?.text ?? "");
  const end = sentences.at(-1) ?? "";
  if (isAskedAtEnd(end) && !putsForward(end) || advised.length > 1) return undefined;
  const only = advised.at(-1) ??
    (offersWork(end) ? undefined : offered.at(-1) ?? wholeOf(before, said, isDone));
  if (only === undefined || OFFERS_MOMENT.test(only.text)) return undefined;
  // Of several questions a yes answers the last: 'Are all three right?'
  const isAsked = isAskedAtEnd(only.text);
  const asked = sentences.findLast(isAskedAtEnd);
  if (isAsked && !withoutEmphasis(asked ?? "").includes(only.text)) return undefined;
  if (!isAskedAtEnd(end) && WEAK.test(yes) && behind.length > 0) return undefined;
  return { asked: only.told, said: joined(said) };
}

/** 'Put those in': all that was said, where nothing of it was put forward in words of its own. */
function wholeOf(
  { answer }: Exchange,
  said: readonly string[],
  isDone: boolean,
): Proposal | undefined {
  const text = collapse(answer?.text ?? "");
  const isMeant = isDone && said.some((one) => ACTS.test(one)) &&
    text.length <= ASKED_CHARACTERS_MAX;
  return isMeant ? { text, told: text, isListed: false, isWay: false, isAdvice: false } : undefined;
}

const DROPS = spokenPattern("proposals.drops", String.raw`(?:^|[ ,;.]){}[.! ]*$`);
const NO = spokenPattern("proposals.no", String.raw`^(?:{proposals.before}[,.!]* +)*{} `);
const BESIDE = spokenPattern("proposals.beside", String.raw` {}\b.*$`);
const REFUSED_WORDS_MAX = 3;

/** 'Hm thats ugly skip it', 'no partial credit. They have …': what was just asked for, or put forward, is not wanted. */
function refused(
  { said, proposals, before: { prompt, answer }, isLeft }: Answered,
): Said | undefined {
  const [first = ""] = said;
  const asked = cut(collapse(prompt?.text ?? ""), ASKED_CHARACTERS_MAX);
  const isWish = endsWithQuestion(prompt?.text ?? "");
  if (said.some(hasQuestionMark) || isAskedAtEnd(answer?.text.trimEnd() ?? "")) return undefined;
  if (isWish && isLeft && said.length === 1 && DROPS.test(first)) {
    return { asked, said: joined(said) };
  }
  const refusal = withoutElided(first);
  if (!NO.test(refusal)) return undefined;
  const named = refusal.replace(NO, "").split(NAME_ENDS, 1)[0]?.replace(BESIDE, "") ?? "";
  const words = wordsOf(named);
  const isName = words.length > 0 && words.length <= REFUSED_WORDS_MAX &&
    !words.every((word) => EMPTY.test(word));
  if (!isName) return undefined;
  if (!reportsObservation(asked) && saysAll(asked, words)) return { asked, said: joined(said) };
  const where = proposals.find(({ text }) => saysAll(text, words));
  return where === undefined ? undefined : { asked: where.told, said: joined(said) };
}

const FIGURE = spokenPattern(
  "proposals.before",
  String
    .raw`^(?:{}[,.!]* +)*(?<figure>\d[\d.,]*)(?:[a-z%°µ]{1,3}| ?%)?(?=$|[,;.!](?:\s|$)| {proposals.behind}(?=$|[,.;!]))`,
);
const CHANGES = spokenPattern("proposals.changes", WHOLE_WORD);

/** '14', 'yeah but 6': a figure that was told, or another than was put forward. */
function figured({ said, proposals, before: { answer } }: Answered): Said | undefined {
  const [first = ""] = said;
  const figure = FIGURE.exec(first)?.groups?.["figure"];
  if (figure === undefined || said.some((one) => isTypedQuestion(one))) return undefined;
  const put = CHANGES.test(first) ? proposals.findLast(({ text }) => /\d/.test(text)) : undefined;
  if (put !== undefined) return { asked: put.told, said: joined(said) };
  const sentences = splitSentences(answer?.text ?? "");
  // What was asked for is told, and settles nothing.
  if (isAskedAtEnd(sentences.at(-1) ?? "")) return undefined;
  const where = sentences.find((one) => {
    const told = figuresIn(one);
    return told.size > 1 && told.has(figure) && WEIGHS.test(one);
  });
  return where === undefined ? undefined : replyTo(where, said);
}

const ASKED_WORDS_MIN = 4;
const WEIGHS = spokenPattern("proposals.weighs", WHOLE_WORD);
const LAUGHS = spokenPattern("proposals.laughs", WHOLE_WORD);

const KEEPS = spokenPattern(
  "proposals.keeps",
  String.raw`^(?:{proposals.before}[,.!]* +)*{} (?:{replies.article} )?(\S+(?: \S+)?)$`,
);
const STAYS = spokenPattern(
  "proposals.stays",
  String.raw`^(?:{proposals.before}[,.!]* +)*(\S+(?: \S+)?) {}$`,
);

/** 'Looks perfect. keep mjml', 'adamw stays': of what was just talked about. */
function kept({ said, before: { prompt, answer } }: Answered): Said | undefined {
  const sentences = [...splitSentences(answer?.text ?? ""), ...splitTyped(prompt?.text ?? "")];
  for (const one of said) {
    const bare = withoutElided(one.replace(/[.!]+$/, ""));
    const [, name = ""] = KEEPS.exec(bare) ?? STAYS.exec(bare) ?? [];
    const words = wordsOf(name);
    if (words.every((word) => EMPTY.test(word))) continue;
    const where = sentences.find((text) => saysAll(text, words));
    if (where !== undefined) return replyTo(where, said);
  }
  return undefined;
}

/** 'Median, and say so': asked how it is, and told, a person names one thing of it, and it is done. */
function namedOnly({ said, before, isDone }: Answered): Said | undefined {
  const [first = "", second = ""] = said;
  const isAsked = endsWithQuestion(before.prompt?.text ?? "") &&
    filesChanged(before.replies).length === 0;
  // 'Deal. one lock'.
  const isAgreed = second !== "" && AGREES.test(first) && !PRAISES.test(first);
  const words = namedIn(isAgreed ? second : first);
  if (
    !isDone || !(isAsked || isAgreed) || words === undefined || words.length > REFUSED_WORDS_MAX
  ) {
    return undefined;
  }
  if (said.some((one) => MOMENT.test(one) || LAUGHS.test(one))) return undefined;
  if (isAskedAtEnd(before.answer?.text.trimEnd() ?? "")) return undefined;
  const where = splitSentences(before.answer?.text ?? "").find((one) =>
    wordCount(one) >= ASKED_WORDS_MIN && saysAll(one, words)
  );
  return where === undefined ? undefined : replyTo(where, said);
}

/** `where`: the sentence that is replied to. */
function replyTo(where: string, said: readonly string[]): Said {
  return { asked: cut(collapse(where), ASKED_CHARACTERS_MAX), said: joined(said) };
}

const UNDOES = spokenPattern("proposals.undoes", String.raw`\b{} (?:\S+ )?(\S+)`);

/** 'Actually scrap the picking': what was taken is not wanted any more. */
function undoes(later: string, told: string): boolean {
  const [, name = ""] = UNDOES.exec(collapse(later)) ?? [];
  const words = wordsOf(name).filter((word) => !EMPTY.test(word));
  return words.length > 0 && saysAll(told, words.map((word) => word.slice(0, SHORT_WORD + 1)));
}
