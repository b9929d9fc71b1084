/**
 * One table in somebody's TOML: added behind everything else, changed and removed by whole lines, so
 * that every other byte stays. The parser says before and after what the file means, since no writer
 * keeps comments. The only file that knows smol-toml.
 */
import { parse as parseToml, TomlError } from "smol-toml";
import { SageError } from "../base/errors.ts";
import { isObject } from "../base/fields.ts";
import { withoutBom } from "../base/fs.ts";
import type { JsonObject } from "./jsonc.ts";

/** What a statement of the file is, and which bytes it takes, its line's end included. */
interface Statement {
  readonly kind: "table" | "pair";
  readonly start: number;
  readonly end: number;
  /** The keys of the table that it opens, or in which it stands with its own. */
  readonly keys: readonly string[];
}

/** The file's meaning; what TOML does not allow is an error that names the place. */
export function parseTomlObject(text: string, file: string): JsonObject {
  try {
    return parseToml(withoutBom(text), { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0]?.replace("Invalid TOML document: ", "") ?? "";
    throw new SageError(
      "invalid_config",
      `Cannot read "${file}": ${reason} at ${error.line}:${error.column}`,
      { hint: "mend the file, then repeat; nothing was changed" },
    );
  }
}

/** The text with a table of plain values behind everything else, a remark above it. */
export function appendTable(
  text: string,
  keys: readonly string[],
  values: Readonly<Record<string, string | readonly string[]>>,
  remark: string,
): string {
  const eol = eolOf(text);
  const lines = [
    `# ${remark}`,
    `[${keys.join(".")}]`,
    ...Object.entries(values).map(([key, value]) => `${key} = ${valueText(value)}`),
  ];
  const body = withoutBom(text);
  const gap = body === "" ? "" : body.endsWith("\n") ? eol : eol + eol;
  return text + gap + lines.join(eol) + eol;
}

/** The text with another text for a key; as it is where the key stands nowhere alone, or is no text. */
export function setInTable(text: string, keys: readonly string[], value: string): string {
  const pair = statementsOf(text).find((one) => one.kind === "pair" && isSame(one.keys, keys));
  if (pair === undefined) return text;
  const start = equalsIn(text, pair.start) + 1;
  const gap = /^[ \t]*/.exec(text.slice(start, pair.end))?.[0] ?? "";
  const at = start + gap.length;
  if (!`"'`.includes(text[at] ?? " ")) return text;
  // What stands behind the value on its line is somebody's remark.
  return text.slice(0, at) + valueText(value) + text.slice(endOfString(text, at));
}

/** The text without the table, what lies below it, and the remark and one empty line above each. */
export function removeTable(text: string, keys: readonly string[], remark: string): string {
  const all = statementsOf(text);
  let edited = text;
  for (let i = all.length - 1; i >= 0; i--) {
    const one = all[i];
    if (one === undefined || !isBelow(one.keys, keys)) continue;
    const start = one.kind === "table" ? withRemark(edited, one.start, remark) : one.start;
    const rest = edited.slice(one.end);
    edited = edited.slice(0, start) + rest;
  }
  return edited;
}

/**
 * The text with each of the tables in the one at `keys` under the name that it is to have, and without
 * those that are to have none; without their own table, too, when none is left.
 */
export function moveTables(
  text: string,
  keys: readonly string[],
  nameFor: (name: string) => string | undefined,
): string {
  const all = statementsOf(text).filter((one) => isBelow(one.keys, keys));
  let edited = text;
  let isLeft = false;
  for (const { kind, start, end, keys: [...found] } of all.toReversed()) {
    const name = found[keys.length];
    const to = name === undefined ? undefined : nameFor(name);
    if (name !== undefined && to !== undefined) {
      isLeft = true;
      const statement = renamed(text.slice(start, end), name, to);
      edited = edited.slice(0, start) + statement + edited.slice(end);
    } else if (name !== undefined || !isLeft && edited !== text) {
      const from = kind === "table" ? withEmptyLine(edited, start) : start;
      edited = edited.slice(0, from) + edited.slice(end);
    }
  }
  return edited;
}

/** The statement with another name among its keys, as far as it stands in its own line. */
function renamed(statement: string, name: string, to: string): string {
  const quotes = [JSON.stringify, (one: string): string => `'${one}'`];
  const quoted = quotes.find((quote) => statement.includes(quote(name)));
  return quoted === undefined ? statement : statement.replace(quoted(name), () => quoted(to));
}

/** Where the remark above a table begins, and the empty line above that. */
function withRemark(text: string, start: number, remark: string): number {
  const above = new RegExp(`# ${RegExp.escape(remark)}\\r?\\n$`).exec(text.slice(0, start));
  return withEmptyLine(text, above?.index ?? start);
}

function withEmptyLine(text: string, at: number): number {
  return /(?<=\n)\r?\n$/.exec(text.slice(0, at))?.index ?? at;
}

/** The file's statements in order. Only for a text that the parser took. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  for (let at = text.length - withoutBom(text).length; at < text.length;) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, lineEnd).trim();
    if (line === "" || line.startsWith("#")) {
      at = lineEnd;
    } else if (line.startsWith("[")) {
      table = keysOf(line);
      statements.push({ kind: "table", start: at, end: lineEnd, keys: table });
      at = lineEnd;
    } else {
      const end = endOfPair(text, at);
      const keys = keysOf(`${text.slice(at, equalsIn(text, at))}= 0`);
      statements.push({ kind: "pair", start: at, end, keys: [...table, ...keys] });
      at = end;
    }
  }
  return statements;
}

/** The keys that a header or a pair names, by the parser: one way down to something without keys. */
function keysOf(statement: string): string[] {
  const keys: string[] = [];
  let value: unknown = parseToml(statement);
  for (;;) {
    if (Array.isArray(value)) value = value[0];
    const [entry] = isObject(value) ? Object.entries(value) : [];
    if (entry === undefined) return keys;
    keys.push(entry[0]);
    value = entry[1];
  }
}

/** The first line's end at which no string, list or inline table is open. */
function endOfPair(text: string, from: number): number {
  let depth = 0;
  for (let at = equalsIn(text, from) + 1; at < text.length;) {
    const character = text[at] ?? "";
    if (character === '"' || character === "'") at = endOfString(text, at);
    else if (character === "#") {
      at = text.indexOf("\n", at);
      if (at < 0) return text.length;
    } else {
      if ("[{".includes(character)) depth++;
      if ("]}".includes(character)) depth--;
      at++;
      if (character === "\n" && depth === 0) return at;
    }
  }
  return text.length;
}

function equalsIn(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "=") {
    at = text[at] === '"' || text[at] === "'" ? endOfString(text, at) : at + 1;
  }
  return at;
}

function endOfString(text: string, from: number): number {
  const quote = text[from] ?? "";
  const mark = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  let at = from + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += skip(text, at, quote);
  at += mark.length;
  // Up to two quotation marks may stand before the three that close.
  while (mark.length === 3 && text[at] === quote) at++;
  return at;
}

/** In strings with double marks a backslash takes the next character along. */
function skip(text: string, at: number, quote: string): number {
  return quote === '"' && text[at] === "\\" ? 2 : 1;
}

/** Behind the line's break. */
function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at + 1;
}

/** JSON's strings are TOML's. */
function valueText(value: string | readonly string[]): string {
  return typeof value === "string"
    ? JSON.stringify(value)
    : `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && isBelow(a, b);
}

function isBelow(keys: readonly string[], parent: readonly string[]): boolean {
  return parent.every((key, i) => keys[i] === key);
}
