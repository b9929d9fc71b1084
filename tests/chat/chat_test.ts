/** `sage ask` and `sage chat` in the built program, against a server that speaks the model API. */
import assert from "node:assert/strict";
import { binary, builtTest as test, sage, type SageOptions, scratch } from "../support/sage.ts";
import { type ModelServer, openModelServer } from "../support/model_api_server.ts";
import { orKilled, run, until } from "../support/within.ts";

const KEY = "sk-ant-a-key-of-nobody";
const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

interface On extends SageOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A project in which something is known, and a key. */
async function project(server: ModelServer): Promise<On> {
  const { home, cwd } = scratch();
  const env = { ANTHROPIC_API_KEY: KEY, SAGE_CHAT_ADDRESS: server.address };
  const on = { home, cwd, env };
  await sage(["init"], on);
  await sage(
    ["knowledge", "add", "-", "--title", "Offline notes are kept in SQLite", "--scope", "project"],
    {
      ...on,
      stdin: "We chose SQLite over Realm for the offline notes, because Realm locks us in.",
    },
  );
  return on;
}

const QUESTION = "Which database did we choose for the offline notes?";

test("sage ask sends what is known along, fenced, and prints the answer alone", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const { code, stdout, stderr } = await binary(["ask", QUESTION], on);
  assert.deepEqual([code, stdout], [0, "It is SQLite.\n"]);
  assert.match(
    stderr,
    /^Knowledge recalled \(1\)\n {2}[0-9a-f]{8} Offline notes are kept in SQLite/,
  );
  const [request] = server.requests;
  const [message] = request?.messages ?? [];
  assert.match(message?.content ?? "", /<recalled [0-9a-z]+>[^]*over Realm[^]*<\/recalled/);
  assert.ok(message?.content.endsWith(`\n\n${QUESTION}`));
  assert.deepEqual([server.keys, request?.max_tokens], [[`Bearer ${KEY}`], 4096]);
});

test("sage ask sends no note of a store that nobody vouched for", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const cwd = `${on.home}/clone`;
  await Deno.mkdir(`${cwd}/.sage/knowledge`, { recursive: true });
  await Deno.writeTextFile(`${cwd}/.sage/project.yaml`, "id: clone-1\nname: clone\n");
  await Deno.writeTextFile(
    `${cwd}/.sage/knowledge/offline.md`,
    "---\nid: offline\ntype: knowledge\n---\n# Offline notes database\n\nWe chose Evil for the offline notes.\n",
  );
  const { code, stderr } = await binary(["ask", QUESTION], { ...on, cwd });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(server.requests[0]?.messages[0]?.content, QUESTION);
  await binary(["trust"], { ...on, cwd });
  await binary(["ask", QUESTION], { ...on, cwd });
  assert.match(server.requests[1]?.messages[0]?.content ?? "", /We chose Evil/);
});

test("sage ask recalls by other words that the person gives, and sends none of them", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const vague = "How do we store stuff when there is no reception?";
  await binary(["ask", vague], on);
  assert.equal(server.requests[0]?.messages[0]?.content, vague);
  await binary(
    ["ask", vague, "--also", QUESTION, "--also", "SQLite or Realm for offline notes"],
    on,
  );
  const sent = server.requests[1]?.messages[0]?.content ?? "";
  assert.match(sent, /over Realm/);
  assert.ok(!sent.includes(QUESTION));
});

test("sage ask --json tells what was recalled and what was paid", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const env = { ...on.env, SAGE_CHAT_PRICE_INPUT: "3", SAGE_CHAT_PRICE_OUTPUT: "15" };
  const { code, stdout } = await binary(["ask", QUESTION, "--json"], { ...on, env });
  const { answer, recalled, usage, is_whole } = JSON.parse(stdout);
  assert.deepEqual([code, answer, recalled.length, is_whole], [0, "It is SQLite.", 1, true]);
  assert.deepEqual(usage, { input_tokens: 120, output_tokens: 7, cost: 0.000465 });
});

test("an answer drives no terminal, and one that was cut says so", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({
    parts: ["a\u001b]0;ti", "tle\u0007b\u001b", "[31mred\u0008"],
    stop: "max_tokens",
  });
  const { stdout, stderr } = await binary(["ask", "what is red"], on);
  assert.equal(stdout, "abred\n");
  assert.match(stderr, /chat\.max_tokens/);
});

