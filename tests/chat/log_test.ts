/** A conversation that is not over, on disk: one process has it, and nothing of it is lost. */
import assert from "node:assert/strict";
import { dropLeft, openLog, takeLeft, unendedTalks } from "../../src/chat/log.ts";
import { newTalk, type Said, type Talk } from "../../src/chat/talk.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { NOW, put, read, world } from "../support/world.ts";

Deno.test("a conversation that was cut short goes to one of two that ask for it", async () => {
  using on = await world();
  leave(on.memory, talkOf("Which database?"));
  const [first, second] = [takeLeft(on.memory), takeLeft(await on.open())];
  assert.deepEqual([first.length, second.length], [1, 0]);
  for (const left of first) dropLeft(on.memory, left);
});

Deno.test("what was forgotten while it is said ends no conversation, and stays forgotten", async () => {
  using on = await world();
  const talk = talkOf("Which database?");
  const log = await openLog(on.memory, talk.id);
  await log.keep(talk);
  await Deno.remove(pathOf(on.memory, talk));
  const more = { ...talk, said: [...talk.said, saidOf("And which index?")] };
  await log.keep(more);
  const kept = read(pathOf(on.memory, talk));
  assert.ok(kept.includes("And which index?") && !kept.includes("Which database?"), kept);
  await Deno.remove(pathOf(on.memory, talk));
  log.end();
});

Deno.test("what is taken up stays on disk, and what is said then stands behind it", async () => {
  using on = await world();
  const talk = talkOf("Which database?", "Why?");
  leave(on.memory, talk, '{"role":"user","content":"And wh');
  const [left] = takeLeft(on.memory);
  assert.ok(left);
  const log = await openLog(on.memory, left.id, left);
  assert.ok(read(pathOf(on.memory, talk)).includes("Which database?"));
  await log.keep({ ...talk, said: [...left.said, saidOf("And which index?")] });
  const said = unendedTalks(on.memory)[0]?.said.map(({ content }) => content);
  assert.deepEqual(said, ["Which database?", "Why?", "And which index?"]);
  log.end();
  assert.deepEqual([unendedTalks(on.memory), takeLeft(on.memory)], [[], []]);
});

function saidOf(content: string): Said {
  return { role: "user", content, at: NOW };
}

function talkOf(...questions: string[]): Talk {
  return { ...newTalk(), said: questions.map(saidOf) };
}

/** As a process that was killed leaves it. */
function leave(memory: Memory, talk: Talk, torn = ""): void {
  const lines = [{ project: memory.places.projectId }, ...talk.said];
  put(pathOf(memory, talk), lines.map((line) => JSON.stringify(line) + "\n").join("") + torn);
}

function pathOf({ places }: Memory, { id }: Talk): string {
  return `${places.stateDir}/chats/${id}.jsonl`;
}
