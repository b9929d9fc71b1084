import assert from "node:assert/strict";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { exists, readText } from "./disk.ts";
import { KNOWLEDGE, SESSION, withServer } from "./connect.ts";

Deno.test("sage_save_knowledge saves, and sage_recall_knowledge brings it back fenced and scored", () =>
  withServer(async ({ call, project }) => {
    const saved = await call("sage_save_knowledge", KNOWLEDGE);
    assert.match(saved.text, /^Saved knowledge [0-9a-f]{8} "Curator fees" in the project store\.$/);
    assert.match(
      readText(`${project}/.sage/knowledge/${saved.data.id}.md`),
      /subject: fact/,
    );

    const { data, text } = await call("sage_recall_knowledge", {
      query: "what are the curator fees",
    });
    const [item] = data.items as { id: string; score: number; emb: number; kw: number }[];
    assert.equal(item?.id, saved.data.id);
    assert.ok((item?.score ?? 0) >= 0.7);
    assert.equal(item?.kw, 1);
    const notes = String(data.notes);
    assert.match(notes, /Curator fees · \d{4}-\d{2}-\d{2} · agent · (own|trusted) · curator-fees/);
    assert.ok(notes.includes(KNOWLEDGE.content));
    assert.ok(text.includes(notes.slice(40, 90)) && text.includes(KNOWLEDGE.content));
  }, { session: SESSION }));

Deno.test("sage_save_knowledge says that nothing finds what .sageignore keeps out", () =>
  withServer(async ({ call, project }) => {
    await Deno.writeTextFile(`${project}/.sageignore`, ".sage/\n");
    const saved = await call("sage_save_knowledge", KNOWLEDGE);
    assert.match(
      saved.text,
      /store\. But no search finds it, because \.sageignore excludes its path: tell/,
    );
  }));

Deno.test("sage_recall_knowledge says so when nothing is known, and names the lever", () =>
  withServer(async ({ call }) => {
    const empty = await call("sage_recall_knowledge", { query: "tulip prices in 1637" });
    assert.match(empty.text, /^Nothing known scores 0\.70 or more/);
    assert.deepEqual(empty.data.items, []);
    await call("sage_save_knowledge", { ...KNOWLEDGE, keywords: [] });
    const missed = await call("sage_recall_knowledge", { query: "tulip prices in 1637" });
    assert.deepEqual(missed.data.items, []);
  }));

