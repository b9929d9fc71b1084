/**
 * The same model as bert_model.ts as an ONNX file: its graph written node by node, its weights the same.
 * `deno run -A tests/support/onnx_model.ts <folder> [minilm]`
 */
import { bertFiles, MINILM, type ModelOptions, type ModelSize, TINY } from "./bert_model.ts";

const FLOAT = 1;
const INT64 = 7;

export interface OnnxOptions extends ModelOptions {
  /** A model whose graph pools by itself, and one that takes no types. */
  readonly output?: "tokens" | "sentence";
  readonly types?: boolean;
}

/** The published files by name: no safetensors, but `onnx/model.onnx`. */
export function onnxFiles(size: ModelSize, options: OnnxOptions = {}): Map<string, Uint8Array> {
  const files = bertFiles(size, options);
  const weights = files.get("model.safetensors") ?? new Uint8Array();
  files.delete("model.safetensors");
  const config = JSON.parse(new TextDecoder().decode(files.get("config.json")));
  const text = JSON.stringify({ ...config, model_type: "unheard-of" });
  files.set("config.json", new TextEncoder().encode(text));
  files.set("onnx/model.onnx", graphOf(size, weights, options));
  return files;
}

export function writeOnnx(folder: string, size: ModelSize, options: OnnxOptions = {}): void {
  for (const [name, bytes] of onnxFiles(size, options)) {
    const path = `${folder}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeFileSync(path, bytes);
  }
}

function graphOf(size: ModelSize, published: Uint8Array, options: OnnxOptions): Uint8Array {
  const { width, heads, layers } = size;
  const { output = "tokens", types = true } = options;
  const nodes: Uint8Array[] = [];
  const constants: Uint8Array[] = [];
  let made = 0;
  const add = (op: string, inputs: readonly string[], attributes: Uint8Array[] = []): string => {
    const name = `v${made++}`;
    nodes.push(message([
      ...inputs.map((input) => text(1, input)),
      text(2, name),
      text(3, name),
      text(4, op),
      ...attributes.map((attribute) => bytes(5, attribute)),
    ]));
    return name;
  };
  const constant = (
    name: string,
    dims: readonly number[],
    type: number,
    raw: Uint8Array,
  ): string => {
    constants.push(message([
      ...dims.map((dim) => number(1, dim)),
      number(2, type),
      text(8, name),
      bytes(9, raw),
    ]));
    return name;
  };
  const shape = (...dims: number[]): string =>
    constant(`c${made++}`, [dims.length], INT64, raw(BigInt64Array.from(dims, BigInt)));
  const scalar = (value: number): string =>
    constant(`c${made++}`, [], FLOAT, raw(Float32Array.of(value)));
  const tensor = tensors(published);
  const vector = (name: string): string => {
    const { values } = tensor(name);
    return constant(name, [values.length], FLOAT, raw(values));
  };
  const table = (name: string): string => {
    const { values, dims } = tensor(name);
    return constant(name, dims, FLOAT, raw(values));
  };
  const dense = (input: string, name: string): string => {
    const { values, dims: [rows = 0, columns = 0] } = tensor(`${name}.weight`);
    const turned = new Float32Array(values.length);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) turned[c * rows + r] = values[r * columns + c] ?? 0;
    }
    const weights = constant(`${name}.weight`, [columns, rows], FLOAT, raw(turned));
    return add("Add", [add("MatMul", [input, weights]), vector(`${name}.bias`)]);
  };
  const norm = (input: string, name: string): string =>
    add("LayerNormalization", [input, vector(`${name}.weight`), vector(`${name}.bias`)], [
      float("epsilon", 1e-12),
      integer("axis", -1),
    ]);
  const split = (input: string): string =>
    add("Transpose", [add("Reshape", [input, shape(0, -1, heads, width / heads)])], [
      integers("perm", [0, 2, 1, 3]),
    ]);

  const length = add("Gather", [add("Shape", ["input_ids"]), constantIndex(constant, 1)]);
  const zero = constant("zero", [], INT64, raw(BigInt64Array.of(0n)));
  const one = constant("one", [], INT64, raw(BigInt64Array.of(1n)));
  const places = add("Range", [zero, length, one]);
  const words = add("Gather", [table("embeddings.word_embeddings.weight"), "input_ids"]);
  const positions = add("Gather", [table("embeddings.position_embeddings.weight"), places]);
  const typeIds = types ? "token_type_ids" : add("Mul", ["input_ids", zero]);
  const kinds = add("Gather", [table("embeddings.token_type_embeddings.weight"), typeIds]);
  let hidden = norm(
    add("Add", [add("Add", [words, positions]), kinds]),
    "embeddings.LayerNorm",
  );
  const shown = add("Cast", ["attention_mask"], [integer("to", FLOAT)]);
  const away = add("Mul", [add("Sub", [shown, scalar(1)]), scalar(1e4)]);
  const mask = add("Reshape", [away, shape(0, 1, 1, -1)]);
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`;
    const [q = "", k = "", v = ""] = ["query", "key", "value"].map((part) =>
      split(dense(hidden, `${layer}.attention.self.${part}`))
    );
    const turned = add("Transpose", [k], [integers("perm", [0, 1, 3, 2])]);
    const scores = add("Mul", [add("MatMul", [q, turned]), scalar(1 / Math.sqrt(width / heads))]);
    const shares = add("Softmax", [add("Add", [scores, mask])], [integer("axis", -1)]);
    const mixed = add("Transpose", [add("MatMul", [shares, v])], [integers("perm", [0, 2, 1, 3])]);
    const joined = add("Reshape", [mixed, shape(0, -1, width)]);
    const attended = dense(joined, `${layer}.attention.output.dense`);
    hidden = norm(add("Add", [attended, hidden]), `${layer}.attention.output.LayerNorm`);
    const inner = dense(hidden, `${layer}.intermediate.dense`);
    const bent = add("Add", [
      add("Erf", [add("Mul", [inner, scalar(Math.SQRT1_2)])]),
      scalar(1),
    ]);
    const gelu = add("Mul", [add("Mul", [inner, bent]), scalar(0.5)]);
    hidden = norm(
      add("Add", [dense(gelu, `${layer}.output.dense`), hidden]),
      `${layer}.output.LayerNorm`,
    );
  }
  const isSentence = output === "sentence";
  const result = isSentence
    ? add("ReduceMean", [hidden], [integers("axes", [1]), integer("keepdims", 0)])
    : hidden;
  const name = isSentence ? "sentence_embedding" : "last_hidden_state";
  nodes.push(message([text(1, result), text(2, name), text(4, "Identity")]));
  const inputs = ["input_ids", "attention_mask", ...(types ? ["token_type_ids"] : [])];
  const graph = message([
    ...nodes.map((node) => bytes(1, node)),
    text(2, "bert"),
    ...constants.map((one) => bytes(5, one)),
    ...inputs.map((input) => bytes(11, value(input, INT64, ["batch", "length"]))),
    bytes(12, value(name, FLOAT, isSentence ? ["batch", width] : ["batch", "length", width])),
  ]);
  return message([number(1, 8), bytes(8, message([text(1, ""), number(2, 17)])), bytes(7, graph)]);
}

