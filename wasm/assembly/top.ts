// The k largest of many, best first; of equal values the lower index is the better, and NaN is never
// chosen. A sample says first what can hardly be among them; of what is left as much is put in order as
// is wanted. Value and index are one number, so that all differ and one comparison says which is better.
import { alloc, mark, release } from "./memory";

/** One value of so many is in the sample. */
const SAMPLE_EVERY: u32 = 16;
/** Fewer are put in order one by one. */
const FEW: i32 = 12;

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
  // Half as many again and some more: then a sample is hardly ever wrong.
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

/** The keys of all values above one bound and not below the other; returns how many. */
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

/** Puts one key behind the others, where its value is wanted; returns how many were put. */
// @ts-ignore: decorator
@inline
function put(keys: u32, size: u32, values: u32, index: u32, above: f32, least: f32): u32 {
  const value = load<f32>(values + (index << 2));
  if (!(value > above && value >= least)) return 0;
  // Added to 0, −0 is as good as 0. As whole numbers, floats of one sign are in order.
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

/** The pivot is the middle one of three at random places: no order of values is a trap. */
let random: u32 = 1;

// @ts-ignore: decorator
@inline
function any(keys: u32, from: i32, to: i32): u64 {
  random = random * 1664525 + 1013904223;
  return key(keys, from + <i32>((random >>> 8) % <u32>(to - from + 1)));
}

/** Quicksort, largest first, of which only the first `wanted` have to be in order. */
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
      // The smaller part by a call, so that calls go no deeper than a logarithm.
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
