/** stdout carries the protocol and nothing else, whatever comes in. */
import assert from "node:assert/strict";
import { depth } from "../support/depth.ts";
import { names, remove } from "./disk.ts";
import { CHECKPOINT, folders } from "./connect.ts";
import { type Running, start, withProcess } from "./process.ts";

const MESSAGES = depth(2000, 100_000);
const encoder = new TextEncoder();

/** A generator that a seed repeats: mulberry32. */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const METHODS = [
  "ping",
  "tools/list",
  "tools/call",
  "initialize",
  "resources/list",
  "resources/read",
  "prompts/get",
];
const VALUES = [null, true, -1, 1e999, "", "x", [], {}, [[]], { id: 1 }, "\ud800", "../..", {
  _meta: 1,
}];

/** One line: whole, bent or broken. */
function line(next: () => number, id: number): Uint8Array {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const message: Record<string, unknown> = { jsonrpc: "2.0", id, method: pick(METHODS) };
  if (next() < 0.5) {
    message.params = { name: pick(["get_note", "sage_todo", "none", ""]), arguments: pick(VALUES) };
  }
  if (next() < 0.3) {
    message[pick(["jsonrpc", "id", "method", "params", "result", "error", "extra"])] = pick(VALUES);
  }
  if (next() < 0.1) delete message[pick(["jsonrpc", "id", "method"])];
  const bytes = encoder.encode(JSON.stringify(message));
  const kind = next();
  if (kind < 0.15) return bytes.subarray(0, Math.floor(next() * bytes.length));
  if (kind < 0.3) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
  if (kind < 0.35) return encoder.encode(JSON.stringify(pick(VALUES)));
  if (kind < 0.37) return encoder.encode("[" + "[".repeat(3000));
  return bytes;
}

Deno.test(`${MESSAGES} bent messages bring no foreign byte and no exit`, () =>
  withProcess(async (running) => {
    const seed = Number(Deno.env.get("SAGE_TEST_SEED") ?? "20260113");
    const next = random(seed);
    let bad = 0;
    const reading = (async () => {
      for (let text = await running.line(); text !== undefined; text = await running.line()) {
        const message = JSON.parse(text);
        assert.equal(message.jsonrpc, "2.0", `seed ${seed}: ${text.slice(0, 200)}`);
        assert.ok("result" in message || "error" in message, `seed ${seed}: ${text.slice(0, 200)}`);
        if (message.error !== undefined) bad++;
        if (message.id === "last") return;
      }
      assert.fail(`seed ${seed}: the server is gone`);
    })();
    for (let i = 0; i < MESSAGES; i += 100) {
      const lines = Array.from({ length: 100 }, (_, j) => line(next, i + j));
      await running.send(encoder.encode(""));
      for (const bytes of lines) {
        const whole = new Uint8Array(bytes.length + 1);
        whole.set(bytes);
        whole[bytes.length] = 10;
        await running.send(whole);
      }
    }
    await running.send({ jsonrpc: "2.0", id: "last", method: "ping" });
    await reading;
    assert.ok(bad > MESSAGES / 10);
  }));

Deno.test("a line of 5 MiB is refused, and the next one answered", () =>
  withProcess(async ({ send, line, ask }) => {
    const sent = send("x".repeat(5 * 1024 * 1024));
    const refused = JSON.parse(await line() ?? "");
    await sent;
    assert.deepEqual([refused.id, refused.error.code], [null, -32600]);
    assert.match(refused.error.message, /longer than 4 MiB/);
    const { result } = await ask("ping");
    assert.deepEqual(result, {});
    // What is large, but within bounds, is read.
    const query = "fees ".repeat(50_000).slice(0, 256 * 1024);
    const found = await ask("tools/call", { name: "search_notes", arguments: { query } });
    assert.ok("result" in found);
  }));

Deno.test("four servers on one store lose no note and answer alike", async () => {
  const at = folders();
  const servers = Array.from({ length: 4 }, () => start({ at }));
  const each = depth(3, 15);
  const save = async (server: Running, name: string): Promise<void> => {
    const { result } = await server.ask("tools/call", {
      name: "sage_save_checkpoint",
      arguments: { ...CHECKPOINT, title: `Finding ${name}` },
    }) as { result: { structuredContent?: { outcome: string }; content: unknown } };
    assert.equal(result.structuredContent?.outcome, "saved", JSON.stringify(result.content));
  };
  await Promise.all(servers.map(async (server, s) => {
    for (let i = 0; i < each; i++) await save(server, `${s}-${i}`);
  }));
  assert.equal(names(`${at.project}/.sage/checkpoints`).length, 4 * each);
  for (const server of servers) {
    const { result } = await server.ask("tools/call", {
      name: "sage_list_checkpoints",
      arguments: { limit: 50 },
    }) as { result: { structuredContent: { items: unknown[] } } };
    assert.equal(result.structuredContent.items.length, Math.min(50, 4 * each));
    await server.closeInput();
    assert.equal(await server.rest(), "");
    const { code, stderr } = await server.ended();
    assert.deepEqual([code, stderr], [0, ""]);
  }
  remove(at.home);
});
