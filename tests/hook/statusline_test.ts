/** The status line as the editor calls it: one bounded line and exit code 0, whatever comes on stdin. */
import assert from "node:assert/strict";
import { sage } from "../support/sage.ts";
import { conversation } from "../support/world.ts";
import { garbage } from "./garbage.ts";
import {
  BINARY,
  inPairs,
  payload,
  type Place,
  place,
  runHook,
  SESSION,
  testHook,
} from "./process.ts";
import { run } from "../support/within.ts";

const CAPTURED = JSON.parse(
  Deno.readTextFileSync(new URL("../fixture/claude-code/statusline.json", import.meta.url)),
);

async function lineOf(
  on: Place,
  stdin: string | Uint8Array,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(BINARY, {
    args: ["statusline"],
    cwd: "/",
    env: { HOME: on.home, ...env },
    clearEnv: true,
    input: stdin,
  });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^(?:[^\n]+\n)?$/, "one line or none");
  return stdout.trimEnd();
}

function captured(on: Place, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    ...CAPTURED,
    session_id: SESSION,
    cwd: on.cwd,
    workspace: { ...CAPTURED.workspace, project_dir: on.cwd },
    ...fields,
  });
}

async function started(): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  await Deno.writeTextFile(on.transcript, conversation("It stalls.").text());
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  return on;
}

testHook("sage statusline takes the stdin that was captured, and follows the session", async () => {
  const on = await started();
  assert.equal(await lineOf(on, captured(on)), "sage: nothing to save yet");
  await sage(["todo", "add", "Measure the cache"], on);
  assert.equal(await lineOf(on, captured(on)), "sage: nothing to save yet · 1 todo");
  await sage(["knowledge", "add", "-", "--title", "Retries of webhooks", "--keywords", "webhook"], {
    ...on,
    stdin: "A webhook is retried 5 times, then it goes to the dead letter table.",
  });
  const prompt = "What happens to a webhook when the customer's server is down?";
  await runHook(
    "user-prompt-submit",
    JSON.stringify(payload(on, "user-prompt-submit", { prompt })),
    on,
  );
  await runHook("pre-compact", JSON.stringify(payload(on, "pre-compact")), on);
  assert.match(
    await lineOf(on, captured(on)),
    /^sage: saved \d+ s ago · 1 note recalled · 1 todo$/,
  );
  const elsewhere = captured(on, { session_id: "99999999-0000-4000-8000-000000000009" });
  assert.equal(await lineOf(on, elsewhere), "sage: no hook has run in this session");
});

testHook("sage statusline is silent where the person wants silence, but for trouble", async () => {
  const on = await started();
  await sage(["config", "set", "output.level", "silent"], on);
  assert.equal(await lineOf(on, captured(on)), "");
  const day = new Date().toISOString().slice(0, 10);
  const failed = JSON.stringify({
    at: new Date().toISOString().slice(0, 19) + "Z",
    event: "hook",
    hook: "stop",
    outcome: "failed",
    error: "disk_full \u001b[31m" + "x".repeat(500),
  });
  await Deno.writeTextFile(`${on.home}/.sage/state/log/${day}.jsonl`, `${failed}\n`.repeat(3), {
    append: true,
  });
  const line = await lineOf(on, captured(on));
  assert.match(line, /^sage: the last 3 hooks failed: disk_full x+…$/);
  assert.ok(line.length <= 80, line);
  assert.ok((await lineOf(on, captured(on), { COLUMNS: "30" })).length <= 30);
  assert.ok((await lineOf(on, captured(on), { COLUMNS: "9999" })).length <= 200);
});

testHook("sage statusline outlives whatever comes on stdin", async () => {
  const on = await started();
  await inPairs(
    garbage(JSON.parse(captured(on)), []).map(({ bytes }) => async () => {
      const line = await lineOf(on, bytes);
      assert.ok(line.length <= 80, line);
      // deno-lint-ignore no-control-regex -- that there is none is the point
      assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u202e]|\/etc|<private>/);
    }),
  );
});

testHook("sage statusline settles nowhere that Sage has not been", async () => {
  const on = place();
  assert.equal(await lineOf(on, captured(on)), "sage: no hook has run in this session");
  const there = await Array.fromAsync(Deno.readDir(on.home));
  assert.deepEqual(there.map(({ name }) => name), [".claude"]);
});
