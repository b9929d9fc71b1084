/**
 * A pulled model in `models/<name>/`: the converted weights, and `model.json`, which describes and names
 * them and is written last, so that a model is either complete or absent.
 */
import { writeWhole } from "../../base/atomic.ts";
import { assert, SageError } from "../../base/errors.ts";
import { chunksOf, type Fs, listIfDir, readBytes } from "../../base/fs.ts";
import { dirname, join } from "../../base/path.ts";
import { decode, encode } from "../../base/utf8.ts";
import { hashing, isSha256 } from "../../base/hash.ts";
import { areKnotsIncreasing } from "../calibration/calibration.ts";
import { BUILT_IN } from "../embedder.ts";
import { pullOf } from "./known_models.ts";

/** The facts of model.json; keys there are in snake_case. */
export interface InstalledModel {
  readonly name: string;
  /** `owner/name`, or the folder that it was taken from. */
  readonly source: string;
  /** The commit; empty for a folder. */
  readonly revision: string;
  /** What was downloaded. */
  readonly files: readonly PublishedFile[];
  /** The file beside model.json, and what it must be. */
  readonly weights: PublishedFile;
  readonly dimensions: number;
  readonly tokensMax: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** (cosine, share), both rising: see calibration.ts. */
  readonly calibration: readonly (readonly [number, number])[];
  readonly calibratedBy: CalibratedBy;
  /** How many questions of the calibration texts found their own note first; undefined for older pulls. */
  readonly found?: number;
  /** What it understands besides English (calibration/languages.ts); undefined for older pulls. */
  readonly languages?: readonly string[];
  /** Milliseconds for one text of a chunk's length on this machine. */
  readonly textMs: number;
  /** RFC 3339. */
  readonly pulled: string;
  /** Set for a model that the ONNX runtime computes; others are computed by Sage's own encoder. */
  readonly onnx?: { readonly tokenizer: PublishedFile; readonly pooling: "mean" | "cls" };
}

export interface PublishedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** What a calibration was fitted to: the calibration texts of Sage, a person's own pairs, or their notes. */
export type CalibratedBy = "pairs" | "own pairs" | "notes";

export const FACTS_NAME = "model.json";
const FACTS_BYTES_MAX = 64 * 1024;
/** A name must be a valid folder name and a word of a command line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

export function isModelName(name: string): boolean {
  return NAME.test(name) && !name.endsWith(".") && name !== BUILT_IN;
}

/** What it takes to open a model with the ONNX runtime; paths are absolute. */
export interface OnnxFiles {
  readonly path: string;
  readonly weights: PublishedFile;
  /** `tokenizer.json` and `tokenizer_config.json` of the model in one file. */
  readonly tokenizerPath: string;
  readonly tokenizer: PublishedFile;
  readonly pooling: "mean" | "cls";
  readonly tokensMax: number;
}

/** The facts that converting and measuring a model yields. */
export type MadeModel = Pick<
  InstalledModel,
  "weights" | "dimensions" | "tokensMax" | "calibration" | "found" | "languages" | "textMs" | "onnx"
>;

export type Prefixes = Pick<InstalledModel, "queryPrefix" | "documentPrefix">;

/** The files beside model.json. */
export function filesOf({ weights, onnx }: InstalledModel): PublishedFile[] {
  return onnx === undefined ? [weights] : [weights, onnx.tokenizer];
}

/** Renames a file, in its folder, to the first digits of its SHA-256. */
export function nameByContent(fs: Fs, path: string, ending: string): PublishedFile {
  const identity = identify(fs, path);
  const name = `${identity.sha256.slice(0, 16)}.${ending}`;
  fs.rename(path, join(dirname(path), name));
  return { name, ...identity };
}

/** Size and SHA-256 of a file. */
export function identify(fs: Fs, path: string): { size: number; sha256: string } {
  const hash = hashing();
  using file = fs.open(path, { read: true });
  let size = 0;
  for (const chunk of chunksOf(file)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.hex() };
}

/** The paths of an ONNX model's files. */
export function onnxFiles(modelsDir: string, facts: InstalledModel): OnnxFiles {
  const { name, weights, onnx, tokensMax } = facts;
  assert(onnx !== undefined, "this model is the ONNX runtime's");
  return {
    path: join(modelsDir, name, weights.name),
    weights,
    tokenizerPath: join(modelsDir, name, onnx.tokenizer.name),
    tokenizer: onnx.tokenizer,
    pooling: onnx.pooling,
    tokensMax,
  };
}

/** An embedder's id, part of an index's identity: other weights are another model. */
export function modelId({ name, weights }: InstalledModel): string {
  return `${name}@${weights.sha256.slice(0, 8)}`;
}

/** The installed name that equals a name regardless of case. */
export function findInstalledName(fs: Fs, modelsDir: string, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return installedNames(fs, modelsDir).find((other) => other.toLowerCase() === wanted);
}

