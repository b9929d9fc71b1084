/** What documents can be worth, against the same sums in the host. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createCore, floatsAt, wordsAt } from "../../src/base/core.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";

const core = createCore();
const STEPS = 8;
const MASKED = -2;
const numRuns = depth(300, 10_000);
const share = fc.float({ min: 0, max: 2, noNaN: true });
const document = fc.record({
  cosine: fc.oneof(fc.float({ min: -1, max: 1 }), fc.constantFrom(0, MASKED, Infinity)),
  keyword: fc.oneof(share, fc.constant(0)),
  other: fc.oneof(share, fc.constant(0)),
  size: fc.float({ min: 0, max: 6, noNaN: true }),
});
const worths = fc.float({ min: 0, max: 3, noNaN: true });

Deno.test("addWorths() adds what the tables say of each signal", () => {
  const tables = fc.array(worths, { minLength: 3 * STEPS, maxLength: 3 * STEPS });
  const reach = fc.float({ min: 0.5, max: 2, noNaN: true });
  fc.assert(
    fc.property(fc.array(document), tables, reach, worths, (all, table, most, unknown) => {
      const worth = (signal: number, value: number): number => {
        const step = value > 0 ? Math.min(STEPS - 1, Math.floor(Math.fround(value) * STEPS)) : 0;
        return table[signal * STEPS + step] ?? 0;
      };
      const expected = all.map(({ cosine, keyword, other, size }) => {
        if (cosine === MASKED || cosine === 0 && keyword === 0 && other === 0) return 0;
        const sum = (cosine === 0 ? unknown : worth(0, cosine)) +
          (keyword > 0 ? worth(1, Math.fround(keyword / most)) : 0) +
          (other > 0 ? worth(2, Math.fround(other / most)) : 0);
        return sum > 0 ? sum - 0.25 * size : sum;
      });
      scratch(core, () => {
        const of = (key: "cosine" | "keyword" | "other" | "size") =>
          put(core, Float32Array.from(all, (one) => one[key]));
        const [cosines, keywords, others, sizes] = [
          of("cosine"),
          of("keyword"),
          of("other"),
          of("size"),
        ];
        const tablesAt = put(core, Float32Array.from(table));
        const out = core.alloc(all.length * 4);
        const highest = core.addWorths(
          cosines,
          keywords,
          others,
          sizes,
          all.length,
          most,
          MASKED,
          tablesAt,
          STEPS,
          unknown,
          -0.25,
          out,
        );
        floatsAt(core, out, all.length).forEach((sum, i) =>
          assert.ok(Math.abs(sum - (expected[i] ?? NaN)) < 1e-5, `${sum} for ${expected[i]}`)
        );
        const open = all.filter(({ cosine }) => cosine !== MASKED);
        assert.equal(highest, Math.max(0, ...open.map(({ keyword }) => keyword)));
      });
    }),
    { numRuns },
  );
});

Deno.test("spreadNotes() tells each document its note and what stands for the note's size", () => {
  const logs = Float32Array.of(0, 10, 20, 30);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 })), (counts) => {
      let next = 0;
      const starts = [...counts.map((count) => (next += count) - count), next];
      scratch(core, () => {
        const startsAt = put(core, Uint32Array.from(starts));
        const [notes, sizes] = [core.alloc(next * 4), core.alloc(next * 4)];
        const logsAt = put(core, logs);
        core.spreadNotes(startsAt, counts.length, logsAt, logs.length, notes, sizes);
        const owners = counts.flatMap((count, note) => new Array(count).fill(note));
        assert.deepEqual([...wordsAt(core, notes, next)], owners);
        assert.deepEqual(
          [...floatsAt(core, sizes, next)],
          owners.map((note) => logs[Math.min(3, counts[note] ?? 0)]),
        );
      });
    }),
    { numRuns },
  );
});
