/**
 * Logistic regression with a ridge, by Newton's method, where a case may be one of several things or
 * nothing: each thing has features of its own and its own part of the weights. Small: a hundred weights,
 * some thousand cases.
 */

/** An outcome that a case may have: its features, the constant 1 first, and the index of its first weight. */
export interface Thing {
  readonly at: number;
  readonly features: readonly number[];
}

export interface Case {
  readonly things: readonly Thing[];
  /** Which of them it is, or undefined for nothing. */
  readonly is: Thing | undefined;
}

const ROUNDS_MAX = 30;

/** `ridge` holds each weight back, except constants. */
export function fit(cases: readonly Case[], size: number, ridge: number): Float64Array {
  const weights = new Float64Array(size);
  const constants = new Set(cases.flatMap(({ things }) => things.map(({ at }) => at)));
  const held = (i: number): number => constants.has(i) ? 1e-6 : ridge;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const gradient = weights.map((weight, i) => -held(i) * weight);
    const curvature = Array.from({ length: size }, (_, i) => {
      const line = new Float64Array(size);
      line[i] = held(i);
      return line;
    });
    for (const { things, is } of cases) {
      const chances = chancesOf(weights, things);
      const expected = new Float64Array(size);
      things.forEach((thing, k) => {
        const chance = chances[k] ?? 0;
        add(gradient, thing, Number(thing === is) - chance);
        add(expected, thing, chance);
        thing.features.forEach((value, i) => {
          const line = curvature[thing.at + i];
          if (value !== 0 && line !== undefined) add(line, thing, chance * value);
        });
      });
      const touched = [...expected.keys()].filter((i) => expected[i] !== 0);
      for (const i of touched) {
        const line = curvature[i] ?? new Float64Array(size);
        for (const j of touched) line[j] = at(line, j) - at(expected, i) * at(expected, j);
      }
    }
    const step = solve(curvature, gradient);
    step.forEach((change, i) => weights[i] = at(weights, i) + change);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

/** Of each thing, that it is the one; what is missing from 1 is the chance of nothing. */
export function chancesOf(weights: Float64Array, things: readonly Thing[]): number[] {
  const odds = things.map(({ at: from, features }) =>
    Math.exp(features.reduce((sum, value, i) => sum + value * at(weights, from + i), 0))
  );
  const all = odds.reduce((sum, own) => sum + own, 1);
  return odds.map((own) => own / all);
}

function add(sum: Float64Array, { at: from, features }: Thing, factor: number): void {
  features.forEach((value, i) => sum[from + i] = at(sum, from + i) + factor * value);
}

/** Gauss–Jordan with pivots. */
function solve(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const lines = matrix.map((line, i) => Float64Array.from([...line, at(right, i)]));
  lines.forEach((_, column) => {
    const rest = lines.slice(column).map((line) => Math.abs(at(line, column)));
    const best = column + rest.indexOf(Math.max(...rest));
    const pivot = lines[best] ?? new Float64Array();
    lines[best] = lines[column] ?? pivot;
    lines[column] = pivot;
    lines.forEach((line, i) => {
      const factor = i === column ? 0 : at(line, column) / at(pivot, column);
      if (factor !== 0) pivot.forEach((value, j) => line[j] = at(line, j) - factor * value);
    });
  });
  return lines.map((line, i) => at(line, lines.length) / at(line, i));
}

function at(values: Float64Array, i: number): number {
  return values[i] ?? 0;
}
