/** The note of a session: Sage's while nobody else touched it. */
import assert from "node:assert/strict";
import { holdLock } from "../../src/base/lock.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import type { StoredNote } from "../../src/memory/item.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { findSession, listSessions } from "../../src/memory/session/list.ts";
import { readSession as readSessionNote } from "../../src/note/session.ts";
import { prepareOrientation } from "../../src/memory/session/orientation/prepare.ts";
import { lockDir } from "../../src/store/handle.ts";
import { writeState } from "../../src/store/state.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { initStores } from "../../src/memory/init.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { readStatus } from "../../src/memory/status/status.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { filesIn } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  AGENT,
  begin,
  byHand,
  checkpoint,
  conversation,
  DAY,
  MINUTE,
  NOW,
  OTHER,
  placesOf,
  put,
  read,
  repository,
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

Deno.test("writeSessionNote() does not change the note when a session is resumed and left", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  const left = read(notePath(on));
  on.later(3 * 60 * MINUTE);
  begin(on.memory, on, { source: "resume" });
  assert.equal((await write(on, said, on.memory, true)).kind, "unchanged");
  assert.equal(read(notePath(on)), left);
  assert.equal((await write(on, goOn(said), on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), /\nended: 2026-01-13T17:30:00Z\n/);
});

Deno.test("writeSessionNote() makes one note a session, and rewrites it while the session lasts", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  assert.equal((await write(on, said)).kind, "written");
  const path = notePath(on);
  assert.match(path, /\/\.sage\/sessions\/2026-01-13-[a-z0-9-]+-11111111\.md$/);
  assert.match(read(path), /## Decisions\n\n- .*stream the rows/);
  assert.doesNotMatch(read(path), /\nended:/);
  on.later(6 * MINUTE);
  assert.equal((await write(on, said)).kind, "unchanged");
  const { noteAt } = readSession(on.memory, SESSION) ?? {};
  assert.equal(noteAt, on.memory.now(), "the next stop need not read it all again");
  assert.equal((await write(on, goOn(said))).kind, "written");
  assert.match(read(path), /flag because of the audit/);
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(path), /\nended: 2026-01-13T14:36:00Z\nend_reason: other\n/);
  const files = filesIn(`${on.cwd}/.sage`).filter((name) => name.includes("11111111"));
  assert.deepEqual(files, [path.replace(`${on.cwd}/.sage/`, "")], "no versions, no copies");
});

Deno.test("writeSessionNote() calls a note as the client calls its session by now, under the same name", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.").title("The importer");
  await write(on, said);
  const path = notePath(on);
  assert.match(path, /-the-importer-/);
  await write(on, goOn(said).title("Tests of the importer"));
  assert.equal(notePath(on), path);
  assert.match(read(path), /\ntitle: Tests of the importer\n[^]*audit/);
});

Deno.test("writeSessionNote() links a decision to the earlier one that it takes back", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  await write(on, conversation("It stalls because all rows are collected."), on.memory, true);
  const before = notePath(on);
  const id = before.slice(before.lastIndexOf("/") + 1, -3);

  begin(on.memory, on, { sessionId: OTHER });
  const said = new TranscriptBuilder({ sessionId: OTHER, startMs: NOW, bare: true })
    .user("The importer again: readers wait for it. What now?")
    .assistant(
      "We decided to write the rows in batches instead of streaming: stream the rows and each one " +
        "takes the lock. We decided to collect 1,000 rows rather than stream the rows, because the " +
        "lock is taken once for each batch.",
    );
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript !== undefined);
  const note = (end?: { at: number; reason: string }) =>
    writeSessionNote(on.memory, OTHER, transcript, end);
  await note();
  const path = readSession(on.memory, OTHER)?.note?.path ?? "";
  assert.doesNotMatch(read(path), /takes back/, "it may be taken back itself until the end");
  await note({ at: on.memory.now(), reason: "other" });
  assert.match(
    read(path),
    new RegExp(
      `rather than stream the rows.*\\(takes back: “We decided to stream .*” of \\[\\[${id}\\]\\]\\)`,
    ),
  );
});

