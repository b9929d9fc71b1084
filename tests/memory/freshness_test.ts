/** Freshness: by update time alone; the archive: by a person's word alone, asked for once a month. */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import {
  agedEntries,
  freshness,
  knowledgeByFreshness,
} from "../../src/memory/freshness/freshness.ts";
import { lookForAged } from "../../src/memory/freshness/proposal.ts";
import { archiveAged, keepAged, planArchive } from "../../src/memory/freshness/prune.ts";
import { readFreshnessState, settleAsked } from "../../src/memory/freshness/state.ts";
import { findNote } from "../../src/memory/find.ts";
import { unarchiveKnowledge } from "../../src/memory/knowledge/archive.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { verifyKnowledge } from "../../src/memory/knowledge/verify.ts";
import { readNote } from "../../src/memory/read.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { prepareOrientation } from "../../src/memory/session/orientation/prepare.ts";
import { startPrepared } from "../../src/memory/session/orientation/start_prepared.ts";
import { recordUse } from "../../src/memory/use.ts";
import { filesIn } from "../support/temp_store.ts";
import {
  AGENT,
  byHand,
  DAY,
  hookInput,
  knowledge,
  noSessions,
  NOW,
  PERSON,
  put,
  read,
  type World,
  world,
  type WorldOptions,
} from "../support/world.ts";

const ago = (days: number): string => new Date(NOW - days * DAY).toISOString().slice(0, 19) + "Z";

/** Knowledge of the project that was updated so many days before the world began. */
function old(on: World, id: string, days: number, front: Record<string, string> = {}): string {
  const times = { created: ago(days + 1), updated: ago(days) };
  return byHand(
    `${on.cwd}/.sage`,
    `knowledge/${id}.md`,
    { id, type: "knowledge", ...times, ...front },
    `# About ${id}\n\nThe ${id} stalls where rows are collected.`,
  );
}

async function lived(options: WorldOptions = {}): Promise<World> {
  const on = await world(options);
  // Explanations fade after the first sessions; here they have.
  put(`${on.home}/.sage/tuning.yaml`, `teaching:\n  enabled: false\n${options.tuning ?? ""}`);
  return on;
}

const aged = async (on: World): Promise<string[]> => {
  const memory = await on.open();
  return (await planArchive(memory)).map(({ note }) => note.id);
};

Deno.test("freshness() halves with each half-life, and knows no time ahead", () => {
  assert.equal(freshness(ago(0), NOW, 90), 1);
  assert.equal(freshness(ago(90), NOW, 90), 0.5);
  assert.equal(freshness(ago(180), NOW, 90), 0.25);
  assert.equal(freshness(ago(30), NOW, 30), 0.5);
  assert.equal(freshness(ago(-10), NOW, 90), 1);
  assert.equal(freshness("", NOW, 90), 0);
});

Deno.test("being recalled, read, used or verified makes no note fresher; an update does", async () => {
  using on = await lived();
  const path = old(on, "importer", 200);
  const rate = async () => (await knowledgeByFreshness(await on.open()))[0]?.freshness;
  const before = await rate();
  for (let n = 0; n < 50; n++) recordUse(on.memory, "recalled", "importer");
  assert.equal((await recallKnowledge(on.memory, "importer stalls where rows")).items.length, 1);
  await readNote(on.memory, "importer", {});
  const found = await findNote(on.memory, "importer");
  assert.ok(found.kind === "one");
  assert.equal(
    (await verifyKnowledge(on.memory, found.item, "ran it", PERSON)).kind,
    "verified",
  );
  assert.equal(await rate(), before);
  put(path, read(path).replace(/updated: .*/, `updated: ${ago(1)}`));
  assert.ok((await rate() ?? 0) > 0.99);
});

