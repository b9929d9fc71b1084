/**
 * A folder without git: renamed, it is recognised; on another disk its notes are shown as nobody's, and one word
 * takes them over.
 */
import assert from "node:assert/strict";
import { claimProject, unplacedProjects } from "../../src/memory/project/claim.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { tempDir } from "../support/temp_store.ts";
import { knowledge, put, read, type World, world } from "../support/world.ts";

/** A plain folder with a note in the person's own store. */
async function plain(on: World): Promise<{ from: string; to: string }> {
  const [from, to] = [`${tempDir()}/thesis`, `${tempDir()}/work`];
  await Deno.mkdir(from);
  await knowledge(
    await on.open({ cwd: from }),
    "Waggle dances",
    "Bees tell where the flowers are.",
  );
  return { from, to };
}

/** The same, copied to another disk and removed here. */
async function moved(on: World): Promise<{ from: string; to: string }> {
  const { from, to } = await plain(on);
  await Deno.mkdir(to);
  await Deno.remove(from);
  return { from, to };
}

async function found(on: World, cwd: string): Promise<string[]> {
  const { items } = await searchMemory(await on.open({ cwd }), "waggle dances");
  return items.map(({ title }) => title);
}

Deno.test("a folder that was renamed keeps its notes, also where another is at its old path", async () => {
  using on = await world();
  const { from, to } = await plain(on);
  await Deno.rename(from, to);
  assert.deepEqual(await found(on, to), ["Waggle dances"]);
  await Deno.mkdir(from);
  await knowledge(await on.open({ cwd: to }), "Drones", "Drones do no work.");
  // Both ways: what was saved before, and what is saved since.
  await Deno.rename(to, `${to}-2`);
  assert.deepEqual((await found(on, `${to}-2`)).toSorted(), ["Drones", "Waggle dances"]);
  assert.match(read(`${on.home}/.sage/projects.yaml`), /former: \[thesis-[0-9a-f]{8}/);
  // It becomes a repository, and is the same folder still.
  put(`${to}-2/.git/HEAD`, "ref: refs/heads/main\n");
  assert.deepEqual((await found(on, `${to}-2`)).toSorted(), ["Drones", "Waggle dances"]);
});

Deno.test("claimProject() takes over the notes of a folder that was moved, and keeps them", async () => {
  using on = await world();
  const { to } = await moved(on);
  assert.deepEqual(await found(on, to), []);
  const here = await on.open({ cwd: to });
  const [lost, ...others] = await unplacedProjects(here);
  assert.deepEqual([lost?.name, lost?.notes, others.length], ["thesis", 1, 0]);
  await assert.rejects(claimProject(here, "thesiss"), /No notes without a folder/);
  assert.equal((await claimProject(here, "Thesis")).length, 1);
  assert.deepEqual(await found(on, to), ["Waggle dances"]);
  assert.deepEqual(await unplacedProjects(await on.open({ cwd: to })), []);
  assert.deepEqual(await unplacedProjects(on.memory), [], "nor for anybody else");
  assert.deepEqual(await found(on, tempDir()), [], "nobody else sees them");

  // It becomes a repository, and is seen as one.
  put(`${to}/.git/HEAD`, "ref: refs/heads/main\n");
  await knowledge(await on.open({ cwd: to }), "Drones", "Drones do no work.");
  assert.ok((await found(on, to)).includes("Waggle dances"));
  assert.match(read(`${on.home}/.sage/projects.yaml`), /former: \[thesis-[0-9a-f]{8}/);
});

Deno.test("claimProject() leaves two of one name to the person", async () => {
  using on = await world();
  const { to } = await moved(on);
  await moved(on);
  const both = await claimProject(await on.open({ cwd: to }), "thesis");
  assert.equal(both.length, 2);
  assert.deepEqual(await found(on, to), []);
  const [one] = both;
  assert.equal((await claimProject(await on.open({ cwd: to }), one?.id ?? "")).length, 1);
  assert.deepEqual(await found(on, to), ["Waggle dances"]);
});
