/** Forgetting: after it, nothing below home and project holds the note any more (R19). */
import assert from "node:assert/strict";
import type { SageError } from "../../src/base/errors.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { dirname } from "../../src/base/path.ts";
import { loadCheckpoint } from "../../src/memory/checkpoint/load.ts";
import { makeOffer } from "../../src/memory/checkpoint/offer.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { withoutForgotten } from "../../src/memory/write/forgotten.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { initStores } from "../../src/memory/init.ts";
import { findNote } from "../../src/memory/find.ts";
import { editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { versionsOf } from "../../src/memory/knowledge/history.ts";
import { mergeKnowledge } from "../../src/memory/knowledge/merge.ts";
import { promoteKnowledge } from "../../src/memory/knowledge/promote.ts";
import type { Saved } from "../../src/memory/write/outcome.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { findRemoved, restoreRemoved } from "../../src/memory/removal/removed.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { preparedName } from "../../src/memory/session/orientation/prepared.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { touch } from "../../src/memory/session/touch.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { saveExtractive } from "../../src/memory/checkpoint/extractive.ts";
import { surface } from "../../src/memory/surfacing/surfacing.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { keepTopic } from "../../src/memory/topic.ts";
import { recordUse } from "../../src/memory/use.ts";
import { searchRoots } from "../support/canaries.ts";
import { filesIn } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  AGENT,
  begin,
  byHand,
  checkpoint,
  conversation,
  hookInput,
  knowledge,
  MINUTE,
  OTHER,
  PERSON,
  put,
  read,
  SAGE,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

/** A word that stands nowhere else, in title and text, and so in ids, names and paths as well. */
const CANARY = "quetzalcanary";

async function remains(on: World): Promise<string[]> {
  const roots = [`${on.home}/.sage`, on.cwd];
  return (await searchRoots(roots, [CANARY])).map((line) => line.replace(/: [^:]*$/, ""));
}

async function forgotten(on: World, ref: string): Promise<void> {
  assert.ok((await remains(on)).length > 0, "the canary was planted");
  const outcome = await forget(on.memory, ref);
  assert.equal(outcome.kind, "forgotten", JSON.stringify(outcome));
  assert.deepEqual(await remains(on), []);
}

Deno.test("a forgotten note stays forgotten after its project was moved, also in other words", async () => {
  using on = await world();
  put(`${on.cwd}/.sage/project.yaml`, "id: kestrel\n");
  const { id, path } = await knowledge(await on.open(), "Login way", "Use OIDC.");
  const changed = read(path).replace("OIDC", "SAML");
  assert.equal((await forget(await on.open(), id)).kind, "forgotten");
  const there = `${on.home}/moved`;
  await Deno.rename(on.cwd, there);
  put(`${there}/.sage/knowledge/login-way.md`, changed);
  const moved = await on.open({ cwd: there });
  const titles = async () => (await listKnowledge(moved)).map(({ title }) => title);
  assert.deepEqual(await titles(), []);
  await Deno.remove(`${there}/.sage/knowledge/login-way.md`);
  const again = { title: "Login way", content: "Use SAML." };
  assert.equal((await saveKnowledge(moved, again, AGENT)).kind, "forgotten");
  // Another project's note of the same name is another note.
  put(`${there}/.sage/project.yaml`, "id: merlin\n");
  assert.equal((await saveKnowledge(await on.open({ cwd: there }), again, AGENT)).kind, "saved");
});

Deno.test("forget() leaves nothing in the index of another checkout that is gone", async () => {
  using on = await world();
  const { id, path } = await knowledge(on.memory, `Way of ${CANARY}`, `It is the ${CANARY}.`);
  await knowledge(on.memory, "Harbour", "Bergen.");
  const there = `${on.home}/checkout`;
  for (const note of filesIn(`${on.cwd}/.sage`)) {
    put(`${there}/.sage/${note}`, read(`${on.cwd}/.sage/${note}`));
  }
  await refreshAll(await on.open({ cwd: there }));
  assert.ok((await remains(on)).some((line) => line.includes("/index/")));
  await Deno.remove(there, { recursive: true });
  await forgotten(on, id);
  assert.throws(() => Deno.statSync(path));
});

Deno.test("forget() leaves nothing of a checkpoint that was loaded, searched and linked to", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, { title: `The ${CANARY} plan` }, AGENT);
  await loadCheckpoint(on.memory, { ref: saved.id });
  await searchMemory(on.memory, CANARY);
  recordUse(on.memory, "loaded", saved.id);
  await forgotten(on, saved.short_id);
});

Deno.test("forget() leaves nothing of knowledge that has versions", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, `About ${CANARY}`, `First ${CANARY}.`, {
    keywords: [CANARY],
  });
  for (const content of [`Second ${CANARY}.`, "Third, without the word."]) {
    on.later(60_000);
    const input = { title: `About ${CANARY}`, content, id: saved.id };
    assert.equal((await saveKnowledge(on.memory, input, PERSON)).kind, "updated");
  }
  await forgotten(on, saved.id);
});

Deno.test("forget() leaves nothing of knowledge that was shown in a session", async () => {
  using on = await world();
  begin(on.memory, on);
  const saved = await knowledge(on.memory, `The ${CANARY} rule`, `Every ${CANARY} is fed at dawn.`);
  const shown = await surface(
    on.memory,
    SESSION,
    `When is every ${CANARY} to be fed, and by whom?`,
  );
  assert.equal(shown.kind, "shown");
  const later = await checkpoint(on.memory, {}, AGENT);
  assert.match(read(later.path), /recalled/);
  await forgotten(on, saved.id);
  assert.doesNotMatch(read(later.path), /recalled/);
});

