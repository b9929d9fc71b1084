/**
 * Notes across projects: read from another one and counted, asked about once, moved to every project
 * and found by all their old names, forgotten whole, and brought back.
 */
import assert from "node:assert/strict";
import { shortId } from "../../src/base/id.ts";
import { findExact, findNote } from "../../src/memory/find.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { initStores } from "../../src/memory/init.ts";
import { archiveKnowledge } from "../../src/memory/knowledge/archive.ts";
import { timesBorrowed } from "../../src/memory/knowledge/borrow.ts";
import {
  demoteKnowledge,
  type Promoted,
  promoteKnowledge,
} from "../../src/memory/knowledge/promote.ts";
import { restoreVersion } from "../../src/memory/knowledge/history.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { recallElsewhere } from "../../src/memory/knowledge/recall_elsewhere.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { acceptQuestion } from "../../src/memory/question/accept.ts";
import { decline, listQuestions, putOff } from "../../src/memory/question/question.ts";
import { readNote } from "../../src/memory/read.ts";
import { restoreRemoved } from "../../src/memory/removal/removed.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { shareStore } from "../../src/memory/team/share.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { intoVault, outOfVault, vaultOf } from "../support/vault.ts";
import {
  byHand,
  DAY,
  knowledge,
  MINUTE,
  PERSON,
  placesOf,
  put,
  read,
  type World,
  world,
} from "../support/world.ts";

const LOCKS = ["Index locks", "An index lock of git holds for one worktree only."] as const;

/** Another project of the same person. */
async function another(on: World, session?: string): Promise<Memory> {
  const cwd = tempDir();
  await initStores(await on.open({ cwd }));
  return await on.open({ cwd, ...(session === undefined ? {} : { session }) });
}

async function only(memory: Memory, ref: string) {
  const found = await findNote(memory, ref);
  assert.ok(found.kind === "one", ref);
  return found;
}

async function promote(memory: Memory, ref: string): Promise<Promoted> {
  return await promoteKnowledge(memory, (await only(memory, ref)).item);
}

async function idOf(memory: Memory, ref: string): Promise<string> {
  const found = await findNote(memory, ref);
  return found.kind === "one" ? found.item.note.id : found.kind;
}

/** Titles of the notes that link to it. */
async function backlinks(memory: Memory, ref: string): Promise<string[]> {
  const graph = await openGraph(memory);
  const node = graph.find(ref) ?? assert.fail(ref);
  return node.into.map(({ from }) => from.note.title).sort();
}

