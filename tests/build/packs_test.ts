/** How the binary's code is packed, and what it does with bytecode that does not fit. */
import assert from "node:assert/strict";
import { Script } from "node:vm";
import { inflateRawSync } from "node:zlib";
import { start } from "../../scripts/build/boot.ts";
import { toModules } from "../../scripts/build/modules.ts";
import { DEFLATED, groupModules, layPacks, scriptOf, tableOf } from "../../scripts/build/packs.ts";

const modulesOf = (...codes: string[]) => codes.map((code, i) => ({ name: `${i}.js`, code }));

Deno.test("what always came together makes one pack, what never came lies alone", () => {
  const modules = modulesOf(..."abcdef".split("").map((c) => c.repeat(20_000)));
  const runs = [new Set([0, 1]), new Set([0, 1, 2]), new Set([2])];
  const groups = groupModules(modules, runs).map((group) => group.toSorted()).toSorted();
  assert.deepEqual(groups, [[0, 1], [2], [3], [4], [5]]);
});

Deno.test("small packs are joined where that costs the runs less than a pack each", () => {
  const runs = [new Set([0, 1]), new Set([0])];
  const small = modulesOf("a".repeat(100), "b".repeat(100));
  assert.deepEqual(groupModules(small, runs), [[0, 1]]);
  const large = modulesOf("a".repeat(100), "b".repeat(9_000));
  assert.deepEqual(groupModules(large, runs), [[0], [1]]);
});

// esbuild runs as a process beside, which ends a moment after it was told to.
const withEsbuild = { sanitizeOps: false, sanitizeResources: false };

Deno.test("chunks ask for each other by number, lazily too", withEsbuild, async () => {
  const modules = await toModules(
    new Map([
      ["a.js", `import { two } from "./b.js"; export const three = two + 1;`],
      ["b.js", `export const two = 2;`],
      ["src/worker.js", `import { two } from "../b.js"; globalThis.__packs_worker = two;`],
      ["main.js", `globalThis.__packs_test = import("./a.js").then(({ three }) => three);`],
    ]),
  );
  const groups = [[2], [0, 1], [3]];
  const { blob, layout } = layPacks(
    groups.map((group) => ({
      modules: group,
      source: scriptOf(group, modules),
      bytecode: new Uint8Array(),
    })),
    modules,
    ["main.js", "src/worker.js"],
    0,
  );
  const seen: number[] = [];
  const read = (pack: number) => {
    seen.push(pack);
    const [at, sourceBytes] = layout.packs[pack] ?? [0, 0];
    return { source: new TextDecoder().decode(blob.subarray(at, at + sourceBytes)) };
  };
  start({ packOf: layout.packOf, entry: layout.entries[0], read });
  assert.equal(await (globalThis as Record<string, unknown>).__packs_test, 3);
  assert.deepEqual(seen, [0, 1]);
  start({ packOf: layout.packOf, entry: layout.entries[1], read });
  assert.equal((globalThis as Record<string, unknown>).__packs_worker, 2);
  assert.deepEqual(seen, [0, 1, 2, 1]);
});

Deno.test("a pack that no run has loaded is deflated, small ones and those with bytecode are not", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const rare = bytes(`/* ${"seldom ".repeat(2000)} */`);
  const packs = [
    { modules: [0], source: bytes("small   "), bytecode: new Uint8Array() },
    { modules: [1], source: rare, bytecode: new Uint8Array() },
    { modules: [2], source: rare, bytecode: new Uint8Array(8) },
  ];
  const { blob, layout } = layPacks(packs, modulesOf("", "", ""), ["0.js", "1.js"], 0);
  const [small, deflated, quick] = layout.packs;
  assert.deepEqual([small?.[2], deflated?.[2], quick?.[2]], [0, DEFLATED, 8]);
  assert.equal(quick?.[1], rare.length);
  const [at = 0, length = 0] = deflated ?? [];
  assert.ok(length < rare.length / 10 && length % 8 === 0);
  assert.deepEqual(new Uint8Array(inflateRawSync(blob.subarray(at, at + length))), rare);
});

Deno.test("bytecode of another source is refused and the source runs", () => {
  const modules = modulesOf("module.exports={answer:42}");
  const source = new TextDecoder().decode(scriptOf([0], modules));
  const foreign = new Script("(function(){ return 'longer than the other one by far, by far' })");
  const scripts: Script[] = [];
  const loaded = start({
    entry: 0,
    packOf: tableOf([[0]]),
    read: () => ({ source, bytecode: foreign.createCachedData() }),
  }, (_, script) => scripts.push(script));
  assert.equal(scripts[0]?.cachedDataRejected, true);
  assert.deepEqual(loaded, [{ exports: { answer: 42 } }]);
});

Deno.test("a module that fails to load fails again when it is asked for again", () => {
  const modules = modulesOf(
    "for (const i of [1,2]) try { require(1) } catch (error) { module.exports = error.message + i }",
    "throw new Error('broken')",
  );
  const source = new TextDecoder().decode(scriptOf([0, 1], modules));
  const loaded = start({ entry: 0, packOf: [0, 0], read: () => ({ source }) });
  assert.deepEqual(loaded[0], { exports: "broken2" });
  assert.equal(loaded[1], undefined);
});
