/**
 * A session in the parts of its note: what it was about, what was done and decided, what is open, what
 * comes next. Made of the same pieces as a checkpoint, without its budget: a handoff is read once.
 */
import { cut, isAskedAtEnd, splitSentences } from "../base/text.ts";
import type { Turn } from "../editor/editor.ts";
import { type Decision, findDecisions } from "./decisions.ts";
import { conclude, type Conclusion, type ExtractOptions, type Reach, wantedIn } from "./extract.ts";
import { type Exchange, exchangesOf } from "./exchanges.ts";
import { asksWhereItStood, type Intent, saysItsMatter } from "./intent.ts";
import { share } from "./measures.ts";
import { isStillOpen, nextSteps, openQuestions } from "./questions.ts";
import { beforeChanges, outdatedIn } from "./outdated.ts";
import { pickDistinct, rankSentences } from "./rank_sentences.ts";
import { REVERSED_CHARACTERS_MAX, turnsAwayFrom } from "./reversals.ts";
import { withinReach } from "./reach.ts";
import {
  isAsked,
  isWhole,
  overlap,
  type Sentence,
  sentencesOf,
  termsOf,
  wordCount,
} from "./sentences.ts";
import { proposes, waysIn } from "./ways.ts";
import {
  checksThatFail,
  commandsThatMattered,
  commitsMade,
  filesChanged,
  hasActed,
  taskState,
} from "./work.ts";
import { weighWorth, type Worthy } from "./worth.ts";
import { wider } from "./unspaced.ts";

export interface SessionSummary {
  /** What it is to be known by; empty where nobody named it. */
  readonly title: string;
  /** What was wanted, then what came out. */
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly openQuestions: readonly string[];
  readonly next: readonly string[];
  readonly filesTouched: readonly string[];
  readonly commits: readonly string[];
  /** That passed, with how they went last. */
  readonly commands: readonly string[];
}

const DONE_MAX = 10;
/** Of the first request, where another one led to what came out. */
const FIRST_CHARACTERS_MAX = 120;
const FILES_MAX = 8;
/** What came out of a session may have been said long before its last words. */
const WHOLE: Reach = { exchanges: 60, fade: 0.97 };
const REPORTS_MAX = 6;

/** After a change, an answer may begin with what came of it instead. */
const TROUBLE = wider(
  "summarize.trouble",
  /^(?:\S+ ){0,6}(?<!\b(?:that|which|longer|never) )(?:failed|fails|cannot|can['’]t|could(?: not|n['’]t)|did(?: not|n['’]t)|(?:was|is|were) (?:refused|rejected)|scheitert\w*|fehlgeschlagen|geht nicht)\b|^(?:there (?:is|are|was|were) (?:a|an|one|still|no) |you(?:'re| are) right|unfortunately|sorry|i was wrong|that (?:failed|did not)|leider|es gibt ein)/i,
);

