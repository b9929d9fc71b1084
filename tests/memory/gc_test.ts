/** gc: what is derived or expired goes, all else stays, and being killed half-way costs nothing. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { dirname } from "../../src/base/path.ts";
import { writeLog } from "../../src/base/log.ts";
import { collectGarbage } from "../../src/memory/sweep/gc.ts";
import {
  dropAllIndexes,
  dropForsaken,
  dropOldFormats,
  dropOtherIndexes,
} from "../../src/memory/sweep/index_folders.ts";
import { tidy } from "../../src/memory/sweep/tidy.ts";
import { freshnessName } from "../../src/memory/freshness/state.ts";
import { initStores } from "../../src/memory/init.ts";
import { indexFolder } from "../../src/memory/memory.ts";
import { ledgerName, markTriaged, triagedQuestions } from "../../src/memory/session/handoff.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { addTombstone } from "../../src/store/tombstones.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { depth } from "../support/depth.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { intoVault } from "../support/vault.ts";
import {
  begin,
  checkpoint,
  conversation,
  DAY,
  knowledge,
  NOW,
  PERSON,
  put,
  read,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

const LONG_AGO = new Date("2025-01-01T00:00:00Z");

/** A file that nobody touched for a year. */
function old(path: string, text: string | Uint8Array = "{}\n"): string {
  put(path, text);
  Deno.utimeSync(path, LONG_AGO, LONG_AGO);
  return path;
}

/** More days and sessions than stay whatever the clock says, and all of them young at the world's time. */
function manyYoung(state: string): void {
  const now = new Date(NOW);
  for (let day = 1; day <= 14; day++) {
    const at = new Date(NOW - day * 86_400_000).toISOString().slice(0, 10);
    put(`${state}/log/${at}.jsonl`, "{}\n");
  }
  for (let n = 10; n < 60; n++) {
    const path = `${state}/ended/${n}111111-0000-4000-8000-000000000001.json`;
    put(path, "{}\n");
    Deno.utimeSync(path, now, now);
  }
}

/** As after more than thirty days on which an entry lay in the trash, and one on which all of it did. */
function longSeen({ memory, home }: World, entry: string): void {
  const { root, id } = memory.project ?? memory.user;
  const others = [...Deno.readDirSync(`${root}/.trash`)].map(({ name }) => [name, 32] as const);
  const since = { [id]: { ...Object.fromEntries(others), [entry]: 1 } };
  put(`${home}/.sage/state/trash.json`, JSON.stringify({ days: 32, lately: [], since }) + "\n");
}

