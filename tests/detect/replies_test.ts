/** Decisions made in passing: a few words that say nothing without what they reply to. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

function decided(...said: string[]): string[] {
  return findDecisions(exchanged("how do we go on from here?", ...said, "Done.")).map((one) =>
    one.text
  );
}

const CALIBRATED =
  "Isotonic brings the error down, because it makes ties. Platt scaling keeps the order.";
const WAYS =
  "Two ways remain:\n\n1. **Smaller batches** — two minutes of work, less throughput.\n" +
  "2. **No consumer** — frees all locks at once, and the queue grows.\n\nI would take the first.";
const WHICH =
  "The first hides the problem, the second takes two days. Which do you want in the list?";

const SETTLED: readonly (readonly [answer: string, reply: string, told: string])[] = [
  [
    CALIBRATED,
    "no wait ties are bad for the list. platt",
    "Platt scaling keeps the order. → no wait ties are bad for the list. platt",
  ],
  [WAYS, "1. go", "Smaller batches — 1. go"],
  [WHICH, "both actually. the second by december", "both actually. the second by december"],
  [
    "The config refuses DEBUG now.",
    "no keep it but make it a warning",
    "no keep it but make it a warning",
  ],
  [
    "The split would save 72 seconds.",
    "so scrap the split. no core-types package. what takes so long then",
    "scrap the split. no core-types package.",
  ],
  [
    "Ich empfehle JSON, weil es lesbar bleibt.",
    "json dann. mit version drin",
    "Ich empfehle JSON, weil es lesbar bleibt. → json dann. mit version drin",
  ],
  [
    "Ausstellen musst du sie ab 2028.",
    "gut dann lassen wir das bis 2027 liegen.",
    "gut dann lassen wir das bis 2027 liegen.",
  ],
  [
    "The dialog has no focus trap. I'd go with Radix: three more dialogs are designed already.",
    "ok do it",
    "I'd go with Radix: three more dialogs are designed already. → ok do it",
  ],
  [
    "LightGBM is as good and takes 50 s.",
    "agree. stay with lightgbm",
    "stay with lightgbm",
  ],
  [
    "38 words is thin. I'd raise the stack of the task from 128 to 256 words.",
    "yes do that too. the bench runs overnight",
    "I'd raise the stack of the task from 128 to 256 words. → yes do that too.",
  ],
];

for (const [answer, reply, told] of SETTLED) {
  Deno.test(`findDecisions() takes "${reply}" with what it replies to`, () => {
    assert.deepEqual(decided(answer, reply), [told]);
  });
}

const NOTHING = [
  "no idea what you mean by that",
  "no, it is fine as it is",
  "both of them?",
  "both are equally bad on my data",
  "all of them fail with the same error",
  "what scaling?",
  "what scaling",
  "platt?",
];

for (const reply of NOTHING) {
  Deno.test(`findDecisions() takes "${reply}" for no decision`, () => {
    assert.deepEqual(decided(`${CALIBRATED} Which do you want?`, reply), []);
  });
}

Deno.test("findDecisions() tells a plan by its title and steps, where the title is short", () => {
  const [asked, answered] = exchanged("split core, plan first", "The plan is approved.");
  const items = ["# Split core", "1. Break the three cycles first", "2. Move types to core-types"]
    .map((text) => ({ text, status: "" }));
  const tools = [{ id: "1", name: "ExitPlanMode", failed: false, items }];
  const found = findDecisions(
    [asked, { ...answered, tools }] as Parameters<typeof findDecisions>[0],
  );
  assert.deepEqual(found.map(({ text }) => text), [
    "Approved plan: Split core: Break the three cycles first; Move types to core-types",
  ]);
});

Deno.test("findDecisions() takes a yes only to one proposal, where nothing else was asked", () => {
  const proposal = "I'd go with Radix: three more dialogs are designed already.";
  const more = `${proposal} Which of the three dialogs is to be done first of all?`;
  assert.deepEqual(decided(more, "yes"), []);
  assert.deepEqual(decided(`${proposal} I suggest dropping the old overlay too.`, "yes"), []);
  for (const praise of ["thanks", "nice", "Great!", "perfect, good", "super", "this"]) {
    assert.deepEqual(decided(proposal, praise), [], praise);
  }
  assert.deepEqual(decided(proposal, "great, do it").length, 1);
  assert.deepEqual(decided(`${proposal} Shall I?`, "yes please").length, 1);
});

Deno.test("findDecisions() tells nobody to drop 'it', where nothing says what", () => {
  const leak = "The column leaks the target: it is filled in afterwards.";
  assert.deepEqual(decided(leak, "drop it and rerun. anything else leaking?"), []);
  const why = "drop it, the licence forbids servers";
  assert.deepEqual(decided("Prince renders all three templates.", why), [why]);
});

Deno.test("findDecisions() takes a yes for none where it goes on with a but", () => {
  assert.deepEqual(
    decided("I'd go with Radix for all of them.", "ok. but only for the new ones"),
    [],
  );
  assert.deepEqual(decided("I'd go with Radix for all of them.", "yes. wait, no"), []);
});

Deno.test("findDecisions() tells what is not needed by the question before it", () => {
  const found = findDecisions(exchanged(
    "wire up the draining",
    "It drains oldest first.",
    "does it drain in background too?",
    "No, both systems suspend the app after half a minute.",
    "not needed for v1",
    "Okay.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "does it drain in background too? → not needed for v1",
  ]);
});

Deno.test("findDecisions() takes a way by its number though nobody recommended one", () => {
  const ways = "Two ways:\n\n1. **Two slots of 480 KB** — simplest.\n" +
    "2. **One slot and external flash** — frees internal flash.";
  const told = "Two slots of 480 KB — 1, but keep 32K for config at the end";
  assert.deepEqual(decided(ways, "1, but keep 32K for config at the end"), [told]);
  const findings = "I found:\n\n1. **A leak in the pool** — fixed.\n2. **A race** — open.";
  assert.deepEqual(decided(findings, "2, fix it today please"), []);
});
