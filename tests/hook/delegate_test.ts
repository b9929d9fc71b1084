/**
 * The session's server does a hook's work, where it is there and fit; whatever is wrong with it, the hook
 * does it itself, in time, and the same comes out.
 */
import assert from "node:assert/strict";
import { type Outcome } from "../../src/hook/delegate.ts";
import { basename } from "../../src/base/path.ts";
import { BEGUN } from "../../src/memory/session/handover.ts";
import { LABELLED } from "../support/labelled.ts";
import { sage } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { filesIn } from "../support/temp_store.ts";
import { put } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  contextOf,
  type Event,
  payload,
  type Place,
  place,
  runHook,
  SESSION,
  testHook,
} from "./process.ts";
import { ownSocketPath, spawnMcp } from "../support/mcp_server.ts";
import { folder, hasSockets, pretend, receipts, serve } from "./server.ts";
import { orKilled, run as runToEnd, until } from "../support/within.ts";

/** A server that is never asked fails all of them. */
const TRIES = 20;
/** Moments of a prompt at which the server is killed. */
const KILLS = depth(4, 16);
const KILL_MS_MAX = 160;
/** The same note answers it, in other words: another topic. */
const OTHER_QUESTION = "Does Realm bring a sync service along, and did that speak against it?";
const QUESTION = "Which database did we choose for the offline notes, and why?";

/** A space of processes as a container has; some systems let nobody but root have one. */
const SPACE = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
const hasContainers = await runToEnd("unshare", { args: [...SPACE, "true"] })
  .then(({ code }) => code === 0, () => false);

testHook("what the server does is what the hook would have done", async () => {
  let by: readonly string[] = [];
  // On a busy machine the server may be late, and the hook does it: the same comes out, and it is no proof.
  for (let tries = 0; tries < TRIES && by.join() !== "server,server,server"; tries++) {
    by = await compare();
  }
  assert.deepEqual(by, ["server", "server", "server"]);
}, hasSockets);

/** Two homes, one with a server: says who did each of three hooks there. */
async function compare(): Promise<readonly string[]> {
  const [alone, beside] = [await ready(), await ready()];
  await using _server = await serve(beside);
  const told: string[][] = [];
  for (const on of [alone, beside]) {
    const prompt = await run(on, "user-prompt-submit", { prompt: QUESTION });
    const stop = await run(on, "stop", { last_assistant_message: undefined });
    const compact = await run(on, "pre-compact");
    // Each fence has a mark of its own.
    const shown = contextOf(prompt).replace(/(?<=recalled )\w+|\[\w{4}\]/g, "");
    told.push([shown, JSON.stringify(stop.reply), JSON.stringify(compact.reply)]);
  }
  assert.deepEqual(told[1], told[0]);
  assert.match(told[0]?.[0] ?? "", /SQLite/);
  assert.match(told[0]?.[1] ?? "", /Call sage_autosave_check/);
  assert.deepEqual(saved(beside), saved(alone));
  assert.equal(saved(alone).length, 1);
  assert.deepEqual(doneBy(alone), ["hook", "hook", "hook"]);
  return doneBy(beside);
}

testHook(
  "a server that ends takes its socket along; a killed one's stands in nobody's way",
  async () => {
    const on = await ready();
    {
      await using _server = await serve(on);
    }
    assert.deepEqual(sockets(on), []);
    {
      await using server = await serve(on);
      server.kill("SIGKILL");
      await server.status;
      assert.deepEqual(sockets(on), [basename(ownSocketPath(on))]);
      assert.match(contextOf(await run(on, "user-prompt-submit", { prompt: QUESTION })), /SQLite/);
    }
    // What other editors' servers left is taken away as well.
    await Deno.rename(
      ownSocketPath(on),
      `${folder(on)}/1.sock`,
    );
    await using _next = await serve(on);
    assert.deepEqual(sockets(on), [basename(ownSocketPath(on))]);
    await assertServed(on);
  },
  hasSockets,
);

testHook("the folder of sockets is closed to others, also where a copy had opened it", async () => {
  const on = await ready();
  await Deno.mkdir(folder(on), { recursive: true });
  await Deno.chmod(folder(on), 0o755);
  await using _server = await serve(on);
  const { mode } = await Deno.stat(folder(on));
  assert.equal((mode ?? 0) & 0o777, 0o700);
}, hasSockets);

