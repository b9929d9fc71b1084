/**
 * docs/reference/json.md is what every command really answers with `--json`: each is run, and the forms
 * of its documents are written down. A change shows as a difference; when it is meant,
 * `SAGE_TEST_UPDATE=1` writes the page anew, to be read before it is committed: fields are added, never
 * renamed or taken away.
 */
import assert from "node:assert/strict";
import { isGroup } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { resolve } from "../../src/cli/resolve.ts";
import { Editor } from "../support/editor.ts";
import { borrowItems, newShape, render, type Shape, widen } from "../support/json_shape.ts";
import { binary, hasBinary, sage, type SageOptions, type SageResult } from "../support/sage.ts";
import { madeRelease, openReleases } from "../support/release_server.ts";
import { bertFiles, TINY } from "../support/bert_model.ts";
import { openModelServer } from "../support/model_api_server.ts";
import { openHub } from "../support/model_hub.ts";
import { age, tempDir } from "../support/temp_store.ts";
import { SESSIONS } from "../support/sessions.ts";
import { put, repository } from "../support/world.ts";

const page = new URL("../../docs/reference/json.md", import.meta.url).pathname;
const program = new URL("../../dist/sage", import.meta.url).pathname;

/** They speak a protocol, or a line, instead of answering. */
const NO_DOCUMENT = ["sage mcp", "sage serve", "sage statusline", "sage chat"];

/** Objects whose keys are data. */
const MAPS: Readonly<Record<string, readonly string[]>> = {
  "sage status": ["counts"],
};

type Documents = Map<string, Shape>;

/** What a step may need that stands around the command. */
interface Around extends Partial<Pick<SageOptions, "stdin" | "env">> {
  /** The exit code, where the answer asks for a decision or is a finding. */
  readonly code?: number;
}

/** Runs commands in one home and keeps the forms of what they answer. */
class Scene {
  readonly documents: Documents = new Map();
  /** Answers that are not what the step is for. */
  readonly problems: string[] = [];
  readonly home = tempDir();
  readonly cwd = `${this.home}/project`;

  /** The document, which is no failure. */
  async run(args: readonly string[], around: Around = {}): Promise<Record<string, unknown>> {
    return await this.keep(args, around, await sage([...args, "--json"], { ...this, ...around }));
  }

  /** The same by the built program, for what only that can do. */
  async runBuilt(args: readonly string[], around: Around = {}): Promise<Record<string, unknown>> {
    return await this.keep(args, around, await binary([...args, "--json"], { ...this, ...around }));
  }

  async keep(
    args: readonly string[],
    around: Around,
    { code, stdout, stderr }: SageResult,
  ): Promise<Record<string, unknown>> {
    const { error, ...document } = JSON.parse(stdout);
    // A conflict, and a finding, are answers too: what failed stands beside them.
    const what = `${args.join(" ")}: exit ${code}, ${JSON.stringify(error)} ${stderr}`;
    if (code !== (around.code ?? 0) || Object.keys(document).length === 0) this.problems.push(what);
    const name = await nameOf(args);
    const shape = this.documents.get(name) ?? newShape();
    this.documents.set(name, shape);
    widen(shape, document, (path) => MAPS[name]?.includes(path) ?? false);
    return document;
  }
}

async function nameOf(args: readonly string[]): Promise<string> {
  if (args.length === 0) return "sage";
  if (args[0] === "help") return args.length === 1 ? "sage help" : `sage help <command>`;
  if (args[0] === "--version") return "sage --version";
  const resolved = await resolve(args, { fallback: true });
  assert.equal(resolved.kind, "command");
  return resolved.kind === "command" ? resolved.named.name : "";
}

function idOf(document: Record<string, unknown>, key: string): string {
  return String((document[key] as { id: string }).id);
}

function firstId(document: Record<string, unknown>): string {
  return String((document.items as { id: string }[])[0]?.id);
}

