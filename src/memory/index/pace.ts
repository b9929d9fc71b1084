/**
 * How much is indexed at a time. With the built-in model all notes in one step; with a model that
 * needs milliseconds a text, in steps that are each written, and in a hook only until its
 * deadline.
 */
import { monotonic } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import type { BertEmbedder } from "../../embed/bert_embedder.ts";
import type { AheadEmbedder, Embedder } from "../../embed/embedder.ts";
import type { VectorCache } from "../../embed/vector_cache.ts";
import { embeddedText, type NoteDocument } from "../../search/document.ts";

/** How long a slow model works before its result is written: what a killed process loses at most. */
const STEP_MS = 10_000;

/** For fewer texts starting workers costs more than they save. */
const AHEAD_TEXTS_MIN = 24;

interface Pace {
  /** Whether the document can be embedded before the deadline, by the model's measured time a text. */
  allows(document: NoteDocument): boolean;
  /** Whether enough was allowed to be written as a step. */
  isStep(): boolean;
}

export function paceOf(embedder: Embedder & Partial<VectorCache>, deadlineMs: number): Pace {
  const { textMs = 0 } = embedder;
  const deadline = monotonic() + deadlineMs;
  // Cached vectors cost nothing.
  const unknown = (texts: readonly string[]): number => (embedder.unknown?.(texts) ?? texts).length;
  let [planned, step] = [0, 0];
  return {
    allows({ chunks }) {
      if (textMs === 0) return true;
      const cost = textMs * unknown(chunks.map(embeddedText));
      planned += cost;
      step += cost;
      return monotonic() + planned <= deadline;
    },
    isStep() {
      if (step < STEP_MS) return false;
      step = 0;
      return true;
    },
  };
}

/** Whether the model gave no vectors; the person was warned. */
export function isRefusedByModel(error: unknown): boolean {
  return error instanceof SageError &&
    (error.code === "invalid_model" || error.code === "unreachable");
}

/**
 * Computes vectors into the cache before the index is written: with a slow model on all cores, if there
 * are enough texts; with an embeddings server always, since writing the index cannot wait for it.
 */
export async function embedAhead(
  embedder: Embedder & Partial<VectorCache & BertEmbedder & AheadEmbedder>,
  documents: readonly NoteDocument[],
): Promise<void> {
  const { facts, path, unknown, remember } = embedder;
  if (!unknown || !remember) return;
  const texts = unknown(documents.flatMap(({ chunks }) => chunks.map(embeddedText)));
  if (embedder.embedAhead !== undefined) return await embedder.embedAhead(texts, remember);
  if (facts === undefined || path === undefined || texts.length < AHEAD_TEXTS_MIN) return;
  const { openBulk } = await import("../../embed/bulk.ts");
  const bulk = openBulk({ path, prefix: facts.documentPrefix }, facts.weights.size);
  try {
    await bulk.embed(texts, remember);
  } finally {
    bulk.close();
  }
}
