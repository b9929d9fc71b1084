/** Any file becomes a note: old layouts, hand-written ones, broken ones. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readCheckpoint } from "../../src/note/checkpoint.ts";
import { readKnowledge } from "../../src/note/knowledge.ts";
import { kindOfPath } from "../../src/note/note.ts";
import { parseNote } from "../../src/note/parse.ts";
import { readTodo } from "../../src/note/todo.ts";
import { depth } from "../support/depth.ts";
import { anyYaml } from "../support/yaml_texts.ts";

Deno.test("parseNote() takes id, kind and title from the path when the file says nothing", async () => {
  const note = await parseNote("Just text.\n", "knowledge/Git Worktrees.md");
  assert.deepEqual([note.id, note.kind, note.title], [
    "Git-Worktrees",
    "knowledge",
    "Git Worktrees",
  ]);
  assert.deepEqual([note.created, note.updated, note.status], ["", "", "active"]);
  const cases: [string, string][] = [
    ["a.md", "note"],
    ["vault/Sage/projects/p/todos/a.md", "todo"],
    ["archive/checkpoints/a.md", "checkpoint"],
    ["knowledge/skills/rust/a.md", "knowledge"],
    ["__proto__/constructor/a.md", "note"],
  ];
  for (const [path, kind] of cases) assert.equal((await parseNote("", path)).kind, kind, path);
});

Deno.test("parseNote() doubts a note in which git's marks of a conflict stand", async () => {
  const sides = "<<<<<<< HEAD\nOn one leg.\n=======\nOn two legs.\n>>>>>>> side";
  const head = "---\nid: h1\ntags: [birds]\n---\n# Herons\n\n";
  for (const eol of ["\n", "\r\n"]) {
    const text = `${head}Herons stand.\n${sides}\n`.replaceAll("\n", eol);
    const { id, tags, title, body, problem } = await parseNote(text, "knowledge/h.md");
    assert.deepEqual([id, tags, title, problem?.line, problem?.column], [
      ...["h1", ["birds"], "Herons", 8, 1],
    ]);
    assert.match(problem?.reason ?? "", /two versions of one place/);
    assert.ok(!body.includes("tags:"));
  }
  for (
    const shown of [
      `\`\`\`\n${sides}\n\`\`\``,
      "An arrow: <<<<<<< is none.\n\n<<<<<<< HEAD begins one, ======= parts it.",
      sides.replaceAll(/^/gm, "    "),
    ]
  ) {
    assert.equal((await parseNote(head + shown, "knowledge/h.md")).problem, undefined, shown);
  }
});

Deno.test("parseNote() gives an id for every stem", async () => {
  for (
    const stem of ["", " ", "-a", "..", "a b", "a:b?*", "x".repeat(400), "漢字", "a\u0000b", "#"]
  ) {
    const { id } = await parseNote("", `knowledge/${stem}.md`);
    assert.match(id, /^[^\s\/\\:*?"<>|#^[\]]{1,160}$/u);
  }
});

Deno.test("parseNote() reads the forms of earlier layouts", async () => {
  const tabula = await parseNote(
    "---\ntype: entity\nts: 2026-01-13\ntags: '#a, b'\n---\n# T\n",
    "x/a.md",
  );
  assert.deepEqual(
    [tabula.kind, tabula.created, tabula.updated, tabula.tags, tabula.title],
    ["knowledge", "2026-01-13T00:00:00Z", "2026-01-13T00:00:00Z", ["a", "b"], "T"],
  );
  assert.equal(readKnowledge(tabula).subject, "entity");
  const old = await parseNote(
    "---\ntype: checkpoint\ntimestamp: 2026-01-13T15:30:00+01:00\ntrigger: explicit\n" +
      "core_question: What?\nthesis: That.\nconfidence: 0.75\nkey_evidence:\n  - one\n  - two\n" +
      "sources:\n  - dune\n  - checkpoint: other\ntoken_count: 287\n---\n",
    "checkpoints/a.md",
  );
  assert.equal(old.created, "2026-01-13T14:30:00Z");
  const read = readCheckpoint(old);
  assert.deepEqual(
    [read.trigger, read.coreQuestion, read.thesis, read.confidence, read.keyEvidence, read.tokens],
    ["manual", "What?", "That.", 0.75, ["one", "two"], 287],
  );
  assert.deepEqual(read.sources, [{ id: "dune", relation: "" }, {
    id: "other",
    relation: "checkpoint",
  }]);
});

Deno.test("parseNote() prefers the file to the fallback, and the fallback to nothing", async () => {
  const fallback = { created: "2020-01-01T00:00:00Z", updated: "2021-01-01T00:00:00Z" };
  const bare = await parseNote("x", "a.md", fallback);
  assert.deepEqual([bare.created, bare.updated], [fallback.created, fallback.updated]);
  const dated = await parseNote("---\ncreated: 2026-01-13\nupdated: soon\n---\n", "a.md", fallback);
  assert.deepEqual([dated.created, dated.updated], ["2026-01-13T00:00:00Z", fallback.updated]);
});

Deno.test("parseNote() takes a todo's states for those of todos alone", async () => {
  const status = async (kind: string, said: string) =>
    (await parseNote(`---\ntype: ${kind}\nstatus: ${said}\n---\n# x\n`, "x.md")).status;
  for (const said of ["done", "In Progress", "todo", "blocked"]) {
    for (const kind of ["knowledge", "topic", "checkpoint", "session"]) {
      assert.equal(await status(kind, said), "active", `${kind} ${said}`);
    }
    assert.notEqual(await status("todo", said), "active");
  }
  for (const said of ["draft", "archived"]) assert.equal(await status("knowledge", said), said);
});

Deno.test("parseNote() takes no word for a status that only a program knows", async () => {
  for (const status of ["constructor", "__proto__", "toString"]) {
    assert.equal((await parseNote(`---\nstatus: ${status}\n---\n`, "a.md")).status, "active");
  }
});

Deno.test("parseNote() keeps unknown keys in order and takes the first heading outside code", async () => {
  const note = await parseNote(
    "\ufeff---\r\nz: 1\r\ncssclasses: [wide]\r\na: 2\r\nstatus: In Progress\r\npinned: yes\r\n---\r\n" +
      "```\r\n# no\r\n```\r\n## sub\r\n# Title \r\n",
    "todos/a.md",
  );
  assert.deepEqual([...note.front.keys()], ["z", "cssclasses", "a", "status", "pinned"]);
  assert.deepEqual([note.title, note.status, note.pinned], ["Title", "in_progress", true]);
});

Deno.test("parseNote() takes what a key can hold, and nothing else that stands there", async () => {
  const { id, project, tags, aliases, title } = await parseNote(
    '---\nid: " a "\nproject: {b: c}\ntags: [x, {y: z}, " x "]\naliases: a, b ,\n---\n#\n# T\n',
    "knowledge/n.MARKDOWN",
  );
  assert.deepEqual([id, project, tags, aliases, title], ["a", undefined, ["x"], ["a", "b"], "T"]);
  assert.equal((await parseNote("", "knowledge/n.MARKDOWN")).id, "n");
});

Deno.test("readKnowledge() takes the last section called History for the history, and no deeper one", async () => {
  const history = "\n## History\n\n- 2026-01-02: made\n";
  const text = "Since 1996.\n\n## History\n\nOld.\n\n### History\n\nOlder.";
  const read = readKnowledge(await parseNote(`# Locks\n\n${text}\n${history}`, "knowledge/a.md"));
  assert.deepEqual(read.history, [{ date: "2026-01-02", reason: "made" }]);
  assert.equal(read.content, text);
  const deep = `# Locks\n\nText.\n\n### History\n\nOld.\n`;
  assert.deepEqual(readKnowledge(await parseNote(deep, "knowledge/a.md")).history, []);
});

Deno.test("parseNote() says what is wrong and keeps the text searchable", async () => {
  const note = await parseNote("---\ntitle: [x\n---\nbody words\n", "todos/a.md");
  assert.deepEqual([note.kind, note.id, note.problem?.line], ["todo", "a", 2]);
  assert.match(note.body, /title: \[x[^]*body words/);
  const open = await parseNote("---\ntitle: x\nbody words\n", "todos/a.md");
  assert.match(open.problem?.reason ?? "", /no closing line/);
  assert.match(open.body, /body words/);
});

Deno.test("parseNote() never throws", async () => {
  const text = fc.oneof(
    anyYaml.map((front) => `---\n${front}\n---\n# T`),
    fc.string({ unit: "binary", maxLength: 80 }),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.string({ unit: "binary", maxLength: 20 }), async (file, path) => {
      const note = await parseNote(file, path);
      assert.notEqual(note.id, "");
      readCheckpoint(note);
      readKnowledge(note);
      readTodo(note);
    }),
    { numRuns: depth(1000, 50_000) },
  );
});

Deno.test("readCheckpoint() forgives what people do to a file", async () => {
  const body = [
    "# Locks",
    "",
    "## core question:",
    "Which lock?",
    "## **Thesis**",
    "",
    "flock.",
    "### Why",
    "It is freed.",
    "## KEY EVIDENCE",
    "* one",
    "  more of one",
    "* two",
    "",
    "+ three",
    "## Open Questions",
    "1. first",
    "2) second",
    "   still second",
    "",
    "A paragraph",
    "of two lines.",
    "",
    "Another.",
    "## Sources",
    "- [[note-a|A]] (supports)",
    "- src/lock.ts",
  ];
  for (const eol of ["\n", "\r\n"]) {
    const note = await parseNote(body.join(eol), "checkpoints/a.md");
    const read = readCheckpoint(note);
    assert.equal(read.coreQuestion, "Which lock?");
    assert.equal(read.thesis, "flock.\n### Why\nIt is freed.");
    assert.deepEqual(read.keyEvidence, ["one\nmore of one", "two", "three"]);
    assert.deepEqual(read.openQuestions, [
      "first",
      "second\nstill second",
      "A paragraph\nof two lines.",
      "Another.",
    ]);
    assert.deepEqual(read.sources, [
      { id: "note-a", relation: "supports" },
      { id: "src/lock.ts", relation: "" },
    ]);
    assert.deepEqual([read.tensions, read.reasoningTrace, read.confidence], [[], "", 0]);
  }
});

Deno.test("a todo that was cancelled is on no list of what is to be done", async () => {
  for (const status of ["cancelled", "Canceled", "done"]) {
    const note = await parseNote(`---\ntype: todo\nstatus: ${status}\n---\n# x\n`, "todos/x.md");
    assert.equal(note.status, "done");
  }
});

Deno.test("kindOfPath() goes by the nearest folder", () => {
  assert.equal(kindOfPath("knowledge/skills/x/a.md"), "knowledge");
  assert.equal(kindOfPath("local/todos/a.md"), "todo");
  assert.equal(kindOfPath("topics/knowledge/a.md"), "knowledge");
  assert.equal(kindOfPath("archive/a.md"), "note");
});
