/** A handoff is offered until a session acts on it; being told of it is no act. */
import assert from "node:assert/strict";
import { loadCheckpoint } from "../../src/memory/checkpoint/load.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { readNote } from "../../src/memory/read.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { handoffText } from "../../src/memory/session/handoff_text.ts";
import { liveSessions } from "../../src/memory/session/instances.ts";
import { findSession, listSessions } from "../../src/memory/session/list.ts";
import { orient, whereItStopped } from "../../src/memory/session/orientation/orientation.ts";
import { noteOverlaps, sayOverlaps } from "../../src/memory/session/overlap.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { withTold } from "../../src/memory/session/told.ts";
import { touch } from "../../src/memory/session/touch.ts";
import { openQuestions, triage } from "../../src/memory/session/triage.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { listTodos } from "../../src/memory/todo.ts";
import { trustProject } from "../../src/memory/trust.ts";
import { writeState } from "../../src/store/state.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  AGENT,
  begin,
  byHand,
  checkpoint,
  DAY,
  hookInput,
  MINUTE,
  NOW,
  OTHER,
  PERSON,
  placesOf,
  put,
  read,
  repository,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

const OLD = "99999999-0000-4000-8000-000000000009";

interface Left {
  readonly session?: string;
  readonly at?: string;
  /** When it began; as it ended if not given. */
  readonly from?: string;
  readonly next?: string;
  readonly questions?: readonly string[];
  readonly files?: string;
  readonly summary?: string;
  readonly title?: string;
}

function left(on: World, id: string, parts: Left = {}): void {
  const { session = OLD, at = "2026-01-13T10:00:00Z", files = "" } = parts;
  const { next = "Measure the importer with a large file.", questions = [] } = parts;
  byHand(
    `${on.cwd}/.sage`,
    `sessions/${id}.md`,
    {
      id,
      type: "session",
      title: parts.title ?? `Work of ${id}`,
      session,
      created: at,
      updated: at,
      started: parts.from ?? at,
      ended: at,
      end_reason: "other",
      files_touched: `[${files}]`,
    },
    `## Summary\n\n${parts.summary ?? `Summary of ${id}.`}\n\n## Open Questions\n\n${
      questions.map((question) => `- ${question}\n`).join("")
    }\n## Next\n\n- ${next}\n`,
  );
}

async function start(on: World, session = SESSION, source = "startup"): Promise<string> {
  const memory = on.memory;
  begin(memory, on, { sessionId: session, source });
  await refreshAll(memory);
  const orientation = await orient(memory, session, source);
  if (orientation === undefined) return "";
  updateSession(memory, session, (state) => withTold(state, orientation, source));
  return orientation.text;
}

async function world_(): Promise<World> {
  const on = await world({ hook: true });
  writeState(on.memory.fs, on.memory.places.stateDir, "seen/orientation.json", { count: 9 });
  return on;
}

/** The turns of a session, as its stop hook sees them. */
async function said(on: World, builder: TranscriptBuilder, session = SESSION): Promise<void> {
  const path = transcriptFile(on, builder);
  const input = hookInput(on, { event: "stop", sessionId: session, transcriptPath: path });
  const transcript = await readTurns(on.memory, path, { whole: true });
  assert.ok(transcript !== undefined);
  await touch(on.memory, input, transcript);
}

function talk(session = SESSION): TranscriptBuilder {
  return new TranscriptBuilder({ sessionId: session, startMs: NOW + MINUTE, bare: true });
}

function end(memory: Memory, session: string): void {
  updateSession(memory, session, (state) => ({
    ...state,
    note: { id: "n", path: "p", hash: "h", scope: "project" },
    ended: memory.now(),
  }));
}

