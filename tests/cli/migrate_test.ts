/** Back-fill from the editor's history, by the built program: once, in order, and goes on after a kill. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { binary, builtTest as test, scratch } from "../support/sage.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { SESSIONS } from "../support/sessions.ts";
import { age, filesIn } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { put, read } from "../support/world.ts";
import { runKilled } from "../support/kill_after.ts";

interface Place {
  readonly home: string;
  readonly cwd: string;
}

const SECRET = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(3)) ??
  { text: "", secret: "" };
const HOUR = 3_600_000;
const ARGS = ["migrate", "--from", "transcripts"];

const sessionId = (n: number): string =>
  `${String(n).padStart(8, "0")}-1111-4000-8000-000000000001`;

/** A session file as the editor left it, `hours` ago; returns its path. */
function past(place: Place, n: number, text: string, hours: number, cwd = place.cwd): string {
  const folder = `${place.home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  const path = `${folder}/${sessionId(n)}.jsonl`;
  put(path, text);
  age(path, hours * HOUR);
  return path;
}

/** One of the made-up sessions, as if it had happened here. */
function session(place: Place, n: number, name: string, cwd = place.cwd): string {
  const build = SESSIONS[name];
  assert.ok(build !== undefined, name);
  return build().text().replaceAll("11111111-0000-4000-8000-000000000001", sessionId(n))
    .replaceAll("/home/user/project", cwd);
}

async function started(): Promise<Place> {
  const place = scratch();
  await binary(["init"], place);
  past(place, 1, session(place, 1, "debugging"), 50);
  past(place, 2, session(place, 2, "designChoice"), 30);
  past(place, 3, session(place, 3, "blockedByLicence"), 20);
  return place;
}

const notesOf = (place: Place): string[] =>
  filesIn(`${place.cwd}/.sage`).filter((name) => /^(?:checkpoints|sessions)\/.*\.md$/.test(name));

async function json(args: readonly string[], place: Place): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await binary([...args, "--json"], place);
  assert.ok(stdout !== "", stderr);
  return JSON.parse(stdout);
}

test("each past session becomes a checkpoint and a note, dated as it was, and never twice", async () => {
  const place = await started();
  const first = await binary(ARGS, place);
  assert.equal(first.code, 0);
  assert.equal(first.stdout, "Made 3 checkpoints and 3 session notes of 3 past sessions\n");
  const notes = notesOf(place);
  assert.equal(notes.length, 6);
  // The made-up sessions say 2026-11-20 in their lines; the files' times do not matter.
  assert.ok(notes.every((name) => name.includes("2026-11-20")), notes.join("\n"));
  const checkpoint = notes.find((name) => name.startsWith("checkpoints/")) ?? "";
  const text = read(`${place.cwd}/.sage/${checkpoint}`);
  assert.match(text, /\ntrigger: recovery\n/);
  assert.match(text, /\nsession: 0000000[123]-1111-/);
  const again = await binary(ARGS, place);
  assert.equal(again.stdout, "Nothing is left to do: all 3 sessions are known.\n");
  assert.deepEqual(notesOf(place), notes);
});

test("what was written a moment ago may be at work still, and is no session that is known", async () => {
  const place = await started();
  past(place, 1, session(place, 1, "debugging"), 0);
  const first = await binary(ARGS, place);
  assert.match(first.stdout, /of 2 past sessions/);
  assert.match(first.stderr, /^1 session of the last half hour may be at work still: run it again/);
  const rest = await json(ARGS, place);
  assert.deepEqual([rest.known, rest.at_work], [2, 1]);
  const other = scratch();
  await binary(["init"], other);
  past(other, 1, session(other, 1, "debugging"), 0);
  assert.equal((await binary(ARGS, other)).stdout, "Nothing can be read yet.\n");
});

test("a session that has a note is known, long after what Sage remembered of it is gone", async () => {
  const place = await started();
  const note = `${place.cwd}/.sage/sessions/mine.md`;
  put(note, `---\nid: mine\ntype: session\nsession: ${sessionId(2)}\n---\n\n## Summary\n\nDone.\n`);
  const planned = await json([...ARGS, "--dry-run"], place);
  assert.equal((planned.items as unknown[]).length, 2);
  const { stdout } = await binary(ARGS, place);
  assert.equal(stdout, "Made 2 checkpoints and 2 session notes of 2 past sessions\n");
  assert.ok(
    !notesOf(place).some((name) =>
      read(`${place.cwd}/.sage/${name}`).includes("00000002-") &&
      !name.endsWith("mine.md")
    ),
  );
});

