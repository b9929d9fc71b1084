// The k largest values, best first; of equal values the one with the lower index, and never NaN. A sample
// gives a lower bound that rules out most values; the rest is sorted as far as needed. The sort keys combine
// value and index, so that all differ and one comparison orders them.
import { alloc, mark, release } from "./memory";

const SAMPLE_EVERY: u32 = 16;
/** Up to so many keys are sorted by insertion. */
const FEW: i32 = 12;

/** Considers values greater than `above`. Writes their indices and values, and returns their number. */
export function topK(
  values: u32,
  count: u32,
  k: u32,
  above: f32,
  indices: u32,
  best: u32,
): u32 {
  const before = mark();
  const keys = alloc(count << 3);
  const sampled = count / SAMPLE_EVERY;
  // The rank in the sample whose value is the bound. With this margin it hardly ever rules out too much.
  const telling = (k + (k >>> 1)) / SAMPLE_EVERY + SAMPLE_EVERY;
  let least = above;
  if (telling < k && telling < sampled) {
    let size: u32 = 0;
    for (let i: u32 = 0; i < sampled; i++) {
      size += put(keys, size, values, i * SAMPLE_EVERY, above, above);
    }
    if (size >= telling) {
      sort(keys, 0, size - 1, telling);
      least = valueOf(values, keys, telling - 1);
    }
  }
  let size = gather(values, count, above, least, keys);
  if (size < k && least > above) size = gather(values, count, above, above, keys);
  const found = min(size, k);
  if (size > 0) sort(keys, 0, size - 1, found);
  for (let i: u32 = 0; i < found; i++) {
    store<u32>(indices + (i << 2), indexOf(keys, i));
    store<f32>(best + (i << 2), valueOf(values, keys, i));
  }
  release(before);
  return found;
}

/** Writes the keys of all values greater than `above` and not less than `least`; returns their number. */
function gather(values: u32, count: u32, above: f32, least: f32, keys: u32): u32 {
  const bound = f32x4.splat(least);
  let size: u32 = 0;
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) {
    if (!v128.any_true(f32x4.ge(v128.load(values + (i << 2)), bound))) continue;
    for (let lane: u32 = 0; lane < 4; lane++) {
      size += put(keys, size, values, i + lane, above, least);
    }
  }
  for (; i < count; i++) size += put(keys, size, values, i, above, least);
  return size;
}

/** Appends the key of a value within the bounds; returns 1, or 0 if it is not. */
// @ts-ignore: decorator
@inline
function put(keys: u32, size: u32, values: u32, index: u32, above: f32, least: f32): u32 {
  const value = load<f32>(values + (index << 2));
  if (!(value > above && value >= least)) return 0;
  // Adding 0 turns −0 into 0. The XORs map floats to unsigned integers of the same order.
  const bits = reinterpret<i32>(value + 0);
  const ordered = <u32>(bits ^ ((bits >> 31) & 0x7fffffff)) ^ 0x80000000;
  store<u64>(keys + (size << 3), (<u64>ordered << 32) | <u64>~index);
  return 1;
}

// @ts-ignore: decorator
@inline
function indexOf(keys: u32, i: u32): u32 {
  return ~load<u32>(keys + (i << 3));
}

// @ts-ignore: decorator
@inline
function valueOf(values: u32, keys: u32, i: u32): f32 {
  return load<f32>(values + (indexOf(keys, i) << 2));
}

/** State of a random generator: the pivot is the median of three random keys, so no input is a worst case. */
let random: u32 = 1;

// @ts-ignore: decorator
@inline
function any(keys: u32, from: i32, to: i32): u64 {
  random = random * 1664525 + 1013904223;
  return key(keys, from + <i32>((random >>> 8) % <u32>(to - from + 1)));
}

/** Quicksort, largest first, which leaves keys beyond the first `wanted` unsorted. */
function sort(keys: u32, first: i32, last: i32, wanted: u32): void {
  let from = first;
  let to = last;
  while (to - from > FEW) {
    const a = any(keys, from, to);
    const b = any(keys, from, to);
    const pivot = max(min(a, b), min(max(a, b), any(keys, from, to)));
    let left = from;
    let right = to;
    while (left <= right) {
      while (key(keys, left) > pivot) left++;
      while (key(keys, right) < pivot) right--;
      if (left > right) break;
      swap(keys, left++, right--);
    }
    if (<u32>left >= wanted) {
      to = right;
    } else if (right - from < to - left) {
      // The smaller part recursively, so that the depth is logarithmic.
      sort(keys, from, right, wanted);
      from = left;
    } else {
      sort(keys, left, to, wanted);
      to = right;
    }
  }
  for (let i = from + 1; i <= to; i++) {
    const own = key(keys, i);
    let at = i;
    for (; at > from && key(keys, at - 1) < own; at--) set(keys, at, key(keys, at - 1));
    set(keys, at, own);
  }
}

// @ts-ignore: decorator
@inline
function key(keys: u32, i: i32): u64 {
  return load<u64>(keys + (<u32>i << 3));
}

// @ts-ignore: decorator
@inline
function set(keys: u32, i: i32, value: u64): void {
  store<u64>(keys + (<u32>i << 3), value);
}

// @ts-ignore: decorator
@inline
function swap(keys: u32, a: i32, b: i32): void {
  const value = key(keys, a);
  set(keys, a, key(keys, b));
  set(keys, b, value);
}
