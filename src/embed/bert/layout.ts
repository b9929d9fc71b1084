/**
 * The file of a converted model: a head with the model's shape, from which the offsets of the sections
 * follow, then the sections, each read by offset and with its own checksum. Written by convert.ts.
 *
 *   magic "SAGEBRT1" · u32 bytes of the head · u32 its checksum · the head (JSON), then, each on a
 *   multiple of 64 bytes:
 *   vocabulary   slots (u32, id + 1, 0 empty) · offsets (u32 × tokens + 1) · strings (UTF-8) ·
 *                scores (f32 × tokens, of a unigram vocabulary)
 *   positions    gamma, beta of the first normalisation · position rows with the type's row added (f32)
 *   words        a record a token: int8 × width, its scale (f32), its checksum (u32), 8 bytes unused
 *   layers       one block each: see `layerParts`
 */
import { SageError } from "../../base/errors.ts";
import { decode, encode } from "../../base/utf8.ts";
import { WIDTH_MAX } from "./kernels.ts";

export const MAGIC = "SAGEBRT1";
export const PREFIX_BYTES = 16;
/** The head of a model with 100 layers has 10 KB. */
export const HEAD_BYTES_MAX = 64 * 1024;
/** Multilingual vocabularies have a quarter of it. */
export const TOKENS_MAX = 1_000_000;
const ALIGNMENT = 64;
/** Bytes of a word's record behind its row: scale, checksum and padding. */
const RECORD_EXTRA = 16;

export interface Shape {
  readonly tokens: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly inner: number;
  readonly positions: number;
  readonly epsilon: number;
  readonly pooling: "mean" | "cls";
  /** Tokens of a text at most, special tokens included. */
  readonly tokensMax: number;
  readonly slots: number;
  readonly stringsBytes: number;
  readonly tokenizer: Tokenizing;
}

export interface Tokenizing {
  readonly kind: "wordpiece" | "unigram";
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
  readonly unknown: number;
  /** Ids of the special tokens before and after a text. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface Section {
  readonly offset: number;
  readonly length: number;
}

export interface Sections {
  readonly vocabulary: Section;
  readonly positions: Section;
  readonly words: Section;
  readonly layers: readonly Section[];
  /** Bytes of the whole file. */
  readonly length: number;
}

export interface Head {
  readonly shape: Shape;
  /** Of vocabulary, positions and every layer, in this order; words have one in each record. */
  readonly checksums: readonly number[];
}

/** The sections' offsets, which follow from the shape and the size of the head. */
export function sectionsOf(shape: Shape, headBytes: number): Sections {
  let end = align(PREFIX_BYTES + headBytes);
  const next = (length: number): Section => {
    const section = { offset: end, length };
    end = align(end + length);
    return section;
  };
  const vocabulary = next(vocabularyParts(shape).length);
  const positions = next((2 + shape.positions) * shape.width * 4);
  const words = next(shape.tokens * recordBytes(shape.width));
  const layers = Array.from({ length: shape.layers }, () => next(layerParts(shape).length));
  return { vocabulary, positions, words, layers, length: end };
}

/** Offsets inside the vocabulary's section. */
export interface VocabularyParts {
  readonly offsets: number;
  readonly strings: number;
  readonly scores: number;
  readonly length: number;
}

export function vocabularyParts(
  { slots, tokens, stringsBytes, tokenizer }: Shape,
): VocabularyParts {
  const offsets = slots * 4;
  const strings = offsets + (tokens + 1) * 4;
  const scores = align(strings + stringsBytes);
  const length = tokenizer.kind === "unigram" ? scores + tokens * 4 : scores;
  return { offsets, strings, scores, length };
}

export function recordBytes(width: number): number {
  return width + RECORD_EXTRA;
}

/** One of the four matrices of a layer: int8 rows, then scales and bias, one f32 a row. */
export interface Matrix {
  readonly rows: number;
  readonly width: number;
  readonly weights: number;
  readonly scales: number;
  readonly bias: number;
}

