import assert from "node:assert/strict";
import { put } from "../support/world.ts";
import { CHECKPOINT, KNOWLEDGE, withServer } from "./connect.ts";

Deno.test("search_notes finds every kind, and filters", () =>
  withServer(async ({ call }) => {
    await call("sage_save_knowledge", KNOWLEDGE);
    await call("sage_save_checkpoint", CHECKPOINT);
    await call("sage_todo", { action: "add", content: "Ask legal about curator fees" });
    const { data, text } = await call("search_notes", { query: "curator fees" });
    const types = (data.items as { type: string }[]).map(({ type }) => type);
    assert.deepEqual([...types].sort(), ["checkpoint", "knowledge", "todo"]);
    assert.match(String(data.message), /^3 of 3 hits, best first\./);
    assert.match(text, /score/);

    const one = await call("search_notes", { query: "curator fees", type: "todo" });
    assert.deepEqual((one.data.items as { type: string }[]).map(({ type }) => type), ["todo"]);
    const limited = await call("search_notes", { query: "curator fees", limit: 1 });
    assert.equal((limited.data.items as unknown[]).length, 1);
    const later = await call("search_notes", { query: "curator fees", after: "2999-01-01" });
    assert.match(String(later.data.message), /^Nothing found/);
  }));

Deno.test("tools whose project was deleted while the server ran say so, not only that nothing is there", () =>
  withServer(async ({ call, project }) => {
    await call("sage_save_knowledge", KNOWLEDGE);
    await Deno.remove(project, { recursive: true });
    const gone = `the folder "${project}" is gone, with any notes in it`;
    const asked: [string, object][] = [
      ["search_notes", { query: "curator fees" }],
      ["sage_recall_knowledge", { query: "curator fees" }],
      ["sage_list_knowledge", {}],
      ["sage_load_checkpoint", {}],
      ["sage_todo", { action: "list" }],
    ];
    for (const [tool, args] of asked) {
      assert.deepEqual((await call(tool, args)).data.warnings, [gone], tool);
    }
    const note = await call("get_note", { id: "curator-fees" });
    assert.ok(note.isError && note.text.endsWith(`Warning: ${gone}.`), note.text);
    const saved = await call("sage_save_checkpoint", CHECKPOINT);
    assert.match(String(saved.data.message), /in the user store/);
  }));

const QUESTION = { query: "how greedy are the middlemen" };
const ALSO = ["fee that a curator takes", "curator fees in percent"];

Deno.test("search_notes and recall are asked in other words too, and propose it where nothing fits", () =>
  withServer(async ({ call }) => {
    await call("sage_save_knowledge", KNOWLEDGE);
    await call("sage_save_checkpoint", CHECKPOINT);
    const scores: number[] = [];
    for (const also of [undefined, ALSO, JSON.stringify(ALSO)]) {
      const args = { ...QUESTION, ...also === undefined ? {} : { also } };
      const { data } = await call("search_notes", args);
      const [first] = data.items as { id: string; score: number }[];
      scores.push(first?.score ?? 0);
      assert.equal(/Ask again in other words too/.test(String(data.message)), also === undefined);
      // What would be recalled unasked needs no such word.
      assert.equal(/score is how likely/.test(String(data.message)), (first?.score ?? 0) < 0.7);
    }
    assert.ok((scores[1] ?? 0) > (scores[0] ?? 1), scores.join());
    assert.equal(scores[2], scores[1]);
    const silent = await call("sage_recall_knowledge", QUESTION);
    assert.match(
      String(silent.data.message),
      /^Nothing known .* Ask again in other words too: also/,
    );
    const told = await call("sage_recall_knowledge", { ...QUESTION, also: ALSO });
    assert.doesNotMatch(String(told.data.message), /Ask again/);
  }));

