/** Logistic regression with a ridge, by Newton's method. Small: tens of features, thousands of rows. */

export interface Row {
  readonly features: readonly number[];
  readonly isPoint: boolean;
}

const ROUNDS_MAX = 30;

/** The constant first, then a weight for each feature; `ridge` holds the weights back, not the constant. */
export function fit(rows: readonly Row[], size: number, ridge: number): number[] {
  const weights = new Array<number>(size + 1).fill(0);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const gradient = weights.map((weight, i) => i === 0 ? 0 : -ridge * weight);
    const curvature = weights.map((_, i) =>
      weights.map((_, j) => i !== j ? 0 : i === 0 ? 1e-6 : ridge)
    );
    for (const { features, isPoint } of rows) {
      const inputs = [1, ...features];
      const chance = chanceOf(weights, features);
      const error = Number(isPoint) - chance;
      const spread = Math.max(1e-6, chance * (1 - chance));
      inputs.forEach((a, i) => {
        gradient[i] = at(gradient, i) + error * a;
        const line = curvature[i] ?? [];
        if (a !== 0) inputs.forEach((b, j) => line[j] = at(line, j) + spread * a * b);
      });
    }
    const step = solve(curvature, gradient);
    step.forEach((change, i) => weights[i] = at(weights, i) + change);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

export function chanceOf(weights: readonly number[], features: readonly number[]): number {
  const sum = features.reduce(
    (total, value, i) => total + value * at(weights, i + 1),
    at(weights, 0),
  );
  return 1 / (1 + Math.exp(-sum));
}

/** Gauss–Jordan with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lines = matrix.map((line, i) => [...line, at(right, i)]);
  lines.forEach((_, column) => {
    const rest = lines.slice(column).map((line) => Math.abs(at(line, column)));
    const best = column + rest.indexOf(Math.max(...rest));
    const pivot = lines[best] ?? [];
    lines[best] = lines[column] ?? [];
    lines[column] = pivot;
    lines.forEach((line, i) => {
      if (i === column) return;
      const factor = at(line, column) / at(pivot, column);
      if (factor !== 0) pivot.forEach((value, j) => line[j] = at(line, j) - factor * value);
    });
  });
  return lines.map((line, i) => at(line, lines.length) / at(line, i));
}

function at(values: readonly number[], i: number): number {
  return values[i] ?? 0;
}
