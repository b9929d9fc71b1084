/** What a stop comes to: the policy of asks, quiet saves and thresholds. */
import assert from "node:assert/strict";
import { loadCheckpoint } from "../../src/memory/checkpoint/load.ts";
import { listCheckpoints } from "../../src/memory/checkpoint/list.ts";
import { autosaveCheck } from "../../src/memory/checkpoint/autosave.ts";
import type { ExtractiveOutcome } from "../../src/memory/checkpoint/extractive.ts";
import { decideStop, type StopDecision } from "../../src/memory/checkpoint/trigger.ts";
import { contextWindow } from "../../src/editor/claude_code/transcript.ts";
import type { Transcript } from "../../src/editor/editor.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { tellOffer } from "../../src/memory/checkpoint/offer.ts";
import { countUses } from "../../src/memory/learn/tally.ts";
import { listRemoved } from "../../src/memory/removal/removed.ts";
import { LABELLED, transcriptOf, turnsOf } from "../support/labelled.ts";
import {
  AGENT,
  begin,
  DAY,
  draft,
  hookInput,
  MINUTE,
  NOW,
  SESSION,
  type World,
  world,
} from "../support/world.ts";

/** Shallow conversations count, so that one labelled exchange after another may trigger. */
const SHALLOW = "detection:\n  min_messages: 2\n  min_tokens: 60\n  cooldown_seconds: 0\n";

const POINT = "findings that come together";

/** A conversation that comes to a point; each name tells of other things, and its turns are its own. */
function transcript(name: string, parts: Partial<Transcript> = {}): Transcript {
  const turns = turnsOf(LABELLED[name] ?? assert.fail(name)).map((turn, n) => ({
    ...turn,
    uuid: `${name}-${n}`,
    at: new Date(NOW - 60 * MINUTE + n * 1000).toISOString(),
  }));
  return transcriptOf(SESSION, turns, parts);
}

/** The same point made of other words, so that it was not seen before. */
function another(n: number, atMs = NOW): Transcript {
  const base = transcript(POINT);
  const turns = base.turns.map((turn) => ({
    ...turn,
    uuid: `${turn.uuid}-${n}`,
    at: new Date(atMs + n).toISOString(),
    text: turn.text === "" ? "" : `${turn.text} (round ${n})`,
  }));
  return { ...base, turns };
}

type Stopped = Omit<StopDecision, "save"> & { readonly saved?: ExtractiveOutcome };

/** The decision, and what came of the save that it wants. */
async function stop(on: World, said: Transcript, isActive = false): Promise<Stopped> {
  const input = hookInput(on, { event: "stop", stopHookActive: isActive });
  const { save, ...decision } = await decideStop(on.memory, input, said);
  return save === undefined ? decision : { ...decision, saved: await save() };
}

const count = async (on: World): Promise<number> => (await listCheckpoints(on.memory)).length;

async function ready(tuning = SHALLOW): Promise<World> {
  const on = await world({ tuning, hook: true });
  begin(on.memory, on);
  return on;
}

