/**
 * A session in the parts of its note: what it was about, what was done and decided, what is open, what
 * comes next. Made of the same pieces as a checkpoint, without its budget: a handoff is read once.
 */
import { cut, splitSentences } from "../base/text.ts";
import type { Turn } from "../editor/editor.ts";
import { type Decision, findDecisions } from "./decisions.ts";
import { type ExtractOptions, thesisOf, withReply } from "./extract.ts";
import { exchangesOf } from "./exchanges.ts";
import { type Intent, intentsOf } from "./intent.ts";
import { nextSteps, openQuestions } from "./questions.ts";
import { pickDistinct, type Ranked, rankSentences } from "./rank_sentences.ts";
import { REVERSED_CHARACTERS_MAX } from "./reversals.ts";
import { withinReach } from "./reach.ts";
import { sentencesOf } from "./sentences.ts";
import { commandsThatMattered, commitsMade, filesChanged, taskState } from "./work.ts";
import { weighWorth } from "./worth.ts";

export interface SessionSummary {
  /** What was wanted, then what came out. */
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly openQuestions: readonly string[];
  readonly next: readonly string[];
  readonly filesTouched: readonly string[];
  readonly commits: readonly string[];
  /** With how they went last. */
  readonly commands: readonly string[];
}

const DONE_MAX = 10;
/** Of the first request, where another one led to what came out. */
const FIRST_CHARACTERS_MAX = 120;
const FILES_MAX = 8;

/** The agent reporting a piece of work: itself, what it did; or how things are now. */
const REPORTER = /^(?:(?:i|we|it)(?:'ve| have)? (?:now )?)?(?:also )?/i;
const REPORTED =
  /^(?:added|fixed|implemented|moved|removed|renamed|replaced|rewrote|refactored|switched|migrated|updated|created|split|extracted|wrote|changed|documented|deployed|released|merged|verified|measured|reduced|deleted)\b/i;
const IS_NOW =
  /\b(?:is|are) now\b|\bnow (?:uses?|use|runs?|returns?|reads?|rendered|works?|passes|pass)\b|\b(?:läuft|laufen|verwendet|nutzt) jetzt\b|\bhabe ich\b|^(?:hinzugefügt|behoben|umgestellt)\b/i;

/** The parts, or undefined when nobody asked anything. Commits stand in their own list only. */
export function summarizeSession(
  turns: readonly Turn[],
  options: ExtractOptions = {},
): SessionSummary | undefined {
  const all = withinReach(withReply(turns, options.lastAssistantMessage));
  const intents = intentsOf(all);
  const [wanted] = intents;
  if (wanted === undefined) return undefined;
  const ranked = rankSentences(sentencesOf(all), options.embedder);
  const thesis = thesisOf(all, ranked);
  const tasks = taskState(all);
  const commits = commitsMade(all);
  const files = filesChanged(all, options.cwd);
  const answers = new Set(exchangesOf(all).map((exchange) => exchange.answer));
  const reported = ranked.filter(({ sentence }) =>
    answers.has(sentence.turn) && isReport(sentence.text) && !sentence.text.endsWith("?")
  );
  return {
    summary: thesis.length === 0 ? wanted.text : cameOut(all, wanted, intents, thesis),
    decisions: findDecisions(all, weighWorth(all, ranked)).map(tellDecision),
    done: [
      ...pickDistinct(reported, 5, thesis)
        .sort((a, b) => a.sentence.turnIndex - b.sentence.turnIndex)
        .map(({ sentence }) => sentence.text),
      ...tasks.filter((task) => task.status === "completed").map((task) => task.text),
      ...(files.length === 0 ? [] : [`Changed: ${fileList(files)}`]),
    ].slice(-DONE_MAX),
    openQuestions: openQuestions(all),
    next: nextSteps(all, tasks),
    filesTouched: files,
    commits,
    commands: commandsThatMattered(all),
  };
}

function isReport(text: string): boolean {
  return REPORTED.test(text.replace(REPORTER, "")) || IS_NOW.test(text);
}

/** What it takes back is told with it; the earlier one stays where it stands, for its reason. */
function tellDecision({ text, reverses }: Decision): string {
  return reverses === undefined
    ? text
    : `${text} (takes back: “${cut(reverses.text, REVERSED_CHARACTERS_MAX)}”)`;
}

/** What came out answers what was asked last before it, which may be far from what was asked first. */
function cameOut(
  turns: readonly Turn[],
  first: Intent,
  intents: readonly Intent[],
  thesis: readonly Ranked[],
): string {
  const said = thesis.map(({ sentence }) => sentence.text).join(" ");
  const at = Math.min(...thesis.map(({ sentence }) => sentence.turnIndex));
  const own = intents.findLast(({ turn }) => turns.indexOf(turn) <= at) ?? first;
  const asked = own === first
    ? leadOf(first.text)
    : `${cut(leadOf(first.text), FIRST_CHARACTERS_MAX)} — then: ${leadOf(own.text)}`;
  return `${asked} → ${said}`;
}

/** A question stands by itself; what was known when it was asked ("nothing is decided yet") is no news beside what came out. */
function leadOf(wanted: string): string {
  const [first] = splitSentences(wanted);
  return first?.endsWith("?") ? first : wanted;
}

function fileList(files: readonly string[]): string {
  const shown = files.slice(0, FILES_MAX).join(", ");
  return files.length > FILES_MAX ? `${shown} and ${files.length - FILES_MAX} more` : shown;
}
