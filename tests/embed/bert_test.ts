/**
 * The BERT encoder against plain arithmetic over the published weights, and against files that were
 * cut, changed or made to harm.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { convert } from "../../src/embed/bert/convert.ts";
import { BertModel } from "../../src/embed/bert/model.ts";
import { bertFiles, type ModelOptions, type ModelSize, TINY } from "../support/bert_model.ts";
import { openReference } from "../support/bert_reference.ts";
import { WORDS } from "../support/bert_words.ts";
import { depth } from "../support/depth.ts";
import { seeded } from "../search/random.ts";
import { tempDir } from "../support/temp_store.ts";

/** Heads of 16 dimensions as in no other test, and rows that fill no whole blocks. */
const SMALL: ModelSize = {
  ...{ width: 128, layers: 3, heads: 8, inner: 512, tokens: 2000, positions: 128 },
};

Deno.test("BertModel.embed() is the reference's vector for 200 texts", () => {
  using mean = made(SMALL, { pooling: "mean" });
  using cls = made(SMALL, { pooling: "cls" });
  const reference = openReference(mean.files);
  const cosines = texts(depth(100, 400)).flatMap((text) => {
    // The models differ in nothing else, and the reference is the dearest part.
    const right = reference.embed(mean.model.tokenize(text));
    return [
      dot(mean.model.embed(text) ?? new Float32Array(), right.mean),
      dot(cls.model.embed(text) ?? new Float32Array(), right.cls),
    ];
  });
  assert.equal(cosines.length, depth(200, 800));
  assert.ok(Math.min(...cosines) >= 0.999, String(Math.min(...cosines)));
});

Deno.test("BertModel.embed() gives the same vector with rows from the file and from memory", () => {
  using many = made(TINY);
  for (const text of texts(60)) many.model.embed(text);
  for (const text of texts(5)) {
    using few = made(TINY);
    assert.deepEqual(few.model.embed(text), many.model.embed(text));
  }
});

Deno.test("BertModel.embed() tells texts by the order of their words", () => {
  using opened = made(TINY);
  const { model } = opened;
  const [a, b] = ["save before the search", "search before the save"].map((text) =>
    model.embed(text) ?? new Float32Array()
  );
  assert.ok(a !== undefined && b !== undefined && dot(a, b) < 0.9999);
});

Deno.test("BertModel.embed() sees nothing in a text without known pieces", () => {
  using opened = made(TINY);
  const { model } = opened;
  for (const text of ["", "   \n", "\u{1f980}\u{1f980}", "\u0001"]) {
    assert.equal(model.embed(text), undefined, JSON.stringify(text));
  }
});

Deno.test("BertModel.embed() cuts a long text where the model ends", () => {
  using opened = made(TINY);
  const { model } = opened;
  const long = "memory and search ".repeat(10_000);
  assert.equal(model.tokenize(long).length, TINY.positions);
  assert.equal(model.embed(long)?.length, TINY.width);
});

