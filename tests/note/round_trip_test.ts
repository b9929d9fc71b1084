/** What is saved is read back, whatever the text: headings, fences, rules, bullets, odd characters. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readSimpleYaml } from "../../src/base/yaml/simple.ts";
import {
  type CheckpointDraft,
  readCheckpoint,
  renderCheckpoint,
  TRIGGERS,
} from "../../src/note/checkpoint.ts";
import { splitFrontMatter } from "../../src/note/front_matter.ts";
import {
  addHistory,
  type KnowledgeDraft,
  readKnowledge,
  renderKnowledge,
} from "../../src/note/knowledge.ts";
import type { Note } from "../../src/note/note.ts";
import { parseNote } from "../../src/note/parse.ts";
import { readSession, renderSession, type SessionDraft } from "../../src/note/session.ts";
import {
  PRIORITIES,
  readTodo,
  renderTodo,
  TODO_STATUSES,
  type TodoDraft,
} from "../../src/note/todo.ts";
import { depth } from "../support/depth.ts";
import { hostileText } from "../support/yaml_texts.ts";

const HEADER = {
  id: "2026-01-13T14-30-00_x",
  created: "2026-01-13T14:30:00Z",
  updated: "2026-01-14T00:00:00Z",
  project: "proj-1",
};

/** What a section keeps: lines end in `\n`, no white space around. */
function field(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

function list(items: readonly string[]): string[] {
  return items.map((item) =>
    item.replace(/\r\n?/g, "\n").trim().split("\n")
      .map((part) => part.trim() === "" ? "" : part).join("\n")
  ).filter((item) => item !== "");
}

function line(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Front matter texts are trimmed; `null` and `~` say nothing. */
function word(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null" || trimmed === "~" ? undefined : trimmed;
}

const hostileList = fc.array(hostileText, { maxLength: 4 });
const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const source = fc.record({
  id: hostileText.filter((id) => word(id) === id),
  relation: hostileText.map((text) => word(text) ?? ""),
}, { noNullPrototype: true });
const sources = fc.array(source, { maxLength: 3 });
const generated = fc.record({
  by: fc.constantFrom("claude-code", "a: b"),
  at: fc.constant("2026-01-13T14:30:00Z"),
  session: fc.constantFrom(undefined, "s-1"),
}, { noNullPrototype: true });

async function parse(text: string, folder: string): Promise<Note> {
  const note = await parseNote(text, `${folder}/x.md`);
  assert.equal(note.problem, undefined);
  assert.equal(note.id, HEADER.id);
  assert.equal(note.project, HEADER.project);
  assert.equal(note.created, HEADER.created);
  assert.equal(note.updated, HEADER.updated);
  // Hooks read what Sage writes without the YAML parser.
  assert.ok(readSimpleYaml(splitFrontMatter(text).front?.text ?? "- ") !== undefined, text);
  return note;
}

Deno.test("readCheckpoint() gives back what renderCheckpoint() was given", async () => {
  const draft: fc.Arbitrary<CheckpointDraft> = fc.record({
    title: hostileText.filter((title) => line(title) !== ""),
    coreQuestion: hostileText,
    thesis: hostileText,
    confidence: share,
    trigger: fc.constantFrom(...TRIGGERS),
    keyEvidence: hostileList,
    reasoningTrace: hostileText,
    openQuestions: hostileList,
    tensions: hostileList,
    sources,
    decisions: hostileList,
    nextStep: hostileText,
    skill: fc.constantFrom(undefined, "research"),
    parent: fc.constantFrom(undefined, "2026-01-12T00-00-00_y"),
    session: fc.uuid(),
    git: fc.constantFrom(undefined, { branch: "feat/a: b", commit: "0123abc", dirty: true }),
    recalled: hostileList.map((ids) => ids.filter((id) => id !== "")),
    messages: fc.nat(1000),
    contextTokens: fc.constantFrom(undefined, 120_000),
    generated,
  });
  await fc.assert(
    fc.asyncProperty(draft, async (given) => {
      const text = renderCheckpoint(given, { ...HEADER, tags: ["a", "b c"] });
      const note = await parse(text, "checkpoints");
      assert.equal(note.kind, "checkpoint");
      assert.deepEqual(note.tags, ["a", "b c"]);
      const { tokens, ...read } = readCheckpoint(note);
      assert.ok(tokens !== undefined && tokens > 0);
      assert.deepEqual(read, {
        ...given,
        id: HEADER.id,
        created: HEADER.created,
        project: HEADER.project,
        title: line(given.title ?? ""),
        coreQuestion: field(given.coreQuestion),
        thesis: field(given.thesis),
        keyEvidence: list(given.keyEvidence),
        reasoningTrace: field(given.reasoningTrace),
        decisions: list(given.decisions ?? []),
        nextStep: field(given.nextStep ?? "") || undefined,
        openQuestions: list(given.openQuestions),
        tensions: list(given.tensions),
        git: given.git,
      });
    }),
    { numRuns: depth(500, 30_000) },
  );
});

Deno.test("readKnowledge() gives back what renderKnowledge() was given, history apart", async () => {
  const draft: fc.Arbitrary<KnowledgeDraft> = fc.record({
    title: hostileText.filter((title) => line(title) !== ""),
    content: hostileText,
    subject: hostileText.map((text) => word(text) ?? ""),
    keywords: fc.uniqueArray(fc.constantFrom("a", "b, c", "[d", "é"), { maxLength: 3 }),
    patterns: fc.uniqueArray(fc.constantFrom("a{1,2}", "^\\s*\\d+$", "x, y"), { maxLength: 3 }),
    skills: fc.uniqueArray(fc.constantFrom("s1", "s2"), { maxLength: 2 }),
    always: fc.boolean(),
    sources,
    supersedes: fc.uniqueArray(fc.constantFrom("old-1", "old-2"), { maxLength: 2 }),
    tags: fc.uniqueArray(fc.constantFrom("t", "u"), { maxLength: 2 }),
    generated,
  });
  const reasons = fc.array(hostileText.filter((reason) => line(reason) !== ""), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(draft, reasons, async (given, whys) => {
      let text = renderKnowledge(given, HEADER);
      for (const why of whys) text = addHistory(text, "2026-02-03", why);
      const { history, ...read } = readKnowledge(await parse(text, "knowledge"));
      assert.deepEqual(
        history,
        whys.map((why) => ({ date: "2026-02-03", reason: line(why) })).reverse(),
      );
      assert.deepEqual(read, {
        ...given,
        title: line(given.title),
        content: field(given.content),
      });
    }),
    { numRuns: depth(500, 30_000) },
  );
});

Deno.test("readTodo() gives back what renderTodo() was given", async () => {
  const draft: fc.Arbitrary<TodoDraft> = fc.record({
    content: hostileText.filter((content) => line(content) !== ""),
    context: hostileText,
    priority: fc.constantFrom(...PRIORITIES),
    status: fc.constantFrom(...TODO_STATUSES),
    due: fc.constantFrom(undefined, "2026-01-15"),
    source: fc.constantFrom(undefined, "some-note"),
    generated,
  });
  await fc.assert(
    fc.asyncProperty(draft, async (given) => {
      const { completed, ...read } = readTodo(await parse(renderTodo(given, HEADER), "todos"));
      assert.equal(completed, given.status === "done" ? HEADER.updated : undefined);
      assert.deepEqual(read, {
        ...given,
        content: line(given.content),
        context: field(given.context ?? "") || undefined,
      });
    }),
    { numRuns: depth(500, 30_000) },
  );
});

Deno.test("readSession() gives back what renderSession() was given", async () => {
  const draft: fc.Arbitrary<SessionDraft> = fc.record({
    title: hostileText.map((text) => word(text)),
    session: fc.uuid(),
    started: fc.constant("2026-01-13T14:00:00Z"),
    ended: fc.constantFrom(undefined, "2026-01-13T15:00:00Z"),
    endReason: fc.constantFrom(undefined, "clear"),
    agent: fc.constant("claude-code"),
    filesTouched: hostileList.map((paths) => paths.filter((path) => path !== "")),
    checkpoints: fc.uniqueArray(fc.constantFrom("c-1", "c-2"), { maxLength: 2 }),
    summary: hostileText,
    decisions: hostileList,
    done: hostileList,
    openQuestions: hostileList,
    next: hostileList,
    log: hostileList,
    generated,
  });
  await fc.assert(
    fc.asyncProperty(draft, async (given) => {
      const note = await parse(renderSession(given, HEADER), "sessions");
      assert.deepEqual(readSession(note), {
        ...given,
        id: HEADER.id,
        updated: HEADER.updated,
        summary: field(given.summary),
        decisions: list(given.decisions),
        done: list(given.done),
        openQuestions: list(given.openQuestions),
        next: list(given.next),
        log: list(given.log),
      });
    }),
    { numRuns: depth(500, 30_000) },
  );
});

Deno.test("a session that changed a whole tree has a note that can be read, with the last of its files", async () => {
  const filesTouched = Array.from(
    { length: 2000 },
    (_, i) => `src/${"deep/".repeat(12)}file-${i}.ts`,
  );
  const draft = {
    title: "Rename",
    session: "s",
    started: "2026-01-13T14:30:00Z",
    agent: "claude-code",
    filesTouched,
    checkpoints: [],
    summary: "All files have a new name.",
    decisions: [],
    done: [],
    openQuestions: [],
    next: [],
    log: [],
  };
  const note = await parse(renderSession(draft, HEADER), "sessions");
  assert.equal(note.problem, undefined);
  const kept = readSession(note).filesTouched;
  assert.ok(kept.length > 100, String(kept.length));
  assert.deepEqual(kept, filesTouched.slice(-kept.length));
});
