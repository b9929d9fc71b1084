/** A save that is owed: made by whoever finds it, and recorded where it was made already. */
import assert from "node:assert/strict";
import type { Transcript } from "../../src/editor/editor.ts";
import { saveExtractive } from "../../src/memory/checkpoint/extractive.ts";
import { listCheckpoints } from "../../src/memory/checkpoint/list.ts";
import { makeLeftOwed, makeOwed, type Owed } from "../../src/memory/checkpoint/owed.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { LABELLED, transcriptOf, turnsOf } from "../support/labelled.ts";
import { begin, MINUTE, NOW, SESSION, type World, world } from "../support/world.ts";

const OWED: Owed = { at: NOW, trigger: "synthesis", confidence: 0.7, isOwed: true };

function transcript(): Transcript {
  const turns = turnsOf(LABELLED["findings that come together"] ?? assert.fail())
    .map((turn, n) => ({ ...turn, uuid: `${n}`, at: new Date(NOW - MINUTE + n).toISOString() }));
  return transcriptOf(SESSION, turns, { endOffset: 1000 });
}

async function owing(): Promise<World> {
  const on = await world({ hook: true });
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({ ...state, pendingAsk: OWED }));
  return on;
}

Deno.test("makeLeftOwed() makes what is owed, and nothing where the agent was only asked", async () => {
  using on = await owing();
  updateSession(on.memory, SESSION, (state) => {
    const { isOwed: _, ...asked } = OWED;
    return { ...state, pendingAsk: asked };
  });
  assert.equal(await makeLeftOwed(on.memory, SESSION, transcript()), undefined);
  updateSession(on.memory, SESSION, (state) => ({ ...state, pendingAsk: OWED }));
  assert.equal((await makeLeftOwed(on.memory, SESSION, transcript()))?.kind, "saved");
  assert.equal(readSession(on.memory, SESSION)?.pendingAsk, undefined);
});

Deno.test("makeOwed() does nothing where another process has made it meanwhile", async () => {
  using on = await owing();
  updateSession(on.memory, SESSION, ({ pendingAsk: _, ...state }) => state);
  const outcome = await makeOwed(on.memory, SESSION, transcript(), OWED);
  assert.deepEqual(outcome, { kind: "nothing", reason: "saved by another process" });
  assert.equal((await listCheckpoints(on.memory)).length, 0);
});

Deno.test("makeLeftOwed() records a save whose maker died before it could, and nothing is saved of it again", async () => {
  using on = await owing();
  const made = await makeOwed(on.memory, SESSION, transcript(), OWED);
  const { id } = made.kind === "saved" ? made : assert.fail(made.kind);
  updateSession(on.memory, SESSION, ({ lastSave: _, checkpoints: __, ...state }) => ({
    ...state,
    pendingAsk: OWED,
  }));
  assert.equal((await makeLeftOwed(on.memory, SESSION, transcript()))?.kind, "duplicate");
  const state = readSession(on.memory, SESSION);
  assert.deepEqual([state?.checkpoints, state?.lastSave?.id, state?.pendingAsk], [
    [id],
    id,
    undefined,
  ]);
  const cause = { session: SESSION, trigger: "precompact", confidence: 0.6, always: true } as const;
  assert.equal((await saveExtractive(on.memory, transcript(), cause)).kind, "nothing");
  assert.equal((await listCheckpoints(on.memory)).length, 1);
});

Deno.test("makeLeftOwed() leaves what was said since to the next save", async () => {
  using on = await owing();
  const said = transcript();
  const [first = assert.fail()] = said.turns;
  const since = { ...first, uuid: "since", at: new Date(NOW + MINUTE).toISOString() };
  await makeLeftOwed(on.memory, SESSION, { ...said, turns: [...said.turns, since] });
  const { lastSave } = readSession(on.memory, SESSION) ?? {};
  assert.deepEqual([lastSave?.turn, lastSave?.offset], [said.turns.at(-1)?.uuid, 0]);
});
