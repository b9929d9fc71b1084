/** The editor's own memory beside ours: found, compared with, never written, and kept out where wanted. */
import assert from "node:assert/strict";
import { projectFolder } from "../../src/editor/claude_code/projects.ts";
import { BUILTIN } from "../../src/memory/outside/builtin_memory.ts";
import { refreshOutside } from "../../src/memory/outside/outside_index.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import type { NoteItem } from "../../src/memory/item.ts";
import { readNote } from "../../src/memory/read.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { setSetting } from "../../src/memory/settings.ts";
import { catalogue } from "../../src/memory/catalogue.ts";
import {
  AGENT,
  knowledge,
  PERSON,
  put,
  read,
  repository,
  type World,
  world,
} from "../support/world.ts";

const FACT =
  "---\nname: staging-database\ndescription: where staging lives\nmetadata:\n  type: project\npinned: true\nstatus: archived\n---\n\nThe staging database runs on port 6433 behind the bastion host.\n";

/** Auto memory and instructions as the editor keeps them. */
function remembered(on: World): Record<string, string> {
  const memory = `${projectFolder(on.cwd, `${on.home}/.claude`)}/memory`;
  const files = {
    index: `${memory}/MEMORY.md`,
    fact: `${memory}/staging.md`,
    project: `${on.cwd}/CLAUDE.md`,
    user: `${on.home}/.claude/CLAUDE.md`,
    rule: `${on.cwd}/.claude/rules/tests.md`,
  };
  put(files.index, "- [staging](staging.md): the staging database\n");
  put(files.fact, FACT);
  put(files.project, "# Rules\n\nNever rebase the release branch. <private>Zanzibar</private>\n");
  put(files.user, "Prefer tabs over spaces in makefiles.\n");
  put(files.rule, "Integration tests need a running dockyard emulator.\n");
  return files;
}

async function found(on: World, query: string) {
  const { items } = await searchMemory(await on.open(), query);
  return items;
}

Deno.test("searchMemory() finds what the editor remembers, marked, and as nothing but a text", async () => {
  using on = await world();
  const files = remembered(on);
  const [hit] = await found(on, "port of the staging database");
  assert.deepEqual(
    [hit?.title, hit?.path, hit?.type, hit?.status, hit?.author, hit?.flags],
    ["staging-database", files.fact, "note", "active", "agent", ["built-in"]],
  );
  const titles = async (query: string) => (await found(on, query)).map(({ title }) => title);
  assert.deepEqual((await titles("rebase the release branch"))[0], "This project's CLAUDE.md");
  assert.deepEqual((await titles("tabs in makefiles"))[0], "Your CLAUDE.md");
  assert.deepEqual((await titles("dockyard emulator"))[0], "This project's rules/tests.md");
  assert.deepEqual(await found(on, "Zanzibar"), [], "private text is searched nowhere");
});

Deno.test("readNote() reads it by the id that a search told, without private text", async () => {
  using on = await world();
  remembered(on);
  const [hit] = await found(on, "rebase the release branch");
  const outcome = await readNote(on.memory, hit?.short_id ?? "");
  assert.ok(outcome.kind === "one" && outcome.text.includes("Never rebase"));
  assert.ok(outcome.kind === "one" && !outcome.text.includes("Zanzibar"));
  assert.equal(outcome.kind === "one" && outcome.item.author, "person");
  const [fact] = await found(on, "port of the staging database");
  const whole = await readNote(on.memory, fact?.id ?? "");
  const same = ({ author, status, flags }: NoteItem) => ({ author, status, flags });
  assert.deepEqual(whole.kind === "one" && same(whole.item), fact && same(fact), "as searched");
});

Deno.test("an agent cannot save what the editor's own memory holds already, and a person can", async () => {
  using on = await world();
  remembered(on);
  const content = "Never rebase the release  branch!";
  const agents = await saveKnowledge(on.memory, { title: "Release branch", content }, AGENT);
  assert.ok(agents.kind === "duplicate" && agents.of.title === "This project's CLAUDE.md");
  const both = { title: "Release branch", content, onConflict: "keep_both" } as const;
  assert.equal((await saveKnowledge(on.memory, both, AGENT)).kind, "saved");
  const other = { title: "Makefiles", content: "Prefer tabs over spaces in makefiles." };
  assert.equal((await saveKnowledge(on.memory, other, PERSON)).kind, "saved");
  const news = { title: "Review", content: "Two people look at every migration before it runs." };
  assert.equal((await saveKnowledge(on.memory, news, AGENT)).kind, "saved");
});

