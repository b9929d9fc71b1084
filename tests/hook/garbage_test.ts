/** R9: whatever stands on stdin, the hook ends well and says nothing that is not whole. */
import assert from "node:assert/strict";
import { HOOK_INPUT_BYTES_MAX } from "../../src/base/limits.ts";
import { depth } from "../support/depth.ts";
import { sage } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { conversation } from "../support/world.ts";
import { bent, garbage } from "./garbage.ts";
import { EVENTS, inPairs, payload, place, runHook, testHook } from "./process.ts";

const BENT = depth(4, 300);
const SEED = Number(Deno.env.get("SAGE_TEST_SEED") ?? "20260113");

for (const event of EVENTS) {
  testHook(`sage hook ${event} bears whatever comes on stdin`, async () => {
    const on = place();
    await Deno.writeTextFile(on.transcript, conversation("It stalls.").text());
    const good = payload(on, event);
    const others = EVENTS.filter((other) => other !== event).map((other) => payload(on, other));
    const inputs = [
      ...garbage(good, others),
      ...Array.from({ length: BENT }, (_, n) => bent(good, SEED + n)),
    ];
    await inPairs(inputs.map(({ name, bytes }) => async () => {
      try {
        await runHook(event, bytes, { home: on.home, cwd: on.cwd });
      } catch (cause) {
        throw new Error(`${event}, ${name}`, { cause });
      }
    }));
    assert.deepEqual(filesIn(on.cwd), [], "nothing is made in a project without a store");
    const outside = filesIn(on.home).filter((name) => !/^\.(?:sage|claude)\//.test(name));
    assert.deepEqual(outside, []);
  });
}

testHook("sage hook says nothing to events that it does not know", async () => {
  const on = place();
  const names = [
    "",
    "nope",
    "SessionStart",
    "__proto__",
    "constructor",
    "../stop",
    "stop\n",
    "--help",
  ];
  for (const name of names) {
    const { reply } = await runHook(name, JSON.stringify(payload(on, "session-start")), on);
    assert.equal(reply, undefined, name);
  }
  assert.deepEqual(filesIn(on.home), []);
});

/** What a day of garbage left in the log, and what is said of it. */
interface Day {
  readonly log: readonly Record<string, unknown>[];
  readonly status: string;
}

/** A home in use, in which these came: event, what stood on stdin, how often. */
async function after(
  ...came: readonly (readonly [event: string, text: string, times?: number])[]
): Promise<Day> {
  const on = place();
  await sage(["init"], on);
  for (const [event, text, times = 1] of came) {
    for (let n = 0; n < times; n++) await runHook(event, text, on);
  }
  const folder = `${on.home}/.sage/state/log`;
  const log = filesIn(folder).flatMap((name) =>
    Deno.readTextFileSync(`${folder}/${name}`).trim().split("\n")
  ).map((line) => JSON.parse(line)).filter(({ event }) => event === "hook");
  return { log, status: (await sage(["status"], on)).stdout };
}

testHook("what a hook can make nothing of leaves a line, and a storm of it three", async () => {
  const on = place();
  const unfit = JSON.stringify(payload(on, "stop", { session_id: "../quetzal" }));
  const good = JSON.stringify(payload(on, "stop"));
  const { log } = await after(
    ["stop", "quetzal{", 5],
    ["quetzal", good, 5],
    ["stop", unfit],
    ["stop", good],
    ["stop", ""],
  );
  const unreadable = ["stop", "failed", "unreadable_payload"];
  const unknown = [undefined, "failed", "unknown_event"];
  assert.deepEqual(log.map(({ hook, outcome, error }) => [hook, outcome, error]), [
    ...[unreadable, unreadable, unreadable],
    ...[unknown, unknown, unknown],
    ["stop", "failed", "unfit_payload"],
    ["stop", "done", undefined],
    unreadable,
  ]);
  for (const line of log) assert.doesNotMatch(JSON.stringify(line), /quetzal|stack/);
});

testHook("a payload without end is refused", async () => {
  const on = place();
  const endless = JSON.stringify(
    payload(on, "stop", { padding: "x".repeat(HOOK_INPUT_BYTES_MAX) }),
  );
  const { log } = await after(["stop", endless]);
  assert.deepEqual(log.map(({ error }) => error), ["unreadable_payload"]);
});

testHook("a storm that goes on past midnight is the same storm", async () => {
  const on = place();
  await sage(["init"], on);
  const folder = `${on.home}/.sage/state/log`;
  const lines = (): string[] =>
    filesIn(folder).flatMap((name) =>
      Deno.readTextFileSync(`${folder}/${name}`).match(/unreadable_payload/g) ?? []
    );
  for (let n = 0; n < 3; n++) await runHook("stop", "{", on);
  const [today = ""] = filesIn(folder);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await Deno.rename(`${folder}/${today}`, `${folder}/${yesterday}.jsonl`);
  await runHook("stop", "{", on);
  assert.equal(lines().length, 3);
});

testHook(
  "an editor that is not understood is told by sage status, an unknown event is not",
  async () => {
    const { status } = await after(["stop", "{", 4], ["nope", "{}", 4]);
    assert.match(status, /the last 3 hooks failed: unreadable_payload/);
    const { status: fine } = await after(["nope", "{}", 4]);
    assert.doesNotMatch(fine, /failed/);
  },
);

testHook("what was refused for its size or shape leaves no trace of its content", async () => {
  const on = place();
  const canary = "quetzalcanary";
  for (const event of EVENTS) {
    for (const text of [`{"${canary}":`, JSON.stringify({ [canary]: canary }), canary]) {
      await runHook(event, text, on);
    }
    const hostile = payload(on, event, { session_id: `../${canary}`, reason: canary });
    await runHook(event, JSON.stringify(hostile), on);
  }
  for (const name of filesIn(on.home)) {
    const text = await Deno.readTextFile(`${on.home}/${name}`);
    assert.ok(!`${name}${text}`.includes(canary), `${name}: ${text}`);
  }
});
