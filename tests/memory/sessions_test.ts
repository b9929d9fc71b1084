/** The registry of sessions: who is at work, what a session remembers, what is swept. */
import assert from "node:assert/strict";
import {
  currentSession,
  deadSessions,
  isLeft,
  liveSessions,
  openAround,
  openSessions,
  sweepSessions,
} from "../../src/memory/session/instances.ts";
import { surfacePrompt } from "../../src/hook/surface_prompt.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { type Origin, recordEditor, register } from "../../src/memory/session/begin.ts";
import { forkOrigin } from "../../src/memory/session/fork_origin.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { firstTopic } from "../../src/memory/session/topic.ts";
import { touch } from "../../src/memory/session/touch.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { age, filesIn } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  begin,
  conversation,
  DAY,
  hookInput,
  MINUTE,
  OTHER,
  put,
  repository,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";
import { assertInTime } from "../support/quick.ts";

Deno.test("firstTopic() passes over greetings, and over questions about where the work stood", async () => {
  using on = await world();
  assert.equal(firstTopic(on.memory, ["good morning! where were we?"]), undefined);
  const asked = "Thanks! Why does the importer stall?";
  assert.equal(firstTopic(on.memory, [asked]), "Why does the importer stall?");
});

Deno.test("firstTopic() has no secret in it, nothing private and nothing that Sage recalled", async () => {
  using on = await world();
  const { text, secret } = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(3)) ??
    assert.fail();
  const asked = `Why does the importer stall with ${text} at night?`;
  const topic = firstTopic(on.memory, [asked]) ?? "";
  assert.match(topic, /^Why does the importer stall with/);
  assert.ok(!topic.includes(secret), topic);
  const hidden = "Why does the importer stall? It is <private>zanzibar</private> at night.";
  assert.equal(firstTopic(on.memory, [hidden]), "Why does the importer stall?");
});

Deno.test("firstTopic() takes the title of a plan that the client hands over", async () => {
  using on = await world();
  const plan =
    "Implement the following plan:\n\n# Plan: Cache the tide tables\n\n## Context\n\nSlow.";
  assert.equal(firstTopic(on.memory, [plan]), "Implement: Cache the tide tables");
});

/** What is known of processes elsewhere: liveness_test.ts. */
const hasProc = Deno.build.os === "linux";

const ids = (states: readonly { readonly session: string }[]): string[] =>
  states.map(({ session }) => session);

function seenAt(on: World, seen: number): void {
  updateSession(on.memory, SESSION, (state) => ({ ...state, seen }));
}

/** As one leaves it that wrote the end down, and was killed before the file lay with the ended. */
function endedHalfway(on: World, session: string): void {
  const state = readSession(on.memory, session);
  const path = `${on.memory.places.stateDir}/instances/${session}.json`;
  put(path, JSON.stringify({ ...state, seen: Date.now(), ended: on.memory.now() }));
}

function madeAt(path: string): number {
  return Deno.statSync(path).mtime?.getTime() ?? 0;
}

function remember(on: World): void {
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    shown: { oak: "1" },
    lastTerms: ["oak"],
    contextSteps: [70],
    notesWritten: 3,
    topic: "trees",
  }));
}

Deno.test("register() records a session with project, folder and process", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = "4711";
  begin(await on.open(), on, { transcriptPath: "/t.jsonl" });
  const state = readSession(on.memory, SESSION);
  assert.deepEqual(
    [state?.project, state?.dir, state?.pid, state?.transcriptPath, state?.started],
    [on.memory.places.projectId, on.cwd, 4711, "/t.jsonl", on.memory.now()],
  );
});

const KEPT: Readonly<Record<string, readonly [shown: boolean, steps: boolean]>> = {
  startup: [true, false],
  resume: [true, true],
  fork: [true, true],
  clear: [false, false],
  compact: [false, false],
};

for (const [source, [shown, steps]] of Object.entries(KEPT)) {
  Deno.test(`register() on ${source} keeps what the conversation still holds, and no more`, async () => {
    using on = await world();
    begin(on.memory, on);
    remember(on);
    begin(on.memory, on, { source });
    const state = readSession(on.memory, SESSION);
    assert.deepEqual(state?.shown, shown ? { oak: "1" } : undefined);
    assert.deepEqual(state?.contextSteps, steps ? [70] : undefined);
    assert.deepEqual([state?.notesWritten, state?.topic], [3, "trees"]);
  });
}

