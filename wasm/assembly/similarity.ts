// Dot products of one int8 query with many int8 rows. The query is widened once; two rows share its
// loads; the products are added in pairs (i32x4.dot), where nothing can overflow.

/** Wasm has no on-stack replacement: blocks let the optimised code take over in mid-scan. */
const BLOCK: u32 = 4096;
const DIMS_MAX: u32 = 4096;

/** The query as int16. */
const wide: u32 = <u32>memory.data(DIMS_MAX * 2, 16);

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
  for (let d: u32 = 0; d < dims; d += 8) {
    v128.store(wide + (d << 1), v128.load8x8_s(query + d));
  }
  for (let from: u32 = 0; from < count; from += BLOCK) {
    const size = min(BLOCK, count - from);
    scanRows(queryScale, rows + from * dims, scales + (from << 2), size, dims, out + (from << 2));
  }
}

/** One block, with the query that scanInt8 widened last. Exported so that it stays a call. */
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
  for (; i + 1 < count; i += 2) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    for (let d: u32 = 0; d < dims; d += 16) {
      const low = v128.load(wide + (d << 1));
      const high = v128.load(wide + (d << 1), 16);
      const first = row + d;
      const second = first + dims;
      a = i32x4.add(a, i32x4.dot_i16x8_s(low, v128.load8x8_s(first)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(low, v128.load8x8_s(second)));
      a = i32x4.add(a, i32x4.dot_i16x8_s(high, v128.load8x8_s(first, 8)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(high, v128.load8x8_s(second, 8)));
    }
    put(i, a, queryScale, scales, out);
    put(i + 1, b, queryScale, scales, out);
    row += dims << 1;
  }
  if (i < count) {
    let a = i32x4.splat(0);
    for (let d: u32 = 0; d < dims; d += 8) {
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(wide + (d << 1)), v128.load8x8_s(row + d)));
    }
    put(i, a, queryScale, scales, out);
  }
}

// @ts-ignore: decorator
@inline
function put(i: u32, lanes: v128, queryScale: f32, scales: u32, out: u32): void {
  const dot = i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
  store<f32>(out + (i << 2), queryScale * load<f32>(scales + (i << 2)) * <f32>dot);
}
