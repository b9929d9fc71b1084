/** Inversion and BM25 against their twins, read through the layout that base/core.ts exports. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createCore, floatsAt, POSTINGS, postingsBytesMax, slotOf } from "../../src/base/core.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";
import * as twins from "../support/twins.ts";

const core = createCore();
/** Few distinct hashes, some of which begin at the same slot; zero is a hash like any other. */
const hash = fc.oneof(
  fc.bigInt({ min: 0n, max: 5n }),
  fc.bigInt({ min: 0n, max: 40n }).map((n) => n << 40n),
  fc.bigInt({ min: 0n, max: 0xffffffffffffffffn }),
);
const documents = fc.array(fc.array(hash, { maxLength: 30 }), { maxLength: 40 });

Deno.test("buildPostings() holds the twin's lists", () => {
  fc.assert(
    fc.property(documents, (list) => assert.deepEqual(readAll(build(list)), twins.invert(list))),
    { numRuns: depth(300, 10_000) },
  );
});

Deno.test("buildPostings() finds every term, and none that is not there, by probing", () => {
  fc.assert(
    fc.property(documents, hash, (list, other) => {
      const block = build(list);
      const expected = twins.invert(list);
      for (const term of [...expected.keys(), other]) {
        assert.deepEqual(lookUp(block, term), expected.get(term));
      }
    }),
    { numRuns: depth(300, 10_000) },
  );
});

Deno.test("buildPostings() grows its dictionary for many terms", () => {
  const list = Array.from(
    { length: 300 },
    (_, doc) =>
      Array.from({ length: 100 }, (_, i) => twins.termHash(`${(doc * 61 + i * 7) % 20_000}`)),
  );
  const block = build(list);
  assert.deepEqual(readAll(block), twins.invert(list));
  const terms = field(block, POSTINGS.terms);
  assert.ok(field(block, POSTINGS.slots) * 0.7 >= terms && terms > 4096);
});

Deno.test("buildPostings() stops counting a term at 255 and a length at 65,535", () => {
  const block = build([new Array(256).fill(1n), new Array(70_000).fill(2n)]);
  assert.deepEqual([...lookUp(block, 1n) ?? []], [[0, 255]]);
  assert.deepEqual([...lookUp(block, 2n) ?? []], [[1, 255]]);
  const lengths = new Uint16Array(block.buffer, field(block, POSTINGS.lengthsAt), 2);
  assert.deepEqual([...lengths], [256, 65_535]);
  assert.equal(field(block, POSTINGS.totalLength), 256 + 65_535);
});

Deno.test("buildPostings() says what it needs and writes nothing when the room is too small", () => {
  scratch(core, () => {
    const hashes = put(core, BigUint64Array.of(1n, 2n, 3n));
    const ends = put(core, Uint32Array.of(3));
    const out = put(core, new Uint8Array(4096).fill(7));
    const needed = core.buildPostings(hashes, ends, 1, out, 100);
    assert.ok(needed > 100 && needed <= postingsBytesMax(3, 1));
    assert.ok(new Uint8Array(core.memory.buffer, out, 4096).every((byte) => byte === 7));
    assert.equal(core.buildPostings(hashes, ends, 1, out, needed), needed);
  });
});

Deno.test("buildPostings() gives the same bytes again, whatever lay in memory before", () => {
  const list = [[5n, 6n, 5n], [], [6n]];
  const first = build(list);
  scratch(core, () => put(core, new Uint8Array(1 << 20).fill(255)));
  assert.deepEqual(build(list), first);
});

Deno.test("accumulateBm25() adds the twin's shares", () => {
  const entry = fc.record({ frequency: fc.integer({ min: 1, max: 255 }), length: fc.nat(65_535) });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 50 }),
      fc.float({ min: 1, max: 1000, noNaN: true }),
      fc.float({ min: Math.fround(0.01), max: 12, noNaN: true }),
      (entries, average, idf) => {
        const expected = entries.map(({ frequency, length }) =>
          twins.bm25(frequency, length, average, idf)
        );
        // Documents in reverse order, so that ids and places in the list differ.
        const docs = Uint32Array.from(entries, (_, i) => entries.length - 1 - i);
        const reversed = [...entries].reverse();
        scratch(core, () => {
          const scores = put(core, new Float32Array(entries.length));
          const args = [
            put(core, docs),
            put(core, Uint8Array.from(entries, (each) => each.frequency)),
            entries.length,
            put(core, Uint16Array.from(reversed, (each) => each.length)),
            average,
            idf,
            scores,
          ] as const;
          core.accumulateBm25(...args);
          const view = floatsAt(core, scores, entries.length);
          expected.forEach((share, i) => assertNear(view[entries.length - 1 - i], share));
          core.accumulateBm25(...args);
          expected.forEach((share, i) => assertNear(view[entries.length - 1 - i], share * 2));
        });
      },
    ),
    { numRuns: depth(300, 10_000) },
  );
});

