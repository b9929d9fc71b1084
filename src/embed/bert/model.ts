/**
 * Runs a converted model, from text to unit vector, with the file's sections in the kernels' memory. For the
 * first text of a process the layers are read one after the other into the same memory, which takes half
 * the time of keeping them; from the second text on they are kept. Embedding rows are read one by one until
 * so many were needed that the whole table pays. Every byte is checked before it is used.
 */
import { SageError } from "../../base/errors.ts";
import { type FileHandle, type Fs, readFull } from "../../base/fs.ts";
import { attentionBytes, createKernels, type Kernels } from "./kernels.ts";
import {
  decodeHead,
  type Head,
  HEAD_BYTES_MAX,
  type LayerParts,
  layerParts,
  MAGIC,
  type Matrix,
  PREFIX_BYTES,
  recordBytes,
  type Section,
  type Sections,
  sectionsOf,
  type Shape,
} from "./layout.ts";
import { unigramPieces } from "./unigram.ts";
import { Vocabulary } from "./vocabulary.ts";
import { wordPieces } from "./word_piece.ts";

/** Reading a row by seek costs about 3 µs, a table of 30,000 rows 8 ms: as much as this share of its rows. */
const ROWS_BY_SEEK_SHARE = 1 / 12;
/** A larger table (of a multilingual vocabulary) stays in the file. */
const TABLE_BYTES_MAX = 32 * 1024 * 1024;

export class BertModel {
  readonly shape: Shape;
  readonly #file: FileHandle;
  readonly #kernels: Kernels;
  readonly #head: Head;
  readonly #sections: Sections;
  readonly #parts: LayerParts;
  #vocabulary: Vocabulary | undefined;
  /** The address of the positions section; 0 until the first text. */
  #positions = 0;
  /** The addresses of the layers; empty while they are only in the file. */
  #layers: readonly number[] = [];
  /** The address of the words section; 0 while it is only in the file. */
  #words = 0;
  #rowsRead = 0;
  /** Memory above this mark is scratch. */
  #floor = 0;

  /** Reads and checks the head only. */
  constructor(fs: Fs, path: string) {
    this.#file = fs.open(path, { read: true });
    try {
      const { size } = this.#file.info();
      this.#kernels = createKernels();
      const { head, headBytes } = this.#readHead(size);
      this.#head = head;
      this.shape = head.shape;
      this.#sections = sectionsOf(head.shape, headBytes);
      if (this.#sections.length !== size) throw damaged(`it has ${size} bytes, not all of them`);
      this.#parts = layerParts(head.shape);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  close(): void {
    this.#file.close();
  }

  /** The text's token ids, special tokens included. */
  tokenize(text: string): number[] {
    const { tokenizer, tokensMax } = this.shape;
    const { before, after, kind } = tokenizer;
    const vocabulary = this.#vocabulary ??= this.#readVocabulary();
    const idsMax = tokensMax - before.length - after.length;
    const split = kind === "unigram" ? unigramPieces : wordPieces;
    return [...before, ...split(text, vocabulary, tokenizer, idsMax), ...after];
  }

  /** The unit vector of prefix and text; undefined if all of the text is unknown. */
  embed(text: string, prefix = ""): Float32Array | undefined {
    const { before, after, unknown } = this.shape.tokenizer;
    const own = this.tokenize(text);
    if (own.slice(before.length, own.length - after.length).every((id) => id === unknown)) {
      return undefined;
    }
    const ids = prefix === "" ? own : this.tokenize(prefix + text);
    this.#keepWeights();
    this.#keepWords(ids.length);
    try {
      return this.#encode(ids);
    } finally {
      this.#kernels.release(this.#floor);
    }
  }

  #encode(ids: readonly number[]): Float32Array {
    const kernels = this.#kernels;
    const { width, inner, heads, epsilon, pooling } = this.shape;
    const count = ids.length;
    const rows = this.#embedWords(ids);
    const qkv = kernels.alloc(count * 3 * width * 4);
    const mixed = kernels.alloc(count * width * 4);
    const raised = kernels.alloc(count * inner * 4);
    const narrow = kernels.alloc(count * Math.max(width, inner) * 2);
    const scales = kernels.alloc(count * 4);
    const scratch = kernels.alloc(attentionBytes(count, width, heads));
    const parts = this.#parts;
    const room = this.#layers.length > 0 ? 0 : kernels.alloc(parts.length);
    for (const [i, section] of this.#sections.layers.entries()) {
      const layer = this.#layers[i] ?? this.#load(section, 2 + i, room);
      const apply = (matrix: Matrix, from: number, to: number): void => {
        kernels.narrowRows(from, count, matrix.width, narrow, scales);
        const [weights, weightScales] = [layer + matrix.weights, layer + matrix.scales];
        const { width: columns, rows: outputs } = matrix;
        const bias = layer + matrix.bias;
        kernels.linear(narrow, scales, count, columns, weights, weightScales, bias, outputs, to);
      };
      const settle = (gamma: number, beta: number): void =>
        kernels.addNorm(rows, mixed, count, width, layer + gamma, layer + beta, epsilon);
      apply(parts.qkv, rows, qkv);
      kernels.attend(qkv, count, width, heads, scratch, raised);
      apply(parts.out, raised, mixed);
      settle(parts.attentionGamma, parts.attentionBeta);
      apply(parts.up, rows, raised);
      kernels.gelu(raised, count * inner);
      apply(parts.down, raised, mixed);
      settle(parts.outputGamma, parts.outputBeta);
    }
    kernels.sumRows(rows, pooling === "cls" ? 1 : count, width, mixed);
    const length = kernels.normalize(mixed, width);
    if (!(length > 0 && length < Infinity)) throw damaged("its vectors are no directions");
    return new Float32Array(kernels.memory.buffer, mixed, width).slice();
  }

  /** Embeds tokens and positions; returns the address of the first layer's input. */
  #embedWords(ids: readonly number[]): number {
    const kernels = this.#kernels;
    const { width, epsilon } = this.shape;
    const rows = kernels.alloc(ids.length * width * 4);
    const record = kernels.alloc(recordBytes(width));
    ids.forEach((id, i) => {
      const at = this.#words === 0
        ? this.#readRecord(id, record)
        : this.#words + id * recordBytes(width);
      const facts = new DataView(kernels.memory.buffer, at + width, 8);
      if (kernels.checksum(at, width + 4) >>> 0 !== facts.getUint32(4, true)) {
        throw damaged(`row ${id} of its words was changed`);
      }
      const position = this.#positions + (2 + i) * width * 4;
      kernels.addRow(at, facts.getFloat32(0, true), position, width, rows + i * width * 4);
    });
    const gamma = this.#positions;
    kernels.norm(rows, ids.length, width, gamma, gamma + width * 4, epsilon);
    return rows;
  }

