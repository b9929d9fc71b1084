/**
 * R1, the storm: four writers, two of the command line and two servers, one killed every 0–30 ms and
 * started anew. What was acknowledged is collected outside of them, and all of it is there at the end.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { assertWhole, finish, type Lived, lived, notesOf } from "./lived.ts";
import { within } from "../support/within.ts";

const KILLS = depth(60, 500);
const PAUSE_MS_MAX = 30;
const STORM_MS_MAX = KILLS * 5000;
/** Before that a command has not begun; killed at any time up to the second, or never. */
const COMMAND_MS = [40, 400] as const;
const SAVES_A_SERVER = 18;

interface Writer {
  child: Deno.ChildProcess | undefined;
  /** When it may be killed. */
  ripeAt: number;
}

class Storm {
  readonly acknowledged: string[] = [];
  readonly writers: Writer[] = [];
  isOver = false;
  kills = 0;
  #count = 0;
  readonly #on: Lived;

  constructor(on: Lived) {
    this.#on = on;
  }

  /** Words that no other note has, so that none is taken for another's double. */
  next(): { token: string; text: string } {
    const token = `tok${(++this.#count).toString(36)}x${crypto.randomUUID().slice(0, 8)}`;
    const words = Array.from({ length: 12 }, () => crypto.randomUUID().slice(0, 7)).join(" ");
    return { token, text: `${token} ${words}.` };
  }

  /** One `sage knowledge add` after the other. */
  async command(): Promise<void> {
    const writer: Writer = { child: undefined, ripeAt: Infinity };
    this.writers.push(writer);
    while (!this.isOver) {
      const { token, text } = this.next();
      const child = this.#on.spawn(["knowledge", "add", "-", "--title", token]);
      const life = COMMAND_MS[0] + Math.random() * (COMMAND_MS[1] - COMMAND_MS[0]);
      Object.assign(writer, { child, ripeAt: performance.now() + life });
      const { code, signal, stdout, stderr } = await finish(child, text);
      if (/^Saved knowledge [^\n]*\n$/.test(stdout)) this.acknowledged.push(token);
      else assert.ok(signal === "SIGKILL", `${code} ${signal}: ${stdout}${stderr}`);
    }
  }

  /** One server after the other; a session may write a bounded number of notes. */
  async server(): Promise<void> {
    const writer: Writer = { child: undefined, ripeAt: Infinity };
    this.writers.push(writer);
    while (!this.isOver) {
      const env = { CLAUDE_CODE_SESSION_ID: crypto.randomUUID() };
      const child = this.#on.spawn(["mcp"], { env });
      Object.assign(writer, { child, ripeAt: Infinity });
      await this.#serve(child, () => (writer.ripeAt = performance.now()));
      writer.ripeAt = Infinity;
      try {
        child.kill("SIGKILL");
      } catch {
        // It was killed before.
      }
      await Promise.all([child.status, child.stderr.cancel()]);
    }
  }

  async #serve(child: Deno.ChildProcess, ripen: () => void): Promise<void> {
    const input = child.stdin.getWriter();
    const send = (message: Record<string, unknown>): Promise<void> =>
      input.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
    const clientInfo = { name: "storm", version: "0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    let saves = 0;
    let token = "";
    const save = async (): Promise<void> => {
      const next = this.next();
      token = next.token;
      const args = { title: token, content: next.text };
      const call = { name: "sage_save_knowledge", arguments: args };
      await send({ id: ++saves, method: "tools/call", params: call });
    };
    try {
      await send({ id: 0, method: "initialize", params });
      for await (const line of lines(child.stdout)) {
        const { id, result } = JSON.parse(line);
        if (id === 0) await send({ method: "notifications/initialized" });
        else if (id === saves && result !== undefined) {
          assert.equal(result.isError ?? false, false, line);
          this.acknowledged.push(token);
          ripen();
        }
        if (this.isOver || saves >= SAVES_A_SERVER) break;
        await save();
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
    await input.close().catch(() => {});
  }

  async kill(): Promise<void> {
    while (this.kills < KILLS && !this.isOver) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS_MAX));
      const ripe = this.writers.filter(({ ripeAt }) => ripeAt <= performance.now());
      const victim = ripe[Math.floor(Math.random() * ripe.length)];
      if (victim?.child === undefined) continue;
      victim.ripeAt = Infinity;
      try {
        victim.child.kill("SIGKILL");
        this.kills++;
      } catch {
        // It ended by itself.
      }
    }
    this.isOver = true;
  }
}

/** Whole lines; a killed writer's last one may be cut, and is no acknowledgement. */
async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + part).split("\n");
    rest = whole.pop() ?? "";
    yield* whole.filter((line) => line !== "");
  }
}

Deno.test({
  name: `four writers lose nothing acknowledged to ${KILLS} kills`,
  ignore: !hasBinary,
  async fn() {
    const on = await lived();
    const before = notesOf(on);
    const storm = new Storm(on);
    const all = [storm.command(), storm.command(), storm.server(), storm.server()];
    try {
      await within("the end of the storm", Promise.all([storm.kill(), ...all]), STORM_MS_MAX);
    } finally {
      storm.isOver = true;
    }
    assert.equal(storm.kills, KILLS);
    // How many depends on the machine; with none the storm would prove nothing.
    assert.ok(storm.acknowledged.length >= KILLS / 20, `${storm.acknowledged.length} acknowledged`);
    const notes = notesOf(on);
    const texts = [...notes.values()].join("\n");
    const lost = storm.acknowledged.filter((token) => !texts.includes(`\n${token} `));
    assert.deepEqual(lost, [], `${storm.acknowledged.length} acknowledged`);
    for (const [path, text] of notes) assertWhole(text, path);
    for (const [path, text] of before) assert.equal(notes.get(path), text, path);
    for (const token of storm.acknowledged.slice(-5)) {
      assert.match(await on.must(["search", token]), new RegExp(token));
    }
  },
});
