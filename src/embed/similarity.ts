/** The one measure of nearness of two vectors. Unit vectors go in, so the dot product is the cosine. */

export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
