/** Notes in a vault: into it and out again without loss, found wherever a person puts them. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { findInOtherProjects } from "../../src/memory/other_projects.ts";
import { readHome } from "../../src/memory/status/home.ts";
import { captureHealth } from "../../src/memory/status/health.ts";
import { findNote } from "../../src/memory/find.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { recordOpened } from "../../src/memory/knowledge/borrow.ts";
import { projectInfo } from "../../src/memory/project/info.ts";
import { renameProject } from "../../src/memory/project/rename.ts";
import { readNote } from "../../src/memory/read.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { shareStore } from "../../src/memory/team/share.ts";
import { settleVault } from "../../src/memory/vault/keep.ts";
import { enterVault } from "../../src/memory/vault/move.ts";
import { linksOf } from "../../src/memory/graph/answer.ts";
import { shownGraph } from "../../src/memory/vault/links.ts";
import { relink } from "../../src/memory/vault/relink.ts";
import { initStores } from "../../src/memory/init.ts";
import { deferToInbox } from "../../src/store/inbox.ts";
import { listTrash, restoreTrash } from "../../src/store/trash.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { listVersions } from "../../src/store/versions.ts";
import { acrossDisks } from "../support/dying_fs.ts";
import { age, filesIn, writeOld } from "../support/temp_store.ts";
import {
  bytesOf,
  fillStore,
  intoVault,
  inVault,
  notesOf,
  outOfVault,
  vaultOf,
} from "../support/vault.ts";
import { checkpoint, knowledge, placesOf, put, read, type World, world } from "../support/world.ts";

const PROJECT = "Sage/projects/project";

async function edges(on: World): Promise<string[]> {
  const graph = await openGraph(await on.open(), { all: true });
  return graph.nodes.flatMap(({ out }) =>
    out.map(({ from, to, relation }) => `${from.note.id} ${relation} ${to.note.id}`)
  ).sort();
}

Deno.test("a store that moves into a vault and out again is the same to the byte", async () => {
  using on = await world();
  await fillStore(on);
  const [before, linked] = [notesOf(on), await edges(on)];
  const times = new Map([...before.keys()].map((path) => [path, mtime(on, path)]));
  assert.ok(before.size >= 15, [...before.keys()].join("\n"));

  await intoVault(on);
  assert.deepEqual([...notesOf(on).keys()], [], "nothing is left behind");
  const there = filesIn(`${vaultOf(on)}/${PROJECT}`);
  for (
    const path of [
      "knowledge/Git Worktrees.md",
      "knowledge/Branching.md",
      "archive/knowledge/Filed.md",
      "knowledge/skills/git/Deep.md",
      "local/knowledge/Own.md",
      "knowledge/My own name.md",
      "knowledge/no-id.md",
      "knowledge/broken.md",
      "knowledge/picture.png",
      "knowledge/Git Worktrees.sage-conflict-2026-01-13T14-30-00-abcd.md",
      "todos/Try them.md",
    ]
  ) assert.ok(there.includes(path), `${path} in\n${there.join("\n")}`);
  assert.deepEqual(await edges(on), linked, "every link leads where it led");
  const inside = await on.open();
  const store = inside.project ?? assert.fail("no project");
  assert.equal(listVersions(store, "git-worktrees").length, 1);
  assert.deepEqual(listTrash(store).map(({ path }) => path), ["knowledge/Removed.md"]);
  assert.match(read(`${vaultOf(on)}/${PROJECT}/knowledge/Branching.md`), /\[\[Git Worktrees\]\]/);

  await outOfVault(on);
  const after = notesOf(on);
  assert.deepEqual([...after.keys()], [...before.keys()]);
  for (const [path, bytes] of before) assert.equal(after.get(path), bytes, path);
  // A link that was written anew makes its note newer; the others are as old as they were.
  for (const [path, time] of times) {
    if (!/branching|no-id|checkpoints/.test(path)) assert.equal(mtime(on, path), time, path);
  }
  assert.deepEqual(filesIn(on.home).filter((path) => path.startsWith("Vault/")), []);
});

Deno.test("no file in a vault is called like another note's id: links lead to the id", async () => {
  using on = await world();
  put(`${vaultOf(on)}/Plan.md`, "A person's own plan.\n");
  const first = await knowledge(on.memory, "Plan", "Ship in May.");
  const second = await knowledge(on.memory, "Plan 2", "The boiler is replaced in October.");
  await knowledge(on.memory, "Roadmap", "As in [[plan]], not in [[plan-2]].");
  assert.deepEqual([first.id, second.id], ["plan", "plan-2"]);
  const [before, linked] = [notesOf(on), await edges(on)];

  await intoVault(on);
  assert.deepEqual(await edges(on), linked);
  const bridge = `${vaultOf(on)}/${PROJECT}/knowledge/Bridge.md`;
  await Deno.rename(`${vaultOf(on)}/${PROJECT}/knowledge/Plan-2.md`, bridge);
  const { path } = await inVault(
    on,
    (memory) => knowledge(memory, "Plan", "Paint the garage.", { onConflict: "keep_both" }),
  );
  assert.ok(path.endsWith("/Plan-4.md"), path);
  await Deno.remove(path);

  await outOfVault(on);
  const after = notesOf(on);
  assert.equal(
    after.get("project/knowledge/roadmap.md"),
    before.get("project/knowledge/roadmap.md"),
  );
});

Deno.test("a note whose id is empty keeps its file's name, which is its id", async () => {
  using on = await world();
  const text = "---\nid:\ntype: knowledge\n---\n\n# Service plan\n\nEvery May.\n";
  put(`${on.cwd}/.sage/knowledge/boiler.md`, text);
  await knowledge(on.memory, "House", "See [[boiler]].");
  const [before, linked] = [notesOf(on), await edges(on)];
  assert.deepEqual(linked, ["house link boiler"]);
  await intoVault(on);
  assert.deepEqual(await edges(on), linked);
  await outOfVault(on);
  assert.deepEqual(notesOf(on), before);
});

Deno.test("a note that moves does not take the name of a file that keeps its own", async () => {
  using on = await world();
  const own = `${on.cwd}/.sage/knowledge/Cat food.md`;
  const saved = await knowledge(on.memory, "Cat food", "The cat eats salmon.");
  put(own, "# Cat food\n\nWritten by hand: in the cellar.\n");
  const files = [...notesOf(on).keys()];
  await intoVault(on);
  const folder = `${vaultOf(on)}/${PROJECT}/knowledge`;
  assert.deepEqual(filesIn(folder), ["Cat food-2.md", "Cat food.md"]);
  assert.match(read(`${folder}/Cat food-2.md`), /salmon/);
  const found = await inVault(on, (memory) => findNote(memory, saved.id));
  assert.equal(found.kind, "one");
  await outOfVault(on);
  assert.deepEqual([...notesOf(on).keys()], files);
});

function mtime(on: World, path: string): number {
  const [store, ...rest] = path.split("/");
  const root = store === "user" ? `${on.home}/.sage` : `${on.cwd}/.sage`;
  return Deno.statSync(`${root}/${rest.join("/")}`).mtime?.getTime() ?? 0;
}

Deno.test("copies in a vault on another disk keep the times of the notes", async () => {
  using on = await world();
  await fillStore(on);
  const before = notesOf(on);
  const fs = acrossDisks(vaultOf(on));
  const time = mtime(on, "project/knowledge/no-id.md");
  const untouched = mtime(on, "project/knowledge/broken.md");
  await intoVault(on, { fs });
  const moved = `${vaultOf(on)}/${PROJECT}/knowledge/broken.md`;
  assert.equal((await Deno.stat(moved)).mtime?.getTime(), untouched);
  assert.ok(time > 0);
  await outOfVault(on, fs);
  assert.deepEqual(notesOf(on), before);
});

Deno.test("a note stays the same note when a person renames or moves it in the vault", async () => {
  using on = await world();
  await intoVault(on);
  const saved = await inVault(on, (memory) => knowledge(memory, "Git Worktrees", "One each."));
  assert.ok(saved.path.endsWith(`/${PROJECT}/knowledge/Git Worktrees.md`), saved.path);
  const folder = `${vaultOf(on)}/${PROJECT}/knowledge/Tools`;
  await Deno.mkdir(folder);
  await Deno.rename(saved.path, `${folder}/Trees of work.md`);
  const found = await inVault(on, (memory) => findNote(memory, saved.id));
  assert.equal(found.kind === "one" && found.item.path, "knowledge/Tools/Trees of work.md");
  const map = read(`${vaultOf(on)}/${PROJECT}/_index.md`);
  assert.match(map, /\[\[Trees of work\|Git Worktrees\]\]/);
  await outOfVault(on);
  assert.ok(notesOf(on).has("project/knowledge/Tools/Trees of work.md"), "a person's name stays");
});

Deno.test("diagnose() names a note that was moved out of the folders of notes", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Git Worktrees", "One folder for each branch.");
  await intoVault(on);
  const { stores } = await on.open();
  const store = stores.find(({ vault, scope }) => vault !== undefined && scope === "project");
  const [name] = filesIn(`${store?.root}/knowledge`);
  await Deno.rename(`${store?.root}/knowledge/${name}`, `${store?.root}/Worktrees.md`);
  put(`${store?.root}/Branches.canvas`, "{}\n");
  const what = (await diagnose(await on.open())).map((finding) => finding.what);
  const [stray = "", ...more] = what.filter((line) => line.includes(" lies outside "));
  assert.ok(saved.id !== "" && stray.startsWith(`${store?.root}/Worktrees.md lies`), stray);
  assert.deepEqual(more, [], "neither maps, folders nor what is no note");
});

Deno.test("diagnose() names a folder of notes that was renamed in the vault, each time", async () => {
  using on = await world();
  await knowledge(on.memory, "Git Worktrees", "One folder for each branch.");
  await intoVault(on);
  const root = `${vaultOf(on)}/${PROJECT}`;
  await inVault(on, (memory) => diagnose(memory));
  await Deno.rename(`${root}/knowledge`, `${root}/Wissen`);
  put(`${root}/_PRIVATE/diary.md`, "Mine.\n");
  put(`${root}/pictures/bees.svg`, "<svg/>\n");
  const warnings = async () =>
    (await diagnose(await on.open())).flatMap((one) =>
      one.level === "warning" && one.what.includes(vaultOf(on)) ? [`${one.what}: ${one.mend}`] : []
    );
  const first = (await warnings()).join("\n");
  assert.match(first, /store became empty: 1 note missing: bring its folders back: knowledge, /);
  assert.ok(first.includes(`${root}/Wissen lies outside the folders of notes`), first);
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  const [later = "", ...more] = await warnings();
  assert.ok(later.startsWith(`${root}/Wissen lies outside`), later);
  assert.deepEqual(more, []);
});

Deno.test("maps keep what a person writes around the marks, and a map with incomplete marks is left alone", async () => {
  using on = await world();
  await intoVault(on);
  const map = `${vaultOf(on)}/${PROJECT}/_index.md`;
  const mine = `${read(map).replace("# project", "# What we know\n\nBegin here.")}\nMy end.\n`;
  writeOld(map, mine);
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  const text = read(map);
  assert.match(
    text,
    /# What we know\n\nBegin here\.\n\n<!-- sage:begin -->\n## Knowledge\n\n- \[\[Bees\]\]\n<!-- sage:end -->\n\nMy end\.\n$/,
  );
  const broken = text.replace("<!-- sage:end -->", "");
  writeOld(map, broken);
  await inVault(on, (memory) => knowledge(memory, "Wasps", "They sting when annoyed."));
  assert.equal(read(map), broken);
  await Deno.remove(map);
  await inVault(on, () => Promise.resolve());
  assert.match(read(map), /\[\[Bees\]\]\n- \[\[Wasps\]\]/);
  assert.match(
    read(`${vaultOf(on)}/Sage/_index.md`),
    /\[\[Sage\/projects\/project\/_index\|project\]\]/,
  );
  put(map, `${read(map)}\nThis moment.\n`);
  await inVault(on, (memory) => knowledge(memory, "Hornets", "Large and mostly peaceful."));
  assert.doesNotMatch(read(map), /Hornets/, "somebody is writing in it");
  age(map, 10_000);
  await inVault(on, () => Promise.resolve());
  assert.match(read(map), /Hornets[^]*This moment\.\n$/);
  await outOfVault(on);
  assert.match(read(map), /This moment/, "a person's words stay");
});

Deno.test("a forgotten note is in no map and in no list of sources", async () => {
  using on = await world();
  await intoVault(on);
  const { id } = await inVault(on, (memory) => knowledge(memory, "Zanzibar plan", "Spices."));
  await inVault(on, (memory) => checkpoint(memory, { sources: [{ id, relation: "supports" }] }));
  const memory = await on.open();
  assert.match(allOf(on), /\[\[Zanzibar plan\]\]/);
  assert.equal((await forget(memory, id)).kind, "forgotten");
  assert.doesNotMatch(allOf(on), /Zanzibar/i);
});

Deno.test("forgetting a note that moved into the vault removes it from every index", async () => {
  using on = await world();
  const { id } = await knowledge(on.memory, "Zanzibar plan", "Spices of the quokka.");
  on.memory.close();
  await intoVault(on);
  assert.equal((await forget(await on.open(), id)).kind, "forgotten");
  assert.deepEqual(placesOf(on, "quokka"), []);
});

function allOf(on: World): string {
  return filesIn(vaultOf(on)).map((path) => `${path}\n${read(`${vaultOf(on)}/${path}`)}`).join(
    "\n",
  );
}

Deno.test("a removed note is restored under its title, and its id stays taken until then", async () => {
  using on = await world();
  await intoVault(on);
  const memory = await on.open();
  const saved = await knowledge(memory, "Bees", "They dance.");
  const { removeNote } = await import("../../src/memory/removal/remove.ts");
  assert.equal((await removeNote(memory, saved.id, ["knowledge"])).kind, "removed");
  const store = memory.project ?? assert.fail("no project");
  const [entry] = listTrash(store);
  assert.equal(restoreTrash(store, entry?.trash ?? ""), "knowledge/Bees.md");
  assert.equal((await readNote(await on.open(), "bees")).kind, "one");
});

Deno.test("two checkpoints of the same second with the same title have different ids", async () => {
  using on = await world();
  await intoVault(on);
  const one = await inVault(on, (memory) => checkpoint(memory, { title: "Same" }));
  const two = await inVault(
    on,
    (memory) =>
      checkpoint(memory, { title: "Same", thesis: "Something else is true of the other parser." }),
  );
  assert.notEqual(one.id, two.id);
  assert.deepEqual([one, two].map(({ path }) => path.slice(path.lastIndexOf("/") + 1)), [
    "2026-01-13 Same.md",
    "2026-01-13 Same-2.md",
  ]);
});

Deno.test("named folders of the vault are searched and read, and never written", async () => {
  using on = await world();
  const own = `${vaultOf(on)}/Research/Bees.md`;
  put(
    own,
    "---\nid: bees\npinned: true\n---\n# Dancing bees\n\nThe waggle dance tells the way. <private>Zanzibar</private>\n",
  );
  put(`${vaultOf(on)}/Diary/Today.md`, "The waggle dance of my day.\n");
  put(`${vaultOf(on)}/Research/.hidden/Bees.md`, "The waggle dance in hiding.\n");
  await Deno.mkdir(`${vaultOf(on)}/Sage`);
  await assert.rejects(intoVault(on, { sources: ["Reserch"] }), /There is no "Reserch" in /);
  await intoVault(on, { sources: ["Research", "Sage"] });
  const before = bytesOf(own);
  const memory = await on.open();
  const { items } = await searchMemory(memory, "waggle dance");
  assert.deepEqual(items.map(({ path, flags, type }) => [path, flags, type]), [[
    own,
    ["vault"],
    "note",
  ]]);
  const note = await readNote(memory, items[0]?.id ?? "");
  assert.ok(note.kind === "one" && note.text.includes("waggle") && !note.text.includes("Zanzibar"));
  assert.deepEqual(note.item.flags, ["vault"], "and it is said whose it is");
  assert.equal((await forget(memory, items[0]?.id ?? "")).kind, "none");
  assert.equal(bytesOf(own), before);
  await Deno.remove(own);
  assert.deepEqual((await searchMemory(await on.open(), "waggle dance")).items, []);
  assert.ok((await diagnose(await on.open())).every(({ what }) => !what.includes('no "Research"')));
});

Deno.test("a link to a note of the vault that is not Sage's resolves, and a link to nothing does not", async () => {
  using on = await world();
  put(`${vaultOf(on)}/Research/Bees.md`, "Bees dance.\n");
  await intoVault(on);
  await inVault(on, (memory) =>
    knowledge(
      memory,
      "Dances",
      "[[bees]], [[Research/Bees]], [[Other/Bees]], [a](../../../../Research/Bees.md), [[Wasps]].",
    ));
  const graph = await shownGraph(await on.open());
  const { items, unresolved, vault } = linksOf(graph, graph.find("Dances") ?? assert.fail());
  assert.deepEqual([items, unresolved], [[], ["Other/Bees", "Wasps"]]);
  assert.deepEqual(
    vault,
    ["bees", "Research/Bees", "../../../../Research/Bees.md"],
    "nor is it none",
  );
  await outOfVault(on);
  assert.equal((await shownGraph(await on.open())).unresolved.length, 5);
});

Deno.test("a whole vault is searched if the person named all of it, except hidden files, links and Sage's own", async () => {
  using on = await world();
  put(`${on.home}/Private/Bees.md`, "The waggle dance, for nobody else.\n");
  put(`${vaultOf(on)}/Bees.md`, "");
  await Deno.symlink(`${on.home}/Private/Bees.md`, `${vaultOf(on)}/Linked.md`);
  await Deno.symlink(`${on.home}/Private`, `${vaultOf(on)}/Linked`);
  for (const path of ["Bees.md", "Deep/er/Bees.md", ".trash/Bees.md", "Sage/Mine.md"]) {
    put(`${vaultOf(on)}/${path}`, `The waggle dance, as ${path} tells it.\n`);
  }
  await intoVault(on, { sources: ["./"] });
  await intoVault(on, { sources: [".", vaultOf(on)] });
  const memory = await on.open();
  assert.deepEqual(memory.places.vault?.sources, ["."]);
  const { items } = await searchMemory(memory, "waggle dance");
  const paths = items.map(({ path }) => path.slice(vaultOf(on).length + 1));
  assert.deepEqual(paths.sort(), ["Bees.md", "Deep/er/Bees.md"]);
  assert.ok((await diagnose(memory)).every(({ what }) => !what.includes("has no")));
});

Deno.test("an unreadable folder of the vault does not hide the others, and a missing vault is reported", async () => {
  using on = await world();
  for (const path of ["Bees.md", "Closed/Bees.md"]) {
    put(`${vaultOf(on)}/${path}`, `The waggle dance, as ${path} tells it.\n`);
  }
  await intoVault(on, { sources: ["."] });
  const list = (path: string) => {
    if (!/\/Closed\/?$/.test(path)) return realFs.list(path);
    throw Object.assign(new Error("denied"), { code: "EACCES" });
  };
  const memory = await on.open({ fs: { ...realFs, list } });
  const { items, hints } = await searchMemory(memory, "waggle dance");
  assert.deepEqual([items.map(({ path }) => path), hints], [[`${vaultOf(on)}/Bees.md`], []]);
  assert.ok((await diagnose(memory)).some(({ what }) => what.includes("may not (EACCES)")));
  await Deno.rename(vaultOf(on), `${vaultOf(on)}-away`);
  const gone = await searchMemory(await on.open(), "waggle dance");
  assert.equal(gone.items.length, 0);
  assert.match(gone.hints.join(), /Vault\/Sage\/.+ in the vault is missing/);
});

Deno.test("notes written to the old place move along, and a changed one is kept beside the other", async () => {
  using on = await world();
  await fillStore(on);
  const stale = await on.open();
  await intoVault(on);
  await knowledge(stale, "Late", "Written by one who had begun before.");
  writeOld(`${on.cwd}/.sage/knowledge/no-id.md`, "# No id\n\nAnother text.\n");
  const memory = await on.open();
  assert.equal(await settleVault(memory), undefined);
  assert.deepEqual([...notesOf(on).keys()], []);
  const there = filesIn(`${vaultOf(on)}/${PROJECT}/knowledge`);
  assert.ok(there.includes("Late.md"), there.join("\n"));
  const copy = there.find((name) => name.startsWith("no-id.sage-conflict-"));
  assert.ok(copy !== undefined, there.join("\n"));
  assert.match(read(`${vaultOf(on)}/${PROJECT}/knowledge/${copy}`), /Another text/);
});

Deno.test("waiting changes are applied before notes move, or nothing moves", async () => {
  using on = await world();
  const { path } = await knowledge(on.memory, "Bees", "They dance.\n\nAt noon.\n\nAll.");
  const { project } = on.memory;
  assert.ok(project !== undefined);
  const base = read(path);
  const entry = { path: "knowledge/bees.md", noteId: "bees", updated: "" };
  deferToInbox(project, { ...entry, base, next: base.replace("All.", "All of them.") });
  put(path, base.replace("They", "Often they"));
  await assert.rejects(intoVault(on), { code: "locked" });
  assert.match(read(path), /Often they/);
  age(path, 60_000);
  await intoVault(on);
  const there = read(`${vaultOf(on)}/${PROJECT}/knowledge/Bees.md`);
  assert.match(there, /Often they dance\.\n[^]*All of them\./);
});

Deno.test("notes written to the old place stay there while the vault is missing", async () => {
  using on = await world();
  const stale = await on.open();
  await intoVault(on);
  const { path } = await knowledge(stale, "Late", "Written by one who had begun before.");
  await Deno.rename(vaultOf(on), `${on.home}/Unplugged`);
  await settleVault(await on.open());
  assert.throws(() => Deno.statSync(vaultOf(on)), Deno.errors.NotFound);
  assert.match(read(path), /had begun before/);
  await Deno.rename(`${on.home}/Unplugged`, vaultOf(on));
  await settleVault(await on.open());
  assert.ok(filesIn(`${vaultOf(on)}/${PROJECT}`).includes("knowledge/Late.md"));
});

Deno.test("a store keeps its place in the vault when it is renamed or when a person moves it", async () => {
  using on = await world();
  await intoVault(on);
  put(`${on.cwd}/.sage/project.yaml`, "id: kestrel\n");
  const file = `${on.home}/.sage/vault.yaml`;
  await Deno.rename(`${vaultOf(on)}/Sage/global`, `${vaultOf(on)}/Sage/mine`);
  put(file, read(file).replace("folder: global", "folder: mine"));
  await intoVault(on);
  assert.deepEqual((await on.open()).places.vault?.stores.map(({ folder }) => folder), [
    "mine",
    "projects/project",
  ]);
});

Deno.test("a vault that is named again keeps its namespace, where no other is asked for", async () => {
  using on = await world();
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  for (const namespace of ["Areas/Sage", undefined, "Sage"]) {
    await intoVault(on, { namespace });
    const { places, project } = await on.open();
    assert.equal(places.vault?.namespace, namespace ?? "Areas/Sage");
    assert.ok(project?.root.startsWith(`${vaultOf(on)}/${namespace ?? "Areas/Sage"}/`));
  }
});

Deno.test("relink() does not depend on who asked for the graph before", async () => {
  using on = await world();
  await intoVault(on);
  await inVault(on, (memory) => knowledge(memory, "Git Worktrees", "One folder a branch."));
  const path = `${vaultOf(on)}/${PROJECT}/knowledge/Own.md`;
  writeOld(path, "---\nid: own\ntype: knowledge\n---\n# Own\n\nSee [[git-worktrees]].\n");
  // What was written a moment ago is looked at again, and the graph with it.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await openGraph(await on.open(), { all: true });
  const memory = await on.open();
  assert.ok(memory.project !== undefined);
  await relink(memory, memory.project);
  assert.match(read(path), /See \[\[Git Worktrees\]\]/);
});

Deno.test("git ignores trash and private folders in a vault as in a project", async () => {
  using on = await world();
  const ignored = (path: string): string[] => read(path).split("\n");
  const ofProject = ignored(`${on.cwd}/.sage/.gitignore`);
  await intoVault(on);
  for (const lines of [ofProject, ignored(`${vaultOf(on)}/Sage/.gitignore`)]) {
    assert.deepEqual(["_PRIVATE/", ".trash/", ".inbox/"].filter((one) => !lines.includes(one)), []);
  }
});

Deno.test("leaving a vault keeps a person's own files there, and removes empty maps", async () => {
  using on = await world();
  await intoVault(on);
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  put(`${vaultOf(on)}/Sage/thoughts.md`, "Mine.\n");
  put(`${vaultOf(on)}/${PROJECT}/plan.canvas`, "{}");
  // Of another machine that has this vault too.
  const theirs = ["projects/theirs/_index.md", "projects/theirs/knowledge/x.md"];
  for (const path of theirs) put(`${vaultOf(on)}/Sage/${path}`, "# Theirs\n");
  await outOfVault(on);
  const mine = ["projects/project/plan.canvas", "thoughts.md"];
  const left = filesIn(`${vaultOf(on)}/Sage`);
  assert.deepEqual(left, [".gitignore", "_index.md", ...mine, ...theirs].sort());

  await Deno.remove(`${vaultOf(on)}/Sage/projects/theirs`, { recursive: true });
  await intoVault(on);
  await outOfVault(on);
  assert.deepEqual(filesIn(`${vaultOf(on)}/Sage`), mine);
});

Deno.test("the old place is cleaned up once no process can be writing there", async () => {
  using on = await world();
  await fillStore(on);
  await intoVault(on);
  await outOfVault(on);
  const left = `${vaultOf(on)}/${PROJECT}/knowledge/.Bees.md.sage-999999-0123456789abcdef.tmp`;
  put(left, "half");
  age(left, 3_600_000);
  const file = `${on.home}/.sage/vault.yaml`;
  put(file, read(file).replace(/since: .*/g, "since: 2026-01-01T00:00:00Z"));
  assert.equal(await settleVault(await on.open()), undefined);
  assert.throws(() => Deno.statSync(file));
  assert.throws(() => Deno.statSync(`${vaultOf(on)}/Sage`));
});

