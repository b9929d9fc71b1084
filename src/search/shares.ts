/**
 * Keyword scores term by term, as the core accumulates them: each counts fully at most, so that 1
 * means 'all of them'.
 */
import type { Board } from "./board.ts";
import type { TermShare } from "./document.ts";

/** As in the core (wasm/assembly/bm25.ts). */
const K1 = 1.2;
const B = 0.75;

/** A chunk's keyword score, 0..1: the sum of its shares. */
export function keywordOf(board: Board, s: number, chunk: number): number {
  let sum = 0;
  for (let t = 0; t < board.terms.length; t++) sum += shareOf(board, t, s, chunk);
  return Math.min(1, sum);
}

/** Each term's share, for showing. */
export function sharesOf(board: Board, s: number, chunk: number): TermShare[] {
  return board.terms
    .map(({ term }, t) => ({ term, share: shareOf(board, t, s, chunk) }))
    .filter(({ share }) => share > 0);
}

/** The keyword score, or slightly more than it, of an accumulated value. */
export function reached(board: Board, raw: number): number {
  return board.reach <= 0 ? 0 : Math.min(1, raw / board.reach);
}

function shareOf(board: Board, t: number, s: number, chunk: number): number {
  const term = board.terms[t];
  const list = term?.lists[s];
  if (term === undefined || list === undefined) return 0;
  const at = indexOf(list.documents, chunk);
  if (at < 0) return 0;
  return term.weight * saturation(board, s, chunk, list.frequencies[at] ?? 0) / board.reach;
}

/** How much of a term's weight a chunk earns: all of it for one mention in an average chunk. */
function saturation(board: Board, s: number, chunk: number, frequency: number): number {
  const length = board.lengths[s]?.[chunk] ?? 0;
  const damp = K1 * (1 - B + B * length / board.averageLength);
  return Math.min(1, frequency * (K1 + 1) / (frequency + damp));
}

function indexOf(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
