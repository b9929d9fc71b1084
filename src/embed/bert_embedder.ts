/**
 * A pulled BERT model as an embedder. Its file is opened at the first text. A damaged file is never used:
 * then questions are answered by words alone, and embedding notes fails, so that no wrong vector gets into
 * an index.
 */
import { SageError } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { BertModel } from "./bert/model.ts";
import { calibrate, meaningBy } from "./calibration/calibration.ts";
import type { Embedder } from "./embedder.ts";
import { createHolder, type Holder } from "./model_holder.ts";
import { readingOf } from "./reading.ts";
import { type InstalledModel, modelId, readInstalled } from "./pulled/installed.ts";

export interface BertEmbedder extends Embedder {
  readonly facts: InstalledModel;
  /** The converted file. */
  readonly path: string;
  readonly textMs: number;
  close(): void;
}

/** Keeps an open model, its weights in memory, for all embedders of one process while its file is the same. */
export type ModelHolder = Holder<BertModel>;

export function holdModel(): ModelHolder {
  return createHolder((model) => model.close());
}

/**
 * The model of this name. Close it; a model in the `holder` stays open. Throws `not_found` or
 * `invalid_model`; `warn` is told once of damage that is found later.
 */
export function openBertEmbedder(
  fs: Fs,
  modelsDir: string,
  name: string,
  warn: (warning: string) => void,
  holder?: ModelHolder,
): BertEmbedder {
  const facts = readInstalled(fs, modelsDir, name);
  const path = join(modelsDir, name, facts.weights.name);
  if (fs.lstat(path)?.kind !== "file") {
    throw new SageError("invalid_model", `Model "${name}" has lost its weights`, {
      hint: `sage model pull ${name} brings them back`,
    });
  }
  // Lazy, because many processes never embed anything.
  let opened: BertModel | undefined;
  const model = (): BertModel => {
    const open = (): BertModel => new BertModel(fs, path);
    const model = holder?.lend(stateOf(fs, path), open) ?? (opened ??= open());
    if (model.shape.width === facts.dimensions) return model;
    throw new SageError("invalid_model", `Model "${name}" is not the one that was pulled`);
  };
  let isDamaged = false;
  const noteDamage = (error: unknown): void => {
    if (!(error instanceof SageError) || error.code !== "invalid_model") throw error;
    holder?.drop();
    if (!isDamaged) warn(`${error.message}; words alone decide (sage model pull ${name})`);
    isDamaged = true;
  };
  return {
    facts,
    path,
    id: modelId(facts),
    dimensions: facts.dimensions,
    textMs: facts.textMs,
    ...readingOf(facts.languages),
    embedQuery(text) {
      if (isDamaged) return undefined;
      try {
        return model().embed(text, facts.queryPrefix);
      } catch (error) {
        noteDamage(error);
        return undefined;
      }
    },
    embedDocuments(texts) {
      try {
        return texts.map((text) => model().embed(text, facts.documentPrefix));
      } catch (error) {
        noteDamage(error);
        throw error;
      }
    },
    calibrate: (cosine) => calibrate(facts.calibration, cosine),
    meaning: (cosine) => meaningBy(facts.calibration, cosine),
    close() {
      opened?.close();
      opened = undefined;
    },
  };
}

/** Identifies a file's content without reading it. */
function stateOf(fs: Fs, path: string): string {
  const { size, mtimeMs, inode } = fs.lstat(path) ?? {};
  return `${path} ${size} ${mtimeMs} ${inode}`;
}
