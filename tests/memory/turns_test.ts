/** What of a conversation may be kept: no private text, and nothing that Sage itself gave back. */
import assert from "node:assert/strict";
import { fence } from "../../src/base/text/printable.ts";
import type { Transcript, Turn } from "../../src/editor/editor.ts";
import { TurnList } from "../../src/editor/turn_list.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import type { SessionState } from "../../src/memory/session/state/session_state.ts";
import { readSession } from "../../src/memory/session/state/state.ts";
import { touch } from "../../src/memory/session/touch.ts";
import { newTurns, readTurns } from "../../src/memory/session/turns.ts";
import { saveExtractive } from "../../src/memory/checkpoint/extractive.ts";
import { redactTurns } from "../../src/memory/write/redact_turns.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  begin,
  hookInput,
  NOW,
  placesOf,
  put,
  read,
  SESSION,
  transcriptFile,
  world,
} from "../support/world.ts";

const FENCED = fence([{
  id: "oak",
  title: "Oak",
  date: "2026-01-01",
  author: "person",
  trust: "own",
  flags: [],
  body: "We decided on oak over pine because pine warps within 3 years.",
}], "0a1b2c3d4e5f");

Deno.test("an extractive checkpoint quotes nothing that was recalled", async () => {
  using on = await world();
  begin(on.memory, on);
  const said = new TranscriptBuilder({ sessionId: SESSION })
    .user(`${FENCED}\n\nWhich wood did we take for the bench, and why does the other one fail?`)
    .assistant("", [{
      name: "Bash",
      input: { command: "sage knowledge test" },
      result: `${FENCED}\n1 failed: Error: pine warps within 3 years`,
      isError: true,
    }])
    .assistant(
      `It says:\n\n${FENCED}\n\nThe bench is made of the wood that the notes name. The root cause of the failure is moisture: 14 % is too much for a board of 20 mm, and the store room has 16 % since March.`,
    );
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript);
  assert.ok(!JSON.stringify(transcript.turns).includes("oak over pine"));
  const cause = { session: SESSION, trigger: "synthesis", confidence: 0.9, always: true } as const;
  const outcome = await saveExtractive(on.memory, transcript, cause);
  assert.equal(outcome.kind, "saved");
  const saved = outcome.kind === "saved" ? await Deno.readTextFile(outcome.path) : "";
  assert.match(saved, /moisture/);
  assert.ok(!saved.includes("oak over pine") && !saved.includes("recalled 0a1b"), saved);
});

Deno.test("nothing private of what tools were given or printed is part of the conversation", async () => {
  using on = await world();
  begin(on.memory, on);
  const said = new TranscriptBuilder({ sessionId: SESSION })
    .user("Why does the importer stall?")
    .assistant("I will look.", [{
      name: "Bash",
      input: { command: "grep '<private>zanzibar</private>' log", description: "Search the log" },
      result: "3 lines: <private>\nzanzibar\n</private> at night",
    }]);
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.match(JSON.stringify(transcript?.turns), /grep.*3 lines.*at night/);
  assert.doesNotMatch(JSON.stringify(transcript?.turns), /zanzibar/);
});

Deno.test("what a model thought within its reply is no part of the conversation", async () => {
  using on = await world();
  begin(on.memory, on);
  const said = new TranscriptBuilder({ sessionId: SESSION })
    .user("What do the tags <think> and </think> mean in the log?")
    .assistant("<think>\nThey ask about tags.\n</think>\n\nThe model thinks between them.");
  const last = "Maybe Redis? No.</think>\n\nWe take SQLite, since it is one file.";
  const transcript = await readTurns(on.memory, transcriptFile(on, said), { lastMessage: last });
  assert.deepEqual(transcript?.turns.map(({ text }) => text), [
    "What do the tags <think> and </think> mean in the log?",
    "The model thinks between them.",
    "We take SQLite, since it is one file.",
  ]);
});

