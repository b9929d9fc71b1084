/**
 * Which words of a passage are the query's. A search holds ten passages against its query, and where
 * many are made the same passages come again: a passage is read once, into numbers. Words are
 * the same when so many first letters are: `retries`, `retry`; `encrypted`, `encryption`.
 */
import { encode } from "../base/fs.ts";
import { isAscii } from "../base/pattern.ts";
import { hash32 } from "./format.ts";
import { phraseOf, wordsText } from "./lexical.ts";
import type { Query } from "./query.ts";

export const STEM_CHARACTERS = 5;

/** In a pasted log what comes later is no question. */
export const WORDS_MAX = 128;

/** The words of a query that are looked for. */
export interface QueryWords {
  /** As they were typed, in order. */
  readonly words: readonly string[];
  /** Where in `words` each stem stands. */
  readonly stems: ReadonlyMap<string, readonly number[]>;
  /** Each word's stem by the first place where it stands. */
  readonly said: readonly number[];
  /** What each stem is for, by its code. */
  readonly wanted: ReadonlyMap<number, Wanted>;
  /** By `hintOf` a code: 1 where it may be wanted. */
  readonly hints: Uint8Array;
}

interface Wanted {
  /** The first place in `words`. */
  readonly said: number | undefined;
  /** A stem of its terms: what a passage shares with it. */
  readonly isShared: boolean;
}

/** Those that stand in a passage. */
export interface WordsThere {
  /** Each by its number among the passage's words, and by its stem as in `QueryWords.said`. */
  readonly at: readonly number[];
  readonly said: readonly number[];
  /** Words of both as they stand there, as often as they do. */
  readonly shared: string;
}

/**
 * The words of a passage, which are the same for every query: two numbers a word, its stem's code and
 * four times the place where it begins, with `IS_SAID` and `IS_RAW`. The passage is its texts with a
 * line's end between; the place of what is not `IS_RAW` means nothing.
 */
export type PassageWords = Uint32Array;

/** A word of the phrase. */
const IS_SAID = 1;
/** As it was written, of whose letters those beyond ASCII are none. */
const IS_RAW = 2;

export function wordsOf({ text, terms }: Pick<Query, "text" | "terms">): QueryWords {
  const words = phraseOf(text).split(" ", WORDS_MAX);
  const stems = new Map<string, number[]>();
  words.forEach((word, i) => {
    const places = stems.get(stemOf(word));
    if (places === undefined) stems.set(stemOf(word), [i]);
    else places.push(i);
  });
  const shared = new Set<string>();
  for (const { term } of terms) {
    for (const word of term.match(/[a-z0-9]+/g) ?? []) shared.add(stemOf(word));
  }
  const wanted = new Map<number, Wanted>();
  const hints = new Uint8Array(HINTS);
  for (const stem of [...stems.keys(), ...shared]) {
    if (stem === "") continue;
    const code = codeOf(stem);
    wanted.set(code, { said: stems.get(stem)?.[0], isShared: shared.has(stem) });
    hints[hintOf(code)] = 1;
  }
  const said = words.map((word) => stems.get(stemOf(word))?.[0] ?? 0);
  return { words, stems, said, wanted, hints };
}

/** `texts`: the parts of a passage; no word goes from one into the next. */
export function readWords(texts: readonly string[]): PassageWords {
  const found: number[] = [];
  let from = 0;
  for (const text of texts) {
    if (isAscii(text)) read(text, from, found, IS_SAID | IS_RAW);
    else {
      read(wordsText(text), 0, found, IS_SAID);
      // What is shared is a matter of the model, which reads no other letters.
      read(text, from, found, IS_RAW);
    }
    from += text.length + 1;
  }
  return Uint32Array.from(found);
}

/** Which of them the query has. `texts`: of which they are. */
export function wordsIn(
  { wanted, hints }: QueryWords,
  words: PassageWords,
  texts: readonly string[],
): WordsThere {
  const [at, said, shared]: [number[], number[], string[]] = [[], [], []];
  let count = 0;
  for (let i = 0; i < words.length; i += 2) {
    const code = words[i] ?? 0;
    const place = words[i + 1] ?? 0;
    const isSaid = (place & IS_SAID) !== 0;
    if (isSaid) count++;
    if (hints[hintOf(code)] === 0) continue;
    const known = wanted.get(code);
    if (known === undefined) continue;
    if (known.isShared && (place & IS_RAW) !== 0) {
      shared.push(wordAt(texts, place >>> 2));
    }
    if (isSaid && known.said !== undefined) {
      at.push(count);
      said.push(known.said);
    }
  }
  return { at, said, shared: shared.join(" ") };
}

/** `place`: in all of the texts, with a line's end between. */
function wordAt(texts: readonly string[], place: number): string {
  let from = place;
  for (const text of texts) {
    if (from >= text.length) {
      from -= text.length + 1;
      continue;
    }
    let end = from;
    while ((CODES[text.charCodeAt(end)] ?? 0) > 0) end++;
    return text.slice(from, end);
  }
  return "";
}

/** Two numbers a word, in one pass: where one question is all that a process answers, it counts. */
function read(text: string, offset: number, found: number[], as: number): void {
  const { length } = text;
  const beyond = (as & IS_RAW) === 0 ? OTHER : 0;
  for (let at = 0; at < length; at++) {
    if ((CODES[text.charCodeAt(at)] ?? beyond) === 0) continue;
    const from = at;
    const stemEnd = from + STEM_CHARACTERS;
    let stem = 0;
    let isPlain = true;
    for (; at < length; at++) {
      const code = CODES[text.charCodeAt(at)] ?? beyond;
      if (code === 0) break;
      if (at >= stemEnd) continue;
      stem = stem << CODE_BITS | code;
      if (code === OTHER) isPlain = false;
    }
    if (!isPlain) stem = hashOf(text.slice(from, Math.min(at, stemEnd)));
    found.push(stem, (offset + from) << 2 | as);
  }
}

const CODE_BITS = 6;
/** Of ASCII: letters, small ones and capitals alike, and digits, from 1 on; all else is none. */
const CODES = Uint8Array.from(
  { length: 128 },
  (_, letter) => "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(lower(letter)) + 1,
);
/** Any letter beyond ASCII. */
const OTHER = 63;

function lower(letter: number): string {
  return String.fromCharCode(letter).toLowerCase();
}

/** More than five codes ever make. */
function hashOf(stem: string): number {
  return (hash32(encode(stem.toLowerCase())) | 0x80000000) >>> 0;
}

/** A stem's number among `PassageWords`. */
function codeOf(stem: string): number {
  const found: number[] = [];
  read(stem, 0, found, IS_SAID);
  return found[0] ?? 0;
}

const HINTS = 1024;

/** The golden ratio spreads what differs in a few bits. */
function hintOf(code: number): number {
  return Math.imul(code, 0x9e3779b1) >>> 22;
}

export function stemOf(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
