/**
 * The built-in model as an embedder: a few microseconds a sentence, no library, no download. Opens its file
 * at the first text. Queries and documents are embedded alike.
 */
import { calibrateStatic, meaningStatic } from "./calibration/calibration.ts";
import type { Embedder, QuantizedVectors } from "./embedder.ts";
import { readingOf } from "./reading.ts";
import { StaticModel } from "./static_model.ts";

const DIMENSIONS = 256;

export interface StaticEmbedder extends Embedder {
  /** Directly in the form that the index stores, without a float vector for each text. */
  embedDocumentsQuantized(texts: readonly string[]): QuantizedVectors;
  close(): void;
}

/** The model in the binary. Close it. */
export function openStaticEmbedder(): StaticEmbedder {
  let opened: StaticModel | undefined;
  const model = () => opened ??= new StaticModel();
  const embed = (text: string) => {
    const vector = new Float32Array(DIMENSIONS);
    return model().embed(text, vector) ? vector : undefined;
  };
  return {
    // The first digits of the file's SHA-256: other rows are another model.
    id: "static-embed-32k-256@20b7e2aa",
    dimensions: DIMENSIONS,
    ...readingOf([]),
    embedQuery: embed,
    embedDocuments: (texts) => texts.map(embed),
    embedDocumentsQuantized(texts) {
      const rows = new Int8Array(texts.length * DIMENSIONS);
      const scales = new Float32Array(texts.length);
      texts.forEach((text, i) => {
        const row = rows.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
        scales[i] = model().embedQuantized(text, row);
      });
      return { rows, scales };
    },
    takeApart: (heading, sentences) => model().takeApart(heading, sentences),
    compare: (query, parts, shared) => model().compare(query, parts, shared),
    calibrate: calibrateStatic,
    meaning: meaningStatic,
    close() {
      opened?.close();
      opened = undefined;
    },
  };
}
