/** One row of f32 → int8 in ±127, rounded to nearest. Returns the scale: row × scale ≈ values; 0 for zeros. */
export function quantizeRow(values: Float32Array, row: Int8Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest < 1e-30) return 0;
  const factor = 127 / largest;
  for (let i = 0; i < values.length; i++) row[i] = Math.round((values[i] ?? 0) * factor);
  return largest / 127;
}
