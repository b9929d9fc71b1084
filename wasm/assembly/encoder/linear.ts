// out = a × wᵀ × scales + bias, with int8 weights and int16 activations. Activations use as many bits as the
// 32-bit sums allow, because outliers would cost too much precision in int8.

/** The widest row that the scratch below has room for. */
const WIDTH_MAX: u32 = 8192;
/** Four rows of weights as int16. */
const wide: u32 = <u32>memory.data(4 * WIDTH_MAX * 2, 64);

/** Quantizes rows of f32 to int16 with one scale each (0: all zeros). `width` is a multiple of 8. */
export function narrowRows(rows: u32, count: u32, width: u32, out: u32, scales: u32): void {
  // |sum| ≤ 127 × limit × width stays below 2³¹.
  const limit = <f32>min<u32>(32767, 0x7fffffff / (127 * width));
  for (let r: u32 = 0; r < count; r++) {
    const at = r * width;
    store<f32>(scales + (r << 2), narrowRow(rows + (at << 2), width, limit, out + (at << 1)));
  }
}

/** Returns the scale. */
export function narrowRow(row: u32, width: u32, limit: f32, to: u32): f32 {
  let peaks = f32x4.splat(0);
  for (let d: u32 = 0; d < width; d += 4) {
    peaks = f32x4.max(peaks, f32x4.abs(v128.load(row + (d << 2))));
  }
  const largest = max(
    max(f32x4.extract_lane(peaks, 0), f32x4.extract_lane(peaks, 1)),
    max(f32x4.extract_lane(peaks, 2), f32x4.extract_lane(peaks, 3)),
  );
  const isZero = !(largest >= 1e-30);
  const factor = f32x4.splat(isZero ? 0 : limit / largest);
  for (let d: u32 = 0; d < width; d += 8) {
    const at = row + (d << 2);
    const low = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at), factor)));
    const high = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at, 16), factor)));
    v128.store(to + (d << 1), i16x8.narrow_i32x4_s(low, high));
  }
  return isZero ? 0 : largest / limit;
}

/**
 * Multiplies `count` rows of int16 by `outputs` rows of int8. Four rows of weights at a time are widened
 * for all rows of activations. `outputs` is a multiple of 4, `width` of 16 and at most WIDTH_MAX.
 */
export function linear(
  rows: u32,
  rowScales: u32,
  count: u32,
  width: u32,
  weights: u32,
  weightScales: u32,
  bias: u32,
  outputs: u32,
  out: u32,
): void {
  if (width > WIDTH_MAX) unreachable();
  for (let o: u32 = 0; o < outputs; o += 4) {
    widen(weights + o * width, width << 2);
    block(rows, rowScales, count, width, weightScales + (o << 2), bias + (o << 2), outputs, out + (o << 2));
  }
}

function widen(from: u32, bytes: u32): void {
  for (let i: u32 = 0; i < bytes; i += 8) {
    v128.store(wide + (i << 1), v128.load8x8_s(from + i));
  }
}

/** All rows of activations by the four widened rows of weights: four columns of the output. */
export function block(
  rows: u32,
  rowScales: u32,
  count: u32,
  width: u32,
  weightScales: u32,
  bias: u32,
  outputs: u32,
  out: u32,
): void {
  const bytes = width << 1;
  const w1 = wide + bytes;
  const w2 = w1 + bytes;
  const w3 = w2 + bytes;
  const scales = v128.load(weightScales);
  const offsets = v128.load(bias);
  let r: u32 = 0;
  for (; r + 1 < count; r += 2) {
    const a = rows + r * bytes;
    const b = a + bytes;
    let a0 = i32x4.splat(0);
    let a1 = i32x4.splat(0);
    let a2 = i32x4.splat(0);
    let a3 = i32x4.splat(0);
    let b0 = i32x4.splat(0);
    let b1 = i32x4.splat(0);
    let b2 = i32x4.splat(0);
    let b3 = i32x4.splat(0);
    // Unrolled twice: code that is not optimised yet spills its sums at the end of each iteration.
    for (let d: u32 = 0; d < bytes; d += 32) {
      let x = v128.load(a + d);
      let y = v128.load(b + d);
      let w = v128.load(wide + d);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, w));
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(y, w));
      w = v128.load(w1 + d);
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, w));
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(y, w));
      w = v128.load(w2 + d);
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(x, w));
      b2 = i32x4.add(b2, i32x4.dot_i16x8_s(y, w));
      w = v128.load(w3 + d);
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(x, w));
      b3 = i32x4.add(b3, i32x4.dot_i16x8_s(y, w));
      x = v128.load(a + d, 16);
      y = v128.load(b + d, 16);
      w = v128.load(wide + d, 16);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, w));
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(y, w));
      w = v128.load(w1 + d, 16);
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, w));
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(y, w));
      w = v128.load(w2 + d, 16);
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(x, w));
      b2 = i32x4.add(b2, i32x4.dot_i16x8_s(y, w));
      w = v128.load(w3 + d, 16);
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(x, w));
      b3 = i32x4.add(b3, i32x4.dot_i16x8_s(y, w));
    }
    put(a0, a1, a2, a3, load<f32>(rowScales + (r << 2)), scales, offsets, out + ((r * outputs) << 2));
    put(b0, b1, b2, b3, load<f32>(rowScales + (r << 2), 4), scales, offsets, out + (((r + 1) * outputs) << 2));
  }
  if (r < count) {
    const a = rows + r * bytes;
    let a0 = i32x4.splat(0);
    let a1 = i32x4.splat(0);
    let a2 = i32x4.splat(0);
    let a3 = i32x4.splat(0);
    for (let d: u32 = 0; d < bytes; d += 16) {
      const x = v128.load(a + d);
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, v128.load(wide + d)));
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, v128.load(w1 + d)));
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(x, v128.load(w2 + d)));
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(x, v128.load(w3 + d)));
    }
    put(a0, a1, a2, a3, load<f32>(rowScales + (r << 2)), scales, offsets, out + ((r * outputs) << 2));
  }
}

/** Adds up the lanes of each of four sums, then applies scales and bias. */
// @ts-ignore: decorator
@inline
function put(s0: v128, s1: v128, s2: v128, s3: v128, rowScale: f32, scales: v128, bias: v128, out: u32): void {
  const low01 = i32x4.shuffle(s0, s1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(s0, s1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(s2, s3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(s2, s3, 2, 6, 3, 7);
  const pairs01 = i32x4.add(low01, high01);
  const pairs23 = i32x4.add(low23, high23);
  const even = i64x2.shuffle(pairs01, pairs23, 0, 2);
  const odd = i64x2.shuffle(pairs01, pairs23, 1, 3);
  const sums = f32x4.convert_i32x4_s(i32x4.add(even, odd));
  const factors = f32x4.mul(scales, f32x4.splat(rowScale));
  v128.store(out, f32x4.add(f32x4.mul(sums, factors), bias));
}
