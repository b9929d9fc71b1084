/**
 * A prepared query: its terms, its words in order, its vector. Prepared once for any number of indexes,
 * because embedding and folding do not depend on the store.
 */
import { bytesAt, wordsAt } from "../../base/core.ts";
import { decode, encode } from "../../base/utf8.ts";
import { QUERY_CHARACTERS_MAX } from "../../base/limits.ts";
import { toAscii } from "../../base/text/ascii.ts";
import type { Comparison, Embedder, PassageParts } from "../../embed/embedder.ts";
import { scratch } from "../segment/arena.ts";
import { phraseOf, termText } from "./lexical.ts";
import { matchPatterns } from "./patterns.ts";
import { type Expansion, expansionsOf, likeliest, openThesaurus } from "./thesaurus.ts";
import { hintedIn, type Language, languagesOf, unspacedIn, wordWeight } from "./words.ts";

export interface QueryTerm {
  readonly term: string;
  readonly low: number;
  readonly high: number;
  readonly weight: number;
  /** Its parts are terms as well, and stand for it if the store does not have it. */
  readonly isCompound: boolean;
}

export interface Query {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
  /** The folded words in order, one space between: trigger keywords are looked for in it. */
  readonly phrase: string;
  readonly vector: Float32Array | undefined;
  /** Calibrates the cosine of query and passage to 0..1. */
  readonly calibrate: (cosine: number) => number;
  /** Calibrates the cosine of two passages to 0..1. */
  readonly likeness: (cosine: number) => number;
  /** Prepares a passage for `compare`. Undefined if the model cannot, or the query has no vector. */
  readonly takeApart?: Embedder["takeApart"] | undefined;
  /** Compares the query's vector with a prepared passage. */
  readonly compare?: ((parts: PassageParts, shared: string) => Comparison | undefined) | undefined;
  /** Its language, if that can be told and is not English. */
  readonly language?: Language | undefined;
  /** Whether words are looked up with other endings too. */
  readonly endings: boolean;
  /** How many words that no note has may be taken for typing mistakes. */
  readonly guessesMax: number;
  /** Whether its language puts no space between words. */
  readonly isUnspaced: boolean;
  /** Synonyms of its words. Opens the thesaurus when first called. */
  readonly expansions: () => readonly Expansion[];
  /** The notes' patterns that match it; empty until `withPatterns`. */
  readonly patterns: ReadonlySet<string>;
}

/** A prompt may be long; its first words say what it is about. */
const TERMS_MAX = 96;
/** Words that are expanded by synonyms: what comes later in a pasted log is no question. */
const EXPANDED_MAX = 32;

export interface QueryLevers {
  readonly guessesMax?: number | undefined;
  /** Whether words are expanded by synonyms. */
  readonly synonyms?: boolean | undefined;
}

/** Without an embedder the query has terms only. Text beyond `QUERY_CHARACTERS_MAX` is cut off. */
export function prepareQuery(
  text: string,
  embedder?: Embedder,
  { guessesMax = 0, synonyms = false }: QueryLevers = {},
): Query {
  const cut = text.slice(0, QUERY_CHARACTERS_MAX);
  const typed = phraseOf(cut);
  const words = typed.split(" ", EXPANDED_MAX);
  const language = languageOf(typed, words);
  const compounds = language?.hasCompounds === true && synonyms ? compoundsIn(words) : NO_COMPOUNDS;
  const phrase = withParts(typed, compounds);
  let expansions: readonly Expansion[] | undefined = synonyms ? undefined : [];
  const isUnspaced = language?.unspaced !== undefined;
  const read = readPart(cut, language, embedder);
  const vector = read === "" ? undefined : embedder?.embedQuery(read);
  return {
    text: cut,
    terms: termsOf(cut, compounds, language),
    phrase,
    language,
    vector,
    calibrate: (cosine) => embedder?.meaning?.(cosine) ?? embedder?.calibrate(cosine) ?? 0,
    likeness: (cosine) => embedder?.calibrate(cosine) ?? 0,
    takeApart: vector === undefined ? undefined : embedder?.takeApart,
    compare: vector === undefined || embedder?.compare === undefined
      ? undefined
      : (parts, shared) => embedder.compare?.(vector, parts, shared),
    endings: true,
    guessesMax,
    isUnspaced,
    expansions: () => expansions ??= expansionsOf(phrase.split(" ", EXPANDED_MAX), language),
    patterns: new Set(),
  };
}

/**
 * What a model can judge of a query: nothing in a language that it does not understand, because it puts such
 * a question near the notes that it cannot read either. In Chinese and Japanese the Latin names stand out.
 */
function readPart(text: string, language: Language | undefined, embedder?: Embedder): string {
  const isRead = language === undefined
    ? embedder?.reads?.(text) ?? true
    : embedder?.languages?.has(language.name) ?? true;
  if (isRead) return text;
  return language?.unspaced === undefined ? "" : toAscii(text).trim();
}

