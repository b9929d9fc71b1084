// A checksum against accidental damage of a model file. Each step is a bijection of its lane, so that a
// change of one word always changes the sum. Against forgery the download is checked by SHA-256.

/** Bytes per call of sumBlock. */
const BLOCK: u32 = 65_536;

/** `length` is a multiple of 4. */
export function checksum(at: u32, length: u32): u32 {
  let sum: u32 = length;
  for (let from: u32 = 0; from < length; from += BLOCK) {
    sum = mix(sum, sumBlock(at + from, min(BLOCK, length - from)));
  }
  return sum ^ (sum >>> 15);
}

/** Sixteen lanes, so that multiplications do not wait for each other. */
export function sumBlock(at: u32, length: u32): u32 {
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
  return fold(fold(fold(fold(sum, a), b), c), d);
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