Deno.test("the first note is written into an empty vault", async () => {
  using on = await world();
  await initStores(await on.open());
  await intoVault(on);
  const file = `${on.home}/.sage/vault.yaml`;
  put(file, read(file).replace(/since: .*/g, "since: 2026-01-01T00:00:00Z"));
  assert.equal(await settleVault(await on.open()), undefined);
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  assert.ok(filesIn(`${vaultOf(on)}/${PROJECT}`).includes("knowledge/Bees.md"));
  assert.ok((await Deno.stat(`${vaultOf(on)}/Sage/global`)).isDirectory);
});

Deno.test("diagnose() names notes that git brings back outside the vault, and sage init moves them", async () => {
  using on = await world();
  await knowledge(on.memory, "Bees", "They dance.");
  await intoVault(on);
  const file = `${on.home}/.sage/vault.yaml`;
  put(file, read(file).replace(/since: .*/g, "since: 2026-01-01T00:00:00Z"));
  await settleVault(await on.open());
  put(
    `${on.cwd}/.sage/knowledge/wasps.md`,
    "---\nid: wasps\ntype: knowledge\n---\n\n# Wasps\n\nThey sting.\n",
  );
  await settleVault(await on.open());
  const unread = async () =>
    (await diagnose(await on.open())).flatMap((one) =>
      one.level === "warning" && one.what.includes("are not read") ? [one] : []
    );
  const [found, ...more] = await unread();
  assert.ok(found?.what.startsWith(`notes in ${on.cwd}/.sage are not read: `), found?.what);
  assert.deepEqual([found?.mend, more], [
    `sage init --obsidian ${vaultOf(on)} takes them there`,
    [],
  ]);
  const { moved } = await intoVault(on);
  assert.deepEqual(moved.map(({ from, files }) => [from, files]), [[`${on.cwd}/.sage`, 1]]);
  const { items } = await searchMemory(await on.open(), "sting");
  assert.deepEqual(items.map(({ path }) => path), [`${vaultOf(on)}/${PROJECT}/knowledge/Wasps.md`]);
  assert.deepEqual(await unread(), []);
});

