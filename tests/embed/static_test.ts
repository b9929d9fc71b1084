/** The built-in model: the vectors its makers published, and one answer by every way to it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readAsset } from "../../src/base/assets.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { dot } from "../../src/base/dot.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { StaticModel } from "../../src/embed/static_model.ts";
import vectors from "../../wasm/model/test-vectors.json" with { type: "json" };
import { depth } from "../support/depth.ts";

Deno.test("openStaticEmbedder() names the model by the file's own hash", () => {
  const sha256 = sha256Hex(readAsset("static-embed-32k-256.bin"));
  assert.equal(openStaticEmbedder().id, `static-embed-32k-256@${sha256.slice(0, 8)}`);
});

Deno.test("tokenize() gives the published ids", () => {
  const model = new StaticModel();
  assert.equal(vectors.length, 20);
  for (const { text, ids } of vectors) assert.deepEqual([...model.tokenize(text)], ids, text);
  model.close();
});

Deno.test("embedQuery() gives the published components to 1e-5", () => {
  const embedder = openStaticEmbedder();
  for (const { text, vec } of vectors) {
    const vector = embedder.embedQuery(text);
    assert.equal(vector?.length, embedder.dimensions);
    vec.forEach((value, d) => assert.ok(Math.abs((vector?.[d] ?? 9) - value) <= 1e-5, text));
  }
  embedder.close();
});

Deno.test("embedDocuments() gives the same bits from single rows and from the whole table", () => {
  const [few, many] = [openStaticEmbedder(), openStaticEmbedder()];
  many.embedDocuments([`${vectors.map(({ text }) => text).join(" ")} `.repeat(10)]);
  for (const { text } of vectors) {
    assert.deepEqual(many.embedQuery(text), few.embedQuery(text), text);
  }
  few.close();
  many.close();
});

Deno.test("embedDocuments() depends on no text but the one", () => {
  const [one, all] = [openStaticEmbedder(), openStaticEmbedder()];
  const texts = vectors.map(({ text }) => text);
  const together = all.embedDocuments([...texts, ...texts]);
  texts.forEach((text, i) => {
    assert.deepEqual(together[i], one.embedQuery(text));
    assert.deepEqual(together[i + texts.length], together[i]);
  });
  one.close();
  all.close();
});

Deno.test("embedQuery() gives nothing when the text has no Latin letter or digit", () => {
  const embedder = openStaticEmbedder();
  for (const text of ["", "  \n", "日本語", "— … !", "🙂", "\ud800"]) {
    assert.equal(embedder.embedQuery(text), undefined);
  }
  assert.deepEqual(embedder.embedDocumentsQuantized(["日本語"]), {
    rows: new Int8Array(256),
    scales: Float32Array.of(0),
  });
  embedder.close();
});

Deno.test("embedQuery() gives a unit vector for any text that has a letter", () => {
  const embedder = openStaticEmbedder();
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary-ascii" }));
  fc.assert(
    fc.property(text, (value) => {
      const vector = embedder.embedQuery(`${value} a`);
      assert.ok(vector !== undefined && Math.abs(dot(vector, vector) - 1) < 1e-5);
    }),
    { numRuns: depth(300, 10_000) },
  );
  embedder.close();
});

Deno.test("embedDocumentsQuantized() keeps the cosines to a hundredth", () => {
  const embedder = openStaticEmbedder();
  const texts = vectors.map(({ text }) => text);
  const whole = embedder.embedDocuments(texts);
  const { rows, scales } = embedder.embedDocumentsQuantized(texts);
  const back = texts.map((_, i) =>
    Float32Array.from(rows.subarray(i * 256, (i + 1) * 256), (value) => value * (scales[i] ?? 0))
  );
  whole.forEach((a, i) =>
    whole.forEach((b, j) => {
      const exact = dot(a ?? new Float32Array(), b ?? new Float32Array());
      const [x, y] = [back[i], back[j]];
      assert.ok(x !== undefined && y !== undefined && Math.abs(dot(x, y) - exact) < 0.01);
    })
  );
  embedder.close();
});

Deno.test("openStaticEmbedder() opens the model again when it is used after close", () => {
  const embedder = openStaticEmbedder();
  const before = embedder.embedQuery("upload limit");
  embedder.close();
  embedder.close();
  assert.deepEqual(embedder.embedQuery("upload limit"), before);
  embedder.close();
});

Deno.test("compare() takes a passage apart as its vectors would be", () => {
  const embedder = openStaticEmbedder();
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
    a === undefined || b === undefined
      ? -1
      : a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  const query = embedder.embedQuery("why does the importer stall");
  assert.ok(query !== undefined);
  const compare = (heading: string, sentences: readonly string[], shared: string) => {
    const parts = embedder.takeApart?.(heading, sentences);
    return parts === undefined ? undefined : embedder.compare?.(query, parts, shared);
  };
  const heading = "Importer";
  const sentences = ["The queue was full.", "Nobody had raised its limit since March."];
  const of = (...texts: string[]) => cosine(query, embedder.embedQuery(texts.join(" ")));
  const near = (a: number | undefined, b: number) =>
    assert.ok(Math.abs((a ?? 9) - b) < 1e-4, `${a} ${b}`);
  const plain = compare(heading, sentences, "");
  near(plain?.apart, of(heading, ...sentences));
  near(plain?.nearest, Math.max(...sentences.map((sentence) => of(heading, sentence))));
  const apart = compare(heading, sentences, "Importer");
  near(apart?.apart, of(...sentences));
  // Where hardly anything but the shared words is left, the whole counts.
  const all = compare(heading, [], "Importer");
  near(all?.apart, of(heading));
  assert.equal(compare("", [" ", "…"], ""), undefined);
  embedder.close();
});
