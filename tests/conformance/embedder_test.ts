/** What every embedder promises (src/embed/embedder.ts), asked of each of them in the same words. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { openBertEmbedder } from "../../src/embed/bert_embedder.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { pullModel } from "../../src/embed/pulled/pull.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { withVectorCache } from "../../src/embed/vector_cache.ts";
import { type ModelOptions, TINY, writeBert } from "../support/bert_model.ts";
import { tempDir } from "../support/temp_store.ts";

type Closable = Embedder & { close(): void };

async function pulled(options: ModelOptions): Promise<Closable> {
  const [modelsDir, folder] = [tempDir(), tempDir()];
  writeBert(folder, TINY, options);
  await pullModel({
    ...{ fs: realFs, modelsDir, name: "tiny", from: { folder } },
    ...{ queryPrefix: "query: ", documentPrefix: "note: ", now: () => 0, onProgress: () => {} },
  });
  return openBertEmbedder(realFs, modelsDir, "tiny", (warning) => assert.fail(warning));
}

const EMBEDDERS: Readonly<Record<string, () => Closable | Promise<Closable>>> = {
  "the built-in model": openStaticEmbedder,
  "a pulled model": () => pulled({}),
  "a pulled model that pools its first token": () => pulled({ pooling: "cls" }),
  "a pulled model with pieces of all languages": () => pulled({ tokenizer: "unigram" }),
  "a pulled model behind its cache": async () =>
    withVectorCache(await pulled({}), realFs, `${tempDir()}/tiny.vectors`),
};

const TEXTS = ["memory", "search and memory", "The index is made anew.", "a ".repeat(5000)];

for (const [name, open] of Object.entries(EMBEDDERS)) {
  const test = (claim: string, body: (embedder: Closable) => void): void =>
    Deno.test(`${name} ${claim}`, async () => {
      const embedder = await open();
      try {
        body(embedder);
      } finally {
        embedder.close();
      }
    });

  test("gives unit vectors of its dimensions, a multiple of 16", (embedder) => {
    assert.equal(embedder.dimensions % 16, 0);
    for (const vector of [embedder.embedQuery("memory"), ...embedder.embedDocuments(TEXTS)]) {
      assert.equal(vector?.length, embedder.dimensions);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
    }
  });

  test("sees nothing in a text without words, and says so", (embedder) => {
    for (const text of ["", " \n\t", "\u{1f980}\u{1f980}"]) {
      assert.equal(embedder.embedQuery(text), undefined, JSON.stringify(text));
      assert.deepEqual(embedder.embedDocuments([text]), [undefined]);
    }
  });

  test("gives the same vector every time, in whatever company and order", (embedder) => {
    const all = embedder.embedDocuments(TEXTS);
    const turned = embedder.embedDocuments(TEXTS.toReversed());
    assert.deepEqual(turned.toReversed(), all);
    TEXTS.forEach((text, i) => assert.deepEqual(embedder.embedDocuments([text]), [all[i]]));
    assert.deepEqual(embedder.embedQuery("memory"), embedder.embedQuery("memory"));
    assert.deepEqual(embedder.embedDocuments([]), []);
  });

  test("hands out vectors that nobody writes to afterwards", (embedder) => {
    const [first] = embedder.embedDocuments(["memory"]);
    const copy = first?.slice();
    embedder.embedDocuments(TEXTS);
    assert.deepEqual(first, copy);
  });

  test("calibrates upwards, from 0 to 1", (embedder) => {
    let before = 0;
    for (let cosine = -1; cosine <= 1.0001; cosine += 0.01) {
      const share = embedder.calibrate(cosine);
      assert.ok(share >= before && share <= 1, `${cosine}: ${share}`);
      before = share;
    }
    assert.equal(embedder.calibrate(-1), 0);
    assert.equal(embedder.calibrate(1), 1);
  });

  test("gives evidence of meaning in even steps, 0.70 where its calibration says so", (embedder) => {
    assert.ok(embedder.meaning !== undefined);
    let before = 0;
    for (let cosine = -1; cosine <= 1.0001; cosine += 0.01) {
      const share = embedder.meaning(cosine);
      assert.ok(share >= before && share <= 1, `${cosine}: ${share}`);
      if (embedder.calibrate(cosine) < 0.69) assert.ok(share < 0.72, `${cosine}: ${share}`);
      before = share;
    }
    assert.equal(before, 1);
  });

  test("bears any text", (embedder) => {
    for (
      const text of ["\ud800", "\0".repeat(100), "é".repeat(3000), "x".repeat(100_000), "日本語"]
    ) {
      const vector = embedder.embedQuery(text);
      assert.ok(vector === undefined || vector.every(Number.isFinite));
    }
  });
}
