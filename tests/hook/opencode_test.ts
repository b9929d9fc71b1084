/**
 * opencode from end to end: `sage install opencode`, then the plugin that it wrote, called as opencode calls
 * it (tests/support/opencode.ts), and what sessions left behind.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { receipts } from "../support/receipts.ts";
import { binary } from "../support/sage.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { run, within } from "../support/within.ts";
import { read } from "../support/world.ts";
import { BINARY, testHook } from "./process.ts";

const OPENCODE = new URL("../support/opencode.ts", import.meta.url).pathname;
const FILL = "The rows of the nightly export come in one file of nine gigabytes. ".repeat(6);
const [FIRST, SECOND, CHILD] = ["ses_first00000001", "ses_second0000002", "ses_child00000003"];

interface Place {
  readonly home: string;
  readonly cwd: string;
}

async function connected(): Promise<Place> {
  const home = `${tempDir()}/home`;
  const cwd = `${home}/project`;
  await Deno.mkdir(`${cwd}/.git`, { recursive: true });
  const { code, stderr } = await binary(["install", "opencode"], { home, cwd });
  assert.equal(code, 0, stderr);
  return { home, cwd };
}

interface Running {
  ask(command: Record<string, unknown>): Promise<unknown>;
  kill(): Promise<void>;
}

function start({ home, cwd }: Place): Running {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", OPENCODE],
    cwd,
    env: { HOME: home, PATH: Deno.env.get("PATH") ?? "", DENO_DIR: `${home}/../deno` },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const line = async (): Promise<string> => {
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      assert.ok(!done, "it ended");
      text += value;
    }
    const end = text.indexOf("\n");
    const first = text.slice(0, end);
    text = text.slice(end + 1);
    return first;
  };
  const close = async (): Promise<void> => {
    await writer.close().catch(() => {});
    await reader.cancel();
    await child.status;
  };
  return {
    async kill() {
      child.kill("SIGKILL");
      await close();
    },
    async ask(command) {
      await writer.write(new TextEncoder().encode(JSON.stringify(command) + "\n"));
      const answer = JSON.parse(await within(`an answer to ${JSON.stringify(command)}`, line()));
      if (command.quit !== true) return answer;
      return await close();
    },
  };
}

/** A session with enough in it to be worth a note. */
async function work({ ask }: Pick<Running, "ask">, session: string): Promise<void> {
  await ask({ open: session });
  // As `opencode run` writes it.
  await ask({ in: session, prompt: '"Why does the importer stall on large files?"' });
  await ask({ in: session, reply: "We decided to stream rows because buffers stalled." });
  for (const [n, part] of ["the reader", "the parser", "the index"].entries()) {
    await ask({ in: session, prompt: `What of ${part}? ${FILL}` });
    const reply = `I measured ${part} with \`npm run bench -- ${n}\`: it takes ${n + 3} s. ${FILL}`;
    await ask({ in: session, reply });
  }
}

function note({ home }: Place): string {
  const name = filesIn(`${home}/.sage`).find((path) => path.startsWith("sessions/"));
  return name === undefined ? "" : read(`${home}/.sage/${name}`);
}