function constantIndex(
  constant: (name: string, dims: readonly number[], type: number, raw: Uint8Array) => string,
  index: number,
): string {
  return constant("second", [], INT64, raw(BigInt64Array.of(BigInt(index))));
}

function value(name: string, type: number, dims: readonly (string | number)[]): Uint8Array {
  const shape = message(
    dims.map((dim) => bytes(1, message([typeof dim === "number" ? number(1, dim) : text(2, dim)]))),
  );
  return message([
    text(1, name),
    bytes(2, message([bytes(1, message([number(1, type), bytes(2, shape)]))])),
  ]);
}

function float(name: string, value: number): Uint8Array {
  const field = new Uint8Array(5);
  field[0] = 2 << 3 | 5;
  new DataView(field.buffer).setFloat32(1, value, true);
  return message([text(1, name), field, number(20, 1)]);
}

function integer(name: string, value: number): Uint8Array {
  return message([text(1, name), number(3, value), number(20, 2)]);
}

function integers(name: string, values: readonly number[]): Uint8Array {
  return message([text(1, name), ...values.map((one) => number(8, one)), number(20, 7)]);
}

/** The wire format of protobuf: fields one after the other. */
function message(fields: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(fields.reduce((sum, field) => sum + field.length, 0));
  let at = 0;
  for (const field of fields) {
    out.set(field, at);
    at += field.length;
  }
  return out;
}

function number(field: number, value: number): Uint8Array {
  return message([varint(field << 3), varint(value)]);
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return message([varint(field << 3 | 2), varint(value.length), value]);
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

function varint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...out, Number(rest)]);
}

function raw(values: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function tensors(file: Uint8Array) {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const head = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
  return (name: string): { values: Float32Array; dims: number[] } => {
    const { shape, data_offsets: [from, to] } = head[name];
    return {
      values: new Float32Array(file.slice(8 + length + from, 8 + length + to).buffer),
      dims: shape,
    };
  };
}

if (import.meta.main) {
  const [folder = "", size] = Deno.args;
  writeOnnx(folder, size === "minilm" ? MINILM : TINY);
}
