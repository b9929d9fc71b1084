/**
 * What was done, as the tool calls show it: files changed, commits made, checks run with their verdicts, the
 * state of the task list. Facts only; no sentence is read here.
 */
import { cut, withoutEnd } from "../../base/text/text.ts";
import type { PlanItem, ToolUse, Turn } from "../../editor/editor.ts";

export interface Check {
  readonly command: string;
  /** The line of the output that decided. */
  readonly verdict: string;
  readonly isFailure: boolean;
}

const EDITS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const LINE_CHARACTERS_MAX = 180;
const CHECK_COMMAND =
  /\b(?:test|tests|pytest|jest|vitest|mocha|rspec|check|lint|clippy|build|compile|tsc|bench|benchmark|hyperfine|ctest|tox|verify|typecheck)\b/i;

/** Searches for files of such a name, but checks nothing; `rtk` in front only shortens what is printed. */
const READS =
  /^(?:cd [^&;|]{1,200}(?:&&|;) *)?(?:rtk )?(?:awk|cat|diff|find|git|grep|head|less|ls|rg|sed|tail|tree|wc)\b(?![^]*(?:&&|[;\n]))/;

/** Whether a command only reads. */
export function onlyReads(command: string): boolean {
  return READS.test(command);
}

export function isCheck(command: string | undefined): command is string {
  if (command === undefined || !CHECK_COMMAND.test(command)) return false;
  const run = withoutMessage(command);
  return CHECK_COMMAND.test(run) && !READS.test(run);
}

/** Without the message of a commit, which tells of tests and runs none. */
function withoutMessage(command: string): string {
  const found = MESSAGE_BEGINS.exec(command);
  if (found === null) return command;
  const [begin, git = "", quote = "", mark] = found;
  const end = mark === undefined ? quote : `\n${mark}`;
  const at = command.indexOf(end, found.index + begin.length);
  const rest = at < 0 ? "" : command.slice(at + end.length);
  return command.slice(0, found.index) + git + rest;
}

/** In quotes, or as a here-document: `-m "$(cat <<'EOF'`. */
const MESSAGE_BEGINS =
  /(\bgit\b[^|;&\n]{0,200}?\bcommit\b[^|;&\n]{0,80}? (?:-[a-z]{0,4}m|--message)[ =]?)(["'])(?:\$\(cat <<-?\s*['"]?(\w+)['"]?)?/;

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
  return [...files];
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

/** Commands that change something other than files. */
const ACTS = /\b(?:apply|deploy|failover|promote|publish|restart|revoke|rollback)\b/;
const LOOKS_ONLY =
  /\s(?:--dry-run|--help|--check|plan|status|history|diff|list|show|get|logs|describe)\b/;

/** Whether the last command that changes something other than files succeeded. */
export function hasActed(turns: readonly Turn[]): boolean {
  return toolsOf(turns).findLast(({ command = "" }) => isAct(command))?.failed === false;
}

function isAct(command: string): boolean {
  return ACTS.test(command) && !LOOKS_ONLY.test(command);
}

const COMMIT = /\bgit\b[^|;&]{0,200}\b(?:cherry-pick|commit|revert)\b/g;
/** With this flag git prints nothing, and only the first line of the message is known. */
const QUIET = /^[^|;&]{0,80} (?:-[a-z]{0,4}q|--quiet\b)/;
const MESSAGE =
  / (?:-[a-z]{0,4}m|--message)[ =]?(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*([^\n]{1,180})|"([^"\n]{1,180})|'([^'\n]{1,180}))/;
const NOT_COMMITTED = /\bnothing (?:added )?to commit\b|\bno changes added\b|^(?:fatal|error):/m;

/** `abc1234 subject` of each commit, read from git's output; only the subject where git was quiet. */
export function commitsMade(turns: readonly Turn[]): string[] {
  const commits: string[] = [];
  for (const { command = "", result = "", failed } of toolsOf(turns)) {
    if (failed === true) continue;
    const made = [...command.matchAll(COMMIT)];
    if (made.length === 0) continue;
    const printed = result.split("\n").flatMap((line) => {
      const match = /^\[[^\]]{1,200}? ([0-9a-f]{7,40})\] (.{1,180})/.exec(line);
      return match === null ? [] : [`${match[1]} ${match[2]}`];
    });
    commits.push(...printed);
    if (failed === undefined || printed.length > 0 || NOT_COMMITTED.test(result)) continue;
    for (const [i, { 0: { length }, index }] of made.entries()) {
      const options = command.slice(index + length, made[i + 1]?.index);
      const subject = QUIET.test(options)
        ? MESSAGE.exec(options)?.slice(1).find((found) => found !== undefined)
        : undefined;
      if (subject !== undefined) commits.push(subject.trim());
    }
  }
  return [...new Set(commits)];
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
      if (isGone || command === check.command) last.delete(command);
    }
    if (check.verdict !== "") last.set(check.command, check);
  }
  return [...last.values()];
}

export function checkOf(tool: ToolUse): Check | undefined {
  if (!isCheck(tool.command) || tool.result === undefined) return undefined;
  const lines = tool.result.split("\n").map(plainLine).filter((line) =>
    line !== "" && line.length <= LINE_CHARACTERS_MAX
  );
  const verdict = verdictIn(lines, tool.failed === true);
  if (verdict === undefined) return undefined;
  const isFailure = tool.failed === true || SAYS_FAILED.test(verdict);
  // Which tests failed says more than how many.
  const named = isFailure ? lines.find((line) => NAMES_FAILED.test(line)) : undefined;
  return { command: commandLine(tool.command), verdict: named ?? verdict, isFailure };
}

