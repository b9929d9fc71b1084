/** The note of a session: Sage's while nobody else touched it. */
import assert from "node:assert/strict";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { readSession, updateSession } from "../../src/memory/session/state.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { initStores } from "../../src/memory/init.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { filesIn } from "../support/temp_store.ts";
import type { TranscriptBuilder } from "../support/transcript.ts";
import {
  AGENT,
  begin,
  checkpoint,
  conversation,
  placesOf,
  put,
  read,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

async function write(on: World, said: TranscriptBuilder, memory: Memory = on.memory, end = false) {
  const transcript = await readTurns(memory, transcriptFile(on, said));
  assert.ok(transcript !== undefined);
  const at = memory.now();
  return await writeSessionNote(
    memory,
    SESSION,
    transcript,
    end ? { at, reason: "other" } : undefined,
  );
}

const notePath = (on: World): string => readSession(on.memory, SESSION)?.note?.path ?? "";

function goOn(said: TranscriptBuilder): TranscriptBuilder {
  return said.user("What of the tests, then? Are they green with the change?").assistant(
    "All 214 tests pass with it. We decided to keep the old path behind a flag because of the audit.",
  );
}

Deno.test("writeSessionNote() makes one note a session, and renews it while it lasts", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  assert.equal((await write(on, said)).kind, "written");
  const path = notePath(on);
  assert.match(path, /\/\.sage\/sessions\/2026-01-13-[a-z0-9-]+-11111111\.md$/);
  assert.match(read(path), /## Decisions\n\n- .*stream the rows/);
  assert.doesNotMatch(read(path), /\nended:/);
  assert.equal((await write(on, said)).kind, "unchanged");
  assert.equal((await write(on, goOn(said))).kind, "written");
  assert.match(read(path), /flag because of the audit/);
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(path), /\nended: 2026-01-13T14:30:00Z\nend_reason: other\n/);
  const files = filesIn(`${on.cwd}/.sage`).filter((name) => name.includes("11111111"));
  assert.deepEqual(files, [path.replace(`${on.cwd}/.sage/`, "")], "no versions, no copies");
});

Deno.test("writeSessionNote() leaves the note alone from a person's first edit on", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  const mine = read(notePath(on)) + "\nA person's word.\n";
  put(notePath(on), mine);
  const outcome = await write(on, goOn(said));
  assert.deepEqual(outcome, { kind: "kept", reason: "a person edited it" });
  assert.equal(read(notePath(on)), mine);
});

Deno.test("writeSessionNote() makes no second note when a person deleted or moved the first", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  await Deno.remove(notePath(on));
  const outcome = await write(on, goOn(said));
  assert.deepEqual(outcome, { kind: "kept", reason: "a person moved or removed it" });
  assert.deepEqual(filesIn(`${on.cwd}/.sage/sessions`), []);
});

Deno.test("writeSessionNote() writes nothing outside the store, whatever the state says", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  const outside = `${on.home}/diary.md`;
  put(outside, "# Diary\n");
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    note: { id: "x", path: outside, hash: state.note?.hash ?? "", scope: "project" },
  }));
  assert.equal((await write(on, goOn(said))).kind, "kept");
  assert.equal(read(outside), "# Diary\n");
});

Deno.test("writeSessionNote() stays in the user's store when a project store is made meanwhile", async () => {
  using on = await world({ project: "none" });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  await initStores(on.memory);
  const later = await on.open({ hook: true });
  assert.equal((await write(on, goOn(said), later)).kind, "written");
  assert.match(read(notePath(on)), /flag because of the audit/);
  assert.ok(notePath(on).startsWith(on.home));
});

Deno.test("writeSessionNote() redacts secrets and drops what is private, in the title too", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const { text, secret } = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(3)) ??
    { text: "", secret: "" };
  const said = conversation(`It stalls; we found ${text} in the log. <private>zanzibar</private>`)
    .title(`Fix <private>zanzibar</private> with ${text}`);
  await write(on, said);
  assert.match(read(notePath(on)), /redacted/);
  assert.deepEqual(
    [...placesOf(on, secret), ...placesOf(on, "zanzibar")].filter((path) =>
      !path.includes("/.claude/")
    ),
    [],
  );
});

Deno.test("writeSessionNote() says nothing of a session in which nothing was said", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const { TranscriptBuilder } = await import("../support/transcript.ts");
  const hello = new TranscriptBuilder({ bare: true }).user("Hello there!").assistant("Hello!");
  assert.equal((await write(on, hello)).kind, "nothing");
  assert.deepEqual(filesIn(`${on.cwd}/.sage`).filter((name) => name.endsWith(".md")), []);
});

Deno.test("writeSessionNote() names the last checkpoint of its session", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const saved = await checkpoint(on.memory, {}, AGENT);
  await write(on, conversation("It stalls because all rows are collected."));
  assert.match(read(notePath(on)), new RegExp(`checkpoints:[^#]*${saved.id}`));
});
