/**
 * Access to the numeric core, wasm/core.wasm, which has no imports. The host reads ranges of files directly
 * into its memory. Every kernel has a twin in TypeScript, tests/support/twins.ts, which it is tested
 * against. Of file formats it knows only the model's vocabulary and the block of postings.
 */
import { readAsset } from "./assets.ts";

/**
 * Pointers are byte offsets into `memory`; those from `alloc` are aligned to 64 bytes. Numbers are
 * little-endian. Vectors are finite, their dimensions multiples of 16. A kernel that goes beyond the end of
 * memory traps (`WebAssembly.RuntimeError`).
 */
export interface Core {
  /** Growing replaces its buffer. */
  readonly memory: { readonly buffer: ArrayBuffer };
  /**
   * Reserves bytes (rounded up to 64), not cleared. It may grow the memory, which detaches all views made
   * before: make them again after each call that may reserve (`bytesAt`, `floatsAt`, `wordsAt`).
   */
  alloc(bytes: number): number;
  /** The current end of the reservations; `release(mark)` frees everything that was reserved later. */
  mark(): number;
  release(mark: number): void;

  /** Sets the vocabulary of `modelTokenize`: sections 1 to 3 of the model's file (wasm/model/README.md). */
  modelInit(tokens: number, slots: number, offsets: number, strings: number, hash: number): void;
  /** Tokenizes ASCII bytes to token ids (u32). Returns how many, at most `idsMax`. */
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
   * For each run of token ids (u16) the dot product (f64) of its `poolTokens` sum and a vector of
   * `quantize16`, still to be multiplied with that vector's scale. `ends`: the end of each run (u32), of
   * runs back to back. A token's product is cached while `turn` stays the same: any number but 0 that is
   * unique to a table and vector.
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
  /** The dot product of a vector of `quantize16` and one of f32, without the scale. */
  dot16(fine: number, vector: number, dims: number): number;
  /** a += b, f32. */
  add(a: number, b: number, dims: number): void;
  /** The dot product of two f32 vectors, summed in f64. */
  dot(a: number, b: number, dims: number): number;
  /** Divides a vector by its L2 norm in place; returns the norm (0 for zeros, which stay). */
  normalize(vector: number, dims: number): number;
  /** f32 → int8 in ±127; returns the scale (value ≈ int8 × scale; 0 for all zeros). */
  quantize(vector: number, dims: number, out: number): number;
  /** f32 → int16 in ±32767, like `quantize`. For `dotRuns` at most 512 dimensions, or its sums overflow. */
  quantize16(vector: number, dims: number, out: number): number;