/** The agent reporting a piece of work: itself, what it did; or how things are now. */
const REPORTER = /^(?:(?:i|we|it)(?:'ve| have)? (?:now )?)?(?:also )?/i;
const REPORTED =
  /^(?:added|fixed|implemented|moved|removed|renamed|replaced|rewrote|refactored|switched|migrated|updated|created|split|extracted|wrote|changed|documented|deployed|released|merged|verified|measured|reduced|deleted|reverted|tagged|shipped|exported|installed|bumped|patched)\b/i;
/** 'Moved files are not seen': what was done to them is what they are. */
const DONE_TO =
  /^\w+ (?:(?!(?:that|which|the|an?|all|both)\b)\w+ ){1,2}(?:is|are|was|were|has|have|can|cannot|do|does|did|still|will|breaks?|comes?|differ)\b|^\w+ in \d{4}\b/i;
/** Any deed of its own: 'I raised it to 16', but not what it needed, thought, looked at or found out. */
const I_DID =
  /^i(?:'ve| have)? (?:(?:also|now|then|therefore) )*(?!need|want|assum|expect|notic|look|tri|recommend|suggest|propos|consider|wonder|prefer|doubt|suppos|check|confirm|guess|learn|hop|us|stopp|skipp|refus|believ|compar|follow|agre|ask|decid|conclud|discover|reali[sz]|open|list|search|trac|reproduc|analy|review|wait|start|plann|inspect|examin|identif|figur|spott|miss|fail|attempt|mention|explain|answer|describ|count|scan|quer|match|print|watch|profil|load|receiv|replay|sampl|ping|fetch|pars|interpret|call|visit|join|comput|stated|stepp|walk|test|end|added up|made (?:sure|a mistake|an assumption)|gave (?:it|up)|took (?:a |notes)|(?:set|put) an? (?:break|log)|built it locally)(?:[a-z]{2,}ed|put|gave|made|took|built|set|cut)\b/i;
/** What is now clear, asked, wrong or under way has not been done. */
const NOW_SO =
  /^(?:there (?:is|are) now|(?:it|es) (?:is|ist) (?:now|jetzt|nun) (?:clear|obvious|klar)|what\b|(?:the|das|die|der) (?:question|problem|error|issue|failure|cause|frage|ursache|fehler)\b)|\b(?:is|are|ist|sind) (?:now|jetzt|nun) (?:at|bei|enough|cold|broken|down|red)\b|\bnow (?:runs? into|returns? (?:[45]\d\d|null))\b|\b(?:killed|refused)\b|\bhabe ich\b.*\b(?:nur|gesehen|gelesen|gefunden|bemerkt|verstanden|frage|angenommen|geschaut|angesehen)\b/i;
const IS_NOW = wider(
  "summarize.is_now",
  /\b(?:is|are) now\b|(?<!\b(?:not|right|by|for) )\bnow[.;:!]|\b(?:ist|sind) (?:jetzt|nun)\b|\bjetzt[.;:!]|\bnow (?:uses?|use|runs?|returns?|reads?|rendered|works?|passes|pass)\b|\b(?:läuft|laufen|verwendet|nutzt) jetzt\b|\bhabe ich\b|^(?:hinzugefügt|behoben|umgestellt)\b/i,
);

/** The parts, or undefined when nobody asked anything. Commits stand in their own list only. */
export function summarizeSession(
  turns: readonly Turn[],
  options: ExtractOptions = {},
): SessionSummary | undefined {
  const all = withinReach(turns);
  const intents = wantedIn(all);
  const wanted = intents.find(({ text }) => !asksWhereItStood(text)) ?? intents[0];
  if (wanted === undefined) return undefined;
  const ranked = rankSentences(sentencesOf(all), options.embedder);
  const outdated = outdatedIn(all);
  const worthy = weighWorth(all, ranked).filter(({ sentence }) => !outdated.has(sentence));
  const decisions = findDecisions(all, worthy);
  const tasks = taskState(all);
  const next = nextSteps(all, tasks);
  // What is ahead did not come out.
  const past = worthy.filter(({ sentence }) => !next.includes(sentence.text));
  const conclusion = conclude(
    all,
    notAside(all, notOvertaken(all, past.length > 0 ? past : worthy, decisions)),
    WHOLE,
  ) ??
    conclude(all, past, WHOLE);
  const commits = commitsMade(all);
  const files = filesChanged(all, options.cwd);
  const exchanges = exchangesOf(all);
  const answers = new Set(exchanges.map(({ answer }) => answer));
  // Whatever the language: after a change, an answer begins with what was changed.
  const changes = new Set(
    exchanges.flatMap(({ answer, replies }) =>
      filesChanged(replies).length > 0 || hasActed(replies) ? [answer] : []
    ),
  );
  const said = ranked.filter(({ sentence }) =>
    !outdated.has(sentence) && answers.has(sentence.turn) && !isAskedAtEnd(sentence.text)
  );
  const reports = new Set(
    said.flatMap(({ sentence }) => isReport(sentence.text) && !isWay(sentence) ? [sentence] : []),
  );
  // Right before what was done somebody says why.
  const told = new Set(
    [...reports].flatMap(({ turn, position }) => position === 1 ? [turn] : []),
  );
  const reported = said.filter(({ sentence }) =>
    reports.has(sentence) ||
    (sentence.position === 0 && changes.has(sentence.turn) && !told.has(sentence.turn) &&
      isOpening(sentence))
  );
  const own = conclusion === undefined
    ? undefined
    : intentFor(all, conclusion.at, intents, decisions) ?? intentAbout(all, conclusion, intents);
  const first = conclusion === undefined ? wanted : withinSight(all, wanted, own, conclusion);
  const laterThan = (conclusion: Conclusion): string[] => {
    const changed = changedSince(ranked, conclusion);
    return changed.length > 0
      ? changed
      : doneSince(reported.map(({ sentence }) => sentence), changes, conclusion);
  };
  // 'Decided: we stream' stands among the decisions, without the label.
  const decided = new Set(decisions.map(({ text }) => text));
  const deeds = reported.filter(({ sentence }) => !decided.has(sentence.text.replace(LABEL, "")));
  const done = pickDistinct(deeds, REPORTS_MAX, conclusion?.from)
    .sort((a, b) => a.sentence.turnIndex - b.sentence.turnIndex)
    .map(({ sentence }) => sentence.text);
  return {
    title: titleOf(commits, first ?? own ?? wanted, [...done, conclusion?.text ?? ""]),
    summary: conclusion === undefined
      ? wanted.text
      : [cameOut(first, own, conclusion), ...laterThan(conclusion)].join(" "),
    decisions: decisions.map(tellDecision),
    done: [
      ...done,
      ...tasks.filter((task) => task.status === "completed").map((task) => task.text),
      ...(files.length === 0 ? [] : [`Changed: ${fileList(files)}`]),
    ].slice(-DONE_MAX),
    // What fails is no work done.
    openQuestions: [...checksThatFail(all), ...openQuestions(all)],
    next,
    filesTouched: files,
    commits,
    commands: commandsThatMattered(all),
  };
}

const LABEL = /^[^\s:]+:\s+/;

/**
 * What was recommended is no outcome once files were changed after it, or one of its ways was taken; nor is
 * how a file was before it was changed, or what is of a choice that was taken back.
 */
function notOvertaken(
  turns: readonly Turn[],
  worthy: readonly Worthy[],
  decisions: readonly Decision[],
): readonly Worthy[] {
  const changed = exchangesOf(turns).findLast(({ replies }) => filesChanged(replies).length > 0);
  const taken = decisions.findLast(({ way }) => way !== undefined)?.turn;
  const order = new Map(turns.map(({ uuid }, i) => [uuid, i]));
  const last = Math.max(changed?.start ?? 0, order.get(taken ?? "") ?? -1);
  const gone = beforeChanges(turns, worthy.map(({ sentence }) => sentence));
  const reversals = decisions.filter(({ reverses }) => reverses !== undefined);
  const isTakenBack = ({ text, turnIndex }: Sentence): boolean =>
    reversals.some((one) =>
      turnIndex < (order.get(one.turn) ?? 0) && turnsAwayFrom(one.text, text)
    );
  const overcome = troubleOvercome(exchangesOf(turns));
  const choices = choicesIn(turns);
  const kept = worthy.filter(({ sentence, isLaidOut }) =>
    !gone.has(sentence) && !isTakenBack(sentence) && !overcome.has(sentence.turn) &&
    (sentence.turnIndex >= last ||
      !(isLaidOut || choices.has(sentence.turn) || proposes(sentence.text)))
  );
  return kept.length > 0 ? kept : worthy;
}

/** Answers that list ways and propose one; the others are no outcome once one was taken. */
function choicesIn(turns: readonly Turn[]): ReadonlySet<Turn> {
  return new Set(
    turns.filter(({ role, text }) =>
      role === "assistant" && (text.match(WAY_ITEM)?.length ?? 0) >= 2 &&
      splitSentences(text).some(proposes)
    ),
  );
}

const WAY_ITEM = /^\s{0,3}(?:\*\*)?(?:[A-F1-6])[.):]/gm;

/** Answers to a command that failed and passed when it was run again. */
function troubleOvercome(exchanges: readonly Exchange[]): ReadonlySet<Turn | undefined> {
  const passed = new Set<string>();
  const overcome = new Set<Turn | undefined>();
  for (const { tools, answer } of exchanges.toReversed()) {
    const last = tools.findLast(({ command }) => command !== undefined);
    if (last?.failed === true && passed.has(last.command ?? "")) overcome.add(answer);
    for (const { command, failed } of tools) {
      if (command !== undefined && failed === false) passed.add(command);
    }
  }
  return overcome;
}

/**
 * Without what was asked on the side when the work was over: nothing was done for it, no word of the question
 * was said before, and next to none of the answer. What is gone on with is a subject, and not aside.
 */
function notAside(turns: readonly Turn[], worthy: readonly Worthy[]): readonly Worthy[] {
  const exchanges = exchangesOf(turns);
  const work = exchanges.findLastIndex(({ tools }) => tools.length > 0);
  if (work < 0) return worthy;
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
  const left = new Set(aside.map(({ answer }) => answer));
  const kept = worthy.filter(({ sentence }) => !left.has(sentence.turn));
  return kept.length > 0 ? kept : worthy;
}

const ASIDE_KNOWN_MAX = 0.1;
/** What is to be remembered is told with the next steps, and came out of nothing. */
const TAKES_NOTE = wider(
  "summarize.takes_note",
  /^\W*(?:(?:duly |ok(?:ay)?[,.] )?noted|will do|(?:ist )?(?:notiert|vermerkt|gemerkt)|(?:das )?mache? ich|anotado|(?:c'est )?noté)\b/i,
);

function termsIn(exchanges: readonly Exchange[]): Set<string> {
  return new Set(
    exchanges.flatMap(({ prompt, replies }) =>
      [prompt, ...replies].flatMap((turn) => [...termsOf(turn?.text ?? "")])
    ),
  );
}

/**
 * A commit says what came of it, in words that were chosen to be found again; else what was wanted, or what
 * was done where that says nothing alone: "Yes, both".
 */
function titleOf(commits: readonly string[], wanted: Intent, done: readonly string[]): string {
  const subjects = commits.map((commit) => commit.replace(/^[0-9a-f]{7,40} /, ""))
    .filter((subject) => termsOf(subject).size >= SUBJECT_TERMS_MIN);
  let title = subjects.at(-1) ?? "";
  for (const subject of subjects.slice(0, -1).reverse()) {
    const longer = `${subject}; ${title}`;
    if (longer.length > TITLE_CHARACTERS_MAX) break;
    title = longer;
  }
  if (title !== "") return title;
  return saysItsMatter(wanted.text)
    ? leadOf(wanted.text)
    : done.find((text) => saysItsMatter(text)) ?? wanted.text;
}

const SUBJECT_TERMS_MIN = 2;
/** As much as a title may be long. */
const TITLE_CHARACTERS_MAX = 80;

/** What came of a change, in a sentence that is understood alone; no case, and no draft that follows. */
function isOpening({ text, turn }: Sentence): boolean {
  return isWhole(text) && !TROUBLE.test(text) && !LEANS.test(text) && !SHOWN.test(turn.text);
}

/** Leans on what was asked, or holds in one case only. */
const LEANS =
  /^(?:i see|it|they|this|that|these|those|both|then|dann|beide[ns]?|es|sie|dies\w*) |\b(?:depends on|kommt es darauf an|kommt darauf an|depende de)\b/i;
/** 'Here is a draft:' and the draft. */
const SHOWN =
  /^\s*(?:here(?:['’]s| is| are)|hier (?:ist|sind)|aqu[ií] (?:está|tienes)|voici)\b[^\n]*:\s*\n/i;
/** Nothing was done, or found. */
const NOTHING = wider(
  "summarize.nothing",
  /\b(?:nothing|nichts|nada|rien)\b|\bhabe ich\b.*\b(?:nicht|kein\w*)\b/i,
);

function isReport(text: string): boolean {
  return !NOTHING.test(text) &&
    (REPORTED.test(text.replace(REPORTER, "")) && !DONE_TO.test(text) || I_DID.test(text) ||
      IS_NOW.test(text) && !NOW_SO.test(text));
}

/** "Split the files before the import": a way that was laid out, which reads as if it was gone. */
function isWay({ text, turn }: Sentence): boolean {
  return waysIn(turn.text)?.names.some((name) => text.startsWith(name)) ?? false;
}

/** What somebody wanted that came out at a turn; undefined where that said too little to be told. */
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
    // Assent goes on with what was asked before it, and so does a choice of a few words.
    if (intent === undefined) continue;
    if (decided.has(intent.turn.uuid) && !saysItsMatter(intent.text)) continue;
    // What was asked in a few words is still what was answered; nothing that came before it is.
    const isQuestion = isAsked(intent.text) && termsOf(intent.text).size > 0;
    return isQuestion || saysItsMatter(intent.text) ? intent : undefined;
  }
  return undefined;
}

/** The last request before a conclusion that is of the same words, where what was said last asks for nothing. */
function intentAbout(
  turns: readonly Turn[],
  { text, at }: Conclusion,
  intents: readonly Intent[],
): Intent | undefined {
  const terms = termsOf(text);
  return intents.findLast((intent) =>
    turns.indexOf(intent.turn) <= at && saysItsMatter(intent.text) &&
    overlap(termsOf(intent.text), terms) > 0
  );
}

/** What it takes back is told with it; the earlier one stays where it stands, for its reason. */
function tellDecision({ text, reverses }: Decision): string {
  return reverses === undefined
    ? text
    : `${text} (takes back: “${cut(reverses.text, REVERSED_CHARACTERS_MAX)}”)`;
}

/**
 * Of a long day the first request has nothing to do with what came out last, and a question answered in
 * a line has not either; unless it is of the same words.
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
  return between <= SIGHT_EXCHANGES && !isAside || overlap(termsOf(first.text), termsOf(text)) > 0
    ? first
    : undefined;
}

const ASIDE_WORDS_MAX = 20;
const SIGHT_EXCHANGES = 12;

/** What came out answers what was asked last before it, which may be far from what was asked first. */
function cameOut(
  first: Intent | undefined,
  own: Intent | undefined,
  { text: said }: Conclusion,
): string {
  if (first === undefined) return own === undefined ? said : `${leadOf(own.text)} → ${said}`;
  const asked = own === undefined || own === first
    ? leadOf(first.text)
    : `${cut(leadOf(first.text), FIRST_CHARACTERS_MAX)} — then: ${leadOf(own.text)}`;
  return `${asked} → ${said}`;
}

/** What came out and was made another later: "5 minutes now instead of 10", of what said 10. */
function changedSince(
  ranked: readonly { readonly sentence: Sentence }[],
  { text: said, at }: Conclusion,
): string[] {
  const later = ranked.map(({ sentence }) => sentence).filter(({ turn, turnIndex, text }) => {
    const [, was] = turn.role === "assistant" && turnIndex > at ? INSTEAD.exec(text) ?? [] : [];
    return was !== undefined && !said.includes(text) && !isStillOpen(text) &&
      said.split(/[^\w.%]+/).includes(was);
  }).sort((a, b) => b.turnIndex - a.turnIndex);
  return later.slice(0, 1).map(({ text }) => `${THEN}${text}`);
}

const THEN = "Then: ";

/** The last that was done about the same matter after what came out was said: there it stands now. */
function doneSince(
  reports: readonly Sentence[],
  changes: ReadonlySet<Turn | undefined>,
  { text: said, at }: Conclusion,
): string[] {
  const terms = termsOf(said);
  const later = reports.filter(({ turn, turnIndex, text }) =>
    turnIndex > at && changes.has(turn) && !said.includes(text) &&
    !termsOf(text).isDisjointFrom(terms)
  ).sort((a, b) => b.turnIndex - a.turnIndex || a.position - b.position);
  return later.slice(0, 1).map(({ text }) => `${THEN}${text}`);
}

/** A number, with what belongs to it: other words are said again too often. */
const INSTEAD =
  /\b(?:instead of|rather than|and not|no longer|statt|anstatt|nicht mehr) (\d[\w.%]*?)\b/i;

/** A question stands by itself; what was known when it was asked ("nothing is decided yet") is no news beside what came out. */
function leadOf(wanted: string): string {
  const [first] = splitSentences(wanted);
  return first !== undefined && isAskedAtEnd(first) ? first : wanted;
}

function fileList(files: readonly string[]): string {
  const shown = files.slice(0, FILES_MAX).join(", ");
  return files.length > FILES_MAX ? `${shown} and ${files.length - FILES_MAX} more` : shown;
}
