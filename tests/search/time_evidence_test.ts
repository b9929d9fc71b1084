import assert from "node:assert/strict";
import type { NoteKind } from "../../src/note/note.ts";
import { phraseOf } from "../../src/search/query/lexical.ts";
import { NO_EVIDENCE, WORTH } from "../../src/search/ranking/score.ts";
import { asksOfThen, withTimeEvidence } from "../../src/search/ranking/time_evidence.ts";

function placed(
  id: string,
  kind: NoteKind,
  title: string,
  updated: string,
  sum: number,
  supersedes: string[] = [],
) {
  const stored = { id, kind, title, updated, supersedes };
  return { sum, certainty: 0, evidence: NO_EVIDENCE, stored };
}

function sums(notes: Parameters<typeof withTimeEvidence>[0]): Record<string, number> {
  return Object.fromEntries(withTimeEvidence(notes).map(({ stored, sum }) => [stored.id, sum]));
}

Deno.test("withTimeEvidence() lets a later checkpoint of the same subject outdate an earlier one", () => {
  const found = sums([
    placed("first", "checkpoint", "Checkpoint: slow routes, baseline", "2026-01-01", 4),
    placed("last", "checkpoint", "Checkpoint: slow routes, done", "2026-01-09", 3),
    placed("other", "checkpoint", "Checkpoint: memory leak, day 1", "2026-01-02", 2),
  ]);
  assert.deepEqual(found, { first: 4 + WORTH.older, last: 4 + WORTH.handedOn, other: 2 });
});

Deno.test("withTimeEvidence() takes checkpoints that begin with one ticket for one subject", () => {
  const found = sums([
    placed("first", "checkpoint", "SOR-2107: late pushes", "2026-01-01", 4),
    placed("last", "checkpoint", "Checkpoint SOR-2107, closed", "2026-01-09", 1),
    placed("other", "checkpoint", "SOR-2108: late pushes", "2026-01-02", 2),
  ]);
  assert.deepEqual(found, { first: 4 + WORTH.older, last: 4 + WORTH.handedOn, other: 2 });
});

Deno.test("withTimeEvidence() lets a later session outdate what says as much of the question", () => {
  const day = (id: string, date: string, sum: number, kw: number, session = id) => {
    const note = placed(id, "session", `Harbour${id}`, date, sum);
    return {
      ...note,
      evidence: { ...NO_EVIDENCE, kw },
      stored: { ...note.stored, session },
    };
  };
  const sumsOf = (notes: ReturnType<typeof day>[], isAlike?: () => boolean) =>
    Object.fromEntries(withTimeEvidence(notes, isAlike).map(({ stored, sum }) => [stored.id, sum]));
  const both = [day("a", "2026-01-01", 4, 0.8), day("b", "2026-01-09", 3.5, 0.7)];
  assert.deepEqual(sumsOf(both, () => true), { a: 4 + WORTH.older, b: 3.5 });
  assert.deepEqual(sumsOf(both, () => false), { a: 4, b: 3.5 });
  assert.deepEqual(sumsOf(both), { a: 4, b: 3.5 });
  const rest = [day("a", "2026-01-01", 4, 0.8), day("b", "2026-01-09", 3.5, 0.3)];
  assert.deepEqual(sumsOf(rest, () => true), { a: 4, b: 3.5 });
  const ofOne = [day("a", "2026-01-01", 4, 0.8, "s"), day("b", "2026-01-09", 3.5, 0.8, "s")];
  assert.deepEqual(sumsOf(ofOne, () => true), { a: 4, b: 3.5 });
});

Deno.test("asksOfThen() knows questions about what happened", () => {
  const asked = ["what did the lab say", "warum hing der import", "quel était le défaut"];
  for (const question of asked) assert.equal(asksOfThen(phraseOf(question)), true, question);
  for (const question of ["how long does the import take", "wie lange dauert der Import"]) {
    assert.equal(asksOfThen(phraseOf(question)), false, question);
  }
});

Deno.test("withTimeEvidence() outdates nothing of the same moment", () => {
  const found = sums([
    placed("one", "checkpoint", "Slow routes", "2026-01-09", 4),
    placed("other", "checkpoint", "Slow routes again", "2026-01-09", 3),
  ]);
  assert.deepEqual(found, { one: 4, other: 3 });
});

Deno.test("withTimeEvidence() hands nothing on among notes that a routine gave one title", () => {
  const found = sums([
    placed("first", "session", "Do the next task of the plan", "2026-01-01", 4),
    placed("last", "session", "Do the next task of the plan", "2026-01-09", 1),
  ]);
  assert.deepEqual(found, { first: 4 + WORTH.older, last: 1 });
});

Deno.test("withTimeEvidence() outdates no knowledge, and nothing that no word names", () => {
  const knowledge = [
    placed("on", "knowledge", "Rate limits, before", "2026-01-01", 4),
    placed("off", "knowledge", "Rate limits, after", "2026-01-09", 3),
  ];
  assert.deepEqual(sums(knowledge), { on: 4, off: 3 });
  const nameless = [
    placed("a", "session", "Session", "2026-01-01", 4),
    placed("b", "session", "Session", "2026-01-09", 3),
  ];
  assert.deepEqual(sums(nameless), { a: 4, b: 3 });
});

Deno.test("withTimeEvidence() hands what an old version says on to its successors", () => {
  const found = withTimeEvidence([
    placed("new", "knowledge", "Tiles", "2026-01-09", 1, ["middle"]),
    placed("old", "knowledge", "Mapbox", "2026-01-01", 4),
    placed("middle", "knowledge", "Maps", "2026-01-05", 1, ["old"]),
  ]);
  assert.deepEqual(sums(found), { old: 4, middle: 3.5, new: 3 });
  assert.equal(found.find(({ stored }) => stored.id === "new")?.evidence.inherited, 2);
  const better = [
    placed("new", "knowledge", "Tiles", "2026-01-09", 5, ["old"]),
    placed("old", "knowledge", "Mapbox", "2026-01-01", 4),
  ];
  assert.deepEqual(sums(better), { new: 5, old: 4 });
  const names = withTimeEvidence([
    { ...placed("new", "knowledge", "iOS 17", "2026-01-09", 1, ["old"]), certainty: -3 },
    { ...placed("old", "knowledge", "iOS 15", "2026-01-01", 4), certainty: 2 },
  ]);
  assert.deepEqual(
    names.map(({ certainty, evidence }) => [certainty, evidence.inheritedCertainty]),
    [
      [2, 5],
      [2, 0],
    ],
  );
  const circle = [
    placed("a", "knowledge", "Tiles", "2026-01-09", 1, ["b"]),
    placed("b", "knowledge", "Mapbox", "2026-01-01", 4, ["a"]),
  ];
  assert.deepEqual(sums(circle), { a: 3.5, b: 4 });
});

Deno.test("withTimeEvidence() hands on over many versions that all name each other", () => {
  const ids = Array.from({ length: 60 }, (_, i) => `v${i}`);
  const named = (all: (i: number) => string[]) =>
    withTimeEvidence(
      ids.map((id, i) => placed(id, "knowledge", "Tiles", "2026-01-09", i % 7, all(i))),
    )
      .map(({ sum }) => sum);
  assert.deepEqual(named((i) => ids.slice(0, i)).slice(0, 9), [0, 1, 2, 3, 4, 5, 6, 5.5, 5.5]);
  assert.ok(named(() => ids).every((sum) => sum === 6 || sum === 5.5));
});
