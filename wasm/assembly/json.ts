// Cuts the middle out of long strings in JSON text, so that a parser that needs only their ends has less
// to do. Never splits an escape or a character. Recognises strings and nothing else of JSON.

const QUOTE: u32 = 34;
const BACKSLASH: u32 = 92;
const TAG: u32 = 60;
/** `\uXXXX`: the most bytes of JSON for one UTF-16 unit. */
const UNIT_BYTES_MAX: u32 = 6;
/** `"plan":`, little-endian: the string after this key is not cut, because the whole plan is used. */
const PLAN: u64 = 0x3a226e616c7022;
const SEVEN_BYTES: u64 = 0xffffffffffffff;
/** `stdout":`, and the halves of `"toolUseResult":`: copies of a tool's output, which are cut entirely. */
const STDOUT: u64 = 0x3a2274756f647473;
const TOOL_USE: u64 = 0x6573556c6f6f7422;
const RESULT: u64 = 0x3a22746c75736552;
/** `private` in lower case: a middle with `<private>` stays, or its tail would no longer be private. */
const PRIVATE: u64 = 0x65746176697270;
const SMALL: u64 = 0x20202020202020;

/** Works in place on `length` bytes and returns the new length; src/base/core.ts has the parameters. */
export function cutStrings(at: u32, length: u32, longer: u32, head: u32, tail: u32): u32 {
  const end = at + length;
  let from = at;
  let out = at;
  let open = quoteFrom(at, end);
  while (open < end) {
    const close = closingFrom(open + 1, end);
    if (close >= end) break;
    if (close - open - 1 > longer && !isPlan(open, at)) {
      const isAgain = isPrinted(open, at);
      const left = isAgain ? open + 1 : afterUnits(open + 1, close, head);
      const right = isAgain ? close : tailFrom(left, close, tail);
      if (right > left && (isAgain || !opensPrivate(left, right))) {
        memory.copy(out, from, left - from);
        out += left - from;
        from = right;
      }
    }
    open = quoteFrom(close + 1, end);
  }
  memory.copy(out, from, end - from);
  return out + (end - from) - at;
}

/** Whether a plain `<private` is in this range. */
function opensPrivate(from: u32, end: u32): bool {
  for (let at = findByte(from, end, TAG); at + 8 <= end; at = findByte(at + 1, end, TAG)) {
    if (((load<u64>(at + 1) | SMALL) & SEVEN_BYTES) == PRIVATE) return true;
  }
  return false;
}

function quoteFrom(from: u32, end: u32): u32 {
  return findByte(from, end, QUOTE);
}

/** The next occurrence of the byte, or `end`. */
export function findByte(from: u32, end: u32, byte: u32): u32 {
  const wanted = i8x16.splat(<i8>byte);
  let at = from;
  // 64 bytes at a time first: mostly the byte is hundreds away.
  for (; at + 64 <= end; at += 64) {
    const first = v128.or(
      i8x16.eq(v128.load(at), wanted),
      i8x16.eq(v128.load(at, 16), wanted),
    );
    const second = v128.or(
      i8x16.eq(v128.load(at, 32), wanted),
      i8x16.eq(v128.load(at, 48), wanted),
    );
    if (v128.any_true(v128.or(first, second))) break;
  }
  for (; at + 16 <= end; at += 16) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (hits != 0) return at + ctz(hits);
  }
  for (; at < end; at++) if (load<u8>(at) == byte) return at;
  return end;
}

/** The next unescaped quotation mark, or `end`. */
function closingFrom(from: u32, end: u32): u32 {
  let at = quoteFrom(from, end);
  while (at < end && (backslashesBefore(at, from) & 1) == 1) at = quoteFrom(at + 1, end);
  return at;
}

function backslashesBefore(at: u32, from: u32): u32 {
  let first = at;
  while (first > from && load<u8>(first - 1) == BACKSLASH) first--;
  return at - first;
}

/** The position after `units` UTF-16 units from `from` on, or `end` if there are fewer. */
function afterUnits(from: u32, end: u32, units: u32): u32 {
  const backslashes = i8x16.splat(<i8>BACKSLASH);
  let at = from;
  for (let left = <i32>units; at < end && left > 0;) {
    if (left >= 16 && at + 16 <= end) {
      const bytes = v128.load(at);
      const special = i8x16.bitmask(v128.or(bytes, i8x16.eq(bytes, backslashes)));
      const plain = special == 0 ? 16 : ctz(special);
      at += plain;
      left -= plain;
      if (plain > 0) continue;
    }
    const c = load<u8>(at);
    if (c == BACKSLASH) {
      at += load<u8>(at, 1) == 117 ? 6 : 2;
      left--;
    } else if (c < 0x80) {
      at++;
      left--;
    } else {
      at += c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
      left -= c < 0xf0 ? 1 : 2;
    }
  }
  return min(at, end);
}

/** A position from which at least `units` UTF-16 units remain before `end`, or `from`. */
function tailFrom(from: u32, end: u32, units: u32): u32 {
  // Two bytes a unit suffice for most text.
  const near = boundary(from, max(from, end - min(end - from, units * 2)));
  if (afterUnits(near, end, units) < end) return near;
  return boundary(from, max(from, end - min(end - from, units * UNIT_BYTES_MAX)));
}

/** The first position from `at` on that is inside neither a character nor an escape. */
function boundary(from: u32, at: u32): u32 {
  let place = at;
  for (let back = at; back > from && at - back < UNIT_BYTES_MAX - 1;) {
    back--;
    if (load<u8>(back) != BACKSLASH) continue;
    const isEscape = (backslashesBefore(back, from) & 1) == 0;
    if (isEscape) place = max(place, back + (load<u8>(back, 1) == 117 ? 6 : 2));
    break;
  }
  while ((load<u8>(place) & 0xc0) == 0x80) place++;
  return place;
}

function isPlan(open: u32, at: u32): bool {
  return open - at >= 7 && (load<u64>(open - 7) & SEVEN_BYTES) == PLAN;
}

function isPrinted(open: u32, at: u32): bool {
  const key = open - at >= 16 ? load<u64>(open - 8) : 0;
  return key == STDOUT && load<u8>(open - 9) == QUOTE ||
    key == RESULT && load<u64>(open - 16) == TOOL_USE;
}
