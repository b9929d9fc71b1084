/**
 * Splits a note into chunks of up to 200 words: at headings, then paragraphs, lines, sentences and words.
 * Fences, tables and lists stay whole if they fit. The text of every chunk is a range of the body.
 */
import { isLatin, pattern } from "../base/text/pattern.ts";
import { fencedLines, type Section, sections } from "./markdown.ts";
import type { Note } from "./note.ts";

export interface Chunk {
  /** `Title › Section` */
  readonly heading: string;
  readonly text: string;
}

const WORDS_MAX = 200;
/** A last part with fewer words joins the one before it, even beyond `WORDS_MAX`. */
const WORDS_MIN = 30;
/** The limit for text with long words (minified, encoded). */
const CHARACTERS_MAX = 2000;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The chunks of a note, in order. A note without text has one chunk with an empty text. */
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

/** The number of words; in scripts without spaces two characters count as a word. */
export function countWords(text: string): number {
  if (isLatin(text)) return text.match(/\S+/g)?.length ?? 0;
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

/** Cuts a range until every part fits, each time with the coarsest cut that gives several parts. */
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

/** Joins neighbours as long as they fit together. */
function pack(body: string, ranges: readonly Range[]): Range[] {
  const packed: Range[] = [];
  let words = 0;
  for (const [i, range] of ranges.entries()) {
    const last = packed.at(-1);
    const own = wordsIn(body, range);
    const joined = last === undefined ? undefined : { start: last.start, end: range.end };
    const isRest = i === ranges.length - 1 && own < WORDS_MIN;
    if (last !== undefined && joined !== undefined && isSmall(joined)) {
      // With white space in between, counts add up; a long list of short lines is not counted again and again.
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

/** Cuts at blank lines and around fences. Lists, tables and fences stay whole. */
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

/** Cuts in two near the middle: at white space if there is any, else between two characters. */
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

/** Two ranges with about half of the parts each, so that recursive cutting takes n log n. */
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

/** Without blank lines before and white space after; the first line keeps its indent. */
function trim(body: string, { start, end }: Range): Range {
  const text = body.slice(start, end);
  const blank = /^(?:[^\S\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const length = text.trimEnd().length;
  return { start: start + Math.min(blank, length), end: start + length };
}