/** Told by its small words or its characters, and by dictionaries where those leave it open. */
function languageOf(phrase: string, words: readonly string[]): Language | undefined {
  const unspaced = unspacedIn(phrase);
  const sure = unspaced.length > 0 ? unspaced : languagesOf(phrase);
  if (sure.length === 1) return sure[0];
  const knownMin = unspaced.length > 0 ? 1 : KNOWN_MIN;
  return likeliest(sure.length > 0 ? sure : hintedIn(phrase), words, knownMin);
}

/** Dictionary words that a text in Latin letters needs: one may be there by chance. */
const KNOWN_MIN = 2;

/** A query by vector alone: finds notes by meaning, whatever their words. */
export function vectorQuery(vector: Float32Array, calibrate: (cosine: number) => number): Query {
  const none = {
    text: "",
    phrase: "",
    terms: [],
    endings: false,
    guessesMax: 0,
    isUnspaced: false,
  };
  return {
    ...none,
    expansions: () => [],
    patterns: new Set(),
    vector,
    calibrate,
    likeness: calibrate,
  };
}

/** The query with the patterns of these indexes matched against it. Loads RE2 if there are any. */
export async function withPatterns(
  query: Query,
  indexes: readonly { patterns(): readonly string[] }[],
): Promise<Query> {
  const patterns = indexes.flatMap((index) => index.patterns());
  if (patterns.length === 0) return query;
  return { ...query, patterns: await matchPatterns(patterns, query.text) };
}

/** Compounds of a question, each with the words that it is made of. */
type Compounds = ReadonlyMap<string, readonly string[]>;

const NO_COMPOUNDS: Compounds = new Map();

function compoundsIn(words: readonly string[]): Compounds {
  const thesaurus = openThesaurus();
  const all = words.map((word) => [word, thesaurus.partsOf(word)] as const);
  return new Map(all.filter(([, parts]) => parts.length > 0));
}

function withParts(text: string, compounds: Compounds): string {
  return [text, ...[...compounds.values()].flat()].join(" ");
}

function termsOf(text: string, compounds: Compounds, language?: Language): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const names = namesIn(text);
  for (const one of spell(withParts(text, compounds), language)) {
    const { term, isCompound } = one;
    if (terms.has(term)) continue;
    const weight = names.has(term) ? 1 : one.weight;
    terms.set(term, { ...one, weight, isCompound: isCompound || compounds.has(term) });
  }
  const all = [...terms.values()];
  const telling = all.filter((term) => term.weight > 0);
  // "Who are you?" is all noise words, and still a question.
  const chosen = telling.length > 0 ? telling : all.map((term) => ({ ...term, weight: 1 }));
  return chosen.slice(0, TERMS_MAX);
}

/** Words in capitals, unless all are: in `US or IT` they are names and no stop words. */
function namesIn(text: string): ReadonlySet<string> {
  if (text.toUpperCase() === text) return new Set();
  return new Set((text.match(/\b[A-Z]{2,}\b/g) ?? []).map((name) => name.toLowerCase()));
}

/** The hashes (low, high) of folded words that are one term each. */
export function hashWords(words: readonly string[]): Uint32Array {
  const bytes = encode(words.join(" "));
  return scratch((core) => {
    const textAt = core.alloc(bytes.length);
    const hashesAt = core.alloc(words.length * 8);
    bytesAt(core, textAt, bytes.length).set(bytes);
    core.termHashes(textAt, bytes.length, hashesAt, words.length);
    return wordsAt(core, hashesAt, words.length * 2).slice();
  });
}

/** Every term of a text with its hash, in order, repeats and parts of compounds included. */
export function spell(text: string, language?: Language): QueryTerm[] {
  const bytes = encode(termText(text));
  return scratch((core) => {
    const textAt = core.alloc(bytes.length);
    const hashesAt = core.alloc(bytes.length * 8);
    const spansAt = core.alloc(bytes.length * 8);
    bytesAt(core, textAt, bytes.length).set(bytes);
    const count = core.termSpans(textAt, bytes.length, hashesAt, spansAt, bytes.length);
    const hashes = wordsAt(core, hashesAt, count * 2);
    const spans = wordsAt(core, spansAt, count * 2);
    return Array.from({ length: count }, (_, i) => {
      const start = spans[2 * i] ?? 0;
      const end = spans[2 * i + 1] ?? 0;
      const term = decode(bytes.subarray(start, end)).toLowerCase();
      return {
        term,
        low: hashes[2 * i] ?? 0,
        high: hashes[2 * i + 1] ?? 0,
        weight: wordWeight(term, language),
        // A whole is emitted right before its first part.
        isCompound: i + 1 < count && (spans[2 * i + 2] ?? end) < end,
      };
    });
  });
}