Deno.test("writeSessionNote() does not link to decisions made after the session ended", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  await write(on, conversation("It stalls because all rows are collected."), on.memory, true);
  begin(on.memory, on, { sessionId: OTHER });
  const month = 30 * 24 * 3_600_000;
  const said = new TranscriptBuilder({ sessionId: OTHER, startMs: NOW - month, bare: true })
    .user("The importer: readers wait for it. What now?")
    .assistant(
      "We decided to collect 1,000 rows rather than stream the rows, because the lock is taken once.",
    );
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript !== undefined);
  const end = { at: on.memory.now() - month, reason: "recovered" };
  await writeSessionNote(on.memory, OTHER, transcript, end);
  const text = read(readSession(on.memory, OTHER)?.note?.path ?? "");
  assert.match(text, /rather than stream the rows/);
  assert.doesNotMatch(text, /takes back/);
});

Deno.test("writeSessionNote() quotes a decision without the link that it has itself", async () => {
  using on = await world({ hook: true });
  byHand(
    `${on.cwd}/.sage`,
    "sessions/earlier.md",
    { id: "earlier", type: "session", session: "earlier", updated: "2026-01-12T10:00:00Z" },
    "## Summary\n\nRows.\n\n## Decisions\n\n- We decided to stream the rows, because memory is short. " +
      "(takes back: “We decided to collect the rows.” of [[first]])\n",
  );
  await refreshAll(on.memory);
  begin(on.memory, on, { sessionId: OTHER });
  const said = new TranscriptBuilder({ sessionId: OTHER, startMs: NOW, bare: true })
    .user("The importer again: readers wait for it. What now?")
    .assistant(
      "We decided to write 1,000 rows at once rather than stream the rows, because the lock is taken " +
        "once for each batch.",
    );
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript !== undefined);
  await writeSessionNote(on.memory, OTHER, transcript, { at: on.memory.now(), reason: "other" });
  assert.match(
    read(readSession(on.memory, OTHER)?.note?.path ?? ""),
    /takes back: “We decided to stream the rows, because memory is short\.” of \[\[earlier\]\]\)$/m,
  );
});

Deno.test("writeSessionNote() finds the decision taken back among a hundred other sessions", async () => {
  using on = await world({ hook: true });
  const earlier = (id: string, day: string, decision: string): string =>
    byHand(
      `${on.cwd}/.sage`,
      `sessions/${id}.md`,
      { id, type: "session", session: id, updated: `${day}T10:00:00Z` },
      `## Summary\n\nWork of ${id}.\n\n## Decisions\n\n- ${decision}\n`,
    );
  earlier("yarn", "2025-06-01", "We chose yarn over npm because workspaces resolve twice as fast.");
  for (let i = 0; i < 100; i++) {
    earlier(`later-${i}`, "2026-01-12", `We decided to paint the barn of hall ${i} red.`);
  }
  // A hook would index as many as it has the time for.
  await refreshAll(await on.open({ hook: false }));
  begin(on.memory, on, { sessionId: OTHER });
  const said = new TranscriptBuilder({ sessionId: OTHER, startMs: NOW, bare: true })
    .user("The install step takes four minutes in CI. What about pnpm?")
    .assistant("We decided to use pnpm instead of yarn because CI is four times as fast.");
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript !== undefined);
  await writeSessionNote(on.memory, OTHER, transcript, { at: on.memory.now(), reason: "other" });
  assert.match(
    read(readSession(on.memory, OTHER)?.note?.path ?? ""),
    /takes back: “We chose yarn over npm because workspaces resolve twice as fast\.” of \[\[yarn\]\]\)$/m,
  );
});

Deno.test("writeSessionNote() does not change the note after a person's first edit", async () => {
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

Deno.test("writeSessionNote() continues a note whose writer was killed before recording it", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  const before = readSession(on.memory, SESSION)?.note;
  await write(on, goOn(said));
  updateSession(on.memory, SESSION, (state) => ({ ...state, ...(before && { note: before }) }));
  await Deno.utime(notePath(on), NOW / 1000, NOW / 1000);
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), /\nended: /);
  // The same bytes of an older day are what somebody went back to.
  updateSession(on.memory, SESSION, (state) => ({ ...state, ...(before && { note: before }) }));
  await Deno.utime(notePath(on), NOW / 1000 + 60, NOW / 1000 + 60);
  assert.equal((await write(on, goOn(said))).kind, "kept");
});

