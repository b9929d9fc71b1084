/** Reads the small files that are published with an ONNX model, and knows which file is the model. */
import type { Fs } from "../../base/fs.ts";
import { poolingOf, readJson, TOKENS_DEFAULT } from "../bert/published.ts";

/** Names of the model's file, the preferred first: a quantized one has a quarter of the size and is quicker. */
export const ONNX_NAMES = [
  "onnx/model_quantized.onnx",
  "onnx/model_int8.onnx",
  "onnx/model.onnx",
  "model_quantized.onnx",
  "model.onnx",
];

export interface OnnxPublished {
  readonly pooling: "mean" | "cls";
  readonly tokensMax: number;
  /** `{"tokenizer": …, "config": …}`. */
  readonly tokenizer: string;
}

/** Paths of the fetched files; optional ones are undefined if the model has none. */
export interface OnnxPaths {
  readonly config: string;
  readonly tokenizer: string;
  readonly tokenizerConfig?: string | undefined;
  readonly pooling?: string | undefined;
  readonly sentence?: string | undefined;
}

export function readOnnxPublished(fs: Fs, paths: OnnxPaths): OnnxPublished {
  const read = (path: string | undefined, name: string) => readJson(fs, path, name);
  const config = read(paths.config, "config.json");
  const tokenizerConfig = read(paths.tokenizerConfig, "tokenizer_config.json");
  const sentence = read(paths.sentence, "sentence_bert_config.json");
  const limits = [
    sentence.max_seq_length,
    tokenizerConfig.model_max_length,
    config.max_position_embeddings,
    TOKENS_DEFAULT,
  ].filter((limit) => typeof limit === "number" && limit > 2);
  return {
    pooling: poolingOf(read(paths.pooling, "1_Pooling/config.json")),
    tokensMax: Math.min(...limits.map(Number)),
    tokenizer: JSON.stringify({
      tokenizer: read(paths.tokenizer, "tokenizer.json"),
      config: tokenizerConfig,
    }),
  };
}
