/**
 * Scores the synonyms of the query's words for all chunks. They are looked up like terms; of several for
 * the same words the best one counts. Apart from the keyword scores, because a word that was asked for and
 * one that means the same are two kinds of evidence.
 */
import { bytesAt, bytesOfSet, floatsAt } from "../../base/core.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import {
  anyOf,
  clearScores,
  FORM_WEIGHT,
  idf,
  type Lexicon,
  postingsOfForms,
  scoreBestOf,
  scoreTerm,
  type ScoringContext,
  type TermPostings,
  type WeightedForm,
} from "../segment/postings.ts";
import type { Query } from "./query.ts";
import type { Expansion, Synonym, SynonymRelation } from "./thesaurus.ts";

/** The weight of a synonym, relative to the word that it stands for (decision 0056). */
const WEIGHTS: Readonly<Record<SynonymRelation, number>> = {
  same: 1,
  narrower: 1,
  broader: 0.5,
  related: 0.5,
};

/** The share of a question's own characters from which a note in its script may be the answer. */
const OWN_SCRIPT_MIN = 0.1;
/**
 * The factor on synonyms in that case. Such a note has few of the question's bigrams, so notes that the
 * dictionary finds would rank before it (decision 0078).
 */
const BESIDE_OWN_SCRIPT = 0.1;

/** A run of the query's words, and those of its synonyms that the store has. */
export interface ScoredExpansion {
  readonly words: string;
  /** Their places among the terms of the board. */
  readonly terms: readonly number[];
  readonly synonyms: readonly WeightedForm[];
}

/** The terms of the query, as the keyword scores use them. */
export interface TermWeights {
  /** What each term of the query weighs. */
  readonly weights: ReadonlyMap<string, number>;
  /** The terms of the board, each in its forms. */
  readonly terms: readonly (readonly WeightedForm[])[];
  /** Where a term stands among them. */
  readonly placeOf: ReadonlyMap<string, number>;
}

/** Adds synonym scores at `scoresAt` (f32 a chunk, all 0). Returns the expansions that the store has. */
export function scoreSynonyms(
  context: ScoringContext,
  known: TermWeights,
  query: Query,
  scoresAt: number,
): ScoredExpansion[] {
  if (query.terms.length === 0) return [];
  const { core } = context;
  const found = findExpansions(context, known, query);
  const ownAt = found.length > 0 ? core.alloc(context.total * 4) : 0;
  for (const { terms, synonyms } of found) {
    // A synonym adds only what goes beyond the query's own words in the chunk.
    clearScores(context, ownAt);
    for (const place of terms) scoreTerm(context, known.terms[place] ?? [], ownAt);
    scoreBestOf(context, synonyms, ownAt, scoresAt);
  }
  return found;
}

function findExpansions(
  context: ScoringContext,
  known: TermWeights,
  query: Query,
): ScoredExpansion[] {
  const expansions = query.expansions();
  const isFound = query.isUnspaced && bestCharacterShare(context, known) >= OWN_SCRIPT_MIN;
  const factor = isFound ? BESIDE_OWN_SCRIPT : 1;
  const formsOf = postingsOfForms(context, wordsOf(expansions));
  const counted = new Set<string>();
  return expansions.flatMap(({ words, synonyms }) => {
    const own = [...new Set(words)].filter((word) => !counted.has(word));
    let weight = 0;
    for (const word of own) {
      counted.add(word);
      weight += known.weights.get(word) ?? 0;
    }
    const forms = weight === 0
      ? []
      : synonyms.flatMap((one) => weightedForms(context, one, weight, formsOf, factor));
    if (forms.length === 0) return [];
    const terms = own.flatMap((word) => known.placeOf.get(word) ?? []);
    return [{ words: words.join(" "), terms, synonyms: forms }];
  });
}

/** Each word of all synonyms once. */
function wordsOf(expansions: readonly Expansion[]): string[] {
  const all = expansions.flatMap(({ synonyms }) => synonyms.flatMap(({ word }) => word.split(" ")));
  return [...new Set(all)];
}

/** The share of a question's bigrams that the best chunk has, by weight, 0..1. */
function bestCharacterShare(
  context: ScoringContext,
  { weights, terms, placeOf }: TermWeights,
): number {
  const { core, segments, bases, total } = context;
  const scoresAt = core.alloc(total * 4);
  clearScores(context, scoresAt);
  let reach = 0;
  for (const [term, weight] of weights) {
    if (!isUnspaced(term)) continue;
    reach += weight;
    scoreTerm(context, terms[placeOf.get(term) ?? -1] ?? [], scoresAt);
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

/** The forms of a synonym. Each weighs at most what the query's words do, and at most its own idf. */
function weightedForms(
  context: ScoringContext,
  { word, relation }: Synonym,
  weightMax: number,
  formsOf: (word: string) => readonly TermPostings[],
  factor: number,
): WeightedForm[] {
  const each = word.split(" ").map(formsOf);
  const [forms = []] = each;
  const all = each.length === 1 ? forms : intersect(context, word, each);
  return all.map((lists) => {
    const share = each.length > 1 || lists.term === word ? 1 : FORM_WEIGHT;
    const weight = WEIGHTS[relation] * share * Math.min(weightMax, idf(lists.df, context.chunks));
    return { ...lists, weight: weight * factor };
  });
}

/** The chunks that have all of several words, each in any of its forms and in any order. */
function intersect(
  lexicon: Lexicon,
  term: string,
  each: readonly (readonly TermPostings[])[],
): TermPostings[] {
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