/** The last verdict; where each of several test programs has one, a failure or the one with the most tests. */
function verdictIn(lines: readonly string[], failed: boolean): string | undefined {
  const results = lines.filter((line) => line.startsWith("test result: "));
  if (results.length < 2) {
    return (failed
      ? lines.findLast((line) => isVerdict(line) && SAYS_FAILED.test(line))
      : undefined) ??
      lines.findLast(isVerdict);
  }
  return results.find((line) => SAYS_FAILED.test(line)) ??
    results.reduce((most, line) => passedIn(line) > passedIn(most) ? line : most);
}

function passedIn(result: string): number {
  return Number(/\b(\d+) passed\b/.exec(result)?.[1] ?? 0);
}

/** A run without a verdict still replaces an earlier verdict. */
function silentCheckOf({ command, result, failed }: ToolUse): Check | undefined {
  return !isCheck(command) || result === undefined
    ? undefined
    : { command: commandLine(command), verdict: "", isFailure: failed === true };
}

/** The line of a script that checks something; else the first one after its preparation. */
export function commandLine(command: string): string {
  const fed = command.indexOf("<<");
  // The text of a here-document is not run.
  const end = fed < 0 ? -1 : command.indexOf("\n", fed);
  const lines = (end < 0 ? command : command.slice(0, end)).replace(/\\\n\s*/g, " ").split("\n");
  const acts = lines.filter((line) => line.trim() !== "" && !GETS_READY.test(line));
  return plainLine(acts.find(isCheck) ?? acts[0] ?? lines[0] ?? "");
}

const GETS_READY =
  /^\s*(?:#|(?:cd|set|export|source|pushd|echo|printf)\b[^;&|]*$|[A-Za-z_0-9]+=\S*$)/;

/** `npm test -- login` and `cd app && npm test` are the same check, of different parts. */
function checkNamed(command: string): string {
  const bare = command.replace(/^(?:cd [^&;|]{1,200}(?:&&|;) *|[A-Z_]{1,40}=\S* +)+/, "");
  const { index = 0, 0: word = bare } = CHECK_COMMAND.exec(bare) ?? {};
  return bare.slice(0, index + word.length);
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
  const bare = command.replace(/"[^"]*"|'[^']*'/g, "");
  const isTyped = /\S \S/.test(command) && asked.includes(command);
  return command.length <= LINE_CHARACTERS_MAX && !READS.test(command) && (isTyped || isAct(bare));
}

function lastLineOf(result: string): string {
  const line = result.split("\n").map(plainLine).findLast((one) => one !== "") ?? "";
  return line.length <= LINE_CHARACTERS_MAX && line !== "(no output)" && line !== ""
    ? line
    : "passed";
}

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
  const { command = "", result = "", failed } = turns.at(-1)?.tools.at(-1) ?? {};
  if (failed !== true || command === "" || onlyReads(command) || isCheck(command)) return [];
  if (REFUSED.test(result)) return [];
  const lines = result.split("\n").map(plainLine).filter((line) => line !== "");
  const verdict = lines.find((line) => SAYS_WHY.test(line)) ?? lines.at(-1) ?? "failed";
  return [{
    command: cut(commandLine(command), LINE_CHARACTERS_MAX),
    verdict: cut(verdict, LINE_CHARACTERS_MAX),
    isFailure: true,
  }];
}

const SAYS_WHY = /\b(?:\w*error|\w*exception|failed|fatal|denied|cannot)\b/i;
/** Claude Code's words for a call that was not run. */
const REFUSED = /^The user doesn't want to\b/;

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

/** One line without escape sequences and decoration. */
export function plainLine(line: string): string {
  // deno-lint-ignore no-control-regex -- terminals' colour codes are control characters
  const text = line.replace(/\u001b\[[0-9;]{0,20}[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g, "");
  return withoutEnd(text.replace(/^[\s=*#-]+/, ""), /[\s=*#-]/).replace(/\s+/g, " ");
}

const SAYS_FAILED =
  /\bFAIL(?:ED|URE)?\b(?!:? 0\b)|\b[1-9]\d* (?:fail(?:ed|ing|ures?)?|errors?)\b|^error\b/;
const NAMES_FAILED = /^(?:FAIL(?:ED)?:? [^\s\d]|not ok |\(fail\) |[✗✕×●] )\S*/;
/** A script runner's own lines: the command that it runs, and that it failed. */
const RUNNER = /^(?:> \S+@\S+ |\$ |error: script "[^"]*" exited)/;

function isVerdict(line: string): boolean {
  if (RUNNER.test(line)) return false;
  return /\b\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?|tests?|errors?|warnings?|ok)\b/i.test(line) ||
    /\b(?:test result:|BUILD SUCCESS|BUILD FAILED|FAILED|All checks passed|no errors|ok\b.*\d)/i
      .test(line) ||
    /^(?:PASS|FAIL|ok|error)\b/.test(line) ||
    /\b(?:built in|compiled successfully|build succeeded)\b/i.test(line) ||
    /\b\d[\d.,]* ?(?:ms|ns|µs|req\/s|ops\/s|MB\/s)\b/.test(line);
}

function relative(path: string, cwd: string): string {
  const root = withoutEnd(cwd, /\//);
  return root !== "" && path.startsWith(root + "/") ? path.slice(root.length + 1) : path;
}
