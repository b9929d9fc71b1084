/** What the command line promises and no other test asks, asked of the built program. */
import assert from "node:assert/strict";
import {
  binary,
  hasBinary,
  sage,
  type SageOptions,
  type SageResult,
  scratch,
} from "../support/sage.ts";
import { writeOld } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";

interface Scene {
  readonly home: string;
  readonly cwd: string;
  run(line: string, more?: Partial<SageOptions>): Promise<SageResult>;
  /** The document of a command that exits with `code`. */
  json(line: string, code?: number): Promise<Record<string, unknown>>;
}

/** A project with two notes whose ids begin alike, and a third with a link to one. */
async function scene(): Promise<Scene> {
  const place = scratch();
  const run: Scene["run"] = (line, more = {}) =>
    binary(line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [], {
      ...place,
      ...more,
    });
  const json: Scene["json"] = async (line, code = 0) => {
    const got = await run(`${line} --json`);
    assert.equal(got.code, code, `${line}: ${got.stdout}${got.stderr}`);
    return JSON.parse(got.stdout);
  };
  await sage(["init"], place);
  for (
    const [title, text] of [
      ["Git worktrees", "They share the hooks of the main checkout."],
      ["Git workflows", "A branch for each change."],
      ["Lock files", "One for each worktree, see [[git-worktrees]]."],
    ] as const
  ) {
    assert.equal((await sage(["knowledge", "add", title, "-m", text], place)).code, 0);
  }
  return { ...place, run, json };
}

function test(name: string, body: (scene: Scene) => Promise<void>): void {
  Deno.test({ name, ignore: !hasBinary, fn: async () => await body(await scene()) });
}

test("sage help takes no word behind a command", async ({ run }) => {
  for (const line of ["help search x", "help todo add x", "help all x", "help help x"]) {
    const { code, stdout, stderr } = await run(line);
    assert.deepEqual([code, stdout], [2, ""], line);
    assert.match(stderr, /^sage: Unexpected argument "x" of sage help\n {2}sage help/);
  }
  assert.equal((await run("help todo add")).code, 0);
});

