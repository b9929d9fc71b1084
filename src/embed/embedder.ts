/** What turns text into a vector. Two functions, because some models prefix the query only. */

/** What `embedding.model` says for the model in the binary. */
export const BUILT_IN = "static";

/** Whether it names an embeddings server: no name of a pulled model has a colon. */
export function isEndpointName(name: string): boolean {
  return name.includes(":");
}

/** A text whose vector is the sum of its words', as its model has read it: heading first, then sentences. */
export interface PassageParts {
  readonly ids: Uint16Array;
  /** Where in `ids` the heading ends, and each sentence that has words. */
  readonly ends: readonly number[];
  /** The squared length of each sentence's vector, heading included. */
  readonly squares: readonly number[];
  /** The whole's vector as it was summed: whole numbers and their scale. The square of its length. */
  readonly whole: Int16Array;
  readonly scale: number;
  readonly square: number;
}

/** One row a text; the cosine of two is dot × scale × scale. A scale of 0 marks no vector. */
export interface QuantizedVectors {
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** Cosines. */
export interface Comparison {
  /** Similarity of the nearest sentence, heading included. */
  readonly nearest: number;
  /** Similarity of the whole without the shared words, or of the whole if hardly anything else is left. */
  readonly apart: number;
}

export interface Embedder {
  /** Stable name; part of the index's identity, so that two models' vectors never mix. */
  readonly id: string;
  readonly dimensions: number;
  /** It reads no other language: what it takes for alike there is the language. */
  readonly isEnglish?: boolean;
  /** Whether its vector is one of the whole text, and not of the few words in letters that it has. Absent: of any. */
  reads?(text: string): boolean;
  /** Unit vector, or undefined where the model sees nothing in the text (no Latin letters or digits). */
  embedQuery(text: string): Float32Array | undefined;
  embedDocuments(texts: readonly string[]): (Float32Array | undefined)[];
  /**
   * Reads a passage; undefined where the model sees nothing in it. It may be kept. Only models whose
   * vectors are sums of words have this and `compare`.
   */
  takeApart?(heading: string, sentences: readonly string[]): PassageParts | undefined;
  /** A question's unit vector against it. `shared`: words of both, as often as they stand in the passage. */
  compare?(query: Float32Array, parts: PassageParts, shared: string): Comparison;
  /** What a text of a chunk's length costs, where that is worth counting: then work is done in steps. */
  readonly textMs?: number;
  /** Cosine → 0..1, so that 0.70 means 'about this' and 0.90 'says the same' for every model. */
  calibrate(cosine: number): number;
  /** The same for a question and a passage, as evidence: even steps, 0.70 'about this', 1 at most. */
  meaning?(cosine: number): number;
}

/**
 * A model that answers later than it is asked, where every caller is synchronous: texts are requested ahead,
 * and embedding finds their vectors. A text that was not requested or not answered has no vector; none is
 * made up.
 */
export interface AheadEmbedder extends Embedder {
  /**
   * Asks for these questions, and whether the model is there and still the one that is known. SageError
   * where not: then another model must serve.
   */
  prepare(questions: readonly string[]): Promise<void>;
  /**
   * Asks for these passages and hands them over as they come. What does not come is warned of and
   * refused by `embedDocuments`.
   */
  embedAhead(
    texts: readonly string[],
    take: (texts: readonly string[], vectors: readonly (Float32Array | undefined)[]) => void,
  ): Promise<void>;
  close(): void;
}