Deno.test("text about excluded paths is in no note, checkpoint or session state", async () => {
  using on = await world({ hook: true });
  begin(on.memory, on);
  put(`${on.cwd}/.sageignore`, "clients/\n*.key\n");
  const edit = (path: string) => ({
    name: "Edit",
    input: { file_path: path, old_string: "a", new_string: "b" },
    result: "ok",
  });
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd })
    .user(
      "Why does the importer stall on large files? And what of zanzibar in clients/acme/offer.md?",
    )
    .assistant("I look.", [
      edit(`${on.cwd}/clients/acme/offer.md`),
      edit(`${on.cwd}/src/importer.ts`),
      {
        name: "Bash",
        input: { command: "wc -l src/importer.ts && cat ./clients/acme/zanzibar.md" },
        result: "12",
      },
      {
        name: "Bash",
        input: { command: "npm test" },
        result: "deploy.key: zanzibar\n1 failed: Error: timeout of 30 s in row 12",
        isError: true,
      },
    ])
    .assistant(
      "The offer in `clients/acme/offer.md:12` says zanzibar for 48,000. The importer stalls because " +
        "every row opens a connection of its own. We decided to import in batches of 100 rows because " +
        "that needs one connection a batch.\n\n- zanzibar stands in clients/\n- ~/project holds no.key",
    )
    .title("The offer in clients/zanzibar.md");
  const path = transcriptFile(on, said);
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript);
  await touch(on.memory, hookInput(on, { transcriptPath: path }), transcript);
  const cause = { session: SESSION, trigger: "synthesis", confidence: 0.9, always: true } as const;
  assert.equal((await saveExtractive(on.memory, transcript, cause)).kind, "saved");
  assert.equal((await writeSessionNote(on.memory, SESSION, transcript)).kind, "written");
  const [checkpointPath = ""] = placesOf(on, "batches of 100 rows");
  assert.notEqual(checkpointPath, "");
  for (const hidden of ["zanzibar", "48,000", "acme", "offer"]) {
    assert.deepEqual(placesOf(on, hidden).filter((found) => found !== path), [], hidden);
  }
  assert.match(read(readSession(on.memory, SESSION)?.note?.path ?? ""), /src\/importer\.ts/);
});

Deno.test("an excluded path is recognised by a link to the project, as /tmp is one on macOS", async () => {
  using on = await world();
  put(`${on.cwd}/.sageignore`, "clients/\n");
  const link = `${on.home}/work`;
  await Deno.symlink(on.cwd, link);
  const said = new TranscriptBuilder({ sessionId: SESSION })
    .user(`The list is in ${link}/clients/zanzibar.md. Sort it.`)
    .assistant("", [
      { name: "Read", input: { file_path: `${link}/clients/zanzibar.md` }, result: "one" },
      { name: "Read", input: { file_path: `${link}/src/sort.ts` }, result: "two" },
    ]);
  const { turns = [] } = await readTurns(on.memory, transcriptFile(on, said)) ?? {};
  assert.ok(!JSON.stringify(turns).includes("zanzibar"), JSON.stringify(turns));
  assert.equal(turns[0]?.text, "Sort it.");
  assert.deepEqual(turns.flatMap(({ tools }) => tools).map(({ result }) => result), ["two"]);
});

Deno.test("an excluded path is recognised in both forms of Unicode", async () => {
  using on = await world();
  const names = ["Müller", "हिन्दी"];
  put(`${on.cwd}/.sageignore`, names.map((name) => `${name}/\n`).join(""));
  const printed = names.flatMap((name) => [name, name.normalize("NFD")])
    .map((name) => `${name}/zanzibar.md`);
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd }).user("Please look.")
    .assistant("I look.", [
      { name: "Bash", input: { command: "ls" }, result: [...printed, "src/a.ts"].join("\n") },
    ]);
  const turns = (await readTurns(on.memory, transcriptFile(on, said)))?.turns ?? [];
  assert.deepEqual(turns.flatMap(({ tools }) => tools).map(({ result }) => result), ["src/a.ts"]);
});

Deno.test("a conversation that names no excluded path is read unchanged", async () => {
  using on = await world();
  const text = "A line  with spaces.\n\n```\na/b\n```\nand e.g. 1.5 or and/or `src/a.ts` stay.";
  const builder = new TranscriptBuilder({ sessionId: SESSION }).user(text).assistant(text);
  const path = transcriptFile(on, builder);
  const before = await readTurns(on.memory, path);
  put(`${on.cwd}/.sageignore`, "clients/\n*.key\n");
  assert.deepEqual(await readTurns(on.memory, path), before);
});

Deno.test("notes in a project's store name only files of the project; those in the person's store name all", async () => {
  for (const project of ["own", "none"] as const) {
    using on = await world({ hook: true, project });
    begin(on.memory, on);
    await Deno.symlink(on.cwd, `${on.home}/link`);
    put(`${on.cwd}/src/linked.ts`, "");
    const edits = [
      `${on.home}/zanzibar/diary.md`,
      `${on.cwd}/../home/zanzibar/config`,
      `${on.home}/link/src/linked.ts`,
      `${on.cwd}/src/importer.ts`,
    ].map((path) => ({ name: "Write", input: { file_path: path, content: "x" }, result: "ok" }));
    const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd })
      .user("Why does the importer stall on large files, and what should we do about it?")
      .assistant("I write it down.", edits)
      .assistant(
        "The importer stalls because every row opens a connection of its own. We decided to import in " +
          "batches of 100 rows because that needs one connection a batch.",
      );
    const path = transcriptFile(on, said);
    const transcript = await readTurns(on.memory, path);
    assert.ok(transcript);
    const cause = {
      session: SESSION,
      trigger: "synthesis",
      confidence: 0.9,
      always: true,
    } as const;
    assert.equal((await saveExtractive(on.memory, transcript, cause)).kind, "saved");
    assert.equal((await writeSessionNote(on.memory, SESSION, transcript)).kind, "written");
    await Deno.remove(`${on.home}/link`);
    const note = read(readSession(on.memory, SESSION)?.note?.path ?? "");
    assert.match(note, /src\/importer\.ts/);
    const naming = placesOf(on, "zanzibar/").filter((found) => found.endsWith(".md"));
    if (project === "none") assert.ok(naming.length > 0);
    else {
      assert.deepEqual(naming, []);
      assert.match(note, /files_touched: \[src\/linked\.ts, src\/importer\.ts\]\n/);
    }
  }
});

