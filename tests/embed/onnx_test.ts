/**
 * Models of other architectures through the ONNX runtime: a graph that is written here, with the weights
 * of the model that the own encoder reads; both must say the same.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { BertModel } from "../../src/embed/bert/model.ts";
import { openBulk } from "../../src/embed/bulk.ts";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { type InstalledModel, onnxFiles } from "../../src/embed/pulled/installed.ts";
import { openOnnxModel } from "../../src/embed/onnx/model.ts";
import { type Pull, pullModel } from "../../src/embed/pulled/pull.ts";
import { dot } from "../../src/base/dot.ts";
import { type ModelSize, TINY, writeBert } from "../support/bert_model.ts";
import { openHub } from "../support/model_hub.ts";
import { onnxFiles as published, type OnnxOptions, writeOnnx } from "../support/onnx_model.ts";
import { tempDir } from "../support/temp_store.ts";

const SHARED = { sanitizeResources: false };

/** As wide as the smallest real ones: what int8 costs shrinks with the width. */
const SMALL: ModelSize = {
  ...{ width: 128, layers: 3, heads: 4, inner: 256, tokens: 2000, positions: 128 },
};

/** Two hundred texts of all lengths, with what a tokenizer may stumble over. */
const TEXTS: readonly string[] = Array.from({ length: 200 }, (_, i) => {
  const row = CALIBRATION_ROWS[i % CALIBRATION_ROWS.length];
  const odd = ["", " Héllo, naïve café!", " 日本語 text", " C++ & foo_bar-baz (x_1)"][i % 4] ?? "";
  return `${row?.note} ${i % 3 === 0 ? row?.question : ""}${odd} ${i}`.repeat(1 + i % 3);
});

for (
  const [what, texts, options] of [
    ["word pieces, the mean", 200, {}],
    ["word pieces, the first token", 40, { pooling: "cls" }],
    ["a graph that takes no types", 40, { types: false }],
  ] as const satisfies readonly (readonly [string, number, OnnxOptions])[]
) {
  // The runtime keeps a port for as long as the process lives.
  Deno.test(`the ONNX runtime and the own encoder say the same: ${what}`, SHARED, async () => {
    const cosines = await compare(SMALL, options, TEXTS.slice(0, texts));
    assert.ok(Math.min(...cosines) >= 0.999, `least cosine ${Math.min(...cosines)}`);
  });
}

Deno.test("a graph that pools by itself is taken at its word", async () => {
  const [tokens, sentence] = await Promise.all(
    (["tokens", "sentence"] as const).map((output) =>
      vectorsOf(TINY, { output }, TEXTS.slice(0, 20))
    ),
  );
  TEXTS.slice(0, 20).forEach((_, i) => {
    const [a, b] = [tokens?.[i], sentence?.[i]];
    assert.ok(a !== undefined && b !== undefined && dot(a, b) > 0.99999);
  });
});

Deno.test("a text is cut to what the model takes, its end mark kept; an empty one has no vector", async () => {
  const { facts, models } = await install({});
  const model = await openOnnxModel(realFs, onnxFiles(models, facts));
  const long = "memory search ".repeat(5000);
  const [a, b] = [await model.embed(long, ""), await model.embed(`${long} more`, "")];
  assert.ok(a !== undefined && b !== undefined && dot(a, b) > 0.99999);
  assert.equal(await model.embed("", ""), undefined);
  await model.close();
});

Deno.test("workers give each text the vector that one thread gives it", SHARED, async () => {
  const { facts, models } = await install({});
  const files = onnxFiles(models, facts);
  const texts = TEXTS.slice(0, 40);
  const made = new Map<string, Float32Array | undefined>();
  const bulk = openBulk({ path: files.path, prefix: "a ", onnx: files }, facts.weights.size);
  const isWhole = await bulk.embed(texts, (some, vectors) => {
    some.forEach((text, i) => made.set(text, vectors[i]));
  });
  bulk.close();
  const model = await openOnnxModel(realFs, files);
  assert.ok(isWhole, "a worker failed");
  // A machine with one core starts none.
  if (bulk.workers > 1) assert.deepEqual([...made.keys()].toSorted(), texts.toSorted());
  for (const [text, vector] of made) assert.deepEqual(await model.embed(text, "a "), vector);
  await model.close();
});

