/**
 * A model of any architecture that is published as ONNX: tokenizer and graph are as published, pooling is
 * done here. Opening takes a third of a second or more, and running is slow, so hooks never use one.
 */
import { assert, SageError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { decode } from "../../base/utf8.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { OnnxFiles, PublishedFile } from "../pulled/installed.ts";
import { type OnnxOutput, type OnnxSession, openSession } from "./runtime.ts";
import { type Encode, openTokenizer } from "./tokenizer.ts";

export interface OnnxModel {
  /** The unit vector of prefix and text; undefined if they have no token. */
  embed(text: string, prefix: string): Promise<Float32Array | undefined>;
  close(): Promise<void>;
}

/** The runtime has 4 GB for weights, its copies of them, and activations. */
export const WEIGHTS_BYTES_MAX = 1024 * 1024 * 1024;
const TOKENIZER_BYTES_MAX = 64 * 1024 * 1024;
/** Text beyond this many characters a token is cut off before tokenizing: no text has so long tokens. */
const TOKEN_CHARACTERS_MAX = 32;
const INPUTS = ["input_ids", "attention_mask", "token_type_ids"];

/** Reads tokenizer and weights whole and checks their SHA-256. Throws `invalid_model`. */
export async function openOnnxModel(fs: Fs, files: OnnxFiles): Promise<OnnxModel> {
  const tokenizer = readWhole(fs, files.tokenizerPath, files.tokenizer, TOKENIZER_BYTES_MAX);
  const encode = await openTokenizer(decode(tokenizer), files.tokensMax);
  const weights = readWhole(fs, files.path, files.weights, WEIGHTS_BYTES_MAX);
  const session = await openSession(weights);
  const unknown = session.inputs.filter((name) => !INPUTS.includes(name));
  if (unknown.length > 0 || !session.inputs.includes("input_ids")) {
    throw new SageError("invalid_model", `The model wants more than a text: ${unknown.join(", ")}`);
  }
  return {
    embed: (text, prefix) => embed(session, encode, files, prefix + text),
    close: () => session.close(),
  };
}

async function embed(
  session: OnnxSession,
  encode: Encode,
  { pooling, tokensMax }: OnnxFiles,
  text: string,
): Promise<Float32Array | undefined> {
  const { ids, marks } = encode(text.slice(0, tokensMax * TOKEN_CHARACTERS_MAX).toWellFormed());
  if (ids.length <= marks) return undefined;
  const all: Record<string, BigInt64Array> = {
    input_ids: BigInt64Array.from(ids, BigInt),
    attention_mask: new BigInt64Array(ids.length).fill(1n),
    token_type_ids: new BigInt64Array(ids.length),
  };
  const feeds = Object.fromEntries(
    Object.entries(all).filter(([name]) => session.inputs.includes(name)),
  );
  const answers = await session.run(feeds);
  const sentence = answers.sentence_embedding;
  if (sentence !== undefined) return unit(sentence.values.slice());
  const name = session.outputs.find((one) => answers[one]?.dims.length === 3) ?? "";
  const tokens = answers[name];
  if (tokens === undefined) throw new SageError("invalid_model", "The model gives no vectors");
  return unit(pool(tokens, pooling));
}

/** Pools an output of shape (1, tokens, width). The mean is left a sum, because it is normalised next. */
function pool({ dims, values }: OnnxOutput, pooling: OnnxFiles["pooling"]): Float32Array {
  const [, tokens = 0, width = 0] = dims;
  assert(values.length === tokens * width, "a model answers one text");
  if (pooling === "cls") return values.slice(0, width);
  const sum = new Float32Array(width);
  for (let at = 0; at < values.length; at++) {
    sum[at % width] = (sum[at % width] ?? 0) + (values[at] ?? 0);
  }
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && length < Infinity)) {
    throw new SageError("invalid_model", "The model's vectors are no directions");
  }
  return vector.map((value) => value / length);
}

function readWhole(fs: Fs, path: string, { size, sha256 }: PublishedFile, bytesMax: number) {
  const bytes = size > bytesMax || fs.lstat(path)?.size !== size
    ? undefined
    : readBytes(fs, path, bytesMax);
  if (bytes !== undefined && sha256Hex(bytes) === sha256) return bytes;
  throw new SageError("invalid_model", `"${path}" is not what was pulled`);
}
