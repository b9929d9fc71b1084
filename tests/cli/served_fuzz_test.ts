/**
 * Random questions of random stores: what a server of a session answers is, to the byte, what the process
 * answers alone, whoever of them is the first to see what was just changed. `SAGE_TEST_DEPTH=deep` asks
 * hundreds.
 */
import assert from "node:assert/strict";
import { dirname } from "../../src/base/path.ts";
import { type Place, place, testHook } from "../hook/process.ts";
import { hasSockets } from "../hook/server.ts";
import { depth } from "../support/depth.ts";
import { binary, type SageOptions } from "../support/sage.ts";
import { pick, type Random, seeded } from "../support/secrets.ts";
import { put } from "../support/world.ts";
import { type Relay, relayed, search, unmarked, untilServed } from "./relayed.ts";

const WORDS = [
  ..."login sign in token refresh cache redis queue worker deploy release branch merge database locked"
    .split(
      " ",
    ),
  ..."timeout retry billing invoice customer größe zwischenspeicher straße löschen schlüssel anmelden"
    .split(
      " ",
    ),
  ..."支払い 認証 サーバー 로그인 пароль сервер دخول ข้อมูล café naïve İstanbul ﬁle x86 e2e C++ foo_bar src/a.ts"
    .split(
      " ",
    ),
];
const TAGS = ["release", "ops", "größe", "a/b"];
const TIMES = ["last week", "latest", "yesterday", "3 days ago", "this month"];
const FIELDS = ["type:todo", "type:note", "tag:release", "project:other", "project:nowhere"];
const DATES = ["after:2026-01", "before:2020", "since:7d", "after:nonsense"];
const ODD = ["", " ", '"', "\\", "-", "--", "\u200b", "\x1b[31m", "🙂", "\ud800", "a".repeat(5000)];
const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { NO_COLOR: "1" },
  { COLUMNS: "33" },
  { CLAUDECODE: "1" },
  { CLAUDE_CODE_SESSION_ID: "11111111-0000-4000-8000-000000000009" },
  { SAGE_RETRIEVAL_EMBEDDING_WEIGHT: "0.9" },
  { SAGE_RETRIEVAL_SYNONYMS: "false" },
  { SAGE_OUTPUT_LEVEL: "verbose" },
  { SAGE_OUTPUT_LEVEL: "silent" },
  { SAGE_RETRIEVAL_RECALL_THRESHOLD: "lots" },
  { SAGE_HOME: "sub" },
  { SAGE_HOME: "" },
  { TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
  { CLAUDE_PROJECT_DIR: "/" },
  { SAGE_SEARCH_BUILTIN_MEMORY: "false" },
];

const ROUNDS = depth(25, 600);

testHook(`${ROUNDS} random questions have one answer, whoever gives it`, async () => {
  const seed = Number(Deno.env.get("SAGE_FUZZ_SEED") ?? Date.now() % 1_000_000);
  const random = seeded(seed);
  const on = await ready(random);
  await using relay = await relayed(on);
  let served = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const change = random() < 0.6 ? await changed(on, random) : "";
    const args = question(random);
    const how = surroundings(on, random);
    const about = JSON.stringify({ seed, round, change, args, how });
    // What was written this instant is not settled for who reads files by their times.
    const isServedFirst = random() < 0.5;
    const first = isServedFirst ? await ask(relay, args, how) : undefined;
    const alone = await relay.hidden(() => search(args, how));
    const second = first ?? await ask(relay, args, how);
    served += second.isServed ? 1 : 0;
    assert.deepEqual(lately(second.result), lately(alone), about);
  }
  assert.ok(served > ROUNDS / 4, `${served} of ${ROUNDS} were served`);
}, hasSockets);

async function ask(relay: Relay, args: readonly string[], how: SageOptions) {
  const result = await untilServed(relay, () => search(args, how), 2);
  return { result, isServed: relay.answers() > 0 };
}

function lately(result: Parameters<typeof unmarked>[0]): ReturnType<typeof unmarked> {
  const { stdout, ...rest } = unmarked(result);
  return { ...rest, stdout: stdout.replace(/(?:\d+ (?:s|min)|just now)( ago)?/g, "lately") };
}

function question(random: Random): string[] {
  const args = some(random, 0, random() < 0.05 ? 200 : 6, WORDS);
  if (random() < 0.2) args.push(`"${some(random, 1, 3, WORDS).join(" ")}"`);
  if (random() < 0.2) args.push(pick(random, TIMES));
  if (random() < 0.3) args.push(pick(random, FIELDS));
  if (random() < 0.15) args.push(pick(random, DATES));
  if (random() < 0.1) args.push(pick(random, ODD));
  const flags: (readonly [number, () => string[]])[] = [
    [0.4, () => ["--json"]],
    [0.2, () => ["--explain"]],
    [0.3, () => ["--all"]],
    [0.2, () => ["--limit", pick(random, ["1", "3", "1000", "0", "x"])]],
    [0.15, () => ["--type", pick(random, ["knowledge", "todo", "note", "checkpoint", "x"])]],
    [0.15, () => ["--tag", pick(random, TAGS)]],
    [0.15, () => ["--after", pick(random, ["1h", "30d", "2026-01-13", "soon"])]],
    [0.2, () => ["--also", some(random, 1, 4, WORDS).join(" ")]],
    [0.1, () => ["--also", some(random, 1, 4, WORDS).join(" ")]],
    [0.1, () => ["--project", pick(random, [".", "../other", "sub", "nowhere"])]],
  ];
  for (const [share, flag] of flags) if (random() < share) args.push(...flag());
  // What no process can be called with.
  return args.map((one) => one.replaceAll("\0", "").toWellFormed());
}

