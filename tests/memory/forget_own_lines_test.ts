/** What Sage writes into notes by itself is no sentence of a note: forgetting one costs no other. */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/base/hash.ts";
import { initStores } from "../../src/memory/init.ts";
import { archiveKnowledge, unarchiveKnowledge } from "../../src/memory/knowledge/archive.ts";
import { type ConflictChoice, editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { restoreVersion, versionsOf } from "../../src/memory/knowledge/history.ts";
import { mergeKnowledge } from "../../src/memory/knowledge/merge.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { saysForgotten, withoutForgotten } from "../../src/memory/write/forgotten.ts";
import type { Patch } from "../../src/note/patch.ts";
import { addTombstone } from "../../src/store/tombstones.ts";
import {
  AGENT,
  byHand,
  knowledge,
  MINUTE,
  PERSON,
  read,
  readByAgent,
  stored,
  type World,
  world,
} from "../support/world.ts";

/** Two new texts, one by each author. */
async function updated(on: World, id: string): Promise<void> {
  await readByAgent(on, id);
  for (const [n, author] of [AGENT, PERSON].entries()) {
    on.later(MINUTE);
    const input = { id, title: id.replaceAll("-", " "), content: `Text ${n} of ${id}.` };
    const outcome = await saveKnowledge(on.memory, input, author);
    assert.equal(outcome.kind, "updated", JSON.stringify(outcome));
  }
}

async function edit(
  on: World,
  id: string,
  patch: Patch,
  onConflict?: ConflictChoice,
): Promise<void> {
  on.later(MINUTE);
  // A hash that nothing has: a conflict, unless the patch only adds.
  const expectedHash = onConflict === undefined ? undefined : "0".repeat(16);
  const outcome = await editKnowledge(on.memory, id, { patch, expectedHash, onConflict }, PERSON);
  assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
}

/** Everything that Sage notes down by itself about the changes of a note. */
async function changedInEveryWay(on: World, id: string): Promise<void> {
  await updated(on, id);
  await edit(on, id, { kind: "append", text: `More about ${id}.` });
  await edit(on, id, { kind: "insert", heading: "Where it stands", text: `In the hall of ${id}.` });
  await edit(on, id, { kind: "replace", heading: "Where it stands", text: `Behind ${id}.` });
  await edit(on, id, { kind: "set", key: "keywords", value: [id] });
  await edit(on, id, { kind: "rewrite", text: `Another text of ${id}.` }, "append");
  on.later(MINUTE);
  await archiveKnowledge(on.memory, await stored(on.memory, id), PERSON);
  on.later(MINUTE);
  await unarchiveKnowledge(on.memory, await stored(on.memory, id), PERSON);
  on.later(MINUTE);
  const outcome = await restoreVersion(on.memory, await stored(on.memory, id), 3, PERSON);
  assert.equal(outcome.kind, "restored", JSON.stringify(outcome));
}

async function textsOf(on: World, id: string): Promise<string[]> {
  return (await versionsOf(await stored(on.memory, id))).map(({ text }) => text);
}

Deno.test("forget() leaves the versions of a note that was changed by the same people on the same days", async () => {
  using on = await world();
  const gone = await knowledge(
    on.memory,
    "Alarm code",
    "The alarm of the office is armed at nine.",
  );
  const other = await knowledge(on.memory, "Forklift voltage", "The charger runs at 48 volts.");
  for (const { id } of [gone, other]) await changedInEveryWay(on, id);
  const [text, before] = [read(other.path), await textsOf(on, other.id)];
  const outcome = await forget(on.memory, gone.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid, []);
  assert.deepEqual(await textsOf(on, other.id), before);
  assert.ok(before.length > 5);
  assert.equal(read(other.path), text);
  assert.deepEqual(outcome.places.filter((place) => place.includes(other.id)), []);
});

Deno.test("forget() names no note of another project that was changed by the same people on the same days", async () => {
  using on = await world();
  const gone = await knowledge(
    on.memory,
    "Alarm code",
    "The alarm of the office is armed at nine.",
  );
  await updated(on, gone.id);
  const cwd = `${on.home}/zoo`;
  await Deno.mkdir(cwd);
  await initStores(await on.open({ cwd }), { project: true });
  const history = read(gone.path).slice(read(gone.path).indexOf("## History"));
  assert.match(history, /updated by person/);
  byHand(`${cwd}/.sage`, "knowledge/own.md", { id: "own" }, `# Own\n\nNothing.\n\n${history}`);
  const outcome = await forget(on.memory, gone.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid, []);
});

Deno.test("forget() leaves a note that others were merged into on the same day", async () => {
  using on = await world();
  const merged = async (into: string, from: string): Promise<string> => {
    const { id } = await knowledge(on.memory, into, `It is about ${into}.`);
    const other = await knowledge(on.memory, from, `It is about ${from}.`);
    on.later(MINUTE);
    const [whole, part] = [await stored(on.memory, id), await stored(on.memory, other.id)];
    assert.equal((await mergeKnowledge(on.memory, whole, [part], PERSON)).kind, "patched");
    await updated(on, id);
    return id;
  };
  const gone = await merged("Office doors", "Safe");
  const other = await merged("Harbour gates", "Safe");
  const before = await textsOf(on, other);
  const outcome = await forget(on.memory, gone);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid.map(({ id }) => id), []);
  assert.deepEqual(await textsOf(on, other), before);
});