test("receipts are of the day of the run: those of long ago would push today's out", async () => {
  const place = await started();
  await binary(ARGS, place);
  const log = `${place.home}/.sage/state/log`;
  assert.deepEqual(filesIn(log).filter((name) => name.startsWith("2026-11-20")), []);
  assert.match(filesIn(log).map((name) => read(`${log}/${name}`)).join(""), /"event":"save"/);
});

test("--dry-run says what would be read and writes nothing", async () => {
  const place = await started();
  const { stdout, code } = await binary([...ARGS, "--dry-run", "--limit", "2"], place);
  assert.equal(code, 0);
  const [head = "", heading = "", ...rows] = stdout.trimEnd().split("\n");
  assert.match(head, /^Would read 2 past sessions/);
  assert.match(heading, /^session +date +KB +agent +folder +topic$/);
  assert.match(rows[0] ?? "", /^00000003 /, "newest first");
  assert.equal(rows.length, 2);
  assert.deepEqual(notesOf(place), []);
  assert.ok(!filesIn(`${place.home}/.sage`).some((name) => name.includes("migrate")));
});

test("--dry-run names a long session by what it began with", async () => {
  const place = scratch();
  await binary(["init"], place);
  const long = new TranscriptBuilder({ cwd: place.cwd })
    .user("The label printer prints every label twice, can you find out why?");
  for (let i = 0; i < 12; i++) long.assistant("word ".repeat(20_000)).user("yes, go on");
  past(place, 1, long.text(), 30);
  const { stdout } = await binary([...ARGS, "--dry-run"], place);
  assert.match(
    stdout.trimEnd().split("\n").at(-1) ?? "",
    /The label printer prints every label twice/,
  );
});

test("a limit takes the newest and says how many are left", async () => {
  const place = await started();
  const first = await binary([...ARGS, "--limit", "1"], place);
  assert.match(first.stderr, /^2 older sessions left: run it again\n/);
  assert.ok(
    notesOf(place).every((name) => read(`${place.cwd}/.sage/${name}`).includes("00000003-")),
  );
  const rest = await json(ARGS, place);
  assert.deepEqual([(rest.items as unknown[]).length, rest.left], [2, 0]);
  const none = await json([...ARGS, "--since", "1h"], await started());
  assert.deepEqual(none.items, []);
});

test("a run that is killed goes on where it stopped, and makes nothing twice", async () => {
  const place = scratch();
  await binary(["init"], place);
  const names = ["debugging", "designChoice", "blockedByLicence", "refactor", "german"];
  for (let n = 1; n <= 25; n++) {
    past(place, n, session(place, n, names[n % names.length] ?? "debugging"), n + 1);
  }
  let kills = 0;
  for (let ms = 150; ms < 1500; ms += 150) {
    if (await runKilled(ARGS, place, ms)) kills++;
  }
  const last = await binary(ARGS, place);
  assert.equal(last.code, 0, last.stderr);
  assert.ok(kills > 0, "no run was slow enough to be killed");
  const sessions = notesOf(place).map((name) => {
    const id = /\nsession: "?([0-9a-f-]{36})/.exec(read(`${place.cwd}/.sage/${name}`))?.[1];
    return `${name.split("/")[0]} ${id}`;
  });
  assert.deepEqual(sessions.toSorted(), [...new Set(sessions)].toSorted());
  // Sessions that say the same as another one are told once; those that were told have their note.
  assert.equal(sessions.filter((name) => name.startsWith("sessions ")).length, 25);
});

test("two runs at once: one works, the other says who does", async () => {
  const place = scratch();
  await binary(["init"], place);
  for (let n = 1; n <= 12; n++) past(place, n, session(place, n, "debugging"), n + 1);
  const runs = await Promise.all([binary(ARGS, place), binary(ARGS, place), binary(ARGS, place)]);
  for (const { code, stderr } of runs.filter(({ code }) => code !== 0)) {
    assert.equal(code, 1);
    assert.match(
      stderr,
      /Cannot lock "migrate\.lock": held by (?:sage migrate \(pid \d+\)|another process)/,
    );
  }
  assert.ok(runs.some(({ code }) => code === 0));
  const notes = notesOf(place).filter((name) => name.startsWith("sessions/"));
  assert.equal(notes.length, 12);
});

test("private text and secrets of the history reach no note", async () => {
  const place = scratch();
  await binary(["init"], place);
  const said = new TranscriptBuilder({ sessionId: sessionId(7), cwd: place.cwd })
    .user("Why does the importer stall? <private>It is for the Meyer account.</private>")
    .assistant(
      `The importer stalls because it collects every row before it writes the first one; the key ${SECRET.text} was in the log, and 40 % of the time went into sorting. We decided to stream the rows because memory is short on the small machines.`,
    )
    .user("And the sorting?")
    .assistant(
      "The sorting is not needed any more: the rows come in order from the query, which we measured at 12 ms for 10,000 rows.",
    );
  past(place, 7, said.text(), 5);
  const done = await json(ARGS, place);
  assert.deepEqual(done.made, { checkpoints: 1, notes: 1 });
  const all = notesOf(place).map((name) => read(`${place.cwd}/.sage/${name}`)).join("\n");
  assert.ok(all.includes("importer"));
  for (const absent of ["Meyer", SECRET.secret]) {
    assert.ok(!all.includes(absent) && !JSON.stringify(done).includes(absent), absent);
  }
});