test("every failure of the API is one line, and none shows the key", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const expected: Record<number, RegExp> = {
    401: /does not accept the key/,
    404: /does not know the model/,
    400: /refused the question/,
    529: /answered with status 529: told to say 529\n {2}try again in a moment/,
  };
  for (const [status, message] of Object.entries(expected)) {
    server.behave({ status: Number(status) });
    const { code, stdout, stderr } = await binary(["ask", QUESTION], on);
    assert.ok(code > 0 && stdout === "", status);
    assert.match(stderr, message);
    assert.ok(!stderr.includes(KEY) && !stderr.includes("\u001b"), stderr);
  }
  for (
    const [how, why] of [[{ breaksAfter: 1 }, ""], [{ failsAfter: 1 }, ": Overloaded"]] as const
  ) {
    server.behave(how);
    const { stdout, stderr } = await binary(["ask", QUESTION], on);
    assert.equal(stdout, "It is\n");
    assert.match(stderr, new RegExp(`sage: The answer of 127\\.0\\.0\\.1:\\d+ broke off${why}`));
  }
  server.behave({ status: 429, retryAfter: 3600 });
  const asked = server.requests.length;
  assert.match((await binary(["ask", QUESTION], on)).stderr, /try again in 3600 seconds/);
  assert.equal(server.requests.length, asked + 1, "it was asked again at once");
  server.behave({ status: 429, retryAfter: new Date(Date.now() + 3_600_000).toUTCString() });
  assert.match((await binary(["ask", QUESTION], on)).stderr, /try again in 3[56]\d\d seconds/);
  assert.equal(server.requests.length, asked + 2, "a date is waited for");
  server.behave({ parts: [] });
  assert.match((await binary(["ask", QUESTION], on)).stderr, /The model said nothing/);
  const slash = { ...on.env, SAGE_CHAT_ADDRESS: `${server.address}/` };
  server.behave({});
  assert.equal((await binary(["ask", QUESTION], { ...on, env: slash })).code, 0);
  const gone = { ...on.env, SAGE_CHAT_ADDRESS: "http://127.0.0.1:1" };
  assert.match((await binary(["ask", QUESTION], { ...on, env: gone })).stderr, /Cannot reach/);
  const elsewhere = { ...on.env, SAGE_CHAT_ADDRESS: "https://example.org" };
  const before = server.requests.length;
  server.behave({});
  const refused = await binary(["ask", QUESTION], { ...on, env: elsewhere });
  assert.match(refused.stderr, /chat\.address/);
  assert.equal(server.requests.length, before);
});

test("the key comes from the environment or one's own config.yaml, which others may not read", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const env = { SAGE_CHAT_ADDRESS: server.address };
  const none = await binary(["ask", QUESTION], { ...on, env });
  assert.match(none.stderr, /There is no key.*\n.*ANTHROPIC_API_KEY.*config\.yaml/);
  await Deno.writeTextFile(`${on.cwd}/.sage/config.yaml`, `api_key: ${KEY}\n`);
  assert.match((await binary(["ask", QUESTION], { ...on, env })).stderr, /There is no key/);
  const path = `${on.home}/.sage/config.yaml`;
  await Deno.writeTextFile(path, `api_key: ${KEY}\n`, { mode: 0o644 });
  assert.match((await binary(["ask", QUESTION], { ...on, env })).stderr, /others may read it/);
  assert.equal(server.requests.length, 0);
  await Deno.chmod(path, 0o600);
  assert.equal((await binary(["ask", QUESTION], { ...on, env })).stdout, "It is SQLite.\n");
  await Deno.writeTextFile(path, "api_key: [\n");
  assert.match(
    (await binary(["ask", QUESTION], { ...on, env })).stderr,
    /Cannot read .*config\.yaml/,
  );
});