Deno.test("forget() takes no line for words of the note that only names another as its alternative", async () => {
  using on = await world();
  const first = await knowledge(on.memory, "Forklift voltage", "The charger runs at 48 volts.");
  for (const content of ["It runs at 24 volts.", "It runs at 12 volts."]) {
    await edit(on, first.id, { kind: "append", text: "More." });
    const patch = { kind: "rewrite", text: content } as const;
    const wanted = { patch, expectedHash: "0".repeat(16), onConflict: "new" } as const;
    const outcome = await editKnowledge(on.memory, first.id, wanted, PERSON);
    assert.equal(outcome.kind, "saved", JSON.stringify(outcome));
  }
  const outcome = await forget(on.memory, "forklift-voltage-alternative");
  assert.ok(outcome.kind === "forgotten", JSON.stringify(outcome));
  assert.deepEqual(outcome.stillSaid, []);
});

Deno.test("what an earlier version recorded of Sage's own lines removes nothing any more", async () => {
  using on = await world();
  const own = [
    "2026-12-01: updated by person",
    "2026-12-01: replaced by a newer statement",
    "updates (unmerged 2026-12-01)",
    "also changed: src/importer.ts, src/exporter.ts",
  ];
  for (const line of own) {
    addTombstone(on.memory.fs, on.memory.places.stateDir, { contentHash: sha256Hex(line) });
  }
  const text = "# A\n\nB.\n\n## Updates (unmerged 2026-12-01)\n\nC.\n\n## History\n\n" +
    "- 2026-12-01: updated by person\n- 2026-12-01: replaced by a newer statement\n";
  const evidence = "- Also changed: src/importer.ts, src/exporter.ts";
  assert.equal(saysForgotten(on.memory, text), false);
  for (const said of [text, evidence]) {
    assert.equal(withoutForgotten(on.memory)?.(said), said);
  }
});

Deno.test("a reason in a history that a person gave is forgotten with the note", async () => {
  using on = await world();
  const reason = "2026-12-01: the supplier Quetzal raised its prices";
  const changed = "Changed: the supplier is Merlin from now on, not Quetzal.";
  const text =
    `# Prices\n\n${changed}\n\n## History\n\n- ${reason}\n- 2026-12-01: updated by person`;
  byHand(`${on.cwd}/.sage`, "knowledge/prices.md", { id: "prices" }, text);
  assert.equal((await forget(on.memory, "prices")).kind, "forgotten");
  for (const said of [reason, changed]) assert.equal(saysForgotten(on.memory, said), true);
  assert.equal(saysForgotten(on.memory, "2026-12-01: updated by person"), false);
});
