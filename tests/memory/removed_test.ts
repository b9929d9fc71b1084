/** Notes that were removed: listed and brought back by their kind. */
import assert from "node:assert/strict";
import type { Fs } from "../../src/base/fs.ts";
import { findNote } from "../../src/memory/find.ts";
import { unresolvedItems } from "../../src/memory/graph/answer.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { findRemoved, listRemoved, restoreRemoved } from "../../src/memory/removal/removed.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { filesIn } from "../support/temp_store.ts";
import { AGENT, byHand, knowledge, PERSON, put, read, world } from "../support/world.ts";

Deno.test("restoreRemoved() brings back no note of another kind, whatever its name", async () => {
  using on = await world();
  const { id } = await knowledge(on.memory, "Oak", "It grows.");
  const todo = await addTodo(on.memory, { content: "Fell the oak." }, PERSON);
  assert.ok(todo.kind === "saved");
  for (const removed of [id, todo.id]) await removeNote(on.memory, removed, ["knowledge", "todo"]);
  const listed = async (kind: "knowledge" | "todo") =>
    (await listRemoved(on.memory, kind)).map((item) => item.id);
  assert.deepEqual([await listed("knowledge"), await listed("todo")], [[id], [todo.id]]);
  assert.equal((await restoreRemoved(on.memory, "todo", id)).kind, "none");
  assert.equal((await restoreRemoved(on.memory, "knowledge", id)).kind, "restored");
});

Deno.test("restoreRemoved() brings back no note whose id another has by now, but what it had brought back", async () => {
  using on = await world();
  const first = await knowledge(on.memory, "Login way", "It went by OIDC.");
  await removeNote(on.memory, first.id);
  const trash = filesIn(`${on.cwd}/.sage`).find((path) => path.startsWith(".trash/")) ?? "";
  const second = await knowledge(on.memory, "Login way", "It goes by SAML.");
  const taken = await restoreRemoved(on.memory, "knowledge", first.id);
  assert.deepEqual(taken, { kind: "taken", id: "login-way", title: "Login way" });
  assert.match(read(second.path), /SAML/);
  // Cut short before it left the trash.
  put(second.path, read(`${on.cwd}/.sage/${trash}`));
  await refreshAll(on.memory);
  assert.equal((await restoreRemoved(on.memory, "knowledge", first.id)).kind, "restored");
  const live = filesIn(`${on.cwd}/.sage/knowledge`).filter((path) => path.endsWith(".md"));
  assert.deepEqual(live.filter((path) => !path.startsWith(".history/")), ["login-way.md"]);
});

Deno.test("restoreRemoved() says of no note that it is not there while one cannot be read", async () => {
  using on = await world();
  for (const title of ["Oak", "Elm"]) {
    await removeNote(on.memory, (await knowledge(on.memory, title, "It grows.")).id);
  }
  const { fs } = on.memory;
  const open: Fs["open"] = (path, options) => {
    if (!path.includes("/.trash/") || !path.endsWith("/oak.md")) return fs.open(path, options);
    throw Object.assign(new Error("the disk fails"), { code: "EIO" });
  };
  const failing = await on.open({ fs: { ...fs, open } });
  await assert.rejects(restoreRemoved(failing, "knowledge", "oak"), { code: "io" });
  assert.equal((await restoreRemoved(failing, "knowledge", "elm")).kind, "restored");
});

Deno.test("findRemoved() means what was removed last, of two that went in one second", async () => {
  using on = await world();
  for (const content of ["It grows.", "It falls."]) {
    await removeNote(on.memory, (await knowledge(on.memory, "Oak", content)).id);
  }
  const trash = `${on.cwd}/.sage/.trash`;
  for (const name of new Set(filesIn(trash).map((path) => path.split("/")[0] ?? ""))) {
    await Deno.rename(`${trash}/${name}`, `${trash}/2026-01-13T14-30-00${name.slice(-9)}`);
  }
  const { fs } = on.memory;
  // In whichever order the disk tells them.
  for (const isTurned of [false, true]) {
    const list: Fs["list"] = (path) => isTurned ? fs.list(path).toReversed() : fs.list(path);
    const found = await findRemoved(await on.open({ fs: { ...fs, list } }), "oak");
    assert.match(read(found?.path ?? ""), /It falls/);
  }
});

Deno.test("asking for a removed note, or following a link to it, says how to restore it", async () => {
  using on = await world();
  const { id } = await knowledge(on.memory, "Oak", "It grows.");
  await knowledge(on.memory, "Forest", "Of [[Oak]] and [[Elm]].");
  await removeNote(on.memory, id);
  for (const ref of ["Oak", id]) {
    const found = await findNote(on.memory, ref, ["knowledge"]);
    assert.ok(found.kind === "none");
    assert.equal(found.removed?.id, id, ref);
  }
  const todo = await findNote(on.memory, id, ["todo"]);
  assert.ok(todo.kind === "none" && todo.removed === undefined);
  const unresolved = await unresolvedItems(on.memory, await openGraph(on.memory));
  assert.deepEqual(unresolved.map(({ target, removed }) => [target, removed?.type]), [
    ["Oak", "knowledge"],
    ["Elm", undefined],
  ]);
});

Deno.test("the trash of an untrusted clone is ignored", async () => {
  using on = await world({ project: "foreign" });
  const trash = `${on.cwd}/.sage/.trash/2026-01-13T14-30-00-0a1b2c3d`;
  byHand(trash, "knowledge/oak.md", { id: "oak" }, "# Oak");
  const found = await findNote(on.memory, "oak");
  assert.ok(found.kind === "none" && found.removed === undefined);
  assert.deepEqual(await listRemoved(on.memory), []);
  assert.equal((await restoreRemoved(on.memory, undefined, "oak")).kind, "none");
});

Deno.test("lists of the trash show no private text", async () => {
  using on = await world();
  byHand(
    `${on.cwd}/.sage`,
    "knowledge/x.md",
    { id: "x" },
    "# Door <private>4711</private>\n\nShut.",
  );
  await removeNote(on.memory, "x");
  assert.doesNotMatch(JSON.stringify(await listRemoved(on.memory, "knowledge")), /4711/);
  assert.doesNotMatch(JSON.stringify(await findRemoved(on.memory, "x")), /4711/);
  assert.doesNotMatch(JSON.stringify(await findNote(on.memory, "x")), /4711/);
});

Deno.test("removeNote() leaves a note that somebody wrote in the last moment, and does not say it is gone", async () => {
  using on = await world();
  const { id, path } = await knowledge(on.memory, "Login way", "It goes by OIDC.");
  const fs: Fs = {
    ...on.memory.fs,
    open(file, options) {
      // Read it is by now, and not yet looked at again.
      if (/\/note-\w+\.lock$/.test(file)) put(path, read(path).replace("OIDC", "SAML"));
      return on.memory.fs.open(file, options);
    },
  };
  const stores = on.memory.stores.map((store) => ({ ...store, fs }));
  await assert.rejects(removeNote({ ...on.memory, stores }, id), { code: "conflict" });
  assert.match(read(path), /SAML/);
});

Deno.test("removeNote() by an agent leaves the person what is of every project", async () => {
  using on = await world();
  const { id, path } = await knowledge(on.memory, "Tabs", "They are four wide.", { scope: "user" });
  await assert.rejects(removeNote(on.memory, id, undefined, { author: AGENT }), {
    code: "refused",
  });
  assert.match(read(path), /four wide/);
  assert.equal((await removeNote(on.memory, id, undefined, { author: PERSON })).kind, "removed");
});