Deno.test("a handoff is offered until a session acts on it", async () => {
  using on = await world_();
  left(on, "s-1");
  end(on.memory, OLD);
  assert.match(await start(on), /Next: "Measure the importer/);
  await said(on, talk().user("Write a poem about the sea.").assistant("The sea is wide and grey."));
  end(on.memory, SESSION);
  on.later(2 * MINUTE);
  // A session about something else came in between; what was left is not lost behind it.
  left(on, "s-2", { session: SESSION, at: "2026-01-13T14:31:00Z", next: "Rhyme the last line." });
  const text = await start(on, OTHER);
  assert.match(text, /- Next: "Rhyme the last line\."/);
  assert.match(text, /- Not taken up since 2026-01-13: "Work of s-1"; next "Measure the importer/);
});

Deno.test("a handoff is not offered after a session changed its files, or after two weeks", async () => {
  for (
    const [files, days, isOffered] of [
      ["src/other.ts", 0, true],
      ["src/importer.ts", 0, false],
      ["src/other.ts", 13, true],
      ["src/other.ts", 15, false],
    ] as const
  ) {
    using on = await world_();
    left(on, "s-1", { files: "src/importer.ts" });
    left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z", files, next: "Rhyme it." });
    on.later(days * DAY);
    assert.equal(/- Not taken up since/.test(await start(on)), isOffered, `${files}, ${days} days`);
  }
});

Deno.test("a reminder is given even after a session continued the rest of the handoff", async () => {
  using on = await world_();
  const wish = "remind me to bump the version code before the play upload";
  left(on, "s-1", { files: "src/importer.ts", next: wish });
  left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z", files: "src/importer.ts" });
  assert.match(
    await start(on),
    /- Not taken up since 2026-01-13: "Work of s-1"; next "remind me to/,
  );
});

Deno.test("a reminder is given for two months", async () => {
  for (const [days, isGiven] of [[15, true], [59, true], [61, false]] as const) {
    using on = await world_();
    left(on, "s-1", { next: "remind me to bump the version code before the play upload" });
    left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z", next: "Rhyme it." });
    on.later(days * DAY);
    assert.equal(/- Not taken up since/.test(await start(on)), isGiven, `${days} days`);
  }
});

Deno.test("a handoff is not offered where a session between changed its files, nor of one that has not ended", async () => {
  for (
    const [files, hasEnded, isOffered] of [
      ["src/other.ts", true, true],
      ["src/importer.ts", true, false],
      ["src/other.ts", false, false],
    ] as const
  ) {
    using on = await world_();
    left(on, "s-1", { at: "2026-01-13T08:00:00Z", files: "src/importer.ts" });
    const path = `${on.cwd}/.sage/sessions/s-1.md`;
    if (!hasEnded) put(path, read(path).replace(/^ended: .*\n/m, ""));
    left(on, "s-2", { session: "between", files, next: "" });
    left(on, "s-3", { session: OTHER, at: "2026-01-13T14:00:00Z", next: "Rhyme it." });
    const text = await start(on);
    assert.equal(/- Not taken up since.*s-1/.test(text), isOffered, text);
  }
});

Deno.test("a handoff is not offered after a session decided against it", async () => {
  for (const decided of ["We keep the importer.", "We will not measure the importer after all."]) {
    using on = await world_();
    left(on, "s-1");
    left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z", next: "Rhyme it." });
    const path = `${on.cwd}/.sage/sessions/s-2.md`;
    put(path, `${read(path)}\n## Decisions\n\n- ${decided}\n`);
    const isOffered = !decided.includes("not");
    assert.equal(/- Not taken up since/.test(await start(on)), isOffered, decided);
  }
});

Deno.test("an archived session is not told as the last one", async () => {
  using on = await world_();
  left(on, "s-1");
  left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z" });
  const path = `${on.cwd}/.sage/sessions/s-2.md`;
  put(path, read(path).replace("\ntype:", "\nstatus: archived\ntype:"));
  const text = await start(on);
  assert.match(text, /Summary of s-1/);
  assert.doesNotMatch(text, /s-2/);
});

Deno.test("a question that is the next step as well is told once", async () => {
  using on = await world_();
  const question = "Does the importer hold on Windows?";
  left(on, "s-1", { next: question, questions: [question] });
  assert.equal((await start(on)).split(question).length, 2);
});

Deno.test("a session whose end the note lacks is told as ended where its state says so", async () => {
  using on = await world_();
  left(on, "s-1");
  const path = `${on.cwd}/.sage/sessions/s-1.md`;
  put(path, read(path).replace(/^ended: .*\nend_reason: .*\n/m, ""));
  assert.match(await start(on), /- Last session \(2026-01-13 10:00 UTC, not ended\)/);
  end(on.memory, OLD);
  assert.match(await start(on, OTHER), /- Last session \(2026-01-13 10:00 UTC\)/);
});

Deno.test("private text in the note of the last session, or of somebody else's since, is not told", async () => {
  using on = await world_();
  const hidden = "<private>zanzibar</private>";
  await had(on, "2026-01-10T10:00:00Z");
  left(on, "theirs", {
    session: "theirs",
    at: "2026-01-12T10:00:00Z",
    summary: `The oats ${hidden} are milled.`,
    next: `Ask the night shift ${hidden} about the silo.`,
  });
  const path = `${on.cwd}/.sage/sessions/mine.md`;
  const asks = `## Open Questions\n\n- Who ${hidden} tells the night shift?\n`;
  const mine = read(path).replaceAll("barley bags", `barley ${hidden} bags`);
  put(path, mine.replace("## Open Questions\n", asks).replace("of mine.", `of ${hidden} mine.`));
  await refreshAll(on.memory);
  begin(on.memory, on);
  const orientation = await orient(on.memory, SESSION, "startup");
  const said = `${orientation?.text}\n${orientation?.notice}`;
  assert.match(said, /oats[^]*night shift/);
  assert.match(said, /Label the barley/);
  assert.doesNotMatch(JSON.stringify(orientation), /zanzibar/);
  const listed = [
    ...await openQuestions(on.memory),
    ...(await listSessions(on.memory, { limit: 9, all: true })).items,
  ];
  assert.match(JSON.stringify(listed), /night shift\?.*Summary of/);
  assert.doesNotMatch(JSON.stringify(listed), /zanzibar/);
});

Deno.test("a handoff for another agent has no secret that somebody typed into the note", async () => {
  using on = await world_();
  const { text, secret } = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(3)) ??
    assert.fail();
  left(on, "s-1", { summary: `It runs with ${text} in the log.` });
  await refreshAll(on.memory);
  const found = await findSession(on.memory, "s-1");
  assert.ok(found.kind === "one");
  const handed = handoffText(on.memory, found.item);
  assert.match(handed, /It runs with .*redacted/);
  assert.ok(!handed.includes(secret));
});

Deno.test("an edit that failed counts as none", async () => {
  using on = await world_();
  begin(on.memory, on);
  const edit = (path: string, isError: boolean) => ({
    name: "Edit",
    input: { file_path: `${on.cwd}/${path}` },
    result: isError ? "String to replace not found" : "updated",
    isError,
  });
  const tools = [edit("src/a.ts", false), edit("src/b.ts", true)];
  await said(on, talk().user("Add a timeout.").assistant("Added it.", tools));
  assert.deepEqual(readSession(on.memory, SESSION)?.filesTouched, ["src/a.ts"]);
});

Deno.test("a handoff is taken up by a prompt that names the job it waits for", async () => {
  using on = await world_();
  left(on, "s-1", { summary: "Run it → Submitted as job 88123.", next: "Results come tomorrow." });
  await start(on);
  await said(on, talk().user("results of 88123?").assistant("They agree with the hypothesis."));
  end(on.memory, SESSION);
  on.later(2 * MINUTE);
  assert.doesNotMatch(await start(on, OTHER), /Results come tomorrow/);
});

const ACTS: Readonly<Record<string, (on: World) => Promise<void>>> = {
  "loads its note": async (on) => {
    const memory = await on.open({ session: SESSION });
    assert.equal((await readNote(memory, "s-1")).kind, "one");
  },
  "loads a checkpoint of it": async (on) => {
    const memory = await on.open({ session: SESSION });
    const author = { by: "sage", session: OLD, explicit: false } as const;
    const { id } = await checkpoint(on.memory, {}, author);
    assert.equal((await loadCheckpoint(memory, { ref: id })).kind, "one");
  },
  "changes a file that it changed": (on) =>
    said(
      on,
      talk().user("Tidy up, please.").assistant("Done.", [{
        name: "Edit",
        input: { file_path: `${on.cwd}/src/importer.ts` },
        result: "updated",
      }]),
    ),
  "is asked for what it left open": (on) =>
    said(on, talk().user("Let's measure the importer now.").assistant("It takes 40 s.")),
  "is asked where it stood": (on) =>
    said(
      on,
      talk().user("hi so um what was it that I wanted to do today").assistant("To measure it."),
    ),
  "is asked to go on in Russian": (on) =>
    said(on, talk().user("ок, продолжим").assistant("Хорошо.")),
  "is asked to go on": (on) => said(on, talk().user("Continue, please").assistant("I will.")),
};

for (const [act, run] of Object.entries(ACTS)) {
  Deno.test(`a handoff is taken up by a session that ${act}`, async () => {
    using on = await world_();
    left(on, "s-1", { files: "src/importer.ts" });
    end(on.memory, OLD);
    assert.match(await start(on), /Work of s-1|Measure the importer/);
    on.later(2 * MINUTE);
    await run(on);
    end(on.memory, SESSION);
    left(on, "s-2", { session: SESSION, at: "2026-01-13T14:33:00Z", next: "Rhyme it." });
    on.later(DAY);
    assert.doesNotMatch(await start(on, OTHER), /s-1/);
  });
}

Deno.test("a session that reads its own note takes no handoff up", async () => {
  using on = await world_();
  left(on, "s-1");
  end(on.memory, OLD);
  const memory = await on.open({ session: OLD });
  assert.equal((await readNote(memory, "s-1")).kind, "one");
  on.later(MINUTE);
  assert.match(await start(on), /- Next: "Measure the importer/);
});

Deno.test('"go on" in the middle of other work takes no handoff up', async () => {
  using on = await world_();
  left(on, "s-1");
  await start(on);
  on.later(MINUTE);
  await said(on, talk().user("Write a poem about the sea.").assistant("The sea is wide and grey."));
  // After a save only what came since is read.
  await said(on, talk().user("Continue, please").assistant("And it is deep."));
  end(on.memory, SESSION);
  on.later(MINUTE);
  assert.match(await start(on, OTHER), /- Next: "Measure the importer/);
});

Deno.test("a handoff that a live session took up is not offered to another", async () => {
  using on = await world_();
  left(on, "s-1");
  await start(on);
  on.later(MINUTE);
  await ACTS["is asked to go on"]?.(on);
  const text = await start(on, OTHER);
  assert.match(text, /Last session \(2026-01-13 10:00 UTC, taken up since\)/);
  assert.doesNotMatch(text, /- Next/);
});

Deno.test("a session that ended without doing anything has not taken up its handoff", async () => {
  using on = await world_();
  left(on, "s-1");
  await start(on);
  on.later(MINUTE);
  await ACTS["loads its note"]?.(on);
  on.later(2 * 60 * MINUTE);
  assert.match(await start(on, OTHER), /- Next: "Measure the importer/);
});

Deno.test("a handoff is offered again if its session continued after it was taken up", async () => {
  using on = await world_();
  left(on, "s-1");
  await start(on);
  on.later(MINUTE);
  await ACTS["is asked to go on"]?.(on);
  end(on.memory, SESSION);
  on.later(DAY);
  left(on, "s-1", { at: "2026-01-14T10:00:00Z", next: "Ask the night shift." });
  assert.match(await start(on, OTHER), /- Next: "Ask the night shift/);
});

Deno.test("a resumed conversation is told what is new, and nothing of itself", async () => {
  using on = await world_();
  left(on, "s-1", { questions: ["Does it hold on Windows?", "Who tells the night shift?"] });
  assert.match(await start(on), /2 questions of the last sessions are open/);
  assert.equal(await start(on, SESSION, "resume"), "");
  // What it has taken up itself it knows as well.
  on.later(MINUTE);
  await ACTS["is asked to go on"]?.(on);
  assert.equal(await start(on, SESSION, "resume"), "");
  left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z", next: "Rhyme it." });
  const text = await start(on, SESSION, "resume");
  assert.match(text, /Summary of s-2/);
  assert.doesNotMatch(text, /Summary of s-1/);
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    note: { id: "s-3", path: "p", hash: "h", scope: "project" },
  }));
  left(on, "s-3", { session: SESSION, at: "2026-01-13T14:20:00Z", next: "Myself." });
  assert.equal(await start(on, SESSION, "resume"), "");
});

Deno.test("a fork that asks where the work stopped is told of no session that it was branched from", async () => {
  using on = await world_();
  left(on, "s-1");
  left(on, "s-2", { session: OTHER, at: "2026-01-13T14:00:00Z" });
  for (const session of [OLD, OTHER]) end(on.memory, session);
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({ ...state, forkedFrom: [OTHER] }));
  await refreshAll(on.memory);
  const lines = await whereItStopped(await on.open({ session: SESSION }));
  assert.match(lines.join("\n"), /Summary of s-1/);
  assert.doesNotMatch(lines.join("\n"), /s-2/);
});

Deno.test("withTold() keeps the newest offer of each session in a replayed conversation", () => {
  const offer = (session: string, note: string) => ({
    session,
    note,
    at: NOW,
    files: [],
    marks: [],
  });
  const state = {
    session: SESSION,
    project: "p",
    dir: "/p",
    started: NOW,
    seen: NOW,
    offered: [offer("a", "old"), offer("b", "kept")],
  };
  const next = withTold(state, { told: [], offers: [offer("a", "new")] }, "resume");
  assert.deepEqual(next.offered, [offer("b", "kept"), offer("a", "new")]);
  const begun = withTold(state, { told: [], offers: [offer("a", "new")] }, "startup");
  assert.deepEqual(begun.offered, [offer("a", "new")]);
});

Deno.test("orient() tells the person in one or two sentences when a conversation begins", async () => {
  using on = await world_();
  left(on, "s-1");
  await refreshAll(on.memory);
  const notice = async (source: string) => (await orient(on.memory, SESSION, source))?.notice;
  assert.equal(
    await notice("startup"),
    'I remember where we stopped (2026-01-13 10:00 UTC): "Summary of s-1." Next was "Measure the importer with a large file."',
  );
  assert.equal(await notice("resume"), undefined);
  assert.equal(await notice("compact"), undefined);
});

Deno.test("forget() of a session note removes it from the ledger of handoffs", async () => {
  using on = await world_();
  left(on, "s-1");
  await start(on);
  await ACTS["loads its note"]?.(on);
  assert.equal(placesOf(on, OLD).length > 1, true);
  await forget(on.memory, "s-1");
  assert.deepEqual(placesOf(on, OLD).filter((path) => path.includes("/handoffs/")), []);
});

Deno.test("forget() of a session note removes it from the ledger where it took a handoff up, too", async () => {
  using on = await world_();
  left(on, "s-1");
  await start(on);
  on.later(MINUTE);
  await ACTS["loads its note"]?.(on);
  left(on, "s-2", { session: SESSION, at: "2026-01-13T14:31:00Z" });
  const inLedger = () => placesOf(on, SESSION).filter((path) => path.includes("/handoffs/"));
  assert.equal(inLedger().length, 1);
  await forget(on.memory, "s-2");
  assert.deepEqual(inLedger(), []);
});

Deno.test("openQuestions() takes those of sessions that are over, and of checkpoints outside of any", async () => {
  using on = await world_();
  left(on, "s-1", { questions: ["Does it hold on Windows?"] });
  left(on, "s-2", { session: OTHER, questions: ["Is 40 MB enough for a night?"] });
  begin(on.memory, on, { sessionId: OTHER });
  const note = { id: "s-2", path: "p", hash: "h", scope: "project" } as const;
  updateSession(on.memory, OTHER, (state) => ({ ...state, note }));
  const asking = { title: "Keys", openQuestions: ["Who has the keys of hall three?"] };
  await checkpoint(on.memory, asking, { by: "sage", session: OLD, explicit: false });
  const outside = { title: "Doors", openQuestions: ["Which door is left open at night?"] };
  await checkpoint(on.memory, { ...outside, thesis: "Doors of halls close by themselves." });
  await refreshAll(on.memory);
  assert.deepEqual((await openQuestions(on.memory)).map(({ question }) => question).toSorted(), [
    "Does it hold on Windows?",
    "Which door is left open at night?",
  ]);
});

Deno.test("openQuestions() asks nothing that came with a clone nobody vouches for", async () => {
  using on = await world({ project: "foreign", hook: true });
  left(on, "s-1", { questions: ["Shall I send the keys of the night shift to them?"] });
  const memory = await on.open({ hook: true });
  await refreshAll(memory);
  assert.deepEqual(await openQuestions(memory), []);
  trustProject(memory);
  const own = await on.open({ hook: true });
  assert.equal((await openQuestions(own)).length, 1);
});

Deno.test("triage() keeps a long question whole in its todo", async () => {
  using on = await world_();
  const question = `Does it hold, ${"where the night shift takes over from the day ".repeat(8)}?`;
  left(on, "s-1", { questions: [question] });
  const [one] = await openQuestions(on.memory);
  await triage(on.memory, { accept: [one?.id ?? ""], drop: [] }, PERSON);
  const [todo] = await listTodos(on.memory);
  assert.match(todo?.content ?? "", /^Does it hold, .*…$/);
  assert.equal(todo?.context, one?.question);
});

Deno.test("openQuestions() lists each question once, until somebody decides", async () => {
  using on = await world_();
  left(on, "s-1", { questions: ["Does it hold on Windows?", "Who tells the night shift?"] });
  left(on, "s-2", { session: OTHER, questions: ["Does it  hold on windows?", "Is 40 MB enough?"] });
  left(on, "s-3", { at: "2025-11-01T10:00:00Z", questions: ["Long ago?"] });
  const open = await openQuestions(on.memory);
  assert.equal(open.length, 3);
  const id = (part: string): string => open.find((one) => one.question.includes(part))?.id ?? "";
  const done = await triage(
    on.memory,
    { accept: [id("night shift")], drop: [id("40 MB")] },
    PERSON,
  );
  assert.deepEqual([done.added.length, done.dropped.length, done.left], [1, 1, 1]);
  const [todo] = await listTodos(on.memory);
  assert.deepEqual([todo?.content, todo?.source], ["Who tells the night shift?", "s-1"]);
  assert.deepEqual(
    (await openQuestions(on.memory)).map(({ question }) => /windows/i.test(question)),
    [
      true,
    ],
  );
  await assert.rejects(triage(on.memory, { accept: ["0"], drop: [] }, AGENT), /No open question/);
});

Deno.test("a start counts open questions of the last two weeks, until somebody decides", async () => {
  using on = await world_();
  const COUNTED = /(\d) questions of the last sessions are open/;
  const at = (days: number): string => new Date(NOW - days * DAY).toISOString();
  left(on, "s-0", { at: at(15), questions: ["Long ago?", "Who was it, and where?"] });
  left(on, "s-1", { at: at(10), questions: ["Does it hold on Windows?"], next: "" });
  left(on, "s-2", { session: OTHER, at: at(5), questions: ["Who tells the night shift?"] });
  const orientation = async () => {
    await refreshAll(on.memory);
    return await orient(on.memory, SESSION, "startup");
  };
  assert.equal(COUNTED.exec((await orientation())?.text ?? "")?.[1], "2");
  // Then the first of them is no longer one of the last sessions.
  assert.equal((await orientation())?.until, NOW + 4 * DAY);
  const open = await openQuestions(on.memory);
  const drop = open.filter(({ question }) => /night shift/.test(question)).map(({ id }) => id);
  await triage(on.memory, { accept: [], drop }, PERSON);
  assert.doesNotMatch((await orientation())?.text ?? "", COUNTED);
});

Deno.test("openQuestions() leaves out what a later session answered, but not what it asked again", async () => {
  using on = await world_();
  const bounced = "Should bounced addresses be blocked for ever or for 30 days?";
  const told = "And who is told when a mail is given up?";
  left(on, "s-1", { at: "2026-01-12T10:00:00Z", questions: [bounced, told] });
  left(on, "s-2", { session: OTHER, questions: ["Who is told when a mail is given up at night?"] });
  assert.equal((await openQuestions(on.memory)).length, 3);
  const summary = "Done: bounced addresses are blocked for 30 days, and support is told.";
  const path = `${on.cwd}/.sage/sessions/s-2.md`;
  put(path, read(path).replace("Summary of s-2.", summary));
  await refreshAll(on.memory);
  const open = (await openQuestions(on.memory)).map(({ question }) => question);
  assert.deepEqual(open, ["Who is told when a mail is given up at night?", told]);
  assert.match(await start(on), /2 questions of the last sessions are open/);
});

for (const days of [0, 20]) {
  Deno.test(`an answer of a line to what was open for ${days} days is kept, and settles it`, async () => {
    using on = await world_();
    const question = "How do we deal with files above 100 MB?";
    left(on, "s-1", { questions: [question], next: "" });
    end(on.memory, OLD);
    on.later(days * DAY);
    assert.match(await start(on), /- Open: "How do we deal with files above 100 MB\?"/);
    const startMs = on.memory.now();
    on.later(2 * MINUTE);
    const builder = new TranscriptBuilder({ sessionId: SESSION, startMs, bare: true })
      .user(`About the open point: ${question}`).assistant("They go to restic, not to git.");
    await said(on, builder);
    const transcript = await readTurns(on.memory, transcriptFile(on, builder), { whole: true });
    assert.ok(transcript !== undefined);
    const ending = { at: on.memory.now(), reason: "other" };
    const { kind } = await writeSessionNote(on.memory, SESSION, transcript, ending);
    assert.equal(kind, "written");
    on.later(DAY);
    const text = await start(on, OTHER);
    assert.match(text, /→ They go to restic, not to git\."/);
    assert.doesNotMatch(text, /Not taken up|- Open/);
    assert.deepEqual(await openQuestions(on.memory), []);
  });
}

Deno.test("openQuestions() keeps a question that was asked again and answered with another", async () => {
  using on = await world_();
  const question = "How do we deal with files above 100 MB?";
  left(on, "s-1", { at: "2026-01-12T10:00:00Z", questions: [question] });
  for (const reply of ["Do you mean those in git?", "They go to restic."]) {
    left(on, "s-2", { session: OTHER, summary: `${question} → ${reply}` });
    await refreshAll(on.memory);
    const open = (await openQuestions(on.memory)).map(({ question }) => question);
    assert.deepEqual(open, reply.endsWith("?") ? [question] : []);
  }
});

Deno.test("two sessions that change the same file are both told, once", async () => {
  using on = await world_();
  begin(on.memory, on);
  begin(on.memory, on, { sessionId: OTHER });
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    topic: "the router",
    filesTouched: ["src/a.ts", "src/b.ts"],
  }));
  updateSession(on.memory, OTHER, (state) => ({ ...state, filesTouched: ["src/b.ts"] }));
  noteOverlaps(on.memory, OTHER, ["src/b.ts"]);
  assert.equal(
    sayOverlaps(on.memory, OTHER),
    'Sage: another session works here now on "the router" and has changed "src/b.ts", too.',
  );
  assert.match(sayOverlaps(on.memory, SESSION), /another session works here now and has changed/);
  noteOverlaps(on.memory, OTHER, ["src/b.ts"]);
  assert.equal(sayOverlaps(on.memory, OTHER) + sayOverlaps(on.memory, SESSION), "");
  // A further file is told without those that were told before.
  noteOverlaps(on.memory, OTHER, ["src/a.ts"]);
  for (const session of [SESSION, OTHER]) {
    assert.match(sayOverlaps(on.memory, session), / and has changed "src\/a\.ts", too\.$/);
  }
});