Deno.test("writeSessionNote() makes no second note when a person deleted the first", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  await Deno.remove(notePath(on));
  const outcome = await write(on, goOn(said));
  assert.deepEqual(outcome, { kind: "kept", reason: "a person removed it" });
  assert.deepEqual(filesIn(`${on.cwd}/.sage/sessions`), []);
});

Deno.test("writeSessionNote() continues from an older text of its own that git restored", async () => {
  using on = await world({ hook: true });
  repository(on.cwd);
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  const committed = read(notePath(on));
  assert.equal((await write(on, goOn(said))).kind, "written");
  // As git checkout and git reset --hard do, at a time of their own.
  put(notePath(on), committed);
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), /flag because of the audit/);
  put(notePath(on), `${committed}\nA person's word.\n`);
  assert.equal((await write(on, goOn(said))).kind, "kept");
});

Deno.test("writeSessionNote() makes a second note on a branch without the first, and continues the first there", async () => {
  using on = await world({ hook: true });
  repository(on.cwd);
  begin(on.memory, on);
  // What goes on is said after the note is written.
  const spoken = (startMs: number) =>
    conversation("It stalls because all rows are collected.", { startMs });
  const seconds = spoken(NOW).lines.filter(({ timestamp }) => timestamp !== undefined).length;
  const said = spoken(NOW - seconds * 1000);
  await write(on, said);
  const first = notePath(on);
  const { text, away } = { text: read(first), away: `${on.home}/away.md` };
  // As a commit of all there is, and git checkout main.
  const head = `${on.cwd}/.git/HEAD`;
  const checkout = (branch: string) => put(head, `ref: refs/heads/${branch}\n`);
  await Deno.rename(first, away);
  checkout("other/branch");
  assert.equal((await write(on, said)).kind, "kept", "nothing was said since");
  const more = goOn(said);
  assert.equal((await write(on, more)).kind, "written");
  const second = notePath(on);
  assert.match(second, /-other-branch-[0-9a-f]{8}\.md$/);
  assert.match(read(second), /flag because of the audit/);
  // Back again, and the other is not there.
  await Deno.rename(second, `${on.home}/second.md`);
  await Deno.rename(away, first);
  checkout("main");
  assert.equal(read(first), text);
  assert.equal((await write(on, more, on.memory, true)).kind, "written");
  assert.equal(notePath(on), first);
  assert.match(read(first), /flag because of the audit/);
  await Deno.remove(first);
  await Deno.utime(head, NOW / 1000, NOW / 1000);
  const outcome = await write(on, goOn(more));
  assert.deepEqual(outcome, { kind: "kept", reason: "a person removed it" });
});

Deno.test("writeSessionNote() makes a second note if the transcript was deleted and begun anew", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  await write(on, goOn(conversation("It stalls because all rows are collected.")));
  const [first, text] = [notePath(on), read(notePath(on))];
  on.later(40 * DAY);
  const startMs = on.memory.now() + MINUTE;
  on.later(10 * MINUTE);
  const anew = conversation("We decided to keep the importer at 500 rows.", { startMs });
  await write(on, anew);
  assert.equal(read(first), text);
  assert.notEqual(notePath(on), first);
  const second = notePath(on);
  await write(on, goOn(anew), on.memory, true);
  assert.equal(notePath(on), second);
  assert.match(read(second), /500 rows/);
  assert.doesNotMatch(read(second), /all rows are collected/);
  assert.equal(filesIn(`${on.cwd}/.sage/sessions`).length, 2);
});

Deno.test("writeSessionNote() goes on with its note where the transcript became shorter", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  await write(on, goOn(conversation("It stalls because all rows are collected.")));
  const path = notePath(on);
  await write(on, conversation("It stalls because all rows are collected."));
  assert.equal(notePath(on), path);
});

