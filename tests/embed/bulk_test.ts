/** Workers make the same vectors as one thread, in the built program too, and their failure costs time only. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { openBertEmbedder } from "../../src/embed/bert_embedder.ts";
import { openBulk } from "../../src/embed/bulk.ts";
import { pullModel } from "../../src/embed/pulled/pull.ts";
import { TINY, writeBert } from "../support/bert_model.ts";
import { WORDS } from "../support/bert_words.ts";
import { hasBinary } from "../support/sage.ts";
import { canTrace } from "../support/strace.ts";
import { tempDir } from "../support/temp_store.ts";
import { Scene } from "../security/session.ts";
import { tracedProgram } from "../security/traced.ts";

const TEXTS = Array.from({ length: 70 }, (_, i) => `${WORDS[i]} ${WORDS[i * 3 + 1]}, ${i}`);

async function opened() {
  const [modelsDir, folder] = [tempDir(), tempDir()];
  writeBert(folder, TINY);
  const facts = await pullModel({
    ...{ fs: realFs, modelsDir, name: "tiny", from: { folder } },
    ...{ queryPrefix: "", documentPrefix: "note: ", now: () => 0, onProgress: () => {} },
  });
  const path = `${modelsDir}/tiny/${facts.weights.name}`;
  return { facts, path, embedder: openBertEmbedder(realFs, modelsDir, "tiny", () => {}) };
}

Deno.test("openBulk() gives each text the vector that one thread gives it", async () => {
  const { facts, path, embedder } = await opened();
  const bulk = openBulk({ path, prefix: facts.documentPrefix }, facts.weights.size);
  const got = new Map<string, Float32Array | undefined>();
  try {
    const isDone = await bulk.embed(TEXTS, (texts, vectors) => {
      texts.forEach((text, i) => got.set(text, vectors[i]));
    });
    assert.ok(isDone);
    if (bulk.workers > 1) {
      assert.deepEqual(TEXTS.map((text) => got.get(text)), embedder.embedDocuments(TEXTS));
    }
  } finally {
    bulk.close();
    embedder.close();
  }
});

Deno.test("openBulk() says that it failed, and hands over nothing wrong", async () => {
  const { facts, path, embedder } = await opened();
  embedder.close();
  const bytes = await Deno.readFile(path);
  const at = bytes.length - 500;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await Deno.writeFile(path, bytes);
  const bulk = openBulk({ path, prefix: "" }, facts.weights.size);
  try {
    const handed: string[] = [];
    const isDone = await bulk.embed(TEXTS, (texts) => void handed.push(...texts));
    assert.deepEqual([isDone, handed], [bulk.workers < 2, []]);
  } finally {
    bulk.close();
  }
});

Deno.test("openBulk() takes no late answer for the answer to what it asks after a failure", async () => {
  const program = `onmessage = ({ data }) => {
    if (data.texts.includes("0")) postMessage({ failure: "0 cannot be embedded" });
    else setTimeout(() => postMessage({ vectors: data.texts.map((t) => Float32Array.of(Number(t))) }), 50);
  };`;
  const key = Symbol.for("sage.worker");
  const scope = globalThis as Record<symbol, unknown>;
  scope[key] = `data:text/javascript,${encodeURIComponent(program)}`;
  const bulk = openBulk({ path: "/nowhere", prefix: "" }, 1);
  const numbers = (from: number): string[] => Array.from({ length: 32 }, (_, i) => `${from + i}`);
  try {
    if (bulk.workers < 2) return;
    assert.equal(await bulk.embed(numbers(0), () => {}), false);
    const isDone = await bulk.embed(numbers(100), (texts, vectors) => {
      assert.deepEqual(vectors.map((vector) => `${vector?.[0]}`), texts);
    });
    assert.ok(isDone);
  } finally {
    bulk.close();
    delete scope[key];
  }
});

Deno.test("openBulk() starts no worker for a handful of texts, nor for a model that fills the memory", async () => {
  const few = openBulk({ path: "/nowhere", prefix: "" }, 1);
  assert.ok(await few.embed(TEXTS.slice(0, 20), () => assert.fail("a worker ran")));
  const large = openBulk({ path: "/nowhere", prefix: "" }, 1e9);
  assert.equal(large.workers, 1);
});

Deno.test({
  name: "sage model use embeds with workers in the built program",
  ignore: !hasBinary || !canTrace() || navigator.hardwareConcurrency < 2,
  async fn() {
    const base = tempDir();
    const scene = new Scene(await tracedProgram(base), base);
    Deno.mkdirSync(`${scene.cwd}/.sage/knowledge`, { recursive: true });
    writeBert(`${base}/tiny`, TINY);
    for (const [i, text] of TEXTS.entries()) {
      Deno.writeTextFileSync(`${scene.cwd}/.sage/knowledge/${i}.md`, `# ${i}\n\n${text}\n`);
    }
    await scene.must(["init"]);
    await scene.must(["model", "pull", `${base}/tiny`]);
    const before = new Set([...Deno.readDirSync(`${base}/traces`)].map(({ name }) => name));
    await scene.must(["model", "use", "tiny"]);
    const log = [...Deno.readDirSync(`${base}/traces`)].find(({ name }) => !before.has(name));
    const lines = Deno.readTextFileSync(`${base}/traces/${log?.name}`).split("\n");
    const weights = lines.filter((line) => /openat\(.*models\/tiny\/[0-9a-f]{16}\.bin/.test(line));
    assert.ok(weights.length >= 3, `the model was opened ${weights.length} times`);
  },
});
