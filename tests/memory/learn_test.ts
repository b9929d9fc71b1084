/** What use teaches: counted, slow, bounded, explained, and forgotten on request. */
import assert from "node:assert/strict";
import { loadCheckpoint } from "../../src/memory/checkpoint/load.ts";
import { branchCheckpoint } from "../../src/memory/checkpoint/branch.ts";
import { findNote } from "../../src/memory/find.ts";
import { initStores } from "../../src/memory/init.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { restoreRemoved } from "../../src/memory/removal/removed.ts";
import { proposePhrases } from "../../src/memory/learn/proposals.ts";
import { countUses, type ValuedCheckpoint } from "../../src/memory/learn/tally.ts";
import { forgetLearned, learnThresholds, nextValue } from "../../src/memory/learn/thresholds.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { tempDir } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  AGENT,
  byHand,
  checkpoint,
  DAY,
  NOW,
  PERSON,
  put,
  SAGE,
  SESSION,
  type World,
  world,
} from "../support/world.ts";

const KEY = "detection.structural_alone";
const WORDS = "oak rye tin fig elm ash yew bay cob dew eve fen gum hay ivy jay".split(" ");

/** Checkpoints that detection saved, each about another thing; returns their ids. */
async function detected(on: World, number: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < number; n++) {
    const word = WORDS[n % WORDS.length] ?? "";
    const thesis = `The ${word} of case ${n} came from the ${word} before it, which was new.`;
    ids.push((await checkpoint(on.memory, { thesis, trigger: "synthesis" }, SAGE)).id);
  }
  return ids;
}

async function value(on: World): Promise<{ value: unknown; source: string }> {
  const { config } = await on.open();
  const { value, source } = config.explain(KEY);
  return { value, source };
}

Deno.test("countUses() counts loads and branches for, removals and disuse against, by trigger", async () => {
  using on = await world();
  const [loaded = "", branched = "", removed = ""] = await detected(on, 5);
  await checkpoint(
    on.memory,
    { thesis: "Saved by hand, which says nothing about detection." },
    PERSON,
  );
  await loadCheckpoint(on.memory, { ref: loaded });
  const found = await findNote(on.memory, branched, ["checkpoint"]);
  assert.ok(found.kind === "one");
  await branchCheckpoint(on.memory, found.item, PERSON);
  await removeNote(on.memory, removed, ["checkpoint"]);
  const early = (await countUses(on.memory)).tallies.synthesis;
  assert.deepEqual([early.used, early.removed, early.unused], [2, 1, 0]);
  on.later(31 * DAY);
  const { tallies, valued } = await countUses(on.memory);
  // The two others; what a person saved or branched by hand is not detection's.
  assert.equal(tallies.synthesis.unused, 2);
  assert.equal(valued.length, 2);
  assert.deepEqual(tallies.topic_shift, { saved: 0, used: 0, removed: 0, unused: 0 });
});

Deno.test("countUses() takes a removal back when the checkpoint is brought back", async () => {
  using on = await world();
  const [id = ""] = await detected(on, 1);
  await removeNote(on.memory, id, ["checkpoint"]);
  assert.equal((await countUses(on.memory)).tallies.synthesis.removed, 1);
  await restoreRemoved(on.memory, "checkpoint", id);
  assert.equal((await countUses(on.memory)).tallies.synthesis.removed, 0);
  await removeNote(on.memory, id, ["checkpoint"]);
  assert.equal((await countUses(on.memory)).tallies.synthesis.removed, 1, "one verdict, not two");
});

Deno.test("countUses() holds nothing against detection here that was removed in another project", async () => {
  using on = await world();
  const cwd = tempDir();
  await initStores(await on.open({ cwd }));
  const other = await on.open({ cwd });
  const { id } = await checkpoint(other, { trigger: "synthesis" }, SAGE);
  await removeNote(other, id, ["checkpoint"]);
  assert.equal((await countUses(other)).tallies.synthesis.removed, 1);
  for (const hook of [false, true]) {
    const { tallies } = await countUses(await on.open({ hook }));
    assert.equal(tallies.synthesis.removed, 0, `hook: ${hook}`);
  }
});

Deno.test("nextValue() waits for ten verdicts, moves by a hundredth, and stays near the default", () => {
  const row = { default: 0.8, learnsWithin: 0.05 };
  assert.equal(nextValue(row, 0.8, { good: 9, bad: 0 }), 0.8);
  assert.ok(nextValue(row, 0.8, { good: 10, bad: 0 }) < 0.8);
  const round = (number: number): number => Math.round(number * 1000) / 1000;
  assert.equal(round(nextValue(row, 0.8, { good: 40, bad: 0 })), 0.79);
  assert.equal(round(nextValue(row, 0.8, { good: 0, bad: 40 })), 0.81);
  assert.equal(round(nextValue(row, 0.8, { good: 20, bad: 20 })), 0.8);
  let now = 0.8;
  for (let day = 0; day < 100; day++) now = nextValue(row, now, { good: 0, bad: 1e6 });
  assert.ok(now <= 0.85 && now > 0.84);
});

