/** Installs a model for the ONNX runtime: copies its files unchanged, tries them, and measures the model. */
import { writeWhole } from "../base/atomic.ts";
import { SageError } from "../base/errors.ts";
import { chunksOf, type Fs } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { encode } from "../base/utf8.ts";
import { aheadOfRows } from "./calibration/ahead_rows.ts";
import { FOREIGN_QUESTIONS, understoodBy } from "./calibration/languages.ts";
import { CALIBRATION_ROWS, type CalibrationRow } from "./calibration/texts.ts";
import {
  CHUNK_CHARACTERS,
  type Embeds,
  fitCalibration,
  longText,
  measureLate,
} from "./calibration/fit.ts";
import {
  type InstalledModel,
  type MadeModel,
  nameByContent,
  onnxFiles,
  type Prefixes,
} from "./pulled/installed.ts";
import { type OnnxModel, openOnnxModel, WEIGHTS_BYTES_MAX } from "./onnx/model.ts";
import { readOnnxPublished } from "./onnx/published.ts";
import type { Paths, Progress } from "./pulled/published_source.ts";

export async function makeOnnx(
  fs: Fs,
  paths: Paths,
  made: string,
  prefixes: Prefixes,
  onProgress: (progress: Progress) => void,
): Promise<MadeModel> {
  const published = readOnnxPublished(fs, paths);
  const { size = 0 } = fs.lstat(paths.weights) ?? {};
  if (size > WEIGHTS_BYTES_MAX) {
    throw new SageError("invalid_model", `The model has ${Math.round(size / 1e6)} MB`, {
      hint: `${Math.round(WEIGHTS_BYTES_MAX / 1e6)} MB is the most that its runtime takes`,
    });
  }
  copy(fs, paths.weights, made, (share) => onProgress({ step: "convert", share }));
  const weights = nameByContent(fs, made, "onnx");
  writeWhole(fs, made, [encode(published.tokenizer)], { mode: 0o600 });
  const tokenizer = nameByContent(fs, made, "json");
  onProgress({ step: "measure", share: 0 });
  const folder = dirname(made);
  const model = await openOnnxModel(fs, {
    ...published,
    path: join(folder, weights.name),
    weights,
    tokenizerPath: join(folder, tokenizer.name),
    tokenizer,
  });
  try {
    const measured = await measure(model, prefixes);
    const { tokensMax, pooling } = published;
    return { weights, tokensMax, onnx: { tokenizer, pooling }, ...measured };
  } finally {
    await model.close();
  }
}

async function measure(model: OnnxModel, { queryPrefix, documentPrefix }: Prefixes) {
  const first = await model.embed("A text", documentPrefix);
  if (first === undefined) throw new SageError("invalid_model", "The model sees no text");
  const prefixes = { queryPrefix, documentPrefix };
  const embeds = await rowsOf(model, prefixes, CALIBRATION_ROWS, FOREIGN_QUESTIONS);
  const { knots: calibration, found } = fitCalibration(embeds);
  return {
    ...{ dimensions: first.length, calibration, found, ...understoodBy(embeds) },
    textMs: await measureOnnx(model),
  };
}

/** Milliseconds for one text of a chunk's length. */
export function measureOnnx(model: OnnxModel): Promise<number> {
  const text = longText(CHUNK_CHARACTERS);
  return measureLate(() => model.embed(text, ""));
}

/** Embeds these rows, and further questions, with an installed model. */
export async function onnxRows(
  fs: Fs,
  modelsDir: string,
  facts: InstalledModel,
  rows: readonly CalibrationRow[],
  further?: readonly string[],
): Promise<Embeds> {
  const model = await openOnnxModel(fs, onnxFiles(modelsDir, facts));
  try {
    return await rowsOf(model, facts, rows, further);
  } finally {
    await model.close();
  }
}

function rowsOf(
  model: OnnxModel,
  { queryPrefix, documentPrefix }: Prefixes,
  rows: readonly CalibrationRow[],
  further?: readonly string[],
): Promise<Embeds> {
  return aheadOfRows(
    rows,
    (texts) => embedAll(model, texts, queryPrefix),
    (texts) => embedAll(model, texts, documentPrefix),
    further,
  );
}

/** One after the other, because the runtime cannot run two at once. */
async function embedAll(
  model: OnnxModel,
  texts: readonly string[],
  prefix: string,
): Promise<(Float32Array | undefined)[]> {
  const vectors: (Float32Array | undefined)[] = [];
  for (const text of texts) vectors.push(await model.embed(text, prefix));
  return vectors;
}

function copy(fs: Fs, from: string, to: string, step: (share: number) => void): void {
  using source = fs.open(from, { read: true });
  const { size } = source.info();
  using target = fs.open(to, { write: true, createNew: true, mode: 0o600 });
  let done = 0;
  for (const chunk of chunksOf(source)) {
    target.write(chunk);
    step((done += chunk.length) / size);
  }
  target.sync();
}
