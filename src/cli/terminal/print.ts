/**
 * Turns an answer into bytes: lines (colour on a terminal only) or one JSON document, each written in
 * one call. The one place where text from notes meets the terminal, so what cannot be seen is removed here.
 */
import { age, parseTime } from "../../base/clock.ts";
import { collapse, count, cut, parseable } from "../../base/text/text.ts";
import { escapeForeign, neutralize } from "../../base/text/printable.ts";
import { isAgentShell } from "../../editor/agent_shell.ts";
import {
  type Answer,
  dim,
  type Failure,
  type Line,
  type Span,
  spansOf,
  type Style,
} from "./answer.ts";
import type { Option } from "../command.ts";
import type { Io } from "../io.ts";

export function printAnswer(io: Io, answer: Answer, json: boolean): void {
  const forReader = isAgentShell(io.env) ? escapeForeign : String;
  if (json) {
    const { error } = answer;
    io.out(jsonText(error === undefined ? answer.json : { ...answer.json, error: shape(error) }));
  } else if (answer.text.length > 0) {
    io.out(forReader(renderLines(answer.text, io.color)));
  }
  const notices = (answer.notices ?? []).map((notice) => neutralize(notice) + "\n").join("");
  const failure = json || answer.error === undefined ? "" : failureText(answer.error);
  if (notices + failure !== "") io.err(forReader(notices + failure));
}

/** It may contain somebody's own words, however long. */
const FAILURE_CHARACTERS_MAX = 1000;
const FAILURE_END_CHARACTERS = 200;

/** `sage: what and where`, and below it what to do. */
export function failureText({ message, hint }: Failure): string {
  return `sage: ${oneLine(message)}\n${hint === undefined ? "" : `  ${oneLine(hint)}\n`}`;
}

/** The error as a script prints it. */
function shape({ code, message, hint }: Failure): Failure {
  return { code, message: oneLine(message), hint: hint && oneLine(hint) };
}

/** The problem comes after the typed text, so of a long line the middle is dropped. */
function oneLine(text: string): string {
  const line = collapse(neutralize(text));
  if (line.length <= FAILURE_CHARACTERS_MAX) return line;
  const end = line.slice(-FAILURE_END_CHARACTERS).toWellFormed();
  return cut(line, FAILURE_CHARACTERS_MAX - FAILURE_END_CHARACTERS) + end;
}

const CODES: Record<Style, number> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

export function renderLines(lines: readonly Line[], color: boolean): string {
  return lines.map((line) => spansOf(line).map((span) => renderSpan(span, color)).join("") + "\n")
    .join("");
}

function renderSpan(span: Span, color: boolean): string {
  if (typeof span === "string") return neutralize(span);
  const text = neutralize(span.text);
  return color && text !== "" ? `\x1b[${CODES[span.style]}m${text}\x1b[0m` : text;
}

/** What a terminal could act on, or show in another order, is escaped. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function jsonText(value: unknown): string {
  const text = parseable(JSON.stringify(snakeKeys(value), null, 2)).replace(
    UNSAFE,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  return text + "\n";
}

/**
 * On disk, here and over the wire keys are snake_case, whatever they are called in the code: those of
 * records. What is keyed by somebody's own words is a Map, and its keys stay as they were written.
 */
function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, item]) => [key, snakeKeys(item)]));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      // Nearly all are already.
      key === key.toLowerCase()
        ? key
        : key.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase()),
      snakeKeys(item),
    ]),
  );
}

/** How long ago on a terminal, the moment itself elsewhere; `-` where a note does not say. */
export function when(io: Io, moment: string, nowMs: number): string {
  const ms = parseTime(moment);
  if (ms === undefined) return "-";
  return io.isTerminal.stdout ? age(ms, nowMs) : moment;
}

/** The same inside a sentence: `3 h ago`. */
export function ago(io: Io, moment: string, nowMs: number): string {
  const text = when(io, moment, nowMs);
  return io.isTerminal.stdout && text !== "-" ? `${text} ago` : text;
}

/** The heading above such a column. */
export function whenHeading(io: Io): string {
  return io.isTerminal.stdout ? "age" : "date";
}

/** What a compaction's summary kept of the exact details. */
export function keptText(kept: number, all: number): string {
  return all === 0 ? "had no exact thing to keep" : `kept ${kept} of ${all} exact things`;
}

/** `1 todo`, `3 todos`, `3 knowledge`: a kind of note is counted as it is called. */
export function countKind(number: number, kind: string): string {
  return kind === "knowledge" ? `${number} ${kind}` : count(number, kind);
}

/** What a list has without `--limit` where it is cut: a screenful, for the first are at the top. */
export const PAGE_ROWS = 20;
/** The largest `--limit` of a list: more than the stores in reach can hold. */
const LISTED_MAX = 1_000_000;

/** `--limit` of a list. `everywhere`: also in a pipe and as JSON it has no more without. */
export function limitOption(
  { everywhere }: { readonly everywhere: boolean },
): Option & { readonly type: "number" } {
  const usual = everywhere
    ? `${PAGE_ROWS} by default`
    : `all by default, ${PAGE_ROWS} on a terminal`;
  return { type: "number", min: 1, max: LISTED_MAX, summary: `at most this many, ${usual}` };
}

/** How many rows a list has: all in a pipe and as JSON, where a program reads them. */
export function rowsMax(io: Io, json: boolean, limit?: number): number {
  return limit ?? (io.isTerminal.stdout && !json ? PAGE_ROWS : Infinity);
}

/** Says that a list was cut, and how to see the rest. */
export function moreNotice(shown: readonly unknown[], total: number, noun: string): string[] {
  const more = total - shown.length;
  return more <= 0 ? [] : [`${count(more, `more ${noun}`)}: --limit ${total} shows all`];
}

/** What a list without `--limit` shows of its items, and the line below it that says how many more there are. */
export function firstRows<T>(
  io: Io,
  items: readonly T[],
  noun: string,
): { readonly shown: readonly T[]; readonly more: readonly Line[] } {
  const shown = items.slice(0, rowsMax(io, false));
  const more = items.length - shown.length;
  return {
    shown,
    more: more === 0 ? [] : [dim(`${count(more, `more ${noun}`)}: | less shows all`)],
  };
}

/** A line with one fact. */
export function fact(name: string, text: string): Line {
  return [dim(name.padEnd(12)), text];
}
