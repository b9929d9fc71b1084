/**
 * The numeric core: wasm/core.wasm, compiled once a process, without imports or glue. The host reads
 * file ranges straight into its memory. Every kernel has a TypeScript twin in
 * tests/support/twins.ts, which is its oracle. Nothing here knows a file format or a score.
 */
import { readAsset } from "./assets.ts";

/**
 * Pointers are byte offsets into `memory`; what `alloc` gives is 64-byte aligned. Arrays are
 * little-endian. Vectors are finite and their dimensions a multiple of 16. A kernel that meets the
 * end of memory traps (`WebAssembly.RuntimeError`).
 */
export interface Core {
  /** Not shared, so its buffer is plain; growing replaces it. */
  readonly memory: { readonly buffer: ArrayBuffer };
  /**
   * Reserves bytes (rounded up to 64), growing the memory: views made before are then detached, so
   * make them anew after each call that may reserve (`bytesAt` and its like). Not cleared.
   */
  alloc(bytes: number): number;
  /** The current end of the reservations; `release(mark)` frees all that came after it. */
  mark(): number;
  release(mark: number): void;

  /** Lays the model's vocabulary (sections 1 to 3 of its file) under the tokenizer. */
  modelInit(tokens: number, slots: number, offsets: number, strings: number, hash: number): void;
  /** ASCII bytes → token ids (u32). Returns how many; at most `idsMax`. */
  modelTokenize(text: number, length: number, ids: number, idsMax: number): number;
  /** sum += scale × row, over int8 rows of `dims`: row = table + id × dims, scale = scales[id]. f32 sum. */
  poolTokens(
    ids: number,
    count: number,
    table: number,
    scales: number,
    dims: number,
    sum: number,
  ): void;
  /**
   * The scalar products (out: f64) of what `poolTokens` sums for each run of the ids (u16) and a vector
   * of `quantize16`, to be scaled by its scale. `ends`: where each run ends (u32), one behind the other.
   * A token's product is remembered for as long as `turn` is the same, which is any number but 0 that
   * stands for this table and vector.
   */
  dotRuns(
    ids: number,
    ends: number,
    runs: number,
    table: number,
    scales: number,
    dims: number,
    vector: number,
    turn: number,
    out: number,
  ): void;
  /** The same of a vector of `quantize16` and one of f32. */
  dot16(fine: number, vector: number, dims: number): number;
  /** a += b, f32. */
  add(a: number, b: number, dims: number): void;
  /** The scalar product of two f32 vectors, summed in f64. */
  dot(a: number, b: number, dims: number): number;
  /** Divides by the L2 norm in place; returns the norm (0: left as zeros). */
  normalize(vector: number, dims: number): number;
  /** f32 → int8 in ±127 with one scale; returns the scale (value ≈ int8 × scale; 0: all zeros). */
  quantize(vector: number, dims: number, out: number): number;
  /** The same to int16 in ±32767; the sums of `dotRuns` hold at most 512 dimensions. */
  quantize16(vector: number, dims: number, out: number): number;

  /**
   * out[i] (f32) = queryScale × scales[i] × dot(query, rows[i]). Cuts itself into blocks, so one
   * call may take any count. `dims` is at most 8,192; no component is −128.
   */
  scanInt8(
    query: number,
    queryScale: number,
    rows: number,
    scales: number,
    count: number,
    dims: number,
    out: number,
  ): void;
  /**
   * The indices (u32) and values (f32) of the k largest that are above a bound, best first; ties by
   * lower index; NaN is never chosen. Both outputs have room for k. Returns how many. Reserves eight
   * bytes a value for as long as it runs.
   */
  topK(
    values: number,
    count: number,
    k: number,
    above: number,
    indices: number,
    best: number,
  ): number;

