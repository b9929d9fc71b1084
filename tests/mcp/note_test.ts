import assert from "node:assert/strict";
import { readText } from "./disk.ts";
import { KNOWLEDGE, withServer } from "./connect.ts";

Deno.test("sage_update_note changes a part of a note against the hash that get_note gave", () =>
  withServer(async ({ call, project }) => {
    const { data: saved } = await call("sage_save_knowledge", KNOWLEDGE);
    const id = String(saved.id);
    const { data } = await call("get_note", { id });
    const [item] = data.items as { hash: string }[];
    assert.match(item?.hash ?? "", /^[0-9a-f]{16}$/);
    const added = await call("sage_update_note", {
      id,
      action: "insert",
      heading: "Exceptions",
      text: "- none so far",
      expected_hash: item?.hash,
    });
    assert.equal(added.data.outcome, "updated", added.text);
    assert.match(added.text, /^Updated [0-9a-f]{8} "Curator fees"; hash [0-9a-f]{16}\.$/);
    assert.match(
      readText(`${project}/.sage/knowledge/${id}.md`),
      /## Exceptions\n\n- none so far\n/,
    );
    const set = await call("sage_update_note", {
      id,
      action: "set",
      field: "tags",
      text: "defi, fees",
    });
    assert.equal(set.data.outcome, "updated");
    assert.match(readText(`${project}/.sage/knowledge/${id}.md`), /\ntags: \[defi, fees\]\n/);
  }, { profile: "full" }));

Deno.test("sage_update_note tells a conflict with both texts fenced, and what to do", () =>
  withServer(async ({ call }) => {
    const { data: saved } = await call("sage_save_knowledge", {
      ...KNOWLEDGE,
      content: "## Now\n\nFees are 0.15.\n\n## Then\n\nWho knows.",
    });
    const id = String(saved.id);
    const { data } = await call("get_note", { id });
    const [item] = data.items as { hash: string }[];
    const replace = { id, action: "replace", heading: "Now", expected_hash: item?.hash };
    const first = await call("sage_update_note", { ...replace, text: "Fees are 0.25." });
    assert.equal(first.data.outcome, "updated", first.text);
    const second = await call("sage_update_note", { ...replace, text: "Fees are 0.35." });
    assert.equal(second.data.outcome, "conflict", second.text);
    assert.match(String(second.data.there), /<recalled [^]*0\.25/);
    assert.match(String(second.data.loaded), /<recalled [^]*0\.15/);
    assert.match(String(second.data.diff), /-Fees are 0\.25\.[^]*\+Fees are 0\.35\./);
    assert.match(second.text, /Show the person both; then call again with on_conflict "append"/);
    const chosen = await call("sage_update_note", {
      ...replace,
      text: "Fees are 0.35.",
      on_conflict: "append",
    });
    assert.equal(chosen.data.outcome, "updated", chosen.text);
    const elsewhere = await call("sage_update_note", {
      ...replace,
      heading: "Then",
      text: "Nobody knows.",
    });
    assert.equal(elsewhere.data.outcome, "merged", elsewhere.text);
  }, { profile: "full" }));

Deno.test("sage_update_note says what is missing, unknown or not an agent's to change", () =>
  withServer(async ({ call }) => {
    const { data } = await call("sage_save_knowledge", KNOWLEDGE);
    const id = String(data.id);
    for (
      const [args, said] of [
        [{ action: "append" }, /give "text"/],
        [{ action: "insert", text: "x" }, /give "heading" and "text"/],
        [
          { action: "replace", heading: "Nope", text: "x", expected_hash: "0".repeat(16) },
          /not as it was read/,
        ],
        [{ action: "set", field: "pinned", text: "true" }, /for the person/],
        [{ action: "append", text: "x", expected_hash: "zz" }, /not a hash/],
        [{ id: "nothing-like-it", action: "append", text: "x" }, /^No note "nothing-like-it"/],
      ] as const
    ) {
      const { text } = await call("sage_update_note", { id, ...args });
      assert.match(text, said);
    }
  }, { profile: "full" }));