Deno.test("forget() takes the id out of the notes that Sage made of it, and leaves the rest of them", async () => {
  using on = await world();
  begin(on.memory, on);
  const first = await checkpoint(on.memory, { title: `The ${CANARY} question` }, AGENT);
  on.later(60_000);
  const second = await checkpoint(
    on.memory,
    { thesis: "It is settled by the second look at it." },
    AGENT,
  );
  assert.match(read(second.path), new RegExp(`parent: .*${CANARY}`));
  const transcript = await readTurns(on.memory, transcriptFile(on, conversation("It stalls.")));
  assert.ok(transcript !== undefined);
  const note = await writeSessionNote(on.memory, SESSION, transcript);
  assert.equal(note.kind, "written");
  const before = read(second.path);
  await forgotten(on, first.id);
  assert.equal(read(second.path), before.replace(/parent: .*\n/, ""));
});

Deno.test("forget() takes its line out of a topic's list, and its words out of a decision against it", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, `The ${CANARY} rule`, `Every ${CANARY} is fed at dawn.`);
  const kept = await knowledge(on.memory, "Stables", "They stand behind the harbour.");
  const topic = await keepTopic(on.memory, "Animals", [saved.id, kept.id], PERSON);
  assert.ok(topic.kind === "saved");
  const day = byHand(
    `${on.cwd}/.sage`,
    "sessions/day.md",
    { id: "day", type: "session" },
    [
      "# Day",
      "",
      "## Decisions",
      "",
      `- At noon from now on (takes back: “Every ${CANARY} is fed at dawn.” of [[${saved.id}]])`,
      `- Two stables (takes back: “They stand behind the harbour.” of [[${kept.id}]])`,
    ].join("\n"),
  );
  const [list, decisions] = [read(topic.path), read(day)];
  await forgotten(on, saved.id);
  assert.equal(read(topic.path), list.replace(/- .*quetzal.*\n/, ""));
  assert.equal(read(day), decisions.replace(/ \(takes back: “Every .*\)/, ""));
});

Deno.test("forget() takes its line out of the sources that Sage wrote of a checkpoint", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, `Feeding of the ${CANARY}`, "They are fed at dawn.");
  const kept = await knowledge(on.memory, "Stables", "They stand behind the harbour.");
  const made = byHand(
    `${on.cwd}/.sage`,
    "checkpoints/made.md",
    { id: "made", type: "checkpoint", generated: "{by: sage, at: 2026-01-13T14:30:00Z}" },
    `# Made\n\n## Sources\n\n- [[${saved.id}]]: fed\n- [[${kept.id}]]: stand`,
  );
  const before = read(made);
  await forgotten(on, saved.id);
  assert.equal(read(made), before.replace(/- .*quetzal.*\n/, ""));
});

Deno.test("forget() leaves notes as they are that have only their tags in common, or cannot be read", async () => {
  using on = await world();
  const tags = ["git", "doors"];
  const office = await knowledge(on.memory, "Office", "It has two doors.", { tags });
  const gone = await knowledge(on.memory, "Stable", "It has one gate.", { tags });
  const torn = `${on.cwd}/.sage/sessions/torn.md`;
  const said = `- At noon (takes back: “At dawn.” of [[${gone.id}]])`;
  put(torn, `---\nid: torn\ntype: session\nrecalled: [${gone.id}\n---\n# Torn\n\n${said}\n`);
  const before = [office.path, torn].map(read);
  const outcome = await forget(on.memory, gone.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual([office.path, torn].map(read), before);
  assert.deepEqual(outcome.places, ["knowledge/stable.md"]);
});

Deno.test("forget() leaves a person's own checkpoint the sources that they wrote down", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Feeding", "They are fed at dawn.");
  const own = byHand(
    `${on.cwd}/.sage`,
    "checkpoints/mine.md",
    { id: "mine", type: "checkpoint" },
    `# Mine\n\n## Sources\n\n- [[${saved.id}]]: as Ann has told me\n`,
  );
  const before = read(own);
  assert.equal((await forget(on.memory, saved.id)).kind, "forgotten");
  assert.equal(read(own), before);
});

Deno.test("forget() leaves nothing of a checkpoint that the agent was offered to say better", async () => {
  using on = await world();
  begin(on.memory, on);
  const saved = await checkpoint(on.memory, { title: `The ${CANARY} plan` }, AGENT);
  makeOffer(on.memory, SESSION, "synthesis", saved);
  await forgotten(on, saved.id);
  assert.equal(readSession(on.memory, SESSION)?.offer, undefined);
});

Deno.test("forget() leaves nothing in what is known of a session that was offered and shown it", async () => {
  using on = await world();
  begin(on.memory, on);
  const saved = await checkpoint(on.memory, { title: `The ${CANARY} plan` }, AGENT);
  const offer = { session: OTHER, at: 1, files: [], marks: [] };
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    restored: saved.id,
    lastTerms: ["1f2e3d4c"],
    offered: [{ ...offer, note: saved.id }, { ...offer, note: "another" }],
  }));
  await forgotten(on, saved.id);
  const { offered, lastTerms } = readSession(on.memory, SESSION) ?? {};
  assert.deepEqual([offered?.map(({ note }) => note), lastTerms], [["another"], undefined]);
});

Deno.test("forget() leaves what a session has of other notes", async () => {
  using on = await world();
  begin(on.memory, on);
  const saved = await checkpoint(on.memory, { title: `The ${CANARY} plan` });
  const others = {
    lastSave: { at: 1, turn: "", hash: "", id: "another" },
    restored: "another",
    offer: { id: "another", trigger: "synthesis", hash: "", told: false },
    checkpoints: ["another"],
    shown: { another: "1f2e" },
  };
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    ...others,
    checkpoints: [saved.id, ...others.checkpoints],
    shown: { [saved.id]: "3d4c", ...others.shown },
  }));
  await forgotten(on, saved.id);
  const { lastSave, restored, offer, checkpoints, shown } = readSession(on.memory, SESSION) ?? {};
  assert.deepEqual({ lastSave, restored, offer, checkpoints, shown }, others);
});

