import assert from "node:assert/strict";
import { parseWhen, periodIn } from "../../src/base/when.ts";
import { timeZone } from "../support/time_zone.ts";

const NOW = Date.parse("2026-02-10T12:00:00Z");

Deno.test("parseWhen() knows dates, spans and words, and nothing else", () => {
  using _ = timeZone("UTC");
  const day = (value: string) => {
    const start = parseWhen(value, NOW);
    return start === undefined ? undefined : new Date(start).toISOString().slice(0, 10);
  };
  assert.deepEqual(
    ["2026-01-31", "2026-01", "2025", "7d", "2w", "1m", "Yesterday", "last-week", "since last week"]
      .map(day),
    [
      "2026-01-31",
      "2026-01-01",
      "2025-01-01",
      "2026-02-03",
      "2026-01-27",
      "2026-01-10",
      "2026-02-09",
      "2026-01-27",
      "2026-01-27",
    ],
  );
  assert.deepEqual(
    ["2026-13", "soon", "99", "d7", "", "not yesterday", "yesterday-ish"].map(day),
    Array(7).fill(undefined),
  );
});

Deno.test("parseWhen() of a span that reaches behind all time is the beginning of it", () => {
  assert.equal(parseWhen("9999y", NOW), 0);
});

Deno.test("periodIn() takes a day without its year for the last such day, also one that this year lacks", () => {
  using _ = timeZone("UTC");
  const day = (text: string, now: string) => {
    const start = periodIn(text, Date.parse(now))?.start;
    return start === undefined ? undefined : new Date(start).toISOString().slice(0, 10);
  };
  assert.equal(day("the talk of 3 March", "2025-02-10T12:00:00Z"), "2024-03-03");
  assert.equal(day("the talk of 29 February", "2025-02-10T12:00:00Z"), "2024-02-29");
  assert.equal(day("the talk of 29 February", "2028-02-29T12:00:00Z"), "2028-02-29");
});