test("what was forgotten does not come back", async () => {
  const place = await started();
  await binary([...ARGS, "--limit", "1"], place);
  for (const name of notesOf(place)) {
    const stem = name.replace(/^.*\//, "").replace(/\.md$/, "");
    assert.equal((await binary(["forget", stem, "--yes"], place)).code, 0);
  }
  // Even where the record of what was done is lost.
  await Deno.remove(`${place.home}/.sage/state/migrate`, { recursive: true });
  await binary([...ARGS, "--limit", "1"], place);
  assert.deepEqual(notesOf(place), []);
});

test("files that are no sessions, torn, empty, links or at work are left out without a failure", async () => {
  const place = scratch();
  await binary(["init"], place);
  past(place, 1, "", 5);
  past(place, 2, "not json\n{\n", 5);
  past(
    place,
    3,
    new TranscriptBuilder({ cwd: place.cwd }).user("hi").assistant("Hello.").text(),
    5,
  );
  past(place, 4, session(place, 4, "debugging") + '{"torn', 5);
  past(place, 5, session(place, 5, "designChoice"), 0);
  const folder = `${place.home}/.claude/projects/${place.cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  await Deno.symlink("/etc/passwd", `${folder}/${sessionId(6)}.jsonl`);
  await Deno.mkdir(`${folder}/${sessionId(8)}.jsonl`);
  put(`${folder}/notes.txt`, "x");
  const done = await json(ARGS, place);
  assert.deepEqual(done.made, { checkpoints: 1, notes: 1 });
  const outcomes = (done.items as { session: string; outcome: { kind: string } }[])
    .map((one) => `${one.session.slice(0, 8)} ${one.outcome.kind}`);
  assert.deepEqual(outcomes.toSorted(), ["00000003 nothing", "00000004 made"]);
});

test("sessions of other projects are left alone, and --all gives each to its own", async () => {
  const place = await started();
  const other = `${place.home}/other`;
  const gone = `${place.home}/gone`;
  await Deno.mkdir(other);
  await binary(["init"], { home: place.home, cwd: other });
  past(place, 11, session(place, 11, "refactor", other), 9, other);
  past(place, 12, session(place, 12, "german", gone), 9, gone);
  // A folder that is only called alike is another project.
  const alike = `${place.cwd}-two`;
  past(place, 13, session(place, 13, "refactor", alike), 9, alike);
  const own = await json(ARGS, place);
  assert.equal((own.items as unknown[]).length, 3);
  const all = await json([...ARGS, "--all"], place);
  assert.equal((all.items as unknown[]).length, 3);
  const there = filesIn(`${other}/.sage`).filter((name) => name.startsWith("sessions/"));
  assert.equal(there.length, 1);
  const users = filesIn(`${place.home}/.sage`).filter((name) => name.startsWith("sessions/"));
  assert.equal(users.length, 2, "of folders without a store, or without a folder");
  assert.equal(notesOf(place).filter((name) => name.startsWith("sessions/")).length, 3);
});

test("a store that nobody vouched for is not written to, and an excluded project is not read", async () => {
  const place = scratch();
  const [foreign, closed] = [`${place.home}/foreign`, `${place.home}/closed`];
  await Deno.mkdir(`${foreign}/.sage/checkpoints`, { recursive: true });
  await Deno.mkdir(closed);
  put(`${place.home}/.sage/.sageignore`, "~/closed/\n");
  past(place, 1, session(place, 1, "debugging", foreign), 5, foreign);
  past(place, 2, session(place, 2, "debugging", closed), 5, closed);
  const done = await json([...ARGS, "--all"], place);
  const reasons = (done.items as { outcome: { reason?: string } }[]).map(({ outcome }) =>
    outcome.reason
  );
  assert.deepEqual(reasons.toSorted(), [
    ".sageignore excludes its project",
    "its project's store is not trusted",
  ]);
  assert.ok(!filesIn(place.home).some((name) => /(?:checkpoints|sessions)\/.*\.md$/.test(name)));

  await binary(["trust"], { ...place, cwd: foreign });
  const again = await json([...ARGS, "--all"], place);
  assert.deepEqual(again.made, { checkpoints: 1, notes: 1 }, "what was put off is not lost");
  const left = await json([...ARGS, "--all"], place);
  assert.deepEqual((left.items as { cwd: string }[]).map(({ cwd }) => cwd), [closed]);
});

test("a branched session tells what it shares with another one only once", async () => {
  const place = scratch();
  await binary(["init"], place);
  const origin = new TranscriptBuilder({ sessionId: sessionId(1), cwd: place.cwd });
  origin.user("Why does the importer stall on large files? Please find the cause.").assistant(
    "The importer stalls because it collects every row before it writes the first one. Of 1.2 GB it keeps all in memory, which takes 40 s on the small machine and ends with an error.",
  );
  const fork = origin.fork(sessionId(2));
  fork.user("Does streaming help, or is the sorting in the way?").assistant(
    "Streaming helps: the rows come in order from the query, so that the sorting is not needed, and memory stays at 80 MB. We decided to stream because the small machines have 512 MB only.",
  );
  past(place, 1, origin.text(), 9);
  past(place, 2, fork.text(), 5);
  const done = await json(ARGS, place);
  const outcomes = (done.items as { session: string; outcome: { kind: string; reason?: string } }[])
    .map((one) => `${one.session.slice(0, 8)} ${one.outcome.reason ?? one.outcome.kind}`);
  assert.deepEqual(outcomes, ["00000002 made", "00000001 another session holds all of it"]);
});

test("migrate without a source, with a wrong one, or without a history says so", async () => {
  const place = scratch();
  const bare = await binary(["migrate"], place);
  assert.deepEqual([bare.code, bare.stdout], [2, ""]);
  assert.match(bare.stderr, /sage migrate --from transcripts/);
  assert.equal((await binary(["migrate", "--from", "elsewhere"], place)).code, 2);
  assert.equal((await binary([...ARGS, "--since", "long"], place)).code, 2);
  const none = await binary(ARGS, place);
  assert.deepEqual([none.code, none.stdout], [
    0,
    "No editor has a past session here. For every project: --all\n",
  ]);
});

test("the history of Codex and of opencode becomes notes as well, each naming its agent", async () => {
  const place = scratch();
  await binary(["init"], place);
  const [asked, answered] = [
    "Make the importer stream its rows, please.",
    "It streams now. We decided to stream the rows rather than to cache them, because the cache " +
    "would need 3 GB. Next step: measure the importer on staging.",
  ];
  const id = "0197a3c5-c480-7ee3-b7f0-ada5183fade0";
  const said = (role: string, text: string) => ({
    timestamp: "2026-03-04T11:20:00.000Z",
    type: "response_item",
    payload: { type: "message", role, content: [{ type: "text", text }] },
  });
  const codexHome = `${place.home}/elsewhere`;
  const rollout = `${codexHome}/sessions/2026/03/04/rollout-2026-03-04T11-20-00-${id}.jsonl`;
  const meta = { type: "session_meta", payload: { id, cwd: place.cwd } };
  const records = [meta, said("user", asked), said("assistant", answered)];
  put(rollout, records.map((record) => JSON.stringify(record) + "\n").join(""));
  age(rollout, 50 * HOUR);

  const path = `${place.home}/.local/share/opencode/opencode.db`;
  put(path, "");
  const rows = new DatabaseSync(path);
  rows.exec(
    "create table session(id text, parent_id text, directory text, time_updated integer);" +
      "create table message(id text, session_id text, time_created integer, data text);" +
      "create table part(id text, message_id text, session_id text, data text);",
  );
  const created = Date.UTC(2026, 2, 5);
  rows.prepare("insert into session values (?, ?, ?, ?)")
    .run("ses_00000001", null, place.cwd, created);
  for (const [role, text] of [["user", asked], ["assistant", answered]] as const) {
    const data = JSON.stringify({ role, time: { created } });
    rows.prepare("insert into message values (?, ?, ?, ?)").run(
      role,
      "ses_00000001",
      created,
      data,
    );
    rows.prepare("insert into part values (?, ?, ?, ?)")
      .run(`p-${role}`, role, "ses_00000001", JSON.stringify({ type: "text", text }));
  }
  rows.close();

  const there = { ...place, env: { CODEX_HOME: codexHome } };
  const run = await binary(ARGS, there);
  assert.match(run.stdout, /session notes of 2 past sessions/, run.stderr);
  const agents = notesOf(place).filter((name) => name.startsWith("sessions/"))
    .map((name) => /^agent: (.*)$/m.exec(read(`${place.cwd}/.sage/${name}`))?.[1]).sort();
  assert.deepEqual(agents, ["codex", "opencode"]);
  assert.match((await binary(ARGS, there)).stdout, /all 2 sessions are known/);
});