Deno.test("forget() leaves nothing in what was made ahead for the next session", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "A rule", `Every ${CANARY} is fed at dawn.`);
  put(`${on.home}/.sage/state/${preparedName(on.cwd)}`, `{"text":"It says: ${CANARY}"}\n`);
  await forgotten(on, saved.id);
});

Deno.test("forget() has on the disk what it removed and rewrote, before it removes the note", async () => {
  using on = await world();
  begin(on.memory, on);
  const saved = await checkpoint(on.memory, { title: `The ${CANARY} plan` }, AGENT);
  const note = saved.path;
  updateSession(on.memory, SESSION, (state) => ({ ...state, restored: saved.id }));
  put(`${on.home}/.sage/state/${preparedName(on.cwd)}`, `{"text":"It says: ${CANARY}"}\n`);
  const open = new Set<string>();
  const left: string[][] = [];
  const change = (path: string): void => {
    if (path === note) left.push([...open]);
    // The next scan erases what an index still has of it.
    if (!path.endsWith(".tmp") && !path.includes("/index/")) open.add(dirname(path));
  };
  const watched: Fs = {
    ...realFs,
    unlink: (path) => (change(path), realFs.unlink(path)),
    rename: (from, to) => (change(to), realFs.rename(from, to)),
    syncDir: (path) => (open.delete(path), realFs.syncDir(path)),
  };
  const outcome = await forget(await on.open({ fs: watched }), saved.id);
  assert.equal(outcome.kind, "forgotten");
  assert.deepEqual(left, [[]]);
});

Deno.test("what an interrupted forget left on disk is in no answer, and the next forget finds it", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, `About ${CANARY}`, `First ${CANARY}.`);
  await Deno.mkdir(`${on.home}/.sage/state/transcripts`, { recursive: true });
  const fs = {
    ...on.memory.fs,
    list(path: string) {
      if (path.endsWith("/transcripts")) throw new Error("killed here");
      return on.memory.fs.list(path);
    },
  };
  await assert.rejects(forget({ ...on.memory, fs }, saved.id), /killed here/);
  const next = await on.open();
  await refreshAll(next);
  assert.deepEqual((await searchMemory(next, CANARY)).items, []);
  await forgotten(on, saved.id);
});

Deno.test("forget() of what lies in the trash spares the note that came after and is called otherwise", async () => {
  using on = await world();
  const first = await knowledge(on.memory, "Login way", "It went by OIDC.");
  await removeNote(on.memory, first.id, ["knowledge"]);
  const second = await knowledge(on.memory, "Login way", "It goes by SAML.");
  put(second.path, read(second.path).replace("# Login way", "# Sign in"));
  await assert.rejects(forget(on.memory, "Login way"), { code: "conflict" });
  assert.match(read(second.path), /SAML/);
});

Deno.test("forget() keeps every receipt of a busy day", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, { title: `The ${CANARY} plan` });
  const path = `${on.home}/.sage/state/log/2026-01-13.jsonl`;
  const line = (n: number): string =>
    JSON.stringify({ at: "2026-01-13T12:00:00Z", event: "hook", n }) + "\n";
  const many = Array.from({ length: 80_000 }, (_, n) => line(n)).join("");
  const named = (...told: string[]): string =>
    JSON.stringify({ at: "", event: "hook", told }) + "\n";
  put(path, named(saved.id, "other") + many);
  await forgotten(on, saved.id);
  assert.ok(read(path).startsWith(named("other")));
  assert.ok(read(path).includes(line(79_999)));
});

Deno.test("forget() finds what lies in the trash", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, `About ${CANARY}`, `First ${CANARY}.`);
  await removeNote(on.memory, saved.id, ["knowledge"]);
  await forgotten(on, saved.id);
});

Deno.test("forget() erases none of two in the trash that are called alike, before one is named", async () => {
  using on = await world();
  const todo = await addTodo(on.memory, { content: "Rotate the key" }, PERSON);
  assert.ok(todo.kind === "saved");
  const fact = await knowledge(on.memory, "Rotate the key", "The vault does it.");
  for (const { id } of [fact, todo]) await removeNote(on.memory, id);
  const many = await forget(on.memory, "rotate the key");
  assert.ok(many.kind === "many", many.kind);
  assert.deepEqual(many.items.map(({ note }) => note.id).sort(), [todo.id, fact.id].sort());
  assert.equal(await findRemoved(on.memory, "rotate the key"), undefined, "neither is the one");
  assert.equal((await forget(on.memory, fact.id)).kind, "forgotten");
  const left = await findRemoved(on.memory, "rotate the key");
  assert.equal(left?.id, todo.id);
});

Deno.test("forget() takes versions in the trash along with the note that came after", async () => {
  using on = await world();
  const first = await knowledge(on.memory, `About ${CANARY}`, `First ${CANARY}.`);
  await removeNote(on.memory, first.id, ["knowledge"]);
  const second = await knowledge(on.memory, `About ${CANARY}`, `Again ${CANARY}.`);
  assert.equal(second.id, first.id);
  await forgotten(on, second.id);
});

