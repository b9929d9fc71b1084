/**
 * The numeric core: wasm/core.wasm, instantiated once a process, without imports or glue. One memory;
 * the host reads file ranges straight into it. Every kernel has a TypeScript twin in
 * tests/support/twins.ts, which is its oracle.
 */
import { readAsset } from "./assets.ts";

/** Pointers are byte offsets into `memory`. All arrays are little-endian and 16-byte aligned. */
export interface Core {
  readonly memory: WebAssembly.Memory;
  /** Reserves bytes (rounded up to 64), growing the memory. Views made before may be detached. */
  alloc(bytes: number): number;
  /** The current end of the reservations; `release(mark)` frees all that came after it. */
  mark(): number;
  release(mark: number): void;

  /** Lays the model's vocabulary (sections 1 to 3 of its file) under the tokenizer. */
  modelInit(tokens: number, slots: number, offsets: number, strings: number, hash: number): void;
  /** ASCII bytes → token ids (u32). Returns how many; at most `idsMax`. */
  modelTokenize(text: number, length: number, ids: number, idsMax: number): number;
  /** sum += scale × row, over `count` int8 rows of `dims`, gathered by the host in order. f32 sum. */
  poolRows(rows: number, scales: number, count: number, dims: number, sum: number): void;
  /** The same where all rows lie in memory: row = table + id × dims. */
  poolTokens(
    ids: number,
    count: number,
    table: number,
    scales: number,
    dims: number,
    sum: number,
  ): void;
  /** Divides by the L2 norm in place; returns the norm (0: left as zeros). */
  normalize(vector: number, dims: number): number;
  /** f32 → int8 with one scale; returns the scale (value ≈ int8 × scale). */
  quantize(vector: number, dims: number, out: number): number;

  /** out[i] = querySscale × scales[i] × dot(query, rows[i]); int8 SIMD, in blocks of 4,096 rows. */
  scanInt8(
    query: number,
    queryScale: number,
    rows: number,
    scales: number,
    count: number,
    dims: number,
    out: number,
  ): void;
  /** The indices (u32) and values (f32) of the k largest; ties by lower index. Returns how many. */
  topK(values: number, count: number, k: number, indices: number, best: number): number;

  /**
   * Splits lower-cased ASCII or UTF-8 text into terms and writes 64-bit term hashes (u32 pairs).
   * Letters, digits and all bytes ≥ 0x80 make terms; what needs Unicode is folded by the host before.
   */
  termHashes(text: number, length: number, out: number, termsMax: number): number;
  /**
   * Inverts `count` documents' term hashes into postings. Input: hashes (u64) of all documents back
   * to back, and ends (u32) of each. Output at `out`: see search/format.ts. Returns bytes written.
   */
  buildPostings(hashes: number, ends: number, count: number, out: number, outMax: number): number;
  /** scores[doc] += idf × tf × (k1 + 1) / (tf + k1 × (1 − b + b × length / average)). */
  accumulateBm25(
    docs: number,
    frequencies: number,
    count: number,
    lengths: number,
    averageLength: number,
    idf: number,
    scores: number,
  ): void;
}

let instance: Core | undefined;

/** The core, compiled on first use (under half a millisecond). */
export function loadCore(): Core {
  if (instance === undefined) {
    const module = new WebAssembly.Module(readAsset("core.wasm") as BufferSource);
    instance = new WebAssembly.Instance(module, {}).exports as unknown as Core;
  }
  return instance;
}
