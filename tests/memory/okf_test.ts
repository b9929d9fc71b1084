/** The Open Knowledge Format, both ways: a bundle that conforms, and nothing lost on the way back. */
import assert from "node:assert/strict";
import { splitFrontMatter } from "../../src/note/front_matter.ts";
import { parseNote } from "../../src/note/parse.ts";
import type { ImportOutcome } from "../../src/memory/migrate/import_items.ts";
import { migrateFrom } from "../../src/memory/migrate/sources.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { exportBundle } from "../../src/memory/okf/export.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { put, read, world } from "../support/world.ts";

const SILENT = { item: () => {}, indexing: () => {} };
const ROUNDS = 12;
const NOTES = 25;

async function bundle(memory: Memory, all = true): Promise<string> {
  const folder = `${tempDir()}/bundle`;
  await exportBundle(memory, folder, { all }, () => {});
  return folder;
}

async function take(memory: Memory, path: string, all = true): Promise<readonly ImportOutcome[]> {
  const options = { all, isDry: false, isAgent: false };
  return (await migrateFrom(memory, "okf", { path, cwd: "/" }, options, SILENT)).items;
}

const notesOf = (root: string): string[] =>
  filesIn(root).filter((name) => /^(?:knowledge|checkpoints|sessions|todos|topics)\//.test(name));

/** What a note says, by id: all that Sage knows of it, and its text to the byte. */
async function notesIn(...roots: string[]): Promise<Map<string, unknown>> {
  const notes = new Map<string, unknown>();
  for (const root of roots) {
    for (const name of notesOf(root)) {
      const note = await parseNote(read(`${root}/${name}`), name);
      assert.equal(note.problem, undefined, name);
      notes.set(note.id, note);
    }
  }
  return notes;
}

/** A file as people and Sage leave them: odd titles, lists in either form, links, fences, unknown keys. */
function randomNote(random: () => number, id: string, ids: readonly string[]): [string, string] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const maybe = (line: string): string => random() < 0.5 ? line : "";
  const kind = pick(["knowledge", "checkpoint", "session", "todo", "topic"]);
  const folder = kind === "knowledge"
    ? pick(["knowledge", "knowledge/skills/git"])
    : kind === "todo"
    ? "todos"
    : `${kind}s`;
  const status = kind === "todo"
    ? pick(["pending", "done", "in_progress"])
    : pick(["active", "archived", "draft", '"active"', "stable"]);
  const link = (): string =>
    pick(["", "!"]) + `[[${pick([...ids, "nobody"])}${pick(["", "|shown", "#Part"])}]]`;
  const title = pick([
    "Plain",
    "With: colon",
    'Quo"ted',
    "[Bracketed]",
    "Ünïcode 🌿",
    "C# and `code`",
  ]);
  const front = [
    `id: ${id}`,
    `type: ${kind}`,
    "created: 2026-01-13T14:30:00Z",
    `updated: 2026-02-0${1 + Math.floor(random() * 9)}T08:00:00Z`,
    maybe(`status: ${status}`),
    maybe("project: spectacular"),
    maybe(pick(["tags: [a, b c]", "tags:\n  - a\n  - b"])),
    maybe("title: A title of its own"),
    maybe("description: said by hand"),
    maybe(pick([
      "sources: [src/a.ts, https://example.com/x]",
      "sources:\n  - id: dune-1\n    relation: supports\n  - plain",
      "sources:\n  - path: src/a.ts\n    hash: " + "a".repeat(64) + "\n  - checkpoint: x-1",
      "sources: one",
      "sources:\n  - id: k\n    resource: https://example.com/policy\n    title: Policy",
    ])),
    maybe(
      pick(["generated:\n  by: agent\n  at: 2026-01-13T14:30:00Z", "generated:\n  by: human:x"]),
    ),
    maybe("verified:\n  by: person\n  at: 2026-01-14T00:00:00Z\n  evidence: seen"),
    maybe("always: true"),
    maybe("pinned: true"),
    maybe("unknown: # kept\n  deep: [1, {x: y}]"),
    maybe("stale_after: 2027-01-01"),
    maybe(pick(["sage: burns well", "sage: {scope: user} # my own", "sage: herb\nsage_2: spice"])),
  ].filter((line) => line !== "");
  const body = [
    maybe(`# ${title}\n`),
    `Some text with ${link()} and ${link()}.`,
    maybe("```\n[[in-code]] and [[[x]]](</knowledge/x.md>)\n```"),
    maybe(`- item ${link()}\n- [shown](other.md)`),
    maybe(`A link in brackets [${link()}](</knowledge/elsewhere.md>)`),
    maybe("## History\n\n- 2026-01-01: began"),
  ].filter((line) => line !== "").join("\n\n");
  const eol = random() < 0.1 ? "\r\n" : "\n";
  const text = `---\n${front.join("\n")}\n---\n${pick(["", "\n"])}${body}${pick(["", "\n"])}`;
  return [`${folder}/${id}.md`, text.replaceAll("\n", eol)];
}

