/**
 * The extractive checkpoint: built from the turns alone, when nobody writes a better one (before compaction,
 * after a crash, or when the agent was asked and did not answer). Every sentence is verbatim. The caller has
 * removed secrets and private text.
 */
import type { Embedder } from "../../embed/embedder.ts";
import type { Turn } from "../../editor/editor.ts";
import { collapse, cut, isAskedAtEnd } from "../../base/text/text.ts";
import { estimateTokens } from "../../base/text/tokens.ts";
import { type Decision, findDecisions } from "../decisions/decisions.ts";
import { errorLines } from "./evidence.ts";
import { exchangesOf } from "../text/exchanges.ts";
import { type Extract, fill } from "./fill.ts";
import { asksToRepeat, type Intent, intentsOf, namesItsSubject } from "../summary/intent.ts";
import { isCutOff } from "../summary/cut_off.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { offersMore } from "../open/courtesies.ts";
import { isStillOpen, nextSteps, openQuestions } from "../open/questions.ts";
import { outdatedIn } from "../decisions/outdated.ts";
import { pickDistinct, rankSentences } from "./rank_sentences.ts";
import { ownWords } from "../text/own_words.ts";
import { stillStanding } from "../decisions/reversals.ts";
import { asProse, isComplete, isQuestion, sentencesOf, wordCount } from "../text/sentences.ts";
import { LAST_ASKED } from "../summary/summary_marks.ts";
import { headsConclusion, OPTIONS_LABEL, tellsOutcome } from "./outcome.ts";
import { type Concluded, titleOf } from "./title.ts";
import { alternativesIn, areOffered } from "../decisions/alternatives.ts";
import { commitsMade, filesChanged, taskState } from "../summary/work.ts";
import { isDecidedBy, type Salient, scoreSalience } from "./salience.ts";
import { announces, instructs, isNoise } from "./worth.ts";

export interface ExtractOptions {
  readonly embedder?: Embedder | undefined;
  readonly tokensMax?: number;
  /** Least effort, counted in words, that is worth keeping; 0 where the text is about to be dropped. */
  readonly effortMin?: number;
  /** Redacts secrets in strings quoted without their sentence. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Paths below it become relative. */
  readonly cwd?: string;
  /** Earlier turns that are saved already: what is chosen now may have been laid out there. */
  readonly earlier?: readonly Turn[];
  /** So many of the last exchanges are about another subject: the conclusion is taken from before them. */
  readonly newSubject?: number | undefined;
}

const TOKENS_MAX = 500;
/** With less effort, nothing happened that is worth coming back for. */
const EFFORT_MIN = 60;
const OPEN_MAX = 4;
const QUESTION_CHARACTERS_MAX = 360;
/** The conclusion is in the last exchanges; older ones count less. */
const LATEST: Lookback = { exchanges: 4, fade: 0.82 };
const THESIS_TOKENS_MAX = 110;

/** How many exchanges back a conclusion is looked for, and the factor on its score for each. */
export interface Lookback {
  readonly exchanges: number;
  readonly fade: number;
  /** Where somebody stopped, what was announced counts too. */
  readonly takesAnnounced?: true;
}

/** A sentence that says how it came out. */
const CONCLUSION = phrasePattern("extract.conclusion", String.raw`\b{}\b`);
/** Says that something was committed, not what. */
const SHIPPED = /^(?:(?:\w+ )?commits?:|(?:committed|pushed|merged|tagged|uploaded to)\b)/i;

/** Undefined where too little happened. */
export function extractCheckpoint(
  turns: readonly Turn[],
  options: ExtractOptions = {},
): Extract | undefined {
  const all = ownWords(turns);
  const intents = wantedIn(all);
  const { effortMin = EFFORT_MIN } = options;
  // The request may be private or forgotten; what was found is kept all the same.
  if (intents.length === 0 && (effortMin > 0 || isTooLittle(all, EFFORT_MIN))) return undefined;
  if (isTooLittle(all, effortMin)) return undefined;

  const earlier = options.earlier ?? [];
  const ranked = rankSentences(sentencesOf(all), options.embedder);
  const outdated = outdatedIn(all);
  const weighed = scoreSalience(all, ranked, earlier).filter(({ sentence }) =>
    !outdated.has(sentence)
  );
  const { newSubject = 0 } = options;
  const subject = newSubject === 0 || isPoint(weighed, all) ? all : withoutLast(all, newSubject);
  const decisions = stillStanding(findDecisions(all, weighed, earlier));
  const next = nextSteps(all, taskState(all));
  // What comes next is told as such, unless there is nothing else to tell.
  const past = weighed.filter(({ sentence }) => !next.includes(sentence.text));
  const conclusion = decidedLast(subject, decisions) ?? conclude(subject, past) ??
    conclude(subject, weighed) ?? conclude(all, weighed);
  const salient = [...weighed].sort((a, b) => b.score - a.score);
  const decided = new Set([
    ...decisions.map(({ turn }) => turn),
    ...weighed.flatMap(({ isDecided, sentence }) => isDecided ? [sentence.turn.uuid] : []),
  ]);
  const turnedTo = subject === all
    ? undefined
    : intents.find(({ turn }) => !subject.includes(turn));
  // What was asked after the conclusion is not what it answers.
  const last = exchangesOf(all).at(-1);
  const begun = last !== undefined && isCutOff(last) ? last.prompt : undefined;
  const upTo = conclusion?.at ?? all.length;
  const before = intents.filter((intent) =>
    intent !== turnedTo && (intent.turn === begun || all.indexOf(intent.turn) <= upTo)
  );
  // A prompt that decides is kept as a decision; the question is then the one before it.
  const asked = questionsOf(
    before.length > 0 ? before : intents,
    ({ turn }) => decided.has(turn.uuid),
    earlier,
  );
  const fixed = {
    coreQuestion: asked.join(LAST_ASKED),
    title: titleOf(concludedIn(conclusion), asked, conclusion?.asked),
    thesis: conclusion?.text ?? "",
    nextStep: turnedTo?.text ?? next[0],
  };
  return fill(fixed, {
    turns: all,
    decisions,
    open: openQuestions(all).slice(-OPEN_MAX),
    salient,
    thesis: salient.filter(({ sentence }) =>
      conclusion?.from.some((one) => one.sentence === sentence)
    ),
    cwd: options.cwd,
    redact: options.redact,
  }, options.tokensMax ?? TOKENS_MAX);
}