async function live(scene: Scene): Promise<void> {
  const { home, cwd } = scene;
  await Deno.mkdir(cwd);
  await scene.run([]);
  await scene.run(["help"]);
  await scene.run(["help", "todo", "add"]);
  await scene.run(["help", "todo"]);
  await scene.runBuilt(["--version"]);
  await scene.run(["status"]);
  repository(cwd, "https://example.org/team/project.git");
  await scene.run(["init"]);
  for (const flags of [["--dry-run"], [], []]) {
    await scene.run(["install", "claude-code", "--binary", program, ...flags]);
  }
  await knowledge(scene);
  await checkpoints(scene);
  await todos(scene);
  await sessions(scene);
  await looks(scene);
  await guard(scene);
  await projects(scene);
  await settings(scene);
  await models(scene);
  await updates(scene);
  await asks(scene);
  await whole(scene);
  for (const flags of [[], ["--yes"]]) await scene.run(["undo", "--session", ...flags]);
  const agent = "33333333-1111-4000-8000-000000000001";
  const env = { CLAUDE_CODE_SESSION_ID: agent };
  await scene.run(["topic", "new", "Rivers", "Heron"], { env });
  await scene.run(["undo", "--session", agent, "--yes"]);
  for (const kind of ["session", "topic"]) {
    const id = firstId(await scene.run([kind, "restore"]));
    await scene.run([kind, "restore", id]);
    await scene.run([kind, "rm", id, "--yes"]);
  }
  const said = "Okapis are related to giraffes and live in forests.";
  put(`${cwd}/.sage/knowledge/zoo.md`, `---\nid: zoo\ntype: knowledge\n---\n\n# Zoo\n\n${said}\n`);
  for (const ref of ["okapis", "zoo"]) await scene.run(["forget", ref, "--yes"]);
  // What is forgotten names no project.
  await scene.run(["status"]);
  put(`${home}/clone/.sage/knowledge/a.md`, "---\nid: a\ntype: knowledge\n---\n\n# A\n\nText.\n");
  await scene.run(["trust", `${home}/clone`]);
  await scene.run(["trust"]);
  for (const flags of [["claude-code", "--dry-run"], ["claude-code"], ["--all", "--yes"]]) {
    await scene.run(["uninstall", ...flags]);
  }
}