Deno.test("register() opens an ended session again when it is resumed", async () => {
  using on = await world();
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: on.memory.now(), topic: "x" }));
  assert.deepEqual(ids(openSessions(on.memory)), []);
  assert.equal(readSession(on.memory, SESSION)?.topic, "x");
  begin(on.memory, on, { source: "resume" });
  assert.deepEqual(ids(openSessions(on.memory)), [SESSION]);
  assert.equal(readSession(on.memory, SESSION)?.ended, undefined);
  assert.equal(
    filesIn(`${on.home}/.sage/state`).filter((name) => name.includes(SESSION)).length,
    1,
  );
});

Deno.test("touch() opens a session again that was taken for dead", async () => {
  using on = await world();
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: 1, endReason: "recovered" }));
  const path = transcriptFile(on, conversation("It stalls."));
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript !== undefined);
  await touch(on.memory, hookInput(on, { event: "stop", transcriptPath: path }), transcript);
  assert.deepEqual(ids(openSessions(on.memory)), [SESSION]);
  assert.deepEqual(readSession(on.memory, SESSION)?.filesTouched, ["/p/importer.ts"]);
});

Deno.test("touch() names files by the same path from every folder of the project", async () => {
  using on = await world();
  const link = `${on.home}/link`;
  await Deno.mkdir(`${on.cwd}/web/src`, { recursive: true });
  await Deno.symlink(on.cwd, link);
  const touched = async (cwd: string, file: string): Promise<readonly string[] | undefined> => {
    const said = new TranscriptBuilder({ bare: true }).user("Please change it.")
      .assistant("Done.", [
        { name: "Read", input: { file_path: `${on.cwd}/only_read.ts` }, result: "text" },
        { name: "Edit", input: { file_path: file }, result: "updated" },
      ]);
    const path = transcriptFile(on, said);
    const transcript = await readTurns(on.memory, path);
    assert.ok(transcript !== undefined);
    updateSession(on.memory, SESSION, (state) => ({ ...state, filesTouched: [] }));
    await touch(on.memory, hookInput(on, { event: "stop", cwd, transcriptPath: path }), transcript);
    return readSession(on.memory, SESSION)?.filesTouched;
  };
  assert.deepEqual(await touched(on.cwd, `${on.cwd}/web/src/a.ts`), ["web/src/a.ts"]);
  assert.deepEqual(await touched(`${on.cwd}/web`, `${on.cwd}/web/src/a.ts`), ["web/src/a.ts"]);
  assert.deepEqual(await touched(`${on.cwd}/web`, `${on.cwd}/b.ts`), ["b.ts"]);
  assert.deepEqual(await touched(`${link}/web`, `${link}/web/src/a.ts`), ["web/src/a.ts"]);
  assert.deepEqual(await touched(on.cwd, `${link}/web/src/a.ts`), ["web/src/a.ts"]);
  assert.deepEqual(await touched(link, `${on.cwd}/web/src/a.ts`), ["web/src/a.ts"]);
  assert.deepEqual(await touched(on.cwd, "/elsewhere/c.ts"), ["/elsewhere/c.ts"]);
  // A plan that waits for approval is written as a file, and is nobody's work.
  assert.deepEqual(await touched(on.cwd, `${on.home}/.claude/plans/a-plan.md`), []);
  // A linked worktree: the project is its main checkout.
  assert.deepEqual(await touched("/feature", "/feature/web/src/a.ts"), ["web/src/a.ts"]);
});

Deno.test("a session is live as long as its process", {
  ignore: !hasProc,
}, async () => {
  using on = await world();
  const process = new Deno.Command("sleep", { args: ["60"] }).spawn();
  on.env["CLAUDE_PID"] = String(process.pid);
  begin(await on.open(), on);
  seenAt(on, Date.now());
  on.later(DAY);
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
  assert.deepEqual(ids(liveSessions(on.memory, SESSION)), [], "never oneself");
  process.kill("SIGKILL");
  await process.status;
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), []);
  assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [SESSION]);
});

