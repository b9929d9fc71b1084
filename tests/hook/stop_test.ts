/** A stop while the client still writes: what is weighed is what was said, not what is on disk by then. */
import assert from "node:assert/strict";
import { LABELLED } from "../support/labelled.ts";
import { put } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { payload, place, runHook, SESSION, testHook } from "./process.ts";

testHook("a reply that the file is behind by is weighed; next to nothing said is not", async () => {
  const on = place();
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
  assert.equal((await stop(ways.answer))?.decision, "block");
});

function receipts(home: string): string {
  const log = `${home}/.sage/state/log`;
  return [...Deno.readDirSync(log)].map(({ name }) => Deno.readTextFileSync(`${log}/${name}`)).join(
    "",
  );
}
