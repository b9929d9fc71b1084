/** What may be written, and what is said of what may not. */
import assert from "node:assert/strict";
import { SESSION_BYTES_MAX, SESSION_NOTES_MAX } from "../../src/base/limits.ts";
import { branchCheckpoint } from "../../src/memory/checkpoint/branch.ts";
import { loadCheckpoint } from "../../src/memory/checkpoint/load.ts";
import { saveCheckpoint } from "../../src/memory/checkpoint/save.ts";
import { findNote } from "../../src/memory/find.ts";
import { sentencesIn } from "../../src/memory/write/forgotten.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { readSession } from "../../src/memory/session/state/state.ts";
import { addTodo, setTodo } from "../../src/memory/todo.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import {
  AGENT,
  begin,
  byHand,
  checkpoint,
  draft,
  knowledge,
  MINUTE,
  OTHER,
  PERSON,
  placesOf,
  put,
  read,
  SAGE,
  SESSION,
  world,
} from "../support/world.ts";

const SECRET = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(7)) ??
  { text: "", secret: "" };

Deno.test("saveCheckpoint() is on the disk under its id, short id and scope when it returns", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory);
  const text = read(saved.path);
  assert.ok(saved.path.startsWith(`${on.cwd}/.sage/checkpoints/2026-01-13T14-30-00_git-shares-`));
  assert.match(
    text,
    new RegExp(`^---\nid: ${saved.id}\ntype: checkpoint\ncreated: 2026-01-13T14:30:00Z`),
  );
  assert.match(text, /\n {2}by: person\n/);
  assert.match(saved.short_id, /^[0-9a-f]{8}$/);
  assert.equal(saved.scope, "project");
});

Deno.test("saveCheckpoint() keeps in its text what a long title loses, once", async () => {
  using on = await world();
  const title =
    "Why the importer writes every row twice, and which of the two rows the report of " +
    "the last quarter has counted";
  const saved = await checkpoint(on.memory, { title, reasoningTrace: "The log says so." });
  const text = read(saved.path);
  assert.match(
    text,
    /^# Why the importer writes every row twice, and which of the two rows the report…$/m,
  );
  assert.ok(text.includes(`## Reasoning Trace\n\n${title}\n\nThe log says so.\n`), text);
  on.later(MINUTE);
  const said = await checkpoint(on.memory, {
    title,
    thesis: `It is known ${title.toLowerCase()}.`,
  });
  assert.doesNotMatch(read(said.path), /## Reasoning Trace\n\nWhy/);
});

Deno.test("saveCheckpoint() keeps a given title to its last sign, and says it once", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, { title: "The cache holds ten pages." });
  const text = read(saved.path);
  assert.match(text, /^# The cache holds ten pages\.$/m);
  assert.equal(text.split("The cache holds ten pages.").length, 2);
});

Deno.test("branchCheckpoint() says that it is one, behind a title of any length", async () => {
  using on = await world();
  const title = "The nightly export asks for each customer of each row of each file that it has";
  const saved = await checkpoint(on.memory, { title });
  const found = await findNote(on.memory, saved.id, ["checkpoint"]);
  assert.ok(found.kind === "one");
  const branch = await branchCheckpoint(on.memory, found.item, PERSON);
  assert.ok(branch.kind === "saved");
  assert.match(branch.title, /^The nightly export [^…]*… \(branch\)$/);
  assert.equal(read(branch.path).split("(branch)").length, 2);
});

Deno.test("saveCheckpoint() goes to the user's store, with the project's id, when there is no other", async () => {
  using on = await world({ project: "none" });
  const saved = await checkpoint(on.memory);
  assert.equal(saved.scope, "user");
  assert.ok(saved.path.startsWith(`${on.home}/.sage/checkpoints/`));
  assert.match(
    read(saved.path),
    new RegExp(`\nproject: ${on.memory.places.projectId}\n`),
  );
});

