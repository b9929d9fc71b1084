/** Pure functions of prose: slugs, cutting, sentences, comparing. Nothing here knows what a note is. */
import { isAscii, isLatin, pattern, patternFor } from "./pattern.ts";
import { encode } from "../utf8.ts";
import { unspacedLength } from "./unspaced.ts";

/** Latin letters that do not decompose into a letter and a mark, with their ASCII spelling. */
const SPELT: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["þ", "th"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ł", "l"],
  ["ħ", "h"],
  ["ŋ", "n"],
  ["ı", "i"],
]);

/**
 * A stem for file names: `Git Worktrees!` → `git-worktrees`. In ASCII, unless the text has too little of it:
 * two ASCII words in a Chinese text do not identify it. Never empty.
 */
export function slug(text: string, bytesMax = 60): string {
  const spelt = fold(text).replace(/[ßæœþøđðłħŋı]/g, (letter) => SPELT.get(letter) ?? letter);
  const ascii = spelt.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const isTelling = ascii.length >= 3 && ascii.length > unspacedLength(text);
  const base = isTelling ? ascii : unicodeSlug(text) || ascii;
  let out = "";
  for (const part of base.split(/(?<=-)/)) {
    if (encode(out + part).length > bytesMax) break;
    out += part;
  }
  if (out === "") out = cutBytes(base, bytesMax);
  return out.replace(/^-+|-+$/g, "") || "note";
}

function unicodeSlug(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(pattern(String.raw`[^\p{L}\p{N}]+`, "gu"), "-")
    .replace(/^-+|-+$/g, "");
}

/** The longest prefix of whole characters within `bytesMax` bytes of UTF-8; marks stay with their base. */
export function cutBytes(text: string, bytesMax: number): string {
  if (encode(text).length <= bytesMax) return text;
  let bytes = 0;
  let out = "";
  for (const [character] of text.matchAll(pattern(String.raw`\P{M}\p{M}*|\p{M}+`, "gu"))) {
    bytes += encode(character).length;
    if (bytes > bytesMax) break;
    out += character;
  }
  return out === "" ? text.slice(0, 1).toWellFormed().replace("\uFFFD", "") : out;
}

/** Lower case without marks, widths unified: `Ｃafé` → `cafe`. For comparing, never for showing. */
export function fold(text: string): string {
  // Classes of Unicode cost a millisecond to compile; most text needs none.
  if (isAscii(text)) return text.toLowerCase();
  const marks = isLatin(text) ? LATIN_MARKS : pattern(MARKS, "gu");
  const bare = text.normalize("NFKD").replace(marks, "").toLowerCase();
  return VOICED.test(bare) ? bare.normalize("NFC") : bare;
}

/** Voicing marks, which make another letter in kana: が is not か. */
const VOICED = /[\u3099\u309a]/;
const MARKS = String.raw`[^\P{M}\u3099\u309a]+`;
const LATIN_MARKS = /[\u0300-\u036f]+/g;

/** Signs that change the meaning of the words: `< 4`, `-5`, `!=`, `C++`; but no bullet, heading or rule. */
const SIGN = String
  .raw`[<>=≤≥−±×÷%$€£°^~&@\/]|[+#](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[+#]+|(?<![\p{L}\p{N}-])-(?=[\p{N}]|-[\p{L}])|!(?==)`;

/** The folded words and signs, separated by spaces: equal for two texts that say the same. */
export function foldedWords(text: string): string {
  // Folding would remove the stroke.
  const folded = fold(text.replaceAll("≠", "!="));
  const signs = patternFor(folded, `(${SIGN})|[^\\p{L}\\p{N}]`, "gu");
  return collapse(
    folded.replace(signs, (_, sign?: string) => sign === undefined ? " " : ` ${sign} `),
  );
}

