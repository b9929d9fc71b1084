/** After `sage uninstall --all` the client that still runs calls hooks that leave nothing behind. */
import assert from "node:assert/strict";
import { filesIn } from "../support/temp_store.ts";
import { put } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { type Event, payload, type Place, place, runHook, SESSION, testHook } from "./process.ts";

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
