/** Notes by what people type, lists of them, and reading one. */
import assert from "node:assert/strict";
import {
  checkpointPage,
  listCheckpoints,
  type TimelineFilter,
} from "../../src/memory/checkpoint/list.ts";
import { loadCheckpoint } from "../../src/memory/checkpoint/load.ts";
import { childrenOf } from "../../src/memory/checkpoint/chain.ts";
import { findNote } from "../../src/memory/find.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { readNote } from "../../src/memory/read.ts";
import { findSession } from "../../src/memory/session/list.ts";
import { realFs } from "../../src/base/fs.ts";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import {
  alike,
  byHand,
  checkpoint,
  DAY,
  knowledge,
  MINUTE,
  read,
  type World,
  world,
} from "../support/world.ts";
import { sage } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";

async function found(on: World, ref: string): Promise<string[]> {
  const outcome = await findNote(on.memory, ref);
  if (outcome.kind === "one") return [outcome.item.note.id];
  return outcome.kind === "many" ? outcome.items.map(({ note }) => note.id).sort() : [];
}

Deno.test("findNote() takes id, short id, file name, title, alias and prefixes of ids", async () => {
  using on = await world();
  const { id, short_id: shortId } = await knowledge(on.memory, "Oak trees of Bern", "They grow.");
  byHand(`${on.cwd}/.sage`, "knowledge/by-hand.md", {
    id: "k-77",
    type: "knowledge",
    aliases: "[the old one]",
  }, "# Élan\n\ntext");
  for (
    const ref of [
      id,
      shortId,
      `${id}.md`,
      `[[${id}]]`,
      `[[${id}|the oaks]]`,
      ` ${id} `,
      "OAK TREES OF BERN",
      "oak-",
      shortId.slice(0, 4),
    ]
  ) {
    assert.deepEqual(await found(on, ref), [id], ref);
  }
  for (const ref of ["k-77", "by-hand", "by-hand.md", "élan", "e\u0301lan", "the old one"]) {
    assert.deepEqual(await found(on, ref), ["k-77"], ref);
  }
});

Deno.test("findNote() prefers the whole id to a prefix, and names all where a prefix fits many", async () => {
  using on = await world();
  for (const title of ["Oak", "Oak trees", "Oak tables"]) {
    await knowledge(on.memory, title, `About ${title}.`, { onConflict: "keep_both" });
  }
  assert.deepEqual(await found(on, "oak"), ["oak"]);
  assert.deepEqual(await found(on, "oak-t"), ["oak-tables", "oak-trees"]);
});

Deno.test("findNote() takes nothing for a name: empty, short, or a path", async () => {
  using on = await world();
  await knowledge(on.memory, "Oak", "It grows.");
  for (
    const ref of [
      "",
      "  ",
      "oa",
      "../knowledge/oak",
      "/etc/passwd",
      "knowledge/oak",
      "\0",
      "%",
      ".md",
    ]
  ) {
    assert.deepEqual(await found(on, ref), [], JSON.stringify(ref));
  }
  const none = await findNote(on.memory, "aok");
  assert.ok(none.kind === "none" && none.nearest[0]?.id === "oak");
  byHand(`${on.cwd}/.sage`, "knowledge/qq.md", { id: "qq", type: "knowledge" }, "# qq\n\nA text.");
  const tiny = await findNote(on.memory, "-");
  assert.deepEqual(tiny, { kind: "none", nearest: [] }, "what is as short is not meant by it");
});

Deno.test("findNote() finds notes that people moved or renamed, by their id", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Oak", "It grows.");
  await Deno.mkdir(`${on.cwd}/.sage/knowledge/trees`);
  await Deno.rename(saved.path, `${on.cwd}/.sage/knowledge/trees/Quercus.md`);
  assert.deepEqual(await found(on, "oak"), ["oak"]);
  assert.deepEqual(await found(on, "Quercus"), ["oak"]);
  await Deno.remove(`${on.cwd}/.sage/knowledge/trees/Quercus.md`);
  assert.deepEqual(await found(on, "oak"), []);
});

