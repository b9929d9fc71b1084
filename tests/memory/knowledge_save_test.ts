/** Knowledge: new, updated, doubled, contradicted; and whose it is. */
import assert from "node:assert/strict";
import type { KnowledgeInput } from "../../src/memory/knowledge/outcome.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { readNote } from "../../src/memory/read.ts";
import { listVersions } from "../../src/store/versions.ts";
import {
  AGENT,
  byHand,
  knowledge,
  PERSON,
  put,
  read,
  readByAgent,
  world,
} from "../support/world.ts";
import { tempDir } from "../support/temp_store.ts";

const HOOKS: KnowledgeInput = {
  title: "Hooks in worktrees",
  content: "Worktrees run the hooks of their main checkout.",
};

Deno.test("saveKnowledge() makes a note that names its author and project", async () => {
  using on = await world();
  const parts = { keywords: ["hooks"], patterns: ["\\bworktree\\b"], tags: ["git"] };
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content, parts, AGENT);
  assert.equal(saved.id, "hooks-in-worktrees");
  const text = read(saved.path);
  assert.match(text, /\ntype: knowledge\n/);
  assert.match(text, /\n {2}by: agent\n/);
  assert.doesNotMatch(text, /\n(?:always|pinned|verified):/);
  const [item] = await listKnowledge(on.memory);
  assert.deepEqual([item?.keywords, item?.tags], [["hooks"], ["git"]]);
});

Deno.test("saveKnowledge() keeps no note whose front matter could not be read back", async () => {
  using on = await world();
  const draft = { title: "Git worktrees", content: "One checkout a branch." };
  await assert.rejects(
    saveKnowledge(on.memory, { ...draft, tags: ["t".repeat(70_000)] }, PERSON),
    /^SageError: Cannot write the front matter: it would be longer than 65536 bytes$/,
  );
  assert.equal((await saveKnowledge(on.memory, draft, PERSON)).kind, "saved");
});

Deno.test("saveKnowledge() updates by id, keeps the version before and says why in the history", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content, { keywords: ["hooks"] });
  const before = read(saved.path);
  on.later(86_400_000);
  await readByAgent(on, saved.id);
  const next = {
    title: "Hooks in worktrees",
    content: "They run nothing of their own.",
    id: saved.id,
  };
  const outcome = await saveKnowledge(
    on.memory,
    { ...next, tags: ["git"], skills: ["vcs"] },
    AGENT,
  );
  assert.equal(outcome.kind, "updated");
  const text = read(saved.path);
  assert.match(text, /\nupdated: 2026-01-14T14:30:00Z\n/);
  assert.match(text, /\nkeywords: ?\n? *-? ?\[?hooks/);
  assert.match(
    text,
    /\n# Hooks in worktrees\n\nThey run nothing of their own\.\n\n## History\n\n- 2026-01-14: updated by agent\n$/,
  );
  const [item] = await listKnowledge(on.memory, { skill: "vcs" });
  assert.deepEqual([item?.tags, item?.keywords], [["git"], ["hooks"]]);
  const versions = listVersions(on.memory.project ?? on.memory.user, saved.id);
  assert.equal(versions.length, 1);
  assert.equal(read(`${on.cwd}/.sage/${versions[0]?.path}`), before);
});

Deno.test("saveKnowledge() under another title leaves links by the old one leading there", async () => {
  using on = await world();
  const { id, path } = await knowledge(on.memory, "Rate limit", "Ten requests a second.");
  await knowledge(on.memory, "Client", "It waits, see [[Rate limit]].");
  await readByAgent(on, id);
  for (const title of ["rate  limit", "Rate limits", "Limits of the API", "Rate limits"]) {
    const input = { title, content: `${title}: ten requests a second.`, id };
    assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "updated");
  }
  assert.match(read(path), /\naliases: \[rate limit, Limits of the API\]\n/);
  const { unresolved } = await openGraph(on.memory);
  assert.deepEqual(unresolved, []);
});

Deno.test("saveKnowledge() keeps the whole history, newest first, also what a person wrote into it", async () => {
  using on = await world();
  const path = byHand(
    `${on.cwd}/.sage`,
    "knowledge/oak.md",
    { id: "oak", type: "knowledge" },
    "# Oak\n\nIt grows.\n\n## History\n\n- 2025-01-01: planted\n- no date, still true",
  );
  for (const content of ["It grows slowly.", "It grows very slowly."]) {
    on.later(86_400_000);
    const input = { title: "Oak", content, id: "oak" };
    assert.equal((await saveKnowledge(on.memory, input, PERSON)).kind, "updated");
  }
  assert.match(
    read(path),
    /# Oak\n\nIt grows very slowly\.\n\n## History\n\n- 2026-01-15: updated by person\n- 2026-01-14: updated by person\n- 2025-01-01: planted\n- no date, still true\n$/,
  );
});

