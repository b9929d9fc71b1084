/**
 * Reads the small files beside a BERT model's weights: its shape, pooling and tokenizer. They come from
 * elsewhere, so each value is checked, and what is not supported is refused by name.
 */
import { SageError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { decodeExact } from "../../base/utf8.ts";
import { type Shape, type Tokenizing, TOKENS_MAX } from "./layout.ts";

/** Paths of the fetched files; optional ones are undefined if the model has none. */
export interface PublishedFiles {
  readonly config: string;
  readonly tokenizer: string;
  readonly weights: string;
  readonly pooling?: string | undefined;
  readonly prompts?: string | undefined;
  readonly sentence?: string | undefined;
}

/** A model's shape and vocabulary, before the vocabulary is laid out. */
export interface Published extends Omit<Shape, "slots" | "stringsBytes"> {
  /** The tokens by id. */
  readonly pieces: readonly string[];
  /** Log probabilities by id, for a unigram vocabulary. */
  readonly scores: Float32Array | undefined;
  /** Rows of the type embedding. */
  readonly types: number;
}

/** A vocabulary of all languages is 17 MB of JSON. */
const JSON_BYTES_MAX = 48 * 1024 * 1024;
/** A prompt is a sentence; a longer one would leave no room for the text. */
const PROMPT_CHARACTERS_MAX = 200;
/** Tokens of a text at most, if a model names no limit: time grows with their square. */
export const TOKENS_DEFAULT = 512;

type Json = Readonly<Record<string, unknown>>;

export function readPublished(fs: Fs, files: PublishedFiles): Published {
  const config = readJson(fs, files.config, "config.json");
  want(config, "model_type", ["bert"]);
  want(config, "hidden_act", ["gelu"]);
  want(config, "position_embedding_type", ["absolute", undefined]);
  const positions = number(config, "max_position_embeddings");
  const sentence = readJson(fs, files.sentence, "sentence_bert_config.json");
  const tokensMax = sentence.max_seq_length ?? Math.min(TOKENS_DEFAULT, positions);
  const pooling = readJson(fs, files.pooling, "1_Pooling/config.json");
  const tokens = number(config, "vocab_size");
  const { pieces, scores, tokenizing } = readTokenizer(fs, files.tokenizer);
  if (pieces.length > tokens) {
    throw refused("tokenizer.json", `it has ${pieces.length} tokens, the model ${tokens}`);
  }
  if (tokens > TOKENS_MAX) throw refused("config.json", `it claims ${tokens} tokens`);
  // Embedding rows that only pad the table to a round number have no text.
  while (pieces.length < tokens) pieces.push("");
  const padded = scores === undefined ? undefined : new Float32Array(tokens);
  padded?.set(scores ?? []);
  return {
    tokens,
    width: number(config, "hidden_size"),
    layers: number(config, "num_hidden_layers"),
    heads: number(config, "num_attention_heads"),
    inner: number(config, "intermediate_size"),
    positions,
    epsilon: number(config, "layer_norm_eps"),
    pooling: poolingOf(pooling),
    tokensMax: Math.min(Number(tokensMax), positions),
    tokenizer: tokenizing,
    pieces,
    scores: padded,
    types: number(config, "type_vocab_size"),
  };
}

/** The prefixes that a model was trained with before queries and documents; empty if it names none. */
export function readPrompts(
  fs: Fs,
  path: string | undefined,
): { readonly query: string; readonly document: string } {
  const prompts = object(readJson(fs, path, "config_sentence_transformers.json").prompts);
  const text = (...names: readonly string[]): string => {
    const value = names.map((name) => prompts[name]).find((prompt) => typeof prompt === "string");
    return String(value ?? "").slice(0, PROMPT_CHARACTERS_MAX);
  };
  return { query: text("query"), document: text("document", "passage") };
}

export function poolingOf(json: Json): "mean" | "cls" {
  const modes = Object.keys(json).filter((key) =>
    key.startsWith("pooling_mode_") && json[key] === true
  );
  const [mode = "pooling_mode_mean_tokens"] = modes;
  if (modes.length > 1) {
    throw refused("1_Pooling/config.json", `it pools by ${modes.join(" and ")}`);
  }
  if (mode === "pooling_mode_mean_tokens") return "mean";
  if (mode === "pooling_mode_cls_token") return "cls";
  throw refused("1_Pooling/config.json", `it pools by ${mode}`);
}

function readTokenizer(fs: Fs, path: string) {
  const json = readJson(fs, path, "tokenizer.json");
  const model = object(json.model);
  const kind = model.type === undefined ? "WordPiece" : model.type;
  const normalizer = object(json.normalizer);
  const marks = marksOf(object(json.post_processor));
  if (kind === "WordPiece") {
    if (normalizer.type !== "BertNormalizer") throw refused("tokenizer.json", "its normalizer");
    const pieces = piecesById(object(model.vocab));
    const unknown = pieces.indexOf(String(model.unk_token ?? "[UNK]"));
    const lowercase = normalizer.lowercase === true;
    const tokenizing: Tokenizing = {
      kind: "wordpiece",
      lowercase,
      stripAccents: (normalizer.strip_accents ?? lowercase) === true,
      unknown,
      ...marks,
    };
    return { pieces, scores: undefined, tokenizing };
  }
  if (kind === "Unigram") {
    const vocabulary = Array.isArray(model.vocab) ? model.vocab : [];
    const pieces = vocabulary.map((entry) => String(entry?.[0] ?? ""));
    const scores = Float32Array.from(vocabulary, (entry) => Number(entry?.[1] ?? 0));
    const unknown = Number(model.unk_id ?? 0);
    const tokenizing: Tokenizing = {
      ...{ kind: "unigram", lowercase: false, stripAccents: false, unknown },
      ...marks,
    };
    return { pieces, scores, tokenizing };
  }
  throw refused("tokenizer.json", `its kind ${kind} is not known`);
}

function piecesById(vocabulary: Json): string[] {
  const entries = Object.entries(vocabulary);
  const pieces = new Array<string>(entries.length).fill("");
  for (const [text, id] of entries) {
    if (!Number.isInteger(id) || Number(id) < 0 || Number(id) >= entries.length) {
      throw refused("tokenizer.json", `its token "${text}" has the number ${id}`);
    }
    pieces[Number(id)] = text;
  }
  return pieces;
}

/** The ids of the special tokens before and after a text. */
function marksOf(processor: Json): { before: number[]; after: number[] } {
  if (processor.type === "BertProcessing" || processor.type === "RobertaProcessing") {
    const id = (value: unknown): number => Number(Array.isArray(value) ? value[1] : NaN);
    return { before: [id(processor.cls)], after: [id(processor.sep)] };
  }
  if (processor.type !== "TemplateProcessing" || !Array.isArray(processor.single)) {
    throw refused("tokenizer.json", "how it marks a text is not known");
  }
  const special = object(processor.special_tokens);
  const marks: { before: number[]; after: number[] } = { before: [], after: [] };
  let side = marks.before;
  for (const entry of processor.single) {
    if (object(entry).Sequence !== undefined) side = marks.after;
    else {
      const name = String(object(object(entry).SpecialToken).id);
      const ids = object(special[name]).ids;
      side.push(...(Array.isArray(ids) ? ids.map(Number) : [NaN]));
    }
  }
  return marks;
}

/** A JSON object; empty for another value or no path. Throws `invalid_model` if it is no JSON. */
export function readJson(fs: Fs, path: string | undefined, name: string): Json {
  if (path === undefined) return {};
  const size = fs.lstat(path)?.size ?? 0;
  if (size > JSON_BYTES_MAX) throw refused(name, `it has ${size} bytes`);
  const text = decodeExact(readBytes(fs, path, JSON_BYTES_MAX));
  try {
    return object(JSON.parse(text ?? ""));
  } catch (cause) {
    throw refused(name, "it is no JSON", cause);
  }
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? value as Json : {};
}

function number(json: Json, key: string): number {
  const value = json[key];
  if (typeof value === "number") return value;
  throw refused("config.json", `"${key}" is missing`);
}

function want(json: Json, key: string, values: readonly unknown[]): void {
  if (values.includes(json[key])) return;
  throw refused("config.json", `"${key}" is ${JSON.stringify(json[key])}, ${values[0]} is known`);
}

function refused(file: string, why: string, cause?: unknown): SageError {
  return new SageError("invalid_model", `Cannot use ${file} of the model: ${why}`, { cause });
}
