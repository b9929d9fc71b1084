/** Arithmetic that the detectors share. */
import { dot } from "../../base/dot.ts";

/** `value / max`, clamped to 0..1: more than `max` says no more. */
export function saturate(value: number, max: number): number {
  return Math.min(1, Math.max(0, value / max));
}

export function share(part: number, whole: number, fallback = 0): number {
  return whole === 0 ? fallback : part / whole;
}

export function mean(values: readonly number[], fallback = 0): number {
  return share(values.reduce((sum, value) => sum + value, 0), values.length, fallback);
}

export function median(values: readonly number[], fallback: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? fallback;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/** Unit length; zeros where they cancel out. */
export function centroid(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  const norm = Math.sqrt(dot(sum, sum));
  return norm === 0 ? sum : sum.map((value) => value / norm);
}
