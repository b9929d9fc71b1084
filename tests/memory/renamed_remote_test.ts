/** A project without a store of its own keeps its notes when its remote is renamed, moved or removed. */
import assert from "node:assert/strict";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { knowledge, OTHER, put, read, repository, type World, world } from "../support/world.ts";

async function withNote(remote: string | undefined = "https://h.org/ann/tool"): Promise<World> {
  const on = await world({ project: "none" });
  put(`${on.cwd}/.git/description`, "Unnamed repository\n");
  repository(on.cwd, remote);
  await knowledge(await on.open(), "Hooks", "Worktrees share the hooks of their main checkout.");
  return on;
}

async function known(on: World, cwd = on.cwd): Promise<string[]> {
  const memory = await on.open({ cwd });
  await refreshAll(memory);
  await orient(memory, OTHER, "startup");
  return (await listKnowledge(memory)).map(({ id }) => id);
}

Deno.test("notes stay when a remote is renamed, renamed again, and removed", async () => {
  using on = await withNote();
  for (const remote of ["git@h.org:ann/other.git", "https://elsewhere.org/x", undefined]) {
    repository(on.cwd, remote);
    assert.ok((await known(on)).includes("hooks"), remote);
    // A note under each id, so that each is one of the former.
    const memory = await on.open();
    await knowledge(memory, `At ${remote}`, `Written while ${remote} was the remote of it.`, {
      onConflict: "keep_both",
    });
    assert.ok((await known(on)).includes("hooks"), remote);
  }
  assert.equal((await known(on)).length, 4);
  assert.match(read(`${on.home}/.sage/projects.yaml`), /\n {4}former: \[\S+, \S+, \S+\]\n$/);
});

Deno.test("a repository keeps its notes when it is moved, and moved again", async () => {
  using on = await withNote(undefined);
  let at = on.cwd;
  for (const to of [`${on.home}/moved`, `${on.home}/again`]) {
    await Deno.rename(at, to);
    at = to;
    assert.ok((await known(on, at)).includes("hooks"), at);
    const memory = await on.open({ cwd: at });
    await knowledge(memory, `At ${at}`, `Written while the folder was ${at}.`, {
      onConflict: "keep_both",
    });
    assert.ok((await known(on, at)).includes("hooks"), at);
  }
  assert.equal((await known(on, at)).length, 3);
  assert.equal(read(`${on.home}/.sage/projects.yaml`).match(/root:/g)?.length, 1);
  const copy = `${on.home}/copy`;
  put(`${copy}/.git/description`, "Unnamed repository\n");
  repository(copy);
  assert.deepEqual(await known(on, copy), [], "a copy beside it is another project");
});

Deno.test("another repository at the same path does not get the notes of the former one", async () => {
  using on = await withNote();
  await Deno.remove(`${on.cwd}/.git`, { recursive: true });
  put(`${on.cwd}/.git/description`, "Unnamed repository\n");
  await Deno.utime(`${on.cwd}/.git/description`, new Date(0), new Date(0));
  repository(on.cwd, "https://h.org/stranger/tool");
  assert.deepEqual(await known(on), []);
});

Deno.test("two clones of one remote keep their former ids apart", async () => {
  using on = await withNote();
  const clone = `${on.home}/clone`;
  put(`${clone}/.git/description`, "Unnamed repository\n");
  repository(clone, "https://h.org/ann/tool");
  const there = await on.open({ cwd: clone });
  await knowledge(there, "Clone", "A clone has the notes of its remote.", {
    onConflict: "keep_both",
  });
  repository(on.cwd, "https://h.org/ann/renamed");
  assert.deepEqual((await known(on)).sort(), ["clone", "hooks"]);
  repository(clone, "https://h.org/ann/third");
  assert.deepEqual((await known(on, clone)).sort(), ["clone", "hooks"]);
  assert.equal(read(`${on.home}/.sage/projects.yaml`).match(/root:/g)?.length, 2);
});

Deno.test("with a torn or foreign registry only former ids are unknown", async () => {
  using on = await withNote();
  for (const text of ["projects: [a\n", "\xff", "projects:\n  - root: x\n", ""]) {
    put(`${on.home}/.sage/projects.yaml`, text);
    assert.deepEqual(await known(on), ["hooks"]);
    await knowledge(await on.open(), `T ${text.length}`, `Text ${text.length} of its own.`, {
      onConflict: "keep_both",
    });
    await Deno.remove(`${on.home}/.sage/knowledge/t-${text.length}.md`);
  }
});