Deno.test("forget() takes conflict copies, temporary files and the inbox along", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Rule", `Every ${CANARY} is fed.`);
  const folder = `${on.cwd}/.sage/knowledge`;
  const text = read(saved.path);
  put(`${folder}/rule.sync-conflict-20260101-120000-ABC.md`, text);
  put(`${folder}/.rule.md.sage-99999-0123456789abcdef.tmp`, text);
  const entry = { path: "knowledge/rule.md", noteId: "rule", updated: "", base: text, next: text };
  put(`${on.cwd}/.sage/.inbox/2026-01-01T00-00-00-0123456789abcdef.json`, JSON.stringify(entry));
  await forgotten(on, saved.id);
});

Deno.test("forget() takes the conflict copy of a note along whose id is empty", async () => {
  using on = await world();
  const text = `---\nid:\ntype: knowledge\n---\n\n# Rule\n\nEvery ${CANARY} is fed.\n`;
  put(`${on.cwd}/.sage/knowledge/rule.md`, text);
  put(`${on.cwd}/.sage/knowledge/rule.sync-conflict-20260101-120000-ABC.md`, `${text}Twice.\n`);
  await forgotten(on, "rule");
});

Deno.test("forget() keeps its texts from coming back under another name", async () => {
  using on = await world();
  const folder = `${on.cwd}/.sage/knowledge`;
  const [text, copy] = ["dawn", "dusk"].map((when) => `# Feeding\n\nEvery ${CANARY} at ${when}.\n`);
  put(`${folder}/feeding.md`, text ?? "");
  put(`${folder}/feeding.sync-conflict-20260101-120000-ABC.md`, copy ?? "");
  await refreshAll(on.memory);
  await forgotten(on, "feeding");
  put(`${folder}/From the old laptop.md`, text ?? "");
  put(`${folder}/From the phone.md`, copy ?? "");
  await refreshAll(on.memory);
  assert.deepEqual((await searchMemory(on.memory, CANARY)).items, []);
});

Deno.test("forget() leaves the note that has the next number", async () => {
  using on = await world();
  const folder = `${on.cwd}/.sage/knowledge`;
  byHand(`${on.cwd}/.sage`, "knowledge/Sprint.md", { id: "sprint" }, "What we planned.");
  put(`${folder}/Sprint 2.md`, "# Sprint 2\n\nAnother plan.\n");
  assert.equal((await forget(on.memory, "sprint")).kind, "forgotten");
  assert.deepEqual(filesIn(folder), ["Sprint 2.md"]);
});

for (const when of ["while it lasts", "after its end"]) {
  Deno.test(`forget() of a session note takes the private state of that session along, ${when}`, async () => {
    using on = await world();
    const said = conversation("It stalls.").title(`Feeding the ${CANARY}`);
    begin(on.memory, on, { transcriptPath: transcriptFile(on, said) });
    const state = readSession(on.memory, SESSION);
    const transcript = await readTurns(on.memory, state?.transcriptPath);
    assert.ok(transcript !== undefined);
    const written = await writeSessionNote(on.memory, SESSION, transcript);
    assert.ok(written.kind === "written");
    if (when === "after its end") {
      updateSession(on.memory, SESSION, (state) => ({ ...state, ended: on.memory.now() }));
    }
    await forgotten(on, written.id);
    assert.equal(readSession(on.memory, SESSION), undefined);
  });
}

Deno.test("a session whose note was forgotten gets no other, whatever is said in it later", async () => {
  using on = await world();
  const said = conversation("It stalls.");
  begin(on.memory, on, { transcriptPath: transcriptFile(on, said) });
  const write = async () => {
    const transcript = await readTurns(on.memory, transcriptFile(on, said));
    assert.ok(transcript !== undefined);
    return await writeSessionNote(on.memory, SESSION, transcript);
  };
  const written = await write();
  assert.ok(written.kind === "written");
  assert.equal((await forget(on.memory, written.id)).kind, "forgotten");
  said.user("What of the nightly backup, does it run?")
    .assistant("It runs at four. We decided to keep seven of them, because the disk is small.");
  assert.deepEqual(await write(), { kind: "nothing", reason: "forgotten" });
  assert.deepEqual(filesIn(`${on.cwd}/.sage`).filter((name) => /^sessions\/[^.]/.test(name)), []);
});

function asking(prompt: string): TranscriptBuilder {
  return new TranscriptBuilder({ sessionId: SESSION, bare: true }).user(prompt)
    .assistant("I will read the importer first.", [
      { name: "Edit", input: { file_path: "/p/importer.ts" }, result: "updated" },
    ])
    .assistant("It holds all rows in memory. We decided to read them in batches of 500.");
}

Deno.test("forget() of a session note removes its first prompt for the rest of the session", async () => {
  using on = await world();
  const path = transcriptFile(on, asking(`Why does the ${CANARY} stall in the importer?`));
  begin(on.memory, on, { transcriptPath: path });
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript !== undefined);
  const written = await writeSessionNote(on.memory, SESSION, transcript);
  assert.ok(written.kind === "written");
  await forgotten(on, written.id);
  begin(on.memory, on, { transcriptPath: path });
  await touch(on.memory, hookInput(on, { event: "stop", transcriptPath: path }), transcript);
  assert.deepEqual(await remains(on), []);
});

Deno.test("forget() leaves no topic that says what a note said, and none comes of it later", async () => {
  using on = await world();
  const said = `The codename of the importer is ${CANARY}.`;
  const path = transcriptFile(on, asking(said));
  for (const session of [SESSION, OTHER]) {
    begin(on.memory, on, { sessionId: session, transcriptPath: path });
    updateSession(on.memory, session, (state) => ({ ...state, topic: said }));
  }
  updateSession(on.memory, OTHER, (state) => ({ ...state, ended: on.memory.now() }));
  const saved = await knowledge(on.memory, "What it is called", said, {}, AGENT);
  await forgotten(on, saved.id);
  assert.equal(readSession(on.memory, OTHER)?.topic, undefined);
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript !== undefined);
  await touch(on.memory, hookInput(on, { event: "stop", transcriptPath: path }), transcript);
  assert.deepEqual(await remains(on), []);
});

