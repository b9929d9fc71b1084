/** The types that the detectors share: what can be found, and what a finding says. */

/** Inflection points by priority: the first one found decides. */
export const INFLECTIONS = [
  "topic_shift",
  "branch_point",
  "constraint_discovered",
  "synthesis",
] as const;

export type Inflection = typeof INFLECTIONS[number];

export function isInflection(name: string | undefined): name is Inflection {
  return (INFLECTIONS as readonly (string | undefined)[]).includes(name);
}

export interface Signal {
  readonly trigger: Inflection;
  /** 0..1 */
  readonly confidence: number;
  /** For the agent and the log: which features were seen, never what was said. */
  readonly reason: string;
  /** How many exchanges ago it was: 0 is the last one. */
  readonly ago: number;
}

/** Feature values by the names of their weights: 0..1, differences −1..1. */
export type Features = Readonly<Record<string, number>>;

/** The chance that a logistic model gives, 0..1. */
export function chanceOf(features: Features, weights: Features): number {
  return 1 / (1 + Math.exp(-weightedSum(features, weights)));
}

/** The dot product of features and weights; `always` is the intercept. */
export function weightedSum(features: Features, weights: Features): number {
  let sum = weights["always"] ?? 0;
  for (const name in features) sum += (features[name] ?? 0) * (weights[name] ?? 0);
  return sum;
}
