/** `sage admin calibrate` underneath: what is fitted, judged, kept, and what is refused. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { calibrateModel, type CalibrateRequest } from "../../src/memory/model/calibrate.ts";
import { pull } from "../../src/memory/model/pull.ts";
import { useModel } from "../../src/memory/model/use.ts";
import { TINY, writeBert } from "../support/bert_model.ts";
import { openEmbeddings } from "../support/embeddings_server.ts";
import { tempDir } from "../support/temp_store.ts";
import { type World, world } from "../support/world.ts";

const QUIET = (): void => {};

Deno.test("calibrateModel() judges the built-in model, and stores nothing of it", async () => {
  using on = await world();
  const result = await calibrateModel(on.memory, asking("static"));
  assert.equal(result.stored, false);
  assert.ok(result.found > 20, `${result.found} found`);
  // What a mapping promises must hold on pairs that it has not seen.
  const { unrelated_below, nothing_wrong, edits_reached } = result.held_out;
  assert.ok(unrelated_below > 0.85 && nothing_wrong > 0.85, JSON.stringify(result.held_out));
  assert.ok(edits_reached > 0.6, JSON.stringify(result.held_out));
});

Deno.test("calibrateModel() keeps what it fitted on own pairs, and a dry run does not", async () => {
  await using server = openEmbeddings();
  using on = await world();
  const name = `${server.base}#words`;
  await useModel(await on.open({ confine: () => true }), name, QUIET);
  const pairs = own(
    on,
    CALIBRATION_ROWS.map(({ note, edited }) => ({
      note,
      // Questions in the same words, which a sum of words can answer.
      question: edited.split(" ").slice(0, 5).join(" "),
      edited,
    })),
  );
  const before = calibration(on);
  const dry = await calibrateModel(on.memory, { ...asking(name), pairs, dryRun: true });
  assert.deepEqual([dry.stored, calibration(on)], [false, before]);
  assert.deepEqual(dry.before, before);
  const kept = await calibrateModel(on.memory, { ...asking(name), pairs });
  assert.deepEqual([kept.stored, calibration(on)], [true, kept.knots]);
  assert.notDeepEqual(kept.knots, before);
  // Nothing else that was learnt is lost, and the same pairs give the same.
  const again = await calibrateModel(on.memory, { ...asking(name), pairs });
  assert.deepEqual(again.knots, kept.knots);
  const memory = await on.open({ confine: () => true });
  assert.notEqual(memory.embedder(), memory.builtIn());
  assert.equal(memory.embedder().calibrate(kept.knots[2]?.[0] ?? 0), 0.7);
});

Deno.test("calibrateModel() refuses a model that finds nothing, and leaves what was there", async () => {
  using on = await world();
  const folder = tempDir();
  writeBert(folder, TINY);
  const prefixes = { queryPrefix: undefined, documentPrefix: undefined };
  await pull(on.memory, { what: folder, folder, name: "tiny", ...prefixes, onProgress: QUIET });
  const path = `${on.home}/.sage/models/tiny/model.json`;
  const before = await Deno.readTextFile(path);
  await assert.rejects(calibrateModel(on.memory, asking("tiny")), /no mapping can help/);
  assert.equal(await Deno.readTextFile(path), before);
});

Deno.test("calibrateModel() says what is wrong with pairs", async () => {
  using on = await world();
  const row = { note: "a", question: "b", edited: "c" };
  const wrong: [string, RegExp][] = [
    [own(on, [row, row]), /has 2 pairs/],
    [own(on, Array.from({ length: 501 }, () => row)), /has 501 pairs/],
    [own(on, [{ ...row, note: 7 }]), /Line 1 is not a pair/],
    [own(on, [{ ...row, edited: " " }]), /Line 1 is not a pair/],
    [own(on, ["{"]), /Line 1 is not a pair/],
    [`${on.home}/none.jsonl`, /There is no file/],
    [on.home, /There is no file/],
  ];
  for (const [pairs, message] of wrong) {
    const fit = calibrateModel(on.memory, { ...asking("static"), pairs });
    await assert.rejects(fit, (error) => error instanceof SageError && message.test(error.message));
  }
});

function asking(name: string): CalibrateRequest {
  return { name, pairs: undefined, dryRun: false, onProgress: QUIET };
}

function own(on: World, rows: readonly unknown[]): string {
  const path = `${on.home}/${crypto.randomUUID()}.jsonl`;
  const lines = rows.map((row) => typeof row === "string" ? row : JSON.stringify(row));
  Deno.writeTextFileSync(path, lines.join("\n"));
  return path;
}

function calibration(on: World): unknown {
  const folder = `${on.home}/.sage/models`;
  const [{ name } = { name: "" }] = [...Deno.readDirSync(folder)];
  return JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)).calibration;
}
