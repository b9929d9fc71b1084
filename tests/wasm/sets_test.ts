/** Terms looked up and documents counted, against JavaScript's own sets. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bytesAt,
  bytesOfSet,
  createCore,
  POSTINGS,
  postingsBytesMax,
  wordsAt,
} from "../../src/base/core.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";
import * as twins from "../support/twins.ts";

const core = createCore();
const DOCUMENTS = 200;
const numRuns = depth(300, 10_000);
const documents = fc.uniqueArray(fc.nat(DOCUMENTS - 1)).map((all) => all.sort((a, b) => a - b));
/** Some of which begin at the same slot; zero is a hash like any other. */
const hash = fc.oneof(
  fc.bigInt({ min: 0n, max: 40n }).map((n) => n << 40n),
  fc.bigInt({ min: 0n, max: 9n }),
);

Deno.test("findTerms() finds what the twin's table has, and nothing else", () => {
  const lists = fc.array(fc.array(hash, { maxLength: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(lists, fc.array(hash), (list, asked) => {
      const expected = twins.invert(list);
      scratch(core, () => {
        const places = find(...layPostings(list), asked);
        assert.deepEqual(
          places.map(({ df }) => df),
          asked.map((one) => expected.get(one)?.size ?? 0),
        );
        // Each term has its own part of the lists.
        const starts = new Map(asked.map((one, i) => [one, places[i]?.start]));
        const known = [...starts].filter(([one]) => expected.has(one));
        assert.equal(new Set(known.map(([, start]) => start)).size, known.length);
      });
    }),
    { numRuns },
  );
});

Deno.test("findTerms() ends in a table that has no empty slot", () => {
  scratch(core, () => {
    const slot = [7n, (1n << 32n) | 5n];
    const table = put(core, BigUint64Array.from([...slot, ...slot, ...slot, ...slot]));
    assert.deepEqual(find(table, 4, [7n, 8n]), [{ start: 5, df: 1 }, { start: 0, df: 0 }]);
  });
});

Deno.test("isAscending() says whether a list can be one", () => {
  const list = fc.array(fc.nat(12), { maxLength: 6 });
  fc.assert(
    fc.property(fc.oneof(documents, list), fc.nat(DOCUMENTS), (all, limit) => {
      const expected = all.every((one, i) => one < limit && one > (all[i - 1] ?? -1));
      scratch(core, () => {
        const at = put(core, Uint32Array.from(all));
        assert.equal(core.isAscending(at, all.length, limit), Number(expected));
      });
    }),
    { numRuns },
  );
});

Deno.test("a set has what was put into it and what another has too", () => {
  fc.assert(
    fc.property(documents, documents, documents, (a, b, other) => {
      const either = new Set([...a, ...b]);
      const expected = [...either].filter((one) => other.includes(one)).sort((x, y) => x - y);
      scratch(core, () => {
        const bytes = bytesOfSet(DOCUMENTS);
        const [bits, others] = [layBits(a), layBits(other)];
        core.setBits(put(core, Uint32Array.from(b)), b.length, bits);
        assert.equal(core.countBits(bits, bytes), either.size);
        core.andBits(bits, others, bytes);
        assert.equal(core.countBits(bits, bytes), expected.length);
        const out = put(core, new Uint32Array(expected.length));
        assert.equal(core.listBits(bits, bytes, out), expected.length);
        assert.deepEqual([...wordsAt(core, out, expected.length)], expected);
      });
    }),
    { numRuns },
  );
});

function layPostings(list: readonly bigint[][]): [table: number, slots: number] {
  const hashes = list.flat();
  let end = 0;
  const ends = put(core, Uint32Array.from(list, (each) => end += each.length));
  const bytesMax = postingsBytesMax(hashes.length, list.length);
  const out = core.alloc(bytesMax);
  core.buildPostings(put(core, BigUint64Array.from(hashes)), ends, list.length, out, bytesMax);
  const header = new DataView(core.memory.buffer, out);
  return [
    out + header.getUint32(POSTINGS.slotsAt, true),
    header.getUint32(POSTINGS.slots, true),
  ];
}

function find(
  table: number,
  slots: number,
  asked: readonly bigint[],
): { start: number; df: number }[] {
  const hashes = put(core, BigUint64Array.from(asked));
  const out = put(core, new Uint32Array(asked.length * 2).fill(99));
  core.findTerms(table, slots, hashes, asked.length, out);
  const places = wordsAt(core, out, asked.length * 2);
  return asked.map((_, i) => ({ start: places[2 * i] ?? 0, df: places[2 * i + 1] ?? 0 }));
}

function layBits(all: readonly number[]): number {
  const bytes = bytesOfSet(DOCUMENTS);
  const at = core.alloc(bytes);
  bytesAt(core, at, bytes).fill(0);
  core.setBits(put(core, Uint32Array.from(all)), all.length, at);
  return at;
}
