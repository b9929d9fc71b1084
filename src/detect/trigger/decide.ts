/**
 * From signals and phrases to one trigger or none. Structural signals initiate; phrases confirm and never
 * initiate. Of several triggers the first in `INFLECTIONS` wins.
 */
import { type Inflection, INFLECTIONS, type Signal } from "./signal.ts";

const CONFIRMED_BONUS = 0.2;
const CONFIDENCE_MAX = 0.95;

export interface Thresholds {
  /** A structural signal above it needs no confirmation. */
  readonly structuralAlone: number;
  /** A structural signal above it counts if a phrase confirms it. */
  readonly structuralConfirmed: number;
}

export type Decided =
  | { readonly kind: "nothing"; readonly gate: "structural" | "linguistic" }
  | ({ readonly kind: "point" } & Signal);

export function decide(
  signals: readonly Signal[],
  phrases: ReadonlyMap<Inflection, string>,
  { structuralAlone, structuralConfirmed }: Thresholds,
): Decided {
  for (const trigger of INFLECTIONS) {
    const best = signals.filter((signal) => signal.trigger === trigger)
      .sort((a, b) => b.confidence - a.confidence)[0];
    if (best === undefined) continue;
    const phrase = phrases.get(trigger);
    if (best.confidence > structuralConfirmed && phrase !== undefined) {
      const confidence = Math.min(CONFIDENCE_MAX, best.confidence + CONFIRMED_BONUS);
      return { kind: "point", ...best, confidence, reason: `${best.reason}; confirmed by words` };
    }
    if (best.confidence > structuralAlone) return { kind: "point", ...best };
  }
  const isNear = signals.some((signal) => signal.confidence > structuralConfirmed);
  return { kind: "nothing", gate: isNear ? "linguistic" : "structural" };
}
