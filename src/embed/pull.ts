/**
 * A published model, from the hub or from a folder, becomes one that Sage can use: fetched, verified,
 * converted, measured, and only then named by model.json. Until that moment, and after any failure,
 * the model that was there before works on.
 */
import { rfc3339 } from "../base/clock.ts";
import { SageError, systemError } from "../base/errors.ts";
import { encode, freeBytes, type Fs, join } from "../base/fs.ts";
import { hashing, randomHex } from "../base/hash.ts";
import { convert } from "./bert/convert.ts";
import { BertModel } from "./bert/model.ts";
import { type PublishedFiles, readPrompts } from "./bert/published.ts";
import { fitCalibration } from "./fit_calibration.ts";
import { download, type HubFile, listRevision } from "./hub.ts";
import {
  FACTS_NAME,
  type InstalledModel,
  isModelName,
  type PublishedFile,
  readInstalled,
  renderFacts,
} from "./installed.ts";

export interface Pull {
  readonly fs: Fs;
  readonly modelsDir: string;
  readonly name: string;
  readonly from:
    | { readonly folder: string }
    | {
      readonly hub: string;
      readonly repository: string;
      readonly revision: string;
      readonly weightsSha256?: string | undefined;
    };
  /** Undefined: as the model itself says, if it does. */
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  now(): number;
  onProgress(progress: Progress): void;
}

export interface Progress {
  readonly step: "fetch" | "convert" | "measure";
  /** 0..1 of the step. */
  readonly share: number;
  readonly bytes?: number;
}

/** In the model's folder: what is fetched, until the model is whole. */
const WORK_FOLDER = ".pull";
const NEEDED: Readonly<Record<"config" | "tokenizer" | "weights", string>> = {
  config: "config.json",
  tokenizer: "tokenizer.json",
  weights: "model.safetensors",
};
const OPTIONAL: Readonly<Record<"pooling" | "prompts" | "sentence", string>> = {
  pooling: "1_Pooling/config.json",
  prompts: "config_sentence_transformers.json",
  sentence: "sentence_bert_config.json",
};
/** A further layer behind the pooling, which is not computed here. */
const DENSE = /^\d+_Dense\//;
const BUFFER_BYTES = 1024 * 1024;

interface Fetched {
  readonly paths: PublishedFiles;
  readonly files: readonly PublishedFile[];
  readonly source: string;
  readonly revision: string;
}

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
    const fetched = "folder" in pull.from
      ? fromFolder(pull, pull.from.folder)
      : await fromHub(pull, pull.from, work);
    if ("weights" in fetched) return fetched;
    const facts = finish(pull, folder, work, fetched);
    sweep(fs, folder, facts.weights.name);
    return facts;
  } catch (error) {
    // What cannot be used will not be of use later.
    if (error instanceof SageError && error.code === "invalid_model") clear(fs, work);
    throw error;
  } finally {
    lock.close();
    removeEmpty(fs, folder, work);
  }
}

/** Two processes that fetch one model would write into each other's files. */
function lockPull(fs: Fs, work: string, name: string) {
  const lock = fs.open(join(work, "lock"), { read: true, write: true, create: true, mode: 0o600 });
  if (lock.tryLock(true)) return lock;
  lock.close();
  throw new SageError("locked", `Model "${name}" is being pulled by another process`, {
    hint: "wait for it",
  });
}

function fromFolder({ fs, onProgress }: Pull, folder: string): Fetched {
  const paths: Record<string, string> = {};
  const files: PublishedFile[] = [];
  for (const [part, name] of Object.entries({ ...NEEDED, ...OPTIONAL })) {
    const path = join(folder, name);
    if (fs.lstat(path) === undefined) {
      if (part in NEEDED) throw missing(name, `the folder "${folder}"`);
      continue;
    }
    paths[part] = fs.realPath(path);
    files.push({ name, ...identify(fs, path) });
  }
  onProgress({ step: "fetch", share: 1 });
  return { paths: paths as unknown as PublishedFiles, files, source: folder, revision: "" };
}

