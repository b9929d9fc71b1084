/**
 * A session in the parts of its note: what it was about, what was done and decided, what is open, what comes
 * next. Made of the same pieces as a checkpoint, but without a budget, because a handoff is read once.
 */
import { cut, splitSentences } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { type Decision, findDecisions } from "../decisions/decisions.ts";
import { answersAfterChanges, reportedWork, tellsMatter } from "./reported_work.ts";
import {
  conclude,
  type Conclusion,
  type ExtractOptions,
  type Lookback,
  saidIn,
  wantedIn,
} from "../checkpoint/extract.ts";
import { answersOf, type Exchange, exchangesOf } from "../text/exchanges.ts";
import { asksForStatus, type Intent, leadOf, namesItsSubject, withoutMentions } from "./intent.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { answersToWhatIsLeft } from "../open/left_open.ts";
import { share } from "../trigger/measures.ts";
import { reworkOutcomes, reworksIn, withReworks } from "../decisions/reworks.ts";
import { beforeChanges, outdatedIn } from "../decisions/outdated.ts";
import { nextSteps, openQuestions } from "../open/questions.ts";
import { pickDistinct, type Ranked, rankSentences } from "../checkpoint/rank_sentences.ts";
import { ownWords } from "../text/own_words.ts";
import { fixesIn } from "../checkpoint/fixes.ts";
import { rejectsPartOf, toldWith } from "../decisions/reversals.ts";
import {
  isTypedQuestion,
  jaccard,
  type Sentence,
  sentencesOf,
  stemsOf,
  termsOf,
  wordCount,
} from "../text/sentences.ts";
import { namesWaitOrDeadline } from "../open/waits_and_deadlines.ts";
import { proposes } from "../decisions/alternatives.ts";
import {
  checksThatFail,
  commandsThatMattered,
  commitsMade,
  filesChanged,
  taskState,
} from "./work.ts";
import { type Salient, scoreSalience } from "../checkpoint/salience.ts";
import { CAME_OUT, LAST_ASKED } from "./summary_marks.ts";
import { afterResult, REQUEST_CHARACTERS_MAX } from "./where_stopped.ts";

export interface SessionSummary {
  /** Empty if nobody named the subject. */
  readonly title: string;
  /** The request, then the result. */
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly openQuestions: readonly string[];
  readonly next: readonly string[];
  readonly filesTouched: readonly string[];
  readonly commits: readonly string[];
  /** The latest results of checks that passed. */
  readonly commands: readonly string[];
}

const DONE_MAX = 10;
const FILES_MAX = 8;
/** The result of a session may have been said long before its end. */
const WHOLE: Lookback = { exchanges: 60, fade: 0.97 };
const REPORTS_MAX = 6;

/** Undefined if nobody requested anything. Commits are only in their own list. */
export function summarizeSession(
  turns: readonly Turn[],
  options: ExtractOptions = {},
): SessionSummary | undefined {
  const all = ownWords(turns);
  const intents = wantedIn(all);
  const wanted = intents.find(({ text }) => !asksForStatus(text)) ?? intents[0];
  if (wanted === undefined) return undefined;
  const ranked = rankSentences(sentencesOf(all), options.embedder);
  const outdated = outdatedIn(all);
  const salient = scoreSalience(all, ranked).filter(({ sentence }) => !outdated.has(sentence));
  const decisions = findDecisions(all, salient);
  const tasks = taskState(all);
  const next = nextSteps(all, tasks);
  const held = heldAtEnd(all, salient, { decisions, next });
  const conclusion = concluded(all, held);
  const { first, own } = askedFor(all, conclusion, { wanted, intents, decisions });

  const exchanges = exchangesOf(all);
  const answers = answersOf(exchanges);
  const changes = answersAfterChanges(exchanges);
  const otherwise = reworksIn(exchanges);
  for (const { before } of otherwise) before.answers.forEach((one) => void answers.delete(one));
  const lasting = ranked.filter(({ sentence }) =>
    answers.has(sentence.turn) && !outdated.has(sentence)
  );
  const deeds = reportedWork(lasting, changes).filter(({ sentence }) =>
    tellsMatter(sentence.text) && !next.includes(sentence.text)
  );
  const done = doneIn(deeds, decisions, conclusion);

  const asked = (own ?? first ?? wanted).turn;
  const summary = withReworks(
    conclusion === undefined ? wanted.text : [
      cameOut(first, own, conclusion),
      ...afterResult(all, conclusion, { ranked, held: held.held, intents }),
    ]
      .join(" "),
    otherwise,
    ({ prompt, answers }) =>
      prompt === asked || answers.some((answer) => answer === all[conclusion?.at ?? -1]),
  );
  const commits = commitsMade(all);
  const files = filesChanged(all, options.cwd);
  const left = openQuestions(all);
  // Each once: with the question that it was said of, and without 'What remains:'.
  const ahead = next.filter((step) =>
    !left.some((one) => one !== step && one.endsWith(step) && !one.endsWith(`: ${step}`))
  );
  const open = Map.groupBy(
    left.filter((one) => !ahead.some((step) => one.endsWith(`: ${step}`))),
    namesWaitOrDeadline,
  );
  return {
    title: titleOf(
      commits,
      [
        subjectOf(all, wanted, first ?? own),
        ...intents.filter(({ turn }) => decisions.every((one) => one.turn !== turn.uuid)),
      ],
      [...done, ...saidIn(conclusion)],
    ),
    summary,
    decisions: decisions.map(tellDecision),
    done: [
      ...done,
      ...reworkOutcomes(exchanges, [summary, ...done]),
      ...tasks.filter((task) => task.status === "completed").map((task) => task.text),
      ...(files.length === 0 ? [] : [`Changed: ${fileList(files)}`]),
    ].slice(-DONE_MAX).concat(fixesIn(all)),
    // A failing check is not work done; it is listed here, after what waits for somebody.
    openQuestions: [...open.get(true) ?? [], ...checksThatFail(all), ...open.get(false) ?? []],
    next: ahead,
    filesTouched: files,
    commits,
    commands: commandsThatMattered(all),
  };
}

