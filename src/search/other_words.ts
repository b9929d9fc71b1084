/**
 * What of a query other words say, for all chunks: the words that stand for its own are looked up like
 * terms, and of those that stand for the same the best counts. Apart from the board, because it is no
 * keyword score: a word that was asked for and one that means the same are evidence of two kinds.
 */
import { bytesAt, bytesOfSet, floatsAt } from "../base/core.ts";
import { isUnspaced } from "../base/unspaced.ts";
import type { Query } from "./query.ts";
import {
  addBest,
  addTerm,
  anyOf,
  clearScores,
  FORM_WEIGHT,
  formsIn,
  type Ground,
  idf,
  type Lexicon,
  type Lists,
  type Spelling,
  spellingOf,
  type Weighted,
} from "./term_lists.ts";
import type { OtherWord, Standing } from "./thesaurus.ts";

/** What each counts of a word that means the same: docs/decisions/0056. */
const WEIGHTS: Readonly<Record<Standing, number>> = {
  same: 1,
  narrower: 1,
  broader: 0.5,
  related: 0.5,
};

/** From here on a note in the question's own characters may be the answer. */
const FOUND_MIN = 0.1;
/**
 * What other words count then. Pairs of characters find few of those that a note has, and what a dictionary
 * finds would stand before it: docs/decisions/0078.
 */
const BESIDE_FOUND = 0.1;

/** Some words of the query in a row, and those in this store that may stand for them. */
export interface OtherWords {
  readonly words: string;
  /** Their places among the terms of the board. */
  readonly terms: readonly number[];
  readonly others: readonly Spelling[];
}

/** What the board knows when the keywords are counted. */
export interface Counted {
  /** What each term of the query weighs. */
  readonly weights: ReadonlyMap<string, number>;
  /** The terms of the board, each in its forms. */
  readonly terms: readonly (readonly Weighted[])[];
  /** Where a term stands among them. */
  readonly placeOf: ReadonlyMap<string, number>;
}

/** Counts them at `othersAt` (f32 a chunk, all 0), and gives the words once nothing more is reserved. */
export function layOthers(
  ground: Ground,
  { weights, terms, placeOf }: Counted,
  query: Query,
  othersAt: number,
): () => OtherWords[] {
  const { core } = ground;
  if (query.terms.length === 0) return () => [];
  const said = query.said();
  const isFound = query.isUnspaced &&
    foundAsAsked(ground, { weights, terms, placeOf }) >= FOUND_MIN;
  const share = isFound ? BESIDE_FOUND : 1;
  const others = said.flatMap(({ others }) => others);
  const formsOf = formsIn(ground, [...new Set(others.flatMap(({ word }) => word.split(" ")))]);
  const counted = new Set<string>();
  const found = said.flatMap(({ words, others }) => {
    const own = [...new Set(words)].filter((word) => !counted.has(word));
    let weight = 0;
    for (const word of own) {
      counted.add(word);
      weight += weights.get(word) ?? 0;
    }
    const known = weight === 0
      ? []
      : others.flatMap((one) => weighed(ground, one, weight, formsOf, share));
    if (known.length === 0) return [];
    const places = own.flatMap((word) => placeOf.get(word) ?? []);
    return [{ words: words.join(" "), terms: places, others: known }];
  });
  const saidAt = found.length > 0 ? core.alloc(ground.total * 4) : 0;
  for (const { terms: places, others } of found) {
    // What the query's own words say there is counted already.
    clearScores(ground, saidAt);
    for (const place of places) addTerm(ground, terms[place] ?? [], saidAt);
    addBest(ground, others, saidAt, othersAt);
  }
  return () =>
    found.map(({ others, ...rest }) => ({
      ...rest,
      others: others.map((other) => spellingOf(core, other)),
    }));
}

/** Of the characters that a question without spaces has, the share that the best chunk has, 0..1. */
function foundAsAsked(ground: Ground, { weights, terms, placeOf }: Counted): number {
  const { core, segments, bases, total } = ground;
  const scoresAt = core.alloc(total * 4);
  clearScores(ground, scoresAt);
  let reach = 0;
  for (const [term, weight] of weights) {
    if (!isUnspaced(term)) continue;
    reach += weight;
    addTerm(ground, terms[placeOf.get(term) ?? -1] ?? [], scoresAt);
  }
  const scores = floatsAt(core, scoresAt, total);
  segments.forEach((segment, s) => {
    for (const note of segment.dead) {
      const first = (bases[s] ?? 0) + segment.firstChunk(note);
      scores.fill(0, first, first + segment.chunkCount(note));
    }
  });
  return reach === 0 ? 0 : scores.reduce((most, one) => Math.max(most, one), 0) / reach;
}

/** No more than what the query says there, and no more than the word itself is worth in this store. */
function weighed(
  ground: Ground,
  { word, standing }: OtherWord,
  weightMax: number,
  formsOf: (word: string) => readonly Lists[],
  shareOfAll: number,
): Weighted[] {
  const each = word.split(" ").map(formsOf);
  const [forms = []] = each;
  const all = each.length === 1 ? forms : inCommon(ground, word, each);
  return all.map((lists) => {
    const share = each.length > 1 || lists.term === word ? 1 : FORM_WEIGHT;
    const weight = WEIGHTS[standing] * share * Math.min(weightMax, idf(lists.df, ground.chunks));
    return { ...lists, weight: weight * shareOfAll };
  });
}

/** The chunks that have all words of several, wherever they stand; each in any of its forms. */
function inCommon(
  lexicon: Lexicon,
  term: string,
  each: readonly (readonly Lists[])[],
): Lists[] {
  if (each.some((forms) => forms.length === 0)) return [];
  const { core, segments, setAt } = lexicon;
  const lists = segments.map(({ header }, s) => {
    const bothAt = core.alloc(bytesOfSet(header.chunks));
    const bytes = anyOf(lexicon, s, each[0] ?? [], bothAt);
    for (const forms of each.slice(1)) {
      anyOf(lexicon, s, forms, setAt);
      core.andBits(bothAt, setAt, bytes);
    }
    const count = core.countBits(bothAt, bytes);
    const documentsAt = core.alloc(count * 4);
    const frequenciesAt = core.alloc(count);
    core.listBits(bothAt, bytes, documentsAt);
    bytesAt(core, frequenciesAt, count).fill(1);
    return { documentsAt, frequenciesAt, count };
  });
  const df = lists.reduce((sum, { count }) => sum + count, 0);
  return df === 0 ? [] : [{ term, df, lists }];
}
