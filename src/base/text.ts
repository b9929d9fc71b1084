/** Small, pure work on prose: names, cuts, sentences. Nothing here knows what a note is. */
import { isAscii, pattern } from "./pattern.ts";
import { unspacedLength } from "./unspaced.ts";

const encoder = new TextEncoder();

/** Latin letters that are no letter with a mark, as they are spelt without them. */
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
 * A file-name stem in ASCII where the text has any: `Git Worktrees!` → `git-worktrees`. Of a Chinese text
 * the two words in ASCII say nothing, and it keeps its own. Never empty.
 */
export function slug(text: string, bytesMax = 60): string {
  const spelt = fold(text).replace(/[ßæœþøđðłħŋı]/g, (letter) => SPELT.get(letter) ?? letter);
  const ascii = spelt.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const isTelling = ascii.length >= 3 && ascii.length > unspacedLength(text);
  const base = isTelling ? ascii : unicodeSlug(text) || ascii;
  let out = "";
  for (const part of base.split(/(?<=-)/)) {
    if (encoder.encode(out + part).length > bytesMax) break;
    out += part;
  }
  if (out === "") out = cutBytes(base, bytesMax);
  return out.replace(/^-+|-+$/g, "") || "note";
}

function unicodeSlug(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(pattern(String.raw`[^\p{L}\p{N}]+`, "gu"), "-")
    .replace(
      /^-+|-+$/g,
      "",
    );
}

/** The longest prefix of whole characters within `bytesMax` bytes of UTF-8; marks stay with their base. */
export function cutBytes(text: string, bytesMax: number): string {
  if (encoder.encode(text).length <= bytesMax) return text;
  let bytes = 0;
  let out = "";
  for (const [character] of text.matchAll(pattern(String.raw`\P{M}\p{M}*|\p{M}+`, "gu"))) {
    bytes += encoder.encode(character).length;
    if (bytes > bytesMax) break;
    out += character;
  }
  return out === "" ? text.slice(0, 1).toWellFormed().replace("\uFFFD", "") : out;
}

/** Lower case without marks, widths unified: `Ｃafé` → `cafe`. For comparing, never for showing. */
export function fold(text: string): string {
  // Classes of Unicode cost a millisecond to compile; most text needs none.
  if (isAscii(text)) return text.toLowerCase();
  const bare = text.normalize("NFKD").replace(pattern(MARKS, "gu"), "").toLowerCase();
  return VOICED.test(bare) ? bare.normalize("NFC") : bare;
}

/** In kana they make another letter: が is no か. */
const VOICED = /[\u3099\u309a]/;
const MARKS = String.raw`[^\P{M}\u3099\u309a]+`;

/** What makes another statement of the same words: `< 4`, `-5`, `!=`, `C++`; no bullet, heading or rule. */
const SIGN = String
  .raw`[<>=≤≥−±×÷%$€£°^~&@\/]|[+#](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[+#]+|(?<![\p{L}\p{N}-])-(?=\p{N}|-\p{L})|!(?==)`;

/** The words and signs alone, folded, a space between each: whether two texts say the same. */
export function foldedWords(text: string): string {
  const signs = pattern(`(${SIGN})|[^\\p{L}\\p{N}]`, "gu");
  return collapse(
    // Folding takes the stroke from an equals sign.
    fold(text.replaceAll("≠", "!=")).replace(
      signs,
      (_, sign?: string) => sign === undefined ? " " : ` ${sign} `,
    ),
  );
}

/** The controls of Unicode (category Cc), without the class that is dear to make. */
// deno-lint-ignore no-control-regex -- controls are what it is for
export const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Every run of white space becomes one space; ends trimmed. */
export function collapse(text: string): string {
  // Most text is so already, and to see that costs less than to write it anew.
  return (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}

/** At most `charactersMax` UTF-16 units, with an ellipsis where something was cut. */
export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  let end = Math.max(0, charactersMax - 1);
  const space = text.lastIndexOf(" ", end);
  if (space > end * 0.6) end = space;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return text.slice(0, end).trimEnd() + "…";
}