  #readRecord(id: number, into: number): number {
    const bytes = recordBytes(this.shape.width);
    this.#read(this.#sections.words.offset + id * bytes, this.#bytes(into, bytes));
    return into;
  }

  #keepWeights(): void {
    const { positions, layers } = this.#sections;
    if (this.#positions === 0) this.#positions = this.#load(positions, 1);
    else if (this.#layers.length === 0) {
      this.#layers = layers.map((section, i) => this.#load(section, 2 + i));
    }
    this.#floor = this.#kernels.mark();
  }

  #keepWords(count: number): void {
    const { words } = this.#sections;
    if (this.#words !== 0 || words.length > TABLE_BYTES_MAX) return;
    this.#rowsRead += count;
    if (this.#rowsRead <= this.shape.tokens * ROWS_BY_SEEK_SHARE) return;
    this.#words = this.#load(words);
    this.#floor = this.#kernels.mark();
  }

  /** Reads a section into `room`, or into memory for good; returns its address. */
  #load({ offset, length }: Section, checksum?: number, room?: number): number {
    const at = room ?? this.#kernels.alloc(length);
    this.#read(offset, this.#bytes(at, length));
    if (
      checksum !== undefined &&
      this.#kernels.checksum(at, length) >>> 0 !== this.#head.checksums[checksum]
    ) {
      throw damaged(`part ${checksum} of it was changed`);
    }
    return at;
  }

  #readVocabulary(): Vocabulary {
    const { offset, length } = this.#sections.vocabulary;
    const mark = this.#kernels.mark();
    const at = this.#load({ offset, length }, 0);
    // A copy, because views are detached when the kernels' memory grows.
    const bytes = this.#bytes(at, length).slice();
    this.#kernels.release(mark);
    return new Vocabulary(bytes, this.shape);
  }

  #readHead(size: number): { head: Head; headBytes: number } {
    const prefix = new Uint8Array(PREFIX_BYTES);
    if (size < PREFIX_BYTES) throw damaged("it is cut short");
    this.#read(0, prefix);
    const view = new DataView(prefix.buffer);
    const magic = String.fromCharCode(...prefix.subarray(0, MAGIC.length));
    const headBytes = view.getUint32(8, true);
    if (magic !== MAGIC) throw damaged("it does not begin as one");
    if (headBytes > Math.min(HEAD_BYTES_MAX, size - PREFIX_BYTES) || headBytes % 4 !== 0) {
      throw damaged(`its head claims ${headBytes} bytes`);
    }
    const at = this.#kernels.alloc(headBytes);
    this.#read(PREFIX_BYTES, this.#bytes(at, headBytes));
    const sum = this.#kernels.checksum(at, headBytes) >>> 0;
    const bytes = this.#bytes(at, headBytes).slice();
    this.#kernels.release(at);
    if (sum !== view.getUint32(12, true)) throw damaged("its head was changed");
    return { head: decodeHead(bytes), headBytes };
  }

  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#kernels.memory.buffer, at, length);
  }

  #read(offset: number, into: Uint8Array): void {
    this.#file.seek(offset);
    if (readFull(this.#file, into).length < into.length) throw damaged("it is cut short");
  }
}

function damaged(why: string): SageError {
  return new SageError("invalid_model", `Cannot use the model file: ${why}`, {
    hint: "pull it again: sage model pull",
  });
}
