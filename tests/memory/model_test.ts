/**
 * Models in memory: the index of one never serves another, going over is whole or not at all and can be
 * taken up again, a slow or damaged model holds nobody up.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { realFs } from "../../src/base/fs.ts";
import { closeOpened, type Memory, type Opened } from "../../src/memory/memory.ts";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { calibrateModel } from "../../src/memory/model/calibrate.ts";
import { listModels } from "../../src/memory/model/list.ts";
import { pull } from "../../src/memory/model/pull.ts";
import { removeModel } from "../../src/memory/model/remove.ts";
import { testModel } from "../../src/memory/model/test.ts";
import { useModel } from "../../src/memory/model/use.ts";
import { dropIndexesOf } from "../../src/memory/sweep/index_folders.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { TINY, writeBert } from "../support/bert_model.ts";
import { tempDir } from "../support/temp_store.ts";
import { byHand, filled, knowledge, put, type World, world } from "../support/world.ts";

const QUIET = (): void => {};

Deno.test("useModel() makes the index first, then sets the model, then drops the old index", async () => {
  using on = await filled();
  await searchMemory(on.memory, "before");
  const [store] = folders(on);
  await pulled(on.memory, "tiny");
  const report = await useModel(on.memory, "TINY", QUIET);
  assert.deepEqual([report.model, report.notes, report.embedded], ["tiny", 4, 4]);
  const memory = await on.open();
  assert.match(memory.embedder().id, /^tiny@[0-9a-f]{8}$/);
  const [id, format] = store?.split(".") ?? [];
  assert.deepEqual(folders(on), [`${id}.${memory.embedder().id}.${format}`]);
  assert.deepEqual(await found(memory, "memory"), ["memory"]);

  const back = await useModel(memory, "static", QUIET);
  assert.deepEqual([back.notes, back.embedded], [4, 4]);
  assert.deepEqual(folders(on), [store]);
  assert.deepEqual(await found(await on.open(), "memory"), ["memory"]);
});

Deno.test("useModel() keeps the old model when interrupted, and continues where it stopped", async () => {
  using on = await filled();
  await settled();
  await searchMemory(on.memory, "before");
  await pulled(on.memory, "tiny");
  slow(on, "tiny", 10_000);
  let steps = 0;
  const interrupt = (): void => {
    if (++steps === 2) throw new Error("killed");
  };
  await assert.rejects(useModel(on.memory, "tiny", interrupt), /killed/);
  const between = await on.open();
  assert.equal(between.config.get("embedding.model"), "static");
  assert.deepEqual(await found(between, "memory"), ["memory"]);
  const report = await useModel(between, "tiny", QUIET);
  assert.deepEqual([report.notes, report.embedded], [4, 2]);
});

Deno.test("useModel() takes every project along that was seen", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  const other = `${on.home}/other`;
  await Deno.mkdir(`${other}/.sage/knowledge`, { recursive: true });
  await Deno.writeTextFile(`${other}/.sage/knowledge/far.md`, "# Far\n\nsearch");
  const { rememberProject } = await import("../../src/store/projects.ts");
  const { fs, places } = on.memory;
  await rememberProject(fs, places.userRoot, { id: "other", name: "Other", root: other });
  const report = await useModel(on.memory, "tiny", QUIET);
  assert.equal(report.notes, 5);
  assert.ok(folders(on).length >= 2 && folders(on).every((name) => name.includes(".tiny@")));
});

Deno.test("a text is embedded once: a note that was touched costs a slow model nothing", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await useModel(on.memory, "tiny", QUIET);
  slow(on, "tiny", 5000);
  const path = `${on.cwd}/.sage/knowledge/memory.md`;
  await Deno.utime(path, 1, 1);
  const [report] = await refreshAll(await on.open({ hook: true }));
  assert.equal(report?.complete, true);
  assert.ok((report?.changed ?? 0) >= 1);
});

Deno.test("a hook embeds with a slow model only as much as its time allows", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await settled();
  await useModel(on.memory, "tiny", QUIET);
  byHand(`${on.cwd}/.sage`, "knowledge/new.md", {}, "# New\n\nhandled by hand");
  slow(on, "tiny", 5000);
  const [report] = await refreshAll(await on.open({ hook: true }));
  assert.deepEqual([report?.changed, report?.complete], [0, false]);
  slow(on, "tiny", 1);
  const [later] = await refreshAll(await on.open({ hook: true }));
  assert.deepEqual([later?.changed, later?.complete], [1, true]);
});

Deno.test("if a model is gone, the built-in one is used with a warning", async () => {
  using on = await filled();
  on.env.SAGE_EMBEDDING_MODEL = "nowhere";
  const memory = await on.open();
  assert.equal(memory.embedder(), memory.builtIn());
  assert.match(
    memory.warnings.join("\n"),
    /"nowhere" is not here; the built-in model serves \(sage model list\)/,
  );
  assert.deepEqual(await found(memory, "memory"), ["memory"]);
});

Deno.test("with a damaged model searches use words alone, and no note is lost", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await useModel(on.memory, "tiny", QUIET);
  change(on, "tiny");
  const memory = await on.open();
  const { items, lexicalOnly } = await searchMemory(memory, "memory");
  assert.deepEqual([items.map(({ title }) => title), lexicalOnly], [["memory"], true]);
  assert.match(memory.warnings.join("\n"), /words alone decide/);
  const saved = await knowledge(memory, "journey", "The journey is told by lines.");
  assert.ok(memory.fs.lstat(saved.path) !== undefined);
  const [report] = await refreshAll(memory);
  assert.equal(report?.complete, false);
  await pulled(memory, "tiny");
  assert.deepEqual(await found(await on.open(), "journey"), ["journey"]);
});

Deno.test("useModel() refuses a damaged model, wherever it is damaged, and changes nothing", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await searchMemory(on.memory, "before");
  const before = indexFiles(on);
  const whole = await Deno.readFile(weights(on, "tiny"));
  for (const at of [3, 40, 5000, Math.floor(whole.length / 2), whole.length - 500]) {
    const bytes = whole.slice();
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await Deno.writeFile(weights(on, "tiny"), bytes);
    await assert.rejects(useModel(on.memory, "tiny", QUIET), isInvalid, `byte ${at}`);
  }
  await Deno.writeFile(weights(on, "tiny"), whole.slice(0, 1000));
  await assert.rejects(useModel(on.memory, "tiny", QUIET), isInvalid);
  assert.deepEqual(indexFiles(on), before);
  assert.equal((await on.open()).config.get("embedding.model"), "static");
});

Deno.test("testModel() finds a changed byte that no text would meet", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  const tested = await testModel(on.memory, "tiny");
  assert.deepEqual(tested.pairs.map(({ kind }) => kind), ["the same", "question", "unrelated"]);
  for (const { cosine, share } of tested.pairs) assert.ok(cosine <= 1 && share >= 0 && share <= 1);
  const path = weights(on, "tiny");
  const bytes = await Deno.readFile(path);
  // A row of a word that is in no text, between vocabulary and layers.
  const at = Math.floor(bytes.length * 0.7);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await Deno.writeFile(path, bytes);
  await assert.rejects(testModel(on.memory, "tiny"), isInvalid);
});

Deno.test("testModel() tells pairs apart with the built-in model", async () => {
  using on = await world();
  const { pairs, found: right, asked, languages } = await testModel(on.memory, undefined);
  const [same, question, unrelated] = pairs.map(({ share }) => share);
  assert.ok((same ?? 0) > (question ?? 0) && (question ?? 0) > (unrelated ?? 0));
  assert.ok(right > asked / 2, `${right} of ${asked}`);
  assert.deepEqual(languages, ["english"]);
});

Deno.test("a server opens a pulled model once, and notices that another is set or that it is gone", async () => {
  using on = await filled();
  for (const name of ["tiny", "other"]) await pulled(on.memory, name);
  await useModel(on.memory, "tiny", QUIET);
  const opened: Opened = { indexes: new Map() };
  const files: string[] = [];
  let left = 0;
  const fs: typeof realFs = {
    ...realFs,
    open(path, options) {
      const file = realFs.open(path, options);
      const [, name] = /models\/(\w+)\/[0-9a-f]{16}\./.exec(path) ?? [];
      if (name === undefined) return file;
      files.push(name);
      left++;
      return { ...file, close: () => (left--, file.close()) };
    },
  };
  const ask = async (): Promise<void> => {
    const memory = await on.open({ opened, fs });
    assert.deepEqual(await found(memory, "memory"), ["memory"]);
    memory.close();
  };
  for (let i = 0; i < 3; i++) await ask();
  assert.deepEqual([files, left], [["tiny"], 1]);
  await useModel(await on.open(), "other", QUIET);
  for (let i = 0; i < 2; i++) await ask();
  assert.deepEqual([files, left], [["tiny", "other"], 1]);
  await Deno.remove(`${on.home}/.sage/models/other`, { recursive: true });
  await ask();
  assert.equal(left, 0, "the built-in model serves");
  closeOpened(opened);
});

Deno.test("removeModel() refuses the one in use, and what is no model", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await useModel(on.memory, "tiny", QUIET);
  const memory = await on.open();
  for (const name of ["tiny", "Tiny", "static"]) {
    assert.throws(() => removeModel(memory, name), (error) => codeOf(error) === "refused", name);
  }
  for (const name of ["none", "..", "../models", ""]) {
    assert.throws(() => removeModel(memory, name), (error) => codeOf(error) === "not_found", name);
  }
  await useModel(memory, "static", QUIET);
  assert.equal(removeModel(await on.open(), "tiny").name, "tiny");
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${on.home}/.sage/models`)), []);
});

Deno.test("removeModel() does not take a model from under the hands of who pulls it", async () => {
  using on = await filled();
  const work = `${on.home}/.sage/models/tiny/.pull`;
  await Deno.mkdir(work, { recursive: true });
  {
    using lock = await Deno.open(`${work}/lock`, { read: true, write: true, create: true });
    await lock.lock(true);
    assert.throws(() => removeModel(on.memory, "tiny"), (error) => codeOf(error) === "locked");
  }
  assert.equal(removeModel(on.memory, "tiny").name, "tiny");
});

Deno.test("removeModel() leaves the indexes of a model whose name ends like its own", async () => {
  using on = await filled();
  await pulled(on.memory, "other.tiny");
  await pulled(on.memory, "tiny");
  await useModel(on.memory, "other.tiny", QUIET);
  const before = folders(on);
  removeModel(await on.open(), "tiny");
  assert.deepEqual(folders(on), before);
});

Deno.test("listModels() says what is set and missing, and whose pull was interrupted", async () => {
  using on = await filled();
  await Deno.mkdir(`${on.home}/.sage/models/half/.pull`, { recursive: true });
  const memory = await on.open({ flags: { "embedding.model": "bge-small-en-v1.5" } });
  const states = listModels(memory).map(({ name, state }) => [name, state]);
  assert.deepEqual(states.slice(0, 3), [
    ["bge-small-en-v1.5", "missing"],
    ["static", "here"],
    ["half", "partly here"],
  ]);
  assert.equal(states.length, 3 + 4);
});

Deno.test("listModels() says what is in use, here, damaged and to be had", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await pulled(on.memory, "broken");
  await Deno.writeTextFile(`${on.home}/.sage/models/broken/model.json`, "{}");
  const states = new Map(listModels(on.memory).map(({ name, state }) => [name, state]));
  assert.deepEqual(
    ["static", "tiny", "broken", "all-MiniLM-L6-v2"].map((name) => states.get(name)),
    ["in use", "here", "damaged", "not here"],
  );
});

Deno.test("each version of Sage has its own index, and unused ones are removed", async () => {
  using on = await filled();
  await searchMemory(on.memory, "before");
  const [mine = ""] = folders(on);
  const [id] = mine.split(".");
  const root = `${on.home}/.sage/state/index`;
  for (const name of [`${id}`, `${id}.v3`, `${id}.v9999`, `${id}.tiny@0a1b2c3d.v3`]) {
    await Deno.mkdir(`${root}/${name}`);
    await Deno.writeTextFile(`${root}/${name}/manifest`, "another version's");
  }
  // The version that wrote it last an hour ago may still run.
  const [old, recent] = [Date.now() / 1000 - 25 * 3600, Date.now() / 1000 - 3600];
  for (const name of folders(on)) {
    await Deno.utime(`${root}/${name}`, old, name === `${id}.v9999` ? recent : old);
  }
  byHand(`${on.cwd}/.sage`, "knowledge/another.md", {}, "# another\n\nEverything about another.");
  await searchMemory(on.memory, "another");
  assert.deepEqual(folders(on), [mine, `${id}.v9999`].sort());
  assert.equal(await Deno.readTextFile(`${root}/${id}.v9999/manifest`), "another version's");
  await forget(on.memory, "another");
  assert.deepEqual(folders(on), [mine]);
});

Deno.test("dropIndexesOf() takes the vectors of the model's texts along, and no other's", async () => {
  using on = await filled();
  const folder = `${on.home}/.sage/state/index`;
  for (const name of ["tiny@1.vectors", "tiny2@1.vectors"]) put(`${folder}/${name}`, "x");
  const before = indexFiles(on);
  dropIndexesOf(on.memory, "tiny");
  assert.deepEqual(indexFiles(on), before.filter((name) => name !== "tiny@1.vectors"));
});

Deno.test("forget() leaves no index of another model behind", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await useModel(on.memory, "tiny", QUIET);
  on.env.SAGE_EMBEDDING_MODEL = "static";
  const memory = await on.open();
  await searchMemory(memory, "memory");
  // Two indexes, and the vectors of texts.
  assert.equal(indexFiles(on).length, 3);
  await forget(memory, "memory");
  assert.equal(indexFiles(on).length, 1);
});

Deno.test("work at every stop uses the built-in model", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  await useModel(on.memory, "tiny", QUIET);
  const memory = await on.open();
  assert.match(memory.builtIn().id, /^static-/);
  assert.notEqual(memory.embedder().id, memory.builtIn().id);
});

Deno.test("useModel() fits a model to the notes where the pairs do not suit it, and to no handful", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  far(on, "tiny");
  assert.equal((await useModel(on.memory, "tiny", QUIET)).fitted_to_notes, false);
  many(on);
  const report = await useModel(await on.open(), "tiny", QUIET);
  assert.equal(report.fitted_to_notes, true);
  const { calibration, calibrated_by } = facts(on, "tiny");
  assert.equal(calibrated_by, "notes");
  assert.ok(Number(calibration[2]?.[0]) < 0.99, JSON.stringify(calibration));
  // What was fitted suits what it was fitted to.
  assert.equal((await useModel(await on.open(), "tiny", QUIET)).fitted_to_notes, false);
});

Deno.test("useModel() leaves a mapping that a person's own pairs made", async () => {
  using on = await filled();
  await pulled(on.memory, "tiny");
  far(on, "tiny", "own pairs");
  many(on);
  assert.equal((await useModel(on.memory, "tiny", QUIET)).fitted_to_notes, false);
  assert.equal(facts(on, "tiny").calibration[2]?.[0], 0.997);
});

Deno.test("calibrateModel() takes notes for pairs, and says when there are too few", async () => {
  using on = await filled();
  const request = {
    name: "static",
    pairs: undefined,
    notes: true,
    dryRun: true,
    onProgress: QUIET,
  };
  await assert.rejects(calibrateModel(on.memory, request), /There are 0 notes with a title/);
  many(on);
  const { knots, found, asked, stored } = await calibrateModel(await on.open(), request);
  assert.deepEqual([found, asked, stored], [asked, 30, false]);
  assert.ok((knots[2]?.[0] ?? 0) > 0.2 && (knots[2]?.[0] ?? 1) < 0.6, JSON.stringify(knots));
  await assert.rejects(
    calibrateModel(on.memory, { ...request, pairs: "pairs.jsonl" }),
    /either to pairs or to notes/,
  );
});

/** Notes about thirty things. */
function many(on: World): void {
  CALIBRATION_ROWS.slice(0, 30).forEach(({ question, note }, i) =>
    byHand(`${on.cwd}/.sage`, `knowledge/many-${i}.md`, {}, `# ${question}\n\n${note}`)
  );
}

