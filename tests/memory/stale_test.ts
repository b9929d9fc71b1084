/** Notes anchored to files: flagged when those change, never refreshed by a read, vouched for with care. */
import assert from "node:assert/strict";
import { parseNote } from "../../src/note/parse.ts";
import { readSources } from "../../src/note/provenance.ts";
import { findNote } from "../../src/memory/find.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { demoteKnowledge, promoteKnowledge } from "../../src/memory/knowledge/promote.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { verifyKnowledge } from "../../src/memory/knowledge/verify.ts";
import type { StoredNote } from "../../src/memory/item.ts";
import type { Memory } from "../../src/memory/memory.ts";
import type { Author } from "../../src/memory/write/outcome.ts";
import { readNote } from "../../src/memory/read.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { doubtfulNotes, projectPaths } from "../../src/memory/source/check.ts";
import { openContents, pathBelow } from "../../src/memory/source/contents.ts";
import { foldingFs } from "../support/folding_fs.ts";
import { filesIn, tempDir, writeOld } from "../support/temp_store.ts";
import {
  AGENT,
  byHand,
  DAY,
  knowledge,
  NOW,
  PERSON,
  put,
  read,
  readByAgent,
  repository,
  SAGE,
  SESSION,
  type World,
  world,
} from "../support/world.ts";

const FACT = "Tokens are refreshed behind a mutex, because two requests may find one expired.";

/** A note that rests on a file. */
async function anchored(
  options: Parameters<typeof world>[0] = {},
  file = "src/auth.ts",
): Promise<World & { path: string }> {
  const on = await world(options);
  repository(on.cwd);
  put(`${on.cwd}/.git/refs/heads/main`, "0123456789abcdef0123456789abcdef01234567\n");
  writeOld(`${on.cwd}/src/auth.ts`, "export const a = 1;\n");
  const sources = [{ id: file, relation: "informs" }];
  const { path } = await knowledge(on.memory, "Token refresh", FACT, { sources });
  return { ...on, path };
}

function change(on: World, text = "export const a = 2;\n"): void {
  const path = `${on.cwd}/src/auth.ts`;
  writeOld(path, text);
  Deno.utimeSync(path, new Date(NOW), new Date(NOW));
}

async function sourcesOf(path: string) {
  return readSources((await parseNote(read(path), "x.md")).front);
}

/** Every place that shows the note. */
async function flagged(memory: Memory): Promise<boolean[]> {
  const [hit] = (await searchMemory(memory, "token refresh")).items;
  const note = await readNote(memory, "token-refresh");
  const [listed] = await listKnowledge(memory);
  const [recalled] = (await recallKnowledge(memory, "how are tokens refreshed")).items;
  return [hit, note.kind === "one" ? note.item : undefined, listed, recalled].map((item) => {
    assert.ok(item !== undefined);
    assert.equal(item.flags.includes("stale"), item.stale !== undefined);
    return item.flags.includes("stale");
  });
}

async function found(memory: Memory): Promise<StoredNote> {
  const one = await findNote(memory, "token-refresh");
  return one.kind === "one" ? one.item : assert.fail(one.kind);
}

async function verify(on: World, evidence: string, author: Author) {
  return await verifyKnowledge(on.memory, await found(on.memory), evidence, author);
}

const ALL = [true, true, true, true];
const NONE = [false, false, false, false];

Deno.test("saveKnowledge() anchors a source that is a file to its content and the commit", async () => {
  using on = await anchored();
  const [source] = await sourcesOf(on.path);
  const bytes = new TextEncoder().encode("export const a = 1;\n");
  const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  assert.equal(source?.id, "src/auth.ts");
  assert.equal(source?.hash, sha256);
  assert.match(source?.commit ?? "", /^[0-9a-f]{40}$/);
});

