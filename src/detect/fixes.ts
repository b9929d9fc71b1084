/**
 * What failed and what mended it, for the next session runs the same commands. The calls say that it was so: a
 * command that failed, a change, the same command that passes. What a person or the agent said in between says
 * why. Silent where neither does, for what passes when it is run again had a cause that nobody knows.
 */
import { collapse, cut, hasQuestionMark, isAskedAtEnd } from "../base/text.ts";
import type { ToolUse, Turn } from "../editor/editor.ts";
import { hasReason } from "./norms.ts";
import { errorLine } from "./evidence.ts";
import { type Exchange, exchangesOf } from "./exchanges.ts";
import { phrasePattern, WORD_START } from "./phrase_patterns.ts";
import { asProse, sentencesOf, termsOf, wordCount } from "./sentences.ts";
import { commandLine, isCheck, isEdit, MENDED_LABEL, onlyReads } from "./work.ts";

/** A call that ran a command, or changed a file. */
interface Call {
  readonly tool: ToolUse;
  readonly command: string;
  /** Of its last command, without what sets it up and what its output goes through. */
  readonly words: string;
  /** Index of its exchange. */
  readonly at: number;
  /** The turn of it. */
  readonly turn: Turn;
}

/** A failure, and what was done until the same was run without it. */
interface Episode {
  readonly failed: Call;
  /** Behind the failure, the last of them the call that no more failed so. */
  readonly since: readonly Call[];
  /** How often it had failed so by then. */
  readonly times: number;
  /** What came back where it passed in the end. */
  readonly answer: Turn | undefined;
}

const FIXES_MAX = 3;
/** That are waited for: whoever comes back to an older one has done other things in between. */
const FAILURES_MAX = 20;
/** A longer one is a script, and nobody types it twice. */
const LINE_CHARACTERS_MAX = 400;
const COMMAND_CHARACTERS_MAX = 90;
const ERROR_CHARACTERS_MAX = 110;
const CAUSE_CHARACTERS_MAX = 200;
/** Fewer say that it goes on, and more are about something else as well. */
const SAID_WORDS_MIN = 3;
const SAID_WORDS_MAX = 45;
const ACTS_MAX = 2;

const FAILS = phrasePattern("remedies.fails", WORD_START);
/** A test that was just written is there to fail. */
const TEST_FILE = /(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)/i;
/** What gives a secret to a command is no part of what is told. */
const SECRET = /(?:pass(?:w\w{0,9})?|secret|token|key|pwd|auth\w{0,12})[=: ] ?["']?\S/i;

/** The last few, in order, each as a note tells it. */
export function fixesIn(turns: readonly Turn[]): string[] {
  const exchanges = exchangesOf(turns);
  const told = new Map<string, string>();
  for (const episode of episodesIn(exchanges).toReversed()) {
    const remedy = fixOf(episode, exchanges);
    // Of failures that are mended alike the last one is what was meant.
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
        episodes.push({ failed, since, times, answer: exchanges[at]?.answer });
        times = 1;
      }
    }
  }
  return episodes;
}

function callOf(tool: ToolUse, turn: Turn, at: number): Call {
  const line = commandLine(tool.command ?? "");
  const command = line.length > LINE_CHARACTERS_MAX ? "" : line;
  const [bare = ""] = (command.split(/&&|;/).at(-1) ?? "").split(/ (?:\||\d?>)/, 1);
  return { tool, command, words: collapse(bare).replace(SETTINGS, ""), at, turn };
}

/** `PORT=1 HOST=x npm start`: what is set in front of it. */
const SETTINGS = /^(?:\w+=\S* )+/;

/** Of checks a part that passes mends nothing of the whole. */
function isSame(failed: Call | undefined, { words: ran }: Call): boolean {
  const { words = "", command } = failed ?? {};
  if (words === ran) return true;
  if (!words.includes(" ") || !ran.includes(" ")) return false;
  if (`${words} `.startsWith(`${ran} `) || ran.endsWith(` ${words}`)) return true;
  const all = ran.split(" ");
  return !isCheck(command) && words.split(" ").every((word) => all.includes(word));
}

