/** `sage session`: notes of sessions, their checkpoints, and the meter of what a compaction lost. */
import assert from "node:assert/strict";
import { binary, hasBinary, scratch } from "../support/sage.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { put } from "../support/world.ts";

const SESSION = "abcdef01-1111-4000-8000-000000000001";

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name, ignore: !hasBinary, fn: body });
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

test("list has a line for each, latest first, and says which are open", async () => {
  const place = scratch();
  await binary(["init"], place);
  const ended = "ended: 2026-01-12T10:00:00Z\nend_reason: clear\n";
  note(place, "first", "1111", "2026-01-12T10:00:00Z", ended);
  note(place, "second", "2222", "2026-01-13T10:00:00Z");
  const { stdout } = await binary(["session"], place);
  const [heading, ...rows] = stdout.trimEnd().split("\n");
  assert.match(heading ?? "", /^id +date +end +title$/);
  assert.match(rows[0] ?? "", /open +About second$/);
  assert.match(rows[1] ?? "", /clear +About first$/);
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
    last_assistant_message: "The importer was looked at.",
  });
  for (const ref of ["importer", SESSION, SESSION.slice(0, 8)]) {
    const { stdout, code } = await binary(["session", "show", ref], place);
    assert.equal(code, 0, ref);
    assert.match(stdout, /^About importer\n[0-9a-f]{8} · not ended\n\n## Summary\n/);
    assert.match(stdout, /\nCheckpoints\n {2}[0-9a-f]{8} "The importer holds all rows/);
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
  assert.equal((await binary(["session", "show"], place)).code, 2);
});
