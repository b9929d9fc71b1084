/**
 * A note in the pieces that are indexed: split at headings, then paragraphs, then sentences, about
 * 200 words each. Fences, tables and lists stay whole where they fit. Every piece is a range of the
 * body: nothing is said in it that is not there.
 */
import { isAscii, pattern } from "../base/pattern.ts";
import { fencedLines, type Section, sections } from "./markdown.ts";
import type { Note } from "./note.ts";

export interface Chunk {
  /** `Title › Section` */
  readonly heading: string;
  readonly text: string;
}

const WORDS_MAX = 200;
/** A rest below this goes with its predecessor rather than alone. */
const WORDS_MIN = 30;
/** Text without spaces (minified, encoded) is cut after this many characters. */
const CHARACTERS_MAX = 2000;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The pieces of a note, in order. A note without text is one empty piece: its title. */
export function chunkNote(note: Pick<Note, "title" | "body">): Chunk[] {
  const { title, body } = note;
  const chunks = sections(body).flatMap((section) => {
    const heading = headingOf(title, section);
    const range = trim(body, { start: section.end - section.text.length, end: section.end });
    return pack(body, split(body, range)).map(({ start, end }) => ({
      heading,
      text: body.slice(start, end),
    }));
  });
  return chunks.length > 0 ? chunks : [{ heading: title, text: "" }];
}

/** Words as an index counts them; scripts without spaces count about two characters a word. */
export function countWords(text: string): number {
  if (isAscii(text)) return text.match(/\S+/g)?.length ?? 0;
  const dense =
    text.match(pattern(String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]`, "gu"))
      ?.length ?? 0;
  const spaced = text.match(
    pattern(String.raw`[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+`, "gu"),
  )?.length;
  return (spaced ?? 0) + dense / 2;
}

function headingOf(title: string, section: Section): string {
  const path = section.path[0] === title ? section.path.slice(1) : section.path;
  return [title, ...path].filter((part) => part !== "").join(" › ");
}

/** Ranges small enough each, from the coarsest cut that does it. */
function split(body: string, range: Range): Range[] {
  if (range.start >= range.end) return [];
  if (fits(body, range)) return [range];
  for (const cut of [cutBlocks, cutLines, cutSentences, cutWords]) {
    const parts = cut(body, range);
    if (parts.length > 1) return parts.flatMap((part) => split(body, part));
  }
  return [range];
}

function fits(body: string, { start, end }: Range): boolean {
  return end - start <= CHARACTERS_MAX && countWords(body.slice(start, end)) <= WORDS_MAX;
}

/** Neighbours together while they fit; a short rest joins what is before it. */
function pack(body: string, ranges: readonly Range[]): Range[] {
  const packed: Range[] = [];
  let words = 0;
  for (const [i, range] of ranges.entries()) {
    const last = packed.at(-1);
    const own = wordsIn(body, range);
    const joined = last === undefined ? undefined : { start: last.start, end: range.end };
    const isRest = i === ranges.length - 1 && own < WORDS_MIN;
    if (last !== undefined && joined !== undefined && isSmall(joined)) {
      // The sum, if only white space separates the two; a long list of short lines is not counted again.
      const sum = range.start > last.end ? words + own : wordsIn(body, joined);
      if (sum <= WORDS_MAX || isRest) {
        packed[packed.length - 1] = joined;
        words = sum;
        continue;
      }
    }
    packed.push(range);
    words = own;
  }
  return packed;
}

function wordsIn(body: string, { start, end }: Range): number {
  return countWords(body.slice(start, end));
}

function isSmall({ start, end }: Range): boolean {
  return end - start <= CHARACTERS_MAX;
}

/** Paragraphs, and fences, tables and lists as one each. */
function cutBlocks(body: string, range: Range): Range[] {
  const lines = body.slice(range.start, range.end).split("\n");
  const fenced = fencedLines(lines);
  const parts: Range[] = [];
  let from = range.start;
  let offset = range.start;
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1] ?? "";
    const isGap = line.trim() === "" && !fenced[i] &&
      !/^(?:[ \t]|[-*+][ \t]|\d+[.)][ \t])/.test(next);
    const isEdge = fenced[i] !== fenced[i + 1] && i + 1 < lines.length;
    offset += line.length + 1;
    if (isGap || isEdge) {
      parts.push({ start: from, end: offset });
      from = offset;
    }
  }
  parts.push({ start: from, end: range.end });
  return clean(body, parts);
}

function cutLines(body: string, range: Range): Range[] {
  return cutAfter(body, range, /\n/g);
}

function cutSentences(body: string, range: Range): Range[] {
  return cutAfter(body, range, pattern(String.raw`[.!?…]["'”’)\]]*\s+(?=\P{Ll})|[。！？]`, "gu"));
}

/** At spaces where there are any, else anywhere but inside a character. */
function cutWords(body: string, range: Range): Range[] {
  const words = cutAfter(body, range, /\s+/g);
  if (words.length > 1) return halves(words);
  const middle = range.start + Math.floor((range.end - range.start) / 2);
  const unit = body.charCodeAt(middle);
  const at = unit >= 0xdc00 && unit <= 0xdfff ? middle + 1 : middle;
  return at <= range.start || at >= range.end
    ? [range]
    : [{ start: range.start, end: at }, { start: at, end: range.end }];
}

/** Two parts of about the same count, so that cutting stays n log n. */
function halves(parts: readonly Range[]): Range[] {
  const middle = parts[Math.floor(parts.length / 2)];
  const first = parts[0];
  const last = parts.at(-1);
  if (middle === undefined || first === undefined || last === undefined) return [...parts];
  return [{ start: first.start, end: middle.start }, { start: middle.start, end: last.end }];
}

function cutAfter(body: string, range: Range, pattern: RegExp): Range[] {
  const parts: Range[] = [];
  let from = range.start;
  for (const match of body.slice(range.start, range.end).matchAll(pattern)) {
    const end = range.start + match.index + match[0].length;
    parts.push({ start: from, end });
    from = end;
  }
  parts.push({ start: from, end: range.end });
  return clean(body, parts);
}

function clean(body: string, parts: readonly Range[]): Range[] {
  return parts.map((part) => trim(body, part)).filter(({ start, end }) => end > start);
}

/** Without white space around; a first line keeps its indent. */
function trim(body: string, { start, end }: Range): Range {
  const text = body.slice(start, end);
  const blank = /^(?:[^\S\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const length = text.trimEnd().length;
  return { start: start + Math.min(blank, length), end: start + length };
}