/** Its error without what differs from one time to the next. */
function kindOf(call: Call | undefined): string {
  const error = call && errorLine(call.tool);
  return (error ?? "").replace(/(["'`])[^"'`]*\1|\S*[\d/]\S*/g, "");
}

/** What mended it, in somebody's words or as it was typed; undefined where nothing says it. */
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
    .find(({ text }) => FAILS.test(text) && (hasReason(text) || saysWhy(text)));
  if (cause !== undefined) return cut(cause.text, CAUSE_CHARACTERS_MAX);
  if (edits.length > 0) {
    if (isNew) return undefined;
    return times > 1 ? diagnosis(edits) : explained(failed, edits, exchanges[failed.at]);
  }
  // Between two prompts a person may have done it.
  if (next.at !== failed.at) return undefined;
  const typed = (isOther && next.tool.failed === false ? [next] : acts)
    .map(({ command }) => command);
  const isTellable = typed.length > 0 && typed.length <= ACTS_MAX &&
    !typed.some((command) => SECRET.test(command) || command.length > COMMAND_CHARACTERS_MAX);
  return isTellable ? typed.map((command) => `\`${command}\``).join(", ") : undefined;
}

/** 'The build failed: the package was not loaded', and no list of what did. */
function saysWhy(text: string): boolean {
  const [, behind = ""] = /: (?=[^`"'])(.*)$/.exec(text) ?? [];
  return wordCount(behind) >= SAYS_WHY_WORDS_MIN;
}

const SAYS_WHY_WORDS_MIN = 5;

/**
 * What the agent says of a failure right before it mends it: how the thing is, and no slip of its own. In a file
 * that it had just changed most are slips, so there it must speak of the error.
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
    wordCount(text) >= EXPLAINED_WORDS_MIN && !SLIPS.test(text) && !isAskedAtEnd(text)
  )?.text;
  if (said === undefined) return undefined;
  const changed = tools.slice(0, tools.indexOf(failed.tool)).filter(isEdit)
    .map(({ filePath }) => filePath);
  // A test that is changed behind the code follows it.
  const isOwn = edits.every(({ tool: { filePath = "" } }) =>
    changed.includes(filePath) || changed.length > 0 && TEST_FILE.test(filePath)
  );
  const isOfError = !partsOf(said).isDisjointFrom(partsOf(errorLine(failed.tool) ?? ""));
  return isOwn && !isOfError ? undefined : cut(said, CAUSE_CHARACTERS_MAX);
}

/** How far it is says nothing of why. */
const PROGRESS = phrasePattern("remedies.progress", String.raw`^{}(?![\wà-ÿ])`);
/** Fewer say that something is missing. */
const EXPLAINED_WORDS_MIN = 7;
/** What the agent did wrong itself, and what it is about to do. */
const SLIPS = phrasePattern(
  "remedies.slips",
  String.raw`^{}(?![\wà-ÿ])|(?<![\wà-ÿ]){remedies.own}(?![\wà-ÿ])`,
);

/** `service_auth` and `service auth` have both. */
function partsOf(text: string): Set<string> {
  return termsOf(text.replaceAll(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/gu, " "));
}

function wasJustWritten({ tool, at }: Call, exchanges: readonly Exchange[]): boolean {
  const tools = exchanges[at]?.tools ?? [];
  return tools.slice(0, tools.indexOf(tool)).some((one) =>
    isEdit(one) && TEST_FILE.test(one.filePath ?? "")
  );
}

/** A person who sees it fail says why, and it passes at once; in words that come back in what was done. */
function saidByPerson(
  before: Exchange | undefined,
  after: Exchange | undefined,
): string | undefined {
  const said = collapse(after?.prompt?.text ?? "");
  const words = wordCount(said);
  const isTold = words >= SAID_WORDS_MIN && words <= SAID_WORDS_MAX && !hasQuestionMark(said);
  if (!isTold) return undefined;
  const known = termsOf(`${before?.prompt?.text} ${wordsOf(before, true)}`);
  const isTaken = !termsOf(said).difference(known).isDisjointFrom(termsOf(wordsOf(after, false)));
  return isTaken ? cut(said, CAUSE_CHARACTERS_MAX) : undefined;
}

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

/** What the agent said right before it changed what made it pass. */
function diagnosis(edits: readonly Call[]): string | undefined {
  const turn = edits.findLast(({ turn }) => turn.text !== "")?.turn;
  const sentences = sentencesOf(turn === undefined ? [] : [turn])
    .filter(({ text }) => !PROGRESS.test(text)).slice(0, 2);
  return sentences.length === 0
    ? undefined
    : cut(asProse(sentences.map(({ text }) => text)), CAUSE_CHARACTERS_MAX);
}
