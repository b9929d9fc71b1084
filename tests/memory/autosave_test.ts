/** The saves that detection asks for: confident enough, not thin, not a second time. */
import assert from "node:assert/strict";
import { autosaveCheck } from "../../src/memory/checkpoint/autosave.ts";
import { listCheckpoints } from "../../src/memory/checkpoint/list.ts";
import type { Trigger } from "../../src/note/checkpoint.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { tempDir } from "../support/temp_store.ts";
import { AGENT, begin, checkpoint, draft, MINUTE, SESSION, world } from "../support/world.ts";

const LEAST: readonly [Trigger, number][] = [
  ["topic_shift", 0.3],
  ["branch_point", 0.4],
  ["constraint_discovered", 0.4],
  ["synthesis", 0.5],
];

for (const [trigger, least] of LEAST) {
  Deno.test(`autosaveCheck() wants a confidence of ${least} for ${trigger}`, async () => {
    using on = await world();
    const below = draft({ trigger, confidence: least - 0.01 });
    assert.deepEqual(await autosaveCheck(on.memory, below, AGENT), {
      kind: "thin",
      missing: [`confidence of at least ${least} for ${trigger}`],
    });
    const at = await autosaveCheck(on.memory, draft({ trigger, confidence: least }), AGENT);
    assert.equal(at.kind, "saved");
  });
}

Deno.test("autosaveCheck() saves what the editor causes at any confidence", async () => {
  using on = await world();
  for (const trigger of ["precompact", "context_threshold", "session_end"] as const) {
    const words = { precompact: "oak", context_threshold: "rye", session_end: "tin" }[trigger];
    const thesis =
      `The ${words} is what decides about the ${words} of next year, and nothing else.`;
    const outcome = await autosaveCheck(
      on.memory,
      draft({ trigger, thesis, confidence: 0 }),
      AGENT,
    );
    assert.equal(outcome.kind, "saved", trigger);
  }
});

Deno.test("autosaveCheck() names every part that is missing", async () => {
  using on = await world();
  const thin = draft({
    thesis: "Too short",
    coreQuestion: " ",
    keyEvidence: [],
    reasoningTrace: "\n",
    confidence: 0,
  });
  const outcome = await autosaveCheck(on.memory, thin, AGENT);
  assert.ok(outcome.kind === "thin");
  assert.equal(outcome.missing.length, 4, outcome.missing.join());
  assert.deepEqual(await listCheckpoints(on.memory), []);
});

Deno.test("autosaveCheck() says what it would repeat, in the same and in like words", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory);
  on.later(MINUTE);
  const same = await autosaveCheck(on.memory, draft({ title: "Other" }), AGENT);
  assert.ok(same.kind === "duplicate");
  assert.deepEqual([same.of.id, same.of.short_id, same.similarity], [saved.id, saved.short_id, 1]);
  const thesis = draft().thesis.replace("so a worktree runs", "and thus a worktree runs");
  const alike = await autosaveCheck(on.memory, draft({ thesis }), AGENT);
  assert.ok(alike.kind === "duplicate" && alike.similarity < 1, JSON.stringify(alike));
  const other = await autosaveCheck(
    on.memory,
    draft({
      thesis: "Rye bread needs a sourdough that is fed twice a day and kept warm over night.",
    }),
    AGENT,
  );
  assert.equal(other.kind, "saved");
  assert.equal((await listCheckpoints(on.memory)).length, 2);
});

Deno.test("autosaveCheck() keeps a conclusion that says the contrary in nearly the same words", async () => {
  using on = await world();
  for (
    const thesis of [
      "The upload limit of the public gateway is 10 MB for each request.",
      "The upload limit of the public gateway is 100 MB for each request.",
      "The upload limit of the public gateway is not 10 MB for each request.",
      "We run the service in Frankfurt with PostgreSQL as its only store.",
      "We run the service in Frankfurt with MySQL as its only store.",
      "We go with plan A because the migration of the ledger is cheaper.",
      "We go with plan B because the migration of the ledger is cheaper.",
      "The parser of the mail gets written in C++ for the sake of speed.",
      "The parser of the mail gets written in C# for the sake of speed.",
    ]
  ) {
    on.later(MINUTE);
    assert.equal((await autosaveCheck(on.memory, draft({ thesis }), AGENT)).kind, "saved", thesis);
    on.later(MINUTE);
    const again = await autosaveCheck(on.memory, draft({ thesis }), AGENT);
    assert.equal(again.kind, "duplicate", thesis);
  }
});

Deno.test("autosaveCheck() keeps two conclusions that share a name, in letters that the model cannot read", async () => {
  using on = await world();
  for (
    const thesis of [
      "Решили хранить сессии пользователей в Redis тридцать дней.",
      "Ответы медленной базы кэшируем через Redis, потому что так быстрее.",
      "Решили больше не хранить сессии пользователей в Redis тридцать дней.",
      "用户的会话从现在起都保存在 Redis 里，整整三十天，因为原来的数据库在月底的时候实在太慢了。",
      "我们用 Redis 缓存所有外部接口的响应，五分钟以后过期，这样页面打开的时候就不用再等那么久了。",
    ]
  ) {
    on.later(MINUTE);
    assert.equal((await autosaveCheck(on.memory, draft({ thesis }), AGENT)).kind, "saved", thesis);
    on.later(MINUTE);
    const again = await autosaveCheck(on.memory, draft({ thesis: `${thesis} ` }), AGENT);
    assert.equal(again.kind, "duplicate", thesis);
  }
});

Deno.test("autosaveCheck() repeats nothing that is another project's, where both have no store", async () => {
  using on = await world({ project: "none" });
  assert.equal((await autosaveCheck(on.memory, draft(), AGENT)).kind, "saved");
  const other = await on.open({ cwd: tempDir() });
  assert.equal((await autosaveCheck(other, draft(), AGENT)).kind, "saved");
  assert.equal((await autosaveCheck(other, draft(), AGENT)).kind, "duplicate");
});

Deno.test("autosaveCheck() compares with the last twenty checkpoints only", async () => {
  using on = await world({ tuning: "detection:\n  dedup_window: 2\n" });
  await checkpoint(on.memory);
  for (const word of ["rye bread", "tin cans"]) {
    on.later(MINUTE);
    await checkpoint(on.memory, {
      thesis: `All about ${word}, which are sold on Mondays in Bern.`,
    });
  }
  assert.equal((await autosaveCheck(on.memory, draft(), AGENT)).kind, "saved");
});

Deno.test("autosaveCheck() answers an ask that is open", async () => {
  using on = await world();
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    pendingAsk: { at: 0, trigger: "synthesis", confidence: 0.9 },
  }));
  await autosaveCheck(on.memory, draft(), AGENT);
  assert.equal(readSession(on.memory, SESSION)?.pendingAsk, undefined);
});
