/** R9: whatever stands on stdin, the hook ends well and says nothing that is not whole. */
import assert from "node:assert/strict";
import { depth } from "../support/depth.ts";
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