Deno.test("vault.yaml may have a byte order mark and Windows line ends", async () => {
  using on = await world();
  await initStores(await on.open());
  await intoVault(on);
  const file = `${on.home}/.sage/vault.yaml`;
  put(file, `\uFEFF${read(file).replaceAll("\n", "\r\n")}`);
  assert.equal((await on.open()).project?.root, `${vaultOf(on)}/${PROJECT}`);
});

Deno.test("a project in a vault keeps its name beside its settings", async () => {
  using on = await world();
  await initStores(await on.open());
  await intoVault(on);
  await renameProject(await on.open(), "Morpho");
  assert.equal((await on.open()).places.projectName, "Morpho");
  const info = await projectInfo(await on.open());
  assert.deepEqual([info.name, info.known_by, info.problem], ["Morpho", "project.yaml", undefined]);
  assert.match(read(`${on.cwd}/.sage/project.yaml`), /^name: Morpho$/m);
  assert.ok(!filesIn(vaultOf(on)).some((path) => path.endsWith("project.yaml")));
});

Deno.test("no merge driver is registered for notes that lie in a vault", async () => {
  using on = await world();
  await initStores(await on.open());
  await intoVault(on);
  const { project } = await on.open();
  assert.ok(project !== undefined);
  assert.throws(() => shareStore(project), /notes lie in a vault/);
  assert.ok(!filesIn(vaultOf(on)).some((path) => path.endsWith(".gitattributes")));
});

