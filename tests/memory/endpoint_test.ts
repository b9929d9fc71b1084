/**
 * An embeddings server on this machine as the model: learnt once, asked ahead, never believed, and done
 * without as soon as it is down or somebody else.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import type { Memory, Where } from "../../src/memory/memory.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { listModels } from "../../src/memory/model/list.ts";
import { removeModel } from "../../src/memory/model/remove.ts";
import { testModel } from "../../src/memory/model/test.ts";
import { useModel } from "../../src/memory/model/use.ts";
import { rebuildAll, refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { readStatus } from "../../src/memory/status/status.ts";
import {
  type Behaviour,
  type EmbeddingsServer,
  openEmbeddings,
} from "../support/embeddings_server.ts";
import { byHand, filled, knowledge, put, type World } from "../support/world.ts";
import { assertInTime } from "../support/quick.ts";

const QUIET = (): void => {};
/** As a command that compares texts. */
const CONNECTED: Partial<Where> = { confine: () => true };

Deno.test("useModel() learns an embeddings server, and its vectors find notes", async () => {
  await using server = openEmbeddings();
  using on = await filled();
  const memory = await on.open(CONNECTED);
  const report = await useModel(memory, server.base, QUIET);
  assert.deepEqual([report.model, report.notes], [`${server.base}#words`, 4]);

  const after = await on.open(CONNECTED);
  assert.match(after.embedder().id, /^127\.0\.0\.1-\d+-v1-words@[0-9a-f]{8}$/);
  assert.deepEqual([after.embedder().dimensions, after.warnings], [64, []]);
  const { items, lexicalOnly } = await searchMemory(after, "memory");
  assert.deepEqual([items[0]?.title, lexicalOnly], ["memory", false]);
  assert.ok((items[0]?.emb ?? 0) > 0.3, `meaning is ${items[0]?.emb}`);
  assert.equal((await readStatus(after)).model, after.embedder().id);
  const states = listModels(after).map(({ name, state }) => `${name} ${state}`);
  assert.ok(states.includes(`${server.base}#words in use`), states.join("\n"));
  const { pairs } = await testModel(after, undefined);
  assert.ok((pairs[0]?.share ?? 0) > (pairs[2]?.share ?? 1));
});

Deno.test("each text is requested from the server once, and each question takes one request", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  const before = server.requests.length;
  await searchMemory(await on.open(CONNECTED), "memory");
  assert.deepEqual(server.requests.slice(before), ["POST /v1/embeddings 2"]);
  byHand(`${on.cwd}/.sage`, "knowledge/new.md", {}, "# New\n\nSomething about herons.");
  const [report] = await refreshAll(await on.open(CONNECTED));
  assert.equal(report?.complete, true);
  const sent = server.texts.filter((text) => text.includes("herons"));
  assert.equal(sent.length, 1);
});

Deno.test("a hook makes no request, and other commands keep the built-in index up to date for it", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  await knowledge(await on.open(CONNECTED), "Okapi", "The okapi import runs in batches.");
  const before = server.requests.length;
  for (const where of [{ hook: true }, {}]) {
    const memory = await on.open(where);
    assert.equal(memory.embedder(), memory.builtIn());
    assert.deepEqual(memory.warnings, []);
    const store = memory.project;
    assert.ok(store !== undefined);
    assert.ok(memory.index(store).notes().some(({ title }) => title === "Okapi"));
  }
  assert.equal(server.requests.length, before);
});

Deno.test("the editor's memory is found with an embeddings server too, even while it is down", async () => {
  const server = openEmbeddings();
  using on = await used(server);
  put(`${on.home}/.claude/CLAUDE.md`, "The walrus deploys on tuesdays, because of the tide.\n");
  const flags = async (): Promise<unknown> => {
    const { items } = await searchMemory(await on.open(CONNECTED), "walrus tide");
    return items[0]?.flags;
  };
  assert.deepEqual(await flags(), ["built-in"]);
  assert.ok(server.texts.some((text) => text.includes("walrus deploys")), "by its meaning");
  await server[Symbol.asyncDispose]();
  assert.deepEqual(await flags(), ["built-in"]);
});

