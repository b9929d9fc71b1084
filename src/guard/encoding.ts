/** How the bytes of a file are to be read. Some programs, mostly on Windows, write UTF-16. */
import { decode } from "../base/fs.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** As many bytes as git examines. */
const HEAD_BYTES = 8192;
/** Shorter data cannot be classified, and has no room for a secret with its name. */
const WIDE_BYTES_MIN = 16;
/** In binary data more than one byte in ten is a control character. */
const CONTROL_SHARE = 64;
const LINE_END = 10;
/** In UTF-8. */
const CHARACTER_BYTES_MAX = 4;

/** Undefined for binary data. Lines taken from a file may lack its byte order mark. */
export function encodingOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!head.includes(0)) return "utf-8";
  return (["utf-16le", "utf-16be"] as const).find((encoding) => isWide(head, encoding));
}

/**
 * A log that was cut off, a dump of a table: few signs of control among letters. Git takes a file for text
 * by its beginning, where they may be missing, and of a change only its lines are known here.
 */
export function isMostlyText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  return head.reduce((sum, byte) => sum + (byte < 9 ? 1 : 0), 0) * CONTROL_SHARE <= head.length;
}

/**
 * The text, and of UTF-16 also the lines behind it that another program wrote as it writes itself, each in
 * its place. `isRest`: it begins with a line further down, which has half of the line's end before it.
 */
export function textsOf(bytes: Uint8Array, encoding: Encoding, isRest = false): string[] {
  const from = isRest && encoding === "utf-16le" ? 1 : 0;
  const text = new TextDecoder(encoding).decode(bytes.subarray(from)).replaceAll("\r\n", "\n");
  return encoding === "utf-8" ? [text] : [text, narrowLines(bytes)];
}

/** Where the first whole character begins from `at` on, in a line that was cut anywhere. */
export function wholeFrom(bytes: Uint8Array, at: number, encoding: Encoding): number {
  if (encoding !== "utf-8") return at;
  const rest = bytes.subarray(at, at + CHARACTER_BYTES_MAX).findIndex((byte) => byte >> 6 !== 2);
  return at + Math.max(0, rest);
}

/** Those without a zero, but for the one that is the rest of the line's end before. */
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

/** Half of the characters at least are Latin, and none is a sign of control. */
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