/** A mapping by which nothing is about anything. */
function far(on: World, name: string, calibrated_by?: string): void {
  const calibration = [[0, 0], [0.99, 0.35], [0.997, 0.7], [0.999, 0.9], [1, 1]];
  const path = `${on.home}/.sage/models/${name}/model.json`;
  Deno.writeTextFileSync(path, JSON.stringify({ ...facts(on, name), calibration, calibrated_by }));
}

function facts(on: World, name: string): { calibration: number[][]; calibrated_by: string } {
  return JSON.parse(Deno.readTextFileSync(`${on.home}/.sage/models/${name}/model.json`));
}

/** Files that changed a moment ago are indexed again by the next process. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2100));
}

async function pulled(memory: Memory, name: string): Promise<void> {
  const folder = tempDir();
  writeBert(folder, TINY);
  const prefixes = { queryPrefix: undefined, documentPrefix: undefined };
  await pull(memory, { what: folder, folder, name, ...prefixes, onProgress: QUIET });
}

async function found(memory: Memory, query: string): Promise<string[]> {
  const { items } = await searchMemory(memory, query);
  return items.map(({ title }) => title).slice(0, 1);
}

/** The folders of all indexes. */
function folders(on: World): string[] {
  return indexFiles(on).filter((name) => !name.endsWith(".vectors"));
}

function indexFiles(on: World): string[] {
  return [...Deno.readDirSync(`${on.home}/.sage/state/index`)].map(({ name }) => name).sort();
}

function weights(on: World, name: string): string {
  const folder = `${on.home}/.sage/models/${name}`;
  const file = [...Deno.readDirSync(folder)].find((entry) => entry.name.endsWith(".bin"));
  return `${folder}/${file?.name}`;
}

/** One bit of the first layer. */
function change(on: World, name: string): void {
  const path = weights(on, name);
  const bytes = Deno.readFileSync(path);
  const at = bytes.length - 500;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  Deno.writeFileSync(path, bytes);
}

/** As if a text had cost so many milliseconds when the model was pulled. */
function slow(on: World, name: string, milliseconds: number): void {
  const path = `${on.home}/.sage/models/${name}/model.json`;
  const facts = JSON.parse(Deno.readTextFileSync(path));
  Deno.writeTextFileSync(path, JSON.stringify({ ...facts, text_ms: milliseconds }));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof SageError ? error.code : undefined;
}

function isInvalid(error: unknown): boolean {
  return codeOf(error) === "invalid_model";
}