  /**
   * Splits UTF-8 text into terms and writes their 64-bit hashes (`out`: 8 bytes each). There are at
   * most `length` terms. The same for queries and documents. The host folds what needs Unicode
   * before (marks, width, case of non-ASCII letters; segments of unspaced scripts set apart by
   * spaces; other non-ASCII signs to spaces), but leaves ASCII case alone: the kernel needs it.
   *
   * ASCII letters and digits and all bytes ≥ 0x80 make words. Words joined by one of / \ . - or by
   * underscores make a compound, emitted whole (\ as /) and then split one kind of joint at a time,
   * / first, _ last; a word in mixed case is emitted whole and then split at its case boundaries
   * into parts of two bytes or more.
   * src/userName.test → itself, src, username.test, username, user, name, test. Hash: FNV-1a of the
   * term's first 64 bytes in ASCII lower case.
   */
  termHashes(text: number, length: number, out: number, termsMax: number): number;
  /** The same, and where each term stands: `spans` gets its first byte and its end (u32 pairs). */
  termSpans(text: number, length: number, out: number, spans: number, termsMax: number): number;
  /**
   * Inverts `count` documents' term hashes into postings. Input: hashes (u64) of all documents back
   * to back, and for each document the index behind its last hash (u32). Returns the bytes the
   * block takes, laid out as `POSTINGS` says; nothing is written where that is above `outMax`
   * (`postingsBytesMax` always suffices; memory that is not touched costs nothing).
   */
  buildPostings(hashes: number, ends: number, count: number, out: number, outMax: number): number;
  /**
   * scores[doc] (f32) += idf × min(1, tf × (k1 + 1) / (tf + k1 × (1 − b + b × length / average))) for
   * one term's list: document ids (u32), frequencies (u8), and all documents' lengths (u16).
   */
  accumulateBm25(
    docs: number,
    frequencies: number,
    count: number,
    lengths: number,
    averageLength: number,
    idf: number,
    scores: number,
  ): void;

  /**
   * The same value, where it is above best[doc] (f32): that becomes it, and scores[doc] grows by the
   * difference. So of several lists after `best` was cleared each document has the best one added.
   */
  accumulateBest(
    docs: number,
    frequencies: number,
    count: number,
    lengths: number,
    averageLength: number,
    idf: number,
    best: number,
    scores: number,
  ): void;

  /**
   * out[doc] (f32) = what its cosine, its keyword score and its score of other words are worth together,
   * by tables (f32, `steps` each, one behind the other in this order) that say it for even steps of 0..1,
   * the two scores as shares of `reach`, and `perSize` × its size. A cosine of 0 is worth `unknown`, and
   * without any score 0, as is all of a document whose cosine is `masked`. Returns the highest keyword
   * score of the others.
   */
  addWorths(
    cosines: number,
    keywords: number,
    others: number,
    sizes: number,
    count: number,
    reach: number,
    masked: number,
    tables: number,
    steps: number,
    unknown: number,
    perSize: number,
    out: number,
  ): number;
  /**
   * Writes for each document its note (u32), and of the note's size, in documents, what `logs` (f32,
   * `logsMax` of them) has at that place or at its end. `starts`: the first document (u32) of each of
   * `count` notes, and behind the last the number of all; ascending.
   */
  spreadNotes(
    starts: number,
    count: number,
    logs: number,
    logsMax: number,
    notes: number,
    sizes: number,
  ): void;

  /**
   * Looks terms up by their hashes (u64) in the slots of a postings block, however damaged: `out` gets
   * {start u32, df u32} for each, df 0 where the block does not have it.
   */
  findTerms(slotsAt: number, slots: number, hashes: number, count: number, out: number): void;
  /** Whether each of these documents (u32) is above the one before, and all below `limit`; as 0 or 1. */
  isAscending(documents: number, count: number, limit: number): number;
  /** A set of documents has a bit for each, in words of 64 (`bytesOfSet`): adds some to one. */
  setBits(documents: number, count: number, bits: number): void;
  /** Leaves in the first set what the second has too. */
  andBits(bits: number, others: number, bytes: number): void;
  /** How many documents a set has. */
  countBits(bits: number, bytes: number): number;
  /** The documents (u32) of a set, ascending. Returns how many. */
  listBits(bits: number, bytes: number, out: number): number;

