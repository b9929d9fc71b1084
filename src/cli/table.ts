/** Columns for people. On a terminal the last column gives way, or goes below; elsewhere nothing is cut. */
import { isAscii, lazyPattern } from "../base/pattern.ts";
import { collapse } from "../base/text.ts";
import { isUnspaced } from "../base/unspaced.ts";
import { printable } from "../base/printable.ts";
import { dim, type Line, type Span, spansOf, textOf } from "./answer.ts";
import type { Io } from "./io.ts";

const GAP = "  ";
/** The last column stands beside the others where it has so many, or all that it needs. */
const BESIDE_COLUMNS_MIN = 24;
/** Prose is easier to read in lines of this length, however wide the terminal is. */
export const COLUMNS_MAX = 96;

export interface TableForm {
  /** Columns of numbers. */
  readonly right?: readonly number[];
  /** What stands before each row. */
  readonly indent?: string;
  /** The last column goes on in further lines instead of being cut. */
  readonly wraps?: boolean;
}

/** Aligned lines below their headings, or what is said where there is none. */
export function listing(
  io: Io,
  headings: readonly string[],
  rows: readonly (readonly Span[])[],
  nothing: string,
  form: TableForm = {},
): Line[] {
  return rows.length === 0 ? [nothing] : table(io, [headings.map(dim), ...rows], form);
}

/** Aligned lines. */
export function table(
  io: Io,
  rows: readonly (readonly Span[])[],
  { right = [], indent = "", wraps = false }: TableForm = {},
): Line[] {
  const clean = rows.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of clean) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, textWidth(textOf(cell))));
  }
  const last = widths.length - 1;
  const taken = widths.slice(0, last).reduce(
    (sum, width) => sum + width + GAP.length,
    indent.length,
  );
  const beside = io.isTerminal.stdout ? io.columns - taken : Infinity;
  // Cut to a few letters it would say nothing: then it has a line of its own.
  const below = indent.length + 2 * GAP.length;
  const isBelow = below < taken && beside < Math.min(BESIDE_COLUMNS_MIN, widths[last] ?? 0);
  const start = isBelow ? below : taken;
  const room = isBelow ? io.columns - start : beside;
  return clean.flatMap((row) => {
    const final = row[last] ?? "";
    const parts = wraps
      ? wrap(textOf(final), Math.min(room, Math.max(30, COLUMNS_MAX - start)))
      : [cutToWidth(textOf(final), room)];
    // A line of its own for nothing would part rows that belong together.
    if (isBelow && textOf(final) !== "") parts.unshift("");
    const [first = "", ...more] = parts.map((part) => withText(final, part));
    const cells = row.slice(0, last).flatMap((cell, i): Span[] => {
      const padding = " ".repeat((widths[i] ?? 0) - textWidth(textOf(cell)));
      // Nothing follows on this line: padding would only make a narrow terminal wrap it.
      const gap = isBelow && i === last - 1 ? "" : GAP;
      return right.includes(i) ? [padding, cell, gap] : [cell, gap && padding + gap];
    });
    return [[indent, ...cells, first], ...more.map((part): Line => [" ".repeat(start), part])];
  });
}

function oneLine(cell: Span): Span {
  return withText(cell, collapse(printable(textOf(cell))));
}

function withText(cell: Span, text: string): Span {
  return typeof cell === "string" ? text : { ...cell, text };
}

/** Two columns for East Asian wide characters and emoji, none for marks and joiners. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NARROWER = lazyPattern(String.raw`^[\p{Mn}\p{Me}\u200b-\u200f\ufe00-\ufe0f]`, "u");

function characterWidth(character: string): number {
  // Nearly every character, and one that no pattern need be asked about.
  if (character <= "\x7f") return 1;
  return NARROWER().test(character) ? 0 : WIDE.test(character) ? 2 : 1;
}

/** The columns that text takes on a terminal. */
export function textWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** At most `most` columns, with an ellipsis where something was cut. */
export function cutToWidth(text: string, most: number): string {
  if (textWidth(text) <= most) return text;
  let out = "";
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > most - 1) break;
    out += character;
  }
  return out.trimEnd() + "…";
}

/**
 * Prose in lines of at most `columns`, each behind `indent`; words longer than a line stay whole. What
 * does not fit into `linesMax` is left out.
 */
export function wrap(text: string, columns: number, indent = "", linesMax = Infinity): string[] {
  const lines: string[] = [];
  const indented = textWidth(indent);
  let line = "";
  let width = indented;
  for (const { word, gap } of partsOf(collapse(printable(text)))) {
    const wide = textWidth(word);
    if (line !== "" && width + gap.length + wide > columns) {
      lines.push(indent + line);
      if (lines.length >= linesMax) return lines;
      line = "";
      width = indented;
    }
    width += line === "" ? wide : gap.length + wide;
    line += line === "" ? word : gap + word;
  }
  if (line !== "") lines.push(indent + line);
  return lines;
}

/** Prose ends its lines between words on a terminal, and has one line elsewhere. */
export function proseLines(io: Io, text: string, indent = ""): string[] {
  const isWide = io.isTerminal.stdout && textWidth(indent + text) > io.columns;
  return isWide ? wrap(text, io.columns, indent) : [indent + text];
}

/** What stands before the words of a line, and is as wide before those that go on below it. */
const LEAD = /^\s*(?:(?:[-*+~✓✗]|\d{1,3}[.)]) +)?/;
/** Where a line ends says something in code and in a table. */
const FENCE = /^\s*(?:```|~~~)/;
const ROW = /^\s*\|/;

/** Lines of a note or of what is told of one, which on a terminal end between words. Elsewhere they stay. */
export function pageLines(io: Io, lines: readonly Line[]): Line[] {
  if (!io.isTerminal.stdout) return [...lines];
  let isCode = false;
  return lines.flatMap((line): Line[] => {
    const [span = "", ...more] = spansOf(line);
    const text = textOf(span);
    if (FENCE.test(text)) isCode = !isCode;
    const isWide = textWidth(text) > io.columns && more.length === 0;
    if (!isWide || isCode || ROW.test(text)) return [line];
    const [lead = ""] = LEAD.exec(text) ?? [];
    const wrapped = wrap(text.slice(lead.length), io.columns, " ".repeat(textWidth(lead)));
    return wrapped.map((part, i) => withText(span, i === 0 ? lead + part.trimStart() : part));
  });
}

/** Where no space parts words a line may end behind any character, but before no mark that closes. */
const CHARACTERS =
  /[\u3041-\u30ff\u3400-\u9fff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\u3041-\u30ff\u3400-\u9fff]+/g;

/** What stays whole, and what stands before it where it does not begin a line. Often few are asked for. */
function* partsOf(text: string): Generator<{ readonly word: string; readonly gap: string }> {
  let gap = "";
  for (const word of text.split(" ")) {
    for (const part of isUnspaced(word) ? word.match(CHARACTERS) ?? [word] : [word]) {
      yield { word: part, gap };
      gap = "";
    }
    gap = " ";
  }
}
