/** An agent writes nothing into a note that no recall brings, and is told where to write instead. */
import assert from "node:assert/strict";
import { archiveKnowledge, unarchiveKnowledge } from "../../src/memory/knowledge/archive.ts";
import { mergeKnowledge } from "../../src/memory/knowledge/merge.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { PERSON, stored } from "../support/world.ts";
import { type Connected, SESSION, withServer } from "./connect.ts";
import { readText } from "./disk.ts";

const GIFT = { title: "Gift wrap price", content: "Gift wrap costs two euros a parcel." };
const NEW = { ...GIFT, content: "Gift wrap costs three euros a parcel." };

async function add({ use }: Connected, input: typeof GIFT): Promise<string> {
  const outcome = await use((memory) => saveKnowledge(memory, input, PERSON));
  assert.ok(outcome.kind === "saved", JSON.stringify(outcome));
  return outcome.id;
}

async function archive({ use }: Connected, id: string): Promise<void> {
  const outcome = await use(async (memory) =>
    await archiveKnowledge(memory, await stored(memory, id), PERSON)
  );
  assert.equal(outcome.kind, "patched");
}

Deno.test("an agent saves nothing into a note that a person archived, and is told how it comes back", () =>
  withServer(async (on) => {
    const id = await add(on, GIFT);
    await archive(on, id);
    const path = `${on.project}/.sage/knowledge/${id}.md`;
    const before = readText(path);
    await on.call("get_note", { id });
    const writes = [
      ["sage_save_knowledge", { ...NEW, id }],
      ["sage_save_knowledge", { ...NEW, id, on_conflict: "update" }],
      ["sage_update_note", { id, action: "append", text: "It is three euros." }],
    ] as const;
    for (const [tool, args] of writes) {
      const refused = await on.call(tool, args);
      assert.equal(refused.isError, true, refused.text);
      assert.match(
        refused.text,
        /^Not saved: ([0-9a-f]{8}) "Gift wrap price" is archived, .*`sage knowledge restore \1`/,
      );
      assert.equal(readText(path), before);
    }
    await on.use(async (memory) =>
      await unarchiveKnowledge(memory, await stored(memory, id), PERSON)
    );
    await on.call("get_note", { id });
    const saved = await on.call("sage_save_knowledge", { ...NEW, id });
    assert.equal(saved.data.outcome, "updated", saved.text);
    const { data } = await on.call("sage_recall_knowledge", { query: "gift wrap price" });
    assert.match(String(data.notes), /three euros/);
  }, { session: SESSION, profile: "full" }));

Deno.test("an entity that is archived does not grow", () =>
  withServer(async (on) => {
    const made = await on.call("sage_save_knowledge", { ...GIFT, subject: "entity" });
    const id = String(made.data.id);
    await archive(on, id);
    const refused = await on.call("sage_save_knowledge", { ...NEW, id, subject: "entity" });
    assert.match(refused.text, /is archived/);
  }, { session: SESSION }));

Deno.test("a save under the title of an archived note names it", () =>
  withServer(async (on) => {
    const id = await add(on, GIFT);
    await archive(on, id);
    const saved = await on.call("sage_save_knowledge", NEW);
    assert.equal(saved.data.outcome, "saved", saved.text);
    assert.notEqual(saved.data.id, id);
    assert.equal(saved.data.retired, id);
    assert.match(
      saved.text,
      /store\. Archived knowledge has the same title, ([0-9a-f]{8}): the person .* restore \1`\.$/,
    );
    const other = await on.call("sage_save_knowledge", { title: "Ribbon", content: "It is red." });
    assert.doesNotMatch(other.text, /Archived/);
  }, { session: SESSION }));

Deno.test("of a note that was merged into another an agent is told the other", () =>
  withServer(async (on) => {
    const id = await add(on, GIFT);
    const into = await add(on, { title: "Prices <b>", content: "A parcel costs five euros." });
    const last = await add(on, { title: "All prices", content: "A letter costs one euro." });
    for (const [whole, part] of [[into, id], [last, into]] as const) {
      const merged = await on.use(async (memory) =>
        await mergeKnowledge(
          memory,
          await stored(memory, whole),
          [await stored(memory, part)],
          PERSON,
        )
      );
      assert.equal(merged.kind, "patched", JSON.stringify(merged));
    }
    const refused = await on.call("sage_save_knowledge", { ...NEW, id });
    assert.equal(refused.isError, true);
    assert.match(
      refused.text,
      /^Not saved: [0-9a-f]{8} "Gift wrap price" was replaced by [0-9a-f]{8} "All prices": save to that one\.$/,
    );
    const beside = await on.call("sage_save_knowledge", {
      ...GIFT,
      content: "Wrapping in brown paper is free on Mondays.",
      on_conflict: "keep_both",
    });
    assert.equal(beside.data.outcome, "saved", beside.text);
    assert.match(
      beside.text,
      /same title, [0-9a-f]{8}: it was replaced by [0-9a-f]{8} "All prices"\./,
    );
  }, { session: SESSION }));
