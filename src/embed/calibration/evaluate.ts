/**
 * Evaluates a calibration on pairs that it was not fitted to: the shares of pairs that land where
 * calibration.ts says they should. This reveals a calibration that is overfitted to its own pairs.
 */
import { dot } from "../../base/dot.ts";
import { round } from "../../base/round.ts";
import { calibrate } from "./calibration.ts";
import type { CalibrationRow } from "./texts.ts";
import type { Embeds, Fit } from "./fit.ts";

/** Shares of the evaluated pairs, 0..1. */
export interface Evaluation {
  /** Unrelated pairs below 0.35, 'something of it'. */
  readonly unrelated_below: number;
  /** Questions for which no unrelated note reaches 0.70, 'about this'. */
  readonly nothing_wrong: number;
  /** Questions whose own note reaches 0.70. */
  readonly own_reached: number;
  /** Light edits that reach 0.90, 'says the same'. */
  readonly edits_reached: number;
}

/** Two-fold cross-validation: each half of the rows is evaluated with a fit on the other. */
export function evaluateHeldOut(
  embeds: Embeds,
  rows: readonly CalibrationRow[],
  fit: (embeds: Embeds, rows: readonly CalibrationRow[]) => Fit,
): Evaluation {
  const halves = [0, 1].map((side) => rows.filter((_, i) => i % 2 === side));
  const [one = [], other = []] = halves;
  const a = evaluate(embeds, one, fit(embeds, other).knots);
  const b = evaluate(embeds, other, fit(embeds, one).knots);
  const mean = (key: keyof Evaluation): number => round((a[key] + b[key]) / 2, 3);
  return {
    unrelated_below: mean("unrelated_below"),
    nothing_wrong: mean("nothing_wrong"),
    own_reached: mean("own_reached"),
    edits_reached: mean("edits_reached"),
  };
}

/** Evaluates these knots on these rows. */
export function evaluate(
  embeds: Embeds,
  rows: readonly CalibrationRow[],
  knots: Fit["knots"],
): Evaluation {
  const questions = rows.map(({ question }) => embeds.embedQuery(question));
  const notes = embeds.embedDocuments(rows.map(({ note }) => note));
  const edits = embeds.embedDocuments(rows.map(({ edited }) => edited));
  const share = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
    a === undefined || b === undefined ? 0 : calibrate(knots, dot(a, b));
  const shares = questions.map((question) => notes.map((note) => share(question, note)));
  const wrong = shares.map((of, i) => of.filter((_, j) => j !== i));
  return {
    unrelated_below: part(wrong.flat(), (one) => one < 0.35),
    nothing_wrong: part(wrong, (of) => Math.max(...of) < 0.7),
    own_reached: part(shares, (of, i) => (of[i] ?? 0) >= 0.7),
    edits_reached: part(notes, (note, i) => share(note, edits[i]) >= 0.9),
  };
}

function part<T>(values: readonly T[], holds: (value: T, i: number) => boolean): number {
  return round(values.filter(holds).length / Math.max(1, values.length), 3);
}