Deno.test("pullModel() takes an ONNX model from the hub, and the own encoder's where it can", async () => {
  const files = published(TINY, {});
  await using hub = openHub(files);
  const from = { hub: hub.url, repository: "some/foreign", revision: "main" };
  const facts = await pullModel({ ...pulling("foreign"), from });
  assert.match(facts.weights.name, /^[0-9a-f]{16}\.onnx$/);
  assert.deepEqual([facts.onnx?.pooling, facts.dimensions], ["mean", 32]);
  const asked = hub.requests.length;
  // Whole already: only the list is asked for.
  const again = pulling("foreign");
  const models = again.modelsDir;
  await pullModel({ ...again, from });
  await pullModel({ ...again, modelsDir: models, from });
  assert.ok(hub.requests.slice(asked).filter((one) => one.includes("model.onnx")).length === 1);
});

Deno.test("an ONNX model that is damaged, foreign or no model is refused", async () => {
  const { facts, models } = await install({});
  const files = onnxFiles(models, facts);
  const whole = await Deno.readFile(files.path);
  const damaged = whole.slice();
  damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 1;
  for (const bytes of [damaged, whole.slice(0, 1000), new Uint8Array()]) {
    await Deno.writeFile(files.path, bytes);
    await assert.rejects(openOnnxModel(realFs, files), isInvalid);
  }
  const wrong: [string, string][] = [
    ["onnx/model.onnx", "this is no graph"],
    ["tokenizer.json", "{}"],
    ["tokenizer.json", "torn{"],
    ["1_Pooling/config.json", '{"pooling_mode_weightedmean_tokens": true}'],
    ["config.json", "[]"],
  ];
  for (const [name, text] of wrong) {
    const folder = tempDir();
    writeOnnx(folder, TINY);
    await Deno.writeTextFile(`${folder}/${name}`, text);
    if (name === "config.json") await Deno.remove(`${folder}/tokenizer.json`);
    const pull = pulling("wrong");
    await assert.rejects(pullModel({ ...pull, from: { folder } }), isInvalid, name);
    await assert.rejects(Deno.stat(pull.modelsDir), Deno.errors.NotFound, name);
  }
});

function isInvalid(error: unknown): boolean {
  return error instanceof SageError && error.code === "invalid_model";
}

function pulling(name: string): Omit<Pull, "from"> {
  return {
    fs: realFs,
    modelsDir: tempDir(),
    name,
    queryPrefix: undefined,
    documentPrefix: undefined,
    now: () => 0,
    onProgress: () => {},
  };
}

async function install(
  options: OnnxOptions,
  size = TINY,
): Promise<{ facts: InstalledModel; models: string }> {
  const folder = tempDir();
  writeOnnx(folder, size, options);
  const pull = pulling("foreign");
  return { facts: await pullModel({ ...pull, from: { folder } }), models: pull.modelsDir };
}

async function vectorsOf(
  size: ModelSize,
  options: OnnxOptions,
  texts: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  const { facts, models } = await install(options, size);
  const model = await openOnnxModel(realFs, onnxFiles(models, facts));
  const vectors: (Float32Array | undefined)[] = [];
  for (const text of texts) vectors.push(await model.embed(text, ""));
  await model.close();
  return vectors;
}

async function compare(
  size: ModelSize,
  options: OnnxOptions,
  texts: readonly string[],
): Promise<number[]> {
  const folder = tempDir();
  writeBert(folder, size, options);
  const pull = pulling("own");
  const facts = await pullModel({ ...pull, from: { folder } });
  const own = new BertModel(realFs, `${pull.modelsDir}/own/${facts.weights.name}`);
  const theirs = await vectorsOf(size, options, texts);
  const cosines = texts.map((text, i) => {
    const [a, b] = [own.embed(text, ""), theirs[i]];
    return a === undefined || b === undefined ? 0 : dot(a, b);
  });
  own.close();
  return cosines;
}
