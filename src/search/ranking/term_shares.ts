/**
 * A chunk's keyword score term by term, as the core accumulates it: BM25 with each term capped at its
 * weight, so that 1 means 'all of the query'.
 */
import type { Board } from "./board.ts";
import type { SynonymShare, TermShare } from "../document.ts";
import type { WeightedForm } from "../segment/postings.ts";
import type { PostingList } from "../segment/segment.ts";

/** The constants of BM25, as in the core (wasm/assembly/bm25.ts). */
const K1 = 1.2;
const B = 0.75;

/** For showing: the share of each term that stands in the chunk, by its best form. */
export function termShares(board: Board, s: number, chunk: number): TermShare[] {
  if (!isScored(board, board.keywords, s, chunk)) return [];
  return board.terms.flatMap((term) => bestOf(board, term, s, chunk) ?? []);
}

/** For showing: of each expansion the best synonym that stands in the chunk. */
export function synonymShares(board: Board, s: number, chunk: number): SynonymShare[] {
  const found: SynonymShare[] = [];
  if (!isScored(board, board.synonyms, s, chunk)) return found;
  for (const { words, terms, synonyms } of board.expansions) {
    const best = bestOf(board, synonyms, s, chunk);
    if (best === undefined) continue;
    // What the chunk has of the query's own words is counted already.
    let own = 0;
    for (const term of terms) own += bestOf(board, board.terms[term] ?? [], s, chunk)?.share ?? 0;
    const share = best.share - own;
    if (share > 0) found.push({ asked: words, term: best.term, share });
  }
  return found;
}

/** Whether anything was accumulated for the chunk: of most there is nothing to be looked up. */
function isScored({ bases }: Board, scores: Float32Array, s: number, chunk: number): boolean {
  return (scores[(bases[s] ?? 0) + chunk] ?? 0) > 0;
}

function bestOf(
  board: Board,
  forms: readonly WeightedForm[],
  s: number,
  chunk: number,
): TermShare | undefined {
  let best: string | undefined;
  let most = 0;
  for (const form of forms) {
    const share = shareOf(board, form, s, chunk);
    if (share > most) [best, most] = [form.term, share];
  }
  return best === undefined ? undefined : { term: best, share: most };
}

/** An accumulated score as a share of what the query can reach, 0..1. */
export function shareOfReach(board: Board, raw: number): number {
  return board.reach <= 0 ? 0 : Math.min(1, raw / board.reach);
}

/** 0 where the form does not stand in the chunk. */
function shareOf(board: Board, { weight, lists }: WeightedForm, s: number, chunk: number): number {
  const list = lists[s];
  const at = list === undefined ? -1 : placeOf(board.words, list, chunk);
  if (list === undefined || at < 0) return 0;
  const frequency = board.bytes[list.frequenciesAt + at] ?? 0;
  return weight * saturation(board, s, chunk, frequency) / board.reach;
}

/** How much of a term's weight a chunk earns, 0..1: all of it for one mention in an average chunk. */
function saturation(board: Board, s: number, chunk: number, frequency: number): number {
  const length = board.lengths[s]?.[chunk] ?? 0;
  const damp = K1 * (1 - B + B * length / board.averageLength);
  return Math.min(1, frequency * (K1 + 1) / (frequency + damp));
}

/** The place of a chunk in an ascending list, or -1. */
function placeOf(words: Uint32Array, { documentsAt, count }: PostingList, chunk: number): number {
  const first = documentsAt / 4;
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = words[first + middle] ?? 0;
    if (value === chunk) return middle;
    if (value < chunk) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