function surroundings(on: Place, random: Random): SageOptions {
  const cwd = random() < 0.6 ? on.cwd : pick(random, [
    `${on.cwd}/sub`,
    `${on.cwd}/own`,
    beside(on, "other"),
    beside(on, "link"),
    on.home,
  ]);
  return { home: on.home, cwd, env: random() < 0.5 ? {} : pick(random, ENVIRONMENTS) };
}

/** Something of the store changes, by Sage or by hand. Says what. */
async function changed(on: Place, random: Random): Promise<string> {
  const folder = `${on.cwd}/.sage/knowledge`;
  put(`${folder}/first.md`, note(random));
  const notes = namesIn(folder).filter((name) => name.endsWith(".md")).sort();
  const path = `${folder}/${pick(random, notes)}`;
  const text = await Deno.readTextFile(path);
  const changes: readonly (() => unknown)[] = [
    () => put(`${folder}/hand-${Math.floor(random() * 40)}.md`, note(random)),
    () => Deno.writeTextFileSync(path, `${text}\n${sentence(random)}\n`),
    // As many bytes, in the same file, at the same time as before.
    () => {
      const { mtime, atime } = Deno.statSync(path);
      Deno.writeTextFileSync(path, text.replace(/[a-z]{5}(?=\.?\n*$)/, "quick"));
      if (mtime !== null && atime !== null) Deno.utimeSync(path, atime, mtime);
    },
    () => {
      Deno.writeTextFileSync(`${path}.new`, `${text}\n${sentence(random)}\n`);
      Deno.renameSync(`${path}.new`, path);
    },
    () => notes.length > 30 ? Deno.removeSync(path) : undefined,
    () => Deno.renameSync(path, `${path.replace(/\.md$/, "")}-x.md`),
    () => binary(["forget", nameOf(path), "--yes"], on),
    () => binary(["knowledge", "rm", nameOf(path)], on),
    () => binary(["knowledge", "add", sentence(random), "--tag", pick(random, TAGS)], on),
    () => binary(["todo", "add", sentence(random)], on),
    () => put(`${on.home}/.sage/knowledge/mine-${Math.floor(random() * 9)}.md`, note(random)),
    () => put(`${beside(on, "other")}/.sage/knowledge/theirs.md`, note(random)),
    () => binary(["config", "set", "retrieval.synonyms", pick(random, ["true", "false"])], on),
    () =>
      put(
        `${on.home}/.sage/tuning.yaml`,
        pick(random, ["", "retrieval:\n  keyword_weight: 0.9\n", "retrieval: [", "x: 1\n"]),
      ),
    () => put(`${folder}/torn.md`, pick(random, ["---\ntitle: [", "---\n", "\xff", ""])),
    () => Deno.removeSync(`${on.home}/.sage/state/index`, { recursive: true }),
    () => binary(["trust"], { ...on, cwd: `${on.cwd}/own` }),
    () => Deno.writeTextFileSync(path, text.replace(/^---\n/, "---\nprivate: true\n")),
    // Another project lies where this one lay.
    () => {
      const other = beside(on, "other");
      Deno.renameSync(on.cwd, `${on.home}/away`);
      Deno.renameSync(other, on.cwd);
      Deno.renameSync(`${on.home}/away`, other);
    },
  ];
  const at = Math.floor(random() * changes.length);
  await changes[at]?.();
  return `${at} ${path.split("/").at(-1)}`;
}

function beside({ cwd }: Place, name: string): string {
  return `${dirname(cwd)}/${name}`;
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name);
}

/** By which a command finds it. */
function nameOf(path: string): string {
  return /([^/]+)\.md$/.exec(path)?.[1] ?? "";
}

async function ready(random: Random): Promise<Place> {
  const on = place();
  const other = beside(on, "other");
  await Deno.mkdir(other);
  await Deno.symlink(on.cwd, beside(on, "link"));
  for (const cwd of [on.cwd, other]) {
    await Deno.mkdir(`${cwd}/sub`);
    put(`${cwd}/own/.sage/knowledge/strange.md`, note(random));
    await binary(["init"], { ...on, cwd });
    for (let i = 0; i < (cwd === on.cwd ? 40 : 5); i++) {
      put(`${cwd}/.sage/knowledge/n${i}.md`, note(random));
    }
    await binary(["knowledge", "add", sentence(random), "--tag", pick(random, TAGS)], {
      ...on,
      cwd,
    });
    await binary(["todo", "add", sentence(random)], { ...on, cwd });
  }
  return on;
}

function note(random: Random): string {
  const front = random() < 0.5
    ? ""
    : `---\ntitle: ${some(random, 1, 4, WORDS).join(" ")}\ntags: [${pick(random, TAGS)}]\n---\n\n`;
  const body = Array.from({ length: 1 + Math.floor(random() * 5) }, () => sentence(random));
  return `${front}# ${some(random, 1, 5, WORDS).join(" ")}\n\n${body.join("\n\n")}\n`;
}

function sentence(random: Random): string {
  return `${some(random, 3, 14, WORDS).join(" ")}.`;
}

function some<T>(random: Random, min: number, max: number, items: readonly T[]): T[] {
  const count = min + Math.floor(random() * (max - min + 1));
  return Array.from({ length: count }, () => pick(random, items));
}
