/**
 * Elliptical replies: a person decides in a few words that say nothing without what they reply to ('flat',
 * 'both', 'no, keep it'). Each is joined with the words that it takes up. Apart from decisions.ts, which
 * reads sentences that stand alone.
 */
import type { Turn } from "../../editor/editor.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import {
  collapse,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../../base/text/text.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { phrasePattern, WHOLE_WORD, WORD_START } from "../phrases/phrase_patterns.ts";
import { inLanguagesOf } from "../phrases/phrase_tables.ts";
import { NUMBERED_LIST } from "../text/list_items.ts";
import { hasSettlingVerb, settles } from "./orders.ts";
import { criticizesAgent, hasReason, isNormative, reportsObservation } from "./norms.ts";
import { forbids } from "./prohibitions.ts";
import { declinesRequest, refuses } from "./refusals.ts";
import type { Reply, Said } from "./reply.ts";
import { namesIn } from "./reversals.ts";
import {
  hasWithheld,
  isTypedQuestion,
  sentencesOf,
  stemsOf,
  termsOf,
  withoutFiller,
  wordCount,
} from "../text/sentences.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";
import {
  alternativeMeant,
  alternativesIn,
  asksWhich,
  proposes,
  recommends,
  SEVERAL_MEANT,
} from "./alternatives.ts";
import { asksHowItIs, isDiagnosis, offersWork, textsOf } from "./proposals.ts";

/** A longer reply is not kept whole. */
const WHOLE_CHARACTERS_MAX = 200;
const ANSWERED_CHARACTERS_MAX = 160;
/** What is quoted only for the name in it. */
const OPENED_CHARACTERS_MAX = 100;
/** 'ts-morph then': the name and a word or two. */
const NAME_WORDS_MAX = 3;
/** One half of an either-or question, in its words. */
const HALF_WORDS_MAX = 6;
/** A shorter refusal says nothing. */
const REFUSAL_WORDS_MIN = 4;

/** A sentence this short may not stand alone. */
const SHORT_WORDS_MAX = 4;

/** There is a choice: two things are named, or one is recommended. */
const CHOICE = phrasePattern("replies.choice", WHOLE_WORD);

const ASSENT = phrasePattern("replies.assent", String.raw`(?<![, ])[, ]+{}[.!]*$`);

/** In order, at most one for each prompt. `told`: decisions of these prompts that stand alone. */
export function ellipticalDecisions(
  turns: readonly Turn[],
  told: readonly { readonly text: string; readonly turn: string }[],
): Reply[] {
  const exchanges = exchangesOf(turns);
  return exchanges.flatMap(({ prompt }, i) => {
    const before = exchanges[i - 1];
    const answer = before?.answer;
    if (prompt === undefined || before === undefined || answer === undefined) return [];
    if (hasWithheld(prompt.text) || hasWithheld(answer.text)) return [];
    const said = splitTyped(prompt.text);
    if (said.length === 0 || said.length > SENTENCES_MAX || NUMBERED_LIST.test(prompt.text)) {
      return [];
    }
    if (WONDERS.test(said[0] ?? "") || HANDS_OVER.test(prompt.text)) return [];
    const own = told.filter(({ turn }) => turn === prompt.uuid);
    const reply = inLanguagesOf(
      [...textsOf(before), prompt.text],
      () => replyOf(said, before, answer, own),
    );
    return reply === undefined ? [] : [{ ...reply, turn: prompt }];
  });
}

function replyOf(
  said: readonly string[],
  before: Exchange,
  answer: Turn,
  own: readonly { readonly text: string }[],
): Said | undefined {
  const [first = ""] = said;
  if (handsOver(first) || reportsObservation(first) || criticizesAgent(first)) return undefined;
  const choice = asksWhatToShow(answer.text) || goesOn(first)
    ? undefined
    : named(said, before) ?? chosen(said, before, own);
  const settled = said.some(hasQuestionMark)
    ? undefined
    : eachByName(said, answer) ?? refused(said, before) ?? toldNo(said, before) ??
      figured(said, before) ?? several(said, answer);
  return choice ?? settled ?? left(said) ?? declined(said, before) ?? assented(said, answer);
}

