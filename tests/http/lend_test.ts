/** Memory that many readers share: which model it asks, and when it looks at the disk. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { HTTP_AHEAD_MS, HTTP_SETTLED_MS_MAX } from "../../src/base/limits.ts";
import { createLender } from "../../src/http/lend.ts";
import { knownEntries } from "../../src/memory/index/entries.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { useModel } from "../../src/memory/model/use.ts";
import { listNotes } from "../../src/memory/note_list.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { within } from "../support/within.ts";
import { openEmbeddings } from "../support/embeddings_server.ts";
import { writeOld } from "../support/temp_store.ts";
import { AGENT, knowledge, put, type World, world } from "../support/world.ts";

/** Longer than all that the test does before it waits for it. */
const TRY_AGAIN_MS = 5000;
const LOOKS_AGAIN_MS = 1.2 * HTTP_SETTLED_MS_MAX;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isAsked = (memory: Memory): boolean => memory.embedder() !== memory.builtIn();

Deno.test("an embeddings server that is set is asked, and tried again after it was down", async () => {
  await using embeddings = openEmbeddings();
  using on = await world();
  await knowledge(on.memory, "Heron", "The heron import runs in batches.");
  const connected = { confine: () => true };
  await useModel(await on.open(connected), embeddings.base, () => {});
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test", ...connected };
  const lender = createLender(where, TRY_AGAIN_MS);
  const search = () =>
    lender.read(async (memory, state) => {
      const { items } = await searchMemory(memory, "heron");
      const titles = items.map(({ title }) => title);
      return { titles, asked: isAsked(memory), warned: memory.warnings.join(), state };
    });
  try {
    const first = await search();
    assert.deepEqual([first.titles, first.asked], [["Heron"], true]);
    // What the command line would find: the same server, with the same vectors.
    const line = await on.open(connected);
    assert.equal(isAsked(line), true);
    embeddings.behave({ status: 500 });
    await pause(LOOKS_AGAIN_MS);
    await lender.read((memory) => searchMemory(memory, "another question"));
    await pause(LOOKS_AGAIN_MS);
    const down = await search();
    assert.deepEqual([down.titles, down.asked], [["Heron"], false]);
    assert.notEqual(down.state, first.state, "an answer by another model is another answer");
    assert.match(down.warned, /answers with 500/);
    await pause(TRY_AGAIN_MS);
    // It would be asked, but whatever did not answer is left alone for half a minute.
    assert.match((await search()).warned, /did not answer a moment ago/);
  } finally {
    lender.close();
  }
});

Deno.test("close() in the middle of a look leaves no file open", async () => {
  using on = await world();
  let closed: Promise<void> | undefined;
  let isClosing = false;
  const fs: Fs = {
    ...realFs,
    list(path) {
      if (isClosing && path.endsWith("/knowledge")) closed ??= lender.close();
      return realFs.list(path);
    },
  };
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test", fs };
  const lender = createLender(where);
  await lender.read(() => undefined);
  await knowledge(on.memory, "Heron", "The heron import runs in batches.");
  isClosing = true;
  await assert.rejects(lender.read(() => undefined, 0), /was closed during a refresh/);
  await closed;
});

Deno.test("a reader that is told of changes does not wait for a look, any other does", async () => {
  using on = await world();
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where);
  const count = (behindMsMax?: number) =>
    lender.read(async (memory) => (await listNotes(memory)).total, behindMsMax);
  try {
    assert.equal(await count(), 0);
    put(`${on.cwd}/.sage/knowledge/by-hand.md`, "# By hand\n\nA person wrote it.\n");
    await pause(LOOKS_AGAIN_MS);
    assert.equal(await count(60_000), 0);
    assert.equal(await count(), 1);
    assert.equal(await count(60_000), 1);
  } finally {
    lender.close();
  }
});

