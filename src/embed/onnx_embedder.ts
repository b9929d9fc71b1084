/**
 * A pulled ONNX model as an embedder. Its runtime is asynchronous and callers of an embedder are not, so it
 * is asked ahead, as an embeddings server is.
 */
import { SageError } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import type { Bulk } from "./bulk.ts";
import { calibrate, meaningBy } from "./calibration/calibration.ts";
import type { AheadEmbedder } from "./embedder.ts";
import { createHolder } from "./model_holder.ts";
import { readingOf } from "./reading.ts";
import { type InstalledModel, modelId, type OnnxFiles, onnxFiles } from "./pulled/installed.ts";
import { type OnnxModel, openOnnxModel } from "./onnx/model.ts";

/** Opening the model in each worker costs a second, so less work than this is done in this thread. */
const BULK_MS_MIN = 4000;

export function openOnnxEmbedder(
  fs: Fs,
  modelsDir: string,
  facts: InstalledModel,
  warn: (warning: string) => void,
): AheadEmbedder {
  const files = onnxFiles(modelsDir, facts);
  const mend = `sage model pull ${facts.name}`;
  if (fs.lstat(files.path)?.kind !== "file") {
    throw new SageError("invalid_model", `Model "${facts.name}" has lost its weights`, {
      hint: mend,
    });
  }
  const questions = new Map<string, Float32Array | undefined>();
  /** Kept for further calls of `embedAhead`. */
  let bulk: Bulk | undefined;
  const embed = async (text: string, prefix: string): Promise<Float32Array | undefined> => {
    const model = await lend(fs, files);
    const vector = await model.embed(text, prefix);
    if (vector === undefined || vector.length === facts.dimensions) return vector;
    throw new SageError("invalid_model", `Model "${facts.name}" is not the one that was pulled`);
  };
  return {
    id: modelId(facts),
    dimensions: facts.dimensions,
    textMs: facts.textMs,
    ...readingOf(facts.languages),
    async prepare(texts) {
      try {
        for (const text of texts) {
          if (!questions.has(text)) questions.set(text, await embed(text, facts.queryPrefix));
        }
      } catch (error) {
        if (!(error instanceof SageError)) throw error;
        throw new SageError(error.code, error.message, { hint: mend, cause: error });
      }
    },
    async embedAhead(texts, take) {
      try {
        const left = new Set(texts);
        if (texts.length * facts.textMs >= BULK_MS_MIN) {
          const { openBulk } = await import("./bulk.ts");
          const model = { path: files.path, prefix: facts.documentPrefix, onnx: files };
          bulk ??= openBulk(model, facts.weights.size);
          await bulk.embed(texts, (some, vectors) => {
            take(some, vectors);
            for (const text of some) left.delete(text);
          });
        }
        for (const text of left) take([text], [await embed(text, facts.documentPrefix)]);
      } catch (error) {
        if (!(error instanceof SageError)) throw error;
        warn(`${error.message}; the built-in model serves (${mend})`);
      }
    },
    embedQuery: (text) => questions.get(text),
    embedDocuments(texts) {
      if (texts.length === 0) return [];
      throw new SageError("invalid_model", `Model "${facts.name}" has not embedded this`);
    },
    calibrate: (cosine) => calibrate(facts.calibration, cosine),
    meaning: (cosine) => meaningBy(facts.calibration, cosine),
    close() {
      questions.clear();
      bulk?.close();
      bulk = undefined;
    },
  };
}

/** Of the process: Sage's server opens memory for each call, and opening the model takes a second. */
const holder = createHolder<Promise<OnnxModel>>((model) =>
  void model.then((opened) => opened.close()).catch(() => {})
);

function lend(fs: Fs, files: OnnxFiles): Promise<OnnxModel> {
  const { size, mtimeMs } = fs.lstat(files.path) ?? {};
  const key = `${files.path} ${files.tokenizer.sha256} ${size} ${mtimeMs}`;
  return holder.lend(key, () => {
    const model = openOnnxModel(fs, files);
    // A model that could not be opened is not kept, so that the next call tries again.
    model.catch(() => holder.drop(key));
    return model;
  });
}
