/**
 * The same thresholds fitted to a person's own notes, for a model that Sage's pairs do not suit: those are
 * English, and a sentence long. Nobody has labelled which note answers what, but a title has next to nothing
 * to do with other notes, and a passage without every fourth word still says the same. Where the knots lie,
 * and how far they may be off: docs/decisions/0043.
 */
import type { CalibrationRow } from "./calibration_texts.ts";
import {
  comparedRows,
  EDITS_BELOW,
  editsOf,
  type Embeds,
  type Fit,
  increasingKnots,
  quantile,
  spreadOf,
} from "./fit_calibration.ts";

/** Fewer notes say too little of the unrelated; more say nothing new. */
export const NOTES_MIN = 24;
export const NOTES_MAX = 48;
/** In spreads of the unrelated, above their middle. */
const SOMETHING = 1.55;
const ABOUT = 3.05;
/** A mapping whose 'about this' lies within these is left as it is. */
const ABOUT_MIN = 1.5;
const ABOUT_MAX = 5;
/** One word in this many is left out of what still says the same. */
const LEFT_OUT = 4;

/** A note's title, the passage that it begins with, and what is nearly that. */
export function noteRow(title: string, passage: string): CalibrationRow {
  return { question: title, note: passage, edited: thinned(passage) };
}

/** Whether a mapping puts 'about this' where these notes can live with it. */
export function suitsNotes(
  knots: Fit["knots"],
  embeds: Embeds,
  rows: readonly CalibrationRow[],
): boolean {
  const { middle, spread } = spreadOf(comparedRows(embeds, rows).unrelated);
  const about = knots.find(([, share]) => share >= 0.7)?.[0] ?? 1;
  return about >= middle + ABOUT_MIN * spread && about <= middle + ABOUT_MAX * spread;
}

export function fitNotes(embeds: Embeds, rows: readonly CalibrationRow[]): Fit {
  const { unrelated, found, asked } = comparedRows(embeds, rows);
  const { middle, spread } = spreadOf(unrelated);
  const knots = increasingKnots(
    middle - spread,
    middle + SOMETHING * spread,
    middle + ABOUT * spread,
    quantile(editsOf(embeds, rows), EDITS_BELOW),
  );
  return { knots, found, asked };
}

/** Words as the language has them, for those that write none of the spaces between. */
function thinned(passage: string): string {
  let words = 0;
  let kept = "";
  for (
    const { segment, isWordLike } of new Intl.Segmenter("th", { granularity: "word" }).segment(
      passage,
    )
  ) {
    if (isWordLike !== true || ++words % LEFT_OUT !== 0) kept += segment;
  }
  return kept;
}
