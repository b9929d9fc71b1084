/**
 * A BERT that means something, where no trained weights are at hand: its token vectors are the built-in
 * model's, for the words of the bench's sets, and its one layer passes them on. What it answers differs
 * from the built-in model's answers by the way that a pulled model goes, and by nothing else.
 *
 *   deno run -A bench/models/word_bert.ts <folder> [<constant>]
 *
 * A constant (0.35 say) is a direction that all vectors share: it pushes all cosines up, as in e5.
 */
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { dot } from "../../src/base/dot.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { bertFiles, type ModelSize } from "../../tests/support/bert_model.ts";
import { worlds } from "../retrieval/sets.ts";

/** The built-in model's dimensions, and as many more as the encoder's form wants. */
const MEANING = 256;
const WIDTH = 272;
const CONSTANT_AT = 260;
const MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
/** Whose length all others are measured by. */
const UNIT_WORD = "memory";

const [folder = "", constant = "0"] = Deno.args;
if (folder === "") throw new Error("a folder is wanted");
const embedder = openStaticEmbedder();
const unit = embed(UNIT_WORD) ?? new Float32Array(MEANING);
const words = [...await wordsOfSets()];
const vectors = words.map(vectorOf);
embedder.close();
await write(filesOf(words, vectors, Number(constant)));

async function wordsOfSets(): Promise<Set<string>> {
  const texts = CALIBRATION_ROWS.flatMap(({ note, question, edited }) => [note, question, edited]);
  for (const { notes, questions, prompts } of await worlds()) {
    texts.push(...[...questions, ...prompts].map(({ query }) => query));
    texts.push(...notes.flatMap((note) => note.chunks.map((one) => `${one.heading} ${one.text}`)));
  }
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []));
}

function embed(text: string): Float32Array | undefined {
  return embedder.embedQuery(text);
}

/** With the length that it has in a sum, taken from its sum with the unit word. */
function vectorOf(word: string): Float32Array {
  const [own, both] = [embed(word), embed(`${word} ${UNIT_WORD}`)];
  if (own === undefined || both === undefined) return new Float32Array(MEANING);
  const ratio = dot(both, own) / dot(both, unit);
  const shared = dot(own, unit);
  const length = word === UNIT_WORD ? 1 : (ratio - shared) / (1 - ratio * shared);
  return own.map((value) => (length > 0 && isFinite(length) ? length : 0) * value);
}

function filesOf(
  words: readonly string[],
  vectors: readonly Float32Array[],
  constant: number,
): Map<string, Uint8Array> {
  const tokens = MARKS.length + words.length;
  const size: ModelSize = { width: WIDTH, layers: 1, heads: 2, inner: 288, tokens, positions: 512 };
  const files = bertFiles(size);
  const tokenizer = JSON.parse(new TextDecoder().decode(files.get("tokenizer.json")));
  tokenizer.model.vocab = Object.fromEntries([...MARKS, ...words].map((piece, id) => [piece, id]));
  files.set("tokenizer.json", new TextEncoder().encode(JSON.stringify(tokenizer)));
  const weights = files.get("model.safetensors") ?? new Uint8Array();
  const headBytes = Number(new DataView(weights.buffer).getBigUint64(0, true));
  const head = JSON.parse(new TextDecoder().decode(weights.subarray(8, 8 + headBytes)));
  const values = new Float32Array(weights.buffer, 8 + headBytes);
  delete head.__metadata__;
  for (const [name, entry] of Object.entries(head)) {
    const [from = 0, to = 0] = (entry as { data_offsets: number[] }).data_offsets;
    const tensor = values.subarray(from / 4, to / 4).fill(0);
    const isLast = name === "encoder.layer.0.output.LayerNorm.weight";
    if (name === "embeddings.word_embeddings.weight") tensor.set(rows(vectors));
    else if (name.endsWith("LayerNorm.weight")) tensor.fill(1, 0, isLast ? MEANING : WIDTH);
    else if (name === "encoder.layer.0.output.LayerNorm.bias") tensor[CONSTANT_AT] = constant;
  }
  return files;
}

/**
 * Two more numbers bring each row to one mean and one spread, so that the layers' normalisation leaves
 * all of them as they are to each other; the last one takes these numbers away.
 */
function rows(vectors: readonly Float32Array[]): Float32Array {
  const squares = vectors.map((vector) => dot(vector, vector));
  const all = 1 + 1.05 * Math.max(...squares);
  const out = new Float32Array((MARKS.length + vectors.length) * WIDTH);
  const lay = (row: number, vector: Float32Array, square: number): void => {
    const sum = vector.reduce((total, value) => total + value, 0);
    const apart = Math.sqrt(Math.max(0, 2 * (all - square) - sum * sum));
    out.set([...vector, (apart - sum) / 2, (-apart - sum) / 2], row * WIDTH);
  };
  MARKS.forEach((_, row) => lay(row, new Float32Array(MEANING), 0));
  vectors.forEach((vector, i) => lay(MARKS.length + i, vector, squares[i] ?? 0));
  return out;
}

async function write(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of files) {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(path, bytes);
  }
}
