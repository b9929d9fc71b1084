/** Detects the encoding of a file's bytes: UTF-8, or UTF-16, which some programs on Windows write. */
import { decode } from "../base/utf8.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** How many bytes are examined: as many as git does. */
const HEAD_BYTES = 8192;
/** Less cannot be classified as UTF-16, and has no room for a secret with its name. */
const WIDE_BYTES_MIN = 16;
/** Text has at most one control character in so many bytes; binary data has one in ten or more. */
const CONTROL_SHARE = 64;
const LINE_END = 10;
/** The longest UTF-8 sequence. */
const CHARACTER_BYTES_MAX = 4;

/** Undefined for binary data. Works without a byte order mark, because lines of a diff have none. */
export function encodingOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!head.includes(0)) return "utf-8";
  return (["utf-16le", "utf-16be"] as const).find((encoding) => isWide(head, encoding));
}

/**
 * Whether control characters are rare enough for text, as in a log with a few zero bytes. Git judges by
 * the beginning of the file; here only the changed lines are known, so the two can disagree.
 */
export function isMostlyText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  return head.reduce((sum, byte) => sum + (byte < 9 ? 1 : 0), 0) * CONTROL_SHARE <= head.length;
}

/**
 * The decoded text. For UTF-16 a second one, with the same line numbers, of the lines that are not
 * UTF-16: a program that appends to such a file may write UTF-8. `isRest`: the bytes begin after a line
 * end, so in UTF-16LE with its second byte.
 */
export function textsOf(bytes: Uint8Array, encoding: Encoding, isRest = false): string[] {
  const from = isRest && encoding === "utf-16le" ? 1 : 0;
  const text = new TextDecoder(encoding).decode(bytes.subarray(from)).replaceAll("\r\n", "\n");
  return encoding === "utf-8" ? [text] : [text, narrowLines(bytes)];
}

/** The first offset from `at` on at which a character begins. */
export function wholeFrom(bytes: Uint8Array, at: number, encoding: Encoding): number {
  if (encoding !== "utf-8") return at;
  const rest = bytes.subarray(at, at + CHARACTER_BYTES_MAX).findIndex((byte) => byte >> 6 !== 2);
  return at + Math.max(0, rest);
}

/** The lines without a zero byte as UTF-8, the others empty. A zero at a line's start is of the line end. */
function narrowLines(bytes: Uint8Array): string {
  let lines = "";
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(LINE_END, at);
    const end = next < 0 ? bytes.length : next;
    const line = bytes.subarray(bytes[at] === 0 ? at + 1 : at, end);
    lines += line.includes(0) ? "\n" : `${decode(line)}\n`;
    at = end + 1;
  }
  return lines;
}

/** Whether it looks like UTF-16: half of the units at least are Latin, and none a control character. */
function isWide(head: Uint8Array, encoding: Encoding): boolean {
  if (head.length < WIDE_BYTES_MIN) return false;
  const high = encoding === "utf-16le" ? 1 : 0;
  let latin = 0;
  for (const [i, byte] of head.entries()) {
    if (i % 2 === high) latin += byte === 0 ? 1 : 0;
    else if (byte < 9 && !head[i ^ 1]) return false;
  }
  return latin * 4 >= head.length;
}
