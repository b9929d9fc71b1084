/**
 * Code, output and data that somebody pasted and no fence marks, told by the look of their lines. Apart from
 * clean.ts, which goes by what says so: what merely looks pasted may be typed, so nothing is read out of it
 * that counts, and only what is asked is asked without it.
 */

/** How sure a line's look is: once sure, or perhaps twice, and something was pasted. */
const SURE = 2;
const PERHAPS = 1;

/** What stands in front of it in a paragraph, and behind it, is kept. */
export function withoutMachineLines(text: string): string {
  if (!text.includes("\n")) return text;
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.split("\n"));
  const signs = paragraphs.map((lines) => lines.map(signOf));
  if (signs.flat().reduce((sum, sign) => sum + sign, 0) < SURE) return text;
  return paragraphs.map((lines, at) => {
    const isSign = (sign: number): boolean => sign > 0;
    const first = signs[at]?.findIndex(isSign) ?? -1;
    if (first < 0) return lines.join("\n");
    const last = signs[at]?.findLastIndex(isSign) ?? first;
    return [...lines.slice(0, first), "", behind(lines[last] ?? ""), ...lines.slice(last + 1)]
      .join("\n");
  }).join("\n\n");
}

/** Characters; more behind a line of code is code. */
const TYPED_BEHIND_MAX = 300;

/** What somebody went on with on the last line. */
function behind(line: string): string {
  const typed = /[.!?]\s+(\S+(?: \S+){2,})$/.exec(line.slice(-TYPED_BEHIND_MAX))?.[1] ?? "";
  return signOf(typed) === 0 ? typed : "";
}

/** A bracket or a key of JSON in front, a brace or a semicolon behind, a line of a patch, a place in a stack. */
const STATEMENT =
  /^\s*(?:[{}[\]()]|"[^"]*":|@@|diff --git|[+-]{3} [ab]\/|at \S+[(:])|[{};]$|=>$|^[+-](?=[^\s\d-]| {2})/;
/** An item of a list may be. */
const INDENTED = /^(?:\t| {2})(?!\s*(?:[-*+]|\d{1,3}[.)])\s)/;
const COLUMNS = /[^.!?\s] {2,}\S|\t/;
const FAILURE =
  /^(?:[\w.$]*(?:Error|Exception|Warning)|npm (?:err|error|warn)|error|warning|fatal|panic|FAIL)\b/i;
/** Letters roughly, without the signs and arrows between them: classes of Unicode are dear to make. */
const WORD =
  /^["'“(]*[A-Za-z\u00c0-\u1fff\u3001-\uffff][A-Za-z\u00c0-\u1fff\u3001-\uffff’'-]*[.,;:!?…"'”)]*$/;
const WORD_CHARACTERS_MAX = 40;
/** With fewer words among what stands between its spaces, hardly anybody typed it. */
const WORDS_SHARE = 0.6;

function signOf(line: string): number {
  if (line.trim() === "") return 0;
  if (STATEMENT.test(line)) return SURE;
  if (INDENTED.test(line) || COLUMNS.test(line) || FAILURE.test(line)) return PERHAPS;
  const tokens = line.trim().split(/\s+/);
  const words = tokens.filter((token) => token.length <= WORD_CHARACTERS_MAX && WORD.test(token));
  return words.length < WORDS_SHARE * tokens.length ? PERHAPS : 0;
}
