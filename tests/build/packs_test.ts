/** How the binary's code is packed, and what it does with bytecode that does not fit. */
import assert from "node:assert/strict";
import { Script } from "node:vm";
import { start } from "../../scripts/build/boot.ts";
import { toModules } from "../../scripts/build/modules.ts";
import { textOf } from "../../scripts/build/packed.ts";
import {
  groupModules,
  HOOK_USERS,
  layPacks,
  scriptOf,
  tableOf,
} from "../../scripts/build/packs.ts";

const runsOf = (...loaded: number[][]) =>
  loaded.map((run) => ({ loaded: new Set(run), weight: 1 }));
const modulesOf = (...codes: string[]) => codes.map((code, i) => ({ name: `${i}.js`, code }));

Deno.test("what always came together makes one pack, what never came lies alone", () => {
  const modules = modulesOf(..."abcdef".split("").map((c) => c.repeat(20_000)));
  const runs = runsOf([0, 1], [0, 1, 2], [2]);
  const groups = groupModules(modules, runs).map((group) => group.toSorted()).toSorted();
  assert.deepEqual(groups, [[0, 1], [2], [3], [4], [5]]);
});

Deno.test("small packs are joined where that costs the runs less than a pack each", () => {
  const runs = runsOf([0, 1], [0]);
  const small = modulesOf("a".repeat(100), "b".repeat(100));
  assert.deepEqual(groupModules(small, runs), [[0, 1]]);
  const large = modulesOf("a".repeat(100), "b".repeat(9_000));
  assert.deepEqual(groupModules(large, runs), [[0], [1]]);
  const often = [{ loaded: new Set([0]), weight: 100 }, { loaded: new Set([0, 1]), weight: 1 }];
  assert.deepEqual(groupModules(small, often), [[0], [1]]);
});