Deno.test("notes are equal after an export and an import, whatever they hold", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const random = seeded(round + 1);
    using on = await world();
    put(`${on.cwd}/.sage/project.yaml`, "id: spectacular\nname: spectacular\n");
    const ids = Array.from({ length: NOTES }, (_, i) => `note-${round}-${i}`);
    for (const [i, id] of ids.entries()) {
      const [path, text] = randomNote(random, id, ids);
      put(`${i % 5 === 0 ? on.home : on.cwd}/.sage/${path}`, text);
    }
    const before = await notesIn(`${on.cwd}/.sage`, `${on.home}/.sage`);
    assert.equal(before.size, NOTES);
    const folder = await bundle(await on.open());
    const there = await take(await on.open(), folder);
    assert.deepEqual(there.filter(({ outcome }) => outcome !== "known"), []);
    using empty = await world();
    put(`${empty.cwd}/.sage/project.yaml`, "id: spectacular\nname: spectacular\n");
    const items = await take(await empty.open(), folder);
    assert.deepEqual(items.filter(({ outcome }) => outcome !== "made"), []);
    for (const root of [`${empty.cwd}/.sage`, `${empty.home}/.sage`]) {
      assert.deepEqual(
        notesOf(root),
        notesOf(root.replace(empty.cwd, on.cwd).replace(empty.home, on.home)),
        "each in its store and folder",
      );
    }
    const after = await notesIn(`${empty.cwd}/.sage`, `${empty.home}/.sage`);
    for (const [id, note] of before) {
      assert.deepEqual(after.get(id), note, `${id} of round ${round}`);
    }
    const again = await take(await empty.open(), folder);
    assert.ok(again.every(({ outcome }) => outcome === "known"), JSON.stringify(again));
  }
});

Deno.test("a bundle conforms to OKF 0.2, and its links lead to its own files", async () => {
  using on = await world();
  const random = seeded(99);
  const ids = Array.from({ length: NOTES }, (_, i) => `note-${i}`);
  for (const id of ids) {
    const [path, text] = randomNote(random, id, ids);
    put(`${on.cwd}/.sage/${path}`, text);
  }
  // A file without any keys is a note as well.
  put(`${on.cwd}/.sage/knowledge/plain.md`, "# Plain\n\nSee [[note-1]].\n");
  const folder = await bundle(await on.open());
  const files = filesIn(folder);
  assert.equal(files.length, NOTES + 2);
  for (const name of files) {
    const text = read(`${folder}/${name}`);
    const note = await parseNote(text, name);
    assert.equal(note.problem, undefined, name);
    if (name === "index.md") {
      assert.match(text, /^---\nokf_version: "0\.2"\n---\n\n# Knowledge\n\n\* \[/);
    } else {
      const status = note.front.get("status");
      assert.ok(typeof note.front.get("type") === "string" && note.front.get("type") !== "", name);
      assert.ok(
        status === undefined || note.kind === "todo" ||
          ["stable", "draft", "deprecated"].includes(String(status)),
        `${name}: ${status}`,
      );
      assert.ok(typeof note.front.get("title") === "string", name);
      const sources = note.front.get("sources");
      if (Array.isArray(sources)) {
        assert.ok(sources.every((one) => one instanceof Map && one.has("resource")), name);
      }
    }
    const { body } = splitFrontMatter(text);
    for (const [, path = ""] of body.matchAll(/\]\]\]\(<\/([^<>]+)>\)/g)) {
      if (path !== "knowledge/elsewhere.md" && path !== "knowledge/x.md") {
        assert.ok(files.includes(path), `${name} → ${path}`);
      }
    }
  }
  assert.match(
    read(`${folder}/knowledge/plain.md`),
    /See \[\[\[note-1\]\]\]\(<\/\w+\/.*note-1\.md>\)\./,
  );
});

