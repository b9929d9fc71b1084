import assert from "node:assert/strict";
import { readArguments } from "../../src/mcp/arguments.ts";
import { inputSchema } from "../../src/mcp/schema.ts";
import { toolsOf } from "../../src/mcp/tools/table.ts";
import { CHECKPOINT } from "./connect.ts";

function read(name: string, raw: unknown): ReturnType<typeof readArguments> {
  const tool = toolsOf("full").find((each) => each.name === name);
  assert.ok(tool !== undefined);
  return readArguments(tool, inputSchema(tool), raw);
}

Deno.test("readArguments() mends what a model gets wrong in form, not in meaning", () => {
  const { trigger: _, tensions: __, ...given } = CHECKPOINT;
  const mended = read("sage_save_checkpoint", {
    ...given,
    confidence: "0.75",
    key_evidence: "only one",
    open_questions: '["a?", "b?"]',
    tensions: "",
    sources: [{ id: "a", relation: "supports" }, { id: "b" }, "c"],
    title: null,
    skill: "",
  });
  assert.deepEqual(mended, {
    kind: "right",
    args: {
      ...given,
      confidence: 0.75,
      key_evidence: ["only one"],
      open_questions: ["a?", "b?"],
      sources: ["a: supports", "b", "c"],
    },
  });
});

Deno.test("readArguments() tells a wrong type from what is missing", () => {
  const { core_question: _, ...given } = CHECKPOINT;
  const raw = { ...given, thesis: 5, confidence: "high", key_evidence: ["a", 7] };
  const wrong = read("sage_save_checkpoint", raw);
  assert.ok(wrong.kind === "wrong");
  for (
    const mistake of [
      '"core_question" is missing',
      '"thesis" must be a string',
      '"confidence" must be a number',
      '"key_evidence.1" must be a string',
    ]
  ) assert.ok(wrong.text.includes(mistake), wrong.text);
  assert.match(wrong.text, /Call again with \{.*key_evidence\?: string\[\]/);
  // What is no source is told as one, whatever it is.
  for (const item of [null, 7, {}, { id: 7 }]) {
    const odd = read("sage_save_checkpoint", { ...CHECKPOINT, sources: [item] });
    assert.ok(odd.kind === "wrong" && odd.text.includes('"sources.0" must be a string'));
  }
  const twice = read("search_notes", { query: "a", after: [], limit: 1e308 });
  assert.ok(twice.kind === "wrong");
  assert.match(twice.text, /^search_notes: "after" must be a string; "limit": [^;]*\. Call again/);
  const half = read("sage_list_checkpoints", { limit: 1.5 });
  assert.ok(half.kind === "wrong" && half.text.includes('"limit" must be a whole number'));
  const none = read("sage_save_checkpoint", { ...CHECKPOINT, thesis: null });
  assert.ok(none.kind === "wrong" && none.text.includes('"thesis" is missing'));
});

Deno.test("readArguments() says once what a choice may be, and that one is missing", () => {
  const wrong = read("sage_todo", { action: "create", content: "a" });
  assert.ok(wrong.kind === "wrong");
  assert.match(
    wrong.text,
    /^sage_todo: "action" cannot be "create"\. Call again with {action: add\|/,
  );
  const odd = read("sage_todo", { action: [{ add: 1 }] });
  assert.ok(odd.kind === "wrong");
  assert.match(odd.text, /^sage_todo: "action" cannot be "\[\{\\"add\\":1\}\]"\. Call again/);
  const missing = read("sage_todo", { content: "a" });
  assert.ok(missing.kind === "wrong" && missing.text.includes('"action" is missing'));
  const hidden = read("sage_save_knowledge", { title: "a", content: "b", scope: "global" });
  assert.ok(hidden.kind === "wrong" && /"scope": .*"project"\|"user"/.test(hidden.text));
});

Deno.test("readArguments() takes no arguments where none are needed, and nothing but an object", () => {
  assert.deepEqual(read("sage_list_checkpoints", undefined), { kind: "right", args: {} });
  for (const raw of [[], "x", 4, null, true]) {
    const { kind } = read("sage_list_checkpoints", raw);
    assert.equal(kind, "wrong");
  }
});

Deno.test("readArguments() takes what is not advertised", () => {
  const read1 = read("sage_autosave_check", { ...CHECKPOINT, title: "T", parent: "p", skill: "s" });
  assert.equal(read1.kind, "right");
  const tool = toolsOf("full").find(({ name }) => name === "sage_autosave_check");
  assert.ok(tool !== undefined && !Object.hasOwn(inputSchema(tool).properties, "parent"));
});

Deno.test("readArguments() names five mistakes at most, and what the tool takes", () => {
  const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x${i}`, i]));
  const wrong = read("get_note", unknown);
  assert.equal(wrong.kind, "wrong");
  if (wrong.kind !== "wrong") return;
  assert.ok(wrong.text.length < 400);
  assert.match(wrong.text, /^get_note: "id" is missing; "x0" is unknown/);
  assert.match(wrong.text, /Call again with \{id: string, section\?: string\}\.$/);
});

Deno.test("readArguments() refuses names that are texts, and texts without end", () => {
  for (
    const args of [
      { ...CHECKPOINT, title: "x".repeat(201) },
      { ...CHECKPOINT, thesis: "x".repeat(8001) },
      { ...CHECKPOINT, key_evidence: ["x".repeat(8001)] },
      { ...CHECKPOINT, sources: Array(33).fill("a") },
      { ...CHECKPOINT, confidence: 1.1 },
      { ...CHECKPOINT, confidence: "high" },
      { ...CHECKPOINT, thesis: "  " },
      { ...CHECKPOINT, thesis: 42 },
    ]
  ) assert.equal(read("sage_save_checkpoint", args).kind, "wrong");
});

Deno.test("readArguments() takes out what no note can hold, and takes what nobody sees for nothing", () => {
  const given = { title: "a\0b", content: "Line one\0 of it.", keywords: ["x\0"] };
  assert.deepEqual(read("sage_save_knowledge", given), {
    kind: "right",
    args: { title: "ab", content: "Line one of it.", keywords: ["x"] },
  });
  const blank = read("sage_save_knowledge", { title: "\u202e\0\u200b", content: "x" });
  assert.ok(blank.kind === "wrong" && blank.text.includes('"title"'), JSON.stringify(blank));
  assert.deepEqual(read("sage_todo", { action: "add", content: "\u200b" }), {
    kind: "right",
    args: { action: "add" },
  });
});
