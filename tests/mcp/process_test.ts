/** The life of the process: how it is greeted, how it ends. */
import assert from "node:assert/strict";
import { filesEnding, makeFolder, names, readText, remove, writeText } from "./disk.ts";
import { CHECKPOINT, SESSION } from "./connect.ts";
import { command, environment, isAlive, start, withProcess } from "./process.ts";
import { assertInTime } from "../support/quick.ts";
import { tempDir } from "../support/temp_store.ts";
import { orKilled, until } from "../support/within.ts";

const FIXTURE = new URL("../fixture/claude-code/mcp/", import.meta.url);

interface Recorded {
  readonly dir: string;
  readonly message?: { readonly id?: unknown; readonly method?: string };
}

function recorded(name: string): Recorded[] {
  return readText(new URL(name, FIXTURE)).trim().split("\n").map((line) => JSON.parse(line));
}

Deno.test("the captured handshake is answered line by line, after a probe that could be gone on from", () =>
  withProcess(async ({ send, answer }) => {
    for (const { dir, message } of recorded("handshake-2025-11-25.jsonl")) {
      if (dir !== "client>server" || message === undefined) continue;
      await send(message);
      if (message.id === undefined) continue;
      const got = await answer(message.id) as {
        error?: { code: number };
        result?: Record<string, unknown>;
      };
      switch (message.method) {
        case "server/discover":
          assert.deepEqual(got.result?.supportedVersions, ["2026-07-28"]);
          break;
        case "initialize":
          assert.equal(got.result?.protocolVersion, "2025-11-25");
          assert.deepEqual(got.result?.capabilities, { tools: {}, prompts: {}, resources: {} });
          break;
        case "tools/list":
          assert.equal((got.result?.tools as unknown[]).length, 12);
          break;
        case "tools/call": // a tool of the server that was captured
          assert.equal(got.error?.code, -32602);
          break;
        default:
          assert.ok(got.result !== undefined, message.method);
      }
    }
  }));

Deno.test("where Sage was taken out, a server that still runs looks nothing up, and says why", () =>
  withProcess(async ({ ask, home }) => {
    const list = () => ask("tools/call", { name: "sage_list_knowledge", arguments: {} });
    makeFolder(`${home}/.sage/state`);
    assert.match(JSON.stringify(await list()), /No knowledge yet/);
    remove(`${home}/.sage`);
    assert.match(JSON.stringify(await list()), /Sage was taken out of this machine/);
    assert.deepEqual(names(home).filter((name) => name === ".sage"), []);
  }));

Deno.test("the captured stateless session is answered line by line", () =>
  withProcess(async ({ send, answer }) => {
    for (const { dir, message } of recorded("stateless-2026-07-28.jsonl")) {
      if (dir !== "client>server" || message?.id === undefined) continue;
      await send(message);
      const got = await answer(message.id) as {
        error?: { code: number };
        result?: { resultType: string };
      };
      // Nothing that changes is promised, so nobody listens; the tool is the captured server's.
      const refused =
        { "subscriptions/listen": -32601, "tools/call": -32602 }[message.method ?? ""];
      assert.deepEqual(
        [got.error?.code, got.result?.resultType],
        refused === undefined ? [undefined, "complete"] : [refused, undefined],
        message.method,
      );
    }
  }));

Deno.test("the end of stdin ends the process, after what was asked is answered", async () => {
  const running = start({ env: { CLAUDE_CODE_SESSION_ID: SESSION } });
  const call = (id: number, name: string, args: unknown) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  });
  await running.send(call(1, "sage_save_checkpoint", CHECKPOINT));
  await running.send(call(2, "search_notes", { query: "curators" }));
  await running.closeInput();
  const rest = await running.rest();
  const { code, stderr } = await running.ended();
  assert.deepEqual([code, stderr], [0, ""]);
  const ids = rest.trim().split("\n").map((line) => JSON.parse(line).id);
  assert.deepEqual(ids, [1, 2]);
  assert.match(rest, /1 of 1 hit/);
  const [saved] = names(`${running.project}/.sage/checkpoints`);
  assert.match(
    readText(`${running.project}/.sage/checkpoints/${saved}`),
    new RegExp(SESSION),
  );
  running.remove();
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`${signal} ends the process within 100 ms and leaves no half-written file`, async () => {
    // The best of three, because a busy machine delays any process.
    const took: number[] = [];
    while (took.length < 3 && Math.min(...took) > 100) took.push(await endBy(signal));
    await assertInTime(Math.min(...took), 100, took.map(Math.round).join(", "));
  });
}