Deno.test("saveKnowledge() records a source by its path in the project, from wherever it was named", async () => {
  for (const typed of ["./src/../src/auth.ts", "ABSOLUTE"]) {
    using on = await world();
    writeOld(`${on.cwd}/src/auth.ts`, "x\n");
    const id = typed === "ABSOLUTE" ? `${on.cwd}/src/auth.ts` : typed;
    const { path } = await knowledge(on.memory, "T", FACT, { sources: [{ id, relation: "" }] });
    assert.equal((await sourcesOf(path))[0]?.id, "src/auth.ts");
  }
  using on = await world();
  writeOld(`${on.cwd}/src/auth.ts`, "x\n");
  const below = await on.open({ cwd: `${on.cwd}/src` });
  const { path } = await knowledge(below, "T", FACT, {
    sources: [{ id: "auth.ts", relation: "" }],
  });
  assert.equal((await sourcesOf(path))[0]?.id, "src/auth.ts");
});

Deno.test("saveKnowledge() anchors nothing outside the project, behind a link, or ignored", async () => {
  using on = await world();
  writeOld(`${on.home}/secret.txt`, "x\n");
  writeOld(`${on.cwd}/private/key.txt`, "x\n");
  writeOld(`${on.cwd}/.sageignore`, "private/\n");
  await Deno.symlink(`${on.home}/secret.txt`, `${on.cwd}/link.txt`);
  await Deno.symlink(on.home, `${on.cwd}/out`);
  const ids = [
    "../home/secret.txt",
    `${on.home}/secret.txt`,
    "link.txt",
    "out/secret.txt",
    "private/key.txt",
    "missing.txt",
    "https://example.com/a",
    "a\0b",
    "x".repeat(5000),
    "src",
  ];
  await Deno.mkdir(`${on.cwd}/src`);
  const { path } = await knowledge(on.memory, "T", FACT, {
    sources: ids.map((id) => ({ id, relation: "informs" })),
  });
  assert.deepEqual((await sourcesOf(path)).map(({ hash }) => hash), ids.map(() => undefined));
});

Deno.test("a source with a name in NFD is recorded in NFC, as git names it, and found", async () => {
  const fs = foldingFs();
  using on = await world();
  const memory = await on.open({ fs });
  const decomposed = `${on.cwd}/Bu\u0308ro`;
  writeOld(`${decomposed}/a.ts`, "export const a = 1;\n");
  const absolute = `${on.cwd}/Büro/a.ts`;
  assert.equal(pathBelow(fs, on.cwd, absolute, "darwin"), "Büro/a.ts");
  assert.equal(pathBelow(fs, on.cwd, absolute, "linux"), "Bu\u0308ro/a.ts");
  const contents = await openContents(memory);
  assert.match(contents.hashOf("Büro/a.ts") ?? "", /^[0-9a-f]{64}$/);
  await Deno.rename(decomposed, `${on.home}/outside`);
  await Deno.symlink(`${on.home}/outside`, decomposed);
  assert.equal((await openContents(memory)).hashOf("Büro/a.ts"), undefined);
});

Deno.test("saveKnowledge() anchors no note of the user's scope", async () => {
  using on = await world();
  writeOld(`${on.cwd}/src/auth.ts`, "x\n");
  const sources = [{ id: "src/auth.ts", relation: "" }];
  const { path } = await knowledge(on.memory, "T", FACT, { sources, scope: "user" }, PERSON);
  assert.equal((await sourcesOf(path))[0]?.hash, undefined);
});

for (const project of ["own", "none"] as const) {
  Deno.test(`a changed source is flagged wherever the note is shown (project store: ${project})`, async () => {
    using on = await anchored({ project });
    assert.deepEqual(await flagged(on.memory), NONE);
    change(on);
    const before = read(on.path);
    assert.deepEqual(await flagged(on.memory), ALL);
    assert.deepEqual(await flagged(await on.open()), ALL, "a read refreshes nothing");
    assert.equal(read(on.path), before);
    const note = await readNote(on.memory, "token-refresh");
    const [stale] = note.kind === "one" ? note.item.stale ?? [] : [];
    assert.equal(stale?.path, "src/auth.ts");
    assert.equal(stale?.change, "changed");
    assert.match(stale?.since ?? "", /^[0-9a-f]{40}$/);
    change(on, "export const a = 1;\n");
    assert.deepEqual(await flagged(on.memory), NONE, "it is again what it was");
    await Deno.remove(`${on.cwd}/src`, { recursive: true });
    assert.deepEqual(await flagged(on.memory), ALL, "it is gone");
  });
}