Deno.test("readTurns() reads what was said before a save even if tools printed much since", async () => {
  using on = await world({ hook: true });
  const said = new TranscriptBuilder({ sessionId: SESSION });
  for (let n = 0; n < 12; n++) {
    said.user(`Question ${n} about the irrigation of the orchard`)
      .assistant("", [{ name: "Bash", input: { command: "show" }, result: "x".repeat(30_000) }])
      .assistant(`Answer ${n}: the valve opens at six.`);
  }
  const path = transcriptFile(on, said);
  const offset = (await Deno.stat(path)).size;
  const since = { at: Date.now(), turn: "", hash: "", id: "x", offset };
  const transcript = await readTurns(on.memory, path, { since });
  const prompts = transcript?.turns.filter(({ role }) => role === "user") ?? [];
  assert.ok(prompts.length >= 8, `${prompts.length} prompts`);
});

Deno.test("readTurns() reads all of a transcript that is shorter than at the last save", async () => {
  using on = await world({ hook: true });
  const said = new TranscriptBuilder({ sessionId: SESSION })
    .user("When does the valve of the orchard open?").assistant("It opens at six.");
  const path = transcriptFile(on, said);
  const since = { at: Date.now(), turn: "", hash: "", id: "x", offset: 64 * 1024 * 1024 };
  const transcript = await readTurns(on.memory, path, { since });
  assert.equal(transcript?.turns.length, 2);
});

Deno.test("newTurns() goes by the time once the turn that was saved last is gone", () => {
  const at = (uuid: string, at: string): Turn => ({
    uuid,
    at,
    role: "user",
    text: uuid,
    tools: [],
  });
  const turns = [
    at("before", "2026-01-13T14:29:00.250Z"),
    at("after", "2026-01-13T14:31:00.250Z"),
    at("undated", ""),
  ];
  const newAfter = (turn: string): string[] => {
    const lastSave = { at: NOW, turn, offset: 0, hash: "", id: "" };
    const state = { lastSave } as SessionState;
    const whole: Transcript = { ...new TurnList().finish({ sessionId: SESSION, cwd: "" }), turns };
    return newTurns(whole, state).map(({ uuid }) => uuid);
  };
  assert.deepEqual(newAfter("before"), ["after", "undated"]);
  assert.deepEqual(newAfter("after"), ["undated"]);
  for (const gone of ["withdrawn", ""]) assert.deepEqual(newAfter(gone), ["after", "undated"]);
});

Deno.test("redactTurns() changes what is secret or outside the project, and nothing else of a turn", async () => {
  using on = await world({ project: "own" });
  const tool = { id: "t", name: "Write", result: "ok" };
  const said = {
    uuid: "u",
    role: "user" as const,
    at: "2026-01-13T14:30:00Z",
    refuses: true as const,
  };
  const inside = { ...tool, filePath: `${on.cwd}/src/a.ts` };
  const value = "q8Zt4Wm2vK" + "x6Yp3Ns7Kd9Wb";
  const turns: readonly Turn[] = [
    { ...said, text: "Nothing to hide.", tools: [inside, tool, { ...tool, filePath: "src/b.ts" }] },
    { ...said, text: `It is in .env:\nANY_NAME=${value}\nand there it stays.`, tools: [inside] },
    { ...said, text: "Elsewhere.", tools: [inside, { ...tool, filePath: `${on.home}/diary.md` }] },
  ];
  const [same, secret, outside] = redactTurns(on.memory, turns);
  assert.equal(same, turns[0]);
  assert.match(
    secret?.text ?? "",
    /^It is in .env:\nANY_NAME=\[redacted[^\n]*\nand there it stays\.$/,
  );
  assert.deepEqual({ ...secret, text: "" }, { ...turns[1], text: "" });
  assert.deepEqual(outside, { ...turns[2], tools: [inside, tool] });
  assert.equal(redactTurns(on.memory, [...turns.slice(0, 1)])[0], turns[0]);
});
