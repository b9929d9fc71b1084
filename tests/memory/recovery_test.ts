/** Sessions that were cut off are finished by the next one: once, in time, and with nothing forgotten. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { rfc3339 } from "../../src/base/clock.ts";
import { defined } from "../../src/base/defined.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { projectFolder } from "../../src/editor/claude_code/projects.ts";
import type { Transcript } from "../../src/editor/editor.ts";
import { listCheckpoints } from "../../src/memory/checkpoint/list.ts";
import { saveExtractive } from "../../src/memory/checkpoint/extractive.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { listQuestions } from "../../src/memory/question/question.ts";
import { listSessions } from "../../src/memory/session/list.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { isAnyLeft } from "../../src/memory/session/instances.ts";
import { recoverSessions } from "../../src/memory/session/recovery.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { firstTopic } from "../../src/memory/session/topic.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { grow, TranscriptBuilder } from "../support/transcript.ts";
import {
  begin,
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
import { workMs } from "../support/quick.ts";

const STATEMENT =
  "The importer stalls because it collects every row before it writes the first one.";

/** A session that was killed an hour ago. */
function killed(on: World, said: TranscriptBuilder | string, session = SESSION): string {
  const folder = `${on.home}/.claude/projects/-project`;
  const path = typeof said === "string" ? `${folder}/${session}.jsonl` : transcriptFile(on, said);
  if (typeof said === "string") put(path, said);
  const then = new Date(on.memory.now());
  Deno.utimeSync(path, then, then);
  begin(on.memory, on, { sessionId: session, transcriptPath: path });
  return path;
}

const notes = (on: World): string[] =>
  filesIn(`${on.cwd}/.sage`).filter((name) => name.endsWith(".md"));

Deno.test("recoverSessions() finishes a killed session from its transcript, once", async () => {
  using on = await world({ hook: true });
  killed(on, conversation(STATEMENT));
  on.later(60 * MINUTE);
  const [recovered, ...more] = await recoverSessions(on.memory, OTHER);
  assert.deepEqual(more, []);
  assert.equal(recovered?.session, SESSION);
  assert.ok(recovered.checkpoint !== undefined && recovered.note !== undefined);
  const [checkpoint] = await listCheckpoints(on.memory);
  assert.equal(checkpoint?.trigger, "recovery");
  assert.match(read(`${on.cwd}/.sage/sessions/${recovered.note}.md`), /\nend_reason: recovered\n/);
  const state = readSession(on.memory, SESSION);
  assert.equal(state?.endReason, "recovered");
  assert.equal(state?.ended, on.memory.now() - 60 * MINUTE, "when it was last seen");
  assert.equal(state?.seen, state?.ended, "and nobody has seen it since");
  const before = notes(on);
  assert.deepEqual(await recoverSessions(await on.open(), OTHER), []);
  assert.deepEqual(notes(on), before);
});

Deno.test("a killed session whose state a power cut left damaged is finished from its transcript", async () => {
  using on = await world({ hook: true });
  const folder = projectFolder(on.cwd, `${on.home}/.claude`);
  await Deno.mkdir(folder, { recursive: true });
  const path = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, startMs: NOW })
    .user("Why does the importer stall on large files, and what should we do about it?")
    .assistant("I will read the importer first.", [
      { name: "Edit", input: { file_path: "/p/importer.ts" }, result: "updated" },
    ])
    .user("And does that hold for the nightly job as well?")
    .assistant(`${STATEMENT} We decided to stream the rows, because memory stayed at 40 MB.`)
    .write(folder);
  begin(on.memory, on, { sessionId: SESSION, transcriptPath: path });
  const state = `${on.home}/.sage/state/instances/${SESSION}.json`;
  const then = new Date(NOW);
  for (const text of ["\0".repeat(read(state).length), read(state).slice(0, 40), ""]) {
    put(state, text);
    for (const file of [state, path]) await Deno.utime(file, then, then);
    assert.equal(isAnyLeft(on.memory, OTHER), false, "its own hooks may write it anew");
  }
  on.later(60 * MINUTE);
  assert.equal(isAnyLeft(on.memory, OTHER), true);
  const [recovered] = await recoverSessions(on.memory, OTHER);
  assert.equal(recovered?.session, SESSION);
  assert.match(read(`${on.cwd}/.sage/sessions/${recovered.note}.md`), /\nend_reason: recovered\n/);
  assert.equal(readSession(on.memory, SESSION)?.endReason, "recovered");
  assert.equal(isAnyLeft(on.memory, OTHER), false);
});