Deno.test("while the server is down the built-in model answers, with a warning", async () => {
  const server = openEmbeddings();
  using on = await used(server);
  await server[Symbol.asyncDispose]();
  const memory = await on.open(CONNECTED);
  const { items, lexicalOnly } = await searchMemory(memory, "memory");
  assert.deepEqual([items[0]?.title, lexicalOnly], ["memory", false]);
  assert.equal(memory.embedder(), memory.builtIn());
  assert.match(
    memory.warnings.join(),
    /Cannot ask 127\.0\.0\.1:\d+: .*; the built-in model serves/,
  );
  const status = await readStatus(await on.open(CONNECTED));
  assert.equal(status.model, "static");
  assert.match(status.warnings.join(), /did not answer a moment ago; the built-in model serves/);
});

Deno.test("another model under the same name is noticed, and vectors of the two are never mixed", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  server.behave({ seed: 7 });
  const memory = await on.open(CONNECTED);
  await searchMemory(memory, "memory");
  assert.match(memory.warnings.join(), /another model than the one that was learnt/);
  assert.equal(memory.embedder(), memory.builtIn());
  const before = known(on);
  await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
  assert.notEqual(known(on).id, before.id);
  assert.equal(known(on).id, (await on.open(CONNECTED)).embedder().id);
});

Deno.test("a server that is set up again with the same model keeps its vectors", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  const { id } = known(on);
  const sent = (): number => server.texts.filter((text) => text.includes("Everything")).length;
  const before = sent();
  await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
  assert.deepEqual([known(on).id, sent()], [id, before]);
});

const HOSTILE: readonly (readonly [string, Behaviour, RegExp])[] = [
  ["no number", { answer: (all) => rows(all.map(() => [null, 1])) }, /no directions/],
  ["an overflow", { answer: (all) => rows(all.map(() => [1e200, 1])) }, /no directions/],
  ["a text", { answer: (all) => rows(all.map(() => ["NaN", "1"])) }, /no directions/],
  ["zeros", { answer: (all) => rows(all.map(() => [0, 0])) }, /no directions/],
  ["no vector", { answer: (all) => rows(all.map(() => [])) }, /something else than vectors/],
  ["a giant", { dimensions: 9000 }, /something else than vectors|no end/],
  ["too few", { answer: (all) => rows(all.slice(1)) }, /answers \d+ texts with \d+ vectors/],
  ["one twice", {
    answer: (all) => ({ data: all.map((embedding) => ({ index: 0, embedding })) }),
  }, /miscounts|no embeddings|answers/],
  ["an index that is none", {
    answer: (all) => ({ data: all.map((embedding) => ({ index: -1, embedding })) }),
  }, /miscounts/],
  ["no JSON", { text: "<html>" }, /no JSON/],
  ["nothing", { text: "null" }, /no JSON/],
  ["no end", { text: "x".repeat(9 * 1024 * 1024) }, /no end/],
  ["a failure", { status: 500 }, /answers with 500: /],
  ["a way elsewhere", { redirect: "http://127.0.0.1:9/" }, /answers with 307$/],
  ["half an answer", { dies: 0 }, /Cannot ask/],
];

for (const [what, behaviour, message] of HOSTILE) {
  Deno.test(`a server that sends ${what} is refused, and the built-in model answers from then on`, async () => {
    await using server = openEmbeddings();
    using on = await filled();
    server.behave(behaviour);
    const use = useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
    await assert.rejects(use, (error) => error instanceof SageError && message.test(error.message));
    assert.equal((await on.open()).config.get("embedding.model"), "static");

    server.behave({});
    await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
    server.behave(behaviour);
    const memory = await on.open(CONNECTED);
    const { items } = await searchMemory(memory, "memory");
    assert.equal(items[0]?.title, "memory");
    assert.match(memory.warnings.join(), /the built-in model serves/);
  });
}