async function knowledge(scene: Scene): Promise<void> {
  const { cwd, home } = scene;
  const add = async (title: string, text: string, flags: readonly string[] = [], around = {}) =>
    await scene.run(["knowledge", "add", "-", "--title", title, ...flags], {
      stdin: text,
      ...around,
    });
  put(`${cwd}/src/import.ts`, "export const batch = 100;\n");
  await add("Heron", "The heron import runs in batches of 100. See [[Okapis]].", [
    ...["--keywords", "heron,import", "--skill", "debug", "--source", "src/import.ts"],
  ]);
  await add("Heron", "The heron import runs in batches of 100. See [[Okapis]].");
  await add("Heron", "The heron import runs in batches of 250, because that was quicker.", [], {
    code: 4,
  });
  await add("Okapis", "Okapis are related to giraffes and live in forests.");
  await add("Otters", "Otters hold hands while they sleep. Compare [[Nothing there]].");
  const agent = {
    code: 4,
    env: { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" },
  };
  for (const title of ["Tabs", "Short answers", "No emoji"]) {
    await add(title, `${title}, always.`, ["--subject", "preference"], agent);
  }
  const question = firstId(await scene.run(["inbox"]));
  await scene.run(["inbox", "show", question]);
  await scene.run(["inbox", "accept", question]);
  await scene.run(["inbox", "later", firstId(await scene.run(["inbox", "list"]))]);
  await scene.run(["inbox", "drop", firstId(await scene.run(["inbox", "list"]))]);
  const tagged =
    "---\nid: tagged\ntype: knowledge\ntags: [animals]\naliases: [T]\npinned: true\n---\n\n";
  put(
    `${cwd}/.sage/knowledge/tagged.md`,
    `${tagged}# Tagged\n\nGiraffes are tall. See [[Heron]].\n`,
  );
  put(`${cwd}/.sage/knowledge/torn.md`, "---\nid: [\n---\n\nText.\n");
  await scene.run(["status"]);
  await scene.run(["knowledge", "list"]);
  await scene.run(["knowledge", "show", "Tagged"]);
  await scene.run(["knowledge", "show", "Heron"]);
  await scene.run(["knowledge", "edit", "Heron", "--append", "-m", "And once more."]);
  await scene.run(["knowledge", "update", "Heron", "-"], { stdin: "Batches of 250 now." });
  await scene.run(["knowledge", "history", "Heron"]);
  await scene.run(["knowledge", "history", "Heron", "--diff"]);
  await scene.run(["knowledge", "match", "okapis and giraffes", "--threshold", "0.1"]);
  await scene.run(["knowledge", "debug", "how does the heron import run"]);
  await scene.run(["knowledge", "debug", "okapis and giraffes", "--why", "Okapis"]);
  put(`${cwd}/src/import.ts`, "export const batch = 250;\n");
  await scene.run(["check", "src/import.ts"], { code: 4 });
  await scene.run(["search", "heron import batches"]);
  await scene.run(["search", "heron import batches type:nothing", "--also", "rows of a batch"]);
  await scene.run(["knowledge", "show", "Heron"]);
  await scene.run(["knowledge", "verify", "Heron", "--evidence", "measured"]);
  await scene.run(["knowledge", "archive", "Otters"]);
  await scene.run(["knowledge", "restore", "Otters"]);
  await scene.run(["knowledge", "rm", "Otters", "--yes"]);
  await scene.run(["knowledge", "restore"]);
  await scene.run(["knowledge", "restore", "Otters"]);
  await add("Otters and hands", "Otters sleep hand in hand, as was seen in spring.");
  await scene.run(["knowledge", "merge", "Otters", "Otters and hands", "--yes"]);
  put(`${home}/.sage/.sageignore`, "secret/\n");
}

const CHECKPOINT = `# Offline store

## Core Question

Which store serves the mobile client offline?

## Thesis

SQLite with WAL, because sync may lag by hours.

## Key Evidence

- 10,000 notes were written in 1.8 s

## Decisions

- SQLite with WAL

## Open Questions

- Does it hold on old phones?

## Tensions

- Size against speed

## Sources

- [[heron]]
`;

async function checkpoints(scene: Scene): Promise<void> {
  await scene.run(["checkpoint", "save", "-"], { stdin: CHECKPOINT });
  const full = idOf(await scene.run(["checkpoint", "save", "-"], { stdin: CHECKPOINT }), "note");
  await scene.run(["checkpoint", "show", full]);
  await scene.run(["load", full]);
  const save = async (text: string) => await scene.run(["checkpoint", "save", "-m", text]);
  const first = idOf(await save("Zebras have stripes against flies, which land less."), "note");
  await save("Zebras have stripes against flies, which land less.");
  // Of the two above the later one is meant, unless they are of one second; these two fit as well.
  await save("Lions cannot count zebras by their stripes.");
  await save("Our zebras have stripes of two colours.");
  const second = idOf(await save("The importer streams rows, because memory stayed low."), "note");
  await scene.run(["checkpoint", "list"]);
  await scene.run(["checkpoint", "show", first]);
  await scene.run(["checkpoint", "restore", first]);
  await scene.run(["load"]);
  await scene.run(["load", "zebras stripes"], { code: 4 });
  const branch = await scene.run(["checkpoint", "branch", first, "--name", "horses"]);
  assert.ok(branch);
  await scene.run(["checkpoint", "diff", first, second]);
  for (const format of ["md", "json", "html"]) {
    const to = `${scene.home}/export.${format}`;
    await scene.run(["checkpoint", "export", first, "--format", format, "--output", to]);
  }
  await scene.run(["checkpoint", "export", first]);
  await scene.run(["checkpoint", "rm", second, "--yes"]);
  await scene.run(["checkpoint", "prune", "--keep", "1"]);
  await scene.run(["checkpoint", "prune", "--keep", "1", "--yes"]);
}

async function todos(scene: Scene): Promise<void> {
  const flags = ["--priority", "high", "--due", "2030-01-15"];
  await scene.run(["todo", "add", "Measure the night job", ...flags]);
  await scene.run(["todo", "add", "Tell the others"]);
  await scene.run(["todo", "show", "Tell the others"]);
  await scene.run(["todo", "update", "Tell the others", "--due", "2026-01-31"]);
  for (const verb of ["start", "block", "done", "reopen"]) {
    await scene.run(["todo", verb, "Measure the night job"]);
  }
  await scene.run(["todo", "list", "--all"]);
  await scene.run(["todo", "rm", "Tell the others", "--yes"]);
  await scene.run(["todo", "restore"]);
  await scene.run(["todo", "restore", "Tell the others"]);
}

/** A past session for the back-fill, a note with open questions, and a session with an editor. */
async function sessions(scene: Scene): Promise<void> {
  const { home, cwd } = scene;
  const folder = `${home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  const file = `${folder}/22222222-1111-4000-8000-000000000001.jsonl`;
  const text = SESSIONS.designChoice?.().text() ?? "";
  const own = "22222222-1111-4000-8000-000000000001";
  const ageMs = 30 * 3_600_000;
  // In the hour in which it was last written to: what is older than three days is compacted with the others.
  const hour = new Date(Date.now() - ageMs).toISOString().slice(0, "2026-11-20T08".length);
  const moved = text.replaceAll("11111111-0000-4000-8000-000000000001", own)
    .replaceAll("/home/user/project", cwd)
    .replaceAll("2026-11-20T08", hour);
  put(file, moved);
  age(file, ageMs);
  await scene.run(["knowledge", "extract", "--transcript", file]);
  await scene.run(["migrate", "--from", "transcripts", "--dry-run"]);
  await scene.run(["migrate", "--from", "transcripts"]);
  const at = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19) + "Z";
  const old = "2026-01-01T10:00:00Z";
  for (const [name, when] of [["recent", at], ["old", old]] as const) {
    put(
      `${cwd}/.sage/sessions/${name}.md`,
      `---\nid: ${name}\ntype: session\ntitle: About ${name}\nsession: ${name}-session\ncreated: ${when}\nupdated: ${when}\nstarted: ${when}\nended: ${when}\nend_reason: recovered\n---\n\n## Summary\n\nThe importer streams.\n\n## Decisions\n\n- We decided to stream the rows of ${name}, because memory stayed at 40 MB.\n\n## Open Questions\n\n- Does the importer of ${name} hold on Windows?\n- Is 40 MB enough?\n\n## Next\n\n- Write the test\n`,
    );
    age(`${cwd}/.sage/sessions/${name}.md`, 60_000);
  }
  const question = firstId(await scene.run(["todo", "triage"]));
  await scene.run(["todo", "triage", "--accept", question]);
  await scene.run(["session", "list"]);
  await scene.run(["session", "show", "recent"]);
  await scene.run(["session", "handoff", "recent"]);
  await scene.run(["session", "compact", "--dry-run"]);
  await scene.run(["session", "compact"]);
  const editor = new Editor({ home, cwd: () => cwd });
  try {
    await editor.run(["start"]);
    await editor.run(["prompt", "Why does the heron import run in batches of 250?"]);
    await editor.run(["reply", "Because it was measured to be quicker than batches of 100."]);
    await editor.run(["compact"]);
    await editor.run(["exit"]);
  } finally {
    await editor.close();
  }
}

