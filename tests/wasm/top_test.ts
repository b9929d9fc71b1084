/** topK() against a full sort. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createCore, floatsAt, wordsAt } from "../../src/base/core.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";
import * as twins from "../support/twins.ts";

const core = createCore();
/** Few distinct values, so that ties are the rule. */
const value = fc.oneof(fc.float(), fc.constantFrom(0, -0, 1, 0.5, -Infinity, Infinity, NaN));

Deno.test("topK() gives the twin's order, ties by lower index", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), fc.nat(220), (list, k) => {
      const values = Float32Array.from(list);
      assert.deepEqual(run(values, k), twins.topK(values, k, -Infinity));
    }),
    { numRuns: depth(1000, 20_000) },
  );
});

Deno.test("topK() gives the twin's order of thousands, though a sample of them misleads", () => {
  const list = fc.array(value, { minLength: 1000, maxLength: 4000, size: "max" });
  const misled = fc.tuple(list, fc.boolean()).map(([values, is]) =>
    // Every sixteenth is sampled: these are the largest, and all the others are small.
    is ? values.map((one, i) => i % 16 === 0 ? 1e30 : Math.min(one, 1)) : values
  );
  fc.assert(
    fc.property(misled, fc.nat(1000), (list, k) => {
      const values = Float32Array.from(list);
      assert.deepEqual(run(values, k), twins.topK(values, k, -Infinity));
    }),
    { numRuns: depth(50, 1000) },
  );
});

Deno.test("topK() has all of tens of thousands in order, however they lay", () => {
  const count = 40_000;
  const orders: readonly ((i: number) => number)[] = [
    (i) => i,
    (i) => -i,
    (i) => Math.min(i, count - i),
    (i) => Math.max(i, count - i),
    () => 1,
    (i) => i % 5,
    (i) => i % 2 === 0 ? i : -i,
  ];
  for (const order of orders) {
    const values = Float32Array.from({ length: count }, (_, i) => order(i));
    assert.deepEqual(run(values, count), twins.topK(values, count, -Infinity), `${order}`);
  }
});

Deno.test("topK() keeps the first of equals when more are equal than wanted", () => {
  const values = new Float32Array(1000).fill(0.25);
  assert.deepEqual(run(values, 3).map(({ index }) => index), [0, 1, 2]);
});

Deno.test("topK() writes nothing when nothing is wanted", () => {
  assert.deepEqual(run(Float32Array.of(1, 2), 0), []);
});

Deno.test("topK() takes only what is above the bound", () => {
  const values = Float32Array.of(0, 3, -1, 0, NaN, 2, -0);
  assert.deepEqual(run(values, 5, 0).map(({ index }) => index), [1, 5]);
  const all = new Float32Array(4000).map((_, i) => i % 50 === 0 ? i : 0);
  assert.equal(run(all, 500, 0).length, 79);
});

function run(
  values: Float32Array,
  k: number,
  above = -Infinity,
): { index: number; value: number }[] {
  return scratch(core, () => {
    const at = put(core, values);
    const [indices, best] = [core.alloc(k * 4), core.alloc(k * 4)];
    const found = core.topK(at, values.length, k, above, indices, best);
    const bestView = floatsAt(core, best, found);
    return [...wordsAt(core, indices, found)].map((index, i) => ({
      index,
      value: bestView[i] ?? NaN,
    }));
  });
}