Deno.test("forget() removes its sentences from subagents' reports, and from topics kept by other sessions", async () => {
  using on = await world();
  begin(on.memory, on);
  const said = `The codename of the importer is ${CANARY}.`;
  const saved = await knowledge(on.memory, "Codename", said, {}, AGENT);
  const report = { type: "explore", said: "The importer streams its records." };
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    subagents: [{ type: "explore", said }, report],
    overlaps: [{ session: OTHER, topic: said, files: ["a.ts"], isSaid: false }],
  }));
  await forgotten(on, saved.id);
  const { subagents, overlaps } = readSession(on.memory, SESSION) ?? {};
  assert.deepEqual(subagents, [report]);
  assert.deepEqual(overlaps, [{ session: OTHER, files: ["a.ts"], isSaid: false }]);
});

Deno.test("forget() leaves nothing of todos and of notes in the user's store", async () => {
  using on = await world({ project: "none" });
  const todo = await addTodo(on.memory, { content: `feed the ${CANARY}`, context: CANARY }, PERSON);
  assert.ok(todo.kind === "saved");
  await forgotten(on, todo.id);
});

Deno.test("a forgotten note does not come back when it is saved again, restored by sync or made from a transcript", async () => {
  using on = await world();
  const sentence =
    `Every ${CANARY} that stalls holds its rows in memory until the end of the file.`;
  const path = transcriptFile(on, conversation(sentence));
  begin(on.memory, on, { transcriptPath: path });
  const transcript = await readTurns(on.memory, path);
  assert.ok(transcript !== undefined);
  const how = { session: SESSION, trigger: "precompact", confidence: 0.6, always: true } as const;
  const saved = await saveExtractive(on.memory, transcript, how);
  assert.ok(saved.kind === "saved", JSON.stringify(saved));
  const bytes = read(saved.path);
  assert.match(bytes, new RegExp(CANARY));
  await forgotten(on, saved.id);

  const again = await saveExtractive(await on.open(), transcript, { ...how, session: OTHER });
  assert.notEqual(again.kind, "saved");
  assert.deepEqual(await remains(on), [], "made from the transcript");

  put(saved.path, bytes);
  await refreshAll(on.memory);
  const { items } = await searchMemory(on.memory, CANARY);
  assert.deepEqual(items, [], "restored by sync");
  const { items: recalled } = await recallKnowledge(on.memory, CANARY);
  assert.deepEqual(recalled, []);
});

Deno.test("sentences of earlier or removed versions of a forgotten note do not come back from the transcript", async () => {
  for (const isRemoved of [false, true]) {
    using on = await world();
    const sentence =
      `Every ${CANARY} that stalls holds its rows in memory until the end of the file.`;
    const { id } = await knowledge(on.memory, "Stalled imports", sentence);
    if (isRemoved) await removeNote(on.memory, id);
    const next = { title: "Stalled imports", content: "They stream their rows by now." };
    const saved = await saveKnowledge(on.memory, isRemoved ? next : { ...next, id }, PERSON);
    assert.equal(saved.kind, isRemoved ? "saved" : "updated");
    await forgotten(on, id);
    const path = transcriptFile(on, conversation(sentence));
    begin(on.memory, on, { transcriptPath: path });
    const transcript = await readTurns(on.memory, path);
    assert.ok(transcript !== undefined);
    const how = { session: SESSION, trigger: "precompact", confidence: 0.6, always: true } as const;
    const made = await saveExtractive(await on.open(), transcript, how);
    assert.notEqual(made.kind, "nothing");
    const all = filesIn(`${on.cwd}/.sage`).map((name) => read(`${on.cwd}/.sage/${name}`)).join("");
    assert.ok(!all.includes("holds its rows in memory"), all);
  }
});

Deno.test("a forgotten sentence does not come back cut short or with another ending", async () => {
  const prompt =
    `Why does the ${CANARY} importer for the shop of Mrs Brown stall on files of more than ` +
    "900 MB, as it did on Monday and on Tuesday, and again on Thursday night at 3:15 when nobody from the " +
    "team of the operations was there, and what shall we do about it before the end of the month?";
  const measured =
    `We measured 1.284 ms for the **${CANARY}** lock, which nobody expected, 90 ms without it`;
  for (const sentence of [prompt, measured]) {
    using on = await world();
    await forgotten(on, (await knowledge(on.memory, "Importer", sentence.replaceAll("*", ""))).id);
    const talk = new TranscriptBuilder({ sessionId: SESSION, bare: true }).user(prompt).assistant(
      "The cause is that all rows wait for the lock of the table. The lock is held by the backup, which " +
        "reads the whole table in one transaction and takes its time. Nobody needs it while files come in, " +
        "and the backup may as well read a copy of the day before.\n\n" +
        `- ${measured}.\n- It was dropped, because nothing else writes there.`,
      [{ name: "Edit", input: { file_path: "/p/importer.ts" }, result: "updated" }],
    );
    const path = transcriptFile(on, sentence === prompt ? talk : talk.user("So drop it."));
    begin(on.memory, on, { transcriptPath: path });
    const memory = await on.open();
    const transcript = await readTurns(memory, path);
    assert.ok(transcript !== undefined);
    const how = { session: SESSION, trigger: "precompact", confidence: 0.6, always: true } as const;
    assert.equal((await saveExtractive(memory, transcript, how)).kind, "saved");
    await writeSessionNote(memory, SESSION, transcript);
    const all = filesIn(`${on.cwd}/.sage`).map((name) => read(`${on.cwd}/.sage/${name}`)).join("");
    assert.match(all, /The cause is that all rows wait/);
    const part = sentence === prompt ? "shop of Mrs Brown" : "1.284 ms";
    assert.ok(!all.includes(part), all);
  }
});

