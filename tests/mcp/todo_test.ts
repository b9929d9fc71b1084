import assert from "node:assert/strict";
import { makeFolder, readText, writeText } from "./disk.ts";
import { withServer } from "./connect.ts";

Deno.test("sage_todo adds, lists by priority, updates, and lists what is done", () =>
  withServer(async ({ call, project }) => {
    assert.equal((await call("sage_todo", { action: "list" })).data.message, "No open todos.");
    const low = await call("sage_todo", {
      action: "add",
      content: "Tidy the fixtures",
      priority: "low",
    });
    const high = await call("sage_todo", {
      action: "add",
      content: "Ask legal about the fees",
      priority: "high",
      due: "2026-12-15",
      context: "Came up in the review.",
    });
    assert.match(high.text, /^Saved todo [0-9a-f]{8} "Ask legal about the fees"/);

    const listed = await call("sage_todo", { action: "list" });
    const items = listed.data.items as Record<string, unknown>[];
    assert.deepEqual(items.map(({ id }) => id), [high.data.id, low.data.id]);
    assert.deepEqual([items[0]?.status, items[0]?.priority, items[0]?.due], [
      "pending",
      "high",
      "2026-12-15",
    ]);
    assert.match(String(listed.data.notes), /Came up in the review/);

    const done = await call("sage_todo", {
      action: "update",
      id: high.data.short_id,
      status: "done",
    });
    assert.match(
      done.text,
      /^Todo [0-9a-f]{8} "Ask legal about the fees" is done, high priority\.$/,
    );
    assert.match(
      readText(`${project}/.sage/todos/${high.data.id}.md`),
      /status: done/,
    );
    const open = await call("sage_todo", { action: "list" });
    assert.deepEqual((open.data.items as { id: string }[]).map(({ id }) => id), [low.data.id]);
    const finished = await call("sage_todo", { action: "list", status: "done" });
    assert.deepEqual((finished.data.items as { id: string }[]).map(({ id }) => id), [high.data.id]);
  }));

Deno.test("sage_todo tells the model what an action still needs", () =>
  withServer(async ({ call }) => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{}, /"action"/],
      [{ action: "delete" }, /add.*list.*update/],
      [{ action: "add" }, /give "content"/],
      [{ action: "update" }, /give "id"/],
      [{ action: "remove" }, /give "id"/],
      [{ action: "remove", id: "nothing-like-it" }, /No todo/],
      [{ action: "triage", accept: ["0"] }, /No open question is called "0"/],
      [{ action: "add", content: "x", due: "soon" }, /a date, not "soon"; write it as 2026-01-31/],
      [{ action: "update", id: "x", due: "2026-02-31" }, /a date, not "2026-02-31"/],
      [{ action: "update", id: "nothing-like-it" }, /give status, priority, due or source/],
      [{ action: "update", id: "nothing-like-it", status: "done" }, /No todo "nothing-like-it"/],
      [{ action: "update", id: "x", content: "other words" }, /the wording stays/],
      [{ action: "add", content: "x", priority: "urgent" }, /high.*medium.*low/],
    ];
    for (const [args, wanted] of cases) {
      const { isError, text } = await call("sage_todo", args);
      assert.equal(isError, true, JSON.stringify(args));
      assert.match(text, wanted);
    }
  }));

Deno.test("sage_todo removes into the trash, and triages what sessions left open", () =>
  withServer(async ({ call, project }) => {
    const added = await call("sage_todo", { action: "add", content: "Tidy the fixtures" });
    const removed = await call("sage_todo", { action: "remove", id: added.data.short_id });
    assert.match(removed.text, /^Removed todo [0-9a-f]{8} "Tidy the fixtures"; it can be restored/);
    assert.equal((await call("sage_todo", { action: "list" })).data.message, "No open todos.");

    const at = new Date().toISOString().slice(0, 19) + "Z";
    makeFolder(`${project}/.sage/sessions`);
    writeText(
      `${project}/.sage/sessions/s-1.md`,
      `---\nid: s-1\ntype: session\ntitle: Importer\nsession: old\ncreated: ${at}\nupdated: ${at}\n` +
        `started: ${at}\nended: ${at}\n---\n\n## Open Questions\n\n- Does it hold on Windows?\n- Is 40 MB enough?\n`,
    );
    const open = await call("sage_todo", { action: "triage" });
    const [first, second] = open.data.items as { id: string }[];
    assert.match(String(open.data.notes), /Does it hold on Windows/);
    const done = await call("sage_todo", {
      action: "triage",
      accept: [first?.id],
      drop: [second?.id],
    });
    assert.match(done.text, /^1 made into todos, 1 dropped, 0 left open\.$/);
    const listed = await call("sage_todo", { action: "list" });
    assert.match(String(listed.data.notes), /Does it hold on Windows/);
    const none = await call("sage_todo", { action: "triage" });
    assert.equal(none.data.message, "No session left a question open.");
  }));

Deno.test("sage_todo says of a question that could not be made into a todo that it was not", () =>
  withServer(async ({ call, project }) => {
    const at = new Date().toISOString().slice(0, 19) + "Z";
    makeFolder(`${project}/.sage/sessions`);
    writeText(
      `${project}/.sage/sessions/s-1.md`,
      `---\nid: s-1\ntype: session\ntitle: Importer\nsession: old\ncreated: ${at}\nupdated: ${at}\n` +
        `started: ${at}\nended: ${at}\n---\n\n## Open Questions\n\n- Is it still ${
          "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        } there?\n`,
    );
    const open = await call("sage_todo", { action: "triage" });
    const [first] = open.data.items as { id: string }[];
    const done = await call("sage_todo", { action: "triage", accept: [first?.id] });
    assert.equal(done.isError, true, done.text);
    assert.match(done.text, /^Not saved/);
  }));
