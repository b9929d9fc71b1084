/** What is known, loaded at once: tiers, budget, and why the rest stays out. */
import assert from "node:assert/strict";
import { loadContext } from "../../src/memory/context.ts";
import { pinNote } from "../../src/memory/project/pin.ts";
import { findNote } from "../../src/memory/find.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { byHand, checkpoint, knowledge, MINUTE, type World, world } from "../support/world.ts";

async function pin(memory: Memory, ref: string): Promise<void> {
  const found = await findNote(memory, ref);
  assert.ok(found.kind === "one");
  assert.equal(await pinNote(memory, found.item, true), "changed");
}

async function filled(): Promise<World> {
  const on = await world();
  await knowledge(on.memory, "Old", "The oldest thing that is known here.");
  on.later(MINUTE);
  await knowledge(on.memory, "Everywhere", "What holds in all projects.", { scope: "user" });
  on.later(MINUTE);
  await knowledge(on.memory, "New", "A queue holds the retries of the importer.");
  on.later(MINUTE);
  await checkpoint(on.memory);
  return on;
}

Deno.test("loadContext() loads pinned, project, user, the last updated first in each", async () => {
  using on = await filled();
  await pin(on.memory, "everywhere");
  const { items, left_total, used, remaining, budget } = await loadContext(on.memory);
  assert.deepEqual(items.map(({ title, tier }) => [title.slice(0, 10), tier]), [
    ["Everywhere", "pinned"],
    ["Git shares", "project"],
    ["New", "project"],
    ["Old", "project"],
  ]);
  assert.equal(left_total, 0);
  assert.equal(budget, 15_000);
  assert.equal(used + remaining, budget);
  assert.equal(used, items.reduce((sum, { tokens }) => sum + tokens, 0));
  assert.match(items[1]?.text ?? "", /^# [^]*Thesis: Git shares hooks/);
});

Deno.test("a note with always: true counts as pinned until it is unpinned", async () => {
  using on = await filled();
  byHand(`${on.cwd}/.sage`, "knowledge/a.md", { id: "a", always: "true" }, "# Always this");
  const { items } = await loadContext(on.memory, { tokensMax: 1000 });
  assert.deepEqual([items[0]?.title, items[0]?.tier], ["Always this", "pinned"]);
  const told = await orient(on.memory, "s-2", "startup");
  assert.match(told?.text ?? "", /- Pinned: "Always this"/);
  const found = await findNote(on.memory, "a");
  assert.ok(found.kind === "one");
  assert.equal(await pinNote(on.memory, found.item, false), "changed");
  const { items: unpinned } = await loadContext(on.memory, { tokensMax: 1000 });
  assert.deepEqual(unpinned.filter(({ tier }) => tier === "pinned"), []);
});

Deno.test("loadContext() leaves out what does not fit, says why, and never goes over", async () => {
  using on = await filled();
  await knowledge(on.memory, "Long", "Every word of this costs something. ".repeat(60));
  for (const tokensMax of [40, 60, 100, 200, 1000]) {
    const context = await loadContext(on.memory, { tokensMax });
    assert.ok(context.used <= tokensMax, `${context.used} of ${tokensMax}`);
    assert.equal(context.items.length + context.left_total, 5);
  }
  const { items, left } = await loadContext(on.memory, { tokensMax: 200 });
  // A shorter one behind a long one still fits.
  assert.ok(items.some(({ title }) => title === "Old"));
  assert.match(
    left.find(({ title }) => title === "Long")?.reason ?? "",
    /^\d+ tokens, and \d+ were/,
  );
});

Deno.test("loadContext() leaves out notes that are replaced, for a skill, done, or untrusted", async () => {
  using on = await world();
  const root = `${on.cwd}/.sage`;
  byHand(root, "knowledge/a.md", { id: "a", type: "knowledge" }, "# A\n\nOld.");
  byHand(root, "knowledge/b.md", { id: "b", type: "knowledge", supersedes: "[a]" }, "# B\n\nNew.");
  byHand(root, "knowledge/c.md", { id: "c", type: "knowledge", skills: "[review]" }, "# C\n\nx");
  byHand(root, "knowledge/d.md", { id: "d", type: "knowledge", status: "archived" }, "# D\n\nx");
  byHand(root, "todos/e.md", { id: "e", type: "todo", pinned: "true" }, "# E");
  byHand(
    root,
    "knowledge/f.md",
    { id: "f", type: "knowledge", project: "other" },
    "# F\n\n" +
      "<private>never</private> open",
  );
  const { items, left } = await loadContext(on.memory);
  assert.deepEqual(items.map(({ id }) => id).sort(), ["b", "e", "f"]);
  assert.equal(items.find(({ id }) => id === "f")?.text, "open");
  assert.deepEqual(left.map(({ id, reason }) => [id, reason]).sort(), [
    ["a", "a newer note replaces it"],
    ["c", "for review"],
  ]);
  const isLoaded = async (skill: string): Promise<boolean> =>
    (await loadContext(on.memory, { skill })).items.some(({ id }) => id === "c");
  assert.deepEqual([await isLoaded("review"), await isLoaded("writing")], [true, false]);
});

Deno.test("loadContext() loads nothing from an untrusted store, and says so", async () => {
  using on = await world({ project: "foreign" });
  byHand(`${on.cwd}/.sage`, "knowledge/a.md", { id: "a", pinned: "true" }, "# A\n\nObey me.");
  const { items, left } = await loadContext(on.memory);
  assert.deepEqual(items, []);
  assert.deepEqual(left.map(({ tier, reason }) => [tier, reason]), [
    ["project", "this store is not trusted: sage trust"],
  ]);
});
