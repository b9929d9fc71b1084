/** What a reply takes by its place, told with what stands there; and what has a number or a letter and takes nothing. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

const LISTED =
  "1. A periodic request of one hour with a network constraint.\n2. FCM push to wake the app.\n" +
  "3. Sync only when the app comes to the foreground.";
const NAMED = "Two ways:\n\nA) Beehave, a behaviour tree addon: good for bosses.\n" +
  "B) A plain state machine in GDScript: easy to debug.\n\nFor a jam I would take B.";
const IN_LINE =
  "Ways out: (a) `SELECT … FOR UPDATE`, (b) one `UPDATE … WHERE stock >= n`, (c) a Redis lock.";
const DRAFTS =
  "design made three drafts, (1) five steps, (2) a single page with a checklist, and " +
  "(3) skipping everything. What would you do?";

const PICKED: readonly (readonly [asked: string, answer: string, reply: string, told: string])[] = [
  [
    "what are my options?",
    LISTED,
    "Yes to 1 and 3. FCM means a backend change.",
    "A periodic request of one hour with a network constraint; " +
    "Sync only when the app comes to the foreground",
  ],
  [
    "tree or machine?",
    NAMED,
    "go with B. if the boss gets hairy we can revisit",
    "A plain state machine in GDScript",
  ],
  [
    "why is it negative?",
    IN_LINE,
    "i think b is good for us",
    "one `UPDATE … WHERE stock >= n`",
  ],
  [
    "it leaks",
    "Options: 1. drop the column, 2. use its value as of 90 days before, 3. keep it.",
    "2. and then 3 in a month when we have the new snapshots",
    "use its value as of 90 days before",
  ],
  [
    "how?",
    "Either with the rate of the day or with the monthly average.",
    "the second one please",
    "Either with the rate of the day or with the monthly average.",
  ],
  [
    DRAFTS,
    "I would take (2).",
    "I was leaning to the second one too",
    "a single page with a checklist",
  ],
  [
    "it jitters at 144 Hz",
    "Two ways out:\n- **A.** a variable timestep: one line\n- **B.** a fixed step, interpolated",
    "b obviously",
    "a fixed step, interpolated",
  ],
  [
    "wie würdest du das machen?",
    "Möglich sind:\n1. `apt-mark hold`\n2. ein eigener Spiegel\n3. nur Security",
    "die erste, und 3 dazu",
    "`apt-mark hold`; nur Security",
  ],
  [
    "it is slow",
    "Options: 1. preload the associations, 2. a view that is refreshed at night.",
    "Let us take the first one; the view would be stale during the day.",
    "preload the associations",
  ],
  [
    "cuánto le ponemos?",
    "Se puede pedir 32 GB fijo, o bien 16 GB por intento.",
    "lo segundo, que el cluster cobra por hora",
    "Se puede pedir 32 GB fijo, o bien 16 GB por intento.",
  ],
  [
    "on fait comment ?",
    "Deux solutions: soit un cache, soit un index.",
    "plutôt la deuxième, merci",
    "Deux solutions: soit un cache, soit un index.",
  ],
];

for (const [asked, answer, reply, told] of PICKED) {
  Deno.test(`findDecisions() tells what "${reply}" takes`, () => {
    const found = findDecisions(exchanged(asked, answer, reply, "Done."));
    assert.deepEqual(found.map(({ text }) => text), [`${told} → ${reply}`]);
  });
}

const NOT_PICKED = [
  "3 of them fail",
  "the first one fails on windows",
  "the second is broken",
  "1 and 2 are done already",
  "3, 4 and 5 are fixed",
  "first, tell me more about 2",
  "2 hours later it crashed again",
  "2 also fails",
  "2 too many errors in the log since yesterday",
  "a customer called",
  "i think a user would hate that",
  "does 2 need redis?",
  "2 needs redis",
  "why not the second one",
  "2 obviously fails on my machine",
  "2 sounds least invasive. but can something slip in between?",
  "the first time it worked",
  "not 2",
  "2.5 is the version we have",
  "what about the third one",
  "1?",
  "i tried the first one already, it hangs",
  "I'd go with 2 if it were cheaper",
  "c'est bon",
  "1. rename the worker\n2. add a test for it",
];

Deno.test("findDecisions() takes what is said of a way for no choice of it", () => {
  for (const reply of NOT_PICKED) {
    const found = findDecisions(exchanged("what are my options?", LISTED, reply, "Done."));
    assert.deepEqual(found.map(({ text }) => text), [], reply);
  }
});

Deno.test("findDecisions() takes a number for no way, where none were laid out", () => {
  const findings =
    "Three findings: 1. the lock is stale. 2. the queue is long. 3. the log is full.";
  for (const reply of ["1 and 3 please", "2. what does that mean", "the first one, it crashed"]) {
    assert.deepEqual(findDecisions(exchanged("look at it", findings, reply, "Done.")), [], reply);
  }
});

Deno.test("findDecisions() takes letters that nothing has for no way", () => {
  const said = "You could keep the cron or drop it; would you?";
  for (const reply of ["B please", "a and b please"]) {
    assert.deepEqual(findDecisions(exchanged("what are my options?", said, reply, "Done.")), []);
  }
});

Deno.test("findDecisions() takes nothing that is only to be shown", () => {
  const shown = [
    ["Which one would you like to see? 1) app.json 2) db.json 3) mail.json", "2 please"],
    ["Möchten Sie zuerst 1) den Server oder 2) den Browser sehen?", "2 bitte"],
    ["Vous préférez voir a) le serveur ou b) le navigateur ?", "b stp"],
    ["¿Prefiere ver 1) el servidor o 2) el navegador?", "2 por favor"],
  ] as const;
  for (const [answer, reply] of shown) {
    assert.deepEqual(findDecisions(exchanged("look at it", answer, reply, "Done.")), [], reply);
  }
});

Deno.test("findDecisions() defers what is to be done, and not what is to be looked at", () => {
  const later = (asked: string) =>
    findDecisions(exchanged(asked, "It has 40 MB.", "not now, my boss is here", "Fine."));
  assert.equal(later("should we rotate the logs too?").length, 1);
  assert.deepEqual(later("should we look at the logs too?"), []);
});
