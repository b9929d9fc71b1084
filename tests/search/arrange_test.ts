import assert from "node:assert/strict";
import { arrange, type Arrangeable } from "../../src/search/ranking/arrange.ts";

const plain = { phrases: [], since: undefined, wantsNewest: false, dated: undefined };

function item(id: string, combined: number, more: Partial<Arrangeable> = {}): Arrangeable {
  return {
    id,
    title: id,
    combined,
    contentHash: id,
    snippet: "",
    supersedes: [],
    supersededBy: undefined,
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    status: "active",
    kind: "knowledge",
    ...more,
  };
}

const ids = (items: readonly Arrangeable[]): string => items.map(({ id }) => id).join("");

Deno.test("arrange() changes nothing where nothing else was asked", () => {
  assert.equal(ids(arrange([item("a", 0.9), item("b", 0.8), item("c", 0.7)], plain)), "abc");
});

Deno.test("arrange() puts the newest first of what has the same score as it is shown", () => {
  const of = (id: string, combined: number, updated: string) => ({
    ...item(id, combined),
    updated,
  });
  const items = [
    of("a", 0.99, "2026-03-25T10:00:00Z"),
    of("b", 0.9504, "2025-12-31T10:00:00Z"),
    of("c", 0.9499, "2026-06-03T10:00:00Z"),
    of("d", 0.949, "2026-07-03T10:00:00Z"),
    of("e", 0.1, "2025-07-03T10:00:00Z"),
    of("f", 0.1, "2026-07-03T10:00:00Z"),
  ];
  assert.equal(ids(arrange(items, plain)), "acbdfe");
});

Deno.test("arrange() puts what has the quoted phrase first, whatever its case and joints", () => {
  const items = [
    item("a", 0.9, { snippet: "the queue of letters that are dead" }),
    item("b", 0.8, { snippet: "A dead-letter QUEUE grew" }),
    item("c", 0.7, { title: "Dead letter queue" }),
  ];
  assert.equal(ids(arrange(items, { ...plain, phrases: ["dead letter queue"] })), "bca");
  assert.equal(ids(arrange(items, { ...plain, phrases: ["never said"] })), "abc");
});

Deno.test("arrange() puts the newest first where a time is all that was asked for", () => {
  const items = [
    item("a", 0.9),
    item("b", 0.4, { updated: "2026-02-01T00:00:00Z" }),
    item("c", 0.1, { updated: "2026-03-01T00:00:00Z" }),
  ];
  const dated = { kinds: ["knowledge"], from: "2026-01-15T00:00:00Z" } as const;
  assert.equal(ids(arrange(items, { ...plain, dated })), "cba");
});

Deno.test("arrange() puts what was updated since then first, and hides nothing", () => {
  const items = [item("a", 0.9), item("b", 0.5, { updated: "2026-02-01T00:00:00Z" })];
  assert.equal(ids(arrange(items, { ...plain, since: "2026-01-27T00:00:00Z" })), "ba");
  assert.equal(ids(arrange(items, { ...plain, since: "2026-02-01T00:00:00Z" })), "ba");
});

Deno.test("arrange() puts the newest first among what fits about as well", () => {
  const items = [
    item("a", 0.9),
    item("b", 0.8, { updated: "2026-02-01T00:00:00Z" }),
    item("c", 0.3, { updated: "2026-03-01T00:00:00Z" }),
  ];
  assert.equal(ids(arrange(items, { ...plain, wantsNewest: true })), "bac");
});

Deno.test("arrange() does not take an archived note for new, because it was archived lately", () => {
  const archived = { updated: "2026-03-01T00:00:00Z", status: "archived" } as const;
  const items = [
    item("a", 0.9, archived),
    item("b", 0.8, { updated: "2026-02-01T00:00:00Z" }),
    item("c", 0.7, { ...archived, created: "2026-02-02T00:00:00Z" }),
  ];
  assert.equal(ids(arrange(items, { ...plain, wantsNewest: true })), "cba");
  assert.equal(ids(arrange(items, { ...plain, since: "2026-01-27T00:00:00Z" })), "bca");
});

Deno.test("arrange() never puts an old version above its successor, also when it has the phrase", () => {
  const items = [
    item("o", 0.9, { snippet: "the old phrase" }),
    item("x", 0.8),
    item("n", 0.7, { supersedes: ["o"] }),
  ];
  assert.equal(ids(arrange(items, plain)), "xno");
  assert.equal(ids(arrange(items, { ...plain, phrases: ["old phrase"] })), "xno");
});

Deno.test("arrange() puts notes of a kind and a time first, and hides nothing", () => {
  const items = [
    item("a", 0.9),
    item("b", 0.4, { kind: "checkpoint", updated: "2026-01-09T23:59:59Z" }),
    item("c", 0, { kind: "checkpoint", updated: "2026-01-10T08:00:00Z" }),
    item("d", 0.8, { kind: "session", updated: "2026-01-10T08:00:00Z" }),
    item("e", 0.1, { kind: "checkpoint", updated: "2026-01-11T00:00:00Z" }),
  ];
  const [from, to] = ["2026-01-10T00:00:00Z", "2026-01-11T00:00:00Z"];
  const dated = { kinds: ["checkpoint"], from, to } as const;
  assert.equal(ids(arrange(items, { ...plain, dated })), "cabde");
});

Deno.test("arrange() puts the last note of a kind first, of those that fit where some do", () => {
  const items = [
    item("a", 0.9),
    item("b", 0.7, { kind: "session", updated: "2026-01-02T00:00:00Z" }),
    item("c", 0.6, { kind: "session", updated: "2026-01-03T00:00:00Z" }),
    item("d", 0.1, { kind: "session", updated: "2026-01-04T00:00:00Z" }),
  ];
  const dated = { kinds: ["session"] } as const;
  assert.equal(ids(arrange(items, { ...plain, dated })), "cbad");
  const others = items.map((one) => ({ ...one, combined: one.combined / 4 }));
  assert.equal(ids(arrange(others, { ...plain, dated })), "dcba");
});
