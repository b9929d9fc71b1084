/**
 * Caches the vectors of texts that a slow model has embedded, by the text's hash, in a file beside the
 * indexes: of a changed note only the changed sections are embedded, and a rebuilt index embeds nothing.
 * One file for each model, appended to and read whole. Derived: a file that is damaged counts as empty.
 *
 * A record: 16 bytes of the text's SHA-256, int8 × dimensions, f32 scale, u32 check (`hash32`).
 */
import { concat } from "../base/concat.ts";
import { type Fs, readBytes, writeInto } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { hash32, sha256Hex } from "../base/hash.ts";
import type { Embedder, QuantizedVectors } from "./embedder.ts";
import { quantizeRow } from "./quantize_row.ts";

/** A hundred thousand texts at 384 dimensions; a fuller file begins anew. */
const CACHE_BYTES_MAX = 48 * 1024 * 1024;
/** Bytes of a text's SHA-256: enough for two texts never to share them. */
const KEY_BYTES = 16;
/** Of a record: key, scale, and a check that reveals a truncated one. */
const EXTRA_BYTES = KEY_BYTES + 8;

export interface VectorCache {
  /** Those of the texts that are not in the cache, each once. */
  unknown(texts: readonly string[]): string[];
  /** Adds vectors that were computed elsewhere. */
  remember(texts: readonly string[], vectors: readonly (Float32Array | undefined)[]): void;
  embedDocumentsQuantized(texts: readonly string[]): QuantizedVectors;
}

interface Known {
  readonly row: Int8Array;
  readonly scale: number;
}

/** The file of a model's vectors. */
export function cachePath(folder: string, modelId: string): string {
  return join(folder, `${modelId}.vectors`);
}

/** The embedder with a cache in front of `embedDocumentsQuantized`. */
export function withVectorCache<E extends Embedder>(
  embedder: E,
  fs: Fs,
  path: string,
): E & VectorCache {
  let known: Map<string, Known> | undefined;
  const load = (): Map<string, Known> => known ??= readCache(fs, path, embedder.dimensions);
  const unknown = (texts: readonly string[]): string[] =>
    [...new Set(texts)].filter((text) => !load().has(keyOf(text)));
  const remember: VectorCache["remember"] = (texts, vectors) => {
    const made = texts.map((text, i) =>
      [keyOf(text), quantized(vectors[i], embedder.dimensions)] as const
    );
    for (const [key, value] of made) load().set(key, value);
    append(fs, path, made, embedder.dimensions);
  };
  return {
    ...embedder,
    unknown,
    remember,
    embedDocumentsQuantized(texts) {
      const missing = unknown(texts);
      remember(missing, embedder.embedDocuments(missing));
      return gather(texts.map((text) => load().get(keyOf(text))), embedder.dimensions);
    },
  };
}

function keyOf(text: string): string {
  return sha256Hex(text).slice(0, KEY_BYTES * 2);
}

function quantized(vector: Float32Array | undefined, dimensions: number): Known {
  const row = new Int8Array(dimensions);
  return { row, scale: vector === undefined ? 0 : Math.fround(quantizeRow(vector, row)) };
}

function gather(vectors: readonly (Known | undefined)[], dimensions: number): QuantizedVectors {
  const rows = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  vectors.forEach((vector, i) => {
    if (vector === undefined) return;
    rows.set(vector.row, i * dimensions);
    scales[i] = vector.scale;
  });
  return { rows, scales };
}

function readCache(fs: Fs, path: string, dimensions: number): Map<string, Known> {
  const known = new Map<string, Known>();
  const size = dimensions + EXTRA_BYTES;
  try {
    const info = fs.lstat(path);
    if (info === undefined || info.size > CACHE_BYTES_MAX) return known;
    const bytes = readBytes(fs, path, CACHE_BYTES_MAX);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + size <= bytes.length; at += size) {
      // Skips a record that a power cut left empty or a full disk cut short.
      if (view.getUint32(at + size - 4, true) !== checkOf(bytes, at, size)) continue;
      const row = new Int8Array(bytes.buffer, bytes.byteOffset + at + KEY_BYTES, dimensions);
      const scale = view.getFloat32(at + size - 8, true);
      known.set(bytes.subarray(at, at + KEY_BYTES).toHex(), { row, scale });
    }
  } catch {
    // Derived: unreadable is the same as absent.
  }
  return known;
}

function checkOf(bytes: Uint8Array, record: number, size: number): number {
  return hash32(bytes.subarray(record, record + size - 4));
}

/** In one write, so that records of two processes do not mix. If it fails, texts are embedded again. */
function append(
  fs: Fs,
  path: string,
  made: readonly (readonly [string, Known])[],
  dimensions: number,
): void {
  if (made.length === 0) return;
  const size = dimensions + EXTRA_BYTES;
  const bytes = new Uint8Array(made.length * size);
  const view = new DataView(bytes.buffer);
  made.forEach(([key, { row, scale }], i) => {
    const at = i * size;
    bytes.set(Uint8Array.fromHex(key), at);
    bytes.set(new Uint8Array(row.buffer, row.byteOffset, dimensions), at + KEY_BYTES);
    view.setFloat32(at + size - 8, scale, true);
    view.setUint32(at + size - 4, checkOf(bytes, at, size), true);
  });
  try {
    // Texts may be embedded before there is an index.
    fs.makeDir(dirname(path), 0o700);
    const { size: there = 0 } = fs.lstat(path) ?? {};
    const isFull = there > CACHE_BYTES_MAX;
    // Pads a truncated record, so that what follows begins where records are read.
    const gap = new Uint8Array(isFull ? 0 : (size - there % size) % size);
    const how = isFull ? { truncate: true } : { append: true };
    const options = { write: true, create: true, mode: 0o600, ...how };
    writeInto(fs, path, options, [concat([gap, bytes])]);
  } catch {
    // Derived data: the texts are embedded again.
  }
}
