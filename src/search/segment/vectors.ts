/** Vectors of chunks as they are stored: int8 rows with one scale each. */
import { bytesAt, floatsAt } from "../../base/core.ts";
import type { Embedder } from "../../embed/embedder.ts";
import { scratch } from "./arena.ts";
import { embeddedText, type NoteDocument } from "../document.ts";
import { chunksOf } from "./segment_writer.ts";

export interface Rows {
  readonly rows: Uint8Array;
  readonly scales: Float32Array;
}

/** An embedder that quantizes by itself, without making float vectors for us. */
interface QuantizingEmbedder extends Embedder {
  embedDocumentsQuantized(texts: readonly string[]): {
    readonly rows: Int8Array;
    readonly scales: Float32Array;
  };
}

/** Bytes of a row: the core takes 16 dimensions at a time, so rows are padded with zeros. */
export function rowBytes(dimensions: number): number {
  return (dimensions + 15) & ~15;
}

/** How many texts keep their float vectors within a megabyte. */
const BATCH = 512;

/** One row a chunk, in order. The scale is 0 if the model has no vector for the text. */
export function embedNotes(notes: readonly NoteDocument[], embedder: Embedder): Rows {
  const texts = notes.flatMap((note) => chunksOf(note).map(embeddedText));
  const { dimensions } = embedder;
  const size = rowBytes(dimensions);
  const rows = new Uint8Array(texts.length * size);
  const scales = new Float32Array(texts.length);
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const part = isQuantizing(embedder)
      ? embedder.embedDocumentsQuantized(batch)
      : quantize(embedder.embedDocuments(batch), dimensions);
    const bytes = new Uint8Array(part.rows.buffer, part.rows.byteOffset, part.rows.byteLength);
    batch.forEach((_, i) =>
      rows.set(bytes.subarray(i * dimensions, (i + 1) * dimensions), (from + i) * size)
    );
    scales.set(part.scales, from);
  }
  return { rows, scales };
}

function isQuantizing(embedder: Embedder): embedder is QuantizingEmbedder {
  return "embedDocumentsQuantized" in embedder;
}

function quantize(vectors: readonly (Float32Array | undefined)[], dimensions: number): Rows {
  const rows = new Uint8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  scratch((core) => {
    const size = rowBytes(dimensions);
    const vectorAt = core.alloc(size * 4);
    const rowAt = core.alloc(size);
    floatsAt(core, vectorAt, size).fill(0);
    vectors.forEach((vector, i) => {
      if (vector === undefined) return;
      floatsAt(core, vectorAt, dimensions).set(vector);
      scales[i] = core.quantize(vectorAt, size, rowAt);
      rows.set(bytesAt(core, rowAt, dimensions), i * dimensions);
    });
  });
  return { rows, scales };
}