/**
 * Requests in order. 'Go on' requests nothing new; if work was done after it, the prompt itself stands for
 * the request.
 */
export function wantedIn(turns: readonly Turn[]): readonly Intent[] {
  const intents = intentsOf(turns);
  if (intents.length > 0 || filesChanged(turns).length + commitsMade(turns).length === 0) {
    return intents;
  }
  const prompt = turns.find(({ role, text }) => role === "user" && text.trim() !== "");
  return prompt === undefined
    ? []
    : [{ text: cut(collapse(prompt.text), QUESTION_CHARACTERS_MAX), turn: prompt }];
}

/**
 * Whether the effort is too little: words of the agent, with actions counted as words. Decisions are looked
 * for last, because they are expensive.
 */
function isTooLittle(turns: readonly Turn[], effortMin: number): boolean {
  let words = 0;
  for (const { role, text } of turns) {
    if (role === "assistant") words += Math.min(400, wordCount(text));
    if (words >= effortMin) return false;
  }
  const effort = words + filesChanged(turns).length * 25 + commitsMade(turns).length * 40 +
    errorLines(turns).length * 20;
  return effort < effortMin && effort + findDecisions(turns).length * 20 < effortMin;
}

/** The first and the last request; an earlier one where neither names its subject. */
function questionsOf(
  intents: readonly Intent[],
  isDecided: (intent: Intent) => boolean,
  earlier: readonly Turn[],
): string[] {
  const undecided = intents.filter((intent) => !isDecided(intent));
  const asked = undecided.length === 0 ? intents : undecided;
  const before = intentsOf(earlier);
  const first = asked.find(({ text }) => namesItsSubject(text)) ??
    before.findLast(({ text, turn }) => namesItsSubject(text) && !isDecidedBy(turn, earlier)) ??
    asked[0] ?? before.at(-1);
  if (first === undefined) return [];
  const last = asked.at(-1) ?? first;
  const isNews = last !== first && !asksToRepeat(last.text) &&
    (namesItsSubject(last.text) || isQuestion(last));
  return isNews
    ? [first, last].map(({ text }) => cut(text, QUESTION_CHARACTERS_MAX / 2))
    : [cut(first.text, QUESTION_CHARACTERS_MAX)];
}

/** Whether the last exchange is a point by itself, even if it begins another subject. */
function isPoint(weighed: readonly Salient[], turns: readonly Turn[]): boolean {
  const { answers = [] } = exchangesOf(turns).at(-1) ?? {};
  return weighed.some(({ sentence, isLaidOut, concludes }) =>
    answers.includes(sentence.turn) && (isLaidOut || concludes >= CONCLUDES_MIN)
  );
}

/** Where the last prompt took an alternative by name, that is the conclusion. */
function decidedLast(
  turns: readonly Turn[],
  decisions: readonly Decision[],
): Conclusion | undefined {
  const prompt = exchangesOf(turns).at(-1)?.prompt;
  const { alternative, text = "" } = decisions.findLast(({ turn }) => turn === prompt?.uuid) ?? {};
  if (alternative === undefined || prompt === undefined) return undefined;
  // 'Option 2, but with 900 ms': the name says what was laid out, not what was taken.
  const said = text.replace(`${alternative} — `, "");
  const taken = RESERVES.test(said) ? `${said} (${alternative})` : alternative;
  return { text: asProse([`Decided: ${taken}`]), from: [], at: turns.indexOf(prompt) };
}

const RESERVES = phrasePattern("replies.reserves", WHOLE_WORD);

