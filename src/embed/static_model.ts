/**
 * The static model (wasm/model/README.md has the format of its file) in its own instance of the core:
 * vocabulary and row scales in memory as in the file, and room for the table of embeddings, whose rows are
 * read one by one when texts need them, or all at once when that is quicker. A text's vector is the sum of
 * its tokens' rows, normalised.
 */
import { type Asset, openAsset } from "../base/assets.ts";
import { bytesAt, type Core, createCore, floatsAt, wordsAt } from "../base/core.ts";
import { SageError } from "../base/errors.ts";
import { toAscii } from "../base/text/ascii.ts";
import type { Comparison, PassageParts } from "./embedder.ts";

const HEADER_BYTES = 64;
const MAGIC = 0x31454753;
/** `PassageParts` has 16 bits for a token. */
const TOKENS_MAX = 1 << 16;
/**
 * Seeking and reading one row costs 2.5 µs. Tokens are numbered by frequency, so more than a question soon
 * needs most of the first rows, and reading these at once costs half a millisecond.
 */
const COMMON_FROM_ROWS = 32;
const COMMON_ROWS = 2048;
/** Reading the whole table costs 4.4 ms, about as much as this many rows by seek. */
const ROWS_BY_SEEK_MAX = 1500;
/** Spare token ids for a text: "c++" has three bytes and up to nine pieces; else there is one a byte at most. */
const IDS_SPARE = 16;

/** The share of a passage's length below which the rest without the shared words has a random direction. */
const REST_MIN = 0.05;

const encoder = new TextEncoder();

/** A question's vector in the core's memory: f32 at `unit`, and int16 (`quantize16`) × `scale` at `fine`. */
interface Asked {
  readonly query: Float32Array | undefined;
  readonly unit: number;
  readonly fine: number;
  readonly scale: number;
  /** Differs for each question, so that `dotRuns` does not use what it cached for another. */
  readonly turn: number;
}

export class StaticModel {
  readonly dimensions: number;
  readonly #core: Core;
  readonly #asset: Asset;
  readonly #scales: number;
  readonly #rowsOffset: number;
  readonly #tokens: number;
  /** The address of the table. Parts that are not read take no memory: the system allocates touched pages. */
  readonly #table: number;
  /** For each token 1 if its row is in memory. */
  readonly #rows: Uint8Array;
  #rowsRead = 0;
  #asked: Asked;
  /** Memory above this mark is scratch. */
  readonly #floor: number;