/** The files of the revision, or the model itself where it is here already, whole. */
async function fromHub(
  pull: Pull,
  from: Extract<Pull["from"], { hub: string }>,
  work: string,
): Promise<Fetched | InstalledModel> {
  const { fs, onProgress } = pull;
  const { hub, repository } = from;
  onProgress({ step: "fetch", share: 0 });
  const { commit, files: published } = await listRevision(hub, repository, from.revision);
  const here = findHere(pull, repository, commit);
  if (here !== undefined) return here;
  if (published.some(({ name }) => DENSE.test(name))) {
    throw new SageError("invalid_model", `"${repository}" has a layer that Sage does not compute`);
  }
  const wanted = Object.entries({ ...NEEDED, ...OPTIONAL }).flatMap(([part, name]) => {
    const file = published.find((one) => one.name === name);
    if (file !== undefined) return [{ part, file }];
    if (part in NEEDED) throw missing(name, `"${repository}"`);
    return [];
  });
  const weights = wanted.find(({ part }) => part === "weights")?.file;
  if (from.weightsSha256 !== undefined && weights?.sha256 !== from.weightsSha256) {
    throw new SageError("refused", `The hub offers other weights for "${repository}" than known`, {
      hint: `sage model pull ${repository}@main takes what is there today, unseen by us`,
    });
  }
  const total = wanted.reduce((sum, { file }) => sum + file.size, 0);
  checkRoom(fs, work, wanted.map(({ file }) => file));
  const paths: Record<string, string> = {};
  const files: PublishedFile[] = [];
  let done = 0;
  // The small ones first: what cannot be used is refused before the large one is fetched.
  for (const { part, file } of wanted.sort((a, b) => a.file.size - b.file.size)) {
    const target = join(work, localName(file));
    paths[part] = target;
    const onBytes = (bytes: number): void =>
      onProgress({ step: "fetch", share: (done + bytes) / total, bytes: done + bytes });
    const sha256 = await download({ fs, hub, repository, commit, file, target, onBytes });
    files.push({ name: file.name, size: file.size, sha256 });
    onBytes(file.size);
    done += file.size;
  }
  return {
    paths: paths as unknown as PublishedFiles,
    files: files.sort((a, b) => a.name < b.name ? -1 : 1),
    source: repository,
    revision: commit,
  };
}

function findHere(
  { fs, modelsDir, name, queryPrefix, documentPrefix }: Pull,
  source: string,
  revision: string,
): InstalledModel | undefined {
  try {
    const facts = readInstalled(fs, modelsDir, name);
    const { weights } = facts;
    const isIt = facts.source === source && facts.revision === revision &&
      (queryPrefix ?? facts.queryPrefix) === facts.queryPrefix &&
      (documentPrefix ?? facts.documentPrefix) === facts.documentPrefix &&
      identify(fs, join(modelsDir, name, weights.name)).sha256 === weights.sha256;
    return isIt ? facts : undefined;
  } catch {
    // Not here, or not whole: that is what pulling is for.
    return undefined;
  }
}

/** By content, so that what is left of another revision is never gone on with. */
function localName({ sha256, gitBlob, name }: HubFile): string {
  return `${(sha256 ?? gitBlob ?? "").slice(0, 40)}-${name.replaceAll("/", "_")}`;
}

/** What is to come, and the converted file: half of the weights at most. */
function checkRoom(fs: Fs, work: string, files: readonly HubFile[]): void {
  const largest = Math.max(...files.map(({ size }) => size));
  const wanted = files.reduce((sum, file) => {
    const path = join(work, localName(file));
    const have = fs.lstat(path)?.size ?? fs.lstat(`${path}.part`)?.size ?? 0;
    return sum + Math.max(0, file.size - have);
  }, largest / 2);
  const free = freeBytes(work);
  if (free === undefined || free > wanted) return;
  const [need, have] = [wanted, free].map((bytes) => Math.ceil(bytes / 1e6));
  throw new SageError("disk_full", `The model needs ${need} MB, the disk has ${have} MB left`, {
    hint: "free some space, then repeat",
  });
}

