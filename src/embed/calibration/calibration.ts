/**
 * Maps a model's cosines to 0..1, so that a value means the same for every model: 0.70 is 'about this',
 * 0.90 'says the same'. A mapping is linear between knots. Those of the static model are fitted and judged
 * by `deno run -A scripts/model.ts calibrate` on 63 questions that share hardly a word with their notes,
 * each with a lexical trap: a note with the same words and another meaning.
 */

/**
 * (cosine, share), both rising.
 *
 * 0.20 → 0.35: 96 % of 3,906 unrelated pairs (question, another's note) stay below.
 * 0.34 → 0.70: 2 % of questions meet anything unrelated among 62 notes at or above; their own note is
 *   there for 27 %. Lower would find more and say 'about this' of more that is not: at 0.30 it is
 *   37 % and 22 %, at 0.26 54 % and 44 %. Harm counts more than misses, and where question and note
 *   share words the cosine is far above all of these.
 * 0.87 → 0.90: half-way from the nearest trap (0.83: the same words, another meaning) to the 5 % of
 *   light edits that are furthest; 96 % of 109 inflections and synonyms are above. Another order of
 *   the same words is the same vector.
 */
export const CALIBRATION: readonly (readonly [cosine: number, share: number])[] = [
  [0, 0],
  [0.2, 0.35],
  [0.34, 0.7],
  [0.87, 0.9],
  [1, 1],
];

/**
 * The cosine of question and passage from which evidence of meaning is full (bench/retrieval/fit.ts).
 * 0.34, 'about this', is 0.70 of it.
 */
const MEANING_FULL = 0.486;

/** Evidence of meaning, 0..1, linear in the cosine. */
export function meaningStatic(cosine: number): number {
  return Math.max(0, Math.min(1, cosine / MEANING_FULL));
}

/**
 * The same for a model with its own knots: linear from 0 at the cosine of unrelated texts (the first knot)
 * through 0.70 at 'about this'.
 */
export function meaningBy(
  knots: readonly (readonly [cosine: number, share: number])[],
  cosine: number,
): number {
  const nothing = knots.findLast(([, share]) => share === 0)?.[0] ?? 0;
  const about = knots.find(([, share]) => share >= 0.7)?.[0] ?? 1;
  const share = about > nothing ? 0.7 * (cosine - nothing) / (about - nothing) : 0;
  return Math.max(0, Math.min(1, share));
}

/** Below the first knot 0, above the last 1. */
export function calibrateStatic(cosine: number): number {
  return calibrate(CALIBRATION, cosine);
}

/** The same with a model's own knots. */
export function calibrate(knots: typeof CALIBRATION, cosine: number): number {
  let before = knots[0];
  for (const knot of knots) {
    if (cosine < knot[0]) return between(cosine, before ?? knot, knot);
    before = knot;
  }
  return 1;
}

/** Whether knots make a mapping: at least two, both numbers increasing, no share above 1. */
export function areKnotsIncreasing(knots: typeof CALIBRATION): boolean {
  return knots.length > 1 && knots.every(([cosine, share], i) => {
    const [before, below] = knots[i - 1] ?? [-Infinity, -Infinity];
    return cosine > before && share > below && share <= 1;
  });
}

function between(
  cosine: number,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
): number {
  return cosine <= x0 ? y0 : y0 + (y1 - y0) * (cosine - x0) / (x1 - x0);
}