/** What an answer has only of notes with everything, or with an option. */
async function whole(scene: Scene): Promise<void> {
  const { cwd, home } = scene;
  put(`${cwd}/.git/refs/heads/main`, `${"0123456789".repeat(4)}\n`);
  const text = CHECKPOINT.replace("## Open Questions", "## Next Step\n\nMeasure it\n\n$&");
  const save = ["checkpoint", "save", "-", "--skill", "store", "--title", "Old phones"];
  const parent = idOf(await scene.run(save, { stdin: text }), "note");
  const child = idOf(await scene.run(["checkpoint", "branch", parent, "--name", "new"]), "note");
  for (const id of [parent, child]) {
    await scene.run(["checkpoint", "show", id]);
    await scene.run(["checkpoint", "restore", id]);
    await scene.run(["checkpoint", "export", id]);
    await scene.run(["load", id]);
  }
  await scene.run(["checkpoint", "diff", child]);
  await scene.run(["checkpoint", "diff", child, parent]);
  await scene.run(["checkpoint", "list"]);
  await scene.run(["checkpoint", "prune", "--keep", "0"]);
  await scene.run(["load", "--recent", "5"]);
  for (const flags of [[], ["--tokens", "100"]]) await scene.run(["load", "--context", ...flags]);
  await scene.run(["session", "show"]);
  await scene.run(["session", "handoff"]);
  await binary(["hook", "stop"], { home, cwd, stdin: "torn" });
  await scene.run(["status"]);
  const elsewhere = `${home}/elsewhere`;
  await Deno.mkdir(elsewhere);
  const note = ["knowledge", "add", "Narwhals", "-m", "Narwhals dive for halibut."];
  await sage(note, { home, cwd: elsewhere });
  await scene.run(["search", "narwhals", "--all"]);
  await scene.run(["knowledge", "history", "Otters"]);
  await scene.run(["knowledge", "history", "Otters", "--version", "1"]);
  await scene.run(["knowledge", "match", "heron import", "--skill", "debug"]);
  await scene.run(["knowledge", "debug", "heron import", "--skill", "debug"]);
  await scene.run(["knowledge", "match", "who sleeps in winter"], { code: 3 });
  await scene.run(["graph", "query", "type:knowledge group:tag"]);
  await scene.run(["graph", "draw", "--form", "svg"]);
  await scene.run(["graph", "draw", "--output", `${home}/graph.svg`]);
  put(`${cwd}/.sage/tuning.yaml`, "retrieval.max_items: 5\nmcp.tools: full\n");
  for (const flag of ["--project", "--all"]) await scene.run(["config", "list", flag]);
}

