/** What was only asked before, or says again what a prompt says, is not shown beside it. */
import assert from "node:assert/strict";
import { isEcho } from "../../src/memory/surfacing/echo.ts";
import { passGates } from "../../src/memory/surfacing/gates.ts";
import { gatherCandidates } from "../../src/memory/knowledge/candidates.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { surface } from "../../src/memory/surfacing/surfacing.ts";
import { begin, byHand, SESSION, type World, world } from "../support/world.ts";

const BY_SAGE = `{by: sage, at: "2026-01-12T10:00:00Z"}`;
const TIMES = { created: "2026-01-12T10:00:00Z", updated: "2026-01-12T10:00:00Z" };
const ASKED = "why do the parcels of the harbour depot lose their customs label?";

async function withCheckpoint(front: Readonly<Record<string, string>>): Promise<World> {
  const on = await world({ hook: true });
  const body = `# Labels are printed twice now\n\n## Core Question\n\n${ASKED}\n\n` +
    "## Thesis\n\nLabels are printed twice now.\n";
  const id = "c-1";
  byHand(
    `${on.cwd}/.sage`,
    "checkpoints/c-1.md",
    { id, type: "checkpoint", ...TIMES, ...front },
    body,
  );
  begin(on.memory, on);
  await refreshAll(on.memory);
  return on;
}

const found = async (on: World, prompt: string): Promise<string[]> =>
  (await gatherCandidates(on.memory, prompt, { forHook: true })).scored
    .map(({ candidate }) => candidate.note.id);

Deno.test("surface() shows nothing for a question that Sage saw before and that is all it saw", async () => {
  using on = await withCheckpoint({ generated: BY_SAGE });
  assert.deepEqual(await found(on, ASKED), []);
  assert.equal((await surface(on.memory, SESSION, ASKED)).kind, "silent");
});

Deno.test("a note is found by a question that was written down in it", async () => {
  using on = await withCheckpoint({});
  assert.deepEqual(await found(on, ASKED), ["c-1"]);
});

async function withSession(title: string, body: string): Promise<World> {
  const on = await world({ hook: true });
  const front = { id: "s-1", type: "session", session: "old", title, ...TIMES };
  byHand(`${on.cwd}/.sage`, "sessions/s-1.md", front, body);
  begin(on.memory, on);
  await refreshAll(on.memory);
  return on;
}

const ORDER = "start with the ferry timetable of task 41";
const AT_LENGTH =
  `please ${ORDER} and leave what the berths and the tide chart want for another day`;
const OF_A_SUMMARY = [
  ["nothing came of the order that is given again", ORDER, "silent"],
  ["nothing came of an order that is longer than its title", AT_LENGTH, "silent"],
  ["something else came out", `${AT_LENGTH} → The harbour's feed is read nightly.`, "silent"],
  ["it came out", `${AT_LENGTH} → The ferry timetable is read from the harbour's feed.`, "shown"],
] as const;

for (const [which, summary, expected] of OF_A_SUMMARY) {
  Deno.test(`a session is ${expected} beside an order where ${which}`, async () => {
    using on = await withSession(`please ${ORDER}…`, `## Summary\n\n${summary}\n`);
    assert.equal((await surface(on.memory, SESSION, ORDER)).kind, expected);
  });
}

Deno.test("surface() does not match a session by a sentence that is said every day", async () => {
  using on = await world({ hook: true });
  for (const quay of ["grain", "timber", "cruise", "fishing", "oil", "coal"]) {
    const front = { id: quay, type: "session", session: quay, title: `The ${quay} quay`, ...TIMES };
    const done = quay === "coal"
      ? "Fixed the following problems of the pier: its lamp hung crooked."
      : `The berths of the ${quay} quay have problems with the tide, and the piers.`;
    byHand(`${on.cwd}/.sage`, `sessions/${quay}.md`, front, `## Done\n\n- ${done}\n`);
  }
  begin(on.memory, on);
  await refreshAll(on.memory);
  assert.deepEqual(await found(on, "fix the following problems of the pier"), []);
  assert.deepEqual(await found(on, "the lamp of the pier hangs crooked again"), ["coal"]);
});

Deno.test("surface() does not match a session by the routines of working", async () => {
  using on = await world({ hook: true });
  for (const quay of ["grain", "timber", "cruise", "fishing", "oil"]) {
    const front = { id: quay, type: "session", session: quay, title: `The ${quay} quay`, ...TIMES };
    const done = quay === "oil"
      ? "Got back to main and pulled in the latest; the customs label is printed on branch depot-9."
      : `The berths of the ${quay} quay know the tide.`;
    byHand(`${on.cwd}/.sage`, `sessions/${quay}.md`, front, `## Done\n\n- ${done}\n`);
  }
  begin(on.memory, on);
  await refreshAll(on.memory);
  assert.deepEqual(await found(on, "now get back to main and pull in the latest branch"), []);
  assert.deepEqual(await found(on, "is the customs label printed on that branch?"), ["oil"]);
});

Deno.test("surface() does not match a session about another one of a row", async () => {
  using on = await withSession(
    "Overview of phase 8 of the harbour depot",
    "## Summary\n\nGive me an overview of phase 8 → Phase 8 of the harbour depot prints customs labels.\n",
  );
  const ask = (phase: number) =>
    `overview of phase ${phase} of the harbour depot, with the customs labels`;
  assert.deepEqual(await found(on, ask(10)), []);
  assert.deepEqual(await found(on, ask(8)), ["s-1"]);
});

Deno.test("isEcho() knows a text that has of a prompt what was typed, and nothing more of it", () => {
  const prompt =
    "Carry out the plan that is attached. Do NOT change the plan. Tick the steps off as you go.";
  const quoted =
    "“Tick the steps off as you go.” “Do NOT change the plan.” The depot runs on port 8080.";
  assert.ok(isEcho(quoted, prompt));
  assert.ok(
    !isEcho(`${quoted} The plan has no step for the labels.`, prompt),
    "it says more of the plan",
  );
  assert.ok(!isEcho("The depot runs on port 8080.", prompt), "nothing is said again");
  assert.ok(!isEcho("", prompt));
});

Deno.test("isEcho() takes what came of the same question for an answer", () => {
  const prompt = "mend the build of the depot";
  assert.ok(isEcho("mend the build of the depot", prompt));
  assert.ok(
    !isEcho("mend the build of the depot → The depot builds since zlib is pinned.", prompt),
  );
});

const OF_THE_MOMENT = [
  "are all the tests passing now?",
  "have all changes been committed and pushed?",
  "is everything committed/pushed already?",
  "continue iterating until all is done",
  "@rules/customs-labels.mdc",
  "yes, see @docs/plan.md",
  "DO NOT STOP until ALL is DONE",
];

for (const prompt of OF_THE_MOMENT) {
  Deno.test(`nothing is recalled for a prompt about the present moment: ${prompt}`, () => {
    assert.deepEqual(passGates(prompt), { gate: "no_specific_term" });
  });
}

Deno.test("a prompt that says more than a file's name is answered", () => {
  for (
    const prompt of [
      "read @docs/labels.md, the customs form is next",
      "what failed in the depot lab",
    ]
  ) {
    assert.ok("terms" in passGates(prompt), prompt);
  }
});