/** Folders that hold a model, whole or not, by name. */
export function installedNames(fs: Fs, modelsDir: string): string[] {
  return listIfDir(fs, modelsDir)
    .filter(({ name, kind }) => kind === "dir" && isModelName(name))
    .filter(({ name }) => fs.lstat(join(modelsDir, name, FACTS_NAME))?.kind === "file")
    .map(({ name }) => name)
    .sort();
}

/** The facts of an installed model. Throws `not_found` or `invalid_model`. */
export function readInstalled(fs: Fs, modelsDir: string, name: string): InstalledModel {
  const path = join(modelsDir, name, FACTS_NAME);
  if (!isModelName(name) || fs.lstat(path)?.kind !== "file") {
    throw new SageError("not_found", `Model "${name}" is not here`, {
      hint: pullOf(name) ?? "sage model list",
    });
  }
  try {
    return parseFacts(decode(readBytes(fs, path, FACTS_BYTES_MAX)), name);
  } catch (cause) {
    throw new SageError("invalid_model", `Cannot read ${path}`, {
      hint: `sage model pull ${name} brings it back`,
      cause,
    });
  }
}

export function writeInstalled(fs: Fs, modelsDir: string, facts: InstalledModel): void {
  replaceFacts(fs, join(modelsDir, facts.name), FACTS_NAME, render(facts));
}

/** Writes a file of facts atomically. */
export function replaceFacts(fs: Fs, folder: string, name: string, text: string): void {
  writeWhole(fs, join(folder, name), [encode(text)], { mode: 0o600 });
  fs.syncDir(folder);
}

function render(facts: InstalledModel): string {
  const { tokensMax, queryPrefix, documentPrefix, textMs, calibratedBy, ...rest } = facts;
  return JSON.stringify(
    {
      format: 1,
      ...rest,
      tokens_max: tokensMax,
      query_prefix: queryPrefix,
      document_prefix: documentPrefix,
      calibrated_by: calibratedBy,
      text_ms: textMs,
    },
    null,
    2,
  ) + "\n";
}

function parseFacts(text: string, name: string): InstalledModel {
  const json = JSON.parse(text);
  const string = (value: unknown): string => {
    if (typeof value !== "string") throw new TypeError("a text is missing");
    return value;
  };
  const number = (value: unknown): number => {
    if (typeof value !== "number" || !(value >= 0)) throw new TypeError("a number is missing");
    return value;
  };
  const file = (value: Record<string, unknown>): PublishedFile => ({
    name: string(value.name),
    size: number(value.size),
    sha256: string(value.sha256),
  });
  if (json.format !== 1 || json.name !== name) throw new TypeError("it is of another model");
  const weights = file(json.weights);
  const onnx = json.onnx === undefined ? undefined : parseOnnx(json.onnx, file);
  const form = onnx === undefined ? /^[0-9a-f]{16}\.bin$/ : /^[0-9a-f]{16}\.onnx$/;
  if (!form.test(weights.name) || !isSha256(weights.sha256)) {
    throw new TypeError("it names no weights");
  }
  const calibration = (json.calibration as [unknown, unknown][]).map(([cosine, share]) =>
    [Number(cosine), number(share)] as const
  );
  if (!areKnotsIncreasing(calibration)) throw new TypeError("its calibration does not rise");
  return {
    name,
    source: string(json.source),
    revision: string(json.revision),
    files: json.files.map(file),
    weights,
    dimensions: number(json.dimensions),
    tokensMax: number(json.tokens_max),
    queryPrefix: string(json.query_prefix),
    documentPrefix: string(json.document_prefix),
    calibration,
    calibratedBy: calibratedBy(json.calibrated_by),
    ...(json.found === undefined ? {} : { found: number(json.found) }),
    ...(json.languages === undefined ? {} : { languages: namesOf(json.languages) }),
    textMs: number(json.text_ms),
    pulled: string(json.pulled),
    ...(onnx === undefined ? {} : { onnx }),
  };
}

/** Parses a list of names. Throws a TypeError for anything else. */
export function namesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new TypeError("a list of names is missing");
}

/** Parses the value. Earlier versions of Sage had only pairs. */
export function calibratedBy(value: unknown): CalibratedBy {
  return value === "own pairs" || value === "notes" ? value : "pairs";
}

function parseOnnx(
  json: Record<string, unknown>,
  file: (value: Record<string, unknown>) => PublishedFile,
): NonNullable<InstalledModel["onnx"]> {
  const tokenizer = file(json.tokenizer as Record<string, unknown>);
  if (!/^[0-9a-f]{16}\.json$/.test(tokenizer.name)) throw new TypeError("it names no tokenizer");
  if (json.pooling !== "mean" && json.pooling !== "cls") throw new TypeError("it does not pool");
  return { tokenizer, pooling: json.pooling };
}
