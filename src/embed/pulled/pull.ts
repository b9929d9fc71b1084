/**
 * Installs a published model from the hub or from a folder: fetched, verified, converted, measured, and
 * only then named by model.json. Until then, and after any failure, the model that was there before is
 * used.
 */
import { rfc3339 } from "../../base/clock.ts";
import { assert, SageError, systemError } from "../../base/errors.ts";
import type { FileHandle, Fs } from "../../base/fs.ts";
import { dirname, join } from "../../base/path.ts";
import { randomHex } from "../../base/hash.ts";
import { convert } from "../bert/convert.ts";
import { BertModel } from "../bert/model.ts";
import { readPrompts } from "../bert/published.ts";
import { type Embeds, fitCalibration, measureText } from "../calibration/fit.ts";
import { understoodBy } from "../calibration/languages.ts";
import { isCommit, listRevision } from "./hub.ts";
import {
  FACTS_NAME,
  filesOf,
  identify,
  type InstalledModel,
  isModelName,
  type MadeModel,
  nameByContent,
  type Prefixes,
  readInstalled,
  writeInstalled,
} from "./installed.ts";
import {
  type Fetched,
  fetchFiles,
  folderFiles,
  type HubAddress,
  type Progress,
} from "./published_source.ts";

export interface Pull {
  readonly fs: Fs;
  readonly modelsDir: string;
  readonly name: string;
  readonly from: { readonly folder: string } | HubAddress;
  /** Undefined: the prefix that the model's files name, if any. */
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  now(): number;
  onProgress(progress: Progress): void;
}

/** In the model's folder; has the fetched files until the model is installed. */
export const WORK_FOLDER = ".pull";

export async function pullModel(pull: Pull): Promise<InstalledModel> {
  const { fs, modelsDir, name } = pull;
  if (!isModelName(name)) {
    throw new SageError("usage", `"${name}" is no name for a model`, {
      hint: "letters, digits, dots, dashes and underscores, 80 at most",
    });
  }
  const folder = join(modelsDir, name);
  const work = join(folder, WORK_FOLDER);
  try {
    fs.makeDir(work, 0o700);
  } catch (error) {
    throw systemError(error, `make "${work}"`);
  }
  const lock = lockPull(fs, work, name);
  try {
    const source = await sourceOf(pull, work);
    if ("weights" in source) return source;
    const facts = await finish(pull, folder, work, source);
    sweep(fs, folder, filesOf(facts).map(({ name }) => name));
    return facts;
  } catch (error) {
    // Files of a model that cannot be used are of no use to the next attempt.
    if (error instanceof SageError && error.code === "invalid_model") clear(fs, work);
    throw error;
  } finally {
    removeEmpty(fs, folder, work);
    lock.close();
  }
}

/** The published files; or the model itself, if it is installed already. */
async function sourceOf(pull: Pull, work: string): Promise<Fetched | InstalledModel> {
  const { fs, from, onProgress } = pull;
  if ("folder" in from) return folderFiles(fs, from.folder);
  // For a commit that is installed the hub need not be asked.
  const here = isCommit(from.revision) && findHere(pull, from.repository, from.revision);
  if (here) return here;
  onProgress({ step: "fetch", share: 0 });
  const listed = await listRevision(from.hub, from.repository, from.revision);
  return findHere(pull, from.repository, listed.commit) ??
    await fetchFiles(fs, from, listed, work, onProgress);
}

function findHere(
  { fs, modelsDir, name, queryPrefix, documentPrefix }: Pull,
  source: string,
  revision: string,
): InstalledModel | undefined {
  try {
    const facts = readInstalled(fs, modelsDir, name);
    const isIt = facts.source === source && facts.revision === revision &&
      (queryPrefix ?? facts.queryPrefix) === facts.queryPrefix &&
      (documentPrefix ?? facts.documentPrefix) === facts.documentPrefix &&
      filesOf(facts).every((file) =>
        identify(fs, join(modelsDir, name, file.name)).sha256 === file.sha256
      );
    return isIt ? facts : undefined;
  } catch {
    // Missing or damaged: pull it.
    return undefined;
  }
}

/** Locks a model's folder: two processes that pull one model would write into each other's files. */
export function lockPull(fs: Fs, work: string, name: string): FileHandle {
  const lock = fs.open(join(work, "lock"), { read: true, write: true, create: true, mode: 0o600 });
  // Without links the last holder has removed it meanwhile: then the lock excludes nobody.
  if (lock.tryLock(true) && lock.info().links > 0) return lock;
  lock.close();
  throw new SageError("locked", `Model "${name}" is being pulled by another process`, {
    hint: "wait for it",
  });
}