Deno.test("writeSessionNote() takes over no note of another session whose id begins alike", async () => {
  using on = await world({ hook: true });
  const other = `${SESSION.slice(0, -1)}9`;
  const front = { id: "theirs", type: "session", session: other };
  const name = `2026-01-12-theirs-${SESSION.slice(0, 8)}.md`;
  const theirs = byHand(`${on.cwd}/.sage`, `sessions/${name}`, front, "## Summary\n\nTheirs.");
  const before = read(theirs);
  begin(on.memory, on);
  await write(on, conversation("It stalls because all rows are collected."));
  assert.notEqual(notePath(on), theirs);
  assert.equal(read(theirs), before);
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

Deno.test("writeSessionNote() keeps the note in the user's store when a project store is made meanwhile", async () => {
  using on = await world({ project: "none" });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  await initStores(on.memory);
  const later = await on.open({ hook: true });
  assert.equal((await write(on, goOn(said), later)).kind, "written");
  assert.match(read(notePath(on)), /flag because of the audit/);
  assert.ok(notePath(on).startsWith(on.home));
  // Also if the private state is gone by then.
  const written = new Date(on.memory.now());
  await Deno.utime(notePath(on), written, written);
  await Deno.remove(`${on.home}/.sage/state/instances`, { recursive: true });
  begin(later, on);
  said.user("What else?").assistant("We decided to keep the old importer for a month, to compare.");
  assert.equal((await write(on, said, later)).kind, "written");
  assert.match(read(notePath(on)), /keep the old importer for a month/);
  assert.ok(!filesIn(`${on.cwd}/.sage`).some((path) => path.startsWith("sessions/")));
});

Deno.test("writeSessionNote() redacts secrets and removes private text, in the title too", async () => {
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

Deno.test("writeSessionNote() makes no note of a session in which nothing was said", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const { TranscriptBuilder } = await import("../support/transcript.ts");
  const hello = new TranscriptBuilder({ bare: true }).user("Hello there!").assistant("Hello!");
  assert.equal((await write(on, hello)).kind, "nothing");
  assert.deepEqual(filesIn(`${on.cwd}/.sage`).filter((name) => name.endsWith(".md")), []);
});

Deno.test("writeSessionNote() keeps a finding of one sentence, but not a short answer to a question", async () => {
  const { TranscriptBuilder } = await import("../support/transcript.ts");
  const because =
    "It does a sequential scan over audit_rows, because the index on created_at was " +
    "dropped in migration 0042.";
  const kindOf = async (answer: string, looked: boolean): Promise<string> => {
    using on = await world({ hook: true });
    begin(on.memory, on);
    const said = new TranscriptBuilder({ bare: true }).user("Why does the audit job take so long?");
    if (looked) said.assistant("", [{ name: "Read", input: { file_path: "/p/a" }, result: "x" }]);
    return (await write(on, said.assistant(answer))).kind;
  };
  assert.equal(await kindOf(because, true), "written");
  assert.equal(await kindOf(because, false), "nothing");
  assert.equal(await kindOf("It takes 40 minutes, as it did in the last month.", true), "nothing");
});

Deno.test("writeSessionNote() keeps a fact that a person stated, however short the answer", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const { TranscriptBuilder } = await import("../support/transcript.ts");
  const fact = "bounced addresses are blocked for 30 days, and support is told by a ticket then";
  const said = new TranscriptBuilder({ bare: true }).user(fact).assistant("Done.");
  assert.equal((await write(on, said)).kind, "written");
  assert.match(read(notePath(on)), new RegExp(`## Summary\n\n${fact}`));
});

Deno.test("writeSessionNote() keeps a talk in which a person told several things, and no shorter one", async () => {
  const { TranscriptBuilder } = await import("../support/transcript.ts");
  const told = [
    "the bathtub goes where the window used to be",
    "the hall in the same green that the kitchen has",
    "and the dormer has to wait for another summer",
  ];
  const kindOf = async (said: readonly string[]): Promise<string> => {
    using on = await world({ hook: true });
    begin(on.memory, on);
    const talk = new TranscriptBuilder({ bare: true });
    for (const one of said) talk.user(one).assistant("Good.");
    return (await write(on, talk)).kind;
  };
  assert.equal(await kindOf(told), "written");
  assert.equal(await kindOf(told.toSpliced(1, 1)), "nothing");
  assert.equal(await kindOf(told.map((one) => `${one}?`)), "nothing");
});

Deno.test("writeSessionNote() keeps a step that a short session left, and no request or greeting alone", async () => {
  const kindOf = async (...said: readonly string[]): Promise<string> => {
    using on = await world({ hook: true });
    begin(on.memory, on);
    const talk = new TranscriptBuilder({ startMs: NOW, bare: true });
    const look = [{ name: "Read", input: { file_path: "/p/a" }, result: "x" }];
    for (const [i, one] of said.entries()) {
      if (i % 2 === 0) talk.user(one);
      else talk.assistant("", look).assistant(one);
    }
    const { kind } = await write(on, talk, on.memory, true);
    if (kind === "written") assert.match(read(notePath(on)), /\n## Next\n\n- /);
    return kind;
  };
  const written: readonly (readonly string[])[] = [
    ["remind me on Thursday to rotate the Adyen sandbox key", "I will note it.", "thanks, bye"],
    ["remind me on Thursday to rotate the Adyen sandbox key"],
    ["tomorrow i still need to call the bank about the Swiss account", "Noted."],
    [
      ...["what does the boost do?", "It multiplies.", "where is it set?", "In rank.ts."],
      ...["is it tested?", "No. Next: write a test for the boost in tests/boost.test.ts."],
    ],
    ["erinner mich am Donnerstag daran, den Schlüssel zu rotieren", "Mach ich."],
  ];
  for (const said of written) assert.equal(await kindOf(...said), "written", said[0]);
  const nothing: readonly (readonly string[])[] = [
    ["hi", "Hi! I'm ready to help. Let me know what you'd like to do next."],
    ["gotta go, i'm back on monday", "See you on Monday."],
    ["what is the time in Tokyo?"],
    ["what is the time in Tokyo?", "It is 9 pm."],
    ["fix the flaky login test in ci"],
    ["where were we?", "You fixed the importer. Next: measure the cache on the old phone."],
    ["is the cache measured?", "No. Next: measure it."],
  ];
  for (const said of nothing) assert.equal(await kindOf(...said), "nothing", said[0]);
});

Deno.test("writeSessionNote() keeps a question that a short session left open", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = new TranscriptBuilder({ startMs: NOW, bare: true })
    .user("prepare the release notes")
    .assistant("They are above. One thing stays open: does the old API get switched off in May?")
    .user("I don't know, I'll ask Beat")
    .assistant("Good. Open until then: does the old API get switched off in May?");
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(
    read(notePath(on)),
    /## Open Questions\n\n- One thing stays open: does the old API .+\? → I don't know, I'll ask Beat\n$/,
  );
});

Deno.test("searchMemory() shows Sage as the author of a session's note", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  await write(on, conversation("It stalls because all rows are collected."));
  const { items } = await searchMemory(on.memory, "why does the importer stall");
  assert.deepEqual(items.map(({ type, author }) => [type, author]), [["session", "sage"]]);
});

Deno.test("writeSessionNote() makes no second note if the private state is gone", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  const path = notePath(on);
  // The time of files is the real one, and that of notes the test's.
  const written = new Date(on.memory.now());
  await Deno.utime(path, written, written);
  await Deno.remove(`${on.home}/.sage/state/instances`, { recursive: true });
  begin(on.memory, on);
  said.user("What else?").assistant("We decided to keep the old importer for a month, to compare.");
  assert.equal((await write(on, said)).kind, "written");
  assert.deepEqual([notePath(on), filesIn(`${on.cwd}/.sage/sessions`).length], [path, 1]);
  assert.match(read(path), /keep the old importer for a month/);

  put(path, `${read(path)}\nMine.\n`);
  await Deno.remove(`${on.home}/.sage/state/instances`, { recursive: true });
  begin(on.memory, on);
  assert.equal((await write(on, said)).kind, "kept");
  assert.match(read(path), /\nMine\.\n$/);
});

