/**
 * Fits a model's mapping of cosines to 0..1 again and stores it with the model: to the pairs that come with
 * Sage, to pairs of one's own (in another language, say), or to one's notes. Indexes stay valid, because the
 * mapping is applied to answers.
 */
import { SageError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { openBertEmbedder } from "../../embed/bert_embedder.ts";
import { CALIBRATION } from "../../embed/calibration/calibration.ts";
import { CALIBRATION_ROWS, type CalibrationRow } from "../../embed/calibration/texts.ts";
import { BUILT_IN, isEndpointName } from "../../embed/embedder.ts";
import { readEndpoint, writeEndpoint } from "../../embed/endpoint/endpoint.ts";
import { askRows } from "../../embed/endpoint/learn.ts";
import {
  type Embeds,
  type Fit,
  fitCalibration,
  separatesPairs,
} from "../../embed/calibration/fit.ts";
import { fitNotes, NOTES_MIN, suitsNotes } from "../../embed/calibration/fit_notes.ts";
import { type CalibratedBy, readInstalled, writeInstalled } from "../../embed/pulled/installed.ts";
import { evaluate, evaluateHeldOut, type Evaluation } from "../../embed/calibration/evaluate.ts";
import { type Memory, modelsFolder } from "../memory.ts";
import { refreshAll } from "../index/reindex.ts";
import { addressOf } from "./endpoint.ts";
import { wantedModel } from "./list.ts";
import { sampleNotes } from "./sample_notes.ts";
import { checkModel } from "./test.ts";

export interface Calibration {
  readonly model: string;
  readonly fitted_to: CalibratedBy;
  /** The (cosine, share) knots of the old mapping, and of the new one. */
  readonly before: Fit["knots"];
  readonly knots: Fit["knots"];
  /** How the old mapping judges these pairs, and a fitted one pairs that were held out. */
  readonly judged_before: Evaluation;
  readonly held_out: Evaluation;
  readonly found: number;
  readonly asked: number;
  readonly stored: boolean;
}

export interface CalibrateRequest {
  readonly name: string | undefined;
  /** A file of own pairs, as JSON lines; or the notes of the stores in reach. */
  readonly pairs: string | undefined;
  readonly notes?: boolean;
  readonly dryRun: boolean;
  onProgress(share: number): void;
}

/** Two halves of a dozen each; in fewer a quantile is a single pair. */
const ROWS_MIN = 24;
const ROWS_MAX = 500;
const PAIRS_BYTES_MAX = 4 * 1024 * 1024;

export async function calibrateModel(
  memory: Memory,
  { name, pairs, notes = false, dryRun, onProgress }: CalibrateRequest,
): Promise<Calibration> {
  if (pairs !== undefined && notes) {
    throw new SageError("usage", "A mapping is fitted either to pairs or to notes");
  }
  const by: CalibratedBy = notes ? "notes" : pairs === undefined ? "pairs" : "own pairs";
  const rows = notes
    ? await rowsOfNotes(memory)
    : pairs === undefined
    ? CALIBRATION_ROWS
    : readPairs(memory.fs, pairs);
  const fit = notes ? fitNotes : fitCalibration;
  const model = await open(memory, name ?? wantedModel(memory), rows, onProgress);
  try {
    const embeds = memoized(model.embeds);
    const { knots, found, asked } = fit(embeds, rows);
    const held_out = evaluateHeldOut(embeds, rows, fit);
    const judged_before = evaluate(embeds, rows, model.knots);
    if (!separatesPairs({ found, asked })) {
      throw new SageError(
        "refused",
        `Only ${found} of ${asked} questions find their note first: no mapping can help`,
        {
          hint: "nothing was stored; try another model, or pairs in a language that this one knows",
        },
      );
    }
    const stored = !dryRun && model.store !== undefined;
    if (stored) model.store(knots, by);
    const { name, knots: before } = model;
    const judged = { judged_before, held_out, found, asked };
    return { model: name, fitted_to: by, before, knots, ...judged, stored };
  } finally {
    model.close();
  }
}

/**
 * Fits the model to these notes if its mapping does not suit them; returns whether it did. A mapping fitted
 * to a person's own pairs stays, and a handful of notes is not enough.
 */
export async function settleCalibration(
  memory: Memory,
  name: string,
  rows: readonly CalibrationRow[],
  onProgress: (share: number) => void,
): Promise<boolean> {
  if (name === BUILT_IN || rows.length < NOTES_MIN) return false;
  const model = await open(memory, name, rows, onProgress);
  try {
    const embeds = memoized(model.embeds);
    if (model.by === "own pairs" || suitsNotes(model.knots, embeds, rows)) return false;
    const { knots } = fitNotes(embeds, rows);
    // The fit changes nothing: the model cannot do better.
    if (JSON.stringify(knots) === JSON.stringify(model.knots)) return false;
    model.store?.(knots, "notes");
    return true;
  } finally {
    model.close();
  }
}

async function rowsOfNotes(memory: Memory): Promise<CalibrationRow[]> {
  await refreshAll(memory);
  const rows = await sampleNotes(memory);
  if (rows.length >= NOTES_MIN) return rows;
  throw new SageError("usage", `There are ${rows.length} notes with a title and some text`, {
    hint: `${NOTES_MIN} are needed, to measure how alike unrelated notes are`,
  });
}

interface Opened {
  readonly name: string;
  readonly knots: Fit["knots"];
  readonly by: CalibratedBy;
  readonly embeds: Embeds;
  /** Undefined for the built-in model, whose mapping is part of the program. */
  readonly store: ((knots: Fit["knots"], by: CalibratedBy) => void) | undefined;
  readonly close: () => void;
}

async function open(
  memory: Memory,
  name: string,
  rows: readonly CalibrationRow[],
  onProgress: (share: number) => void,
): Promise<Opened> {
  const { fs, places } = memory;
  const models = modelsFolder(places);
  const close = (): void => {};
  if (name === BUILT_IN) {
    const embeds = memory.builtIn();
    return { name, knots: CALIBRATION, by: "pairs", embeds, store: undefined, close };
  }
  if (isEndpointName(name)) {
    const known = readEndpoint(fs, models, addressOf(name).name);
    const embeds = await askRows(addressOf(known.name), known, rows, onProgress);
    // Read again, to keep what another process stored meanwhile.
    const store: Opened["store"] = (calibration, calibratedBy) => {
      const now = readEndpoint(fs, models, known.name);
      writeEndpoint(fs, models, { ...now, calibration, calibratedBy });
    };
    const { calibration: knots, calibratedBy: by } = known;
    return { name: known.name, knots, by, embeds, store, close };
  }
  const facts = checkModel(memory, name);
  const store: Opened["store"] = (calibration, calibratedBy) => {
    const now = readInstalled(fs, models, facts.name);
    writeInstalled(fs, models, { ...now, calibration, calibratedBy });
  };
  const { name: known, calibration: knots, calibratedBy: by } = facts;
  const opened = { name: known, knots, by, store };
  if (facts.onnx !== undefined) {
    const { onnxRows } = await import("../../embed/onnx_install.ts");
    return { ...opened, embeds: await onnxRows(fs, models, facts, rows), close };
  }
  const embeds = openBertEmbedder(fs, models, facts.name, () => {});
  return { ...opened, embeds, close: () => embeds.close() };
}

/** Embeds each text once, however often it is requested. */
function memoized(embeds: Embeds): Embeds {
  const questions = new Map<string, Float32Array | undefined>();
  const documents: typeof questions = new Map();
  const once = (
    known: typeof questions,
    text: string,
    embed: () => Float32Array | undefined,
  ): Float32Array | undefined => {
    if (!known.has(text)) known.set(text, embed());
    return known.get(text);
  };
  return {
    embedQuery: (text) => once(questions, text, () => embeds.embedQuery(text)),
    embedDocuments: (texts) =>
      texts.map((text) => once(documents, text, () => embeds.embedDocuments([text])[0])),
  };
}

function readPairs(fs: Fs, path: string): CalibrationRow[] {
  if (fs.lstat(path)?.kind !== "file") {
    throw new SageError("not_found", `There is no file "${path}"`);
  }
  const lines = new TextDecoder().decode(readBytes(fs, path, PAIRS_BYTES_MAX)).split("\n");
  const rows = lines.flatMap((line, i) => line.trim() === "" ? [] : [readPair(line, i + 1)]);
  if (rows.length >= ROWS_MIN && rows.length <= ROWS_MAX) return rows;
  throw new SageError("usage", `"${path}" has ${rows.length} pairs`, {
    hint: `${ROWS_MIN} to ${ROWS_MAX} are needed, each about something else`,
  });
}

function readPair(line: string, number: number): CalibrationRow {
  try {
    const { note, question, edited } = JSON.parse(line);
    if ([note, question, edited].every((text) => typeof text === "string" && text.trim() !== "")) {
      return { note, question, edited };
    }
  } catch {
    // Reported below.
  }
  throw new SageError("usage", `Line ${number} is not a pair`, {
    hint: `each is {"note": "…", "question": "…", "edited": "…"}: the note, a question about it ` +
      "in other words, and the note worded slightly differently",
  });
}
