/**
 * What a conclusion rests on: exact error strings, checks with their verdicts, measured numbers, links.
 * Lines of tools are quoted verbatim and short; nothing is a dump.
 */
import { lazyPattern } from "../base/pattern.ts";
import type { ToolUse, Turn } from "../editor/editor.ts";
import { cut } from "../base/text.ts";
import type { Ranked } from "./rank_sentences.ts";
import { pickDistinct } from "./rank_sentences.ts";
import { checksRun, plain, toolsOf } from "./work.ts";

export interface EvidenceOptions {
  readonly ranked: readonly Ranked[];
  readonly taken: readonly Ranked[];
  readonly most: number;
}

const ERROR_LINE_CHARACTERS_MAX = 220;
const ERROR_LINE =
  /\b(?:\w*(?:Error|Exception|Panic)\b|error(?:\[|:| )|fatal:|panic:|failed:|denied|refused|timed? ?out|not found|no such|cannot|could not|unsupported|forbidden|unauthorized|conflict|E[A-Z]{4,}\b|TS\d{4}|HTTP [45]\d\d|[45]\d\d (?:Forbidden|Unauthorized|Not Found|Too Many))/i;

/** Failures of the agent's own tools, which say nothing about the work. */
const TOOL_NOISE =
  /<tool_use_error>|file has not been read|string to replace not found|found \d+ matches of the string|doesn't want to (?:proceed|take this action)|request interrupted|sibling tool call|file content .* exceeds|user rejected|no such tool|inputvalidationerror|hook (?:blocked|denied)/i;

/** A number with its unit, a ratio or a count: something that was measured. */
const MEASURED = lazyPattern(
  String
    .raw`\d[\d.,]*\s?(?:%|ms\b|s\b|µs\b|ns\b|seconds?\b|minutes?\b|hours?\b|days?\b|KB\b|MB\b|GB\b|TB\b|KiB\b|MiB\b|GiB\b|bytes?\b|tokens?\b|rows?\b|req|requests?\b|users?\b|queries\b|tests?\b|files?\b|lines?\b|times\b|x\b|×|fps\b|€|Sekunden|Minuten|Zeilen|Dateien)|[$€£]\s?\d|\d[\d.,]* \p{L}+ (?:per|pro) |\bfrom \d[\d.,]* \S{0,12} ?to \d`,
  "u",
);

const LINK = /https?:\/\/[^\s)\]}>"'`]{4,300}/;

/** Evidence, most telling first, each line once. */
export function evidenceOf(turns: readonly Turn[], options: EvidenceOptions): string[] {
  const measured = options.ranked.filter(({ sentence }) =>
    sentence.turn.role === "assistant" && MEASURED().test(sentence.text) &&
    !sentence.text.endsWith("?")
  );
  const numbers = pickDistinct(measured, 3, options.taken).map(({ sentence }) => sentence.text);
  const linked = options.ranked.filter(({ sentence }) => LINK.test(sentence.text));
  const links = pickDistinct(linked, 2, options.taken).map(({ sentence }) => sentence.text);
  const lines = [
    ...numbers,
    ...errorLines(turns).slice(-2),
    ...verdicts(turns),
    ...links,
    ...fetched(turns),
  ];
  return [...new Set(lines)].slice(0, options.most);
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
  const lines = tool.result.split("\n").map(plain).filter((line) =>
    line.length >= 12 && line.length <= ERROR_LINE_CHARACTERS_MAX &&
    !/^(?:Error: )?Exit code \d+$/.test(line) &&
    !/^at \S|^\s*File "/.test(line)
  );
  // The named error is usually the last one printed before the stack ends.
  return lines.findLast((line) => /^\w*(?:Error|Exception)\b.*:/.test(line)) ??
    lines.find((line) => ERROR_LINE.test(line));
}

/** Each command's last verdict; a failure that was mended before is worth its line too. */
function verdicts(turns: readonly Turn[]): string[] {
  const last = new Map<string, string>();
  for (const { command, verdict } of checksRun(turns)) {
    last.delete(command);
    last.set(command, verdict);
  }
  return [...last].slice(-2).map(([command, verdict]) => `\`${cut(command, 100)}\` → ${verdict}`);
}

function fetched(turns: readonly Turn[]): string[] {
  const urls = toolsOf(turns).flatMap((tool) =>
    tool.failed === true ? [] : LINK.exec(tool.command ?? tool.description ?? "")?.[0] ?? []
  );
  return [...new Set(urls)].slice(-1);
}
