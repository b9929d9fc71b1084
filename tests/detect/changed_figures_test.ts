/** One thing has one figure: who says it with another one says that the first does not hold. */
import assert from "node:assert/strict";
import { changesFigure } from "../../src/detect/decisions/changed_figures.ts";

const OTHERS: readonly (readonly [text: string, known: string])[] = [
  [
    "DHL allows 100 requests per minute, since the contract of November.",
    "DHL allows 60 requests per minute; more gets a 429.",
  ],
  [
    "The upload limit of the proxy is 25 MB.",
    "Caddy is in front. The upload limit of the proxy is 10MB.",
  ],
  ["Sessions live for 30 days in Redis.", "Sessions live for 14 days in Redis."],
  ["A worker keeps 1,500 rows per batch.", "A worker keeps 500 rows per batch."],
];

const NO_OTHERS: readonly (readonly [text: string, known: string])[] = [
  ["DHL allows 60 requests per minute.", "DHL allows 60 requests per minute; more gets a 429."],
  ["UPS allows 250 requests per minute.", "DHL allows 60 requests per minute."],
  ["Issue 14 was fixed by the cache.", "Issue 12 was fixed by the cache."],
  ["Migration 0043 adds an index to orders.", "Migration 0042 adds an index to orders."],
  ["We released it on 2026-02-01 to everyone.", "We released it on 2026-01-01 to everyone."],
  ["Version 4.18.3 renames a column of orders.", "Version 4.18.2 renames a column of orders."],
  ["Commit 1c9d0fe adds the queue to jobs.", "Commit 2c9d0fe adds the queue to jobs."],
  ["It took 3 hours.", "It took 2 hours."],
];

Deno.test("changesFigure() hears the same clause with another figure, and nothing that only has a number", () => {
  for (const [text, known] of OTHERS) {
    assert.ok(changesFigure(text, known), text);
    assert.ok(changesFigure(known, text), known);
  }
  for (const [text, known] of NO_OTHERS) assert.ok(!changesFigure(text, known), text);
});