/** All exchanges but the last ones, unless there are no others. */
function withoutLast(turns: readonly Turn[], count: number): readonly Turn[] {
  const start = exchangesOf(turns).at(-count)?.start ?? 0;
  return start === 0 ? turns : turns.slice(0, start);
}

export interface Conclusion {
  readonly text: string;
  readonly from: readonly Salient[];
  /** The one of them that says it best. */
  readonly best?: Salient | undefined;
  /** The request that its answer answers. */
  readonly asked?: string | undefined;
  /** Index of the turn. */
  readonly at: number;
}

/** Its sentences, the one that says it best first; its text, if it is not made of sentences. */
export function saidIn(conclusion: Conclusion | undefined): string[] {
  return concludedIn(conclusion).map(({ text }) => text);
}

function concludedIn(conclusion: Conclusion | undefined): Concluded[] {
  const { from = [], best } = conclusion ?? {};
  const others = from.filter((one) => one !== best);
  const said = (best === undefined ? from : [best, ...others]).map(({ sentence }) => sentence);
  return said.length > 0 || conclusion === undefined
    ? said
    : [{ text: conclusion.text, isItem: false }];
}

/** The agent's conclusion: one to three sentences of one reply, in order, or the alternatives it laid out. */
export function conclude(
  turns: readonly Turn[],
  salient: readonly Salient[],
  reach: Lookback = LATEST,
): Conclusion | undefined {
  const exchanges = exchangesOf(turns).slice(-reach.exchanges).reverse();
  const places = new Map(exchanges.map(({ answer }, age) => [answer, {
    age,
    length: Math.min(1, wordCount(answer?.text ?? "") / LONG_WORDS),
  }]));
  const scored = salient.flatMap((candidate) => {
    const { sentence, rankScore, concludes } = candidate;
    const place = places.get(sentence.turn);
    if (place === undefined || isQuestion(sentence)) return [];
    if (isStillOpen(sentence.text) || SHIPPED.test(sentence.text)) return [];
    if (offersMore(sentence.text)) return [];
    if (reach.takesAnnounced !== true && announces(sentence.text)) return [];
    const says = CONCLUSION.test(sentence.text) || headsConclusion(sentence.heading);
    const worth = rankScore + (says ? 0.45 : 0) + (sentence.position === 0 ? 0.15 : 0) +
      CONCLUDES * concludes + LENGTH * place.length;
    const score = worth * (isComplete(sentence.text) ? 1 : FRAGMENT) * reach.fade ** place.age;
    return [{ ...candidate, score }];
  });
  const best = scored.reduce<Salient | undefined>(
    (top, next) => top === undefined || next.score > top.score ? next : top,
    undefined,
  );
  if (best === undefined) return undefined;
  const answer = best.sentence.turn.text;
  const alternatives = best.isLaidOut ? alternativesIn(answer) : undefined;
  // Causes, parts and tips have names too.
  const isLeftToPerson = alternatives?.recommended !== undefined || isAskedAtEnd(answer.trimEnd());
  if (alternatives !== undefined && isLeftToPerson && areOffered(alternatives, answer)) {
    const text = asProse([
      `${OPTIONS_LABEL}${alternatives.names.join("; ")}`,
      ...(alternatives.recommended === undefined ? [] : [alternatives.recommended]),
    ]);
    const from = scored.filter(({ sentence }) => sentence.text === alternatives.recommended);
    return { text, from, at: best.sentence.turnIndex };
  }
  // Which answer concludes is known by what happened; what it says best, by the form of its sentences.
  const prompt = exchanges.find(({ answer }) => answer === best.sentence.turn)?.prompt;
  const asked = intentsOf(prompt === undefined ? [] : [prompt])[0]?.text;
  const same = scored.flatMap((one) =>
    one.sentence.turn === best.sentence.turn
      ? [{ ...one, score: tellsOutcome(one, asked ?? "") }]
      : []
  );
  const most = Math.max(...same.map(({ score }) => score));
  const telling = same.filter(({ score, sentence }) =>
    score === most ||
    score > most * TELLING_MIN && !isNoise(sentence.text) && !instructs(sentence.text)
  );
  const picked = pickDistinct(telling, 3);
  while (picked.length > 1 && estimateTokens(told(picked)) > THESIS_TOKENS_MAX) picked.pop();
  const from = picked.toSorted((a, b) => a.sentence.position - b.sentence.position);
  return { text: told(from), from, best: picked[0], asked, at: best.sentence.turnIndex };
}

/** How much the probability of a synthesis adds to a sentence's score, and other weights of `conclude`. */
const CONCLUDES = 0.3;
const CONCLUDES_MIN = 0.8;
const LENGTH = 0.25;
const LONG_WORDS = 120;
const FRAGMENT = 0.6;
/** Of the chance of the sentence that says it best. */
const TELLING_MIN = 0.4;

function told(sentences: readonly Salient[]): string {
  return asProse(sentences.map(({ sentence }) => sentence.text));
}
