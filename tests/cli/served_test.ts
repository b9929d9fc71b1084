/**
 * `sage search` lets the server of a session answer, where one is there and fit: the same bytes as without.
 * Whatever is wrong with it, the process does it itself.
 */
import assert from "node:assert/strict";
import { answerFor } from "../../src/cli/answer_for.ts";
import { closeOpened, type Opened } from "../../src/memory/memory.ts";
import { type Place, place, testHook } from "../hook/process.ts";
import { folder, hasSockets, pretend, serve } from "../hook/server.ts";
import { BEGUN } from "../../src/memory/session/handover.ts";
import { binary, sage } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { put } from "../support/world.ts";
import { relayed, search, TRIES, unmarked, untilServed } from "./relayed.ts";

/** What is asked, and in which surroundings. */
const QUESTIONS: readonly (readonly [args: readonly string[], env?: Record<string, string>])[] = [
  [["offline", "notes"]],
  [["offline", "notes", "--json"]],
  [["offline notes", "--explain"]],
  [["databse is loked"]],
  [["type:todo"]],
  [["--type", "knowledge", "--limit", "2", "--json"]],
  [["sync", "--also", "replication", "--also", "offline store", "--explain"]],
  [['"busy timeout" last week']],
  [["--tag", "release"]],
  [["--after", "12h", "--json"]],
  [["after:2026-01 SQLite"]],
  [["SQLite", "--all"]],
  [["SQLite", "--limit", "1000", "--json"]],
  [["über die Größe", "--json"]],
  [["zzzz qqqq xxxx"]],
  [["zzzz qqqq xxxx", "--json"]],
  [["--after", "soon"]],
  [["--limit", "0"]],
  [["--nonsense", "x"]],
  [[]],
  [["offline notes"], { COLUMNS: "40", NO_COLOR: "1" }],
  [["offline notes"], { CLAUDECODE: "1" }],
  [["offline notes"], { SAGE_THRESHOLD: "0.9" }],
  [["offline notes"], { SAGE_THRESHOLD: "none" }],
  [["offline notes", "--project", "."]],
  [["offline notes", "--project", "nowhere"]],
];

testHook("sage search prints the same, whoever does it", async () => {
  const on = await ready();
  await using relay = await relayed(on);
  for (const [args, env = {}] of QUESTIONS) {
    const how = { ...on, env };
    const alone = await relay.hidden(() => search(args, how));
    const isAnswer = alone.code === 0 || alone.code === 3;
    const served = await untilServed(relay, () => search(args, how), isAnswer ? TRIES : 1);
    assert.deepEqual(unmarked(served), unmarked(alone), args.join(" "));
    assert.equal(relay.answers() > 0, isAnswer, `${args.join(" ")}: ${alone.stderr}`);
  }
}, hasSockets);

testHook("what was written a moment ago, by anybody, is in the server's answer", async () => {
  const on = await ready();
  await using relay = await relayed(on);
  await untilServed(relay, () => search(["walrus"], on));
  const path = `${on.cwd}/.sage/knowledge/by-hand.md`;
  for (const word of ["walrus", "narwhal", "dugong"]) {
    put(path, `# By hand\n\nThe ${word} is in this note.\n`);
    const { stdout } = await untilServed(relay, () => search([word], on));
    assert.match(stdout, new RegExp(`The ${word} is`));
  }
  await Deno.remove(path);
  assert.doesNotMatch((await untilServed(relay, () => search(["dugong"], on))).stdout, /By hand/);
}, hasSockets);

testHook("a server answers for the folder it serves, the same one, and for no other", async () => {
  const on = await ready();
  await Deno.mkdir(`${on.cwd}/below`);
  await using relay = await relayed(on);
  await untilServed(relay, () => search(["offline notes"], { ...on, cwd: `${on.cwd}/below` }));
  assert.equal(relay.answers(), 1);
  const beside = `${on.cwd}-beside`;
  await Deno.mkdir(beside);
  for (const cwd of [beside, on.home]) {
    relay.forget();
    await search(["offline notes"], { ...on, cwd });
    assert.equal(relay.answers(), 0);
  }
}, hasSockets);

testHook("a stack that was asked for, and another model, are the process' own", async () => {
  const on = await ready();
  await using relay = await relayed(on);
  const env = { SAGE_DEBUG: "1" };
  assert.equal((await search(["offline notes"], { ...on, env })).code, 0);
  for (const model of ["nomic", "http://127.0.0.1:9/v1#some"]) {
    put(`${on.home}/.sage/tuning.yaml`, `embedding:\n  model: ${model}\n`);
    await search(["offline notes"], on);
  }
  assert.equal(relay.answers(), 0);
}, hasSockets);

/** What may stand behind a socket instead. */
const STRANGERS: Readonly<Record<string, readonly (string | null)[]>> = {
  "is gone at once": [],
  "is frozen": [null],
  "says no JSON": ["hello?"],
  "says another form": ["[]"],
  "is ready, and gone": [BEGUN],
  "is ready, and frozen": [BEGUN, null],
  "answers no JSON": [BEGUN, '{"out":'],
  "answers another form": [BEGUN, '{"out":1,"err":"","code":0}'],
  "answers nonsense": [BEGUN, '{"out":"x"}'],
};

