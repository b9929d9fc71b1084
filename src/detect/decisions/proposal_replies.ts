/**
 * A short reply straight behind what the agent put forward: it takes a part of it by its words, says yes, or
 * turns it down, and it asks, orders and reports nothing else. That is the decision, told with what it
 * replies to. Apart from replies.ts, where the words of the reply say what it is.
 */
import {
  collapse,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { PUTS_OFF } from "../open/left_open.ts";
import { NUMBERED_LIST } from "../text/list_items.ts";
import { SEVERAL_MEANT } from "./alternatives.ts";
import { countered } from "./counter_proposals.ts";
import { criticizesAgent, isUndecided, reportsObservation } from "./norms.ts";
import { spokenPattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { inLanguagesOf } from "../phrases/phrase_tables.ts";
import { offersWork, type Proposal, proposalsIn, putsForward, textsOf } from "./proposals.ts";
import {
  ACTS,
  AGREES,
  type Answered,
  ASKED_CHARACTERS_MAX,
  BEFORE,
  DROPS,
  EMPTY,
  endOf,
  HALTS,
  IS_SO,
  isLight,
  LATER,
  MOMENT,
  NAME_ENDS,
  NAME_WORDS_MAX,
  namedIn,
  OFFERS_MOMENT,
  partsIn,
  PRAISES,
  replyTo,
  saysAll,
  SHORT_WORD,
  STARTS_YES,
  THAT,
  WEAK,
  WEIGHS,
  withoutElided,
  wordsOf,
} from "./proposal_words.ts";
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

const SENTENCES_MAX = 4;

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
    said: withHum(said.slice(at)),
    proposals: proposalsIn(before),
    earlier: laidOutBefore(exchanges.slice(0, place), exchange.prompt?.text ?? ""),
    before,
    isDone: filesChanged(exchange.replies).length > 0,
    isLeft: exchange.tools.length === 0,
  };
  return refused(answered) ?? taken(answered) ?? agreed(answered) ?? figured(answered) ??
    kept(answered) ?? namedOnly(answered) ?? countered(answered);
}

const HUMS = spokenPattern("proposals.hum", String.raw`^{}[.!…]*$`);

/** 'Hm. First person.' says it in the second sentence. */
function withHum(said: readonly string[]): readonly string[] {
  const [first = "", second, ...rest] = said;
  return second !== undefined && HUMS.test(first) ? [`${first} ${second}`, ...rest] : said;
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
    const [words, parts] = [namedIn(one), partsIn(one)];
    const best = bestOf(proposals, words, isDone || isYes) ??
      bestOf(earlier.filter(({ isWay, isAdvice }) => isWay || isAdvice), words, false) ??
      bestOf(proposals, parts, isYes);
    const isOwn = best?.isWay === true && (parts?.length ?? 0) > 1 && DOES.test(one);
    if (best === undefined || !best.isListed && (goesOn(one) || IS_SO.test(one) && !isOwn)) {
      continue;
    }
    if (!best.isWay && (MOMENT.test(one) || OFFERS_MOMENT.test(best.text))) continue;
    return { asked: best.told, said: joined(said) };
  }
  return undefined;
}

/** 'I open with the storm': what a person who asked does then. */
const DOES = spokenPattern("proposals.does", "^{}");

/** 'Both'. */
const SEVERAL_WORDS_MAX = 3;

