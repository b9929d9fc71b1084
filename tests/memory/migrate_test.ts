/**
 * Other programs' memories as notes: what comes along of each format, that it comes once, and that nothing
 * private, secret or foreign comes with it. The samples in fixture/migrate are in the programs' own forms.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { stripPrivate } from "../../src/guard/private.ts";
import type { ImportOutcome } from "../../src/memory/migrate/import_items.ts";
import { migrateFrom, type SourceName } from "../../src/memory/migrate/sources.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { openGraph } from "../../src/memory/graph/graph.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { intoVault, inVault, vaultOf } from "../support/vault.ts";
import { knowledge, put, read, type World, world } from "../support/world.ts";

const FIXTURES = new URL("../fixture/migrate", import.meta.url).pathname;
const SECRET = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(3)) ??
  { text: "", secret: "" };

const SILENT = { item: () => {}, indexing: () => {} };

interface Options {
  readonly all?: boolean;
  readonly isDry?: boolean;
  readonly isAgent?: boolean;
}

async function migrate(
  memory: Memory,
  from: SourceName,
  path?: string,
  { all = false, isDry = false, isAgent = false }: Options = {},
): Promise<readonly ImportOutcome[]> {
  const given = path === undefined ? undefined : { path, cwd: "/" };
  const options = { all, isDry, isAgent };
  return (await migrateFrom(memory, from, given, options, SILENT)).items;
}

/** How often each outcome. */
function tally(items: readonly ImportOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of items) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The one of an item, by its place in the source or its title. */
function of(items: readonly ImportOutcome[], name: string): ImportOutcome {
  const found = items.filter(({ item, title }) => item === name || title === name);
  assert.equal(found.length, 1, `${name}: ${JSON.stringify(items)}`);
  return found[0] as ImportOutcome;
}

