/**
 * What was done, as the tool calls show it: files changed, commits made, checks run with their verdicts, the
 * state of the task list. Facts only; no sentence is read here.
 */
import { patternFor } from "../../base/text/pattern.ts";
import { cut, withoutEnd } from "../../base/text/text.ts";
import type { PlanItem, ToolUse, Turn } from "../../editor/editor.ts";
import { withoutAgentsOwn } from "./agents_files.ts";
import { commitsLeft } from "./commits.ts";
import {
  checkNamed,
  commandLine,
  isAct,
  isCheck,
  onlyLooks,
  onlyReads,
  plainLine,
  tellsByCode,
  withoutFolder,
  withoutOutput,
} from "./shell.ts";

export interface Check {
  readonly command: string;
  /** The line of the output that decided. */
  readonly verdict: string;
  readonly isFailure: boolean;
}

const EDITS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const LINE_CHARACTERS_MAX = 180;
export function isEdit(tool: ToolUse): boolean {
  return EDITS.has(tool.name);
}

/**
 * Paths of files that were changed and still exist, in order of last change, by their present names;
 * relative below `cwd`.
 */
export function filesChanged(turns: readonly Turn[], cwd = ""): string[] {
  const files = new Set<string>();
  for (const tool of toolsOf(turns)) {
    if (tool.failed === true) continue;
    if (isEdit(tool) && tool.filePath !== undefined) {
      const path = relative(tool.filePath, cwd);
      files.delete(path);
      files.add(path);
    }
    for (const [, from = "", to = ""] of tool.command?.matchAll(MOVED) ?? []) {
      const ending = /\.\w+$/.exec(from)?.[0];
      const isFile = ending !== undefined && to.endsWith(ending);
      if (isFile && files.delete(relative(from, cwd))) files.add(relative(to, cwd));
    }
    for (const gone of removedBy(tool.command ?? "")) {
      const path = relative(gone, cwd);
      for (const file of files) if (`${file}/`.startsWith(`${path}/`)) files.delete(file);
    }
  }
  return withoutAgentsOwn([...files], cwd);
}