Deno.test("notes below the bound are aged, except pinned, archived and other projects' notes", async () => {
  using on = await lived();
  old(on, "young", 155);
  old(on, "aged", 157);
  old(on, "oldest", 400);
  old(on, "pinned", 400, { pinned: "true" });
  old(on, "always", 400, { always: "true" });
  old(on, "archived", 400, { status: "archived" });
  old(on, "draft", 400, { status: "draft" });
  put(`${on.cwd}/.sage/knowledge/torn.md`, "---\nid: [torn\n---\n# Torn\n");
  byHand(`${on.cwd}/.sage`, "topics/map.md", {
    id: "map",
    type: "topic",
    updated: ago(400),
  }, "# Map");
  assert.deepEqual(await aged(on), ["oldest", "aged"]);
  put(`${on.home}/.sage/tuning.yaml`, "freshness:\n  half_life_days: 300\n");
  assert.deepEqual(await aged(on), []);
  put(`${on.home}/.sage/tuning.yaml`, "freshness:\n  archive_below: 0\n");
  assert.deepEqual(await aged(on), []);
  put(`${on.home}/.sage/tuning.yaml`, "freshness:\n  archive_below: 1\n");
  assert.deepEqual(await aged(on), ["oldest", "aged", "young"]);
});

Deno.test("nothing from an untrusted store is proposed", async () => {
  using on = await lived({ project: "foreign" });
  old(on, "importer", 400);
  await refreshAll(on.memory);
  assert.deepEqual(agedEntries(on.memory), []);
});