Deno.test("a server with another number of dimensions is another model", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  server.behave({ dimensions: 32 });
  const memory = await on.open(CONNECTED);
  await searchMemory(memory, "memory");
  assert.match(memory.warnings.join(), /another model/);
});

Deno.test("an embeddings server that dies in between leaves no partial vectors, and the next run continues", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  for (let i = 0; i < 40; i++) {
    byHand(`${on.cwd}/.sage`, `knowledge/many-${i}.md`, {}, `# Many ${i}\n\nNumber ${i} of all.`);
  }
  server.behave({ dies: 3 });
  const memory = await on.open(CONNECTED);
  // What has no vector yet is found all the same.
  const { items } = await searchMemory(memory, "Many 39");
  assert.equal(items[0]?.title, "Many 39");
  assert.match(memory.warnings.join(), /Cannot ask .*; the built-in model serves/);
  assert.equal(memory.embedder(), memory.builtIn());
  server.behave({});
  const before = server.texts.filter((text) => text.includes("Number")).length;
  assert.ok(before > 0 && before < 40, `${before} were embedded`);
  await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
  assert.equal(server.texts.filter((text) => text.includes("Number")).length, 40);
});

Deno.test("a slow server delays a question by a few seconds at most", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  server.behave({ waitMs: 9000 });
  const start = performance.now();
  for (let call = 0; call < 3; call++) {
    const memory = await on.open(CONNECTED);
    assert.equal((await searchMemory(memory, "memory")).items[0]?.title, "memory");
    assert.match(memory.warnings.join(), /the built-in model serves/);
  }
  // The second and the third do not ask again.
  await assertInTime(performance.now() - start, 9000, "three questions");
});

Deno.test("a server that refuses long texts is sent as much as it accepts", async () => {
  await using server = openEmbeddings();
  server.behave({ charactersMax: 600 });
  using on = await filled();
  byHand(`${on.cwd}/.sage`, "knowledge/long.md", {}, `# Long\n\n${"many words here ".repeat(90)}`);
  await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
  assert.equal((await searchMemory(await on.open(CONNECTED), "words")).items[0]?.title, "Long");
});

Deno.test("with several models one must be named, and an unknown model is an error", async () => {
  await using server = openEmbeddings(["one", "two"]);
  using on = await filled();
  const memory = await on.open(CONNECTED);
  await assert.rejects(useModel(memory, server.base, QUIET), /several models: one, two/);
  await assert.rejects(useModel(memory, `${server.base}#three`, QUIET), /answers with 404/);
  assert.equal((await useModel(memory, `${server.base}#two`, QUIET)).model, `${server.base}#two`);
});

Deno.test("questions and notes are sent with the prefixes that are set for each", async () => {
  await using server = openEmbeddings(["nomic-embed-text", "words"]);
  using on = await filled();
  const own = { queryPrefix: "ask: ", documentPrefix: "tell: " };
  await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET, own);
  await searchMemory(await on.open(CONNECTED), "herons");
  assert.ok(server.texts.includes("ask: herons"));
  assert.ok(server.texts.some((text) => text.startsWith("tell: ") && text.includes("memory")));
  await useModel(await on.open(CONNECTED), `${server.base}#nomic-embed-text`, QUIET);
  assert.ok(server.texts.some((text) => text.startsWith("search_document: ")));
});

Deno.test("only an address on this machine is accepted as a server", async () => {
  using on = await filled();
  const memory = await on.open(CONNECTED);
  for (
    const name of [
      ...["http://10.0.0.1:80/v1#x", "http://example.org/v1#x", "https://127.0.0.1/v1#x"],
      ...["http://127.0.0.1.example.org/v1#x", "http://127.0.0.1:80@example.org/v1#x"],
      ...["http://127.0.0.1:99999/v1#x", "http://127.0.0.1:0/v1#x", "ollama:", "ollama:../x y"],
      ...["file:///etc/passwd", "http://127.0.0.1:80/../v1?x#x", "C:model"],
    ]
  ) {
    await assert.rejects(
      useModel(memory, name, QUIET),
      (error) => error instanceof SageError && error.code === "usage",
      name,
    );
  }
});