for (const [what, lines] of Object.entries(STRANGERS)) {
  testHook(`a server that ${what} leaves the search with the process`, async () => {
    const on = await ready();
    const alone = await search(["offline notes"], on);
    await using _stranger = pretend(on, lines);
    assert.deepEqual(await search(["offline notes"], on), alone);
  }, hasSockets);
}

testHook(
  "a socket that others may have put there is not asked, and a server closes its folder",
  async () => {
    const on = await ready();
    const alone = await search(["offline notes"], on);
    {
      await using _planted = pretend(on, [BEGUN, '{"out":"obey","err":"","code":0}']);
      assert.equal((await search(["offline notes"], on)).stdout, "obey");
      await Deno.chmod(folder(on), 0o777);
      assert.deepEqual(await search(["offline notes"], on), alone);
    }
    await using relay = await relayed(on);
    await untilServed(relay, () => search(["offline notes"], on));
    assert.equal(relay.answers(), 1);
  },
  hasSockets,
);

testHook("a server that is killed in the middle of an answer costs nobody one", async () => {
  const on = await ready();
  const alone = await search(["offline notes"], on);
  for (let n = 0; n < 8; n++) {
    await using server = await serve(on);
    const asked = search(["offline notes"], on);
    await new Promise((resolve) => setTimeout(resolve, 8 * n));
    server.kill("SIGKILL");
    assert.deepEqual(await asked, alone);
  }
  await using frozen = await serve(on);
  frozen.kill("SIGSTOP");
  assert.deepEqual(await search(["offline notes"], on), alone);
  frozen.kill("SIGCONT");
}, hasSockets);

testHook("a server of another build, and one that is of no folder, are not asked", async () => {
  const on = await ready();
  await using relay = await relayed(on, (line) => line.replace(/"program":"/, '"program":"x'));
  assert.equal((await search(["offline notes"], on)).code, 0);
  assert.equal(relay.answers(), 0);
}, hasSockets);

testHook("a server does nothing whose time is over, or that is of another place", async () => {
  for (
    const [from, to] of [[/"before":[\d.]+/, '"before":1'], [/"place":"/, '"place":"1']] as const
  ) {
    const on = await ready();
    await using relay = await relayed(on, (line) => line.replace(from, to));
    assert.equal((await search(["offline notes"], on)).code, 0);
    assert.equal(relay.answers(), 0, to);
  }
}, hasSockets);

testHook(
  "of several servers the one of this folder answers, and a frozen one costs its time once",
  async () => {
    const on = await ready();
    await using relay = await relayed(on);
    await using _other = await serve({ ...on, cwd: tempDir() });
    const { stdout } = await untilServed(relay, () => search(["offline notes"], on));
    assert.equal(relay.answers(), 1);
    await using _frozen = pretend(on, [null], "1.sock");
    assert.equal((await search(["offline notes"], on)).stdout, stdout);
  },
  hasSockets,
);

Deno.test("answerFor() prints for a terminal of that width and colour, and runs no other command", async () => {
  const on = await ready();
  const opened: Opened = { indexes: new Map() };
  const env = (name: string): string | undefined => name === "HOME" ? on.home : undefined;
  const terminal = { stdin: true, stdout: true, stderr: true };
  const ask = (argv: readonly string[], columns = 40) =>
    answerFor({ argv, cwd: on.cwd, isTerminal: terminal, columns, color: true }, env, opened);
  for (const columns of [30, 80, 200]) {
    const argv = ["search", "offline notes", "--explain"];
    const { code, stdout, stderr } = await sage(argv, {
      ...on,
      terminal: true,
      columns,
      color: true,
    });
    assert.ok(stdout.includes("\x1b[1m"));
    const { out = "", ...rest } = await ask(argv, columns) ?? {};
    assert.equal(withoutAge(out), withoutAge(stdout));
    assert.deepEqual(rest, { err: stderr, code });
  }
  for (const argv of [["status"], ["knowledge", "list"], ["knowledge"]]) {
    assert.equal(await ask(argv), undefined);
  }
  await assert.rejects(ask(["nonsense"]));
  closeOpened(opened);
});

/** A second may have passed between two answers. */
function withoutAge(text: string): string {
  return text.replace(/(?:\d+ s|just now)( ago)?/g, "lately");
}

/** A project with some notes, a todo, and a home that an index was made in. */
async function ready(): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  for (const [title, text] of NOTES) {
    await sage(["knowledge", "add", "-", "--title", title, "--tag", "release"], {
      ...on,
      stdin: text,
    });
  }
  await sage(["todo", "add", "Measure the cache on the oldest phone"], on);
  await binary(["search", "anything"], on);
  return on;
}

const NOTES = [
  [
    "Offline notes are kept in SQLite",
    "We chose SQLite over Realm: Realm's sync service comes along.",
  ],
  [
    "Database is locked",
    "SQLITE_BUSY came from the sync worker's read transaction; busy timeout is 3000 ms.",
  ],
  ["Größe des Zwischenspeichers", "Über die Größe entscheidet das älteste Telefon.\x1b[31m"],
] as const;
