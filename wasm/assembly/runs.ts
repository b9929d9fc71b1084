// Dot products of one vector with sums of scaled int8 rows, without computing the sums: row by row, with the
// product of each token cached, because passages share most of their words.

/** Slots of the cache, a power of two. Token ids are by frequency, so common tokens rarely collide. */
const MEMO_TOKENS: u32 = 4096;
/** Entries {token u32, turn u32, product f64}. A turn must not be 0, or an empty slot would match token 0. */
const memo: u32 = <u32>memory.data(MEMO_TOKENS * 16, 16);

/**
 * For each run of token ids (u16), the dot product of its pooled row with a vector of `quantize16`, without
 * the vector's scale, as f64. `ends` has the end of each run; `turn` names the vector and keys the cache.
 */
export function dotRuns(
  ids: u32,
  ends: u32,
  runs: u32,
  table: u32,
  scales: u32,
  dims: u32,
  vector: u32,
  turn: u32,
  out: u32,
): void {
  let at = ids;
  for (let run: u32 = 0; run < runs; run++) {
    const end = ids + (load<u32>(ends + (run << 2)) << 1);
    let sum: f64 = 0;
    for (; at < end; at += 2) {
      const id = <u32>load<u16>(at);
      const known = memo + ((id & (MEMO_TOKENS - 1)) << 4);
      const name = (<u64>turn << 32) | <u64>id;
      if (load<u64>(known) != name) {
        const product = dotRow(table + id * dims, dims, vector);
        store<u64>(known, name);
        store<f64>(known, <f64>load<f32>(scales + (id << 2)) * <f64>product, 8);
      }
      sum += load<f64>(known, 8);
    }
    store<f64>(out + (run << 3), sum);
  }
}

// @ts-ignore: decorator
@inline
function dotRow(row: u32, dims: u32, vector: u32): i32 {
  let lanes = i32x4.splat(0);
  for (let d: u32 = 0; d < dims; d += 16) {
    const at = vector + (d << 1);
    const bytes = v128.load(row + d);
    lanes = i32x4.add(
      lanes,
      i32x4.dot_i16x8_s(v128.load(at), i16x8.extend_low_i8x16_s(bytes)),
    );
    lanes = i32x4.add(
      lanes,
      i32x4.dot_i16x8_s(v128.load(at, 16), i16x8.extend_high_i8x16_s(bytes)),
    );
  }
  return i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
}

/** The dot product of a vector of `quantize16`, without its scale, and one of f32, summed in f64. */
export function dot16(fine: u32, vector: u32, dims: u32): f64 {
  let products = f64x2.splat(0);
  for (let d: u32 = 0; d < dims; d += 2) {
    const left = f64x2.convert_low_i32x4_s(i32x4.extend_low_i16x8_s(v128.load32_zero(fine + (d << 1))));
    const right = f64x2.promote_low_f32x4(v128.load64_zero(vector + (d << 2)));
    products = f64x2.add(products, f64x2.mul(left, right));
  }
  return f64x2.extract_lane(products, 0) + f64x2.extract_lane(products, 1);
}
