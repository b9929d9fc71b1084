/** A model for the ONNX runtime made ready: its files taken as they are, tried, and measured. */
import { monotonic } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { dirname, encode, type Fs, join } from "../base/fs.ts";
import { aheadOfRows } from "./ahead_rows.ts";
import { CALIBRATION_ROWS, type CalibrationRow } from "./calibration_texts.ts";
import { CHUNK_CHARACTERS, type Embeds, fitCalibration, longText } from "./fit_calibration.ts";
import {
  type InstalledModel,
  type MadeModel,
  nameByContent,
  onnxFiles,
  type Prefixes,
} from "./installed.ts";
import { type OnnxModel, openOnnxModel, WEIGHTS_BYTES_MAX } from "./onnx/model.ts";
import { readOnnxPublished } from "./onnx/published.ts";
import type { Paths, Progress } from "./published_source.ts";

const BUFFER_BYTES = 1024 * 1024;

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
  write(fs, made, encode(published.tokenizer));
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
  const embeds = await rowsOf(model, { queryPrefix, documentPrefix }, CALIBRATION_ROWS);
  const { knots: calibration, found } = fitCalibration(embeds);
  return { dimensions: first.length, calibration, found, textMs: await measureOnnx(model) };
}

/** What one text of a chunk's length costs, in milliseconds. */
export async function measureOnnx(model: OnnxModel): Promise<number> {
  const text = longText(CHUNK_CHARACTERS);
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = monotonic();
    await model.embed(text, "");
    times.push(monotonic() - start);
  }
  return Math.round(Math.min(...times) * 10) / 10;
}

/** These rows as a model that is here embeds them. */
export async function onnxRows(
  fs: Fs,
  modelsDir: string,
  facts: InstalledModel,
  rows: readonly CalibrationRow[],
): Promise<Embeds> {
  const model = await openOnnxModel(fs, onnxFiles(modelsDir, facts));
  try {
    return await rowsOf(model, facts, rows);
  } finally {
    await model.close();
  }
}

function rowsOf(
  model: OnnxModel,
  { queryPrefix, documentPrefix }: Prefixes,
  rows: readonly CalibrationRow[],
): Promise<Embeds> {
  return aheadOfRows(
    rows,
    (texts) => embedAll(model, texts, queryPrefix),
    (texts) => embedAll(model, texts, documentPrefix),
  );
}

/** One after the other: the runtime does not do two at once. */
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
  const source = fs.open(from, { read: true });
  try {
    const { size } = source.info();
    const target = fs.open(to, { write: true, createNew: true, mode: 0o600 });
    try {
      const buffer = new Uint8Array(BUFFER_BYTES);
      let done = 0;
      for (let count = source.read(buffer); count > 0; count = source.read(buffer)) {
        target.write(buffer.subarray(0, count));
        step((done += count) / size);
      }
      target.sync();
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

function write(fs: Fs, path: string, bytes: Uint8Array): void {
  const file = fs.open(path, { write: true, createNew: true, mode: 0o600 });
  try {
    file.write(bytes);
    file.sync();
  } finally {
    file.close();
  }
}
