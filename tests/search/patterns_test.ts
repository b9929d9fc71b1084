import assert from "node:assert/strict";
import { checkPattern, matchPatterns } from "../../src/search/query/patterns.ts";
import { depth } from "../support/depth.ts";
import { seeded } from "./random.ts";
import { assertQuick } from "../support/quick.ts";

Deno.test("checkPattern() accepts RE2 and says why not", async () => {
  assert.deepEqual(await checkPattern("\\bcurat(or|ing)\\b"), { ok: true });
  for (const bad of ["", "(", "a".repeat(201), "(?=x)y", "(a)\\1", "x*", "(.*){1,900}x"]) {
    const check = await checkPattern(bad);
    assert.ok(!check.ok && check.reason.length > 5, bad);
  }
});

Deno.test("matchPatterns() ignores case and passes over what is no pattern", async () => {
  const hits = await matchPatterns(["err(or)?\\s+E\\d+", "(", "never"], "Got ERROR e42 today");
  assert.deepEqual([...hits], ["err(or)?\\s+E\\d+"]);
});

Deno.test("a pattern is quick on the longest query, or refused", async () => {
  const random = seeded(3);
  const atoms = ["a", ".", "\\w", "[^x]", "(a|b)", "(?:ab)?", "\\s", "\\p{L}"];
  const counts = ["*", "+", "?", "{0,9}", "{2,30}", "{1,200}", "*?", ""];
  const piece = (): string => `${random.pick(atoms)}${random.pick(counts)}`;
  const text = "ab cd a1 é ".repeat(400).slice(0, 4000);
  let tried = 0;
  for (let i = 0; i < depth(200, 1000); i++) {
    let pattern = "";
    for (let n = 1 + random.below(8); n > 0; n--) pattern += piece();
    for (let n = random.below(3); n > 0; n--) pattern = `(${pattern})${random.pick(counts)}`;
    if (!(await checkPattern(`${pattern}zz`)).ok) continue;
    await assertQuick(() => matchPatterns([`${pattern}zz`], text), 200, pattern);
    tried++;
  }
  assert.ok(tried > 0);
});
