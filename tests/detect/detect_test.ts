/** The policy of detection, gate by gate, and how often it is right on the marked conversations. */
import assert from "node:assert/strict";
import { decide } from "../../src/detect/trigger/decide.ts";
import { detect, type DetectInput } from "../../src/detect/trigger/detect.ts";
import { contextThreshold } from "../../src/detect/trigger/context_threshold.ts";
import { isAboutMemory } from "../../src/detect/text/memory_talk.ts";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import type { Signal } from "../../src/detect/trigger/signal.ts";
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { LABELLED, type LabelledExchange, turnsOf } from "../support/labelled.ts";
import { assertQuick } from "../support/quick.ts";

const embedder = openStaticEmbedder();
embedder.embedQuery("opens the model once, outside of any test");

const conversation = (name: string): readonly LabelledExchange[] => {
  const found = LABELLED[name];
  assert.ok(found, name);
  return found;
};
const base: DetectInput = {
  turns: turnsOf(conversation("findings that come together")),
  mayAsk: true,
  minMessages: 2,
  minTokens: 60,
  structuralAlone: 0.8,
  structuralConfirmed: 0.5,
  cooldownSeconds: 30,
  cooldowns: {},
  seenHashes: [],
  nowMs: 1_000_000,
  embedder: () => embedder,
};

Deno.test("detect() asks at a synthesis, and saves when silent", () => {
  const asked = detect(base);
  assert.equal(asked.kind, "ask");
  assert.equal(asked.kind === "ask" && asked.trigger, "synthesis");
  assert.equal(detect({ ...base, mayAsk: false }).kind, "save");
});

Deno.test("detect() refuses at each gate, cheapest first", () => {
  const gate = (change: Partial<DetectInput>): string => {
    const detection = detect({ ...base, ...change });
    return detection.kind === "nothing" ? detection.gate : detection.trigger;
  };
  const never = (): never => assert.fail("opened the model before the cheap gates");
  assert.equal(gate({ minMessages: 99, embedder: never }), "too shallow");
  assert.equal(gate({ minTokens: 9999, embedder: never }), "too shallow");
  assert.equal(gate({ turns: [], embedder: never }), "too shallow");
  const all = { topic_shift: 1e6, branch_point: 1e6, constraint_discovered: 1e6, synthesis: 1e6 };
  assert.equal(gate({ cooldowns: all, embedder: never }), "cooling down");
  assert.equal(gate({ cooldowns: { synthesis: 990_000 } }), "cooling down");
  assert.equal(gate({ cooldowns: { synthesis: 960_000 } }), "synthesis");
  assert.equal(gate({ cooldowns: { synthesis: 1e9 } }), "synthesis", "the clock was set back");
  assert.equal(gate({ cooldowns: { topic_shift: 999_999 } }), "synthesis");
  const seen = detect(base);
  assert.ok(seen.kind !== "nothing");
  assert.equal(gate({ seenHashes: [seen.contentHash], embedder: never }), "seen before");
});

Deno.test("detect() finds its way by words alone where there is no model", () => {
  const { embedder: _, ...without } = base;
  assert.equal(detect(without).kind, "ask");
  const shift = turnsOf(conversation("a shift to another subject that stays").slice(0, 4));
  assert.equal(detect({ ...without, turns: shift }).kind, "ask");
});

Deno.test("detect() says how long ago the subject changed", () => {
  const exchanges = conversation("a shift to another subject that stays");
  for (const ago of [0, 1, 2]) {
    const turns = turnsOf(exchanges.slice(0, exchanges.length - 2 + ago));
    const found = detect({ ...base, turns });
    assert.deepEqual(found.kind === "ask" && [found.trigger, found.ago], ["topic_shift", ago]);
  }
});

Deno.test("detect() saves at the next pause when much is unsaved", () => {
  const turns = turnsOf(conversation("rhetorical questions"));
  const overdue = detect({ ...base, turns, maxTurns: 2 });
  assert.ok(overdue.kind === "save" && overdue.trigger === "context_threshold");
  assert.equal(detect({ ...base, turns, maxTurns: 10, maxTokens: 8000 }).kind, "nothing");
  const asking = [...turns.slice(0, -1), {
    ...turns[turns.length - 1],
    text: "Shall I?",
  }] as typeof turns;
  assert.equal(detect({ ...base, turns: asking, maxTurns: 2 }).kind, "nothing");
});

