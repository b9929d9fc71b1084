/** R8: whoever finds an index damaged while it answers derives it anew first, and answers from that. */
import assert from "node:assert/strict";
import { catalogue, relatedCatalogue } from "../../src/memory/catalogue.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { findNote } from "../../src/memory/find.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { rebuildAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { HEADER_BYTES, readHeader, type SectionName } from "../../src/search/segment/format.ts";
import { filesIn } from "../support/temp_store.ts";
import { knowledge, type World, world } from "../support/world.ts";

const WAYS: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
  search: async (memory) => (await searchMemory(memory, "which gateway")).items.map(({ id }) => id),
  recall: async (memory) =>
    (await recallKnowledge(memory, "which gateway is used")).items.map(({ id }) => id),
  list: async (memory) => (await catalogue(memory)).map(({ note }) => note.id),
  relations: async (memory) => (await relatedCatalogue(memory, ["knowledge"])).length,
  find: async (memory) => (await findNote(memory, "gateway")).kind,
  graph: async (memory) => (await openGraph(memory)).nodes.map(({ into }) => into.length),
};

for (const section of ["meta", "paths", "relations"] as const) {
  Deno.test(`with damaged ${section} searches still answer, from an index that is derived anew`, async () => {
    using on = await world();
    await knowledge(on.memory, "Gateway", "Envoy is the gateway, see [[ports]].");
    await knowledge(on.memory, "Ports", "The gateway listens on 8443.");
    using _ = aMinuteLater();
    await rebuildAll(on.memory);
    for (const [way, ask] of Object.entries(WAYS)) {
      const whole = await ask(await on.open());
      damage(on, section);
      assert.deepEqual(await ask(await on.open()), whole, way);
    }
  });
}

Deno.test("diagnose() finds damage that no answer shows to be one, and derives the index anew", async () => {
  using on = await world();
  await knowledge(on.memory, "Gateway", "Envoy is the gateway.");
  using _ = aMinuteLater();
  for (const section of ["text", "facts", "vectors", "scales"] as const) {
    await rebuildAll(on.memory);
    const whole = JSON.stringify(await searchMemory(await on.open(), "which gateway"));
    damage(on, section);
    await diagnose(await on.open());
    assert.equal(
      JSON.stringify(await searchMemory(await on.open(), "which gateway")),
      whole,
      section,
    );
  }
});

/** Changes a byte of that section in every segment of the index. */
function damage({ memory: { places: { stateDir } } }: World, section: SectionName): void {
  const segments = filesIn(`${stateDir}/index`).filter((path) => path.endsWith(".segment"));
  assert.ok(segments.length > 0);
  for (const name of segments) {
    const path = `${stateDir}/index/${name}`;
    const bytes = Deno.readFileSync(path);
    const header = readHeader(bytes.subarray(0, HEADER_BYTES), bytes.length);
    const { at = 0, bytes: length = 0 } = header?.sections[section] ?? {};
    const middle = at + (length >> 1);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    Deno.writeFileSync(path, bytes);
  }
}

/** So that nothing has to look again at files that were just written. */
function aMinuteLater(): Disposable {
  const { now } = Date;
  Date.now = () => now() + 60_000;
  return { [Symbol.dispose]: () => void (Date.now = now) };
}