/** A life with every kind of rest in it; what is to go, and all that was there. */
async function littered(): Promise<{ on: World; gone: string[] }> {
  const on = await world();
  const [state, project] = [`${on.home}/.sage/state`, `${on.cwd}/.sage`];
  await knowledge(on.memory, "The importer", "It stalls where rows are collected.");
  await knowledge(on.memory, "Small commits", "Commits are small here.", { scope: "user" });
  await checkpoint(on.memory);
  await addTodo(on.memory, { content: "measure it" }, PERSON);
  begin(on.memory, on, { transcriptPath: transcriptFile(on, conversation("It stalls.")) });
  const wrong = await knowledge(on.memory, "Wrong", "This was wrong from the start.");
  await removeNote(on.memory, wrong.id, ["knowledge"]);
  addTombstone(on.memory.fs, state, {
    id: "gone",
    store: on.memory.user,
    contentHash: "0".repeat(64),
  });
  // What only a person can decide, what is not ours, and what was made a moment ago.
  for (
    const path of [
      ...["trust.json", "install/claude-code.json", "questions/0123abcd.json", "own.txt"],
      ...["transcripts/a.jsonl.gz", "freshness/0123.json", "handoffs/0123.json"],
      ...["recalls/old.jsonl", "index/notes.txt", "prepared/mine.txt"],
    ]
  ) if (realFs.lstat(`${state}/${path}`) === undefined) old(`${state}/${path}`, "kept\n");
  manyYoung(state);
  longSeen(on, "2025-01-01T00-00-00-0123abcd");
  put(`${state}/prepared/fedc.json`, "{}\n");
  put(`${state}/index/0000111122223333/manifest`, "young");
  old(`${project}/knowledge/by-hand.md`, "# By hand\n\nA person's own words.\n");
  old(`${project}/.inbox/2025-01-01T00-00-00-0123456789abcdef.json`);
  // Its own index is in use, however long nobody wrote to it.
  for (const store of on.memory.stores) {
    const folder = indexFolder(on.memory, store);
    for (const name of filesIn(folder)) {
      await Deno.utime(`${folder}/${name}`, LONG_AGO, LONG_AGO);
    }
  }
  const gone = [
    old(`${project}/knowledge/.a.md.sage-999999-0123456789abcdef.tmp`),
    old(`${state}/seen/.x.json.sage-999999-0123456789abcdef.tmp`),
    old(`${project}/.trash/2025-01-01T00-00-00-0123abcd/knowledge/long-gone.md`, "# Long gone\n"),
    old(`${state}/ended/44444444-0000-4000-8000-000000000004.json`),
    old(`${state}/index/aaaabbbbccccdddd.v4/manifest`),
    old(`${state}/index/aaaabbbbccccdddd.v4/0123456789abcdef.segment`),
    old(`${state}/index/${on.memory.user.id}.v1/manifest`),
    old(`${state}/index/${on.memory.user.id}.minilm@01234567.v4/manifest`),
    old(`${state}/index/minilm@01234567.vectors`),
    old(`${state}/prepared/0123.json`),
    old(`${state}/statusline/0123.json`),
    old(`${state}/sources/0123.json`),
    old(`${state}/handed/0123.json`),
    old(`${state}/log/2025-01-01.jsonl`),
  ];
  return { on, gone: gone.sort() };
}

/** Path → bytes of everything below home and project, without locks. */
function snapshot(on: World): Map<string, string> {
  return new Map(
    [on.home, on.cwd].flatMap((root) => filesIn(root).map((name) => `${root}/${name}`))
      .filter((path) => !path.includes("/locks/")).map((path) => [path, read(path)]),
  );
}

function without(all: ReadonlyMap<string, string>, gone: readonly string[]): typeof all {
  // What counts the days is written by every run that removes.
  const isOurs = (path: string): boolean => !gone.includes(path) && !path.endsWith("/trash.json");
  return new Map([...all].filter(([path]) => isOurs(path)));
}

async function collect(on: World, dryRun = false, fs = realFs): Promise<string[]> {
  const memory = await on.open({ fs });
  try {
    return collectGarbage(memory, { dryRun }).flatMap(({ files }) => files.map(({ path }) => path))
      .sort();
  } finally {
    memory.close();
  }
}

Deno.test("collectGarbage() removes what is derived or expired, nothing else, and nothing the second time", async () => {
  const { on, gone } = await littered();
  using _ = on;
  const inbox = `${on.cwd}/.sage/.inbox`;
  // Opening a memory folds in what waits; here nothing can be made of it, so it stays.
  await on.open();
  const before = snapshot(on);
  assert.ok([...before.keys()].some((path) => path.startsWith(inbox)));
  assert.deepEqual(await collect(on), gone);
  assert.deepEqual(without(snapshot(on), []), without(before, gone));
  assert.deepEqual(await collect(on), []);
  for (const folder of ["index/aaaabbbbccccdddd.v4", `index/${on.memory.user.id}.v1`]) {
    assert.equal(realFs.lstat(`${on.home}/.sage/state/${folder}`), undefined);
  }
});