Deno.test("saveKnowledge() leaves a person's front matter and line ends as they were", async () => {
  using on = await world();
  const path = `${on.cwd}/.sage/knowledge/elm.md`;
  const front = "---\r\nid: elm\r\ntype: knowledge # mine\r\nmood: calm\r\n---\r\n";
  byHand(`${on.cwd}/.sage`, "knowledge/elm.md", {}, "");
  put(path, `${front}# Elm\r\n\r\nOld.\r\n`);
  const past = new Date(Date.now() - 60_000);
  await Deno.utime(path, past, past);
  const outcome = await saveKnowledge(
    on.memory,
    { title: "Elm", content: "a\nb", id: "elm" },
    PERSON,
  );
  assert.equal(outcome.kind, "updated");
  const text = read(path);
  assert.ok(text.startsWith("---\r\nid: elm\r\ntype: knowledge # mine\r\nmood: calm\r\n"), text);
  assert.doesNotMatch(text, /[^\r]\n/);
});

Deno.test("whoever wrote the content last is its author, and its verification ends", async () => {
  using on = await world();
  byHand(`${on.cwd}/.sage`, "knowledge/ash.md", {
    id: "ash",
    type: "knowledge",
    verified: "{by: ann, at: 2026-01-01}",
  }, "# Ash\n\nIt burns well.");
  const author = async () => {
    const outcome = await readNote(on.memory, "ash");
    return outcome.kind === "one" ? outcome.item.author : outcome.kind;
  };
  assert.equal(await author(), "person");
  await readByAgent(on, "ash");
  await saveKnowledge(on.memory, { title: "Ash", content: "It does not burn.", id: "ash" }, AGENT);
  assert.equal(await author(), "agent");
  assert.doesNotMatch(read(`${on.cwd}/.sage/knowledge/ash.md`), /verified/);
  await saveKnowledge(on.memory, { title: "Ash", content: "It does burn.", id: "ash" }, PERSON);
  assert.equal(await author(), "person");
});

Deno.test("saveKnowledge() reports a contradiction under the same title, and decides nothing", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content);
  const before = read(saved.path);
  const other = { title: "hooks IN  worktrees", content: "Worktrees never run any hooks." };
  const outcome = await saveKnowledge(on.memory, other, AGENT);
  assert.ok(outcome.kind === "conflict", outcome.kind);
  assert.deepEqual(outcome.choices, ["update", "keep_both", "contradicts", "discard"]);
  assert.equal(outcome.existing.id, saved.id);
  assert.equal(outcome.existing.text, HOOKS.content);
  assert.equal(read(saved.path), before);
  assert.equal((await listKnowledge(on.memory)).length, 1);
});

Deno.test("saveKnowledge() adds to a note under the same title only what leaves out nothing of it", async () => {
  using on = await world();
  const [first, second] = ["Worktrees run the hooks of their main checkout.", "Hooks are shared."];
  const { path } = await knowledge(on.memory, HOOKS.title, `${first} ${second}`);
  const before = read(path);
  const save = async (content: string): Promise<string> =>
    (await saveKnowledge(on.memory, { title: HOOKS.title, content }, AGENT)).kind;
  assert.equal(await save(`${second} Submodules run none.`), "conflict");
  assert.equal(read(path), before);
  assert.equal(await save(`${first} ${second} Submodules run none.`), "updated");
});

Deno.test("saveKnowledge() adds to no note that is called otherwise, though all of it is said again", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content);
  const before = read(saved.path);
  const other = { title: "How hooks work", content: `${HOOKS.content} Submodules run none.` };
  const outcome = await saveKnowledge(on.memory, other, AGENT);
  assert.equal(outcome.kind, "conflict");
  assert.equal(read(saved.path), before);
});