testHook("opencode: a session leaves its note, and the next is told where it stopped", async () => {
  const on = await connected();
  const first = start(on);
  await work(first, FIRST);
  await first.ask({ quit: true });
  assert.match(
    note(on),
    /end_reason: other\nagent: opencode\n[^]*\n---\n[^]*decided to stream rows/,
  );
  assert.doesNotMatch(note(on), /"Why does/);
  const second = start(on);
  await second.ask({ open: SECOND });
  const notice = { in: SECOND, prompt: "▣ 34K pruned", ignored: true };
  assert.deepEqual(await second.ask(notice), []);
  const [told, ...more] = await second.ask({ in: SECOND, prompt: "Good morning." }) as string[];
  assert.deepEqual(more, []);
  assert.match(told ?? "", /What of the index\?[^]*We decided to stream rows/);
  // Once, however often somebody types.
  assert.deepEqual(await second.ask({ in: SECOND, prompt: "Thanks." }), []);
  await second.ask({ quit: true });
  const beside = filesIn(`${on.home}/.local/share/opencode`);
  assert.deepEqual(beside, ["opencode.db"]);
});

testHook(
  "opencode: installed for the person and in the project, each event is handled once",
  async () => {
    const on = await connected();
    const install = ["install", "opencode", "--scope", "project"];
    assert.equal((await binary(install, on)).code, 0);
    const session = start(on);
    await session.ask({ open: FIRST });
    const added = await session.ask({
      in: FIRST,
      prompt: "Why does it stall on files?",
    }) as string[];
    assert.equal(added.length, 1, JSON.stringify(added));
    await session.ask({ in: FIRST, reply: "Because it collects all rows." });
    await session.ask({ in: FIRST, compact: "It stalls." });
    await session.ask({ quit: true });
    const hooks = receipts(on.home).filter(({ event }) => event === "hook").map(({ hook }) => hook);
    const times = (name: string): number => hooks.filter((hook) => hook === name).length;
    assert.deepEqual(
      ["session-start", "user-prompt-submit", "stop", "pre-compact", "session-end"].map(times),
      [2, 1, 1, 1, 1],
      JSON.stringify(hooks),
    );
  },
);

testHook("opencode: a session that is killed is told to the next", async () => {
  const on = await connected();
  const first = start(on);
  await work(first, FIRST);
  await first.kill();
  const second = start(on);
  let told: string | undefined;
  // A start that a busy machine gives no time leaves it to the next.
  for (let n = 0; told === undefined && n < 5; n++) {
    await second.ask({ open: `${SECOND}${n}` });
    [told] = await second.ask({ in: `${SECOND}${n}`, prompt: "Good morning." }) as string[];
  }
  assert.match(told ?? "", /cut off and recovered[^]*What of the index\?/);
  await second.ask({ quit: true });
});

testHook("opencode: a session that was killed is finished while no opencode runs", async () => {
  const on = await connected();
  const first = start(on);
  await work(first, FIRST);
  await first.kill();
  const folder = `${on.home}/.local/share/opencode`;
  // Another one ran elsewhere, and took the log with it as it ended.
  const other = new DatabaseSync(`${folder}/opencode.db`);
  other.exec("create table elsewhere (id text)");
  other.close();
  assert.deepEqual(filesIn(folder), ["opencode.db"]);
  const session = { session_id: "next-1", cwd: on.cwd, source: "startup" };
  const { stdout } = await binary(["hook", "session-start"], {
    ...on,
    stdin: JSON.stringify(session),
  });
  assert.match(stdout, /cut off and recovered[^]*What of the index\?/);
  assert.match(note(on), /end_reason: recovered\nagent: opencode\n/);
  assert.deepEqual(filesIn(folder), ["opencode.db"]);
  assert.deepEqual(filesIn(`${on.home}/.sage/state/migrate`), []);
});

testHook(
  "opencode: a compaction is saved before, and told after with the next prompt",
  async () => {
    const on = await connected();
    const { ask } = start(on);
    await work({ ask }, FIRST);
    await ask({ in: FIRST, compact: "The importer stalls on large files." });
    const saved = filesIn(`${on.home}/.sage`).filter((path) => path.startsWith("checkpoints/"));
    const triggers = saved.map((path) =>
      /^trigger: (.*)$/m.exec(read(`${on.home}/.sage/${path}`))?.[1]
    );
    assert.ok(triggers.includes("precompact"), String(triggers));
    const [told] = await ask({ in: FIRST, prompt: "Go on." }) as string[];
    assert.match(told ?? "", /sage_load_checkpoint/);
    await ask({ quit: true });
  },
);

testHook("opencode: at 70 % of the model's window there is a checkpoint", async () => {
  const on = await connected();
  const { ask } = start(on);
  await work({ ask }, FIRST);
  await ask({ in: FIRST, prompt: `And the writer? ${FILL}` });
  await ask({
    in: FIRST,
    reply: `The writer takes 5 s, so it is the reader. ${FILL}`,
    tokens: 72_000,
  });
  const gates = receipts(on.home).filter(({ hook }) => hook === "stop").map(({ gate }) => gate);
  assert.equal(gates.at(-1), "context at 70 %");
  await ask({ quit: true });
});

testHook(
  "opencode: what a person took back is in no note, and a subagent is left alone",
  async () => {
    const on = await connected();
    const { ask } = start(on);
    await work({ ask }, FIRST);
    await ask({ in: FIRST, revert: "msg_", prompt: "" });
    await ask({ open: CHILD, parent: FIRST });
    assert.deepEqual(await ask({ in: CHILD, prompt: "Look for the importer." }), []);
    await ask({ in: CHILD, reply: `It is in src/import.ts. ${FILL}` });
    const sessions = new Set(receipts(on.home).map(({ session }) => session));
    assert.ok(!sessions.has(CHILD));
    await ask({ quit: true });
  },
);

testHook("opencode: once the plugin is removed, a running opencode starts nothing", async () => {
  const on = await connected();
  const { ask } = start(on);
  await ask({ open: FIRST });
  await ask({ in: FIRST, prompt: "Why does the importer stall?" });
  const { code, stderr } = await binary(["uninstall", "--all", "--yes"], on);
  assert.equal(code, 0, stderr);
  assert.deepEqual(await ask({ in: FIRST, prompt: "And now?" }), []);
  await ask({ in: FIRST, reply: `Now it does not. ${FILL}` });
  await ask({ quit: true });
  const left = filesIn(on.home).filter((path) => !path.startsWith(".local/share/opencode/"));
  assert.deepEqual(left, []);
});

testHook(
  "opencode: a database that cannot be read fails with a receipt, and is left as it is",
  async () => {
    const on = await connected();
    const path = `${on.home}/.local/share/opencode/opencode.db`;
    await Deno.mkdir(`${on.home}/.local/share/opencode`, { recursive: true });
    const other = (): void => {
      using database = new DatabaseSync(path);
      database.exec("create table conversation (id text)");
    };
    for (const make of [() => Deno.writeTextFileSync(path, "This is no database."), other]) {
      await Deno.remove(path).catch(() => {});
      make();
      const before = await Deno.readFile(path);
      const input = JSON.stringify({ session_id: FIRST, cwd: on.cwd });
      const asked = { cwd: on.cwd, env: { HOME: on.home }, clearEnv: true, input };
      const { code, stdout } = await run(BINARY, { args: ["hook", "stop", "opencode"], ...asked });
      assert.deepEqual([code, stdout], [0, ""]);
      const { hook, outcome } = receipts(on.home).at(-1) ?? {};
      assert.deepEqual([hook, outcome], ["stop", "failed"]);
      assert.deepEqual(await Deno.readFile(path), before);
      assert.deepEqual(filesIn(`${on.home}/.local/share/opencode`), ["opencode.db"]);
    }
  },
);