Deno.test("an agent that does not name its process is gone when what started two of its hooks is", {
  ignore: !hasProc,
}, async () => {
  using on = await world();
  const process = new Deno.Command("sleep", { args: ["60"] }).spawn();
  begin(on.memory, on);
  const path = transcriptFile(on, conversation("It stalls."));
  const transcript = readTranscript(path);
  await touch(on.memory, hookInput(on, { event: "stop", transcriptPath: path }), transcript);
  const seen = readSession(on.memory, SESSION);
  assert.deepEqual([seen?.starter, seen?.isStarterLasting], [Deno.ppid, true]);
  const startedBy = (pid: number, isStarterLasting: true | undefined): void => {
    updateSession(on.memory, SESSION, ({ isStarterLasting: _, ...state }) => ({
      ...state,
      starter: pid,
      ...(isStarterLasting === undefined ? {} : { isStarterLasting }),
      seen: Date.now(),
    }));
    on.later(Date.now() - on.memory.now());
  };
  startedBy(process.pid, true);
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
  process.kill("SIGKILL");
  await process.status;
  assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [SESSION]);
  startedBy(process.pid, undefined);
  assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [], "a shell of one hook is gone at once");
});

Deno.test("an agent's first prompt tells already what started its hooks", async () => {
  using on = await world();
  begin(on.memory, on);
  const prompt = "Why does the importer stall on large files?";
  const input = hookInput(on, { event: "user-prompt-submit", prompt });
  await surfacePrompt(input, (name) => on.env[name]);
  const { topic, starter, isStarterLasting } = readSession(on.memory, SESSION) ?? {};
  assert.deepEqual([topic, starter, isStarterLasting], [prompt, Deno.ppid, true]);
});

Deno.test("a process that began after the session was last seen does not prove it live", {
  ignore: !hasProc,
}, async () => {
  using on = await world();
  const process = new Deno.Command("sleep", { args: ["60"] }).spawn();
  try {
    on.env["CLAUDE_PID"] = String(process.pid);
    begin(await on.open(), on);
    const started = madeAt(`/proc/${process.pid}`);
    on.later(started - on.memory.now());
    seenAt(on, started - 29 * MINUTE);
    const boot = madeAt("/proc");
    const isSameBoot = boot < started - 29 * MINUTE;
    assert.deepEqual(ids(liveSessions(on.memory, OTHER)), isSameBoot ? [SESSION] : []);
    seenAt(on, started - 31 * MINUTE);
    assert.deepEqual(ids(liveSessions(on.memory, OTHER)), []);
    assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [SESSION]);
    seenAt(on, started + MINUTE);
    on.later(DAY);
    assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
  } finally {
    process.kill("SIGKILL");
    await process.status;
  }
});

Deno.test("a restart of the machine after a session was last seen ended it", {
  ignore: !hasProc,
}, async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  begin(await on.open(), on);
  const boot = madeAt("/proc");
  seenAt(on, boot - 5 * MINUTE);
  on.later(boot + MINUTE - on.memory.now());
  assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [SESSION]);
});

Deno.test("a conversation that a client left for another one does not count as another session", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  begin(await on.open(), on);
  const [state] = liveSessions(on.memory, OTHER);
  assert.ok(state !== undefined);
  assert.ok(isLeft(on.memory, state), "by name");
  on.env["CLAUDE_PID"] = String(Deno.ppid);
  assert.ok(!isLeft(await on.open(), state));
  delete on.env["CLAUDE_PID"];
  assert.ok(!isLeft(await on.open(), state));
  assert.ok(isLeft(on.memory, { ...state, pid: Deno.ppid }), "by who started this process");
});