Deno.test("decideStop() asks at a point, naming the trigger and the one call", async () => {
  using on = await ready();
  const { ask = "", saved } = await stop(on, transcript(POINT));
  assert.match(ask, /^Sage noticed .*\(synthesis: /);
  assert.match(ask, /Call sage_autosave_check once, with trigger "synthesis"/);
  assert.deepEqual([saved, await count(on)], [undefined, 0]);
  assert.equal(readSession(on.memory, SESSION)?.pendingAsk?.trigger, "synthesis");
});

Deno.test("a request to save that the agent does not answer becomes a quiet save, and is not repeated", async () => {
  using on = await ready();
  await stop(on, transcript(POINT));
  const next = await stop(on, transcript(POINT), true);
  assert.equal(next.gate, "ask not answered");
  assert.equal(next.saved?.kind, "saved");
  assert.equal(next.ask, undefined);
  const [saved] = await listCheckpoints(on.memory);
  assert.equal(saved?.trigger, "synthesis");
  const after = await stop(on, transcript(POINT), true);
  assert.equal(after.gate, "stop hook active");
  assert.equal(await count(on), 1);
});

Deno.test("a save after an unanswered request is made by the next process if this one is killed", async () => {
  using on = await ready();
  await stop(on, transcript(POINT));
  assert.equal(readSession(on.memory, SESSION)?.pendingAsk?.isOwed, undefined);
  await decideStop(on.memory, hookInput(on, { event: "stop" }), transcript(POINT));
  assert.equal(readSession(on.memory, SESSION)?.pendingAsk?.isOwed, true);
});

Deno.test("where the subject changed some exchanges ago, what is saved ends there", async () => {
  using on = await ready();
  const said = transcript("a shift to another subject that stays");
  assert.match((await stop(on, said)).ask ?? "", /topic_shift/);
  await stop(on, said, true);
  const loaded = await loadCheckpoint(on.memory, {});
  const { checkpoint } = (loaded.kind === "one" && loaded.items[0]) || assert.fail(loaded.kind);
  assert.match(checkpoint.coreQuestion, /job queue/);
  assert.match(checkpoint.thesis, /Eight attempts/);
  assert.match(checkpoint.nextStep ?? "", /hero image/);
});

Deno.test("a request to save that was answered is not repeated", async () => {
  using on = await ready();
  await stop(on, transcript(POINT));
  await autosaveCheck(on.memory, draft({ trigger: "synthesis" }), AGENT);
  const next = await stop(on, transcript(POINT), true);
  assert.equal(next.gate, "stop hook active");
  assert.equal(await count(on), 1);
});

Deno.test("decideStop() never asks nor saves while a stop hook is active", async () => {
  using on = await ready();
  const decision = await stop(on, transcript(POINT, { contextTokens: 190_000 }), true);
  assert.deepEqual(decision, { gate: "stop hook active" });
  assert.equal(await count(on), 0);
});

Deno.test("decideStop() acts once on the same content", async () => {
  using on = await ready();
  await stop(on, transcript(POINT));
  updateSession(on.memory, SESSION, ({ pendingAsk: _, ...state }) => state);
  on.later(DAY);
  assert.equal((await stop(on, transcript(POINT))).gate, "seen before");
});

Deno.test("decideStop() asks at most once in fifteen minutes and three times a session; then it saves", async () => {
  using on = await ready();
  const outcomes: string[] = [];
  for (let n = 0; n < 7; n++) {
    const decision = await stop(on, another(n, on.memory.now()));
    outcomes.push(decision.ask !== undefined ? "ask" : decision.saved?.kind ?? decision.gate);
    // The agent answers at once, so that the next stop has no open ask before it.
    updateSession(on.memory, SESSION, ({ pendingAsk: _, ...state }) => state);
    on.later(n === 0 ? 14 * MINUTE : 16 * MINUTE);
  }
  const isAsk = outcomes.map((outcome) => outcome === "ask");
  assert.deepEqual(isAsk, [true, false, true, true, false, false, false], outcomes.join());
});

Deno.test("decideStop() asks again although the clock was set back since it asked", async () => {
  using on = await ready();
  for (let n = 0; n < 2; n++) {
    const { ask } = await stop(on, another(n, on.memory.now()));
    assert.notEqual(ask, undefined);
    updateSession(on.memory, SESSION, ({ pendingAsk: _, ...state }) => state);
    on.later(-2 * 60 * MINUTE);
  }
});

Deno.test("decideStop() saves quietly when it is set to silent, and nothing when it is off", async () => {
  using silent = await ready(SHALLOW + "  mode: silent\n");
  const { ask, saved } = await stop(silent, transcript(POINT));
  assert.deepEqual([ask, saved?.kind], [undefined, "saved"]);
  using off = await ready(SHALLOW + "  mode: off\n");
  assert.deepEqual(await stop(off, transcript(POINT)), { gate: "mode off" });
});

Deno.test("decideStop() says which gate kept it quiet", async () => {
  using on = await ready("");
  const few = transcript(POINT);
  assert.equal((await stop(on, { ...few, turns: few.turns.slice(0, 2) })).gate, "too shallow");
});

Deno.test("decideStop() saves at each context threshold once, the highest that was crossed", async () => {
  using on = await ready("detection:\n  mode: off\n");
  const window = contextWindow("claude-opus-4-1");
  const at = async (share: number, n: number) =>
    (await stop(on, { ...another(n), contextTokens: Math.round(window * share) })).gate;
  assert.equal(await at(0.69, 0), "mode off");
  assert.equal(await at(0.71, 1), "context at 70 %");
  assert.equal(await at(0.72, 2), "mode off");
  on.later(MINUTE);
  assert.equal(await at(0.93, 3), "context at 90 %");
  assert.equal(await at(0.85, 4), "mode off");
  assert.deepEqual(readSession(on.memory, SESSION)?.contextSteps, [70, 90]);
  assert.ok(await count(on) >= 1);
  // Compacted, whether or not anybody said so.
  assert.equal(await at(0.1, 5), "mode off");
  assert.equal(await at(0.71, 6), "context at 70 %");
});

Deno.test("decideStop() goes by the editor's own window where it is told", async () => {
  using on = await ready("detection:\n  mode: off\n");
  on.env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = "10000";
  const memory = await on.open({ hook: true });
  const said = transcript(POINT, { contextTokens: 7100 });
  const input = hookInput(on, { event: "stop" });
  assert.equal((await decideStop(memory, input, said)).gate, "context at 70 %");
});

Deno.test("decideStop() goes by the window that the agent's own file names", async () => {
  using on = await ready("detection:\n  mode: off\n");
  const said = transcript(POINT, { contextTokens: 190_000, contextWindow: 258_400 });
  assert.equal((await stop(on, said)).gate, "context at 70 %");
});

Deno.test("decideStop() looks only at what came after the last save", async () => {
  using on = await ready();
  const said = transcript(POINT);
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    lastSave: { at: NOW, turn: said.turns.at(-1)?.uuid ?? "", hash: "", id: "x" },
  }));
  assert.equal((await stop(on, said)).gate, "too shallow");
});

