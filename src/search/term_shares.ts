/**
 * A chunk's keyword score term by term, as the core accumulates it: BM25 with each term capped at its
 * weight, so that 1 means 'all of the query'.
 */
import type { Board } from "./board.ts";
import type { SynonymShare, TermShare } from "./document.ts";
import type { TermForm } from "./postings.ts";

/** The constants of BM25, as in the core (wasm/assembly/bm25.ts). */
const K1 = 1.2;
const B = 0.75;

/** For showing: the share of each term that stands in the chunk, by its best form. */
export function termShares(board: Board, s: number, chunk: number): TermShare[] {
  const shares: TermShare[] = [];
  for (const term of board.terms) {
    let best: TermShare | undefined;
    for (const form of term) {
      const share = shareOf(board, form, s, chunk);
      if (share > (best?.share ?? 0)) best = { term: form.term, share };
    }
    if (best !== undefined) shares.push(best);
  }
  return shares;
}

/** For showing: of each expansion the best synonym that stands in the chunk. */
export function synonymShares(board: Board, s: number, chunk: number): SynonymShare[] {
  const found: SynonymShare[] = [];
  for (const { words, terms, synonyms } of board.expansions) {
    let best: TermShare | undefined;
    for (const form of synonyms) {
      const share = shareOf(board, form, s, chunk);
      if (share > (best?.share ?? 0)) best = { term: form.term, share };
    }
    if (best === undefined) continue;
    // What the chunk has of the query's own words is counted already.
    let own = 0;
    for (const term of terms) {
      const forms = board.terms[term] ?? [];
      own += Math.max(0, ...forms.map((form) => shareOf(board, form, s, chunk)));
    }
    const share = best.share - own;
    if (share > 0) found.push({ asked: words, term: best.term, share });
  }
  return found;
}

/** An accumulated score as a share of what the query can reach, 0..1. */
export function shareOfReach(board: Board, raw: number): number {
  return board.reach <= 0 ? 0 : Math.min(1, raw / board.reach);
}

/** 0 where the form does not stand in the chunk. */
function shareOf(board: Board, { weight, lists }: TermForm, s: number, chunk: number): number {
  const list = lists[s];
  const at = list === undefined ? -1 : indexOf(list.documents, chunk);
  return at < 0
    ? 0
    : weight * saturation(board, s, chunk, list?.frequencies[at] ?? 0) / board.reach;
}

/** How much of a term's weight a chunk earns, 0..1: all of it for one mention in an average chunk. */
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
