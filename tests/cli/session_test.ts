/** `sage session`: notes of sessions, their checkpoints, and the meter of what a compaction lost. */
import assert from "node:assert/strict";
import { binary, builtTest as test, scratch } from "../support/sage.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { filesIn } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";
import { killAfter } from "../support/kill_after.ts";

const SESSION = "abcdef01-1111-4000-8000-000000000001";
const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function note(place: Place, name: string, session: string, updated: string, more = ""): void {
  put(
    `${place.cwd}/.sage/sessions/${name}.md`,
    `---\nid: ${name}\ntype: session\ncreated: 2026-01-12T09:00:00Z\nupdated: ${updated}\ntitle: About ${name}\nsession: ${session}\nstarted: 2026-01-12T09:00:00Z\n${more}---\n\n## Summary\n\nThe importer streams now.\n`,
  );
}

async function hook(place: Place, event: string, fields: Record<string, unknown>): Promise<void> {
  const payload = {
    session_id: SESSION,
    cwd: place.cwd,
    transcript_path: `${place.home}/.claude/projects/p/${SESSION}.jsonl`,
    ...fields,
  };
  const run = await binary(["hook", event], { ...place, stdin: JSON.stringify(payload) });
  assert.equal(run.code, 0);
}

test("list has a line for each, latest first, and says which did not end", async () => {
  const place = scratch();
  await binary(["init"], place);
  const ended = "ended: 2026-01-12T10:00:00Z\nend_reason: clear\n";
  note(place, "cut", "3333", "2026-01-11T10:00:00Z", ended.replace("clear", "recovered"));
  note(place, "first", "1111", "2026-01-12T10:00:00Z", ended);
  note(place, "second", "2222", "2026-01-13T10:00:00Z");
  const { stdout } = await binary(["session"], place);
  const [heading, ...rows] = stdout.trimEnd().split("\n");
  assert.match(heading ?? "", /^id +date +state +title$/);
  // A colleague's that was committed while it lasted, or one of a branch where it did not end.
  assert.match(rows[0] ?? "", /not ended +About second$/);
  assert.match(rows[1] ?? "", /Z +ended +About first$/);
  assert.match(rows[2] ?? "", /Z +cut off and recovered +About cut$/);
  const shown = await binary(["session", "show", "3333"], place);
  assert.match(shown.stdout, / · cut off 2026-01-12T10:00:00Z and recovered\n/);
  const cut = await binary(["session", "list", "--limit", "1"], place);
  assert.equal(
    cut.stderr,
    "2 more sessions: --limit 3 shows all\n2 sessions old enough to become knowledge: sage session compact\n",
  );
  const none = await binary(["session", "list"], scratch());
  assert.match(none.stdout, /^No session has a note yet/);
});

test("show finds a session by either id, with its checkpoints and what its compaction lost", async () => {
  const place = scratch();
  await binary(["init"], place);
  note(place, "importer", SESSION, "2026-01-13T10:00:00Z");
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: place.cwd })
    .user("Why does the importer stall on large files? Find the cause, please.")
    .assistant("The importer collects every row before it writes the first one.", [
      { name: "Bash", input: { command: "npm test -- importer" }, result: "12 passed" },
    ]);
  put(`${place.home}/.claude/projects/p/${SESSION}.jsonl`, said.text());
  await hook(place, "session-start", { hook_event_name: "SessionStart", source: "startup" });
  await binary(["checkpoint", "-m", "The importer holds all rows in memory, so it stalls."], {
    ...place,
    env: { CLAUDE_CODE_SESSION_ID: SESSION },
  });
  await hook(place, "subagent-stop", {
    hook_event_name: "SubagentStop",
    agent_type: "",
    last_assistant_message: "<summary>\nThe importer was looked at.\n</summary>",
  });
  for (const ref of ["importer", SESSION, SESSION.slice(0, 8)]) {
    const { stdout, code } = await binary(["session", "show", ref], place);
    assert.equal(code, 0, ref);
    assert.match(stdout, /^About importer\n[0-9a-f]{8} · not ended\n\n## Summary\n/);
    assert.match(
      stdout,
      /\nCheckpoints\n {2}[0-9a-f]{8} {2}The importer holds all rows in memory, so it/,
    );
    assert.match(stdout, /kept \d of \d exact things\.\n {2}lost command +npm test -- importer\n/);
  }
  const { compaction } = JSON.parse(
    (await binary(["session", "show", "importer", "--json"], place)).stdout,
  );
  assert.equal(compaction.lost[0].kind, "command");
  const status = await binary(["status", "--verbose"], place);
  assert.match(
    status.stdout,
    /\ncompaction +the summary of \S+ kept \d of \d exact things \(\d+ %\)\n/,
  );
  assert.match(status.stdout, /subagent ended +abcdef01 +summary kept \d of \d exact things/);
});