Deno.test("accumulateBest() adds to each document the best of the twin's shares", () => {
  const posting = fc.record({ doc: fc.nat(20), frequency: fc.integer({ min: 1, max: 255 }) });
  const list = fc.record({
    postings: fc.uniqueArray(posting, { maxLength: 20, selector: ({ doc }) => doc }),
    weight: fc.float({ min: Math.fround(0.01), max: 12, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(list, { maxLength: 5 }),
      fc.array(fc.nat(65_535), { minLength: 21, maxLength: 21 }),
      fc.float({ min: 1, max: 1000, noNaN: true }),
      (lists, lengths, average) => {
        const shareOf = (doc: number, { postings, weight }: typeof lists[number]): number => {
          const frequency = postings.find((one) => one.doc === doc)?.frequency;
          if (frequency === undefined) return 0;
          return twins.bm25(frequency, lengths[doc] ?? 0, average, weight);
        };
        scratch(core, () => {
          const scores = put(core, new Float32Array(21).fill(1));
          const best = put(core, new Float32Array(21));
          const lengthsAt = put(core, Uint16Array.from(lengths));
          for (const { postings, weight } of lists) {
            core.accumulateBest(
              put(core, Uint32Array.from(postings, ({ doc }) => doc)),
              put(core, Uint8Array.from(postings, ({ frequency }) => frequency)),
              postings.length,
              lengthsAt,
              average,
              weight,
              best,
              scores,
            );
          }
          const [added, kept] = [floatsAt(core, scores, 21), floatsAt(core, best, 21)];
          for (let doc = 0; doc < 21; doc++) {
            const expected = Math.max(0, ...lists.map((one) => shareOf(doc, one)));
            assertNear(kept[doc], expected);
            assertNear(added[doc], 1 + expected);
          }
        });
      },
    ),
    { numRuns: depth(300, 10_000) },
  );
});

function build(list: readonly bigint[][]): Uint8Array<ArrayBuffer> {
  return scratch(core, () => {
    const hashes = list.flat();
    let end = 0;
    const ends = Uint32Array.from(list, (each) => end += each.length);
    const bytesMax = postingsBytesMax(hashes.length, list.length);
    const [at, endsAt] = [put(core, BigUint64Array.from(hashes)), put(core, ends)];
    const out = core.alloc(bytesMax);
    const bytes = core.buildPostings(at, endsAt, list.length, out, bytesMax);
    assert.ok(bytes <= bytesMax, "the stated most is not enough");
    const block = new Uint8Array(core.memory.buffer, out, bytes).slice();
    assert.equal(field(block, POSTINGS.bytes), bytes);
    return block;
  });
}

function field(block: Uint8Array, offset: number): number {
  return new DataView(block.buffer).getUint32(offset, true);
}

function listAt(block: Uint8Array, slot: number): Map<number, number> {
  const start = field(block, slot + POSTINGS.slotStart);
  const documentsAt = field(block, POSTINGS.documentsAt);
  const frequenciesAt = field(block, POSTINGS.frequenciesAt);
  const list = new Map<number, number>();
  for (let i = start; i < start + field(block, slot + POSTINGS.slotDf); i++) {
    list.set(field(block, documentsAt + i * 4), block[frequenciesAt + i] ?? 0);
  }
  return list;
}

function slotHash(block: Uint8Array, slot: number): bigint {
  return new DataView(block.buffer).getBigUint64(slot + POSTINGS.slotHashLow, true);
}

function readAll(block: Uint8Array): Map<bigint, Map<number, number>> {
  const found = new Map<bigint, Map<number, number>>();
  for (let i = 0; i < field(block, POSTINGS.slots); i++) {
    const slot = field(block, POSTINGS.slotsAt) + i * POSTINGS.slotBytes;
    if (field(block, slot + POSTINGS.slotDf) === 0) continue;
    found.set(slotHash(block, slot), listAt(block, slot));
  }
  assert.equal(found.size, field(block, POSTINGS.terms));
  return found;
}

/** As a reader of the file would: from the first slot, step by step, to the hash or a gap. */
function lookUp(block: Uint8Array, hash: bigint): Map<number, number> | undefined {
  const slots = field(block, POSTINGS.slots);
  const [low, high] = [Number(hash & 0xffffffffn), Number(hash >> 32n)];
  for (let i = slotOf(low, high, slots);; i = (i + 1) % slots) {
    const slot = field(block, POSTINGS.slotsAt) + i * POSTINGS.slotBytes;
    if (field(block, slot + POSTINGS.slotDf) === 0) return undefined;
    if (slotHash(block, slot) === hash) return listAt(block, slot);
  }
}

function assertNear(actual = NaN, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= Math.abs(expected) * 1e-6, `${actual} ${expected}`);
}
