/**
 * Finds the query's words in a passage. Words match by their stems, which are their first letters:
 * `retries` and `retry`, `encrypted` and `encryption`. A passage is read once, into numbers, because a
 * search compares ten passages with its query and later searches meet the same ones.
 */
import { encode } from "../../base/utf8.ts";
import { hash32 } from "../../base/hash.ts";
import { isAscii } from "../../base/text/pattern.ts";
import { phraseOf, wordsText } from "./lexical.ts";
import type { Query } from "./query.ts";

/** Letters of a stem: words with the same first letters count as the same. */
export const STEM_CHARACTERS = 5;

/** Words of a query that are looked for: what comes later in a pasted log is no question. */
export const WORDS_MAX = 128;

/** The words of a query that are looked for. */
export interface QueryWords {
  /** As typed, in order. */
  readonly words: readonly string[];
  /** The places of each stem in `words`. */
  readonly stems: ReadonlyMap<string, readonly number[]>;
  /** For each word the first place of its stem, which identifies the stem. */
  readonly firstPlaces: readonly number[];
  /** Stems by their code. */
  readonly wanted: ReadonlyMap<number, Wanted>;
  /** A Bloom filter in front of `wanted`, by `hintOf` a code: 0 rules the code out. */
  readonly hints: Uint8Array;
}

interface Wanted {
  /** The first place in `words`; undefined for a stem of the terms only. */
  readonly place: number | undefined;
  /** Whether it is a stem of the query's terms. */
  readonly isShared: boolean;
}

/** The words of a query that stand in a passage. */
export interface MatchedWords {
  /** For each, which word of the passage it is, and its stem as in `QueryWords.firstPlaces`. */
  readonly positions: readonly number[];
  readonly places: readonly number[];
  /** The passage's words that are terms of the query, each as often as it occurs. */
  readonly shared: string;
}

/**
 * The words of a passage, two numbers each: the code of the stem, then `start << 2` with the flags
 * `IS_PHRASE` and `IS_RAW`. `start` is an offset in all texts of the passage, joined by one character;
 * without `IS_RAW` it means nothing.
 */
export type PassageWords = Uint32Array;

/** A word as `phraseOf` folds it. */
const IS_PHRASE = 1;
/** A word of the text as written, in which letters beyond ASCII separate words. */
const IS_RAW = 2;

export function queryWords({ text, terms }: Pick<Query, "text" | "terms">): QueryWords {
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
    wanted.set(code, { place: stems.get(stem)?.[0], isShared: shared.has(stem) });
    hints[hintOf(code)] = 1;
  }
  const firstPlaces = words.map((word) => stems.get(stemOf(word))?.[0] ?? 0);
  return { words, stems, firstPlaces, wanted, hints };
}

/** `texts`: the parts of a passage; no word spans two of them. */
export function readWords(texts: readonly string[]): PassageWords {
  const found: number[] = [];
  let from = 0;
  for (const text of texts) {
    if (isAscii(text)) read(text, from, found, IS_PHRASE | IS_RAW);
    else {
      read(wordsText(text), 0, found, IS_PHRASE);
      // For `shared`, which the model gets: it reads no letters beyond ASCII.
      read(text, from, found, IS_RAW);
    }
    from += text.length + 1;
  }
  return Uint32Array.from(found);
}

/** `words`: what `readWords` returned for `texts`. */
export function matchWords(
  { wanted, hints }: QueryWords,
  words: PassageWords,
  texts: readonly string[],
): MatchedWords {
  const [positions, places, shared]: [number[], number[], string[]] = [[], [], []];
  let count = 0;
  for (let i = 0; i < words.length; i += 2) {
    const code = words[i] ?? 0;
    const place = words[i + 1] ?? 0;
    const isOfPhrase = (place & IS_PHRASE) !== 0;
    if (isOfPhrase) count++;
    if (hints[hintOf(code)] === 0) continue;
    const known = wanted.get(code);
    if (known === undefined) continue;
    if (known.isShared && (place & IS_RAW) !== 0) {
      shared.push(wordAt(texts, place >>> 2));
    }
    if (isOfPhrase && known.place !== undefined) {
      positions.push(count);
      places.push(known.place);
    }
  }
  return { positions, places, shared: shared.join(" ") };
}

/** The word at an offset, as `PassageWords` counts it. */
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

/** Appends two numbers a word to `found`. In one pass, because a one-shot process pays for it in full. */
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
/** ASCII letters, regardless of case, and digits as 1 to 36; 0 for what separates words. */
const CODES = Uint8Array.from(
  { length: 128 },
  (_, letter) => "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(lower(letter)) + 1,
);
/** Any letter beyond ASCII. */
const OTHER = 63;

function lower(letter: number): string {
  return String.fromCharCode(letter).toLowerCase();
}

/** The code of a stem with other letters: a hash with the top bit set, which packed codes do not have. */
function hashOf(stem: string): number {
  return (hash32(encode(stem.toLowerCase())) | 0x80000000) >>> 0;
}

/** The code of a stem, as in `PassageWords`. */
function codeOf(stem: string): number {
  const found: number[] = [];
  read(stem, 0, found, IS_PHRASE);
  return found[0] ?? 0;
}

const HINTS = 1024;

/** Multiplicative (Fibonacci) hashing to the ten bits of `HINTS`. */
function hintOf(code: number): number {
  return Math.imul(code, 0x9e3779b1) >>> 22;
}

export function stemOf(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