Deno.test("sage_save_knowledge reports a duplicate, a conflict with what is stored, and follows the choice", () =>
  withServer(async ({ call, project }) => {
    const first = await call("sage_save_knowledge", KNOWLEDGE);
    const duplicate = await call("sage_save_knowledge", KNOWLEDGE);
    assert.equal(duplicate.data.outcome, "duplicate");
    assert.equal(duplicate.data.id, first.data.id);

    const changed = {
      ...KNOWLEDGE,
      content: "Curator fees are 0.25 percent since the vote in March.",
    };
    const conflict = await call("sage_save_knowledge", changed);
    assert.equal(conflict.isError, false);
    assert.equal(conflict.data.outcome, "conflict");
    assert.deepEqual(conflict.data.choices, ["update", "keep_both", "contradicts", "discard"]);
    assert.match(String(conflict.data.existing), /<recalled [^]*0\.15 percent/);
    assert.match(conflict.text, /0\.15 percent/);
    // The caller knows what it wrote.
    assert.doesNotMatch(conflict.text, /0\.25 percent/);
    assert.equal(conflict.data.yours, undefined);
    assert.match(String(conflict.data.diff), /\+.*0\.25 percent/);

    const updated = await call("sage_save_knowledge", { ...changed, on_conflict: "update" });
    assert.equal(updated.data.outcome, "updated");
    assert.equal(updated.data.id, first.data.id);
    const both = await call("sage_save_knowledge", { ...KNOWLEDGE, on_conflict: "keep_both" });
    assert.equal(both.data.outcome, "saved");
    assert.notEqual(both.data.id, first.data.id);
    const file = readText(`${project}/.sage/knowledge/${first.data.id}.md`);
    assert.match(file, /0\.25 percent/);
    assert.match(file, /## History/);
  }));

Deno.test("sage_save_knowledge says when what contradicts is linked to nothing", () =>
  withServer(async ({ call }) => {
    const saved = await call("sage_save_knowledge", { ...KNOWLEDGE, on_conflict: "contradicts" });
    assert.equal(saved.data.outcome, "saved");
    assert.match(saved.text, / Linked to no other note: no note here is about the same\.$/);
  }));

Deno.test("sage_save_knowledge updates the note that id names", () =>
  withServer(async ({ call }) => {
    const { data } = await call("sage_save_knowledge", KNOWLEDGE);
    const content = "Curator fees are set by the vault's owner, 0.10 to 0.25 percent.";
    const updated = await call("sage_save_knowledge", { ...KNOWLEDGE, content, id: data.short_id });
    assert.equal(updated.data.outcome, "updated");
    assert.match(updated.text, /version before is in its history/);
    const note = await call("get_note", { id: data.id });
    assert.ok(String(note.data.notes).includes(content));
  }));

Deno.test("sage_save_knowledge makes no note of an id that there is not", () =>
  withServer(async ({ call }) => {
    const { data } = await call("sage_save_knowledge", KNOWLEDGE);
    for (
      const [id, hint] of [
        ["no-such-id", /^No knowledge ".*"\. search_notes finds notes/],
        [String(data.id).slice(0, 5), /^No knowledge ".*"\. Nearest: [0-9a-f]{8} "Curator fees"/],
      ] as const
    ) {
      const { isError, text } = await call("sage_save_knowledge", { ...KNOWLEDGE, id });
      assert.equal(isError, true);
      assert.match(text, hint);
    }
    const { data: all } = await call("sage_list_knowledge");
    assert.equal((all.items as unknown[]).length, 1);
  }));

Deno.test("sage_save_knowledge puts preferences and what is for every project before the person", () =>
  withServer(async ({ call }) => {
    for (const more of [{ scope: "user" }, { subject: "preference" }]) {
      const { data, text } = await call("sage_save_knowledge", { ...KNOWLEDGE, ...more });
      assert.equal(data.outcome, "proposed");
      assert.match(
        text,
        /^Not saved yet: this is the person's to decide\. Ask them: "Should I remember/,
      );
      assert.match(text, new RegExp(`sage inbox accept ${data.question_id}`));
      assert.ok(text.includes(KNOWLEDGE.content));
    }
    const { data } = await call("sage_list_knowledge");
    assert.deepEqual(data.items, []);
  }));

Deno.test("sage_list_knowledge gives titles, and says how to find the others", () =>
  withServer(async ({ call }) => {
    assert.equal((await call("sage_list_knowledge")).data.message, "No knowledge yet.");
    await call("sage_save_knowledge", KNOWLEDGE);
    await call("sage_save_knowledge", {
      title: "Deploys",
      content: "Deploys go out on Tuesdays only.",
      skills: ["ops"],
    });
    const all = await call("sage_list_knowledge");
    assert.equal((all.data.items as unknown[]).length, 2);
    assert.match(String(all.data.notes), /keywords: curator, fees/);
    const ops = await call("sage_list_knowledge", { skill: "ops" });
    assert.deepEqual((ops.data.items as { id: string }[]).map(({ id }) => id), ["deploys"]);
  }));

Deno.test("sage_remove_knowledge moves to the trash and says until when it comes back", () =>
  withServer(async ({ call, project }) => {
    const { data } = await call("sage_save_knowledge", KNOWLEDGE);
    const removed = await call("sage_remove_knowledge", { id: data.short_id });
    assert.equal(removed.data.outcome, "removed");
    assert.match(
      removed.text,
      /^Removed ([0-9a-f]{8}) "Curator fees"; until \d{4}-\d\d-\d\d .* `sage knowledge restore \1`\.$/,
    );
    assert.ok(!exists(`${project}/.sage/knowledge/${data.id}.md`));
    const again = await call("sage_remove_knowledge", { id: data.id });
    assert.equal(again.isError, true);
    const { data: none } = await call("sage_recall_knowledge", {
      query: "what are the curator fees",
    });
    assert.deepEqual(none.items, []);
  }));

Deno.test("sage_remove_knowledge leaves the person what is of every project", () =>
  withServer(async ({ call, use }) => {
    const input = { title: "Tabs", content: "Tabs everywhere.", scope: "user" } as const;
    const person = { by: "person", explicit: true } as const;
    assert.equal((await use((memory) => saveKnowledge(memory, input, person))).kind, "saved");
    const removed = await call("sage_remove_knowledge", { id: "tabs" });
    assert.equal(removed.isError, true);
    assert.match(removed.text, /Cannot remove "tabs": that note belongs to every project/);
    assert.equal((await call("get_note", { id: "tabs" })).isError, false);
  }));

Deno.test("a tool that takes notes away takes none of another kind", () =>
  withServer(async ({ call }) => {
    const knowledge = await call("sage_save_knowledge", KNOWLEDGE);
    const todo = await call("sage_todo", { action: "add", content: "Tidy the fixtures" });
    const wrong: [string, Record<string, unknown>][] = [
      ["sage_remove_knowledge", { id: todo.data.id }],
      ["sage_archive_knowledge", { id: todo.data.id }],
      ["sage_todo", { action: "remove", id: knowledge.data.id }],
    ];
    for (const [tool, args] of wrong) {
      const { isError, text } = await call(tool, args);
      assert.deepEqual([isError, /^No (?:knowledge|todo) /.test(text)], [true, true], text);
    }
    for (const { data } of [knowledge, todo]) {
      assert.equal((await call("get_note", { id: data.id })).isError, false);
    }
  }, { profile: "full" }));

Deno.test("one session's saves are capped, and the model is told to ask the person", () =>
  withServer(async ({ call }) => {
    let last = await call("sage_save_knowledge", KNOWLEDGE);
    for (let i = 0; i < 25 && !last.isError; i++) {
      last = await call("sage_todo", { action: "add", content: `Task number ${i}` });
    }
    assert.equal(last.isError, true);
    assert.match(
      last.text,
      /Not saved: this session has written 20 notes already; tell the person/,
    );
  }, { session: SESSION }));

Deno.test("a note that is larger than one session may write is told how large it is", () =>
  withServer(async ({ call }) => {
    const { isError, text } = await call("sage_save_knowledge", {
      title: "Long",
      content: "word ".repeat(20_000),
    });
    assert.equal(isError, true);
    assert.match(
      text,
      /^Not saved: it has 100\d{3} bytes, and this session has written 0 of the 65536 that it may; /,
    );
  }, { session: SESSION }));

Deno.test("sage_archive_knowledge puts a note out of recall, and says how it comes back", () =>
  withServer(async ({ call }) => {
    const { data } = await call("sage_save_knowledge", KNOWLEDGE);
    const { text } = await call("sage_archive_knowledge", { id: data.short_id });
    assert.match(
      text,
      /^Archived ([0-9a-f]{8}) "Curator fees"; `sage knowledge restore \1` undoes it\.$/,
    );
    const { data: none } = await call("sage_recall_knowledge", {
      query: "what are the curator fees",
    });
    assert.deepEqual(none.items, []);
    const again = await call("sage_archive_knowledge", { id: data.id });
    assert.equal(again.data.outcome, "unchanged");
    assert.ok((await call("sage_archive_knowledge", { id: "no-such" })).isError);
  }, { profile: "full" }));
