import assert from "node:assert/strict";
import { checkPattern, matchPatterns } from "../../src/search/patterns.ts";

Deno.test("checkPattern() accepts RE2 and says why not", async () => {
  assert.deepEqual(await checkPattern("\\bcurat(or|ing)\\b"), { ok: true });
  for (const bad of ["", "(", "a".repeat(201), "(?=x)y", "(a)\\1", "x*"]) {
    const check = await checkPattern(bad);
    assert.ok(!check.ok && check.reason.length > 5, bad);
  }
});

Deno.test("matchPatterns() ignores case and passes over what is no pattern", async () => {
  const hits = await matchPatterns(["err(or)?\\s+E\\d+", "(", "never"], "Got ERROR e42 today");
  assert.deepEqual([...hits], ["err(or)?\\s+E\\d+"]);
});

Deno.test("matchPatterns() is quick where backtracking is not", async () => {
  const start = performance.now();
  await matchPatterns(["^(a+)+$", "(a|a)*b", "(.*)*x"], `${"a".repeat(3000)}!`);
  assert.ok(performance.now() - start < 2000);
});
