/**
 * Short replies that take what was put forward otherwise than it was: with another figure, under conditions, by
 * dropping it, by ruling it out, or with a way of their own in its place. Apart from proposal_replies.ts, where
 * it is taken as it was.
 */
import { collapse, fold, isAskedAtEnd, splitSentences, splitTyped } from "../../base/text/text.ts";
import { spokenPattern, WHOLE_WORD, WORD_START } from "../phrases/phrase_patterns.ts";
import { asksHowItIs, EITHER, isDiagnosis, offersWork, type Proposal } from "./proposals.ts";
import {
  AGREES,
  type Answered,
  BEFORE,
  DROPS,
  EMPTY,
  endOf,
  HALTS,
  IS_SO,
  isLight,
  isSameWord,
  LATER,
  MOMENT,
  NAME_ENDS,
  OFFERS_MOMENT,
  PRAISES,
  replyTo,
  saysAll,
  WEIGHS,
  withoutElided,
  wordsOf,
} from "./proposal_words.ts";
import { goesOn, joined } from "./replies.ts";
import type { Said } from "./reply.ts";
import { endsWithQuestion, isTypedQuestion, wordCount } from "../text/sentences.ts";
import { filesChanged } from "../summary/work.ts";

/** Undefined if it counters nothing. */
export function countered(answered: Answered): Said | undefined {
  if (answered.said.some((one) => isTypedQuestion(one))) return undefined;
  return refigured(answered) ?? halved(answered) ?? replaced(answered) ?? dropped(answered) ??
    ruledOut(answered) ?? named(answered) ?? liked(answered);
}

/** Whether what stands behind only says why, or how. */
function isWhy(behind: readonly string[]): boolean {
  return !behind.some((one) =>
    HALTS.test(one) || LATER.test(one) || MOMENT.test(one) || goesOn(one)
  );
}

const BUT = spokenPattern("proposals.but", String.raw`(?:, ?| )(?:{}) (?=\S)`);
const RATHER = spokenPattern(
  "proposals.rather",
  String.raw`^(?:{proposals.before}[,.!]* +)*{}(?![\wà-ÿ])`,
);
/** 'Sunday is good'. */
const IS_FINE = spokenPattern("proposals.behind", String.raw`^(?:\S+ ){1,3}{}[.!]*$`);
const COURTESY = spokenPattern("proposals.courtesy", WHOLE_WORD);
const FIGURE = /^((?:[^\s\d]+ ){0,3})(\d+(?:[.,:]\d+)*)(.*)$/;
const UNIT = /\d ?([a-z%€$°µ]+)/g;
const UNIT_WORDS_MAX = 4;

/** 'Rather 14 days', 'good, but make it 50 a page': another figure of the same kind than was put forward. */
function refigured({ said, proposals, before: { answer }, isDone }: Answered): Said | undefined {
  const [first = ""] = said;
  const [but] = BUT.exec(first) ?? [];
  const at = but === undefined ? 0 : first.indexOf(but);
  const isButFine = but !== undefined && isFine(first.slice(0, at));
  if (!isButFine && !RATHER.test(first)) return undefined;
  const bare = `${isButFine ? first.slice(at + (but?.length ?? 0)) : first} `.replace(BEFORE, "");
  const [, lead = "", figure = "", rest = ""] = FIGURE.exec(bare.trim()) ?? [];
  const words = wordsOf(rest.split(NAME_ENDS, 1)[0] ?? "");
  if (figure === "" || words.length > UNIT_WORDS_MAX || !wordsOf(lead).every(isLight)) {
    return undefined;
  }
  const isOfItsKind = (text: string): boolean =>
    /\d/.test(text) && !asksHowItIs(text) && hasUnits(text, words.filter((one) => !isLight(one)));
  const put = proposals.findLast(({ text }) => isOfItsKind(text));
  if (put !== undefined) return { asked: put.told, said: joined(said) };
  // 'I set it to 30 minutes. Tell me if you want another time.'
  const sentences = splitSentences(answer?.text ?? "");
  const end = sentences.at(-1) ?? "";
  const isInvited = isDone && words.length > 0 &&
    (sentences.some((one) => COURTESY.test(one)) || isAskedAtEnd(end) && !offersWork(end));
  const where = isInvited ? sentences.findLast(isOfItsKind) : undefined;
  return where === undefined ? undefined : replyTo(where, said);
}