interface Held {
  /** What is done, not what is still ahead. */
  readonly past: readonly Salient[];
  /** Of it, what holds at the end and belongs to the work. */
  readonly held: readonly Salient[];
}

function heldAtEnd(
  turns: readonly Turn[],
  salient: readonly Salient[],
  { decisions, next }: Pick<SessionSummary, "next"> & { readonly decisions: readonly Decision[] },
): Held {
  const left = answersToWhatIsLeft(turns);
  const past = salient.filter(({ sentence }) =>
    !next.includes(sentence.text) && !left.has(sentence.turn)
  );
  const current = notOvertaken(turns, past.length > 0 ? past : salient, decisions);
  return { past, held: notAside(turns, current) };
}

function concluded(turns: readonly Turn[], { past, held }: Held): Conclusion | undefined {
  return conclude(turns, held, WHOLE) ?? conclude(turns, past, WHOLE);
}

interface Asked {
  readonly wanted: Intent;
  readonly intents: readonly Intent[];
  readonly decisions: readonly Decision[];
}

/** The request that the result answers; and the first request, if they belong together. */
function askedFor(
  turns: readonly Turn[],
  conclusion: Conclusion | undefined,
  { wanted, intents, decisions }: Asked,
): { readonly first: Intent | undefined; readonly own?: Intent | undefined } {
  if (conclusion === undefined) return { first: wanted };
  const own = intentFor(turns, conclusion.at, intents, decisions) ??
    intentAbout(turns, conclusion, intents);
  return { own, first: withinSight(turns, wanted, own, conclusion) };
}

/** Reported work in order, without what is listed as a decision. */
function doneIn(
  deeds: readonly Ranked[],
  decisions: readonly Decision[],
  conclusion: Conclusion | undefined,
): string[] {
  const decided = new Set(decisions.map(({ text }) => text));
  const own = deeds.filter(({ sentence }) => !decided.has(sentence.text.replace(LABEL, "")));
  return pickDistinct(own, REPORTS_MAX, conclusion?.from)
    .sort((a, b) => a.sentence.turnIndex - b.sentence.turnIndex)
    .map(({ sentence }) => sentence.text);
}

const LABEL = /^[^\s:]+:\s+/;

/**
 * Without what is out of date: recommendations once files were changed or an alternative was taken; the state
 * of a file before its change; a choice that was reversed; trouble that was fixed.
 */
