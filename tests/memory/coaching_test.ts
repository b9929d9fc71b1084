/** Tips from patterns of use: bounded, seldom, and never again once they were passed over. */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { lookForTip, SESSIONS_APART } from "../../src/memory/coaching/look.ts";
import { PATTERNS } from "../../src/memory/coaching/patterns.ts";
import { COACHING, type Coaching, takeTip } from "../../src/memory/coaching/tip.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { setSetting } from "../../src/memory/settings.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { recordUse } from "../../src/memory/use.ts";
import { writeLog } from "../../src/base/log.ts";
import { readState } from "../../src/store/state.ts";
import { DAY, knowledge, MINUTE, PERSON, put, read, type World, world } from "../support/world.ts";

/** A session in which every pattern shows: two compactions, asks in vain, the same notes opened. */
async function session(
  on: World,
  number: number,
  notes: readonly string[],
): Promise<string | undefined> {
  const memory = await on.open({ session: `session-${number}` });
  const { fs, places } = memory;
  const tip = takeTip(fs, places.stateDir, memory.now());
  const receipt = (fields: Record<string, string | number>) =>
    writeLog(fs, places.stateDir, memory.now(), "hook", {
      outcome: "done",
      session: `session-${number}`,
      project: places.projectId,
      ...fields,
    });
  for (const hook of ["pre-compact", "pre-compact"]) receipt({ hook });
  for (let n = 0; n < 2; n++) {
    receipt({ hook: "stop", gate: "synthesis 0.82", tokens: 60 });
    receipt({ hook: "stop", gate: "ask not answered", save: "saved" });
  }
  for (const id of notes) recordUse(memory, "read", id);
  await lookForTip(memory);
  on.later(DAY);
  return tip;
}

async function life(
  on: World,
  sessions: number,
  notes: readonly string[],
  act?: (tip: string) => Promise<unknown>,
) {
  const tips: { readonly session: number; readonly text: string }[] = [];
  for (let n = 0; n < sessions; n++) {
    const text = await session(on, n, notes);
    if (text === undefined) continue;
    tips.push({ session: n, text });
    await act?.(text);
  }
  return tips;
}

Deno.test("in a hundred sessions full of reasons each tip is told once, five sessions apart, in at most 100 tokens", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  const ash = await knowledge(on.memory, "Ash", "It burns.");
  const tips = await life(on, 100, [oak.id, ash.id]);
  assert.equal(tips.length, PATTERNS.length, JSON.stringify(tips));
  assert.equal(new Set(tips.map(({ text }) => text.slice(0, 30))).size, PATTERNS.length);
  tips.forEach(({ session, text }, i) => {
    assert.ok(session - (tips[i - 1]?.session ?? 0) >= SESSIONS_APART, JSON.stringify(tips));
    assert.ok(estimateTokens(text) <= 100, text);
    assert.match(text, /^Sage: /);
  });
});

Deno.test("a tip that was followed may be followed by another of its kind, but is not repeated", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  const ash = await knowledge(on.memory, "Ash", "It burns.");
  const tips = await life(on, 60, [oak.id, ash.id], async (tip) => {
    for (const one of [oak, ash]) {
      if (!tip.includes(`"${one.title}"`)) continue;
      put(one.path, read(one.path).replace("---\n", "---\npinned: true\n"));
      await refreshAll(await on.open());
    }
  });
  const pins = tips.filter(({ text }) => text.includes("pinned: true"));
  assert.deepEqual(pins.map(({ text }) => /"(\w+)"/.exec(text)?.[1]).sort(), ["Ash", "Oak"]);
});

Deno.test("no tip is told to people who do it already, want silence, or never do such work", async () => {
  using quiet = await world();
  await setSetting(quiet.memory, "output.level", "silent");
  const oak = await knowledge(quiet.memory, "Oak", "It grows.");
  assert.deepEqual(await life(quiet, 30, [oak.id]), []);

  using off = await world({ tuning: "teaching:\n  enabled: false\n" });
  assert.deepEqual(await life(off, 30, []), []);

  using calm = await world();
  for (let n = 0; n < 30; n++) {
    await lookForTip(calm.memory);
    calm.later(DAY);
    const { fs, places } = calm.memory;
    assert.equal(takeTip(fs, places.stateDir, calm.memory.now()), undefined);
  }
});

Deno.test("lookForTip() looks after five sessions, and once in twenty hours however many there are", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  for (let n = 0; n < 6; n++) recordUse(await on.open({ session: `s-${n}` }), "loaded", oak.id);
  const { fs, places } = on.memory;
  const end = async (): Promise<number | undefined> => {
    await lookForTip(on.memory);
    return readState<Coaching>(fs, places.stateDir, COACHING)?.lookedAt;
  };
  for (let n = 1; n < SESSIONS_APART; n++) assert.equal(await end(), 0);
  const first = await end();
  assert.equal(first, on.memory.now());
  assert.ok(takeTip(fs, places.stateDir, on.memory.now()) !== undefined);
  on.later(19 * 60 * MINUTE);
  for (let n = 0; n < 2 * SESSIONS_APART; n++) assert.equal(await end(), first);
  on.later(60 * MINUTE);
  assert.equal(await end(), on.memory.now());
  assert.ok(takeTip(fs, places.stateDir, on.memory.now()) === undefined);
  on.later(-365 * DAY);
  for (let n = 1; n < SESSIONS_APART; n++) await end();
  assert.equal(await end(), on.memory.now(), "the clock was set back");
});

Deno.test("a tip is told in one session only, even if two begin at once", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  for (let n = 0; n < 8; n++) {
    const memory: Memory = await on.open({ session: `s-${n}` });
    recordUse(memory, "loaded", oak.id);
    await lookForTip(memory);
    on.later(DAY);
  }
  const { fs, places } = on.memory;
  const told = [1, 2, 3].map(() => takeTip(fs, places.stateDir, on.memory.now()));
  assert.deepEqual(told.map((tip) => tip === undefined), [false, true, true]);
});

Deno.test("forget() takes a note out of the tip that waits, and out of those that were told", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak of Canary Wharf", "It grows.", {}, PERSON);
  for (let n = 0; n < 8; n++) {
    const memory = await on.open({ session: `s-${n}` });
    recordUse(memory, "loaded", oak.id);
    await lookForTip(memory);
    on.later(DAY);
  }
  const path = `${on.home}/.sage/state/${COACHING}`;
  assert.match(read(path), /Canary/);
  const waits = read(path);
  await forget(on.memory, oak.id);
  assert.doesNotMatch(read(path), /anary/);
  // Told, and none waits.
  put(path, waits);
  const { fs, places } = on.memory;
  takeTip(fs, places.stateDir, on.memory.now());
  const pine = await knowledge(on.memory, "Oak of Canary Wharf", "It stands.", {}, PERSON);
  put(path, read(path).replace(oak.id, pine.id));
  assert.match(read(path), /anary/);
  await forget(on.memory, pine.id);
  assert.doesNotMatch(read(path), /anary/);
});
