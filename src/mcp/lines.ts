/**
 * Bytes from a pipe → lines, in bounded memory. A line that grows too long is dropped to its end and
 * reported once, so that the lines after it are still read.
 */
import { concat } from "../base/concat.ts";

/** A line without its line break, or notice that one was longer than allowed. */
export type Line = { readonly kind: "line"; readonly bytes: Uint8Array } | {
  readonly kind: "too_long";
};

export interface LineSplitter {
  /** The lines that this chunk completes. */
  push(piece: Uint8Array): Line[];
  /** The last line, if it has no line break. */
  end(): Line[];
}

const NEWLINE = 10;

export function splitLines(bytesMax: number): LineSplitter {
  let parts: Uint8Array[] = [];
  let held = 0;
  let isDropping = false;

  function hold(part: Uint8Array): void {
    if (isDropping) return;
    held += part.length;
    if (held > bytesMax) {
      isDropping = true;
      parts = [];
    } else if (part.length > 0) parts.push(part.slice());
  }

  function finish(): Line {
    const line: Line = isDropping ? { kind: "too_long" } : { kind: "line", bytes: concat(parts) };
    parts = [];
    held = 0;
    isDropping = false;
    return line;
  }

  return {
    push(piece) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
        hold(piece.subarray(start, end));
        lines.push(finish());
        start = end + 1;
      }
      hold(piece.subarray(start));
      return lines;
    },
    end: () => held > 0 ? [finish()] : [],
  };
}
