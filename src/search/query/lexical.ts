/**
 * Normalises text for the core's tokenizer, the same for notes and queries. ASCII passes through
 * untouched; everything else is folded, and scripts without spaces are cut into words or pairs of
 * characters. There is no stemming, because recall must not depend on English.
 */
import { lazyPattern } from "../../base/text/pattern.ts";

// deno-lint-ignore no-control-regex -- the range of ASCII, which begins with a control
const NON_ASCII = /[^\x00-\x7f]/;
// deno-lint-ignore no-control-regex -- the same range
const NON_ASCII_RUN = /[^\x00-\x7f]+/g;
/** Marks that change a letter's look but not its word, in scripts people type without them. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;
const PAIRED = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+`,
  "gu",
);
const UNSPACED = lazyPattern(
  String
    .raw`(?<!\p{M})\p{M}*[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}][\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]*`,
  "gu",
);
const NOT_WORD = lazyPattern(String.raw`[^\p{L}\p{N}\p{M}]+`, "gu");

let segmenter: Intl.Segmenter | undefined;

/** Signs between words in English prose and our headings: replaced first, so that most text needs no folding. */
const SIGNS = /[\u00a0\u00ab\u00bb\u2010\u2012-\u2015\u201a-\u2022\u2039\u203a\u2190-\u21ff]/g;
const APOSTROPHES = /[\u2018\u2019\u02bc]/g;

/** The text in the form that the core splits into terms. */
export function termText(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  const plain = text.replace(APOSTROPHES, "'").replaceAll("…", "...").replace(SIGNS, " ");
  return NON_ASCII.test(plain) ? foldUnicode(plain) : plain;
}

/** The folded words of a text, lower case, one space between: trigger keywords are compared in this form. */
export function phraseOf(text: string): string {
  const words = wordsText(text);
  return NON_ASCII.test(words) ? words : words.replace(/[^a-z0-9]+/g, " ").trim();
}

/**
 * A text with the same words as its `phraseOf`, at less cost: in ASCII text only the case is changed, and
 * whatever is no letter or digit separates words.
 */
export function wordsText(text: string): string {
  const folded = termText(text).toLowerCase();
  return NON_ASCII.test(folded) ? folded.replace(NOT_WORD(), " ").trim() : folded;
}

function foldUnicode(text: string): string {
  const folded = text.normalize("NFKD").replace(MARKS, "").normalize("NFC");
  return folded.replace(NON_ASCII_RUN, (run) => {
    const lower = run.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
    return lower
      .replace(PAIRED(), (word) => ` ${pairs(word)} `)
      .replace(UNSPACED(), (words) => ` ${segments(words)} `)
      .replace(NOT_WORD(), " ");
  });
}

/** Overlapping pairs: 記憶力 → 記憶 憶力. A single character stays alone. */
function pairs(word: string): string {
  const characters = [...word];
  if (characters.length < 2) return word;
  const out: string[] = [];
  for (let i = 1; i < characters.length; i++) out.push(`${characters[i - 1]}${characters[i]}`);
  return out.join(" ");
}

function segments(text: string): string {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  const words: string[] = [];
  for (const part of segmenter.segment(text)) words.push(part.segment);
  return words.join(" ");
}
