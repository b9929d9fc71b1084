/** What a slow model embedded once is not embedded again, and nothing wrong with the file is believed. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { withVectorCache } from "../../src/embed/vector_cache.ts";
import { depth } from "../support/depth.ts";
import { seeded } from "../search/random.ts";
import { tempDir } from "../support/temp_store.ts";

const DIMENSIONS = 16;

/** Its vectors are made of the text's characters; it counts what it is asked. */
function slow() {
  const asked: string[] = [];
  const embedDocuments = (texts: readonly string[]): (Float32Array | undefined)[] => {
    asked.push(...texts);
    return texts.map((text) => {
      if (text === "") return undefined;
      const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => text.charCodeAt(i) || 1);
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    });
  };
  const embedder: Embedder = {
    id: "slow",
    dimensions: DIMENSIONS,
    embedQuery: (text) => embedDocuments([text])[0],
    embedDocuments,
    calibrate: (cosine) => cosine,
  };
  return { asked, embedder };
}

function file(): string {
  return `${tempDir()}/index/slow.vectors`;
}

function open(path: string, fs: Fs = realFs) {
  const { asked, embedder } = slow();
  return { asked, cached: withVectorCache(embedder, fs, path) };
}

Deno.test("withVectorCache() embeds a text once, in whatever process", () => {
  const path = file();
  const first = open(path);
  const before = first.cached.embedDocumentsQuantized(["a", "b", "a", ""]);
  assert.deepEqual(first.asked, ["a", "b", ""]);
  first.cached.embedDocumentsQuantized(["b", "c"]);
  assert.deepEqual(first.asked, ["a", "b", "", "c"]);
  const second = open(path);
  assert.deepEqual(second.cached.unknown(["a", "d", "d", ""]), ["d"]);
  assert.deepEqual(second.cached.embedDocumentsQuantized(["a", "b", "a", ""]), before);
  assert.deepEqual(second.asked, []);
  assert.equal(before.scales[3], 0, "a text without a vector has none");
});

Deno.test("withVectorCache() keeps the records of two processes apart", () => {
  const path = file();
  const [one, other] = [open(path), open(path)];
  for (let i = 0; i < 20; i++) {
    one.cached.embedDocumentsQuantized([`one ${i}`]);
    other.cached.embedDocumentsQuantized([`other ${i}`]);
  }
  const texts = Array.from({ length: 20 }, (_, i) => [`one ${i}`, `other ${i}`]).flat();
  assert.deepEqual(open(path).cached.unknown(texts), []);
});

Deno.test("withVectorCache() believes no record that was cut or changed", () => {
  const path = file();
  const texts = Array.from({ length: 12 }, (_, i) => `text ${i}`);
  const right = open(path).cached.embedDocumentsQuantized(texts);
  const whole = Deno.readFileSync(path);
  const random = seeded(3);
  for (let i = 0; i < depth(200, 2000); i++) {
    const damaged = whole.slice(0, i % 2 === 0 ? whole.length : random.below(whole.length));
    const at = random.below(Math.max(1, damaged.length));
    if (i % 2 === 0) damaged[at] = (damaged[at] ?? 0) ^ (1 << random.below(8));
    Deno.writeFileSync(path, damaged);
    assert.deepEqual(open(path).cached.embedDocumentsQuantized(texts), right);
    // And what was mended is whole for the next.
    assert.deepEqual(open(path).cached.embedDocumentsQuantized(texts), right);
  }
});

Deno.test("withVectorCache() keeps what stands behind a record that is damaged", () => {
  const path = file();
  const texts = Array.from({ length: 6 }, (_, i) => `text ${i}`);
  for (const text of texts) open(path).cached.embedDocumentsQuantized([text]);
  const bytes = Deno.readFileSync(path);
  bytes.fill(0, bytes.length / 6, bytes.length / 3);
  Deno.writeFileSync(path, bytes);
  const mending = open(path);
  mending.cached.embedDocumentsQuantized(texts);
  assert.deepEqual(mending.asked, ["text 1"]);
  assert.deepEqual(open(path).cached.unknown(texts), [], "and it is embedded once");
});

Deno.test("withVectorCache() keeps what stands before a record that was cut, and loses none behind it", () => {
  const path = file();
  const texts = Array.from({ length: 6 }, (_, i) => `text ${i}`);
  open(path).cached.embedDocumentsQuantized(texts);
  const bytes = Deno.readFileSync(path);
  for (const cut of [1, 7, bytes.length / 6 - 1]) {
    Deno.writeFileSync(path, bytes.slice(0, bytes.length - cut));
    const mending = open(path);
    mending.cached.embedDocumentsQuantized([...texts, "new"]);
    assert.deepEqual(mending.asked, ["text 5", "new"]);
    assert.deepEqual(open(path).cached.unknown([...texts, "new"]), []);
  }
});

Deno.test("withVectorCache() does without a file that cannot be written", () => {
  const fs: Fs = {
    ...realFs,
    open: () => {
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    },
  };
  const { asked, cached } = open(file(), fs);
  assert.equal(cached.embedDocumentsQuantized(["a"]).scales.length, 1);
  cached.embedDocumentsQuantized(["a"]);
  assert.deepEqual(asked, ["a"]);
});