/** Control characters (category Cc), without a Unicode class, which is slow to compile. */
// deno-lint-ignore no-control-regex -- control characters are the point
export const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** With its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Replaces every run of white space by one space, and trims. */
export function collapse(text: string): string {
  // Most text needs no change, and checking costs less than replacing.
  return (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}

/** A Markdown list in one line: `a · b` where `collapse` gives `- a - b`. */
export function inOneLine(text: string): string {
  const items = text.replace(/^\s*[-*+] /, "").replace(/:\s*\n\s*[-*+] /g, ": ");
  return collapse(items.replace(/\s*\n\s*[-*+] /g, " · "));
}

/** Cuts a text to `charactersMax` UTF-16 units, at a space if there is one near the end; adds an ellipsis. */
export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  let end = Math.max(0, charactersMax - 1);
  const space = text.lastIndexOf(" ", end);
  if (space > end * 0.6) end = space;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return text.slice(0, end).trimEnd() + "…";
}

/** The end of a clause that can stand by itself. */
const CLAUSE_END =
  /[,;:](?=\s)|(?<=\S{3})[.!?](?=\s)|\s[–—-](?=\s)|\s\((?=\S)|[，、；：。！？（](?=\S)/g;
/** Words at the end of a text that only begin a phrase. */
const OPENS =
  /(?:\s+(?:a|an|the|this|that|which|who|of|to|in|on|at|for|with|without|by|from|into|its|his|her|my|our|your|their|each|every|and|or|but|because|since|is|are|was|were|be|as|if|when|so|than|not|no|we|i|it|der|die|das|den|dem|des|ein|eine[nmrs]?|und|oder|aber|von|vom|zu|zum|zur|mit|ohne|für|auf|bei|beim|im|in|am|an|aus|dass|wenn|weil|als|wie|ist|sind|nicht|kein))+$/i;

/** Ends in a clause that only says when, or if: 'When a row is gone', 'the problem is that if it fails'. */
const CONDITION =
  /(?:^|[,;:.!?]\s|\s(?:that|dass|que|che|что)\s)(?:when(?:ever)?|if|while|once|after|before|as soon as|wenn|falls|sobald|während|nachdem|bevor|cuando|si|mientras|quando|se|lorsque|quand|mentre|когда|если|пока|после того)\s(?:[^,;:.!?]|[.!?](?=\S))*$|(?:^|[，。；：])(?:[当當]|如果)[^，。；：]*$/i;
/** What stands behind a condition. */
const BEHIND_CONDITION = /^(?:[,，（]|\s\()/;

/** The share of the allowed length that a clause needs: a shorter one says too little. */
const CLAUSE_SHARE = 0.6;

/**
 * Cuts a title: at the end of a clause that is long enough, otherwise after a word that ends a phrase. A file
 * goes by its name then, and a link by its words, because what is said of them comes behind.
 */
export function cutTitle(title: string, charactersMax: number): string {
  if (title.length <= charactersMax) return title;
  const text = title.replace(FOLDERS, "").replace(LINKED, "$1");
  if (text.length <= charactersMax) return text;
  const whole = cut(text, charactersMax).slice(0, -1);
  const least = whole.length * CLAUSE_SHARE;
  const clause = [...whole.matchAll(CLAUSE_END)].findLast(({ index }) =>
    index >= least && !ABBREVIATION.test(whole.slice(0, index + 1)) &&
    !isInCode(whole.slice(0, index)) &&
    !(BEHIND_CONDITION.test(whole.slice(index)) && CONDITION.test(whole.slice(0, index)))
  );
  const code = isInCode(whole) ? whole.lastIndexOf("`") : -1;
  const end = whole.slice(0, clause?.index ?? (code >= least ? code : undefined));
  return withoutEnd(end.replace(OPENS, ""), /[\s.,;:…–—，、；：。-]/) + "…";
}

/** Two folders or more in front of a file's name; none of an address. */
const FOLDERS =
  /(?<![\w/:.@-])(?:\.{0,2}\/)?(?:[\w.@-]{0,60}[\w-]\/){2,12}(?=[\w@-][\w.@-]{0,60}\.\w{1,5}\b)/g;
const LINKED = /\[([^\]\n]{1,80})\]\([^()\n]{1,300}\)/g;

/** Whether a text ends within a code span. */
function isInCode(text: string): boolean {
  return text.split("`").length % 2 === 0;
}

/** The first sentence, cut like a title. */
export function firstSentence(text: string, charactersMax: number): string {
  return cutTitle(splitSentences(text)[0] ?? "", charactersMax);
}

/** Abbreviations, whose full stop does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|nr|fig|dr|mr|mrs|st|fa|prof|vgl|vol|incl|inkl|exkl|zzgl|ggf|evtl|bspw|z\. ?b|d\. ?h|bzw|ca|u\. ?a|p\.ej)\.$/i;
const MONTHS = "jan|feb|mar|apr|aug|sept?|oct|okt|nov|dec|dez";
/** Before a number no end: 'p. 112', 'Sat. 19 Dec.', 'Hauptstr. 5'; before a word 'no.' is an answer. */
const NUMBER = new RegExp(
  String
    .raw`(?:(?:^|[\s(])(?:no|pp?|s|kap|abs|art|tab|abb|anm|bd|ch|sec|eds?|vol|max|min|${MONTHS}|mon|tue|wed|thu|fri|sat|sun)|str)\.$`,
  "i",
);
/** 'On 31. Okt. at nine', where a small letter tells a typist nothing. */
const DATED = new RegExp(String.raw`\d\.? (?:${MONTHS})\.$`, "i");
/** Of two letters, the second with a full stop of its own: 'z. B.', 'd. h.'. */
const FIRST_OF_TWO = /(?:^|[\s(])[a-z]\.$/;
/** Days and places in German: 'am 13. Oktober', 'zum 2. Mal'. */
const ORDINAL = /\b(?:am|dem|den|der|des|die|das|vom|zum|bis|seit|ab|im|und) \d{1,2}\.$/i;

/** Length of the longest of them with the character before it, or more. */
const ABBREVIATION_CHARACTERS = 9;
/**
 * The end of a sentence. Of a row of marks only the first is tried, or a table of contents would take
 * quadratic time. In Chinese and Japanese a mark ends a sentence without a space behind it.
 */
const SENTENCE_END =
  /[.!?…。！？](?<![.!?…。！？]{2})[.!?…。！？]*["'”’)\]]*(?=\s|$)|[。！？]+[”’）」』]*|[!?](?=[\u3041-\u30ff\u3400-\u9fff])/g;

/** The end of a paragraph, list item or heading. */
const BLOCK_END = /\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n(?=#)/;

/** Applies `change` to each block of a text, and to what separates them, which it should return unchanged. */
export function mapBlocks(text: string, change: (block: string) => string): string {
  return text.split(new RegExp(`(${BLOCK_END.source})`)).map(change).join("");
}

/** The sentences of prose, each on one line. The end of a paragraph or list item ends a sentence. */
export function splitSentences(text: string): string[] {
  return split(text, goesOn);
}

/** The same for typed text, in which sentences may begin with a small letter. */
export function splitTyped(text: string): string[] {
  return split(text, goesOnTyped);
}

type GoesOn = (candidate: string, next: string) => boolean;

function split(text: string, isSame: GoesOn): string[] {
  const sentences: string[] = [];
  for (const block of text.split(BLOCK_END)) {
    const line = collapse(block);
    let start = 0;
    SENTENCE_END.lastIndex = 0;
    for (let match = SENTENCE_END.exec(line); match !== null; match = SENTENCE_END.exec(line)) {
      const end = match.index + match[0].length;
      const next = line.slice(end, end + 3).trim();
      const candidate = line.slice(start, end);
      const last = candidate.slice(-ABBREVIATION_CHARACTERS);
      if (match[0].startsWith(".") && isSame(last, next)) continue;
      push(candidate);
      start = end;
    }
    push(line.slice(start));
  }
  return sentences;

  function push(sentence: string): void {
    const trimmed = sentence.trim();
    if (trimmed !== "") sentences.push(trimmed);
  }
}

/** Whether a sentence goes on after the full stop at the candidate's end; `next`: the text behind it. */
function goesOn(candidate: string, next: string): boolean {
  return /^[a-z]/.test(next) || ABBREVIATION.test(candidate) || ORDINAL.test(candidate) ||
    (/^\d/.test(next) && NUMBER.test(candidate)) ||
    (/^[A-Za-z]\.$/.test(next) && FIRST_OF_TWO.test(candidate));
}

/** A single letter, or a number, before a full stop is seldom the end of a typed sentence. */
const SHORTENED = /(?:^|[^a-z0-9])(?:[a-z]|\d{1,4})\.$/i;
/** Dots that are a path, or end one: 'git add .', 'go test ./...'. */
const DOTTED_PATH = /[\s/]\.{1,3}$/;

function goesOnTyped(candidate: string, next: string): boolean {
  return /^[a-z]/.test(next)
    ? ABBREVIATION.test(candidate) || SHORTENED.test(candidate) || DATED.test(candidate) ||
      DOTTED_PATH.test(candidate)
    : goesOn(candidate, next);
}

/** A question mark, or question particles of Japanese and Chinese, which need no mark: 'ありますか。', '可以吗'. */
const ASKED = /[?？]["'”’)）」』]?$|(?:です|ます|でした|ました|ません|でしょう)か。?$|[吗嗎]。?$/;
const ASKED_CHARACTERS = 12;

/** Whether a text ends as a question. */
export function isAskedAtEnd(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0x2e80) return ASKED.test(text.slice(-ASKED_CHARACTERS));
  return text.endsWith("?") || /\?[!).]{1,2}$/.test(text.slice(-3));
}

/** Whether a text has a question mark. */
export function hasQuestionMark(text: string): boolean {
  return text.includes("?") || text.includes("？");
}

/** Compares by code units. For dates, ids and paths, because setting up `localeCompare` costs 7 ms. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The Levenshtein distance of two words, or `most + 1` if it is greater than `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return Math.min(previous[b.length] ?? 0, most + 1);
}

/** Up to this length only one mistake is allowed: with two, any word would match. */
const SHORT_CHARACTERS_MAX = 3;

/**
 * The only known name that begins with `typed`; otherwise the nearest by edits, if it is near enough. For
 * `unset` never `set`, which does the opposite.
 */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  const names = [...known].filter((name) => typed !== `un${name}`);
  const begun = names.filter((name) => name.startsWith(typed));
  if (typed.length >= SHORT_CHARACTERS_MAX && begun.length === 1) return begun[0];
  let best: string | undefined;
  const mistakes = typed.length <= SHORT_CHARACTERS_MAX ? 1 : 2;
  let bestDistance = Math.max(mistakes, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(typed, name, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/**
 * The text without characters of a class at its end. A pattern such as `[.,]+$` would take quadratic time
 * for a long row of them in the middle.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A text without what people change when they repeat it: case, quotes, emphasis, white space. */
export function plainText(text: string): string {
  return collapse(text.replace(/[`"'“”‘’*]/g, "")).toLowerCase();
}

/** `1 note`, `2 notes`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** `1,234` */
export function many(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `JSON.stringify()` for JSON that every parser accepts. */
export function toJson(value: unknown): string {
  return parseable(JSON.stringify(value));
}

/**
 * Replaces lone surrogates in JSON text, which JavaScript writes as `\ud83d` and other parsers refuse: a
 * client that cannot read an answer waits for it.
 */
export function parseable(text: string): string {
  if (!text.includes("\\ud")) return text;
  return text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\\ufffd");
}

/** `my%20notes` → `my notes`; a text with invalid codes is returned as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
