/**
 * Fits the knots of calibration.ts to a model, from its cosines of the pairs in texts.ts. Each
 * knot is the quantile of these pairs at which the built-in model has its own, so that a threshold asks
 * the same of both (tests/embed/fit_calibration_test.ts).
 */
import { monotonic } from "../../base/clock.ts";
import { dot } from "../../base/dot.ts";
import { CALIBRATION_ROWS, type CalibrationRow } from "./texts.ts";

export interface Fit {
  /** (cosine, share), both increasing. */
  readonly knots: readonly (readonly [number, number])[];
  /** How many questions find their own note first. */
  readonly found: number;
  readonly asked: number;
}

/** This share of unrelated pairs stays below 'something of it'. */
const UNRELATED_BELOW = 0.93;
/** This share of the nearest unrelated notes, one for each question, stays below 'about this'. */
const WRONG_BELOW = 0.97;
/** This share of light edits falls short of 'says the same'. */
export const EDITS_BELOW = 0.125;
/** The length of most chunks. */
export const CHUNK_CHARACTERS = 850;
/** The least distance of two knots. */
const APART = 0.002;

export interface Embeds {
  embedQuery(text: string): Float32Array | undefined;
  embedDocuments(texts: readonly string[]): (Float32Array | undefined)[];
}

export function fitCalibration(
  embeds: Embeds,
  rows: readonly CalibrationRow[] = CALIBRATION_ROWS,
): Fit {
  const { unrelated, nearestWrong, found, asked } = comparedRows(embeds, rows);
  const { middle, spread } = spreadOf(unrelated);
  const knots = increasingKnots(
    middle - spread,
    quantile(unrelated, UNRELATED_BELOW),
    quantile(nearestWrong, WRONG_BELOW),
    quantile(editsOf(embeds, rows), EDITS_BELOW),
  );
  return { knots, found, asked };
}

/** Whether a model tells the pairs apart at all. By chance one question in all finds its note. */
export function separatesPairs({ found, asked }: Pick<Fit, "found" | "asked">): boolean {
  return found * 4 >= asked;
}

export interface ComparedRows {
  /** Cosines of every question with every other question's note; and for each question the highest of them. */
  readonly unrelated: readonly number[];
  readonly nearestWrong: readonly number[];
  readonly found: number;
  readonly asked: number;
}

export function comparedRows(embeds: Embeds, rows: readonly CalibrationRow[]): ComparedRows {
  const questions = rows.map(({ question }) => embeds.embedQuery(question));
  const notes = embeds.embedDocuments(rows.map(({ note }) => note));
  const unrelated: number[] = [];
  const nearestWrong: number[] = [];
  let found = 0;
  questions.forEach((question, i) => {
    const cosines = notes.map((note) => cosine(question, note));
    const wrong = cosines.filter((_, j) => j !== i);
    unrelated.push(...wrong);
    nearestWrong.push(Math.max(...wrong));
    if ((cosines[i] ?? 0) > Math.max(...wrong)) found++;
  });
  return { unrelated, nearestWrong, found, asked: rows.length };
}

/** Cosines of each note with its edited form. */
export function editsOf(embeds: Embeds, rows: readonly CalibrationRow[]): number[] {
  const notes = embeds.embedDocuments(rows.map(({ note }) => note));
  const edits = embeds.embedDocuments(rows.map(({ edited }) => edited));
  return notes.map((note, i) => cosine(note, edits[i]));
}

/** Milliseconds for one text of a chunk's length, the quickest of three. */
export function measureText(embeds: Pick<Embeds, "embedDocuments">): number {
  const text = longText(CHUNK_CHARACTERS);
  return Math.min(...[0, 1, 2].map(() => duration(() => embeds.embedDocuments([text]))));
}

/** The same for an asynchronous model. */
export async function measureLate(ask: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = monotonic();
    await ask(round);
    times.push(monotonic() - start);
  }
  return Math.round(Math.min(...times) * 10) / 10;
}

/** Prose of at least this many characters. */
export function longText(characters: number): string {
  let text = "";
  for (let i = 0; text.length < characters; i++) {
    text += `${CALIBRATION_ROWS[i % CALIBRATION_ROWS.length]?.note} `;
  }
  return text;
}

export function spreadOf(values: readonly number[]): { middle: number; spread: number } {
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / values.length;
  return { middle, spread: Math.sqrt(square) };
}

/** Knots from the top down, so that they increase even for a model that tells nothing apart. */
export function increasingKnots(
  nothing: number,
  something: number,
  about: number,
  saysTheSame: number,
): Fit["knots"] {
  const top = Math.min(saysTheSame, 1 - APART);
  const third = Math.min(about, top - APART);
  const second = Math.min(something, third - APART);
  const first = Math.min(nothing, second - APART);
  return [[first, 0], [second, 0.35], [third, 0.7], [top, 0.9], [1, 1]]
    .map(([cosine = 0, share = 0]) => [Math.round(cosine * 1e4) / 1e4, share] as const);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below = 0, above = below] = sorted.slice(Math.floor(at), Math.floor(at) + 2);
  return below + (above - below) * (at - Math.floor(at));
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a === undefined || b === undefined ? 0 : dot(a, b);
}

function duration(work: () => void): number {
  const start = monotonic();
  work();
  return Math.round((monotonic() - start) * 10) / 10;
}