Deno.test("writeSessionNote() names the checkpoints of its session, except forgotten ones", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const saved: string[] = [];
  for (const title of ["Oaks", "Stones", "Birds"]) {
    saved.push((await checkpoint(on.memory, { title, thesis: `All about ${title}.` }, AGENT)).id);
    on.later(MINUTE);
  }
  await forget(await on.open(), saved[1] ?? "");
  await write(on, conversation("It stalls because all rows are collected."));
  const { note } = (await findSession(on.memory, SESSION) as { item: StoredNote }).item;
  assert.deepEqual(readSessionNote(note).checkpoints, [saved[0], saved[2]]);
});

Deno.test("writeSessionNote() updates the date with a change, and writes nothing for the date alone", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  const first = read(notePath(on));
  assert.match(first, /\nupdated: 2026-01-13T14:30:00Z\n/, "not when the session began");
  on.later(10 * MINUTE);
  assert.equal((await write(on, said)).kind, "unchanged");
  assert.equal(read(notePath(on)), first);
  await write(on, goOn(said));
  assert.match(read(notePath(on)), /\nupdated: 2026-01-13T14:40:00Z\n/);
  on.later(10 * MINUTE);
  await write(on, goOn(said), on.memory, true);
  assert.match(read(notePath(on)), /\nupdated: 2026-01-13T14:50:00Z\n/);
});

