/**
 * Vectors of texts that a slow model has embedded before, by the text's hash, beside the indexes. A
 * note of which one section changed costs that section; an index that is made anew costs reading. One
 * file a model, appended to and read whole; derived, so whatever is wrong with it makes it empty.
 */
import { concat } from "../base/concat.ts";
import { dirname, type Fs, join, readBytes, writeInto } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import type { Embedder, QuantizedVectors } from "./embedder.ts";

/** A hundred thousand texts at 384 dimensions; a fuller file begins anew. */
const CACHE_BYTES_MAX = 48 * 1024 * 1024;
/** Bytes of a text's SHA-256: enough for two texts never to share them. */
const KEY_BYTES = 16;
/** Hash, scale, and a sum that tells a record which was cut short. */
const EXTRA_BYTES = KEY_BYTES + 8;

export interface VectorCache {
  /** Those of the texts that would have to be embedded, each once. */
  unknown(texts: readonly string[]): string[];
  /** Takes over what somebody else has embedded. */
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

/** The embedder, asked only for what is not in the file. */
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
      [keyOf(text), quantize(vectors[i], embedder.dimensions)] as const
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

function quantize(vector: Float32Array | undefined, dimensions: number): Known {
  const row = new Int8Array(dimensions);
  let largest = 0;
  for (const value of vector ?? []) largest = Math.max(largest, Math.abs(value));
  if (vector === undefined || largest < 1e-30) return { row, scale: 0 };
  const factor = 127 / largest;
  for (let i = 0; i < dimensions; i++) row[i] = Math.round((vector[i] ?? 0) * factor);
  return { row, scale: Math.fround(largest / 127) };
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
      // What a power cut left empty, or a full disk cut short, costs itself.
      if (view.getUint32(at + size - 4, true) !== sumOf(bytes, at, size - 4)) continue;
      const row = new Int8Array(bytes.buffer, bytes.byteOffset + at + KEY_BYTES, dimensions);
      const scale = view.getFloat32(at + size - 8, true);
      known.set(bytes.subarray(at, at + KEY_BYTES).toHex(), { row, scale });
    }
  } catch {
    // Derived: unreadable is the same as absent.
  }
  return known;
}

/** In one write, so that two processes' records do not mix. Its failure costs embedding again. */
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
    view.setUint32(at + size - 4, sumOf(bytes, at, size - 4), true);
  });
  try {
    // Texts may be embedded before there is an index.
    fs.makeDir(dirname(path), 0o700);
    const { size: there = 0 } = fs.lstat(path) ?? {};
    const isFull = there > CACHE_BYTES_MAX;
    // A record that was cut short is filled up: what follows stands where records are looked for.
    const gap = new Uint8Array(isFull ? 0 : (size - there % size) % size);
    const how = isFull ? { truncate: true } : { append: true };
    const options = { write: true, create: true, mode: 0o600, ...how };
    writeInto(fs, path, options, concat([gap, bytes]));
  } catch {
    // See above.
  }
}

/** FNV-1a of a record. */
function sumOf(bytes: Uint8Array, from: number, length: number): number {
  let sum = 0x811c9dc5;
  for (let i = from; i < from + length; i++) sum = Math.imul(sum ^ (bytes[i] ?? 0), 0x01000193);
  return sum >>> 0;
}
