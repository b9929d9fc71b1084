/**
 * What retrieval is usually made of, over the same chunks: BM25, cosine, their min-max mix, reciprocal
 * rank fusion, and stock Orama's hybrid mode with our vectors. Each gives notes by their best chunk,
 * best first. None knows when to be silent; a threshold is fitted for each on development questions.
 */
import { type AnyOrama, create, insertMultiple, search } from "@orama/orama";
import type { Embedder } from "../../src/embed/embedder.ts";
import { dot } from "../../src/base/dot.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { termText } from "../../src/search/query/lexical.ts";

export interface Ranked {
  readonly id: string;
  readonly score: number;
}

export type Ranker = (query: string) => Promise<readonly Ranked[]>;

interface Row {
  readonly note: string;
  readonly terms: ReadonlyMap<string, number>;
  readonly length: number;
  readonly vector: Float32Array | undefined;
}

/** The textbook's constants. */
const K1 = 1.2;
const B = 0.75;
const RRF_K = 60;
const DEPTH = 100;

export function baselines(
  notes: readonly NoteDocument[],
  embedder: Embedder,
): ReadonlyMap<string, Ranker> {
  const rows = notes.flatMap((note) =>
    note.chunks.map(({ heading, text }): Row => {
      const words = wordsOf(`${heading}\n${text}`);
      const terms = new Map<string, number>();
      for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
      const [vector] = embedder.embedDocuments([`${heading}\n${text}`]);
      return { note: note.id, terms, length: words.length, vector };
    })
  );
  const bm25 = bm25Over(rows);
  const cosine = (query: string): Ranked[] => {
    const wanted = embedder.embedQuery(query);
    return byNote(rows.map(({ note, vector }) => ({
      id: note,
      score: wanted === undefined || vector === undefined ? 0 : dot(wanted, vector),
    })));
  };
  return new Map<string, Ranker>([
    ["BM25", (query) => Promise.resolve(bm25(query))],
    ["vectors", (query) => Promise.resolve(cosine(query))],
    ["mix 0.7/0.3", (query) => Promise.resolve(mix(cosine(query), bm25(query), 0.7))],
    ["mix 0.5/0.5", (query) => Promise.resolve(mix(cosine(query), bm25(query), 0.5))],
    ["RRF", (query) => Promise.resolve(reciprocal([cosine(query), bm25(query)]))],
    ["Orama hybrid", orama(notes, embedder)],
  ]);
}

function wordsOf(text: string): string[] {
  return termText(text).toLowerCase().match(/[^\s!-/:-@[-`{-~]+/g) ?? [];
}

function bm25Over(rows: readonly Row[]): (query: string) => Ranked[] {
  const counts = new Map<string, number>();
  for (const { terms } of rows) {
    for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const average = rows.reduce((sum, { length }) => sum + length, 0) / Math.max(1, rows.length);
  return (query) => {
    const wanted = new Set(wordsOf(query));
    return byNote(rows.map(({ note, terms, length }) => {
      let score = 0;
      for (const term of wanted) {
        const tf = terms.get(term) ?? 0;
        const df = counts.get(term) ?? 0;
        const idf = Math.log(1 + (rows.length - df + 0.5) / (df + 0.5));
        score += idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / average));
      }
      return { id: note, score };
    }));
  };
}

/** Each note once, by its best chunk; what scores nothing is not found. */
function byNote(chunks: readonly Ranked[]): Ranked[] {
  const best = new Map<string, number>();
  for (const { id, score } of chunks) {
    if (score > 0) best.set(id, Math.max(score, best.get(id) ?? 0));
  }
  return sorted(best).slice(0, DEPTH);
}

function mix(
  vectors: readonly Ranked[],
  words: readonly Ranked[],
  embeddingShare: number,
): Ranked[] {
  const scores = new Map<string, number>();
  for (const [list, share] of [[vectors, embeddingShare], [words, 1 - embeddingShare]] as const) {
    const high = Math.max(0, ...list.map(({ score }) => score));
    const low = Math.min(high, ...list.map(({ score }) => score));
    for (const { id, score } of list) {
      const scaled = high === low ? 1 : (score - low) / (high - low);
      scores.set(id, (scores.get(id) ?? 0) + share * scaled);
    }
  }
  return sorted(scores);
}

function reciprocal(lists: readonly (readonly Ranked[])[]): Ranked[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    list.forEach(({ id }, i) => scores.set(id, (scores.get(id) ?? 0) + 1 / (RRF_K + i + 1)));
  }
  return sorted(scores);
}

function sorted(scores: ReadonlyMap<string, number>): Ranked[] {
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) =>
    b.score - a.score || (a.id < b.id ? -1 : 1)
  );
}

/** As its documentation shows it, but for the similarity floor, which would drop nearly every vector. */
function orama(notes: readonly NoteDocument[], embedder: Embedder): Ranker {
  const database: AnyOrama = create({
    schema: {
      note: "string",
      title: "string",
      text: "string",
      vector: `vector[${embedder.dimensions}]`,
    },
  });
  const documents = notes.flatMap((note) =>
    note.chunks.flatMap(({ heading, text }) => {
      const [vector] = embedder.embedDocuments([`${heading}\n${text}`]);
      const fields = { note: note.id, title: heading, text };
      return vector === undefined ? [fields] : [{ ...fields, vector: [...vector] }];
    })
  );
  const filled = Promise.resolve(insertMultiple(database, documents));
  return async (query) => {
    await filled;
    const wanted = embedder.embedQuery(query);
    const answer = await search(
      database,
      {
        mode: wanted === undefined ? "fulltext" : "hybrid",
        term: query,
        properties: ["title", "text"],
        limit: DEPTH,
        similarity: 0,
        ...(wanted === undefined ? {} : { vector: { value: [...wanted], property: "vector" } }),
      } as Parameters<typeof search>[1],
    );
    return byNote(
      answer.hits.map(({ document, score }) => ({
        id: String((document as { note: string }).note),
        score,
      })),
    );
  };
}