Deno.test("a server whose named session never begins works for the session of its client", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  begin(await on.open(), on);
  const server = { ...await on.open(), session: "named-by-continue" };
  assert.equal(currentSession(server), SESSION);
  begin(server, on, { sessionId: "named-by-continue" });
  assert.equal(currentSession(server), "named-by-continue", "once it begins it is its own");
  for (const session of [SESSION, "named-by-continue"]) {
    updateSession(on.memory, session, ({ ended: _, ...state }) => state);
    assert.equal(currentSession({ ...server, session }), session, "none is another's heir");
  }
  assert.equal(currentSession({ ...server, session: undefined }), undefined);

  on.env["CLAUDE_PID"] = String(Deno.ppid);
  const other = { ...await on.open(), session: "of-another-client" };
  assert.equal(currentSession(other), "of-another-client");

  // Of a client that does not say which process it is.
  delete on.env["CLAUDE_PID"];
  const nameless = await on.open();
  for (const sessionId of ["first", "second"]) begin(nameless, on, { sessionId });
  for (const session of ["first", "second"]) {
    assert.equal(currentSession({ ...nameless, session }), session);
  }
  updateSession(nameless, "first", (state) => ({ ...state, ended: on.memory.now() }));
  assert.equal(currentSession({ ...nameless, session: "first" }), "first", "nobody knows its heir");
});

Deno.test("a call in the first turn belongs to the session whose hook came before the server listened", async () => {
  using on = await world();
  const server = { ...await on.open(), session: undefined };
  begin(server, on, { sessionId: "first" });
  const state = readSession(server, "first");
  assert.deepEqual([state?.pid, state?.starter], [undefined, Deno.ppid]);
  assert.equal(currentSession(server), "first");
  updateSession(server, "first", (now) => ({ ...now, starter: Deno.pid }));
  assert.equal(currentSession(server), undefined, "another process started its hooks");
  updateSession(server, "first", (now) => ({ ...now, starter: Deno.ppid, host: "elsewhere-1" }));
  assert.equal(currentSession(server), undefined, "or one on another machine");
  on.env["CLAUDE_PID"] = "77";
  begin(await on.open(), on, { sessionId: "first" });
  assert.equal(readSession(server, "first")?.starter, undefined, "the editor said which it is");
});

Deno.test("a server without a named session works for the one session of its client", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  const server = { ...await on.open(), session: undefined };
  assert.equal(currentSession(server), undefined);
  begin(server, on, { sessionId: "first" });
  assert.equal(currentSession(server), "first");
  begin(server, on, { sessionId: "second" });
  assert.equal(currentSession(server), undefined, "either may call");
  updateSession(server, "first", (state) => ({ ...state, ended: on.memory.now() }));
  assert.equal(currentSession(server), "second");
  on.env["CLAUDE_PID"] = String(Deno.ppid);
  assert.equal(currentSession({ ...await on.open(), session: undefined }), undefined);
});

Deno.test("a server continues with the newest open session of its client", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  const server = { ...await on.open(), session: "named-by-continue" };
  for (const sessionId of ["first", "second", "third"]) {
    begin(server, on, { sessionId });
    on.later(MINUTE);
  }
  endedHalfway(on, "third");
  assert.equal(currentSession(server), "second");
  // Long ago, and the number was given to another process since.
  const seen = Math.min(hasProc ? madeAt(`/proc/${Deno.pid}`) : Infinity, server.now()) -
    60 * MINUTE;
  for (const session of ["first", "second"]) {
    const state = readSession(on.memory, session);
    const path = `${on.memory.places.stateDir}/instances/${session}.json`;
    put(path, JSON.stringify({ ...state, seen }));
  }
  assert.equal(currentSession(server), "named-by-continue");
});

Deno.test("a session counts as ended if its process was killed while it recorded the end", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  begin(await on.open(), on);
  endedHalfway(on, SESSION);
  assert.deepEqual(liveSessions(on.memory, OTHER), []);
  updateSession(on.memory, SESSION, ({ ended: _, ...state }) => ({ ...state, pid: 99_999_999 }));
  endedHalfway(on, SESSION);
  assert.deepEqual(deadSessions(on.memory, OTHER), []);
});

Deno.test("recordEditor() adds a missing process once", async () => {
  using on = await world();
  recordEditor(await on.open(), SESSION);
  begin(on.memory, on);
  recordEditor(on.memory, SESSION);
  assert.equal(readSession(on.memory, SESSION)?.pid, undefined);
  for (const pid of ["4711", "4712"]) {
    on.env["CLAUDE_PID"] = pid;
    recordEditor(await on.open(), SESSION);
    assert.equal(readSession(on.memory, SESSION)?.pid, 4711);
  }
  assert.equal(readSession(on.memory, OTHER), undefined);
});

