/** What the first pass knows of one note: the signals that the core computed for all chunks at once. */
import { MASKED } from "./board.ts";
import { calibrated } from "./bounds.ts";
import {
  combinePhrasings,
  type FindOptions,
  type PhrasingBoard,
  type Scored,
} from "./first_pass.ts";
import { chanceIn, type FirstPassSum, firstPassSum, NO_EVIDENCE } from "./score.ts";
import { shareOfReach } from "./term_shares.ts";
import { type PlacedNote, triggerShare } from "../query/triggers.ts";

/** Less evidence than this is no reason to show a note. */
const SUM_MIN = 0.15;

/** A note scores as its best chunk does; undefined for one that is masked or has next to no evidence. */
export function scoreNote(
  { board, query, triggered }: PhrasingBoard,
  s: number,
  note: number,
  options: FindOptions,
  sumFirst: FirstPassSum,
): Scored | undefined {
  const segment = board.segments[s];
  if (segment === undefined) return undefined;
  const first = segment.firstChunk(note);
  const chunks = segment.chunkCount(note);
  const base = board.bases[s] ?? 0;
  const match = triggered[s]?.get(note);
  const trigger = match === undefined ? 0 : triggerShare(match, board);
  let top:
    | { chunk: number; emb: number | undefined; kw: number; synonyms: number; sum: number }
    | undefined;
  for (let chunk = first; chunk < first + chunks; chunk++) {
    const cosine = board.cosines[base + chunk] ?? 0;
    if (cosine === MASKED) return undefined;
    // Exactly 0: the model saw nothing in the passage.
    const emb = cosine === 0 ? undefined : calibrated(query, cosine);
    const kw = shareOfReach(board, board.keywords[base + chunk] ?? 0);
    const synonyms = shareOfReach(board, board.synonyms[base + chunk] ?? 0);
    if ((emb ?? 0) <= 0 && kw === 0 && synonyms === 0 && match === undefined) continue;
    const sum = sumFirst(emb, kw, board.mass, synonyms, trigger, chunks);
    if (sum > (top?.sum ?? SUM_MIN)) top = { chunk, emb, kw, synonyms, sum };
  }
  if (top === undefined) return undefined;
  const { chunk, emb, kw, synonyms, sum } = top;
  const chance = options.unasked === true ? chanceIn(board.chunks) : 0;
  return {
    segment,
    note,
    chunk,
    evidence: { ...NO_EVIDENCE, emb, kw, mass: board.mass, synonyms, trigger, chunks, chance },
    sum,
    cosine: board.cosines[base + chunk] ?? 0,
    trigger: match?.first,
  };
}

/** The same under all phrasings of a question; undefined if none of them finds it. */
export function scoreUnderAll(
  boards: readonly PhrasingBoard[],
  s: number,
  note: number,
  options: FindOptions,
  sumFirst: FirstPassSum,
): Scored | undefined {
  const each = boards.map((board) => scoreNote(board, s, note, options, sumFirst));
  const isFound = each.some((one) => one !== undefined);
  return isFound ? { ...combinePhrasings(each), each } : undefined;
}

/** The same for a note that is scored even without evidence; undefined if a filter hides it. */
export function scoreAnyway(
  boards: readonly PhrasingBoard[],
  { segment, note }: PlacedNote,
  options: FindOptions,
): Scored | undefined {
  const [first] = boards;
  if (first === undefined) return undefined;
  const { board } = first;
  const s = board.segments.indexOf(segment);
  const chunk = segment.firstChunk(note);
  const cosine = board.cosines[(board.bases[s] ?? 0) + chunk] ?? MASKED;
  if (cosine === MASKED) return undefined;
  const scored = scoreUnderAll(boards, s, note, options, firstPassSum(options.weights));
  if (scored !== undefined) return scored;
  const chunks = segment.chunkCount(note);
  const evidence = { ...NO_EVIDENCE, mass: board.mass, chunks };
  return { segment, note, chunk, evidence, sum: 0, cosine, trigger: undefined };
}
