// Splits text into terms, for queries and documents alike. A word is a run of letters, digits and bytes
// from 0x80 on. Words joined by / \ . - or underscores form a compound, which is emitted whole and then
// split at one kind of joint at a time: src/base/userName.ts gives itself, src, base, userName.ts,
// username, user, name, ts. A term is the 64-bit FNV-1a hash of its first 64 bytes in ASCII lower case.
import { isAlphanumeric, isLower, isUpper, toLower } from "./bytes";

const TERM_BYTES_MAX: u32 = 64;
const FNV_BASIS: u64 = 0xcbf29ce484222325;
const FNV_PRIME: u64 = 0x100000001b3;

/** Joints from the loosest to the tightest; a change of case is the tightest. */
const SLASH: u32 = 0;
const DOT: u32 = 1;
const HYPHEN: u32 = 2;
const UNDERSCORE: u32 = 3;
const CASE: u32 = 4;

let textAt: u32 = 0;
let hashesAt: u32 = 0;
let spansAt: u32 = 0;
let emitted: u32 = 0;
let emittedMax: u32 = 0;

/** Writes at most `termsMax` hashes and returns their number. */
export function termHashes(text: u32, length: u32, out: u32, termsMax: u32): u32 {
  return termSpans(text, length, out, 0, termsMax);
}

/** The same, and for each term its {start, end} in the text, unless `spans` is 0. */
export function termSpans(text: u32, length: u32, out: u32, spans: u32, termsMax: u32): u32 {
  textAt = text;
  hashesAt = out;
  spansAt = spans;
  emitted = 0;
  emittedMax = termsMax;
  const end = text + length;
  let at = text;
  while (at < end && emitted < emittedMax) {
    if (isWord(load<u8>(at))) at = emitCompound(at, end);
    else at++;
  }
  return emitted;
}

// @ts-ignore: decorator
@inline
function isWord(c: u32): bool {
  return isAlphanumeric(c) || c >= 0x80;
}

/** The joint that a byte is, or CASE if it is none. */
// @ts-ignore: decorator
@inline
function jointOf(c: u32): u32 {
  if (c == 47 || c == 92) return SLASH;
  if (c == 46) return DOT;
  if (c == 45) return HYPHEN;
  return c == 95 ? UNDERSCORE : CASE;
}

/** Emits the compound that begins at `start`, and returns its end. */
function emitCompound(start: u32, end: u32): u32 {
  let at = start;
  let loosest = CASE;
  let hasUpper = false;
  let hash = FNV_BASIS;
  const hashEnd = start + TERM_BYTES_MAX;
  while (true) {
    let c = <u32>load<u8>(at);
    for (; at < end; at++) {
      c = load<u8>(at);
      if (!isWord(c)) break;
      if (isUpper(c)) hasUpper = true;
      if (at < hashEnd) hash = (hash ^ <u64>toLower(c)) * FNV_PRIME;
    }
    if (at >= end) break;
    const joint = jointOf(c);
    if (joint == CASE) break;
    let next = at + 1;
    if (joint == UNDERSCORE) while (next < end && load<u8>(next) == 95) next++;
    if (next >= end || !isWord(load<u8>(next))) break;
    for (; at < next; at++) {
      if (at < hashEnd) hash = (hash ^ <u64>(c == 92 ? 47 : c)) * FNV_PRIME;
    }
    loosest = min(loosest, joint);
  }
  emitTerm(hash, start, at);
  if (loosest < CASE) splitAt(loosest, start, at);
  else if (hasUpper) splitCase(start, at);
  return at;
}

/** Emits the parts of a compound between its joints of one kind; the whole was emitted before. */
function splitAt(joint: u32, start: u32, end: u32): void {
  let from = start;
  for (let at = start; at < end; at++) {
    if (jointOf(load<u8>(at)) != joint) continue;
    emitPart(from, at);
    while (jointOf(load<u8>(at, 1)) == joint) at++;
    from = at + 1;
  }
  emitPart(from, end);
}

function emitPart(start: u32, end: u32): void {
  emitTerm(hashOf(start, end), start, end);
  let loosest = CASE;
  for (let at = start; at < end; at++) loosest = min(loosest, jointOf(load<u8>(at)));
  if (loosest < CASE) splitAt(loosest, start, end);
  else splitCase(start, end);
}

/**
 * Emits the parts of a word in mixed case; nothing if it has no boundary. A part of one byte (the i of
 * iOS) is left out: it is no use, and without it there are never more terms than bytes.
 */
function splitCase(start: u32, end: u32): void {
  let from = start;
  for (let at = start + 1; at < end; at++) {
    if (!isUpper(load<u8>(at))) continue;
    if (isUpper(load<u8>(at - 1)) && !(at + 1 < end && isLower(load<u8>(at, 1)))) continue;
    emitCasePart(from, at);
    from = at;
  }
  if (from > start) emitCasePart(from, end);
}

// @ts-ignore: decorator
@inline
function emitCasePart(start: u32, end: u32): void {
  if (end - start > 1) emitTerm(hashOf(start, end), start, end);
}

function hashOf(start: u32, end: u32): u64 {
  const hashEnd = min(end, start + TERM_BYTES_MAX);
  let hash = FNV_BASIS;
  for (let at = start; at < hashEnd; at++) {
    const c = <u32>load<u8>(at);
    hash = (hash ^ <u64>(c == 92 ? 47 : toLower(c))) * FNV_PRIME;
  }
  return hash;
}

// @ts-ignore: decorator
@inline
function emitTerm(hash: u64, start: u32, end: u32): void {
  if (emitted == emittedMax) return;
  store<u64>(hashesAt + (emitted << 3), hash);
  if (spansAt != 0) {
    store<u32>(spansAt + (emitted << 3), start - textAt);
    store<u32>(spansAt + (emitted << 3), end - textAt, 4);
  }
  emitted++;
}
