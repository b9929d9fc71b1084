/**
 * The dot product of two vectors of one length. For unit vectors it is the cosine, the one measure of
 * nearness.
 */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