/** Converts and measures the fetched model, and names it by model.json. */
async function finish(
  pull: Pull,
  folder: string,
  work: string,
  fetched: Fetched,
): Promise<InstalledModel> {
  const { fs, name, onProgress } = pull;
  const made = join(work, randomHex(8));
  try {
    onProgress({ step: "convert", share: 0 });
    const prompts = readPrompts(fs, fetched.paths.prompts);
    const prefixes = {
      queryPrefix: pull.queryPrefix ?? prompts.query,
      documentPrefix: pull.documentPrefix ?? prompts.document,
    };
    const make = fetched.kind === "bert" ? makeBert : (await import("../onnx_install.ts")).makeOnnx;
    const parts = await make(fs, fetched.paths, made, prefixes, onProgress);
    const facts: InstalledModel = {
      name,
      source: fetched.source,
      revision: fetched.revision,
      files: fetched.files,
      ...parts,
      ...prefixes,
      calibratedBy: "pairs",
      pulled: rfc3339(pull.now()),
      ...ownCalibration(pull, { ...parts, ...prefixes }),
    };
    for (const { name, size } of filesOf(facts)) {
      const from = join(work, name);
      assert(fs.lstat(from)?.size === size, "what was made is there");
      fs.rename(from, join(folder, name));
    }
    writeInstalled(fs, pull.modelsDir, facts);
    return facts;
  } catch (error) {
    throw systemError(error, `make the model "${name}"`);
  } finally {
    for (const { name, kind } of fs.list(work)) {
      const isMade = kind === "file" && /^[0-9a-f]{16}(\.\w+)?$/.test(name);
      if (isMade) fs.unlink(join(work, name));
    }
  }
}

/** The calibration that a person fitted to their own pairs, if the same model is pulled again. */
function ownCalibration(
  { fs, modelsDir, name }: Pull,
  { weights, queryPrefix, documentPrefix }: MadeModel & Prefixes,
): Partial<InstalledModel> {
  try {
    const { calibration, calibratedBy, ...before } = readInstalled(fs, modelsDir, name);
    const isSame = before.weights.sha256 === weights.sha256 &&
      before.queryPrefix === queryPrefix && before.documentPrefix === documentPrefix;
    return isSame && calibratedBy === "own pairs" ? { calibration, calibratedBy } : {};
  } catch {
    // Not installed yet, or unreadable.
    return {};
  }
}

/** Converts a model for Sage's own encoder, and measures it. */
function makeBert(
  fs: Fs,
  paths: Fetched["paths"],
  made: string,
  { queryPrefix, documentPrefix }: Prefixes,
  onProgress: Pull["onProgress"],
): MadeModel {
  const shape = convert(fs, paths, made, (share) => onProgress({ step: "convert", share }));
  const weights = nameByContent(fs, made, "bin");
  onProgress({ step: "measure", share: 0 });
  const model = new BertModel(fs, join(dirname(made), weights.name));
  try {
    const embeds: Embeds = {
      embedQuery: (text) => model.embed(text, queryPrefix),
      embedDocuments: (texts) => texts.map((text) => model.embed(text, documentPrefix)),
    };
    const { knots, found } = fitCalibration(embeds);
    return {
      weights,
      dimensions: shape.width,
      tokensMax: shape.tokensMax,
      calibration: knots,
      found,
      ...understoodBy(embeds),
      textMs: measureText(embeds),
    };
  } finally {
    model.close();
  }
}

/** Removes the files that the model was made from or that it replaces. */
function sweep(fs: Fs, folder: string, kept: readonly string[]): void {
  for (const { name, kind } of fs.list(folder)) {
    if (kind === "file" && !kept.includes(name) && name !== FACTS_NAME) {
      fs.unlink(join(folder, name));
    }
  }
  clear(fs, join(folder, WORK_FOLDER));
}

function clear(fs: Fs, work: string): void {
  for (const { name, kind } of fs.list(work)) {
    if (kind === "file" && name !== "lock") fs.unlink(join(work, name));
  }
}

/** Removes the work folder if nothing in it is worth keeping, and what becomes empty. Call it with the lock. */
function removeEmpty(fs: Fs, folder: string, work: string): void {
  try {
    if (fs.list(work).every(({ name }) => name === "lock")) {
      fs.unlink(join(work, "lock"));
      fs.removeDir(work);
      for (const path of [folder, dirname(folder)]) {
        if (fs.list(path).length === 0) fs.removeDir(path);
      }
    }
  } catch {
    // Another process is at its lock just now.
  }
}