/** Converted, measured, named. */
function finish(pull: Pull, folder: string, work: string, fetched: Fetched): InstalledModel {
  const { fs, name, onProgress } = pull;
  const made = join(work, `${randomHex(8)}.bin`);
  try {
    onProgress({ step: "convert", share: 0 });
    const prompts = readPrompts(fs, fetched.paths.prompts);
    const queryPrefix = pull.queryPrefix ?? prompts.query;
    const documentPrefix = pull.documentPrefix ?? prompts.document;
    const shape = convert(fs, fetched.paths, made, (share) => {
      onProgress({ step: "convert", share });
    });
    const identity = identify(fs, made);
    onProgress({ step: "measure", share: 0 });
    const model = new BertModel(fs, made);
    const fit = fitCalibration({
      embedQuery: (text) => model.embed(text, queryPrefix),
      embedDocuments: (texts) => texts.map((text) => model.embed(text, documentPrefix)),
    });
    model.close();
    const weights = { name: `${identity.sha256.slice(0, 16)}.bin`, ...identity };
    const facts: InstalledModel = {
      name,
      source: fetched.source,
      revision: fetched.revision,
      files: fetched.files,
      weights,
      dimensions: shape.width,
      tokensMax: shape.tokensMax,
      queryPrefix,
      documentPrefix,
      calibration: fit.knots,
      textMs: fit.textMs,
      pulled: rfc3339(pull.now()),
    };
    fs.rename(made, join(folder, weights.name));
    writeFacts(fs, folder, facts);
    return facts;
  } catch (error) {
    throw systemError(error, `make the model "${name}"`);
  } finally {
    if (fs.lstat(made) !== undefined) fs.unlink(made);
  }
}

function writeFacts(fs: Fs, folder: string, facts: InstalledModel): void {
  const temporary = join(folder, `.${FACTS_NAME}.${randomHex(6)}.tmp`);
  const file = fs.open(temporary, { write: true, createNew: true, mode: 0o600 });
  try {
    file.write(encode(renderFacts(facts)));
    file.sync();
  } finally {
    file.close();
  }
  fs.rename(temporary, join(folder, FACTS_NAME));
  fs.syncDir(folder);
}

/** The model is whole: what it was made from and what it replaces may go. */
function sweep(fs: Fs, folder: string, weights: string): void {
  for (const { name, kind } of fs.list(folder)) {
    if (kind === "file" && name !== weights && name !== FACTS_NAME) fs.unlink(join(folder, name));
  }
  clear(fs, join(folder, WORK_FOLDER));
}

function clear(fs: Fs, work: string): void {
  for (const { name, kind } of fs.list(work)) {
    if (kind === "file" && name !== "lock") fs.unlink(join(work, name));
  }
}

/** Leaves no trace of a pull that fetched nothing, or ended well. */
function removeEmpty(fs: Fs, folder: string, work: string): void {
  try {
    if (fs.list(work).every(({ name }) => name === "lock")) {
      fs.unlink(join(work, "lock"));
      fs.removeDir(work);
      if (fs.list(folder).length === 0) fs.removeDir(folder);
    }
  } catch {
    // Another process has begun to pull.
  }
}

/** Size and SHA-256 of a file. */
export function identify(fs: Fs, path: string): { size: number; sha256: string } {
  const hash = hashing();
  const file = fs.open(path, { read: true });
  try {
    const buffer = new Uint8Array(BUFFER_BYTES);
    let size = 0;
    for (let count = file.read(buffer); count > 0; count = file.read(buffer)) {
      hash.update(buffer.subarray(0, count));
      size += count;
    }
    return { size, sha256: hash.hex() };
  } finally {
    file.close();
  }
}

function missing(name: string, where: string): SageError {
  return new SageError("invalid_model", `There is no ${name} in ${where}`, {
    hint: "Sage takes BERT models that are published as safetensors with a tokenizer.json",
  });
}