Deno.test("saveKnowledge() does what was chosen after a contradiction", async () => {
  using on = await world();
  await knowledge(on.memory, HOOKS.title, HOOKS.content);
  const other = { ...HOOKS, content: "Worktrees never run any hooks." };
  const both = await saveKnowledge(on.memory, { ...other, onConflict: "keep_both" }, AGENT);
  assert.ok(both.kind === "saved" && both.id === "hooks-in-worktrees-2", JSON.stringify(both));
  const third = { ...HOOKS, content: "It depends on core.hooksPath." };
  const update = await saveKnowledge(on.memory, { ...third, onConflict: "update" }, AGENT);
  assert.equal(update.kind, "updated");
  assert.equal((await listKnowledge(on.memory)).length, 2);
});

Deno.test("saveKnowledge() that is to keep both stands beside the note that id names, linked to it", async () => {
  using on = await world();
  const { id, path } = await knowledge(on.memory, HOOKS.title, HOOKS.content);
  const before = read(path);
  const relations = { keep_both: "alternative", contradicts: "contradicts" } as const;
  for (const onConflict of ["keep_both", "contradicts"] as const) {
    // Of another title and meaning, so that nothing but the id leads there.
    const input = { title: `Lunch ${onConflict}`, content: "It is at noon.", id, onConflict };
    const saved = await saveKnowledge(on.memory, input, AGENT);
    assert.ok(saved.kind === "saved" && saved.unlinked === undefined, JSON.stringify(saved));
    const text = read(saved.path);
    assert.ok(text.includes(id) && text.includes(`relation: ${relations[onConflict]}`), text);
  }
  assert.equal(read(path), before);
  const lost = { ...HOOKS, id: "nowhere", onConflict: "keep_both" } as const;
  assert.equal((await saveKnowledge(on.memory, lost, AGENT)).kind, "none");
});

Deno.test("saveKnowledge() says when what contradicts is linked to nothing", async () => {
  using on = await world();
  const contradicts = { ...HOOKS, onConflict: "contradicts" } as const;
  const alone = await saveKnowledge(on.memory, contradicts, AGENT);
  assert.equal(alone.kind === "saved" && alone.unlinked, "no note here is about the same");
  const secret = { title: "Tea", content: "Green tea.", scope: "user" } as const;
  assert.equal((await saveKnowledge(on.memory, secret, PERSON)).kind, "saved");
  const open = { title: "Tea", content: "Black tea.", onConflict: "contradicts" } as const;
  const apart = await saveKnowledge(on.memory, open, PERSON);
  assert.equal(
    apart.kind === "saved" && apart.unlinked,
    "the other note is private, and this one is not",
  );
  // Both of one is one.
  const only = { title: "Oak", content: "It grows.", onConflict: "keep_both" } as const;
  const one = await saveKnowledge(on.memory, only, PERSON);
  assert.ok(one.kind === "saved" && one.unlinked === undefined);
});

Deno.test("saveKnowledge() finds what nearly says the same under another title, among many notes", async () => {
  using on = await world();
  const content =
    "Streaming rows keeps the importer at forty megabytes where collecting took nine hundred.";
  const saved = await knowledge(on.memory, "Memory of the importer", content);
  for (let n = 0; n < 12; n++) {
    const text = `The bird of kind ${n * 7} nests in tree ${n} by the river.`;
    await knowledge(on.memory, `Bird number ${n}`, text, { onConflict: "keep_both" });
  }
  const again = await saveKnowledge(on.memory, {
    title: "The importer's memory",
    content: content.replace("keeps", "holds"),
  }, AGENT);
  assert.ok(again.kind === "conflict", again.kind);
  assert.equal(again.existing.id, saved.id);
  assert.equal(again.reason, "a note says nearly the same");
});

Deno.test("saveKnowledge() keeps what is said of one thing in letters that the model cannot read", async () => {
  using on = await world();
  const said = [
    ["Кэш Redis", "Мы кэшируем ответы API в Redis на пять минут, потому что база медленная."],
    ["Сессии в Redis", "Сессии пользователей хранятся в Redis тридцать дней."],
    [
      "Redisの応答",
      "データベースが月末にとても遅くなるので、APIの応答をRedisに五分間だけ保存することにした。",
    ],
    [
      "セッション",
      "ユーザーのセッションはRedisに三十日間保存され、その後は毎晩のジョブがまとめて削除する。",
    ],
  ] as const;
  for (const [title, content] of said) {
    const input = { title, content };
    assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "saved", title);
    const again = { title: `${title} 2`, content: `**${content}**` };
    assert.equal((await saveKnowledge(on.memory, again, AGENT)).kind, "duplicate", title);
  }
  for (const title of ["Порт шлюза", "Порт архива"]) {
    const outcome = await saveKnowledge(on.memory, { title, content: "8080" }, AGENT);
    assert.equal(outcome.kind, "saved", title);
  }
});

