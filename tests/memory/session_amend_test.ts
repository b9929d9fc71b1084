/** What an agent says of its session stays in the note, and gives way to a person. */
import assert from "node:assert/strict";
import { forget } from "../../src/memory/removal/forget.ts";
import { amendSessionNote } from "../../src/memory/session/amend.ts";
import type { Amendment } from "../../src/memory/session/state/session_state.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import {
  AGENT,
  begin,
  conversation,
  knowledge,
  OTHER,
  placesOf,
  put,
  read,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

async function amend(on: World, amendment: Amendment): Promise<string> {
  return (await amendSessionNote(on.memory, SESSION, amendment, AGENT)).kind;
}

function note(on: World): string {
  return read(readSession(on.memory, SESSION)?.note?.path ?? "");
}

function section(text: string, heading: string): string[] {
  const [, body = ""] = text.split(`## ${heading}\n`);
  return (body.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("- "));
}

Deno.test("amendSessionNote() makes a note if there is none, even without a transcript", async () => {
  using on = await world();
  begin(on.memory, on);
  assert.equal(
    await amend(on, { summary: "The importer streams.", next: ["Measure it."] }),
    "written",
  );
  assert.match(note(on), /## Summary\n\nThe importer streams\./);
  assert.deepEqual(section(note(on), "Next"), ["- Measure it."]);
});

Deno.test("amendSessionNote() keeps what the agent says of its session though nothing sums that up", async () => {
  for (
    const [heading, amendment] of [
      ["Next", { next: ["Measure the importer."] }],
      ["Decisions", { decisions: ["Batches of 500."] }],
      ["Open Questions", { openQuestions: ["Does it hold on Windows?"] }],
    ] as const
  ) {
    using on = await world();
    begin(on.memory, on);
    assert.equal(await amend(on, amendment), "written", heading);
    assert.deepEqual(
      section(note(on), heading),
      Object.values(amendment).map(([one]) => `- ${one}`),
    );
    // Where nobody asked for anything, it is called by what was said.
    assert.ok(note(on).includes(`title: ${Object.values(amendment)[0]?.[0]}`), note(on));
  }
});

Deno.test("amendSessionNote() makes no note of nothing but changed files", async () => {
  using on = await world();
  begin(on.memory, on);
  assert.equal(await amend(on, { summary: "", done: ["Changed: src/a.ts"] }), "nothing");
});

Deno.test("text that the agent wrote stays when the session's note is renewed from the transcript", async () => {
  using on = await world();
  const said = conversation("It stalls.");
  const transcriptPath = transcriptFile(on, said);
  begin(on.memory, on, { transcriptPath });
  assert.equal(
    await amend(on, { next: ["Ask the night shift."], decisions: ["Batches of 500."] }),
    "written",
  );
  assert.deepEqual(section(note(on), "Next"), ["- Ask the night shift."]);
  assert.equal(section(note(on), "Decisions").at(-1), "- Batches of 500.");
  assert.match(note(on), /We decided to stream/, "what the transcript says is there as well");
  // What is said later is newer than what was written.
  on.later(60_000);
  const state = readSession(on.memory, SESSION);
  updateSession(on.memory, SESSION, (now) => ({
    ...now,
    ...(state?.amended === undefined ? {} : { amended: { ...state.amended, at: 0 } }),
  }));
  const transcript = await readTurns(on.memory, transcriptPath, { whole: true });
  assert.ok(transcript !== undefined);
  await writeSessionNote(on.memory, SESSION, transcript);
  assert.equal(section(note(on), "Next").at(-1), "- Ask the night shift.");
  assert.ok(section(note(on), "Next").length > 1, "the later step joins it");
});

Deno.test("amendSessionNote() replaces a part and leaves the others", async () => {
  using on = await world();
  begin(on.memory, on);
  await amend(on, { summary: "First.", next: ["One."] });
  assert.equal(await amend(on, { next: [] }), "written");
  assert.match(note(on), /First\./);
  assert.doesNotMatch(note(on), /## Next/);
  assert.equal(await amend(on, { next: [] }), "unchanged");
});

Deno.test("amendSessionNote() does not change a note that a person edited", async () => {
  using on = await world();
  begin(on.memory, on);
  await amend(on, { summary: "Mine." });
  const path = readSession(on.memory, SESSION)?.note?.path ?? "";
  put(path, `${read(path)}\nA person's line.\n`);
  assert.equal(await amend(on, { summary: "Mine again." }), "kept");
  assert.match(read(path), /A person's line\./);
});

Deno.test("amendSessionNote() refuses a secret and stores nothing of it", async () => {
  using on = await world();
  begin(on.memory, on);
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7H8`;
  assert.equal(await amend(on, { next: [`Use ${secret}`] }), "refused");
  assert.deepEqual(placesOf(on, secret), []);
});

Deno.test("forget() removes its sentences from agents' amendments, and leaves the rest of them", async () => {
  using on = await world();
  begin(on.memory, on);
  begin(on.memory, on, { sessionId: OTHER });
  const other = { at: 1, summary: "The importer streams.", next: ["Measure it."] };
  updateSession(on.memory, OTHER, (state) => ({ ...state, amended: other }));
  const sentence = "The vault of the blue office opens at seven.";
  await knowledge(on.memory, "Vault", sentence);
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    amended: { at: 1, summary: sentence, done: [sentence, "Something else was done here."] },
  }));
  await forget(on.memory, "vault");
  assert.equal(readSession(on.memory, SESSION)?.amended?.summary, undefined);
  assert.deepEqual(readSession(on.memory, SESSION)?.amended?.done, [
    "Something else was done here.",
  ]);
  assert.deepEqual(readSession(on.memory, OTHER)?.amended, other);
  assert.deepEqual(placesOf(on, "blue office"), []);
});