Deno.test("a promoted note is found by every name that it had, and its links hold", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, ...LOCKS);
  await knowledge(on.memory, "By id", "Wait for it: [[index-locks]].");
  await knowledge(on.memory, "By title", "As said in [[Index locks]], retry.");
  await knowledge(on.memory, "By file", "More in [the note](index-locks.md) about hooks.");
  await knowledge(on.memory, "By source", "Retries are bounded.", {
    sources: [{ id: "index-locks", relation: "supports" }],
  });
  const all = ["By file", "By id", "By source", "By title"];
  assert.deepEqual(await backlinks(on.memory, "index-locks"), all);
  const before = read(saved.path);
  const promoted = await promote(on.memory, "index-locks");
  assert.equal(promoted.kind, "promoted");
  assert.equal(promoted.path, `${on.home}/.sage/knowledge/index-locks.md`);
  assert.throws(() => read(saved.path));
  const after = read(promoted.path);
  assert.doesNotMatch(after, /^project:/m);
  assert.match(after, /^promoted:\n {2}from: project-/m);
  assert.match(
    read(`${on.cwd}/.sage/redirects/index-locks.md`),
    /^---\ntype: redirect\nid: index-locks\nto: index-locks\npath: knowledge\/index-locks\.md\n/,
  );
  const names = ["index-locks", saved.short_id, "knowledge/index-locks.md", saved.path];
  for (const name of [...names, "Index locks", "index-locks.md"]) {
    assert.equal(await idOf(on.memory, name), "index-locks", name);
  }
  assert.equal((await findExact(on.memory, saved.short_id, ["knowledge"])).kind, "one");
  assert.deepEqual(await backlinks(on.memory, "index-locks"), all);
  assert.deepEqual(await backlinks(on.memory, saved.short_id), all);
  assert.deepEqual((await openGraph(on.memory)).unresolved, []);
  const { items } = await searchMemory(on.memory, "index lock of git");
  assert.equal(items[0]?.id, "index-locks");
  assert.equal(items.filter(({ id }) => id === "index-locks").length, 1);
  const elsewhere = await another(on);
  assert.equal(await idOf(elsewhere, "index-locks"), "index-locks");

  const found = await findNote(elsewhere, "index-locks");
  assert.ok(found.kind === "one");
  await assert.rejects(demoteKnowledge(elsewhere, found.item), /came from the project project-/);
  const here = await findNote(on.memory, "index-locks");
  assert.ok(here.kind === "one");
  assert.equal((await demoteKnowledge(on.memory, here.item)).path, saved.path);
  const project = /^project: .*\n/m.exec(before)?.[0] ?? "?";
  const bare = (text: string): string => text.replace(project, "");
  assert.equal(bare(read(saved.path)), bare(before));
  assert.deepEqual(placesOf(on, "type: redirect"), []);
  assert.deepEqual(await backlinks(on.memory, "index-locks"), all);
  // What is gone from there by now is moved by nobody a second time.
  await assert.rejects(demoteKnowledge(on.memory, here.item), /was moved or removed meanwhile/);
  assert.deepEqual(
    placesOf(on, "---\nid: index-locks\n").filter((path) => path.endsWith(".md")),
    [saved.path],
  );
});

Deno.test("a promoted note whose id is taken gets a new one, and old links still lead to it", async () => {
  using on = await world();
  const other = await another(on);
  await knowledge(on.memory, "Index locks", "Locks of a database index.");
  const saved = await knowledge(other, ...LOCKS);
  await knowledge(other, "Links", "Bounded retries, says [[index-locks]].");
  const promoted = await promote(other, saved.id);
  assert.deepEqual([promoted.id, promoted.before], ["index-locks-2", "index-locks"]);
  for (const name of ["index-locks", saved.short_id, saved.path, "knowledge/index-locks.md"]) {
    assert.equal(await idOf(other, name), "index-locks-2", name);
  }
  assert.deepEqual(await backlinks(other, "index-locks-2"), ["Links"]);
  assert.deepEqual(await backlinks(other, saved.short_id), ["Links"]);
  assert.equal(await idOf(on.memory, "index-locks"), "index-locks");
  const next = await knowledge(other, "Index-locks", "A thing of another sort.", {
    onConflict: "keep_both",
  });
  assert.ok(!["index-locks", "index-locks-2"].includes(next.id), next.id);

  const back = await findNote(other, "index-locks-2");
  assert.ok(back.kind === "one");
  assert.equal((await demoteKnowledge(other, back.item)).id, "index-locks");
  assert.deepEqual(await backlinks(other, "index-locks"), ["Links"]);
  assert.equal(await idOf(other, "index-locks-2"), "index-locks");
});

Deno.test("a demoted note keeps the name and the folder that a person gave it since", async () => {
  using on = await world();
  const back = async (): Promise<string> => {
    const found = await findNote(on.memory, "index-locks");
    assert.ok(found.kind === "one");
    return (await demoteKnowledge(on.memory, found.item)).path.slice(`${on.cwd}/.sage/`.length);
  };
  const saved = await knowledge(on.memory, ...LOCKS);
  const skill = `${on.cwd}/.sage/knowledge/skills/git`;
  await Deno.mkdir(skill, { recursive: true });
  await Deno.rename(saved.path, `${skill}/locks.md`);
  await promote(on.memory, saved.id);
  assert.equal(await back(), "knowledge/skills/git/locks.md");

  const { path } = await promote(on.memory, saved.id);
  await Deno.rename(path, `${on.home}/.sage/knowledge/Locks of git.md`);
  assert.equal(await back(), "knowledge/Locks of git.md");
});

