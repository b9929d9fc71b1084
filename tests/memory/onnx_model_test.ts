/**
 * A model for the ONNX runtime in memory: asked ahead by whoever may wait, never by a hook, and done
 * without where it is damaged.
 */
import assert from "node:assert/strict";
import type { Memory } from "../../src/memory/memory.ts";
import { calibrateModel } from "../../src/memory/model/calibrate.ts";
import { pull } from "../../src/memory/model/pull.ts";
import { removeModel } from "../../src/memory/model/remove.ts";
import { testModel } from "../../src/memory/model/test.ts";
import { useModel } from "../../src/memory/model/use.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { TINY } from "../support/bert_model.ts";
import { writeOnnx } from "../support/onnx_model.ts";
import { tempDir } from "../support/temp_store.ts";
import { byHand, type World, world } from "../support/world.ts";

const QUIET = (): void => {};
// The runtime keeps a port for as long as the process lives.
const SHARED = { sanitizeResources: false, sanitizeOps: false };

Deno.test("a foreign model finds notes, and hooks keep the built-in one", SHARED, async () => {
  using on = await used(4);
  const memory = await on.open();
  assert.match(memory.embedder().id, /^foreign@[0-9a-f]{8}$/);
  const { items, lexicalOnly } = await searchMemory(memory, "memory 3");
  assert.equal(lexicalOnly, false);
  assert.ok(items.some(({ emb }) => emb > 0), "no meaning was measured");
  byHand(`${on.cwd}/.sage`, "knowledge/okapi.md", {}, "# Okapi\n\nThe import runs in batches.");
  await searchMemory(memory, "okapi");
  assert.deepEqual(memory.warnings, []);

  const hook = await on.open({ hook: true });
  assert.equal(hook.embedder(), hook.builtIn());
  assert.ok(hook.index(hook.project ?? hook.user).notes().some(({ title }) => title === "Okapi"));
});

Deno.test("many notes are embedded by workers, to the same vectors", SHARED, async () => {
  // In steps of 25, each of which two workers share.
  using on = await used(60, 400);
  const memory = await on.open();
  const index = memory.index(memory.project ?? memory.user);
  assert.equal(index.notes().length, 60);
  const { items } = await searchMemory(memory, "memory 31");
  const [best] = items.toSorted((a, b) => b.emb - a.emb);
  assert.ok((best?.emb ?? 0) > 0);
});

Deno.test(
  "with a damaged foreign model the built-in one answers, with a warning",
  SHARED,
  async () => {
    using on = await used(4);
    const folder = `${on.home}/.sage/models/foreign`;
    const files = await Array.fromAsync(Deno.readDir(folder));
    const file = files.find(({ name }) => name.endsWith(".onnx"));
    await Deno.writeFile(`${folder}/${file?.name}`, new Uint8Array(10));
    const memory = await on.open();
    const { items } = await searchMemory(memory, "memory 3");
    assert.equal(items[0]?.title, "memory 3");
    assert.equal(memory.embedder(), memory.builtIn());
    assert.match(
      memory.warnings.join(),
      /is not what was pulled; the built-in model serves \(sage model pull foreign\)/,
    );
    await assert.rejects(useModel(memory, "foreign", QUIET), /is not what was pulled/);
  },
);

Deno.test(
  "testModel(), calibrateModel() and removeModel() know a foreign model",
  SHARED,
  async () => {
    using on = await used(1);
    const { pairs, first_ms, text_ms } = await testModel(on.memory, "foreign");
    assert.equal(pairs.length, 3);
    assert.ok(first_ms > 0 && text_ms > 0);
    const request = { name: "foreign", pairs: undefined, dryRun: true, onProgress: QUIET };
    await assert.rejects(calibrateModel(on.memory, request), /questions find their note first/);
    await useModel(await on.open(), "static", QUIET);
    removeModel(await on.open(), "foreign");
    assert.deepEqual(await Array.fromAsync(Deno.readDir(`${on.home}/.sage/models`)), []);
  },
);

/** `textMs`: as slow as it says that it is. */
async function used(notes: number, textMs?: number): Promise<World> {
  const on = await world();
  for (let i = 0; i < notes; i++) {
    byHand(
      `${on.cwd}/.sage`,
      `knowledge/memory-${i}.md`,
      {},
      `# memory ${i}\n\nNumber ${i} of all.`,
    );
  }
  await pulled(on.memory);
  if (textMs !== undefined) {
    const path = `${on.home}/.sage/models/foreign/model.json`;
    const facts = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify({ ...facts, text_ms: textMs }));
  }
  await useModel(await on.open(), "foreign", QUIET);
  return on;
}

async function pulled(memory: Memory): Promise<void> {
  const folder = tempDir();
  writeOnnx(folder, TINY);
  const prefixes = { queryPrefix: undefined, documentPrefix: undefined };
  await pull(memory, { what: folder, folder, name: "foreign", ...prefixes, onProgress: QUIET });
}
