/** What a person accepted stays accepted, also when they have been in the file with an editor. */
import assert from "node:assert/strict";
import { allow, allowances, listAllowances } from "../../src/memory/guard/allowed.ts";
import { put, read, world } from "../support/world.ts";

const accepted = (value: string) => ({ rule: "aws", place: "src/a.ts:3", reason: "sample", value });

Deno.test("a last line without a line break counts, and the next entry begins on a line of its own", async () => {
  using on = await world();
  const path = `${on.home}/.sage/allowed.jsonl`;
  allow(on.memory, accepted("first"));
  put(path, read(path).trimEnd());
  assert.ok(allowances(on.memory)("aws", "first"));
  allow(on.memory, accepted("second"));
  const isAllowed = allowances(on.memory);
  assert.ok(isAllowed("aws", "first"));
  assert.ok(isAllowed("aws", "second"));
  assert.equal(isAllowed("aws", "third"), false);
  assert.equal(isAllowed("gcp", "first"), false);
  assert.equal(listAllowances(on.memory).length, 2);
});
