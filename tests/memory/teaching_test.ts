/** Explanations that fade, per concept, and the four levels of how much a person sees. */
import assert from "node:assert/strict";
import { recallKnowledgeTool } from "../../src/mcp/tools/knowledge.ts";
import { noticeOf } from "../../src/memory/notice.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { setSetting } from "../../src/memory/settings.ts";
import { explain, forgetMeetings, isExplained } from "../../src/memory/teaching.ts";
import { checkpoint, knowledge, read, SESSION, type World, world } from "../support/world.ts";

async function at(on: World, level: string) {
  await setSetting(on.memory, "output.level", level);
  return await on.open();
}

Deno.test("a concept is explained in full, then in one line up to the fifth time, then not at all", async () => {
  using on = await world();
  const told = Array.from({ length: 8 }, () => explain(on.memory, "surfacing").join(" "));
  assert.match(told[0] ?? "", /^The agent was shown .*surfacing\.enabled/);
  assert.deepEqual(new Set(told.slice(1, 5)).size, 1);
  assert.ok((told[1] ?? "").length < (told[0] ?? "").length / 2, told[1]);
  assert.deepEqual(told.slice(5), ["", "", ""]);
  assert.match(explain(on.memory, "checkpoint").join(" "), /^A checkpoint keeps/, "each by itself");
  assert.match(read(`${on.home}/.sage/state/seen/surfacing.json`), /"count":5/);

  assert.equal(forgetMeetings(on.memory, "surfacing"), true);
  assert.equal(explain(on.memory, "surfacing").join(" "), told[0]);
});

Deno.test("silent prints nothing, transparent says what and why, and educational always explains everything", async () => {
  using on = await world();
  const account = 'showed "Oak" (it names "oak")';
  const notices = async (level: string) => {
    const memory = await at(on, level);
    return Array.from({ length: 7 }, () => noticeOf(memory, "surfacing", account).notice ?? "");
  };
  assert.deepEqual(new Set(await notices("silent")), new Set([""]));
  const transparent = await notices("transparent");
  assert.match(
    transparent[0] ?? "",
    /^Sage: showed "Oak" \(it names "oak"\)\. The agent was shown/,
  );
  assert.equal(transparent.at(-1), `Sage: ${account}.`);
  const educational = new Set(await notices("educational"));
  assert.equal(educational.size, 1);
  assert.match([...educational][0] ?? "", /showed "Oak".*surfacing\.enabled/);
  assert.deepEqual(new Set(await notices("subtle")), new Set([""]), "met often enough by now");
});

Deno.test("a notice is one bounded line without control characters", async () => {
  using on = await world();
  const memory = await at(on, "transparent");
  const { notice = "" } = noticeOf(
    memory,
    "surfacing",
    `showed "a\u001b[31m\nb${"c".repeat(900)}"`,
  );
  assert.ok(notice.length <= 400);
  // deno-lint-ignore no-control-regex -- that there is none is the point
  assert.doesNotMatch(notice, /[\u0000-\u001f]/);
});

Deno.test("explanations in an orientation follow the same rules", async () => {
  using on = await world();
  await checkpoint(on.memory);
  const text = async (level: string) =>
    (await orient(await at(on, level), SESSION, "startup"))?.text;
  assert.doesNotMatch(await text("silent") ?? "", /saved by itself/);
  assert.match(await text("subtle") ?? "", /saved by itself/);
  for (let n = 0; n < 5; n++) await text("subtle");
  assert.doesNotMatch(await text("subtle") ?? "", /saved by itself|saves on request/);
  assert.match(await text("educational") ?? "", /saved by itself/);
  assert.equal(isExplained(await at(on, "subtle"), "orientation"), true);
});

Deno.test("sage_recall_knowledge shows the calculation in transparent mode, and tips unless silent", async () => {
  using on = await world();
  await knowledge(on.memory, "Oak", "An oak grows for three hundred years.", { keywords: ["oak"] });
  const ask = async (level: string, query: string) => {
    const answer = await recallKnowledgeTool.run(await at(on, level), { query });
    return JSON.stringify(answer);
  };
  const known = "how long does an oak grow";
  assert.doesNotMatch(await ask("subtle", known), /logistic/);
  assert.match(await ask("transparent", known), /"why":"logistic\(/);
  // The best that there is stands just below.
  await setSetting(on.memory, "retrieval.recall_threshold", "0.99");
  assert.match(await ask("subtle", known), /Lever, the person's: `sage config set/);
  assert.doesNotMatch(await ask("silent", known), /Lever/);
});
