/**
 * Text without what was pasted. Two views: `spoken` for detection (no code, no quotations, no block quotes),
 * `prose` for extraction (whole sentences, with inline code and quotes). One pass over lines, then one over
 * characters: no pattern here can backtrack over a long text.
 */

/** A quotation longer than this is a stray quotation mark. */
const QUOTATION_CHARACTERS_MAX = 400;
/** More in one turn is a document. */
const TURN_CHARACTERS_MAX = 40_000;

const SPAN_ENDS: Readonly<Record<string, string>> = {
  "`": "`",
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
  "「": "」",
  "『": "』",
};
const OPENER = /[`"“„«「『]/g;

/** Without fenced and inline code, double-quoted text and block quotes. */
export function spoken(text: string): string {
  return withoutSpans(withoutBlocks(text));
}

/** Without fenced code, tables, block quotes and markup lines; sentences stay as they were written. */
export function prose(text: string): string {
  return withoutMarkup(withoutBlocks(text));
}

/** Splits `| a | b |`; an escaped `|` does not. */
const DIVIDER = /(?<!\\)\|/;
const RULE = /^\|(?: *:?-+:? *\|)* *:?-+:? *\|?$/;
/** More rows in one answer are data. */
const ROWS_MAX = 40;

/** Table rows as sentences: "Importer: reads the whole file", "Redis: cost 3, risk high". */
export function tableRowsAsSentences(text: string): string[] {
  if (!/^\s*\|/m.test(text)) return [];
  const said: string[] = [];
  let [head, before]: (readonly string[] | undefined)[] = [];
  for (const line of withoutBlocks(text).split("\n").map((line) => line.trim())) {
    const cells = line.startsWith("|")
      ? line.replace(/^\||(?<!\\)\|$/g, "").split(DIVIDER).map((cell) => cell.trim())
      : undefined;
    if (cells === undefined) head = undefined;
    else if (RULE.test(line)) head = before;
    else if (head !== undefined && said.length < ROWS_MAX) said.push(rowSaid(head, cells));
    before = cells;
  }
  return said;
}

function rowSaid(head: readonly string[], [name = "", ...values]: readonly string[]): string {
  const told = values.length === 1
    ? values
    : values.flatMap((value, i) => value === "" ? [] : [`${head[i + 1] ?? ""} ${value}`.trim()]);
  return `${name}: ${told.join(", ")}`;
}

/** Including what somebody else wrote, for where there is nothing else. */
export function proseOfAll(text: string): string {
  return withoutMarkup(withoutQuoted(text.slice(0, TURN_CHARACTERS_MAX)));
}

function withoutMarkup(text: string): string {
  const kept = text.split("\n").filter((line) => !isMarkupLine(line)).join("\n");
  return kept.includes("](") ? kept.replace(FILE_LINK, fileOf) : kept;
}

/** `[tide.ts](/home/me/tides/src/tide.ts:12)`, as clients make an agent name files. */
const FILE_LINK = /(?<![\w)\]])\[([^\]\n]{1,200})\]\((?![a-z]{2,20}:|#)([^()\s]{1,400})\)/gi;
const WHOLE = /^(?:\/|~|[a-z]:[/\\])/i;

/** A path within the project says more than its last name; a whole one is this machine's. */
function fileOf(_: string, label: string, target: string): string {
  const path = target.replace(/(?::\d+(?:[:-]\d+)*|#.*)$/, "");
  return !WHOLE.test(path) && path.endsWith(label) ? path : label;
}

function withoutBlocks(whole: string): string {
  return withoutQuoted(withoutPasted(whole.slice(0, TURN_CHARACTERS_MAX)));
}

/** Without fenced code and block quotes. */
export function withoutQuoted(text: string): string {
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

/**
 * A log line: it begins with a time, a level, or the name of a container, or is a stack frame. People write
 * no seconds in notes, and continue in lower case after a span like 00:00:30.
 */
const LOGGED =
  /^\s{0,8}\[?(?:(?:[A-Z][a-z]{2} [ \d]\d|[IWEF]\d{4}) \d\d:\d\d:\d\d|time="?\d{4}-|[\w.-]{1,40}-\d{1,3} {1,20}\| |\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d| \[?[A-Z]{4})|\d?\d:\d\d:\d\d(?:[.,]\d|\]|\s{1,4}[[A-Z])|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)(?:\]|:?\s{2,}\S))|^\s{1,12}at \S+[(:]|^at [\w$]+[./][\w$./<>]+\(|^(?:Caused by|Exception in thread|Traceback \()/;
/** A continuation of the same message: indented, or with a label. */
const GOES_ON = /^(?:\t| {2,})\S|^(?:DETAIL|HINT|STATEMENT|CONTEXT|LOCATION|QUERY):\s/;
/** `Subject: …` and other mail headers. */
const HEAD =
  /^(?:\*\*)?(?:(from|to|cc|date|sent|reply-to|von|an|datum|gesendet|de|para|fecha|enviado|envoyé|[发發寄]件[人者]|收件[人者]|抄送|日期|[发發]送[时時][间間]|差出人|宛先|送信(?:日時|者)|日時)|subject|betreff|asunto|objet|主[题題旨]|件名)[:：](?:\*\*)? ?(.*)$/i;
/** 'Hi Tom,' on a line of its own. */
const GREETS =
  /^(?:hi|hello|hey|dear|hallo|liebe[rs]?|guten (?:tag|morgen)|moin|sehr geehrte[rs]?|hola|estimad[oa]s?|bonjour|ch(?:er|ère))(?: [^\s.!?:,;]+){1,4} ?,$/i;
/** 'On Tuesday Karen Whitfield wrote:'; not 'On the page that Karen wrote:'. */
const WROTE =
  /^(?:on|am|el|le) (?=[^:]{0,80}\d|(?:\S{0,12}(?:day|tag|woch|di)|(?:lu|ma|mi[eé]r?|jue|vier)\S{0,6}s|s[aá]bado|domingo|dimanche)\b)[^:]{4,80}(?:\d\d:\d\d[^:]{0,80})?(?:wrote|schrieb|escribió|a écrit)[^:]{0,60}:$/i;
const SIGNS_OFF =
  /^(?:(?:best|kind|warm|many)(?: regards| wishes| thanks)?|regards|cheers|thanks|thank you|sincerely|yours|all the best|br|vg|lg|mfg|gr(?:u|ü)(?:ß|ss)e?|(?:viele|liebe|beste|schöne|mit (?:freundlichen|besten)) gr(?:ü|ue)(?:ß|ss)en?|danke|(?:un )?saludos?|atentamente|cordialement)(?: [^\s.!?:,;]+){0,4} ?[,!.]?$/i;
/** A name alone on the last line of a letter: 'Karen', 'K.', '- Tom Baker'. */
const SIGNED = /^(?:[-–—]{1,2} ?)?[A-ZÄÖÜÉ](?:\.|[^\s.!?:,;]*(?: [A-ZÄÖÜÉ][^\s.!?:,;]*){0,2})$/;
/**
 * Somebody in a chat: 'Anna Berg  09:12' above what they said, '[09:12] anna: …' before it. What a person
 * plans has neither: '09:12 call Anna: the invoice', 'Standup 09:15'.
 */
const SPEAKS =
  /^(?:(?:\[\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\],?|\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?,) +@?[^\s:]{2,30}(?: [^\s:]{1,30})?: +\S|@?(?!\S*(?:day|tag|woch)\b)[A-ZÄÖÜ][^\s:]{1,30}(?: [A-ZÄÖÜ][^\s:]{0,30}){0,2}(?: {2}\d{1,2}:\d\d(?: ?[AP]M)?| \[\d{1,2}:\d\d(?: ?[AP]M)?\])$)/;
const SPEAKERS_MIN = 2;
const SIGNATURE_LINES_MAX = 4;
const HEADS_MAX = 12;

/** Any of these, at the beginning of a line. */
const PASTED = new RegExp(
  [LOGGED, HEAD, GREETS, WROTE, SPEAKS].map(({ source }) => source).join("|"),
  "im",
);

/** Drops what somebody else wrote without a quotation mark: mails, chats, log lines. */
function withoutPasted(text: string): string {
  if (!text.includes("\n") || !PASTED.test(text)) return text;
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const isChat = lines.filter((line) => SPEAKS.test(line.trim())).length >= SPEAKERS_MIN;
  const kept: string[] = [];
  let isLogged = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isChat && SPEAKS.test(line.trim())) {
      kept.push("");
      // After a name on the same line that line is all; below a name the text goes on to the next empty line.
      while (/\d\]?$/.test(line.trim()) && (lines[at + 1] ?? "").trim() !== "") at++;
      continue;
    }
    const body = letterBody(lines, at, first);
    if (body !== undefined) at = letterEnd(lines, body) - 1;
    isLogged = LOGGED.test(line) || isLogged && GOES_ON.test(line);
    kept.push(body !== undefined || isLogged ? "" : line);
  }
  return kept.join("\n");
}

/** The first line of a letter's body, if the letter begins at `from`. */
function letterBody(lines: readonly string[], from: number, first: number): number | undefined {
  const line = lines[from]?.trim() ?? "";
  if (WROTE.test(line)) return from + 1;
  // A greeting on the first line is for the agent.
  if (from > first && GREETS.test(line) && lines[from - 1]?.trim() === "") return from + 1;
  const heads = lines.slice(from, from + HEADS_MAX).map((one) => HEAD.exec(one.trim()));
  const end = heads.indexOf(null);
  const head = end < 0 ? heads : heads.slice(0, end);
  // A mail's headers end with an empty line; a list of fields is the person's own.
  const isMail = lines[from + head.length]?.trim() === "" &&
    head.some((found) => found?.[1] === undefined || found[2]?.includes("@"));
  return isMail && head.length >= 2 ? from + head.length : undefined;
}

/**
 * The line after the signature. Without one, the last paragraph is the person's own: it says what is wanted.
 */
function letterEnd(lines: readonly string[], body: number): number {
  const isBlank = (at: number): boolean => (lines[at] ?? "").trim() === "";
  for (let at = body; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? "";
    const isSignature = at > body && SIGNED.test(line) && isBlank(at + 1);
    if (!isSignature && !SIGNS_OFF.test(line)) continue;
    let end = at + 1;
    if (!isSignature && isBlank(end) && SIGNED.test(lines[end + 1]?.trim() ?? "")) end++;
    while (!isBlank(end) && end - at <= SIGNATURE_LINES_MAX) end++;
    return end;
  }
  const last = lines.findLastIndex((_, at) => at > body && isBlank(at));
  return last < 0 ? lines.length : last;
}

function isMarkupLine(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith("|") || /^[-=*_ ]{3,}$/.test(trimmed) || BY_CLIENT.test(trimmed) ||
    (trimmed.startsWith("<") && trimmed.endsWith(">")) || trimmed.startsWith("![");
}

/** What the editor's client prints itself: 'API Error: 529 …', '★ Insight ─────'. */
const BY_CLIENT = /^API Error(?::| \()|─{5}/;

/** Whether a program printed it: a log line, or a line of the client. */
export function isPrinted(line: string): boolean {
  return LOGGED.test(line) || BY_CLIENT.test(line);
}

/** What begins a quotation, and is no inch of a screen. */
const QUOTATION_BEGINS = /(?<![\wà-ÿ])["“„«]\S/;

/** Whether a quotation begins in it that does not end there. */
export function opensQuotation(text: string): boolean {
  return QUOTATION_BEGINS.test(text) && QUOTATION_BEGINS.test(withoutSpans(text));
}

/** Drops `code` and "quotations"; each opening mark looks ahead a bounded way only. */
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

/** Where the closing mark is, within the paragraph and the limit; -1 if nowhere. */
function spanEnd(text: string, from: number, mark: string): number {
  const window = text.slice(from, from + QUOTATION_CHARACTERS_MAX);
  const end = window.indexOf(mark);
  if (end < 0) return -1;
  const paragraph = window.indexOf("\n\n");
  return paragraph >= 0 && paragraph < end ? -1 : from + end;
}
