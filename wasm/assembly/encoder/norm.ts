// Layer normalisation, and sums of rows. Widths are multiples of 16.

/** rows = norm(rows + others) × gamma + beta, each row by itself. */
export function addNorm(
  rows: u32,
  others: u32,
  count: u32,
  width: u32,
  gamma: u32,
  beta: u32,
  epsilon: f32,
): void {
  const end = rows + ((count * width) << 2);
  for (let at: u32 = rows, other = others; at < end; at += 16, other += 16) {
    v128.store(at, f32x4.add(v128.load(at), v128.load(other)));
  }
  norm(rows, count, width, gamma, beta, epsilon);
}

/** rows = norm(rows) × gamma + beta. Sums are f32 in four lanes, which are added up in f64. */
export function norm(rows: u32, count: u32, width: u32, gamma: u32, beta: u32, epsilon: f32): void {
  const bytes = width << 2;
  for (let r: u32 = 0; r < count; r++) {
    const row = rows + r * bytes;
    let sum: f64 = 0;
    let lanes = f32x4.splat(0);
    for (let d: u32 = 0; d < bytes; d += 16) lanes = f32x4.add(lanes, v128.load(row + d));
    sum = <f64>f32x4.extract_lane(lanes, 0) + <f64>f32x4.extract_lane(lanes, 1) +
      <f64>f32x4.extract_lane(lanes, 2) + <f64>f32x4.extract_lane(lanes, 3);
    const mean = <f32>(sum / <f64>width);
    const means = f32x4.splat(mean);
    lanes = f32x4.splat(0);
    for (let d: u32 = 0; d < bytes; d += 16) {
      const off = f32x4.sub(v128.load(row + d), means);
      lanes = f32x4.add(lanes, f32x4.mul(off, off));
    }
    const squares = <f64>f32x4.extract_lane(lanes, 0) + <f64>f32x4.extract_lane(lanes, 1) +
      <f64>f32x4.extract_lane(lanes, 2) + <f64>f32x4.extract_lane(lanes, 3);
    const factor = f32x4.splat(<f32>(1 / Math.sqrt(squares / <f64>width + <f64>epsilon)));
    for (let d: u32 = 0; d < bytes; d += 16) {
      const off = f32x4.mul(f32x4.sub(v128.load(row + d), means), factor);
      v128.store(row + d, f32x4.add(f32x4.mul(off, v128.load(gamma + d)), v128.load(beta + d)));
    }
  }
}

/** out = scale × int8 row + other (f32). */
export function addRow(row: u32, scale: f32, other: u32, width: u32, out: u32): void {
  const scales = f32x4.splat(scale);
  for (let d: u32 = 0; d < width; d += 4) {
    const at = d << 2;
    const lanes = f32x4.convert_i32x4_s(
      i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(row + d))),
    );
    v128.store(out + at, f32x4.add(f32x4.mul(lanes, scales), v128.load(other + at)));
  }
}

/** out = the sum of all rows; its direction is their mean's. */
export function sumRows(rows: u32, count: u32, width: u32, out: u32): void {
  const bytes = width << 2;
  for (let d: u32 = 0; d < bytes; d += 16) {
    let lanes = f32x4.splat(0);
    for (let r: u32 = 0; r < count; r++) lanes = f32x4.add(lanes, v128.load(rows + r * bytes + d));
    v128.store(out + d, lanes);
  }
}