/** The shortest that has all of the words, of the ways if there are any. */
function bestOf(
  proposals: readonly Proposal[],
  words: readonly string[] | undefined,
  isTaken: boolean,
): Proposal | undefined {
  if (words === undefined) return undefined;
  const [best] = proposals.filter(({ text, isWay, isAdvice }) =>
    (isWay || isAdvice || isTaken) && saysAll(text, words)
  ).sort((a, b) => Number(b.isWay) - Number(a.isWay) || a.text.length - b.text.length);
  return best;
}

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
  const end = endOf(before.answer?.text ?? "", proposals);
  const isAskedMore = isAskedAtEnd(end) && !putsForward(end) &&
    !(advised.length > 0 && offersWork(end) && THAT.test(end) && wordCount(end) <= THAT_WORDS_MAX);
  if (isAskedMore || isAskedAtEnd(end) && OFFERS_MOMENT.test(end) || advised.length > 1) {
    return undefined;
  }
  const only = advised.at(-1) ??
    (offersWork(end) ? undefined : offered.at(-1) ?? wholeOf(before, said, isDone));
  if (only === undefined || OFFERS_MOMENT.test(only.text)) return undefined;
  if (isAskedAtEnd(end) && offersOther(end, only.text)) return undefined;
  // Of several questions a yes answers the last: 'Are all three right?'
  const isAsked = isAskedAtEnd(only.text);
  const asked = sentences.findLast(isAskedAtEnd);
  if (isAsked && !withoutEmphasis(asked ?? "").includes(only.text)) return undefined;
  if (!isAskedAtEnd(sentences.at(-1) ?? "") && WEAK.test(yes) && behind.length > 0) {
    return undefined;
  }
  return { asked: only.told, said: joined(said) };
}

/** 'I'd use Postgres. Shall I update the docs?' */
function offersOther(end: string, advice: string): boolean {
  const names = wordsOf(end).filter((word) => !EMPTY.test(word) && !isLight(word));
  return offersWork(end) && !THAT.test(end) && wordCount(end) > OFFER_WORDS_MIN &&
    !names.some((word) => saysAll(advice, [word]));
}

const OFFER_WORDS_MIN = 4;

/** 'Do you want me to do that?' */
const THAT_WORDS_MAX = 8;

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

const NO = spokenPattern("proposals.no", String.raw`^(?:{proposals.before}[,.!]* +)*{} `);
const NAYS = spokenPattern("discourse.no", String.raw`^(?:{}[,.!]* +)+`);
const BESIDE = spokenPattern("proposals.beside", String.raw` {}\b.*$`);
const REFUSED_WORDS_MAX = 3;

/** 'Hm thats ugly skip it', 'no partial credit. They have …': what was just asked for, or put forward, is not wanted. */
function refused(
  { said, proposals, before: { prompt, answer }, isLeft }: Answered,
): Said | undefined {
  const [first = ""] = said;
  const asked = cut(collapse(prompt?.text ?? ""), ASKED_CHARACTERS_MAX);
  const isWish = endsWithQuestion(prompt?.text ?? "");
  const end = endOf(answer?.text ?? "", proposals);
  if (said.some(hasQuestionMark) || isAskedAtEnd(end) && !putsForward(end)) return undefined;
  if (isWish && isLeft && said.length === 1 && DROPS.test(first)) {
    return { asked, said: joined(said) };
  }
  const whole = withoutElided(first);
  const refusal = NO.test(whole) ? whole : whole.replace(NAYS, "");
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
  const isAgreed = AGREES.test(first) && !PRAISES.test(first);
  const more = isAgreed ? first.replace(AGREES, "").replace(/^[\s,:–—-]+/, "") || second : first;
  const words = [namedIn(more), partsIn(more)].filter((one) => one !== undefined)
    .filter(({ length }) => length <= REFUSED_WORDS_MAX);
  if (!isDone || !(isAsked || isAgreed) || words.length === 0) return undefined;
  if (said.some((one) => MOMENT.test(one) || LAUGHS.test(one.replace(BEFORE, "")))) {
    return undefined;
  }
  if (isAskedAtEnd(before.answer?.text.trimEnd() ?? "")) return undefined;
  const where = splitSentences(before.answer?.text ?? "").find((one) =>
    wordCount(one) >= ASKED_WORDS_MIN && words.some((some) => saysAll(one, some))
  );
  return where === undefined ? undefined : replyTo(where, said);
}

const UNDOES = spokenPattern("proposals.undoes", String.raw`\b{} (?:\S+ )?(\S+)`);

/** 'Actually scrap the picking': what was taken is not wanted any more. */
function undoes(later: string, told: string): boolean {
  const [, name = ""] = UNDOES.exec(collapse(later)) ?? [];
  const words = wordsOf(name).filter((word) => !EMPTY.test(word));
  return words.length > 0 && saysAll(told, words.map((word) => word.slice(0, SHORT_WORD + 1)));
}
