// The k largest of many, best first. A heap whose root is the worst of those kept: most values are
// turned away by one comparison. Of equal values the lower index is the better; NaN is never chosen.
// A sample says first what can hardly be among them, so that few go into the heap to be thrown out.

/** One value of so many is in the sample. */
const SAMPLE_EVERY: u32 = 16;

let indicesAt: u32 = 0;
let bestAt: u32 = 0;
let size: u32 = 0;

export function topK(values: u32, count: u32, k: u32, indices: u32, best: u32): u32 {
  indicesAt = indices;
  bestAt = best;
  if (k == 0) return 0;
  const sampled = count / SAMPLE_EVERY;
  // Half as many again and some more: then a sample is hardly ever wrong.
  const telling = (k + (k >>> 1)) / SAMPLE_EVERY + SAMPLE_EVERY;
  let least: f32 = -Infinity;
  if (telling < k && telling < sampled) {
    size = 0;
    for (let i: u32 = 0; i < sampled; i++) {
      const index = i * SAMPLE_EVERY;
      offer(load<f32>(values + (index << 2)), index, telling, least);
    }
    if (size == telling) least = load<f32>(best);
  }
  gather(values, count, k, least);
  if (size < k && least > -Infinity) gather(values, count, k, -Infinity);
  for (let last = size; last > 1; last--) {
    const value = load<f32>(best + ((last - 1) << 2));
    const index = load<u32>(indices + ((last - 1) << 2));
    set(last - 1, load<f32>(best), load<u32>(indices));
    sink(0, last - 1, value, index);
  }
  return size;
}

/** Fills the heap with the k largest of those that are not below `least`. */
function gather(values: u32, count: u32, k: u32, least: f32): void {
  size = 0;
  let i: u32 = 0;
  let bound = f32x4.splat(least);
  for (; i + 4 <= count; i += 4) {
    const four = v128.load(values + (i << 2));
    if (!v128.any_true(f32x4.ge(four, bound))) continue;
    offer(f32x4.extract_lane(four, 0), i, k, least);
    offer(f32x4.extract_lane(four, 1), i + 1, k, least);
    offer(f32x4.extract_lane(four, 2), i + 2, k, least);
    offer(f32x4.extract_lane(four, 3), i + 3, k, least);
    if (size == k) bound = f32x4.splat(load<f32>(bestAt));
  }
  for (; i < count; i++) offer(load<f32>(values + (i << 2)), i, k, least);
}

// @ts-ignore: decorator
@inline
function offer(value: f32, index: u32, k: u32, least: f32): void {
  if (size < k) {
    // Not so for NaN either.
    if (value >= least) rise(size++, value, index);
  } else if (value > load<f32>(bestAt)) {
    // Later means a higher index, so an equal value is never better.
    sink(0, k, value, index);
  }
}

// @ts-ignore: decorator
@inline
function set(at: u32, value: f32, index: u32): void {
  store<f32>(bestAt + (at << 2), value);
  store<u32>(indicesAt + (at << 2), index);
}

/** Whether the entry at `at` is worse than (value, index). */
// @ts-ignore: decorator
@inline
function isWorse(at: u32, value: f32, index: u32): bool {
  const other = load<f32>(bestAt + (at << 2));
  return other < value || (other == value && load<u32>(indicesAt + (at << 2)) > index);
}

function rise(from: u32, value: f32, index: u32): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    if (isWorse(parent, value, index)) break;
    set(at, load<f32>(bestAt + (parent << 2)), load<u32>(indicesAt + (parent << 2)));
    at = parent;
  }
  set(at, value, index);
}

function sink(from: u32, count: u32, value: f32, index: u32): void {
  let at = from;
  while (true) {
    let child = (at << 1) + 1;
    if (child >= count) break;
    const right = child + 1;
    if (
      right < count &&
      isWorse(right, load<f32>(bestAt + (child << 2)), load<u32>(indicesAt + (child << 2)))
    ) {
      child = right;
    }
    if (!isWorse(child, value, index)) break;
    set(at, load<f32>(bestAt + (child << 2)), load<u32>(indicesAt + (child << 2)));
    at = child;
  }
  set(at, value, index);
}
