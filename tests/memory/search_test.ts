/** Search over everything: filters, reach, marks, and what is like what. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { findNote } from "../../src/memory/find.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { rebuildAll, refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { findSimilar } from "../../src/memory/index/similar.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { searchRoots } from "../support/canaries.ts";
import {
  alike,
  byHand,
  checkpoint,
  DAY,
  knowledge,
  NOW,
  PERSON,
  placesOf,
  put,
  read,
  repository,
  SESSION,
  type World,
  world,
} from "../support/world.ts";
import { knownEntries } from "../../src/memory/index/entries.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { tempDir, writeOld } from "../support/temp_store.ts";

async function titles(on: World, query: string, options = {}): Promise<string[]> {
  return (await searchMemory(on.memory, query, options)).items.map(({ title }) => title).sort();
}

async function filled(): Promise<World> {
  const on = await world();
  await knowledge(on.memory, "Zebra facts", "Zebras have stripes against flies.", {
    tags: ["animal"],
  });
  on.later(2 * DAY);
  await checkpoint(on.memory, {
    title: "Zebra study",
    thesis: "Zebras with stripes are bitten less.",
  });
  await addTodo(on.memory, { content: "count the zebra stripes" }, PERSON);
  return on;
}

Deno.test("searchMemory() finds a word that every note has, and shows no mark of Sage's", async () => {
  using on = await world();
  await alike(on.memory, 8);
  const all = await titles(on, "importer", { limit: 20 });
  assert.equal(all.filter((title) => title.includes("importer")).length, 8);
  assert.notDeepEqual(await titles(on, "importer"), []);
  assert.deepEqual(await titles(on, "importer of giraffes", { limit: 20, type: "topic" }), []);
  const marks = "<!-- sage:begin -->\n- [[a]]\n<!-- sage:end -->";
  byHand(
    on.memory.user.root,
    "topics/halls.md",
    { id: "halls", type: "topic" },
    `# Halls\n\n${marks}\n`,
  );
  const [halls] = (await searchMemory(on.memory, "halls", { type: "topic" })).items;
  assert.equal(halls?.snippet, "- [[a]]");
});

Deno.test("searchMemory() finds a note by a name that it goes by, or once had", async () => {
  using on = await world();
  const front = {
    id: "signing",
    type: "knowledge",
    aliases: "[Zanzibar protocol, Depot signing]",
  };
  const text = "# Depot signing\n\nCouriers sign twice.\n";
  byHand(on.memory.user.root, "knowledge/signing.md", front, text);
  assert.deepEqual(await titles(on, "zanzibar protocol"), ["Depot signing"]);
});

Deno.test("searchMemory() finds every kind, with passage, heading and scores", async () => {
  using on = await filled();
  const result = await searchMemory(on.memory, "zebra stripes");
  assert.deepEqual(result.items.map(({ type }) => type).sort(), [
    "checkpoint",
    "knowledge",
    "todo",
  ]);
  assert.equal(result.total, 3);
  for (const { score, emb, kw, snippet, heading, flags, author } of result.items) {
    assert.ok(score > 0 && score <= 1 && emb >= 0 && kw > 0);
    assert.match(`${heading} ${snippet}`, /zebra/i);
    assert.deepEqual([flags, author], [[], "person"]);
  }
});

Deno.test("searchMemory() leaves out what hardly fits, unless it is told how many to show", async () => {
  using on = await filled();
  for (const animal of ["Okapi", "Camel", "Tapir", "Heron", "Otter"]) {
    await knowledge(on.memory, `${animal} stripes`, `What the keeper said of a ${animal}.`);
  }
  const usual = await searchMemory(on.memory, "zebra facts flies");
  const whole = await searchMemory(on.memory, "zebra facts flies", {
    limit: 10,
  });
  assert.ok(usual.items.length < whole.items.length);
  assert.deepEqual(usual.items, whole.items.slice(0, usual.items.length));
  assert.ok(whole.items.slice(usual.items.length).every(({ score }) => score < 0.05));
  assert.equal(usual.total, usual.items.length);
  assert.ok(!usual.weak);
});

Deno.test("searchMemory() says so where nothing matches well, and shows the nearest", async () => {
  using on = await filled();
  const { items, weak } = await searchMemory(on.memory, "what do hippos eat in winter");
  assert.ok(weak && items.length > 0);
});

Deno.test("searchMemory() shows the note that replaces a hit, even if it hardly matches", async () => {
  using on = await world();
  const root = `${on.cwd}/.sage`;
  byHand(root, "knowledge/old.md", { id: "old" }, "# Zebra gate\n\nThe zebra gate opens at nine.");
  byHand(
    root,
    "knowledge/new.md",
    { id: "new", supersedes: '["old"]' },
    "# Hours\n\nOne gate opens at ten.",
  );
  for (let i = 0; i < 12; i++) {
    byHand(root, `knowledge/n${i}.md`, { id: `n${i}` }, `# N${i}\n\nGate ${i}.`);
  }
  const { items } = await searchMemory(on.memory, "when does the zebra gate open");
  assert.deepEqual(items.slice(0, 2).map(({ id }) => id), ["new", "old"]);
});

Deno.test("searchMemory() filters by type, tag, date, project and limit", async () => {
  using on = await filled();
  assert.deepEqual(await titles(on, "zebra", { type: "todo" }), ["count the zebra stripes"]);
  assert.deepEqual(await titles(on, "zebra", { tag: "animal" }), ["Zebra facts"]);
  assert.deepEqual(await titles(on, "zebra", { after: "2026-01-14" }), [
    "Zebra study",
    "count the zebra stripes",
  ]);
  assert.deepEqual(await titles(on, "zebra", { project: "nobody" }), []);
  assert.equal((await titles(on, "zebra", { project: on.memory.places.projectId })).length, 3);
  const one = await searchMemory(on.memory, "zebra", { limit: 1 });
  assert.deepEqual([one.items.length, one.total], [1, 3]);
});

Deno.test("searchMemory() knows this project by its name where no list of projects is left", async () => {
  using on = await world({ project: "none" });
  await knowledge(on.memory, "Zebra facts", "They have stripes.");
  const { projectName } = on.memory.places;
  assert.equal((await searchMemory(on.memory, "zebra", { project: projectName })).total, 1);
});

Deno.test("searchMemory() finds what lies in the project's store when the project is named", async () => {
  using on = await world();
  const { projectId, projectName } = on.memory.places;
  await knowledge(on.memory, "Zebra facts", "They have stripes.");
  const root = `${on.cwd}/.sage`;
  byHand(root, "knowledge/plain.md", {}, "# Zebra food\n\nThey eat grass.");
  byHand(root, "knowledge/old.md", { project: "its-old-clone" }, "# Zebra size\n\nThey are tall.");
  for (const project of [projectId, projectName]) {
    assert.equal((await searchMemory(on.memory, "zebra", { project })).total, 3);
    assert.equal((await searchMemory(on.memory, `zebra project:${project}`)).total, 3);
    assert.equal((await searchMemory(on.memory, `project:${project}`)).total, 3);
  }
  assert.equal((await searchMemory(on.memory, "zebra")).total, 3, "nor where none is named");
  assert.equal((await searchMemory(on.memory, "zebra", { project: "nobody" })).total, 0);
});

Deno.test("searchMemory() finds notes with all of several tags, even if they hardly match", async () => {
  using on = await world();
  const root = `${on.cwd}/.sage`;
  for (let i = 0; i < 70; i++) {
    byHand(
      root,
      `knowledge/n${i}.md`,
      { id: `n${i}`, tags: "[gate]" },
      `# Zebra gate ${i}\n\nOpens.`,
    );
  }
  byHand(root, "knowledge/x.md", { id: "x", tags: "[gate, rare]" }, "# Hours\n\nOne gate at ten.");
  assert.deepEqual(await titles(on, "zebra gate tag:gate tag:rare"), ["Hours"]);
  assert.deepEqual(await titles(on, "tag:gate tag:rare"), ["Hours"]);
});

Deno.test("searchMemory() finds a note whose file was copied once, and what was written anew in a copy", async () => {
  using on = await world();
  const { path } = await knowledge(on.memory, "Zebra facts", "Zebras have stripes against flies.");
  put(path.replace(".md", " copy.md"), read(path));
  put(path.replace(".md", " as a start.md"), read(path).replaceAll("Zebra facts", "Zebra lore"));
  const expected = ["Zebra facts", "Zebra lore"];
  for (const query of ["stripes of zebras", "type:knowledge"]) {
    assert.deepEqual(await titles(on, query), expected, query);
    const { total } = await searchMemory(on.memory, query, { limit: 10 });
    assert.equal(total, 2, query);
  }
});

Deno.test("searchMemory() shows both texts of one note that two machines wrote", async () => {
  using on = await world();
  const { path } = await knowledge(on.memory, "Staging port", "Staging listens on port 5433.");
  put(path.replace(".md", " copy.md"), read(path).replace("5433", "6000"));
  for (const query of ["which port does staging listen on", "staging", "type:knowledge"]) {
    assert.deepEqual(await titles(on, query), ["Staging port", "Staging port"], query);
  }
});

Deno.test("searchMemory() reads filters, phrases and times that are typed among the words", async () => {
  using on = await filled();
  assert.deepEqual(await titles(on, "zebra type:todo"), ["count the zebra stripes"]);
  assert.deepEqual(await titles(on, "zebra tag:#Animal"), ["Zebra facts"]);
  assert.deepEqual(await titles(on, "zebra before:2026-01-14"), ["Zebra facts"]);
  assert.deepEqual(await titles(on, "zebra after:2026-01-14 type:checkpoint"), ["Zebra study"]);
  assert.deepEqual(
    await titles(on, "type:todo zebra", { literal: true }).then((all) => all.length),
    3,
  );
  const [first] = (await searchMemory(on.memory, '"against flies" zebra stripes')).items;
  assert.equal(first?.title, "Zebra facts");
  const lately = await searchMemory(on.memory, "zebra stripes yesterday");
  assert.equal(lately.items.length, 3, "a time in words hides nothing");
  assert.equal(lately.items.at(-1)?.title, "Zebra facts");
});

Deno.test("searchMemory() shows a checkpoint of the named day first", async () => {
  using on = await filled();
  const day = new Date(on.memory.now()).toISOString().slice(0, 10);
  on.later(3 * DAY);
  await checkpoint(on.memory, { title: "Giraffe study", thesis: "Giraffes sleep little." });
  const search = async (query: string) => (await searchMemory(on.memory, query)).items[0]?.title;
  assert.equal(await search(`giraffe checkpoint ${day}`), "Zebra study");
  assert.equal(await search("last zebra checkpoint"), "Zebra study");
  assert.equal(await search("last checkpoint"), "Giraffe study");
  assert.equal((await searchMemory(on.memory, "last checkpoint")).weak, false);
  assert.equal(await search("giraffe checkpoint 1999-01-01"), "Giraffe study", "none is hidden");
  const found = await titles(on, `zebra checkpoint ${day}`);
  assert.deepEqual(found, [...new Set(found)], "found by its words and by its day, it is one hit");
});

Deno.test("searchMemory() shows what was written at a time that is asked for alone, newest first", async () => {
  using on = await filled();
  on.later(30 * DAY);
  await checkpoint(on.memory, { title: "Giraffe study", thesis: "Giraffes sleep little." });
  assert.deepEqual(await titles(on, "yesterday"), ["Giraffe study"]);
  assert.deepEqual(await titles(on, "checkpoints from yesterday"), ["Giraffe study"]);
  assert.deepEqual(await titles(on, "last week type:todo"), []);
  assert.deepEqual(await titles(on, "last week", { type: "checkpoint" }), ["Giraffe study"]);
  const tomorrow = new Date(on.memory.now() + DAY).toISOString().slice(0, 10);
  assert.deepEqual(await titles(on, `last week after:${tomorrow}`), [], "a filter hides");
  assert.deepEqual(await titles(on, `checkpoints from 2026-01-13 before:2026-01`), []);
  const { items: [first], weak } = await searchMemory(on.memory, "latest");
  assert.deepEqual([first?.title, weak], ["Giraffe study", false]);
});

Deno.test("searchMemory() lists what passes the filters where no word is given, newest first", async () => {
  using on = await filled();
  assert.deepEqual(await titles(on, "type:todo"), ["count the zebra stripes"]);
  const { items, total } = await searchMemory(on.memory, "after:2020-01-01", { limit: 2 });
  assert.deepEqual([items.length, total], [2, 3]);
  assert.ok(items.every(({ title }) => title !== "Zebra facts"));
  assert.deepEqual(await titles(on, "tag:nobody"), []);
  for (let i = 0; i < 12; i++) {
    byHand(
      `${on.cwd}/.sage`,
      `knowledge/ibex-${i}.md`,
      { type: "knowledge" },
      "# Ibex\n\nIt climbs.",
    );
  }
  const { items: listed } = await searchMemory(on.memory, "type:knowledge");
  assert.equal(listed.length, 10);
  // What no calculation brought has none: what it came to would not be its score.
  assert.ok(listed.every(({ score, formula }) => score === 0 && /^not scored/.test(formula)));
});

Deno.test("searchMemory() forgives a slip of the finger", async () => {
  using on = await filled();
  const { items } = await searchMemory(on.memory, "zebra strypes");
  assert.equal(items.length, 3);
  assert.ok(items.some(({ formula }) => /words/.test(formula)));
});

Deno.test("searchMemory() finds a word that long notes have once, typed well or not", async () => {
  using on = await world();
  const rain = "Rain falls on roofs and gardens while people sleep. ".repeat(4);
  for (let house = 0; house < 12; house++) {
    const rooms = Array.from(
      { length: 14 },
      (_, room) =>
        `## Room ${room}\n\nHouse ${house} has ${room} lamps here beside a daemon. ${rain}`,
    );
    const text = `# House ${house}\n\n${rooms.join("\n\n")}\n`;
    byHand(on.memory.user.root, `knowledge/${house}.md`, { type: "knowledge" }, text);
  }
  for (const word of ["daemon", "daemn"]) {
    assert.notDeepEqual(await titles(on, word), [], word);
  }
  assert.deepEqual(await titles(on, "daemn giraffes"), []);
});

Deno.test("searchMemory() finds the one note with a name, even if others seem nearer", async () => {
  using on = await world();
  await alike(on.memory, 30);
  const parts = ["Port", "Lease", "Ledger"].map((head) =>
    `## ${head}\n\nThe census counts ferries.`
  );
  const rows = "The gateway drops what the worker of the queue has not taken over by then, ".repeat(
    3,
  );
  const end = "says ENOONE30 and .envrc, and ends.";
  const text = `# Harbour\n\n${parts.join("\n\n")}\n\n## Rest\n\n${rows}${end}\n`;
  byHand(on.memory.user.root, "knowledge/harbour.md", { id: "harbour", type: "knowledge" }, text);
  byHand(
    on.memory.user.root,
    "todos/eno.md",
    { id: "eno", type: "todo" },
    "# Read ENOTWO31 again\n",
  );
  const typed = ["ENOONE30", "enoone30", '"ENOONE30"', ".envrc"];
  for (const query of [...typed, "what is ENOONE30", "importer ENOONE30"]) {
    for (const options of [{}, { limit: 5 }, { limit: 50 }]) {
      const [best] = (await searchMemory(on.memory, query, options)).items;
      assert.equal(best?.title, "Harbour", query);
    }
  }
  for (const query of ["ENOONE31", "what is ENOONE31", "what is ENOONE30 to ENOTWO31"]) {
    assert.ok(!(await titles(on, query)).includes("Harbour"), query);
  }
});

Deno.test("searchMemory() never shows an old version above the one that replaced it", async () => {
  using on = await world();
  const root = `${on.cwd}/.sage`;
  byHand(
    root,
    "knowledge/new.md",
    { id: "new", type: "knowledge", supersedes: "[old]" },
    "# New\n\nThe okapi limit.",
  );
  byHand(
    root,
    "knowledge/old.md",
    { id: "old", type: "knowledge" },
    "# Okapi limit\n\nThe okapi limit is sixty okapis.",
  );
  const { items } = await searchMemory(on.memory, "okapi limit");
  assert.deepEqual(items.map(({ id }) => id), ["new", "old"]);
});

Deno.test("searchMemory() reaches other projects' notes in the user's store only when asked", async () => {
  using on = await world({ project: "none" });
  const elsewhere = await on.open({ cwd: tempDir() });
  await knowledge(elsewhere, "Zebra facts", "Zebras have stripes against flies.");
  assert.deepEqual(await titles(on, "zebra"), []);
  assert.deepEqual(await titles(on, "zebra", { all: true }), ["Zebra facts"]);
  // Without a word to look for, what passes is listed.
  assert.deepEqual(await titles(on, "type:knowledge"), []);
  assert.deepEqual(await titles(on, "type:knowledge", { all: true }), ["Zebra facts"]);
});

Deno.test("searchMemory() names the project of every note that is of another", async () => {
  using on = await world({ project: "none" });
  const elsewhere = tempDir();
  repository(elsewhere, "https://example.org/acme/stable.git");
  await knowledge(await on.open({ cwd: elsewhere }), "Zebra facts", "Zebras have stripes.");
  await knowledge(on.memory, "Zebra food", "Zebras eat grass.");
  await knowledge(on.memory, "Zebra size", "Zebras are tall.", { scope: "user" });
  const { items } = await searchMemory(on.memory, "zebra", { all: true });
  assert.deepEqual(
    Object.fromEntries(items.map(({ title, of }) => [title, of])),
    { "Zebra facts": "stable", "Zebra food": undefined, "Zebra size": undefined },
  );
});

Deno.test("searchMemory() ignores an untrusted note that claims to replace another", async () => {
  using on = await world({ project: "foreign" });
  const { id } = await knowledge(on.memory, "Zebra stripes", "Zebras have stripes against flies.", {
    scope: "user",
  });
  const front = { id: "zoo", type: "knowledge", supersedes: `[${id}]` };
  byHand(`${on.cwd}/.sage`, "knowledge/zoo.md", front, "# Zoo\n\nThe zoo has a zebra too.");
  const { items } = await searchMemory(on.memory, "zebra stripes flies", { limit: 5 });
  assert.deepEqual(items.map(({ title }) => title), ["Zebra stripes", "Zoo"]);
});

Deno.test("searchMemory() marks archived, superseded, unparsable and untrusted notes", async () => {
  using on = await world({ project: "foreign" });
  const root = `${on.cwd}/.sage`;
  byHand(
    root,
    "knowledge/a.md",
    { id: "a", type: "knowledge", status: "archived" },
    "# A\n\nzebra one",
  );
  byHand(
    root,
    "knowledge/b.md",
    { id: "b", type: "knowledge", supersedes: "[c]" },
    "# B\n\nzebra two",
  );
  byHand(root, "knowledge/c.md", { id: "c", type: "knowledge" }, "# C\n\nzebra three");
  byHand(root, "knowledge/d.md", { tags: '["x' }, "# D\n\nzebra four");
  const sides = "<<<<<<< HEAD\nzebra five\n=======\nzebra six\n>>>>>>> side";
  byHand(root, "knowledge/e.md", { id: "e", type: "knowledge" }, `# E\n\n${sides}`);
  const { items } = await searchMemory(on.memory, "zebra");
  const flags = Object.fromEntries(items.map(({ title, flags }) => [title, flags.join()]));
  assert.deepEqual(flags, {
    A: "untrusted,archived",
    B: "untrusted",
    C: "untrusted,superseded",
    D: "untrusted,unparsable",
    E: "untrusted,unparsable",
  });
  assert.ok(items.every(({ author }) => author !== "person"), "nobody knows who wrote them");
});

Deno.test("openMemory() changes no note for what waits in a store that came from elsewhere", async () => {
  using on = await world({ project: "foreign" });
  const root = `${on.cwd}/.sage`;
  const path = byHand(root, "knowledge/a.md", { id: "a" }, "# A\n\nzebra");
  const base = read(path);
  put(
    `${root}/.inbox/2026-01-13T14-30-00-0123456789abcdef.json`,
    JSON.stringify({
      path: "knowledge/a.md",
      noteId: "a",
      updated: "",
      base,
      next: `${base}okapi\n`,
    }),
  );
  await on.open();
  assert.equal(read(path), base);
  recordTrust(realFs, `${on.home}/.sage/state`, root, "trusted");
  await on.open();
  assert.match(read(path), /okapi/);
});

Deno.test("searchMemory() sees what a person changed, added and removed a moment ago", async () => {
  using on = await world();
  const path = byHand(`${on.cwd}/.sage`, "knowledge/x.md", { id: "x" }, "# X\n\nzebra");
  assert.deepEqual(await titles(on, "zebra"), ["X"]);
  put(path, "---\nid: x\n---\n# X\n\nokapi");
  assert.deepEqual([await titles(on, "zebra"), await titles(on, "okapi")], [[], ["X"]]);
  await Deno.remove(path);
  assert.deepEqual(await titles(on, "okapi"), []);
});

Deno.test("searchMemory() never finds by words that are private", async () => {
  using on = await world();
  byHand(
    `${on.cwd}/.sage`,
    "knowledge/x.md",
    { id: "x" },
    "# X\n\nopen <private>zanzibar</private> open",
  );
  assert.deepEqual(await titles(on, "zanzibar"), []);
  assert.deepEqual(await titles(on, "open"), ["X"]);
});

Deno.test("private text of a front matter is not indexed", async () => {
  using on = await world();
  const front = {
    id: "x",
    aliases: '["<private>zanzibar</private>", "open name"]',
    tags: '["<private>zanzibar</private>", "birds"]',
    sources: '[{id: "<private>zanzibar</private>", relation: contradicts}]',
    mood: '"<private>zanzibar</private>"',
  };
  byHand(`${on.cwd}/.sage`, "knowledge/x.md", front, "# X\n\nThe pigeon flies.");
  const { items } = await searchMemory(on.memory, "pigeon");
  assert.deepEqual(items.map(({ tags }) => tags), [["birds"]]);
  assert.deepEqual(await searchRoots([`${on.home}/.sage`], ["zanzibar"]), []);
  assert.equal((await findNote(on.memory, "open name")).kind, "one");
});

Deno.test("private text that spans keys and items of a front matter is not indexed", async () => {
  using on = await world();
  const store = `${on.cwd}/.sage`;
  byHand(store, "knowledge/x.md", {
    id: "x",
    '"<private>zanzibar</private>"': "one",
    client: '"<private>Acme"',
    deal: '"zanzibar"',
    partner: '"two </private> Bill"',
    tags: '["birds", "<private>z1", "zanzibar", "z3</private>", "boats"]',
    project: '"<private>zanzibar</private>"',
  }, "# X\n\nThe pigeon flies.");
  // Where nothing closes it, it goes to the end.
  byHand(store, "knowledge/y.md", { id: "y", client: '"<private>Acme"' }, "# Y\n\nThe zanzibar.");
  const { items } = await searchMemory(on.memory, "pigeon");
  assert.deepEqual(items.map(({ title, tags }) => [title, tags]), [["X", ["birds", "boats"]]]);
  assert.deepEqual(await searchRoots([`${on.home}/.sage`], ["zanzibar", "Acme"]), []);
});

Deno.test("a heading between private tags is never shown as a title", async () => {
  using on = await world();
  const front = { id: "plan", type: "knowledge", pinned: "true" };
  const store = `${on.cwd}/.sage`;
  byHand(
    store,
    "knowledge/plan.md",
    front,
    "<private>\n# Codename Zorblax\n</private>\n\nThe plan holds.",
  );
  byHand(
    store,
    "knowledge/two.md",
    { id: "two", type: "knowledge" },
    "<private>\n# Codename Zorblax\n</private>\n\n# The second plan\n\nIt holds too.",
  );
  assert.deepEqual(await titles(on, "plan holds"), ["The second plan", "plan"]);
  assert.deepEqual(await titles(on, "Codename Zorblax"), []);
  assert.deepEqual((await listKnowledge(on.memory)).map(({ title }) => title).sort(), [
    "The second plan",
    "plan",
  ]);
  const found = await findNote(on.memory, "two");
  assert.equal(found.kind === "one" && found.item.note.title, "The second plan");
  const oriented = await orient(on.memory, SESSION, "startup");
  assert.match(oriented?.text ?? "", /Pinned: "plan"/);
  const written = placesOf(on, "zorblax").filter((path) => !path.startsWith(`${store}/knowledge/`));
  assert.deepEqual(written, []);
});

Deno.test("searchMemory() finds in other words what the question misses, and says in which", async () => {
  using on = await filled();
  const question = "how do savannah herbivores keep insects off";
  const also = ["zebra stripes against flies"];
  const [before] = (await searchMemory(on.memory, question)).items;
  const { items, weak } = await searchMemory(on.memory, question, { also });
  assert.equal(items[0]?.title, "Zebra facts");
  assert.equal(items[0].phrasing, also[0]);
  assert.match(items[0].formula, /^mean of 2 phrasings: logistic/);
  assert.ok(items[0].score > (before?.score ?? 0) && !weak);
  assert.ok(before?.phrasing === undefined);
});

Deno.test("searchMemory() reads filters, phrases and times from the query alone", async () => {
  using on = await filled();
  const also = ['type:knowledge "against flies" zebra', "tag:animal stripes last year"];
  assert.deepEqual(await titles(on, "type:todo insects", { also }), ["count the zebra stripes"]);
  assert.deepEqual(await titles(on, "type:todo", { also }), ["count the zebra stripes"]);
  const plain = ["zebra", "stripes"];
  assert.deepEqual(
    (await searchMemory(on.memory, '"bitten less" stripes', { also: plain })).items[0]?.title,
    "Zebra study",
  );
});

Deno.test("searchMemory() with phrasings that say nothing new answers as without", async () => {
  using on = await filled();
  const alone = await searchMemory(on.memory, "zebra stripes");
  for (const also of [[], [""], [" ", "zebra stripes", "Zebra  STRIPES!"], ["type:todo"]]) {
    assert.deepEqual(await searchMemory(on.memory, "zebra stripes", { also }), alone);
  }
});

Deno.test("searchMemory() handles every phrasing, and refuses fifty", async () => {
  using on = await filled();
  for (
    const also of [
      ["zebra ".repeat(1e5), "a".repeat(1e6)],
      ["\0\ud800", "?!… — «»", "🦊🦊 🧠", "Память 記憶 مرحبا naïve"],
      ['"', "("],
    ]
  ) {
    const { items } = await searchMemory(on.memory, "zebra stripes", { also });
    assert.match(items[0]?.title ?? "", /[Zz]ebra/, also[0]?.slice(0, 20));
  }
  const fifty = Array.from({ length: 50 }, (_, i) => `stripes ${i}`);
  await assert.rejects(searchMemory(on.memory, "zebra", { also: fifty }), { code: "usage" });
});

Deno.test("searchMemory() handles every query", async () => {
  using on = await filled();
  for (
    const query of [
      "",
      " ",
      "?",
      "(",
      "a".repeat(1e6),
      "zebra ".repeat(1e5),
      "\0\ud800",
      "type:todo",
      "*",
      "?!… — «»",
      "🦊🦊 🧠",
      "Память 記憶 مرحبا naïve zebra",
      "zebra ".repeat(17_000),
      "tag:animal ".repeat(1000),
      "tag:a after:2026 before:1970 type:topic zebra",
      '"',
      "zebra".split("").join(" "),
    ]
  ) {
    const { items } = await searchMemory(on.memory, query);
    assert.ok(items.length <= 10, query.slice(0, 20));
  }
});

Deno.test("refreshAll() changes nothing for a file that is no text, and was none", async () => {
  using on = await world();
  const path = `${on.cwd}/.sage/knowledge/x.md`;
  put(path, "# X\n\0\n");
  const report = async () => {
    const [{ changed = -1, skipped = [] } = {}] = await refreshAll(on.memory);
    return [changed, skipped.length];
  };
  assert.deepEqual(await report(), [0, 1]);
  put(path, "# X\n\nzebra\n");
  assert.deepEqual(await report(), [1, 0]);
  put(path, "# X\n\0\n");
  assert.deepEqual(await report(), [1, 1]);
  assert.deepEqual(await titles(on, "zebra"), []);
});

Deno.test("refreshAll() misses no note that is moved while others have the thread", async () => {
  using on = await world();
  const store = `${on.cwd}/.sage`;
  for (let i = 0; i < 300; i++) {
    writeOld(`${store}/knowledge/note-${i}.md`, `# Note ${i}\n\nText.\n`);
  }
  writeOld(`${store}/archive/late.md`, "# Late\n\nzebra\n");
  await refreshAll(on.memory);
  let pauses = 0;
  const pause = async () => {
    // The folder that it goes to is listed by then, and the one that it leaves is not.
    if (pauses++ === 0) await Deno.rename(`${store}/archive/late.md`, `${store}/knowledge/late.md`);
  };
  await refreshAll(on.memory, { pause });
  assert.equal(pauses, 2);
  const late = knownEntries(on.memory, {}).filter(({ note }) => note.title === "Late");
  assert.deepEqual(late.map(({ note }) => note.path), ["knowledge/late.md"]);
});

Deno.test("rebuildAll() finds what was found before, from the files alone", async () => {
  using on = await filled();
  const before = await searchMemory(on.memory, "zebra stripes");
  const reports = await rebuildAll(on.memory);
  assert.equal(reports.reduce((sum, { notes }) => sum + notes, 0), 3);
  assert.deepEqual(await searchMemory(on.memory, "zebra stripes"), before);
  await Deno.remove(`${on.home}/.sage/state/index`, { recursive: true });
  const fresh = await on.open();
  assert.deepEqual(await searchMemory(fresh, "zebra stripes"), before);
});

Deno.test("findSimilar() compares with a note or with a text, never with itself", async () => {
  using on = await filled();
  await knowledge(on.memory, "Bread", "Rye bread needs a sourdough that is fed twice.");
  const byId = await findSimilar(on.memory, "zebra-facts");
  assert.ok(byId.kind === "hits");
  assert.ok(byId.items.length > 0 && byId.items.every(({ id }) => id !== "zebra-facts"));
  assert.notEqual(byId.items[0]?.title, "Bread");
  const byText = await findSimilar(on.memory, "striped animals bitten by flies", { limit: 2 });
  assert.ok(byText.kind === "hits" && byText.items.length <= 2);
  assert.match(byText.items[0]?.title ?? "", /Zebra/);
  assert.equal((await findSimilar(on.memory, "nobody")).kind, "none");
});

Deno.test("searchMemory() fails for want of file handles, and no note leaves the index for it", async () => {
  using on = await filled();
  assert.equal((await searchMemory(on.memory, "zebra stripes")).total, 3);
  const path = byHand(
    `${on.cwd}/.sage`,
    "knowledge/zebra-facts.md",
    { id: "zebra-facts" },
    "Zebra!",
  );
  const short = await on.open({
    fs: {
      ...realFs,
      open(file, options) {
        if (file === path) throw Object.assign(new Error("too many"), { code: "EMFILE" });
        return realFs.open(file, options);
      },
    },
  });
  await assert.rejects(searchMemory(short, "zebra stripes"), { code: "io" });
  assert.equal((await searchMemory(on.memory, "zebra")).total, 3);
});

Deno.test("a hook indexes a few of many large notes, and leaves the others to the next one", async () => {
  using on = await world();
  const notes = 100;
  const text = "The importer reads its rows in batches, and each batch is acknowledged. ".repeat(
    4000,
  );
  for (let i = 0; i < notes; i++) {
    byHand(`${on.cwd}/.sage`, `knowledge/large-${i}.md`, { id: `large-${i}` }, `${i} ${text}`);
  }
  const [project] = await refreshAll(await on.open({ hook: true }));
  assert.equal(project?.complete, false);
  assert.ok(project.changed > 0 && project.changed < notes, `${project.changed}`);
  const [rest] = await refreshAll(await on.open());
  assert.deepEqual([rest?.complete, rest?.notes], [true, notes]);
});

Deno.test("refreshAll() begins with what was written last where it may not take all of it", async () => {
  using on = await world();
  const files = Array.from({ length: 100 }, (_, i) => `knowledge/note-${100 + i}.md`);
  files.forEach((path, i) => {
    const whole = byHand(`${on.cwd}/.sage`, path, {}, `# Note ${i}`);
    Deno.utimeSync(whole, NOW / 1000 + i, NOW / 1000 + i);
  });
  const memory = await on.open();
  const [report] = await refreshAll(memory, { deadlineMs: 0 });
  assert.equal(report?.complete, false);
  const known = knownEntries(memory, {}).map(({ note }) => note.path).sort();
  assert.ok(known.length > 0 && known.length < files.length);
  assert.deepEqual(known, files.slice(-known.length));
});

Deno.test("a search shows no line of a history in which only Sage said that something changed", async () => {
  using on = await world();
  const { id } = await knowledge(on.memory, "Gateway", "It takes ten requests a second.");
  for (const content of ["It takes twelve requests a second.", "It takes twenty of them."]) {
    on.later(DAY);
    const input = { id, title: "Gateway", content, onConflict: "update" } as const;
    assert.equal((await saveKnowledge(on.memory, input, PERSON)).kind, "updated");
  }
  const path = `${on.cwd}/.sage/knowledge/gateway.md`;
  assert.match(read(path), /## History/);
  await refreshAll(on.memory);
  const { items } = await searchMemory(
    on.memory,
    "a newer statement, updated by a person this week",
  );
  assert.ok(items.every(({ heading, snippet }) => !`${heading} ${snippet}`.includes("updated by")));
  // A reason that somebody gave is found.
  put(path, read(path) + "- 2026-01-02: the incident with the turbines\n");
  await refreshAll(on.memory);
  const [found] = (await searchMemory(on.memory, "incident turbines")).items;
  assert.match(found?.snippet ?? "", /turbines/);
});