function notOvertaken(
  turns: readonly Turn[],
  salient: readonly Salient[],
  decisions: readonly Decision[],
): readonly Salient[] {
  const changed = exchangesOf(turns).findLast(({ replies }) => filesChanged(replies).length > 0);
  const taken = decisions.findLast(({ alternative }) => alternative !== undefined)?.turn;
  const order = new Map(turns.map(({ uuid }, i) => [uuid, i]));
  const last = Math.max(changed?.start ?? 0, order.get(taken ?? "") ?? -1);
  const gone = beforeChanges(turns, salient.map(({ sentence }) => sentence));
  const reversals = decisions.filter(({ reverses }) => reverses !== undefined);
  const isTakenBack = ({ text, turnIndex }: Sentence): boolean =>
    reversals.some((one) =>
      turnIndex < (order.get(one.turn) ?? 0) && rejectsPartOf(one.text, text)
    );
  const overcome = troubleOvercome(exchangesOf(turns));
  const choices = choicesIn(turns);
  const kept = salient.filter(({ sentence, isLaidOut }) =>
    !gone.has(sentence) && !isTakenBack(sentence) && !overcome.has(sentence.turn) &&
    (sentence.turnIndex >= last ||
      !(isLaidOut || choices.has(sentence.turn) || proposes(sentence.text)))
  );
  return kept.length > 0 ? kept : salient;
}

/** Answers that list alternatives and propose one: out of date once one is taken. */
function choicesIn(turns: readonly Turn[]): ReadonlySet<Turn> {
  return new Set(
    turns.filter(({ role, text }) =>
      role === "assistant" && (text.match(WAY_ITEM)?.length ?? 0) >= 2 &&
      splitSentences(text).some(proposes)
    ),
  );
}

const WAY_ITEM = /^\s{0,3}(?:\*\*)?(?:[A-F1-6])[.):]/gm;

/** Answers about a command that failed first and passed later. */
function troubleOvercome(exchanges: readonly Exchange[]): ReadonlySet<Turn | undefined> {
  const passed = new Set<string>();
  const overcome = new Set<Turn | undefined>();
  for (const { tools, answers } of exchanges.toReversed()) {
    const last = tools.findLast(({ command }) => command !== undefined);
    if (last?.failed === true && passed.has(last.command ?? "")) overcome.add(answers.at(-1));
    for (const { command, failed } of tools) {
      if (command !== undefined && failed === false) passed.add(command);
    }
  }
  return overcome;
}

/**
 * Without side questions after the work: they use no tools, and their words are new. A subject that is
 * continued is no side question.
 */
function notAside(turns: readonly Turn[], salient: readonly Salient[]): readonly Salient[] {
  const exchanges = exchangesOf(turns);
  const work = exchanges.findLastIndex(({ tools }) => tools.length > 0);
  if (work < 0) return salient;
  const known = termsIn(exchanges.slice(0, work + 1));
  const aside: Exchange[] = [];
  for (const exchange of exchanges.slice(work + 1)) {
    const asked = termsOf(exchange.prompt?.text ?? "");
    const terms = termsIn([exchange]);
    const isGoneOnWith = !asked.isDisjointFrom(termsIn(aside));
    const isAside = asked.isDisjointFrom(known) && !isGoneOnWith &&
      share(terms.intersection(known).size, terms.size) <= ASIDE_KNOWN_MAX;
    if (isGoneOnWith) aside.length = 0;
    if (isAside || TAKES_NOTE.test(exchange.answer?.text ?? "")) aside.push(exchange);
    else terms.forEach((term) => void known.add(term));
  }
  const left = answersOf(aside);
  const kept = salient.filter(({ sentence }) => !left.has(sentence.turn));
  return kept.length > 0 ? kept : salient;
}

const ASIDE_KNOWN_MAX = 0.1;
/** An answer that takes note of a reminder: reminders are listed as next steps. */
const TAKES_NOTE = phrasePattern("summarize.takes_note", String.raw`^\W*{}\b`);

function termsIn(exchanges: readonly Exchange[]): Set<string> {
  return new Set(
    exchanges.flatMap(({ prompt, replies }) =>
      [prompt, ...replies].flatMap((turn) => [...termsOf(turn?.text ?? "")])
    ),
  );
}

/**
 * The subject of the last commits, which were worded to be found again; else the request, or the next one that
 * says something alone, which "Yes, both" does not; else the work done.
 */
function titleOf(
  commits: readonly string[],
  requests: readonly Intent[],
  done: readonly string[],
): string {
  const all = commits.map((commit) => commit.replace(/^[0-9a-f]{7,40} /, ""));
  const gone = new Set(all.filter((subject) => REVERT.test(subject)));
  for (const revert of [...gone]) gone.add(revert.replace(REVERT, "$1"));
  const subjects = all.filter((subject) =>
    !gone.has(subject) && !FIRST.test(subject) && termsOf(subject).size >= SUBJECT_TERMS_MIN
  );
  let title = subjects.at(-1) ?? "";
  for (const subject of subjects.slice(0, -1).reverse()) {
    const longer = `${subject}; ${title}`;
    if (longer.length > TITLE_CHARACTERS_MAX) break;
    title = longer;
  }
  if (title !== "") return title;
  const asked = requests.map(({ text }) => withoutMentions(text));
  const named = asked.find(namesItsSubject);
  return named === undefined
    ? done.find(namesItsSubject) ?? requests[0]?.text ?? ""
    : leadOf(named);
}

