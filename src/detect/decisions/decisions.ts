/**
 * Decisions as somebody stated them: 'we chose X over Y because …', an answered question with options, an
 * approved plan. Each keeps the turn it was made in. Questions, suppositions and offers are no decisions.
 */
import { memoize } from "../../base/memoize.ts";
import type { Turn } from "../../editor/editor.ts";
import { answersOf, type Exchange, exchangesOf } from "../text/exchanges.ts";
import {
  hasWithheld,
  isTypedQuestion,
  jaccard,
  LABEL,
  placeOf,
  type Sentence,
  sentencesOf,
  termsOf,
  withFollowing,
  withoutEmphasis,
  withPreceding,
  wordCount,
} from "../text/sentences.ts";
import { collapse, cut, hasQuestionMark, isAskedAtEnd, splitTyped } from "../../base/text/text.ts";
import { numberedAnswers } from "./numbered_answers.ts";
import { spoken } from "../text/clean.ts";
import { OPENING, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { saysPreference, withAntecedent } from "./preferences.ts";
import { changesMind, endsMatter, isStandingOrder, reportsSettlement } from "./orders.ts";
import {
  criticizesAgent,
  hasReason,
  hasTagQuestion,
  isDoubted,
  isNarrated,
  isUndecided,
  lacksNamedSubject,
  lacksNames,
  reportsObservation,
  statesRule,
  tellsOfFault,
} from "./norms.ts";
import { forbids } from "./prohibitions.ts";
import { repliesToProposals } from "./proposal_replies.ts";
import { positionalChoices } from "./positional_choices.ts";
import { ellipticalDecisions, goesOn, isPassing, repliesToQuestions } from "./replies.ts";
import { isSameReply, renderReply, type Reply, type Said } from "./reply.ts";
import {
  alternativesBefore,
  alternativesLaidOutBefore,
  findChoices,
  mayDecide,
  WHOLE_CHARACTERS_MAX,
} from "./choices.ts";
import { rejects, reverses, type Statement, takesBack, withReversals } from "./reversals.ts";
import { alternativeMeant, namesALetter, proposes, withAlternativeNames } from "./alternatives.ts";
import { filesChanged } from "../summary/work.ts";
import { givesLeave, namesCourse } from "./approvals.ts";
import { approved, isSentBack, planOf, sentBackWith, withoutMark } from "./plans.ts";
import { toolAnswers } from "./tool_answers.ts";
import type { Salient } from "../checkpoint/salience.ts";
import { instructs } from "../checkpoint/worth.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";

export interface Decision extends Statement {
  /** The name of the alternative that was taken, if it had one. */
  readonly alternative?: string;
}

const DECISIONS_MAX = 20;
/** How many are compared with each other. */
const FOUND_MAX = 400;

/** Repeats the section that it is put in. */
const DECIDED_LABEL = phrasePattern("decisions.label", LABEL);

/** Who decides, and a verb that settles something. */
const STATED = phrasePattern("decisions.stated");

const DECIDED_HEADING = phrasePattern("decisions.heading", "^{}");

/** How a program behaves, or what somebody did by mistake: "it returns null instead of a list". */
const BEHAVES = phrasePattern(
  "decisions.behaves",
  String
    .raw`^(?!.*\b{decisions.asks_for}\b).*\b{}(?![\wà-ÿ]).{0,200}(?:\b{decisions.instead}\b|, {decisions.and_not} )`,
);

/**
 * How somebody wants to be answered, or what they suppose: 'a short answer, not an essay', 'my guess is the
 * cache, not the database'.
 */
const SUPPOSES = phrasePattern(
  "decisions.supposes",
  String
    .raw`\b{decisions.your} (?:\S+ ){0,2}{decisions.opinion}\b|\b{decisions.how_long} {decisions.answer}\b|\b{decisions.my} (?:\S+ ){0,2}{decisions.hunch}\b|\b{}\b`,
);

/** Tells of a decision that was made, with whoever made it. */
const WE_DECIDED = phrasePattern("decisions.we_decided", WHOLE_WORD);

/** The agent says how it is now, and why: a decision if it has just changed something. */
const SETTLED = phrasePattern("decisions.settled");

/** The agent thinks aloud, or explains how to choose. */
const PONDERS = phrasePattern("decisions.ponders", String.raw`\b{}`);

/** An imperative by which a person settles a matter. */
const ORDERED = phrasePattern(
  "decisions.ordered",
  String.raw`${OPENING}{}\b(?! {decisions.ordered_not}\b).{6,}`,
);

const BOUNDED = phrasePattern("decisions.bounded", WHOLE_WORD);

/** Settles it without a reason. */
const SAID_SO = phrasePattern("decisions.said_so");

/**
 * A person agrees and says to what, also where a sentence begins after the word: 'C it is, with a hard
 * limit', but not 'Measure how fast it is'.
 */
const AGREED = phrasePattern(
  "decisions.agreed",
  String
    .raw`^\s*(?:(?:[^\s,.;:?]+(?: [^\s,.;:?]+){0,2}: )?(?:{decisions.agreed_after}[,.]? )*{}(?:[,:;]| [-–—])\s+\S|{decisions.it_is})`,
);

/** A person says that it is otherwise, and then how it is. */
const CORRECTED = phrasePattern("decisions.corrected");
const WRONG = phrasePattern("decisions.wrong", "^{}[:;,.] ");
const CORRECTION_WORDS_MIN = 7;

/** How something is, not what to do now. */
const STATES = phrasePattern("decisions.states", WHOLE_WORD);
const STATEMENT_WORDS_MIN = 10;

/** Decisions in order, each once. `salient` adds those that only their position shows. */
export function findDecisions(
  turns: readonly Turn[],
  salient: readonly Salient[] = [],
  earlier: readonly Turn[] = [],
): Decision[] {
  const stated = statedIn(turns);
  const named: Decision[] = [
    ...ellipticalDecisions(turns, stated).map(replied),
    ...findChoices(turns, salient, earlier).map(({ text, turn, alternative }) => ({
      ...decision(text, turn),
      ...(alternative === undefined ? {} : { alternative }),
    })),
  ];
  const found: Decision[] = [
    ...stated,
    ...toolAnswers(turns).map(replied),
    ...planned(turns),
    ...sentBack(turns),
    ...numberedAnswers(turns).map(replied),
    // A decision with the name of the alternative says more than the agent's last question.
    ...repliesToQuestions(turns).map(replied).filter((one) =>
      !named.some(({ turn, reply }) =>
        turn === one.turn && reply !== undefined && isSameReply(one.reply, reply)
      )
    ),
    ...named,
  ];
  // What another pattern found can be understood alone.
  for (const reply of positionalChoices(turns)) {
    const first = splitTyped(collapse(reply.turn.text))[0] ?? "";
    const isTold = found.some((one) =>
      one.turn === reply.turn.uuid && (one.alternative !== undefined || one.text.includes(first))
    );
    if (!isTold) found.push(replied(reply));
  }
  for (const reply of repliesToProposals(turns)) {
    if (!found.some(({ turn }) => turn === reply.turn.uuid)) found.push(replied(reply));
  }
  const order = new Map(turns.map((turn, i) => [turn.uuid, i]));
  found.sort((a, b) => (order.get(a.turn) ?? 0) - (order.get(b.turn) ?? 0));
  const commands = new Set(turns.filter((turn) => turn.runsCommand).map(({ uuid }) => uuid));
  const settled = found.filter(({ turn, reply, alternative }) =>
    !(commands.has(turn) && (reply ?? alternative) !== undefined) &&
    !(reply?.asked !== undefined && givesLeave(reply.asked, reply.said))
  );
  const withNamed = settled.slice(-FOUND_MAX).map((one) =>
    withAlternativesNamed(one, turns, earlier)
  )
    .filter(({ text, alternative }) => alternative !== undefined || !lacksNames(text))
    .filter(({ text, alternative = text }) => !namesCourse(alternative));
  const linked = withReversals(distinct(withNamed));
  return withSwitchesBack(linked, [...exchangesOf(earlier), ...exchangesOf(turns)]).slice(
    -DECISIONS_MAX,
  );
}

/** 'pg-boss after all' does not name what was taken before: another alternative of the same choice. */
function withSwitchesBack(
  decisions: readonly Decision[],
  exchanges: readonly Exchange[],
): Decision[] {
  return decisions.map((one, i) => {
    if (one.reverses !== undefined || !takesBack(one.text)) return one;
    const reverses = decisions.slice(0, i).findLast((earlier) => {
      if (earlier.turn === one.turn) return false;
      const place = exchanges.findIndex(({ prompt }) => prompt?.uuid === earlier.turn);
      const [laidOut] = alternativesLaidOutBefore(exchanges.slice(0, Math.max(0, place)));
      const { names = [], numbered = [] } = laidOut?.alternatives ?? {};
      const [before, after] = [earlier, one].map(({ text }) =>
        alternativeMeant(text, names, numbered)
      );
      return before !== undefined && after !== undefined && before !== after;
    });
    return reverses === undefined ? one : { ...one, reverses };
  });
}

/** Adds the name of an alternative that a person took by its letter. */
function withAlternativesNamed(
  one: Decision,
  turns: readonly Turn[],
  earlier: readonly Turn[],
): Decision {
  if (!namesALetter(one.text)) return one;
  const exchanges = exchangesOf(turns);
  const place = exchanges.findIndex(({ prompt }) => prompt?.uuid === one.turn);
  if (place < 0) return one;
  const before = [...exchangesOf(earlier), ...exchanges.slice(0, place)];
  return { ...one, text: withAlternativeNames(one.text, alternativesBefore(before).names) };
}

/** Whether a prompt states how things are, which whoever continues has to know. */
export function statesFact(prompt: string): boolean {
  return !hasQuestionMark(prompt) && STATES.test(prompt) &&
    wordCount(prompt) >= STATEMENT_WORDS_MIN;
}

/** A prompt of so few words goes on with what the one before it asked for. */
const GO_WORDS_MAX = 4;

/** Kept, because the patterns are the most expensive part and callers list decisions twice. */
const statedIn: (turns: readonly Turn[]) => readonly Decision[] = memoize(stated);

function stated(turns: readonly Turn[]): Decision[] {
  const exchanges = exchangesOf(turns);
  const answers = answersOf(exchanges);
  const changes = new Set(exchanges.filter(({ replies }) => filesChanged(replies).length > 0));
  const reports = answersOf([...changes]);
  // 'Implement the plan.' carries out what the prompt before it asked for.
  const goesOnWith = (next: Exchange | undefined): boolean =>
    next !== undefined && changes.has(next) && wordCount(next.prompt?.text ?? "") <= GO_WORDS_MAX;
  const carriedOut = new Set(
    exchanges.filter((exchange, i) => changes.has(exchange) || goesOnWith(exchanges[i + 1]))
      .map(({ prompt }) => prompt),
  );
  return sentencesOf(turns).flatMap((sentence) => {
    const { turn, heading } = sentence;
    if (/option|alternative/.test(heading)) return [];
    const told = turn.role === "user"
      ? statedByPerson(sentence, carriedOut.has(turn))
      : statedByAgent(sentence, answers.has(turn), reports.has(turn));
    return told === undefined ? [] : [decision(told, turn)];
  });
}

/**
 * The decision that a sentence of a prompt states, with as much of the prompt as it needs; else undefined.
 */
function statedByPerson(sentence: Sentence, isCarriedOut: boolean): string | undefined {
  const { text, turn, position } = sentence;
  const said = saidIn(sentence);
  if (isNarrated(said)) return undefined;
  const asserted = text.replace(TAG, "");
  const isForbidden = forbids(said);
  const isHeld = isForbidden || isStandingOrder(said);
  const isOrdered = isOrder(said, sentence);
  // 'Agreed, let's continue with the next step' settles nothing that the agent did not say.
  const isAgreed = position === 0 && AGREED.test(turn.text) && !goesOn(text);
  const isChanged = changesMind(said);
  const isFinal = endsMatter(said);
  const isDecided = isHeld || isOrdered || isAgreed || isChanged || isFinal ||
    isStated(said, sentence) && !SUPPOSES.test(said) ||
    isCorrection(said, turn) || isCarriedOut && SUGGESTS.test(said) && !criticizesAgent(said);
  // A prohibition with 'ok?' behind it leaves nothing open.
  const isOpen = (): boolean =>
    isUndecided(isForbidden ? asserted : text) ||
    !isForbidden && hasTagQuestion(text, turn.text) || isDoubted(said);
  const isWish = (): boolean =>
    !isAskedAtEnd(asserted) && saysPreference(asserted) && !isDoubted(said);
  if (!isForbidden && INVERTED.test(said)) return undefined;
  // Last, because few sentences get here and conditions are the most expensive to recognise.
  if (!(isDecided && !isOpen()) && !isWish()) return undefined;
  if (isFinal) return withPreceding(sentence);
  if (isHeld || isOrdered && isPart(text)) return inItsPrompt(text, turn);
  if (isChanged) return withFollowing(sentence);
  if (isAgreed || isReasonBehind(text, turn)) return toItsEnd(text, turn);
  return isOrdered || saysPreference(asserted) ? withAntecedent({ text, turn }) : text;
}

/** 'I think we should bump both versions': settled once the agent did it. */
const SUGGESTS = phrasePattern("decisions.suggests", String.raw`(?:^|[.;,:!] ){}(?![\wà-ÿ])`);

/** A question or a request without its mark, and too long to be seen as one: 'does the cli support it, or do we …'. */
const INVERTED = phrasePattern(
  "decisions.inverted",
  String.raw`(?:${OPENING}|^[^:?]{0,80}: ){}\b`,
);

/** The same of an agent's sentence. What the agent would do is still for the person to decide. */
function statedByAgent(
  sentence: Sentence,
  isInAnswer: boolean,
  isInReport: boolean,
): string | undefined {
  const { text } = sentence;
  const said = saidIn(sentence);
  // What an agent says before its next call is how it works: 'I'll read the file rather than guess, because …'.
  if (!isInAnswer && !(WE_DECIDED.test(said) && hasReason(said))) return undefined;
  if (proposes(said) || PONDERS.test(said)) return undefined;
  // 'Use a map, because …' is advice, unless it is listed below 'Decisions'.
  if (instructs(said) && !DECIDED_HEADING.test(sentence.heading)) return undefined;
  if (!isAgentsChoice(said, sentence, isInReport)) return undefined;
  return isUndecided(text) || tellsOfFault(said) ? undefined : text;
}

/**
 * What an agent did 'rather than' something else, 'because …', is mostly how it worked, or how a program behaves:
 * a choice has a label, is told of us, or is the agent's own in a report of changes.
 */
function isAgentsChoice(said: string, sentence: Sentence, isInReport: boolean): boolean {
  if (isLabelled(said, sentence) || WE_DECIDED.test(said)) return true;
  if (I_DECIDED.test(said) && hasReason(said)) return true;
  return BY_US.test(said) && STATED.test(said) ||
    isInReport && (SETTLED.test(said) || I_CHOSE.test(said));
}

const BY_US = phrasePattern("decisions.by_us", String.raw`^{}\b`);
const I_CHOSE = phrasePattern("decisions.i_chose", WHOLE_WORD);
const I_DECIDED = phrasePattern("decisions.i_decided", String.raw`^{}\b`);

/** Without quoted words, which are somebody else's. */
function saidIn({ text }: Sentence): string {
  return collapse(spoken(text));
}

function isStated(said: string, sentence: Sentence): boolean {
  return STATED.test(said) || isLabelled(said, sentence);
}

function isLabelled(said: string, { turn, heading }: Sentence): boolean {
  return DECIDED_LABEL.test(said) ||
    DECIDED_HEADING.test(heading) && !isAskedAtEnd(turn.text.trimEnd());
}

/** An order that settles something, rather than a mere task. */
function isOrder(said: string, { text, turn }: Sentence): boolean {
  if (ORDERED.test(said) && (hasReason(said) || takesBack(said) || BOUNDED.test(said))) return true;
  if (SAID_SO.test(said) || reportsSettlement(said)) return true;
  const mayRule = (): boolean =>
    !isTypedQuestion(text) && !tellsOfFault(said) && !BEHAVES.test(said);
  if (statesRule(said) && mayDecide(said) && mayRule() && !reportsObservation(turn.text)) {
    return true;
  }
  return rejects(said) && mayRule() && !criticizesAgent(said) && !reportsObservation(said) &&
    !SUPPOSES.test(said);
}

function isCorrection(said: string, { text }: Turn): boolean {
  const corrected = said.replace(WRONG, "");
  // What is wrong is named by the same sentence only where that reports a fault.
  return CORRECTED.test(text) && !CORRECTED.test(corrected) && STATES.test(said) &&
    !isPassing(said) &&
    !reportsObservation(said) && !lacksNamedSubject(corrected) &&
    wordCount(corrected) >= CORRECTION_WORDS_MIN;
}

const TAG = phrasePattern("decisions.tag", String.raw`,? {}\?+$`);

/** 'We redo February. Because accounting compares it.': the reason is a sentence of its own. */
const REASON_ALONE = unspacedPattern("decisions.reason_alone");

function isReasonBehind(text: string, { text: whole }: Turn): boolean {
  const at = whole.indexOf(text);
  return at >= 0 && REASON_ALONE.test(whole.slice(at + text.length));
}

/** With the rest of the prompt, because what somebody agrees to is seldom all in the first sentence. */
function toItsEnd(text: string, turn: Turn): string {
  const { whole, at } = placeOf({ text, turn });
  if (at < 0 || whole.length > WHOLE_CHARACTERS_MAX || hasQuestionMark(whole)) return text;
  return text + whole.slice(at + text.length);
}

/** 'Do not touch prod before that': what it refers to comes before it. */
function inItsPrompt(text: string, turn: Turn): string {
  const whole = collapse(turn.text);
  if (whole.length <= WHOLE_CHARACTERS_MAX && !whole.includes("?")) {
    // 'Good.' answered what was said before.
    const first = sentencesOf([turn])[0]?.text ?? text;
    return whole.slice(Math.max(0, whole.toLowerCase().indexOf(first.toLowerCase())));
  }
  return termsOf(text).size >= HELD_TERMS_MIN && !isPart(text)
    ? text
    : withPreceding({ text, turn });
}

/** Enough terms to name what is held. */
const HELD_TERMS_MIN = 3;

/** 'With a question instead of the answer': its first half is in the sentence before. */
function isPart(text: string): boolean {
  return PART.test(text);
}

const PART = phrasePattern("decisions.part", "^{} ", "");

/** 'Decision: cents or euros' is the name of a choice. */
const PLANNED_WORDS_MIN = 5;

/** What the editor itself records of plans that were approved. */
function planned(turns: readonly Turn[]): Decision[] {
  return turns.flatMap((turn) =>
    turn.tools.flatMap((tool) => {
      if (tool.name !== "ExitPlanMode" || tool.failed !== false) return [];
      const lines = tool.items?.map(({ text }) => text) ?? [];
      const plan = planOf(lines);
      return [
        ...(plan === "" ? [] : [decision(approved(plan), turn)]),
        ...lines.map(withoutMark).map(withoutEmphasis).filter((line) =>
          (DECIDED_LABEL.test(line) || STATED.test(line)) && wordCount(line) >= PLANNED_WORDS_MIN
        ).map((line) => decision(cut(line, WHOLE_CHARACTERS_MAX), turn)),
      ];
    })
  );
}

/** A person sends a plan back with a word on it, or turns down another call and says why. */
function sentBack(turns: readonly Turn[]): Decision[] {
  return turns.flatMap((turn, i) => {
    // What comes after a plan that was only stopped may as well be the next request.
    if (turn.refuses !== true) return [];
    const said = collapse(turn.text);
    if (isAskedAtEnd(said) || hasWithheld(said) || wordCount(said) < WORD_ON_IT_WORDS_MIN) {
      return [];
    }
    const call = turns[i - 1]?.tools.at(-1);
    const word = cut(said, WHOLE_CHARACTERS_MAX);
    if (call?.name === "ExitPlanMode") {
      const title = planOf(call.items?.map(({ text }) => text) ?? []);
      return [decision(sentBackWith(title, word), turn)];
    }
    return hasReason(said) ? [decision(word, turn)] : [];
  });
}

/** 'Not now' says nothing of it. */
const WORD_ON_IT_WORDS_MIN = 4;

function decision(said: string, turn: Turn): Decision {
  const text = said.replace(DECIDED_LABEL, "").replace(WRONG, "");
  return { text, turn: turn.uuid };
}

function replied(reply: Reply): Decision & { readonly reply: Said } {
  return { ...decision(renderReply(reply), reply.turn), reply };
}

function distinct(decisions: readonly Decision[]): Decision[] {
  const kept: { decision: Decision; terms: Set<string> }[] = [];
  for (const candidate of decisions) {
    const terms = termsOf(candidate.text);
    // A reversal uses the same words as what it reverses.
    const same = kept.findIndex(({ decision, terms: other }) =>
      decision.turn === candidate.turn && decision.text === candidate.text ||
      isWithin(candidate, decision) || isWithin(decision, candidate) ||
      jaccard(other, terms) > 0.6 && !reverses(candidate, decision) &&
        // A plan that was sent back has the title of the one that was approved then.
        isSentBack(candidate.text) === isSentBack(decision.text)
    );
    if (same < 0) kept.push({ decision: candidate, terms });
    else if (isBetter(candidate, kept[same]?.decision)) kept[same] = { decision: candidate, terms };
  }
  return kept.map((entry) => entry.decision);
}

/** A sentence of a prompt that is kept whole. */
function isWithin(part: Decision, whole: Decision): boolean {
  return part.turn === whole.turn && part.text.length < whole.text.length &&
    whole.text.toLowerCase().includes(part.text.toLowerCase());
}

function isBetter(candidate: Decision, known: Decision | undefined): boolean {
  if (known === undefined || isWithin(known, candidate)) return true;
  return !isWithin(candidate, known) && hasReason(candidate.text) && !hasReason(known.text);
}