Deno.test("a change of line ends does not make a note stale", async () => {
  using on = await anchored();
  change(on, "export const a = 1;\r\n");
  assert.deepEqual(await flagged(on.memory), NONE);
});

Deno.test("an edit of the same size in the same moment makes a note stale", async () => {
  using on = await anchored();
  await Deno.writeTextFile(`${on.cwd}/src/auth.ts`, "export const a = 1;\n");
  assert.deepEqual(await flagged(on.memory), NONE);
  await Deno.writeTextFile(`${on.cwd}/src/auth.ts`, "export const a = 9;\n");
  assert.deepEqual(await flagged(on.memory), ALL);
});

Deno.test("updateKnowledge() anchors the note to the present content of its files", async () => {
  using on = await anchored();
  change(on);
  const content = FACT + " The mutex is per host.";
  const next = { title: "Token refresh", content, id: "token-refresh" };
  await readByAgent(on, next.id);
  assert.equal((await saveKnowledge(on.memory, next, AGENT)).kind, "updated");
  assert.deepEqual(await flagged(on.memory), NONE);
});

Deno.test("a change that Sage makes by itself does not anchor the note anew", async () => {
  using on = await anchored();
  change(on);
  const content = FACT + " The mutex is per host.";
  const next = { title: "Token refresh", content, id: "token-refresh" };
  assert.equal((await saveKnowledge(on.memory, next, SAGE)).kind, "updated");
  assert.deepEqual(await flagged(on.memory), ALL);
});

Deno.test("saving the same text again does not anchor the note anew", async () => {
  using on = await anchored();
  change(on);
  const same = { title: "Token refresh", content: FACT, id: "token-refresh" };
  assert.equal((await saveKnowledge(on.memory, same, AGENT)).kind, "duplicate");
  assert.deepEqual(await flagged(on.memory), ALL);
});

Deno.test("verifyKnowledge() believes a person, and an agent only with evidence", async () => {
  using on = await anchored();
  change(on);
  assert.equal((await verify(on, "", AGENT)).kind, "excluded");
  assert.equal((await verify(on, " ", AGENT)).kind, "excluded");
  assert.equal((await verify(on, "password: hunter2Xy83kd9", AGENT)).kind, "refused");
  assert.deepEqual(await flagged(on.memory), ALL);
  assert.equal((await verify(on, "deno test auth: 12 passed", AGENT)).kind, "verified");
  assert.deepEqual(await flagged(on.memory), NONE);
  assert.match(
    read(on.path),
    /\nverified:\n {2}by: agent\n {2}at: \S+\n {2}evidence: "?deno test auth: 12 passed"?\n/,
  );
  assert.match(read(on.path), /\nupdated: 2026-01-13T14:30:00Z\n/, "the text is as old as it was");
  change(on, "export const a = 3;\n");
  on.later(DAY);
  assert.equal((await verify(on, "", PERSON)).kind, "verified");
  assert.match(read(on.path), /\nverified:\n {2}by: person\n {2}at: \S+\n---\n/);
  assert.deepEqual(await flagged(on.memory), NONE);
});

Deno.test("verifyKnowledge() keeps the name of a source that is gone, and anchors it when it is back", async () => {
  using on = await anchored();
  await Deno.remove(`${on.cwd}/src/auth.ts`);
  await verify(on, "", PERSON);
  assert.deepEqual(await flagged(on.memory), NONE);
  assert.deepEqual(await sourcesOf(on.path), [
    { id: "src/auth.ts", relation: "informs", hash: undefined, commit: undefined },
  ]);
  change(on);
  await verify(on, "", PERSON);
  assert.notEqual((await sourcesOf(on.path))[0]?.hash, undefined);
});

Deno.test("verifyKnowledge() keeps what else a person wrote about a source", async () => {
  using on = await anchored();
  const text = read(on.path).replace(
    "    relation: informs\n",
    "    relation: informs\n    lines: 3-9\n",
  );
  writeOld(on.path, text);
  change(on);
  await verify(on, "", PERSON);
  assert.match(read(on.path), /path: src\/auth\.ts\n {4}relation: informs\n {4}lines: 3-9\n/);
});