testHook("a server that does not answer is not waited for, and does nothing later", async () => {
  const on = await ready();
  await using server = await serve(on);
  server.kill("SIGSTOP");
  await run(on, "pre-compact");
  assert.equal(saved(on).length, 1);
  server.kill("SIGCONT");
  await assertServed(on);
  assert.equal(doneBy(on)[0], "hook");
  assert.equal(saved(on).length, 1);
  assert.equal(receipts(on).match(/"hook":"pre-compact"/g)?.length, 1);
}, hasSockets);

testHook(
  "what a server showed is not shown again, though it is killed with the answer",
  async () => {
    let served = 0;
    for (let n = 0; n < KILLS || (served === 0 && n < KILLS + TRIES); n++) {
      const on = await ready();
      await using server = await serve(on);
      const prompt = run(on, "user-prompt-submit", { prompt: QUESTION });
      // At first it has not begun, in the end it has answered long ago.
      await new Promise((resolve) => setTimeout(resolve, KILL_MS_MAX * n / KILLS));
      if (n >= KILLS - 1) await prompt;
      server.kill("SIGKILL");
      await server.status;
      const shown = /SQLite/.test(contextOf(await prompt));
      if (doneBy(on).at(-1) === "server") served++;
      const next = contextOf(await run(on, "user-prompt-submit", { prompt: OTHER_QUESTION }));
      if (shown) assert.equal(next, "", receipts(on));
      // What was killed before it said anything is a hook that says nothing, once.
      else if (/"gate":"shown_before"/.test(receipts(on))) assert.equal(next, "");
      else assert.match(next, /SQLite/, receipts(on));
    }
    assert.ok(served > 0, "no server answered before it was killed");
  },
  hasSockets,
);

testHook(
  "a server of another container is not asked, though its editor has the same number",
  async () => {
    const on = await ready();
    const log = receipts(on);
    // In both the shell is process 1, and starts what an editor starts.
    const server = contained(`"$SAGE" mcp; :`, on);
    await until(
      "a server that listens",
      () => filesIn(on.home).some((name) => name.endsWith(".sock")),
    );
    try {
      const prompt = JSON.stringify(payload(on, "user-prompt-submit", { prompt: QUESTION }));
      const hook = contained(`"$SAGE" hook user-prompt-submit; :`, on);
      await feed(hook, prompt);
      const { stdout } = await orKilled("the hook", hook, hook.output());
      assert.match(new TextDecoder().decode(stdout), /SQLite/);
      assert.doesNotMatch(receipts(on).slice(log.length), /"delegated":true/);
    } finally {
      await feed(server, "");
      await orKilled("the end of the server", server, server.output());
    }
  },
  hasSockets && hasContainers,
);