async function looks(scene: Scene): Promise<void> {
  await scene.run([]);
  await scene.run(["status"]);
  await scene.run(["search", "heron import"]);
  await scene.run(["search", "heron import", "--explain"]);
  await scene.run(["impact"]);
  await scene.run(["topic", "new", "Animals", "Heron", "Okapis"]);
  await scene.run(["topic", "list"]);
  await scene.run(["topic", "show", "Animals"]);
  await scene.run(["topic", "suggest"]);
  await scene.run(["graph", "query", "type:knowledge"]);
  await scene.run(["graph", "links", "Animals"]);
  await scene.run(["graph", "backlinks", "Okapis"]);
  await scene.run(["graph", "path", "Animals", "Okapis"]);
  await scene.run(["graph", "near", "Animals"]);
  for (const verb of ["orphans", "unresolved", "draw"]) await scene.run(["graph", verb]);
  await scene.run(["doctor"]);
  await scene.run(["admin", "doctor"]);
  await scene.run(["admin", "rebuild"]);
  await scene.run(["admin", "calibrate", "--dry-run"]);
  put(`${scene.home}/.sage/patterns.yaml`, "synthesis:\n  - it all comes down to\n");
  await scene.run(["admin", "patterns"]);
  await scene.run(["admin", "feedback"]);
  await scene.run(["admin", "teaching"]);
  await scene.run(["completions", "bash"]);
}

async function projects(scene: Scene): Promise<void> {
  const { cwd, home } = scene;
  await scene.run(["project", "init"]);
  await scene.runBuilt(["project", "init", "--team", "--yes"]);
  await scene.run(["project", "pin", "Heron"]);
  await scene.run(["project", "info"]);
  await scene.run(["project", "unpin", "Heron"]);
  // A folder without git and a store of its own, which was moved.
  const plain = tempDir();
  const lost = `${scene.home}/thesis`;
  await Deno.mkdir(lost);
  await sage(["todo", "add", "count the bees"], { home: scene.home, cwd: lost });
  await Deno.remove(lost);
  await scene.run(["project", "list"]);
  await scene.run(["project", "claim", "thesis", "--project", plain]);
  await scene.run(["project", "switch", "project"]);
  await scene.run(["project", "rename", "Birds"]);
  for (const flags of [["--from-team"], ["--back"]]) {
    await scene.run(["knowledge", "promote", "Otters", ...flags]);
  }
  for (const side of ["base", "ours", "theirs"]) {
    put(`${home}/${side}.md`, `---\nid: a\ntype: knowledge\n---\n\n# A\n\n${side}\n`);
  }
  const sides = ["base", "ours", "theirs"].map((side) => `${home}/${side}.md`);
  await scene.run(["merge-driver", ...sides]);
  await scene.run(["admin", "freshness"]);
  await scene.run(["admin", "prune", "--stale"]);
  await scene.run(["admin", "gc", "--dry-run"]);
  await scene.run(["admin", "export", "--okf", `${cwd}/bundle`]);
  await scene.run(["migrate", "--from", "okf", `${cwd}/bundle`]);
  await scene.run(["admin", "import", "--okf", `${cwd}/bundle`]);
  await scene.run(["admin", "budget"]);
}

async function guard(scene: Scene): Promise<void> {
  const { cwd } = scene;
  put(`${cwd}/contact.md`, "# Contact\n\nCall +49 151 23456789 or write to jane@example.com.\n");
  const named = `${["AKIA", "Q3EGRT5XWY7ZBNMP"].join("")}.md`;
  put(`${cwd}/${named}`, "Nothing.\n");
  await scene.run(["guard", "scan", "contact.md", named, "--personal"], { code: 1 });
  await scene.run(["guard", "allow", "contact.md:3", "--reason", "made up"]);
  await scene.run(["guard", "allow"]);
  await scene.run(["guard", "install", "--binary", program]);
  await scene.run(["guard", "uninstall"]);
}