Deno.test("a request that nobody could answer is told, and a greeting or a look back is not", async () => {
  const titleOf = async (prompt: string, isKept = true): Promise<string | undefined> => {
    using on = await world({ hook: true });
    const path = killed(on, new TranscriptBuilder({ bare: true }).user(prompt));
    if (!isKept) await Deno.remove(path);
    const topic = firstTopic(on.memory, [prompt]);
    if (!isKept) {
      updateSession(on.memory, SESSION, (state) => ({ ...state, ...defined({ topic }) }));
    }
    on.later(60 * MINUTE);
    const [recovered] = await recoverSessions(on.memory, OTHER);
    if (recovered?.note === undefined) return undefined;
    return /^title: (.*)$/m.exec(read(`${on.cwd}/.sage/sessions/${recovered.note}.md`))?.[1];
  };
  const request = "Why does the nightly import stall on files over 2 GB?";
  assert.equal(await titleOf(request), request);
  assert.equal(await titleOf(request, false), request, "its editor kept nothing of it");
  assert.equal(await titleOf("where were we?"), undefined);
  assert.equal(await titleOf("good morning!"), undefined);
});

Deno.test("a killed session of any editor whose state is damaged is finished from what the editor has", async () => {
  using on = await world({ hook: true });
  const id = (n: number): string => `0000000${n}-0000-4000-8000-000000000000`;
  const at = rfc3339(NOW);
  const lines = (records: readonly object[]): string =>
    records.map((record) => JSON.stringify(record) + "\n").join("");
  const prompt = "Why does the importer stall on large files, and what should we do about it?";
  const reply = `${STATEMENT} We decided to stream the rows, because memory stayed at 40 MB.`;
  const said = [["user", prompt], ["assistant", reply]] as const;
  const folder = on.cwd.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-/, "");
  const [cursor, copilot, codex, gemini] = [1, 2, 3, 4].map(id) as [string, string, string, string];
  const files: [string, string][] = [
    [
      `.cursor/projects/${folder}/agent-transcripts/${cursor}/${cursor}.jsonl`,
      lines(said.map(([role, text]) => ({ role, message: { content: [{ type: "text", text }] } }))),
    ],
    [
      `.copilot/session-state/${copilot}/events.jsonl`,
      lines([
        { type: "session.start", data: { context: { cwd: on.cwd } } },
        ...said.map(([role, content], n) => (
          { type: `${role}.message`, data: { content }, id: `e${n}`, timestamp: at }
        )),
      ]),
    ],
    [
      `.codex/sessions/2026/01/13/rollout-2026-01-13T14-30-00-${codex}.jsonl`,
      lines([
        { timestamp: at, type: "session_meta", payload: { id: codex, cwd: on.cwd } },
        ...said.map(([role, text]) => ({
          timestamp: at,
          type: "response_item",
          payload: { type: "message", role, content: [{ type: `${role}_text`, text }] },
        })),
      ]),
    ],
    [
      `.gemini/tmp/project/chats/session-2026-01-13T14-30-00000004.jsonl`,
      lines([
        { sessionId: gemini, kind: "main" },
        ...said.map(([role, content], n) => (
          { id: `m${n}`, timestamp: at, type: role === "user" ? role : "gemini", content }
        )),
      ]),
    ],
  ];
  put(`${on.home}/.gemini/tmp/project/.project_root`, on.cwd);
  for (const [path, text] of files) put(`${on.home}/${path}`, text);
  const opencode = "ses_killed000000005";
  put(`${on.home}/.local/share/opencode/opencode.db`, "");
  using database = new DatabaseSync(`${on.home}/.local/share/opencode/opencode.db`);
  database.exec(
    "create table session(id text, parent_id text, directory text, revert text, time_updated integer);" +
      "create table message(id text, session_id text, time_created integer, data text);" +
      "create table part(id text, message_id text, session_id text, data text);",
  );
  database.prepare("insert into session values (?, null, ?, null, ?)").run(opencode, on.cwd, NOW);
  for (const [n, [role, text]] of said.entries()) {
    database.prepare("insert into message values (?, ?, ?, ?)")
      .run(`m${n}`, opencode, n, JSON.stringify({ role, time: { created: NOW } }));
    database.prepare("insert into part values (?, ?, ?, ?)")
      .run(`p${n}`, `m${n}`, opencode, JSON.stringify({ type: "text", text }));
  }
  const sessions = [cursor, copilot, codex, gemini, opencode];
  for (const session of sessions) {
    begin(on.memory, on, { sessionId: session });
    put(`${on.home}/.sage/state/instances/${session}.json`, "");
    const then = new Date(NOW);
    await Deno.utime(`${on.home}/.sage/state/instances/${session}.json`, then, then);
  }
  on.later(60 * MINUTE);
  const recovered = await recoverSessions(on.memory, OTHER, Infinity);
  assert.deepEqual(recovered.map(({ session }) => session).sort(), sessions);
  for (const { session, note } of recovered) {
    assert.match(
      read(`${on.cwd}/.sage/sessions/${note}.md`),
      /decided to stream the rows/,
      session,
    );
  }
  assert.equal(isAnyLeft(on.memory, OTHER), false);
});

