/**
 * Edits one table in a TOML file: added at the end, changed and removed by whole lines, so that every other
 * byte stays, since no TOML writer keeps comments. The file is parsed before and after as a check. The only
 * file that uses smol-toml.
 */
import { parse as parseToml, TomlError } from "smol-toml";
import { SageError } from "../base/errors.ts";
import { isObject } from "../base/fields.ts";
import { withoutBom } from "../base/utf8.ts";
import type { JsonObject } from "./jsonc.ts";

/** A statement of the file, and its range, with its line end. */
interface Statement {
  readonly kind: "table" | "pair";
  readonly start: number;
  readonly end: number;
  /** The keys of the table that a header opens, or the full keys of a pair. */
  readonly keys: readonly string[];
}

/** Parses the file; the error for invalid TOML names line and column. */
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

/** The text with a table of plain values at the end, and a comment above it. */
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

/** The text with another string for a key; unchanged if the key has no line of its own or is not a string. */
export function setInTable(text: string, keys: readonly string[], value: string): string {
  const pair = statementsOf(text).find((one) => one.kind === "pair" && isSame(one.keys, keys));
  if (pair === undefined) return text;
  const start = equalsIn(text, pair.start) + 1;
  const gap = /^[ \t]*/.exec(text.slice(start, pair.end))?.[0] ?? "";
  const at = start + gap.length;
  if (!`"'`.includes(text[at] ?? " ")) return text;
  // Keeps a comment after the value.
  return text.slice(0, at) + valueText(value) + text.slice(endOfString(text, at));
}

/** The text without the table and its subtables, and the comment and one empty line above each. */
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
 * Renames the subtables of the table at `keys`, and removes those without a new name; also the table itself
 * if none is left.
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

/** The statement with one of its keys renamed. */
function renamed(statement: string, name: string, to: string): string {
  const quotes = [JSON.stringify, (one: string): string => `'${one}'`];
  const quoted = quotes.find((quote) => statement.includes(quote(name)));
  return quoted === undefined ? statement : statement.replace(quoted(name), () => quoted(to));
}

/** Where the comment above a table begins, and the empty line above that. */
function withRemark(text: string, start: number, remark: string): number {
  const above = new RegExp(`# ${RegExp.escape(remark)}\\r?\\n$`).exec(text.slice(0, start));
  return withEmptyLine(text, above?.index ?? start);
}

function withEmptyLine(text: string, at: number): number {
  return /(?<=\n)\r?\n$/.exec(text.slice(0, at))?.index ?? at;
}

/** The file's statements in order. Only for valid TOML. */
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

/** The keys that a header or a pair names, from the parsed statement, which nests one key in another. */
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

/** The first line end at which no string, list or inline table is open. */
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
  // Up to two quotation marks may come before the three that close.
  while (mark.length === 3 && text[at] === quote) at++;
  return at;
}

/** Skips a character, and in double-quoted strings a backslash with the one after it. */
function skip(text: string, at: number, quote: string): number {
  return quote === '"' && text[at] === "\\" ? 2 : 1;
}

/** The offset after the line break. */
function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at + 1;
}

/** A value as TOML; JSON's strings are valid TOML strings. */
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