Deno.test("a session without a process is live while its state or transcript changes", async () => {
  using on = await world();
  const path = transcriptFile(on, conversation("It stalls."));
  const now = on.memory.now();
  await Deno.utime(path, new Date(now), new Date(now));
  begin(on.memory, on, { transcriptPath: path });
  on.later(29 * MINUTE);
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
  on.later(2 * MINUTE);
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), []);
  const then = new Date(on.memory.now());
  await Deno.utime(path, then, then);
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
});

Deno.test("sessions of other projects are not listed", async () => {
  using on = await world();
  using elsewhere = await world();
  const there = await on.open({ cwd: elsewhere.cwd });
  begin(there, elsewhere);
  assert.deepEqual(ids(openSessions(on.memory)), []);
  assert.deepEqual(ids(openSessions(there)), [SESSION]);
});

Deno.test("sessions of another clone of the same remote are not listed, unless that clone is gone", async () => {
  using on = await world({ project: "none" });
  using clone = await world({ project: "none" });
  repository(on.cwd, "git@example.org:a/b.git");
  repository(clone.cwd, "git@example.org:a/b.git");
  const [here, there] = [await on.open(), await on.open({ cwd: clone.cwd })];
  assert.equal(here.places.projectId, there.places.projectId);
  begin(there, clone, { sessionId: OTHER });
  assert.deepEqual(ids(openSessions(here)), []);
  assert.deepEqual(ids(openAround(here)), [], "it is no worktree of this one");
  on.later(DAY);
  assert.deepEqual(ids(deadSessions(here, SESSION)), [], "its own start finishes it");
  assert.deepEqual(ids(deadSessions(there, SESSION)), [OTHER]);
  await Deno.remove(clone.cwd, { recursive: true });
  assert.deepEqual(ids(deadSessions(here, SESSION)), [OTHER], "moved here, for all anybody knows");
});

Deno.test("a session belongs to its folder even if that becomes a repository meanwhile", async () => {
  using on = await world({ project: "none" });
  begin(on.memory, on);
  repository(on.cwd, "git@example.org:a/b.git");
  const later = await on.open();
  assert.notEqual(later.places.projectId, on.memory.places.projectId);
  assert.deepEqual(ids(openSessions(later)), [SESSION]);
});

Deno.test("files in the registry that are not Sage's do no harm", async () => {
  using on = await world();
  begin(on.memory, on);
  const folder = `${on.home}/.sage/state/instances`;
  put(`${folder}/a b (conflicted copy).json`, "{}");
  put(`${folder}/torn.json`, '{"session":"torn","se');
  const own = readSession(on.memory, SESSION);
  put(`${folder}/lie.json`, JSON.stringify({ ...own, session: "../../../escaped" }));
  put(`${folder}/old.json`, JSON.stringify({ ...own, session: "old", seen: "yesterday" }));
  put(`${folder}/list.json`, "[1]");
  await Deno.mkdir(`${folder}/folder.json`);
  assert.deepEqual(ids(openSessions(on.memory)), [SESSION]);
  sweepSessions(on.memory);
  assert.equal(filesIn(folder).length, 6);
});

Deno.test("a state that is no session's is made anew, whatever it holds", async () => {
  using on = await world();
  begin(on.memory, on);
  const path = `${on.home}/.sage/state/instances/${SESSION}.json`;
  const other = JSON.stringify({ ...readSession(on.memory, SESSION), session: OTHER });
  for (const held of ["", "null", "[]", '"a"', "7", '{"x":1}', '{"session":"', other]) {
    put(path, held);
    updateSession(on.memory, SESSION, (state) => ({ ...state, topic: "imports" }));
    const { session, topic, dir } = readSession(on.memory, SESSION) ?? {};
    assert.deepEqual([session, topic, dir], [SESSION, "imports", on.cwd], held);
  }
});

