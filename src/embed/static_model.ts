/**
 * The static model's file in a core of its own: vocabulary and row scales as they lie, rows one by
 * one from the file for a short text, the whole table once a process has asked for enough of them.
 * Knows bytes and token ids; what a vector is for is static.ts's.
 */
import { type Asset, openAsset } from "../base/assets.ts";
import { bytesAt, type Core, createCore, floatsAt, wordsAt } from "../base/core.ts";
import { SageError } from "../base/errors.ts";
import { toAscii } from "./ascii.ts";

const HEADER_BYTES = 64;
const MAGIC = 0x31454753;
/** One row by seek and read costs 2.5 µs, the whole table 4.4 ms: by then as much has been spent. */
const ROWS_BY_SEEK_MAX = 1500;
/** "c++" is three bytes and may be as many as nine pieces; everything else gives at most one a byte. */
const IDS_SPARE = 16;

const encoder = new TextEncoder();

export class StaticModel {
  readonly dimensions: number;
  readonly #core: Core;
  readonly #asset: Asset;
  readonly #scales: number;
  readonly #rowsOffset: number;
  readonly #tokens: number;
  /** Where the table lies in memory; 0 while it is still in the file. */
  #table = 0;
  #rowsRead = 0;
  /** Everything above is scratch. */
  #floor: number;

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

  /** Writes the text's unit vector to `out`; false (and zeros) where there is no token. */
  embed(text: string, out: Float32Array): boolean {
    return this.#scratch(() => {
      const sum = this.#embed(text);
      if (sum === undefined) out.fill(0);
      else out.set(floatsAt(this.#core, sum, this.dimensions));
      return sum !== undefined;
    });
  }

  /** Writes the sum of the tokens' vectors to `out`, not normalised; false where there is no token. */
  sum(text: string, out: Float32Array): boolean {
    return this.#scratch(() => {
      const sum = this.#sum(text);
      if (sum !== undefined) out.set(floatsAt(this.#core, sum, this.dimensions));
      return sum !== undefined;
    });
  }

  /** The same as int8; returns the scale, 0 where there is no token. */
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
    const ascii = toAscii(text);
    const length = ascii.length;
    const bytes = this.#core.alloc(length);
    const idsMax = length + IDS_SPARE;
    const ids = this.#core.alloc(idsMax * 4);
    encoder.encodeInto(ascii, bytesAt(this.#core, bytes, length));
    return { ids, count: this.#core.modelTokenize(bytes, length, ids, idsMax) };
  }

  /** Where the text's unit vector lies, or undefined where there is no token. */
  #embed(text: string): number | undefined {
    const sum = this.#sum(text);
    if (sum !== undefined) this.#core.normalize(sum, this.dimensions);
    return sum;
  }

  /** The same before it is normalised. */
  #sum(text: string): number | undefined {
    const { ids, count } = this.#tokenize(text);
    if (count === 0) return undefined;
    if (this.#table === 0 && this.#rowsRead + count > ROWS_BY_SEEK_MAX) {
      // Below the scratch, so that releasing that leaves the table alone.
      this.#core.release(this.#floor);
      this.#table = this.#load(this.#rowsOffset, this.#tokens * this.dimensions);
      this.#floor = this.#core.mark();
      return this.#sum(text);
    }
    const sum = this.#core.alloc(this.dimensions * 4);
    floatsAt(this.#core, sum, this.dimensions).fill(0);
    if (this.#table === 0) this.#poolFromFile(ids, count, sum);
    else this.#core.poolTokens(ids, count, this.#table, this.#scales, this.dimensions, sum);
    return sum;
  }

  #poolFromFile(ids: number, count: number, sum: number): void {
    const dims = this.dimensions;
    const rows = this.#core.alloc(count * dims);
    const scales = this.#core.alloc(count * 4);
    const idsView = wordsAt(this.#core, ids, count);
    const scalesView = floatsAt(this.#core, scales, count);
    const allScales = floatsAt(this.#core, this.#scales, this.#tokens);
    for (let i = 0; i < count; i++) {
      const id = idsView[i] ?? 0;
      this.#asset.read(this.#rowsOffset + id * dims, bytesAt(this.#core, rows + i * dims, dims));
      scalesView[i] = allScales[id] ?? 0;
    }
    this.#rowsRead += count;
    this.#core.poolRows(rows, scales, count, dims, sum);
  }

  /** Reads a part of the file into memory for good; returns where it lies. */
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
    if (field(0) !== MAGIC || field(4) !== 1) {
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