Deno.test("a note of another project in the same vault counts as borrowed", async () => {
  using on = await world();
  await initStores(await on.open());
  await intoVault(on);
  const { id } = await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  const other = `${on.home}/elsewhere/other`;
  await Deno.mkdir(other, { recursive: true });
  await initStores(await on.open({ cwd: other }));
  await enterVault(await on.open({ cwd: other }), { dir: vaultOf(on), project: true });
  const there = await on.open({ cwd: other });
  const [found] = await findInOtherProjects(there, id);
  assert.ok(found !== undefined);
  assert.equal((await recordOpened(there, found)).of, "project");
});

Deno.test("a deleted folder of the vault is an error until the person asks to create it again", async () => {
  using on = await world();
  await intoVault(on);
  await Deno.remove(`${vaultOf(on)}/Sage`, { recursive: true });
  const health = await captureHealth(await on.open());
  assert.equal(health.ok, false);
  assert.match(health.detail, /^nothing can be saved: ".*" in the vault is missing/);
  const { begun, healthy, next } = await readHome(await on.open());
  assert.deepEqual([begun, healthy, next], [true, false, "sage doctor"]);
  await intoVault(on);
  assert.equal((await captureHealth(await on.open())).ok, true);
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  await Deno.remove(vaultOf(on), { recursive: true });
  await assert.rejects(intoVault(on), /Cannot find/);
});