Deno.test("listCheckpoints() is a timeline of this project, newest first", async () => {
  using on = await world({ project: "none" });
  const first = await checkpoint(on.memory, { title: "First" });
  on.later(MINUTE);
  const second = await checkpoint(on.memory, { title: "Second" });
  const elsewhere = await on.open({ cwd: tempDir() });
  on.later(MINUTE);
  const third = await checkpoint(elsewhere, { title: "Third" });
  const list = async (options: Parameters<typeof listCheckpoints>[1]) =>
    (await listCheckpoints(on.memory, options)).map(({ id }) => id);
  assert.deepEqual(await list({}), [second.id, first.id]);
  assert.deepEqual(await list({ limit: 1 }), [second.id]);
  assert.deepEqual(await list({ all: true }), [third.id, second.id, first.id]);
  const [item] = await listCheckpoints(on.memory);
  assert.equal(item?.trigger, "synthesis");
  assert.equal(item?.confidence, 0.8);
  assert.ok((item?.tokens ?? 0) > 20 && item?.thesis.startsWith("Git shares hooks"));
  assert.equal(item !== undefined && "session" in item, false, "a person has no session");
});

/** A process that has looked at the disk, and the notes that it opened since. */
async function watched(on: World): Promise<{ memory: Memory; opened: string[] }> {
  const opened: string[] = [];
  const memory = await on.open({
    fs: {
      ...realFs,
      open(path, options) {
        if (path.endsWith(".md")) opened.push(path.replace(/^.*\//, ""));
        return realFs.open(path, options);
      },
    },
  });
  await findNote(memory, "c-0");
  opened.length = 0;
  // Files of this very second would be looked into again.
  return {
    memory: { ...memory, settled: { stores: memory.stores, questioned: new Map() } },
    opened,
  };
}

Deno.test("listCheckpoints() reads only what it lists when it is asked for a session, trigger or skill", async () => {
  using on = await world();
  const root = `${on.cwd}/.sage`;
  for (let i = 0; i < 9; i++) {
    byHand(root, `checkpoints/c${i}.md`, {
      id: `c-${i}`,
      type: "checkpoint",
      created: `2026-01-0${i + 1}T00:00:00Z`,
      session: `"${i % 3}0000000-aaaa"`,
      trigger: i % 2 === 0 ? "Topic-Shift" : "explicit",
      ...(i === 4 ? { skill: "bees" } : {}),
      ...(i === 0 ? {} : { parent: `c-${i % 2}` }),
    }, `# ${i}`);
  }
  byHand(root, "sessions/s.md", { id: "s", type: "session", session: "abcdef01-aaaa" }, "");
  const { memory, opened } = await watched(on);
  const list = async (filter: TimelineFilter) =>
    (await listCheckpoints(memory, filter)).map(({ id }) => id);
  assert.deepEqual(await list({ session: "20000000" }), ["c-8", "c-5", "c-2"]);
  const [last] = await listCheckpoints(memory, { limit: 1 });
  assert.equal(last?.session, "20000000-aaaa");
  opened.splice(0);
  assert.deepEqual(await list({ session: "20000000" }), ["c-8", "c-5", "c-2"]);
  assert.deepEqual(opened.splice(0), ["c8.md", "c5.md", "c2.md"]);
  assert.deepEqual(await list({ session: "2", limit: 2 }), ["c-8", "c-5"]);
  assert.deepEqual(await list({ session: "2", cursor: `${root}/checkpoints/c8.md` }), [
    "c-5",
    "c-2",
  ]);
  assert.deepEqual(await list({ trigger: "topic_shift", limit: 2 }), ["c-8", "c-6"]);
  assert.deepEqual(await list({ trigger: "manual", sinceMs: Date.UTC(2026, 0, 7) }), ["c-7"]);
  assert.deepEqual(await list({ skill: "bees" }), ["c-4"]);
  assert.deepEqual(await list({ skill: "bee" }), []);
  const page = await checkpointPage(memory, { trigger: "topic_shift", limit: 1 });
  assert.deepEqual([page.items.length, page.total], [1, 5]);
  opened.length = 0;
  assert.deepEqual((await childrenOf(memory, "c-0")).map(({ id }) => id), [
    ...["c-8", "c-6", "c-4", "c-2"],
  ]);
  assert.deepEqual(opened, []);
  assert.equal((await findSession(memory, "abcdef01")).kind, "one");
  assert.deepEqual(new Set(opened), new Set(["s.md"]));
});

Deno.test("findNote() reads no note that is not called so", async () => {
  using on = await world();
  byHand(`${on.cwd}/.sage`, "knowledge/a.md", { id: "a-1", aliases: "[the first]" }, "# A");
  byHand(`${on.cwd}/.sage`, "knowledge/b.md", { id: "b-1" }, "# B");
  const { memory, opened } = await watched(on);
  assert.equal((await findNote(memory, "nothing of the kind")).kind, "none");
  assert.deepEqual(opened, []);
  assert.equal((await findNote(memory, "the first")).kind, "one");
  assert.deepEqual(opened, ["a.md"]);
});

Deno.test("lists leave out unreadable notes and mark untrusted ones", async () => {
  using on = await world({ project: "foreign" });
  const front = { id: "c", type: "checkpoint", created: "2026-01-01T00:00:00Z" };
  byHand(`${on.cwd}/.sage`, "checkpoints/c.md", front, "# C\n\n## Thesis\n\nIt is so.");
  byHand(`${on.cwd}/.sage`, "checkpoints/torn.md", { tags: '["a' }, "text");
  const items = await listCheckpoints(on.memory);
  assert.deepEqual(items.map(({ id, flags }) => [id, flags]), [["c", ["untrusted"]]]);
});

Deno.test("listKnowledge() filters by skill, scope and status", async () => {
  using on = await world();
  await knowledge(on.memory, "Oak", "It grows.", { skills: ["wood"] });
  await knowledge(on.memory, "Rye", "It is sown.", { scope: "user" });
  byHand(`${on.cwd}/.sage`, "knowledge/old.md", {
    id: "old",
    type: "knowledge",
    status: "archived",
  }, "# Old");
  const list = async (filter: Parameters<typeof listKnowledge>[1]) =>
    (await listKnowledge(on.memory, filter)).map(({ id }) => id).sort();
  assert.deepEqual(await list({}), ["oak", "rye"]);
  assert.deepEqual(await list({ skill: "wood" }), ["oak"]);
  assert.deepEqual(await list({ scope: "user" }), ["rye"]);
  assert.deepEqual(await list({ archived: true }), ["old"]);
  assert.equal((await list({ limit: 1 })).length, 1);
});

Deno.test("loadCheckpoint() restores by id, short id, prefix and recency", async () => {
  using on = await world();
  const old = await checkpoint(on.memory, { title: "Old" });
  on.later(DAY);
  const recent = await checkpoint(on.memory, { title: "Recent" });
  for (const ref of [old.id, old.short_id, old.id.slice(0, 12)]) {
    const outcome = await loadCheckpoint(on.memory, { ref });
    assert.ok(outcome.kind === "one" && outcome.items[0]?.id === old.id, ref);
  }
  const latest = await loadCheckpoint(on.memory, {});
  assert.ok(latest.kind === "one" && latest.items.length === 1);
  assert.equal(latest.items[0]?.id, recent.id);
  const both = await loadCheckpoint(on.memory, { recent: 5 });
  assert.ok(both.kind === "one");
  assert.deepEqual(both.items.map(({ id }) => id), [recent.id, old.id]);
});

Deno.test("loadCheckpoint() restores by meaning, and lists where two fit alike", async () => {
  using on = await world();
  await checkpoint(on.memory, { title: "Hooks of worktrees" });
  await checkpoint(on.memory, {
    title: "Memory of the importer",
    coreQuestion: "Why does the importer need so much memory?",
    thesis: "The importer collects all rows; streaming them keeps it at forty megabytes.",
  });
  const one = await loadCheckpoint(on.memory, {
    query: "why was the importer so hungry for memory",
  });
  assert.ok(one.kind === "one", one.kind);
  assert.equal(one.items[0]?.title, "Memory of the importer");
  await checkpoint(on.memory, {
    title: "Memory of the importer again",
    coreQuestion: "Why does the importer need so much memory?",
    thesis: "The importer collects all rows; streaming them keeps it at thirty megabytes.",
  });
  const many = await loadCheckpoint(on.memory, {
    query: "why was the importer so hungry for memory",
  });
  assert.ok(many.kind === "many", many.kind);
  assert.equal(many.items.length, 2);
  assert.ok((many.items[0]?.score ?? 0) >= (many.items[1]?.score ?? 1));
  const none = await loadCheckpoint(on.memory, { query: "sourdough bread of rye" });
  assert.ok(none.kind === "none" && none.nearest.length === 0);
});

Deno.test("loadCheckpoint() lists the checkpoints with every word if none is clearly the best", async () => {
  using on = await world();
  await alike(on.memory, 8);
  const many = await loadCheckpoint(on.memory, { query: "importer" });
  assert.ok(many.kind === "many" && many.items.length > 1, many.kind);
});

Deno.test("loadCheckpoint() shows the whole text where it fits, else the parts that help most", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, {
    reasoningTrace: "A long way was gone. ".repeat(300),
    openQuestions: ["Is it so on Windows?"],
    nextStep: "Ask somebody with Windows.",
  });
  const whole = await loadCheckpoint(on.memory, { ref: saved.id });
  assert.ok(whole.kind === "one");
  assert.equal(
    whole.items[0]?.text,
    read(saved.path).split("\n---\n").slice(1).join("\n---\n").trim(),
  );
  for (const tokensMax of [40, 80, 200]) {
    const cut = await loadCheckpoint(on.memory, { ref: saved.id, tokensMax });
    assert.ok(cut.kind === "one");
    const { text = "" } = cut.items[0] ?? {};
    assert.ok(estimateTokens(text) <= tokensMax && text.startsWith("# Git shares"), text);
  }
  const summary = await loadCheckpoint(on.memory, { ref: saved.id, detail: "summary" });
  assert.ok(summary.kind === "one");
  assert.match(
    summary.items[0]?.text ?? "",
    /Next step: Ask .*\nOpen: Is it so on Windows\?\nEvidence: /,
  );
});