Deno.test("recoverSessions() gives notes the date at which the session was cut off", async () => {
  using on = await world({ hook: true });
  repository(on.cwd);
  killed(on, conversation(STATEMENT));
  const cutOff = rfc3339(on.memory.now());
  on.later(45 * DAY);
  const [recovered] = await recoverSessions(await on.open({ hook: true }), OTHER);
  const [checkpoint] = await listCheckpoints(on.memory);
  assert.deepEqual([checkpoint?.id, checkpoint?.created], [recovered?.checkpoint, cutOff]);
  assert.doesNotMatch(read(checkpoint?.path ?? ""), /\ngit:/, "where git stands now it never saw");
  const log = `${on.home}/.sage/state/log`;
  assert.deepEqual(
    filesIn(log).filter((name) => name.startsWith(cutOff.slice(0, 10))),
    [],
    "receipts are of the day on which they are written",
  );
});

Deno.test("recoverSessions() keeps what was done if the prompts say no more than 'go on'", async () => {
  using on = await world({ hook: true });
  const edit = { name: "Write", input: { file_path: `${on.cwd}/src/billing.ts` }, result: "ok" };
  const said = new TranscriptBuilder({ cwd: on.cwd }).user("go on").assistant("", [edit])
    .assistant(`Roles and billing are moved out of the admin page as well. ${STATEMENT}`);
  killed(on, said);
  on.later(60 * MINUTE);
  const [recovered] = await recoverSessions(on.memory, OTHER);
  const note = read(`${on.cwd}/.sage/sessions/${recovered?.note}.md`);
  assert.match(note, /## Summary\n\ngo on → .*importer stalls/);
  assert.match(note, /Changed: src\/billing\.ts/);
});

Deno.test("recoverSessions() asks about stated preferences, as the end of a session does", async () => {
  using on = await world({ hook: true });
  const said = conversation(STATEMENT).user("Please never mock the database, in all my projects.");
  killed(on, said.assistant("Understood: no mocks."));
  on.later(60 * MINUTE);
  assert.equal((await recoverSessions(on.memory, OTHER)).length, 1);
  const [question, ...more] = listQuestions(on.memory);
  assert.deepEqual(more, []);
  assert.match(question?.question ?? "", /in every project of yours: "Please never mock/);
});

Deno.test("recoverSessions() finishes a session once, even if several starts find it", async () => {
  using on = await world({ hook: true });
  killed(on, conversation(STATEMENT));
  on.later(60 * MINUTE);
  const starts = await Promise.all([1, 2, 3].map(() => on.open({ hook: true })));
  const all = await Promise.all(starts.map((memory, n) => recoverSessions(memory, `start-${n}`)));
  assert.equal(all.flat().length, 1);
  assert.equal(notes(on).length, 2, notes(on).join(", "));
});

for (const what of ["another start finished", "goes on"]) {
  Deno.test(`recoverSessions() leaves alone what ${what} since it was listed`, async () => {
    using on = await world({ hook: true });
    killed(on, conversation(STATEMENT, { session: OTHER }), OTHER);
    on.later(MINUTE);
    killed(on, conversation(STATEMENT));
    on.later(60 * MINUTE);
    const other = await on.open({ hook: true });
    // While the first of the two is read.
    const open: Fs["open"] = (path, options) => {
      if (path.endsWith(`${SESSION}.jsonl`)) {
        updateSession(
          other,
          OTHER,
          (state) => what === "goes on" ? state : { ...state, seen: NOW, ended: NOW },
        );
      }
      return realFs.open(path, options);
    };
    const memory = await on.open({ hook: true, fs: { ...realFs, open } });
    const found = await recoverSessions(memory, "start", Infinity);
    assert.deepEqual(found.map(({ session }) => session), [SESSION]);
  });
}

Deno.test("recoverSessions() does not touch live sessions, ended ones and its own", async () => {
  using on = await world({ hook: true });
  killed(on, conversation(STATEMENT));
  on.later(10 * MINUTE);
  assert.deepEqual(await recoverSessions(on.memory, OTHER), [], "quiet for ten minutes only");
  on.later(60 * MINUTE);
  assert.deepEqual(await recoverSessions(on.memory, SESSION), [], "it is the one that starts");
  assert.equal((await recoverSessions(on.memory, OTHER)).length, 1);
});

Deno.test("recoverSessions() saves only what came after the last save", async () => {
  using on = await world({ hook: true });
  const said = conversation(STATEMENT);
  const path = killed(on, said);
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript !== undefined);
  const cause = { session: SESSION, trigger: "precompact", confidence: 0.6, always: true } as const;
  assert.equal((await saveExtractive(on.memory, transcript, cause)).kind, "saved");
  on.later(60 * MINUTE);
  const [recovered] = await recoverSessions(on.memory, OTHER);
  assert.equal(recovered?.checkpoint, undefined, "everything was saved");
  assert.equal((await listCheckpoints(on.memory)).length, 1);
});

for (
  const [name, text] of [
    ["torn", conversation(STATEMENT).torn().text()],
    ["torn in the middle", conversation(STATEMENT).text().replace('"user"', '"us\n\0\xff')],
  ]
) {
  Deno.test(`recoverSessions() takes what a transcript holds that is ${name}`, async () => {
    using on = await world({ hook: true });
    killed(on, text ?? "");
    on.later(60 * MINUTE);
    const [recovered] = await recoverSessions(on.memory, OTHER);
    assert.ok(recovered?.checkpoint !== undefined);
    assert.equal(
      placesOf(on, "collects every row").filter((path) => path.includes("/.sage/")).length > 0,
      true,
    );
  });
}

for (
  const [name, text] of [["empty", ""], ["noise", "\xff\0{]\n".repeat(900)], ["a list", "[]\n[]\n"]]
) {
  Deno.test(`recoverSessions() ends a session whose transcript is ${name}`, async () => {
    using on = await world({ hook: true });
    killed(on, text ?? "");
    on.later(60 * MINUTE);
    assert.deepEqual(await recoverSessions(on.memory, OTHER), [{ session: SESSION }]);
    assert.deepEqual(notes(on), []);
    assert.equal(readSession(on.memory, SESSION)?.endReason, "recovered");
  });
}

Deno.test("recoverSessions() ends a session whose transcript is gone or not a file", async () => {
  using on = await world({ hook: true });
  await Deno.remove(killed(on, "x"));
  const folder = killed(on, "x", "folder");
  await Deno.remove(folder);
  await Deno.mkdir(folder);
  await Deno.utime(folder, new Date(on.memory.now()), new Date(on.memory.now()));
  begin(on.memory, on, { sessionId: "none" });
  on.later(60 * MINUTE);
  assert.equal((await recoverSessions(on.memory, OTHER)).length, 3);
  assert.deepEqual(notes(on), []);
});

Deno.test("recoverSessions() finds the transcript in a home that was moved", async () => {
  using on = await world({ hook: true });
  const path = killed(on, conversation(STATEMENT));
  on.later(60 * MINUTE);
  const home = `${tempDir()}/anna`;
  await Deno.rename(on.home, home);
  on.env.HOME = home;
  const [recovered] = await recoverSessions(await on.open({ hook: true }), OTHER);
  assert.ok(path.startsWith(on.home) && realFs.lstat(path) === undefined);
  assert.ok(recovered?.note !== undefined && recovered.checkpoint !== undefined);
});

Deno.test("recoverSessions() knows the files of a project that was moved since, and what it excludes", async () => {
  using on = await world({ hook: true });
  put(`${on.cwd}/.sageignore`, "vault/\n");
  const edit = (path: string) => ({
    name: "Edit",
    input: { file_path: `${on.cwd}/${path}` },
    result: "updated",
  });
  const said = new TranscriptBuilder({ cwd: on.cwd }).user("Make the importer stream its rows.")
    .assistant("", [edit("src/rows.ts"), edit("vault/keys.ts")]).assistant(STATEMENT);
  killed(on, said);
  on.later(60 * MINUTE);
  const cwd = `${on.cwd}-moved`;
  await Deno.rename(on.cwd, cwd);
  const [recovered] = await recoverSessions(await on.open({ hook: true, cwd }), OTHER);
  const note = read(`${cwd}/.sage/sessions/${recovered?.note}.md`);
  assert.match(note, /\nfiles_touched: \[src\/rows\.ts\]\n[^]*\n- Changed: src\/rows\.ts\n/);
  assert.ok(!note.includes(on.cwd) && !note.includes("vault"), note);
});

Deno.test("recoverSessions() in a plain folder that was renamed leaves a note that a further rename does not lose", async () => {
  using on = await world({ hook: true, project: "none" });
  // Too little for a checkpoint, which would be a note of its own.
  const edit = { name: "Edit", input: { file_path: `${on.cwd}/rows.ts` }, result: "updated" };
  const said = new TranscriptBuilder({ cwd: on.cwd }).user("Make the importer stream its rows.")
    .assistant("", [edit]).assistant("It streams them now.");
  const path = killed(on, said);
  await writeSessionNote(on.memory, SESSION, await whole(on, path));
  on.later(60 * MINUTE);
  const [first, second] = [`${on.cwd}-first`, `${on.cwd}-second`];
  await Deno.rename(on.cwd, first);
  const [recovered] = await recoverSessions(await on.open({ hook: true, cwd: first }), OTHER);
  assert.ok(recovered?.note !== undefined && recovered.checkpoint === undefined);
  await Deno.rename(first, second);
  const { items } = await listSessions(await on.open({ cwd: second }), { limit: 9, all: false });
  assert.deepEqual(items.map(({ id }) => id), [recovered.note]);
});

async function whole(on: World, path: string): Promise<Transcript> {
  const transcript = await readTurns(on.memory, path, { whole: true });
  assert.ok(transcript !== undefined);
  return transcript;
}

Deno.test("recoverSessions() knows the files of a session whose worktree was removed", async () => {
  using on = await world({ hook: true });
  const feature = `${on.cwd}-feature`;
  repository(on.cwd);
  const linked = `${on.cwd}/.git/worktrees/feature`;
  put(`${linked}/HEAD`, "ref: refs/heads/feature\n");
  put(`${linked}/commondir`, "../..\n");
  put(`${linked}/gitdir`, `${feature}/.git\n`);
  put(`${feature}/.git`, `gitdir: ${linked}\n`);
  const edit = { name: "Edit", input: { file_path: `${feature}/src/rows.ts` }, result: "updated" };
  const said = new TranscriptBuilder({ cwd: feature }).user("Make the importer stream its rows.")
    .assistant("", [edit]).assistant(STATEMENT);
  const transcriptPath = transcriptFile(on, said);
  const then = new Date(on.memory.now());
  await Deno.utime(transcriptPath, then, then);
  begin(await on.open({ hook: true, cwd: feature }), on, { cwd: feature, transcriptPath });
  on.later(60 * MINUTE);
  await Deno.remove(feature, { recursive: true });
  await Deno.remove(linked, { recursive: true });
  const [recovered] = await recoverSessions(await on.open({ hook: true }), OTHER);
  assert.match(
    read(`${on.cwd}/.sage/sessions/${recovered?.note}.md`),
    /\nfiles_touched: \[src\/rows\.ts\]\n/,
  );
});

/** A linked worktree with a store of its own, as git has it: its folder, and git's folder of it. */
function worktree(on: World): { readonly feature: string; readonly linked: string } {
  const [feature, linked] = [`${on.cwd}-feature`, `${on.cwd}/.git/worktrees/feature`];
  repository(on.cwd);
  put(`${linked}/HEAD`, "ref: refs/heads/feature\n");
  put(`${linked}/commondir`, "../..\n");
  put(`${linked}/gitdir`, `${feature}/.git\n`);
  put(`${feature}/.git`, `gitdir: ${linked}\n`);
  put(`${feature}/.sage/project.yaml`, read(`${on.cwd}/.sage/project.yaml`));
  return { feature, linked };
}

/** A session in the worktree that ended in order and left its note there. */
async function endedThere(on: World, feature: string): Promise<string> {
  const there = await on.open({ hook: true, cwd: feature });
  const said = conversation(STATEMENT);
  const transcriptPath = transcriptFile(on, said);
  begin(there, on, { cwd: feature, transcriptPath });
  const transcript = await readTurns(there, transcriptPath, { whole: true });
  assert.ok(transcript !== undefined);
  const end = { at: there.now(), reason: "prompt_input_exit" };
  const written = await writeSessionNote(there, SESSION, transcript, end);
  assert.equal(written.kind, "written");
  updateSession(there, SESSION, (state) => ({
    ...state,
    ended: end.at,
    endReason: end.reason,
  }));
  const path = readSession(there, SESSION)?.note?.path ?? "";
  assert.ok(path.startsWith(`${feature}/.sage/sessions/`), path);
  return path;
}

Deno.test("recoverSessions() writes the note anew that went with its worktree, under another name", async () => {
  using on = await world({ hook: true });
  const { feature, linked } = worktree(on);
  const path = await endedThere(on, feature);
  const text = read(path);
  on.later(60 * MINUTE);
  assert.equal(isAnyLeft(await on.open({ hook: true }), OTHER), false, "it is there");
  await Deno.remove(feature, { recursive: true });
  assert.equal(isAnyLeft(await on.open({ hook: true }), OTHER), false, "git still has it");
  await Deno.remove(linked, { recursive: true });
  const here = await on.open({ hook: true });
  assert.equal(isAnyLeft(here, OTHER), true);
  const [recovered] = await recoverSessions(here, OTHER);
  assert.ok(recovered?.note !== undefined && !path.includes(recovered.note), recovered?.note);
  const body = (whole: string): string => whole.slice(whole.indexOf("\n## "));
  const anew = read(`${on.cwd}/.sage/sessions/${recovered.note}.md`);
  assert.equal(body(anew), body(text));
  assert.match(anew, /\nended: 2026-01-13T14:30:00Z\nend_reason: prompt_input_exit\n/);
  assert.equal(isAnyLeft(here, OTHER), false);
  const { ended, endReason } = readSession(here, SESSION) ?? {};
  assert.deepEqual([ended, endReason], [NOW, "prompt_input_exit"]);
});

Deno.test("recoverSessions() writes no note anew that git brought, that is older, or without a conversation", async () => {
  for (const kept of ["merged", "old", "no transcript"]) {
    using on = await world({ hook: true });
    const { feature, linked } = worktree(on);
    const path = await endedThere(on, feature);
    if (kept === "merged") put(path.replace(feature, on.cwd), read(path));
    if (kept === "no transcript") {
      await Deno.remove(readSession(on.memory, SESSION)?.transcriptPath ?? "");
    }
    await Deno.remove(feature, { recursive: true });
    await Deno.remove(linked, { recursive: true });
    on.later(kept === "old" ? 20 * DAY : 60 * MINUTE);
    const here = await on.open({ hook: true });
    await refreshAll(here);
    for (const { note } of await recoverSessions(here, OTHER)) assert.equal(note, undefined, kept);
    assert.equal(notes(on).length, kept === "merged" ? 1 : 0, kept);
    assert.equal(isAnyLeft(here, OTHER), false, kept);
  }
});

Deno.test("recoverSessions() handles a transcript of 200 MB", async () => {
  using on = await world({ hook: true });
  const path = killed(on, conversation(STATEMENT));
  grow(path, 200 * 1024 * 1024);
  const then = new Date(on.memory.now());
  await Deno.utime(path, then, then);
  on.later(60 * MINUTE);
  let recovered: Awaited<ReturnType<typeof recoverSessions>>[number] | undefined;
  const took = await workMs(async () => [recovered] = await recoverSessions(on.memory, OTHER));
  assert.ok(recovered?.note !== undefined);
  assert.ok(took < 1000, `${Math.round(took)} ms`);
});

Deno.test("recoverSessions() stops when its time is up, and the next start continues", async () => {
  using on = await world({ hook: true });
  for (let n = 0; n < 6; n++) {
    const session = `${n}1111111-0000-4000-8000-000000000001`;
    const thing = ["rows", "birds", "ships", "loaves", "songs", "stones"][n];
    killed(on, conversation(`The importer collects ${thing} number ${n}.`, { session }), session);
  }
  on.later(60 * MINUTE);
  const first = await recoverSessions(on.memory, OTHER, 0);
  assert.ok(first.length >= 1 && first.length < 6, String(first.length));
  let rounds = 0;
  while ((await recoverSessions(await on.open(), OTHER, 0)).length > 0) rounds++;
  assert.equal(first.length + rounds, 6);
});

Deno.test("recoverSessions() finishes the others if one session cannot be finished", async () => {
  using on = await world({ hook: true });
  killed(on, conversation(STATEMENT));
  const other = "31111111-0000-4000-8000-000000000001";
  const bad = killed(on, conversation("Birds sing.", { session: other }), other);
  on.later(60 * MINUTE);
  const { fs } = on.memory;
  const broken = await on.open({
    hook: true,
    fs: {
      ...fs,
      open(path, options) {
        if (path === bad) throw Object.assign(new Error("bad sector"), { code: "EIO" });
        return fs.open(path, options);
      },
    },
  });
  const recovered = await recoverSessions(broken, OTHER);
  assert.deepEqual(recovered.map(({ session }) => session), [SESSION]);
  assert.equal((await recoverSessions(on.memory, OTHER)).length, 1, "tried again");
});

Deno.test("recoverSessions() brings back nothing forgotten, private or secret", async () => {
  using on = await world({ hook: true });
  const path = killed(on, conversation(`${STATEMENT} <private>zanzibar`));
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript !== undefined);
  const cause = {
    session: "elsewhere",
    trigger: "precompact",
    confidence: 0.6,
    always: true,
  } as const;
  const saved = await saveExtractive(on.memory, transcript, cause);
  assert.ok(saved.kind === "saved");
  await forget(on.memory, saved.id);
  on.later(60 * MINUTE);
  await recoverSessions(on.memory, OTHER);
  const held = [...placesOf(on, "collects every row"), ...placesOf(on, "zanzibar")];
  assert.deepEqual(held.filter((one) => !one.includes("/.claude/")), []);
});

Deno.test("recoverSessions() reads nothing of other projects", async () => {
  using on = await world({ hook: true });
  using elsewhere = await world();
  killed(on, conversation(STATEMENT));
  on.later(DAY);
  const there = await on.open({ cwd: elsewhere.cwd });
  assert.deepEqual(await recoverSessions(there, OTHER), []);
  assert.deepEqual(notes(on), []);
});