Deno.test("writeSessionNote() keeps of a fork only what was said after the fork", async () => {
  using on = await world({ hook: true });
  on.later(3_600_000);
  begin(on.memory, on, { source: "fork" });
  // The copy is an hour old, what is said on top is of now.
  const said = conversation("It stalls because all rows are collected.");
  const now = new Date(NOW + 3_600_000).toISOString();
  const from = said.lines.length;
  said.user("Try it with Redis in this branch").assistant(
    "Redis works too, because the rows are small, and it adds a service.",
    [{ name: "Edit", input: { file_path: `${on.cwd}/cache.ts` }, result: "ok" }],
  );
  for (const line of said.lines.slice(from)) if ("timestamp" in line) line.timestamp = now;
  await write(on, said, on.memory, true);
  const text = read(notePath(on));
  assert.match(text, /\nstarted: 2026-01-13T15:30:00Z/);
  assert.match(text, /Redis/);
  assert.doesNotMatch(text, /collected|stream the rows/);
});

Deno.test("listSessions() shows the end of a session whose note was committed before it ended", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  await write(on, conversation("It stalls because all rows are collected."));
  for (const session of ["../x", ""]) {
    byHand(
      `${on.cwd}/.sage`,
      `sessions/odd${session.length}.md`,
      { type: "session", session },
      "t",
    );
  }
  const ends = async () =>
    (await listSessions(on.memory, { limit: 9, all: false })).items
      .map(({ ended, end_reason: why }) => `${ended} ${why}`).sort();
  assert.deepEqual(await ends(), Array(3).fill("undefined undefined"));
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: NOW, endReason: "clear" }));
  assert.deepEqual((await ends())[0], "2026-01-13T14:30:00Z clear");
});

Deno.test("the session that ended last counts as the last one, even if it began earlier", async () => {
  using on = await world({ hook: true });
  const end = async (session: string, statement: string): Promise<void> => {
    const path = transcriptFile(on, conversation(statement, { session }));
    begin(on.memory, on, { sessionId: session, transcriptPath: path });
    const transcript = await readTurns(on.memory, path);
    assert.ok(transcript !== undefined);
    const at = on.memory.now();
    await writeSessionNote(on.memory, session, transcript, { at, reason: "other" });
    updateSession(on.memory, session, (state) => ({ ...state, ended: at }));
    on.later(60 * MINUTE);
  };
  await end(SESSION, "Birds sing at dawn because the air is still.");
  await end(OTHER, "Stones are warm in the evening because the sun was on them.");
  await end(SESSION, "Birds sing at dusk as well because the air is still then too.");
  await refreshAll(on.memory);
  const orientation = await orient(on.memory, "next", "startup");
  assert.match(orientation?.text ?? "", /- Last session \(2026-01-13 16:30 UTC\)/);
  const status = await readStatus(await on.open());
  assert.equal(status.last_session?.updated, "2026-01-13T16:30:00Z");
  assert.match(status.line, /last save (60 min|1 h) ago/);
});

/** Runs the body while somebody else holds the project's store. */
async function whileHeld<T>(on: World, body: () => Promise<T>): Promise<T> {
  const { fs, project } = on.memory;
  assert.ok(project !== undefined);
  const held = holdLock(fs, `${lockDir(project)}/store.lock`, { deadlineMs: 0 });
  try {
    return await body();
  } finally {
    held.release();
  }
}

const inbox = (on: World): string[] => filesIn(`${on.cwd}/.sage`).filter((f) => /inbox/.test(f));

Deno.test("writeSessionNote() continues a note whose last text waited in the inbox", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  goOn(said);
  assert.equal((await whileHeld(on, () => write(on, said))).kind, "deferred");
  assert.doesNotMatch(read(notePath(on)), /flag because of the audit/);
  await on.open();
  assert.match(read(notePath(on)), /flag because of the audit/, "folded in");
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), /\nend_reason: other\n/);
});