Deno.test("a missing vault is an error with a hint, and nothing is created in its place", async () => {
  using on = await world();
  await intoVault(on);
  await inVault(on, (memory) => knowledge(memory, "Bees", "They dance."));
  await Deno.rename(vaultOf(on), `${on.home}/Moved`);
  await assert.rejects(
    (async () => knowledge(await on.open(), "Wasps", "They sting."))(),
    /Cannot find .*where notes lie/,
  );
  assert.throws(() => Deno.statSync(vaultOf(on)));
  assert.ok(
    (await diagnose(await on.open())).some(({ level, what }) =>
      level === "error" && what.includes("no notes at")
    ),
  );
  await assert.rejects(outOfVault(on), /Cannot find/);
  // The person says where it is now.
  await enterVault(await on.open(), { dir: `${on.home}/Moved`, project: true });
  assert.equal((await readNote(await on.open(), "bees")).kind, "one");
});

Deno.test("notes move from one vault to another", async () => {
  using on = await world();
  await fillStore(on);
  const before = notesOf(on);
  await intoVault(on);
  const report = await enterVault(await on.open(), {
    dir: `${on.home}/Second`,
    namespace: "Areas/Memory",
    project: true,
  });
  assert.equal(report.moved.length, 2);
  assert.throws(() => Deno.statSync(`${vaultOf(on)}/Sage`));
  assert.ok(filesIn(`${on.home}/Second/Areas/Memory/projects/project`).length > 10);
  await outOfVault(on);
  assert.deepEqual(notesOf(on), before);
});