Deno.test("saveKnowledge() replaces, of notes with one id, the one whose path is given", async () => {
  using on = await world();
  const { id, path } = await knowledge(
    on.memory,
    "Deploy steps",
    "Deploys go through the pipeline.",
  );
  const everywhere = `${on.memory.user.root}/knowledge/deploy-steps.md`;
  put(everywhere, "# Deploy steps\n\nAnnounce it first.\n");
  const next = { title: "Deploy steps", content: "Deploys go through make." };
  await assert.rejects(saveKnowledge(on.memory, { ...next, id }, PERSON), {
    code: "ambiguous",
    message: /^"deploy-steps" is the id of \/.+\.md and \/.+\.md$/,
    hint: "repeat with the path of one",
  });
  assert.equal((await saveKnowledge(on.memory, { ...next, id: path }, PERSON)).kind, "updated");
  assert.match(read(path), /through make/);
  assert.match(read(everywhere), /Announce it first/);
});

Deno.test("saveKnowledge() recognises the same words as a duplicate in any layout", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, HOOKS.title, `# Why\n\n${HOOKS.content}`);
  const content = `### Why\n\n---\n\n${HOOKS.content.toUpperCase().replaceAll(" ", "\n")}`;
  const outcome = await saveKnowledge(on.memory, { ...HOOKS, content }, AGENT);
  assert.ok(outcome.kind === "duplicate", outcome.kind);
  assert.equal(outcome.of.id, saved.id);
  assert.ok(outcome.similarity >= 0.99);
});

for (
  const [before, after] of [
    ["The heap must be < 4 GB.", "The heap must be > 4 GB."],
    ["The parser is written in C++.", "The parser is written in C#."],
    ["Offsets of the zone begin at 5 hours.", "Offsets of the zone begin at -5 hours."],
    ["Stop when the count != 0.", "Stop when the count == 0."],
    ["Stop when the count ≠ 0.", "Stop when the count = 0."],
    ["The pool takes ≤ 4 clients.", "The pool takes ≥ 4 clients."],
    ["The zone begins at −5 hours.", "The zone begins at 5 hours."],
  ] as const
) {
  Deno.test(`saveKnowledge() asks where one sign makes another statement: ${after}`, async () => {
    using on = await world();
    await knowledge(on.memory, "Rule", before);
    const outcome = await saveKnowledge(on.memory, { title: "Rule", content: after }, AGENT);
    assert.equal(outcome.kind, "conflict");
    const same = { title: "Rule", content: `**${before.replace(/[.]$/, "")}**` };
    assert.equal((await saveKnowledge(on.memory, same, AGENT)).kind, "duplicate");
  });
}

Deno.test("saveKnowledge() says a title once that the text begins with as well", async () => {
  using on = await world();
  const input = { title: "Rate limit", content: "\n# rate  limit\n\nTen a second.\n\n# More\n\nx" };
  const saved = await saveKnowledge(on.memory, input, AGENT);
  assert.ok(saved.kind === "saved");
  assert.match(read(saved.path), /---\n\n# Rate limit\n\nTen a second\.\n\n# More\n\nx\n$/);
  assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "duplicate");
  const next = { title: "Rate limit", content: "# Rate limit\n\nFive a second.", id: saved.id };
  assert.equal((await saveKnowledge(on.memory, next, AGENT)).kind, "updated");
  assert.match(read(saved.path), /---\n\n# Rate limit\n\nFive a second\.\n\n## History/);
});

Deno.test("saveKnowledge() never compares with what belongs to another project", async () => {
  using on = await world({ project: "none" });
  await knowledge(on.memory, HOOKS.title, HOOKS.content);
  const elsewhere = await on.open({ cwd: tempDir() });
  const outcome = await saveKnowledge(elsewhere, { ...HOOKS, content: "Not at all." }, AGENT);
  assert.equal(outcome.kind, "saved");
});

Deno.test("saveKnowledge() refuses patterns that are too many, too long or not RE2, with the reason", async () => {
  using on = await world();
  const wrong: [string[], RegExp][] = [
    [["(?=look)"], /^the pattern "\(\?=look\)" is not valid: .+/],
    [["fine", "(unclosed"], /^the pattern "\(unclosed" is not valid: missing closing \)$/],
    [["x".repeat(201)], /^the pattern "x{39}…" is not valid: it is longer than 200 characters$/],
    [Array.from({ length: 17 }, (_, n) => `p${n}`), /^17 patterns are more than the 16/],
  ];
  for (const [patterns, reason] of wrong) {
    const outcome = await saveKnowledge(on.memory, { ...HOOKS, patterns }, PERSON);
    assert.ok(outcome.kind === "invalid", outcome.kind);
    assert.match(outcome.reason, reason);
  }
  assert.deepEqual(await listKnowledge(on.memory), []);
});

