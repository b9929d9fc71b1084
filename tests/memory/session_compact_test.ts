/** Old session notes become knowledge, with consent where it is due, and no word is lost on the way. */
import assert from "node:assert/strict";
import { readEntry } from "../../src/memory/index/entries.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { compactSession, type Decision, dueSessions } from "../../src/memory/session/compact.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { parseNote } from "../../src/note/parse.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { writeOld } from "../support/temp_store.ts";
import { byHand, DAY, knowledge, PERSON, read, type World, world } from "../support/world.ts";

function note(on: World, id: string, at: string, decisions: readonly string[]): string {
  return byHand(
    `${on.cwd}/.sage`,
    `sessions/${id}.md`,
    {
      ...{ id, type: "session", title: `Work of ${id}`, session: `${id}-session` },
      ...{ created: at, updated: at, started: at, ended: at, end_reason: "other" },
    },
    `## Summary\n\nMake it fast. → It is fast.\n\n## Decisions\n\n${
      decisions.map((decision) => `- ${decision}\n`).join("")
    }\n## Log\n\n- A line that only this note has.`,
  );
}

const BATCHES = "We load customers in batches of 500, because a cache would need 3 GB.";
const QUEUE = "We chose Postgres over Redis for the queue because invoices are in one transaction.";
const TASTE = "I think tabs look nicer than spaces in the templates.";

async function compactAll(memory: Memory, decision: Decision = "later") {
  const done = [];
  for (const entry of await dueSessions(memory)) {
    const stored = await readEntry(entry);
    assert.ok(stored !== undefined);
    done.push(await compactSession(memory, stored, PERSON, () => Promise.resolve(decision)));
  }
  return done;
}

async function titles(memory: Memory): Promise<string[]> {
  return (await listKnowledge(memory, {})).map(({ title }) => title).sort();
}

Deno.test("dueSessions() lists old notes, oldest first, and never the latest", async () => {
  using on = await world();
  note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES]);
  note(on, "s-2", "2026-01-01T10:00:00Z", [QUEUE]);
  note(on, "s-3", "2026-01-03T10:00:00Z", []);
  const ids = async () => (await dueSessions(on.memory)).map(({ note }) => note.id);
  assert.deepEqual(await ids(), ["s-2", "s-1"]);
  note(on, "s-4", "2026-01-13T10:00:00Z", []);
  assert.deepEqual(await ids(), ["s-2", "s-1", "s-3"]);
});

Deno.test("dueSessions() leaves the latest session of this machine, also where a teammate's is newer", async () => {
  using on = await world();
  for (const day of [1, 2, 3, 4]) note(on, `s-${day}`, `2026-01-0${day}T10:00:00Z`, [BATCHES]);
  for (const day of [1, 2]) {
    updateSession(on.memory, `s-${day}-session`, (state) => ({ ...state, ended: 1 }));
  }
  assert.deepEqual((await dueSessions(on.memory)).map(({ note }) => note.id), ["s-1", "s-3"]);
});

Deno.test("dueSessions() leaves out notes of running sessions and of untrusted stores", async () => {
  using on = await world();
  for (const day of [1, 2, 3]) note(on, `s-${day}`, `2026-01-0${day}T10:00:00Z`, [BATCHES]);
  const ids = async () => (await dueSessions(await on.open())).map(({ note }) => note.id);
  const own = { id: "s-1", path: "sessions/s-1.md", hash: "", scope: "project" } as const;
  updateSession(on.memory, "s-1-session", (state) => ({ ...state, note: own }));
  assert.deepEqual(await ids(), ["s-2"]);
  recordTrust(on.memory.fs, on.memory.places.stateDir, `${on.cwd}/.sage`, "unknown");
  assert.deepEqual(await ids(), []);
});

Deno.test("compactSession() does not archive a note that changes meanwhile", async () => {
  using on = await world();
  const path = note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const stored = await readEntry((await dueSessions(on.memory))[0]);
  assert.ok(stored !== undefined);
  writeOld(path, `${read(path)}\nMine.\n`);
  const decide = (): Promise<Decision> => Promise.resolve("later");
  const { archived, reason } = await compactSession(on.memory, stored, PERSON, decide);
  assert.deepEqual([archived, reason], [false, "the note was changed in this moment"]);
  assert.match(read(path), /\nMine\.\n$/);
});

Deno.test("dueSessions() lists the oldest notes if all together have too many lines", async () => {
  using on = await world({ tuning: "session.compact_lines: 50\nsession.compact_days: 30\n" });
  for (let i = 1; i <= 4; i++) note(on, `s-${i}`, `2026-01-13T1${i}:00:00Z`, [BATCHES]);
  // Each is 21 lines long.
  assert.deepEqual((await dueSessions(on.memory)).map(({ note }) => note.id), ["s-1", "s-2"]);
});

