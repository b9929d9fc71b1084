/**
 * Columns for people. On a terminal a column without room goes below, and the last one is cut; elsewhere
 * nothing is cut.
 */
import { isAscii, lazyPattern } from "../../base/text/pattern.ts";
import { collapse } from "../../base/text/text.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import { printable } from "../../base/text/printable.ts";
import { dim, type Line, type Span, spansOf, textOf, textOfLine } from "./answer.ts";
import type { Io } from "../io.ts";

const GAP = "  ";
/** The last column stays beside the others if it has this many characters, or all that it needs. */
const BESIDE_COLUMNS_MIN = 24;
/** Prose is easier to read in lines of this length, however wide the terminal is. */
export const COLUMNS_MAX = 96;

export interface TableForm {
  /** Columns of numbers. */
  readonly right?: readonly number[];
  /** The text before each row. */
  readonly indent?: string;
  /** The last column continues on further lines instead of being cut. */
  readonly wraps?: boolean;
  /** Every row keeps to one line, for lists in which a line is a choice. */
  readonly isFlat?: boolean;
}

/** Aligned lines below their headings, or a sentence if there are none. */
export function listing(
  io: Io,
  headings: readonly string[],
  rows: readonly (readonly Span[])[],
  nothing: string,
  form: TableForm = {},
): Line[] {
  return rows.length === 0
    ? proseLines(io, nothing)
    : table(io, [headings.map(dim), ...rows], form);
}

/** Aligned lines. */
export function table(
  io: Io,
  rows: readonly (readonly Span[])[],
  { right = [], indent = "", wraps = false, isFlat = false }: TableForm = {},
): Line[] {
  const clean = rows.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of clean) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, textWidth(textOf(cell))));
  }
  const columns = io.isTerminal.stdout ? io.columns : Infinity;
  const places = place(widths, indent.length, columns, isFlat);
  const last = widths.length - 1;
  const { start = 0, room = Infinity } = places[last] ?? {};
  return clean.flatMap((row) => {
    const lines: Span[][] = [[indent]];
    for (const [i, { start, isBelow }] of places.entries()) {
      if (isBelow) lines.push([" ".repeat(start)]);
      if (i === last) break;
      const cell = row[i] ?? "";
      const padding = " ".repeat((widths[i] ?? 0) - textWidth(textOf(cell)));
      // Nothing follows on this line: padding would only make a narrow terminal wrap it.
      const gap = places[i + 1]?.isBelow === true ? "" : GAP;
      lines.at(-1)?.push(
        ...right.includes(i) ? [padding, cell, gap] : [cell, gap && padding + gap],
      );
    }
    const final = row[last] ?? "";
    const [first = "", ...more] = wraps
      ? wrap(textOf(final), Math.min(room, Math.max(30, COLUMNS_MAX - start)))
      : [cutToWidth(textOf(final), room)];
    lines.at(-1)?.push(withText(final, first));
    for (const part of more) lines.push([" ".repeat(start), withText(final, part)]);
    // An empty line would separate rows that belong together.
    return lines.filter((line, i) => i === 0 || textOfLine(line).trim() !== "");
  });
}

/** The position of a column. */
interface Place {
  readonly start: number;
  /** Columns from there to the end of the line. */
  readonly room: number;
  /** It begins a further line, because the columns before leave it no room. */
  readonly isBelow: boolean;
}

function place(
  widths: readonly number[],
  indent: number,
  columns: number,
  isFlat: boolean,
): Place[] {
  const below = indent + 2 * GAP.length;
  let at = indent;
  return widths.map((width, i) => {
    // Cut to a few letters the last one would say nothing.
    const needed = i === widths.length - 1 ? Math.min(BESIDE_COLUMNS_MIN, width) : width;
    const isBelow = !isFlat && at > below && at + needed > columns;
    const start = isBelow ? below : at;
    at = start + width + GAP.length;
    const room = isFlat ? Math.max(columns - start, BESIDE_COLUMNS_MIN) : columns - start;
    return { start, room, isBelow };
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
  // Nearly every character, without asking a pattern.
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

/** Lines that name files, whose names may have line breaks: each is shown as `\\n`. */
export function oneLineEach(lines: readonly Line[]): Line[] {
  return lines.map((line) =>
    BREAK.test(textOfLine(line))
      ? spansOf(line).map((span) => withText(span, textOf(span).replace(BREAKS, "\\n")))
      : line
  );
}

const BREAK = /[\r\n]/;
const BREAKS = /\r\n?|\n/g;

/** Prose ends its lines between words on a terminal, and has one line elsewhere. */
export function proseLines(io: Io, text: string, indent = ""): string[] {
  const isWide = io.isTerminal.stdout && textWidth(indent + text) > io.columns;
  return isWide ? wrap(text, io.columns, indent) : [indent + text];
}

/** The mark before the words of a line; continuation lines are indented by its width. */
const LEAD = /^\s*(?:(?:[-*+~✓✗]|\d{1,3}[.)]) +)?/;
/** In code and tables line ends matter. */
const FENCE = /^\s*(?:```|~~~)/;
const ROW = /^\s*\|/;

/** Lines of a note, or about one, which on a terminal break between words; elsewhere they stay. */
export function pageLines(io: Io, lines: readonly Line[]): Line[] {
  if (!io.isTerminal.stdout) return [...lines];
  let isCode = false;
  return lines.flatMap((line): Line[] => {
    const spans = spansOf(line);
    const whole = textOfLine(line);
    if (FENCE.test(whole)) isCode = !isCode;
    if (textWidth(whole) <= io.columns || isCode || ROW.test(whole)) return [line];
    // Continuation lines are indented to the last span: the ones before it are its label.
    const before = spans.slice(0, -1);
    const span = spans.at(-1) ?? "";
    const text = textOf(span);
    const [lead = ""] = LEAD.exec(text) ?? [];
    const indent = " ".repeat(textWidth(before.map(textOf).join("") + lead));
    return wrap(text.slice(lead.length), io.columns, indent).map((part, i): Line =>
      i === 0 ? [...before, withText(span, lead + part.trimStart())] : withText(span, part)
    );
  });
}

/** Text without spaces may break after any character, but not before closing punctuation. */
const CHARACTERS =
  /[\u3041-\u30ff\u3400-\u9fff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\u3041-\u30ff\u3400-\u9fff]+/g;

/** Parts that stay whole, and the separator before each. A generator, because often few are needed. */
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
