/**
 * Secrets in tables of Markdown: the name stands in the head or in the cell before, so that nothing
 * between the two is a sign. Judged like what is assigned to such a name.
 */
import { isSecretValue, type Strength, strengthOf } from "./assignments.ts";
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
/** Of tests, not of doors: `Pass`, `pass@1`. */
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
  for (const { 0: row, index } of text.matchAll(ROW)) {
    const cells = cellsOf(row, index);
    cells.forEach(({ text: name }, i) => {
      const value = cells[i + 1];
      if (value === undefined || name.length > NAME_CHARACTERS_MAX) return;
      const match = judged(value, strengthBelow(name));
      if (match !== undefined) found.push(match);
    });
  }
  return found;
}

function columns(text: string): Match[] {
  const found: Match[] = [];
  RULE.lastIndex = 0;
  for (let rule = RULE.exec(text); rule !== null; rule = RULE.exec(text)) {
    if (!rule[0].includes("|")) continue;
    const head = text.slice(text.lastIndexOf("\n", rule.index - 1) + 1, rule.index);
    const strengths = cellsOf(head, 0).map((cell) => strengthBelow(cell.text));
    if (strengths.every((strength) => strength === undefined)) continue;
    let at = text.indexOf("\n", RULE.lastIndex) + 1;
    while (at < text.length) {
      const next = text.indexOf("\n", at);
      const end = next === -1 ? text.length : next;
      const row = text.slice(at, end);
      if (!row.includes("|")) break;
      for (const [i, cell] of cellsOf(row, at).entries()) {
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
  // Where no sign says so, what stands beside a secret's name may be what it is called elsewhere.
  const least = strength === "secret" && !isUuid(text) ? "token" : strength;
  if (strength !== "password" && isNameOfParts(text)) return undefined;
  if (!isSecretValue(text, least, false)) return undefined;
  const rule = strength === "password" ? "generic-password" : "generic-secret";
  return { rule, start: cell.start, end: cell.start + text.length };
}

function cellsOf(line: string, lineStart: number): Cell[] {
  let start = BEFORE_CELLS.exec(line)?.[0].length ?? 0;
  return line.slice(start).split(/(?<!\\)\|/).map((cell) => {
    const [, before = "", text = ""] = CELL.exec(cell.slice(0, CELL_CHARACTERS_MAX)) ?? [];
    const place = { text, start: lineStart + start + before.length };
    start += cell.length + 1;
    return place;
  });
}