Deno.test("forget() touches no note whose id begins alike", async () => {
  using on = await world();
  await knowledge(on.memory, "Rule", "One.");
  const other = await knowledge(on.memory, "Rule", "Two.", { onConflict: "keep_both" });
  recordUse(on.memory, "recalled", other.id);
  const before = read(other.path);
  await forget(on.memory, "rule");
  // What it said of the other, and nothing else.
  assert.match(before, /\nsources:\n.*id: rule\n.*relation: alternative\n/);
  assert.equal(read(other.path), before.replace(/sources:\n.*\n.*\n/, ""));
  assert.match(read(`${on.home}/.sage/state/recalls/uses.jsonl`), /"rule-2"/);
});

Deno.test("forget() leaves a person's other files, whatever they are called", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Lock order", "Take the store's lock first.");
  const beside = ["", ".png", ".canvas"].map((end) => saved.path.replace(/\.md$/, end));
  for (const path of beside) put(path, "mine");
  assert.equal((await forget(on.memory, saved.id)).kind, "forgotten");
  assert.deepEqual(beside.map(read), ["mine", "mine", "mine"]);
});

Deno.test("forget() of one of two with an id advises nothing that would cost the other", async () => {
  using on = await world();
  const { path } = await knowledge(on.memory, "Cache", "It holds ten pages.");
  const copy = path.replace("cache.md", "copy.md");
  await Deno.writeTextFile(copy, read(path).replace("ten pages", "Ann's secret"));
  // In the trash it would go, and stay, with the one that keeps the id.
  await assert.rejects(forget(on.memory, copy), (error: SageError) => {
    assert.match(error.message, /copy\.md": ".*cache\.md" has the same id/);
    assert.match(error.hint ?? "", /another id in its front matter, then repeat$/);
    assert.doesNotMatch(error.hint ?? "", / rm /);
    return true;
  });
  await Deno.writeTextFile(path, read(path).replace("id: cache", "id: pages"));
  assert.equal((await forget(on.memory, copy)).kind, "forgotten");
  assert.match(read(path), /ten pages/);
});

Deno.test("forget() hides no note of another project that has the same id", async () => {
  using on = await world();
  const there = `${on.cwd}/../other`;
  await Deno.mkdir(there);
  await initStores(await on.open({ cwd: there }));
  const other = await on.open({ cwd: there });
  await knowledge(on.memory, "Use pnpm", "The workspace of the shop needs it for every install.");
  const kept = await knowledge(other, "Use pnpm", "The harbour is built by it since the spring.");
  assert.equal((await forget(on.memory, "use-pnpm")).kind, "forgotten");

  put(kept.path, `${read(kept.path)}\nSaid by hand.\n`);
  const { items } = await searchMemory(await on.open({ cwd: there }), "harbour");
  assert.deepEqual(items.map(({ id }) => id), ["use-pnpm"], "changed by a person");
  assert.equal((await removeNote(other, "use-pnpm")).kind, "removed");
  assert.equal((await restoreRemoved(other, "knowledge", "use-pnpm")).kind, "restored");
  await removeNote(other, "use-pnpm");
  const input = { title: "Use pnpm", content: "An agent says it of the harbour once more." };
  assert.equal((await saveKnowledge(other, input, AGENT)).kind, "saved");
});

Deno.test("forget() leaves what is said of another store's note of the same id", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Use pnpm", "The workspace of the shop needs it.");
  const own = `${on.home}/.sage`;
  byHand(own, "knowledge/use-pnpm.md", { id: "use-pnpm" }, "# Use pnpm\n\nThe harbour has it too.");
  const todo = { id: "ask", type: "todo", source: "use-pnpm" };
  const [theirs, ours] = [
    byHand(own, "todos/ask.md", todo, "# Ask the harbour"),
    byHand(`${on.cwd}/.sage`, "todos/ask-us.md", { ...todo, id: "ask-us" }, "# Ask the shop"),
  ];
  assert.equal((await forget(on.memory, saved.path)).kind, "forgotten");
  assert.match(read(theirs), /source: use-pnpm/);
  assert.doesNotMatch(read(ours), /source:/);
  assert.equal((await searchMemory(on.memory, "harbour")).items[0]?.scope, "user");
});

Deno.test("a note with a forgotten id is in no answer, and diagnose() reports it", async () => {
  using on = await world();
  await knowledge(on.memory, "Use pnpm", "The workspace of the shop needs it for every install.");
  await forget(on.memory, "use-pnpm");
  const path = byHand(`${on.cwd}/.sage`, "knowledge/use-pnpm.md", {}, "# Use pnpm\n\nSaid anew.");
  const [report] = await refreshAll(on.memory);
  assert.deepEqual(report?.skipped, [{ path: "knowledge/use-pnpm.md", reason: "forgotten" }]);
  const said = (await diagnose(on.memory)).find(({ what }) => what.includes("is not read"));
  assert.match(`${said?.what}: ${said?.mend}`, /use-pnpm\.md is not read: forgotten: .*another id/);
  put(path, "---\nid: use-pnpm-anew\n---\n# Use pnpm\n\nSaid anew.\n");
  assert.equal((await searchMemory(on.memory, "pnpm")).items[0]?.id, "use-pnpm-anew");
});