Deno.test("sweepSessions() removes sessions silent for thirty days, ended or not, except live ones", async () => {
  using on = await world();
  for (const session of [SESSION, OTHER, "live", "new"]) {
    begin(on.memory, on, { sessionId: session });
  }
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: 1 }));
  updateSession(on.memory, "live", (state) => ({ ...state, pid: Deno.pid, seen: Date.now() }));
  const state = `${on.home}/.sage/state`;
  const since = Date.now() - on.memory.now();
  for (const name of [`ended/${SESSION}`, `instances/${OTHER}`, "instances/live"]) {
    age(`${state}/${name}.json`, since + 31 * DAY);
  }
  age(`${state}/instances/new.json`, since + 29 * DAY);
  on.later(31 * MINUTE);
  const kept = (): string[] =>
    filesIn(state).filter((name) => /^(?:ended|instances)\/[a-z0-9-]+\.json$/.test(name));
  sweepSessions(on.memory);
  assert.equal(kept().length, 4, "fifty stay, for the clock may be wrong");
  for (let n = 0; n < 50; n++) {
    for (const folder of ["ended", "instances"]) {
      put(`${state}/${folder}/y_${n}.json`, "{}\n");
      age(`${state}/${folder}/y_${n}.json`, since);
    }
  }
  sweepSessions(on.memory);
  const left = kept();
  assert.deepEqual(left, ["instances/live.json", "instances/new.json"]);
});

Deno.test("lists in a state stay short", async () => {
  using on = await world();
  const many = Array.from({ length: 500 }, (_, n) => `f${n}`);
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    filesTouched: many,
    hashes: many,
    told: many,
    asks: many.map((_, at) => ({ at })),
    shown: Object.fromEntries(many.map((name) => [name, "1"])),
    subagents: many.map((said) => ({ type: "x", said })),
  }));
  const state = readSession(on.memory, SESSION);
  assert.equal(state?.filesTouched?.length, 200);
  assert.equal(state?.filesTouched?.at(-1), "f499");
  assert.equal(state?.hashes?.length, 200);
  assert.equal(state?.told?.length, 200);
  assert.deepEqual([state?.asks?.length, state?.asks?.at(-1)?.at], [200, 499]);
  assert.equal(Object.keys(state?.shown ?? {}).length, 200);
  assert.equal(state?.subagents?.length, 20);
});

Deno.test("updateSession() waits for another process, but a hook does not wait for a frozen one twice", async () => {
  using on = await world();
  begin(on.memory, on);
  const folder = `${on.home}/.sage/state/locks`;
  const held = filesIn(folder).filter((name) => /state-.\.lock$/.test(name)).map((name) => {
    const file = Deno.openSync(`${folder}/${name}`, { read: true, write: true });
    file.lockSync(true);
    return file;
  });
  assert.ok(held.length > 0);
  const hook = await on.open({ hook: true });
  const start = performance.now();
  for (let n = 0; n < 5; n++) updateSession(hook, SESSION, (s) => ({ ...s, topic: `t${n}` }));
  const took = performance.now() - start;
  // Five waits would be more than a second.
  assert.ok(took > 200, `${took} ms`);
  await assertInTime(took, 500, "one wait");
  assert.equal(readSession(hook, SESSION)?.topic, "t4");
  held.forEach((file) => file.close());
});

Deno.test("a fork finds its origin by process or by transcript", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({ ...state, told: ["a line"] }));
  register(on.memory, hookInput(on, { sessionId: OTHER, source: "fork" }), {
    guessed: SESSION,
  });
  const state = readSession(on.memory, OTHER);
  assert.deepEqual([state?.forkedFrom, state?.told], [[SESSION], ["a line"]]);
  const third = "33333333-0000-4000-8000-000000000003";
  register(on.memory, hookInput(on, { sessionId: third, source: "fork" }), { named: OTHER });
  assert.deepEqual(readSession(on.memory, third)?.forkedFrom, [SESSION, OTHER]);
});