Deno.test("a demoted note with a new id is named by it, whatever its file was called", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, ...LOCKS);
  await promote(on.memory, saved.id);
  put(`${on.cwd}/.sage/knowledge/theirs.md`, "---\nid: index-locks\n---\n# Theirs\n\nx\n");
  const { item } = await only(on.memory, `${on.home}/.sage/knowledge/index-locks.md`);
  const { id, path } = await demoteKnowledge(on.memory, item);
  assert.deepEqual([id, path], ["index-locks-2", `${on.cwd}/.sage/knowledge/index-locks-2.md`]);
});

Deno.test("promoting a note that somebody has just promoted reports that it is gone", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, ...LOCKS);
  const { item } = await only(on.memory, saved.id);
  const outcomes = await Promise.allSettled([
    promoteKnowledge(on.memory, item),
    promoteKnowledge(await on.open(), item),
  ]);
  const [second] = outcomes.filter(({ status }) => status === "rejected");
  assert.ok(second?.status === "rejected" && outcomes.length === 2);
  assert.match(String(second.reason), /"Index locks" was moved or removed meanwhile/);
});

for (const project of ["foreign", "own"] as const) {
  Deno.test(`a redirect in ${project} store leads only to a note that came from there`, async () => {
    using on = await world({ project });
    const own = await knowledge(on.memory, "Backup plan", "The house, each night.", {
      scope: "user",
    });
    put(`${on.cwd}/.sage/knowledge/bait.md`, "# Bait\n\nSomething to be rid of.\n");
    put(
      `${on.cwd}/.sage/redirects/bait.md`,
      "---\ntype: redirect\nid: bait\nto: backup-plan\npath: knowledge/bait.md\ntitle: Bait\n" +
        "moved: 2026-01-01T00:00:00Z\n---\n\nKept.\n",
    );
    const memory = await on.open();
    assert.equal((await only(memory, "bait")).item.note.title, "Bait");
    assert.equal((await findExact(memory, "bait", ["knowledge"])).kind, "one");
    assert.equal((await forget(memory, "bait")).kind, "forgotten");
    assert.match(read(own.path), /The house, each night/);
  });
}

Deno.test(
  "a promoted note and its versions are not written through a link in the person's folder",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    using on = await world();
    const { id, path } = await knowledge(on.memory, ...LOCKS);
    const said = await saveKnowledge(on.memory, { id, title: LOCKS[0], content: "Two." }, PERSON);
    assert.equal(said.kind, "updated");
    await Deno.mkdir(`${on.home}/elsewhere`);
    await Deno.symlink(`${on.home}/elsewhere`, `${on.home}/.sage/knowledge`);
    await assert.rejects(promote(on.memory, id), { code: "unsafe_path" });
    assert.match(read(path), /Two\./);
    assert.deepEqual(filesIn(`${on.home}/elsewhere`), []);
  },
);

Deno.test("a promoted note is found by its old title after it was renamed", async () => {
  using on = await world();
  await knowledge(on.memory, ...LOCKS);
  const promoted = await promote(on.memory, "index-locks");
  put(promoted.path, read(promoted.path).replaceAll("Index locks", "Locks of git"));
  assert.equal(await idOf(on.memory, "Index locks"), "index-locks");
  await knowledge(on.memory, "Index locks", "Another text altogether.", {
    onConflict: "keep_both",
  });
  assert.notEqual(await idOf(on.memory, "Index locks"), "index-locks");
});