function isFine(said: string): boolean {
  return AGREES.test(said) || PRAISES.test(said) || IS_FINE.test(said);
}

/** Whether a text has these words, of which the first may be another form of a unit in it. */
function hasUnits(text: string, [unit, ...others]: readonly string[]): boolean {
  if (unit === undefined) return true;
  const units = [...fold(text).matchAll(UNIT)].map(([, one = ""]) => one);
  // '50 a page' of '100 lines a page'.
  const isUnit = units.some((one) =>
    isSameWord(one, unit) || one.startsWith(unit) || unit.startsWith(one)
  );
  return (isUnit || saysAll(text, [unit])) && saysAll(text, others);
}

/** 'Always formal, our customers are older', where it was asked: 'formal or informal?' */
function halved({ said, before: { answer } }: Answered): Said | undefined {
  const asked = splitSentences(answer?.text ?? "").findLast((one) => isAskedAtEnd(one));
  if (asked === undefined || asksHowItIs(asked) || isDiagnosis(asked) || offersWork(asked)) {
    return undefined;
  }
  const [either] = EITHER.exec(asked) ?? [];
  if (either === undefined) return undefined;
  const at = EITHER.exec(asked)?.index ?? 0;
  const halves = [
    ...wordsOf(asked.slice(0, at)).slice(-1),
    ...wordsOf(asked.slice(at + either.length)).slice(0, HALF_WORDS_MAX).filter((one) =>
      !isLight(one)
    ).slice(0, 1),
  ];
  const clause = `${withoutElided(collapse(said[0] ?? ""))} `.split(NAME_ENDS, 1)[0] ?? "";
  const [word = "", ...more] = wordsOf(clause).filter((one) => !isLight(one));
  const isOne = more.length === 0 && word.length >= HALF_CHARACTERS_MIN &&
    halves.some((half) => half.startsWith(word) || word.startsWith(half) && half.length > 3);
  return isOne && isWhy(said) ? replyTo(asked, said) : undefined;
}

const HALF_WORDS_MAX = 3;
const HALF_CHARACTERS_MIN = 2;

const NEITHER = spokenPattern(
  "proposals.neither",
  String.raw`^(?:{proposals.before}[,.!…]* +)*{}[,.;:!–—]+ +(?=\S)`,
);
const OWN_WORDS_MIN = 2;

/** 'Neither, just send them a magic link': of two ways none, but another. */
function replaced({ said, proposals, before, isDone }: Answered): Said | undefined {
  const whole = collapse(said.join(" "));
  const own = whole.replace(NEITHER, "");
  if (own === whole || !isDone || wordCount(own) < OWN_WORDS_MIN || IS_SO.test(own)) {
    return undefined;
  }
  const asked = collapse(before.prompt?.text ?? "");
  const end = splitSentences(before.answer?.text ?? "").at(-1) ?? "";
  const where = proposals.findLast(({ isWay }) => isWay)?.told ??
    (endsWithQuestion(asked) && EITHER.test(asked) ? asked : isAskedAtEnd(end) ? end : undefined);
  return where !== undefined && isWhy([own]) ? replyTo(where, said) : undefined;
}

const DROPS_ONLY = spokenPattern(
  "proposals.drops",
  String.raw`^(?:{proposals.before}[,.!]* +)*{}[.! ]*$`,
);

/** 'Away with it. a hint is enough': what was put forward is dropped, whether as proposed or against it. */
function dropped({ said, proposals, before: { answer }, isDone }: Answered): Said | undefined {
  const clauses = said.flatMap((one) => one.split(/[,;–—] ?/));
  const at = clauses.findIndex((one) =>
    DROPS_ONLY.test(one) || DROPS.test(one) && AGREES.test(one)
  );
  const behind = clauses.slice(at + 1).filter((one) => one.trim() !== "");
  if (at < 0 || at > 1 || !clauses.slice(0, at).every(isFine)) return undefined;
  const put = lastPut(proposals);
  const end = endOf(answer?.text ?? "", proposals);
  const isAbout = put !== undefined && (!isAskedAtEnd(end) || end.includes(put.text)) &&
    !offersWork(end) && !(isAskedAtEnd(put.text) && OFFERS_MOMENT.test(put.text));
  return isAbout && (isDone || behind.length > 0) && isWhy(behind.map((one) => one.trim()))
    ? { asked: put.told, said: joined(said) }
    : undefined;
}