test("a conversation recalls each note once, becomes a checkpoint, and leaves nothing else", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({
    parts: [
      "Use SQLite with WAL, because readers must not wait for the sync worker. ",
      "I measured 40 ms instead of 900 ms for the list. Next: move the search index too.",
    ],
  });
  const stdin = [
    QUESTION,
    "And why did we choose that database for \\",
    "the offline notes, not Realm? <private>my diary</private>",
    "We decided to use SQLite with WAL because readers must not wait. Is that right?",
    "/knowledge",
    "/context",
    "/nothing",
    "/checkpoint",
    "/export talk.md",
    "/quit",
  ].join("\n");
  const { code, stdout, stderr } = await binary(["chat"], { ...on, stdin });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/Use SQLite with WAL/g)?.length, 3);
  assert.equal(
    stderr.match(/Knowledge recalled \(1\)/g)?.length,
    2,
    "once recalled, once asked for",
  );
  assert.match(stderr, /6 messages, 127 tokens in the last exchange\nin total 360 tokens read/);
  assert.match(stderr, /There is no command \/nothing/);
  assert.match(stderr, /Saved checkpoint [0-9a-f]{8}/);
  const third = server.requests[2]?.messages ?? [];
  assert.deepEqual(third.map(({ role }) => role), [
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  assert.ok(third[2]?.content.includes("for \nthe offline notes"));
  const talk = await Deno.readTextFile(`${on.cwd}/talk.md`);
  assert.ok(talk.includes("WAL") && !talk.includes("diary") && !talk.includes("<recalled"), talk);
  const headings = talk.match(/^## .*/gm)?.map((line) => line.slice(0, line.indexOf("(") + 3));
  assert.deepEqual(headings?.slice(0, 2), ["## You (20", "## Answer (20"]);
  const list = await binary(["checkpoint", "list", "--json"], on);
  const [saved, ...more] = JSON.parse(list.stdout).items;
  assert.deepEqual(more, [], stderr);
  for (const kept of [talk, await Deno.readTextFile(saved.path)]) {
    assert.ok(!/recalled/i.test(kept), kept);
  }
  assert.deepEqual(listed(`${on.home}/.sage/state/chats`), []);
});

test("a conversation that was killed is taken up again, or saved by the next", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({
    parts: ["We should use SQLite with WAL because readers must not wait; Realm was dropped."],
  });
  await killedAfter(on, [QUESTION, "My key is AKIAIOSFODNN7EXAMPLA, which database is it?"]);
  const [left] = listed(`${on.home}/.sage/state/chats`);
  const path = `${on.home}/.sage/state/chats/${left}`;
  const log = await Deno.readTextFile(path);
  assert.ok(log.includes("which database is it") && !log.includes("AKIAIOSFODNN7EXAMPLA"), log);
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);

  const resumed = await binary(["chat", "--resume"], {
    ...on,
    stdin: "And the index?\n/context\n",
  });
  assert.match(resumed.stderr, /Going on with 4 messages/);
  assert.equal(server.requests.at(-1)?.messages.length, 5);
  assert.deepEqual(listed(`${on.home}/.sage/state/chats`), []);

  await killedAfter(on, [QUESTION, "We decided on SQLite with WAL because readers must not wait."]);
  const next = await binary(["chat"], { ...on, stdin: "/quit\n" });
  assert.match(next.stderr, /A conversation of 4 messages had not ended/);
  assert.deepEqual(listed(`${on.home}/.sage/state/chats`), []);
  assert.match((await binary(["chat", "--resume"], on)).stderr, /No conversation .* was cut short/);
});

test("what is forgotten is in no conversation that was cut short", async () => {
  await using server = openModelServer();
  const on = await project(server);
  const secret = "We chose SQLite over Realm for the offline notes, because Realm locks us in.";
  await killedAfter(on, [`Is it true? ${secret}`]);
  assert.equal(listed(`${on.home}/.sage/state/chats`).length, 1);
  await binary(["forget", "Offline notes are kept in SQLite", "--yes"], on);
  assert.deepEqual(listed(`${on.home}/.sage/state/chats`), []);
});

test("a checkpoint is brought into a conversation, and one that is not there is said", async () => {
  await using server = openModelServer();
  const on = await project(server);
  await binary(["checkpoint", "-m", "The token refresh races with logout; a lock fixes it."], on);
  const stdin = "/restore nowhere at all\n/restore\nWhat next?\n/quit\n";
  const { stderr } = await binary(["chat"], { ...on, stdin });
  assert.match(stderr, /No checkpoint matches "nowhere at all"/);
  assert.match(
    server.requests[0]?.messages[0]?.content ?? "",
    /<recalled [^]*races with logout[^]*What next\?$/,
  );
});