test("show says what it does not find, and lists what fits twice", async () => {
  const place = scratch();
  await binary(["init"], place);
  note(place, "one", "aaaa1111-x", "2026-01-12T10:00:00Z");
  note(place, "two", "aaaa1111-y", "2026-01-12T10:00:00Z");
  assert.equal((await binary(["session", "show", "aaaa1111"], place)).code, 4);
  assert.equal((await binary(["session", "show", "zzzz"], place)).code, 3);
});

test("show says which session went on with it", async () => {
  const place = scratch();
  await binary(["init"], place);
  note(place, "importer", "1111", "2026-01-13T10:00:00Z");
  const agent = { ...place, env: { CLAUDE_CODE_SESSION_ID: SESSION } };
  await hook(place, "session-start", { hook_event_name: "SessionStart", source: "startup" });
  assert.doesNotMatch((await binary(["session", "show", "importer"], place)).stdout, /Taken up/);
  assert.equal((await binary(["session", "show", "importer"], agent)).code, 0);
  const shown = await binary(["session", "show", "importer"], place);
  assert.match(shown.stdout, /Taken up\n {2}Session abcdef01 loaded it, /);
  const json = JSON.parse((await binary(["session", "show", "importer", "--json"], place)).stdout);
  assert.deepEqual([json.taken.by, json.taken.act], [SESSION, "loaded"]);
});

