/** Notes that were removed: listed and brought back by their kind. */
import assert from "node:assert/strict";
import { listRemoved, restoreRemoved } from "../../src/memory/removed.ts";
import { removeNote } from "../../src/memory/remove.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { knowledge, PERSON, world } from "../support/world.ts";

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
