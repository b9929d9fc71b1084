/** Vectors of any model's size, from an embedder to the cosine that a search counts. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { vectorQuery } from "../../src/search/query/query.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { noteDocument } from "./notes.ts";
import { seeded } from "./random.ts";
import { tempDir } from "../support/temp_store.ts";

Deno.test("similar() counts every dimension of a model, and nothing beside them", () => {
  const random = seeded(3);
  const notes = Array.from({ length: 9 }, (_, i) => noteDocument(`n${i}.md`, `text ${i}`));
  for (const dimensions of [64, 20, 1, 300, 5120, 8192]) {
    const unit = (): Float32Array => {
      const vector = Float32Array.from({ length: dimensions }, () => random.next() - 0.5);
      const norm = Math.hypot(...vector);
      return vector.map((value) => value / norm);
    };
    const vectors = notes.map(unit);
    const embedder: Embedder = {
      id: `of ${dimensions}`,
      dimensions,
      embedQuery: () => undefined,
      embedDocuments: (texts) => texts.map((text) => vectors[Number(text.at(-1))]),
      calibrate: (cosine) => cosine,
    };
    const dir = tempDir();
    const index = openIndex(dir, realFs, embedder.id);
    index.apply({ put: notes.slice(0, 5), remove: [] }, embedder);
    index.apply({ put: notes.slice(5), remove: ["n0.md"], erase: true }, embedder);
    const asked = unit();
    // What was in memory before is no part of a vector.
    index.query(vectorQuery(new Float32Array(8192).fill(1e30), () => 1), { limit: 1 });
    const hits = index.query(vectorQuery(asked, () => 1), { limit: 9 });
    assert.equal(hits.length, 8);
    for (const { note, cosine } of hits) {
      const own = vectors[Number(note.id.slice(1))] ?? asked;
      const exact = own.reduce((sum, value, d) => sum + value * (asked[d] ?? 0), 0);
      assert.ok(Math.abs(cosine - exact) < 0.02, `${dimensions}: ${cosine} for ${exact}`);
    }
    index.close();
    Deno.removeSync(dir, { recursive: true });
  }
});