Deno.test("of many files that two sessions change a few are named, and the others counted", async () => {
  using on = await world_();
  begin(on.memory, on);
  begin(on.memory, on, { sessionId: OTHER });
  const files = ["a", "b", "c", "d", "e", "f"].map((name) => `src/${name}.ts`);
  updateSession(on.memory, SESSION, (state) => ({ ...state, filesTouched: files }));
  noteOverlaps(on.memory, OTHER, files);
  assert.match(sayOverlaps(on.memory, OTHER), / "src\/d\.ts" and 2 more, too\.$/);
});

Deno.test("a session is told of one in another worktree, by name, but not of one in another clone", async () => {
  using on = await world_();
  const remote = "https://example.org/shop.git";
  repository(on.cwd, remote);
  const beside = (name: string): string => on.cwd.replace(/[^/]*$/, name);
  const [feature, clone] = [beside("feature"), beside("clone")];
  const linked = `${on.cwd}/.git/worktrees/feature`;
  put(`${linked}/HEAD`, "ref: refs/heads/feature\n");
  put(`${linked}/commondir`, "../..\n");
  put(`${linked}/gitdir`, `${feature}/.git\n`);
  put(`${feature}/.git`, `gitdir: ${linked}\n`);
  repository(clone, remote);
  for (const dir of [feature, clone]) {
    put(`${dir}/.sage/project.yaml`, read(`${on.cwd}/.sage/project.yaml`));
  }
  const [here, there, apart] = [
    await on.open({ hook: true }),
    await on.open({ hook: true, cwd: feature }),
    await on.open({ hook: true, cwd: clone }),
  ];
  assert.equal(here.places.projectId, there.places.projectId);
  begin(here, on);
  begin(there, { ...on, cwd: feature }, { sessionId: OTHER });
  begin(apart, { ...on, cwd: clone }, { sessionId: "third" });
  for (const [memory, session] of [[there, OTHER], [apart, "third"]] as const) {
    updateSession(memory, session, (state) => ({
      ...state,
      topic: "the router",
      filesTouched: ["src/a.ts"],
    }));
  }
  const text = (await orient(here, SESSION, "startup"))?.text ?? "";
  assert.deepEqual(text.match(/- Another session .*/g), [
    '- Another session works in the worktree "feature" now on "the router", touching "src/a.ts".',
  ]);
  updateSession(here, SESSION, (state) => ({ ...state, filesTouched: ["src/a.ts"] }));
  noteOverlaps(here, SESSION, ["src/a.ts"]);
  assert.equal(
    sayOverlaps(here, SESSION),
    'Sage: another session works in the worktree "feature" now on "the router" and has changed ' +
      '"src/a.ts", too.',
  );
  assert.match(sayOverlaps(there, OTHER), /works in the worktree "project" now and has changed/);
  assert.equal(sayOverlaps(apart, "third"), "");
  // Its own project's sessions are still its own.
  assert.deepEqual(liveSessions(here, SESSION), []);
});

