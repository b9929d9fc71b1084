/** Pooling, unit length, int8 and the scan against their twins: to the bit, but for the norm. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createCore, floatsAt } from "../../src/base/core.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";
import * as twins from "../support/twins.ts";

const core = createCore();
const numRuns = depth(150, 5000);
const dims = fc.constantFrom(16, 48, 64, 128, 256, 384, 1024);
const scale = fc.float({ min: Math.fround(1e-6), max: 4, noNaN: true });
const component = fc.oneof(
  fc.float({ min: -4, max: 4, noNaN: true }),
  fc.constantFrom(0, -0, 1, -1, 0.5, 63.5, Math.fround(1e-38)),
);

/** Rows of int8 in ±127 made from a seed: shrinking single bytes would only be slow. */
function int8Rows(count: number, size: number, seed: number): Int8Array {
  let state = seed | 1;
  return Int8Array.from({ length: count * size }, () => {
    state = Math.imul(state, 1103515245) + 12345;
    return ((state >>> 16) % 255) - 127;
  });
}

Deno.test("poolTokens() sums to the twin's bits", () => {
  fc.assert(
    fc.property(dims, fc.array(scale, { maxLength: 20 }), fc.nat(), (size, scales, seed) => {
      const rows = int8Rows(scales.length, size, seed);
      const expected = new Float32Array(size);
      const split = scales.map((_, i) => rows.subarray(i * size, (i + 1) * size));
      twins.poolRows(split, scales, expected);
      // Through a table in which they lie backwards.
      const backwards = [...split].reverse();
      const ids = Uint32Array.from(scales, (_, i) => scales.length - 1 - i);
      scratch(core, () => {
        const sum = put(core, new Float32Array(size));
        const table = put(core, Int8Array.from(backwards.flatMap((row) => [...row])));
        const tableScales = put(core, Float32Array.from([...scales].reverse()));
        core.poolTokens(put(core, ids), ids.length, table, tableScales, size, sum);
        assert.deepEqual(floatsAt(core, sum, size), expected);
      });
    }),
    { numRuns },
  );
});

Deno.test("dotRuns() gives the twin's scalar products, whatever was asked before", () => {
  const cut = fc.array(fc.nat(60), { maxLength: 5 });
  let turn = 0;
  fc.assert(
    fc.property(
      dims,
      fc.array(scale, { minLength: 1, maxLength: 20 }),
      cut,
      fc.nat(),
      (size, scales, cuts, seed) => {
        const rows = int8Rows(scales.length, size, seed);
        const fine = Int16Array.from(int8Rows(1, size, seed + 1), (value) => value * 258);
        // Each token comes several times, and far apart ones share a place in the memory of products.
        const ids = Uint16Array.from({ length: 60 }, (_, i) => (i * 7 + seed) % scales.length);
        const ends = Uint32Array.from([...cuts, 60].sort((a, b) => a - b));
        const rowOf = (id: number) => rows.subarray(id * size, (id + 1) * size);
        const expected = [...ends].map((end, i) => {
          const run = [...ids.subarray(ends[i - 1] ?? 0, end)];
          return twins.dotRows(run.map(rowOf), run.map((id) => scales[id] ?? 0), fine);
        });
        scratch(core, () => {
          const table = put(core, rows);
          const tableScales = put(core, Float32Array.from(scales));
          const [idsAt, endsAt, fineAt] = [put(core, ids), put(core, ends), put(core, fine)];
          const out = core.alloc(ends.length * 8);
          turn++;
          const runs = ends.length;
          core.dotRuns(idsAt, endsAt, runs, table, tableScales, size, fineAt, turn, out);
          assert.deepEqual([...new Float64Array(core.memory.buffer, out, runs)], expected);
        });
      },
    ),
    { numRuns },
  );
});

Deno.test("dotRuns() keeps apart tokens that share a place", () => {
  scratch(core, () => {
    const [count, size] = [4097, 16];
    const rows = int8Rows(count, size, 3);
    const fine = Int16Array.from(int8Rows(1, size, 4));
    const at = [put(core, rows), put(core, new Float32Array(count).fill(1))] as const;
    const out = core.alloc(8);
    const of = (id: number): number => {
      const [ids, ends] = [put(core, Uint16Array.of(id)), put(core, Uint32Array.of(1))];
      core.dotRuns(ids, ends, 1, ...at, size, put(core, fine), 1_000_000, out);
      return new Float64Array(core.memory.buffer, out, 1)[0] ?? NaN;
    };
    for (const id of [0, 4096, 0, 4096]) {
      assert.equal(of(id), twins.dotRows([rows.subarray(id * size, (id + 1) * size)], [1], fine));
    }
  });
});

const vector = dims.chain((size) => fc.array(component, { minLength: size, maxLength: size }))
  .map((values) => Float32Array.from(values));

Deno.test("dot16() is dot() of the same whole numbers", () => {
  fc.assert(
    fc.property(vector, (values) => {
      const fine = Int16Array.from(values, (value) => Math.trunc(value) % 32_768);
      scratch(core, () => {
        const at = put(core, values);
        assert.equal(
          core.dot16(put(core, fine), at, values.length),
          core.dot(put(core, Float32Array.from(fine)), at, values.length),
        );
      });
    }),
    { numRuns },
  );
});

