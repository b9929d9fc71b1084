/** What turns text into a vector. Two functions, because some models prefix the query only. */

/** What `embedding.model` says for the model in the binary. */
export const BUILT_IN = "static";

export interface Embedder {
  /** Stable name; part of the index's identity, so that two models' vectors never mix. */
  readonly id: string;
  readonly dimensions: number;
  /** Unit vector, or undefined where the model sees nothing in the text (no Latin letters or digits). */
  embedQuery(text: string): Float32Array | undefined;
  embedDocuments(texts: readonly string[]): (Float32Array | undefined)[];
  /** What a text of a chunk's length costs, where that is worth counting: then work is done in steps. */
  readonly textMs?: number;
  /**
   * The cosine of a query's vector with a text that is no note, or undefined where the model sees
   * nothing in it. Only models that embed a passage in microseconds have it.
   */
  near?(query: Float32Array, text: string): number | undefined;
  /** Cosine → 0..1, so that 0.70 means 'about this' and 0.90 'says the same' for every model. */
  calibrate(cosine: number): number;
  /** The same for a question and a passage, as evidence: even steps, 0.70 'about this', 1 at most. */
  meaning?(cosine: number): number;
}