Deno.test("saveCheckpoint() refuses a secret with field, rule and line, never the value", async () => {
  using on = await world();
  const keyEvidence = ["harmless", `first line\n${SECRET.text}`];
  const outcome = await saveCheckpoint(on.memory, draft({ keyEvidence }), AGENT);
  assert.ok(outcome.kind === "refused", outcome.kind);
  assert.deepEqual(outcome.findings.map(({ field, line }) => [field, line]), [[
    "keyEvidence[1]",
    2,
  ]]);
  assert.match(outcome.findings[0]?.rule ?? "", /^[\w.@/-]+$/);
  assert.ok(!JSON.stringify(outcome).includes(SECRET.secret));
  assert.deepEqual(placesOf(on, SECRET.secret), []);
  assert.deepEqual(placesOf(on, "harmless"), []);
});

Deno.test("saveCheckpoint() names the line as it was written, private text above it counted", async () => {
  using on = await world();
  const keyEvidence = [`one\n<private>\na\nb\n</private>\n${SECRET.text}`];
  const outcome = await saveCheckpoint(on.memory, draft({ keyEvidence }), AGENT);
  assert.ok(outcome.kind === "refused", outcome.kind);
  assert.deepEqual(outcome.findings.map(({ line }) => line), [6]);
});

Deno.test("every explicit save refuses a secret in every one of its fields", async () => {
  using on = await world();
  const { text } = SECRET;
  const fields = ["title", "coreQuestion", "thesis", "reasoningTrace", "nextStep"] as const;
  for (const field of fields) {
    const outcome = await saveCheckpoint(on.memory, draft({ [field]: text }), PERSON);
    assert.equal(outcome.kind, "refused", field);
  }
  for (const field of ["openQuestions", "tensions", "decisions"] as const) {
    const outcome = await saveCheckpoint(on.memory, draft({ [field]: [text] }), PERSON);
    assert.equal(outcome.kind, "refused", field);
  }
  const id = SECRET.secret;
  const sources = [{ id, relation: "informs" }];
  for (const parts of [{ skill: id }, { parent: id }, { sources }]) {
    const outcome = await saveCheckpoint(on.memory, draft(parts), PERSON);
    assert.equal(outcome.kind, "refused", Object.keys(parts)[0]);
  }
  const known = { title: "How to sign in", content: "With the key from the vault." };
  for (
    const parts of [
      { title: text },
      { content: text },
      { keywords: [text] },
      { tags: [text] },
      { skills: [id] },
      { patterns: [id] },
      { sources },
      { id },
    ]
  ) {
    const outcome = await saveKnowledge(on.memory, { ...known, ...parts }, AGENT);
    assert.equal(outcome.kind, "refused", Object.keys(parts)[0]);
  }
  const todo = { content: "renew it" };
  for (const parts of [{ content: text }, { context: text }, { due: id }, { source: id }]) {
    const outcome = await addTodo(on.memory, { ...todo, ...parts }, AGENT);
    assert.equal(outcome.kind, "refused", Object.keys(parts)[0]);
  }
  assert.equal((await addTodo(on.memory, todo, AGENT)).kind, "saved");
  for (const parts of [{ due: id }, { priority: id }]) {
    const outcome = await setTodo(on.memory, "renew-it", parts, PERSON);
    assert.equal(outcome.kind, "refused", Object.keys(parts)[0]);
  }
  assert.deepEqual(placesOf(on, SECRET.secret), []);
});

Deno.test("saveCheckpoint() redacts what Sage saves by itself, and counts it", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, {
    thesis: `Signing in with ${SECRET.text} works from the second try on, measured twice today.`,
    keyEvidence: [SECRET.text],
  }, SAGE);
  assert.equal(saved.redactions, 2);
  assert.match(read(saved.path), /\[redacted:[\w.@/-]+\]/);
  assert.deepEqual(placesOf(on, SECRET.secret), []);
});

Deno.test("saveCheckpoint() by itself saves nothing that loads by being looked at", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, {
    thesis: "The page ![shows](https://x.io/p.png) how the import goes, row by row, until it ends.",
  }, SAGE);
  assert.match(read(saved.path), /page \\!\[shows\]/);
});

Deno.test("a forgotten sentence is recognised in upper and lower case and after Sage's own marks", () => {
  const sentence = "Every door opens at nine.";
  const known = sentencesIn(sentence);
  assert.equal(known.length, 1);
  for (const said of [`→ ${sentence}`, `- ${sentence.toUpperCase()}`, `— then: ${sentence}`]) {
    assert.deepEqual(sentencesIn(said), known, said);
  }
  assert.deepEqual(sentencesIn("A door opens at nine."), []);
});

