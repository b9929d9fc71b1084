/** Answers cut to what a client takes: in the end there is one, however long its other parts are. */
import assert from "node:assert/strict";
import type { Answer } from "../../src/mcp/answer.ts";
import { truncateResult } from "../../src/mcp/truncate.ts";
import type { Recalled } from "../../src/mcp/fenced.ts";

const NOTE: Recalled = {
  id: "a",
  title: "A",
  updated: "2026-01-13T14:30:00Z",
  scope: "project",
  author: "person",
  flags: [],
  text: "What is known of it.",
};

Deno.test("fit() cuts a single note to the room that there is, and says so", () => {
  const long = { ...NOTE, text: "word ".repeat(40_000) };
  const answer = truncateResult([long], (shown, { cut }) => told(shown, { cut }));
  assert.equal(answer.kind === "done" && answer.data["cut"], true);
  assert.ok(JSON.stringify(answer).length < 50_000);
});

Deno.test("fit() shows as many whole notes as there is room for, and says how many are left out", () => {
  const notes = Array.from({ length: 40 }, () => ({ ...NOTE, text: "word ".repeat(1000) }));
  const answer = truncateResult(notes, (shown, { out, cut }) => told(shown, { out, cut }));
  assert.ok(answer.kind === "done");
  const { texts, out, cut } = answer.data as { texts: string[]; out: number; cut: boolean };
  assert.deepEqual([texts.length + out, cut], [notes.length, false]);
  assert.ok(texts.length > 2 && JSON.stringify(answer).length < 50_000, String(texts.length));
  assert.deepEqual(new Set(texts), new Set(["word ".repeat(1000)]));
});

Deno.test("fit() gives an answer when what is not a note's text is too long by itself", () => {
  const groups = "x".repeat(200_000);
  const answer = truncateResult([NOTE, NOTE], (shown) => told(shown, { groups }));
  assert.deepEqual(answer.kind === "done" && answer.data["texts"], [""]);
});

function told(shown: readonly Recalled[], data: Readonly<Record<string, unknown>>): Answer {
  return { kind: "done", text: "", data: { ...data, texts: shown.map(({ text }) => text) } };
}
