/**
 * What failed and what fixed it, for a later session that runs the same commands. The calls prove it: a
 * command fails, something changes, the same command passes. What the person or the agent said in between is
 * the reason. Without a reason nothing is kept, because a command that passes on a second try may have had
 * any cause.
 */
import { collapse, cut, hasQuestionMark, isAskedAtEnd } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { hasReason, reportsObservation } from "../decisions/norms.ts";
import { errorLine } from "./evidence.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { phrasePattern, WORD_START } from "../phrases/phrase_patterns.ts";
import { asProse, sentencesOf, termsOf, wordCount } from "../text/sentences.ts";
import {
  checkNamed,
  commandLine,
  isCheck,
  isScript,
  onlyReads,
  stepsOf,
} from "../summary/shell.ts";
import { checkOf, isEdit, MENDED_LABEL } from "../summary/work.ts";

/** A call that ran a command or changed a file. */
interface Call {
  readonly tool: ToolUse;
  readonly command: string;
  /** The words of its last command, without what sets it up and where its output goes. */
  readonly words: string;
  /** Index of its exchange. */
  readonly at: number;
  /** The turn that made the call. */
  readonly turn: Turn;
}

/** A failure, and what was done until the same command passed, or failed otherwise. */
interface Episode {
  readonly failed: Call;
  /** The calls after the failure; the last one is the first that did not fail in the same way. */
  readonly since: readonly Call[];
  /** How often it had failed in this way by then. */
  readonly times: number;
  /** The first answer after it passed. */
  readonly answer: Turn | undefined;
}

const FIXES_MAX = 3;
/** Failures waited for at the same time. After more, a command that passes belongs to other work. */
const FAILURES_MAX = 20;
/** A longer command is a script that nobody types twice. */
const LINE_CHARACTERS_MAX = 400;
const COMMAND_CHARACTERS_MAX = 90;
const ERROR_CHARACTERS_MAX = 110;
const CAUSE_CHARACTERS_MAX = 200;
/** Fewer words say nothing, more are about something else too. */
const SAID_WORDS_MIN = 3;
const SAID_WORDS_MAX = 45;
const ACTS_MAX = 2;

