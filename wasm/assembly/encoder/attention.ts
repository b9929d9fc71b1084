// Self-attention of one text, head by head: softmax(q × kᵀ / √d) × v, in f32. Keys are transposed, so that
// eight of them are two loads, which four queries share.
import { exp4 } from "./exp";

/**
 * `qkv` has a row of 3 × width for each token: query, key, value. `out` gets a row of width. `scratch` has
 * `attentionBytes` (src/embed/bert/kernels.ts). The width of a head is a multiple of 8.
 */
export function attend(qkv: u32, count: u32, width: u32, heads: u32, scratch: u32, out: u32): void {
  const depth = width / heads;
  // Padded with zeros to whole blocks of eight.
  const padded = (count + 7) & ~7;
  const keys = scratch;
  const shares = keys + ((depth * padded) << 2);
  const factor = <f32>(1 / Math.sqrt(<f64>depth));
  for (let h: u32 = 0; h < heads; h++) {
    const head = qkv + ((h * depth) << 2);
    turnKeys(head + (width << 2), count, padded, depth, width * 12, keys);
    for (let i: u32 = 0; i < count; i += 4) {
      const rows = min<u32>(4, count - i);
      score(head + i * width * 12, rows, padded, depth, width * 12, keys, shares);
      for (let r: u32 = 0; r < rows; r++) softmax(shares + ((r * padded) << 2), count, padded, factor);
      blend(
        head + (width << 3),
        rows,
        count,
        padded,
        depth,
        width * 12,
        shares,
        out + ((i * width + h * depth) << 2),
        width << 2,
      );
    }
  }
}

/** Transposes the keys of one head to `depth` rows of `padded` f32. `stride` is bytes between tokens. */
function turnKeys(from: u32, count: u32, padded: u32, depth: u32, stride: u32, keys: u32): void {
  memory.fill(keys, 0, (depth * padded) << 2);
  for (let j: u32 = 0; j < count; j++) {
    const row = from + j * stride;
    for (let d: u32 = 0; d < depth; d++) {
      store<f32>(keys + ((d * padded + j) << 2), load<f32>(row + (d << 2)));
    }
  }
}

/** Dot products of four queries with all keys. With fewer, the first query fills the other rows. */
export function score(
  queries: u32,
  rows: u32,
  padded: u32,
  depth: u32,
  stride: u32,
  keys: u32,
  out: u32,
): void {
  const q1 = queries + (rows > 1 ? stride : 0);
  const q2 = queries + (rows > 2 ? 2 * stride : 0);
  const q3 = queries + (rows > 3 ? 3 * stride : 0);
  const step = padded << 2;
  for (let j: u32 = 0; j < step; j += 32) {
    let a0 = f32x4.splat(0);
    let a1 = f32x4.splat(0);
    let b0 = f32x4.splat(0);
    let b1 = f32x4.splat(0);
    let c0 = f32x4.splat(0);
    let c1 = f32x4.splat(0);
    let d0 = f32x4.splat(0);
    let d1 = f32x4.splat(0);
    let column = keys + j;
    for (let d: u32 = 0; d < depth << 2; d += 4) {
      const low = v128.load(column);
      const high = v128.load(column, 16);
      let q = v128.load32_splat(queries + d);
      a0 = f32x4.add(a0, f32x4.mul(q, low));
      a1 = f32x4.add(a1, f32x4.mul(q, high));
      q = v128.load32_splat(q1 + d);
      b0 = f32x4.add(b0, f32x4.mul(q, low));
      b1 = f32x4.add(b1, f32x4.mul(q, high));
      q = v128.load32_splat(q2 + d);
      c0 = f32x4.add(c0, f32x4.mul(q, low));
      c1 = f32x4.add(c1, f32x4.mul(q, high));
      q = v128.load32_splat(q3 + d);
      d0 = f32x4.add(d0, f32x4.mul(q, low));
      d1 = f32x4.add(d1, f32x4.mul(q, high));
      column += step;
    }
    v128.store(out + j, a0);
    v128.store(out + j, a1, 16);
    v128.store(out + step + j, b0);
    v128.store(out + step + j, b1, 16);
    v128.store(out + 2 * step + j, c0);
    v128.store(out + 2 * step + j, c1, 16);
    v128.store(out + 3 * step + j, d0);
    v128.store(out + 3 * step + j, d1, 16);
  }
}

/** softmax(row × factor) in place; the padding after `count` becomes 0. */
export function softmax(row: u32, count: u32, padded: u32, factor: f32): void {
  let largest: f32 = load<f32>(row);
  for (let j: u32 = 1; j < count; j++) largest = max(largest, load<f32>(row + (j << 2)));
  const offsets = f32x4.splat(largest);
  const factors = f32x4.splat(factor);
  for (let j: u32 = 0; j < padded << 2; j += 16) {
    v128.store(row + j, exp4(f32x4.mul(f32x4.sub(v128.load(row + j), offsets), factors)));
  }
  for (let j = count; j < padded; j++) store<f32>(row + (j << 2), 0);
  let lanes = f32x4.splat(0);
  for (let j: u32 = 0; j < padded << 2; j += 16) lanes = f32x4.add(lanes, v128.load(row + j));
  const sum = f32x4.extract_lane(lanes, 0) + f32x4.extract_lane(lanes, 1) +
    f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3);
  const share = f32x4.splat(1 / sum);
  for (let j: u32 = 0; j < padded << 2; j += 16) {
    v128.store(row + j, f32x4.mul(v128.load(row + j), share));
  }
}

/** Sums of values weighted by the softmax, four queries by eight dimensions at a time. */
export function blend(
  values: u32,
  rows: u32,
  count: u32,
  padded: u32,
  depth: u32,
  stride: u32,
  shares: u32,
  out: u32,
  outStride: u32,
): void {
  const step = padded << 2;
  for (let d: u32 = 0; d < depth << 2; d += 32) {
    let a0 = f32x4.splat(0);
    let a1 = f32x4.splat(0);
    let b0 = f32x4.splat(0);
    let b1 = f32x4.splat(0);
    let c0 = f32x4.splat(0);
    let c1 = f32x4.splat(0);
    let d0 = f32x4.splat(0);
    let d1 = f32x4.splat(0);
    let value = values + d;
    for (let j: u32 = shares; j < shares + (count << 2); j += 4) {
      const low = v128.load(value);
      const high = v128.load(value, 16);
      let p = v128.load32_splat(j);
      a0 = f32x4.add(a0, f32x4.mul(p, low));
      a1 = f32x4.add(a1, f32x4.mul(p, high));
      p = v128.load32_splat(j + step);
      b0 = f32x4.add(b0, f32x4.mul(p, low));
      b1 = f32x4.add(b1, f32x4.mul(p, high));
      p = v128.load32_splat(j + 2 * step);
      c0 = f32x4.add(c0, f32x4.mul(p, low));
      c1 = f32x4.add(c1, f32x4.mul(p, high));
      p = v128.load32_splat(j + 3 * step);
      d0 = f32x4.add(d0, f32x4.mul(p, low));
      d1 = f32x4.add(d1, f32x4.mul(p, high));
      value += stride;
    }
    let to = out + d;
    v128.store(to, a0);
    v128.store(to, a1, 16);
    if (rows < 2) continue;
    to += outStride;
    v128.store(to, b0);
    v128.store(to, b1, 16);
    if (rows < 3) continue;
    to += outStride;
    v128.store(to, c0);
    v128.store(to, c1, 16);
    if (rows < 4) continue;
    to += outStride;
    v128.store(to, d0);
    v128.store(to, d1, 16);
  }
}