  constructor() {
    this.#core = createCore();
    this.#asset = openAsset("static-embed-32k-256.bin");
    try {
      const header = this.#readHeader();
      this.dimensions = header.dimensions;
      this.#tokens = header.tokens;
      this.#rowsOffset = header.rowsAt;
      const base = this.#load(HEADER_BYTES, header.rowsAt - HEADER_BYTES) - HEADER_BYTES;
      this.#scales = base + header.scalesAt;
      const { tokens, slots, offsetsAt, stringsAt, hashAt } = header;
      this.#core.modelInit(tokens, slots, base + offsetsAt, base + stringsAt, base + hashAt);
      this.#table = this.#core.alloc(tokens * this.dimensions);
      this.#rows = new Uint8Array(tokens);
      const [unit, fine] = [this.dimensions * 4, this.dimensions * 2];
      this.#asked = {
        query: undefined,
        unit: this.#core.alloc(unit),
        fine: this.#core.alloc(fine),
        scale: 0,
        turn: 0,
      };
      this.#floor = this.#core.mark();
    } catch (error) {
      this.#asset.close();
      throw error;
    }
  }

  close(): void {
    this.#asset.close();
  }

  /** The text's token ids. */
  tokenize(text: string): Uint32Array {
    return this.#scratch(() => {
      const { ids, count } = this.#tokenize(text);
      return wordsAt(this.#core, ids, count).slice();
    });
  }

  /** Writes the text's unit vector to `out`; zeros, and returns false, if it has no token. */
  embed(text: string, out: Float32Array): boolean {
    return this.#scratch(() => {
      const sum = this.#embed(text);
      if (sum === undefined) out.fill(0);
      else out.set(floatsAt(this.#core, sum, this.dimensions));
      return sum !== undefined;
    });
  }

  /** `Embedder.takeApart`. */
  takeApart(heading: string, sentences: readonly string[]): PassageParts | undefined {
    return this.#scratch(() => {
      const [core, dims] = [this.#core, this.dimensions];
      const square = (vector: number): number => core.dot(vector, vector, dims);
      // Copies all parts into the core at once, then tokenizes them one by one.
      const texts = [heading, ...sentences].map(toAscii);
      const { at, idsMax, ids } = this.#lay(texts.join("\n"), IDS_SPARE * texts.length);
      let [from, count] = [at, 0];
      const counts = texts.map(({ length }) => {
        const own = core.modelTokenize(from, length, ids + count * 4, idsMax - count);
        from += length + 1;
        count += own;
        return own;
      });
      const all = wordsAt(core, ids, count).slice();
      this.#loadRows(all);
      let idsAt = ids;
      const pool = (count: number): number => {
        const sum = this.#vector();
        core.poolTokens(idsAt, count, this.#table, this.#scales, dims, sum);
        idsAt += count * 4;
        return sum;
      };
      const head = pool(counts[0] ?? 0);
      const whole = this.#vector();
      const [ends, squares] = [[counts[0] ?? 0], [] as number[]];
      for (const count of counts.slice(1)) {
        if (count === 0) continue;
        const sum = pool(count);
        core.add(whole, sum, dims);
        core.add(sum, head, dims);
        ends.push((ends.at(-1) ?? 0) + count);
        squares.push(square(sum));
      }
      core.add(whole, head, dims);
      const length = square(whole);
      if (length === 0) return undefined;
      const fine = core.alloc(dims * 2);
      const scale = core.quantize16(whole, dims, fine);
      const vector = new Int16Array(core.memory.buffer, fine, dims);
      return { ...kept(vector, all), ends, squares, scale, square: length };
    });
  }

  /** `Embedder.compare`. */
  compare(query: Float32Array, parts: PassageParts, shared: string): Comparison {
    return this.#scratch(() => {
      const [core, dims] = [this.#core, this.dimensions];
      const { ids, ends, squares } = parts;
      const { unit, fine, scale, turn } = this.#ask(query);
      const idsAt = core.alloc(ids.byteLength);
      const endsAt = core.alloc(ends.length * 4);
      const out = core.alloc(ends.length * 8);
      new Uint16Array(core.memory.buffer, idsAt, ids.length).set(ids);
      wordsAt(core, endsAt, ends.length).set(ends);
      this.#loadRows(ids);
      const runs = ends.length;
      core.dotRuns(idsAt, endsAt, runs, this.#table, this.#scales, dims, fine, turn, out);
      const onUnit = new Float64Array(core.memory.buffer, out, runs);
      const headOnUnit = scale * (onUnit[0] ?? 0);
      let wholeOnUnit = headOnUnit;
      let nearest: number | undefined;
      squares.forEach((square, i) => {
        const own = scale * (onUnit[i + 1] ?? 0);
        wholeOnUnit += own;
        const cosine = square > 0 ? (own + headOnUnit) / Math.sqrt(square) : -1;
        nearest = Math.max(nearest ?? -1, cosine);
      });
      const plain = wholeOnUnit / Math.sqrt(parts.square);
      const common = this.#sum(shared);
      if (common === undefined) return { nearest: nearest ?? plain, apart: plain };
      const whole = core.alloc(dims * 2);
      new Int16Array(core.memory.buffer, whole, dims).set(parts.whole);
      const wholeOnCommon = parts.scale * core.dot16(whole, common, dims);
      const square = parts.square - 2 * wholeOnCommon + core.dot(common, common, dims);
      const apart = square <= REST_MIN ** 2 * parts.square
        ? plain
        : (wholeOnUnit - core.dot(common, unit, dims)) / Math.sqrt(square);
      return { nearest: nearest ?? plain, apart };
    });
  }

  /** Puts a question's vector in memory; kept, because it is compared with several passages. */
  #ask(query: Float32Array): Asked {
    if (this.#asked.query === query) return this.#asked;
    const { unit, fine, turn } = this.#asked;
    floatsAt(this.#core, unit, this.dimensions).set(query);
    const scale = this.#core.quantize16(unit, this.dimensions, fine);
    return this.#asked = { query, unit, fine, scale, turn: turn + 1 };
  }

  /** A zero vector in scratch memory. */
  #vector(): number {
    const at = this.#core.alloc(this.dimensions * 4);
    floatsAt(this.#core, at, this.dimensions).fill(0);
    return at;
  }

  /** The text's vector as int8; returns the scale, 0 if the text has no token. */
  embedQuantized(text: string, out: Int8Array): number {
    return this.#scratch(() => {
      const sum = this.#embed(text);
      if (sum === undefined) {
        out.fill(0);
        return 0;
      }
      const row = this.#core.alloc(this.dimensions);
      const scale = this.#core.quantize(sum, this.dimensions, row);
      out.set(new Int8Array(this.#core.memory.buffer, row, this.dimensions));
      return scale;
    });
  }

  #scratch<T>(body: () => T): T {
    try {
      return body();
    } finally {
      this.#core.release(this.#floor);
    }
  }

  #tokenize(text: string): { ids: number; count: number } {
    const { at, length, ids, idsMax } = this.#lay(toAscii(text));
    return { ids, count: this.#core.modelTokenize(at, length, ids, idsMax) };
  }

  /** Copies ASCII text to scratch memory, and allocates room for its ids. */
  #lay(ascii: string, spare = IDS_SPARE) {
    const { length } = ascii;
    const at = this.#core.alloc(length);
    const idsMax = length + spare;
    const ids = this.#core.alloc(idsMax * 4);
    encoder.encodeInto(ascii, bytesAt(this.#core, at, length));
    return { at, length, ids, idsMax };
  }

  /** The address of the text's unit vector; undefined if it has no token. */
  #embed(text: string): number | undefined {
    const sum = this.#sum(text);
    if (sum !== undefined) this.#core.normalize(sum, this.dimensions);
    return sum;
  }

  /** The same before normalisation. */
  #sum(text: string): number | undefined {
    return this.#pool(this.#tokenize(text));
  }

  #pool({ ids, count }: { readonly ids: number; readonly count: number }): number | undefined {
    if (count === 0) return undefined;
    this.#loadRows(wordsAt(this.#core, ids, count));
    const sum = this.#vector();
    this.#core.poolTokens(ids, count, this.#table, this.#scales, this.dimensions, sum);
    return sum;
  }

  /** Reads the rows of these tokens that are not in memory yet. */
  #loadRows(ids: Uint16Array | Uint32Array): void {
    if (this.#rowsRead === this.#tokens) return;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] ?? 0;
      if (this.#rows[id] === 1) continue;
      if (this.#rowsRead === COMMON_FROM_ROWS) {
        const common = Math.min(COMMON_ROWS, this.#tokens);
        this.#read(0, common);
        this.#rows.fill(1, 0, common);
        this.#rowsRead++;
        if (id < common) continue;
      }
      if (this.#rowsRead === ROWS_BY_SEEK_MAX) {
        this.#read(0, this.#tokens);
        this.#rowsRead = this.#tokens;
        return;
      }
      this.#read(id, 1);
      this.#rows[id] = 1;
      this.#rowsRead++;
    }
  }

  /** Reads `count` rows into the table. */
  #read(first: number, count: number): void {
    const [at, length] = [first * this.dimensions, count * this.dimensions];
    this.#asset.read(this.#rowsOffset + at, bytesAt(this.#core, this.#table + at, length));
  }

  /** Reads a part of the file into memory for good; returns its address. */
  #load(offset: number, length: number): number {
    const at = this.#core.alloc(length);
    this.#asset.read(offset, bytesAt(this.#core, at, length));
    return at;
  }

  #readHeader() {
    const bytes = new Uint8Array(HEADER_BYTES);
    this.#asset.read(0, bytes);
    const view = new DataView(bytes.buffer);
    const field = (offset: number) => view.getUint32(offset, true);
    if (field(0) !== MAGIC || field(4) !== 1 || field(8) > TOKENS_MAX) {
      throw new SageError("internal", "Built-in model has an unknown format");
    }
    return {
      tokens: field(8),
      dimensions: field(12),
      slots: field(16),
      offsetsAt: field(24),
      stringsAt: field(28),
      hashAt: field(32),
      scalesAt: field(36),
      rowsAt: field(40),
    };
  }
}

/** A passage's vector and tokens in one buffer, because thousands of passages may be kept. */
function kept(vector: Int16Array, tokens: Uint32Array): Pick<PassageParts, "whole" | "ids"> {
  const memory = new ArrayBuffer(vector.byteLength + tokens.length * 2);
  const whole = new Int16Array(memory, 0, vector.length);
  const ids = new Uint16Array(memory, vector.byteLength);
  whole.set(vector);
  ids.set(tokens);
  return { whole, ids };
}