Deno.test("saveKnowledge() says what is missing, also when only private text was given", async () => {
  using on = await world();
  const outcomes = [
    await saveKnowledge(on.memory, { title: " ", content: "" }, AGENT),
    await saveKnowledge(on.memory, { title: "<private>t</private>", content: "<private>c" }, AGENT),
  ];
  for (const outcome of outcomes) {
    assert.deepEqual(outcome, { kind: "thin", missing: ["title", "content"] });
  }
});

Deno.test("only the person saves for every project: an agent's save becomes a question, and its update is refused", async () => {
  using on = await world();
  const asked = await saveKnowledge(on.memory, { ...HOOKS, scope: "user" }, AGENT);
  assert.equal(asked.kind, "proposed", JSON.stringify(asked));
  const byItself = { by: "sage", explicit: false } as const;
  const refused = await saveKnowledge(on.memory, { ...HOOKS, scope: "user" }, byItself);
  assert.equal(refused.kind, "excluded");
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content, { scope: "user" });
  assert.ok(saved.path.startsWith(`${on.home}/.sage/knowledge/`));
  const before = read(saved.path);
  for (const how of [{ id: saved.id }, { onConflict: "update" as const }]) {
    const outcome = await saveKnowledge(on.memory, { ...HOOKS, content: "Ha.", ...how }, AGENT);
    assert.equal(outcome.kind, "excluded");
  }
  assert.equal(read(saved.path), before);
});

Deno.test("knowledge in the person's own store is known in every project", async () => {
  using on = await world();
  await knowledge(on.memory, HOOKS.title, HOOKS.content, { scope: "user" });
  const elsewhere = await on.open({ cwd: tempDir() });
  const { items } = await recallKnowledge(elsewhere, "Which hooks do worktrees run?");
  assert.deepEqual(items.map(({ id, scope }) => [id, scope]), [["hooks-in-worktrees", "user"]]);
});

Deno.test("an agent may update this project's notes even where it has no store", async () => {
  using on = await world({ project: "none" });
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content, {}, AGENT);
  const next = { ...HOOKS, content: "Otherwise.", id: saved.id };
  assert.equal((await saveKnowledge(on.memory, next, AGENT)).kind, "updated");
  const elsewhere = await on.open({ cwd: tempDir() });
  const there = await saveKnowledge(elsewhere, { ...next, content: "Ha." }, AGENT);
  assert.equal(there.kind, "excluded");
});

for (
  const { where, change, kind } of [
    { where: "the same place", change: ["run nothing", "run two hooks"], kind: "conflict" },
    { where: "another place", change: ["", "\n\nA person's word."], kind: "updated" },
  ] as const
) {
  Deno.test(`saveKnowledge() loses nothing when a person edits ${where} of the note at the same moment`, async () => {
    using on = await world();
    const content = "They run nothing.\n\nGit shares them.\n\nNobody knows why.";
    const saved = await knowledge(on.memory, HOOKS.title, content);
    await readByAgent(on, saved.id);
    const mine = change[0] === ""
      ? read(saved.path).trimEnd() + change[1] + "\n"
      : read(saved.path).replace(...change);
    const { fs } = on.memory;
    let isEdited = false;
    const raced = await on.open({
      fs: {
        ...fs,
        open(path, options) {
          // The note was read; before its lock is taken the person saves.
          if (path.endsWith(".lock") && path.includes("/note-") && !isEdited) {
            isEdited = true;
            put(saved.path, mine);
          }
          return fs.open(path, options);
        },
      },
    });
    const next = { ...HOOKS, content: content.replace("run nothing", "run them"), id: saved.id };
    const outcome = await saveKnowledge(raced, next, AGENT);
    assert.ok(isEdited);
    assert.equal(outcome.kind, kind, JSON.stringify(outcome));
    if (outcome.kind === "conflict") {
      assert.match(outcome.existing.text, /run two hooks/);
      assert.equal(read(saved.path), mine);
    } else {
      assert.match(read(saved.path), /run them\.[^]*A person's word\./);
      // The text that the person saved is a version.
      const [version] = listVersions(raced.project ?? raced.user, saved.id);
      assert.equal(read(`${on.cwd}/.sage/${version?.path}`), mine);
    }
  });
}

Deno.test("saveKnowledge() does not bring back what a person removed at the same moment", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, HOOKS.title, HOOKS.content);
  await readByAgent(on, saved.id);
  const { fs } = on.memory;
  let isRemoved = false;
  const raced = await on.open({
    fs: {
      ...fs,
      open(path, options) {
        if (path.endsWith(".lock") && path.includes("/note-") && !isRemoved) {
          fs.unlink(saved.path);
          isRemoved = true;
        }
        return fs.open(path, options);
      },
    },
  });
  const input = { ...HOOKS, content: "Ours.", id: saved.id };
  await assert.rejects(
    saveKnowledge(raced, input, AGENT),
    /Cannot find note "knowledge\/hooks-in-worktrees\.md"/,
  );
  assert.ok(isRemoved);
  assert.throws(() => Deno.statSync(saved.path));
});