Deno.test("outside a project only the person's own notes move into the vault", async () => {
  using on = await world({ project: "none" });
  const home = await on.open({ cwd: on.home });
  assert.equal(home.project, undefined);
  const { moved } = await enterVault(home, { dir: vaultOf(on), project: true });
  assert.deepEqual(moved.map(({ scope }) => scope), ["user"]);
});

Deno.test("a project with the same id on a second machine shares the folder, and another of the same name does not", async () => {
  using on = await world();
  await intoVault(on);
  const other = `${on.home}/elsewhere/project`;
  await Deno.mkdir(other, { recursive: true });
  await initStores(await on.open({ cwd: other }));
  await enterVault(await on.open({ cwd: other }), { dir: vaultOf(on), project: true });
  const there = await on.open({ cwd: other });
  assert.ok(there.project?.root.endsWith("/Sage/projects/project-2"), there.project?.root);
  // The same project, on a machine that knows nothing yet.
  await Deno.remove(`${on.home}/.sage/vault.yaml`);
  await intoVault(on);
  assert.ok((await on.open()).project?.root.endsWith("/Sage/projects/project"));
});

Deno.test("an untrusted store is not moved into a vault, and its id opens no folder there", async () => {
  using on = await world({ project: "foreign" });
  await assert.rejects(intoVault(on), /came from elsewhere/);
  await intoVault(on, { project: false });
  const memory = await on.open();
  assert.equal(memory.project?.root, `${on.cwd}/.sage`);
  assert.ok(memory.user.root.endsWith("/Vault/Sage/global"));
});

