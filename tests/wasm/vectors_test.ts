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

Deno.test("dotTokens() gives the twin's scalar product", () => {
  fc.assert(
    fc.property(dims, fc.array(scale, { maxLength: 20 }), fc.nat(), (size, scales, seed) => {
      const rows = int8Rows(scales.length, size, seed);
      const split = scales.map((_, i) => rows.subarray(i * size, (i + 1) * size));
      const fine = Int16Array.from(int8Rows(1, size, seed + 1), (value) => value * 258);
      const ids = Uint32Array.from(scales, (_, i) => i);
      scratch(core, () => {
        const table = put(core, rows);
        const tableScales = put(core, Float32Array.from(scales));
        const [idsAt, fineAt] = [put(core, ids), put(core, fine)];
        assert.equal(
          core.dotTokens(idsAt, ids.length, table, tableScales, size, fineAt),
          twins.dotRows(split, scales, fine),
        );
      });
    }),
    { numRuns },
  );
});

const vector = dims.chain((size) => fc.array(component, { minLength: size, maxLength: size }))
  .map((values) => Float32Array.from(values));

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
    const size = 4096;
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