const FAILS = phrasePattern("fixes.fails", WORD_START);
/** A test that was just written is expected to fail. */
const TEST_FILE = /(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)/i;
/** A command that is given a secret is left out. */
const SECRET = /(?:pass(?:w\w{0,9})?|secret|token|key|pwd|auth\w{0,12})[=: ] ?["']?\S/i;

/** The last few, in order, each as a line of a note. */
export function fixesIn(turns: readonly Turn[]): string[] {
  const exchanges = exchangesOf(turns);
  const told = new Map<string, string>();
  for (const episode of episodesIn(exchanges).toReversed()) {
    const remedy = fixOf(episode, exchanges);
    // Of failures with the same fix the last is kept.
    if (remedy === undefined || told.has(remedy)) continue;
    const { tool, command } = episode.failed;
    const error = errorLine(tool) ?? "";
    const how = wordCount(error) > 1 ? ` (${cut(error, ERROR_CHARACTERS_MAX)})` : "";
    const named = `\`${cut(command, COMMAND_CHARACTERS_MAX)}\`${how}`;
    told.set(remedy, `${MENDED_LABEL}${named} → ${remedy}`);
    if (told.size === FIXES_MAX) break;
  }
  return [...told.values()].reverse();
}

function episodesIn(exchanges: readonly Exchange[]): Episode[] {
  const calls = exchanges.flatMap(({ replies }, at) =>
    replies.flatMap((turn) => turn.tools.map((tool) => callOf(tool, turn, at)))
  );
  const episodes: Episode[] = [];
  let open: number[] = [];
  for (const [i, call] of calls.entries()) {
    const { command, tool, at } = call;
    if (command === "" || tool.failed === undefined || onlyReads(command)) continue;
    if (!tool.failed && PIPED.test(command) && checkOf(tool)?.isFailure !== false) continue;
    if (tool.failed) {
      open = [...open.slice(1 - FAILURES_MAX), i];
      continue;
    }
    const places = [...open.filter((place) => isSame(calls[place], call)), i];
    open = open.filter((place) => !places.includes(place));
    let times = 1;
    for (const [n, place] of places.slice(0, -1).entries()) {
      const next = places[n + 1] ?? i;
      const failed = calls[place] ?? call;
      if (next !== i && kindOf(calls[next]) === kindOf(failed)) times++;
      else {
        const since = calls.slice(place + 1, next + 1);
        episodes.push({ failed, since, times, answer: answerAfter(call, exchanges[at]) });
        times = 1;
      }
    }
  }
  return episodes;
}

function answerAfter({ turn }: Call, exchange: Exchange | undefined): Turn | undefined {
  const { answers = [], replies = [] } = exchange ?? {};
  return answers.find((answer) => replies.indexOf(answer) >= replies.indexOf(turn)) ??
    exchange?.answer;
}

/** Into a program that shows a part of the output, and passes whatever the command did. */
const PIPED = /\|\s*(?:awk|cat|grep|head|jq|rg|sed|sort|tail|wc)\b[^|;&]*$/;

function callOf(tool: ToolUse, turn: Turn, at: number): Call {
  const line = commandLine(tool.command ?? "");
  // Of a script nobody knows which of its commands failed.
  const isOne = line.length <= LINE_CHARACTERS_MAX && !isScript(tool.command ?? "");
  const command = isOne ? line : "";
  const [bare = ""] = (command.split(/&&|;/).at(-1) ?? "").split(/ (?:\||\d?>)/, 1);
  return { tool, command, words: collapse(bare).replace(SETTINGS, ""), at, turn };
}

/** `PORT=1 HOST=x npm start`: the variables set in front of a command. */
const SETTINGS = /^(?:\w+=\S* )+/;

/** Of a check, a part that passes fixes nothing of the whole. */
function isSame(failed: Call | undefined, { words: ran }: Call): boolean {
  const { words = "", command } = failed ?? {};
  if (words === ran) return true;
  if (!words.includes(" ") || !ran.includes(" ")) return false;
  if (`${words} `.startsWith(`${ran} `) || ran.endsWith(` ${words}`)) return true;
  const all = ran.split(" ");
  return !isCheck(command) && words.split(" ").every((word) => all.includes(word));
}

/** Its error without what differs between two runs. */
function kindOf(call: Call | undefined): string {
  const error = call && errorLine(call.tool);
  return (error ?? "").replace(/(["'`])[^"'`]*\1|\S*[\d/]\S*/g, "");
}

/** What fixed it, in somebody's words or as commands; undefined if nobody says. */
function fixOf(
  { failed, since, times, answer }: Episode,
  exchanges: readonly Exchange[],
): string | undefined {
  const next = since.at(-1) ?? failed;
  const done = since.filter(({ tool }) => tool.failed !== true);
  const edits = done.filter(({ tool }) => isEdit(tool));
  const acts = done.filter(({ command, words }) =>
    command !== "" && !onlyReads(command) && !isCheck(command) && words !== next.words
  );
  const isOther = next.command !== failed.command;
  const isChanged = edits.length > 0 || acts.length > 0 || isOther;
  if (!isChanged || SECRET.test(failed.command)) return undefined;

  const isNew = wasJustWritten(failed, exchanges);
  const said = isNew ? undefined : saidByPerson(exchanges[failed.at], exchanges[failed.at + 1]);
  if (said !== undefined && next.at === failed.at + 1) return said;
  const cause = sentencesOf(answer === undefined ? [] : [answer])
    .find(({ text }) =>
      FAILS.test(text) && (hasReason(text) || saysWhy(text)) && isOf(failed, text)
    );
  if (cause !== undefined) return cut(cause.text, CAUSE_CHARACTERS_MAX);
  if (edits.length > 0) {
    if (isNew) return undefined;
    return times > 1 ? diagnosis(edits) : explained(failed, edits, exchanges[failed.at]);
  }
  // Between two prompts the person may have fixed it.
  if (next.at !== failed.at) return undefined;
  const isOtherWay = isOther && next.tool.failed === false && !isPartOf(next, failed) &&
    !isSameCheck(next, failed);
  const variant = acts.findLast((act) => isVariant(act, failed));
  const typed = (isOtherWay ? [next] : variant === undefined ? acts : [variant])
    .map(({ command }) => command);
  const isTellable = typed.length > 0 && typed.length <= ACTS_MAX &&
    !typed.some((command) => SECRET.test(command) || command.length > COMMAND_CHARACTERS_MAX);
  return isTellable ? typed.map((command) => `\`${command}\``).join(", ") : undefined;
}

/** `npm test -- login` and `npm test`: more or less of a check fixes nothing. */
function isSameCheck(next: Call, failed: Call): boolean {
  return isCheck(failed.command) && checkNamed(next.command) === checkNamed(failed.command);
}

/** `npm test` of `npm ci && npm test`: what passes now is what failed, and nothing in it helped. */
function isPartOf(next: Call, failed: Call): boolean {
  const steps = stepsOf(failed.command);
  return next.command !== failed.command &&
    stepsOf(next.command).every((step) => steps.includes(step));
}

/** `apk add --no-cache font` of `apk add font && shoot`: a part of what failed, run in another way. */
function isVariant(act: Call, failed: Call): boolean {
  const head = (step: string): string => step.split(" ", VARIANT_WORDS).join(" ");
  const steps = stepsOf(failed.command);
  return steps.length > 1 && !steps.includes(act.words) &&
    steps.some((step) => head(step) === head(act.words));
}

const VARIANT_WORDS = 2;

/** Whether a sentence names something of the failure: what was run, or a word of its error; files aside. */
function isOf({ tool, command }: Call, said: string): boolean {
  const run = command.replace(/\S*[/\\]\S*/g, "");
  return !partsOf(said).isDisjointFrom(partsOf(`${run} ${errorLine(tool) ?? ""}`));
}

/** Whether it only says the error again. */
function restatesError({ tool }: Call, said: string): boolean {
  const error = partsOf(errorLine(tool) ?? "");
  return error.size >= RESTATED_PARTS_MIN &&
    error.intersection(partsOf(said)).size >= error.size * RESTATED_SHARE;
}

const RESTATED_PARTS_MIN = 3;
const RESTATED_SHARE = 0.7;

/** 'The build failed: the package was not loaded', but not a list of what failed. */
function saysWhy(text: string): boolean {
  const [, behind = ""] = /: (?=[^`"'])(.*)$/.exec(text) ?? [];
  return wordCount(behind) >= SAYS_WHY_WORDS_MIN;
}

const SAYS_WHY_WORDS_MIN = 5;

/**
 * What the agent says of a failure right before it fixes it, if that describes the thing and not its own
 * slip. Most failures in a file that it just changed are slips, so there it must mention the error.
 */
function explained(
  failed: Call,
  edits: readonly Call[],
  exchange: Exchange | undefined,
): string | undefined {
  const [first] = edits;
  const { replies = [], tools = [] } = exchange ?? {};
  if (first === undefined || first.at !== failed.at) return undefined;
  const between = replies.slice(replies.indexOf(failed.turn) + 1, replies.indexOf(first.turn) + 1);
  const said = sentencesOf(between).find(({ text }) =>
    wordCount(text) >= EXPLAINED_WORDS_MIN && !SLIPS.test(text) && !isAskedAtEnd(text) &&
    !restatesError(failed, text) && !onlyFails(text)
  )?.text;
  if (said === undefined) return undefined;
  const changed = tools.slice(0, tools.indexOf(failed.tool)).filter(isEdit)
    .map(({ filePath }) => filePath);
  // A test that is changed after the code follows it.
  const isOwn = edits.every(({ tool: { filePath = "" } }) =>
    changed.includes(filePath) || changed.length > 0 && TEST_FILE.test(filePath)
  );
  const isOfError = !partsOf(said).isDisjointFrom(partsOf(errorLine(failed.tool) ?? ""));
  return isOwn && !isOfError ? undefined : cut(said, CAUSE_CHARACTERS_MAX);
}

/** 'The JSON is valid, but one test failed': no cause is told. */
function onlyFails(said: string): boolean {
  return FAILS.test(said) && !hasReason(said) && !saysWhy(said);
}

/** Progress reports give no reason. */
const PROGRESS = phrasePattern("fixes.progress", String.raw`^{}(?![\wà-ÿ])`);
/** Fewer words only say that something is missing. */
const EXPLAINED_WORDS_MIN = 7;
/** The agent's own mistake, or its next step. */
const SLIPS = phrasePattern(
  "fixes.slips",
  String.raw`^{}(?![\wà-ÿ])|(?<![\wà-ÿ]){fixes.own}(?![\wà-ÿ])`,
);

/** Splits names: `service_auth` and `service auth` have the same parts. */
function partsOf(text: string): Set<string> {
  return termsOf(text.replaceAll(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/gu, " "));
}

function wasJustWritten({ tool, at }: Call, exchanges: readonly Exchange[]): boolean {
  const tools = exchanges[at]?.tools ?? [];
  return tools.slice(0, tools.indexOf(tool)).some((one) =>
    isEdit(one) && TEST_FILE.test(one.filePath ?? "")
  );
}

/**
 * What a person says when they see it fail, if it then passes at once and their words come back in what was
 * done.
 */
function saidByPerson(
  before: Exchange | undefined,
  after: Exchange | undefined,
): string | undefined {
  const said = collapse((after?.prompt?.text ?? "").replace(PICTURE, ""));
  const words = wordCount(said);
  const isTold = words >= SAID_WORDS_MIN && words <= SAID_WORDS_MAX && !hasQuestionMark(said);
  // 'Still failing' fixes nothing.
  if (!isTold || FAILS.test(said) && !hasReason(said) || reportsObservation(said)) return undefined;
  const known = termsOf(`${before?.prompt?.text} ${wordsOf(before, true)}`);
  const isTaken = !termsOf(said).difference(known).isDisjointFrom(termsOf(wordsOf(after, false)));
  return isTaken ? cut(said, CAUSE_CHARACTERS_MAX) : undefined;
}

/** Where a client shows that a picture was pasted. */
const PICTURE = /\[Image #?\d+\]/g;

function wordsOf(exchange: Exchange | undefined, isPrinted: boolean): string {
  const { replies = [], tools = [] } = exchange ?? {};
  return [
    ...replies.map(({ text }) => text),
    ...tools.flatMap(({ command, filePath, result }) => [
      command ?? filePath,
      isPrinted ? result : "",
    ]),
  ].join(" ");
}

/** What the agent said right before the change that made it pass. */
function diagnosis(edits: readonly Call[]): string | undefined {
  const turn = edits.findLast(({ turn }) => turn.text !== "")?.turn;
  const sentences = sentencesOf(turn === undefined ? [] : [turn])
    .filter(({ text }) => !PROGRESS.test(text) && !onlyFails(text)).slice(0, 2);
  return sentences.length === 0
    ? undefined
    : cut(asProse(sentences.map(({ text }) => text)), CAUSE_CHARACTERS_MAX);
}
