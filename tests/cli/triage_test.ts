/** Questions put to a person: what sessions left open, and what a compaction may keep. */
import assert from "node:assert/strict";
import { sage, scratch } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";

type Place = ReturnType<typeof scratch>;

async function withNotes(parts: Readonly<Record<string, string>>, at: string): Promise<Place> {
  const place = scratch();
  await sage(["init"], place);
  for (const [name, body] of Object.entries(parts)) {
    put(
      `${place.cwd}/.sage/sessions/${name}.md`,
      `---\nid: ${name}\ntype: session\ntitle: About ${name}\nsession: ${name}-session\ncreated: ${at}\n` +
        `updated: ${at}\nstarted: ${at}\nended: ${at}\n---\n\n${body}\n`,
    );
  }
  return place;
}

function today(): string {
  return new Date(Date.now() - 3_600_000).toISOString().slice(0, 19) + "Z";
}

Deno.test("triage asks for each question: a todo, never again, or later", async () => {
  const body =
    "## Open Questions\n\n- Does it hold on Windows?\n- Is 40 MB enough?\n- Who tells them?";
  const place = await withNotes({ importer: body }, today());
  const asked = await sage(["todo", "triage"], { ...place, terminal: true, stdin: "1\n2\n\n" });
  assert.equal(asked.code, 0, asked.stderr);
  assert.match(asked.stderr, /1 of 3[^]*Does it hold on Windows\?[^]*make it a todo/);
  assert.match(asked.stdout, /Saved todo [0-9a-f]{8}: Does it hold on Windows\?/);
  assert.match(asked.stdout, /Dropped 1 question\.\n1 question left open\./);
  const left = await sage(["todo", "triage"], place);
  assert.match(left.stdout, /^[0-9a-f]{8} {2}Who tells them\?\n/);
  assert.match((await sage(["todo"], place)).stdout, /Does it hold on Windows\?/);
});

Deno.test("triage asks what a checkpoint left open that was saved outside of a session", async () => {
  const place = await withNotes({}, today());
  const open = ["--open", "Is the rate limit per key?"];
  const thesis = "The gateway refuses the eleventh request of a second, whoever sends it.";
  const saved = await sage(["checkpoint", "save", "-m", thesis, ...open], place);
  assert.equal(saved.code, 0, saved.stderr);
  // For what was saved in a session its note speaks.
  const env = { CLAUDE_CODE_SESSION_ID: "11111111-0000-4000-8000-000000000001", CLAUDECODE: "1" };
  const other = "The importer stalls because it collects every row before it writes one.";
  const within = ["checkpoint", "save", "-m", other, "--open", "Does it hold on Windows?"];
  assert.equal((await sage(within, { ...place, env })).code, 0);
  const { stdout } = await sage(["todo", "triage"], place);
  assert.match(stdout, /^[0-9a-f]{8} {2}Is the rate limit per key\?\n +.* in "The gateway refuses/);
  assert.doesNotMatch(stdout, /Windows/);
  const [id = ""] = stdout.split(" ");
  assert.equal((await sage(["todo", "triage", "--accept", id], place)).code, 0);
  assert.match((await sage(["todo", "triage"], place)).stdout, /No session left a question open/);
});

Deno.test("triage that is left half-way keeps what was decided", async () => {
  const body = "## Open Questions\n\n- Does it hold on Windows?\n- Is 40 MB enough?";
  const place = await withNotes({ importer: body }, today());
  const asked = await sage(["todo", "triage"], { ...place, terminal: true, stdin: "1\n" });
  assert.equal(asked.code, 130, asked.stderr);
  assert.equal(filesIn(`${place.cwd}/.sage/todos`).length, 1);
  assert.doesNotMatch((await sage(["todo", "triage"], place)).stdout, /Windows/);
});

Deno.test("triage says what it does not know, and nothing is done then", async () => {
  const place = await withNotes({ importer: "## Open Questions\n\n- Is 40 MB enough?" }, today());
  const wrong = await sage(["todo", "triage", "--accept", "00000000"], place);
  assert.deepEqual([wrong.code, wrong.stdout], [3, ""]);
  assert.match(wrong.stderr, /No open question is called "00000000"/);
});

Deno.test("triage makes no todo of what is let go as well", async () => {
  const place = await withNotes({ importer: "## Open Questions\n\n- Is 40 MB enough?" }, today());
  const [id = ""] = (await sage(["todo", "triage"], place)).stdout.split(" ");
  const both = await sage(["todo", "triage", "--accept", id, "--drop", id], place);
  assert.deepEqual([both.code, both.stdout], [2, ""], both.stderr);
  assert.match(both.stderr, /Question [0-9a-f]{8} cannot be a todo and let go/);
  assert.equal((await sage(["todo", "triage"], place)).stdout.split(" ")[0], id);
});

Deno.test("compact asks a person for a matter of taste, and keeps it when they say so", async () => {
  const taste = "I think tabs look nicer than spaces in the templates.";
  const place = await withNotes({
    first: `## Summary\n\nx\n\n## Decisions\n\n- ${taste}`,
    second: "## Summary\n\ny",
  }, "2026-01-02T10:00:00Z");
  const later = await sage(["session", "compact"], { ...place, terminal: true, stdin: "3\n" });
  assert.match(later.stderr, /an opinion or a guess/);
  assert.match(later.stdout, /^Archived 0 session notes of 1/);
  const kept = await sage(["session", "compact"], { ...place, terminal: true, stdin: "1\n" });
  assert.match(kept.stdout, /^Archived 1 session note of 1; 1 statement became knowledge\./);
  const [name = ""] = filesIn(`${place.cwd}/.sage/knowledge`).filter((path) =>
    path.endsWith(".md")
  );
  assert.match(read(`${place.cwd}/.sage/knowledge/${name}`), /tabs look nicer/);
});
