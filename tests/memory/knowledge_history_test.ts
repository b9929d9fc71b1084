/** Versions: every one is kept, shown, and comes back; notes that replace each other form a chain. */
import assert from "node:assert/strict";
import { archiveKnowledge, unarchiveKnowledge } from "../../src/memory/knowledge/archive.ts";
import {
  changesOf,
  lineageOf,
  restoreVersion,
  versionsOf,
} from "../../src/memory/knowledge/history.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { mergeKnowledge } from "../../src/memory/knowledge/merge.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import type { StoredNote } from "../../src/memory/item.ts";
import {
  AGENT,
  knowledge,
  PERSON,
  put,
  read,
  readByAgent,
  stored,
  type World,
  world,
} from "../support/world.ts";

const DAY = 86_400_000;

/** Three texts, a day apart. */
async function threeVersions(on: World): Promise<void> {
  await knowledge(on.memory, "Rate limit", "Ten requests a second.", { tags: ["api"] });
  await readByAgent(on, "rate-limit");
  for (
    const [content, author] of [["Five requests a second.", AGENT], [
      "Two a second.",
      PERSON,
    ]] as const
  ) {
    on.later(DAY);
    const input = { title: "Rate limit", content, id: "rate-limit" };
    assert.equal((await saveKnowledge(on.memory, input, author)).kind, "updated");
  }
}

Deno.test("listKnowledge() begins with what was said last, as the date of each says", async () => {
  using on = await world();
  const old = await knowledge(on.memory, "Release day", "We release on Tuesday.");
  on.later(DAY);
  await knowledge(on.memory, "Oak", "It grows.");
  on.later(DAY);
  const input = { title: "Release day", content: "We release on Thursday.", id: old.id };
  assert.equal((await saveKnowledge(on.memory, input, PERSON)).kind, "updated");
  const listed = await listKnowledge(on.memory);
  assert.deepEqual(listed.map(({ title }) => title), ["Release day", "Oak"]);
});

Deno.test("versionsOf() tells every version with its author and reason, changesOf() what it changed", async () => {
  using on = await world();
  await threeVersions(on);
  const versions = await versionsOf(await stored(on.memory, "rate-limit"));
  assert.deepEqual(
    versions.map((
      { number, updated, author, reason },
    ) => [number, updated.slice(0, 10), author, reason]),
    [
      [3, "2026-01-15", "person", "updated by person"],
      [2, "2026-01-14", "agent", "updated by agent"],
      [1, "2026-01-13", "person", ""],
    ],
  );
  assert.match(changesOf(versions, 2), /^-Ten requests a second\.\n\+Five requests a second\.$/m);
  assert.equal(changesOf(versions, 1), "");
});

Deno.test("restoreVersion() brings any version back, keys and author too, and loses none", async () => {
  using on = await world();
  await threeVersions(on);
  on.later(DAY);
  const before = await stored(on.memory, "rate-limit");
  assert.equal((await restoreVersion(on.memory, before, 2, PERSON)).kind, "restored");
  const now = await stored(on.memory, "rate-limit");
  const text = read(now.absolutePath);
  assert.match(text, /by: agent/);
  assert.match(
    text,
    /# Rate limit\n\nFive requests a second\.\n\n## History\n\n- 2026-01-16: restored version 2 of 2026-01-14\n- 2026-01-15: updated by person\n- 2026-01-14: updated by agent\n$/,
  );
  const versions = await versionsOf(now);
  assert.deepEqual(versions.map(({ number }) => number), [4, 3, 2, 1]);
  assert.equal(versions[1]?.text, "# Rate limit\n\nTwo a second.");
  assert.equal((await restoreVersion(on.memory, now, 4, PERSON)).kind, "same");
  await assert.rejects(restoreVersion(on.memory, now, 9, PERSON), /has no version 9/);
});

Deno.test("restoreVersion() writes over nobody, and an agent restores nothing of every project", async () => {
  using on = await world();
  await threeVersions(on);
  const seen = await stored(on.memory, "rate-limit");
  put(seen.absolutePath, read(seen.absolutePath).replace("Two a second", "Three a second"));
  assert.equal((await restoreVersion(on.memory, seen, 1, PERSON)).kind, "edited");
  assert.match(read(seen.absolutePath), /Three a second/);
  const { id } = await knowledge(on.memory, "Tabs", "They are four wide.", { scope: "user" });
  on.later(DAY);
  await saveKnowledge(on.memory, { title: "Tabs", content: "They are two wide.", id }, PERSON);
  const tabs = await stored(on.memory, id);
  assert.equal((await restoreVersion(on.memory, tabs, 1, AGENT)).kind, "excluded");
  assert.match(read(tabs.absolutePath), /two wide/);
});

Deno.test("an archived note is in no list and no recall until it is restored", async () => {
  using on = await world();
  await knowledge(on.memory, "Rate limit", "The API allows ten requests a second.", {
    keywords: ["rate limit"],
  });
  const recalled = async () =>
    (await recallKnowledge(on.memory, "what is the rate limit of the API")).items.length;
  assert.equal(await recalled(), 1);
  assert.equal(
    (await archiveKnowledge(on.memory, await stored(on.memory, "rate-limit"), PERSON)).kind,
    "patched",
  );
  assert.equal(await recalled(), 0);
  assert.equal((await listKnowledge(on.memory)).length, 0);
  assert.equal((await listKnowledge(on.memory, { archived: true })).length, 1);
  await unarchiveKnowledge(on.memory, await stored(on.memory, "rate-limit"), PERSON);
  assert.equal(await recalled(), 1);
});

