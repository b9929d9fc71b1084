// Tells bytes that were changed by accident. Each step is a bijection of its lane, so that one changed
// word always changes the sum. Not for what somebody forges: that is SHA-256's, at the download.

/** Sixteen lanes, so that one multiplication need not wait for the last. `length`: a multiple of 4. */
export function checksum(at: u32, length: u32): u32 {
  const prime = i32x4.splat(0x9e3779b1);
  let a = i32x4.splat(1);
  let b = i32x4.splat(2);
  let c = i32x4.splat(3);
  let d = i32x4.splat(4);
  const blocks = at + (length & ~63);
  let from = at;
  for (; from < blocks; from += 64) {
    a = i32x4.mul(v128.xor(a, v128.load(from)), prime);
    b = i32x4.mul(v128.xor(b, v128.load(from, 16)), prime);
    c = i32x4.mul(v128.xor(c, v128.load(from, 32)), prime);
    d = i32x4.mul(v128.xor(d, v128.load(from, 48)), prime);
  }
  let sum: u32 = length;
  for (; from < at + length; from += 4) sum = mix(sum, load<u32>(from));
  sum = fold(fold(fold(fold(sum, a), b), c), d);
  return sum ^ (sum >>> 15);
}

// @ts-ignore: decorator
@inline
function fold(sum: u32, lanes: v128): u32 {
  sum = mix(sum, i32x4.extract_lane(lanes, 0));
  sum = mix(sum, i32x4.extract_lane(lanes, 1));
  sum = mix(sum, i32x4.extract_lane(lanes, 2));
  return mix(sum, i32x4.extract_lane(lanes, 3));
}

// @ts-ignore: decorator
@inline
function mix(sum: u32, word: u32): u32 {
  return rotl<u32>((sum ^ word) * 0x9e3779b1, 13);
}
