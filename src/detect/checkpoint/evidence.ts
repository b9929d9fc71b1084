/**
 * The evidence for a conclusion: exact error strings, checks with their verdicts, links. Lines of tools
 * are quoted verbatim and short.
 */
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { cut } from "../../base/text/text.ts";
import { onlyLooks, plainLine } from "../summary/shell.ts";
import { lastChecks, toolsOf } from "../summary/work.ts";

const ERROR_LINE_CHARACTERS_MAX = 220;
const ERROR_LINE =
  /^[✖×✗✘] ?\S|^[^\s:]+:\d+:\d+: \S|\b(?:\w*(?:Error|Exception|Panic)\b|error(?:\[|:| )|fatal:|panic:|failed:|denied|refused|timed? ?out|not found|no such|not defined|undefined|invalid|expired|mismatch|cannot|could not|unsupported|forbidden|unauthorized|conflict|does not exist|not enough|unexpected|emerg|TS\d{4}|HTTP [45]\d\d|[45]\d\d (?:Forbidden|Unauthorized|Not Found|Too Many))/i;
/** `ENOENT`. */
const SYSTEM_ERROR = /\bE[A-Z]{4,}\b/;
/** A script runner's echo of the command, code that is quoted with its line number, and what passed. */
const QUOTED = /^(?:\$ |> \S+@\S+ |\[STARTED\]|\d+ ?[|│]|(?:PASS|OK|ok|✓|✔|√)(?![\w/]))/;
/** Says that there are errors, or what could be one, and is told if no line says which. */
const VAGUE =
  /^[([]?(?:note|hint|warn(?:ing)?|skipped|info)\b|^\(|^[✖×✗✘] (?:Some \w+ were\b|\S+ --)|\bwarning:|\bfound \d+ (?:errors?|warnings?)\b|\bexited with\b/i;

/** Failures of the agent's own tools, which say nothing about the work. */
const TOOL_NOISE =
  /<tool_use_error>|^file does not exist|file has (?:not been read|been (?:unexpectedly )?modified)|string to replace not found|found \d+ matches of the string|doesn't want to (?:proceed|take this action)|request interrupted|sibling tool call|file content .{0,200} exceeds|user rejected|no such tool|inputvalidationerror|hook (?:blocked|denied)|apply_patch verification failed|^content\[\d+\] /i;

/** The agents' own tools that read, search and change files. */
const HANDLES_FILES =
  /^(?:apply_patch|create|edit|glob|grep|list|ls|multiedit|notebookedit|patch|read|view|write)$/i;

const LINK = /https?:\/\/[^\s)\]}>"'`]{4,300}/;

/** A query in brackets would be cut at the first closing one; the command has it whole. */
function linkIn(text: string): string[] {
  const [link] = LINK.exec(text) ?? [];
  return link === undefined || /[([{]/.test(link) ? [] : [link];
}

/** The telling line of each failed call, newest last, each once. */
export function errorLines(turns: readonly Turn[]): string[] {
  const lines = toolsOf(turns).flatMap((tool) => errorLine(tool) ?? []);
  return [...new Set(lines.reverse())].reverse();
}

export function errorLine(tool: ToolUse): string | undefined {
  if (tool.failed !== true || tool.result === undefined || TOOL_NOISE.test(tool.result)) {
    return undefined;
  }
  // Who looks for something and finds nothing has not failed; and what is printed may be any text.
  if (onlyLooks(tool.command ?? "") || HANDLES_FILES.test(tool.name)) return undefined;
  const lines = tool.result.split("\n").map(plainLine).filter((line) =>
    line.length >= 12 && line.length <= ERROR_LINE_CHARACTERS_MAX &&
    !/^(?:Error: )?Exit code \d+$/.test(line) &&
    !/^at \S|^\s*File "/.test(line) && !QUOTED.test(line)
  );
  const failing = lines.filter((line) => ERROR_LINE.test(line) || SYSTEM_ERROR.test(line));
  // The named error is usually the last line before the stack ends.
  return lines.findLast((line) => /^\w*(?:Error|Exception)\b.*:/.test(line)) ??
    failing.find((line) => !VAGUE.test(line)) ?? failing[0];
}

/** The last verdict of each command. */
export function verdictsOf(turns: readonly Turn[]): string[] {
  return lastChecks(turns).map(({ command, verdict }) => `\`${cut(command, 100)}\` → ${verdict}`);
}

/** Addresses that were fetched. */
export function linksOf(turns: readonly Turn[]): string[] {
  const urls = toolsOf(turns).flatMap((tool) =>
    tool.failed === true ? [] : linkIn(tool.command ?? tool.description ?? "")
  );
  return [...new Set(urls)];
}
