/**
 * Open questions and next steps, as the end of a session shows them: questions nobody answered, remarks that
 * something was not checked, the agent's announced next step, the task list.
 */
import { mapEach } from "../../base/map_each.ts";
import {
  capitalised,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../../base/text/text.ts";
import type { PlanItem, Turn } from "../../editor/editor.ts";
import { spoken } from "../text/clean.ts";
import { answersOf, type Exchange, exchangeAfter, exchangesOf } from "../text/exchanges.ts";
import { cutOffRequest, isCutOff } from "../summary/cut_off.ts";
import { isRequest } from "../summary/intent.ts";
import { phrasePattern, WHOLE_WORD, WORD_START } from "../phrases/phrase_patterns.ts";
import { ASKED_TERMS_MIN, comesBackTo, leftIn, matterLeftOpen, PUTS_OFF } from "./left_open.ts";
import { isCourtesy, offersMore } from "./courtesies.ts";
import { asksToBeReminded, matterOfReminder } from "./reminders.ts";
import { answersAfterChanges, reportedWork, reportsWork } from "../summary/reported_work.ts";
import { NUMBERED_LIST } from "../text/list_items.ts";
import { namesIn } from "../decisions/reversals.ts";
import {
  isTypedQuestion,
  LABEL,
  namesMatter,
  restates,
  type Sentence,
  sentencesOf,
  SHORT_STEM,
  stemsOf,
  termsOf,
  withoutEmphasis,
  wordCount,
} from "../text/sentences.ts";
import { commitsMade } from "../summary/work.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";
import { plansIn } from "./plans.ts";
import { onlyShips, startOfLast } from "./routine.ts";
import { withQuestion } from "./waits_and_deadlines.ts";

const OPEN_HEADING = phrasePattern("questions.open_heading", "^{}");
const NEXT_HEADING = phrasePattern("questions.next_heading", "^{}");

const STILL_OPEN = phrasePattern("questions.still_open", WHOLE_WORD);

const NEXT = phrasePattern("questions.next", WHOLE_WORD);

/** 'The file has our progress and the next steps for the project.': that there are some, not which. */
const NAMES_STEPS = phrasePattern("questions.names_steps", String.raw`{}[.!)]*$`);

/** 'Notified the reviewer', 'a report has been saved': below a heading of steps, and done. */
const TOLD_DONE = phrasePattern("questions.told_done", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

/** 'Committed as 4f1c2aa (not pushed)', 'still unpushed', 'ready to merge': waits for its last step. */
const UNFINISHED = phrasePattern("questions.unfinished", String.raw`(?<![\wà-ÿ]){}`);

/** Repeats the section that the sentence is put in: "Next: **Next step:** …". */
const NEXT_LABEL = phrasePattern("questions.next_label", LABEL);

/** The same for open questions. */
const OPEN_LABEL = phrasePattern("questions.open_label", LABEL);

/** 'Should I commit this?' as the last words: the work is left where only the person can finish it. */
const FINISHES = phrasePattern("questions.finishes", WHOLE_WORD);

/** A person who leaves asks for nothing: 'ok pause here, I have a meeting', 'Feierabend für heute'. */
const LEAVES = phrasePattern("questions.leaves");
const LEAVES_WORDS_MAX = 15;

const LOOK_BACK_EXCHANGES = 4;

/** What comes next, without a label: '下一步是…', '次のステップは…'. */
const AHEAD = unspacedPattern("questions.ahead");

/** Whether something is not known or not done yet, which is no conclusion. */
export function isStillOpen(text: string): boolean {
  return STILL_OPEN.test(text) || NEXT_LABEL.test(text) || AHEAD.test(text);
}

/** Open questions, newest last. */
export function openQuestions(turns: readonly Turn[]): string[] {
  const exchanges = exchangesOf(turns);
  const last = exchanges.at(-1);
  const from = exchanges.at(-LOOK_BACK_EXCHANGES)?.start ?? 0;
  const asking = unanswered(exchanges);
  const answers = answersOf(exchanges);
  const sentences = sentencesOf(turns);
  const { left, waiting } = leftIn(turns);
  const kept = new Set([...left, ...waiting]);
  const found = sentences.filter((sentence) => {
    if (sentence.turnIndex < from || kept.has(sentence)) return false;
    const isLast = sentence.turnIndex >= (last?.start ?? 0);
    if (sentence.turn.role === "user") {
      // A prompt that was not answered any more.
      return isLast && last !== undefined && isCutOff(last) && isAskedAtEnd(sentence.text) ||
        !waiting.some(({ turn }) => turn === sentence.turn) && isForOthers(sentence) &&
          !isTakenUpLater(sentence, exchanges, sentences);
    }
    if (isCourtesy(sentence.text) && !(isLast && FINISHES.test(sentence.text))) return false;
    if (isOnOffer(sentence)) return false;
    if (
      OPEN_HEADING.test(sentence.heading) && !isBehindList(sentence) ||
      STILL_OPEN.test(sentence.text) ||
      OPEN_LABEL.test(sentence.text)
    ) {
      // 'The test job is still pending' before the next call is what the agent waits for at once.
      if (!answers.has(sentence.turn) && !(isLast && last !== undefined && isCutOff(last))) {
        return false;
      }
      if (isBesideQuestion(sentence)) return false;
      return isLast ||
        !isTakenUp(sentence, sentences) && !isLookedInto(sentence, exchanges) &&
          !isAnsweredByNumber(sentence, exchanges) && !isRepliedTo(sentence, exchanges);
    }
    return asking.has(sentence.turn) && isAskedAtEnd(sentence.text) && !isAnsweredAtOnce(sentence);
  });
  const waits = waiting.map((sentence) =>
    cut(withQuestion(sentence, exchanges), LEFT_CHARACTERS_MAX)
  );
  const told = [
    // The wait repeats the question, with whom it is for.
    ...left.filter(({ text }) => !waits.some((wait) => wait.includes(text)))
      .map((sentence) => cut(matterLeftOpen(sentence, exchanges), LEFT_CHARACTERS_MAX))
      .filter((text) => !waits.some((wait) => wait.startsWith(`${text} `))),
    ...waits,
    ...found.map((sentence) => asked(sentence, sentences)),
  ];
  const open = [...new Set(told)].filter(hasMatter);
  // A question asked twice is listed once, without its lead.
  return open.filter((text, i) =>
    !open.slice(i + 1).some((later) => text.toLowerCase().endsWith(later.toLowerCase())) &&
    !open.slice(0, i).some((earlier) => isEcho(text, earlier))
  );
}

/** The agent repeats what it was told is open. */
function isEcho(text: string, earlier: string): boolean {
  if (earlier.toLowerCase().includes(text.toLowerCase())) return true;
  const [stems, before] = mapEach([text, earlier], (one) => stemsOf(one, SHORT_STEM));
  const fewest = Math.min(stems.size, before.size);
  return fewest >= ECHO_STEMS_MIN &&
    stems.intersection(before).size >= ECHO_SHARE * fewest;
}

/** Fewer stems may be those of two questions about one thing. */
const ECHO_STEMS_MIN = 3;
const ECHO_SHARE = 0.6;

/** Of an open matter, with its question. */
const LEFT_CHARACTERS_MAX = 240;

/** Whether it says what is open: 'That is still open.' does not. */
function hasMatter(text: string): boolean {
  return isAskedAtEnd(text) || namesMatter(text.replace(STILL_OPEN, ""), 1);
}

/** Somebody who asks elsewhere takes the question along; 'I have to ask again' asks here. */
const ASKS_ELSEWHERE = phrasePattern("questions.asks_elsewhere", WORD_START);

function isPutToOthers(said: string): boolean {
  return ASKS_ELSEWHERE.test(said) && !isAskedAtEnd(said);
}

/** 'I have to clear that with legal first' waits for others without a question. */
const WAITS_FOR_OTHERS = phrasePattern("questions.waits_for_others", WORD_START);

/** A question that a person calls open, or that only somebody else can answer. */
function isForOthers({ text, turn }: Sentence): boolean {
  const waits = WAITS_FOR_OTHERS.test(text) &&
    !splitTyped(turn.text).some((one) => isTypedQuestion(one));
  return OPEN_LABEL.test(text) || waits ||
    isTypedQuestion(text) && splitTyped(turn.text).some(isPutToOthers);
}

/** An item right below 'Would you like me to:' is one of several courtesies. */
function isOnOffer(sentence: Sentence): boolean {
  const before = linesBefore(sentence);
  const lead = before.findLast((line) => !LISTED.test(line))?.trim() ?? "";
  return lead.endsWith(":") && splitSentences(lead).slice(-1).some(isCourtesy);
}

/** The lines up to a sentence; the last one has what stands before it. */
function linesBefore({ text, turn }: Sentence): string[] {
  const said = withoutEmphasis(turn.text);
  return said.slice(0, Math.max(0, said.indexOf(text))).split("\n");
}

/** A paragraph behind the list that a heading announced: 'The overview is a base for more documents.' */
function isBehindList(sentence: Sentence): boolean {
  if (isAskedAtEnd(sentence.text)) return false;
  const [own = "", ...above] = linesBefore(sentence).reverse();
  const line = above.find((one) => one.trim() !== "") ?? "";
  // The dot stands for the sentence, so that nothing before it is no space between two items.
  return !LISTED.test(`${own}.`) && above[0]?.trim() === "" && ITEM.test(line);
}

/** 'Keep Sass? It costs a build step.': said of a question in the same line, which is told. */
function isBesideQuestion(sentence: Sentence): boolean {
  const [own = ""] = linesBefore(sentence).slice(-1);
  return !isAskedAtEnd(sentence.text) && splitSentences(own).some(isAskedAtEnd);
}

const MARK = String.raw`(?:[-*+•]|\d{1,2}[.)])\s`;
const ITEM = new RegExp(String.raw`^\s*${MARK}`);
/** An item of a list, its second line, or the space between two. */
const LISTED = new RegExp(String.raw`^(?:\s|$|${MARK})`);

/** What the agent says right away to such a question only acknowledges it. */
function isTakenUpLater(
  open: Sentence,
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const next = exchangeAfter(open.turnIndex, exchanges);
  return next !== undefined && isTakenUp({ ...open, turnIndex: next.start }, sentences);
}

/** A rhetorical question: 'Is it merged? Not yet: …', 'From CCM? CCM is not executable.' */
function isAnsweredAtOnce({ text, turn }: Sentence): boolean {
  const at = turn.text.indexOf(text);
  if (at < 0) return false;
  const behind = turn.text.slice(at + text.length);
  if (ANSWERS.test(behind.slice(0, 20))) return true;
  // Somebody who waits for an answer asks in a whole sentence.
  const [next = ""] = splitSentences(behind.split("\n")[0] ?? "");
  return !ASKS_WHOLE.test(text) && !isAskedAtEnd(next) &&
    namesIn(next).intersection(namesIn(text)).size > 0;
}

const ASKS_WHOLE = phrasePattern("questions.asks_whole", WHOLE_WORD);

const ANSWERS = phrasePattern("questions.answers", String.raw`^\s{1,3}{}\b`);

const PUT_OFF_WORDS_MAX = 15;

/** The last answer, and the ones before it whose question was put off. */
function unanswered(exchanges: readonly Exchange[]): ReadonlySet<Turn | undefined> {
  const asking = new Set<Turn | undefined>();
  for (const [i, { prompt, answers }] of [...exchanges.entries()].reverse()) {
    answers.forEach((answer) => void asking.add(answer));
    const said = prompt?.text ?? "";
    if (hasQuestionMark(said) || wordCount(said) > PUT_OFF_WORDS_MAX) break;
    const [putOff] = PUTS_OFF.exec(said) ?? [];
    if (putOff === undefined) break;
    // 'Half up, I'll check the totals': what was asked is named first, and settled.
    const before = termsOf(said.slice(0, said.indexOf(putOff)));
    if (!before.isDisjointFrom(termsOf(exchanges[i - 1]?.answer?.text ?? ""))) break;
  }
  return asking;
}

/** The lead of a question: 'Two questions before I build it: …', 'And …'. */
const LED_UP = phrasePattern(
  "questions.led_up",
  String.raw`^(?:[^:?]{0,60}\b{}\b[^:?]{0,40}: |{reversals.and} (?=\S))`,
);
const GOES_ON = phrasePattern("questions.goes_on", String.raw`^{}\b`);
/** 'Or we …' is the second half: the sentence before it belongs to the question. */
const LED_UP_SENTENCES_MAX = 3;

/** A question with enough before it to be understood: 'Which one do you prefer?' needs that. */
function asked(sentence: Sentence, sentences: readonly Sentence[]): string {
  const text = sentence.text.replace(OPEN_LABEL, "");
  // Kept as it is, because an unanswered prompt is also the next step, in the same words.
  if (sentence.turn.role === "user") {
    const whom = splitTyped(sentence.turn.text).find(isPutToOthers);
    return whom === undefined || text.includes(whom) ? text : `${text} ${whom}`;
  }
  const rest = text.replace(LED_UP, "");
  const whole = rest === text ? text : capitalised(rest);
  if (isAskedAtEnd(text) ? termsOf(rest).size >= ASKED_TERMS_MIN : hasMatter(text)) return whole;
  const before: string[] = [];
  for (let back = 1; back <= LED_UP_SENTENCES_MAX; back++) {
    const one = sentences.find(({ turn, position }) =>
      turn === sentence.turn && position === sentence.position - back
    );
    if (one === undefined) break;
    before.unshift(one.text);
    if (!GOES_ON.test(one.text)) break;
  }
  return [...before, whole].join(" ");
}

/**
 * Next steps, nearest first: an unanswered request, plans, what the agent announced, reminders, the task
 * list.
 */
export function nextSteps(turns: readonly Turn[], tasks: readonly PlanItem[]): string[] {
  const exchanges = exchangesOf(turns);
  const from = startOfLast(exchanges, 2);
  const begun = cutOffRequest(turns);
  const asked = begun !== undefined && !takesLeave(begun) ? [begun] : [];
  const sentences = sentencesOf(turns);
  // 'Next I'll read the config' before a call is what the agent does at once.
  const answers = answersOf(exchanges);
  const said = sentences.filter((sentence) =>
    sentence.turn.role === "assistant" && answers.has(sentence.turn) &&
    (sentence.turnIndex >= from || PUT_OFF_TO.test(sentence.text)) &&
    !isAskedAtEnd(sentence.text) && !offersMore(sentence.text) && !reportsWork(sentence.text) &&
    (NEXT_HEADING.test(sentence.heading) && !isBehindList(sentence) &&
        !TOLD_DONE.test(sentence.text) ||
      NEXT.test(spoken(sentence.text)) && !NAMES_STEPS.test(sentence.text) ||
      NEXT_LABEL.test(sentence.text)) &&
    !isTakenUp(sentence, sentences) && (PUT_OFF_TO.test(sentence.text)
      ? !isTold(sentence.text, sentence.turnIndex + 1, turns, sentences)
      : !isUnderway(sentence, turns, exchanges, sentences))
  ).sort((a, b) => b.turnIndex - a.turnIndex)
    .map((sentence) => sentence.text.replace(NEXT_LABEL, ""));
  const last = exchanges.at(-1)?.answers ?? [];
  const unfinished = sentences.filter(({ text, turn }) =>
    last.includes(turn) && !isAskedAtEnd(text) && !text.startsWith("(") &&
    UNFINISHED.test(spoken(text))
  ).slice(-1);
  const waiting = ["in_progress", "pending"].flatMap((status) =>
    tasks.filter((task) => task.status === status).map((task) => task.text)
  );
  const listed = waiting.length === 0 ? [] : notReported(waiting, turns, exchanges, sentences);
  const planned = plansIn(sentences, turns).filter((plan) =>
    !isToldSince(plan, plan.text, turns, exchanges, sentences)
  );
  const steps = [
    ...new Set([
      ...asked,
      ...planned.map(({ text }) => text),
      ...said.slice(0, 3),
      ...unfinished.map(({ text }) => text),
      ...reminders(turns, exchanges, sentences),
      ...listed,
    ]),
  ];
  // Of two that differ only in when, the first.
  return steps.filter((step, i) =>
    !steps.some((other, at) => isWithin(step, other) && (at < i || !isWithin(other, step)))
  );
}

function takesLeave(prompt: string): boolean {
  return LEAVES.test(prompt) && wordCount(prompt) <= LEAVES_WORDS_MAX;
}

/** What was put off is still ahead, whatever was done since. */
const PUT_OFF_TO = phrasePattern("questions.put_off_to", WHOLE_WORD);

/** 'The lint rule tomorrow' is within a step that says what the rule forbids. */
function isWithin(step: string, other: string): boolean {
  const terms = termsOf(step.replace(WHEN, ""));
  return terms.size > 0 && terms.size < termsOf(other).size && terms.isSubsetOf(termsOf(other));
}

const WHEN = phrasePattern("questions.later", String.raw`\b(?:{}|{questions.today})\b`, "gi");

const REMINDERS_MAX = 3;

function reminders(
  turns: readonly Turn[],
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): string[] {
  return sentences.filter((sentence) => {
    const { text, turn } = sentence;
    return turn.role === "user" && !isAskedAtEnd(text) && asksToBeReminded(text) &&
      !isToldSince(sentence, matterOfReminder(text), turns, exchanges, sentences);
  }).map((sentence) => reminderInFull(sentence, exchanges, sentences)).slice(-REMINDERS_MAX);
}

/** 'Note it somewhere, we come back to it' refers to what the agent repeats. */
function reminderInFull(
  { text, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): string {
  if (termsOf(matterOfReminder(text)).size >= ASKED_TERMS_MIN) return text;
  const answer = exchanges.find(({ start }) => start === turnIndex)?.answer;
  const [said] = sentences.filter(({ turn }) => turn === answer);
  return said === undefined ? text : `${text} → ${said.text}`;
}

/** Whether it was done after it was said; right away the agent only says that it will be. */
function isToldSince(
  { turnIndex }: Sentence,
  matter: string,
  turns: readonly Turn[],
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const after = exchangeAfter(turnIndex, exchanges)?.start;
  return after !== undefined && isTold(matter, after, turns, sentences);
}

/** Whether the agent came back to it later. */
function isTakenUp(open: Sentence, sentences: readonly Sentence[]): boolean {
  return comesBackTo(
    termsOf(open.text),
    sentences,
    ({ turn, turnIndex }) => turnIndex > open.turnIndex && turn.role === "assistant",
  );
}

/** 'I haven't verified that yet' holds until work continues: its result is told in other words. */
function isLookedInto({ text, turnIndex }: Sentence, exchanges: readonly Exchange[]): boolean {
  return termsOf(text.replace(STILL_OPEN, "")).size === 0 &&
    exchanges.some(({ start, tools }) => start > turnIndex && tools.length > 0);
}

/** Whether the questions were numbered, and the next prompt goes through them one by one. */
function isAnsweredByNumber(
  { turn, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
): boolean {
  const next = exchangeAfter(turnIndex, exchanges)?.prompt;
  return next !== undefined && [turn, next].every(({ text }) => NUMBERED_LIST.test(text));
}

/** Whether the next prompt takes up what was asked in the same answer: whoever replies goes through it. */
function isRepliedTo(
  { text, turn, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
): boolean {
  const next = exchangeAfter(turnIndex, exchanges)?.prompt;
  if (next === undefined || !isAskedAtEnd(text) || PUTS_OFF.test(next.text)) return false;
  const asked = splitSentences(turn.text).filter(isAskedAtEnd).join(" ");
  return !termsOf(next.text).isDisjointFrom(termsOf(asked));
}

/**
 * Whether an announced step was begun: the person asked for it or said 'go on', or the agent reported,
 * changed or committed most of it later.
 */
function isUnderway(
  step: Sentence,
  turns: readonly Turn[],
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const tells = restates(step.text.replace(NEXT_LABEL, ""));
  const answered = exchanges.filter((exchange) =>
    exchange.start > step.turnIndex && exchange.answer !== undefined &&
    !onlyShips(exchange, step.text)
  );
  if (answered.some(({ prompt }) => prompt !== undefined && saysGoOn(prompt.text, tells))) {
    return true;
  }
  return isTold(step.text.replace(NEXT_LABEL, ""), step.turnIndex + 1, turns, sentences);
}

/** Whether the agent reported or committed most of it, from a turn on. */
function isTold(
  matter: string,
  from: number,
  turns: readonly Turn[],
  sentences: readonly Sentence[],
): boolean {
  const tells = restates(matter);
  return sentences.some((later) =>
    later.turnIndex >= from && later.turn.role === "assistant" &&
    !NEXT.test(later.text) && !isAskedAtEnd(later.text) && tells(later.text)
  ) || commitsMade(turns.slice(from)).some(tells);
}

/** Without the tasks that the agent reported as done since it wrote its list, but left on it. */
function notReported(
  tasks: readonly string[],
  turns: readonly Turn[],
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): string[] {
  const listed = turns.findLastIndex(({ tools }) => tools.some(({ items }) => items !== undefined));
  // An agent that goes on to other work and finishes it without its list keeps it no more.
  const isLeft = listed >= 0 &&
    exchanges.some((exchange) =>
      exchange.start > listed && exchange.tools.length > 0 && !isCutOff(exchange)
    );
  if (isLeft) return [];
  const later = sentences.filter(({ turn, turnIndex }) =>
    listed >= 0 && turnIndex > listed && turn.role === "assistant"
  );
  const reports = reportedWork(
    later.map((sentence) => ({ sentence })),
    answersAfterChanges(exchanges),
  );
  return tasks.filter((task) => {
    const tells = restates(task);
    return !reports.some(({ sentence }) => tells(sentence.text));
  });
}

/** 'Good, the rule tomorrow' and 'see you tomorrow' continue nothing. */
const LATER = phrasePattern("questions.later", WHOLE_WORD);

const STOPS = phrasePattern("questions.stops", String.raw`^\s*{}\b`);

function saysGoOn(prompt: string, tells: (text: string) => boolean): boolean {
  if (LATER.test(prompt) || takesLeave(prompt)) return false;
  return tells(prompt) || (!isRequest(prompt) && !STOPS.test(prompt));
}
