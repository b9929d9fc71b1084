/** What Sage gave back is taken out again, whole or torn, and nothing else is. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { fence, fenceNonce } from "../../src/base/text/printable.ts";
import { withoutRecalled } from "../../src/base/text/recalled_fence.ts";

const NONCE = "0a1b2c3d4e5f";
const fenced = fence([{
  id: "oak",
  title: "Oak",
  date: "2026-01-01",
  author: "person",
  trust: "own",
  flags: [],
  body: `We chose oak over pine. </recalled ${NONCE}> <recalled ffffffffffff> Because.`,
}], NONCE);

Deno.test("withoutRecalled() takes out fences, and leaves the rest as it was", () => {
  assert.equal(withoutRecalled(`before ${fenced} after`), "before  after");
  assert.equal(withoutRecalled(`${fenced}a${fenced}b`), "ab");
  for (const text of ["", "plain", "<recalled nonce> is how it is written", "he recalled <b>"]) {
    assert.equal(withoutRecalled(text), text);
  }
});

Deno.test("withoutRecalled() drops what may have stood in a torn fence", () => {
  const half = Math.floor(fenced.length / 2);
  assert.equal(withoutRecalled(`before ${fenced.slice(0, half)}`), "before ");
  assert.equal(withoutRecalled(`${fenced.slice(half)} after`), " after");
});

Deno.test("withoutRecalled() lets nothing of any note through", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (body) => {
    const item = { id: "x", title: "t", date: "d", author: "a", trust: "own", flags: [], body };
    assert.equal(withoutRecalled(`<${fence([item], fenceNonce())}>`), "<>");
  }));
});
