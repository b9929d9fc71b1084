/**
 * The detectors of points. Each measures the last exchanges; the weighted sum of its features, mapped
 * to a calibrated confidence, says how likely there is a point, and the feature with the greatest part
 * in it is the reason.
 */
import type { Moment, Recent } from "./recent.ts";
import { type Features, type Inflection, type Signal, weightedSum } from "./signal.ts";
import { waysLaidOut, wayTaken } from "./signals/alternatives.ts";
import { blocker } from "./signals/blocker.ts";
import { convergence } from "./signals/convergence.ts";
import { drift } from "./signals/drift.ts";
import { longerThanUsual, standingOf } from "./signals/standing.ts";
import { CALIBRATION, WEIGHTS } from "./weights.ts";

export type Sight = keyof typeof WEIGHTS;

export interface Sighting {
  readonly trigger: Inflection;
  readonly sight: Sight;
  /** The exchange that would be the point: 0 is the last one, 1 the one before. */
  readonly ago: number;
  readonly features: Features;
}

/** `always` is the constant term. */
export interface Weights {
  readonly weights: Readonly<Record<Sight, Features>>;
  /** Calibration: chance → confidence, both rising. */
  readonly calibration: readonly (readonly [chance: number, confidence: number])[];
}

const SHIPPED: Weights = { weights: WEIGHTS, calibration: CALIBRATION };
const REASONS_MAX = 2;
/** A person's choice shows that alternatives were laid out, even where the answer alone left doubt. */
const OPENNESS_SHIFT = 2;

export function sightings(recent: Recent): Sighting[] {
  const subjects = drift(recent).map((features, ago) =>
    seen("topic_shift", "new subject", features, ago)
  );
  return [...subjects, ...sightingsHere(recent)];
}

/** Without changes of subject, which take two or three exchanges to be seen. */
export function sightingsHere(recent: Recent): Sighting[] {
  const standing = standingOf(recent);
  return [
    seen("branch_point", "ways laid out", waysLaidOut(recent, standing.longer)),
    seen(
      "branch_point",
      "a way taken",
      wayTaken(recent, standing, (place) => openness(recent, place)),
    ),
    seen("constraint_discovered", "a way closed", blocker(recent, standing)),
    seen("synthesis", "findings together", convergence(recent, standing)),
  ];
}

const opennesses = new WeakMap<Moment, number>();

/** The chance that an earlier answer laid alternatives out; kept, because each later exchange asks again. */
function openness({ moments, ...recent }: Recent, place: number): number {
  const last = moments[place];
  if (last === undefined) return 0;
  let chance = opennesses.get(last);
  if (chance === undefined) {
    const then = { ...recent, moments: moments.slice(0, place + 1), last };
    const features = waysLaidOut(then, longerThanUsual(then));
    const sum = weightedSum(features, WEIGHTS["ways laid out"]);
    opennesses.set(last, chance = 1 / (1 + Math.exp(-sum - OPENNESS_SHIFT)));
  }
  return chance;
}

function seen(trigger: Inflection, sight: Sight, features: Features, ago = 0): Sighting {
  return { trigger, sight, ago, features };
}

export function signalsOf(seen: readonly Sighting[], weights: Weights = SHIPPED): Signal[] {
  const confidences = confidencesOf(seen, weights);
  return seen.map(({ trigger, sight, features }, i) => ({
    trigger,
    confidence: confidences[i] ?? 0,
    reason: `${sight}: ${reasonsOf(features, weights.weights[sight])}`,
  }));
}

/** An end of turn is one point at most, so all its detectors share one chance. */
export function confidencesOf(
  seen: readonly Sighting[],
  { weights, calibration }: Weights = SHIPPED,
): number[] {
  const odds = seen.map(({ features, sight }) => Math.exp(weightedSum(features, weights[sight])));
  const here = odds.reduce((total, own, i) => seen[i]?.ago === 0 ? total + own : total, 0);
  return odds.map((own, i) =>
    calibrated(own / (1 + (seen[i]?.ago === 0 ? here : own)), calibration)
  );
}

function reasonsOf(features: Features, table: Features): string {
  const telling = Object.entries(features)
    .map(([name, value]) => [name, value * (table[name] ?? 0)] as const)
    .filter(([, part]) => part > 0).sort(([, a], [, b]) => b - a);
  return telling.slice(0, REASONS_MAX).map(([name]) => name).join(", ");
}

function calibrated(chance: number, curve: Weights["calibration"]): number {
  let [x0, y0] = [0, 0];
  for (const [x1, y1] of curve) {
    if (chance <= x1) return y0 + (y1 - y0) * (chance - x0) / (x1 - x0);
    [x0, y0] = [x1, y1];
  }
  return y0;
}
