/**
 * BERT's tokenizer: cleans the text, cuts it at spaces and punctuation, and splits each word greedily into
 * the longest pieces that the vocabulary has. Its ids are exactly those that the model was trained with
 * (tests/embed/word_piece_test.ts).
 */
import { encode } from "../../base/utf8.ts";
import { pattern } from "../../base/text/pattern.ts";
import type { Tokenizing } from "./layout.ts";
import { HASH_START, hashByte, type Vocabulary } from "./vocabulary.ts";

/** A longer word is unknown as a whole. */
const WORD_CHARACTERS_MAX = 100;
const NOTHING = new Uint8Array();
/** The prefix of every piece but a word's first. */
const INSIDE = encode("##");
const HASH_INSIDE = INSIDE.reduce(hashByte, HASH_START);

/** The ids of a text's pieces, `idsMax` at most, without special tokens. */
export function wordPieces(
  text: string,
  vocabulary: Vocabulary,
  tokenizing: Tokenizing,
  idsMax: number,
): number[] {
  const ids: number[] = [];
  const clean = normalize(text, tokenizing);
  for (const [word] of clean.matchAll(hasOnlyAscii(clean) ? ASCII_WORDS : words())) {
    if (ids.length >= idsMax) break;
    pieces(word, vocabulary, tokenizing.unknown, ids);
  }
  return ids.length > idsMax ? ids.slice(0, idsMax) : ids;
}

/** Most texts have; Unicode classes cost a millisecond to compile. */
function hasOnlyAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

const ASCII_WORDS = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;

/** One punctuation mark, or a run without punctuation and spaces. */
function words(): RegExp {
  return pattern(String.raw`[\p{P}$+<=>^\x60|~]|[^\s\p{P}$+<=>^\x60|~]+`, "gu");
}

function normalize(text: string, { lowercase, stripAccents }: Tokenizing): string {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  let clean = text.replace(/[\t\n\r]/g, " ").replace(/[\x00-\x1f\x7f]/g, "");
  if (!hasOnlyAscii(clean)) {
    clean = clean
      .replace(pattern(String.raw`[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\ufffd]`, "gu"), "")
      .replace(pattern(String.raw`\p{White_Space}`, "gu"), " ")
      .replace(pattern(IDEOGRAPHS, "gu"), " $& ");
    if (stripAccents) {
      clean = clean.normalize("NFD").replace(pattern(String.raw`\p{Mn}`, "gu"), "");
    }
    // Σ always to σ: the model was not trained with ς at a word's end, which toLowerCase() makes.
    if (lowercase) clean = clean.replaceAll("\u03a3", "\u03c3");
  }
  return lowercase ? clean.toLowerCase() : clean;
}

/** Ideographs, each of which is a word of its own. */
const IDEOGRAPHS = String
  .raw`[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]`;

function pieces(word: string, vocabulary: Vocabulary, unknown: number, ids: number[]): void {
  const bytes = encode(word);
  const isLong = word.length > WORD_CHARACTERS_MAX && [...word].length > WORD_CHARACTERS_MAX;
  const start = ids.length;
  for (let from = 0; from < bytes.length && !isLong;) {
    const piece = longest(bytes, from, vocabulary);
    if (piece === undefined) break;
    ids.push(piece.id);
    from = piece.to;
    if (from === bytes.length) return;
  }
  ids.length = start;
  ids.push(unknown);
}

function longest(bytes: Uint8Array, from: number, vocabulary: Vocabulary) {
  const head = from === 0 ? NOTHING : INSIDE;
  const hashes: number[] = [];
  let hash = from === 0 ? HASH_START : HASH_INSIDE;
  for (let i = from; i < bytes.length; i++) hashes.push(hash = hashByte(hash, bytes[i] ?? 0));
  for (let to = bytes.length; to > from; to--) {
    // Not inside a character.
    if (to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80) continue;
    const id = vocabulary.find(hashes[to - from - 1] ?? 0, head, bytes, from, to);
    if (id >= 0) return { id, to };
  }
  return undefined;
}
