import assert from "node:assert/strict";
import { rank, recallFrequency, recency } from "../../src/search/ranking/rank.ts";

const WEIGHTS = { relevance: 0.6, recency: 0.25, recallFrequency: 0.15 };
const NOW = Date.parse("2026-02-01T00:00:00Z");

Deno.test("recency() halves every 30 days and is 0 without a date", () => {
  assert.equal(recency("2026-02-01T00:00:00Z", NOW), 1);
  assert.equal(recency("2026-01-02T00:00:00Z", NOW), 0.5);
  assert.equal(recency("2027-01-01", NOW), 1);
  assert.equal(recency("", NOW), 0);
});

Deno.test("recallFrequency() is 0 for none and full at sixteen", () => {
  assert.deepEqual([recallFrequency(0), recallFrequency(16), recallFrequency(900)], [0, 1, 1]);
});

Deno.test("rank() puts the newer of two equally relevant notes first", () => {
  const items = [
    { id: "old", combined: 0.8, updated: "2025-01-01", recalls: 0 },
    { id: "new", combined: 0.8, updated: "2026-01-31", recalls: 0 },
    { id: "used", combined: 0.8, updated: "2025-01-01", recalls: 9 },
  ];
  assert.deepEqual(rank(items, WEIGHTS, NOW).map(({ id }) => id), ["new", "used", "old"]);
});

Deno.test("rank() says what each part gave", () => {
  const [item] = rank([{ combined: 0.5, updated: "2026-02-01", recalls: 16 }], WEIGHTS, NOW);
  assert.deepEqual(item?.ranked, {
    rank: 0.6 * 0.5 + 0.25 + 0.15,
    relevance: 0.5,
    recency: 1,
    recallFrequency: 1,
  });
});
