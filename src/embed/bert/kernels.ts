/**
 * Access to wasm/encoder.wasm: the kernels of a BERT encoder, in their own memory. model.ts puts them in
 * order; tests/support/bert_reference.ts is the reference they are tested against.
 */
import { readAsset } from "../../base/assets.ts";

/** Pointers are byte offsets into `memory`, 64-byte aligned where `alloc` gave them. Widths are multiples of 16. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Like the core's (base/core.ts): views made before are detached when memory grows. */
  alloc(bytes: number): number;
  mark(): number;
  release(mark: number): void;
  /** A u32 that detects accidental changes; `length` is a multiple of 4. */
  checksum(at: number, length: number): number;
  /** out = scale × int8 row + other (f32). */
  addRow(row: number, scale: number, other: number, width: number, out: number): void;
  /** Layer normalisation of each row, in place. */
  norm(
    rows: number,
    count: number,
    width: number,
    gamma: number,
    beta: number,
    epsilon: number,
  ): void;
  /** Layer normalisation of rows + others, in place of rows. */
  addNorm(
    rows: number,
    others: number,
    count: number,
    width: number,
    gamma: number,
    beta: number,
    epsilon: number,
  ): void;
  /** Rows of f32 → int16 with one scale (f32) each. */
  narrowRows(rows: number, count: number, width: number, out: number, scales: number): void;
  /** out (f32, count × outputs) = int16 rows × int8 weight rows, times both scales, plus bias. */
  linear(
    rows: number,
    rowScales: number,
    count: number,
    width: number,
    weights: number,
    weightScales: number,
    bias: number,
    outputs: number,
    out: number,
  ): void;
  /** Multi-head self-attention. `qkv`: for each token its query, key and value (width each), in this order. */
  attend(
    qkv: number,
    count: number,
    width: number,
    heads: number,
    scratch: number,
    out: number,
  ): void;
  /** GELU of each value, in place. */
  gelu(values: number, count: number): void;
  sumRows(rows: number, count: number, width: number, out: number): void;
  /** Divides by the L2 norm in place; returns the norm (0: left as zeros). */
  normalize(vector: number, width: number): number;
}

/** The widest rows of weights (wasm/assembly/encoder/linear.ts). */
export const WIDTH_MAX = 8192;

/** Bytes of the scratch space of `attend`. */
export function attentionBytes(count: number, width: number, heads: number): number {
  const padded = (count + 7) & ~7;
  return ((width / heads) * padded + 4 * padded) * 4;
}

let module: WebAssembly.Module | undefined;

/** An instance with its own memory; the module is compiled once a process. */
export function createKernels(): Kernels {
  module ??= new WebAssembly.Module(readAsset("encoder.wasm"));
  return new WebAssembly.Instance(module, {}).exports as unknown as Kernels;
}