Deno.test("a note that somebody else promoted is reported as moved under each of its names", async () => {
  using on = await world({ project: "own" });
  put(
    `${on.cwd}/.sage/redirects/index-locks.md`,
    "---\ntype: redirect\nid: index-locks\nto: index-locks-2\npath: knowledge/locks.md\n" +
      "title: Index locks\nmoved: 2026-01-01T00:00:00Z\n---\n\nKept.\n",
  );
  const memory = await on.open();
  const names = ["index-locks", shortId("index-locks"), "knowledge/locks.md", "locks"];
  for (const name of [...names, "index locks"]) {
    const found = await findNote(memory, name);
    assert.equal(found.kind === "none" && found.moved?.title, "Index locks", name);
  }
  const found = await findNote(memory, "index-locks", ["todo"]);
  assert.equal(found.kind === "none" && found.moved, undefined);
  const clone = await world({ project: "foreign" });
  using _ = clone;
  put(`${clone.cwd}/.sage/redirects/a.md`, read(`${on.cwd}/.sage/redirects/index-locks.md`));
  const stranger = await findNote(clone.memory, "index-locks");
  assert.equal(stranger.kind === "none" && stranger.moved, undefined);
});

Deno.test("forgetting a promoted note removes its redirect, from whichever project it is forgotten", async () => {
  for (const isOwn of [true, false]) {
    using on = await world();
    const from = isOwn ? on.memory : await another(on);
    const saved = await knowledge(on.memory, "Zanzibar key", "The quokka opens the vault.");
    put(
      saved.path.replace(".md", ".sage-conflict-2026-01-13T14-30-00-beef.md"),
      read(saved.path).replace("quokka", "quokka once"),
    );
    await promote(on.memory, saved.id);
    const outcome = await forget(from, saved.id);
    assert.equal(outcome.kind, "forgotten");
    assert.deepEqual(placesOf(on, "quokka"), []);
    assert.deepEqual(placesOf(on, "zanzibar"), []);
  }
});

Deno.test("forgetting a promoted note leaves a newer note under its old id, indexed or not", async () => {
  using on = await world();
  const other = await another(on);
  const saved = await knowledge(on.memory, "Zanzibar key", "The quokka opens the vault.");
  await promote(on.memory, saved.id);
  const fresh = `${on.cwd}/.sage/knowledge/zanzibar-key.md`;
  put(fresh, "# Zanzibar key\n\nIt hangs behind the door now.\n");
  assert.equal((await forget(other, saved.id)).kind, "forgotten");
  assert.match(read(fresh), /behind the door/);
  assert.deepEqual(placesOf(on, "quokka"), []);
  assert.deepEqual(placesOf(on, "type: redirect"), []);
});

Deno.test("a newer note under a promoted note's old id is found, and forgotten, by its path", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Zanzibar key", "The quokka opens the vault.");
  const promoted = await promote(on.memory, saved.id);
  const fresh = `${on.cwd}/.sage/knowledge/zanzibar-key.md`;
  put(fresh, "# Zanzibar key\n\nIt hangs behind the door now.\n");
  assert.equal((await findNote(on.memory, saved.id)).kind, "many");
  assert.equal((await only(on.memory, fresh)).item.absolutePath, fresh);
  assert.equal((await forget(on.memory, fresh)).kind, "forgotten");
  assert.deepEqual(placesOf(on, "behind the door"), []);
  assert.match(read(promoted.path), /quokka/);
});

Deno.test("a promoted note keeps its old names into a vault and out, and no other file gets its links", async () => {
  using on = await world();
  // A name without a space is one that a redirect would bear, too.
  const saved = await knowledge(on.memory, "Locks", LOCKS[1]);
  await knowledge(on.memory, "Index locks", "Another note of that id.", { scope: "user" });
  const second = await knowledge(on.memory, "Index-locks", "Where bears live in winter.", {
    onConflict: "keep_both",
  });
  await promote(on.memory, saved.id);
  const promoted = await promote(on.memory, second.id);
  const redirects = `${on.cwd}/.sage/redirects`;
  const before = filesIn(redirects);
  assert.equal(before.length, 2);
  for (const move of [() => intoVault(on), () => outOfVault(on), () => intoVault(on)]) {
    await move();
    const memory = await on.open();
    assert.deepEqual(filesIn(redirects), before);
    assert.equal(await idOf(memory, second.id), promoted.id);
    assert.equal(await idOf(memory, `knowledge/${second.id}.md`), promoted.id);
    memory.close();
  }
  const memory = await on.open();
  const third = await knowledge(memory, "Hooks", "Shared by all worktrees.");
  await promote(memory, third.id);
  const files = filesIn(vaultOf(on)).filter((path) => /(^|\/)hooks\.md$/i.test(path));
  assert.deepEqual(files, ["Sage/global/knowledge/Hooks.md"]);
});

