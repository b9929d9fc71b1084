/**
 * What of a query other words say, for all chunks: the words that stand for its own are looked up like
 * terms, and of those that stand for the same the best counts. Apart from the board, because it is no
 * keyword score: a word that was asked for and one that means the same are evidence of two kinds.
 */
import { bytesAt, type Core, floatsAt, wordsAt } from "../base/core.ts";
import type { Query } from "./query.ts";
import type { Segment } from "./segment.ts";
import { FORM_WEIGHT, formsIn, idf, type Lists, type Spelling, viewOf } from "./term_lists.ts";
import type { OtherWord, Standing } from "./thesaurus.ts";
import { endings } from "./word_forms.ts";

/** What each counts of a word that means the same: docs/decisions/0056. */
const WEIGHTS: Readonly<Record<Standing, number>> = {
  same: 1,
  narrower: 1,
  broader: 0.5,
  related: 0.5,
};

/** Some words of the query in a row, and those in this store that may stand for them. */
export interface OtherWords {
  readonly words: string;
  /** Their places among the terms of the board. */
  readonly terms: readonly number[];
  readonly others: readonly Spelling[];
}

/** What the board knows when the keywords are counted. */
interface Laid {
  readonly core: Core;
  readonly segments: readonly Segment[];
  readonly bases: readonly number[];
  readonly total: number;
  /** Room for one f32 a chunk, all 0. */
  readonly othersAt: number;
  readonly weights: ReadonlyMap<string, number>;
  /** Where a term stands among the terms of the board. */
  readonly placeOf: ReadonlyMap<string, number>;
  readonly chunks: number;
  readonly averageLength: number;
}

/** Another word as the store has it; its lists lie in the core's memory. */
interface Other extends Lists {
  readonly weight: number;
}

/** Fills the room, and gives the words once nothing more is reserved. */
export function layOthers(laid: Laid, query: Query): () => OtherWords[] {
  const { core, segments, weights, placeOf } = laid;
  if (query.terms.length === 0) return () => [];
  const said = query.said();
  const listOf = listsByWord(core, segments, said.flatMap(({ others }) => others));
  const counted = new Set<string>();
  const found = said.flatMap(({ words, others }) => {
    const own = [...new Set(words)].filter((word) => !counted.has(word));
    let weight = 0;
    for (const word of own) {
      counted.add(word);
      weight += weights.get(word) ?? 0;
    }
    const known = weight === 0 ? [] : others.flatMap((one) => weighed(laid, one, weight, listOf));
    if (known.length === 0) return [];
    const terms = own.flatMap((word) => placeOf.get(word) ?? []);
    return [{ words: words.join(" "), terms, others: known }];
  });
  if (found.length > 0) accumulate(laid, found.map(({ others }) => others));
  return () =>
    found.map(({ others, ...rest }) => ({
      ...rest,
      others: others.map(({ term, weight, lists }) => ({
        term,
        weight,
        lists: lists.map((list) => list && viewOf(core, list)),
      })),
    }));
}

/** Every word of theirs that the store has, in all its forms. */
function listsByWord(
  core: Core,
  segments: readonly Segment[],
  others: readonly OtherWord[],
): ReadonlyMap<string, Lists> {
  const words = new Set(others.flatMap(({ word }) => word.split(" ")));
  const forms = new Set([...words].flatMap((word) => [word, ...endings(word)]));
  return new Map(formsIn(core, segments, [...forms]).map((lists) => [lists.term, lists]));
}

/** No more than what the query says there, and no more than the word itself is worth in this store. */
function weighed(
  { core, segments, chunks }: Laid,
  { word, standing }: OtherWord,
  weightMax: number,
  listOf: ReadonlyMap<string, Lists>,
): Other[] {
  const each = word.split(" ").map((part) =>
    [part, ...endings(part)].flatMap((form) => listOf.get(form) ?? [])
  );
  const [forms = []] = each;
  const all = each.length === 1 ? forms : inCommon(core, segments, word, each);
  return all.map((lists) => {
    const share = each.length > 1 || lists.term === word ? 1 : FORM_WEIGHT;
    const weight = WEIGHTS[standing] * share * Math.min(weightMax, idf(lists.df, chunks));
    return { ...lists, weight };
  });
}

/** The chunks that have all words of several, wherever they stand; each in any of its forms. */
function inCommon(
  core: Core,
  segments: readonly Segment[],
  term: string,
  each: readonly (readonly Lists[])[],
): Lists[] {
  if (each.some((forms) => forms.length === 0)) return [];
  let df = 0;
  const lists = segments.map((segment, s) => {
    let all: Map<number, number> | undefined;
    for (const forms of each) {
      const own = new Map<number, number>();
      for (const list of forms.flatMap(({ lists }) => lists[s] ?? [])) {
        const { documents, frequencies } = viewOf(core, list);
        documents.forEach((chunk, i) => {
          const before = all === undefined ? Infinity : all.get(chunk) ?? 0;
          const times = Math.max(own.get(chunk) ?? 0, Math.min(before, frequencies[i] ?? 0));
          if (times > 0) own.set(chunk, times);
        });
      }
      all = own;
    }
    // What was replaced is rare for nobody: it neither answers nor counts.
    const chunks = [...all?.keys() ?? []]
      .filter((chunk) => !segment.dead.has(segment.noteOf(chunk))).sort((a, b) => a - b);
    df += chunks.length;
    const documentsAt = core.alloc(chunks.length * 4);
    const frequenciesAt = core.alloc(chunks.length);
    wordsAt(core, documentsAt, chunks.length).set(chunks);
    bytesAt(core, frequenciesAt, chunks.length).set(chunks.map((chunk) => all?.get(chunk) ?? 0));
    return { documentsAt, frequenciesAt, count: chunks.length };
  });
  return df === 0 ? [] : [{ term, df, lists }];
}

/** The sum over the query's words of the best that stands for each. */
function accumulate(
  { core, segments, bases, total, othersAt, averageLength }: Laid,
  found: readonly (readonly Other[])[],
): void {
  const bestAt = core.alloc(total * 4);
  for (const others of found) {
    floatsAt(core, bestAt, total).fill(0);
    for (const { lists, weight } of others) {
      segments.forEach((segment, s) => {
        const list = lists[s];
        if (list === undefined || list.count === 0) return;
        const { documentsAt, frequenciesAt, count } = list;
        const from = (bases[s] ?? 0) * 4;
        core.accumulateBest(
          documentsAt,
          frequenciesAt,
          count,
          segment.lengthsAt(),
          averageLength,
          weight,
          bestAt + from,
          othersAt + from,
        );
      });
    }
  }
}
