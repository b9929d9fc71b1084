/**
 * A turn that a stop hook of somebody else sent on: a linter or tests that block the end. What the agent said when
 * it first came to its end is the answer; what it says of the linter is one beside it.
 */
import assert from "node:assert/strict";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { tempDir } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const ASKED = "Which store should the mobile client use while it is offline?";
const STORE =
  "We use SQLite rather than Realm, because Realm does not run in the web build. I decided to put the schema " +
  "in src/db/schema.ts.";
const STEP = "Next step: measure the cache on the old phone.";
const FIXED = "Fixed both lint errors; lint passes now.";
const LINT = [{ name: "Bash", input: { command: "npm run lint" }, result: "0 errors" }];
const FEEDBACK = "Stop hook feedback:\n2 lint errors";

const talk = () => new TranscriptBuilder({ cwd: "/p" });
const turnsOf = (builder: TranscriptBuilder) => readTranscript(builder.write(tempDir())).turns;
const summary = (builder: TranscriptBuilder) => summarizeSession(turnsOf(builder), { cwd: "/p" });
const gated = (answer: string, rounds = 1): TranscriptBuilder => {
  const builder = talk().user(ASKED).assistant(answer);
  for (let n = 0; n < rounds; n++) builder.meta(FEEDBACK).assistant("", LINT).assistant(FIXED);
  return builder;
};

Deno.test("summarizeSession() tells what a turn came to before a stop hook sent it on", () => {
  const whole = `${STORE} ${STEP}`;
  const alone = summary(talk().user(ASKED).assistant(whole));
  assert.match(alone?.summary ?? "", /→ We use SQLite rather than Realm/);
  assert.deepEqual(alone?.next, ["measure the cache on the old phone."]);
  const context = talk().user(ASKED).assistant(whole).hookContext("Stop", "2 lint errors")
    .assistant("", LINT).assistant(FIXED);
  for (const told of [gated(whole), gated(whole, 3), context].map(summary)) {
    assert.equal(told?.summary, alone?.summary);
    assert.deepEqual(told?.decisions, alone?.decisions);
    assert.deepEqual(told?.next, alone?.next);
  }
});

Deno.test("summarizeSession() keeps a question that a stop hook sent the agent on from, and its reply", () => {
  const question = "Should the client use SQLite or Realm while it is offline?";
  const asking = gated(`Both would work for the mobile client. ${question}`);
  assert.deepEqual(summary(asking)?.openQuestions, [question]);
  const replied = summary(asking.user("SQLite").assistant("Good, SQLite it is."));
  assert.deepEqual(replied?.openQuestions, []);
  assert.ok(replied?.decisions.some((one) => one.includes("SQLite")), replied?.decisions.join());
});

Deno.test("summarizeSession() tells the whole report that a stop hook asked for, and not a bare 'done' before it", () => {
  const report =
    "The client keeps its orders in SQLite now, and sends them when it is online again. All 52 tests pass.";
  const told = summary(
    talk().user("Make the mobile client keep its orders while it is offline.")
      .assistant("", [{ name: "Edit", input: { file_path: "/p/src/orders.ts" }, result: "ok" }])
      .assistant("Done.").meta("Stop hook feedback:\nRun the tests first.")
      .assistant("", [{ name: "Bash", input: { command: "npm test" }, result: "52 passed" }])
      .assistant(report),
  );
  assert.match(told?.summary ?? "", /→ The client keeps its orders in SQLite now/);
});

Deno.test("summarizeSession() takes a turn that was cut off after a stop hook sent it on for cut off", () => {
  const whole = talk().user("Make the mobile client keep its orders while it is offline.")
    .assistant("The client keeps its orders in SQLite now.");
  assert.deepEqual(summary(whole)?.next, []);
  whole.meta(FEEDBACK).assistant("Let me fix them:", LINT);
  assert.deepEqual(summary(whole)?.next, [
    "Make the mobile client keep its orders while it is offline.",
  ]);
});

Deno.test("extractCheckpoint() has what a turn came to before a stop hook sent it on", () => {
  const whole = `${STORE} ${STEP}`;
  const extract = (builder: TranscriptBuilder) =>
    extractCheckpoint(turnsOf(builder), { effortMin: 0 });
  const alone = extract(talk().user(ASKED).assistant(whole));
  assert.match(alone?.thesis ?? "", /SQLite rather than Realm/);
  const told = extract(gated(whole));
  assert.equal(told?.thesis, alone?.thesis);
  assert.deepEqual(told?.decisions, alone?.decisions);
  assert.equal(told?.nextStep, alone?.nextStep);
});