test("sage graph takes the beginning of an id, and says which notes it may be", async ({ run, json }) => {
  const ids = async (line: string): Promise<unknown> =>
    ((await json(line)).items as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(await ids("graph links lock"), ["git-worktrees"]);
  assert.deepEqual(await ids("graph backlinks git-workt"), ["lock-files"]);
  const { short_id } = (await json("knowledge show lock-files")).note as { short_id: string };
  assert.deepEqual(await ids(`graph near ${short_id.slice(0, 5)}`), ["git-worktrees"]);
  assert.deepEqual(await ids("graph path git-workt lock-f"), ["git-worktrees", "lock-files"]);
  assert.deepEqual(await ids("graph query to:git-workt"), ["lock-files"]);
  assert.equal((await json("graph draw git-workt")).notes, 2);
  for (
    const line of ["links git", "backlinks git-wo", "near git", "path lock-files git", "draw git"]
  ) {
    const { error, items } = await json(`graph ${line}`, 4);
    assert.equal((error as { code: string }).code, "ambiguous", line);
    assert.equal((items as unknown[]).length, 2, line);
  }
  for (const line of ["graph query to:git", "topic new Git git"]) {
    const { error } = await json(line, 4);
    assert.match(
      JSON.stringify(error),
      /"ambiguous".*(?:git-worktrees, git-workflows|git-workflows, git-worktrees)/,
    );
  }
  assert.equal((await run("graph links nobody")).code, 3);
  assert.equal((await run("topic new Git git-workt")).code, 0);
});

test("sage config list says what the project's file sets, and --project takes a folder", async ({ run, json, cwd, home }) => {
  const keys = async (line: string): Promise<unknown> =>
    ((await json(line)).items as { key: string }[]).map(({ key }) => key);
  assert.equal((await run("config list --project")).stdout, "The project's file sets nothing.\n");
  put(`${cwd}/.sage/tuning.yaml`, "retrieval.max_items: 5\nmcp.tools: full\n");
  assert.deepEqual(await keys("config list --project"), ["retrieval.max_items", "mcp.tools"]);
  const { items } = await json("config list --project");
  assert.deepEqual((items as unknown[])[1], {
    key: "mcp.tools",
    value: "full",
    source: "project",
    default: "standard",
    summary: "tools that an agent sees",
    holds: false,
    note: "ignored: only you may set this, not a project",
  });
  const all = await keys("config list --all");
  assert.deepEqual(all, await keys("config list"));
  const some = await keys("config list --project --all") as string[];
  assert.ok(some.includes("retrieval.max_items") && !some.includes("mcp.tools"));
  assert.equal((await run("config list --all --changed")).code, 2);
  // With a folder it is the option of every command.
  assert.deepEqual(await keys(`config list --project ${cwd}`), all);
  const elsewhere = { cwd: home };
  const set = await run(`config set retrieval.max_items 7 --project ${cwd}`, elsewhere);
  assert.equal(set.stdout, `retrieval.max_items = 7 (${cwd}/.sage/tuning.yaml)\n`);
  assert.equal(
    (await run(`config get retrieval.max_items --project ${cwd}`, elsewhere)).stdout,
    "7\n",
  );
  assert.equal((await run("config list --project", elsewhere)).code, 3);
});

test("sage forget searches for a text that names no note, and erases none of what it finds", async ({ run, json }) => {
  for (const yes of ["", " --yes"]) {
    const { error, items } = await json(`forget "how checkouts share hooks"${yes}`, 4);
    assert.equal((error as { code: string }).code, "ambiguous");
    assert.equal((items as { id: string }[])[0]?.id, "git-worktrees");
  }
  assert.equal((await run("knowledge show git-worktrees")).code, 0);
  assert.equal((await run("forget zzzz")).code, 3);
});

test("sage status --verbose has a line for freshness and for the index", async ({ run }) => {
  const { stdout } = await run("status --verbose");
  assert.match(stdout, /^freshness +no knowledge is old enough for the archive$/m);
  assert.match(stdout, /^index +3 files, up to date, model static$/m);
});

test("notes in the answers of export and compaction have what notes in lists have", async ({ json, cwd, home }) => {
  const wanted = ["id", "short_id", "type", "title", "path", "created", "updated"];
  const has = (items: unknown): void => {
    const [item] = items as Record<string, unknown>[];
    assert.deepEqual(wanted.filter((key) => typeof item?.[key] !== "string"), []);
  };
  has((await json(`admin export --okf ${home}/bundle`)).items);
  for (const day of ["02", "03"]) {
    writeOld(
      `${cwd}/.sage/sessions/2026-01-${day}-a.md`,
      `---\nid: 2026-01-${day}-a\ntype: session\ncreated: 2026-01-${day}T10:00:00Z\n` +
        `updated: 2026-01-${day}T10:00:00Z\nsession: ${day}\nended: 2026-01-${day}T11:00:00Z\n---\n\n` +
        "# A session\n\n## Summary\n\nNothing came of it.\n",
    );
  }
  has((await json("session compact --dry-run")).items);
  has((await json("session compact")).items);
});

test("knowledge for one skill lies in the skill's folder, for several beside the rest", async ({ json, run, cwd }) => {
  const add = 'knowledge add Rebase -m "Never on a shared branch." --skill "Code review"';
  const { note } = await json(add);
  assert.equal(
    (note as { path: string }).path,
    `${cwd}/.sage/knowledge/skills/code-review/rebase.md`,
  );
  await run('knowledge update rebase -m "Never on a branch that others have."');
  assert.match(
    read(`${cwd}/.sage/knowledge/skills/code-review/rebase.md`),
    /skills: \[Code review\]/,
  );
  assert.equal((await run("knowledge history rebase --version 1")).stdout.includes("shared"), true);
  const both = await json('knowledge add Tags -m "Signed ones." --skill review,release');
  assert.equal((both.note as { path: string }).path, `${cwd}/.sage/knowledge/tags.md`);
});

test("a key in a project's file is reported with the file's name", async ({ run, cwd }) => {
  const file = `${cwd}/.sage/project.yaml`;
  put(file, `${read(file)}api_key: made-up\n`);
  const { stderr } = await run("config get recall_threshold");
  assert.equal(
    stderr,
    `sage: warning: ${file}: "api_key" is a secret and is ignored: keys belong in your own config.yaml\n`,
  );
});

test("sage config set takes a model that is here or can be pulled, and no other", async ({ run }) => {
  const { code, stderr } = await run("config set embedding_model statik");
  assert.deepEqual([code, /^sage: No model is called "statik"\n/.test(stderr)], [2, true], stderr);
  assert.equal((await run("config get embedding_model")).stdout, "static\n");
  for (const name of ["bge-small-en-v1.5", "static"]) {
    assert.equal((await run(`config set embedding_model ${name}`)).code, 0, name);
  }
});

test("a conflict offers what is left, because what merges was merged", async ({ json, run, cwd }) => {
  const { hash } = (await json("knowledge show lock-files")).note as { hash: string };
  const file = `${cwd}/.sage/knowledge/lock-files.md`;
  put(file, read(file).replace("One for each", "Two for each"));
  const change = `knowledge update lock-files -m "Three in all." --expect ${hash}`;
  assert.deepEqual((await json(change, 4)).choices, ["append", "new", "abort"]);
  assert.match((await run(`${change} --on-conflict append`)).stdout, /^Updated/);
  assert.match(read(file), /Two for each[^]*## Updates \(unmerged [^]*Three in all\./);
});

test("what the person called no secret may be saved, and nothing else", async ({ run, cwd }) => {
  const sample = ["ghp", "Zx81kQ0vTn3LmB7uYc5RdW2sEa9HfJ4pGi6X"].join("_");
  const other = ["ghp", "Ab81kQ0vTn3LmB7uYc5RdW2sEa9HfJ4pGi6Z"].join("_");
  put(`${cwd}/example.txt`, `token: ${sample}\n`);
  const save = (token: string) => run(`todo add "Show ${token} in the example"`);
  assert.equal((await save(sample)).code, 1);
  assert.equal((await run('guard allow example.txt:1 --reason "made up"')).code, 0);
  assert.equal((await save(sample)).code, 0);
  assert.match((await save(other)).stderr, /^sage: Not saved, it holds github-token/);
});