Deno.test("compactSession() makes knowledge, links it both ways, and keeps every word of the note", async () => {
  using on = await world();
  const path = note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES, QUEUE]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const before = read(path);
  const [done] = await compactAll(on.memory);
  assert.deepEqual([done?.archived, done?.written, done?.into.length], [true, 2, 2]);
  const after = await parseNote(read(path), "sessions/s-1.md");
  assert.equal(after.status, "archived");
  assert.deepEqual(after.front.get("compacted_into"), done?.into);
  assert.equal(after.body, (await parseNote(before, "sessions/s-1.md")).body);
  for (const item of await listKnowledge(on.memory, {})) {
    assert.match(read(item.path), /sources:[^]*s-1/);
  }
  assert.deepEqual(await compactAll(on.memory), [], "once only");
});

Deno.test("compactSession() makes no knowledge of a person's preference without consent", async () => {
  using on = await world();
  const wishes = [
    "I prefer short names in the parser from now on, always.",
    "Migrations must never run at boot.",
  ];
  note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES, ...wishes]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const [done] = await compactAll(on.memory);
  assert.deepEqual([done?.archived, done?.written], [false, 1]);
  assert.deepEqual(
    done?.unsettled.map(({ fact }) => [fact.kind, fact.text]),
    wishes.map((wish) => ["preference", wish]),
  );
  assert.equal((await compactAll(on.memory, "drop"))[0]?.archived, true);
  assert.equal((await titles(on.memory)).length, 1);
});

Deno.test("compactSession() gives knowledge the date of its session", async () => {
  using on = await world();
  note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  on.later(90 * DAY);
  await compactAll(on.memory);
  const [item, ...more] = await listKnowledge(on.memory, {});
  assert.deepEqual(more, []);
  assert.deepEqual([item?.created, item?.updated], [
    "2026-01-02T10:00:00Z",
    "2026-01-02T10:00:00Z",
  ]);
});

Deno.test("compactSession() waits for consent before it keeps a preference", async () => {
  using on = await world();
  const path = note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES, TASTE]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const before = read(path);
  const [waiting] = await compactAll(on.memory);
  assert.deepEqual([waiting?.archived, waiting?.unsettled.map(({ fact }) => fact.text)], [
    false,
    [TASTE],
  ]);
  assert.equal(read(path), before);
  assert.equal((await titles(on.memory)).length, 1);
  const [dropped] = await compactAll(on.memory, "drop");
  assert.deepEqual([dropped?.archived, dropped?.written, dropped?.into.length], [true, 0, 1]);
  assert.equal((await titles(on.memory)).length, 1);
});

Deno.test("compactSession() changes an existing note only with consent", async () => {
  using on = await world();
  const title = BATCHES.replace(/\.$/, "");
  const old = await knowledge(on.memory, title, "Customers are loaded one by one.");
  note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const [waiting] = await compactAll(on.memory);
  assert.equal(waiting?.unsettled[0]?.existing?.id, old.id);
  assert.match(read(old.path), /one by one/);
  const [kept] = await compactAll(on.memory, "keep");
  assert.deepEqual([kept?.archived, kept?.into], [true, [old.id]]);
  assert.match(read(old.path), /batches of 500/);
});

Deno.test("compactSession() makes nothing twice when an interrupted run is repeated", async () => {
  using on = await world();
  const path = note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES, TASTE]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const stored = await readEntry((await dueSessions(on.memory))[0]);
  assert.ok(stored !== undefined);
  const killed = () => Promise.reject(new Error("killed"));
  await assert.rejects(compactSession(on.memory, stored, PERSON, killed), /killed/);
  assert.doesNotMatch(read(path), /status: archived/);
  const [done] = await compactAll(await on.open(), "keep");
  assert.equal(done?.archived, true);
  assert.deepEqual((await titles(on.memory)).length, 2);
  assert.equal(done?.into.length, 2, "what the first run made is linked as well");
});

Deno.test("orient() does not continue from an archived session", async () => {
  using on = await world();
  note(on, "s-1", "2026-01-02T10:00:00Z", [BATCHES]);
  note(on, "s-2", "2026-01-03T10:00:00Z", []);
  on.later(DAY);
  await compactAll(on.memory);
  const { orient } = await import("../../src/memory/session/orientation/orientation.ts");
  const text = (await orient(on.memory, "x", "startup"))?.text ?? "";
  assert.match(text, /Last session \(2026-01-03/);
});

Deno.test("compactSession() keeps a decision, but not the one that it takes back", async () => {
  using on = await world();
  const sqlite = "We use SQLite instead of Postgres for the queue, because nobody has to run it.";
  const style =
    "We moved from tabs to two spaces in the templates, because diffs are readable then.";
  note(on, "s-1", "2026-01-02T10:00:00Z", [
    QUEUE,
    `${sqlite} (takes back: “${QUEUE}”)`,
    `${style} (takes back: “${TASTE}” of [[s-0]])`,
  ]);
  note(on, "s-2", "2026-01-13T10:00:00Z", []);
  const [done] = await compactAll(on.memory);
  assert.deepEqual([done?.written, done?.unsettled.length, done?.archived], [2, 0, true]);
  const stored = await listKnowledge(on.memory, {});
  const texts = stored.map(({ id }) => read(`${on.cwd}/.sage/knowledge/${id}.md`)).join("\n");
  for (const text of [sqlite, style]) assert.ok(texts.includes(`\n\n${text}\n`), texts);
  assert.doesNotMatch(texts, /takes back|over Redis/);
});