Deno.test("a promoted note gets no id that was forgotten in the other store, and keeps an id that the file only implied", async () => {
  using on = await world();
  const own = await knowledge(on.memory, ...LOCKS, { scope: "user" });
  await forget(on.memory, own.id);
  byHand(`${on.cwd}/.sage`, "knowledge/index-locks.md", {}, "# Locks\n\nOne for each worktree.");
  assert.equal((await promote(on.memory, "index-locks")).id, "index-locks-2");
  assert.equal((await searchMemory(await on.open(), "locks")).items[0]?.id, "index-locks-2");

  byHand(`${on.cwd}/.sage`, "knowledge/hooks.md", {}, "# Git hooks\n\nOne for all worktrees.");
  await intoVault(on, { project: false });
  const { id, path } = await promote(await on.open(), "hooks");
  assert.deepEqual([id, await idOf(await on.open(), path)], ["hooks", "hooks"]);
  assert.match(path, /Git hooks\.md$/);
});

Deno.test("a promoted note gets no id of a note in the vault's trash", async () => {
  using on = await world();
  await intoVault(on);
  const memory = await on.open();
  const first = await knowledge(memory, "Index locks", "Bears sleep in winter.", { scope: "user" });
  assert.equal((await removeNote(memory, first.id, ["knowledge"])).kind, "removed");
  const saved = await knowledge(memory, ...LOCKS, { onConflict: "keep_both" });
  assert.equal(saved.id, "index-locks");
  assert.equal((await promote(memory, saved.id)).id, "index-locks-2");
  assert.equal((await restoreRemoved(memory, "knowledge", first.id)).kind, "restored");
});

Deno.test("knowledge of other projects is found where their notes lie in a vault", async () => {
  using on = await world();
  await knowledge(on.memory, ...LOCKS);
  await intoVault(on);
  const other = await another(on);
  const { items } = await searchMemory(other, "index lock of git worktree", { all: true });
  assert.deepEqual(items.map(({ id, of }) => [id, of]), [["index-locks", "project"]]);
  assert.equal((await searchMemory(other, "project:project locks")).items.length, 1);
  assert.equal((await readNote(other, "index-locks")).kind, "one");
});

Deno.test("versions move with a note when it is promoted and demoted", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, ...LOCKS);
  await knowledge(on.memory, "x", "y");
  const { updateKnowledge } = await import("../../src/memory/knowledge/update.ts");
  const { showKnowledge } = await import("../../src/memory/knowledge/show.ts");
  const found = await findNote(on.memory, saved.id);
  assert.ok(found.kind === "one");
  const next = { title: LOCKS[0], content: "Two worktrees have two index locks." };
  const person = { by: "person", explicit: true } as const;
  assert.equal((await updateKnowledge(on.memory, found.item, next, person, "r")).kind, "updated");
  const versions = async (): Promise<number> => {
    const shown = await showKnowledge(on.memory, saved.id);
    return shown.kind === "one" ? shown.versions.length : -1;
  };
  assert.equal(await versions(), 1);
  await promote(on.memory, saved.id);
  assert.equal(await versions(), 1);
  const version = `${on.home}/.sage/knowledge/.history/index-locks/2026-01-13T14-30-00.md`;
  assert.deepEqual(
    placesOf(on, "one worktree only").filter((path) => !path.includes("/state/index/")),
    [version],
  );
  // It is a person's own by now; and the folder that it lay in bears the id.
  if (Deno.build.os !== "windows") assert.equal(((await Deno.stat(version)).mode ?? 0) & 0o77, 0);
  await assert.rejects(Deno.stat(`${on.cwd}/.sage/knowledge/.history/index-locks`));
  const back = await findNote(on.memory, saved.id);
  assert.ok(back.kind === "one");
  await demoteKnowledge(on.memory, back.item);
  assert.equal(await versions(), 1);
});

