/** `sage admin feedback`: inspectable, and resettable. */
import assert from "node:assert/strict";
import { binary, builtTest as test, scratch } from "../support/sage.ts";
import { put } from "../support/world.ts";

const FEEDBACK = ["admin", "feedback"];

test("shows the verdicts by trigger and where the thresholds stand", async () => {
  const place = scratch();
  await binary(["init"], place);
  const draft = {
    core_question: "Why does it stall?",
    thesis: "The importer stalls because it collects every row before it writes one.",
    trigger: "synthesis",
  };
  const env = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };
  const stdin = JSON.stringify(draft);
  await binary(["checkpoint", "save", "-"], { ...place, env, stdin });
  await binary(["load"], place);
  const { stdout, code } = await binary(FEEDBACK, place);
  assert.equal(code, 0);
  assert.match(stdout, /^trigger +saved +used +removed +unused\n/);
  assert.match(stdout, /\nsynthesis +1 +1 +0 +0\n/);
  assert.match(stdout, /\ndetection\.structural_alone = 0\.\d+ \(default\)\n/);
  const { tallies, proposals } = JSON.parse((await binary([...FEEDBACK, "--json"], place)).stdout);
  assert.deepEqual([tallies.synthesis.used, proposals], [1, []]);
  const removed = await binary(["checkpoint", "rm", "the-importer"], place);
  assert.equal(removed.code, 3, "an id begins with its date");
});

test("what was learned is explained by config, and forgotten with --reset", async () => {
  const place = scratch();
  await binary(["init"], place);
  const path = `${place.home}/.sage/state/feedback/learned.json`;
  const usual = JSON.parse(
    (await binary(["config", "get", "detection.structural_alone", "--json"], place)).stdout,
  ).setting.value;
  put(path, JSON.stringify({ "detection.structural_alone": usual - 0.02 }));
  const explained = await binary(["config", "explain", "detection.structural_alone"], place);
  assert.match(explained.stdout, /→ 0\.\d+ {2}\(learned, .*learned\.json\)\n.*\(default\)/);
  assert.match(
    (await binary(FEEDBACK, place)).stdout,
    /structural_alone = 0\.\d+, learned \(0\.\d+ by/,
  );
  const reset = await binary([...FEEDBACK, "--reset"], place);
  assert.equal(reset.stdout, "What was learned is forgotten.\n");
  const after = await binary(["config", "explain", "detection.structural_alone"], place);
  assert.doesNotMatch(after.stdout, /learned/);
});

test("accepting a phrase and forgetting everything are not done at once", async () => {
  const place = scratch();
  await binary(["init"], place);
  const path = `${place.home}/.sage/state/feedback/learned.json`;
  put(path, "{}");
  const both = await binary([...FEEDBACK, "--accept", "put a pin in that", "--reset"], place);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--accept and --reset exclude each other/);
  assert.equal(await Deno.readTextFile(path), "{}");
});

test("a phrase that is not proposed is not added", async () => {
  const place = scratch();
  await binary(["init"], place);
  const { code, stderr } = await binary([...FEEDBACK, "--accept", "put a pin in that"], place);
  assert.equal(code, 3);
  assert.match(stderr, /is not proposed; nothing was added/);
});
