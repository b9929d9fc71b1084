/**
 * A pulled model of another architecture as an embedder. Its runtime answers later and everything else
 * here asks and goes on, so it is asked ahead, as an embeddings server is.
 */
import { SageError } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import { calibrate, meaningBy } from "./calibration.ts";
import type { AheadEmbedder } from "./embedder.ts";
import { type InstalledModel, modelId, onnxFiles } from "./installed.ts";
import { type OnnxModel, openOnnxModel } from "./onnx/model.ts";

/** Starting workers and opening the model in each pays from so many texts. */
const BULK_TEXTS_MIN = 48;

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
  let opened: Promise<OnnxModel> | undefined;
  const embed = async (text: string, prefix: string): Promise<Float32Array | undefined> => {
    const model = await (opened ??= openOnnxModel(fs, files));
    const vector = await model.embed(text, prefix);
    if (vector === undefined || vector.length === facts.dimensions) return vector;
    throw new SageError("invalid_model", `Model "${facts.name}" is not the one that was pulled`);
  };
  return {
    id: modelId(facts),
    dimensions: facts.dimensions,
    textMs: facts.textMs,
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
        if (texts.length >= BULK_TEXTS_MIN) {
          const { openBulk } = await import("./bulk.ts");
          const bulk = openBulk(
            { path: files.path, prefix: facts.documentPrefix, onnx: files },
            facts.weights.size,
          );
          try {
            await bulk.embed(texts, (some, vectors) => {
              take(some, vectors);
              for (const text of some) left.delete(text);
            });
          } finally {
            bulk.close();
          }
        }
        for (const text of left) take([text], [await embed(text, facts.documentPrefix)]);
      } catch (error) {
        if (!(error instanceof SageError)) throw error;
        warn(`${error.message}; what is new is found by its words (${mend})`);
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
      opened?.then((model) => model.close()).catch(() => {});
      opened = undefined;
    },
  };
}