Deno.test("saveCheckpoint() names no branch that holds a secret", async () => {
  using on = await world();
  put(`${on.cwd}/.git/HEAD`, `ref: refs/heads/try-${SECRET.secret}\n`);
  const saved = await checkpoint(await on.open());
  assert.match(read(saved.path), /branch: .*redacted:/);
  assert.deepEqual(placesOf(on, SECRET.secret).filter((path) => !path.endsWith(".git/HEAD")), []);
});

Deno.test("saveCheckpoint() drops private text from the note, its name, the index and the log", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, {
    title: "Plan <private>zanzibar</private> of the year",
    thesis:
      "The plan holds <PRIVATE id=1>zanzibar again</PRIVATE> for the whole of the coming year.",
    keyEvidence: ["<private>zanzibar and nothing else</private>", "a fact"],
    openQuestions: ["never closed <private> zanzibar"],
  });
  assert.deepEqual(placesOf(on, "zanzibar"), []);
  assert.equal(saved.title, "Plan of the year");
  assert.match(read(saved.path), /## Key Evidence\n\n- a fact\n/);
});

Deno.test("every explicit save refuses a private part that begins in one field and ends in another", async () => {
  using on = await world();
  const torn: [Parameters<typeof draft>[0], string, number][] = [
    [{ keyEvidence: ["<private>", "zanzibar", "</private>"] }, "keyEvidence[0]", 1],
    [{ title: "Plan <private>", thesis: "zanzibar\n</private> holds" }, "thesis", 2],
    [{ thesis: "It holds <private>", reasoningTrace: "zanzibar</private>" }, "reasoningTrace", 1],
    [{ title: "Plan <private>", thesis: "zanzibar holds" }, "title", 1],
  ];
  for (const [parts, field, line] of torn) {
    const outcome = await saveCheckpoint(on.memory, draft(parts), AGENT);
    assert.ok(outcome.kind === "refused", JSON.stringify(parts));
    assert.deepEqual(
      outcome.findings.filter((one) => one.field === field),
      [{ field, rule: "torn-private-tag", line }],
    );
  }
  const split = { title: "Plan", content: "open <private>", context: "zanzibar </private>" };
  assert.equal((await addTodo(on.memory, split, PERSON)).kind, "refused");
  assert.equal((await saveKnowledge(on.memory, split, AGENT)).kind, "refused");
  assert.deepEqual(placesOf(on, "zanzibar"), []);
});

Deno.test("saveCheckpoint() is thin when everything said was private", async () => {
  using on = await world();
  const thesis = "<private>all of it</private>";
  const outcome = await saveCheckpoint(on.memory, draft({ thesis }), PERSON);
  assert.deepEqual(outcome, { kind: "thin", missing: ["thesis"] });
  const manual = draft({ coreQuestion: "", trigger: "manual" });
  assert.equal((await saveCheckpoint(on.memory, manual, PERSON)).kind, "saved");
});

Deno.test("saveCheckpoint() leaves forgotten sentences out of what Sage saves by itself", async () => {
  using on = await world();
  const sentence = "The quetzal service keeps its sessions in a table without an index.";
  const saved = await checkpoint(on.memory, { thesis: sentence });
  await forget(on.memory, saved.id);
  const again = await checkpoint(on.memory, {
    thesis: `Streaming is cheaper than collecting. ${sentence.toUpperCase()} So we stream.`,
    keyEvidence: [`- ${sentence}`, "measured at 40 MB"],
  }, SAGE);
  const text = read(again.path);
  assert.ok(!/quetzal/i.test(text), text);
  assert.match(text, /Streaming is cheaper than collecting\. So we stream\./);
});

Deno.test("saveCheckpoint() says that it was forgotten when the same file would come back", async () => {
  using on = await world();
  const saved = await checkpoint(on.memory, {}, AGENT);
  await forget(on.memory, saved.id);
  const again = await saveCheckpoint(on.memory, draft(), AGENT);
  assert.deepEqual(again, { kind: "forgotten", id: saved.id });
});