/** 'My settings', 'SDK installed', 'I'm using 1.4': what the agent wanted to see or know. */
const HANDS = phrasePattern("replies.hands_over", "^{}");

/** Whether a reply gives the agent what it needs, or says how things are, and chooses nothing. */
export function handsOver(said: string): boolean {
  return HANDS.test(said);
}

/** A slash command, a mentioned file, or a lead to pasted text. */
const HANDS_OVER = /^\s*[@/#]|^[^\n]{0,200}:\s*(?:\n|$)/;
/** A question without a question mark, in a language without spaces. */
const WONDERS = unspacedPattern("decisions.not_decided");

/** A longer reply answers more than the question. */
export const REPLY_WORDS_MAX = 30;
const OFFERS = phrasePattern("replies.offers", String.raw`\b{}\b.{0,240}\?$`);

/** A short reply to the agent's last question: 'Which one, A or B?' → 'B, it is already deployed.' */
export function repliesToQuestions(turns: readonly Turn[]): Reply[] {
  const exchanges = exchangesOf(turns);
  return exchanges.flatMap(({ prompt }, i) => {
    const before = exchanges[i - 1];
    const answer = before?.answer?.text.trimEnd() ?? "";
    const asked = isAskedAtEnd(answer) ? splitSentences(answer).at(-1) : undefined;
    if (
      prompt === undefined || before === undefined || asked === undefined ||
      !OFFERS.test(asked) || asksWhatToShow(answer)
    ) {
      return [];
    }
    const reply = replyIn(prompt.text);
    // A lead to pasted text answers nothing.
    if (reply === undefined || isTypedQuestion(reply) || reply.endsWith(":")) return [];
    // Which answer belongs to which item is not known here.
    if (NUMBERED_LIST.test(prompt.text) || wordCount(reply) > REPLY_WORDS_MAX) return [];
    if (goesOn(reply)) return [];
    if (inLanguagesOf([...textsOf(before), prompt.text], () => asksHowItIs(asked))) return [];
    if (hasWithheld(asked) || hasWithheld(reply) || TRAILS_OFF.test(reply)) return [];
    // Words of the question further on in the prompt do not make its first sentence an answer.
    if (asked.length > 240 || OPEN_ENDED.test(asked) || !takesUp(reply, asked)) return [];
    return [{ asked, said: reply, turn: prompt }];
  });
}

/** 'Or is there anything else?', 'or shall I go on': what follows is the next request. */
const OPEN_ENDED = phrasePattern("replies.open_ended", WHOLE_WORD);

/** One word in common is chance, unless little else is said. */
function takesUp(reply: string, asked: string): boolean {
  const terms = termsOf(withoutFiller(reply));
  const common = terms.intersection(termsOf(asked)).size;
  return common >= COMMON_MIN || common > 0 && common >= terms.size * COMMON_SHARE_MIN;
}

const COMMON_MIN = 2;
const COMMON_SHARE_MIN = 0.4;

const TRAILS_OFF = phrasePattern("replies.trails_off");

/** Its first sentence, with the next one after 'yup...'. */
function replyIn(prompt: string): string | undefined {
  const [first, next] = splitTyped(prompt);
  const isBegun = first !== undefined && next !== undefined && /(?:\.\.|…)$/.test(first);
  return isBegun ? `${first} ${next}` : first;
}

/** An offer to show something: a reply to it decides nothing. */
const SHOWS = phrasePattern("replies.shows", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);
export function asksWhatToShow(answer: string): boolean {
  return splitSentences(answer).some((one) => hasQuestionMark(one) && SHOWS.test(one));
}

/** A longer prompt states its decisions in sentences. */
const SENTENCES_MAX = 4;

/** A sentence that is no more than a name from the last answer: '… → flat'. */
function named(said: readonly string[], { prompt, answer }: Exchange): Said | undefined {
  if (answer === undefined) return undefined;
  const asked = prompt?.text ?? "";
  const end = splitSentences(answer.text).at(-1) ?? "";
  // A long answer contains an 'or' somewhere.
  const isRefused = refuses(said[0] ?? "");
  const isChoice = asksWhich(end) ||
    [asked, end].some((one) => hasQuestionMark(one) && CHOICE.test(one));
  if (namesAlternative(said[0] ?? "", answer)) return undefined;
  for (const one of said) {
    const name = withoutFiller(one.replace(ASSENT, "")).replace(/[.!]+$/, "");
    const terms = termsOf(name);
    if (isTypedQuestion(one) || CHORES.test(name) || reportsObservation(one) || terms.size === 0) {
      continue;
    }
    // Without spaces, words of assent are counted with the name: 'では500にします'.
    if (wordCount(isUnspaced(one) ? name : one) > NAME_WORDS_MAX) continue;
    const where = sentencesOf([answer]).find(({ text }) =>
      !isAskedAtEnd(text) && !OPEN_ENDED.test(text) && !offersWork(text) && !isDiagnosis(text) &&
      terms.isSubsetOf(termsOf(text)) &&
      (isChoice || isRefused || recommends(text) || CHOICE.test(text))
    );
    if (where !== undefined) {
      return { asked: cut(where.text, ANSWERED_CHARACTERS_MAX), said: joined(said) };
    }
  }
  return undefined;
}

/** Whether it means an alternative that has a name: then the name is used. */
function namesAlternative(said: string, answer: Turn): boolean {
  const alternatives = alternativesIn(answer.text);
  return alternatives?.recommended !== undefined &&
    alternativeMeant(said, alternatives.names, alternatives.numbered) !== undefined;
}

/** A yes, and words of choosing, before what is chosen. */
const TAKES = phrasePattern("replies.takes", String.raw`^(?:{}\b[,.!:]? *)+`);
/** Words that choose something, whether there was a choice or not. */
const TOOK = phrasePattern("replies.took", WHOLE_WORD);
/** Whether it begins with such a word: 'go with the second pool'. */
export function takes(said: string): boolean {
  return TOOK.test(leadOf(said));
}
/** The end of a name, and the beginning of a reason. */
const NAME_ENDS = phrasePattern("replies.name_ends", String.raw`[,;(–—]|\b{}\b`, "");

/**
 * 'Per line then, as in the old system': one half of an either-or, or a thing from the last answer with a
 * word of choosing.
 */
function chosen(
  said: readonly string[],
  { prompt, answer }: Exchange,
  told: readonly { readonly text: string }[],
): Said | undefined {
  // '2 s is fine. go with pg-boss': the reason may come first.
  const byName = said.findIndex((one) => THEN.test(one.split(NAME_ENDS)[0] ?? ""));
  const at = said.some(takes) ? said.findIndex(takes) : Math.max(0, byName);
  // Dictated prompts weigh first: 'should it be charged or held, I think …, yeah lets do charged'.
  const [weighed = "", one = said[at] ?? ""] = WEIGHED.exec(said[at] ?? "")?.slice(1) ?? [];
  if (answer === undefined || isTypedQuestion(one) || GUESSES.test(one)) return undefined;
  const lead = leadOf(one);
  const [first = "", ...rest] = one.slice(lead.length).split(NAME_ENDS);
  if (rest.some((part) => isTypedQuestion(part.trim()))) return undefined;
  const name = first.trim().replace(ASSENT, "");
  const figure = /^\d[\d.,]*/.exec(name)?.[0];
  const names = figure === undefined ? namesIn(name) : new Set([figure]);
  const laidOpen = [...splitTyped(prompt?.text ?? ""), ...splitSentences(answer.text), weighed]
    .filter((one) => !offersWork(one) && !asksHowItIs(one) && !isDiagnosis(one));
  // A longer name must be one half in the same words: 'a second sheet, or one file per month?' → 'one file
  // per month'.
  const isHalf = wordCount(name) <= HALF_WORDS_MAX &&
    laidOpen.some((sentence) =>
      EITHER_OR.test(sentence) && sentence.toLowerCase().includes(name.toLowerCase())
    );
  const isName = names.size > 0 && (wordCount(name) <= NAME_WORDS_MAX || isHalf) &&
    !TELLS.test(name) && !CHORES.test(name);
  if (!isName || isPassing(name) || told.some(({ text }) => text.includes(name))) return undefined;
  const isOneOf = (sentence: string): boolean => {
    const known = figure === undefined ? namesIn(sentence) : figuresIn(sentence);
    // 'Or a plain cron?' is an either-or by itself.
    const isAlone = EITHER_OR.exec(sentence)?.index === 0;
    return (isAlone || names.size < known.size) && names.isSubsetOf(known);
  };
  const isReasoned = rest.length > 0 || figure !== undefined && said.length > 1;
  // A sentence in front may say of what it is chosen, unless there was an either-or.
  const took = at === 0 &&
    (TOOK.test(lead) || THEN.test(first) && isReasoned);
  const where = laidOpen.findLast((sentence) => EITHER_OR.test(sentence) && isOneOf(sentence)) ??
    (took
      ? [...sentencesOf([answer]).map(({ text }) => text), ...splitTyped(prompt?.text ?? "")]
        .find(isOneOf)
      : undefined);
  if (where === undefined) return undefined;
  const taken = joined([one, ...said.slice(at + 1)]);
  return { asked: cut(collapse(where), OPENED_CHARACTERS_MAX), said: taken };
}

function leadOf(said: string): string {
  return TAKES.exec(said)?.[0] ?? "";
}

/** A name and 'then' choose it, if a reason follows: 'stripe then, because …'. */
const THEN = phrasePattern("replies.then", String.raw` {}[.!]*\s*$`);
/** A sentence that weighs first and ends with the choice. */
const WEIGHED = phrasePattern("replies.weighed", String.raw`^(.{20,}), ({}\b.*)$`);
const FIGURES = /\d[\d.,]*(?<![.,])/g;
export function figuresIn(text: string): Set<string> {
  return new Set(text.match(FIGURES));
}
/** 'Fix this', 'review and test changes' accept an offer to work and choose nothing. */
const WORKS = phrasePattern("replies.works", "^{}");
const WORK_WORDS_MAX = 6;

/** Whether it goes on with the work. */
export function goesOn(said: string): boolean {
  return WORKS.test(withoutFiller(said.slice(leadOf(said).length))) &&
    wordCount(said) <= WORK_WORDS_MAX;
}

/** 'The tests then' continues the work. */
const CHORES = phrasePattern("replies.chores", String.raw`^(?:{replies.article} )?{}$`);

/** Another figure, and why: 'make it 500ms, 2s is too slow for the checkout'. */
const FIGURE = phrasePattern("replies.figure", String.raw`^{}`);
const FIGURE_WHY = phrasePattern("replies.figure_why", WORD_START);

function figured(said: readonly string[], { answer }: Exchange): Said | undefined {
  const text = joined(said);
  const [ordered] = FIGURE.exec(said[0] ?? "") ?? [];
  if (ordered === undefined || !FIGURE_WHY.test(text)) return undefined;
  if (termsOf(ordered).size > 1) return { said: text };
  const where = splitSentences(answer?.text ?? "").find((one) => /\d/.test(one));
  return where === undefined
    ? undefined
    : { asked: cut(collapse(where), OPENED_CHARACTERS_MAX), said: text };
}

const TELLS = phrasePattern("replies.tells", WHOLE_WORD);
const GUESSES = phrasePattern("replies.guesses", WHOLE_WORD);
/** An either-or: two things are named, of which one is to be taken. */
export const EITHER_OR = phrasePattern("replies.opens", WHOLE_WORD);

/** How it looks just now, or what was meant: worth nothing later. */
const PASSES = phrasePattern("replies.passes", WHOLE_WORD);

export function isPassing(said: string): boolean {
  return PASSES.test(said);
}

function refused(said: readonly string[], { prompt }: Exchange): Said | undefined {
  // Somebody else's wish may come first: 'Jonas wants wav. nope, ogg only'.
  const at = said.findIndex(refuses);
  const text = at < 0 ? "" : joined(said.slice(at));
  const isSaid = wordCount(text) >= REFUSAL_WORDS_MIN && !isPassing(text) && lasts(text);
  if (!isSaid) return undefined;
  if (at > 0) {
    const told = said.slice(0, at).join(" ");
    return WANTS.test(told)
      ? { said: `${cut(collapse(told), ANSWERED_CHARACTERS_MAX)} ${text}` }
      : undefined;
  }
  const wanted = collapse(prompt?.text ?? "");
  const isWhole = !LEAVES_OUT.test(text) || wanted === "" ||
    wanted.length > ANSWERED_CHARACTERS_MAX;
  return isWhole ? { said: text } : { asked: wanted, said: text };
}

/** 'No, use the other file' is an order for the moment; with a rule or a reason it is worth keeping. */
export function lasts(text: string): boolean {
  return splitTyped(text).some((one) =>
    isNormative(one) || forbids(one) || settles(withoutFiller(one)) || hasReason(one) ||
    LASTS.test(one) || LEAVES_OUT.test(one)
  );
}

const LASTS = phrasePattern("replies.lasts", WHOLE_WORD);

/** 'bf16 yes. the skip no, that hides problems': what was proposed is answered one by one. */
function eachByName(said: readonly string[], { text: answer }: Turn): Said | undefined {
  const known = namesIn(answer);
  const named = said.filter((one) => {
    const [what = ""] = EACH.exec(one)?.slice(1) ?? [];
    return what !== "" && !namesIn(what).isDisjointFrom(known);
  });
  return named.length >= NAMED_MIN && splitSentences(answer).some(proposes)
    ? { said: joined(said) }
    : undefined;
}

const NAMED_MIN = 2;
const EACH = phrasePattern("replies.each", String.raw`^((?:[^\s,.;]+ ){1,4}){}(?=$|[,.;!])`);

/** What others want. */
const WANTS = phrasePattern("replies.others_want", WHOLE_WORD);
/** What the person answered them. */
const TOLD_NO = phrasePattern("replies.told_no", WHOLE_WORD);

/** 'Yeah told her no': what she wanted was told in the prompt before, or in the same one. */
function toldNo(said: readonly string[], { prompt }: Exchange): Said | undefined {
  if (!said.some((one) => TOLD_NO.test(one))) return undefined;
  const wanted = collapse(prompt?.text ?? "");
  return { asked: cut(wanted, ANSWERED_CHARACTERS_MAX), said: joined(said) };
}

/** Leaves out what the other speaker named. */
const LEAVES_OUT = phrasePattern("replies.leaves_out", WHOLE_WORD);

/** 'Both fail' is a report. */
const BOTH_ARE = phrasePattern("replies.both_are", String.raw`^\S+(?: of \S+)?(?:,? it)? {}`);

/** 'Both', where the question was which one. */
function several(said: readonly string[], { text: answer }: Turn): Said | undefined {
  const text = joined(said);
  const isSaid = isAskedAtEnd(answer.trimEnd()) && wordCount(text) >= REFUSAL_WORDS_MIN &&
    SEVERAL_MEANT.exec(withoutFiller(text))?.index === 0 && !BOTH_ARE.test(withoutFiller(text));
  return isSaid ? { said: text } : undefined;
}

/** What was asked about is not wanted, or not yet. */
const DECLINES = phrasePattern("replies.declines", String.raw`^(?:{replies.declines_after} )*{}\b`);

const ASKS_TO_DO = phrasePattern("replies.asks_to_do", WHOLE_WORD);
const ONLY_LOOKS = phrasePattern("replies.only_looks", WORD_START);

/** The conclusion after a reason: 'they have to swap them. so no'. */
const SO_NOT = phrasePattern("replies.so_not", "^{}[.!]*$");

/** 'Not needed for v1' says nothing without the question, nor does 'they have to swap them. so no'. */
function declined(said: readonly string[], { prompt, answer }: Exchange): Said | undefined {
  const sentences = splitTyped(prompt?.text ?? "");
  // 'Half a point for that? how long did it take': what is declined may come first.
  const asked = sentences.slice(sentences.findIndex((one) => isTypedQuestion(one))).join(" ");
  const isSaid = sentences.some((one) => isTypedQuestion(one)) &&
    (DECLINES.test(said[0] ?? "") || said.length > 1 && SO_NOT.test(said.at(-1) ?? "") ||
      ASKS_TO_DO.test(asked) && !ONLY_LOOKS.test(asked) && !isTypedQuestion(said[0] ?? "") &&
        declinesRequest(said, asked, answer?.text ?? ""));
  if (!isSaid || hasWithheld(asked)) return undefined;
  return { asked: cut(collapse(asked), ANSWERED_CHARACTERS_MAX), said: joined(said) };
}

/** Agrees to what was proposed, and says nothing else. */
const ASSENTS = phrasePattern("replies.assents", String.raw`^(?:{}[,.! ]*)+$`);
/** Praise or thanks alone are no yes. */
const YES = phrasePattern("replies.yes", String.raw`\b{}(?![\wäöüáéíóú])`);
/** A reservation after the yes changes what is agreed to. */
const RESERVES = phrasePattern("replies.reserves", String.raw`^{}\b|\?$`);
/** "Shall I?" asks about what was just proposed; a longer question stands for itself. */
const ASKED_WORDS_MAX = 6;

/** 'Let's go with your recommendation.' */
const ADVISED = phrasePattern("replies.advised", WHOLE_WORD);

/** 'Ok do it', where one thing was proposed: the proposal is the decision. */
function assented(said: readonly string[], answer: Turn): Said | undefined {
  const proposed = sentencesOf([answer]).filter(({ text }) =>
    proposes(text) && !isAskedAtEnd(text)
  );
  const [only] = proposed;
  const end = splitSentences(answer.text).at(-1) ?? "";
  const asksMore = isAskedAtEnd(end) && wordCount(end) > ASKED_WORDS_MAX;
  const [yes = "", ...rest] = said;
  const advice = proposed.findLast(({ text }) => recommends(text));
  if (advice !== undefined && ADVISED.test(yes) && !isTypedQuestion(yes)) {
    return { asked: cut(advice.text, ANSWERED_CHARACTERS_MAX), said: joined(said) };
  }
  const isYes = (ASSENTS.test(yes) || only !== undefined && saysBack(yes, only.text)) &&
    YES.test(yes) && !rest.some((one) => RESERVES.test(one));
  if (only === undefined || proposed.length > 1 || asksMore || !isYes) return undefined;
  return { asked: cut(only.text, ANSWERED_CHARACTERS_MAX), said: yes };
}

/** 'Yes refuse', where the agent would refuse the file. */
function saysBack(yes: string, proposed: string): boolean {
  const stems = stemsOf(yes.replace(YES_BEFORE, ""));
  return YES_BEFORE.test(yes) && !hasQuestionMark(yes) && !TELLS.test(yes) && stems.size > 0 &&
    wordCount(yes) <= BACK_WORDS_MAX && stems.isSubsetOf(stemsOf(proposed));
}

const YES_BEFORE = phrasePattern("replies.yes", String.raw`^(?:{}[,.! ]+){1,4}`);
const BACK_WORDS_MAX = 5;

/**
 * 'So scrap the split.', 'dont bump nih-plug': too short to stand alone, so joined with the sentences beside
 * it.
 */
function left(said: readonly string[]): Said | undefined {
  const at = said.findIndex((one) =>
    wordCount(one) <= SHORT_WORDS_MAX && !isAskedAtEnd(one) &&
    (hasSettlingVerb(withoutFiller(one)) || forbids(one))
  );
  const text = at < 0 ? "" : withoutFiller(joined(said.slice(at)));
  return settles(text) || forbids(text) ? { said: text } : undefined;
}

/** The sentences joined, up to the length that is kept. */
export function joined(said: readonly string[]): string {
  let text = said[0] ?? "";
  for (const next of said.slice(1)) {
    if (isTypedQuestion(next) || `${text} ${next}`.length > WHOLE_CHARACTERS_MAX) break;
    text += ` ${next}`;
  }
  return cut(collapse(text), WHOLE_CHARACTERS_MAX);
}