Deno.test("what was written while somebody looked at the disk is seen by whoever asks next", async () => {
  using on = await world();
  const folder = `${on.cwd}/.sage/knowledge`;
  put(`${folder}/first.md`, "# First\n\nIt was there.\n");
  const [begun, scanned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  const fs: Fs = {
    ...realFs,
    list(path) {
      const names = realFs.list(path);
      if (path === folder) scanned.resolve();
      return names;
    },
  };
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test", fs };
  const lender = createLender(where);
  const count = () => lender.read(async (memory) => (await listNotes(memory)).total);
  try {
    const written = lender.write(async () => {
      begun.resolve();
      await scanned.promise;
      put(`${folder}/second.md`, "# Second\n\nIt came while the folder was looked at.\n");
    }).then(() => {
      order.push("written");
      return count();
    });
    await within("a write that begins", begun.promise);
    const early = count().then((total) => (order.push("looked"), total));
    assert.equal(await within("what was written", written), 2);
    assert.equal(await early, 1);
    assert.deepEqual(order, ["written", "looked"], "the look ended behind the write");
    assert.equal(await count(), 2);
  } finally {
    lender.close();
  }
});

Deno.test("settings that a person changes hold from the next look on", async () => {
  using on = await world();
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where);
  const itemsMax = () => lender.read((memory) => memory.config.get("retrieval.max_items"), 0);
  try {
    const before = await itemsMax();
    put(`${on.home}/.sage/tuning.yaml`, `retrieval.max_items: ${before + 1}\n`);
    assert.equal(await itemsMax(), before + 1);
  } finally {
    lender.close();
  }
});

Deno.test("what is replaced under a reader stays open until that reader is done", async () => {
  using on = await world();
  await knowledge(on.memory, "Heron", "The heron import runs in batches.");
  const lender = createLender({ cwd: on.cwd, env: (name) => on.env[name], holder: "test" });
  try {
    await lender.read(async (memory) => {
      const index = memory.index(memory.stores[0] ?? assert.fail());
      put(`${on.home}/.sage/tuning.yaml`, "retrieval.max_items: 3\n");
      await lender.read((other) => assert.equal(other.config.get("retrieval.max_items"), 3), 0);
      assert.equal(memory.index(memory.stores[0] ?? assert.fail()), index, "as it was");
      const { items } = await searchMemory(memory, "heron");
      assert.deepEqual(items.map(({ title }) => title), ["Heron"]);
    });
  } finally {
    await lender.close();
  }
});

Deno.test("an index that is derived anew from other notes is no state that was there before", async () => {
  using on = await world();
  const path = `${on.cwd}/.sage/knowledge/ports.md`;
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where);
  const state = () => lender.read((_, state) => state, 0);
  try {
    writeOld(path, "# Ports\n\nIt is 8443.\n");
    const before = await state();
    await Deno.remove(`${on.memory.places.stateDir}/index`, { recursive: true });
    writeOld(path, "# Ports\n\nIt is 9443.\n");
    assert.notEqual(await state(), before);
  } finally {
    lender.close();
  }
});

Deno.test("a store that a person vouches for, or no more, is so from the next look on", async () => {
  using on = await world({ project: "foreign" });
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where);
  const trust = () => lender.read((memory) => memory.project?.trust, 0);
  const { fs, places } = on.memory;
  try {
    assert.equal(await trust(), "unknown");
    for (const now of ["trusted", "unknown"] as const) {
      recordTrust(fs, places.stateDir, on.memory.project?.home ?? "", now);
      assert.equal(await trust(), now);
    }
  } finally {
    lender.close();
  }
});

Deno.test("what the editor remembers counts in what an answer rests on", async () => {
  using on = await world();
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where);
  const search = () =>
    lender.read(async (memory, state) => ({
      state,
      total: (await searchMemory(memory, "pelican")).total,
    }));
  try {
    const before = await search();
    put(`${on.cwd}/CLAUDE.md`, "# Birds\n\nThe pelican job runs at night.\n");
    await pause(LOOKS_AGAIN_MS);
    const after = await search();
    assert.deepEqual([before.total, after.total], [0, 1]);
    assert.notEqual(before.state, after.state);
  } finally {
    lender.close();
  }
});

Deno.test("a question that waits counts in what an answer rests on", async () => {
  using on = await world();
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where);
  const state = () => lender.read((_, state) => state);
  try {
    const before = await state();
    await pause(LOOKS_AGAIN_MS);
    assert.equal(await state(), before);
    const wish = { title: "Tabs", content: "Tabs.", scope: "user" } as const;
    assert.equal((await saveKnowledge(on.memory, wish, AGENT)).kind, "proposed");
    await pause(LOOKS_AGAIN_MS);
    assert.notEqual(await state(), before);
  } finally {
    lender.close();
  }
});

