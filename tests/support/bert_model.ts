/**
 * A BERT-shaped model as it is published, with random weights: tiny for tests, MiniLM-sized for speed
 * (`deno run -A tests/support/bert_model.ts <folder> [minilm]`). The same seed gives the same bytes.
 */
import { WORDS } from "./bert_words.ts";
import { safetensors } from "./safetensors.ts";

export interface ModelSize {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly inner: number;
  readonly tokens: number;
  readonly positions: number;
}

export const TINY: ModelSize = {
  ...{ width: 32, layers: 2, heads: 4, inner: 64, tokens: 900, positions: 64 },
};
export const MINILM: ModelSize = {
  ...{ width: 384, layers: 6, heads: 12, inner: 1536, tokens: 30_522, positions: 512 },
};

export interface ModelOptions {
  readonly seed?: number;
  readonly pooling?: "mean" | "cls";
  readonly tokenizer?: "wordpiece" | "unigram";
  /** Over some of the settings of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The published files by name, as bytes. */
export function bertFiles(size: ModelSize, options: ModelOptions = {}): Map<string, Uint8Array> {
  const { seed = 1, pooling = "mean", tokenizer = "wordpiece", config = {} } = options;
  const files = new Map<string, unknown>();
  files.set("config.json", {
    ...{ model_type: "bert", hidden_act: "gelu", layer_norm_eps: 1e-12, type_vocab_size: 2 },
    hidden_size: size.width,
    num_hidden_layers: size.layers,
    num_attention_heads: size.heads,
    intermediate_size: size.inner,
    vocab_size: size.tokens,
    max_position_embeddings: size.positions,
    ...config,
  });
  files.set("tokenizer.json", tokenizer === "unigram" ? unigram(size) : wordPiece(size));
  files.set("1_Pooling/config.json", {
    pooling_mode_cls_token: pooling === "cls",
    pooling_mode_mean_tokens: pooling === "mean",
  });
  files.set("sentence_bert_config.json", { max_seq_length: Math.min(256, size.positions) });
  const texts = [...files].map(([name, json]) =>
    [name, new TextEncoder().encode(JSON.stringify(json))] as const
  );
  return new Map([...texts, ["model.safetensors", weights(size, seed)]]);
}

/** Writes them into a folder. */
export function writeBert(folder: string, size: ModelSize, options: ModelOptions = {}): void {
  for (const [name, bytes] of bertFiles(size, options)) {
    const path = `${folder}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(path, bytes);
  }
}

const MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/** Marks, letters, words, then endings: as many as there are rows. */
function pieces(tokens: number): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789.,;:!?()'\"-_/é日本語ß"];
  const all = [
    ...MARKS,
    ...letters,
    ...letters.map((letter) => `##${letter}`),
    ...WORDS,
    ...["s", "ed", "ing", "er", "ly", "tion", "ness", "al"].map((end) => `##${end}`),
  ];
  const unique = [...new Set(all)].slice(0, tokens);
  for (let i = 0; unique.length < tokens; i++) unique.push(`${i % 2 === 0 ? "##" : ""}q${i}z`);
  return unique;
}

function wordPiece({ tokens }: ModelSize) {
  return {
    normalizer: {
      type: "BertNormalizer",
      ...{ clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
      ],
      special_tokens: { "[CLS]": { ids: [2] }, "[SEP]": { ids: [3] } },
    },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces(tokens).map((piece, id) => [piece, id])),
    },
  };
}

function unigram({ tokens }: ModelSize) {
  const vocabulary: [string, number][] = [["<s>", 0], ["<pad>", 0], ["</s>", 0], ["<unk>", 0]];
  for (const piece of pieces(tokens).slice(MARKS.length)) {
    if (vocabulary.length === tokens) break;
    const text = piece.startsWith("##") ? piece.slice(2) : `\u2581${piece}`;
    vocabulary.push([text, -3 - vocabulary.length / 100]);
  }
  return {
    normalizer: { type: "Precompiled" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "<s>", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "</s>", type_id: 0 } },
      ],
      special_tokens: { "<s>": { ids: [0] }, "</s>": { ids: [2] } },
    },
    model: { type: "Unigram", unk_id: 3, vocab: vocabulary },
  };
}

function weights(size: ModelSize, seed: number): Uint8Array {
  const { width, inner, layers, tokens, positions } = size;
  const shapes: [string, number[]][] = [
    ["embeddings.word_embeddings.weight", [tokens, width]],
    ["embeddings.position_embeddings.weight", [positions, width]],
    ["embeddings.token_type_embeddings.weight", [2, width]],
    ["embeddings.LayerNorm.weight", [width]],
    ["embeddings.LayerNorm.bias", [width]],
  ];
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}.`;
    const dense: [string, number, number][] = [
      ["attention.self.query", width, width],
      ["attention.self.key", width, width],
      ["attention.self.value", width, width],
      ["attention.output.dense", width, width],
      ["intermediate.dense", inner, width],
      ["output.dense", width, inner],
    ];
    for (const [name, rows, columns] of dense) {
      shapes.push([`${layer}${name}.weight`, [rows, columns]], [`${layer}${name}.bias`, [rows]]);
    }
    for (const name of ["attention.output.LayerNorm", "output.LayerNorm"]) {
      shapes.push([`${layer}${name}.weight`, [width]], [`${layer}${name}.bias`, [width]]);
    }
  }
  const normal = normals(seed);
  return safetensors(shapes, (values, name, shape) => {
    const draw = drawing(name, shape, normal);
    for (let i = 0; i < values.length; i++) values[i] = draw(i);
  });
}

/** Spread like trained weights, with the few outlier dimensions of every trained model. */
function drawing(name: string, shape: readonly number[], normal: () => number) {
  if (name.endsWith("LayerNorm.weight")) {
    return (i: number): number => (i % 97 === 5 ? 2 : 0.9) + 0.1 * normal();
  }
  if (shape.length === 1) return (): number => 0.05 * normal();
  const spread = name.startsWith("embeddings.") ? 0.05 : 1 / Math.sqrt(shape[1] ?? 1);
  return (): number => spread * normal();
}

/** Sums of four even numbers: near enough to a bell, and quick. */
function normals(seed: number): () => number {
  let state = seed | 0;
  const even = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state >>> 8) & 0xffff) / 0x10000 - 0.5;
  };
  return () => (even() + even() + even() + even()) * Math.sqrt(3);
}

if (import.meta.main) {
  const [folder = "", size] = Deno.args;
  writeBert(folder, size === "minilm" ? MINILM : TINY);
}