Deno.test("saveKnowledge() replaces the note with exactly that id, and makes none of a typing error", async () => {
  using on = await world();
  const saved = await knowledge(on.memory, "Oak trees", "They grow.");
  const before = read(saved.path);
  for (
    const [id, nearest] of [
      ["oak", ["oak-trees"]],
      ["oak-tree", ["oak-trees"]],
      ["Oak trees", ["oak-trees"]],
      [saved.short_id.slice(0, 5), ["oak-trees"]],
      ["zzz", []],
    ] as const
  ) {
    const outcome = await saveKnowledge(on.memory, { ...HOOKS, id }, AGENT);
    assert.equal(outcome.kind, "none", id);
    assert.deepEqual(
      outcome.kind === "none" && outcome.nearest.map((near) => near.id),
      nearest,
      id,
    );
  }
  assert.equal(read(saved.path), before);
  assert.equal((await listKnowledge(on.memory)).length, 1);
  await readByAgent(on, saved.id);
  const outcome = await saveKnowledge(on.memory, { ...HOOKS, id: saved.short_id }, AGENT);
  assert.equal(outcome.kind, "updated");
});

Deno.test("saveKnowledge() never puts what is for the person's own store into the project's note", async () => {
  using on = await world();
  const shared = await knowledge(on.memory, "Salaries", "Salaries are paid on the 25th.");
  const before = read(shared.path);
  const mine = { title: "Salaries", content: "My own salary is 91k.", scope: "user" } as const;
  const outcome = await saveKnowledge(on.memory, { ...mine, onConflict: "update" }, PERSON);
  assert.ok(outcome.kind === "saved", outcome.kind);
  assert.equal(outcome.scope, "user");
  const named = await saveKnowledge(on.memory, { ...mine, id: shared.id }, PERSON);
  assert.ok(named.kind === "excluded", named.kind);
  assert.match(named.reason, /"salaries" lies in the project store/);
  assert.equal(read(shared.path), before);
  const again = { ...mine, content: "My own salary is 95k.", onConflict: "update" } as const;
  assert.equal((await saveKnowledge(on.memory, again, PERSON)).kind, "updated");
  assert.match(read(outcome.path), /95k/);
  assert.equal(read(shared.path), before);
});

Deno.test("saveKnowledge() keeps what is private in a note whose text it replaces", async () => {
  using on = await world();
  const body =
    "# Oak <private>of Meyer</private>\n\nIt grows.\n\n<private>\nThe key hangs at the " +
    "door.\n</private>\n\n## History\n\n- 2025-01-01: planted";
  const path = byHand(
    `${on.cwd}/.sage`,
    "knowledge/oak.md",
    { id: "oak", type: "knowledge" },
    body,
  );
  await readByAgent(on, "oak");
  for (const content of ["It grows slowly.", "It grows very slowly."]) {
    on.later(86_400_000);
    const input = { title: "Oak", content, id: "oak" };
    assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "updated");
    const kept = "<private>of Meyer</private>\n\n<private>\nThe key hangs at the door.\n</private>";
    assert.ok(
      read(path).includes(`\n# Oak\n\n${content}\n\n${kept}\n\n## History\n\n- `),
      read(path),
    );
    const shown = await readNote(on.memory, "oak");
    assert.ok(shown.kind === "one" && !/Meyer|door/.test(shown.text), shown.kind);
  }
  assert.match(read(path), /\n- 2025-01-01: planted\n$/);
});