Deno.test("between two looks a search asks nothing of the disk", async () => {
  using on = await world();
  await knowledge(on.memory, "Pelicans", "They fly at night.");
  const asked: string[] = [];
  const fs: Fs = {
    ...realFs,
    lstat: (path) => (asked.push(path), realFs.lstat(path)),
    list: (path) => (asked.push(path), realFs.list(path)),
  };
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test", fs };
  const lender = createLender(where);
  try {
    await lender.read(async (memory) => {
      await searchMemory(memory, "pelicans");
      asked.length = 0;
      const { total } = await searchMemory(memory, "what flies at night");
      assert.deepEqual([total, asked], [1, []]);
    });
  } finally {
    lender.close();
  }
});

Deno.test("the next look begins before it is due, and whoever asks then is not behind it", async () => {
  using on = await world();
  const files = many(on);
  let looks = 0;
  const fs: Fs = {
    ...realFs,
    list: (path) => (looks += Number(path === `${on.cwd}/.sage/knowledge`), realFs.list(path)),
  };
  let now = 1000;
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test", fs };
  const lender = createLender(where, undefined, () => now);
  const total = () => lender.read((memory) => knownEntries(memory, {}).length);
  try {
    assert.deepEqual([await total(), looks], [files, 1]);
    now += HTTP_SETTLED_MS_MAX - HTTP_AHEAD_MS;
    assert.deepEqual([await total(), looks], [files, 1]);
    put(`${on.cwd}/.sage/knowledge/by-hand.md`, "# By hand\n\nA person wrote it.\n");
    now++;
    assert.equal(await total(), files);
    now += HTTP_AHEAD_MS;
    // It waits for the look that began 50 ms ago, and that one is good for the rest of its time.
    assert.deepEqual([await total(), looks], [files + 1, 2]);
    now += HTTP_SETTLED_MS_MAX - 2 * HTTP_AHEAD_MS;
    assert.deepEqual([await total(), looks], [files + 1, 2]);
    now += HTTP_AHEAD_MS;
    assert.deepEqual([await total(), looks], [files + 1, 3], "it began when it was asked ahead");
  } finally {
    lender.close();
  }
});

Deno.test("what is written during a look is in the next answer", async () => {
  using on = await world();
  const files = many(on);
  let now = 1000;
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where, undefined, () => now);
  const total = () => lender.read(async (memory) => (await listNotes(memory)).total);
  try {
    assert.equal(await total(), files);
    now += HTTP_SETTLED_MS_MAX - 1;
    assert.equal(await total(), files);
    await lender.write((memory) => knowledge(memory, "Pelicans", "They fly at night."));
    assert.equal(await total(), files + 1);
  } finally {
    lender.close();
  }
});

Deno.test("a lender is closed when the look under way is at its end", async () => {
  using on = await world();
  many(on);
  let now = 1000;
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test" };
  const lender = createLender(where, undefined, () => now);
  await lender.read(() => {});
  now += HTTP_SETTLED_MS_MAX - 1;
  await lender.read(() => {});
  // What goes on behind this, and what it opens, the runner finds left over.
  await lender.close();
});

Deno.test("a look that nobody waits for lets others pass, also after one that was waited for", async () => {
  using on = await world();
  many(on);
  let turns = 0;
  const seenIn = new Set<number>();
  const fs: Fs = {
    ...realFs,
    lstat: (path) => (/note-\d+\.md$/.test(path) && seenIn.add(turns), realFs.lstat(path)),
  };
  let now = 1000;
  const where = { cwd: on.cwd, env: (name: string) => on.env[name], holder: "test", fs };
  const lender = createLender(where, undefined, () => now);
  let timer: number | undefined;
  const turn = (): void => void (turns++, timer = setTimeout(turn));
  await lender.read(() => {});
  seenIn.clear();
  turn();
  now += HTTP_SETTLED_MS_MAX - 1;
  await lender.read(() => {});
  await lender.close();
  clearTimeout(timer);
  assert.ok(seenIn.size > 1, "all of it in one turn");
});

/** More notes than are looked at in a row, old enough to be believed; returns how many. */
function many(on: World): number {
  for (let i = 0; i < 300; i++) {
    writeOld(`${on.cwd}/.sage/knowledge/note-${i}.md`, `# Note ${i}\n\nIts text.\n`);
  }
  return 300;
}
