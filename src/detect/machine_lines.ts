/**
 * Code, output and data that somebody pasted and no fence marks, told by the look of their lines. Apart from
 * clean.ts, which goes by what says so, and which reads what an agent wrote as well: agents fence.
 */
import { prose } from "./clean.ts";

/** How sure a line's look is: once sure, or perhaps twice, and something was pasted. */
const SURE = 2;
const PERHAPS = 1;

/** What a person typed of a prompt, as sentences: what was pasted may say 'always' and 'we decided', and nobody did. */
export function typedText(prompt: string): string {
  return withoutMachineLines(withoutDocument(withoutFinding(prose(prompt))));
}

/** What a reviewing program hands over, and the sentence in front of it. */
const FINDING = /^\s*Verify (?:this issue exists|these issues exist) and fix (?:it|them):/;

function withoutFinding(text: string): string {
  return FINDING.exec(text)?.[0] ?? text;
}

/** So long, with so many headings and items, nobody types a prompt: a review, a plan or a specification was handed over. */
const DOCUMENT_CHARACTERS_MIN = 1200;
const DOCUMENT_PARTS_MIN = 5;
const PART = /^\s*(?:#{1,6} |[-*+•] |\(?\d{1,3}[.)] |\||\*\*)/;

/** Nobody types so much at once, whatever it looks like. */
const LONG_CHARACTERS_MIN = 3000;
/** A paragraph that somebody wrote to what they hand over. */
const BESIDE_CHARACTERS_MAX = 800;

function withoutMiddle(text: string): string {
  const paragraphs = text.split(/\n\s*\n/);
  return [paragraphs[0] ?? "", paragraphs.at(-1) ?? ""]
    .filter((one) => one.length <= BESIDE_CHARACTERS_MAX && !PART.test(one)).join("\n\n");
}

/** What stands in front of it, and what was added below it. */
function withoutDocument(text: string): string {
  if (text.length < DOCUMENT_CHARACTERS_MIN) return text;
  const lines = text.split("\n");
  if (text.length >= LONG_CHARACTERS_MIN) return withoutMiddle(text);
  if (lines.filter((line) => PART.test(line)).length < DOCUMENT_PARTS_MIN) return text;
  const before = lines.slice(0, lines.findIndex((line) => PART.test(line))).join("\n");
  const last = text.split(/\n\s*\n/).at(-1) ?? "";
  return last.split("\n").some((line) => PART.test(line)) ? before : `${before}\n\n${last}`;
}

/** What stands in front of it in a paragraph, and behind it, is kept. */
export function withoutMachineLines(text: string): string {
  if (!text.includes("\n")) return MARKED.test(text) ? "" : text;
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.split("\n"));
  const signs = paragraphs.map((lines) => lines.map(signOf));
  if (signs.flat().reduce((sum, sign) => sum + sign, 0) < SURE) return text;
  const shell = paragraphs.findIndex((lines) => lines.some((line) => SHELL.test(line)));
  return paragraphs.map((lines, at) => {
    const isSign = (sign: number): boolean => sign > 0;
    const first = signs[at]?.findIndex(isSign) ?? -1;
    // What a command printed goes on over empty lines; somebody may have gone on behind it.
    const isPrinted = shell >= 0 && at >= shell && at < paragraphs.length - 1;
    if (first < 0) return isPrinted ? "" : lines.join("\n");
    if (isPrinted || lines.some((line) => SHELL.test(line))) {
      return lines.slice(0, first).join("\n");
    }
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

/** A bracket or a key of JSON in front, a brace or a semicolon behind, a line of a patch, a place in a stack, a comment. */
const STATEMENT =
  /^\s*(?:[{}[\]()]|"[^"]*":|@@|diff --git|[+-]{3} [ab]\/|at \S+[(:]|\/\/ )|[{};]$|=>$|^[+-](?=[^\s\d-]| {2}| \/\/)/;
/** A prompt of a shell, and what was typed at it: all that stands below was printed. */
const SHELL =
  /^\s*(?:\[[^\]]{0,60}\d:\d\d[^\]]{0,200}\] \S|[\w.-]{1,40}@[\w.-]{1,60}(?::| [~/])[^$#%]{0,120}[$#%] \S|[$%❯➜] \S|PS [A-Z]:\\[^>]{0,200}> ?\S)/;
/** Marks of programs and of reviews that agents write, in front or between columns. */
const MARKED = /^\s*(?:[-*+] |\(?\d{1,3}[.)]? ?\)? ?)?[✓✔✗✘✕⨯●⏺⎿▸❌✅⚠❗🔴🟡🟢🆘🚫💡]|[│┃║├└]/u;
/** `--format json  as one object`; a sentence may begin with a flag, and two in a row do not. */
const FLAG = /^\s*-{1,2}[a-z][\w-]*(?:[ =,].*)?$/;
/** An item of a list may be. */
const INDENTED = /^(?:\t| {2})(?!\s*(?:[-*+]|\d{1,3}[.)])\s)/;
const COLUMNS = /[^.!?\s] {2,}\S|\t/;
/** `TypeError: rows is not iterable`, `java.lang.IllegalStateException: …`. */
const THROWN = /^\s*[\w.$]*(?:Error|Exception): \S/;
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
  if ([STATEMENT, SHELL, MARKED, THROWN].some((look) => look.test(line))) return SURE;
  if ([INDENTED, COLUMNS, FAILURE, FLAG].some((look) => look.test(line))) return PERHAPS;
  const tokens = line.trim().split(/\s+/);
  const words = tokens.filter((token) => token.length <= WORD_CHARACTERS_MAX && WORD.test(token));
  return words.length < WORDS_SHARE * tokens.length ? PERHAPS : 0;
}