/** A shell that is process 1 of a space of its own, which sees the same files. */
function contained(script: string, { home, cwd }: Place): Deno.ChildProcess {
  const SAGE = new URL("../../dist/sage", import.meta.url).pathname;
  return new Deno.Command("unshare", {
    args: [...SPACE, "sh", "-c", script],
    cwd,
    env: { HOME: home, PATH: "/usr/bin:/bin", SAGE },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

async function feed(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
}

testHook("a home without anything of Sage's gets no socket", async () => {
  const on = place();
  const child = spawnMcp(on);
  const said = child.stdout.getReader();
  await say(child, { jsonrpc: "2.0", id: 1, method: "server/discover", params: {} });
  await orKilled("the first answer", child, said.read());
  await child.stdin.close();
  await said.cancel();
  await orKilled("the end of the server", child, child.status);
  assert.deepEqual(filesIn(on.home).filter((name) => name.startsWith(".sage")), []);
}, hasSockets);

testHook(
  "the server knows the editor where nobody names it, and what that left is no other's work",
  async () => {
    const on = await ready();
    await using _server = await serve(on);
    await assertServed(on);
    const states = await Deno.readTextFile(`${on.home}/.sage/state/instances/${SESSION}.json`);
    assert.equal(JSON.parse(states.trim().split("\n").at(-1) ?? "").pid, Deno.pid);
    const begin = async (session_id: string, by: Place) =>
      contextOf(await run(by, "session-start", { source: "clear", session_id }));
    const other = { ...on, env: { CLAUDE_PID: "1" } };
    assert.match(await begin("11111111-0000-4000-8000-000000000002", other), /works here now/);
    const ours = await begin("11111111-0000-4000-8000-000000000003", on);
    assert.equal(ours.match(/works here now/g)?.length, 1, "the other client's alone");
  },
  hasSockets,
);

/** What may stand behind the socket instead. */
const STRANGERS: Readonly<Record<string, readonly string[]>> = {
  "nothing, and is gone": [],
  "no JSON": ["hello?"],
  "another form": ["[]"],
  "that it is ready, and is gone": [BEGUN],
  "no JSON for an answer": [BEGUN, "{"],
  "an answer without end": [BEGUN, "x".repeat(1_000_000)],
};

for (const [what, lines] of Object.entries(STRANGERS)) {
  testHook(`a server that says ${what} leaves the work with the hook`, async () => {
    const on = await ready();
    await using _server = pretend(on, lines);
    assert.match(contextOf(await run(on, "user-prompt-submit", { prompt: QUESTION })), /SQLite/);
    assert.deepEqual(doneBy(on), ["hook"]);
  }, hasSockets);
}

testHook("what fails in the server is in the receipts, and the editor is left alone", async () => {
  const on = await ready();
  const failed = JSON.stringify({ failed: "disk_full" } satisfies Outcome);
  await using _server = pretend(on, [BEGUN, failed]);
  assert.equal((await run(on, "user-prompt-submit", { prompt: QUESTION })).reply, undefined);
  assert.match(receipts(on), /"outcome":"failed","error":"disk_full"/);
}, hasSockets);

testHook("a server that never answers costs the answer, not the editor's time", async () => {
  const on = await ready();
  await using _server = pretend(on, [BEGUN, null]);
  assert.equal((await run(on, "user-prompt-submit", { prompt: QUESTION })).reply, undefined);
  assert.match(receipts(on), /"outcome":"failed","error":"timeout"/);
}, hasSockets);

/** The server that is there is asked, as soon as it has the time. */
async function assertServed(on: Place): Promise<void> {
  for (let tries = 0; tries < TRIES && doneBy(on).at(-1) !== "server"; tries++) {
    await run(on, "user-prompt-submit", { prompt: QUESTION });
  }
  assert.equal(doneBy(on).at(-1), "server");
}

async function run(on: Place, event: Event, fields: Record<string, unknown> = {}) {
  return await runHook(event, JSON.stringify(payload(on, event, fields)), on);
}

/** A home with a note, and a conversation at a turning point. */
async function ready(): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  const text =
    "We chose SQLite over Realm for the offline notes: Realm's sync service comes along.";
  const title = "The offline notes are kept in the database SQLite";
  await sage(["knowledge", "add", "-", "--title", title], { ...on, stdin: text });
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd });
  for (const { prompt, answer } of (LABELLED["a choice laid out and taken"] ?? []).slice(0, 2)) {
    said.user(prompt).assistant(answer);
  }
  put(on.transcript, said.text());
  await run(on, "session-start");
  return on;
}

async function say(child: Deno.ChildProcess, message: unknown): Promise<void> {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  writer.releaseLock();
}

function sockets(on: Place): string[] {
  return [...Deno.readDirSync(folder(on))].map(({ name }) => name).sort();
}

/** Of the hooks that had something to do, the start apart. */
function doneBy(on: Place): string[] {
  return receipts(on).trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ event, hook }) => event === "hook" && hook !== "session-start")
    .map(({ delegated }) => delegated === true ? "server" : "hook");
}

/** The checkpoints but for what is of the moment. */
function saved({ cwd }: Place): string[] {
  const checkpoints = `${cwd}/.sage/checkpoints`;
  return filesIn(checkpoints).filter((name) => name.endsWith(".md"))
    .map((name) => Deno.readTextFileSync(`${checkpoints}/${name}`).replace(/^---[^]*?\n---\n/, ""));
}