Deno.test("forget() says none and many like every other verb", async () => {
  using on = await world();
  await knowledge(on.memory, "Oak trees", "They grow.");
  await knowledge(on.memory, "Oak tables", "They stand.");
  const many = await forget(on.memory, "oak");
  assert.ok(many.kind === "many" && many.items.length === 2);
  const none = await forget(on.memory, "oak-treees");
  assert.ok(none.kind === "none" && none.nearest.length > 0);
  const other = await forget(on.memory, "beech");
  assert.ok(other.kind === "none" && other.nearest.length === 0);
  assert.equal((await forget(on.memory, "oak-trees")).kind, "forgotten");
  assert.equal((await forget(on.memory, "oak-trees")).kind, "none");
});

Deno.test("forget() erases what a person wrote by hand, without an id of its own", async () => {
  using on = await world();
  byHand(`${on.cwd}/.sage`, "knowledge/loose.md", {}, `# Loose\n\n${CANARY}`);
  await forgotten(on, "loose");
});

Deno.test("removeNote() keeps a note for thirty days, out of every answer", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Rule of okapis", "Okapis run at sixty.");
  const removed = await removeNote(on.memory, saved.short_id);
  assert.ok(removed.kind === "removed");
  assert.equal(removed.restore_until, "2026-02-12T14:30:00Z");
  assert.deepEqual((await searchMemory(on.memory, "okapis")).items, []);
  const [kept] = await searchRoots([`${on.cwd}/.sage/.trash`], ["Okapis run at sixty."]);
  assert.match(kept ?? "", /\/knowledge\/rule-of-okapis\.md/);
  assert.equal((await removeNote(on.memory, saved.id)).kind, "none");
  const note = await checkpoint(on.memory, {}, SAGE);
  assert.equal(
    (await removeNote(on.memory, note.id, ["knowledge"])).kind,
    "none",
    "checkpoints are not knowledge",
  );
});

Deno.test("removeNote() leaves a note alone that cannot be read", async () => {
  using on = await world();
  const path = byHand(`${on.cwd}/.sage`, "knowledge/torn.md", { tags: '["a' }, "text");
  await assert.rejects(removeNote(on.memory, "torn"), /Cannot remove/);
  assert.match(read(path), /text/);
});

Deno.test("notes of all kinds get different ids, and forget() erases the one that was named", async () => {
  using on = await world();
  const title = "Rotate the API key";
  const todo = await addTodo(on.memory, { content: title }, PERSON);
  const fact = await knowledge(on.memory, title, "The vault rotates it every ninety days.");
  assert.ok(todo.kind === "saved");
  assert.notEqual(fact.id, todo.id);
  assert.equal((await forget(on.memory, fact.id)).kind, "forgotten");
  assert.deepEqual(filesIn(`${on.cwd}/.sage`, "").filter((path) => path.startsWith("todos/")), [
    `todos/${todo.id}.md`,
  ]);
});

Deno.test("forget() refuses where a person made two notes with one id", async () => {
  using on = await world();
  const store = `${on.cwd}/.sage`;
  byHand(store, "knowledge/x.md", { id: "x", title: "Harbour" }, "Ships wait outside.");
  byHand(store, "todos/x.md", { id: "x", type: "todo" }, "Buy a rope");
  await assert.rejects(forget(on.memory, "Harbour"), { code: "conflict" });
  assert.deepEqual(filesIn(store, "").filter((path) => path.endsWith("x.md")), [
    "knowledge/x.md",
    "todos/x.md",
  ]);
});

Deno.test("only a person may write again about something that was forgotten", async () => {
  using on = await world();
  const first = await knowledge(on.memory, "Redis port", "It listens on 6380.");
  assert.equal((await forget(on.memory, first.id)).kind, "forgotten");
  const input = { title: "Redis port", content: "We moved it to 7000 and documented why." };
  assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "forgotten");
  const again = await saveKnowledge(on.memory, input, PERSON);
  assert.ok(again.kind === "saved");
  assert.notEqual(again.id, first.id);
});