Deno.test("loadCheckpoint() cuts a long conclusion short for what comes after it", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, {
    thesis: "The rows are collected before the first one is written, and that takes memory. "
      .repeat(60),
    nextStep: "Ask the upstream list.",
  });
  const request = { ref: saved.id, detail: "summary", tokensMax: 500 } as const;
  const summary = await loadCheckpoint(on.memory, request);
  assert.ok(summary.kind === "one");
  const { text = "" } = summary.items[0] ?? {};
  assert.match(
    text,
    /\nThesis: The rows .*…\nNext step: Ask the upstream list\.\nOpen: .*\nEvidence: /,
  );
  assert.ok(
    estimateTokens(text) <= 500 && estimateTokens(text) > 450,
    String(estimateTokens(text)),
  );
});

Deno.test("loadCheckpoint() and readNote() show nothing private of a note that a person wrote", async () => {
  using on = await world();
  byHand(
    `${on.cwd}/.sage`,
    "checkpoints/c.md",
    { id: "cccc", type: "checkpoint" },
    "# Plan <private>zanzibar</private>\n\n## Thesis\n\nIt <private>zanzibar</private> holds.\n\n## Notes\n\n<private>zanzibar",
  );
  const loaded = await loadCheckpoint(on.memory, { ref: "cccc" });
  const note = await readNote(on.memory, "cccc");
  const section = await readNote(on.memory, "cccc", { section: "Notes" });
  for (const outcome of [loaded, note, section]) {
    assert.equal(outcome.kind, "one");
    assert.ok(
      !JSON.stringify({ ...outcome, raw: undefined }).includes("zanzibar"),
      JSON.stringify(outcome),
    );
  }
});