const notesIn = (root: string): string[] =>
  filesIn(root).filter((name) => /^(?:knowledge|checkpoints|sessions|todos|topics)\//.test(name));

/** Every byte and time below a folder. */
function state(folder: string): string[] {
  return filesIn(folder).map((name) => {
    const { mtime, size } = Deno.statSync(`${folder}/${name}`);
    return `${name} ${size} ${mtime?.getTime()} ${read(`${folder}/${name}`)}`;
  });
}

/** A copy that a test may change. */
function copyOf(name: string): string {
  const folder = tempDir();
  for (const file of filesIn(`${FIXTURES}/${name}`)) {
    put(`${folder}/${file}`, read(`${FIXTURES}/${name}/${file}`));
  }
  return folder;
}

/** A project whose name the samples know. */
async function spectacular(): Promise<World> {
  const on = await world();
  put(`${on.cwd}/.sage/project.yaml`, "id: spectacular\nname: spectacular\n");
  return { ...on, memory: await on.open() };
}

const SAMPLES: readonly (readonly [SourceName, string, number])[] = [
  ["claude-sage", "claude-sage", 7],
  ["tabula", "tabula", 7],
  ["basic-memory", "basic-memory", 3],
  ["markdown", "basic-memory", 3],
  ["auto-memory", "auto-memory", 3],
  ["memory.jsonl", "memory.jsonl", 3],
  ["engram", "engram-export.json", 4],
  ["claude-mem", "", 7],
];

for (const [from, sample, number] of SAMPLES) {
  Deno.test(`${from}: a dry run says what a run would make, a second run makes nothing, and originals stay`, async () => {
    using on = await spectacular();
    const source = tempDir();
    if (from === "claude-mem") claudeMem(`${source}/claude-mem.db`);
    else if ((await Deno.stat(`${FIXTURES}/${sample}`)).isDirectory) {
      for (const file of filesIn(`${FIXTURES}/${sample}`)) {
        put(`${source}/${file}`, read(`${FIXTURES}/${sample}/${file}`));
      }
    } else put(`${source}/${sample}`, read(`${FIXTURES}/${sample}`));
    const path = /\./.test(sample) ? `${source}/${sample}` : source;
    const before = state(source);
    const stored = [filesIn(on.home)];
    const dry = await migrate(on.memory, from, path, { all: true, isDry: true });
    stored.push(filesIn(on.home).filter((name) => !/\/index\/|\/locks\//.test(name)));
    assert.deepEqual(stored[1]?.filter((name) => name.endsWith(".md")), []);
    const run = await migrate(on.memory, from, path, { all: true });
    assert.equal(tally(run).made, number, JSON.stringify(run, null, 1));
    assert.deepEqual(dry, run.map(({ path: _, ...said }) => said));
    for (const { path = "", id = "" } of run.filter(({ outcome }) => outcome === "made")) {
      const text = read(path);
      assert.match(
        text,
        new RegExp(`\\nimported:\\n  from: ${from}\\n  place: [0-9a-f"]{8,10}\\n`),
      );
      assert.ok(text.includes(`id: ${id}\n`), text);
    }
    const notes = [...state(`${on.cwd}/.sage`), ...state(`${on.home}/.sage`)]
      .filter((line) => /^\S+\.md /.test(line));
    const again = await migrate(await on.open(), from, path, { all: true });
    const { made: _, ...rest } = tally(run);
    assert.deepEqual(tally(again), { ...rest, known: number });
    const after = [...state(`${on.cwd}/.sage`), ...state(`${on.home}/.sage`)]
      .filter((line) => /^\S+\.md /.test(line));
    assert.deepEqual(after, notes);
    assert.deepEqual(state(source), before);
  });
}

Deno.test("claude-sage: fields, dates, links and entries of the index are kept", async () => {
  using on = await world();
  const items = await migrate(on.memory, "claude-sage", `${FIXTURES}/claude-sage`);
  const yaml = read(of(items, "What's the fee structure for Morpho curators?").path ?? "");
  for (
    const line of [
      "created: 2026-01-13T14:30:00Z",
      "trigger: synthesis",
      "confidence: 0.75",
      "parent: 2026-01-10T15-45-00_initial-research",
      "- [[dune-query-6255951]] (supports)",
      "- How sustainable are these fees as TVL grows?",
      "- discovery: Top 2 curators control 68% of TVL",
      "- steakhouse-docs vs gauntlet-report: they count curator fees differently (unresolved)",
    ]
  ) assert.ok(yaml.includes(line), `${line}\n${yaml}`);
  const json = read(of(items, "Which consent AI training needs").path ?? "");
  assert.match(json, /## Core Question\n\nWhich consent do we need before we train/);
  assert.match(json, /## Thesis\n\nArticle 6/);
  assert.match(json, /\nrecalled: \[gdpr-summary\]\n/);
  const indexed = read(of(items, "GDPR summary").path ?? "");
  assert.match(
    indexed,
    /\nkeywords: \[gdpr, privacy, data protection, consent\]\npatterns: \[user data\]\nskills: \[privacy\]\n/,
  );
  assert.match(indexed, /\ncreated: 2026-01-10T00:00:00Z\n/);
  assert.match(read(of(items, "API patterns").path ?? ""), /\nalways: true\n/);
  assert.equal(of(items, "Verify the fee structure of Gauntlet").type, "todo");
  const graph = await openGraph(on.memory);
  const [morpho, fees] = [
    "2026-01-13T14-30-00_morpho-analysis",
    "2026-01-14T09-00-00_fee-pressure",
  ];
  assert.ok(
    graph.find(fees)?.out.some(({ to }) => to === graph.find(morpho)),
    "a source that is a checkpoint is linked",
  );
});

Deno.test("claude-sage: a long todo without a heading is not cut", async () => {
  using on = await world();
  const folder = copyOf("claude-sage");
  const said =
    `Verify the fee structure of Gauntlet, ${"as the table of the vault has it, ".repeat(6)}` +
    "and tell Steakhouse.";
  put(`${folder}/knowledge/global/check-fees.md`, `${said}\n`);
  const todo = (await migrate(on.memory, "claude-sage", folder)).find(({ type }) =>
    type === "todo"
  );
  const text = read(todo?.path ?? "");
  assert.match(text, /^# Verify the fee structure of Gauntlet, .*…$/m);
  assert.ok(text.includes(`\n\n${said}\n`), text);
});

Deno.test("claude-sage: notes that the index names are read once, and through no link", {
  ignore: Deno.build.os === "windows",
}, async () => {
  using on = await world();
  const folder = tempDir();
  const outside = tempDir();
  put(`${outside}/diary.md`, "# Diary\n\nTulips.\n");
  put(`${folder}/knowledge/two.md`, "# Two\n\nBees.\n");
  await Deno.symlink(outside, `${folder}/knowledge/link`);
  put(
    `${folder}/knowledge/index.yaml`,
    "items:\n  - {id: diary, file: link/diary.md}\n  - {id: two, file: ./two.md}\n",
  );
  const items = await migrate(on.memory, "claude-sage", folder);
  assert.deepEqual(tally(items), { made: 1, unreadable: 1 });
  assert.match(of(items, "knowledge/index.yaml, diary").reason ?? "", /links are not followed/);
  assert.deepEqual(notesIn(`${on.cwd}/.sage`), ["knowledge/two.md"]);
});

Deno.test("claude-sage: in its own store the index makes notes that replace the files", async () => {
  using on = await world();
  const root = `${on.cwd}/.sage`;
  for (const file of filesIn(`${FIXTURES}/claude-sage`)) {
    put(`${root}/${file}`, read(`${FIXTURES}/claude-sage/${file}`));
  }
  const items = await migrate(await on.open(), "claude-sage");
  assert.equal(tally(items).made, 6, "the file that the index does not name is a note already");
  const { id = "", path = "" } = of(items, "API patterns");
  assert.equal(id, "api-patterns-2");
  assert.match(read(path), /\nsupersedes: \[api-patterns\]\n/);
});

Deno.test("tabula: keys and comments are kept, sessions get Sage's headings, and links still work", async () => {
  using on = await spectacular();
  const items = await migrate(on.memory, "tabula", `${FIXTURES}/tabula`);
  assert.deepEqual(tally(items), { made: 7 });
  const entity = read(of(items, "Git Worktrees").path ?? "");
  assert.match(entity, /\nclaude_last_accessed: 2025-11-19 # by the plugin\n/);
  assert.match(entity, /\ncreated: 2025-11-18T00:00:00Z\nupdated: 2025-11-19T00:00:00Z\n/);
  assert.match(entity, /\nsubject: entity\n/);
  const session = read(of(items, "Session: 2025-11-17 - Memory design").path ?? "");
  assert.deepEqual(
    [...session.matchAll(/^## (.*)$/gm)].map(([, name]) => name),
    ["Summary", "Log", "Decisions", "Open Questions", "Next"],
  );
  assert.match(
    read(of(items, "Session: 2025-11-15 - First try").path ?? ""),
    /\nstatus: archived\n/,
  );
  assert.ok(of(items, "TDD Patterns").path?.startsWith(`${on.home}/.sage/`), "of every project");
  assert.doesNotMatch(read(of(items, "TDD Patterns").path ?? ""), /\nproject:/);
  const { unresolved } = await openGraph(on.memory, { all: true });
  assert.deepEqual(unresolved, []);
});

Deno.test("memory.jsonl: relations become links, and each bad line is reported", async () => {
  using on = await world();
  const path = `${tempDir()}/memory.jsonl`;
  const lines = read(`${FIXTURES}/memory.jsonl`).trimEnd().split("\n");
  put(
    path,
    [
      ...lines,
      '{"type":"entity","name":"Empty","entityType":"x","observations":[]}',
      '{"type":"relation","from":"Nobody","to":"Anthropic","relationType":"knows"}',
      '{"type":"person","name":"x"}',
      '{"type":"entity","name":"Torn","obser',
    ].join("\n"),
  );
  const items = await migrate(on.memory, "memory.jsonl", path);
  assert.deepEqual(tally(items), { made: 3, unreadable: 4 });
  assert.deepEqual(
    items.filter(({ outcome }) => outcome === "unreadable").map((
      { line, reason },
    ) => [line, reason]),
    [
      [8, "it is neither an entity nor a relation"],
      [9, "it is not JSON"],
      [7, 'a relation of "Nobody", which is not an entity here'],
      [6, "it has no observations and no relations"],
    ],
  );
  const john = read(of(items, "John_Smith").path ?? "");
  assert.match(john, /\ntags: \[person\]\n/);
  assert.match(
    john,
    /- Speaks fluent Spanish\n- Graduated in 2019\n\n## Relations\n\n- works_at \[\[Anthropic\]\]\n/,
  );
  const graph = await openGraph(on.memory);
  assert.deepEqual(graph.unresolved, []);
  assert.equal(graph.find("C legacy"), graph.find("c-legacy"));
});

Deno.test("notes that changed in the source are updated, unless a person changed them here", async () => {
  using on = await world();
  const path = `${tempDir()}/memory.jsonl`;
  const text = read(`${FIXTURES}/memory.jsonl`);
  put(path, text);
  const first = await migrate(on.memory, "memory.jsonl", path);
  const john = of(first, "John_Smith").path ?? "";
  const anthropic = of(first, "Anthropic").path ?? "";
  put(path, text.replace("Graduated in 2019", "Graduated in 2020").replace("works_at", "left"));
  on.later(60_000);
  const second = await migrate(await on.open(), "memory.jsonl", path);
  assert.deepEqual(tally(second), { updated: 1, known: 2 });
  assert.match(read(john), /Graduated in 2020\n\n## Relations\n\n- left /);
  put(anthropic, read(anthropic).replace("Makes Claude", "Makes Claude, and more"));
  put(path, text.replace("Makes Claude", "Makes models"));
  const third = await migrate(await on.open(), "memory.jsonl", path);
  assert.equal(of(third, "Anthropic").outcome, "kept");
  assert.match(of(third, "Anthropic").reason ?? "", /changed in its source, and the note here/);
  assert.match(read(anthropic), /Makes Claude, and more/);
  // What was removed here stays away, and a moved file is the same source.
  await Deno.remove(john);
  const moved = `${tempDir()}/memory.jsonl`;
  put(moved, text.replace("Makes Claude", "Makes models"));
  const fourth = await migrate(await on.open(), "memory.jsonl", path);
  assert.equal(of(fourth, "John_Smith").reason, "it was removed here");
  const fifth = await migrate(await on.open(), "memory.jsonl", moved);
  assert.equal(of(fifth, "C# [legacy]").outcome, "known");
});

Deno.test("a run without its ledger recognises its notes by their content", async () => {
  using on = await world();
  await migrate(on.memory, "tabula", `${FIXTURES}/tabula`, { all: true });
  await Deno.remove(`${on.home}/.sage/state/migrate`, { recursive: true });
  const again = await migrate(await on.open(), "tabula", `${FIXTURES}/tabula`, { all: true });
  assert.deepEqual(tally(again), { known: 7 });
});

Deno.test("a note with a secret is not imported and reported by rule and line, and the others are", async () => {
  using on = await world();
  const folder = copyOf("basic-memory");
  put(
    `${folder}/Keys.md`,
    `---\ntitle: Keys\ntype: note\n---\n\n# Keys\n\nOne line.\n${SECRET.text}\n`,
  );
  const path = `${tempDir()}/memory.jsonl`;
  put(
    path,
    `${read(`${FIXTURES}/memory.jsonl`)}${
      JSON.stringify({
        type: "entity",
        name: "Cloud",
        entityType: "x",
        observations: [SECRET.text],
      })
    }\n`,
  );
  const markdown = await migrate(on.memory, "basic-memory", folder);
  assert.deepEqual(tally(markdown), { made: 3, refused: 1 });
  assert.equal(of(markdown, "Keys").line, 9);
  assert.ok((of(markdown, "Keys").rule ?? "") !== "");
  const jsonl = await migrate(on.memory, "memory.jsonl", path);
  assert.equal(of(jsonl, "Cloud").outcome, "refused");
  assert.equal(of(jsonl, "Cloud").line, 6);
  const named = { type: "entity", name: SECRET.text, entityType: "x", observations: ["said"] };
  put(path, `${JSON.stringify(named)}\n${JSON.stringify({ ...named, observations: [] })}\n`);
  const secretNames = await migrate(on.memory, "memory.jsonl", path);
  assert.deepEqual(tally(secretNames), { refused: 1, unreadable: 1 });
  assert.ok(!JSON.stringify([markdown, jsonl, secretNames]).includes(SECRET.secret));
  assert.ok(!state(on.home).join().includes(SECRET.secret));
});

Deno.test("private text is not imported, also not from names and keys", async () => {
  using on = await world();
  const path = `${tempDir()}/memory.jsonl`;
  const entity = (name: string, ...observations: string[]): string =>
    JSON.stringify({ type: "entity", name, entityType: "x", observations }) + "\n";
  put(
    path,
    entity(
      "Plan <private>hidden-name</private>",
      "Open.",
      "Half <private>hidden-half</private> open.",
    ) +
      entity("Torn", "Said.", "<private>hidden-one", "hidden-two") +
      entity("All", "<private>hidden-all</private>"),
  );
  const folder = copyOf("tabula");
  put(
    `${folder}/claude/global/entities/Odd.md`,
    "---\ntype: entity\nnote: <private>x\n---\n\n# Odd\n\nhidden-odd\n",
  );
  const items = [
    ...await migrate(on.memory, "memory.jsonl", path),
    ...await migrate(on.memory, "tabula", folder, { all: true }),
  ];
  assert.equal(of(items, "Plan").withheld, true);
  assert.equal(of(items, "Torn").outcome, "made");
  assert.equal(of(items, "All").reason, "all of it is private");
  assert.equal(of(items, "Odd").outcome, "unreadable");
  assert.ok(!JSON.stringify(items).includes("hidden-"));
  const everything = filesIn(on.home).join() + state(on.home).join();
  assert.ok(!everything.includes("hidden-"), everything.slice(everything.indexOf("hidden-") - 200));
  assert.equal(stripPrivate(everything), everything);
});

Deno.test("notes of other projects are imported only with --all, into the person's own store", async () => {
  using on = await world();
  const path = `${tempDir()}/engram-export.json`;
  // Windows PowerShell writes a byte order mark where output goes into a file.
  put(path, `\uFEFF${read(`${FIXTURES}/engram-export.json`)}`);
  const some = await migrate(on.memory, "engram", path);
  assert.deepEqual(tally(some), { elsewhere: 3, made: 1 });
  const all = await migrate(on.memory, "engram", path, { all: true });
  assert.deepEqual(tally(all), { made: 3, known: 1 });
  assert.deepEqual(notesIn(`${on.cwd}/.sage`), []);
  const cart = read(of(all, "Cart lives in Redis").path ?? "");
  assert.match(cart, /\nproject: shop\n/);
  assert.match(cart, /\ncreated: 2026-02-08T07:40:00Z\nupdated: 2026-02-08T08:10:00Z\n/);
  assert.match(cart, /\naliases: \[architecture\/cart\]\nsubject: decision\n/);
  assert.ok(!JSON.stringify(all).includes("Old attempt"), "what was deleted there");
});

Deno.test("an import by an agent sets nothing that only a person may set", async () => {
  using on = await world();
  const items = await migrate(on.memory, "engram", `${FIXTURES}/engram-export.json`, {
    all: true,
    isAgent: true,
  });
  assert.deepEqual(tally(items), { kept: 4 });
  const sage = await migrate(on.memory, "claude-sage", `${FIXTURES}/claude-sage`, {
    isAgent: true,
  });
  assert.doesNotMatch(read(of(sage, "API patterns").path ?? ""), /\nalways:/);
});

Deno.test("basic-memory: links by permalinks and titles still work", async () => {
  using on = await world();
  const items = await migrate(on.memory, "basic-memory", `${FIXTURES}/basic-memory`);
  const design = read(of(items, "Search Design").path ?? "");
  assert.match(design, /\npermalink: specs\/search-design\n/);
  assert.match(design, /\nsubject: spec\n/);
  assert.match(design, /\ntags:\n- search\n- ranking\n|\ntags: \[search, ranking\]\n/);
  assert.match(design, /- \[decision\] Words before vectors #ranking \(measured twice\)\n/);
  assert.deepEqual((await openGraph(on.memory)).unresolved, []);
});

Deno.test("markdown: a file alone, and rules of Cursor with globs that YAML does not take", async () => {
  using on = await world();
  const folder = tempDir();
  const rule =
    "---\ndescription: React\nglobs: *.tsx,src/**/*.ts\nalwaysApply: true\n---\n\n- Hooks.\n";
  const example = "---\nalwaysApply: true\n---\n# Globs\n\nglobs: *.ts\n";
  put(`${folder}/.cursor/rules/example.mdc`, example);
  put(`${folder}/.cursor/rules/react.mdc`, rule);
  put(`${folder}/.cursor/rules/plain.mdc`, "A rule has:\nglobs: *.ts, *.tsx\n");
  put(`${folder}/CLAUDE.md`, "# Rules\n\nTabs.\n");
  const rules = await migrate(on.memory, "markdown", `${folder}/.cursor/rules`);
  const text = read(of(rules, "react").path ?? "");
  assert.match(text, /\nglobs: "\*\.tsx,src\/\*\*\/\*\.ts"\nalwaysApply: true\n[^]*\n- Hooks\.\n$/);
  assert.equal(read(`${folder}/.cursor/rules/react.mdc`), rule);
  assert.match(read(of(rules, "plain").path ?? ""), /\nA rule has:\nglobs: \*\.ts, \*\.tsx\n/);
  assert.match(read(of(rules, "Globs").path ?? ""), /\nglobs: \*\.ts\n$/, "below the keys nothing");
  const file = `${folder}/CLAUDE.md`;
  assert.deepEqual(tally(await migrate(on.memory, "markdown", file)), { made: 1 });
  assert.deepEqual(tally(await migrate(on.memory, "markdown", file)), { known: 1 });
});

Deno.test("markdown: files that a package manager installed are not imported", async () => {
  using on = await world();
  const folder = tempDir();
  put(`${folder}/docs/Wasps.md`, "# Wasps\n\nThey sting.\n");
  put(`${folder}/node_modules/left-pad/README.md`, "# left-pad\n\nPads.\n");
  const items = await migrate(on.memory, "markdown", folder, { isDry: true });
  assert.deepEqual(items.map(({ title }) => title), ["Wasps"]);
});

Deno.test("auto-memory: facts become knowledge, and the index becomes a page of links", async () => {
  using on = await world();
  const items = await migrate(on.memory, "auto-memory", `${FIXTURES}/auto-memory`);
  const build = read(of(items, "build-command").path ?? "");
  assert.match(build, /\nsubject: project\n/);
  assert.match(build, /\nupdated: 2026-08-20T12:00:00Z\n/);
  const index = items.find(({ type }) => type === "topic");
  assert.match(read(index?.path ?? ""), /- \[\[build-command\|Build\]\]: how to build\n/);
  assert.deepEqual((await openGraph(on.memory)).unresolved, []);
});

Deno.test("files that are torn, binary, huge, links or ignored are reported, and the others are imported", async () => {
  using on = await world();
  const folder = copyOf("basic-memory");
  put(`${folder}/torn.md`, "---\ntitle: [Torn\n---\n\ntext\n");
  put(`${folder}/open.md`, "---\ntitle: Open\ntext\n");
  put(`${folder}/empty.md`, "");
  put(`${folder}/huge.md`, "x".repeat(1024 * 1024 + 1));
  await Deno.writeFile(`${folder}/binary.md`, new Uint8Array([35, 32, 0, 1, 2]));
  await Deno.writeFile(`${folder}/latin.md`, new Uint8Array([35, 32, 0xe4, 0x0a, 0x78]));
  await Deno.symlink(`${folder}/Roadmap.md`, `${folder}/link.md`);
  put(`${folder}/skipped.md`, "# Skipped\n\ntext\n");
  put(`${on.home}/.sage/.sageignore`, `${folder}/skipped.md\n`);
  const items = await migrate(on.memory, "basic-memory", folder);
  assert.deepEqual(tally(items), { made: 3, unreadable: 8 });
  const reasons = items.flatMap(({ item, reason, line }) =>
    reason === undefined ? [] : [`${item}:${line ?? "-"} ${reason}`]
  );
  assert.deepEqual(reasons.filter((line) => !/^(?:torn|open)\.md/.test(line)), [
    "binary.md:- it is not text",
    "empty.md:- it is empty",
    "huge.md:- it is larger than 1 MiB",
    "latin.md:- it is not valid UTF-8",
    "link.md:- it is a link, and links are not followed",
    "skipped.md:- .sageignore excludes it",
  ]);
  await assert.rejects(
    migrate(on.memory, "engram", `${folder}/nowhere`),
    /".*\/nowhere" does not exist/,
  );
  await assert.rejects(migrate(on.memory, "engram"), /There is no usual place for engram/);
  put(`${folder}/x.json`, "[]");
  const [wrong] = await migrate(on.memory, "engram", `${folder}/x.json`);
  assert.equal(wrong?.reason, "it is not an export of engram");
  const [noDatabase] = await migrate(on.memory, "claude-mem", `${folder}/x.json`);
  assert.match(noDatabase?.reason ?? "", /^it is not a SQLite database/);
});

Deno.test("Sage's own notes are not imported, from a store, a vault or a folder around both", async () => {
  using on = await world();
  await knowledge(on.memory, "Bees", "They dance.");
  for (const inside of [`${on.cwd}/.sage`, `${on.cwd}/.sage/knowledge`]) {
    await assert.rejects(migrate(on.memory, "basic-memory", inside), /holds notes of Sage already/);
  }
  put(`${vaultOf(on)}/Wasps.md`, "# Wasps\n\nThey sting.\n");
  await intoVault(on);
  await inVault(on, (memory) => knowledge(memory, "Ants", "They march."));
  const memory = await on.open();
  for (const path of [vaultOf(on), on.home]) {
    const items = await migrate(memory, "basic-memory", path, { isDry: true });
    assert.deepEqual(items.map(({ title }) => title), ["Wasps"], path);
    for (const from of ["okf", "tabula", "claude-sage"] as const) {
      const titles = (await migrate(memory, from, path, { isDry: true })).map(({ title }) => title);
      assert.ok(!titles.includes("Bees") && !titles.includes("Everywhere"), `${from}: ${titles}`);
    }
  }
  await assert.rejects(migrate(memory, "tabula", `${vaultOf(on)}/Sage`), /notes of Sage already/);
});

Deno.test("engram: the chunks of a sync folder are read like an export", async () => {
  using on = await world();
  const folder = `${tempDir()}/.engram`;
  put(`${folder}/manifest.json`, "{}");
  const packed = new Blob([read(`${FIXTURES}/engram-export.json`)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  await Deno.mkdir(`${folder}/chunks`);
  await Deno.writeFile(
    `${folder}/chunks/a3f8c1d2.jsonl.gz`,
    new Uint8Array(await new Response(packed).arrayBuffer()),
  );
  await Deno.writeFile(`${folder}/chunks/b.jsonl.gz`, new Uint8Array([31, 139, 8, 0]));
  const items = await migrate(on.memory, "engram", folder.slice(0, -"/.engram".length), {
    all: true,
  });
  assert.deepEqual(tally(items), { made: 4, unreadable: 1 });
});

Deno.test("claude-mem: lasting facts become knowledge, and what was done goes into the session's note", async () => {
  using on = await spectacular();
  const path = `${tempDir()}/claude-mem.db`;
  // At work: its newest rows are in the log beside it.
  const open = claudeMem(path, true);
  const before = state(path.slice(0, path.lastIndexOf("/")));
  const items = await migrate(on.memory, "claude-mem", path);
  assert.deepEqual(
    state(path.slice(0, path.lastIndexOf("/"))),
    before,
    "nothing beside it, either",
  );
  open?.close();
  assert.deepEqual(tally(items), { made: 6, unreadable: 1, elsewhere: 1 });
  const decision = read(of(items, "Worktrees for isolation").path ?? "");
  for (
    const line of [
      "created: 2025-12-10T09:00:00Z",
      "subject: decision",
      "keywords: [why-it-exists, trade off]",
      "tags: [why-it-exists, trade-off]",
      "sources: [src/run.ts, docs/plan.md]",
      "  session: 0f0f0f0f-aaaa-4000-8000-000000000001",
      "- One worktree an agent",
    ]
  ) assert.ok(decision.includes(line), `${line}\n${decision}`);
  const session = read(of(items, "Isolate the agents").path ?? "");
  assert.match(session, /\nstarted: 2025-12-10T08:59:00Z\nended: 2025-12-10T10:00:00Z\n/);
  assert.match(session, /\nfiles_touched: \[src\/run\.ts, src\/clean\.ts\]\n/);
  assert.match(session, /## Decisions\n\n- \[\[Worktrees for isolation\]\]\n/);
  assert.match(
    session,
    /## Done\n\n- Agents run apart\n- Cleanup waits\n {2}It waited too short\.\n {2}Ten seconds\n/,
  );
  assert.match(session, /- 2025-12-10T09:30:00Z feature: Cleanup waits\n/);
  assert.ok(items.every(({ title }) => title !== "Cleanup waits"), "no note of its own");
  assert.deepEqual((await openGraph(on.memory)).unresolved, []);
  // An old database, of columns that came later nothing.
  const old = `${tempDir()}/old.db`;
  const database = new DatabaseSync(old);
  database.exec(`
    create table observations (id integer primary key, memory_session_id text, project text,
      text text not null, type text not null, created_at text not null, created_at_epoch integer);
    create table session_summaries (id integer primary key, memory_session_id text, project text,
      request text, created_at text, created_at_epoch integer);
    insert into observations values
      (1, 'm', 'spectacular', 'Ports are free above 8000', 'discovery', '2025-09-01T10:00:00.000Z', 1756720800000);
  `);
  database.close();
  const few = await migrate(on.memory, "claude-mem", old);
  assert.deepEqual(tally(few), { made: 2 });
});

Deno.test("claude-mem: a session keeps its title, or gets one from its first request", async () => {
  using on = await spectacular();
  const path = `${tempDir()}/claude-mem.db`;
  claudeMem(path);
  const database = new DatabaseSync(path);
  const given = `A name that somebody gave this session, ${
    "and that goes on ".repeat(5)
  }to the end`;
  const asked = `Please look at the cleanup of worktrees that were left, ${
    "which waits for ten seconds ".repeat(4)
  }and stops`;
  database.prepare("update sdk_sessions set custom_title = ?").run(given);
  database.close();
  const named = await migrate(on.memory, "claude-mem", path);
  const note = named.find(({ type }) => type === "session");
  assert.match(read(note?.path ?? ""), new RegExp(`^title: "${given}"$`, "m"));
  const again = new DatabaseSync(path);
  again.exec("update sdk_sessions set custom_title = null");
  again.prepare("update session_summaries set request = ?").run(asked);
  again.close();
  const renamed = read(
    (await migrate(on.memory, "claude-mem", path)).find(({ type }) => type === "session")?.path ??
      "",
  );
  assert.match(renamed, /^title: Please look at the cleanup of worktrees that were left…$/m);
  assert.ok(renamed.includes(asked));
});

Deno.test("claude-mem: a number that is too large does not make reading endless", async () => {
  using on = await spectacular();
  const path = `${tempDir()}/claude-mem.db`;
  claudeMem(path);
  const database = new DatabaseSync(path);
  database.exec("update observations set id = 9007199254740993 where id = 1");
  database.close();
  const items = await migrate(on.memory, "claude-mem", path);
  const problem = items.find(({ reason }) => reason?.startsWith("its id is not a number"));
  assert.equal(problem?.item, "observation 9007199254740993");
  assert.ok((tally(items).made ?? 0) > 1);
});

Deno.test("claude-mem: a damaged database is read as far as possible, and reported", async () => {
  using on = await spectacular();
  const path = `${tempDir()}/claude-mem.db`;
  claudeMem(path);
  const database = new DatabaseSync(path);
  database.exec("update observations set created_at_epoch = 9223372036854775807 where id = 1");
  const add = database.prepare(
    "insert into observations (memory_session_id, project, type, title, narrative, created_at, created_at_epoch) values ('mem-1', 'spectacular', 'discovery', ?, ?, 'x', 1765357200000)",
  );
  for (let i = 0; i < 2000; i++) add.run(`Finding ${i}`, "word ".repeat(100));
  database.close();
  const bytes = await Deno.readFile(path);
  bytes.fill(0xff, bytes.length - 400_000, bytes.length - 300_000);
  await Deno.writeFile(path, bytes);
  const items = await migrate(on.memory, "claude-mem", path, { isDry: true });
  assert.equal(of(items, "Worktrees for isolation").outcome, "made");
  assert.ok((tally(items).made ?? 0) > 500, JSON.stringify(tally(items)));
  assert.match(items.at(-1)?.reason ?? "", /^the database is damaged/);
  assert.deepEqual(filesIn(`${on.home}/.sage/state/migrate`), [], "the copy is gone");
});

Deno.test("imported pinned notes are reported, and a checkpoint that exists here is recognised", async () => {
  using on = await world();
  const id = "2026-01-13T14-30-00_morpho-analysis";
  put(
    `${on.cwd}/.sage/checkpoints/${id}.md`,
    `---\nid: ${id}\ntype: checkpoint\n---\n\n# Morpho\n`,
  );
  const items = await migrate(await on.open(), "claude-sage", `${FIXTURES}/claude-sage`);
  assert.deepEqual(tally(items), { made: 6, known: 1 });
  assert.deepEqual(items.filter(({ insists }) => insists).map(({ title }) => title), [
    "API patterns",
  ]);
});

Deno.test("a forgotten note is not imported, also under another name, and no ledger names it", async () => {
  using on = await world();
  const path = `${tempDir()}/memory.jsonl`;
  const entity = (name: string, said: string): string =>
    JSON.stringify({ type: "entity", name, entityType: "x", observations: [said] }) + "\n";
  const said = "The Zanzibar account is settled every second Tuesday.";
  put(path, entity("Zanzibar account", said) + entity("Other", "Short."));
  await migrate(on.memory, "memory.jsonl", path);
  const memory = await on.open();
  assert.equal((await forget(memory, "Zanzibar account")).kind, "forgotten");
  assert.ok(!/zanzibar/i.test(filesIn(on.home).join() + state(on.home).join()));
  put(path, entity("Zanzibar account", said) + entity("Renamed", said) + entity("Other", "Short."));
  await Deno.remove(`${on.home}/.sage/state/migrate`, { recursive: true });
  const again = await migrate(await on.open(), "memory.jsonl", path);
  assert.deepEqual(tally(again), { kept: 2, known: 1 });
  assert.equal(of(again, "Renamed").reason, "it was forgotten here");
});

/** A database as claude-mem's migrations leave it; open, and so with its log, where it is `atWork`. */
function claudeMem(path: string, atWork = false): DatabaseSync | undefined {
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal");
  database.exec(read(`${FIXTURES}/claude-mem.sql`));
  if (atWork) return database;
  database.close();
  return undefined;
}
