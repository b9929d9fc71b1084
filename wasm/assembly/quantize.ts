// Quantizes f32 to int8 with one scale a vector: the largest component becomes ±127, never −128, so that the
// sum of two products fits into 16 bits. Halves round to even. Dimensions are a multiple of 16.

/** A vector with no larger component is treated as zero: its reciprocal would not be finite. */
const LARGEST_MIN: f32 = 1e-30;

/** Returns the scale: component ≈ scale × int8. */
export function quantize(vector: u32, dims: u32, out: u32): f32 {
  const largest = largestOf(vector, dims);
  if (!(largest >= LARGEST_MIN)) {
    memory.fill(out, 0, dims);
    return 0;
  }
  const factor = f32x4.splat(<f32>127 / largest);
  for (let d: u32 = 0; d < dims; d += 16) {
    const at = vector + (d << 2);
    const low = i16x8.narrow_i32x4_s(round(at, factor), round(at + 16, factor));
    const high = i16x8.narrow_i32x4_s(round(at + 32, factor), round(at + 48, factor));
    v128.store(out + d, i8x16.narrow_i16x8_s(low, high));
  }
  return largest / <f32>127;
}

/** The same to int16 in ±32767, for vectors that are compared but not stored. */
export function quantize16(vector: u32, dims: u32, out: u32): f32 {
  const largest = largestOf(vector, dims);
  if (!(largest >= LARGEST_MIN)) {
    memory.fill(out, 0, dims << 1);
    return 0;
  }
  const factor = f32x4.splat(<f32>32767 / largest);
  for (let d: u32 = 0; d < dims; d += 8) {
    const at = vector + (d << 2);
    v128.store(out + (d << 1), i16x8.narrow_i32x4_s(round(at, factor), round(at + 16, factor)));
  }
  return largest / <f32>32767;
}

function largestOf(vector: u32, dims: u32): f32 {
  let peaks = f32x4.splat(0);
  for (let d: u32 = 0; d < dims; d += 4) {
    peaks = f32x4.max(peaks, f32x4.abs(v128.load(vector + (d << 2))));
  }
  return max(
    max(f32x4.extract_lane(peaks, 0), f32x4.extract_lane(peaks, 1)),
    max(f32x4.extract_lane(peaks, 2), f32x4.extract_lane(peaks, 3)),
  );
}

// @ts-ignore: decorator
@inline
function round(at: u32, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at), factor)));
}