Deno.test("an archived note stays where it is, and is unchanged when it is restored", async () => {
  using on = await lived();
  const path = old(on, "importer", 400, { mood: "calm # mine" });
  const memory = await on.open();
  const { archived, skipped } = await archiveAged(memory, await planArchive(memory), PERSON);
  assert.deepEqual([archived.length, skipped], [1, []]);
  assert.match(read(path), /\nstatus: archived\n/);
  assert.match(read(path), /\nmood: calm # mine\n/);
  assert.deepEqual((await recallKnowledge(memory, "importer stalls where rows")).items, []);
  const found = await findNote(memory, "importer");
  assert.ok(found.kind === "one");
  await unarchiveKnowledge(memory, found.item, PERSON);
  assert.equal((await recallKnowledge(memory, "importer stalls where rows")).items.length, 1);
  assert.deepEqual(await aged(on), [], "what was brought back was updated");
});

Deno.test("a note that somebody changed since it was shown is left alone", async () => {
  using on = await lived();
  const path = old(on, "importer", 400);
  old(on, "exporter", 400);
  const memory = await on.open();
  const plan = await planArchive(memory);
  const mine = read(path) + "\nmine\n";
  put(path, mine);
  await Deno.remove(`${on.cwd}/.sage/knowledge/exporter.md`);
  const { archived, skipped } = await archiveAged(memory, plan, PERSON);
  assert.deepEqual(archived, []);
  assert.deepEqual(skipped.map(({ reason }) => reason), [
    "it is gone already",
    "it changed meanwhile",
  ]);
  assert.equal(read(path), mine);
});

Deno.test("an agent may archive notes of this project, and none that hold in every project", async () => {
  using on = await lived();
  old(on, "importer", 400);
  await knowledge(on.memory, "Small commits", "Commits are small here.", { scope: "user" });
  on.later(400 * DAY);
  const memory = await on.open();
  const { archived, skipped } = await archiveAged(memory, await planArchive(memory), AGENT);
  assert.deepEqual(archived.map(({ note }) => note.id), ["importer"]);
  assert.match(skipped[0]?.reason ?? "", /belongs to every project/);
});

Deno.test("a note that the person keeps is not proposed again until it could have faded, and no text of it is stored", async () => {
  using on = await lived();
  old(on, "importer", 400);
  old(on, "exporter", 400);
  const memory = await on.open();
  keepAged(memory, (await planArchive(memory)).filter(({ note }) => note.id === "importer"));
  assert.deepEqual(await aged(on), ["exporter"]);
  on.later(150 * DAY);
  assert.deepEqual(await aged(on), ["exporter"]);
  on.later(10 * DAY);
  assert.deepEqual(await aged(on), ["exporter", "importer"]);
  await forget(await on.open(), "importer");
  const folder = `${on.home}/.sage/state/freshness`;
  const state = filesIn(folder).map((name) => read(`${folder}/${name}`));
  assert.equal(state.length, 1);
  assert.doesNotMatch(state.join(), /importer/);
});

const ASKS = /- Not updated for 156 d or more: /;

/** A session as the hooks would have it: its start's text, and whether it was made ahead. */
async function session(on: World, number: number): Promise<{ text: string; isAhead: boolean }> {
  const memory = await on.open({ hook: true });
  const { fs, places } = memory;
  await refreshAll(memory);
  const input = hookInput(on, { sessionId: `session-${number}`, source: "startup" });
  const started = startPrepared(input, (name) => on.env[name], places.stateDir, memory.now());
  const told = started === undefined ? await orient(memory, input.sessionId, "startup") : undefined;
  if (started?.asksIn !== undefined || told?.asks === true) {
    settleAsked(fs, places.stateDir, places.projectDir, memory.now());
  }
  const text = started?.text ?? told?.text ?? "";
  noSessions(on);
  await lookForAged(memory);
  await prepareOrientation(memory, on.cwd);
  memory.close();
  return { text, isAhead: started !== undefined };
}

Deno.test("in a hundred days the person is asked once a month, in one prepared line within the budget", async () => {
  using on = await lived();
  for (let n = 1; n <= 5; n++) old(on, `importer-${n}`, 400);
  const asked: number[] = [];
  for (let day = 0; day < 100; day++) {
    const { text, isAhead } = await session(on, day);
    if (ASKS.test(text)) {
      asked.push(day);
      assert.ok(isAhead, "prepared when the session before ended");
      assert.ok(estimateTokens(text) <= 200, text);
      assert.match(
        text,
        /"About importer-1", "About importer-2" and 3 more\. Ask the person once .* `sage admin prune --stale --yes`/,
      );
    }
    on.later(DAY);
  }
  assert.deepEqual(asked, [1, 32, 63, 94]);
});

Deno.test("a check while the clock was ahead does not delay the next one after it was set back", async () => {
  using on = await lived();
  await lookForAged(on.memory);
  on.later(-365 * DAY);
  await lookForAged(on.memory);
  assert.equal(readFreshnessState(on.memory).looked, on.memory.now());
});

Deno.test("the person is not asked about notes that were decided since the last check", async () => {
  using on = await lived();
  old(on, "importer", 400);
  old(on, "exporter", 400);
  await session(on, 0);
  const memory = await on.open();
  const plan = await planArchive(memory);
  await archiveAged(memory, plan.filter(({ note }) => note.id === "importer"), PERSON);
  const { text, isAhead } = await session(on, 1);
  assert.deepEqual([isAhead, /exporter/.test(text), /importer/.test(text)], [false, true, false]);
});

for (
  const [name, tuning] of [
    ["nothing is old enough", "freshness:\n  archive_below: 0.01\n"],
    ["the person wants to see nothing", "output:\n  level: silent\n"],
    ["the budget has no room", "budget:\n  orientation_tokens: 50\n"],
  ] as const
) {
  Deno.test(`nobody is asked where ${name}`, async () => {
    using on = await lived({ tuning });
    old(on, "importer", 400);
    for (let day = 0; day < 5; day++) {
      assert.doesNotMatch((await session(on, day)).text, ASKS);
      on.later(DAY);
    }
  });
}

Deno.test("a conversation that continues or was compacted is not asked about old notes", async () => {
  using on = await lived();
  old(on, "importer", 400);
  await session(on, 0);
  const memory = await on.open();
  for (const source of ["resume", "compact", "fork"]) {
    assert.doesNotMatch((await orient(memory, "another", source))?.text ?? "", ASKS, source);
  }
  assert.match((await orient(memory, "another", "clear"))?.text ?? "", ASKS);
});
