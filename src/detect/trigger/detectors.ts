/**
 * The detectors of inflection points: one multinomial logistic model whose base class is "no point". Each
 * detector computes features of the last exchanges, and their weighted sum is its log odds. The probability
 * is calibrated to a confidence; the features that add the most to the sum are the reason.
 */
import type { MeasuredExchange, RecentExchanges } from "../text/recent_exchanges.ts";
import { type Features, type Inflection, type Signal, weightedSum } from "./signal.ts";
import { alternativesLaidOut, alternativeTaken, reportsChanges } from "./signals/alternatives.ts";
import { blocker } from "./signals/blocker.ts";
import { convergence } from "./signals/convergence.ts";
import { drift } from "./signals/drift.ts";
import { answerContextOf, longerThanUsual } from "./signals/answer_context.ts";
import { CALIBRATION, WEIGHTS } from "./weights.ts";

export type DetectorName = keyof typeof WEIGHTS;

export interface Observation {
  readonly trigger: Inflection;
  readonly detector: DetectorName;
  /** How many exchanges ago the point would be: 0 is the last one. */
  readonly ago: number;
  readonly features: Features;
}

/** `always` is the constant term. */
export interface DetectorModel {
  readonly weights: Readonly<Record<DetectorName, Features>>;
  /** Piecewise linear map of probability to confidence, both rising. */
  readonly calibration: readonly (readonly [chance: number, confidence: number])[];
}

const SHIPPED_MODEL: DetectorModel = { weights: WEIGHTS, calibration: CALIBRATION };
const REASONS_MAX = 2;
/** Log odds added where a choice is looked for: alternatives may be open even if the answer alone left doubt. */
const LAID_OUT_SHIFT = 2;

export function observe(recent: RecentExchanges): Observation[] {
  const subjects = drift(recent).map((features, ago) =>
    observation("topic_shift", "new subject", features, ago)
  );
  return [...subjects, ...observeLastExchange(recent)];
}

/** Without topic drift, which takes two or three exchanges to show. */
export function observeLastExchange(recent: RecentExchanges): Observation[] {
  const context = answerContextOf(recent);
  return [
    ...(reportsChanges(recent.last) ? [] : [
      observation("branch_point", "ways laid out", alternativesLaidOut(recent, context.longer)),
    ]),
    observation(
      "branch_point",
      "a way taken",
      alternativeTaken(recent, context, (place) => laidOutChance(recent, place)),
    ),
    observation("constraint_discovered", "a way closed", blocker(recent, context)),
    observation("synthesis", "findings together", convergence(recent, context)),
  ];
}

const laidOutChances = new WeakMap<MeasuredExchange, number>();

/** Probability that an earlier answer laid alternatives out; kept, because each later exchange asks again. */
function laidOutChance({ exchanges, ...recent }: RecentExchanges, place: number): number {
  const last = exchanges[place];
  if (last === undefined || reportsChanges(last)) return 0;
  let chance = laidOutChances.get(last);
  if (chance === undefined) {
    const then = { ...recent, exchanges: exchanges.slice(0, place + 1), last };
    const features = alternativesLaidOut(then, longerThanUsual(then));
    const sum = weightedSum(features, WEIGHTS["ways laid out"]);
    laidOutChances.set(last, chance = 1 / (1 + Math.exp(-sum - LAID_OUT_SHIFT)));
  }
  return chance;
}

function observation(
  trigger: Inflection,
  detector: DetectorName,
  features: Features,
  ago = 0,
): Observation {
  return { trigger, detector, ago, features };
}

export function signalsOf(
  observations: readonly Observation[],
  model: DetectorModel = SHIPPED_MODEL,
): Signal[] {
  const confidences = confidencesOf(observations, model);
  return observations.map(({ trigger, detector, ago, features }, i) => ({
    trigger,
    ago,
    confidence: confidences[i] ?? 0,
    reason: `${detector}: ${reasonsOf(features, model.weights[detector])}`,
  }));
}

/** The end of a turn is one point at most, so the detectors that look at it share one probability mass. */
export function confidencesOf(
  observations: readonly Observation[],
  { weights, calibration }: DetectorModel = SHIPPED_MODEL,
): number[] {
  const odds = observations.map(({ features, detector }) =>
    Math.exp(weightedSum(features, weights[detector]))
  );
  const here = odds.reduce((total, own, i) => observations[i]?.ago === 0 ? total + own : total, 0);
  return odds.map((own, i) =>
    calibrated(own / (1 + (observations[i]?.ago === 0 ? here : own)), calibration)
  );
}

function reasonsOf(features: Features, table: Features): string {
  const telling = Object.entries(features)
    .map(([name, value]) => [name, value * (table[name] ?? 0)] as const)
    .filter(([, part]) => part > 0).sort(([, a], [, b]) => b - a);
  return telling.slice(0, REASONS_MAX).map(([name]) => name).join(", ");
}

function calibrated(chance: number, curve: DetectorModel["calibration"]): number {
  let [x0, y0] = [0, 0];
  for (const [x1, y1] of curve) {
    if (chance <= x1) return y0 + (y1 - y0) * (chance - x0) / (x1 - x0);
    [x0, y0] = [x1, y1];
  }
  return y0;
}
