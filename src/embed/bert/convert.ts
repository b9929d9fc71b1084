/**
 * Converts the published form of a model (config.json, tokenizer.json, model.safetensors) to the one file
 * that Sage reads: int8 rows with a scale each, laid out as in layout.ts. Works in parts, so that the model
 * need not fit into memory. What the encoder does not compute is refused, never approximated.
 */
import { SageError } from "../../base/errors.ts";
import type { FileHandle, Fs } from "../../base/fs.ts";
import { encode } from "../../base/utf8.ts";
import { quantizeRow } from "../quantize_row.ts";
import { createKernels, type Kernels } from "./kernels.ts";
import {
  checkShape,
  encodeHead,
  HEAD_BYTES_MAX,
  layerParts,
  MAGIC,
  type Matrix,
  PREFIX_BYTES,
  recordBytes,
  sectionsOf,
  type Shape,
} from "./layout.ts";
import { type Published, type PublishedFiles, readPublished } from "./published.ts";
import { Safetensors } from "./safetensors.ts";
import { layPieces } from "./vocabulary.ts";

/** Rows of the word embeddings that are converted at a time, about 2 MB of floats. */
const ROWS_AT_ONCE = 1024;

/** Writes `target`, which must not exist, and syncs it. Calls `step` after each part with its share. */
export function convert(
  fs: Fs,
  files: PublishedFiles,
  target: string,
  step: (share: number) => void = () => {},
): Shape {
  const published = readPublished(fs, files);
  using file = fs.open(files.weights, { read: true });
  const tensors = new Safetensors(file);
  using out = fs.open(target, { write: true, createNew: true, mode: 0o600 });
  return new Converter(published, tensors, out).run(step);
}

class Converter {
  readonly #tensors: Safetensors;
  readonly #out: FileHandle;
  readonly #kernels: Kernels = createKernels();
  readonly #published: Published;
  readonly #prefix: string;
  #written = 0;

  constructor(published: Published, tensors: Safetensors, out: FileHandle) {
    this.#published = published;
    this.#tensors = tensors;
    this.#out = out;
    this.#prefix = tensors.has("embeddings.word_embeddings.weight") ? "" : "bert.";
  }

  run(step: (share: number) => void): Shape {
    const { pieces, scores, ...published } = this.#published;
    const strings = layPieces(pieces);
    const shape: Shape = { ...published, slots: strings.slots, stringsBytes: strings.stringsBytes };
    checkShape(shape);
    const checksums = new Array<number>(2 + shape.layers).fill(0);
    const headBytes = encodeHead({ shape, checksums }).length;
    if (headBytes > HEAD_BYTES_MAX) throw new SageError("invalid_model", "Model is too deep");
    const sections = sectionsOf(shape, headBytes);
    const vocabulary = new Uint8Array(sections.vocabulary.length);
    strings.lay(vocabulary, shape);
    if (scores !== undefined) {
      vocabulary.set(new Uint8Array(scores.buffer), vocabulary.length - scores.byteLength);
    }
    checksums[0] = this.#section(sections.vocabulary.offset, vocabulary);
    checksums[1] = this.#section(sections.positions.offset, this.#positions(shape));
    this.#words(sections.words.offset, shape, step);
    sections.layers.forEach((section, i) => {
      checksums[2 + i] = this.#section(section.offset, this.#layer(i, shape));
      step((shape.layers + i + 1) / (2 * shape.layers));
    });
    this.#pad(sections.length);
    this.#head(encodeHead({ shape, checksums }));
    return shape;
  }

  #head(head: Uint8Array): void {
    const prefix = new Uint8Array(PREFIX_BYTES);
    prefix.set(encode(MAGIC));
    const view = new DataView(prefix.buffer);
    view.setUint32(8, head.length, true);
    view.setUint32(12, this.#checksum(head), true);
    this.#out.seek(0);
    this.#out.write(prefix);
    this.#out.write(head);
    this.#out.sync();
  }

