import assert from "node:assert/strict";
import { trim, type Trimmable, withSuccessorsFirst } from "../../src/search/ranking/trim.ts";

function item(id: string, combined: number, more: Partial<Trimmable> = {}): Trimmable {
  return {
    id,
    title: id,
    combined,
    contentHash: id,
    snippet: `${id} has words of its own, ${id.repeat(3)}`,
    supersedes: [],
    supersededBy: undefined,
    ...more,
  };
}

const ids = (items: readonly Trimmable[]): string[] => items.map(({ id }) => id);

Deno.test("trim() keeps one of two copies and names it", () => {
  const copy = { title: "Guide", snippet: "the same words in the same order" };
  const items = [item("guide", 0.9, copy), item("guide-v1", 0.8, copy), item("other", 0.8)];
  const { kept, dropped } = trim(items);
  assert.deepEqual(ids(kept), ["guide", "other"]);
  assert.deepEqual(dropped.map(({ because }) => because), ["guide"]);
});

Deno.test("trim() takes texts for one that are the same file, or hardly differ", () => {
  const of = (id: string, last: string, more: Partial<Trimmable> = {}): Trimmable =>
    item(id, 0.9, { title: "Guide", snippet: `one two three ${last}`, ...more });
  assert.deepEqual(ids(trim([of("a", "four"), of("b", "five")]).kept), ["a", "b"]);
  const copies = [of("a", "four", { contentHash: "x" }), of("b", "five", { contentHash: "x" })];
  assert.deepEqual(ids(trim(copies).kept), ["a"]);
  const unread = [of("a", "four", { contentHash: "" }), of("b", "five", { contentHash: "" })];
  assert.deepEqual(ids(trim(unread).kept), ["a", "b"]);
});

Deno.test("trim() serves a note that says it replaces itself", () => {
  assert.deepEqual(ids(trim([item("a", 0.9, { supersedes: ["a"] })]).kept), ["a"]);
});

Deno.test("trim() never serves a superseded note in recall", () => {
  const items = [item("old", 0.95, { supersededBy: "new" }), item("x", 0.8)];
  assert.deepEqual(ids(trim(items).kept), ["x"]);
});

Deno.test("trim() serves notes that supersede each other in a circle, and what replaces none of them", () => {
  const items = [
    item("a", 0.9, { supersedes: ["c"] }),
    item("b", 0.8, { supersedes: ["a"] }),
    item("c", 0.7, { supersedes: ["b", "d"] }),
    item("d", 0.6),
  ];
  assert.deepEqual(ids(trim(items).kept), ["a", "b", "c"]);
});

Deno.test("withSuccessorsFirst() puts a superseded note below its successor", () => {
  const items = [
    item("oldest", 0.95),
    item("old", 0.94, { supersedes: ["oldest"] }),
    item("x", 0.9),
    item("new", 0.8, { supersedes: ["old"] }),
    item("y", 0.7),
  ];
  assert.deepEqual(ids(withSuccessorsFirst(items)), ["x", "new", "old", "oldest", "y"]);
});

Deno.test("withSuccessorsFirst() keeps notes that supersede each other in a circle", () => {
  const items = [item("a", 0.9, { supersedes: ["b"] }), item("b", 0.9, { supersedes: ["a"] })];
  assert.deepEqual(ids(withSuccessorsFirst(items)).sort(), ["a", "b"]);
});