Deno.test("a promoted note stays anchored to its project's files when it is changed elsewhere", async () => {
  using on = await anchored();
  const { path } = await promoteKnowledge(on.memory, await found(on.memory));
  const rests = (await sourcesOf(path))[0]?.hash;
  assert.notEqual(rests, undefined);
  const cwd = tempDir();
  put(`${cwd}/src/auth.ts`, "export const other = 1;\n");
  const elsewhere = await on.open({ cwd });
  const verified = await verifyKnowledge(elsewhere, await found(elsewhere), "", PERSON);
  assert.equal(verified.kind, "verified");
  assert.equal((await sourcesOf(path))[0]?.hash, rests);
  const input = { title: "Token refresh", content: "Tokens live an hour.", id: "token-refresh" };
  assert.equal((await saveKnowledge(elsewhere, input, PERSON)).kind, "updated");
  assert.equal((await sourcesOf(path))[0]?.hash, rests);
  await demoteKnowledge(on.memory, await found(on.memory));
  assert.deepEqual(await flagged(on.memory), NONE);
});

Deno.test("latelyStale() names a note whose file changed lately, for two weeks", async () => {
  using on = await anchored();
  const told = async (): Promise<string> => {
    await refreshAll(on.memory);
    return (await orient(on.memory, SESSION, "startup"))?.text ?? "";
  };
  assert.doesNotMatch(await told(), /Stale/);
  change(on);
  assert.match(
    await told(),
    /^- Stale: "Token refresh": "src\/auth\.ts" changed since [0-9a-f]{7} \(get_note \{"id":"[0-9a-f]{8}"\}\)$/m,
  );
  on.later(30 * DAY);
  assert.doesNotMatch(await told(), /Stale/);
});

Deno.test("latelyStale() counts from the first change of a file that changes every week", async () => {
  using on = await anchored();
  const told = async (week: number): Promise<boolean> => {
    const path = `${on.cwd}/src/auth.ts`;
    put(path, `export const a = ${week};\n`);
    const now = new Date(on.memory.now());
    await Deno.utime(path, now, now);
    await refreshAll(on.memory);
    const text = (await orient(on.memory, SESSION, "startup"))?.text ?? "";
    on.later(7 * DAY);
    return text.includes("- Stale:");
  };
  const weeks: boolean[] = [];
  for (let week = 2; week < 8; week++) weeks.push(await told(week));
  assert.deepEqual(weeks, [true, true, false, false, false, false]);
  assert.equal((await doubtfulNotes(on.memory)).length, 1);
  assert.equal((await verify(on, "looked at the file", PERSON)).kind, "verified");
  assert.deepEqual([await told(8), await told(9), await told(10)], [true, true, false]);
});

Deno.test("latelyStale() counts anew after a file was unchanged for a while, as on another branch", async () => {
  using on = await anchored();
  const path = `${on.cwd}/src/auth.ts`;
  const before = read(path);
  const told = async (text: string): Promise<boolean> => {
    put(path, text);
    const now = new Date(on.memory.now());
    await Deno.utime(path, now, now);
    await refreshAll(on.memory);
    return (await orient(on.memory, SESSION, "startup"))?.text.includes("- Stale:") ?? false;
  };
  assert.equal(await told("export const a = 2;\n"), true);
  on.later(DAY);
  assert.equal(await told(before), false);
  on.later(30 * DAY);
  assert.equal(await told("export const a = 3;\n"), true);
});

Deno.test("latelyStale() names the note on a file that was worded last", async () => {
  using on = await anchored();
  for (const title of ["Session length", "Cookie names", "Zero trust"]) {
    on.later(DAY);
    await knowledge(on.memory, title, `${title}: said by the file.`, {
      sources: [{ id: "src/auth.ts", relation: "informs" }],
    });
  }
  change(on);
  await refreshAll(on.memory);
  const told = (await orient(on.memory, SESSION, "startup"))?.text ?? "";
  assert.match(told, /^- Stale: "Zero trust": .*; 3 more: sage check\)$/m);
});

Deno.test("a hook does not read large sources, and says nothing about them", async () => {
  using on = await anchored({ hook: true });
  change(on, "x".repeat(2 * 1024 * 1024));
  const contents = await openContents(on.memory);
  assert.equal(contents.hashOf("src/auth.ts"), undefined);
});