Deno.test("removeModel() takes away what was learnt and embedded, but not what is in use", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  const name = `${server.base}#words`;
  const memory = await on.open(CONNECTED);
  assert.throws(() => removeModel(memory, name), /in use/);
  await useModel(memory, "static", QUIET);
  removeModel(await on.open(), name);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${on.home}/.sage/models`)), []);
  assert.deepEqual(indexes(on).filter((one) => one.includes("words@")), []);
});

Deno.test("forget() and rebuildAll() leave nothing behind in either index", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  await rebuildAll(await on.open(CONNECTED));
  const memory = await on.open(CONNECTED);
  await forget(memory, "handled");
  for (const one of [memory, await on.open({ hook: true })]) {
    await refreshAll(one);
    assert.deepEqual(titles(one), ["before", "memory", "search"]);
  }
  for (const folder of indexes(on)) assert.ok(!holds(on, folder, "handled"), folder);
});

Deno.test("damaged facts about a server are measured again", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  const path = factsPath(on);
  const text = await Deno.readTextFile(path);
  for (
    const damaged of [
      ...[text.slice(0, 80), "{}", text.replace('"probe":[', '"probe":[9,'), ""],
      text.replace(/"text_ms":[\d.]+/, '"text_ms":"x"'),
      text.replace('"probe"', '"languages":"german","probe"'),
    ]
  ) {
    assert.notEqual(damaged, text);
    await Deno.writeTextFile(path, damaged);
    const memory = await on.open(CONNECTED);
    assert.equal(memory.embedder(), memory.builtIn());
    assert.match(memory.warnings.join(), /Nothing is known yet.*sage model use/);
  }
});

Deno.test("what languages a server's model understands is kept with what was learnt", async () => {
  await using server = openEmbeddings();
  using on = await used(server);
  const languages = async (): Promise<ReadonlySet<string> | undefined> =>
    (await on.open(CONNECTED)).embedder().languages;
  const before = await languages();
  const text = await Deno.readTextFile(factsPath(on));
  assert.equal(before !== undefined, text.includes('"languages"'));
  const facts = { ...JSON.parse(text), languages: ["german"] };
  await Deno.writeTextFile(factsPath(on), JSON.stringify(facts));
  assert.deepEqual(await languages(), new Set(["german"]));
});

function rows(vectors: readonly unknown[]): unknown {
  return { data: vectors.map((embedding, index) => ({ index, embedding })) };
}

/** The server is in use, and every note is in its index. */
async function used(server: EmbeddingsServer): Promise<World> {
  const on = await filled();
  await useModel(await on.open(CONNECTED), `${server.base}#words`, QUIET);
  return on;
}

function titles(memory: Memory): string[] {
  return memory.stores.flatMap((store) => memory.index(store).notes().map(({ title }) => title))
    .sort();
}

function factsPath(on: World): string {
  const folder = `${on.home}/.sage/models`;
  return `${folder}/${[...Deno.readDirSync(folder)][0]?.name}`;
}

function known(on: World): { id: string } {
  return JSON.parse(Deno.readTextFileSync(factsPath(on)));
}

function indexes(on: World): string[] {
  return [...Deno.readDirSync(`${on.home}/.sage/state/index`)].map(({ name }) => name);
}

function holds(on: World, name: string, word: string): boolean {
  const path = `${on.home}/.sage/state/index/${name}`;
  const files = Deno.statSync(path).isDirectory
    ? [...Deno.readDirSync(path)].map((file) => `${path}/${file.name}`)
    : [path];
  return files.some((file) => Deno.readTextFileSync(file).includes(word));
}