Deno.test("a threshold moves at most once a day, is reported, and yields to what a person set", async () => {
  using on = await world();
  const ids = await detected(on, 14);
  for (const id of ids.slice(0, 12)) await loadCheckpoint(on.memory, { ref: id });
  const before = Number((await value(on)).value);
  assert.ok((await learnThresholds(on.memory)).includes(KEY));
  const first = await value(on);
  assert.equal(first.source, "learned");
  assert.ok(Number(first.value) < before && Number(first.value) >= before - 0.0101);
  assert.deepEqual(await learnThresholds(on.memory), [], "not twice a day");
  on.later(DAY + 1);
  await learnThresholds(on.memory);
  const second = Number((await value(on)).value);
  assert.ok(second < Number(first.value));
  on.later(-30 * DAY);
  await learnThresholds(on.memory);
  assert.ok(Number((await value(on)).value) < second, "the clock was set back");
  put(`${on.home}/.sage/tuning.yaml`, `${KEY}: 0.9\n`);
  assert.deepEqual(await value(on), { value: 0.9, source: "user" });
});

Deno.test("learned values beyond their bounds, or of other settings, are ignored", async () => {
  using on = await world();
  const path = `${on.home}/.sage/state/feedback/learned.json`;
  const usual = await value(on);
  put(path, JSON.stringify({ [KEY]: 0.01, "budget.orientation_tokens": 2000, nonsense: 1 }));
  const low = await value(on);
  assert.equal(Number(low.value), Math.round((Number(usual.value) - 0.05) * 1000) / 1000);
  assert.equal((await on.open()).config.get("budget.orientation_tokens"), 200);
  for (const text of ["", "{", "[]", '"x"', `{"${KEY}":"0.7"}`, `{"${KEY}":null}`]) {
    put(path, text);
    assert.deepEqual(await value(on), usual, text);
  }
});

Deno.test("forgetLearned() restores the defaults and ignores earlier uses", async () => {
  using on = await world();
  for (const id of await detected(on, 12)) await loadCheckpoint(on.memory, { ref: id });
  const usual = await value(on);
  await learnThresholds(on.memory);
  assert.equal((await value(on)).source, "learned");
  on.later(1000);
  forgetLearned(on.memory);
  assert.deepEqual(await value(on), usual);
  on.later(2 * DAY);
  assert.deepEqual(await learnThresholds(on.memory), []);
  assert.equal((await countUses(on.memory)).tallies.synthesis.used, 0);
});

/** Prompts, each answered, a minute apart from `NOW` on. */
function talk(on: World, prompts: readonly string[]): ValuedCheckpoint[] {
  const builder = new TranscriptBuilder({
    sessionId: SESSION,
    cwd: on.cwd,
    startMs: NOW,
    bare: true,
  });
  for (const prompt of prompts) builder.user(prompt).assistant("Done, as far as it goes.");
  const path = `${on.home}/.claude/projects/p/${SESSION}.jsonl`;
  put(path, builder.text());
  updateSession(on.memory, SESSION, (state) => ({ ...state, transcriptPath: path }));
  // The builder gives each line a second: a prompt and its answer are two.
  return prompts.map((_, i) => ({
    trigger: "topic_shift",
    session: SESSION,
    createdMs: NOW + (i * 2 + 2) * 1000 + 500,
  }));
}

Deno.test("proposePhrases() finds what the person says before checkpoints worth going back to", async () => {
  using on = await world();
  const points = talk(on, [
    "How does the importer read its rows?",
    "Right, park this one here. What about the mail server?",
    "And does it time out?",
    "Park this one here, please. Which database do we take?",
    "Is the index used by the importer at all?",
  ]);
  const [proposal, ...more] = await proposePhrases(
    on.memory,
    [points[1], points[3]].filter((one) => one !== undefined),
  );
  assert.deepEqual(proposal, { trigger: "topic_shift", phrase: "park this one here", times: 2 });
  assert.deepEqual(more, []);
});

Deno.test("proposePhrases() proposes nothing of code, of names, of what ships, or of what is said everywhere", async () => {
  using on = await world();
  const said = [
    "Run `park this one here` and ask jo@example.org about src/main.ts today.",
    "Let's move on to the next thing. Could you please have a look?",
    "Could you please have a look at src/main.ts today?",
    "Could you please have a look again?",
    "Could you please have a look there?",
  ];
  const points = talk(on, [...said, ...said]);
  const valued = [points[0], points[1], points[5], points[6]].filter((one) => one !== undefined);
  const phrases = (await proposePhrases(on.memory, valued)).map(({ phrase }) => phrase);
  for (const absent of ["park this", "example", "main", "move on to", "have a look"]) {
    assert.ok(
      !phrases.some((phrase) => phrase.includes(absent)),
      `${absent}: ${phrases.join(", ")}`,
    );
  }
});

Deno.test("proposePhrases() takes sessions whose transcript is gone, and ids that are none", async () => {
  using on = await world();
  byHand(`${on.cwd}/.sage`, "checkpoints/x.md", { id: "x", type: "checkpoint" }, "# X");
  await checkpoint(on.memory, {}, AGENT);
  const valued = ["", "../../etc", SESSION, "gone-0000"].map((session): ValuedCheckpoint => ({
    trigger: "synthesis",
    session,
    createdMs: NOW,
  }));
  assert.deepEqual(await proposePhrases(on.memory, valued), []);
});