Deno.test("a fork has the origin that it names, even if its process has a newer session", async () => {
  const [third, fourth, fifth] = [3, 4, 5].map((n) =>
    `${n}`.repeat(8) + `-0000-4000-8000-00000000000${n}`
  );
  using on = await world({ hook: true });
  on.env.CLAUDE_PID = `${Deno.pid}`;
  begin(on.memory, on);
  on.later(MINUTE);
  begin(on.memory, on, { sessionId: OTHER });
  const fork = (sessionId = "", origin: Origin = {}) => {
    on.later(MINUTE);
    register(on.memory, hookInput(on, { sessionId, source: "fork" }), origin);
    return readSession(on.memory, sessionId)?.forkedFrom;
  };
  assert.deepEqual(fork(third, { named: SESSION }), [SESSION]);
  // What looks like its origin says less than what its process had last.
  assert.deepEqual(fork(fourth, { guessed: SESSION }), [SESSION, third]);
  assert.deepEqual(fork(fifth, { named: "unknown" }), [SESSION, third, fourth]);
});

Deno.test("a fork has the last session of its process as origin, even if that has ended", async () => {
  using on = await world({ hook: true });
  on.env.CLAUDE_PID = `${Deno.pid}`;
  for (const sessionId of [SESSION, OTHER]) begin(on.memory, on, { sessionId });
  on.later(MINUTE);
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: on.memory.now() }));
  register(on.memory, hookInput(on, { sessionId: "third", source: "fork" }));
  assert.deepEqual(readSession(on.memory, "third")?.forkedFrom, [SESSION]);
});

Deno.test("a fork in another process finds its origin by how that conversation ended", async () => {
  using on = await world({ hook: true });
  const said = new TranscriptBuilder({ bare: true, startMs: on.memory.now() - 2000 })
    .user("Why does it stall?").assistant("It collects all rows.");
  const path = transcriptFile(on, said);
  begin(on.memory, on, { transcriptPath: path });
  const tokens = readTranscript(path).contextTokens ?? 0;
  on.later(MINUTE);
  const origin = (replayed: { tokens: number; silentSeconds: number }) =>
    forkOrigin(on.memory, { sessionId: OTHER, replayed });
  assert.equal(await origin({ tokens, silentSeconds: 60 }), SESSION);
  assert.equal(await origin({ tokens: tokens + 1, silentSeconds: 60 }), undefined);
  assert.equal(await origin({ tokens, silentSeconds: 1 }), undefined);
  const third = "33333333-0000-4000-8000-000000000003";
  const later = new TranscriptBuilder({
    bare: true,
    sessionId: third,
    startMs: on.memory.now() - 42_000,
  })
    .user("Why does it stall?").assistant("It collects all rows.");
  begin(on.memory, on, {
    sessionId: third,
    transcriptPath: transcriptFile(on, later),
  });
  assert.equal(await origin({ tokens, silentSeconds: 41 }), third, "of two as full the nearer");
  assert.equal(await origin({ tokens, silentSeconds: 60 }), SESSION);
  assert.equal(await origin({ tokens, silentSeconds: 3600 }), undefined);
  // The seconds are rounded: of two replies within one, 21.1 and 20.3 s ago, the later was taken up.
  const fourth = "44444444-0000-4000-8000-000000000004";
  const fifth = "55555555-0000-4000-8000-000000000005";
  for (const [sessionId, ago] of [[fourth, 23_100], [fifth, 22_300]] as const) {
    const close = new TranscriptBuilder({ bare: true, sessionId, startMs: on.memory.now() - ago })
      .user("Why does it stall?").assistant("It collects all rows.");
    begin(on.memory, on, { sessionId, transcriptPath: transcriptFile(on, close) });
  }
  assert.equal(await origin({ tokens, silentSeconds: 21 }), fifth);
  assert.equal(await forkOrigin(on.memory, { sessionId: OTHER }), undefined);
  // Mostly it has ended: the client was left, and called again with --fork-session.
  updateSession(on.memory, SESSION, (state) => ({ ...state, ended: on.memory.now() }));
  const ended = `${on.memory.places.stateDir}/ended/${SESSION}.json`;
  await Deno.utime(ended, on.memory.now() / 1000, on.memory.now() / 1000);
  assert.equal(await origin({ tokens, silentSeconds: 60 }), SESSION);
  await Deno.utime(ended, 1, 1);
  assert.equal(await origin({ tokens, silentSeconds: 60 }), third, "files of years are not read");
});
