// Sums of scaled int8 rows, dot products and norms of f32 vectors. Rows are added in f32 in the given order,
// so that a sum is bit-identical on every machine. Dimensions are a multiple of 16.

/** Adds one row's 16 dimensions to the sum. */
// @ts-ignore: decorator
@inline
function addStripe(row: u32, scale: v128, sum: u32): void {
  const bytes = v128.load(row);
  const low = i16x8.extend_low_i8x16_s(bytes);
  const high = i16x8.extend_high_i8x16_s(bytes);
  addLanes(i32x4.extend_low_i16x8_s(low), scale, sum);
  addLanes(i32x4.extend_high_i16x8_s(low), scale, sum + 16);
  addLanes(i32x4.extend_low_i16x8_s(high), scale, sum + 32);
  addLanes(i32x4.extend_high_i16x8_s(high), scale, sum + 48);
}

// @ts-ignore: decorator
@inline
function addLanes(lanes: v128, scale: v128, sum: u32): void {
  const product = f32x4.mul(f32x4.convert_i32x4_s(lanes), scale);
  v128.store(sum, f32x4.add(v128.load(sum), product));
}

function addRow(row: u32, scale: f32, dims: u32, sum: u32): void {
  const scales = f32x4.splat(scale);
  for (let d: u32 = 0; d < dims; d += 16) addStripe(row + d, scales, sum + (d << 2));
}

/** Adds the rows of `count` token ids, each times its scale, to `sum`. */
export function poolTokens(
  ids: u32,
  count: u32,
  table: u32,
  scales: u32,
  dims: u32,
  sum: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const id = load<u32>(ids + (i << 2));
    addRow(table + id * dims, load<f32>(scales + (id << 2)), dims, sum);
  }
}

/** a += b. */
export function add(a: u32, b: u32, dims: u32): void {
  const end = a + (dims << 2);
  for (; a < end; a += 16, b += 16) v128.store(a, f32x4.add(v128.load(a), v128.load(b)));
}

/** Multiplied and summed in f64. */
export function dot(a: u32, b: u32, dims: u32): f64 {
  const end = a + (dims << 2);
  let products = f64x2.splat(0);
  for (; a < end; a += 8, b += 8) {
    const left = f64x2.promote_low_f32x4(v128.load64_zero(a));
    const right = f64x2.promote_low_f32x4(v128.load64_zero(b));
    products = f64x2.add(products, f64x2.mul(left, right));
  }
  return f64x2.extract_lane(products, 0) + f64x2.extract_lane(products, 1);
}

/** Scales the vector to unit length and returns its former length, which is summed in f64. 0 stays 0. */
export function normalize(vector: u32, dims: u32): f64 {
  const end = vector + (dims << 2);
  let squares = f64x2.splat(0);
  for (let at = vector; at < end; at += 8) {
    const pair = f64x2.promote_low_f32x4(v128.load64_zero(at));
    squares = f64x2.add(squares, f64x2.mul(pair, pair));
  }
  const norm = Math.sqrt(f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1));
  if (norm == 0) return 0;
  const divisor = f32x4.splat(<f32>norm);
  for (let at = vector; at < end; at += 16) {
    v128.store(at, f32x4.div(v128.load(at), divisor));
  }
  return norm;
}
