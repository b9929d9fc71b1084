/** An event over the editor's connection: what a process would have said, and nothing that disturbs. */
import assert from "node:assert/strict";
import { answerTool } from "../../src/hook/answer_tool.ts";
import { queueEvents } from "../../src/hook/event_queue.ts";
import { closeOpened, type Opened } from "../../src/memory/memory.ts";
import { receipts } from "../support/receipts.ts";
import { sage } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { read } from "../support/world.ts";
import { converse, payload, place, runHook, SESSION, testHook } from "./process.ts";

/** As the client fills in what it was told to: all is text. */
function filledIn(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]),
  );
}

testHook(
  "a prompt gets the same answer as from a process, once, and silence is an empty object",
  async () => {
    const [by, over] = [place(), place()];
    const opened: Opened = { indexes: new Map() };
    const queue = queueEvents(opened);
    const title = "The offline notes are kept in the database SQLite";
    for (const on of [by, over]) {
      await sage(["init"], on);
      const stdin = "We chose SQLite over Realm for the offline notes.";
      await sage(["knowledge", "add", "-", "--title", title], { ...on, stdin });
      await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
    }
    const env = (name: string): string | undefined => name === "HOME" ? over.home : undefined;
    const ask = (fields: Record<string, unknown>) =>
      answerTool(
        filledIn({ ...payload(over, "user-prompt-submit", fields), agent_id: "" }),
        env,
        queue,
      );
    const prompt = "Which database did we choose for the offline notes, and why?";
    const told = await runHook(
      "user-prompt-submit",
      JSON.stringify(payload(by, "user-prompt-submit", { prompt })),
      by,
    );
    const unmarked = (text: string): string => text.replace(/(?<=recalled )\w+|\[\w{4}\]/g, "");
    const answer = await ask({ prompt });
    assert.match(answer, /SQLite/);
    assert.equal(unmarked(answer), unmarked(JSON.stringify(told.reply)));
    for (
      const silent of [prompt, "thanks", "Which colour should the garden fence have in spring?"]
    ) {
      assert.equal(await ask({ prompt: silent }), "{}");
    }
    await queue.settled();
    closeOpened(opened);
  },
);

testHook(
  "what is no event of ours, or of a subagent or a child, is answered with nothing",
  async () => {
    const on = place();
    // In a home without Sage all of it would be silent.
    await Deno.mkdir(`${on.home}/.sage/state`, { recursive: true });
    const opened: Opened = { indexes: new Map() };
    const queue = queueEvents(opened);
    const env = (name: string): string | undefined => name === "HOME" ? on.home : undefined;
    const child = (name: string): string | undefined => name === "SAGE_CHILD" ? "1" : env(name);
    const good = filledIn(payload(on, "stop"));
    for (
      const args of [
        undefined,
        null,
        "text",
        [],
        {},
        { ...good, hook_event_name: "SessionStart" },
        { ...good, hook_event_name: "constructor" },
        { ...good, session_id: "../../x" },
        { ...good, cwd: "" },
        { ...good, agent_id: "a1" },
        { ...good, transcript_path: "/etc/passwd" },
      ]
    ) assert.equal(await answerTool(args, env, queue), "{}", JSON.stringify(args));
    assert.equal(await answerTool(good, child, queue), "{}");
    assert.equal(await answerTool(good, () => undefined, queue), "{}");
    await queue.settled();
    closeOpened(opened);
    assert.deepEqual(receipts(on.home).map(({ hook, outcome, error }) => [hook, outcome, error]), [
      ["stop", "failed", "unfit_payload"],
      ["stop", "failed", "unfit_payload"],
      ["stop", "done", undefined],
    ]);
  },
);

testHook("a subagent's report over the connection is noted", async () => {
  const on = place();
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  const opened: Opened = { indexes: new Map() };
  const queue = queueEvents(opened);
  const env = (name: string): string | undefined => name === "HOME" ? on.home : undefined;
  const report = { agent_id: "a0f1", last_assistant_message: "It was the parser." };
  const args = filledIn(payload(on, "subagent-stop", report));
  assert.equal(await answerTool(args, env, queue), "{}");
  await queue.settled();
  closeOpened(opened);
  assert.match(read(`${on.home}/.sage/state/instances/${SESSION}.json`), /It was the parser\./);
});

Deno.test("queueEvents() begins an event when what the one before left for later is over", async () => {
  const queue = queueEvents({ indexes: new Map() });
  const done: string[] = [];
  const events = ["first", "second"].map((name) =>
    queue.run((served) => {
      done.push(name);
      served.later(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        done.push(`after ${name}`);
        // Whatever becomes of it, the next is not held up.
        throw new Error("a disk that is full");
      });
      return Promise.resolve({ context: name });
    })
  );
  assert.deepEqual(await Promise.all(events), [{ context: "first" }, { context: "second" }]);
  await queue.settled();
  assert.deepEqual(done, ["first", "after first", "second", "after second"]);
});

testHook(
  "a stop after our own ask is known as one, whether the client fills in a word or a value",
  async () => {
    for (const stop_hook_active of ["true", true]) {
      const on = place();
      converse(on, "findings that come together");
      await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
      const opened: Opened = { indexes: new Map() };
      const queue = queueEvents(opened);
      const env = (name: string): string | undefined => name === "HOME" ? on.home : undefined;
      const args = { ...filledIn({ ...payload(on, "stop"), agent_id: "" }), stop_hook_active };
      assert.equal(await answerTool(args, env, queue), "{}");
      await queue.settled();
      closeOpened(opened);
      const state = `${on.home}/.sage/state`;
      const log = filesIn(state).filter((name) => name.startsWith("log/"));
      assert.match(
        log.map((name) => read(`${state}/${name}`)).join(""),
        /"gate":"stop hook active"/,
      );
    }
  },
);
