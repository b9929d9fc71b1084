// The static model's tokenizer (wasm/model/README.md): ASCII text to token ids. The vocabulary is used in
// place, in the sections of the model file. The host turns Unicode into ASCII first.
import { isAlphanumeric, isLetter, isLower, isUpper, toLower } from "./bytes";

const WORD_MAX: u32 = 40;
const INITIAL_MAX: u32 = 20;
const CONTINUATION_MAX: u32 = 12;
const FNV_BASIS: u32 = 2166136261;
const FNV_PRIME: u32 = 16777619;
/** The hash after "##", with which every continuation begins. */
const FNV_HASHES: u32 = ((((FNV_BASIS ^ 35) * FNV_PRIME) ^ 35) * FNV_PRIME);
const NONE: u32 = 0xffffffff;

/** The current word in lower case, and the hash of each prefix of the current piece. */
const word: u32 = <u32>memory.data(WORD_MAX, 16);
const prefixHashes: u32 = <u32>memory.data(80, 16);
/** Replacements for c++, c#, f# and n't: "cplusplus", "csharp", "fsharp", "not". */
const cplusplus: u32 = <u32>memory.data<u8>([99, 112, 108, 117, 115, 112, 108, 117, 115]);
const csharp: u32 = <u32>memory.data<u8>([99, 115, 104, 97, 114, 112]);
const fsharp: u32 = <u32>memory.data<u8>([102, 115, 104, 97, 114, 112]);
const not: u32 = <u32>memory.data<u8>([110, 111, 116]);

let slotMask: u32 = 0;
let offsetsAt: u32 = 0;
let stringsAt: u32 = 0;
let hashAt: u32 = 0;

let idsAt: u32 = 0;
let idsEnd: u32 = 0;

/** Sets the vocabulary: a hash table of id + 1, and the offsets and bytes of the token strings. */
export function modelInit(tokens: u32, slots: u32, offsets: u32, strings: u32, hash: u32): void {
  slotMask = slots - 1;
  offsetsAt = offsets;
  stringsAt = strings;
  hashAt = hash;
}

/** Writes at most `idsMax` ids (u32) and returns their number. */
export function modelTokenize(text: u32, length: u32, ids: u32, idsMax: u32): u32 {
  idsAt = ids;
  idsEnd = ids + (idsMax << 2);
  const end = text + length;
  let at = text;
  while (at < end && idsAt < idsEnd) {
    if (!isAlphanumeric(load<u8>(at))) {
      at++;
      continue;
    }
    const start = at;
    do at++; while (at < end && isAlphanumeric(load<u8>(at)));
    at = emitRun(start, at, end);
  }
  return (idsAt - ids) >>> 2;
}

/** Emits the word or words of one alphanumeric run, and returns where to continue. */
function emitRun(start: u32, at: u32, end: u32): u32 {
  const length = at - start;
  if (length == 1) {
    const c = toLower(load<u8>(start));
    if (c == 99 && at + 1 < end && load<u8>(at) == 43 && load<u8>(at, 1) == 43) {
      emitWord(cplusplus, 9);
      return at + 2;
    }
    if ((c == 99 || c == 102) && at < end && load<u8>(at) == 35) {
      emitWord(c == 99 ? csharp : fsharp, 6);
      return at + 1;
    }
  } else if (
    toLower(load<u8>(at - 1)) == 110 && isLetter(load<u8>(at - 2)) && at + 1 < end &&
    load<u8>(at) == 39 && toLower(load<u8>(at, 1)) == 116 &&
    !(at + 2 < end && isAlphanumeric(load<u8>(at, 2)))
  ) {
    emitWord(start, length - 1);
    emitWord(not, 3);
    return at + 2;
  }
  emitWord(start, length);
  return at;
}

function emitWord(start: u32, lengthWhole: u32): void {
  const length = min(lengthWhole, WORD_MAX);
  let hash = FNV_BASIS;
  for (let i: u32 = 0; i < length; i++) {
    const c = toLower(load<u8>(start + i));
    store<u8>(word + i, c);
    hash = (hash ^ c) * FNV_PRIME;
  }
  if (length > 1) {
    const id = lookup(hash, word, length, 0);
    if (id != NONE) return emit(id);
  }
  let from: u32 = 0;
  for (let i: u32 = 1; i < length; i++) {
    if (!isBoundary(start, i, length)) continue;
    emitPart(from, i);
    from = i;
  }
  emitPart(from, length);
}

/** Whether a camel-case part begins at byte `i` of the original word. */
function isBoundary(start: u32, i: u32, length: u32): bool {
  if (!isUpper(load<u8>(start + i))) return false;
  if (!isUpper(load<u8>(start + i - 1))) return true;
  return i + 1 < length && isLower(load<u8>(start + i + 1));
}

/** Emits the tokens of the bytes `from` to `to` of the lower-cased word. */
function emitPart(from: u32, to: u32): void {
  const whole = longest(word + from, to - from, WORD_MAX, FNV_BASIS, 0, true);
  if (whole != 0) return;
  let at = from + longest(word + from, to - from, INITIAL_MAX, FNV_BASIS, 0, false);
  while (at < to) {
    const taken = longest(word + at, to - at, CONTINUATION_MAX, FNV_HASHES, 2, false);
    // Every letter and digit is a token; `max` keeps a damaged file from looping forever.
    at += max(taken, 1);
  }
}

/** Emits the longest token that is a prefix, or only the whole; returns its length in bytes, or 0. */
function longest(
  at: u32,
  left: u32,
  lengthMax: u32,
  basis: u32,
  marks: u32,
  wholeOnly: bool,
): u32 {
  if (wholeOnly) {
    let hash = basis;
    for (let i: u32 = 0; i < left; i++) hash = (hash ^ load<u8>(at + i)) * FNV_PRIME;
    const id = lookup(hash, at, left, marks);
    if (id == NONE) return 0;
    emit(id);
    return left;
  }
  const length = min(left, lengthMax);
  let hash = basis;
  for (let i: u32 = 0; i < length; i++) {
    hash = (hash ^ load<u8>(at + i)) * FNV_PRIME;
    store<u32>(prefixHashes + (i << 2), hash);
  }
  for (let n = length; n > 0; n--) {
    const id = lookup(load<u32>(prefixHashes + ((n - 1) << 2)), at, n, marks);
    if (id == NONE) continue;
    emit(id);
    return n;
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function emit(id: u32): void {
  if (idsAt >= idsEnd) return;
  store<u32>(idsAt, id);
  idsAt += 4;
}

/** The id of the token of `marks` number signs followed by these bytes, or NONE. */
function lookup(hash: u32, at: u32, length: u32, marks: u32): u32 {
  let slot = (hash ^ (hash >>> 15)) & slotMask;
  while (true) {
    const entry = load<u32>(hashAt + (slot << 2));
    if (entry == 0) return NONE;
    const id = entry - 1;
    const string = load<u32>(offsetsAt + (id << 2));
    const size = load<u32>(offsetsAt + (id << 2), 4) - string;
    if (size == length + marks && matches(stringsAt + string, at, length, marks)) return id;
    slot = (slot + 1) & slotMask;
  }
}

function matches(string: u32, at: u32, length: u32, marks: u32): bool {
  if (marks != 0 && load<u16>(string) != 0x2323) return false;
  const rest = string + marks;
  for (let i: u32 = 0; i < length; i++) {
    if (load<u8>(rest + i) != load<u8>(at + i)) return false;
  }
  return true;
}