Deno.test("new BertModel() refuses every cut, and embed() every changed byte that it reads", () => {
  using opened = made(TINY);
  const whole = Deno.readFileSync(opened.path);
  const random = seeded(7);
  const cuts = Array.from({ length: depth(60, 600) }, () => random.below(whole.length));
  for (const length of [0, 1, 15, 16, 100, whole.length - 1, ...cuts]) {
    refuses(whole.subarray(0, length), `cut to ${length}`);
  }
  refuses(Uint8Array.from([...whole, 0]), "one byte more");
  const untouched = opened.model.embed("memory");
  for (let i = 0; i < depth(300, 3000); i++) {
    const changed = whole.slice();
    const at = random.below(whole.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    const vector = attempt(changed);
    // A row of another word is not read; what is read is refused.
    if (vector !== "refused") assert.deepEqual(vector, untouched, `byte ${at}`);
  }
});

Deno.test("new BertModel() refuses a head that claims the impossible", () => {
  using opened = made(TINY);
  const whole = Deno.readFileSync(opened.path);
  for (const claim of [0xffffffff, 0x7fffffff, 64 * 1024 + 4, 3, 0]) {
    const changed = whole.slice();
    new DataView(changed.buffer).setUint32(8, claim, true);
    refuses(changed, `a head of ${claim}`);
  }
});

Deno.test("convert() refuses weights that do not fit their head or the model", () => {
  const sizes: [string, (json: Record<string, Tensor>) => void][] = [
    ["behind the end", (json) => first(json).data_offsets = [0, 2 ** 40]],
    ["negative", (json) => first(json).data_offsets = [-4, 0]],
    ["another size", (json) => first(json).shape = [3, 3]],
    ["no place", (json) => Reflect.deleteProperty(first(json), "data_offsets")],
    ["missing", (json) => Reflect.deleteProperty(json, "encoder.layer.1.output.dense.bias")],
  ];
  for (const [name, change] of sizes) {
    const files = bertFiles(TINY);
    files.set("model.safetensors", withHead(files.get("model.safetensors"), change));
    assert.throws(() => converted(files), isInvalid, name);
  }
});

Deno.test("convert() refuses a huge head, a cut file, and what is no number", () => {
  const bytes = bertFiles(TINY).get("model.safetensors") ?? new Uint8Array();
  const huge = bytes.slice();
  new DataView(huge.buffer).setBigUint64(0, 2n ** 63n, true);
  const nan = bytes.slice();
  nan.set([0, 0, 0xc0, 0x7f], nan.length - 4);
  for (const wrong of [huge, bytes.subarray(0, 5), bytes.subarray(0, bytes.length - 1), nan]) {
    const files = bertFiles(TINY);
    files.set("model.safetensors", wrong);
    assert.throws(() => converted(files), isInvalid);
  }
});

Deno.test("convert() refuses what this encoder does not compute, by name", () => {
  const wrong: [RegExp, Record<string, unknown>][] = [
    [/model_type/, { model_type: "roberta" }],
    [/hidden_act/, { hidden_act: "relu" }],
    [/position_embedding_type/, { position_embedding_type: "relative_key" }],
    [/dimensions/, { hidden_size: 1e9 }],
    [/layers/, { num_hidden_layers: 1e6 }],
    [/a head/, { num_attention_heads: 5 }],
    [/fewer than 32/, { intermediate_size: 16 }],
    [/vocab_size/, { vocab_size: "many" }],
    [/claims 1000000000000 tokens/, { vocab_size: 1e12 }],
  ];
  for (const [message, config] of wrong) {
    assert.throws(() => converted(bertFiles(TINY, { config })), (error) => {
      assert.ok(isInvalid(error));
      assert.match((error as SageError).message, message);
      return true;
    });
  }
});

Deno.test("a unigram model cuts words the likeliest way and embeds them", () => {
  using opened = made(TINY, { tokenizer: "unigram" });
  const { model } = opened;
  const [before, ...rest] = model.tokenize("memory");
  assert.equal(before, 0);
  assert.equal(rest.at(-1), 2);
  assert.equal(rest.length, 2, "a known word is one piece");
  assert.ok(model.tokenize("memoryz").length > 3);
  for (
    const text of [
      ...[
        "ｍｅｍｏｒｙ  search",
        "memory\u200bsearch",
        "me\u0007mory\tsearch",
        "memory\u0085search",
      ],
      ...[" memory\u00a0search \n", "memory\ufeffsearch", "memory\u2581search"],
    ]
  ) assert.deepEqual(model.tokenize(text), model.tokenize("memory search"), JSON.stringify(text));
  assert.equal(model.tokenize("\u{1f980}\u{1f980}").length, 3, "one unknown piece, two marks");
  assert.equal(model.embed("memory")?.length, TINY.width);
});

interface Tensor {
  shape: number[];
  data_offsets: number[];
}

function made(size: ModelSize, options: ModelOptions = {}) {
  const files = bertFiles(size, options);
  const path = converted(files);
  const model = new BertModel(realFs, path);
  return { files, path, model, [Symbol.dispose]: () => model.close() };
}

function converted(files: ReadonlyMap<string, Uint8Array>): string {
  const folder = tempDir();
  Deno.mkdirSync(`${folder}/1_Pooling`);
  for (const [name, bytes] of files) Deno.writeFileSync(`${folder}/${name}`, bytes);
  const target = `${folder}/model.bin`;
  convert(realFs, {
    config: `${folder}/config.json`,
    tokenizer: `${folder}/tokenizer.json`,
    weights: `${folder}/model.safetensors`,
    pooling: `${folder}/1_Pooling/config.json`,
    sentence: `${folder}/sentence_bert_config.json`,
  }, target);
  return target;
}

function texts(count: number): string[] {
  const random = seeded(11);
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: 1 + i % 23 }, () => random.pick(WORDS));
    return i % 3 === 0 ? `${words.join("ed, ")}?` : words.join(" ");
  });
}

const SCRATCH = tempDir();
let written = 0;

function openBytes(bytes: Uint8Array): BertModel {
  const path = `${SCRATCH}/${++written}`;
  Deno.writeFileSync(path, bytes);
  return new BertModel(realFs, path);
}

function attempt(bytes: Uint8Array): Float32Array | undefined | "refused" {
  try {
    const model = openBytes(bytes);
    try {
      return model.embed("memory");
    } finally {
      model.close();
    }
  } catch (error) {
    assert.ok(isInvalid(error), String(error));
    return "refused";
  }
}

function refuses(bytes: Uint8Array, what: string): void {
  assert.throws(() => openBytes(bytes), isInvalid, what);
}

function isInvalid(error: unknown): boolean {
  return error instanceof SageError && error.code === "invalid_model";
}

function withHead(
  bytes: Uint8Array = new Uint8Array(),
  change: (json: Record<string, Tensor>) => void,
): Uint8Array {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  change(json);
  const head = new TextEncoder().encode(JSON.stringify(json));
  const out = new Uint8Array(8 + head.length + bytes.length - 8 - length);
  new DataView(out.buffer).setBigUint64(0, BigInt(head.length), true);
  out.set(head, 8);
  out.set(bytes.subarray(8 + length), 8 + head.length);
  return out;
}

function first(json: Record<string, Tensor>): Tensor {
  return json["embeddings.word_embeddings.weight"] ?? { shape: [], data_offsets: [] };
}

function dot(a: Float32Array, b: Float32Array | Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
