/** What turns text into a vector. Two functions, because some models prefix the query only. */

/** What `embedding.model` says for the model in the binary. */
export const BUILT_IN = "static";

/** Whether it names an embeddings server: no name of a pulled model has a colon. */
export function isEndpointName(name: string): boolean {
  return name.includes(":");
}

/** A text in parts: its vector is the sum of theirs. */
export interface Passage {
  readonly heading: string;
  readonly sentences: readonly string[];
  /** Words of it that the question has too, as often as they stand there. */
  readonly shared: string;
}

/** Cosines. */
export interface Comparison {
  /** Of the sentence that is nearest, with its heading. */
  readonly nearest: number;
  /** Of the whole without the shared words, or of the whole where hardly anything else is left. */
  readonly apart: number;
}

export interface Embedder {
  /** Stable name; part of the index's identity, so that two models' vectors never mix. */
  readonly id: string;
  readonly dimensions: number;
  /** Unit vector, or undefined where the model sees nothing in the text (no Latin letters or digits). */
  embedQuery(text: string): Float32Array | undefined;
  embedDocuments(texts: readonly string[]): (Float32Array | undefined)[];
  /**
   * A question's unit vector against a passage that is taken apart; undefined where the model sees
   * nothing in it. Only models whose vectors are sums of words have it.
   */
  compare?(query: Float32Array, passage: Passage): Comparison | undefined;
  /** What a text of a chunk's length costs, where that is worth counting: then work is done in steps. */
  readonly textMs?: number;
  /** Cosine → 0..1, so that 0.70 means 'about this' and 0.90 'says the same' for every model. */
  calibrate(cosine: number): number;
  /** The same for a question and a passage, as evidence: even steps, 0.70 'about this', 1 at most. */
  meaning?(cosine: number): number;
}

/**
 * A model that answers later than it is asked, where everything else asks and goes on: what will be
 * embedded is asked for ahead, and whoever embeds then finds it. What was not asked for, or not answered,
 * has no vector; none is made up.
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
