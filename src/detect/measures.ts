/** Small measures that the signals share: shares, limits, vectors. Pure numbers. */
import { dot } from "../base/dot.ts";

/** A count as a share of what is plenty. */
export function most(value: number, plenty: number): number {
  return Math.min(1, Math.max(0, value / plenty));
}

export function share(part: number, whole: number, otherwise = 0): number {
  return whole === 0 ? otherwise : part / whole;
}

export function mean(values: readonly number[], otherwise = 0): number {
  return share(values.reduce((sum, value) => sum + value, 0), values.length, otherwise);
}

export function median(values: readonly number[], otherwise: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? otherwise;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

export function centroid(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  const norm = Math.sqrt(dot(sum, sum));
  return norm === 0 ? sum : sum.map((value) => value / norm);
}
