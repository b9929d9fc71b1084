/**
 * What a person or a model said, without what they pasted. Two views: `spoken` for detection (no code,
 * no quotations, no block quotes), `prose` for extraction (whole sentences, inline code and quotes
 * kept). One pass over lines, then one over characters: no pattern here can backtrack over a long text.
 */

/** A quotation longer than this is a stray quotation mark. */
const QUOTATION_CHARACTERS_MAX = 400;
/** More than this of one turn is a document. */
const TURN_CHARACTERS_MAX = 40_000;

const SPAN_ENDS: Readonly<Record<string, string>> = {
  "`": "`",
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
};
const OPENER = /[`"“„«]/g;

/** Without fenced and inline code, double-quoted text and block quotes. */
export function spoken(text: string): string {
  return withoutSpans(withoutBlocks(text));
}

/** Without fenced code, tables, block quotes and markup lines; sentences stay as they were written. */
export function prose(text: string): string {
  return withoutBlocks(text).split("\n").filter((line) => !isMarkupLine(line)).join("\n");
}

function withoutBlocks(whole: string): string {
  const text = whole.slice(0, TURN_CHARACTERS_MAX);
  if (!/```|~~~|>/.test(text)) return text;
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^ {0,12}(?:[-*+] {1,3}|\d{1,3}[.)] {1,3})?(`{3,20}|~{3,20})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      kept.push(""); // the paragraph before the code ends here
      continue;
    }
    kept.push(/^\s{0,12}>/.test(line) ? "" : line);
  }
  return kept.join("\n");
}

function isMarkupLine(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith("|") || /^[-=*_ ]{3,}$/.test(trimmed) ||
    (trimmed.startsWith("<") && trimmed.endsWith(">")) || trimmed.startsWith("![");
}

/** Drops `code` and "quotations"; each opener looks ahead a bounded way only. */
function withoutSpans(text: string): string {
  let out = "";
  let from = 0;
  OPENER.lastIndex = 0;
  for (let found = OPENER.exec(text); found !== null; found = OPENER.exec(text)) {
    const end = spanEnd(text, found.index + 1, SPAN_ENDS[found[0]] ?? found[0]);
    if (end < 0) continue;
    out += text.slice(from, found.index) + " ";
    OPENER.lastIndex = from = end + 1;
  }
  return out + text.slice(from);
}

/** Where the closing mark stands in the same paragraph, near enough; -1 if nowhere. */
function spanEnd(text: string, from: number, mark: string): number {
  const window = text.slice(from, from + QUOTATION_CHARACTERS_MAX);
  const end = window.indexOf(mark);
  if (end < 0) return -1;
  const paragraph = window.indexOf("\n\n");
  return paragraph >= 0 && paragraph < end ? -1 : from + end;
}