Deno.test("an older version that is restored to a promoted note keeps its new id and holds in every project", async () => {
  using on = await world();
  const other = await another(on);
  await knowledge(on.memory, "Index locks", "Locks of a database index.");
  const { id } = await knowledge(other, ...LOCKS);
  const next = { title: LOCKS[0], content: "Two worktrees have two index locks.", id };
  assert.equal((await saveKnowledge(other, next, PERSON)).kind, "updated");
  const promoted = await promote(other, id);
  assert.equal(promoted.id, "index-locks-2");
  const { item } = await only(other, promoted.id);
  assert.equal((await restoreVersion(other, item, 1, PERSON)).kind, "restored");
  const restored = read(promoted.path);
  assert.match(restored, /for one worktree only/);
  assert.match(restored, /^id: index-locks-2\n[^]*^promoted:\n/m);
  assert.doesNotMatch(restored, /^project:/m);
  const everywhere = await only(await another(on), promoted.id);
  assert.equal(everywhere.item.absolutePath, promoted.path);
  const demoted = await demoteKnowledge(other, everywhere.item);
  assert.deepEqual([demoted.kind, demoted.id], ["demoted", id]);
});

Deno.test("the question about a note that is used elsewhere has nothing private of it", async () => {
  using on = await world({ tuning: "promotion:\n  recalls: 1\n" });
  const { path, id } = await knowledge(on.memory, ...LOCKS);
  put(path, `${read(path)}\nAsk <private>zanzibar</private> about it.\n`);
  const opened = await readNote(await another(on), id);
  assert.match(opened.kind === "one" && opened.raised?.text || "", /one worktree only[^]*about it/);
  assert.doesNotMatch(JSON.stringify(listQuestions(on.memory)), /zanzibar/);
});

Deno.test("a note that is used in other projects three times is asked about once", async () => {
  using on = await world();
  const { id } = await knowledge(on.memory, ...LOCKS);
  const opened = async (memory: Memory): Promise<string | undefined> => {
    const outcome = await readNote(memory, id);
    assert.ok(outcome.kind === "one");
    assert.equal(outcome.of, "project");
    return outcome.raised?.question;
  };
  const first = await another(on, "s1");
  assert.equal(await opened(first), undefined);
  assert.equal(await opened(first), undefined);
  assert.equal((await readNote(on.memory, id)).kind, "one");
  assert.equal(await opened(await another(on, "s2")), undefined);
  on.later(DAY);
  assert.equal(timesBorrowed(on.memory, id), 2);
  assert.equal(
    await opened(first),
    '"Index locks" of the project project was of use in others 3 times. ' +
      "Should it hold in every project?",
  );
  assert.equal(await opened(await another(on, "s3")), undefined);
  const [question, ...others] = listQuestions(on.memory);
  assert.ok(question !== undefined && others.length === 0);
  assert.equal(question.project.dir, on.cwd);
  putOff(on.memory, question);
  assert.equal(listQuestions(on.memory)[0]?.later, "2026-01-21T14:30:00Z");

  const accepted = await acceptQuestion(first, question);
  assert.deepEqual([accepted.kind, accepted.outcome.kind], ["promote", "promoted"]);
  assert.match(read(`${on.home}/.sage/knowledge/index-locks.md`), /^cross_project_recalls: 4$/m);
  assert.deepEqual(listQuestions(on.memory), []);
  assert.equal((await readNote(await another(on, "s4"), id)).kind, "one");
  assert.deepEqual(listQuestions(on.memory), []);
});

