/**
 * Recognises code, output and data that somebody pasted without a fence, by the look of its lines. Apart from
 * clean.ts, which goes by markup and reads an agent's text as well: agents use fences.
 */
import { spaced } from "../../base/text/unspaced.ts";
import { prose } from "./clean.ts";

/** The evidence of all lines that is needed: one sure line, or two likely ones. */
const SURE = 2;
const PERHAPS = 1;

/** The sentences that a person typed themselves: pasted text may say 'always' and 'we decided'. */
export function typedText(prompt: string): string {
  return withoutMachineLines(withoutDocument(withoutFinding(prose(withoutButton(prompt)))));
}

/** What Cursor's button sends with a plan, or around the parts of one. */
const BUTTON =
  /^[ \t]*(?:Implement the (?:plan as specified, it|following to-dos from the plan \(the plan) is attached for your reference\)?\. Do NOT edit the plan file itself\.|You have been assigned the following \d+ to-do\(s\)|(?:To-do's from the plan|These to-dos) have already been created\. Do not create them again\.).*$/gm;

/** Without the words of a button of the client: what is wanted was said before. */
export function withoutButton(prompt: string): string {
  return prompt.replace(BUTTON, "");
}

/** What a reviewing program writes, and the sentence before it. */
const FINDING = /^\s*Verify (?:this issue exists|these issues exist) and fix (?:it|them):/;
/** The same, as it names where: 'In `@src/cache.ts` around lines 40 - 52, …'. */
const FINDING_AT = /(?:^|\n)\s{0,4}In `?@\S{1,300} around lines? \d/;

/** A finding with its grade on a line of its own, between its title and what is to be done. */
const GRADED = /\n[ \t]*(?:low|medium|high|critical) severity[ \t]*(?:\n|$)/i;

function withoutFinding(text: string): string {
  return FINDING.exec(text)?.[0] ?? text.split(FINDING_AT, 1)[0]?.split(GRADED, 1)[0] ?? text;
}

/**
 * A text of this length with this many headings and items is a review, plan or specification, which nobody
 * types as a prompt.
 */
const DOCUMENT_CHARACTERS_MIN = 1200;
const DOCUMENT_PARTS_MIN = 5;
const PART = /^\s*(?:#{1,6} |[-*+•] |\(?\d{1,3}[.)] |\||\*\*)/;

/** Nobody types this much at once, whatever it looks like. */
const LONG_CHARACTERS_MIN = 3000;
/** A paragraph that somebody wrote to go with a document. */
const BESIDE_CHARACTERS_MAX = 800;

function withoutMiddle(text: string): string {
  const paragraphs = text.split(/\n\s*\n/);
  return [paragraphs[0] ?? "", paragraphs.at(-1) ?? ""]
    .filter((one) => one.length <= BESIDE_CHARACTERS_MAX && !PART.test(one)).join("\n\n");
}

/** Only what comes before the document, and what was added below it. */
function withoutDocument(text: string): string {
  if (text.length < DOCUMENT_CHARACTERS_MIN) return text;
  const lines = text.split("\n");
  if (text.length >= LONG_CHARACTERS_MIN) return withoutMiddle(text);
  if (lines.filter((line) => PART.test(line)).length < DOCUMENT_PARTS_MIN) return text;
  const before = lines.slice(0, lines.findIndex((line) => PART.test(line))).join("\n");
  const last = text.split(/\n\s*\n/).at(-1) ?? "";
  return last.split("\n").some((line) => PART.test(line)) ? before : `${before}\n\n${last}`;
}

/** Text before and after it in its paragraph is kept. */
export function withoutMachineLines(text: string): string {
  if (!text.includes("\n")) return MARKED.test(text) ? "" : text;
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.split("\n"));
  const signs = paragraphs.map((lines) => lines.map(signOf));
  if (signs.flat().reduce((sum, sign) => sum + sign, 0) < SURE) return text;
  const shell = paragraphs.findIndex((lines) => lines.some((line) => SHELL.test(line)));
  return paragraphs.map((lines, at) => {
    const isSign = (sign: number): boolean => sign > 0;
    const first = signs[at]?.findIndex(isSign) ?? -1;
    // Output continues over empty lines; the person may have written something after it.
    const isPrinted = shell >= 0 && at >= shell && at < paragraphs.length - 1;
    if (first < 0) return isPrinted ? "" : lines.join("\n");
    if (isPrinted) return at === shell ? lines.slice(0, first).join("\n") : "";
    const last = signs[at]?.findLastIndex(isSign) ?? first;
    return [...lines.slice(0, first), "", behind(lines[last] ?? ""), ...lines.slice(last + 1)]
      .join("\n");
  }).join("\n\n");
}

/** Longer text after a line of code is code. */
const TYPED_BEHIND_MAX = 300;

/** What somebody added on the last line: behind a sentence, or behind a shell's prompt. */
function behind(line: string): string {
  const end = line.slice(-TYPED_BEHIND_MAX);
  const typed = (BEHIND_PROMPT.exec(end) ?? /[^\s.!?][.!?]\s+(\S+(?: \S+){2,})$/.exec(end))?.[1] ??
    "";
  return signOf(typed) === 0 ? typed : "";
}

/** A prompt may show at its end how long the last command took. */
const BEHIND_PROMPT = /^\S{0,80}[❯➜$%#>] {3,200}(?:\d+m?s )?([A-Za-z]+(?: \S+){3,})$/;

/**
 * A bracket or JSON key at the beginning, a brace or semicolon at the end, a line of a patch, a stack frame,
 * a comment.
 */
const STATEMENT =
  /^\s*(?:[{}[\]()]|"[^"]*":|@@|diff --git|[+-]{3} [ab]\/|at \S+[(:]|\/\/ )|[{};]$|=>$|^[+-](?=[^\s\d-]| {2}| \/\/)/;
/** A shell prompt with a command: everything below it is output. */
const SHELL =
  /^\s*(?:\[[^\]]{0,60}\d:\d\d[^\]]{0,200}\] \S|[\w.-]{1,40}@[\w.-]{1,60}(?::| [~/])[^$#%]{0,120}[$#%] \S|[$%❯➜] \S|PS [A-Z]:\\[^>]{0,200}> ?\S)/;
/** Symbols that programs and reviewing agents print at the beginning or between columns. */
const MARKED = /^\s*(?:[-*+] |\(?\d{1,3}[.)]? ?\)? ?)?[✓✔✗✘✕⨯●⏺⎿▸❌✅⚠❗🔴🟡🟢🆘🚫💡]|[│┃║├└]/u;
/** `--format json  as one object`. A sentence may begin with a flag, but not two in a row. */
const FLAG = /^\s*-{1,2}[a-z][\w-]*(?:[ =,].*)?$/;
/** Indented; list items may be. */
const INDENTED = /^(?:\t| {2})(?!\s*(?:[-*+]|\d{1,3}[.)])\s)/;
const COLUMNS = /[^.!?\s] {2,}\S|\t/;
/** `TypeError: rows is not iterable`, `java.lang.IllegalStateException: …`. */
const THROWN = /^\s*[\w.$]*(?:Error|Exception): \S/;
/** The rest of a stack, and what a browser says of a request that failed. */
const TRACED =
  /^\s*(?:\.{3} \d+ (?:common frames omitted|more)\b|Caused by: |Failed to load resource: |Denying load of |Traceback \(most recent call last\)|Exception in thread |thread '[^']{1,60}' panicked at |goroutine \d+ \[|Access to (?:XMLHttpRequest|fetch|script|font|image) at ')|\bnet::ERR_[A-Z]/;
/** A log has the second or its level at the beginning of its lines, npm what it runs; a banner is framed. */
const LOGGED =
  /^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|(?:fail|info|warn|dbug|trce|crit): [\w.]{1,120}\[\d+\]|> [\w@/.-]{1,80}@\d+\.\d+\.\d|={3,} .{1,80} ={3,}\s*$)/;
/** A file that was built, or a page with its query, and the line in it that logged: `app-Bq7Zk2Wd.js:9 …`. */
const LOADED = /^\s*[\w.-]{1,120}(?:-\w{8}\.m?js|\?[\w=&+%.…-]{1,200}):\d{1,6}(?: |$)/;
/** The same of any script, where what was logged begins as nobody goes on behind a file and its line. */
const CONSOLE =
  /^\s*[\w.-]{1,120}\.(?:[cm]?[jt]sx?|html?|vue|svelte)(?::\d{1,6}){1,2} (?:\[|(?:GET|POST|PUT|PATCH|DELETE) http|Uncaught |[^\w\s\u00a1-\u1fff"'`(<@#/.,:;–—-])/;
/** `/docker-entrypoint.sh: …`, `worker: info: …`: a program tells its name. */
const SPOKEN =
  /^\s*(?:\/[\w./-]{1,200}: |[\w./-]{1,80}: \[?(?:info|warn(?:ing)?|error|notice|debug)[\]:]{1,2} )\S/;
/** `src/a.rs:10:5: warning: …`, `src/a.ts(10,5): error …`: a compiler or linter tells where. */
const DIAGNOSED = /^\s*[^\s:(]{1,200}[:(]\d[\d:,)]* ?(?:- )?(?:error|warning|note|info|hint)\b/i;
const FAILURE =
  /^(?:[\w.$]*(?:Error|Exception|Warning)|npm (?:err|error|warn)|error|warning|fatal|panic|FAIL)\b/i;
/** Letters approximately, without symbols and arrows: Unicode classes are expensive to compile. */
const WORD =
  /^["'“(]*[A-Za-z\u00c0-\u1fff\u3001-\uffff][A-Za-z\u00c0-\u1fff\u3001-\uffff’'-]*[.,;:!?…"'”)]*$/;
const WORD_CHARACTERS_MAX = 40;
/** Where fewer of the space-separated parts are words, hardly anybody typed it. */
const WORDS_SHARE = 0.6;

const CERTAIN = [STATEMENT, SHELL, MARKED, THROWN, TRACED, LOGGED, LOADED, CONSOLE, DIAGNOSED];
const LIKELY = [INDENTED, COLUMNS, FAILURE, SPOKEN, FLAG];

function signOf(line: string): number {
  if (line.trim() === "") return 0;
  if (CERTAIN.some((look) => look.test(line))) return SURE;
  if (LIKELY.some((look) => look.test(line))) return PERHAPS;
  const tokens = spaced(line).trim().split(/\s+/);
  const words = tokens.filter((token) => token.length <= WORD_CHARACTERS_MAX && WORD.test(token));
  return words.length < WORDS_SHARE * tokens.length ? PERHAPS : 0;
}
