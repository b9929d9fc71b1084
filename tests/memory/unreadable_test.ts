/** A note whose front matter cannot be read: whoever would change it is told where that file is. */
import assert from "node:assert/strict";
import { editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { findNote } from "../../src/memory/find.ts";
import { pinNote } from "../../src/memory/project/pin.ts";
import { setTodo } from "../../src/memory/todo.ts";
import { PERSON, put, world } from "../support/world.ts";

Deno.test("an error about changing an unreadable note names its file, line and column", async () => {
  using on = await world();
  const [note, todo] = ["knowledge/bees.md", "todos/honey.md"].map((path) =>
    `${on.cwd}/.sage/${path}`
  ) as [string, string];
  put(note, "---\nid: bees\nid: bees\ntype: knowledge\n---\n# Bees\n\nThey dance.\n");
  put(todo, "---\nid: honey\nid: honey\ntype: todo\n---\n# Honey\n");
  const found = await findNote(on.memory, "bees");
  assert.ok(found.kind === "one");
  const changes: [string, () => Promise<unknown>][] = [
    [
      note,
      () =>
        editKnowledge(
          on.memory,
          "bees",
          { patch: { kind: "append", text: "They waggle." } },
          PERSON,
        ),
    ],
    [
      note,
      () =>
        saveKnowledge(on.memory, { id: "bees", title: "Bees", content: "They waggle." }, PERSON),
    ],
    [note, () => pinNote(on.memory, found.item, true)],
    [todo, () => setTodo(on.memory, "honey", { status: "done" }, PERSON)],
  ];
  for (const [path, change] of changes) {
    await assert.rejects(change, { message: `Cannot read ${path}:3:1: key "id" is there twice` });
  }
});
