/**
 * Where a model's published files come from: a revision on the hub, or a folder. Says which are needed,
 * has them fetched in an order that finds out early what cannot be used, and what each of them is.
 */
import { SageError } from "../base/errors.ts";
import { freeBytes, type Fs, join } from "../base/fs.ts";
import { hashing } from "../base/hash.ts";
import { type PublishedFiles, readPublished } from "./bert/published.ts";
import { download, type HubFile, type HubRevision } from "./hub.ts";
import type { PublishedFile } from "./installed.ts";

export interface HubAddress {
  readonly hub: string;
  readonly repository: string;
  readonly revision: string;
  readonly weightsSha256?: string | undefined;
}

export interface Fetched {
  readonly paths: PublishedFiles;
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

/** The files of a folder, where they lie. */
export function folderFiles(fs: Fs, folder: string): Fetched {
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
  return { paths: paths as unknown as PublishedFiles, files, source: folder, revision: "" };
}

/** The files of a revision, each verified; what was fetched before is in `work` and not fetched again. */
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
  const wanted = Object.entries({ ...OPTIONAL, ...NEEDED }).flatMap(([part, name]) => {
    const file = published.find((one) => one.name === name);
    if (file !== undefined) return [{ part, file }];
    if (part in NEEDED) throw missing(name, `"${repository}"`);
    return [];
  });
  const weights = wanted.find(({ part }) => part === "weights")?.file;
  if (weightsSha256 !== undefined && weights?.sha256 !== weightsSha256) {
    throw new SageError("refused", `The hub offers other weights for "${repository}" than known`, {
      hint: `sage model pull ${repository}@main takes what is there today, whatever it is`,
    });
  }
  const total = wanted.reduce((sum, { file }) => sum + file.size, 0);
  checkRoom(fs, work, wanted.map(({ file }) => file));
  const paths: Record<string, string> = {};
  const files: PublishedFile[] = [];
  let done = 0;
  for (const { part, file } of wanted) {
    // The weights come last, and only where the other files are of a model that can be used.
    if (part === "weights") readPublished(fs, paths as unknown as PublishedFiles);
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
