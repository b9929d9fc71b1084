/**
 * Finds the quotation mark or bracket that a YAML text never closes. The parser notices that only at the
 * next key; a person needs to know where it was opened. It is a heuristic for texts that failed to parse,
 * and knows only keys, quotes, brackets and block scalars.
 */

export interface OpenValue {
  readonly offset: number;
  readonly reason: string;
}

/** What is in front of a value: dashes of lists, a key with its colon. */
const LEAD = /[ \t]*(?:-[ \t]+)*(?:[^\s"'#[\]{},][^"'#\n\r]*?:[ \t]+)?/y;
const BLOCK_HEADER = /[|>][-+\d]*[ \t]*(?:#[^\n]*)?$/;

/** The quoted or bracketed value that is still open at `end`, where the parser gave up. */
export function openValue(text: string, end: number): OpenValue | undefined {
  let at = 0;
  while (at < end) {
    LEAD.lastIndex = at;
    LEAD.test(text);
    const start = LEAD.lastIndex;
    const close = valueEnd(text, start, end);
    if (typeof close !== "number") return close;
    const lineEnd = text.indexOf("\n", close);
    if (lineEnd < 0) return undefined;
    at = BLOCK_HEADER.test(text.slice(at, lineEnd).trimEnd())
      ? blockEnd(text, lineEnd + 1, indentOf(text, at))
      : lineEnd + 1;
  }
  return undefined;
}

/** The offset behind the value, or where it is opened. */
function valueEnd(text: string, start: number, end: number): number | OpenValue {
  const brackets: number[] = [];
  for (let at = start; at < end; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") {
      // Within a plain scalar it is an apostrophe.
      if (at > start && !/[\s,[{:]/.test(text.charAt(at - 1))) continue;
      const close = quoteEnd(text, at, end);
      if (close < 0) return { offset: at, reason: `the quotation mark ${char} is not closed` };
      at = close;
      if (brackets.length === 0) return close + 1;
    } else if ((char === "[" || char === "{") && (at === start || brackets.length > 0)) {
      brackets.push(at);
    } else if ((char === "]" || char === "}") && brackets.length > 0) {
      brackets.pop();
    }
    if (brackets.length === 0) return at;
  }
  const offset = brackets.at(-1);
  return offset === undefined
    ? end
    : { offset, reason: `the bracket ${text.charAt(offset)} is not closed` };
}

/** The offset of the closing quotation mark before `end`; -1 if there is none. */
function quoteEnd(text: string, open: number, end: number): number {
  const quote = text.charAt(open);
  for (let at = open + 1; at < end; at++) {
    const char = text.charAt(at);
    if (char === "\\" && quote === '"') at++;
    else if (char === quote && quote === "'" && text.charAt(at + 1) === "'") at++;
    else if (char === quote) return at;
  }
  return -1;
}

/** The end of a block scalar: the first line that is not indented more than its key. */
function blockEnd(text: string, from: number, indent: number): number {
  let at = from;
  while (at < text.length) {
    const lineEnd = text.indexOf("\n", at);
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd);
    if (line.trim() !== "" && indentOf(text, at) <= indent) return at;
    if (lineEnd < 0) return text.length;
    at = lineEnd + 1;
  }
  return at;
}

function indentOf(text: string, lineStart: number): number {
  let at = lineStart;
  while (text.charAt(at) === " ") at++;
  return at - lineStart;
}
