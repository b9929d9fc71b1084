/**
 * Where a model's published files come from: a revision on the hub, or a folder. Decides which files are
 * needed, and fetches the small ones first, so that an unusable model is found out early.
 */
import { SageError } from "../../base/errors.ts";
import { freeBytes, type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { compareText } from "../../base/text/text.ts";
import { type PublishedFiles, readPublished } from "../bert/published.ts";
import { fetchFile, type HubFile, type HubRevision } from "./hub.ts";
import { identify, type PublishedFile } from "./installed.ts";
import { ONNX_NAMES, type OnnxPaths, readOnnxPublished } from "../onnx/published.ts";

export interface HubAddress {
  readonly hub: string;
  readonly repository: string;
  readonly revision: string;
  readonly weightsSha256?: string | undefined;
}

export interface Fetched {
  readonly kind: Kind;
  readonly paths: Paths;
  readonly files: readonly PublishedFile[];
  readonly source: string;
  readonly revision: string;
}

export interface Progress {
  readonly step: "fetch" | "convert" | "measure";
  /** 0..1 of the step. */
  readonly share: number;
  readonly bytes?: number;
}

/** What computes the model: Sage's own encoder or the ONNX runtime. */
type Kind = "bert" | "onnx";
export type Paths = PublishedFiles & OnnxPaths;

const NEEDED: Readonly<Record<"config" | "tokenizer", string>> = {
  config: "config.json",
  tokenizer: "tokenizer.json",
};
const OPTIONAL: Readonly<Record<"pooling" | "prompts" | "sentence" | "tokenizerConfig", string>> = {
  pooling: "1_Pooling/config.json",
  prompts: "config_sentence_transformers.json",
  sentence: "sentence_bert_config.json",
  tokenizerConfig: "tokenizer_config.json",
};
const SAFETENSORS = "model.safetensors";
/** The beginning of the pointer that Git LFS has in place of a file that was not fetched. */
const POINTER = "version https://git-lfs";
const POINTER_BYTES_MAX = 1024;
/** A dense layer behind the pooling, which is not supported. */
const DENSE = /^\d+_Dense\//;

/** The files of a folder, used in place. */
export function folderFiles(fs: Fs, folder: string): Fetched {
  checkFolder(fs, folder);
  const paths: Record<string, string> = {};
  const files: PublishedFile[] = [];
  for (const [part, name] of Object.entries({ ...NEEDED, ...OPTIONAL })) {
    const path = join(folder, name);
    if (fs.lstat(path) === undefined) {
      if (part in NEEDED) throw missing(name, `the folder "${folder}"`);
      continue;
    }
    paths[part] = realFile(fs, path);
    files.push({ name, ...identify(fs, path) });
  }
  const names = [SAFETENSORS, ...ONNX_NAMES].filter((name) => fs.lstat(join(folder, name)));
  const { kind, name } = choose(fs, paths, names, `the folder "${folder}"`);
  paths.weights = realFile(fs, join(folder, name));
  files.push({ name, ...identify(fs, join(folder, name)) });
  return {
    kind,
    paths: paths as unknown as Paths,
    files,
    source: fs.realPath(folder),
    revision: "",
  };
}

function checkFolder(fs: Fs, folder: string): void {
  const kind = fs.lstat(folder)?.kind === "link"
    ? fs.lstat(fs.realPath(folder))?.kind
    : fs.lstat(folder)?.kind;
  if (kind === "dir") return;
  const hint = "a model is a folder with config.json, tokenizer.json and the weights";
  if (kind === undefined) {
    throw new SageError("not_found", `There is no folder "${folder}"`, { hint });
  }
  throw new SageError("invalid_model", `"${folder}" is no folder`, { hint });
}

/** The file behind a link. Throws `invalid_model` for a pointer of Git LFS in its place. */
function realFile(fs: Fs, path: string): string {
  const real = fs.realPath(path);
  if ((fs.lstat(real)?.size ?? 0) <= POINTER_BYTES_MAX) {
    if (decode(readBytes(fs, real, POINTER_BYTES_MAX)).startsWith(POINTER)) {
      throw new SageError(
        "invalid_model",
        `"${path}" is a pointer of Git LFS, not the file itself`,
        { hint: "git lfs pull, in that folder, fetches it" },
      );
    }
  }
  return real;
}

/** Chooses the weights by the small files: for Sage's own encoder if it can compute them, else for ONNX. */
function choose(
  fs: Fs,
  paths: Readonly<Record<string, string>>,
  names: readonly string[],
  where: string,
): { kind: Kind; name: string } {
  const onnx = ONNX_NAMES.find((name) => names.includes(name));
  try {
    // Reads the small files only, and throws if the encoder cannot compute the model.
    if (names.includes(SAFETENSORS)) {
      readPublished(fs, paths as unknown as PublishedFiles);
      return { kind: "bert", name: SAFETENSORS };
    }
  } catch (error) {
    if (onnx === undefined) throw error;
  }
  if (onnx === undefined) throw missing(SAFETENSORS, where);
  readOnnxPublished(fs, paths as unknown as OnnxPaths);
  return { kind: "onnx", name: onnx };
}

/** Fetches and verifies the files of a revision. Files that are in `work` already are not fetched again. */
export async function fetchFiles(
  fs: Fs,
  { hub, repository, weightsSha256 }: HubAddress,
  { commit, files: published }: HubRevision,
  work: string,
  onProgress: (progress: Progress) => void,
): Promise<Fetched> {
  if (published.some(({ name }) => DENSE.test(name))) {
    throw new SageError("invalid_model", `"${repository}" has a layer that Sage does not compute`);
  }
  const find = (name: string): HubFile | undefined => published.find((one) => one.name === name);
  const small = Object.entries({ ...OPTIONAL, ...NEEDED }).flatMap(([part, name]) => {
    const file = find(name);
    if (file !== undefined) return [{ part, file }];
    if (part in NEEDED) throw missing(name, `"${repository}"`);
    return [];
  });
  const mayBe = [SAFETENSORS, ...ONNX_NAMES].flatMap((name) => find(name) ?? []);
  const [weights] = mayBe;
  if (weights === undefined) throw missing(SAFETENSORS, `"${repository}"`);
  if (weightsSha256 !== undefined && weights.sha256 !== weightsSha256) {
    throw new SageError("refused", `The hub offers other weights for "${repository}" than known`, {
      hint: `sage model pull ${repository}@main takes what is there today, whatever it is`,
    });
  }
  const paths: Record<string, string> = {};
  const files: PublishedFile[] = [];
  let [done, total] = [0, sizeOf([...small.map(({ file }) => file), weights])];
  checkRoom(fs, work, [...small.map(({ file }) => file), weights]);
  const take = async (part: string, file: HubFile): Promise<void> => {
    const target = join(work, localName(file));
    paths[part] = target;
    const onBytes = (bytes: number): void =>
      onProgress({ step: "fetch", share: (done + bytes) / total, bytes: done + bytes });
    const sha256 = await fetchFile({ fs, hub, repository, commit, file, target, onBytes });
    files.push({ name: file.name, size: file.size, sha256 });
    onBytes(file.size);
    done += file.size;
  };
  for (const { part, file } of small) await take(part, file);
  // The weights come last, and only if the other files are of a model that can be used.
  const { kind, name } = choose(fs, paths, mayBe.map((file) => file.name), `"${repository}"`);
  const chosen = find(name) ?? weights;
  total = done + chosen.size;
  checkRoom(fs, work, [chosen]);
  await take("weights", chosen);
  return {
    kind,
    paths: paths as unknown as Paths,
    files: files.sort((a, b) => compareText(a.name, b.name)),
    source: repository,
    revision: commit,
  };
}

function sizeOf(files: readonly HubFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Named by content, so that a leftover of another revision is never taken for it. */
function localName({ sha256, gitBlob, name }: HubFile): string {
  return `${(sha256 ?? gitBlob ?? "").slice(0, 40)}-${name.replaceAll("/", "_")}`;
}

/** Throws `disk_full` without room for what is still to be fetched, and half of the weights for conversion. */
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

function missing(name: string, where: string): SageError {
  return new SageError("invalid_model", `There is no ${name} in ${where}`, {
    hint:
      "Sage takes BERT models published as safetensors, and others as onnx/model.onnx, each with a tokenizer.json",
  });
}