Deno.test("an untrusted project is not put into the vault, and gets no folder there", async () => {
  using on = await world();
  recordTrust(on.memory.fs, on.memory.places.stateDir, `${on.cwd}/.sage`, "unknown");
  const entering = enterVault(await on.open(), { dir: `${on.home}/New`, project: true });
  await assert.rejects(entering, /came from elsewhere/);
  assert.throws(() => Deno.statSync(`${on.home}/New`));
});

Deno.test("a folder that cannot be a vault and an invalid namespace are refused", async () => {
  using on = await world();
  const enter = async (dir: string, namespace?: string, sources?: string[]) =>
    await enterVault(await on.open(), { dir, namespace, sources, project: true });
  await assert.rejects(enter(`${on.home}/.sage/x`), /cannot lie in/);
  await assert.rejects(enter(`${on.home}/a/b/c`), /No folder/);
  put(`${on.home}/file`, "x");
  await assert.rejects(enter(`${on.home}/file`), /is not a folder/);
  for (const name of ["", "../x", ".hidden", "a#b", "/abs", "a//b", "con"]) {
    await assert.rejects(enter(vaultOf(on), name), /namespace/, name);
  }
  await assert.rejects(enter(vaultOf(on), "Sage", ["../private"]), /Cannot read/);
  assert.throws(() => Deno.statSync(`${on.home}/.sage/vault.yaml`), "nothing was begun");
});