Deno.test("add() and dot() give what the twin gives", () => {
  const pair = dims.chain((size) => {
    const values = fc.array(component, { minLength: size, maxLength: size });
    return fc.tuple(values, values);
  });
  fc.assert(
    fc.property(pair, ([left, right]) => {
      const [a, b] = [Float32Array.from(left), Float32Array.from(right)];
      scratch(core, () => {
        const [atA, atB] = [put(core, a), put(core, b)];
        // Of what cancels out, the order of adding decides what is left.
        const size = a.reduce((sum, value, d) => sum + Math.abs(value * (b[d] ?? 0)), 0);
        const difference = Math.abs(core.dot(atA, atB, a.length) - twins.dot(a, b));
        assert.ok(difference <= size * 1e-12, `${difference} of ${size}`);
        core.add(atA, atB, a.length);
        assert.deepEqual(floatsAt(core, atA, a.length), a.map((value, d) => value + (b[d] ?? 0)));
      });
    }),
    { numRuns },
  );
});

Deno.test("normalize() gives unit length and the norm", () => {
  fc.assert(
    fc.property(vector, (values) => {
      const expected = values.slice();
      const norm = twins.normalize(expected);
      scratch(core, () => {
        const at = put(core, values);
        assertNear(core.normalize(at, values.length), norm);
        floatsAt(core, at, values.length).forEach((value, d) => assertNear(value, expected[d]));
      });
    }),
    { numRuns },
  );
});

Deno.test("normalize() leaves a zero vector alone", () => {
  scratch(core, () => {
    const at = put(core, new Float32Array(64));
    assert.equal(core.normalize(at, 64), 0);
    assert.deepEqual(floatsAt(core, at, 64), new Float32Array(64));
  });
});

Deno.test("quantize() gives the twin's bytes and scale", () => {
  fc.assert(
    fc.property(vector, (values) => {
      const expected = twins.quantize(values);
      scratch(core, () => {
        const out = put(core, new Int8Array(values.length).fill(99));
        assert.equal(core.quantize(put(core, values), values.length, out), expected.scale);
        assert.deepEqual(new Int8Array(core.memory.buffer, out, values.length), expected.row);
      });
    }),
    { numRuns },
  );
});

Deno.test("quantize16() gives the twin's numbers and scale", () => {
  fc.assert(
    fc.property(vector, (values) => {
      const expected = twins.quantize16(values);
      scratch(core, () => {
        const out = core.alloc(values.length * 2);
        assert.equal(core.quantize16(put(core, values), values.length, out), expected.scale);
        assert.deepEqual(
          new Int16Array(core.memory.buffer, out, values.length),
          expected.row,
        );
      });
    }),
    { numRuns },
  );
});

Deno.test("quantize() rounds halves to even", () => {
  scratch(core, () => {
    const values = Float32Array.of(127, 0.5, 1.5, 2.5, -0.5, -1.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const out = core.alloc(16);
    core.quantize(put(core, values), 16, out);
    const row = new Int8Array(core.memory.buffer, out, 6);
    assert.deepEqual([...row], [127, 0, 2, 2, 0, -2]);
  });
});

Deno.test("quantize() gives zeros and scale 0 when nothing is above its floor", () => {
  scratch(core, () => {
    const out = put(core, new Int8Array(16).fill(99));
    assert.equal(core.quantize(put(core, new Float32Array(16).fill(1e-38)), 16, out), 0);
    assert.deepEqual(new Int8Array(core.memory.buffer, out, 16), new Int8Array(16));
  });
});

Deno.test("scanInt8() gives the twin's bits for any count and size", () => {
  const counts = fc.oneof(fc.nat(40), fc.constantFrom(4095, 4096, 4097, 8193));
  fc.assert(
    fc.property(dims, counts, scale, fc.nat(), (size, count, queryScale, seed) => {
      const query = int8Rows(1, size, seed + 1);
      const rows = int8Rows(count, size, seed);
      const scales = Float32Array.from({ length: count }, (_, i) => (i % 7) / 100);
      const expected = twins.scanInt8(query, queryScale, rows, scales);
      scratch(core, () => {
        const out = put(core, new Float32Array(count).fill(-1));
        const [q, r, s] = [put(core, query), put(core, rows), put(core, scales)];
        core.scanInt8(q, queryScale, r, s, count, size, out);
        assert.ok(sameFloats(floatsAt(core, out, count), expected));
      });
    }),
    { numRuns: depth(60, 1000) },
  );
});

Deno.test("scanInt8() does not overflow when every component is at its limit", () => {
  scratch(core, () => {
    const size = 8192;
    const query = put(core, new Int8Array(size).fill(127));
    const rows = put(core, new Int8Array(size * 3).fill(-127));
    const out = put(core, new Float32Array(3));
    core.scanInt8(query, 1, rows, put(core, new Float32Array(3).fill(1)), 3, size, out);
    const expected = Math.fround(-127 * 127 * size);
    assert.deepEqual(floatsAt(core, out, 3), new Float32Array(3).fill(expected));
  });
});

function assertNear(actual: number, expected = 0): void {
  const allowed = Math.max(Math.abs(expected), 1e-30) * 1e-6;
  assert.ok(Math.abs(actual - expected) <= allowed, `${actual} is not near ${expected}`);
}

function sameFloats(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