async function endBy(signal: Deno.Signal): Promise<number> {
  let took = 0;
  await withProcess(async ({ kill, ended, ask, home }) => {
    await ask("tools/call", { name: "sage_save_checkpoint", arguments: CHECKPOINT });
    const since = performance.now();
    kill(signal);
    const { code } = await ended();
    took = performance.now() - since;
    assert.equal(code, 0);
    assert.deepEqual(filesEnding(home, ".tmp"), []);
  });
  return took;
}

Deno.test("a client that closes stdout ends the process", async () => {
  const { program, args } = command();
  const home = tempDir();
  const child = new Deno.Command(program, {
    args,
    cwd: home,
    env: environment(home, home),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const ping = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await writer.write(ping);
  await orKilled("the first answer", child, reader.read());
  await reader.cancel();
  await writer.write(ping);
  const { code } = await orKilled("the end without a reader", child, child.status);
  assert.equal(code, 0);
  await writer.close().catch(() => {});
  remove(home);
});

/** A client that starts the server, says its process id, and dies without closing anything. */
const DYING = `
const child = new Deno.Command(Deno.args[0], {
  args: JSON.parse(Deno.args[1]), stdin: "inherit", stdout: "piped", stderr: "null",
}).spawn();
await child.stdout.getReader().read();
console.log(child.pid);
await new Promise(() => setTimeout(() => {}, 60_000));
`;

Deno.test("the death of the parent ends the process, although stdin stays open", async () => {
  const home = tempDir();
  writeText(`${home}/client.ts`, DYING);
  const { program, args } = command();
  // The test itself holds the server's stdin open, through the client that hands it on.
  const client = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${home}/client.ts`, program, JSON.stringify(args)],
    cwd: home,
    env: environment(home, home),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = client.stdin.getWriter();
  await writer.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
  const reader = client.stdout.getReader();
  const { value } = await orKilled("the server's id", client, reader.read());
  const pid = Number(new TextDecoder().decode(value));
  assert.ok(isAlive(pid));
  client.kill("SIGKILL");
  await client.status;
  await until("the end of the server", () => !isAlive(pid));
  await writer.close().catch(() => {});
  await reader.cancel();
  remove(home);
});

Deno.test("a server goes on in its project's folder under the name that it has now", {
  ignore: Deno.build.os === "windows",
}, () =>
  withProcess(async ({ ask, project }) => {
    const save = (title: string) =>
      ask("tools/call", { name: "sage_save_checkpoint", arguments: { ...CHECKPOINT, title } });
    await save("before");
    const renamed = `${project}-renamed`;
    await Deno.rename(project, renamed);
    await save("after");
    assert.equal(names(`${renamed}/.sage/checkpoints`).length, 2);
    await Deno.rename(renamed, project);
    await save("back");
    assert.equal(names(`${project}/.sage/checkpoints`).length, 3);
  }));

Deno.test("--tools and --project choose profile and project", async () => {
  const other = tempDir();
  makeFolder(`${other}/.sage`);
  await withProcess(async ({ ask }) => {
    const { result } = await ask("tools/list") as { result: { tools: unknown[] } };
    assert.equal(result.tools.length, 5);
    await ask("tools/call", { name: "sage_save_checkpoint", arguments: CHECKPOINT });
    assert.equal(names(`${other}/.sage/checkpoints`).length, 1);
  }, { args: ["--tools", "minimal", "--project", other] });
  remove(other);
});