Deno.test("an agent writes at most twenty notes in a session, a person as many as they like", async () => {
  using on = await world();
  const { id } = await knowledge(on.memory, "Steps", "There are some.", {}, AGENT);
  for (let n = 1; n < SESSION_NOTES_MAX; n++) {
    assert.equal((await addTodo(on.memory, { content: `step ${n}` }, AGENT)).kind, "saved");
  }
  const more = { title: "Steps", content: "There are twenty.", id };
  assert.equal((await saveKnowledge(on.memory, more, AGENT)).kind, "updated", "no new note");
  const over = await addTodo(on.memory, { content: "one more" }, AGENT);
  assert.ok(over.kind === "over_cap" && /20 notes/.test(over.reason), JSON.stringify(over));
  assert.equal((await addTodo(on.memory, { content: "mine" }, PERSON)).kind, "saved");
  const other = { ...AGENT, session: OTHER };
  assert.equal((await addTodo(on.memory, { content: "another session" }, other)).kind, "saved");
});

Deno.test("where a client names no session, the same limit holds for its process", async () => {
  using on = await world();
  const unnamed = { by: "agent", explicit: true } as const;
  const kinds = new Set<string>();
  for (let n = 0; n <= SESSION_NOTES_MAX; n++) {
    kinds.add((await addTodo(on.memory, { content: `unnamed step ${n}` }, unnamed)).kind);
  }
  assert.deepEqual([...kinds], ["saved", "over_cap"]);
});

Deno.test("an agent writes at most 64 KiB in a session, updates included", async () => {
  using on = await world();
  const text = (word: string) => `${word} is told at length here. `.repeat(700);
  const first = await saveKnowledge(on.memory, { title: "One", content: text("one") }, AGENT);
  assert.ok(first.kind === "saved");
  const update = { title: "One", content: text("two"), id: first.id };
  assert.equal((await saveKnowledge(on.memory, update, AGENT)).kind, "updated");
  const written = readSession(on.memory, SESSION)?.bytesWritten ?? 0;
  assert.ok(written > SESSION_BYTES_MAX / 2, String(written));
  for (let n = 0; n < 6; n++) {
    const next = { ...update, content: text(`number ${n}`) };
    const outcome = await saveKnowledge(on.memory, next, AGENT);
    if (outcome.kind === "over_cap") return;
  }
  assert.fail("the cap was never reached");
});

Deno.test("what Sage saves by itself is neither counted nor limited", async () => {
  using on = await world();
  begin(on.memory, on);
  for (let n = 0; n < SESSION_NOTES_MAX; n++) {
    await addTodo(on.memory, { content: `s ${n}` }, AGENT);
  }
  await checkpoint(on.memory, {}, SAGE);
});

Deno.test("saveCheckpoint() fails when the note reads back differently, and says where to look", async () => {
  using on = await world();
  const { fs } = on.memory;
  const broken = await on.open({
    fs: {
      ...fs,
      // A disk that loses the last byte of everything it is given.
      link(from, to) {
        put(from, read(from).slice(0, -1));
        fs.link(from, to);
      },
    },
  });
  await assert.rejects(saveCheckpoint(broken, draft(), PERSON), /reads back differently/);
});

Deno.test("saveCheckpoint() is told as saved even when nothing beside the note can be written", async () => {
  using on = await world();
  begin(on.memory, on);
  const { fs } = on.memory;
  const deaf = await on.open({
    fs: {
      ...fs,
      open(path, options) {
        const isState = path.includes("/state/") &&
          (options.write === true || options.append === true);
        if (isState) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        return fs.open(path, options);
      },
    },
  });
  const outcome = await saveCheckpoint(deaf, draft(), AGENT);
  assert.equal(outcome.kind, "saved");
});

Deno.test("saveCheckpoint() saves nothing by itself in a project that is excluded", async () => {
  using on = await world();
  put(`${on.home}/.sage/.sageignore`, `${on.cwd}\n`);
  const outcome = await saveCheckpoint(on.memory, draft(), SAGE);
  assert.equal(outcome.kind, "excluded");
  assert.equal((await saveCheckpoint(on.memory, draft(), PERSON)).kind, "saved");
});

