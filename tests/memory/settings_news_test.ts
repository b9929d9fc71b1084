/** Settings that do not count are told to the person when a session starts: once a day, three times. */
import assert from "node:assert/strict";
import { orientSession } from "../../src/hook/orient_session.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { prepareOrientation } from "../../src/memory/session/orientation/prepare.ts";
import { preparedName } from "../../src/memory/session/orientation/prepared.ts";
import { settingsNews } from "../../src/memory/session/orientation/settings_news.ts";
import { markAnnounced } from "../../src/memory/question/announced.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { readState, writeState } from "../../src/store/state.ts";
import { DAY, hookInput, PERSON, put, type World, world } from "../support/world.ts";

/** The start of a new session. */
async function start(on: World): Promise<string> {
  const reply = await orientSession(
    hookInput(on, { sessionId: crypto.randomUUID(), source: "startup" }),
    (name) => on.env[name],
  );
  return reply.notice ?? "";
}

Deno.test("a tuning.yaml that does not count is told when a session starts, and not to the next one", async () => {
  using on = await world();
  await addTodo(on.memory, { content: "measure it" }, PERSON);
  assert.doesNotMatch(await start(on), /settings/);
  put(`${on.home}/.sage/tuning.yaml`, "detection.mode: off\nretrieval: [\n");
  const notice = await start(on);
  assert.match(notice, /Not all of your settings count\. .*tuning\.yaml: 2:12 the bracket \[ is/);
  assert.doesNotMatch(await start(on), /settings/);
  // Another problem is another matter.
  put(`${on.home}/.sage/tuning.yaml`, "detection.mode: never\n");
  assert.match(await start(on), /detection\.mode is "never", .* is wanted; ignored/);
  on.env["SAGE_OUTPUT_LEVEL"] = "silent";
  put(`${on.home}/.sage/tuning.yaml`, "detection.mode: perhaps\n");
  assert.doesNotMatch(await start(on), /settings/);
});

Deno.test("settings that do not count are told on three days, by what was prepared as well", async () => {
  using on = await world({ tuning: "detection.mode: never\n" });
  await addTodo(on.memory, { content: "measure it" }, PERSON);
  const { fs, places } = on.memory;
  writeState(fs, places.stateDir, "seen/orientation.json", { count: 9 });
  await refreshAll(on.memory);
  for (let day = 0; day < 5; day++) {
    const { sentence, ids } = settingsNews(on.memory);
    assert.equal(sentence !== "", day < 3, `day ${day}`);
    await prepareOrientation(on.memory, on.cwd);
    const made = readState<Record<string, unknown>>(fs, places.stateDir, preparedName(on.cwd));
    assert.equal(String(made?.["notice"]).includes("settings count"), day < 3, `day ${day}`);
    assert.deepEqual(made?.["asked"], ids);
    assert.equal(made?.["until"] !== undefined, day < 3, "the next day it is told again");
    markAnnounced(fs, places.stateDir, on.memory.now(), ids);
    assert.equal(settingsNews(on.memory).sentence, "");
    on.later(DAY);
  }
});
