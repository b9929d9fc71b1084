/**
 * Which words of a passage are the query's, in one pass over it: a search holds ten passages against
 * its query, and most of their words are none of it. Words are the same when so many first letters
 * are: `retries`, `retry`; `encrypted`, `encryption`.
 */
import { isAscii } from "../base/pattern.ts";
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
  /** Stems of its terms: what a passage shares with it. */
  readonly shared: ReadonlySet<string>;
  /** By two first letters: 1 where a stem begins so. */
  readonly begins: Uint8Array;
}

/** Those that stand in a passage. */
export interface WordsThere {
  /** Each by its number among the passage's words, and by its stem as in `QueryWords.said`. */
  readonly at: readonly number[];
  readonly said: readonly number[];
  /** Words of both as they stand there, as often as they do. */
  readonly shared: string;
}

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
  const begins = new Uint8Array(BEGINNINGS);
  for (const stem of [...stems.keys(), ...shared]) {
    if (stem !== "") begins[beginning(stem.charCodeAt(0), stem.charCodeAt(1) || 0)] = 1;
  }
  const said = words.map((word) => stems.get(stemOf(word))?.[0] ?? 0);
  return { words, stems, said, shared, begins };
}

/** `texts`: the parts of a passage; no word goes from one into the next. */
export function wordsIn(query: QueryWords, texts: readonly string[]): WordsThere {
  const found: Found = { at: [], said: [], shared: [], count: 0 };
  for (const text of texts) {
    if (isAscii(text)) {
      read(text, query, found, true, true);
      continue;
    }
    read(wordsText(text), query, found, true, false);
    // What is shared is a matter of the model, which reads no other letters.
    read(text, query, found, false, true);
  }
  return { at: found.at, said: found.said, shared: found.shared.join(" ") };
}

interface Found {
  readonly at: number[];
  readonly said: number[];
  readonly shared: string[];
  count: number;
}

/** `isRaw`: as it was written, of whose letters those beyond ASCII are none. */
function read(
  text: string,
  { stems, shared, begins }: QueryWords,
  found: Found,
  isSaid: boolean,
  isRaw: boolean,
): void {
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const first = text.charCodeAt(at);
    if (first < ASCII_END ? IN_WORDS[first] === 0 : isRaw) continue;
    const from = at;
    while (++at < length) {
      const code = text.charCodeAt(at);
      if (code < ASCII_END ? IN_WORDS[code] === 0 : isRaw) break;
    }
    if (isSaid) found.count++;
    const second = from + 1 < at ? text.charCodeAt(from + 1) : 0;
    if (begins[beginning(first, second)] === 0) continue;
    const stem = text.slice(from, Math.min(at, from + STEM_CHARACTERS)).toLowerCase();
    if (isRaw && shared.has(stem)) found.shared.push(text.slice(from, at));
    const place = isSaid ? stems.get(stem)?.[0] : undefined;
    if (place === undefined) continue;
    found.at.push(found.count);
    found.said.push(place);
  }
}

const ASCII_END = 128;
/** Letters and digits. */
const IN_WORDS = Uint8Array.from(
  { length: ASCII_END },
  (_, code) => /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const BEGINNINGS = 1024;
/** Makes a capital the small letter, and leaves digits. */
const SMALL = 32;

/** By the codes of the first two letters; 0 where there is no second. */
function beginning(first: number, second: number): number {
  return ((first | SMALL) * 32 + (second === 0 ? 0 : second | SMALL)) % BEGINNINGS;
}

export function stemOf(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
