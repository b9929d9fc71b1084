/** The calibration's promises on the development set: what it is for, not only what it was fitted to. */
import assert from "node:assert/strict";
import { lightEdits } from "../../bench/retrieval/light_edits.ts";
import { readBytes, realFs } from "../../src/base/fs.ts";
import { calibrateStatic, CALIBRATION } from "../../src/embed/calibration/calibration.ts";
import { dot } from "../../src/base/dot.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";

const path = `${import.meta.dirname}/../../bench/retrieval/sets/paraphrase-dev.jsonl`;
const rows: { query: string; note: string; distractor: string }[] = new TextDecoder()
  .decode(readBytes(realFs, path, 1 << 20)).trim().split("\n").map((line) => JSON.parse(line));
/** Opens its file on first use, so each test closes it again. */
const embedder = openStaticEmbedder();

Deno.test("calibrateStatic() never falls, and stays within 0 and 1", () => {
  let before = 0;
  for (let cosine = -1.1; cosine <= 1.1; cosine += 0.001) {
    const share = calibrateStatic(cosine);
    assert.ok(share >= before && share <= 1);
    before = share;
  }
  assert.equal(before, 1);
});

Deno.test("calibrateStatic() meets its knots", () => {
  for (const [cosine, share] of CALIBRATION) assert.equal(calibrateStatic(cosine), share);
});

Deno.test("calibrateStatic() says 'the same' of light edits and of no lexical trap", () => {
  const edits = rows.flatMap(({ note }) => lightEdits(note).map(({ text }) => share(note, text)));
  assert.ok(edits.length >= 100);
  assert.ok(shareOf(edits, (value) => value >= 0.9) >= 0.98);
  const traps = rows.map(({ query, distractor }) => share(query, distractor));
  assert.equal(shareOf(traps, (value) => value >= 0.9), 0);
  embedder.close();
});

Deno.test("calibrateStatic() keeps unrelated pairs low", () => {
  const unrelated = rows.flatMap(({ query }, i) =>
    rows.flatMap(({ note }, j) => i === j ? [] : [share(query, note)])
  );
  assert.ok(shareOf(unrelated, (value) => value <= 0.35) >= 0.95);
  assert.ok(shareOf(unrelated, (value) => value >= 0.7) <= 0.001);
  embedder.close();
});

Deno.test("calibrateStatic() surfaces nothing unrelated for nineteen questions of twenty", () => {
  const nearest = rows.map(({ query }, i) =>
    Math.max(...rows.map(({ note }, j) => i === j ? 0 : share(query, note)))
  );
  assert.ok(shareOf(nearest, (value) => value >= 0.7) <= 0.05);
  const own = rows.map(({ query, note }) => share(query, note));
  assert.ok(shareOf(own, (value) => value >= 0.7) >= 0.25);
  embedder.close();
});

function share(a: string, b: string): number {
  const [x, y] = embedder.embedDocuments([a, b]);
  assert.ok(x !== undefined && y !== undefined);
  return embedder.calibrate(dot(x, y));
}

function shareOf(values: number[], test: (value: number) => boolean): number {
  return values.filter(test).length / values.length;
}