Deno.test("a note is found and verified although its source may not be read", async () => {
  using on = await anchored();
  change(on);
  const { fs } = on.memory;
  const open: typeof fs.open = (path, options) => {
    if (!path.endsWith("/src/auth.ts")) return fs.open(path, options);
    throw Object.assign(new Error("permission denied"), { code: "EACCES" });
  };
  const memory = await on.open({ fs: { ...fs, open } });
  assert.deepEqual(await flagged(memory), NONE);
  const before = await sourcesOf(on.path);
  assert.equal((await verifyKnowledge(memory, await found(memory), "", PERSON)).kind, "verified");
  assert.deepEqual(await sourcesOf(on.path), before);
  assert.deepEqual(await flagged(await on.open()), ALL);
});

Deno.test("a note from elsewhere cannot make Sage read files outside the project", async () => {
  using on = await world({ project: "foreign" });
  writeOld(`${on.home}/secret.txt`, "x\n");
  await Deno.symlink(on.home, `${on.cwd}/out`);
  const hash = "0".repeat(64);
  const names = ["../home/secret.txt", `${on.home}/secret.txt`, "out/secret.txt", "a/../../x"];
  byHand(`${on.cwd}/.sage`, "knowledge/evil.md", {
    id: "evil",
    type: "knowledge",
    created: "2026-01-12T09:00:00Z",
    sources: names.map((path) => `\n  - path: ${path}\n    hash: ${hash}`).join(""),
  }, "# Evil\n\nText.\n");
  const note = await readNote(on.memory, "evil");
  assert.ok(note.kind === "one");
  assert.deepEqual(note.item.flags, ["untrusted"]);
});

Deno.test("doubtfulNotes() names notes on a changed file, unless they were updated with it", async () => {
  using on = await anchored();
  writeOld(`${on.cwd}/src/other.ts`, "x\n");
  const ids = async (...files: string[]): Promise<string[]> =>
    (await doubtfulNotes(on.memory, projectPaths(on.memory, files, "git"))).map(({ id }) => id);
  assert.deepEqual(await ids("src/auth.ts"), [], "it holds what the note rests on");
  change(on);
  assert.deepEqual(await ids("src/auth.ts"), ["token-refresh"]);
  assert.deepEqual(await ids("src/other.ts", "auth.ts", "../x", ""), []);
  assert.equal((await doubtfulNotes(on.memory)).length, 1);
  await verify(on, "", PERSON);
  assert.deepEqual(await ids("src/auth.ts"), []);
  assert.deepEqual(await doubtfulNotes(on.memory), []);
});

Deno.test("doubtfulNotes() counts a source without a hash as changed only if the file is named", async () => {
  using on = await world();
  byHand(`${on.cwd}/.sage`, "knowledge/plain.md", {
    id: "plain",
    type: "knowledge",
    created: "2026-01-12T09:00:00Z",
    sources: "[src/auth.ts]",
  }, "# Plain\n\nText.\n");
  assert.deepEqual(await doubtfulNotes(on.memory), []);
  const [found] = await doubtfulNotes(on.memory, new Set(["src/auth.ts"]));
  assert.deepEqual(found?.stale, [{ path: "src/auth.ts", change: "gone" }]);
});

Deno.test("damaged hashes of sources are read again from the files", async () => {
  using on = await anchored();
  assert.deepEqual(await flagged(on.memory), NONE);
  const folder = `${on.home}/.sage/state/sources`;
  const [name = ""] = filesIn(folder);
  for (
    const text of [
      "",
      "{",
      "[1]\n",
      "null\n",
      '{"src/auth.ts":null}\n',
      '{"src/auth.ts":{"hash":1}}\n',
    ]
  ) {
    put(`${folder}/${name}`, text);
    assert.deepEqual(await flagged(await on.open()), NONE, text);
    change(on);
    assert.deepEqual(await flagged(await on.open()), ALL, text);
    change(on, "export const a = 1;\n");
  }
  await Deno.remove(`${folder}/${name}`);
  await Deno.mkdir(`${folder}/${name}`);
  assert.deepEqual(await flagged(await on.open()), NONE);
});