async function settings(scene: Scene): Promise<void> {
  await scene.run(["config", "set", "retrieval.max_items", "5"]);
  await scene.run(["config", "list"]);
  await scene.run(["config", "get", "retrieval.max_items"]);
  await scene.run(["config", "explain", "retrieval.max_items"]);
  await scene.run(["config", "explain", "detection.mode"]);
  await scene.run(["config", "reset", "retrieval.max_items"]);
}

async function models(scene: Scene): Promise<void> {
  await using hub = openHub(bertFiles(TINY));
  await scene.run(["config", "set", "embedding.hub", hub.url]);
  await scene.run(["model", "pull", "some/tiny"]);
  await scene.run(["model", "list"]);
  await scene.run(["model", "test", "tiny"]);
  // A model without training understands nothing, and says nothing of languages.
  await scene.run(["model", "test", "static"]);
  await scene.run(["model", "use", "static"]);
  await scene.run(["model", "rm", "tiny"]);
}

async function updates(scene: Scene): Promise<void> {
  const release = await madeRelease();
  await using server = openReleases(release);
  const env = { SAGE_UPDATE_URL: server.url, SAGE_RELEASE_KEY: release.publicKey };
  await scene.runBuilt(["update", "--check"], { env });
}

async function asks(scene: Scene): Promise<void> {
  await using server = openModelServer();
  const env = {
    ANTHROPIC_API_KEY: "made-up",
    SAGE_CHAT_ADDRESS: server.address,
    SAGE_CHAT_PRICE_INPUT: "3",
    SAGE_CHAT_PRICE_OUTPUT: "15",
  };
  await scene.runBuilt(["ask", "How are okapis and giraffes related?"], { env });
}

function rendered(documents: Documents): string {
  borrowItems(documents.values());
  const parts = [...documents].sort(([a], [b]) => a < b ? -1 : 1).map(([name, shape]) =>
    `## ${name}\n\n\`\`\`ts\n${render(shape)}\n\`\`\`\n`
  );
  return HEAD + parts.join("\n");
}

const HEAD =
  `<!-- Made by tests/contract/cli_json_test.ts from what the commands answer. Do not edit. -->

# What \`--json\` answers

One document on stdout, whatever happens, and nothing else there; hints and warnings are on stderr. Keys are snake_case, times RFC 3339 in UTC. Fields are added, never renamed or taken away: ignore those that you do not know. A field with \`?\` is there only where there is something to say.

What failed has \`error: {code: string; message: string; hint?: string}\` in its document, beside what there is to say all the same, with the exit codes of [cli.md](cli.md). Notes have \`id\` (a note is found by it), \`short_id\` (as lists print it), \`type\`, \`title\`, \`path\` (of the file, from the root on), \`scope\` (\`project\` or \`user\`), \`author\` (\`person\`, \`agent\` or \`sage\`; \`unknown\` in a store that nobody vouched for), \`created\` and \`updated\`. Of hits, \`score\` is from 0 to 1, with \`emb\` and \`kw\`, what meaning and words gave, and \`flags\` (\`stale\`, \`superseded\`, \`contradicted\`, \`questioned\`, \`untrusted\`).

`;

Deno.test({
  name: "docs/reference/json.md says what every command answers",
  ignore: !hasBinary || Deno.build.os === "windows",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const scene = new Scene();
    await live(scene);
    assert.deepEqual(scene.problems, []);
    const missing: string[] = [];
    for (const { name, load } of COMMANDS) {
      const { command } = await load();
      const verbs = isGroup(command) ? Object.keys(command.verbs) : [];
      const names = verbs.length === 0
        ? [`sage ${name}`]
        : verbs.map((verb) => `sage ${name} ${verb}`);
      missing.push(
        ...names.filter((one) => !scene.documents.has(one) && !NO_DOCUMENT.includes(one)),
      );
    }
    assert.deepEqual(missing, [], "every command is run");
    const text = rendered(scene.documents);
    if (Deno.env.get("SAGE_TEST_UPDATE") === "1") await Deno.writeTextFile(page, text);
    const there = await Deno.readTextFile(page).catch(() => "");
    assert.equal(
      there,
      text,
      "an answer has another form: SAGE_TEST_UPDATE=1 writes the page anew",
    );
  },
});
