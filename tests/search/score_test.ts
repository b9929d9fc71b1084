import assert from "node:assert/strict";
import { combine, FALLBACK_THRESHOLD, fallbackPoints, restOf } from "../../src/search/score.ts";
import { depth } from "../support/depth.ts";
import { seeded } from "./random.ts";

Deno.test("combine() mixes both signals where neither says more alone", () => {
  const { combined, carriedBy } = combine({ emb: 0.9, kw: 0.95 });
  assert.equal(carriedBy, "mix");
  const mix = 0.7 * 0.9 + 0.3 * 0.95;
  assert.ok(combined > mix && combined < mix + 0.01, String(combined));
});

Deno.test("combine() lets meaning carry a note without a shared word, a little weaker", () => {
  assert.deepEqual(combine({ emb: 0.8, kw: 0 }), { combined: 0.97 * 0.8, carriedBy: "emb" });
  assert.ok(combine({ emb: 0.73, kw: 0 }).combined >= 0.7);
});

Deno.test("combine() puts what both signals find above what one finds", () => {
  const scores = [0, 0.3, 0.6, 0.8].map((kw) => combine({ emb: 0.8, kw }).combined);
  assert.deepEqual(scores, scores.toSorted((a, b) => a - b));
  assert.equal(new Set(scores).size, 4);
});

Deno.test("combine() lets keywords carry a note that the model cannot read", () => {
  assert.deepEqual(combine({ emb: 0, kw: 1 }), { combined: 0.9, carriedBy: "kw" });
});

Deno.test("combine() silences a signal with the weight 0", () => {
  assert.equal(combine({ emb: 1, kw: 0 }, { embedding: 0, keyword: 1 }).combined, 0);
  assert.equal(combine({ emb: 0, kw: 1 }, { embedding: 1, keyword: 0 }).combined, 0);
});

Deno.test("combine() stays in 0..1 and grows with each signal", () => {
  const random = seeded(1);
  for (let i = 0; i < depth(2000, 50000); i++) {
    const weights = { embedding: random.next(), keyword: random.next() };
    const [emb, kw, more] = [random.next(), random.next(), random.next() * 0.2];
    const { combined } = combine({ emb, kw }, weights);
    assert.ok(combined >= 0 && combined <= 1);
    const up = { emb: Math.min(1, emb + more), kw: Math.min(1, kw + more) };
    assert.ok(combine({ emb: up.emb, kw }, weights).combined >= combined - 1e-12);
    assert.ok(combine({ emb, kw: up.kw }, weights).combined >= combined - 1e-12);
  }
});

Deno.test("restOf() adds little and never more for less", () => {
  assert.equal(restOf(0.7, 0), 0);
  assert.ok(restOf(0.7, 0.7) <= 0.05 * 0.3 && restOf(0.7, 0.7) > restOf(0.7, 0.3));
});

Deno.test("fallbackPoints() recalls a note by a keyword or a pattern, not by a substring", () => {
  const points = (keywords: number, patterns: number, substrings: number): number =>
    fallbackPoints({ keywords, patterns, substrings });
  assert.deepEqual([points(1, 0, 0), points(0, 1, 0), points(0, 0, 1)], [3, 2, 1]);
  assert.ok(points(0, 0, 1) < FALLBACK_THRESHOLD && points(0, 1, 0) >= FALLBACK_THRESHOLD);
});