function lastPut(proposals: readonly Proposal[]): Proposal | undefined {
  const put = proposals.filter(({ isListed }) => !isListed);
  return put.findLast(({ isAdvice }) => isAdvice) ?? put.at(-1);
}

const OUT = spokenPattern("proposals.out", String.raw`^(\S+(?: \S+){0,2}) {}(?=$|[,.;!–—])`);
const NAYS = spokenPattern("discourse.no", String.raw`^(?:{}[,.!]* +)+`);

/** 'Nah, kubernetes is out, we are two people'. */
function ruledOut({ said, proposals, before: { answer } }: Answered): Said | undefined {
  const bare = withoutElided(said[0] ?? "").replace(NAYS, "").replace(BEFORE, "");
  const words = wordsOf(OUT.exec(bare)?.[1] ?? "").filter((one) => !isLight(one));
  if (words.length === 0 || words.every((one) => EMPTY.test(one))) return undefined;
  const put = proposals.find(({ text }) => saysAll(text, words));
  if (put !== undefined) return { asked: put.told, said: joined(said) };
  const where = splitSentences(answer?.text ?? "").find((one) =>
    WEIGHS.test(one) && !isDiagnosis(one) && saysAll(one, words)
  );
  return where === undefined ? undefined : replyTo(where, said);
}

const CALLS = spokenPattern(
  "proposals.calls",
  String.raw`^(?:{proposals.before}[,.!]* +)*(?:{}) (?=[^\s,.;]{3})`,
);
const NAMES = spokenPattern("proposals.names", WORD_START);

/** 'Call it carriers': where a name was asked for, one of one's own. */
function named({ said, proposals, before: { prompt }, isDone }: Answered): Said | undefined {
  const [first = ""] = said;
  const asked = splitTyped(prompt?.text ?? "").findLast((one) => NAMES.test(one));
  const put = lastPut(proposals);
  return isDone && asked !== undefined && put !== undefined && CALLS.test(first) && isWhy(said)
    ? { asked: put.told, said: joined(said) }
    : undefined;
}

const LIKES = spokenPattern(
  "proposals.likes",
  String.raw`^(?:{proposals.hum}[,.!…]* +)*(?:{}|{proposals.praises})(?=$|[,.;!–—])[,.;!–— ]*`,
);
const SAYS_LIKES = spokenPattern(
  "proposals.likes",
  String.raw`^(?:{proposals.hum}[,.!…]* +)*{}(?=$|[,.;!–—])`,
);
const BUT_FIRST = spokenPattern("proposals.but", String.raw`^{}(?![\wà-ÿ])`);
const BETTER = spokenPattern("proposals.better", WHOLE_WORD);

/** 'I like that, nicer for the slow ones too': said of what was only put forward, and done then. */
function liked({ said, proposals, before, isDone }: Answered): Said | undefined {
  const [first = "", ...rest] = said;
  if (!isDone || filesChanged(before.replies).length > 0 || !LIKES.test(first)) return undefined;
  const why = [first.replace(LIKES, ""), ...rest].filter((one) => one !== "");
  const put = lastPut(proposals);
  const end = endOf(before.answer?.text ?? "", proposals);
  if (
    put === undefined || !isWhy(why) || why.some((one) => BUT_FIRST.test(one)) ||
    OFFERS_MOMENT.test(put.text)
  ) return undefined;
  if (isAskedAtEnd(end) && !end.includes(put.text)) return undefined;
  const isOfIt = why.some((one) =>
    BETTER.test(one) || wordsOf(one).some((word) => !isEmpty(word) && saysAll(put.text, [word]))
  );
  return isOfIt || why.length === 0 && SAYS_LIKES.test(first)
    ? { asked: put.told, said: joined(said) }
    : undefined;
}

function isEmpty(word: string): boolean {
  return EMPTY.test(word) || isLight(word);
}
