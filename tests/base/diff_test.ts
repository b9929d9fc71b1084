/** The diff that people are shown before their settings change. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { renderDiff } from "../../src/base/text/diff.ts";
import { depth } from "../support/depth.ts";

Deno.test("renderDiff() shows changed lines with three lines around them", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  assert.equal(
    renderDiff(before, before.replace("5\n", "five\n")),
    "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
  assert.equal(renderDiff(undefined, "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
  assert.equal(renderDiff("a\n", undefined), "@@ -1,1 +0,0 @@\n-a\n");
  assert.equal(renderDiff(before, before), "");
});

Deno.test("renderDiff() parts far changes into hunks", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
  const after = lines.with(2, "two").with(35, "thirty-five");
  assert.equal(renderDiff(lines.join("\n"), after.join("\n")).match(/^@@/gm)?.length, 2);
});

Deno.test("renderDiff() names every line that went and came", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const out = renderDiff(a.join("\n"), b.join("\n")).split("\n");
      const count = (sign: string) => out.filter((line) => line.startsWith(sign)).length;
      assert.equal(count("+") - count("-"), b.length - a.length);
    }),
    { numRuns: depth(200, 5000) },
  );
});
