/** The first look: what a note is worth by signals that were computed for all chunks at once. */
import { MASKED } from "./board.ts";
import { calibrated } from "./bounds.ts";
import { chanceIn, type FirstSum, firstSum, NO_EVIDENCE } from "./score.ts";
import { reached } from "./shares.ts";
import { type PlacedNote, triggerShare } from "./triggers.ts";
import { type FindOptions, type Scored, type View, whatAllSay } from "./view.ts";

/** Less evidence than this is no reason to show a note. */
const SUM_MIN = 0.15;

/** The best chunk of a note carries it. */
export function scoreNote(
  { board, query, triggered }: View,
  s: number,
  note: number,
  options: FindOptions,
  sumFirst: FirstSum,
): Scored | undefined {
  const segment = board.segments[s];
  if (segment === undefined) return undefined;
  const first = segment.firstChunk(note);
  const chunks = segment.chunkCount(note);
  const base = board.bases[s] ?? 0;
  const match = triggered[s]?.get(note);
  const trigger = match === undefined ? 0 : triggerShare(match, board);
  let top:
    | { chunk: number; emb: number | undefined; kw: number; other: number; sum: number }
    | undefined;
  for (let chunk = first; chunk < first + chunks; chunk++) {
    const cosine = board.cosines[base + chunk] ?? 0;
    if (cosine === MASKED) return undefined;
    // Exactly 0: the model saw nothing in the passage.
    const emb = cosine === 0 ? undefined : calibrated(query, cosine);
    const kw = reached(board, board.keywords[base + chunk] ?? 0);
    const other = reached(board, board.others[base + chunk] ?? 0);
    if ((emb ?? 0) <= 0 && kw === 0 && other === 0 && match === undefined) continue;
    const sum = sumFirst(emb, kw, board.mass, other, trigger, chunks);
    if (sum > (top?.sum ?? SUM_MIN)) top = { chunk, emb, kw, other, sum };
  }
  if (top === undefined) return undefined;
  const { chunk, emb, kw, other, sum } = top;
  const chance = options.knownFirst === true ? chanceIn(board.chunks) : 0;
  return {
    segment,
    note,
    chunk,
    evidence: { ...NO_EVIDENCE, emb, kw, mass: board.mass, other, trigger, chunks, chance },
    sum,
    cosine: board.cosines[base + chunk] ?? 0,
    trigger: match?.first,
  };
}

/** A note that nothing but its place in a chain of versions brings; undefined where a filter hides it. */
export function scorePlaced(
  views: readonly View[],
  { segment, note }: PlacedNote,
  options: FindOptions,
): Scored | undefined {
  const [view] = views;
  if (view === undefined) return undefined;
  const { board } = view;
  const s = board.segments.indexOf(segment);
  const chunk = segment.firstChunk(note);
  const cosine = board.cosines[(board.bases[s] ?? 0) + chunk] ?? MASKED;
  if (cosine === MASKED) return undefined;
  const sumFirst = firstSum(options.weights);
  const each = views.map((one) => scoreNote(one, s, note, options, sumFirst));
  if (each.some((one) => one !== undefined)) return { ...whatAllSay(each), each };
  const chunks = segment.chunkCount(note);
  const evidence = { ...NO_EVIDENCE, mass: board.mass, chunks };
  return { segment, note, chunk, evidence, sum: 0, cosine, trigger: undefined };
}
