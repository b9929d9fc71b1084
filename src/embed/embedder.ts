/** Turns text into vectors. Queries and documents apart, because some models put a prefix before one of them. */

/** The value of `embedding.model` for the model in the binary. */
export const BUILT_IN = "static";

/** Whether `embedding.model` names an embeddings server: names of pulled models have no colon. */
export function isEndpointName(name: string): boolean {
  return name.includes(":");
}

/** A passage as a model has read it whose vectors are sums of token vectors: heading first, then sentences. */
export interface PassageParts {
  readonly ids: Uint16Array;
  /** The ends in `ids` of the heading and of each sentence that has tokens. */
  readonly ends: readonly number[];
  /** The squared length of the summed vector of each of these sentences, heading included. */
  readonly squares: readonly number[];
  /** The summed vector of the whole, quantized to `whole` × `scale`, and the square of its length. */
  readonly whole: Int16Array;
  readonly scale: number;
  readonly square: number;
}

/** One row a text; the cosine of two is dot × scale × scale. A scale of 0 marks no vector. */
export interface QuantizedVectors {
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** Cosines of a question with a passage. */
export interface Comparison {
  /** With the nearest sentence, heading included. */
  readonly nearest: number;
  /** With the whole passage without the shared words; with all of it if hardly anything would be left. */
  readonly apart: number;
}

export interface Embedder {
  /** Stable name; part of the index's identity, so that two models' vectors never mix. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * The languages besides English that it understands, by the names of `search/query/words.ts`. Texts in
   * another are all alike to it. Absent if nobody measured it.
   */
  readonly languages?: ReadonlySet<string>;
  /** Whether it knows the letters of nearly all of the text. Absent for a model that knows all letters. */
  reads?(text: string): boolean;
  /** A unit vector; undefined if the model knows no token of the text. */
  embedQuery(text: string): Float32Array | undefined;
  embedDocuments(texts: readonly string[]): (Float32Array | undefined)[];
  /**
   * Prepares a passage for `compare`; undefined if the model knows no token of it. The result may be kept.
   * Only models whose vectors are sums of token vectors have both.
   */
  takeApart?(heading: string, sentences: readonly string[]): PassageParts | undefined;
  /** `query`: a unit vector. `shared`: the words of both, as often as they occur in the passage. */
  compare?(query: Float32Array, parts: PassageParts, shared: string): Comparison;
  /** Milliseconds for a text of a chunk's length, for a model so slow that embedding is done in steps. */
  readonly textMs?: number;
  /** Cosine → 0..1, so that 0.70 means 'about this' and 0.90 'says the same' for every model. */
  calibrate(cosine: number): number;
  /** The same for a question and a passage, as evidence of meaning: linear, with 0.70 at 'about this'. */
  meaning?(cosine: number): number;
}

/**
 * An asynchronous model behind a synchronous interface: texts are requested ahead, and embedding looks up
 * their vectors. A text that was not requested, or not answered, has no vector.
 */
export interface AheadEmbedder extends Embedder {
  /**
   * Embeds these questions, and checks that the model is still the known one. Throws a SageError if it is
   * not, or does not answer: then another model must be used.
   */
  prepare(questions: readonly string[]): Promise<void>;
  /**
   * Embeds these passages and passes them to `take` as they come. A failure is a warning here; the missing
   * passages are then refused by `embedDocuments`.
   */
  embedAhead(
    texts: readonly string[],
    take: (texts: readonly string[], vectors: readonly (Float32Array | undefined)[]) => void,
  ): Promise<void>;
  close(): void;
}
