/** Other programs' memories, by the built program: what a person reads, and that a kill loses nothing. */
import assert from "node:assert/strict";
import { binary, hasBinary, scratch } from "../support/sage.ts";
import { runKilled } from "../support/kill_after.ts";
import { filesIn } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";

const FIXTURES = new URL("../fixture/migrate", import.meta.url).pathname;

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function test(name: string, body: (place: Place) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !hasBinary,
    async fn() {
      const place = scratch();
      try {
        await binary(["init"], place);
        await body(place);
      } finally {
        await Deno.remove(place.home, { recursive: true });
      }
    },
  });
}

const from = (
  source: string,
  ...rest: string[]
): string[] => ["migrate", "--from", source, ...rest];

test("a dry run names each note, a run counts them, a second one makes none", async (place) => {
  const args = from("memory.jsonl", `${FIXTURES}/memory.jsonl`);
  const dry = await binary([...args, "--dry-run"], place);
  assert.equal(
    dry.stdout,
    "Would make 3 notes of memory.jsonl\n" +
      "      kind       id          title\n" +
      "make  knowledge  john-smith  John_Smith\n" +
      "make  knowledge  anthropic   Anthropic\n" +
      "make  knowledge  c-legacy    C# [legacy]\n",
  );
  assert.deepEqual(filesIn(`${place.cwd}/.sage`).filter((name) => name.endsWith(".md")), []);
  const run = await binary(args, place);
  assert.equal(run.stdout, "Made 3 notes of memory.jsonl\n");
  assert.equal(
    (await binary(args, place)).stdout,
    "Made 0 notes of memory.jsonl, 3 known already\n",
  );
  const found = await binary(["search", "who speaks Spanish"], place);
  assert.match(found.stdout, /John_Smith/);
});

test("a folder or file that is named alone tells by the names in it whose it is", async (place) => {
  const { home, cwd } = place;
  const dry = async (path: string): Promise<string> =>
    (await binary([...from(path), "--dry-run"], place)).stdout.split("\n")[0] ?? "";
  assert.match(await dry(`${FIXTURES}/memory.jsonl`), /3 notes of memory\.jsonl/);
  put(`${home}/old/.sage/checkpoints/first.yaml`, "core_question: Which cache?\nthesis: Redis.\n");
  assert.match(await dry(`${home}/old`), /1 note of claude-sage/);
  put(`${home}/vault/claude/global/entities/Redis.md`, "# Redis\n\nA cache in memory.\n");
  assert.match(await dry(`${home}/vault`), /1 note of tabula/);
  put(`${home}/bundle/index.md`, '---\nokf_version: "0.2"\n---\n');
  put(`${home}/bundle/redis.md`, "---\ntype: Tool\n---\n# Redis\n\nA cache in memory.\n");
  assert.match(await dry(`${home}/bundle`), /1 note of okf/);
  put(`${cwd}/notes/redis.md`, "# Redis\n\nA cache in memory.\n");
  assert.match(await dry("notes"), /1 note of markdown/);
  put(`${cwd}/notes.txt`, "A cache in memory.\n");
  const { code, stderr } = await binary(from("notes.txt"), place);
  assert.deepEqual([code, stderr.split("\n")[0]], [
    2,
    'sage: "notes.txt" is no source, nor a folder or file of one',
  ]);
});

test("each source is found where it usually lies", async (place) => {
  const { home } = place;
  const copy = (name: string, to: string): void => {
    for (const file of filesIn(`${FIXTURES}/${name}`)) {
      put(`${to}/${file}`, read(`${FIXTURES}/${name}/${file}`));
    }
  };
  copy("tabula", `${home}/.claude-memory`);
  copy("basic-memory", `${home}/basic-memory`);
  copy("auto-memory", `${home}/.claude/projects/${place.cwd.replace(/[^A-Za-z0-9]/g, "-")}/memory`);
  const made: string[] = [];
  for (const source of ["tabula", "basic-memory", "auto-memory"]) {
    made.push((await binary(from(source, "--all"), place)).stdout.split("\n")[0] ?? "");
  }
  assert.deepEqual(made, [
    "Made 7 notes of tabula (3 knowledge, 2 topic, 2 session)",
    "Made 3 notes of basic-memory",
    "Made 3 notes of auto-memory (1 topic, 2 knowledge)",
  ]);
  const none = await binary(from("claude-mem"), place);
  assert.equal(none.code, 3);
  assert.match(
    none.stderr,
    /^sage: Found nothing of claude-mem in the usual place: looked at .*\n {2}sage migrate --from claude-mem <path>\n$/,
  );
});

test("what cannot be is said in one line", async (place) => {
  const wrong = async (...args: string[]): Promise<[number, string]> => {
    const { code, stderr } = await binary(args, place);
    return [code, stderr.split("\n")[0] ?? ""];
  };
  assert.deepEqual(await wrong("migrate"), [2, "sage: The source is missing"]);
  assert.deepEqual(await wrong(...from("engram")), [2, "sage: There is no usual place for engram"]);
  assert.deepEqual(await wrong(...from("tabula", "--limit", "3")), [
    2,
    "sage: --limit and --since are for transcripts only",
  ]);
  assert.deepEqual(await wrong(...from("transcripts", "x")), [
    2,
    'sage: Cannot read transcripts from "x"',
  ]);
  put(`${place.cwd}/x.json`, "{");
  const [code, line] = await wrong(...from("engram", "x.json"));
  assert.deepEqual([code, line], [1, `sage: Nothing of ${place.cwd}/x.json can be read`]);
  assert.equal((await wrong(...from("somebody")))[0], 2);
});

