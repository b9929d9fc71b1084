/** Small machine-made files, and the registry of projects. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { readGit } from "../../src/store/git/git.ts";
import { formerIds, listProjects, rememberProject } from "../../src/store/projects.ts";
import {
  readState,
  readStateOrThrow,
  removeState,
  updateState,
  writeState,
} from "../../src/store/state.ts";
import { closedFile, filesIn, tempDir } from "../support/temp_store.ts";
import { put } from "../support/world.ts";

const fs = realFs;

Deno.test("writeState() and readState() give back the value", () => {
  const dir = `${tempDir()}/state`;
  assert.equal(readState(fs, dir, "cooldown/abc.json"), undefined);
  writeState(fs, dir, "cooldown/abc.json", { at: 1, "ключ": ["ü"] });
  assert.deepEqual(readState(fs, dir, "cooldown/abc.json"), { at: 1, "ключ": ["ü"] });
  assert.deepEqual(filesIn(dir), ["cooldown/abc.json"]);
  assert.equal(removeState(fs, dir, "cooldown/abc.json"), true);
  assert.equal(removeState(fs, dir, "cooldown/abc.json"), false);
});

Deno.test("readState() takes a damaged file for a missing one", () => {
  const dir = tempDir();
  for (const text of ["", "{", "\0\0\0"]) {
    Deno.writeTextFileSync(`${dir}/x.json`, text);
    assert.equal(readState(fs, dir, "x.json"), undefined);
  }
});

Deno.test("a file that cannot be read counts as missing to who reads, and is not written over", () => {
  const dir = tempDir();
  writeState(fs, dir, "x.json", { at: 1 });
  const closed = closedFile(`${dir}/x.json`);
  assert.equal(readState(closed, dir, "x.json"), undefined);
  assert.throws(() => readStateOrThrow(closed, dir, "x.json"), /Cannot read ".*x\.json": this acc/);
  assert.throws(() => updateState(closed, dir, "x.json", () => ({ at: 2 })), SageError);
  assert.deepEqual(readState(fs, dir, "x.json"), { at: 1 });
});

Deno.test("a value that could not be made sure of is the one before, or none", () => {
  const dir = tempDir();
  const syncDir = (): never => {
    throw Object.assign(new Error("the disk fails"), { code: "EIO" });
  };
  const write = (name: string, value: unknown): void =>
    writeState({ ...fs, syncDir }, dir, name, value, { durable: true });
  assert.throws(() => write("new.json", { at: 1 }), SageError);
  assert.equal(readState(fs, dir, "new.json"), undefined);
  writeState(fs, dir, "old.json", { at: 1 });
  assert.throws(() => write("old.json", { at: 2 }), SageError);
  assert.deepEqual(readState(fs, dir, "old.json"), { at: 1 });
  assert.deepEqual(filesIn(dir), ["old.json"]);
});

Deno.test("a value that is appended is read, and what was torn is not", () => {
  const dir = tempDir();
  const path = `${dir}/x.json`;
  const write = (value: unknown, append = true): void =>
    writeState(fs, dir, "x.json", value, { append });
  write({ at: 1 });
  write({ at: 2, text: "line\nbreak" });
  assert.deepEqual(readState(fs, dir, "x.json"), { at: 2, text: "line\nbreak" });
  Deno.writeTextFileSync(path, '{"at":3', { append: true });
  assert.deepEqual(readState(fs, dir, "x.json"), { at: 2, text: "line\nbreak" });
  write({ at: 4 });
  assert.deepEqual(readState(fs, dir, "x.json"), { at: 4 });
  write({ at: 5 }, false);
  assert.equal(Deno.readTextFileSync(path), '{"at":5}\n');
});

Deno.test("a file that values are appended to stays small", () => {
  const dir = tempDir();
  const value = { text: "x".repeat(1000) };
  for (let i = 0; i < 100; i++) {
    updateState(fs, dir, "x.json", () => ({ ...value, i }), { append: true });
  }
  assert.ok(Deno.statSync(`${dir}/x.json`).size <= 32 * 1024);
  assert.deepEqual(readState(fs, dir, "x.json"), { ...value, i: 99 });
});

Deno.test("a name from outside stays in the state folder", () => {
  const dir = tempDir();
  for (
    const name of ["../x", "a/../../x", "/x", "a\\b", ".x", "", "a//b", "a\0", "x".repeat(200)]
  ) {
    assert.throws(() => writeState(fs, dir, name, 1), SageError, JSON.stringify(name));
  }
  assert.deepEqual(filesIn(dir), []);
});

Deno.test("updateState() changes what is there", () => {
  const dir = tempDir();
  for (let i = 0; i < 3; i++) updateState<number>(fs, dir, "count.json", (old) => (old ?? 0) + 1);
  assert.equal(readState(fs, dir, "count.json"), 3);
});

Deno.test("updateState() leaves few locks, however many names there are", () => {
  const dir = tempDir();
  for (let i = 0; i < 40; i++) updateState<number>(fs, dir, `session-${i}.json`, () => i);
  assert.ok(filesIn(`${dir}/locks`).length <= 16);
});

Deno.test("rememberProject() keeps a readable registry, the last seen first", async () => {
  const root = tempDir();
  const project = { id: "tool-1", name: 'Ann: "Tool" #1', root: "/home/ann/ä tool" };
  assert.deepEqual(await listProjects(fs, root), []);
  assert.equal(await rememberProject(fs, root, project), true);
  assert.equal(await rememberProject(fs, root, project), false);
  await rememberProject(fs, root, { id: "x-2", name: "x", root: "/x" });
  await rememberProject(fs, root, { id: "x-3", name: "x", root: "/x" });
  const projects = await listProjects(fs, root);
  assert.deepEqual(projects.map(({ id }) => id).sort(), ["tool-1", "x-3"]);
  assert.deepEqual(projects.find(({ id }) => id === "tool-1")?.name, project.name);
  assert.match(await Deno.readTextFile(`${root}/projects.yaml`), /^# Projects that Sage has seen/);
});

Deno.test("rememberProject() gives no project of a repository the ids of another that is gone", async () => {
  const root = tempDir();
  const top = tempDir();
  put(`${top}/.git/HEAD`, "ref: refs/heads/main\n");
  put(`${top}/.git/description`, "Unnamed repository\n");
  const [shop, site] = ["shop", "site"].map((id) => ({ id, name: id, root: `${top}/apps/${id}` }));
  assert.ok(shop !== undefined && site !== undefined);
  for (const project of [shop, site]) {
    put(`${project.root}/main.ts`, "");
    await rememberProject(fs, root, project);
  }
  // A branch that has only one of them.
  await Deno.remove(shop.root, { recursive: true });
  assert.deepEqual(formerIds(fs, root, site.root, readGit(fs, site.root)), ["site"]);
  await rememberProject(fs, root, { ...site, name: "The site" });
  assert.deepEqual((await listProjects(fs, root)).flatMap(({ former = [] }) => former), []);
  // All of it is moved: each part is still the one that it was.
  const moved = `${root}/moved`;
  await Deno.rename(top, moved);
  const here = `${moved}/apps/site`;
  assert.deepEqual(formerIds(fs, root, here, readGit(fs, here)), ["site"]);
});

Deno.test("rememberProject() says anew when a project was seen, once a wrong clock is right again", async () => {
  const root = tempDir();
  const project = { id: "x-1", name: "x", root: "/x" };
  const line = "  - {id: x-1, name: x, root: /x, last_seen: 2099-01-01T00:00:00Z}\n";
  await Deno.writeTextFile(`${root}/projects.yaml`, `projects:\n${line}`);
  assert.equal(await rememberProject(fs, root, project), true);
  const [seen] = await listProjects(fs, root);
  assert.ok((seen?.lastSeen ?? "9") < "2099");
});

Deno.test("rememberProject() keeps 200 projects, and no more than it reads, however long their paths", async () => {
  for (const [length, there] of [[10, 190], [3_000, 75]] as const) {
    const root = tempDir();
    const deep = `/home/ann/${"x".repeat(length)}`;
    const repository = (i: number) => `${i}-1768314600000`;
    const block = (i: number) =>
      `  - id: p-${i}\n    name: p${i}\n    root: ${deep}/p${i}\n` +
      `    last_seen: 2026-01-13T14:30:00Z\n    repository: ${repository(i)}\n`;
    const blocks = Array.from({ length: there }, (_, i) => block(i)).join("");
    await Deno.writeTextFile(`${root}/projects.yaml`, `projects:\n${blocks}`);
    for (let i = there; i < there + 20; i++) {
      const project = { id: `p-${i}`, name: `p${i}`, root: `${deep}/p${i}` };
      assert.equal(await rememberProject(fs, root, project), true);
    }
    const known = await listProjects(fs, root);
    assert.ok(length === 10 ? known.length === 200 : known.length > 70, String(known.length));
    assert.ok(known.some(({ id }) => id === `p-${there + 19}`));
  }
});

Deno.test("a registry that cannot be read is never rewritten", async () => {
  const root = tempDir();
  await Deno.writeTextFile(`${root}/projects.yaml`, "projects: [a\n");
  const project = { id: "a", name: "a", root: "/a" };
  await assert.rejects(rememberProject(fs, root, project), { code: "invalid_config" });
  assert.equal(await Deno.readTextFile(`${root}/projects.yaml`), "projects: [a\n");
});

Deno.test("a registry edited by hand is understood", async () => {
  const root = tempDir();
  const text =
    "projects:\n- {id: a, name: A, root: /a, last_seen: 2026-01-01}\n- id: b\n  root: /b\n- broken\n";
  await Deno.writeTextFile(`${root}/projects.yaml`, text);
  const projects = await listProjects(fs, root);
  assert.deepEqual(projects.map(({ id, name }) => [id, name]), [["a", "A"], ["b", "b"]]);
});