Deno.test("saveCheckpoint() links to the checkpoint before it, in the same session", async () => {
  using on = await world();
  const first = await checkpoint(on.memory, {}, AGENT);
  on.later(60_000);
  const second = await checkpoint(on.memory, {
    thesis: "Now it is clear that the hooks path decides alone.",
  }, AGENT);
  assert.match(read(second.path), new RegExp(`\nparent: ${first.id}\n`));
  assert.equal(readSession(on.memory, SESSION)?.lastSave?.id, second.id);
  assert.doesNotMatch(read(first.path), /\nparent:/);
});

Deno.test("a session's first checkpoint goes on from the one that it loaded, if it loaded one alone", async () => {
  using on = await world();
  const [first, second] = [
    await checkpoint(on.memory),
    await checkpoint(on.memory, { thesis: "The importer stalls on rows without a date." }),
  ];
  const memory = await on.open({ session: SESSION });
  begin(memory, on);
  const parentOf = async (thesis: string): Promise<string | undefined> =>
    /^parent: (.*)$/m.exec(
      read((await checkpoint(memory, { session: SESSION, thesis }, AGENT)).path),
    )
      ?.[1];
  await loadCheckpoint(memory, { recent: 2 });
  assert.equal(readSession(memory, SESSION)?.restored, undefined);
  await loadCheckpoint(memory, { ref: first.id });
  assert.equal(await parentOf("Bees dance to say where the nectar is."), first.id);
  await loadCheckpoint(memory, { ref: second.id });
  assert.notEqual(await parentOf("Rye bread needs a sourdough of three days."), second.id);
});

Deno.test("two saves of one title in one second get two names", async () => {
  using on = await world();
  const [a, b] = [await checkpoint(on.memory), await checkpoint(on.memory)];
  assert.notEqual(a.id, b.id);
  assert.equal(b.id, `${a.id}-2`);
  const known = await knowledge(on.memory, "A fact", "Water is wet.");
  assert.equal(known.id, "a-fact");
});

Deno.test("saveCheckpoint() takes the short id that lists print as its parent", async () => {
  using on = await world();
  const first = await checkpoint(on.memory);
  const thesis = "A hook path may be set for each worktree, which changes the answer.";
  const second = await checkpoint(on.memory, { thesis, parent: first.short_id });
  assert.match(read(second.path), new RegExp(`\nparent: ${first.id}\n`));
  assert.equal(second.unlinked, undefined);
  const thesis3 = "By the beginning of its id.";
  const third = await checkpoint(on.memory, { thesis: thesis3, parent: second.id.slice(0, -2) });
  assert.match(read(third.path), new RegExp(`\nparent: ${second.id}\n`));
});

Deno.test("saveCheckpoint() keeps a parent that names nothing here, and says so", async () => {
  using on = await world();
  for (const parent of ["deadbeef", "2025-01-01T00-00-00_of-another-clone"]) {
    const lost = await checkpoint(on.memory, { thesis: `Not here: ${parent}.`, parent });
    assert.match(read(lost.path), new RegExp(`\nparent: ${parent}\n`));
    assert.equal(lost.unlinked, `no checkpoint here is called "${parent}"`);
  }
});

Deno.test("a project's checkpoint names no note of the person's own store", async () => {
  using on = await world();
  begin(on.memory, on);
  const shared = await knowledge(on.memory, "Importer rows", "The importer reads 100 rows.");
  const mine = await knowledge(on.memory, "Zanzibar salary", "It is paid in May.", {
    scope: "user",
  });
  const local = byHand(
    `${on.cwd}/.sage`,
    "local/knowledge/zanzibar-plan.md",
    { id: "zanzibar-plan", type: "knowledge" },
    "# Zanzibar plan\n\nIt is for me.",
  );
  await searchMemory(on.memory, "importer");
  const other = await checkpoint(await on.open({ cwd: on.home }), { title: "Zanzibar talk" });
  assert.equal(other.scope, "user");
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    restored: other.id,
    shown: { [shared.id]: "", [mine.id]: "", "zanzibar-plan": "" },
  }));
  const saved = await checkpoint(on.memory, {}, AGENT);
  const text = read(saved.path);
  assert.match(text, /\nrecalled: ?\n? *-? ?\[?importer-rows/);
  assert.doesNotMatch(text, /zanzibar|parent:/i);
  assert.deepEqual(placesOf(on, "zanzibar").filter((path) => path.startsWith(on.cwd)), [local]);
});