/** The request that a session is known by: the first one, where its words are still there at the end. */
function subjectOf(turns: readonly Turn[], wanted: Intent, asked: Intent | undefined): Intent {
  if (asked === undefined || asked === wanted) return wanted;
  const exchanges = exchangesOf(turns);
  const late = exchanges.slice(-Math.ceil(exchanges.length * LATE_SHARE));
  const stems = stemsOf(wanted.text);
  const lasts = late.some(({ prompt, answer, replies }) =>
    [prompt?.text ?? "", answer?.text ?? "", ...filesChanged(replies)]
      .some((text) => !stems.isDisjointFrom(stemsOf(text)))
  );
  return lasts && namesItsSubject(wanted.text) ? wanted : asked;
}

const LATE_SHARE = 1 / 3;

/** Says that there is a repository now. */
const FIRST = /^(?:first|initial) commit\W*$/i;
/** The subject that git gives to a revert. */
const REVERT = /^Revert "(.*)"$/;
const SUBJECT_TERMS_MIN = 2;
/** A longer title is cut. */
const TITLE_CHARACTERS_MAX = 80;

/** The request behind the result of a turn; undefined if it says too little. */
function intentFor(
  turns: readonly Turn[],
  at: number,
  intents: readonly Intent[],
  decisions: readonly Decision[],
): Intent | undefined {
  const decided = new Set(decisions.map(({ turn }) => turn));
  const before = exchangesOf(turns).filter(({ start }) => start <= at).reverse();
  for (const { prompt } of before) {
    const intent = intents.find(({ turn }) => turn === prompt);
    // Assent continues the request before it, and so does a choice in a few words.
    if (intent === undefined) continue;
    if (decided.has(intent.turn.uuid) && !namesItsSubject(intent.text)) continue;
    // Even a short question is what was answered; nothing before it is.
    const isQuestion = isTypedQuestion(intent.text) && termsOf(intent.text).size > 0;
    return isQuestion || namesItsSubject(intent.text) ? intent : undefined;
  }
  return undefined;
}

/** The last request that shares terms with the conclusion. */
function intentAbout(
  turns: readonly Turn[],
  { text, at }: Conclusion,
  intents: readonly Intent[],
): Intent | undefined {
  const terms = termsOf(text);
  return intents.findLast((intent) =>
    turns.indexOf(intent.turn) <= at && namesItsSubject(intent.text) &&
    jaccard(termsOf(intent.text), terms) > 0
  );
}

/** A reversal is told with the decision that it reverses; that one stays in the list, for its reason. */
function tellDecision({ text, reverses }: Decision): string {
  return reverses === undefined ? text : toldWith(text, reverses.text);
}

/**
 * The first request, unless it has nothing to do with the result: far from it, or a question answered in a
 * line, and no terms in common.
 */
function withinSight(
  turns: readonly Turn[],
  first: Intent,
  own: Intent | undefined,
  { text, at }: Conclusion,
): Intent | undefined {
  const exchanges = exchangesOf(turns);
  const from = turns.indexOf(first.turn);
  const between = exchanges.filter(({ start }) => start > from && start <= at).length;
  const exchange = exchanges.find(({ prompt }) => prompt === first.turn);
  const isAside = own !== undefined && exchange?.tools.length === 0 &&
    wordCount(exchange.answer?.text ?? "") < ASIDE_WORDS_MAX;
  return between <= SIGHT_EXCHANGES && !isAside || jaccard(termsOf(first.text), termsOf(text)) > 0
    ? first
    : undefined;
}

const ASIDE_WORDS_MAX = 20;
const SIGHT_EXCHANGES = 12;

/** Request and result as one text. The request is the last one before the result. */
function cameOut(
  first: Intent | undefined,
  own: Intent | undefined,
  { text: said }: Conclusion,
): string {
  if (first === undefined) return own === undefined ? said : leadOf(own.text) + CAME_OUT + said;
  const asked = own === undefined || own === first
    ? leadOf(first.text)
    : cut(leadOf(first.text), REQUEST_CHARACTERS_MAX) + LAST_ASKED + leadOf(own.text);
  return asked + CAME_OUT + said;
}

/** The last ones that were changed. */
function fileList(files: readonly string[]): string {
  const shown = files.slice(-FILES_MAX).join(", ");
  return files.length > FILES_MAX ? `${shown} and ${files.length - FILES_MAX} more` : shown;
}