Deno.test("readNote() reads one section, or says which there are", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory);
  const whole = await readNote(on.memory, saved.id);
  assert.ok(whole.kind === "one");
  assert.ok(whole.sections.includes("Key Evidence"));
  assert.equal(whole.item.author, "person");
  const one = await readNote(on.memory, saved.id, { section: "key evidence" });
  assert.ok(one.kind === "one");
  assert.equal(one.text, "- git rev-parse --git-common-dir names the main checkout");
  const none = await readNote(on.memory, saved.id, { section: "Weather" });
  assert.ok(none.kind === "no_section");
  assert.deepEqual(none.sections, whole.sections);
});

Deno.test("readNote() says of a file too large that its end was not looked at, whatever was asked", async () => {
  using on = await world();
  const front = { id: "fat", type: "knowledge" };
  const text = `# Fat\n\n${"A line about pumps.\n".repeat(60_000)}\n## The end\n\nHere.`;
  byHand(`${on.cwd}/.sage`, "knowledge/fat.md", front, text);
  const partly = "only the first 256 KiB of this file are read";
  const whole = await readNote(on.memory, "fat");
  assert.ok(whole.kind === "one");
  assert.equal(whole.partly, partly);
  const section = await readNote(on.memory, "fat", { section: "The end" });
  assert.ok(section.kind === "no_section");
  assert.equal(section.partly, partly);
  const { stderr } = await sage(["knowledge", "show", "fat"], { home: on.home, cwd: on.cwd });
  assert.match(stderr, /only the first 256 KiB/);
});
