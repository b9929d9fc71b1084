/** Knowledge that grows: patches, merges with what people wrote meanwhile, the four choices. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { SESSION_BYTES_MAX } from "../../src/base/limits.ts";
import { editKnowledge, type NoteEdit } from "../../src/memory/knowledge/edit.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { readNote } from "../../src/memory/read.ts";
import { listVersions } from "../../src/store/versions.ts";
import { filesIn, writeOld } from "../support/temp_store.ts";
import {
  AGENT,
  byHand,
  knowledge,
  PERSON,
  put,
  read,
  type World,
  world,
} from "../support/world.ts";

const BODY = `# Git Worktrees

What they are.

## Gotchas

- hooks come from the main checkout
- submodules need care

## Related

[[Hooks]]`;

function entity(on: World, body = BODY): string {
  const front = { id: "git-worktrees", type: "knowledge", subject: "entity", tags: "[git]" };
  return byHand(`${on.cwd}/.sage`, "knowledge/git-worktrees.md", front, body);
}

/** What get_note hands out. */
async function hashOf(on: World): Promise<string> {
  const outcome = await readNote(on.memory, "git-worktrees", { forChange: true });
  assert.equal(outcome.kind, "one");
  return outcome.kind === "one" ? outcome.hash.slice(0, 16) : "";
}

function edit(on: World, patch: NoteEdit["patch"], more: Partial<NoteEdit> = {}, author = PERSON) {
  return editKnowledge(on.memory, "git-worktrees", { patch, ...more }, author);
}

/** A person's editor, some time ago. */
function person(path: string, from: string | RegExp, to: string): void {
  writeOld(path, read(path).replace(from, to));
}

Deno.test("editKnowledge() writes again what an editor saved over before it was reported, and once", async () => {
  for (const isSeen of [false, true]) {
    using on = await world();
    const path = entity(on);
    const before = read(path);
    let isSaved = false;
    const { fs } = on.memory;
    const raced = await on.open({
      fs: {
        ...fs,
        open(at, options) {
          // The patch is in the note, and is being indexed.
          if (!isSaved && /\/index\//.test(at) && read(path).includes("mind the lock")) {
            isSaved = true;
            put(path, `${isSeen ? read(path) : before}\nMine.\n`);
          }
          return fs.open(at, options);
        },
      },
    });
    const patch = { kind: "append", text: "mind the lock" } as const;
    const outcome = await editKnowledge(raced, "git-worktrees", { patch }, AGENT);
    assert.ok(isSaved);
    assert.equal(outcome.kind, "patched");
    assert.match(read(path), /Mine\./);
    assert.equal(read(path).split("mind the lock").length, 2, read(path));
  }
});

Deno.test("editKnowledge() reports the text that it wrote, even if others write first several times", async () => {
  using on = await world();
  const path = entity(on);
  let others = 0;
  const memory = await on.open({
    fs: {
      ...realFs,
      open(file, options) {
        if (file === path && others-- > 0) {
          person(path, "- submodules", `- ${others}\n- submodules`);
        }
        return realFs.open(file, options);
      },
    },
  });
  for (let before = 0; before < 24; before++) {
    others = before;
    const text = `after ${before} others`;
    const outcome = await editKnowledge(
      memory,
      "git-worktrees",
      { patch: { kind: "append", text } },
      PERSON,
    );
    assert.equal(outcome.kind, "patched", text);
    assert.equal(read(path).split(text).length, 2, text);
  }
});

Deno.test("editKnowledge() adds under a heading, signs it, keeps the version and the rest", async () => {
  using on = await world();
  const path = entity(on);
  const before = read(path);
  const outcome = await edit(
    on,
    { kind: "insert", heading: "Gotchas", text: "- locks are per worktree" },
    {},
    AGENT,
  );
  assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
  const text = read(path);
  assert.match(
    text,
    /- submodules need care\n- locks are per worktree\n\n## Related\n\n\[\[Hooks\]\]\n\n## History\n\n- 2026-01-13: added under Gotchas by agent\n$/,
  );
  assert.match(text, /generated:\n {2}by: agent/);
  const [version] = listVersions(on.memory.project ?? on.memory.user, "git-worktrees");
  assert.equal(read(`${on.cwd}/.sage/${version?.path}`), before);
});