Deno.test("a declined promotion is never asked about again, and notes of other people never are", async () => {
  using on = await world({ tuning: "promotion:\n  recalls: 1\n" });
  const { id } = await knowledge(on.memory, ...LOCKS);
  const shared = await another(on);
  const theirs = await knowledge(shared, "Team habits", "We merge on Fridays, never on Mondays.");
  assert.ok(shared.project !== undefined);
  shareStore(shared.project);
  await readNote(await another(on), theirs.id);
  assert.deepEqual(listQuestions(on.memory), []);
  await readNote(shared, id);
  const [question] = listQuestions(on.memory);
  assert.ok(question !== undefined);
  decline(on.memory, question);
  await readNote(await another(on, "s2"), id);
  assert.deepEqual(listQuestions(on.memory), []);
  const found = await findNote(shared, theirs.id);
  assert.ok(found.kind === "one");
  await assert.rejects(promoteKnowledge(shared, found.item), /shared with others, who would lose/);
  const taken = await promoteKnowledge(shared, found.item, { fromTeam: true });
  assert.equal(taken.kind, "promoted");
});

Deno.test("a note of a project without a store is promoted and demoted in place", async () => {
  using on = await world({ project: "none", tuning: "promotion:\n  recalls: 1\n" });
  const saved = await knowledge(on.memory, ...LOCKS);
  const before = read(saved.path);
  await readNote(await another(on), saved.id);
  const [question] = listQuestions(on.memory);
  assert.ok(question !== undefined);
  const accepted = await acceptQuestion(on.memory, question);
  assert.equal(accepted.outcome.kind, "promoted");
  assert.doesNotMatch(read(saved.path), /^project:/m);
  const found = await findNote(on.memory, saved.id);
  assert.ok(found.kind === "one");
  assert.equal((await demoteKnowledge(on.memory, found.item)).kind, "demoted");
  const lines = (text: string): string[] => text.split("\n").sort();
  assert.deepEqual(
    lines(read(saved.path)).filter((line) => !line.startsWith("cross_")),
    lines(before),
  );
});

Deno.test("demoting a note that somebody has just demoted changes nothing", async () => {
  using on = await world({ project: "none" });
  const saved = await knowledge(on.memory, ...LOCKS);
  await promote(on.memory, saved.id);
  const { item } = await only(on.memory, saved.id);
  assert.equal((await demoteKnowledge(on.memory, item)).kind, "demoted");
  const text = read(saved.path);
  on.later(DAY);
  assert.equal((await demoteKnowledge(on.memory, item)).kind, "unchanged");
  assert.equal(
    (await demoteKnowledge(on.memory, (await only(on.memory, saved.id)).item)).kind,
    "unchanged",
  );
  assert.equal(read(saved.path), text);
});

Deno.test("where nothing is known here, notes of other projects in the person's store are named", async () => {
  using on = await world({ project: "none" });
  await knowledge(on.memory, ...LOCKS);
  const question = "index lock of git worktree";
  const pointers = await recallElsewhere(await another(on), question);
  assert.deepEqual(pointers.map(({ id }) => id), ["index-locks"]);
  assert.deepEqual(await recallElsewhere(on.memory, question), []);
  const better = "Locks of a git worktree's index";
  await knowledge(await another(on), better, LOCKS[1], { onConflict: "keep_both" });
  const both = await recallElsewhere(await another(on), question);
  assert.deepEqual(both.map(({ title }) => title), [better, LOCKS[0]], "what answers best first");
});

