/**
 * Keyword scores term by term, as the core accumulates them: each counts fully at most, so that 1
 * means 'all of them'.
 */
import type { Board } from "./board.ts";
import type { StandIn, TermShare } from "./document.ts";
import type { Spelling } from "./term_lists.ts";

/** As in the core (wasm/assembly/bm25.ts). */
const K1 = 1.2;
const B = 0.75;

/** Each term's share by the form that stands in the chunk, for showing. */
export function sharesOf(board: Board, s: number, chunk: number): TermShare[] {
  const shares: TermShare[] = [];
  for (const term of board.terms) {
    let best: TermShare | undefined;
    for (const spelling of term) {
      const share = shareOf(board, spelling, s, chunk);
      if (share > (best?.share ?? 0)) best = { term: spelling.term, share };
    }
    if (best !== undefined) shares.push(best);
  }
  return shares;
}

/** For each run of the query's words the best of those that stand for it in the chunk. */
export function standInsOf(board: Board, s: number, chunk: number): StandIn[] {
  const found: StandIn[] = [];
  for (const { words, terms, others } of board.said) {
    let best: TermShare | undefined;
    for (const other of others) {
      const share = shareOf(board, other, s, chunk);
      if (share > (best?.share ?? 0)) best = { term: other.term, share };
    }
    if (best === undefined) continue;
    // What it says itself is counted already.
    let own = 0;
    for (const term of terms) {
      let most = 0;
      for (const spelling of board.terms[term] ?? []) {
        most = Math.max(most, shareOf(board, spelling, s, chunk));
      }
      own += most;
    }
    const share = best.share - own;
    if (share > 0) found.push({ asked: words, term: best.term, share });
  }
  return found;
}

/** The share of an accumulated score, 0..1. */
export function reached(board: Board, raw: number): number {
  return board.reach <= 0 ? 0 : Math.min(1, raw / board.reach);
}

/** 0 where the form does not stand in the chunk. */
function shareOf(board: Board, { weight, lists }: Spelling, s: number, chunk: number): number {
  const list = lists[s];
  const at = list === undefined ? -1 : indexOf(list.documents, chunk);
  return at < 0
    ? 0
    : weight * saturation(board, s, chunk, list?.frequencies[at] ?? 0) / board.reach;
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