Deno.test("editKnowledge() merges with what a person changed elsewhere since it was read", async () => {
  using on = await world();
  const path = entity(on);
  const expectedHash = await hashOf(on);
  person(path, "What they are.", "What they are, in my words.");
  const replaced = await edit(on, {
    kind: "replace",
    heading: "Gotchas",
    text: "- hooks come from the main checkout\n- submodules are not supported",
  }, { expectedHash });
  assert.equal(replaced.kind, "patched", JSON.stringify(replaced));
  assert.equal(replaced.kind === "patched" && replaced.merged, true);
  assert.match(read(path), /in my words\.[^]*- submodules are not supported\n\n## Related/);
});

Deno.test("editKnowledge() merges lines of one section, and sets a key beside a person's text", async () => {
  using on = await world();
  const path = entity(on, BODY.replace("- hooks", "- one\n- two\n- three\n- hooks"));
  const expectedHash = await hashOf(on);
  person(path, "- one", "- One of mine");
  const text = "- one\n- two\n- three\n- hooks come from the main checkout\n- submodules: no";
  const outcome = await edit(on, { kind: "replace", heading: "Gotchas", text }, { expectedHash });
  assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
  assert.match(read(path), /- One of mine\n- two\n- three\n- hooks[^\n]*\n- submodules: no\n/);
  assert.equal(
    (await edit(on, { kind: "set", key: "tags", value: ["git", "vcs"] }, { expectedHash })).kind,
    "patched",
  );
  assert.match(read(path), /\ntags: \[git, vcs\]\n/);
});

Deno.test("setting a title changes the heading, and links by the old title still work", async () => {
  using on = await world();
  const path = entity(on);
  await knowledge(on.memory, "Client", "It waits, see [[Git Worktrees]].");
  const set = { kind: "set", key: "title", value: "Trees of git" } as const;
  const outcome = await edit(on, set);
  assert.equal(outcome.kind === "patched" && outcome.title, "Trees of git");
  assert.match(
    read(path),
    /\naliases: \[Git Worktrees\]\nupdated: \S+\n---\n\n# Trees of git\n\nWhat they are\./,
  );
  assert.doesNotMatch(read(path), /\ntitle:/);
  assert.deepEqual((await openGraph(on.memory)).unresolved.map(({ target }) => target), ["Hooks"]);
  assert.equal((await edit(on, { ...set, value: "Git Worktrees" })).kind, "patched");
  assert.match(read(path), /\naliases: \[Trees of git\]\nupdated: \S+\n---\n\n# Git Worktrees\n/);
  assert.equal((await edit(on, { ...set, value: undefined })).kind, "unchanged");
  const hidden = await edit(on, {
    ...set,
    value: "<private>My</private> <private>trees</private>",
  });
  assert.deepEqual(hidden, { kind: "thin", missing: ["title"] });
  assert.match(read(path), /\n# Git Worktrees\n/);

  const bare = { id: "git-worktrees", type: "knowledge" };
  byHand(`${on.cwd}/.sage`, "knowledge/git-worktrees.md", bare, "No heading.");
  const named = await edit(on, set);
  assert.equal(named.kind === "patched" && named.title, "Trees of git");
  assert.match(read(path), /\ntitle: Trees of git\n[^]*---\n\nNo heading\./);
});

Deno.test("editKnowledge() tells a conflict with both texts, writes nothing, and does what is chosen", async () => {
  using on = await world();
  const path = entity(on);
  const expectedHash = await hashOf(on);
  person(path, "- submodules need care", "- submodules work since 2.5");
  const patch = {
    kind: "replace",
    heading: "Gotchas",
    text: "- hooks come from the main checkout\n- no submodules",
  } as const;
  const there = read(path);
  for (const onConflict of [undefined, "merge", "abort"] as const) {
    const outcome = await edit(on, patch, { expectedHash, ...(onConflict && { onConflict }) });
    assert.equal(outcome.kind, onConflict === "abort" ? "aborted" : "conflict");
    if (outcome.kind === "conflict") {
      assert.match(outcome.loaded ?? "", /need care/);
      assert.match(outcome.there, /since 2\.5/);
      assert.match(outcome.diff, /^-- submodules work since 2\.5$/m);
      assert.match(outcome.diff, /^\+- no submodules$/m);
    }
    assert.equal(read(path), there);
  }
  assert.equal((await edit(on, patch, { expectedHash, onConflict: "append" })).kind, "patched");
  assert.match(
    read(path),
    /since 2\.5[^]*## Updates \(unmerged 2026-01-13\)\n\n- hooks[^\n]*\n- no submodules\n/,
  );
  const beside = await edit(on, { ...patch, text: "- something else" }, {
    expectedHash,
    onConflict: "new",
  });
  assert.equal(beside.kind, "saved", JSON.stringify(beside));
  const text = beside.kind === "saved" ? read(beside.path) : "";
  assert.match(
    text,
    /# Git Worktrees \(alternative\)[^]*something else\n\nAn alternative to \[\[git-worktrees\]\]\./,
  );
  assert.match(
    text,
    /id: git-worktrees\n {4}relation: alternative|\{ ?id: git-worktrees, relation: alternative ?\}/,
  );
});

Deno.test("editKnowledge() with an unknown expected_hash adds to the text, but does not replace it", async () => {
  using on = await world();
  const path = entity(on);
  const unknown = "0123456789abcdef";
  const replace = { kind: "replace", heading: "Related", text: "[[Other]]" } as const;
  const outcome = await edit(on, replace, { expectedHash: unknown });
  assert.equal(outcome.kind === "conflict" && outcome.loaded === undefined, true);
  const added = await edit(on, { kind: "insert", heading: "Related", text: "[[Other]]" }, {
    expectedHash: unknown,
  });
  assert.equal(added.kind === "patched" && added.merged, true);
  assert.match(read(path), /\[\[Hooks\]\]\n\n\[\[Other\]\]\n/);
});

Deno.test("an agent adds to an entity's note but does not rewrite it, and replaces nothing that it has not read", async () => {
  using on = await world();
  const path = entity(on);
  const replace = { kind: "replace", heading: "Gotchas", text: "none" } as const;
  const refused = await edit(on, replace, { expectedHash: await hashOf(on) }, AGENT);
  assert.match(
    refused.kind === "invalid" ? refused.reason : refused.kind,
    /about an entity and grows/,
  );
  person(path, "subject: entity", "subject: fact");
  const blind = await edit(on, replace, {}, AGENT);
  assert.match(blind.kind === "invalid" ? blind.reason : blind.kind, /expected_hash/);
  for (const key of ["always", "pinned", "verified", "id", "patterns", "subject"]) {
    assert.equal(
      (await edit(on, { kind: "set", key, value: "true" }, {}, AGENT)).kind,
      "invalid",
      key,
    );
  }
  assert.equal((await edit(on, { kind: "insert", heading: "History", text: "x" })).kind, "invalid");
  const hidden = { kind: "insert", heading: "<private>x</private>", text: "x" } as const;
  assert.equal((await edit(on, hidden)).kind, "thin");
  assert.equal(
    (await edit(
      on,
      { kind: "append", text: "key ghp_16C7e42F292c6912E7710c838347Ae178B4a" },
      {},
      AGENT,
    )).kind,
    "refused",
  );
});

Deno.test("private text stays when the section around it is replaced, and is copied nowhere", async () => {
  using on = await world();
  const path = entity(
    on,
    BODY.replace("- submodules", "<private>the vault code is 4711</private>\n- submodules"),
  );
  const expectedHash = await hashOf(on);
  const outcome = await edit(on, { kind: "replace", heading: "Gotchas", text: "- all new" }, {
    expectedHash,
  });
  assert.equal(outcome.kind, "patched");
  assert.match(read(path), /- all new\n\n<private>the vault code is 4711<\/private>\n\n## Related/);
  const handed = `${on.home}/.sage/state/handed`;
  assert.throws(() => filesIn(handed), Deno.errors.NotFound);
});

Deno.test("a conflict shows no private text of either side", async () => {
  using on = await world();
  // No number: the path of a scratch folder may have the same digits.
  const secret = (code: string): string => `<private>the vault code is ${code}</private>`;
  const path = entity(on, BODY.replace("- submodules", `${secret("zulu1")}\n- submodules`));
  const expectedHash = await hashOf(on);
  person(path, "- hooks come", "- hooks go");
  person(path, secret("zulu1"), secret("zulu2"));
  const patch = { kind: "replace", heading: "Gotchas", text: "- all new" } as const;
  const outcome = await edit(on, patch, { expectedHash });
  assert.equal(outcome.kind, "conflict");
  assert.match(JSON.stringify(outcome), /hooks go/);
  assert.doesNotMatch(JSON.stringify(outcome), /zulu/);
});

Deno.test("an agent's patches count towards what it may write in a session", async () => {
  using on = await world();
  const path = entity(on);
  const kinds = new Set<string>();
  for (let n = 0; n < 5; n++) {
    const text = `- ${n} ${"is told at length here ".repeat(1000)}`;
    kinds.add((await edit(on, { kind: "append", text }, {}, AGENT)).kind);
  }
  assert.deepEqual([...kinds], ["patched", "over_cap"]);
  assert.ok(read(path).length < SESSION_BYTES_MAX + 4096);
});

Deno.test("editKnowledge() by an agent leaves the person what is of every project", async () => {
  using on = await world();
  const { id, path } = await knowledge(on.memory, "Tabs", "They are four wide.", { scope: "user" });
  const before = read(path);
  const change = { patch: { kind: "append", text: "- or two" } } as const;
  assert.equal((await editKnowledge(on.memory, id, change, AGENT)).kind, "excluded");
  assert.equal(read(path), before);
});

Deno.test("a damaged merge base is not used", async () => {
  using on = await world();
  const path = entity(on);
  const expectedHash = await hashOf(on);
  const handed = `${on.home}/.sage/state/handed`;
  const [name = ""] = filesIn(handed);
  person(path, "- hooks come", "- hooks go");
  const there = read(path);
  // As if their change had been read.
  put(`${handed}/${name}`, JSON.stringify({ text: there }) + "\n");
  const patch = { kind: "replace", heading: "Gotchas", text: "- all new" } as const;
  assert.equal((await edit(on, patch, { expectedHash })).kind, "conflict");
  assert.equal(read(path), there);
});

Deno.test("the newest 256 merge bases are kept", async () => {
  using on = await world();
  const path = entity(on);
  const handed = `${on.home}/.sage/state/handed`;
  for (let n = 0; n < 262; n++) writeOld(`${handed}/${String(n).padStart(64, "0")}.json`, "{}");
  const hash = await hashOf(on);
  assert.equal(filesIn(handed).length, 256);
  assert.ok(filesIn(handed).some((name) => name.startsWith(hash)), path);
});

Deno.test("forgetting a note deletes all merge bases", async () => {
  using on = await world();
  entity(on);
  await hashOf(on);
  const handed = `${on.home}/.sage/state/handed`;
  assert.equal(filesIn(handed).length, 1);
  assert.equal((await forget(on.memory, "git-worktrees")).kind, "forgotten");
  assert.equal(filesIn(handed).length, 0);
});

Deno.test("saveKnowledge() by an agent grows the entity of that name: sections, dated changes, keywords", async () => {
  using on = await world();
  const path = entity(on);
  const content =
    "They are listed by `git worktree list`.\n\n## Gotchas\n\n- hooks come from the main checkout\n\n## Cost\n\nNone.";
  const input = { title: "git worktrees", content, keywords: ["worktree"] };
  assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "updated");
  const text = read(path);
  assert.match(
    text,
    /## Gotchas\n\n- hooks come from the main checkout\n- submodules need care\n\n## Related/,
  );
  assert.match(
    text,
    /## Recent Changes\n\n- 2026-01-13: They are listed by `git worktree list`\.\n\n## Cost\n\nNone\.\n\n## History/,
  );
  assert.match(text, /\nkeywords: \[worktree\]\n/);
  assert.equal((await saveKnowledge(on.memory, input, AGENT)).kind, "duplicate");
  const rewrite = { ...input, content: "Something else.", id: "git-worktrees" };
  assert.equal((await saveKnowledge(on.memory, rewrite, AGENT)).kind, "updated");
  assert.match(read(path), /What they are\.[^]*- 2026-01-13: Something else\.\n/);
});

Deno.test("saveKnowledge() grows an entity by what is only the beginning of what it says", async () => {
  using on = await world();
  const path = entity(on, BODY.replace("What they are.", "The limit is 500 trees. It is new."));
  const save = async (content: string) =>
    (await saveKnowledge(on.memory, { title: "git worktrees", content }, AGENT)).kind;
  assert.equal(await save("The limit is 50"), "updated");
  assert.match(read(path), /\n- 2026-01-13: The limit is 50\n/);
  assert.equal(await save("The limit is 50."), "duplicate");
  assert.equal(await save("It is new. The limit\nis **500 trees**."), "duplicate");
});

Deno.test("saveKnowledge() adds what only adds, and asks with a diff where something would go", async () => {
  using on = await world();
  const first = await knowledge(on.memory, "Rate limit", "The API allows ten requests a second.");
  const more = {
    title: "Rate limit",
    content: "The API allows ten requests a second. Bursts of forty pass.",
  };
  assert.equal((await saveKnowledge(on.memory, more, AGENT)).kind, "updated");
  assert.match(
    read(first.path),
    /Bursts of forty pass\.\n\n## History\n\n- 2026-01-13: added to by agent/,
  );
  const other = { title: "Rate limit", content: "The API allows five requests a second." };
  const conflict = await saveKnowledge(on.memory, other, AGENT);
  assert.match(
    conflict.kind === "conflict" ? conflict.diff : "",
    /^-The API allows ten[^]*^\+The API allows five/m,
  );
  const both = await saveKnowledge(on.memory, { ...other, onConflict: "contradicts" }, AGENT);
  assert.match(
    both.kind === "saved" ? read(both.path) : both.kind,
    /id: rate-limit[^]*relation: contradicts/,
  );
});