Deno.test("a session in a worktree that shares the project's store names the project's files, and is named after it", async () => {
  using on = await world_();
  repository(on.cwd);
  put(`${on.cwd}/.sageignore`, "vault/\n");
  const feature = `${on.cwd}-feature`;
  const linked = `${on.cwd}/.git/worktrees/feature`;
  put(`${linked}/HEAD`, "ref: refs/heads/feature\n");
  put(`${linked}/commondir`, "../..\n");
  put(`${linked}/gitdir`, `${feature}/.git\n`);
  put(`${feature}/.git`, `gitdir: ${linked}\n`);
  const there = await on.open({ hook: true, cwd: feature });
  const input = { cwd: feature, sessionId: OTHER };
  begin(there, on, input);
  const edit = (path: string) => ({
    name: "Edit",
    input: { file_path: `${feature}/${path}` },
    result: "updated",
  });
  const builder = new TranscriptBuilder({ sessionId: OTHER, startMs: NOW, bare: true })
    .user("Add a timeout of 5 seconds.")
    .assistant("Added it.", [edit("lib/src/a.ts"), edit("vault/keys.ts")]);
  const transcript = await readTurns(there, transcriptFile(on, builder), { whole: true });
  assert.ok(transcript !== undefined);
  await touch(there, hookInput(on, input), transcript);
  const { kind } = await writeSessionNote(there, OTHER, transcript);
  assert.equal(kind, "written");
  const note = read(readSession(there, OTHER)?.note?.path ?? "");
  assert.match(note, /\nfiles_touched: \[lib\/src\/a\.ts\]\n[^]*\n- Changed: lib\/src\/a\.ts\n/);
  assert.doesNotMatch(note, /vault|feature\//);

  begin(on.memory, on);
  assert.match(
    (await orient(on.memory, SESSION, "startup"))?.text ?? "",
    /Another session works in the worktree "[^"]+-feature" now on .*, touching "lib\/src\/a\.ts"/,
  );
  updateSession(on.memory, SESSION, (state) => ({ ...state, filesTouched: ["lib/src/a.ts"] }));
  noteOverlaps(on.memory, SESSION, ["lib/src/a.ts"]);
  assert.match(sayOverlaps(on.memory, SESSION), /works in the worktree "[^"]+-feature" now/);
  assert.match(sayOverlaps(there, OTHER), /works in the worktree "project" now/);
});