/** Offsets inside a layer's section. */
export interface LayerParts {
  readonly qkv: Matrix;
  readonly out: Matrix;
  readonly up: Matrix;
  readonly down: Matrix;
  /** The normalisation after attention; the one after the inner layer is separate. */
  readonly attentionGamma: number;
  readonly attentionBeta: number;
  readonly outputGamma: number;
  readonly outputBeta: number;
  readonly length: number;
}

export function layerParts({ width, inner }: Pick<Shape, "width" | "inner">): LayerParts {
  let end = 0;
  const take = (bytes: number): number => {
    const at = end;
    end = align(end + bytes);
    return at;
  };
  const matrix = (rows: number, columns: number): Matrix => ({
    rows,
    width: columns,
    weights: take(rows * columns),
    scales: take(rows * 4),
    bias: take(rows * 4),
  });
  const parts = {
    qkv: matrix(3 * width, width),
    out: matrix(width, width),
    up: matrix(inner, width),
    down: matrix(width, inner),
    attentionGamma: take(width * 4),
    attentionBeta: take(width * 4),
    outputGamma: take(width * 4),
    outputBeta: take(width * 4),
  };
  return { ...parts, length: end };
}

/** The head as JSON, padded to a multiple of 4. Its size does not depend on the checksums. */
export function encodeHead(head: Head): Uint8Array {
  const text = JSON.stringify({ ...head, checksums: head.checksums.map(hex) });
  return encode(text.padEnd((text.length + 3) & ~3));
}

/** Parses and checks a head. Throws `invalid_model` for one that Sage did not write. */
export function decodeHead(bytes: Uint8Array): Head {
  let head: { shape: Shape; checksums: string[] };
  try {
    head = JSON.parse(decode(bytes));
    checkShape(head.shape);
    if (head.checksums.length !== head.shape.layers + 2) throw new Error("checksums");
  } catch (cause) {
    throw new SageError("invalid_model", "Model file has a head that makes no sense", { cause });
  }
  return { shape: head.shape, checksums: head.checksums.map((text) => parseInt(text, 16)) };
}

/** Throws `invalid_model` for a shape that the kernels do not support or that makes no sense. */
export function checkShape(shape: Shape): void {
  const { tokens, width, layers, heads, inner, positions, slots, stringsBytes } = shape;
  const bound = (name: string, value: number, most: number, multiple = 1): void => {
    if (Number.isInteger(value) && value > 0 && value <= most && value % multiple === 0) return;
    const step = multiple === 1 ? "" : `, a multiple of ${multiple}`;
    throw new SageError(
      "invalid_model",
      `Model has ${value} ${name}: 1 to ${most}${step} is known`,
    );
  };
  bound("tokens", tokens, TOKENS_MAX);
  bound("dimensions", width, VECTOR_MAX, 16);
  bound("layers", layers, 100);
  bound("heads", heads, 128);
  bound("dimensions a head", width / heads, VECTOR_MAX, 8);
  bound("inner dimensions", inner, WIDTH_MAX, 16);
  bound("positions", positions, 8192);
  bound("tokens a text", shape.tokensMax, positions);
  bound("slots", slots, 4_194_304);
  bound("bytes of tokens", stringsBytes, 64 * 1024 * 1024);
  if (inner < width) {
    throw new SageError(
      "invalid_model",
      `Model has ${inner} inner dimensions, fewer than ${width}`,
    );
  }
  if ((slots & (slots - 1)) !== 0) throw new SageError("invalid_model", "Model has odd slots");
  if (!(shape.epsilon > 0 && shape.epsilon < 1)) {
    throw new SageError("invalid_model", `Model has an epsilon of ${shape.epsilon}`);
  }
  const { before, after, unknown } = shape.tokenizer;
  for (const id of [...before, ...after, unknown]) {
    if (!Number.isInteger(id) || id < 0 || id >= tokens) {
      throw new SageError("invalid_model", `Model marks texts with the unknown token ${id}`);
    }
  }
  if (before.length + after.length >= shape.tokensMax) {
    throw new SageError("invalid_model", "Model leaves no room for a text");
  }
}

/** The widest vectors that the index takes (base/core.ts). */
const VECTOR_MAX = 4096;

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Always eight digits, so that the head's size is known before its checksums. */
function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
