/** A tiny embedder for tests of the index: deterministic, and near where words are shared. */
import type { Embedder } from "../../src/embed/embedder.ts";

const DIMENSIONS = 32;

export const testEmbedder: Embedder = {
  id: "test-32",
  dimensions: DIMENSIONS,
  embedQuery: embed,
  embedDocuments: (texts) => texts.map(embed),
  calibrate: (cosine) => Math.max(0, cosine),
};

function embed(text: string): Float32Array | undefined {
  const words = text.toLowerCase().match(/[a-z0-9]+/g);
  if (words === null) return undefined;
  const vector = new Float32Array(DIMENSIONS);
  for (const word of words) {
    let hash = 2166136261;
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619);
    for (let d = 0; d < DIMENSIONS; d++) {
      hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
      vector[d] = (vector[d] ?? 0) + ((hash & 0xffff) / 32768 - 1);
    }
  }
  const norm = Math.hypot(...vector);
  return norm === 0 ? undefined : vector.map((value) => value / norm);
}