Deno.test("ten sessions at the same time are told of each other and of each changed file", async () => {
  using on = await world_();
  const ids = Array.from({ length: 10 }, (_, i) => `${i}0000000-0000-4000-8000-000000000000`);
  for (const sessionId of ids) begin(on.memory, on, { sessionId });
  for (const id of ids) {
    updateSession(on.memory, id, (state) => ({ ...state, filesTouched: ["src/a.ts"] }));
    noteOverlaps(on.memory, id, ["src/a.ts"]);
  }
  for (const id of ids) assert.equal(sayOverlaps(on.memory, id).split("\n").length, 9, id);
});

/** A session that this machine had, and what it left. */
async function had(on: World, at: string): Promise<void> {
  updateSession(on.memory, OTHER, (state) => ({ ...state, ended: Date.parse(at) }));
  left(on, "mine", { session: OTHER, at, next: "Label the barley bags of hall three." });
  await refreshAll(on.memory);
}

Deno.test("a start continues from the person's own last session, and tells what others did since", async () => {
  using on = await world_();
  await had(on, "2026-01-10T10:00:00Z");
  left(on, "theirs-0", { session: "theirs-0", at: "2026-01-09T10:00:00Z" });
  left(on, "theirs-1", { session: "theirs-1", at: "2026-01-11T10:00:00Z" });
  left(on, "theirs-2", { session: "theirs-2", at: "2026-01-12T10:00:00Z" });
  begin(on.memory, on);
  await refreshAll(on.memory);
  const orientation = await orient(on.memory, SESSION, "startup");
  const lines = orientation?.text.split("\n") ?? [];
  assert.deepEqual(lines.slice(1, 4), [
    '- Last session (2026-01-10 10:00 UTC): "Summary of mine."',
    '- Next: "Label the barley bags of hall three."',
    "- Since then elsewhere, a teammate's or on another machine (2026-01-12 10:00 UTC, the last of 2): " +
    '"Summary of theirs-2."; next "Measure the importer with a large file.".',
  ]);
  assert.match(orientation?.notice ?? "", /^I remember where we stopped \(2026-01-10 10:00 UTC\)/);
  assert.match(
    orientation?.notice ?? "",
    / Since then elsewhere \(2026-01-12 10:00 UTC, the last of 2\): /,
  );
  assert.deepEqual(orientation?.offers.map(({ note }) => note), ["mine"]);
});

