/** A stop while the client still writes: what is weighed is what was said, not what is on disk by then. */
import assert from "node:assert/strict";
import { TRANSCRIPT_TAIL_BYTES } from "../../src/base/limits.ts";
import { LABELLED } from "../support/labelled.ts";
import { put } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { converse, payload, type Place, place, runHook, SESSION, testHook } from "./process.ts";

testHook("a reply that the file is behind by is weighed; next to nothing said is not", async () => {
  const on = installed();
  const [first, ways] = LABELLED["a choice laid out and taken"] ?? [];
  assert.ok(first !== undefined && ways?.label === "branch_point");
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
  const stop = async (reply: string) => {
    put(on.transcript, said.text());
    const told = payload(on, "stop", { last_assistant_message: reply });
    return (await runHook("stop", JSON.stringify(told), { home: on.home })).reply;
  };
  said.user(first.prompt).assistant(first.answer);
  assert.equal(await stop(first.answer), undefined);
  said.user("thanks");
  assert.equal(await stop("You are welcome."), undefined);
  assert.match(receipts(on.home), /"gate":"nothing new"/);
  said.user(ways.prompt);
  assert.match(JSON.stringify(await stop(ways.answer)), /Call sage_autosave_check once/);
  // What an ask costs is counted.
  assert.match(receipts(on.home), /"hook":"stop"[^\n]*"tokens":[1-9]/);
});

testHook("much done in few words is looked at", async () => {
  const on = installed();
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
  const stop = async (): Promise<void> => {
    put(on.transcript, said.text());
    const told = payload(on, "stop", { last_assistant_message: "Done." });
    await runHook("stop", JSON.stringify(told), { home: on.home });
  };
  said.user("How does the export work?").assistant("It writes the rows at night.");
  await stop();
  const result = "a line that a build printed\n".repeat(250);
  said.user("Build it.").assistant("Done.", [{ name: "Bash", input: { command: "make" }, result }]);
  await stop();
  assert.doesNotMatch(receipts(on.home), /nothing new/);
});

testHook("of a save at a window that fills up the person is told why it was made", async () => {
  const on = installed();
  converse(on, "findings that come together");
  const told = JSON.stringify(payload(on, "stop", { last_assistant_message: undefined }));
  const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "15000" };
  const { reply } = await runHook("stop", told, { home: on.home, env });
  assert.match(receipts(on.home), /"gate":"context at \d+ %","save":"saved"/);
  assert.match(String(reply?.systemMessage), /The context window fills up/);
});

testHook("a conversation that goes on in a shorter file is looked at", async () => {
  const on = installed();
  const stop = async (times: number) => {
    const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
    said.user("How does the export work?").assistant("It writes the rows at night. ".repeat(times));
    put(on.transcript, said.text());
    const told = payload(on, "stop", { last_assistant_message: "" });
    await runHook("stop", JSON.stringify(told), { home: on.home });
  };
  // The first may ask, the second is the answer to that.
  for (const times of [1000, 1001, 100]) await stop(times);
  assert.doesNotMatch(receipts(on.home), /nothing new/);
});

testHook(
  "next to nothing is refused in a long conversation too, for what was read is not weighed again",
  async () => {
    const on = installed();
    const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
    said.user("How does the export work?").assistant("It writes the rows at night. ".repeat(1000));
    // The first may ask, the second is the answer to that.
    for (const more of ["Thanks.", "Fine.", "Good."]) {
      put(on.transcript, said.text());
      const told = payload(on, "stop", { last_assistant_message: "" });
      await runHook("stop", JSON.stringify(told), { home: on.home });
      said.user(more);
    }
    assert.match(receipts(on.home), /nothing new/);
  },
);

testHook("in an unattended run nobody is asked: the last reply is the answer", async () => {
  const on = installed();
  const [first, ways] = LABELLED["a choice laid out and taken"] ?? [];
  assert.ok(first !== undefined && ways?.label === "branch_point");
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
  said.user(first.prompt).assistant(first.answer).user(ways.prompt).assistant(ways.answer);
  put(on.transcript, said.text());
  const told = JSON.stringify(payload(on, "stop", { last_assistant_message: ways.answer }));
  const env = { CLAUDE_CODE_SESSION_ATTENDED: "0" };
  const { reply } = await runHook("stop", told, { home: on.home, env });
  assert.equal(reply?.hookSpecificOutput, undefined);
  const saved = /branch_point 0\.\d+, unattended","save":"saved","note":"later"/;
  assert.match(receipts(on.home), saved);
  // What saved has done enough: the session's note is the next stop's.
  said.user("And how is that tested?").assistant("By hand so far. ".repeat(30));
  put(on.transcript, said.text());
  await runHook("stop", told, { home: on.home, env });
  assert.match(receipts(on.home), /"note":"written"/);
});

testHook("turns that stand above one endless line are found", async () => {
  const on = installed();
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
  said.user("How does the export work?").assistant("It writes the rows at night.");
  const printed = JSON.stringify({ type: "attachment", text: "x".repeat(TRANSCRIPT_TAIL_BYTES) });
  put(on.transcript, `${said.text()}${printed}\n`);
  const told = payload(on, "stop", { last_assistant_message: "" });
  await runHook("stop", JSON.stringify(told), { home: on.home });
  assert.match(receipts(on.home), /"gate"/);
  assert.doesNotMatch(receipts(on.home), /"no turns"/);
});

/** A home that Sage was installed in; elsewhere a stop in the middle of a conversation leaves nothing. */
function installed(): Place {
  const on = place();
  Deno.mkdirSync(`${on.home}/.sage/state`, { recursive: true });
  return on;
}

function receipts(home: string): string {
  const log = `${home}/.sage/state/log`;
  return [...Deno.readDirSync(log)].map(({ name }) => Deno.readTextFileSync(`${log}/${name}`)).join(
    "",
  );
}