Deno.test("detect() finds the marked points and nothing else", () => {
  const [right, wrong, missed]: string[][] = [[], [], []];
  for (const [name, exchanges] of Object.entries(LABELLED)) {
    const turns = turnsOf(exchanges);
    let saved = 0;
    exchangesOf(turns).forEach((_, i) => {
      const end = (i + 1) * 2;
      const detection = detect({
        ...base,
        turns: turns.slice(saved, end),
        earlier: turns.slice(0, saved),
      });
      const found = detection.kind === "nothing" ? undefined : detection.trigger;
      const label = exchanges[i]?.label;
      if (found !== undefined) saved = end;
      if (found !== undefined && found === label) right?.push(name);
      else if (found !== undefined) wrong?.push(`${name} ${i}: ${found}`);
      if (label !== undefined && found !== label) missed?.push(`${name} ${i}: ${label}`);
    });
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(missed, []);
  assert.equal(right?.length, 5);
});

const signal = (trigger: Signal["trigger"], confidence: number): Signal => ({
  trigger,
  confidence,
  reason: "r",
  ago: 0,
});
const thresholds = { structuralAlone: 0.8, structuralConfirmed: 0.5 };

Deno.test("decide() lets structure initiate and words confirm", () => {
  const words = new Map([["synthesis", "in summary"]] as const);
  const none = new Map<never, never>();
  assert.equal(decide([], words, thresholds).kind, "nothing");
  assert.deepEqual(decide([signal("synthesis", 0.79)], none, thresholds), {
    kind: "nothing",
    gate: "linguistic",
  });
  assert.equal(decide([signal("synthesis", 0.81)], none, thresholds).kind, "point");
  const confirmed = decide([signal("synthesis", 0.6)], words, thresholds);
  assert.ok(confirmed.kind === "point" && Math.abs(confirmed.confidence - 0.8) < 1e-9);
  const most = decide([signal("synthesis", 0.9)], words, thresholds);
  assert.ok(most.kind === "point" && most.confidence === 0.95);
  assert.deepEqual(decide([signal("synthesis", 0.5)], words, thresholds), {
    kind: "nothing",
    gate: "structural",
  });
  assert.equal(decide([signal("branch_point", 0.7)], words, thresholds).kind, "nothing");
});

Deno.test("decide() takes the most pressing of several", () => {
  const found = decide(
    [signal("synthesis", 0.95), signal("constraint_discovered", 0.85), signal("topic_shift", 0.6)],
    new Map([["branch_point", "x"]] as const),
    thresholds,
  );
  assert.ok(found.kind === "point" && found.trigger === "constraint_discovered");
});

Deno.test("confirmedTriggers() reads what was said, not what was quoted or coded", () => {
  assert.deepEqual([...confirmedTriggers("The root cause is a race.").keys()], ["synthesis"]);
  assert.deepEqual(
    [...confirmedTriggers("Die Ursache ist ein Wettlauf; das ist nicht möglich.").keys()],
    [
      "constraint_discovered",
      "synthesis",
    ],
  );
  for (
    const text of [
      'He wrote "the root cause is a race".',
      "`the root cause is`",
      "```\nthe root cause is\n```",
      "> the root cause is a race",
      "“the root cause is a race”",
    ]
  ) assert.equal(confirmedTriggers(text).size, 0, text);
  assert.ok(confirmedTriggers("we take A rather than B here because of C").has("branch_point"));
  assert.ok(!confirmedTriggers("A rather than B. Later, because of C").has("branch_point"));
  assert.ok(
    confirmedTriggers("ok let me marinate on this", { synthesis: ["let me marinate on this"] }).has(
      "synthesis",
    ),
  );
});

Deno.test("confirmedTriggers() and isAboutMemory() stay fast on hostile text", () =>
  assertQuick(() => {
    for (
      const text of [
        "`".repeat(40_000),
        '"'.repeat(40_000),
        "rather than ".repeat(4000),
        "```\n".repeat(9000),
        "« ".repeat(20_000),
      ]
    ) {
      confirmedTriggers(text);
      isAboutMemory(text);
    }
  }, 1000));

Deno.test("isAboutMemory() tells talk about Sage from talk about code", () => {
  for (
    const text of [
      "call sage_autosave_check now",
      "the stop hook blocked again",
      "was that a topic_shift?",
      "the checkpoint was saved twice",
      "which trigger made the hook fire?",
    ]
  ) assert.ok(isAboutMemory(text), text);
  assert.ok(isAboutMemory("is the detector blind?", "why did the stop hook block?"));
  assert.ok(!isAboutMemory("is it blind?", "why did the stop hook block?"));
  assert.ok(!isAboutMemory("is the edge detector blind?", "which filter comes first?"));
  for (
    const text of [
      "move the state into a React hook",
      "the database trigger writes the audit row",
      "load the model checkpoint from epoch 12",
      "the webhook retries three times",
      "run `sage_load` in a code span",
    ]
  ) assert.ok(!isAboutMemory(text), text);
});

Deno.test("contextThreshold() gives each step once", () => {
  const window = 200_000;
  assert.equal(contextThreshold(139_999, window, []), undefined);
  assert.equal(contextThreshold(140_000, window, []), 70);
  assert.equal(contextThreshold(150_000, window, [70]), undefined);
  assert.equal(contextThreshold(161_000, window, [70]), 80);
  assert.equal(contextThreshold(195_000, window, [70]), 90);
  assert.equal(contextThreshold(195_000, window, [70, 90]), undefined);
  assert.equal(contextThreshold(100_000, window, [], 0.5), 50);
  assert.equal(contextThreshold(171_000, window, [], 0.85), 85);
  assert.equal(contextThreshold(1, 0, []), undefined);
});
