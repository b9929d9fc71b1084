/** Two checkpoints compared by meaning: what is the same, what changed, what came and went. */
import assert from "node:assert/strict";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { diffCheckpoints, isEmptyDiff } from "../../src/memory/checkpoint/diff.ts";
import { pairByMeaning } from "../../src/memory/checkpoint/pair.ts";
import type { Checkpoint } from "../../src/note/checkpoint.ts";
import { draft } from "../support/world.ts";
import { assertQuick } from "../support/quick.ts";

const embedder = openStaticEmbedder();
// The model stays open from here on, for all tests.
embedder.embedQuery("open");

function checkpoint(parts: Partial<Checkpoint>): Checkpoint {
  return {
    ...draft(),
    id: "a",
    title: "A",
    created: "2026-01-13T14:30:00Z",
    project: undefined,
    decisions: [],
    recalled: [],
    tokens: undefined,
    ...parts,
  };
}

/** What becomes of one sentence when another stands in its place. */
function fate(before: string, after: string): "same" | "changed" | "unrelated" {
  const { same, changed } = pairByMeaning([before], [after], embedder);
  return same === 1 ? "same" : changed.length === 1 ? "changed" : "unrelated";
}

const SAME: readonly (readonly [string, string])[] = [
  [
    "The token refresh races with logout; a lock per session fixes it.",
    "A lock per session fixes the race between logout and token refresh.",
  ],
  [
    "GDPR Article 6 requires explicit consent for AI training",
    "Under GDPR Article 6, AI training needs explicit consent",
  ],
  ["The cache holds 500 entries at most.", "At most 500 entries are kept in the cache."],
  ["Backups are encrypted before upload.", "Backups  are encrypted before upload."],
  ["キャッシュは五百件まで保持する。", "キャッシュは五百件まで保持する"],
];

const CHANGED: readonly (readonly [string, string])[] = [
  ["The cache holds 500 entries at most.", "The cache holds 5000 entries at most."],
  ["The rollout of the api is safe to repeat.", "The rollout of the api is not safe to repeat."],
  [
    "The job queue of the billing service runs on Redis with two workers.",
    "The job queue of the billing service runs on PostgreSQL with two workers.",
  ],
  [
    "unclear if legitimate interest applies",
    "legitimate interest likely insufficient per recent ECJ ruling",
  ],
  ["Does the lock hold across replicas?", "The lock holds across replicas."],
  [
    "Curator fees are likely not sustainable below 10 %.",
    "Curator fees are sustainable above 8 %.",
  ],
];

const UNRELATED: readonly (readonly [string, string])[] = [
  ["The token refresh races with logout.", "Backups are encrypted with age before upload."],
  ["Session tokens expire after 15 minutes.", "Session cookies are set with SameSite=Lax."],
  ["We chose Hono because of its size.", "We chose Vitest because it starts faster than Jest."],
];

Deno.test('the same in other words is no change; another number, another name or a "not" is one', () => {
  for (const [a, b] of SAME) assert.equal(fate(a, b), "same", `${a} | ${b}`);
  for (const [a, b] of CHANGED) {
    assert.equal(fate(a, b), "changed", `${a} | ${b}`);
    assert.equal(fate(b, a), "changed", `${b} | ${a}`);
  }
  for (const [a, b] of UNRELATED) assert.equal(fate(a, b), "unrelated", `${a} | ${b}`);
});

Deno.test("each sentence is paired at most once, with the nearest one", () => {
  const before = ["The cache holds 500 entries.", "The cache holds 900 entries."];
  const after = ["The cache holds 900 entries.", "The cache is cleared at night."];
  const { same, changed, added, removed } = pairByMeaning(before, after, embedder);
  assert.equal(same, 1);
  assert.equal(changed.length + added.length, 1);
  assert.equal(changed.length + removed.length, 1);
});

Deno.test("diffCheckpoints() of a checkpoint and itself is empty, whatever its content", () => {
  for (
    const thesis of ["", "?", "```\n".repeat(50), "Ein Satz. Noch einer. ".repeat(200), "漢字。"]
  ) {
    const one = checkpoint({ thesis, sources: [{ id: "x", relation: "" }] });
    assert.ok(isEmptyDiff(diffCheckpoints(one, one, embedder)), thesis.slice(0, 20));
  }
});

Deno.test("diffCheckpoints() tells sources by what they name, and another relation as a change", () => {
  const before = checkpoint({
    sources: [
      { id: "https://example.org/a/", relation: "supports" },
      { id: "GDPR-text", relation: "primary" },
      { id: "old-note", relation: "" },
    ],
  });
  const after = checkpoint({
    sources: [
      { id: "https://example.org/a", relation: "contradicts" },
      { id: "gdpr-text", relation: "primary" },
      { id: "new-note", relation: "" },
    ],
  });
  const { sources } = diffCheckpoints(before, after, embedder);
  assert.deepEqual(sources.added, ["new-note"]);
  assert.deepEqual(sources.removed, ["old-note"]);
  assert.deepEqual(sources.changed.map((pair) => pair.after), [
    "https://example.org/a (contradicts)",
  ]);
  assert.equal(sources.same, 1);
});

Deno.test("diffCheckpoints() stays quick where a person's file has hundreds of lines", () => {
  const many = (word: string): string[] =>
    Array.from({ length: 400 }, (_, i) => `${word} number ${i} of the long list`);
  const found = checkpoint({ keyEvidence: many("Finding") });
  const results = checkpoint({ keyEvidence: many("Result") });
  return assertQuick(() => diffCheckpoints(found, results, embedder), 3000);
});
