/** How the bytes of a file are to be read. Some programs, mostly on Windows, write UTF-16. */

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** As many as git looks at. */
const HEAD_BYTES = 8192;
/** Of what is shorter nobody can tell, and no secret with its name has room in it. */
const WIDE_BYTES_MIN = 16;

/** Undefined of what is no text. Of lines out of a file the mark of its encoding may be missing. */
export function encodingOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!head.includes(0)) return "utf-8";
  return (["utf-16le", "utf-16be"] as const).find((encoding) => isWide(head, encoding));
}

/** `isRest`: it begins with a line further down, which has half of the line's end before it. */
export function textOf(bytes: Uint8Array, encoding: Encoding, isRest = false): string {
  const from = isRest && encoding === "utf-16le" ? 1 : 0;
  return new TextDecoder(encoding).decode(bytes.subarray(from)).replaceAll("\r\n", "\n");
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
