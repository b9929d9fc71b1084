/**
 * Removes fences of recalled memory from a text, so that what Sage has recalled is not saved again as
 * something new. printable.ts writes the fences. It fails closed: with a torn fence, everything is removed
 * that may have been inside.
 */

const MARKER = /<(\/?)recalled [0-9a-z]{8,64}>/g;

/** The text without recalled parts. */
export function withoutRecalled(text: string): string {
  if (!text.includes("recalled ")) return text;
  let kept = "";
  let from = 0;
  let isOpen = false;
  for (const match of text.matchAll(MARKER)) {
    const isClosing = match[1] === "/";
    if (isClosing && !isOpen) kept = "";
    else if (!isClosing && !isOpen) kept += text.slice(from, match.index);
    isOpen = !isClosing;
    from = match.index + match[0].length;
  }
  return from === 0 ? text : isOpen ? kept : kept + text.slice(from);
}