Deno.test("mergeKnowledge() joins texts and keys, archives the others, and the chain shows both ways", async () => {
  using on = await world();
  await knowledge(on.memory, "Worktrees", "They share hooks.", {
    tags: ["git"],
    keywords: ["worktree"],
  });
  await knowledge(
    on.memory,
    "Hooks in worktrees",
    "Nothing of their own.\n\n## Why\n\nOne common folder.",
    {
      tags: ["hooks"],
      sources: [{ id: "githooks(5)", relation: "primary" }],
    },
  );
  const [into, other] = [
    await stored(on.memory, "worktrees"),
    await stored(on.memory, "hooks-in-worktrees"),
  ];
  assert.equal((await mergeKnowledge(on.memory, into, [other], PERSON)).kind, "patched");
  const text = read(into.absolutePath);
  assert.match(
    text,
    /They share hooks\.\n\n## Hooks in worktrees \(merged 2026-01-13\)\n\nNothing of their own\.\n\n## Why\n\nOne common folder\.\n\n## History/,
  );
  for (
    const line of [
      "tags: [git, hooks]",
      "aliases: [Hooks in worktrees]",
      "supersedes: [hooks-in-worktrees]",
    ]
  ) {
    assert.ok(text.includes(`\n${line}\n`), text);
  }
  assert.match(read(other.absolutePath), /\nstatus: archived\n/);
  const [up, down] = [await lineageOf(on.memory, into), await lineageOf(on.memory, other)];
  assert.deepEqual(up.replaces.map(({ id }) => id), ["hooks-in-worktrees"]);
  assert.deepEqual(down.replaced_by.map(({ id }) => id), ["worktrees"]);
  await assert.rejects(
    mergeKnowledge(on.memory, await stored(on.memory, "hooks-in-worktrees"), [
      await stored(on.memory, "worktrees"),
    ], PERSON),
    /is itself replaced by "Worktrees"/,
  );
  await assert.rejects(mergeKnowledge(on.memory, into, [into], PERSON), /with itself/);
});

/** Two notes, the second as the contradiction of the first. */
async function toMerge(on: World): Promise<[StoredNote, StoredNote]> {
  await knowledge(on.memory, "Worktrees", "They share hooks.");
  const content = "Each worktree has hooks of its own.";
  await knowledge(on.memory, "Worktrees", content, { onConflict: "contradicts" });
  return [await stored(on.memory, "worktrees"), await stored(on.memory, "worktrees-2")];
}

Deno.test("mergeKnowledge() leaves no note that is the contradiction of itself", async () => {
  using on = await world();
  const [into, other] = await toMerge(on);
  assert.equal((await mergeKnowledge(on.memory, into, [other], PERSON)).kind, "patched");
  assert.doesNotMatch(read(into.absolutePath), /contradicts|sources/);
});

Deno.test("mergeKnowledge() keeps pinned what was pinned, and always what was always", async () => {
  using on = await world();
  const [into, other] = await toMerge(on);
  put(
    other.absolutePath,
    read(other.absolutePath).replace(
      "status: active",
      "status: active\npinned: true\nalways: true",
    ),
  );
  const pinned = await stored(on.memory, "worktrees-2");
  assert.equal((await mergeKnowledge(on.memory, into, [pinned], PERSON)).kind, "patched");
  assert.match(read(into.absolutePath), /\npinned: true\nalways: true\n/);
});

Deno.test("mergeKnowledge() puts nothing of a person's own store into the project's", async () => {
  using on = await world();
  const own = await knowledge(on.memory, "My desk", "Tabs, not spaces.", { scope: "user" });
  const shared = await knowledge(on.memory, "Worktrees", "They share hooks.");
  const [into, other] = [await stored(on.memory, shared.id), await stored(on.memory, own.id)];
  await assert.rejects(mergeKnowledge(on.memory, into, [other], PERSON), { code: "refused" });
  assert.doesNotMatch(read(into.absolutePath), /Tabs/);
});

Deno.test("mergeKnowledge() merges nothing where one of them says something else by now", async () => {
  using on = await world();
  const [into, other] = await toMerge(on);
  put(other.absolutePath, `${read(other.absolutePath)}\nA line of mine.\n`);
  await assert.rejects(
    mergeKnowledge(on.memory, into, [other], PERSON),
    /"Worktrees" was changed meanwhile, and nothing was merged/,
  );
  assert.doesNotMatch(read(into.absolutePath), /merged/);
  assert.match(read(other.absolutePath), /\nstatus: active\n[^]*A line of mine/);
});

Deno.test("mergeKnowledge() says which note was not put away, and why", async () => {
  using on = await world();
  const [into, other] = await toMerge(on);
  await Deno.writeFile(other.absolutePath, new Uint8Array([233, 10]), { append: true });
  const latin = await stored(on.memory, "worktrees-2");
  const outcome = await mergeKnowledge(on.memory, into, [latin], PERSON);
  assert.ok(outcome.kind === "patched");
  assert.match(
    outcome.notArchived?.join() ?? "",
    /^"Worktrees": Cannot rewrite .*: it is not valid UTF-8$/,
  );
});

Deno.test("both notes of a contradiction show it, as a pair with both dates", async () => {
  using on = await world();
  await knowledge(on.memory, "Rate limit", "Ten requests a second.");
  on.later(DAY);
  const input = { title: "Rate limit", content: "Five requests a second." };
  await saveKnowledge(on.memory, { ...input, onConflict: "contradicts" }, PERSON);
  for (
    const [id, other, updated] of [["rate-limit", "rate-limit-2", "2026-01-14"], [
      "rate-limit-2",
      "rate-limit",
      "2026-01-13",
    ]] as const
  ) {
    const { contradicts } = await lineageOf(on.memory, await stored(on.memory, id));
    assert.deepEqual(contradicts.map((one) => [one.id, one.updated.slice(0, 10)]), [[
      other,
      updated,
    ]]);
  }
});