  /**
   * out[i] (f32) = queryScale × scales[i] × dot(query, rows[i]), for `count` int8 rows. `dims` is at most
   * 8,192; no component is −128.
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
   * The indices (u32) and values (f32) of the k largest values greater than `above`, best first; ties by
   * lower index; never NaN. Both outputs have room for k. Returns how many. Reserves eight bytes a value
   * while it runs.
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
   * Splits UTF-8 text into terms and writes their 64-bit hashes (`out`: 8 bytes each), at most `length`.
   * The same for queries and documents. Before, the host folds what needs Unicode (marks, width, case of
   * non-ASCII letters; words of unspaced scripts separated by spaces; other non-ASCII signs replaced by
   * spaces), but not the case of ASCII letters, which the kernel needs.
   *
   * ASCII letters and digits and all bytes ≥ 0x80 make words. Words joined by one of / \ . - or by
   * underscores make a compound, emitted whole (\ as /) and then split one kind of joint at a time,
   * / first, _ last; a word in mixed case is emitted whole and then split at its case boundaries
   * into parts of two bytes or more.
   * src/userName.test → itself, src, username.test, username, user, name, test. Hash: FNV-1a of the
   * term's first 64 bytes in ASCII lower case.
   */
  termHashes(text: number, length: number, out: number, termsMax: number): number;
  /** The same, and writes the start and end of each term in the text to `spans` (u32 pairs). */
  termSpans(text: number, length: number, out: number, spans: number, termsMax: number): number;
  /**
   * Inverts the term hashes of `count` documents to postings. Input: the hashes (u64) of all documents back
   * to back, and for each document the index behind its last hash (u32). Writes a block as in `POSTINGS`
   * and returns its bytes; writes nothing if they are more than `outMax` (`postingsBytesMax` is enough).
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
   * The same for several lists of which the best counts for each document: if the value is greater than
   * best[doc] (f32), scores[doc] grows by the difference, and best[doc] becomes the value. Clear `best` first.
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
   * out[doc] (f32) = the worth of its cosine + keyword score + synonym score (`others`) + `perSize` × its
   * size. The worths are looked up in three tables (f32, `steps` each, back to back in this order) over
   * 0..1, the two scores as shares of `reach`. A cosine of 0 is worth `unknown`. The result is 0 for a
   * document without any score, and for one whose cosine is `masked`. Returns the highest keyword score of
   * the documents that are not masked.
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
   * Writes for each document the number of its note (u32) to `notes`, and logs[size of the note] (f32) to
   * `sizes`; for larger notes the last of `logsMax` logs. `starts`: the first document (u32) of each of
   * `count` notes, then the number of all documents; ascending.
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
   * Looks up terms by their hashes (u64) in the slots of a postings block, which may be damaged. Writes
   * {start u32, df u32} for each to `out`, with df 0 for a missing term.
   */
  findTerms(slotsAt: number, slots: number, hashes: number, count: number, out: number): void;
  /** 1 if these documents (u32) are strictly ascending and below `limit`, else 0. */
  isAscending(documents: number, count: number, limit: number): number;
  /** Adds documents (u32) to a set, which has a bit for each document (`bytesOfSet`). */
  setBits(documents: number, count: number, bits: number): void;
  /** Intersects the first set with the second, in place. */
  andBits(bits: number, others: number, bytes: number): void;
  /** The number of documents in a set. */
  countBits(bits: number, bytes: number): number;
  /** Writes the documents (u32) of a set, ascending. Returns how many. */
  listBits(bits: number, bytes: number, out: number): number;

  /** The address of the next such byte in a range of memory, or `end`. */
  findByte(from: number, end: number, byte: number): number;
  /**
   * Cuts the middle out of every string of more than `longer` bytes in a JSON text (UTF-8), in place. At
   * least the first `head` and last `tail` UTF-16 units stay, with whole escapes and characters. Strings
   * under the key "plan" stay whole, and so do those with `<private` in the part to be cut; strings under
   * "stdout" and "toolUseResult" are emptied. Returns the new length. If the text ends within a string, it
   * stays as it is from there on.
   */
  cutStrings(text: number, length: number, longer: number, head: number, tail: number): number;
}

/** Size in bytes of a bit set for this many documents. */
export function bytesOfSet(documents: number): number {
  return Math.ceil(documents / 64) * 8;
}

/**
 * The postings block: a header of u32 fields at these byte offsets, then four sections, each on a multiple
 * of 64 bytes; their offsets count from the start of the block.
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

/** The slot at which the search for a hash begins. */
export function slotOf(hashLow: number, hashHigh: number, slots: number): number {
  return ((hashLow ^ hashHigh) & (slots - 1)) >>> 0;
}

/** An upper bound of the bytes that `buildPostings` writes for so many term hashes, with repeats, and documents. */
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

/** The shared core: for work that releases what it reserves, and for blocks of search/segment/arena.ts. */
export function loadCore(): Core {
  shared ??= createCore();
  return shared;
}

/**
 * A core with its own memory, for an owner that keeps something in it, such as a model. The module is
 * compiled once a process, on first use.
 */
export function createCore(): Core {
  module ??= new WebAssembly.Module(readAsset("core.wasm"));
  return new WebAssembly.Instance(module, {}).exports as unknown as Core;
}