test("Ctrl-C stops an answer, and the conversation goes on with what was said", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({ parts: ["One", " two", " three"], hangsAfter: 2 });
  const child = new Deno.Command(BINARY, {
    args: ["chat"],
    cwd: on.cwd,
    env: { HOME: on.home, ...on.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  await writer.write(encode("count\n"));
  let said = "";
  const [stdout, stderr] = [child.stdout.pipeThrough(new TextDecoderStream()), child.stderr];
  const read = (async () => {
    for await (const text of stdout) said += text;
  })();
  await until("the answer's beginning", () => said === "One two");
  child.kill("SIGINT");
  await until("the end of what was stopped", () => said === "One two\n");
  server.behave({});
  await writer.write(encode("go on\n/quit\n"));
  await writer.close();
  const all = Promise.all([new Response(stderr).text(), child.status, read]);
  const [trouble, { code }] = await orKilled("the end of the conversation", child, all);
  assert.deepEqual([code, said], [0, "One two\nIt is SQLite.\n"], trouble);
  assert.deepEqual(server.requests[1]?.messages.map(({ content }) => content), [
    "count",
    "One two",
    "go on",
  ]);
});

test("an answer whose reader left is no failure", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({ parts: Array(2000).fill("a line of a long answer\n") });
  const { stdout, stderr } = await run("sh", {
    args: ["-c", `exec 3>&1; { "$0" ask say it; echo "$?" >&3; } | head -n 1 >&2`, BINARY],
    cwd: on.cwd,
    env: { HOME: on.home, ...on.env },
  });
  assert.deepEqual([stdout, stderr], ["0\n", "a line of a long answer\n"]);
});

test("a question that the model said nothing to is not part of what is asked next", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({ parts: [] });
  const { stdout } = await binary(["chat"], { ...on, stdin: "First?\nSecond?\n" });
  assert.equal(stdout.trim(), "");
  const asked = server.requests.map(({ messages }) => messages.map(({ role }) => role));
  assert.deepEqual(asked, [["user"], ["user"]]);
});

test("an answer that breaks off ends no conversation", async () => {
  await using server = openModelServer();
  const on = await project(server);
  server.behave({ breaksAfter: 1 });
  const { code, stdout, stderr } = await binary(["chat"], { ...on, stdin: "one\ntwo\n/quit\n" });
  assert.deepEqual([code, stdout], [0, "It is\nIt is\n"], stderr);
  assert.equal(stderr.match(/broke off/g)?.length, 2, stderr);
});

test("a project that is excluded from capture leaves no log and no checkpoint", async () => {
  await using server = openModelServer();
  const on = await project(server);
  await Deno.writeTextFile(`${on.home}/.sage/.sageignore`, `${on.cwd}/\n`);
  const stdin = `${QUESTION}\n/checkpoint\n/quit\n`;
  const { stderr } = await binary(["chat"], { ...on, stdin });
  assert.match(stderr, /Not saved: \.sageignore excludes this project/);
  assert.equal(await exists(`${on.home}/.sage/state/chats`), false);
});

Deno.test("a conversation has no --json, a question must be one", async () => {
  const { home, cwd } = scratch();
  const on = { home, cwd };
  assert.equal((await sage(["chat", "--json"], on)).code, 2);
  assert.equal((await sage(["ask"], on)).code, 2);
});

/** Kills the process once all lines were answered. */
async function killedAfter(on: On, lines: readonly string[]): Promise<void> {
  const child = new Deno.Command(BINARY, {
    args: ["chat"],
    cwd: on.cwd,
    env: { HOME: on.home, ...on.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.join("\n") + "\n"));
  const folder = `${on.home}/.sage/state/chats`;
  await until("all answers in the log", () => {
    const [entry] = listed(folder);
    if (entry === undefined) return false;
    const text = Deno.readTextFileSync(`${folder}/${entry}`);
    return text.split("\n").length > lines.length * 2 + 1;
  });
  child.kill("SIGKILL");
  await writer.close().catch(() => {});
  await child.status;
}

function listed(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