  /** Where the byte stands next in a range of memory, or `end`. */
  findByte(from: number, end: number, byte: number): number;
  /**
   * Cuts, in place, the middle out of every string of a JSON text (UTF-8) of more than `longer` bytes:
   * its first `head` and its last `tail` UTF-16 units stay at least, escapes and characters whole.
   * What stands under the key "plan" stays, and so does what has `<private` in what would be cut; of
   * what stands under "stdout" and "toolUseResult" nothing. Returns the new length. A torn text is left
   * as it is from its last open string on.
   */
  cutStrings(text: number, length: number, longer: number, head: number, tail: number): number;
}

/** Size in bytes of a bit set for this many documents. */
export function bytesOfSet(documents: number): number {
  return Math.ceil(documents / 64) * 8;
}

/**
 * The postings block: a header of u32 fields at these byte offsets, then four sections, each on a
 * multiple of 64 bytes, their offsets counted from the start of the block.
 *
 *   slots        {hash low u32, hash high u32, start u32, df u32} × slots; a power of two, at most
 *                seven tenths full; df = 0 is an empty slot. Look up: begin at `slotOf`, step by one
 *                (wrapping), stop at the hash or at an empty slot.
 *   documents    u32 × postings: a term's documents are entries start … start + df − 1, ascending
 *   frequencies  u8 × postings, beside the documents; 255 means 255 or more
 *   lengths      u16 × documents: terms a document; 65,535 means that or more
 *
 * The same input gives the same bytes; unused bytes are zero.
 */
export const POSTINGS = {
  headerBytes: 64,
  slotBytes: 16,
  /** Header fields. `totalLength` is the sum of the stored lengths. */
  bytes: 0,
  documents: 4,
  slots: 8,
  terms: 12,
  postings: 16,
  totalLength: 20,
  slotsAt: 24,
  documentsAt: 28,
  frequenciesAt: 32,
  lengthsAt: 36,
  /** Fields of a slot. */
  slotHashLow: 0,
  slotHashHigh: 4,
  slotStart: 8,
  slotDf: 12,
} as const;

/** Where the search for a hash begins in a table of `slots`. */
export function slotOf(hashLow: number, hashHigh: number, slots: number): number {
  return ((hashLow ^ hashHigh) & (slots - 1)) >>> 0;
}

/**
 * An upper bound of what `buildPostings` writes for this many term hashes (repeats included) and documents.
 */
export function postingsBytesMax(hashes: number, documents: number): number {
  let slots = 16;
  while (hashes * 10 > slots * 7) slots *= 2;
  return POSTINGS.headerBytes + slots * POSTINGS.slotBytes + hashes * 5 + documents * 2 + 4 * 64;
}

/** `length` bytes of the core's memory, valid until it grows. */
export function bytesAt(core: Core, at: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(core.memory.buffer, at, length);
}

/** `length` f32 of the core's memory, valid until it grows. */
export function floatsAt(core: Core, at: number, length: number): Float32Array<ArrayBuffer> {
  return new Float32Array(core.memory.buffer, at, length);
}

/** `length` u32 of the core's memory, valid until it grows. */
export function wordsAt(core: Core, at: number, length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(core.memory.buffer, at, length);
}

let module: WebAssembly.Module | undefined;
let shared: Core | undefined;

/** The shared core, for work that reserves and releases within one call. */
export function loadCore(): Core {
  shared ??= createCore();
  return shared;
}

/**
 * A core with memory of its own, for an owner that keeps something in it (a model, an index): no other
 * `release` can free it. The code is compiled once a process, on first use.
 */
export function createCore(): Core {
  module ??= new WebAssembly.Module(readAsset("core.wasm"));
  return new WebAssembly.Instance(module, {}).exports as unknown as Core;
}