Deno.test("a person without a session here is told that the last ones are a teammate's", async () => {
  const wish = "remind me on Thursday to rotate the Adyen sandbox key";
  const told = async (isShared: boolean): Promise<readonly string[]> => {
    using on = await world_();
    if (isShared) repository(on.cwd, "https://example.org/shop.git");
    left(on, "s-1", { session: "theirs-1", title: wish, summary: wish, next: wish });
    left(on, "s-2", { session: "theirs-2", at: "2026-01-13T11:00:00Z", next: "Rhyme it." });
    const memory = await on.open({ hook: true });
    begin(memory, on);
    await refreshAll(memory);
    const { text = "", notice = "" } = await orient(memory, SESSION, "startup") ?? {};
    const lines = text.split("\n").filter((line) => /Last session|Not taken up/.test(line));
    return [...lines.map((line) => line.replace(/ \((?:sage_)?get_note .*/, "")), notice];
  };
  const [last, left_, notice] = await told(true);
  assert.equal(
    last,
    '- Last session, a teammate\'s or on another machine (2026-01-13 11:00 UTC): "Summary of s-2."',
  );
  assert.equal(
    left_,
    `- Not taken up since 2026-01-13, a teammate's or on another machine: next "${wish}"`,
  );
  assert.match(notice ?? "", /^The last session was a teammate's or on another machine \(/);
  // What no other has, nobody else can have written.
  const [, own, stopped] = await told(false);
  assert.equal(own, `- Not taken up since 2026-01-13: next "${wish}"`);
  assert.match(stopped ?? "", /^I remember where we stopped \(/);
});

Deno.test("a start tells what others did since without saying a sentence twice", async () => {
  using on = await world_();
  await had(on, "2026-01-10T10:00:00Z");
  const wish = "remind me on Thursday to rotate the Adyen sandbox key";
  left(on, "theirs", { session: "theirs", at: "2026-01-12T10:00:00Z", summary: wish, next: wish });
  begin(on.memory, on);
  await refreshAll(on.memory);
  const { text = "" } = await orient(on.memory, SESSION, "startup") ?? {};
  assert.match(
    text,
    new RegExp(`or on another machine \\(2026-01-12 10:00 UTC\\): "${wish}"\\.$`),
  );
});

Deno.test("a start finds the person's own last session among a hundred of others, and none of their checkpoints", async () => {
  using on = await world_();
  await had(on, "2026-01-02T10:00:00Z");
  for (let i = 0; i < 100; i++) {
    left(on, `theirs-${i}`, { session: `theirs-${i}`, at: "2026-01-12T10:00:00Z" });
  }
  byHand(
    `${on.cwd}/.sage`,
    "checkpoints/oats.md",
    { id: "oats", type: "checkpoint", session: "theirs-1", created: "2026-01-12T10:00:00Z" },
    "# The oats of others\n\n## Thesis\n\nThey are milled.\n",
  );
  const text = await start(on);
  assert.match(text, /- Last session \(2026-01-02 10:00 UTC\): "Summary of mine\."/);
  assert.match(text, /the last of more than 10/);
  assert.doesNotMatch(text, /oats of others/);
});

Deno.test("a start tells of the last session's checkpoint, however many sessions of others came since", async () => {
  using on = await world_();
  await had(on, "2026-01-13T14:31:00Z");
  const path = `${on.cwd}/.sage/sessions/mine.md`;
  put(path, read(path).replace(/^(created|started): .*/gm, "$1: 2026-01-13T14:00:00Z"));
  const author = { by: "sage", session: OTHER, explicit: false } as const;
  await checkpoint(on.memory, { title: "Barley in hall three" }, author);
  on.later(DAY);
  for (const id of ["theirs-1", "theirs-2", "theirs-3"]) {
    left(on, id, { session: id, at: "2026-01-14T10:00:00Z" });
  }
  assert.match(await start(on), /Latest checkpoint 2026-01-13: "Barley in hall three"/);
});

Deno.test("on a new machine the last session is continued, whoever's it was", async () => {
  using on = await world_();
  left(on, "theirs", { session: "theirs" });
  assert.match(await start(on), /- Last session \(2026-01-13 10:00 UTC\): "Summary of theirs\."/);
});

Deno.test("a question is closed by a session that ran beside the one that asked, and by one that goes on", async () => {
  const question = "Who owns the dead_jobs table once mail jobs fail eight times?";
  const answer =
    "The dead_jobs table is owned by the operations team once mail jobs fail eight times.";
  const asks = { from: "2026-01-13T09:00:00Z", questions: [question] };
  const cases: readonly [string, string, boolean][] = [
    ["ended before it", "2026-01-13T09:30:00Z", false],
    ["was over when it began", "2026-01-13T08:30:00Z", true],
    ["goes on", "2026-01-13T09:30:00Z", false],
  ];
  for (const [name, at, isOpen] of cases) {
    using on = await world_();
    left(on, "s-1", asks);
    left(on, "s-2", { session: OTHER, at, summary: answer });
    if (name === "goes on") {
      begin(on.memory, on, { sessionId: OTHER });
      const note = { id: "s-2", path: "p", hash: "h", scope: "project" } as const;
      updateSession(on.memory, OTHER, (state) => ({ ...state, note }));
    }
    const text = await start(on);
    assert.match(text, /Summary of s-1/, name);
    assert.equal(text.includes(question), isOpen, `${name}: ${text}`);
    assert.equal((await openQuestions(on.memory)).length, isOpen ? 1 : 0, name);
  }
});

Deno.test("a check that failed stays open though a session beside had run it", async () => {
  using on = await world_();
  const failed = "Failed last: `go test ./gateway/...` → FAIL: TestClockSkew (0.01s)";
  left(on, "s-1", { from: "2026-01-13T09:00:00Z", questions: [failed] });
  left(on, "s-2", { session: OTHER, at: "2026-01-13T09:30:00Z" });
  const path = `${on.cwd}/.sage/sessions/s-2.md`;
  put(path, `${read(path)}\n## Done\n\n- Ran: \`go test ./gateway/...\` → ok gateway 0.4s\n`);
  assert.match(await start(on), /Failed last/);
});

Deno.test("orient() tells no note of a session that goes on, whichever of its notes that is", async () => {
  using on = await world_();
  left(on, "s-1");
  left(on, "s-2", { session: OTHER, at: "2026-01-13T11:00:00Z" });
  begin(on.memory, on, { sessionId: OTHER });
  const text = await start(on);
  assert.match(text, /Summary of s-1/);
  assert.doesNotMatch(text, /Summary of s-2/);
});