// Importing one makes a namespace of all its properties, at every start (docs/decisions/0153).
Deno.test("the door imports no builtin of Node", async () => {
  for (const name of ["boot.ts", "door.ts", "packed.ts", "worker_door.ts"]) {
    const path = new URL(`../../scripts/build/${name}`, import.meta.url);
    const imports = (await Deno.readTextFile(path)).match(/^import (?!type ).*"node:.*$/gm);
    assert.equal(imports, null, name);
  }
});

// esbuild runs as a process beside, which ends a moment after it was told to.
const withEsbuild = { sanitizeOps: false, sanitizeResources: false };

Deno.test("chunks ask for each other by number, lazily too", withEsbuild, async () => {
  const modules = await toModules(
    new Map([
      ["a.js", `import{two as t}from"./b.js";var e=t+1;export{e as three};\n`],
      ["b.js", `var two=2;export{two};\n`],
      ["src/worker.js", `import{two as t}from"../b.js";globalThis.__packs_worker=t;\n`],
      ["main.js", `globalThis.__packs_test=import("./a.js").then(({three:t})=>t);\n`],
    ]),
  );
  const groups = [[2], [0, 1], [3]];
  const { blob, layout } = layPacks(
    groups.map((group) => ({
      modules: group,
      source: scriptOf(group, modules),
      bytecode: new Uint8Array(),
      users: 0,
    })),
    modules,
    ["main.js", "src/worker.js"],
    0,
  );
  const seen: number[] = [];
  const read = (pack: number) => {
    seen.push(pack);
    const place = layout.packs[pack] ?? [0, 0, 0, 0];
    return textOf(blob.subarray(place[0], place[0] + place[1]), place);
  };
  start({ packOf: layout.packOf, entry: layout.entries[0], read });
  assert.equal(await (globalThis as Record<string, unknown>).__packs_test, 3);
  assert.deepEqual(seen, [0, 1]);
  start({ packOf: layout.packOf, entry: layout.entries[1], read });
  assert.equal((globalThis as Record<string, unknown>).__packs_worker, 2);
  assert.deepEqual(seen, [0, 1, 2, 1]);
});

Deno.test(
  "a chunk that is named for its order alone is not asked for, one with effects is",
  withEsbuild,
  async () => {
    const modules = await toModules(
      new Map([
        [
          "a.js",
          `import"./b.js";import{c as t}from"./c.js";import"./d.js";var e=t;export{e as a};\n`,
        ],
        ["b.js", `var o=1;export{o as b};\n`],
        ["c.js", `import{b as r}from"./b.js";var n=r;export{n as c};\n`],
        ["d.js", `globalThis.__packs_effect=1;\n`],
      ]),
    );
    const asked = modules[0]?.code.match(/require\(\d+\)/g);
    assert.deepEqual(asked, ["require(2)", "require(3)"]);
  },
);

Deno.test(
  "no letter of the code is wider than a byte, and patterns mean what they did",
  withEsbuild,
  async () => {
    const source = String.raw`globalThis.__packs_wide=[/^[“…é]+$/,/^[\\–ー]$/u,"→"];`;
    const [module] = await toModules(new Map([["a.js", source]]));
    const code = module?.code ?? "";
    assert.doesNotMatch(code, /[\u0100-\uffff]/);
    new Script(code).runInThisContext();
    const [quotes, dash, arrow] = (globalThis as Record<string, unknown>)
      .__packs_wide as [RegExp, RegExp, string];
    assert(quotes.test("“…é") && !quotes.test("u201c") && arrow === "→");
    assert(dash.test("–") && dash.test("ー") && dash.test("\\") && !dash.test("u"));
    const escaped = new Map([["b.js", String.raw`globalThis.x=/\–/;`]]);
    await assert.rejects(toModules(escaped), /b\.js has a backslash before a character/);
  },
);

Deno.test("chunks that a variable could not stand for are refused", withEsbuild, async () => {
  const circle = [
    ["a.js", `import{b as t}from"./b.js";var e=()=>t;export{e as a};\n`],
    ["b.js", `import{a as t}from"./a.js";var e=()=>t;export{e as b};\n`],
  ] as const;
  await assert.rejects(toModules(new Map(circle)), /import each other: a\.js, b\.js/);
  for (const change of ["$e=2", "$e+=1", "$e++", "$e??=2"]) {
    const changing = `var $e=1;function t(){${change}}export{$e as a,t as b};\n`;
    await assert.rejects(toModules(new Map([["a.js", changing]])), /changes what it exports: \$e/);
  }
  const same =
    `var $e=1,r=$e==1,n={$e:1},o=$e>=1;class C{#$e;t(){this.#$e??=2}}export{$e as a,r as b,n as c,o as d};\n`;
  await toModules(new Map([["a.js", same]]));
  const other = new Map([["a.js", `var e=1;import t from"./b.js";`], ["b.js", ""]]);
  await assert.rejects(toModules(other), /has an import in an unknown form/);
});

Deno.test("what two calls at most have loaded, but no hook, and what is large, is compressed where that saves bytes", () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const pack = (source: string, users: number) => ({
    modules: [],
    source: encode(source),
    bytecode: new Uint8Array(8 * users),
    users,
  });
  const [word, noise] = ["memory ".repeat(999), "x"];
  const given = [word, word, word, word.repeat(40), noise];
  const packs = given.map((source, i) => pack(source, [0, 2, HOOK_USERS, HOOK_USERS, 0][i] ?? 0));
  const { blob, layout } = layPacks(packs, modulesOf("", ""), ["0.js", "1.js"], 64);
  const isCompressed = layout.packs.map(([, stored, source, bytecode]) =>
    stored < source + bytecode
  );
  assert.deepEqual(isCompressed, [true, true, false, true, false]);
  layout.packs.forEach((place, i) => {
    const at = place[0] - 64;
    const { source, bytecode } = textOf(blob.subarray(at, at + place[1]), place);
    assert.deepEqual([source, bytecode?.length ?? 0], [given[i], packs[i]?.bytecode.length]);
  });
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
