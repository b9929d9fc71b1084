/** merge3() joins what does not touch and never invents or drops a line. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { merge3, mergePieces } from "../../src/note/merge.ts";
import { depth } from "../support/depth.ts";

const BASE = "a\nb\nc\nd\ne\n";

Deno.test("merge3() joins changes with a line between them", () => {
  assert.deepEqual(merge3(BASE, "A\nb\nc\nd\ne\n", "a\nb\nc\nD\ne\n"), {
    clean: true,
    text: "A\nb\nc\nD\ne\n",
  });
  assert.deepEqual(merge3(BASE, "0\na\nb\nc\nd\ne\n", "a\nb\nc\nd\ne\nf"), {
    clean: true,
    text: "0\na\nb\nc\nd\ne\nf",
  });
  assert.deepEqual(merge3(BASE, "a\nc\nd\ne\n", "a\nb\nc\nd\n"), {
    clean: true,
    text: "a\nc\nd\n",
  });
});

Deno.test("merge3() takes the same change once", () => {
  assert.deepEqual(merge3(BASE, "a\nB\nc\nd\ne\n", "a\nB\nc\nd\nE\n"), {
    clean: true,
    text: "a\nB\nc\nd\nE\n",
  });
});

Deno.test("merge3() leaves overlapping and touching changes to a person", () => {
  for (
    const [mine, theirs] of [
      ["a\nX\nc\nd\ne\n", "a\nY\nc\nd\ne\n"],
      ["a\nX\nc\nd\ne\n", "a\nb\nY\nd\ne\n"],
      ["a\nb\n1\nc\nd\ne\n", "a\nb\n2\nc\nd\ne\n"],
      ["a\nb\nd\ne\n", "a\nb\nC\nd\ne\n"],
      [BASE + "x\n", BASE + "y\n"],
      ["a\nb\nc\nd\ne", "a\nb\nc\nd\nE\n"],
      ["", "a\nb\nC\nd\ne\n"],
      ["c\nd\ne\n", "a\nc\nd\ne\n"],
    ]
  ) assert.deepEqual(merge3(BASE, mine ?? "", theirs ?? ""), { clean: false }, mine);
});

const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n", "x\r\n"), { maxLength: 14 })
  .chain((lines) => fc.constantFrom("", "end").map((end) => lines.join("") + end));

Deno.test("merge3() gives the other side when one did nothing, and is symmetric", () => {
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      assert.deepEqual(merge3(base, base, theirs), { clean: true, text: theirs });
      assert.deepEqual(merge3(base, mine, base), { clean: true, text: mine });
      assert.deepEqual(merge3(base, mine, mine), { clean: true, text: mine });
      assert.deepEqual(merge3(base, mine, theirs), merge3(base, theirs, mine));
    }),
    { numRuns: depth(2000, 100_000) },
  );
});

Deno.test("merge3() applies two edits of different places exactly", () => {
  const block = fc.array(fc.string({ maxLength: 3 }).map((s) => s.replaceAll("\n", "") + "\n"), {
    maxLength: 4,
  }).map((lines) => lines.join(""));
  fc.assert(
    fc.property(block, block, block, block, (first, second, third, fourth) => {
      // Lines that occur once keep the two places apart, whatever stands around them.
      const join = (a: string, b: string) => `${a}<1>\n<2>\n<3>\n${b}`;
      assert.deepEqual(
        merge3(join(first, second), join(third, second), join(first, fourth)),
        { clean: true, text: join(third, fourth) },
      );
    }),
    { numRuns: depth(2000, 100_000) },
  );
});

Deno.test("merge3() gives up on texts with nothing in common within its bound", () => {
  const lines = (mark: string) =>
    Array.from({ length: 20_000 }, (_, i) => `${mark}${i}\n`).join("");
  assert.deepEqual(merge3(lines("a"), lines("b"), lines("c")), { clean: false });
});

Deno.test("mergePieces() parts what both sides changed from what one did", () => {
  const pieces = (mine: string, theirs: string) => mergePieces("a\nb\nc\n", mine, theirs);
  assert.deepEqual(pieces("a\n1\nb\nc\n", "a\n2\nb\nc\n"), [
    ["a\n"],
    { base: [], mine: ["1\n"], theirs: ["2\n"] },
    ["b\n", "c\n"],
  ]);
  assert.deepEqual(pieces("a\n1\nb\nc\n", "a\nB\nc\n").flat().join(""), "a\n1\nB\nc\n");
  assert.deepEqual(pieces("a\nb\n1\nc\n", "a\nB\nc\n").flat().join(""), "a\nB\n1\nc\n");
  const other = Array.from({ length: 3000 }, (_, i) => `${i}\n`);
  assert.deepEqual(pieces(other.join(""), "a\nb\n"), [
    { base: ["a\n", "b\n", "c\n"], mine: other, theirs: ["a\n", "b\n"] },
  ]);
});