Deno.test("sweeping indexes leaves files alone that somebody put beside or into one", async () => {
  using on = await world();
  const state = `${on.home}/.sage/state`;
  const [store] = on.memory.stores;
  assert.ok(store !== undefined);
  const old1 = `${state}/index/${store.id}.v1`;
  const precious = old(`${on.home}/elsewhere/manifest`);
  const theirs = [
    old(`${state}/index/${store.id}.v1.aside/0123456789abcdef.segment`),
    old(`${state}/index/${store.id}.aside/deep/a.txt`),
    old(`${state}/index/mine/manifest`),
    old(`${state}/index/${store.id}.v2`),
    old(`${old1}/mine/b.txt`),
    old(`${old1}/notes.txt`),
    precious,
  ];
  const ours = [old(`${old1}/manifest`), old(`${old1}/0123456789abcdef.segment`)];
  await Deno.symlink(`${on.home}/elsewhere`, `${state}/index/${store.id}.v3`);
  for await (const name of Deno.readDir(`${state}/index`)) {
    if (name.isDirectory) await Deno.utime(`${state}/index/${name.name}`, LONG_AGO, LONG_AGO);
  }
  const left = (paths: readonly string[]) =>
    paths.filter((path) => realFs.lstat(path) !== undefined);

  dropOldFormats(on.memory, store.id);
  assert.deepEqual(left(ours), []);
  assert.deepEqual(left(theirs), theirs);
  await collect(on);
  await dropForsaken(on.memory);
  assert.deepEqual(left(theirs), theirs);

  // The words of a forgotten note would stand in the copy.
  dropOtherIndexes(on.memory, store.id, []);
  assert.deepEqual(left(theirs), theirs.slice(1));
  const all = [`${old1}/manifest`, `${state}/index/minilm@01234567.vectors`].map((path) =>
    old(path)
  );
  dropAllIndexes(on.memory);
  assert.deepEqual(left(all), []);
  assert.deepEqual(left(theirs), theirs.slice(1));
});

Deno.test("with a clock that is years off no session, receipt or trash is deleted", async () => {
  using on = await world();
  const state = `${on.home}/.sage/state`;
  const wrong = await knowledge(on.memory, "Wrong", "This was wrong from the start.");
  await removeNote(on.memory, wrong.id, ["knowledge"]);
  put(`${state}/ended/11111111-0000-4000-8000-000000000001.json`, "{}\n");
  put(`${state}/instances/22222222-0000-4000-8000-000000000002.json`, "{}\n");
  for (let day = 10; day < 20; day++) put(`${state}/log/2026-01-${day}.jsonl`, "{}\n");
  const before = snapshot(on);
  for (const year of [2099, 1970]) {
    const memory = { ...await on.open(), now: () => Date.UTC(year, 0, 2) };
    writeLog(memory.fs, state, memory.now(), "hook", {});
    assert.deepEqual(collectGarbage(memory, { dryRun: false }), []);
  }
  const after = snapshot(on);
  assert.deepEqual([...before.keys()].filter((path) => !after.has(path)), []);
});

Deno.test("a dry run of collectGarbage() lists what would be removed, and removes nothing", async () => {
  const { on, gone } = await littered();
  using _ = on;
  await on.open();
  const before = snapshot(on);
  assert.deepEqual(await collect(on, true), gone);
  assert.deepEqual(snapshot(on), before);
  assert.deepEqual(await collect(on), gone);
});

Deno.test("collectGarbage() leaves indexes of a model that is set", async () => {
  const { on, gone } = await littered();
  using _ = on;
  put(`${on.home}/.sage/tuning.yaml`, "embedding:\n  model: minilm\n");
  const kept = gone.filter((path) => /minilm|\.v1/.test(path));
  assert.equal(kept.length, 3);
  assert.deepEqual(await collect(on), gone.filter((path) => !kept.includes(path)));
});

/** A disk that is gone after so many removals, as for a process that was killed. */
function dyingAfter(removals: number): typeof realFs {
  let left = removals;
  const alive = (): void => {
    if (left <= 0) throw new Error("killed");
  };
  const removing = (act: () => void): void => {
    alive();
    act();
    left--;
  };
  const dying: typeof realFs = {
    ...realFs,
    unlink: (path) => removing(() => realFs.unlink(path)),
    removeDir: (path) => removing(() => realFs.removeDir(path)),
    open: (path, options) => (alive(), realFs.open(path, options)),
    lstat: (path) => (alive(), realFs.lstat(path)),
    list: (path) => (alive(), realFs.list(path)),
  };
  return dying;
}

