/**
 * Secrets in Markdown tables: the name is in the header row or in the cell before, with no operator
 * between it and the value. Values are judged as in assignments.ts.
 */
import { isSecretValue, NAMES, type Strength, strengthOf } from "./assignments.ts";
import type { Match } from "./finding.ts";
import { beforeSentence, isNameOfParts, isUuid } from "./placeholder.ts";

/** The delimiter row below a table's header, also in a quote or a diff. */
const RULE = /\n[ \t>+]{0,8}\|?[ \t]{0,8}:?-[-:| \t]*(?=\r?\n)/g;
const ROW = /^[ \t>+]{0,8}\|[^\n]*/gm;
/** A longer cell is a sentence. */
const NAME_CHARACTERS_MAX = 40;
const BEFORE_CELLS = /^[ \t>+]{0,8}\|?/;
/** Group 1: spaces and opening markup of a cell; group 2: its text. */
const CELL = /^([ \t]*(?:\*\*|__)?`{0,2})(.*?)`{0,2}(?:\*\*|__)?[ \t\r]*$/;
/** Only so much of a cell is read: `CELL` is quadratic in its length. */
const CELL_CHARACTERS_MAX = 512;
/** Further columns are ignored, to bound the work for a hostile table. */
const COLUMNS_MAX = 256;
/** Headings of test results: `Pass`, `pass@1`. */
const OUTCOME = /^pass(?:@\w{1,4})?$/i;

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** Finds values below or beside the name of a password, a token or a key. */
export function tableCells(text: string): Match[] {
  return [...columns(text), ...rows(text)];
}

/** `| Password | … |` */
function rows(text: string): Match[] {
  const found: Match[] = [];
  for (const { 0: row, index: rowStart } of text.matchAll(ROW)) {
    let end = 0;
    for (const { index } of row.matchAll(NAMES)) {
      const start = index < end ? undefined : startOfCell(row, index);
      if (index >= end) end = endOfCell(row, index);
      if (start === undefined || end === row.length) continue;
      const name = cellOf(row.slice(start, end), start).text;
      if (name.length > NAME_CHARACTERS_MAX) continue;
      const value = cellOf(row.slice(end + 1, endOfCell(row, end + 1)), rowStart + end + 1);
      const match = judged(value, strengthBelow(name));
      if (match !== undefined) found.push(match);
    }
  }
  return found;
}

/** Undefined if the cell is too long for a name. */
function startOfCell(row: string, at: number): number | undefined {
  for (let start = at; start > Math.max(0, at - CELL_CHARACTERS_MAX); start--) {
    if (row[start - 1] === "|" && row[start - 2] !== "\\") return start;
  }
  return undefined;
}

function endOfCell(row: string, from: number): number {
  let end = row.indexOf("|", from);
  while (end > 0 && row[end - 1] === "\\") end = row.indexOf("|", end + 1);
  return end === -1 ? row.length : end;
}

function columns(text: string): Match[] {
  const found: Match[] = [];
  RULE.lastIndex = 0;
  for (let rule = RULE.exec(text); rule !== null; rule = RULE.exec(text)) {
    if (!rule[0].includes("|")) continue;
    const head = text.slice(text.lastIndexOf("\n", rule.index - 1) + 1, rule.index);
    if (head.search(NAMES) === -1) continue;
    const strengths = cellsOf(head, 0, COLUMNS_MAX).map((cell) => strengthBelow(cell.text));
    if (strengths.every((strength) => strength === undefined)) continue;
    let at = text.indexOf("\n", RULE.lastIndex) + 1;
    while (at < text.length) {
      const next = text.indexOf("\n", at);
      const end = next === -1 ? text.length : next;
      const row = text.slice(at, end);
      if (!row.includes("|")) break;
      for (const [i, cell] of cellsOf(row, at, strengths.length).entries()) {
        const match = judged(cell, strengths[i]);
        if (match !== undefined) found.push(match);
      }
      at = end + 1;
    }
    // Continue after the table: a row in it may look like another delimiter row.
    RULE.lastIndex = Math.max(RULE.lastIndex, at - 1);
  }
  return found;
}

function strengthBelow(heading: string): Strength | undefined {
  return OUTCOME.test(heading) ? undefined : strengthOf(heading);
}

function judged(cell: Cell, strength: Strength | undefined): Match | undefined {
  if (strength === undefined) return undefined;
  const text = beforeSentence(cell.text);
  // The cell may hold the secret's name in another system, so it has to be as random as a token.
  const least = strength === "secret" && !isUuid(text) ? "token" : strength;
  if (strength !== "password" && isNameOfParts(text)) return undefined;
  if (!isSecretValue(text, least, false)) return undefined;
  const rule = strength === "password" ? "generic-password" : "generic-secret";
  return { rule, start: cell.start, end: cell.start + text.length };
}

function cellsOf(line: string, lineStart: number, max: number): Cell[] {
  let start = BEFORE_CELLS.exec(line)?.[0].length ?? 0;
  return line.slice(start).split(/(?<!\\)\|/, max).map((cell) => {
    const place = cellOf(cell, lineStart + start);
    start += cell.length + 1;
    return place;
  });
}

function cellOf(cell: string, start: number): Cell {
  const [, before = "", text = ""] = CELL.exec(cell.slice(0, CELL_CHARACTERS_MAX)) ?? [];
  return { text, start: start + before.length };
}
