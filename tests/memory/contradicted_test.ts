/** What was corrected is never told alone as true, until somebody has settled it. */
import assert from "node:assert/strict";
import { defined } from "../../src/base/defined.ts";
import { contradictingNotes } from "../../src/memory/knowledge/contradicting.ts";
import { listContradictions } from "../../src/memory/knowledge/contradictions.ts";
import { editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import type { KnowledgeInput } from "../../src/memory/knowledge/outcome.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { verifyKnowledge } from "../../src/memory/knowledge/verify.ts";
import { findNote } from "../../src/memory/find.ts";
import { listQuestions } from "../../src/memory/question/question.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { readSession } from "../../src/memory/session/state/state.ts";
import { surface } from "../../src/memory/surfacing/surfacing.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import type { Author } from "../../src/memory/write/outcome.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { intoVault, vaultOf } from "../support/vault.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  AGENT,
  begin,
  byHand,
  DAY,
  knowledge,
  MINUTE,
  NOW,
  OTHER,
  PERSON,
  put,
  read,
  readByAgent,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

const ASKED = "How do I install packages here, which package manager do we use?";
const NPM = "We use npm to install packages and to run the scripts of this project.";
const PNPM = "We use pnpm, not npm, to install packages in this project.";

/** A note, and a day later one that contradicts it. */
async function corrected(older: Author, newer: Author): Promise<World> {
  const on = await world({ hook: true });
  await knowledge(on.memory, "Installing packages", NPM, {}, older);
  on.later(DAY);
  await contradict(on, "Installing packages", PNPM, newer);
  return on;
}

async function contradict(on: World, title: string, content: string, author: Author) {
  const input: KnowledgeInput = { title, content, onConflict: "contradicts" };
  const outcome = await saveKnowledge(on.memory, input, author);
  assert.equal(outcome.kind, "saved", JSON.stringify(outcome));
}

const CASES: readonly (readonly [string, Author, Author, flags: readonly (readonly string[])[]])[] =
  [
    ["the earlier statement", PERSON, PERSON, [[], ["contradicted"]]],
    ["what an agent said before a person", AGENT, PERSON, [[], ["contradicted"]]],
    ["both, where an agent speaks against a person", PERSON, AGENT, [["contradicted"], [
      "contradicted",
    ]]],
  ];

for (const [which, older, newer, flags] of CASES) {
  Deno.test(`recall and search mark ${which} as contradicted, and show the later one first`, async () => {
    using on = await corrected(older, newer);
    for (
      const items of [
        (await recallKnowledge(on.memory, ASKED)).items,
        (await searchMemory(on.memory, "npm run scripts of this project")).items,
      ]
    ) {
      assert.deepEqual(items.map(({ id }) => id), ["installing-packages-2", "installing-packages"]);
      assert.deepEqual(items.map((item) => item.flags), flags);
      assert.deepEqual(items[1]?.contradicted_by?.map(({ id, updated }) => [id, updated]), [
        ["installing-packages-2", "2026-01-14T14:30:00Z"],
      ]);
    }
  });
}

Deno.test("setting a key settles no contradiction and keeps a verification", async () => {
  using on = await corrected(PERSON, PERSON);
  const path = `${on.cwd}/.sage/knowledge/installing-packages.md`;
  const found = await findNote(on.memory, "installing-packages-2");
  assert.ok(found.kind === "one");
  await verifyKnowledge(on.memory, found.item, "", PERSON);
  for (const [author, value] of [[PERSON, ["build"]], [AGENT, ["build", "ci"]]] as const) {
    on.later(DAY);
    for (const ref of ["installing-packages", "installing-packages-2"]) {
      const patch = { kind: "set", key: "tags", value } as const;
      const outcome = await editKnowledge(on.memory, ref, { patch }, author);
      assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
    }
  }
  assert.match(read(path), /\nupdated: 2026-01-13T[^]*\ntags: \[build, ci\]\n/);
  const { items } = await recallKnowledge(on.memory, ASKED);
  assert.deepEqual(items.map(({ flags }) => flags), [[], ["contradicted"]]);
  assert.match(read(found.item.absolutePath), /\nverified:\n {2}by: person\n/);
});

Deno.test("setting a title changes the date of the note", async () => {
  using on = await corrected(PERSON, PERSON);
  on.later(DAY);
  const patch = { kind: "set", key: "title", value: "Installing packages with npm" } as const;
  const outcome = await editKnowledge(on.memory, "installing-packages", { patch }, PERSON);
  assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
  assert.match(
    read(`${on.cwd}/.sage/knowledge/installing-packages.md`),
    /\nupdated: 2026-01-15T/,
  );
});

Deno.test("listContradictions() takes what was verified for the later one, as recall does", async () => {
  using on = await corrected(PERSON, PERSON);
  const newest = async () =>
    (await listContradictions(on.memory)).items.map(({ newer }) => newer.id);
  assert.deepEqual(await newest(), ["installing-packages-2"]);
  on.later(DAY);
  const found = await findNote(on.memory, "installing-packages");
  assert.ok(found.kind === "one");
  await verifyKnowledge(on.memory, found.item, "", PERSON);
  assert.deepEqual(await newest(), ["installing-packages"]);
});

Deno.test("an untrusted note does not mark a person's note as contradicted", async () => {
  using on = await world();
  await knowledge(on.memory, "Installing packages", NPM, { scope: "user" });
  byHand(`${on.cwd}/.sage`, "knowledge/other.md", {
    id: "other",
    type: "knowledge",
    created: "2026-02-01T00:00:00Z",
    sources: "[{id: installing-packages, relation: contradicts}]",
  }, PNPM);
  const flags = async (): Promise<readonly string[] | undefined> => {
    const { items } = await searchMemory(await on.open(), "npm run scripts of this project");
    return items.find(({ id }) => id === "installing-packages")?.flags;
  };
  assert.deepEqual(await flags(), ["contradicted"]);
  recordTrust(on.memory.fs, on.memory.places.stateDir, `${on.cwd}/.sage`, "unknown");
  assert.deepEqual(await flags(), []);
});

Deno.test("recall shows a contradicted note only together with what contradicts it", async () => {
  using on = await world();
  await knowledge(on.memory, "Installing packages", NPM);
  on.later(DAY);
  await knowledge(on.memory, "Elm trees", "Elms lose their leaves in November.");
  const elm = `${on.cwd}/.sage/knowledge/elm-trees.md`;
  put(
    elm,
    read(elm).replace(
      "---\n\n",
      "sources: [{id: installing-packages, relation: contradicts}]\n---\n\n",
    ),
  );
  const ids = async (maxItems: number) =>
    (await recallKnowledge(on.memory, ASKED, { maxItems })).items.map(({ id }) => id);
  assert.deepEqual(await ids(3), ["elm-trees", "installing-packages"]);
  assert.deepEqual(await ids(1), ["elm-trees"]);
  put(elm, read(elm).replace("status: active", "status: archived"));
  assert.deepEqual(await ids(3), ["installing-packages"], "what was put away says nothing");
});

Deno.test("recall shows both of two notes with one id beside a contradicted note", async () => {
  using on = await corrected(PERSON, PERSON);
  const copy = "Installing packages on the build machine: there it is npm, by its image.";
  put(
    `${on.home}/.sage/knowledge/installing-packages.md`,
    `---\nid: installing-packages\ntype: knowledge\n---\n\n# Build machine\n\n${copy}\n`,
  );
  const asking = await on.open({ flags: { "retrieval.recall_threshold": "0" } });
  const { items } = await recallKnowledge(asking, ASKED, { maxItems: 9 });
  assert.equal(items.length, 3);
  assert.equal(new Set(items.map(({ path }) => path)).size, 3);
});

Deno.test("surface() and orient() say which note is in doubt, since when", async () => {
  using on = await corrected(PERSON, PERSON);
  const path = `${on.cwd}/.sage/knowledge/installing-packages.md`;
  put(path, read(path).replace("status: active", "status: active\npinned: true"));
  await refreshAll(on.memory);
  begin(on.memory, on);
  const surfacing = await surface(on.memory, SESSION, ASKED);
  const text = surfacing.kind === "shown" ? surfacing.text : "";
  assert.match(text, /pnpm, not npm[^]*contradicted by [0-9a-f]{8} of 2026-01-14[^]*We use npm/);
  const told = (await orient(on.memory, OTHER, "startup"))?.text ?? "";
  assert.match(told, /Pinned: "Installing packages".*, contradicted on 2026-01-14 by "Installing/);
});

Deno.test("saveKnowledge() asks if a text takes back what a note says, whatever the titles", async () => {
  using on = await world();
  await knowledge(on.memory, "Installing packages", NPM);
  const save = (content: string) => saveKnowledge(on.memory, { title: "pnpm", content }, AGENT);
  const outcome = await save(PNPM);
  assert.equal(outcome.kind, "conflict");
  assert.match(JSON.stringify(outcome), /this takes back what a note says/);
  assert.equal((await save("We use pnpm 9 with a frozen lockfile in CI.")).kind, "saved");
});

Deno.test("saveKnowledge() saves what is said of another one of a row", async () => {
  using on = await world();
  const save = async (n: number, points: number) =>
    (await saveKnowledge(
      on.memory,
      {
        title: `Sprint ${n} velocity`,
        content: `Sprint ${n} ended with ${points} points on a Friday.`,
      },
      AGENT,
    )).kind;
  assert.deepEqual([await save(14, 23), await save(15, 27)], ["saved", "saved"]);
  assert.equal(await save(15, 29), "conflict");
});

Deno.test("saveKnowledge() asks if a note says the same with another figure, whatever the titles", async () => {
  using on = await world();
  await knowledge(on.memory, "DHL", "DHL allows 60 requests per minute; more gets a 429.");
  const save = (content: string) =>
    saveKnowledge(on.memory, { title: "Carrier limits", content }, AGENT);
  const outcome = await save("DHL allows 100 requests per minute, since November.");
  assert.equal(outcome.kind, "conflict");
  assert.match(JSON.stringify(outcome), /a note says this with another figure/);
  assert.equal((await save("UPS allows 250 requests per minute.")).kind, "saved");
});

Deno.test("saveKnowledge() asks where the note that is taken back turned away from something itself", async () => {
  using on = await world();
  const sqlite = "Links are stored in SQLite, not Redis: links must never be lost.";
  await knowledge(on.memory, "Storage", sqlite);
  const content = "Links are stored in Postgres instead of SQLite: ops runs two machines.";
  const save = (onConflict?: "contradicts") =>
    saveKnowledge(on.memory, { title: "Postgres", content, ...defined({ onConflict }) }, AGENT);
  assert.equal((await save()).kind, "conflict");
  assert.equal((await save("contradicts")).kind, "saved");
  assert.equal((await save("contradicts")).kind, "duplicate");
});

Deno.test("saveKnowledge() asks where the reason for another way tells what broke again", async () => {
  using on = await world();
  await knowledge(on.memory, "Storage", "Links are stored in Redis.");
  const content = "Links are stored in Postgres instead of Redis, because Redis crashed again.";
  const outcome = await saveKnowledge(on.memory, { title: "Postgres", content }, AGENT);
  assert.match(JSON.stringify(outcome), /this takes back what a note says/);
});

Deno.test("saveKnowledge() asks nothing where a note says how things are not, or a document turns away", async () => {
  using on = await world();
  await knowledge(on.memory, "Installing packages", NPM);
  const save = (title: string, content: string) =>
    saveKnowledge(on.memory, { title, content }, AGENT);
  const aside = "The scripts of this project write no log. Without packages to install, npm waits.";
  assert.equal((await save("Scripts", aside)).kind, "saved");
  const document = `${"The runner caches what it built. ".repeat(12)}${PNPM}`;
  assert.equal((await save("The runner", document)).kind, "saved");
});

Deno.test("a note is marked as questioned while a change of it waits for the person", async () => {
  using on = await world();
  await knowledge(on.memory, "Installing packages", NPM);
  const input = { title: "pnpm", content: PNPM, subject: "preference" } as const;
  assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "proposed");
  assert.deepEqual(listQuestions(on.memory).map(({ against }) => against), ["installing-packages"]);
  const { items } = await recallKnowledge(on.memory, ASKED);
  assert.deepEqual(items.map(({ flags, questioned }) => [flags, questioned]), [
    [["questioned"], "2026-01-13T14:30:00Z"],
  ]);
});

/** Ends a session in which a person said that it is pnpm and not npm; returns its note. */
async function said(
  on: World,
  words = "No, we use pnpm, not npm, to install packages in this project.",
  memory = on.memory,
  session = SESSION,
): Promise<string> {
  begin(memory, on, { sessionId: session });
  const built = new TranscriptBuilder({ sessionId: session, startMs: NOW + DAY, bare: true })
    .user("The CI job fails at the install step, can you look at the workflow and fix it?")
    .assistant(
      "The workflow has no lock file. We use npm to run the install step, so I will add one.",
    )
    .user(words)
    .assistant("I changed the workflow to `pnpm install --frozen-lockfile`. The job passes now.");
  const transcript = await readTurns(memory, transcriptFile(on, built));
  assert.ok(transcript !== undefined);
  const end = { at: memory.now(), reason: "other" };
  assert.equal((await writeSessionNote(memory, session, transcript, end)).kind, "written");
  return read(readSession(memory, session)?.note?.path ?? "");
}

for (
  const words of [
    "we moved from npm to pnpm last week",
    "npm is no longer used here, run pnpm",
    "That's wrong. It's pnpm.",
  ]
) {
  Deno.test(`"${words}" marks the note that says npm as contradicted`, async () => {
    using on = await world({ hook: true });
    await knowledge(on.memory, "Installing packages", "We use npm to run the install step.");
    on.later(DAY);
    assert.match(await said(on, words), /takes back: “We use npm to run/);
    const { items } = await recallKnowledge(on.memory, ASKED);
    const doubted = items.find(({ type }) => type === "knowledge");
    assert.deepEqual(doubted?.flags, ["contradicted"]);
  });
}

Deno.test("a correction does not contradict notes by a word that half of all notes have", async () => {
  const claims = async (others: string): Promise<boolean> => {
    using on = await world({ hook: true });
    await knowledge(on.memory, "Where to work", "Before any change a task gets a session.");
    for (const thing of ["path", "branch", "owner", "log"]) {
      await knowledge(on.memory, `The ${thing}`, others.replace("$", thing));
    }
    on.later(DAY);
    const words = "for this task you changed the main copy, not the session";
    return /takes back: “Before/.test(await said(on, words));
  };
  assert.ok(!await claims("A task has a session with one $, which ends with it."));
  assert.ok(await claims("Somebody looks at the $ of the depot every day."));
});

Deno.test("a note that was reworded after a correction is not marked as contradicted", async () => {
  const words =
    "no, that's wrong. the staging database is reset every Wednesday at 06:00 UTC, not Monday.";
  const reset = (day: string): KnowledgeInput => ({
    title: "Staging database reset",
    content: `The staging database is reset every ${day} at 06:00 UTC; nothing lasts longer.`,
    onConflict: "update",
  });
  for (const isReworded of [true, false]) {
    using on = await world({ hook: true });
    await saveKnowledge(on.memory, reset("Monday"), PERSON);
    // After the words, which are of the day after.
    on.later(DAY + MINUTE);
    if (isReworded) {
      await readByAgent(on, "staging-database-reset");
      const outcome = await saveKnowledge(on.memory, reset("Wednesday"), AGENT);
      assert.equal(outcome.kind, "updated");
    }
    assert.equal(/takes back: “The staging/.test(await said(on, words)), !isReworded);
    const { items } = await recallKnowledge(on.memory, "when is the staging database reset?");
    const note = items.find(({ type }) => type === "knowledge");
    assert.deepEqual(note?.flags, isReworded ? [] : ["contradicted"]);
  }
});

Deno.test("in a vault a correction contradicts the note that its link leads to", async () => {
  using on = await world({ hook: true });
  await knowledge(on.memory, "Installing packages", NPM);
  await intoVault(on);
  on.later(DAY);
  const memory = await on.open({ hook: true });
  const path = `${vaultOf(on)}/Sage/projects/project/knowledge/Installing packages.md`;
  const before = read(path);
  assert.match(
    await said(on, undefined, memory),
    /takes back: “We use npm.*\[\[Sage\/projects\/project\/knowledge\/Installing packages\|Installing packages\]\]/,
  );
  const { items } = await recallKnowledge(await on.open(), ASKED);
  const doubted = items.find(({ type }) => type === "knowledge");
  assert.deepEqual(doubted?.flags, ["contradicted"]);
  assert.equal(read(path), before, "the note itself stays as it is");
});

Deno.test("a note that a person contradicts in a session is marked from its end until it is verified", async () => {
  using on = await world({ hook: true });
  await knowledge(on.memory, "Installing packages", NPM);
  on.later(DAY);
  await said(on);
  const { items } = await recallKnowledge(on.memory, ASKED);
  assert.deepEqual(items.map(({ type, flags }) => [type, flags]), [
    ["session", []],
    ["knowledge", ["contradicted"]],
  ]);
  assert.match(items[0]?.text ?? "", /^We use pnpm, not npm.*\(takes back: “We use npm to install/);

  on.later(DAY);
  const found = await findNote(on.memory, "installing-packages");
  assert.ok(found.kind === "one");
  await verifyKnowledge(on.memory, found.item, "", PERSON);
  const after = (await recallKnowledge(on.memory, ASKED)).items;
  assert.deepEqual(after.map(({ type, flags }) => [type, flags]), [["knowledge", []]]);
});

Deno.test("a session that repeats what another took back marks the note anew only if that was settled", async () => {
  using on = await world({ hook: true });
  await knowledge(on.memory, "Installing packages", NPM);
  const asks = async (session: string, words: string): Promise<boolean> => {
    on.later(DAY);
    return /takes back: “We use npm/.test(await said(on, words, on.memory, session));
  };
  const words = "No, we use pnpm, not npm, to install packages in this project.";
  assert.ok(await asks(SESSION, words));
  assert.ok(!await asks(OTHER, "As ever, we use pnpm, not npm, to install packages here."));
  const doubted = contradictingNotes(on.memory, [{ id: "installing-packages" }]);
  assert.equal(doubted.get("installing-packages")?.length, 1);
  assert.ok(await asks("44444444-0000-4000-8000-000000000004", words.replace("pnpm", "yarn")));

  on.later(DAY);
  const found = await findNote(on.memory, "installing-packages");
  assert.ok(found.kind === "one");
  await verifyKnowledge(on.memory, found.item, "", PERSON);
  assert.ok(await asks("33333333-0000-4000-8000-000000000003", words));
});

Deno.test("a correction is shown with the sentence that names its subject", async () => {
  for (const words of ["That's wrong. It's pnpm.", "That's wrong, it's pnpm."]) {
    using on = await world({ hook: true });
    await knowledge(on.memory, "Installing packages", "We use npm to run the install step.");
    on.later(DAY);
    const note = await said(on, words);
    assert.ok(note.includes(`- ${words} (takes back: “We use npm`), note);
  }
});

Deno.test("a correction of something that no note says marks no note", async () => {
  using on = await world({ hook: true });
  await knowledge(on.memory, "Herons", "They stand in the reeds.");
  const note = await said(on, "That's wrong. It's pnpm.");
  assert.ok(note.includes("pnpm") && !note.includes("takes back"), note);
});

Deno.test("a project's session note quotes nothing from the person's own notes", async () => {
  using on = await world({ hook: true });
  await knowledge(on.memory, "Installing packages", NPM, { scope: "user" });
  await knowledge(on.memory, "Installing tools", "We use npm to install packages of tools too.");
  on.later(DAY);
  const note = await said(on);
  assert.match(note, /takes back: “We use npm to install packages of tools/);
  assert.ok(!note.includes(NPM));
});