Deno.test("tidy() removes the index of a store that is gone, but not of a project that nobody opened lately", async () => {
  using on = await world();
  const indexes = `${on.home}/.sage/state/index`;
  const other = tempDir();
  await initStores(await on.open({ cwd: other }), { project: true });
  const resting = await on.open({ cwd: other });
  await knowledge(resting, "The importer", "It stalls where rows are collected.");
  // A clone that was vouched for, and only read since.
  const clone = tempDir();
  put(`${clone}/.sage/knowledge/rows.md`, "# Rows\n\nThey are collected.\n");
  recordTrust(realFs, `${on.home}/.sage/state`, `${clone}/.sage`, "trusted");
  const reading = await on.open({ cwd: clone });
  await searchMemory(reading, "rows");
  const folders = {
    resting: indexFolder(resting, resting.project ?? resting.user),
    reading: indexFolder(reading, reading.project ?? reading.user),
    gone: `${indexes}/aaaabbbbccccdddd.v7`,
    young: `${indexes}/bbbbccccddddeeee.v7`,
  };
  old(`${folders.gone}/manifest`);
  old(`${indexes}/minilm@01234567.vectors`);
  put(`${folders.young}/manifest`, "young");
  realFs.setTime(`${folders.young}/manifest`, NOW - 10 * DAY);
  for (const folder of [folders.resting, folders.reading]) {
    for (const name of filesIn(folder)) {
      await Deno.utime(`${folder}/${name}`, LONG_AGO, LONG_AGO);
    }
  }
  const before = filesIn(indexes);
  await dropForsaken(on.memory);
  const gone = before.filter((name) => !filesIn(indexes).includes(name));
  assert.deepEqual(gone, ["aaaabbbbccccdddd.v7/manifest"]);
});

Deno.test("tidy() removes the index of a store that is gone, where others are in a vault", async () => {
  using on = await world();
  const indexes = `${on.home}/.sage/state/index`;
  await intoVault(on);
  const inVault = await on.open();
  await knowledge(inVault, "The importer", "It stalls where rows are collected.");
  for (const name of filesIn(indexes)) {
    await Deno.utime(`${indexes}/${name}`, LONG_AGO, LONG_AGO);
  }
  old(`${indexes}/aaaabbbbccccdddd.v7/manifest`);
  // Another project, to which the vault's project is one of those that nobody opened lately.
  await dropForsaken(await on.open({ cwd: tempDir() }));
  const left = new Set(filesIn(indexes).map((name) => `${indexes}/${dirname(name)}`));
  assert.ok(!left.has(`${indexes}/aaaabbbbccccdddd.v7`));
  assert.ok(left.has(indexFolder(inVault, inVault.project ?? inVault.user)));
});

Deno.test("tidy() removes old derived files of folders, but not decisions for known projects", async () => {
  using on = await world();
  const state = `${on.home}/.sage/state`;
  const resting = tempDir();
  await initStores(await on.open({ cwd: resting }), { project: true });
  const [here, there, gone] = [on.cwd, resting, "/gone/worktree"].map((dir) =>
    freshnessName(dir).slice("freshness/".length)
  );
  const stays = [
    ...[here, there].flatMap((name) => [`freshness/${name}`, `handoffs/${name}`]),
    ...["trust.json", "questions/0123abcd.json", "prepared/mine.txt"],
  ].map((path) => old(`${state}/${path}`));
  put(`${state}/prepared/young.json`, "{}\n");
  const goes = [
    ...["prepared/0123.json", "statusline/0123.json", "sources/0123.json", "handed/0123.json"],
    ...[`freshness/${gone}`, `handoffs/${gone}`],
    ...["1", "999"].map((version) => `index/${on.memory.user.id}.v${version}/manifest`),
    "index/aaaabbbbccccdddd.v7/manifest",
  ].map((path) => old(`${state}/${path}`));
  for (const path of goes) if (path.endsWith("/manifest")) realFs.setTime(dirname(path), 0);
  await tidy(on.memory);
  const isThere = (path: string): boolean => realFs.lstat(path) !== undefined;
  assert.deepEqual(goes.filter(isThere), []);
  assert.deepEqual([...stays, `${state}/prepared/young.json`].filter((one) => !isThere(one)), []);
});