Deno.test("forget() of a session's note leaves later notes of the same files their list of them", async () => {
  using on = await world();
  const input = { file_path: `${on.cwd}/nightly_export_test.ts` };
  const noteOf = async (session: string, asked: string, answer: string): Promise<string> => {
    begin(on.memory, on, { sessionId: session });
    const said = new TranscriptBuilder({ sessionId: session, bare: true }).user(asked)
      .assistant(answer, [{ name: "Edit", input, result: "updated" }]);
    const transcript = await readTurns(on.memory, transcriptFile(on, said));
    assert.ok(transcript !== undefined);
    assert.equal((await writeSessionNote(on.memory, session, transcript)).kind, "written");
    return read(readSession(on.memory, session)?.note?.path ?? "");
  };
  const first = await noteOf(SESSION, "Why do birds sing at dawn?", "The air is still by then.");
  assert.match(first, /- Changed: .*nightly_export_test\.ts/);
  await forget(on.memory, readSession(on.memory, SESSION)?.note?.id ?? "");
  const second = await noteOf(OTHER, "Why are the stones warm?", "The sun was on them all day.");
  assert.match(second, /## Done\n\n- Changed: .*nightly_export_test\.ts/);
});

/** Merges the first into the second, which a person then goes on with. */
async function merged(on: World, from: Saved, into: Saved): Promise<void> {
  const found = [];
  for (const { id } of [into, from]) {
    const one = await findNote(on.memory, id);
    assert.ok(one.kind === "one");
    found.push(one.item);
  }
  const [first, ...others] = found;
  assert.ok(first !== undefined);
  on.later(MINUTE);
  assert.equal((await mergeKnowledge(on.memory, first, others, PERSON)).kind, "patched");
}

Deno.test("forget() leaves nothing in the note that it was merged into, nor in the versions of that", async () => {
  using on = await world();
  const into = await knowledge(on.memory, "Office", "It has two doors.", { keywords: ["doors"] });
  const from = await knowledge(on.memory, `Alarm ${CANARY}`, `PIN ${CANARY}`, {
    keywords: ["doors", `k${CANARY}`],
  });
  await merged(on, from, into);
  on.later(MINUTE);
  const more = { patch: { kind: "append", text: "It has a bell." } } as const;
  assert.equal((await editKnowledge(on.memory, into.id, more, PERSON)).kind, "patched");
  assert.match(read(into.path), new RegExp(`PIN ${CANARY}\n\nIt has a bell`));
  await forgotten(on, from.id);
  const left = read(into.path);
  assert.match(left, /It has two doors\.\n\nIt has a bell\.\n\n## History/);
  assert.match(left, /keywords: \[doors\]|keywords:\n {2}- doors\n/);
  assert.match(left, /merged with a forgotten note by person/);
  // What it was before is still its own.
  const found = await findNote(on.memory, into.id);
  assert.ok(found.kind === "one");
  assert.deepEqual((await versionsOf(found.item)).map(({ text }) => text), [
    "# Office\n\nIt has two doors.\n\nIt has a bell.",
    "# Office\n\nIt has two doors.",
  ]);
});

Deno.test("forget() leaves nothing of a merged note that had said less before", async () => {
  using on = await world();
  const into = await knowledge(on.memory, "Office", "It has two doors.");
  const from = await knowledge(on.memory, "Alarm", "It is loud.");
  const more = { patch: { kind: "append", text: `The PIN is ${CANARY}.` } } as const;
  assert.equal((await editKnowledge(on.memory, from.id, more, PERSON)).kind, "patched");
  await merged(on, from, into);
  const isLoud = `It is loud.\n\nThe PIN is ${CANARY}.`;
  assert.ok(read(into.path).includes(isLoud), read(into.path));
  await forgotten(on, from.id);
  assert.doesNotMatch(read(into.path), /loud|PIN/);
});

Deno.test("forget() leaves nothing in the indexes of other stores whose notes said or named it", async () => {
  using on = await world();
  const into = await knowledge(on.memory, "Office", "It has two doors.");
  const from = await knowledge(on.memory, `Alarm ${CANARY}`, `PIN ${CANARY}`);
  await merged(on, from, into);
  const found = await findNote(on.memory, into.id);
  assert.ok(found.kind === "one");
  assert.equal((await promoteKnowledge(on.memory, found.item)).kind, "promoted");
  await forgotten(on, from.id);
  const mine = await knowledge(on.memory, `Tea ${CANARY}`, "At four.", { scope: "user" });
  assert.equal((await keepTopic(on.memory, "Drinks", [mine.id], PERSON)).kind, "saved");
  await forgotten(on, mine.id);
});

Deno.test("forget() names the notes that say its words in a way of their own, and cleans their versions", async () => {
  using on = await world();
  const sentence = `Every ${CANARY} is fed at dawn by the harbour master.`;
  const gone = await knowledge(on.memory, "Feeding", sentence);
  const other = await knowledge(on.memory, "Harbour", `The harbour master is Ann. ${sentence}`);
  on.later(MINUTE);
  const anew = { patch: { kind: "rewrite", text: "The harbour master is Ann." } } as const;
  assert.equal((await editKnowledge(on.memory, other.id, anew, PERSON)).kind, "patched");
  const mine = byHand(
    `${on.cwd}/.sage`,
    "knowledge/mine.md",
    { id: "mine" },
    `# Mine\n\n${sentence}`,
  );
  const before = read(mine);
  const outcome = await forget(on.memory, gone.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid.map(({ path }) => path), [mine]);
  assert.equal(read(mine), before);
  const left = await searchRoots([`${on.cwd}/.sage`], [CANARY]);
  assert.deepEqual(left.map((line) => line.replace(/: [^:]*$/, "")), [mine]);
});

Deno.test("forget() names the notes of other projects that say its words, and changes none", async () => {
  using on = await world();
  const sentence = `Every ${CANARY} is fed at dawn by the harbour master.`;
  const gone = await knowledge(on.memory, "Feeding", sentence);
  const cwd = `${on.home}/zoo`;
  await Deno.mkdir(cwd);
  await initStores(await on.open({ cwd }), { project: true });
  const own = byHand(`${cwd}/.sage`, "knowledge/own.md", { id: "own" }, `# Own\n\n${sentence}`);
  const before = read(own);
  const outcome = await forget(on.memory, gone.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid.map(({ path }) => path), [own]);
  assert.equal(read(own), before);
});

Deno.test("forget() takes no line of links alone for words of the note", async () => {
  using on = await world();
  const links = "See also [[the-pumps-and-their-seals]].\n\n- [[what-the-harbour-master-said]]";
  const gone = await knowledge(on.memory, "Feeding", `The ${CANARY} is fed at dawn.\n\n${links}`);
  const text = `# Mine\n\nNothing of that.\n\n${links}`;
  byHand(`${on.cwd}/.sage`, "knowledge/mine.md", { id: "mine" }, text);
  const outcome = await forget(on.memory, gone.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid, []);
  assert.equal(withoutForgotten(on.memory)?.(links), links);
});

Deno.test("forget() names the note that it was merged into where a person changed its words", async () => {
  using on = await world();
  const into = await knowledge(on.memory, "Office", "It has two doors.");
  const from = await knowledge(on.memory, "Alarm", "PIN 4711");
  await merged(on, from, into);
  put(into.path, read(into.path).replace("PIN 4711", "The PIN is 4711, says Ann"));
  const outcome = await forget(on.memory, from.id);
  assert.ok(outcome.kind === "forgotten");
  assert.deepEqual(outcome.stillSaid.map(({ path }) => path), [into.path]);
  assert.match(read(into.path), /says Ann/);
});
