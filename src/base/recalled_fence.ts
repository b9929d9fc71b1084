/**
 * Takes out of a text what stood in fences of recalled memory: Sage said it, nobody else did, and what
 * it once gave back must not be saved again as something new. The writing side is in printable.ts. It
 * fails closed: a torn fence takes with it whatever may have stood inside.
 */

const MARKER = /<(\/?)recalled [0-9a-z]{8,64}>/g;

/** The text without recalled parts; the same string where there are none. */
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
