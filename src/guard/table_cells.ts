/**
 * Secrets in tables of Markdown: the name stands in the head or in the cell before, so that nothing
 * between the two is a sign. Judged like what is assigned to such a name.
 */
import { isSecretValue, NAMES, type Strength, strengthOf } from "./assignments.ts";
import type { Match } from "./finding.ts";
import { beforeSentence, isNameOfParts, isUuid } from "./placeholder.ts";

/** The line below the head of a table, in a quote or a diff too. */
const RULE = /\n[ \t>+]{0,8}\|?[ \t]{0,8}:?-[-:| \t]*(?=\r?\n)/g;
const ROW = /^[ \t>+]{0,8}\|[^\n]*/gm;
/** A longer cell speaks of something. */
const NAME_CHARACTERS_MAX = 40;
const BEFORE_CELLS = /^[ \t>+]{0,8}\|?/;
/** What a cell is set in; it belongs to no value. */
const CELL = /^([ \t]*(?:\*\*|__)?`{0,2})(.*?)`{0,2}(?:\*\*|__)?[ \t\r]*$/;
/** A longer one is no value; the pattern tries every end of it. */
const CELL_CHARACTERS_MAX = 512;
/** Nobody reads a wider table. */
const COLUMNS_MAX = 256;
/** Test results: `Pass`, `pass@1`. */
const OUTCOME = /^pass(?:@\w{1,4})?$/i;

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** What stands below the name of a password, a token, a key, or beside it. */
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

/** Undefined of a cell that is too long for a name. */
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
    // A row that looks like another head is read once all the same.
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
  // Without other evidence the cell beside a secret's name may be its name elsewhere.
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