/** Where a clause ends that says something by itself. */
const CLAUSE_END =
  /[,;:](?=\s)|(?<=\S{3})[.!?](?=\s)|\s[–—-](?=\s)|\s\((?=\S)|[，、；：。！？（](?=\S)/g;
/** What opens a phrase and ends none. */
const OPENS =
  /(?:\s+(?:a|an|the|this|that|which|who|of|to|in|on|at|for|with|without|by|from|into|its|his|her|my|our|your|their|each|every|and|or|but|because|since|is|are|was|were|be|as|if|when|so|than|not|no|we|i|it|der|die|das|den|dem|des|ein|eine[nmrs]?|und|oder|aber|von|vom|zu|zum|zur|mit|ohne|für|auf|bei|beim|im|in|am|an|aus|dass|wenn|weil|als|wie|ist|sind|nicht|kein))+$/i;

/** Less of it says too little. */
const CLAUSE_SHARE = 0.4;

/** The same as a title: at the end of a clause that says enough of it, else of a word that ends a phrase. */
export function cutTitle(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const whole = cut(text, charactersMax).slice(0, -1);
  const least = whole.length * CLAUSE_SHARE;
  const clause = [...whole.matchAll(CLAUSE_END)].findLast(({ index }) =>
    index >= least && !ABBREVIATION.test(whole.slice(0, index + 1)) &&
    !isInCode(whole.slice(0, index))
  );
  const code = isInCode(whole) ? whole.lastIndexOf("`") : -1;
  const end = whole.slice(0, clause?.index ?? (code >= least ? code : undefined));
  return withoutEnd(end.replace(OPENS, ""), /[\s.,;:…–—，、；：。-]/) + "…";
}

/** Whether code began that has not ended. */
function isInCode(text: string): boolean {
  return text.split("`").length % 2 === 0;
}

/** The first sentence, cut if need be. */
export function firstSentence(text: string, charactersMax: number): string {
  return cutTitle(splitSentences(text)[0] ?? "", charactersMax);
}

/** Abbreviations after which a full stop ends nothing. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|nr|fig|dr|mr|mrs|st|z\.b|bzw|ca|u\.a|p\.ej)\.$/i;
/** 'No. 7' is a number, 'No. That …' an answer. */
const NUMBER = /(?:^|[\s(])no\.$/i;
/** Days and places in German: 'am 13. Oktober', 'zum 2. Mal'. */
const ORDINAL = /\b(?:am|dem|den|der|des|die|das|vom|zum|bis|seit|ab|im|und) \d{1,2}\.$/i;

/** More than the longest of them and the character before it. */
const ABBREVIATION_CHARACTERS = 9;
/**
 * A row of marks is tried from its first one only: from each, a table of contents would take its square.
 * Where no spaces are written, marks of either width end a sentence without one.
 */
const SENTENCE_END =
  /[.!?…。！？](?<![.!?…。！？]{2})[.!?…。！？]*["'”’)\]]*(?=\s|$)|[。！？]+[”’）」』]*|[!?](?=[\u3041-\u30ff\u3400-\u9fff])/g;

/** Where another paragraph, list item or heading begins. */
const BLOCK_END = /\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n(?=#)/;

/** The text with each block in the form that `change` gives it; what parts them stays. */
export function mapBlocks(text: string, change: (block: string) => string): string {
  return text.split(new RegExp(`(${BLOCK_END.source})`)).map(change).join("");
}

/** Prose sentences, in order, each on one line. Lines that end a paragraph or list item end a sentence. */
export function splitSentences(text: string): string[] {
  return split(text, goesOn);
}

/** The same of what somebody typed: in a hurry, sentences begin with a small letter. */
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
      const next = line.slice(end, end + 2).trim();
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

/** Whether the full stop at a candidate's end ends nothing; `next` is what begins behind it. */
function goesOn(candidate: string, next: string): boolean {
  return /^[a-z]/.test(next) || ABBREVIATION.test(candidate) || ORDINAL.test(candidate) ||
    (/^\d/.test(next) && NUMBER.test(candidate));
}

/** One letter and a number with a full stop behind them are seldom the end of what was typed. */
const SHORTENED = /(?:^|[^a-z0-9])(?:[a-z]|\d{1,4})\.$/i;

function goesOnTyped(candidate: string, next: string): boolean {
  return /^[a-z]/.test(next)
    ? ABBREVIATION.test(candidate) || SHORTENED.test(candidate)
    : goesOn(candidate, next);
}

/** Asked politely in Japanese, and of what may be in Chinese, without a mark: 'ありますか。', '可以吗'. */
const ASKED = /[?？]["'”’)）」』]?$|(?:です|ます|でした|ました|ません|でしょう)か。?$|[吗嗎]。?$/;
const ASKED_CHARACTERS = 12;

/** Whether it ends as a question. */
export function isAskedAtEnd(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0x2e80) return ASKED.test(text.slice(-ASKED_CHARACTERS));
  return text.endsWith("?") || /\?[!).]{1,2}$/.test(text.slice(-3));
}

/** Whether there is the mark of a question in it. */
export function hasQuestionMark(text: string): boolean {
  return text.includes("?") || text.includes("？");
}

/** Order by code units. For dates and ids; setting up a language's own order costs 7 ms. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The distance of two words in single-character edits, up to `most` (then `most + 1`). */
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

/** With two mistakes in three letters any word is every other one. */
const SHORT_CHARACTERS_MAX = 3;

/**
 * The only known name that begins with what was typed; else the nearest, when it is near enough to be meant.
 * Of `unset` not `set`, which does the opposite.
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
 * Without the characters of one class at its end. A pattern that looks for its end (`[.,]+$`) begins anew
 * at each of them wherever they stand, and takes the square of a long row.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Text without what writers change when they repeat a thing: case, quotes, white space. */
export function plainText(text: string): string {
  return collapse(text.replace(/[`"'“”‘’*]/g, "")).toLowerCase();
}

/** `1 note`, `2 notes`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** As `JSON.stringify()`, in JSON that every parser takes. */
export function toJson(value: unknown): string {
  return parseable(JSON.stringify(value));
}

/**
 * The same JSON for every parser: half of a pair of surrogates, which JavaScript writes as `\ud83d`, is an
 * error to others, and who cannot read an answer waits for it.
 */
export function parseable(text: string): string {
  if (!text.includes("\\ud")) return text;
  return text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\\ufffd");
}

/** `my%20notes` → `my notes`; what is no such code stays as it is written. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
