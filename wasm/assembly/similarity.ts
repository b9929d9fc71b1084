// Dot products of one int8 query with many int8 rows. The signs of the query are moved to the rows, so that
// its absolute values have seven bits, which the relaxed dot product needs (one instruction on newer
// processors). No value is −128, so no sum of two products overflows 16 bits, and every processor gives the
// same result.

/** Rows per call. Wasm has no on-stack replacement: optimised code takes over at the next call. */
const BLOCK: u32 = 4096;
const DIMS_MAX: u32 = 8192;

/** The absolute values of the query, and its signs: 0, or −1 for a negative component. */
const sizes: u32 = <u32>memory.data(DIMS_MAX, 16);
const signs: u32 = <u32>memory.data(DIMS_MAX, 16);

export function scanInt8(
  query: u32,
  queryScale: f32,
  rows: u32,
  scales: u32,
  count: u32,
  dims: u32,
  out: u32,
): void {
  if (dims > DIMS_MAX) unreachable();
  for (let d: u32 = 0; d < dims; d += 16) {
    const bytes = v128.load(query + d);
    v128.store(sizes + d, i8x16.abs(bytes));
    v128.store(signs + d, i8x16.shr_s(bytes, 7));
  }
  for (let from: u32 = 0; from < count; from += BLOCK) {
    const size = min(BLOCK, count - from);
    scanRows(queryScale, rows + from * dims, scales + (from << 2), size, dims, out + (from << 2));
  }
}

/** One block, with the query of the last scanInt8. Exported so that it is not inlined. */
export function scanRows(
  queryScale: f32,
  rows: u32,
  scales: u32,
  count: u32,
  dims: u32,
  out: u32,
): void {
  let i: u32 = 0;
  let row = rows;
  for (; i + 3 < count; i += 4) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let e = i32x4.splat(0);
    for (let d: u32 = 0; d < dims; d += 16) {
      const size = v128.load(sizes + d);
      const sign = v128.load(signs + d);
      const at = row + d;
      a = addProducts(a, at, size, sign);
      b = addProducts(b, at + dims, size, sign);
      c = addProducts(c, at + (dims << 1), size, sign);
      e = addProducts(e, at + dims * 3, size, sign);
    }
    put(i, a, queryScale, scales, out);
    put(i + 1, b, queryScale, scales, out);
    put(i + 2, c, queryScale, scales, out);
    put(i + 3, e, queryScale, scales, out);
    row += dims << 2;
  }
  for (; i < count; i++) {
    let a = i32x4.splat(0);
    for (let d: u32 = 0; d < dims; d += 16) {
      a = addProducts(a, row + d, v128.load(sizes + d), v128.load(signs + d));
    }
    put(i, a, queryScale, scales, out);
    row += dims;
  }
}

/** (row ^ sign) − sign negates the row where the sign is −1. */
// @ts-ignore: decorator
@inline
function addProducts(sum: v128, row: u32, size: v128, sign: v128): v128 {
  const signed = i8x16.sub(v128.xor(v128.load(row), sign), sign);
  return i32x4.relaxed_dot_i8x16_i7x16_add_s(signed, size, sum);
}

// @ts-ignore: decorator
@inline
function put(i: u32, lanes: v128, queryScale: f32, scales: u32, out: u32): void {
  const dot = i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
  store<f32>(out + (i << 2), queryScale * load<f32>(scales + (i << 2)) * <f32>dot);
}
