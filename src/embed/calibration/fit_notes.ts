/**
 * Fits the same knots to a person's own notes, for a model that Sage's English pairs of one sentence do not
 * suit. There are no labels of which note answers what, but a title is unrelated to other notes, and a
 * passage without every fourth word still says the same. Decision 0043 has the knots and their error.
 */
import type { CalibrationRow } from "./texts.ts";
import {
  comparedRows,
  EDITS_BELOW,
  editsOf,
  type Embeds,
  type Fit,
  increasingKnots,
  quantile,
  spreadOf,
} from "./fit.ts";

/** Fewer notes give too few unrelated pairs; more tell nothing new. */
export const NOTES_MIN = 24;
export const NOTES_MAX = 48;
/** Knots, in standard deviations above the mean cosine of unrelated pairs. */
const SOMETHING = 1.55;
const ABOUT = 3.05;
/** A calibration whose 'about this' lies within these is kept. */
const ABOUT_MIN = 1.5;
const ABOUT_MAX = 5;
/** One word in this many is left out of a passage that still says the same. */
const LEFT_OUT = 4;

/** A note's title, its first passage, and that passage thinned out. */
export function noteRow(title: string, passage: string): CalibrationRow {
  return { question: title, note: passage, edited: thinned(passage) };
}

/** Whether a calibration already suits these notes. */
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

/** A passage without every fourth word. Segmented, because some languages have no spaces between words. */
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