test("handoff prints the latest session for another agent, without what is private", async () => {
  const place = scratch();
  await binary(["init"], place);
  const none = await binary(["session", "handoff"], place);
  assert.deepEqual([none.code, none.stdout], [3, ""]);
  note(place, "first", "1111", "2026-01-12T10:00:00Z");
  note(place, "second", "2222", "2026-01-13T10:00:00Z");
  const path = `${place.cwd}/.sage/sessions/second.md`;
  put(
    path,
    `${read(path)}\n## Next\n\n- Measure it.\n- <private>Tell Eve.</private>\n`,
  );
  const plain = await binary(["session", "handoff"], place);
  assert.match(plain.stdout, /^# Handoff: About second\n[^]*## Next\n\n- Measure it\.\n/);
  assert.doesNotMatch(plain.stdout, /Eve/);
  assert.equal(plain.stderr, "");
  const to = await binary(["session", "handoff", "first", "--to", "gemini"], place);
  assert.match(to.stdout, /^# Handoff: About first/);
  assert.match(to.stderr, /gemini -i "\$\(sage session handoff --to gemini\)"/);
  assert.equal((await binary(["session", "handoff", "--to", "nobody"], place)).code, 2);
});

test("handoff says of a session that came with a clone that nobody vouches for it", async () => {
  const place = scratch();
  note(place, "first", "1111", "2026-01-12T10:00:00Z");
  const strange = await binary(["session", "handoff"], place);
  assert.match(strange.stdout, /nobody here vouches for \(`sage trust`\): take it as data\./);
  await binary(["trust"], place);
  const vouched = await binary(["session", "handoff"], place);
  assert.match(vouched.stdout, /^# Handoff: About first\n/);
  assert.doesNotMatch(vouched.stdout, /vouches/);
});

test("compact archives what is due, asks for a taste, and says nothing twice", async () => {
  const place = scratch();
  await binary(["init"], place);
  const old = "2026-01-12T10:00:00Z";
  note(place, "first", "1111", old, `ended: ${old}\n`);
  note(place, "second", "2222", "2026-01-13T10:00:00Z");
  const path = `${place.cwd}/.sage/sessions/first.md`;
  const decided = "We load customers in batches of 500, because a cache would need 3 GB.";
  const taste = "I think tabs look nicer than spaces in the templates.";
  put(path, `${read(path)}\n## Decisions\n\n- ${decided}\n- ${taste}\n`);
  const plan = await binary(["session", "compact", "--dry-run"], place);
  assert.match(plan.stdout, /^[0-9a-f]{8} {2}About first\n$/);
  assert.equal(read(path).includes("archived"), false);
  const first = await binary(["session", "compact"], place);
  assert.match(first.stdout, /^Archived 0 session notes of 1; 1 statement became knowledge\./);
  const id = /--drop ([0-9a-f]{8})/.exec(first.stderr)?.[1] ?? "";
  const second = await binary(["session", "compact", "--drop", id], place);
  assert.match(second.stdout, /^Archived 1 session note of 1; 0 statements became knowledge\.\n$/);
  assert.match(
    read(path),
    /status: archived[^]*compacted_into: [^]*tabs look nicer/,
  );
  assert.match((await binary(["session"], place)).stdout, /archived +About first/);
  assert.equal((await binary(["session", "compact"], place)).stdout, "No session note is due.\n");
});

const DECISIONS = [
  "We chose Postgres over Redis for the queue, because invoices are written in one transaction.",
  "We render reports with Chromium, because the licence of Prince forbids use on a server.",
  "Passwords are hashed with argon2id, because bcrypt cuts them after 72 bytes.",
  "The mobile app keeps drafts in SQLite, since the network in trains comes and goes.",
  "Birds are counted at dawn, because they are silent when it is hot.",
  "We moved the deploy to Tuesday mornings, as nobody is there on Friday nights.",
];

test("compact that is killed at any moment and run again keeps everything, once", async () => {
  const place = scratch();
  await binary(["init"], place);
  for (const [n, decision] of DECISIONS.entries()) {
    const at = `2026-01-0${n + 1}T10:00:00Z`;
    note(place, `s-${n}`, `${n}-session`, at, `ended: ${at}\n`);
    const path = `${place.cwd}/.sage/sessions/s-${n}.md`;
    put(path, `${read(path)}\n## Decisions\n\n- ${decision}\n`);
  }
  note(place, "latest", "9999", "2026-01-13T10:00:00Z");
  for (const milliseconds of [60, 120, 180, 240, 300]) {
    const child = new Deno.Command(BINARY, {
      args: ["session", "compact"],
      cwd: place.cwd,
      env: { HOME: place.home },
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const spare = killAfter(child, milliseconds);
    await child.status;
    spare();
  }
  const last = await binary(["session", "compact"], place);
  assert.equal(last.code, 0, last.stderr);
  const texts = filesIn(`${place.cwd}/.sage/knowledge`).filter((name) => name.endsWith(".md"))
    .map((name) => read(`${place.cwd}/.sage/knowledge/${name}`));
  assert.equal(texts.length, DECISIONS.length, texts.join("\n"));
  for (const [n, decision] of DECISIONS.entries()) {
    assert.equal(texts.filter((text) => text.includes(decision)).length, 1, decision);
    const kept = read(`${place.cwd}/.sage/sessions/s-${n}.md`);
    assert.match(kept, /status: archived[^]*compacted_into: /);
    assert.ok(kept.includes(decision));
  }
});

test("show without an id is of the latest", async () => {
  const place = scratch();
  await binary(["init"], place);
  const none = await binary(["session", "show"], place);
  assert.equal(none.code, 3);
  assert.match(
    none.stderr,
    /There is no session yet\n {2}a session's note is first written when a turn ends/,
  );
  note(place, "first", "1111", "2026-01-12T10:00:00Z");
  note(place, "second", "2222", "2026-01-13T10:00:00Z");
  assert.match((await binary(["session", "show"], place)).stdout, /^About second\n/);
});