  #tensor(name: string, shape: readonly number[], from?: number, to?: number): Float32Array {
    return this.#tensors.read(this.#prefix + name, shape, from, to);
  }

  #positions({ width, positions }: Shape): Uint8Array {
    const rows = this.#tensor("embeddings.position_embeddings.weight", [positions, width]);
    // A text is always of token type 0, so the row of that type is added to each position.
    const types = this.#published.types;
    const type = this.#tensor("embeddings.token_type_embeddings.weight", [types, width], 0, 1);
    const all = new Float32Array((2 + positions) * width);
    all.set(this.#tensor("embeddings.LayerNorm.weight", [width]));
    all.set(this.#tensor("embeddings.LayerNorm.bias", [width]), width);
    rows.forEach((value, i) => all[2 * width + i] = value + (type[i % width] ?? 0));
    return bytesOf(all);
  }

  #words(offset: number, { tokens, width }: Shape, step: (share: number) => void): void {
    this.#pad(offset);
    const record = recordBytes(width);
    for (let from = 0; from < tokens; from += ROWS_AT_ONCE) {
      const to = Math.min(tokens, from + ROWS_AT_ONCE);
      const name = "embeddings.word_embeddings.weight";
      const rows = this.#tensor(name, [tokens, width], from, to);
      const bytes = new Uint8Array((to - from) * record);
      const view = new DataView(bytes.buffer);
      for (let i = 0; i < to - from; i++) {
        const at = i * record;
        const into = new Int8Array(bytes.buffer, at, width);
        const scale = quantizeRow(rows.subarray(i * width, (i + 1) * width), into);
        view.setFloat32(at + width, scale, true);
        view.setUint32(at + width + 4, this.#checksum(bytes.subarray(at, at + width + 4)), true);
      }
      this.#write(bytes);
      step(to / tokens / 2);
    }
  }

  #layer(index: number, { width, inner }: Shape): Uint8Array {
    const parts = layerParts({ width, inner });
    const bytes = new Uint8Array(parts.length);
    const name = (end: string): string => `encoder.layer.${index}.${end}`;
    const matrix = (part: Matrix, names: readonly string[]): void => {
      const each = part.rows / names.length;
      const scales = new Float32Array(bytes.buffer, part.scales, part.rows);
      const bias = new Float32Array(bytes.buffer, part.bias, part.rows);
      names.forEach((one, n) => {
        const rows = this.#tensor(name(`${one}.weight`), [each, part.width]);
        bias.set(this.#tensor(name(`${one}.bias`), [each]), n * each);
        for (let i = 0; i < each; i++) {
          const row = n * each + i;
          const into = new Int8Array(bytes.buffer, part.weights + row * part.width, part.width);
          scales[row] = quantizeRow(rows.subarray(i * part.width, (i + 1) * part.width), into);
        }
      });
    };
    const vector = (at: number, end: string): void =>
      new Float32Array(bytes.buffer, at, width).set(this.#tensor(name(end), [width]));
    matrix(parts.qkv, ["query", "key", "value"].map((part) => `attention.self.${part}`));
    matrix(parts.out, ["attention.output.dense"]);
    matrix(parts.up, ["intermediate.dense"]);
    matrix(parts.down, ["output.dense"]);
    vector(parts.attentionGamma, "attention.output.LayerNorm.weight");
    vector(parts.attentionBeta, "attention.output.LayerNorm.bias");
    vector(parts.outputGamma, "output.LayerNorm.weight");
    vector(parts.outputBeta, "output.LayerNorm.bias");
    return bytes;
  }

  /** Writes a section at its offset; returns its checksum. */
  #section(offset: number, bytes: Uint8Array): number {
    this.#pad(offset);
    this.#write(bytes);
    return this.#checksum(bytes);
  }

  #pad(offset: number): void {
    this.#write(new Uint8Array(offset - this.#written));
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#out.write(bytes);
    this.#written += bytes.length;
  }

  #checksum(bytes: Uint8Array): number {
    const kernels = this.#kernels;
    const mark = kernels.mark();
    const at = kernels.alloc(bytes.length);
    new Uint8Array(kernels.memory.buffer, at, bytes.length).set(bytes);
    const sum = kernels.checksum(at, bytes.length) >>> 0;
    kernels.release(mark);
    return sum;
  }
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