Deno.test("an offer is saved at once, made once beside the next prompt, and replaced by its answer", async () => {
  using on = await ready(SHALLOW + "  mode: offer\n");
  const { ask, saved } = await stop(on, transcript(POINT));
  assert.deepEqual([ask, saved?.kind], [undefined, "saved"]);
  const [extract] = await listCheckpoints(on.memory);
  const told = tellOffer(on.memory, SESSION);
  assert.match(told, /sage_autosave_check once with trigger "synthesis"/);
  assert.equal(tellOffer(on.memory, SESSION), "");

  const before = readSession(on.memory, SESSION)?.lastSave;
  const agents = draft({ trigger: "synthesis", thesis: extract?.thesis ?? assert.fail() });
  const outcome = await autosaveCheck(on.memory, agents, AGENT);
  assert.equal(outcome.kind, "saved");
  const [only, ...others] = await listCheckpoints(on.memory);
  assert.deepEqual([only?.id === extract?.id, others.length], [false, 0]);
  assert.equal(only?.parent, undefined);
  const state = readSession(on.memory, SESSION);
  assert.deepEqual(state?.checkpoints, [only?.id]);
  assert.deepEqual(state?.lastSave, { ...before, id: only?.id });
  assert.equal((await listRemoved(on.memory, "checkpoint")).length, 1);
  assert.equal((await countUses(on.memory)).tallies.synthesis.removed, 0);
});

Deno.test("an offer that is not taken up ends at the next stop, and what was saved stays", async () => {
  using on = await ready(SHALLOW + "  mode: offer\n");
  await stop(on, transcript(POINT));
  tellOffer(on.memory, SESSION);
  await stop(on, transcript(POINT));
  assert.equal(readSession(on.memory, SESSION)?.offer, undefined);
  assert.equal(await count(on), 1);
});

Deno.test("the answer to an offer does not replace an extract that a person edited", async () => {
  using on = await ready(SHALLOW + "  mode: offer\n");
  const { saved } = await stop(on, transcript(POINT));
  tellOffer(on.memory, SESSION);
  const { path } = saved?.kind === "saved" ? saved : assert.fail();
  await Deno.writeTextFile(path, await Deno.readTextFile(path) + "\nMy own line.\n");
  await autosaveCheck(on.memory, draft({ trigger: "synthesis" }), AGENT);
  assert.match(await Deno.readTextFile(path), /My own line/);
  assert.equal(await count(on), 2);
});