/** Files and folders that a command removes, also as seen from the folder that it changes to first. */
function removedBy(command: string): string[] {
  const [, folder] = ENTERS.exec(command) ?? [];
  // The text of a here-document is not run.
  const [run = ""] = command.split("<<", 1);
  return [...run.matchAll(REMOVED)].flatMap(([, named = ""]) =>
    named.trim().split(/\s+/).filter((word) => !word.startsWith("-"))
      .map((word) => word.replace(/^(["']?)(?:\.\/)?(.+?)\/?\1$/, "$2"))
      .map((path) => folder === undefined || path.startsWith("/") ? path : `${folder}/${path}`)
  );
}

/** The present name of a file that was changed and renamed. */
const MOVED = /\bgit mv (?:-\w{1,3} )?([^\s;&|"'-]\S{0,300}) ([^\s;&|"']{1,300})/g;

const ENTERS = /^\s*cd (?:\.\/)?([^\s;&|"']{1,300}?)\/?\s*(?:&&|;)/;
/** Removed from the index only, or only listed: the file stays. */
const REMOVED =
  /(?:^|[;&|(\n])[ \t]*(?:git )?rm (?![^;&|\n]{0,2000}?(?<= )(?:--cached|--dry-run|--help|-n)\b)([^;&|<>()\n]{1,2000})/g;

/** Whether the last command that changes something other than files succeeded. */
export function hasActed(turns: readonly Turn[]): boolean {
  return toolsOf(turns).findLast(({ command = "" }) => isAct(command))?.failed === false;
}

/** `abc1234 subject` of each commit; only the subject where git was quiet. */
export function commitsMade(turns: readonly Turn[]): string[] {
  return commitsLeft(toolsOf(turns)).map(({ hash, subject }) =>
    hash === "" ? subject : `${hash} ${subject}`
  );
}

/**
 * Commands that test, build or measure, each once with its latest outcome, latest last. A part that failed no
 * longer counts once the whole passed.
 */
export function lastChecks(turns: readonly Turn[]): Check[] {
  const last = new Map<string, Check>();
  for (const tool of toolsOf(turns)) {
    const check = checkOf(tool) ?? silentCheckOf(tool);
    if (check === undefined) continue;
    const matter = checkNamed(check.command);
    for (const { command, isFailure } of [...last.values()]) {
      const isGone = isFailure && !check.isFailure && checkNamed(command) === matter;
      const isAgain = (check.verdict !== "" || check.isFailure) &&
        isSameRun(command, check.command);
      if (isGone || isAgain) last.delete(command);
    }
    if (check.verdict !== "") last.set(check.command, check);
  }
  return [...last.values()];
}

/** Whether the same is run, however its output is shortened: in one folder, as far as both name theirs. */
function isSameRun(one: string, other: string): boolean {
  const [a, b] = [one, other].map((command) => FOLDER.exec(command)?.[1]);
  const isElsewhere = a !== undefined && b !== undefined && a !== b;
  return !isElsewhere && withoutOutput(withoutFolder(one)) === withoutOutput(withoutFolder(other));
}

const FOLDER = /^(?:cd|Set-Location) ([^&;|]{1,200}?) *(?:&&|;)/;

export function checkOf(tool: ToolUse): Check | undefined {
  if (!isCheck(tool.command) || tool.result === undefined) return undefined;
  const { command, result } = tool;
  if (NEVER_RAN.test(result)) return undefined;
  const isDiff = DIFF.test(result);
  const lines = result.split("\n").map(plainLine).filter((line) =>
    line !== "" && line.length <= LINE_CHARACTERS_MAX && !isEchoed(line, command) &&
    !(isDiff && /^[+-]/.test(line))
  );
  const measures = MEASURES.test(tool.command);
  const isSure = tool.failed === false && tellsByCode(command);
  const verdict = (isSure ? verdictIn(lines.filter(isNoError), false) : undefined) ??
    verdictIn(lines, tool.failed === true) ??
    (measures ? lines.findLast((line) => MEASURED.test(line)) : undefined);
  if (verdict === undefined) return undefined;
  const isFailure = tool.failed === true ||
    (isSure ? COUNTS_FAILED : SAYS_FAILED).test(verdict);
  // Which tests failed says more than how many.
  const named = isFailure ? lines.find((line) => NAMES_FAILED.test(line)) : undefined;
  return { command: commandLine(tool.command), verdict: named ?? verdict, isFailure };
}

/** Mistyped: nothing was checked. */
const NEVER_RAN =
  /\b(?:unrecognized|unknown|no such) (?:sub)?command\b|\bcommand not found\b|\bis not recognized as\b/i;
/** Shown behind a check, as in `make && git diff`. */
const DIFF = /^@@ -\d/m;

/** Whether the command only says it: `npm run lint && echo "OK"`. */
function isEchoed(line: string, command: string): boolean {
  return ["", '"', "'"].some((quote) => command.includes(`echo ${quote}${line}${quote}`));
}

/** What a runner's host prints in passing: `ERROR: Failed parsing extensions`. */
function isNoError(line: string): boolean {
  return !SAYS_FAILED.test(line) || COUNTS_FAILED.test(line);
}

/** The last verdict; where each of several test programs has one, a failure or the one with the most tests. */
function verdictIn(lines: readonly string[], failed: boolean): string | undefined {
  const results = lines.filter((line) => line.startsWith("test result: "));
  if (results.length < 2) {
    return (failed
      ? lines.findLast((line) => isVerdict(line) && SAYS_FAILED.test(line))
      : undefined) ??
      // Go says PASS, and behind it of what.
      lines.findLast((line) => isVerdict(line) && line !== "PASS") ?? lines.findLast(isVerdict);
  }
  return results.find((line) => SAYS_FAILED.test(line)) ??
    results.reduce((most, line) => passedIn(line) > passedIn(most) ? line : most);
}

function passedIn(result: string): number {
  return Number(/\b(\d+) passed\b/.exec(result)?.[1] ?? 0);
}

/** A run without a verdict still replaces an earlier verdict. */
function silentCheckOf(tool: ToolUse): Check | undefined {
  const { command, result, failed } = tool;
  return !isCheck(command) || result === undefined || isRefused(tool)
    ? undefined
    : { command: commandLine(command), verdict: "", isFailure: failed === true };
}

const COMMANDS_MAX = 5;

/**
 * Commands that somebody will run again: the latest passing checks, deployments, and what the person typed.
 */
export function commandsThatMattered(turns: readonly Turn[]): string[] {
  const asked = turns.filter(({ role }) => role === "user").map(({ text }) => text).join("\n");
  const passed = new Map<string, string>();
  for (const tool of toolsOf(turns)) {
    const command = commandLine(tool.command ?? "");
    if (tool.failed === false && checkOf(tool) === undefined && isRunAgain(command, asked)) {
      passed.delete(command);
      passed.set(command, lastLineOf(tool.result ?? ""));
    }
  }
  const checks = lastChecks(turns).filter(({ isFailure }) => !isFailure);
  return [
    ...checks,
    ...[...passed].map(([command, verdict]) => ({ command, verdict, isFailure: false })),
  ].slice(-COMMANDS_MAX).map(tellCheck);
}

/** Quoted words are not run: 'git commit -m "deploy …"'. */
function isRunAgain(command: string, asked: string): boolean {
  const isTyped = /\S \S/.test(command) && asked.includes(command) && !onlyReads(command);
  return command.length <= LINE_CHARACTERS_MAX && (isTyped || isAct(command));
}

/** The last line, if it says something: a bracket, a field of a file or git's state do not. */
function lastLineOf(result: string): string {
  const line = result.split("\n").map(plainLine).findLast((one) => one !== "") ?? "";
  const isSaid = line.length <= LINE_CHARACTERS_MAX &&
    !/^["'{}<&?]/.test(line) && patternFor(line, WORD, "u").test(line) &&
    !NO_OUTPUT.test(line);
  return isSaid ? line : "passed";
}

/** A word, or a count alone; a line of brackets and numbers has neither. */
const WORD = String.raw`[\p{L}]{2}|^\d+$`;
/** The client's words for no output, and lines of a short status. */
const NO_OUTPUT = /^(?:\(no output\)$|[MADRCU]{1,2} \S+$)/;

/**
 * Checks that failed last, with nothing passed or committed since; otherwise they were fixed in another way,
 * or meant to fail.
 */
export function checksThatFail(turns: readonly Turn[]): string[] {
  const committed = turns.findLastIndex((turn) => commitsMade([turn]).length > 0);
  const checks = lastChecks(turns.slice(committed + 1));
  return [
    ...checks.slice(checks.findLastIndex(({ isFailure }) => !isFailure) + 1).slice(-COMMANDS_MAX),
    ...leftFailing(turns),
  ].map((check) => `${FAILED_LABEL}${tellCheck(check)}`);
}

/** A command that failed at the very end, with nothing said or done after it. */
function leftFailing(turns: readonly Turn[]): Check[] {
  const tool = turns.at(-1)?.tools.at(-1);
  if (tool?.failed !== true || isRefused(tool)) return [];
  const { command = "", result = "" } = tool;
  if (command === "" || onlyLooks(command) || isCheck(command)) return [];
  const lines = result.split("\n").map(plainLine).filter((line) => line !== "");
  const verdict = lines.find((line) => SAYS_WHY.test(line)) ?? lines.at(-1) ?? "failed";
  return [{
    command: cut(commandLine(command), LINE_CHARACTERS_MAX),
    verdict: cut(verdict, LINE_CHARACTERS_MAX),
    isFailure: true,
  }];
}

const SAYS_WHY = /\b(?:\w*error|\w*exception|failed|fatal|denied|cannot)\b/i;

/** A call that was refused or stopped: what fails by itself prints its exit code at least. */
function isRefused({ result, failed }: ToolUse): boolean {
  return failed === true && result === "";
}

/** Prefix of a failed check among the open questions. */
export const FAILED_LABEL = "Failed last: ";
/** Prefixes of work done: a check that passed, a commit, a failure and its fix. */
export const RAN_LABEL = "Ran: ";
export const COMMITTED_LABEL = "Committed: ";
export const MENDED_LABEL = "Mended: ";

function tellCheck({ command, verdict }: Check): string {
  return `\`${command}\` → ${verdict}`;
}

/** The check that a note's line is about: `npm test` for "Ran: `npm test -- login` → 3 passed". */
export function checkNamedIn(item: string): string | undefined {
  const label = [RAN_LABEL, FAILED_LABEL].find((one) => item.startsWith(one));
  const command = label && /^`(.+?)` → /.exec(item.slice(label.length))?.[1];
  return command && checkNamed(command);
}

/** The last task list; or single tasks, each with its latest status. */
export function taskState(turns: readonly Turn[]): PlanItem[] {
  const state = new Map<string, string>();
  for (const tool of toolsOf(turns)) {
    if (tool.failed === true) continue;
    if (tool.name === "TeamDelete") dropUnfinished(state);
    if (tool.items === undefined) continue;
    if (tool.name === "TaskList") {
      // A list of others' tasks tells only how the own ones stand.
      for (const { text, status } of tool.items) if (state.has(text)) state.set(text, status);
    }
    if (tool.name === "TodoWrite") state.clear();
    if (!["TodoWrite", "TaskCreate", "TaskUpdate"].includes(tool.name)) continue;
    for (const item of tool.items) {
      if (item.status === "deleted") state.delete(item.text);
      else if (!item.text.startsWith("#")) state.set(item.text, item.status);
    }
  }
  return [...state].map(([text, status]) => ({ text, status }));
}

/** The list of a team ends with the team. */
function dropUnfinished(state: Map<string, string>): void {
  for (const [text, status] of [...state]) if (status !== "completed") state.delete(text);
}

export function toolsOf(turns: readonly Turn[]): ToolUse[] {
  return turns.flatMap((turn) => turn.tools);
}

/** That something failed; `0 failed` and `Failed: 0` say that nothing did. */
const SAYS_FAILED =
  /(?<!\b(?:0|no|none|without) )\bfail(?:ed|ure)\b(?!:? ?0\b)|\bFAIL\b(?!:? ?0\b)|\b[1-9]\d* (?:fail(?:ed|ing|ures?)?|errors?)\b(?!:)|\bfail:? [1-9]|^error\b/i;
/** A count of failures: where a check reports success by its exit code, words like 'failed' are of something else. */
const COUNTS_FAILED =
  /\b[1-9]\d* (?:\w+ )?(?:fail(?:ed|ing|ures?)?|errors?)\b(?!:)|\bfail(?:ed|ures?)?:? [1-9]/i;
const NAMES_FAILED = /^(?:FAIL(?:ED)?:? [^\s\d]|not ok |\(fail\) |[✗✕×●] )\S*/;
/** A script runner's own lines: the command that it runs, and that it failed. */
const RUNNER = /^(?:> \S+@\S+ |\$ |error: script "[^"]*" exited)/;
/** A single test that passed, or how many will run, or a package that has none. */
const OF_A_PART =
  /^(?:[✓✔√] |PASS: |running \d+ tests?$)(?!.*\b(?:built in|errors?|passed|success\w*)\b)|\[no test(?:s to run| files)\]$/i;
/** What is measured decides only where that was the purpose. */
const MEASURES = /\b(?:bench\w*|hyperfine)\b/i;
const MEASURED = /\d ?(?:ms|ns|µs|req\/s|ops\/s|MB\/s)\b/;

function isVerdict(line: string): boolean {
  if (RUNNER.test(line) || OF_A_PART.test(line)) return false;
  return /\b\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?|tests?|errors?|warnings?|ok)\b/i.test(line) ||
    /\b(?:test result:|BUILD SUCCESS|BUILD FAILED|FAILED|All checks passed|no errors)/i
      .test(line) ||
    /^(?:Done in|Checked|Ran) \d|\bPASSED$/.test(line) ||
    /^(?:PASS|FAIL|ok|OK|error)\b/.test(line) || /^(?:ℹ )?(?:pass \d+|fail [1-9]\d*)$/.test(line) ||
    /\b(?:built in|compiled successfully|build succeeded)\b/i.test(line);
}

function relative(path: string, cwd: string): string {
  const root = withoutEnd(cwd, /\//);
  return root !== "" && path.startsWith(root + "/") ? path.slice(root.length + 1) : path;
}