test("a folder of plain Markdown is brought over, and what refuses it names the command", async (place) => {
  const { cwd } = place;
  const [first, second] = [`${cwd}/notes/slugs.md`, `${cwd}/notes/deep/storage.md`];
  put(first, "---\ntype: guide\ntags: [links]\n---\n# Slugs have seven characters\n\nBase62.\n");
  put(second, "Links lie in SQLite, see [[slugs]].\n");
  const before = [read(first), read(second)];
  for (
    const args of [["knowledge", "add", "notes/"], ["knowledge", "add", "notes"], [
      "migrate",
      "notes",
    ]]
  ) {
    const { code, stderr } = await binary(args, place);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /\n {2}sage migrate --from markdown notes\/? --dry-run\n$/,
      args.join(" "),
    );
  }
  const spaced = `${cwd}/my notes`;
  put(`${spaced}/a.md`, "# A\n\ntext\n");
  const quoted = await binary(["knowledge", "add", "my notes/"], place);
  assert.match(quoted.stderr, /--from markdown "my notes\/" --dry-run/);

  const run = await binary([...from("markdown", "notes/"), "--json"], place);
  const { items } = JSON.parse(run.stdout);
  assert.deepEqual(
    items.map(({ title, outcome }: { title: string; outcome: string }) => [title, outcome]),
    [["storage", "made"], ["Slugs have seven characters", "made"]],
  );
  assert.match(read(items[1].path), /\nsubject: guide\n/);
  assert.match(read(items[1].path), /\n {2}from: markdown\n/);
  assert.deepEqual([read(first), read(second)], before);
  const again = await binary(from("markdown", "notes"), place);
  assert.equal(again.stdout, "Made 0 notes of markdown, 2 known already\n");
  const file = await binary(["migrate", "notes/slugs.md"], place);
  assert.match(file.stderr, /\n {2}sage knowledge add notes\/slugs\.md\n$/);
  const imported = await binary(["import", "notes/"], place);
  assert.match(imported.stderr, /sage migrate --from markdown <folder>/);
});

test("a run that is killed goes on where it stopped, and makes nothing twice", async (place) => {
  const path = `${place.home}/memory.jsonl`;
  const entities = 400;
  put(
    path,
    Array.from({ length: entities }, (_, i) =>
      JSON.stringify({
        type: "entity",
        name: `Service ${i % 7} of ${i}`,
        entityType: "service",
        observations: [`It listens on port ${8000 + i}.`],
      })).join("\n"),
  );
  const args = from("memory.jsonl", path);
  let kills = 0;
  for (let ms = 200; ms < 1200; ms += 200) {
    if (await runKilled(args, place, ms)) kills++;
  }
  assert.ok(kills > 0, "no run was slow enough to be killed");
  const last = await binary(args, place);
  assert.equal(last.code, 0, last.stderr);
  const notes = filesIn(`${place.cwd}/.sage/knowledge`).filter((name) => name.endsWith(".md"));
  assert.equal(notes.length, entities);
  const items = notes.map((name) =>
    /\n {2}item: (.*)\n/.exec(read(`${place.cwd}/.sage/knowledge/${name}`))?.[1]
  );
  assert.equal(new Set(items).size, entities);
  assert.equal(
    (await binary(args, place)).stdout,
    `Made 0 notes of memory.jsonl, ${entities} known already\n`,
  );
});

test("a bundle goes out and comes back", async (place) => {
  await binary(from("tabula", `${FIXTURES}/tabula`, "--all"), place);
  const out = await binary(["admin", "export", "--okf", "../bundle", "--all"], place);
  assert.equal(out.stdout, `Wrote 7 notes to ${place.home}/bundle\n`);
  const full = await binary(["admin", "export", "--okf", "../bundle"], place);
  assert.equal(full.code, 4);
  assert.match(full.stderr, /it is not empty/);
  await Deno.writeTextFile(`${place.home}/a-file`, "");
  const file = await binary(["admin", "export", "--okf", "../a-file"], place);
  assert.match(file.stderr, /it is not a folder/);
  const list = await binary(from("markdown", `${place.home}/a-file`), place);
  assert.match(list.stdout, /a-file: it is empty/);
  const other = scratch();
  try {
    await binary(["init"], other);
    const back = await binary(from("okf", `${place.home}/bundle`, "--all"), other);
    assert.equal(back.stdout, "Made 7 notes of okf (3 knowledge, 2 session, 2 topic)\n");
    const { stdout } = await binary(["graph", "unresolved", "--all"], other);
    assert.equal(stdout, "Every link leads to a note.\n");
  } finally {
    await Deno.remove(other.home, { recursive: true });
  }
});