Deno.test("tidy() keeps the ledger of handoffs of a folder that exists, without a project", async () => {
  using on = await world();
  const [there, gone] = [tempDir(), tempDir()];
  const [stays, goes] = [await on.open({ cwd: there }), await on.open({ cwd: gone })];
  for (const memory of [stays, goes]) {
    markTriaged(memory, ["0123abcd"]);
    await Deno.utime(`${on.home}/.sage/state/${ledgerName(memory)}`, LONG_AGO, LONG_AGO);
  }
  await Deno.remove(gone);
  await tidy(on.memory);
  assert.deepEqual([stays, goes].map((memory) => triagedQuestions(memory).size), [1, 0]);
});

Deno.test("tidy() removes what a killed reader left of another program's database, and no more", async () => {
  using on = await world();
  const folder = `${on.home}/.sage/state/migrate`;
  const copy = "opencode-0123456789abcdef.db";
  for (const name of [copy, `${copy}-wal`, "transcripts.json", "opencode-ffffffffffffffff.db"]) {
    put(`${folder}/${name}`, "x");
    if (!name.includes("ffff")) await Deno.utime(`${folder}/${name}`, LONG_AGO, LONG_AGO);
  }
  await tidy(on.memory);
  assert.deepEqual(filesIn(folder), ["opencode-ffffffffffffffff.db", "transcripts.json"]);
});

Deno.test("tidy() lists the folder of indexes once, however many stores there are", async () => {
  using on = await world();
  await knowledge(on.memory, "The importer", "It stalls where rows are collected.");
  const asked: string[] = [];
  const list = (path: string) => (asked.push(path), realFs.list(path));
  await tidy(await on.open({ fs: { ...realFs, list } }));
  const folder = `${on.home}/.sage/state/index`;
  assert.ok(on.memory.stores.length > 1);
  assert.equal(asked.filter((path) => path === folder).length, 1);
});

Deno.test("tidy() renews the record by which a trusted store is recognised", async () => {
  using on = await world();
  const moved = `${on.cwd}-moved`;
  await Deno.rename(on.cwd, moved);
  await tidy(await on.open({ cwd: moved }));
  // Git writes it anew: by that file it is not known any more.
  const file = `${moved}/.sage/.gitignore`;
  put(`${file}.new`, await Deno.readTextFile(file));
  await Deno.rename(`${file}.new`, file);
  assert.equal((await on.open({ cwd: moved })).project?.trust, "own");
});

Deno.test("tidy() removes words of a note that an older version forgot, from files that it did not know", async () => {
  using on = await world();
  const state = `${on.home}/.sage/state`;
  const named = (name: string): string[] =>
    ["handed", "prepared"].map((part) => `${state}/${part}/${name}.json`);
  const [before, after] = [named("0123"), named("4567")];
  for (const path of [...before, ...after]) put(path, "{}\n");
  const told = { id: "gone", store: on.memory.user, contentHash: "0".repeat(64) };
  addTombstone(on.memory.fs, state, told);
  for (const path of before) realFs.setTime(path, NOW - 2000);
  realFs.setTime(`${state}/tombstones`, NOW - 1000);
  for (const path of after) realFs.setTime(path, NOW);
  await tidy(on.memory);
  const isThere = (path: string): boolean => realFs.lstat(path) !== undefined;
  assert.deepEqual([...before, ...after].filter(isThere), after);
});

Deno.test("collectGarbage() loses nothing when it is killed after any removal, and the next run continues", async () => {
  for (let removals = 1; removals <= 17; removals += depth(3, 1)) {
    const { on, gone } = await littered();
    using _ = on;
    await on.open();
    const before = snapshot(on);
    const memory = await on.open({ fs: realFs });
    assert.throws(
      () => collectGarbage({ ...memory, fs: dyingAfter(removals) }, { dryRun: false }),
      /killed|Cannot list the trash/,
      `after ${removals}`,
    );
    memory.close();
    const halfway = snapshot(on);
    assert.deepEqual(without(halfway, gone), without(before, gone), `after ${removals}`);
    await collect(on);
    assert.deepEqual(without(snapshot(on), []), without(before, gone), `after ${removals}`);
    const found = await searchMemory(await on.open(), "importer stalls rows");
    assert.equal(found.items[0]?.title, "The importer");
  }
});
