/** One thing has one figure: who says it with another one says that the first does not hold. */
import assert from "node:assert/strict";
import { changesFigure, namesAnother } from "../../src/detect/decisions/changed_figures.ts";

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
  ["Sprint 15 ended with 27 points on Friday.", "Sprint 14 ended with 23 points on Friday."],
  ["The crane 2 lifts 6 tons at most.", "The crane 1 lifts 3 tons at most."],
];

Deno.test("changesFigure() hears the same clause with another figure, and nothing that only has a number", () => {
  for (const [text, known] of OTHERS) {
    assert.ok(changesFigure(text, known), text);
    assert.ok(changesFigure(known, text), known);
  }
  for (const [text, known] of NO_OTHERS) assert.ok(!changesFigure(text, known), text);
});

Deno.test("namesAnother() knows a number that is a name from one that is an amount", () => {
  assert.ok(namesAnother("Kapitel 5 endet am Deich.", "Kapitel 4 endet am Hafen."));
  assert.ok(namesAnother("Phase 14: sharing", "Phase 13 is about versions."));
  for (
    const [text, known] of [
      ["Keep 30 backups of it.", "Keep 14 backups of it."],
      ["Timeout 60 seconds", "Timeout 30 seconds"],
      ["Sessions 30 days", "Sessions 14 days"],
      ["Phase 14 is about sharing.", "Phase 14 is about versions."],
      ["Phase 14 is about sharing.", "Sprint 13 is about versions."],
      ["DHL allows 100 requests.", "DHL allows 60 requests."],
      ["Port 9090 is the API's.", "Port 8080 is the API's."],
    ] as const
  ) {
    assert.ok(!namesAnother(text, known), text);
  }
});
