/** The types that the detectors share: what may be found, and what a finding says. */

/** Inflection points, the most pressing first: this order decides when several are found. */
export const INFLECTIONS = [
  "topic_shift",
  "branch_point",
  "constraint_discovered",
  "synthesis",
] as const;

export type Inflection = typeof INFLECTIONS[number];

export interface Signal {
  readonly trigger: Inflection;
  /** 0..1 */
  readonly confidence: number;
  /** For the agent and the log: what was seen, never what was said. */
  readonly reason: string;
}

/** Measured features by the names of their weights: 0 to 1, differences down to −1. */
export type Features = Readonly<Record<string, number>>;

/** What each feature adds to the sum; `always` is the constant term. */
export function weightedSum(features: Features, weights: Features): number {
  let sum = weights["always"] ?? 0;
  for (const name in features) sum += (features[name] ?? 0) * (weights[name] ?? 0);
  return sum;
}