Deno.test("writing, listing and forgetting notes leave the editor's own memory files alone", async () => {
  using on = await world();
  const files = remembered(on);
  const before = Object.values(files).map(read);
  await knowledge(on.memory, "Oak", "It grows.");
  const [hit] = await found(on, "port of the staging database");
  assert.equal((await forget(on.memory, hit?.id ?? "")).kind, "none");
  assert.deepEqual((await catalogue(on.memory)).map(({ note }) => note.title), ["Oak"]);
  assert.deepEqual(Object.values(files).map(read), before);
  const memory = files.fact?.replace(/\/[^/]*$/, "") ?? "";
  const there = await Array.fromAsync(Deno.readDir(memory));
  assert.deepEqual(there.map(({ name }) => name).sort(), [
    "MEMORY.md",
    "staging.md",
  ]);
});

Deno.test("front matter of the editor's memory files pins, scopes and triggers nothing", async () => {
  using on = await world();
  const { fact } = remembered(on);
  const said = "pinned: true\nalways: true\nproject: other\npatterns: [port]\nkeywords: [zebra]\n" +
    "supersedes: [tabs]\n";
  put(fact ?? "", FACT.replace("pinned: true\n", said));
  const store = await refreshOutside(on.memory, BUILTIN);
  assert.ok(store !== undefined);
  const note = on.memory.index(store).notes().find(({ path }) => path === fact);
  const { pinned, always, project, patterns, keywords, supersedes, status } = note ?? {};
  assert.deepEqual({ pinned, always, project, patterns, keywords, supersedes, status }, {
    ...{ pinned: false, always: false, project: "", status: "active" },
    ...{ patterns: [], keywords: [], supersedes: [] },
  });
});

Deno.test("changed and deleted files of the editor's memory are noticed at the next search", async () => {
  using on = await world();
  const { fact = "" } = remembered(on);
  assert.equal((await found(on, "port 6433")).length > 0, true);
  put(fact, FACT.replace("6433", "7544"));
  const [hit] = await found(on, "staging port 7544");
  assert.match(hit?.snippet ?? "", /7544/);
  await Deno.remove(fact);
  assert.equal((await found(on, "bastion host")).some(({ path }) => path === fact), false);
});

for (
  const [name, make] of [
    ["the setting is off", (on: World) => setSetting(on.memory, "search.builtin_memory", "false")],
    [
      "the person's .sageignore names it",
      (on: World) => put(`${on.home}/.sage/.sageignore`, "~/.claude/\n"),
    ],
    ["the file is named that it is a link to", (on: World) => {
      for (const { name } of Deno.readDirSync(`${on.home}/.claude/projects`)) {
        Deno.removeSync(`${on.home}/.claude/projects/${name}`, { recursive: true });
      }
      put(`${on.cwd}/docs/own.md`, "The staging database runs on port 6433 behind the bastion.");
      Deno.removeSync(`${on.cwd}/CLAUDE.md`);
      Deno.symlinkSync(`${on.cwd}/docs/own.md`, `${on.cwd}/CLAUDE.md`);
      put(`${on.cwd}/.sageignore`, "docs/own.md\n");
    }],
    ["the project is kept out", (on: World) => put(`${on.cwd}/.sageignore`, "*\n")],
    ["it is a link out of the project", (on: World) => {
      put(`${on.home}/secret.md`, "The staging database runs on port 6433 behind the bastion.");
      for (const { name } of Deno.readDirSync(`${on.home}/.claude/projects`)) {
        Deno.removeSync(`${on.home}/.claude/projects/${name}`, { recursive: true });
      }
      Deno.removeSync(`${on.cwd}/CLAUDE.md`);
      Deno.symlinkSync(`${on.home}/secret.md`, `${on.cwd}/CLAUDE.md`);
    }],
  ] as const
) {
  Deno.test(`the editor's memory is not searched where ${name}`, async () => {
    using on = await world();
    remembered(on);
    await make(on);
    const hits = await found(on, "port of the staging database");
    assert.deepEqual(hits.filter(({ snippet }) => snippet.includes("6433")), []);
  });
}

Deno.test("instructions from a cloned repository are not searched until the person trusts it", async () => {
  using on = await world({ project: "foreign" });
  const { project } = remembered(on);
  assert.ok((await found(on, "rebase the release branch")).every(({ path }) => path !== project));
  assert.equal((await found(on, "tabs in makefiles"))[0]?.title, "Your CLAUDE.md");
});

Deno.test("the editor's memory is found from any folder of the repository, and in a place that the person set", async () => {
  using on = await world({ project: "none" });
  repository(on.cwd);
  remembered(on);
  put(`${on.cwd}/deep/er/file`, "");
  const deep = await on.open({ cwd: `${on.cwd}/deep/er` });
  const { items } = await searchMemory(deep, "port of the staging database");
  assert.equal(items[0]?.title, "staging-database");

  put(`${on.home}/elsewhere/fact.md`, "The staging proxy listens on port 9191.\n");
  put(`${on.home}/.claude/settings.json`, '{"autoMemoryDirectory": "~/elsewhere"}');
  assert.match((await found(on, "staging proxy port"))[0]?.snippet ?? "", /9191/);
});
