/**
 * The unigram tokenizer of SentencePiece, which multilingual models have: text in Unicode form NFKC, spaces
 * as ▁, and of all splits into known pieces the likeliest (Viterbi over the pieces' log probabilities).
 */
import { encode } from "../../base/utf8.ts";
import { pattern } from "../../base/text/pattern.ts";
import type { Tokenizing } from "./layout.ts";
import { HASH_START, hashByte, type Vocabulary } from "./vocabulary.ts";

const NOTHING = new Uint8Array();
/** No vocabulary has longer pieces; it bounds the work for each character. */
const PIECE_BYTES_MAX = 64;
/** The score of a character that is in no piece, far below that of any piece. */
const UNKNOWN_SCORE = -30;

/** The ids of a text's pieces, `idsMax` at most, without special tokens. */
export function unigramPieces(
  text: string,
  vocabulary: Vocabulary,
  { unknown }: Tokenizing,
  idsMax: number,
): number[] {
  const ids: number[] = [];
  for (const word of normalize(text).split(" ")) {
    if (ids.length >= idsMax) break;
    if (word === "") continue;
    for (const id of likeliest(encode(`\u2581${word}`), vocabulary, unknown)) {
      // Unknown characters side by side are one unknown piece.
      if (id !== unknown || ids.at(-1) !== unknown) ids.push(id);
    }
  }
  return ids.length > idsMax ? ids.slice(0, idsMax) : ids;
}

/** Normalises as the model's published table of characters (300 KB) does, but by rules. */
function normalize(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  const clean = text.replace(/[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/g, "").replace(SPACES, " ");
  // The full-width tilde is a sign of its own in Japanese.
  const parts = clean.split("\uff5e").map((part) => part.normalize("NFKC"));
  return parts.join("\uff5e").replace(pattern(String.raw`\p{White_Space}`, "gu"), " ");
}

const SPACES =
  /[\t\n\f\r\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2581\u3000\ufeff\ufffd]/g;

/** Viterbi: the best score of each prefix of the word, then the pieces of the best split, from its end. */
function likeliest(bytes: Uint8Array, vocabulary: Vocabulary, unknown: number): number[] {
  const length = bytes.length;
  const best = new Float64Array(length + 1).fill(-Infinity);
  const pieceTo = new Int32Array(length + 1);
  const pieceFrom = new Int32Array(length + 1);
  best[0] = 0;
  for (let from = 0; from < length; from++) {
    const score = best[from] ?? -Infinity;
    if (score === -Infinity) continue;
    const next = from + characterBytes(bytes[from] ?? 0);
    const reach = (to: number, id: number, cost: number): void => {
      if (score + cost <= (best[to] ?? 0)) return;
      best[to] = score + cost;
      pieceTo[to] = id;
      pieceFrom[to] = from;
    };
    let hash = HASH_START;
    for (let to = from + 1; to <= Math.min(length, from + PIECE_BYTES_MAX); to++) {
      hash = hashByte(hash, bytes[to - 1] ?? 0);
      if (to < length && ((bytes[to] ?? 0) & 0xc0) === 0x80) continue;
      const id = vocabulary.find(hash, NOTHING, bytes, from, to);
      if (id >= 0 && id !== unknown) reach(to, id, vocabulary.score(id));
    }
    reach(Math.min(length, next), unknown, UNKNOWN_SCORE);
  }
  const ids: number[] = [];
  for (let to = length; to > 0; to = pieceFrom[to] ?? 0) ids.push(pieceTo[to] ?? unknown);
  return ids.reverse();
}

function characterBytes(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