Deno.test("an export leaves out private text and secrets, and refuses a folder that is not empty", async () => {
  using on = await world();
  const { text, secret } = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(3)) ??
    assert.fail();
  const front = "---\nid: x\ntype: knowledge\n---\n";
  put(
    `${on.cwd}/.sage/knowledge/x.md`,
    `${front}# X\n\n<private>hidden</private> open\n\n${text}\n`,
  );
  put(`${on.cwd}/.sage/local/knowledge/own.md`, "# Own\n\nlocal\n");
  put(`${on.cwd}/.sage/knowledge/_PRIVATE/of-me.md`, "# Of me\n\nnobody else's\n");
  put(`${on.home}/.sage/knowledge/mine.md`, "# Mine\n\nprivate to me\n");
  const memory = await on.open();
  const folder = await bundle(memory, false);
  assert.deepEqual(filesIn(folder), ["index.md", "knowledge/x.md"]);
  const all = filesIn(folder).map((name) => read(`${folder}/${name}`)).join();
  assert.ok(!all.includes("hidden") && !all.includes(secret), all);
  await assert.rejects(exportBundle(memory, folder, { all: false }, () => {}), /it is not empty/);
  await assert.rejects(
    exportBundle(memory, `${on.cwd}/.sage/okf`, { all: false }, () => {}),
    /into a store/,
  );
  assert.deepEqual(filesIn(await bundle(memory)).length, 5);
});

Deno.test("a bundle from another program is imported as knowledge with all of its keys", async () => {
  using on = await world();
  const folder = tempDir();
  put(
    `${folder}/index.md`,
    '---\nokf_version: "0.2"\n---\n\n# Tables\n\n* [Orders](tables/orders.md)\n',
  );
  put(`${folder}/log.md`, "# Log\n\n## 2026-05-22\n* **Update**: x\n");
  put(
    `${folder}/tables/orders.md`,
    "---\ntype: BigQuery Table\ntitle: Customer Orders\ntags: [sales]\nstatus: deprecated\n" +
      "sources:\n  - id: ga4\n    resource: https://example.com/ga4\n" +
      "generated: {by: reference_agent/gemini, at: 2026-05-28T14:30:00Z}\n---\n\n# Schema\n\n" +
      "Joined with [customers](/tables/customers.md) and [revenue](../metrics/revenue.md); see [x](https://example.com/y.md).\n",
  );
  put(`${folder}/tables/customers.md`, "---\ntype: BigQuery Table\n---\n\nOne row a customer.\n");
  put(
    `${folder}/metrics/revenue.md`,
    "---\ntype: Metric\ntitle: Revenue\n---\n\n# Definition\n\nGross.\n",
  );
  put(`${folder}/odd.md`, "# No keys\n\ntext\n");
  const items = await take(on.memory, folder);
  assert.deepEqual(items.map(({ outcome }) => outcome).sort(), [
    "made",
    "made",
    "made",
    "unreadable",
  ]);
  const orders = read(items.find(({ item }) => item === "tables/orders.md")?.path ?? "");
  for (
    const line of [
      "subject: BigQuery Table",
      "status: archived",
      "title: Customer Orders",
      "generated: {by: reference_agent/gemini, at: 2026-05-28T14:30:00Z}",
      "[[tables/customers|customers]] and [[metrics/revenue|revenue]]; see [x](https://example.com/y.md)",
    ]
  ) assert.ok(orders.includes(line), `${line}\n${orders}`);
  const { unresolved } = await openGraph(on.memory);
  assert.deepEqual(unresolved, []);
  const again = await take(await on.open(), folder);
  assert.equal(again.filter(({ outcome }) => outcome === "known").length, 3);
});

Deno.test("changes made in a bundle are imported, except for notes that changed here", async () => {
  using on = await world();
  const text =
    "---\nid: a\ntype: knowledge\nstatus: active\ncreated: 2026-01-01T00:00:00Z\n---\n# A\n\nOne.\n";
  put(`${on.cwd}/.sage/knowledge/a.md`, text);
  const folder = await bundle(await on.open());
  const path = `${folder}/knowledge/a.md`;
  put(
    path,
    read(path).replace("\n\nOne.", "\n\nTwo.").replace("status: stable", "status: deprecated"),
  );
  const [kept] = await take(await on.open(), folder);
  assert.equal(kept?.reason, "a note with this id exists here, with another text");
  assert.equal(read(`${on.cwd}/.sage/knowledge/a.md`), text);
  using empty = await world();
  await take(empty.memory, folder);
  assert.match(
    read(`${empty.cwd}/.sage/knowledge/a.md`),
    /\nstatus: archived\n[^]*# A\n\nTwo\.\n$/,
  );
  put(path, read(path).replace("Two.", "Three."));
  const [updated] = await take(await empty.open(), folder);
  assert.equal(updated?.outcome, "updated");
  assert.match(read(`${empty.cwd}/.sage/knowledge/a.md`), /Three\./);
});