Deno.test("a session note that waits in the inbox does not replace a newer one", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  goOn(said);
  await whileHeld(on, () => write(on, said));
  said.user("And the documentation?").assistant(
    "We decided to document the flag in the handbook, because the auditors read that.",
  );
  await whileHeld(on, () => write(on, said));
  assert.equal(inbox(on).length, 1, "the second replaces the first");
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.deepEqual(inbox(on), []);
  const last = read(notePath(on));
  await on.open();
  assert.equal(read(notePath(on)), last);
  const files = filesIn(`${on.cwd}/.sage`).filter((name) => name.includes("11111111"));
  assert.equal(files.length, 1, "no conflict copy");
});

Deno.test("a person's edit stays if Sage's text waited in the inbox meanwhile", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  goOn(said);
  await whileHeld(on, () => write(on, said));
  const mine = read(notePath(on)) + "\nA person's word.\n";
  put(notePath(on), mine);
  assert.equal((await write(on, said)).kind, "kept");
  assert.equal(read(notePath(on)), mine);
});

Deno.test("prepareOrientation() prepares nothing while a handoff waits in the inbox", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  writeState(on.memory.fs, on.memory.places.stateDir, "seen/orientation.json", { count: 9 });
  await whileHeld(on, () => write(on, goOn(said), on.memory, true));
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: on.memory.now() }));
  const prepared = () => filesIn(`${on.home}/.sage/state`).filter((f) => f.startsWith("prepared/"));
  await prepareOrientation(on.memory, on.cwd);
  assert.deepEqual(prepared(), []);
  await on.open();
  await prepareOrientation(on.memory, on.cwd);
  assert.equal(prepared().length, 1);
});

Deno.test("writeSessionNote() continues a note from which a forgotten checkpoint was removed", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const saved = await checkpoint(on.memory, {}, AGENT);
  const said = conversation("It stalls because all rows are collected.");
  await write(on, said);
  assert.match(read(notePath(on)), new RegExp(saved.id));
  await forget(await on.open(), saved.id);
  assert.doesNotMatch(read(notePath(on)), new RegExp(saved.id));
  assert.equal((await write(on, goOn(said), on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), /flag because of the audit/);
});

Deno.test("writeSessionNote() keeps a short session that deployed something", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const said = new TranscriptBuilder({ cwd: on.cwd }).user("try the deploy again")
    .assistant("", [{ name: "Bash", input: { command: "./deploy.sh" }, result: "deployed 16:09" }])
    .assistant("Deployed.");
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), /\n- Ran: `\.\/deploy\.sh` → deployed 16:09\n/);
});

Deno.test("the client's recap is the summary while nothing was said since, and says what is next", async () => {
  using on = await world();
  const recap =
    "Rows are streamed into the importer; all tests pass. Next: measure it on the archive." +
    " (disable recaps in /config)";
  const told = async (said: TranscriptBuilder): Promise<string> => {
    await write(on, said);
    return read(notePath(on));
  };
  const said = (): TranscriptBuilder => conversation("The rows were collected in one array.");
  const retold = /## Summary\n\nRows are streamed into the importer; all tests pass\.\n/;
  const note = await told(said().recap(recap));
  assert.match(note, retold);
  assert.match(note, /## Next\n\n- Measure it on the archive\.\n/);
  assert.doesNotMatch(note, /disable recaps/);
  assert.doesNotMatch(await told(goOn(said().recap(recap))), retold);
  const secret = goOn(said()).user("<private>the audit is on Friday</private> is it fast enough?")
    .assistant("It imports 40,000 rows a second, which is enough for the archive of one year.");
  assert.doesNotMatch(await told(secret.recap(recap)), retold);
});

Deno.test("writeSessionNote() tells a pull request beside the commits", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  const address = "https://example.org/shop/till/pull/12";
  const said = conversation("It stalls because all rows are collected.").user("open a draft of it")
    .assistant("", [{
      name: "Bash",
      input: { command: 'gh pr create --draft --title "Stream the rows" --body x' },
      result: address,
    }])
    .assistant("It is open.");
  assert.equal((await write(on, said, on.memory, true)).kind, "written");
  assert.match(read(notePath(on)), new RegExp(`\n- Pull request: ${address} Stream the rows\n`));
});
