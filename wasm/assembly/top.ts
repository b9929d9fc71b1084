// The k largest of many, best first. A heap whose root is the worst of those kept: most values are
// turned away by one comparison. Of equal values the lower index is the better; NaN is never chosen.

let indicesAt: u32 = 0;
let bestAt: u32 = 0;

export function topK(values: u32, count: u32, k: u32, indices: u32, best: u32): u32 {
  indicesAt = indices;
  bestAt = best;
  let size: u32 = 0;
  let i: u32 = 0;
  for (; i < count && size < k; i++) {
    const value = load<f32>(values + (i << 2));
    if (value != value) continue;
    rise(size++, value, i);
  }
  if (k == 0) return 0;
  for (; i < count; i++) {
    const value = load<f32>(values + (i << 2));
    // Later means a higher index, so an equal value is never better.
    if (value > load<f32>(best)) sink(0, size, value, i);
  }
  for (let last = size; last > 1; last--) {
    const value = load<f32>(best + ((last - 1) << 2));
    const index = load<u32>(indices + ((last - 1) << 2));
    set(last - 1, load<f32>(best), load<u32>(indices));
    sink(0, last - 1, value, index);
  }
  return size;
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

function sink(from: u32, size: u32, value: f32, index: u32): void {
  let at = from;
  while (true) {
    let child = (at << 1) + 1;
    if (child >= size) break;
    const right = child + 1;
    if (
      right < size &&
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