Deno.test("search_notes refuses what is no date, no type, no query", () =>
  withServer(async ({ call }) => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ query: "x", after: "soon" }, /"after" must be a date .*today, yesterday or last week/],
      [{ query: "x", type: "memo" }, /"type"/],
      [{}, /"query" is missing/],
      [{ query: "   " }, /"query"/],
      [{ query: "x", limit: 1000 }, /"limit"/],
      [{ query: "x", also: Array.from({ length: 50 }, () => "y") }, /"also"/],
      [{ query: "x", also: [1] }, /"also/],
      [{ query: "x", tags: ["a"] }, /"tags" is unknown, perhaps "tag"/],
    ];
    for (const [args, wanted] of cases) {
      const { isError, text } = await call("search_notes", args);
      assert.equal(isError, true, JSON.stringify(args));
      assert.match(text, wanted);
      assert.match(text, /search_notes/);
    }
  }));

Deno.test("get_note reads a whole note, or one section", () =>
  withServer(async ({ call, project }) => {
    const { data } = await call("sage_save_checkpoint", CHECKPOINT);
    const whole = await call("get_note", { id: data.short_id });
    assert.ok(String(whole.data.notes).includes(CHECKPOINT.reasoning_trace));
    const [item] = whole.data.items as Record<string, unknown>[];
    assert.deepEqual([item?.id, item?.type, item?.status], [data.id, "checkpoint", "active"]);

    const section = await call("get_note", { id: data.id, section: "Open Questions" });
    assert.ok(String(section.data.notes).includes("How sustainable"));
    assert.ok(!String(section.data.notes).includes(CHECKPOINT.reasoning_trace));

    const missing = await call("get_note", { id: data.id, section: "Appendix" });
    assert.equal(missing.isError, true);
    assert.match(missing.text, /has no section "Appendix"\. It has: .*"Open Questions"/);
    const unknown = await call("get_note", { id: "no-such-note" });
    assert.equal(unknown.isError, true);
    assert.match(
      unknown.text,
      /^No note "no-such-note"\. search_notes finds notes by what they say/,
    );
    const almost = await call("get_note", { id: "top-curator" });
    assert.match(almost.text, /Nearest: [0-9a-f]{8}/);
    put(
      `${project}/.sage/redirects/locks.md`,
      "---\ntype: redirect\nid: locks\nto: locks\npath: knowledge/locks.md\ntitle: Locks\n" +
        "moved: 2026-01-13T14:30:00Z\n---\n\nKept.\n",
    );
    const gone = await call("get_note", { id: "locks" });
    assert.match(gone.text, /^No note "locks"\. "Locks" left this project on .* Ask the person\./);
  }));

Deno.test("find_similar_notes goes from a note or a text to its like", () =>
  withServer(async ({ call }) => {
    const first = await call("sage_save_knowledge", KNOWLEDGE);
    const second = await call("sage_save_knowledge", {
      title: "Fees of curators in vaults",
      content: "A curator of a vault takes a fee, usually a share of the yield.",
    });
    await call("sage_save_knowledge", {
      title: "Deploys",
      content: "Deploys go out on Tuesdays only.",
    });
    const like = await call("find_similar_notes", { id: first.data.id });
    const ids = (like.data.items as { id: string }[]).map(({ id }) => id);
    assert.equal(ids[0], second.data.id);
    assert.ok(!ids.includes(String(first.data.id)));
    const text = await call("find_similar_notes", { text: "curators take fees" });
    assert.ok((text.data.items as unknown[]).length >= 2);
    // What hardly fits is shown where nothing else is.
    assert.doesNotMatch(text.text, /Deploys/);
    const scores = (text.data.items as { score: number; kw: number }[]).map(({ score }) => score);
    assert.ok(scores.every((score) => score >= 0.3), String(scores));
    const none = await call("find_similar_notes", { text: "who pays for lunch on Tuesdays" });
    assert.match(none.text, /^Nothing is much like it; the nearest/);
    // Ids stand in the fence; below it numbers follow by place, and only what a model can use.
    const [, below = ""] = text.text.split(/<\/recalled [0-9a-f]+>\n\n/);
    assert.match(below, /^#1 type knowledge · score [\d.]+\n#2 type knowledge · score [\d.]+$/);
    for (const args of [{}, { id: "nothing-like-it" }]) {
      assert.equal((await call("find_similar_notes", args)).isError, true);
    }
  }));