Deno.test("where nothing is known here, notes of other trusted projects are named", async () => {
  using on = await world();
  await knowledge(on.memory, ...LOCKS);
  const other = await another(on);
  const question = "index lock of git worktree";
  const pointers = await recallElsewhere(other, question);
  assert.deepEqual(pointers.map(({ id, of }) => [id, of]), [["index-locks", "project"]]);
  assert.deepEqual(await recallElsewhere(on.memory, question), []);
  assert.deepEqual((await searchMemory(other, question)).items, []);
  const all = await searchMemory(other, question, { all: true });
  assert.deepEqual(all.items.map(({ id, of }) => [id, of]), [["index-locks", "project"]]);
  const named = await searchMemory(other, "project:project locks");
  assert.equal(named.items.length, 1);
  assert.equal((await searchMemory(on.memory, "project:PROJECT locks")).items.length, 1);

  const { recordTrust } = await import("../../src/store/trust.ts");
  recordTrust(on.memory.fs, on.memory.places.stateDir, `${on.cwd}/.sage`, "unknown");
  assert.deepEqual(await recallElsewhere(other, question), []);
  assert.deepEqual((await searchMemory(other, question, { all: true })).items, []);
  assert.equal((await readNote(other, "index-locks")).kind, "none");
  const stranger = await findNote(await on.open(), "index-locks");
  assert.ok(stranger.kind === "one");
  await assert.rejects(
    promoteKnowledge(on.memory, stranger.item),
    /The store of "[^"]*" is not trusted/,
  );
});

/** As the project's folder is on a branch that the promotion has not reached. */
async function onAnotherBranch(on: World): Promise<{ here: string; own: string; id: string }> {
  const { id, path: here } = await knowledge(on.memory, ...LOCKS);
  const before = read(here);
  on.later(MINUTE);
  const { path: own } = await promote(on.memory, id);
  await Deno.remove(`${on.cwd}/.sage/redirects`, { recursive: true });
  put(here, before);
  return { here, own, id };
}

Deno.test("a note that was promoted on another branch is shown once, as the person's own", async () => {
  using on = await world();
  const { here, own, id } = await onAnotherBranch(on);
  const memory = await on.open();
  const paths = async (query: string): Promise<string[]> =>
    (await searchMemory(memory, query)).items.map(({ path }) => path);
  assert.deepEqual(await paths(LOCKS[1]), [own]);
  assert.deepEqual(await paths("type:knowledge"), [own]);
  assert.deepEqual((await listKnowledge(memory)).map(({ path }) => path), [own]);
  assert.equal((await recallKnowledge(memory, LOCKS[1])).items.length, 1);
  const found = await findNote(memory, id);
  assert.ok(found.kind === "one" && found.item.absolutePath === own);
  assert.equal((await promoteKnowledge(memory, found.item)).kind, "unchanged");
  await assert.rejects(demoteKnowledge(memory, found.item), { code: "conflict" });
  const file = await findNote(memory, here);
  assert.ok(file.kind === "one" && file.item.absolutePath === here, "by its path");
  assert.deepEqual((await diagnose(memory)).filter(({ what }) => what.includes(here)), []);
});

Deno.test("a note that was promoted on another branch and changed here since is reported by diagnose()", async () => {
  using on = await world();
  const { here, own } = await onAnotherBranch(on);
  put(
    here,
    read(here).replace(/updated: .*/, "updated: 2026-01-14T00:00:00Z") + "\nAnd one more.\n",
  );
  const memory = await on.open();
  const { items } = await searchMemory(memory, LOCKS[1]);
  assert.deepEqual(items.map(({ path }) => path).toSorted(), [own, here].toSorted());
  const said = (await diagnose(memory)).filter(({ what }) => what.includes(here));
  assert.deepEqual(said.map(({ level, mend }) => [level, mend?.includes("sage knowledge rm")]), [
    ["warning", true],
  ]);
});

Deno.test("an archived note is not promoted, because no project would recall it", async () => {
  using on = await world();
  await knowledge(on.memory, ...LOCKS);
  await archiveKnowledge(on.memory, (await only(on.memory, "index-locks")).item, PERSON);
  const { item } = await only(on.memory, "index-locks");
  await assert.rejects(promoteKnowledge(on.memory, item), {
    code: "refused",
    message: '"Index locks" is archived, so it would be recalled nowhere',
    hint: "sage knowledge restore index-locks, then repeat",
  });
  assert.equal((await only(on.memory, "index-locks")).item.store.scope, "project");
});
