/** After `sage uninstall --all` the client that still runs calls hooks that leave nothing behind. */
import assert from "node:assert/strict";
import { isUninstalled } from "../../src/hook/uninstalled.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { type Event, payload, type Place, place, runHook, SESSION, testHook } from "./process.ts";

const FIXTURES = new URL("../fixture/", import.meta.url).pathname;
const PROMPT = "Why does the importer of orders stall on large files in the nightly job?";

function conversation(): Place {
  const on = place();
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true })
    .user(PROMPT).assistant("It reads all rows before it writes the first one.");
  put(on.transcript, said.text());
  return on;
}

const LATER: readonly (readonly [event: Event, fields: Record<string, string>])[] = [
  ["user-prompt-submit", { prompt: PROMPT }],
  ["stop", {}],
  ["subagent-stop", {}],
  ["pre-compact", { trigger: "auto" }],
  ["session-start", { source: "compact" }],
  ["session-start", { source: "clear" }],
  ["session-end", { reason: "other" }],
];

for (const [event, fields] of LATER) {
  testHook(
    `sage hook ${event} ${fields.source ?? ""} leaves nothing where Sage was taken out`,
    async () => {
      const on = conversation();
      const told = JSON.stringify(payload(on, event, fields));
      assert.equal((await runHook(event, told, { home: on.home })).reply, undefined);
      assert.deepEqual(filesIn(on.home).filter((path) => path.startsWith(".sage")), []);
    },
  );
}

Deno.test("isTakenOut() knows replies in a conversation of each agent that tells of prompts", () => {
  const stateDir = `${tempDir()}/.sage/state`;
  const chats = `${FIXTURES}gemini/chats/session-2026-11-22T03-10-00000003.jsonl`;
  const rollouts = `${FIXTURES}codex/sessions`;
  const files = [chats, ...filesIn(rollouts).map((name) => `${rollouts}/${name}`)];
  const prompt = { event: "user-prompt-submit", sessionId: SESSION, cwd: "/p" } as const;
  for (const transcriptPath of files) {
    assert.equal(isUninstalled({ ...prompt, transcriptPath }, stateDir), true, transcriptPath);
  }
  const begun = `${stateDir}.jsonl`;
  put(begun, read(chats).split("\n").slice(0, 3).join("\n"));
  assert.equal(isUninstalled({ ...prompt, transcriptPath: begun }, stateDir), false);
});

testHook("sage hook captures on where somebody deleted the state alone", async () => {
  const on = conversation();
  put(`${on.home}/.sage/projects.yaml`, "projects: []\n");
  const told = JSON.stringify(payload(on, "pre-compact", { trigger: "auto" }));
  await runHook("pre-compact", told, { home: on.home });
  assert.equal(filesIn(`${on.home}/.sage/checkpoints`).length, 1);
});

testHook(
  "sage hook takes a first prompt for a beginning, where a client told of none",
  async () => {
    const on = place();
    const told = JSON.stringify(payload(on, "user-prompt-submit", { prompt: PROMPT }));
    const { reply } = await runHook("user-prompt-submit", told, { home: on.home });
    assert.match(JSON.stringify(reply), /no earlier session to go on from/);
  },
);
