/**
 * The door to wasm/encoder.wasm: what a BERT encoder computes with, in a memory of its own. The order
 * of the steps is model.ts's; their oracle is tests/support/bert_reference.ts.
 */
import { readAsset } from "../../base/assets.ts";

/** Pointers are byte offsets into `memory`, 64-byte aligned where `alloc` gave them. Widths are multiples of 16. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Like the core's (base/core.ts): views made before are detached when memory grows. */
  alloc(bytes: number): number;
  mark(): number;
  release(mark: number): void;
  /** Tells bytes that were changed by accident; `length` is a multiple of 4. */
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
  /** The same of rows + others. */
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
  /** Rows of int16 by rows of int8 weights, times both scales, plus bias: f32. */
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
  /** `qkv` holds queries, keys and values of each token behind one another. */
  attend(
    qkv: number,
    count: number,
    width: number,
    heads: number,
    scratch: number,
    out: number,
  ): void;
  /** In place. */
  gelu(values: number, count: number): void;
  sumRows(rows: number, count: number, width: number, out: number): void;
  /** Divides by the L2 norm in place; returns the norm (0: left as zeros). */
  normalize(vector: number, width: number): number;
}

/** Rows of weights are at most this wide (wasm/assembly/encoder/linear.ts). */
export const WIDTH_MAX = 8192;

/** What `attend` needs beside its operands. */
export function attentionBytes(count: number, width: number, heads: number): number {
  const padded = (count + 7) & ~7;
  return ((width / heads) * padded + 4 * padded) * 4;
}

let module: WebAssembly.Module | undefined;

/** The code is compiled once a process. */
export function createKernels(): Kernels {
  module ??= new WebAssembly.Module(readAsset("encoder.wasm"));
  return new WebAssembly.Instance(module, {}).exports as unknown as Kernels;
}
