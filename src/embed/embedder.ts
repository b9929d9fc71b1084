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
  /** Cosine → 0..1, so that 0.70 means 'about this' and 0.90 'says the same' for every model. */
  calibrate(cosine: number): number;
}
