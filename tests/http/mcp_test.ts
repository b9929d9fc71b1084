/** MCP over HTTP where a call gets no answer: its place comes free all the same, or the server is full one day. */
import assert from "node:assert/strict";
import { HTTP_MCP_SESSIONS_MAX } from "../../src/base/limits.ts";
import { type Served, served } from "./server.ts";
import { byHand } from "../support/world.ts";
import { until, within } from "../support/within.ts";

/** A message, or the method that opens the session's stream or ends the session. */
type Ask = (message: object | "GET" | "DELETE") => Promise<Response>;

/** A session, and how one asks in it. */
async function begin(server: Served): Promise<Ask> {
  let session: Record<string, string> = {};
  const ask: Ask = (message) =>
    server.ask("/mcp", {
      method: typeof message === "string" ? message : "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
      },
      ...(typeof message === "string"
        ? {}
        : { body: JSON.stringify({ jsonrpc: "2.0", ...message }) }),
    });
  const client = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client };
  const response = await ask({ id: 0, method: "initialize", params });
  assert.equal(response.status, 200, await response.text());
  session = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
  // What is loaded at the first call is there for those that are held.
  assert.equal(await statusOf(ask(search(0))), 200);
  return ask;
}

const search = (id: number) => ({
  id,
  method: "tools/call",
  params: { name: "search_notes", arguments: { query: `question ${id}` } },
});

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

/** Until it is let go no call is done. */
async function hold(server: Served): Promise<() => void> {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void server.lender.write(() => (begun.resolve(), held.promise));
  await within("the lender's hand", begun.promise);
  return held.resolve;
}

/** Asks, and comes back once the first of it waits for memory. */
async function begun(server: Served, ask: () => Promise<Response>[]): Promise<Promise<number>[]> {
  const before = server.calls();
  const asked = ask();
  await until("a call in memory", () => server.calls() > before);
  return asked.map(statusOf);
}

Deno.test("a call that was cancelled ends, and the next is answered", async () => {
  await using server = await served();
  const ask = await begin(server);
  const letGo = await hold(server);
  const calls = await begun(server, () => [1, 2].map((id) => ask(search(id))));
  const cancel = { method: "notifications/cancelled", params: { requestId: 1 } };
  assert.equal(await statusOf(ask(cancel)), 202);
  assert.equal(await within("the cancelled call", calls[0] ?? assert.fail()), 202);
  letGo();
  assert.equal(await calls[1], 200);
  assert.equal(await statusOf(ask(search(1))), 200);
  assert.deepEqual(server.bugs, []);
});

Deno.test("of two calls with one id the second is refused, not left without an answer", async () => {
  await using server = await served();
  const ask = await begin(server);
  const letGo = await hold(server);
  const [first] = await begun(server, () => [ask(search(7))]);
  const refused = await ask(search(7));
  const { id, error } = await refused.json();
  assert.deepEqual(
    [refused.status, id, error.message],
    [400, 7, "A request with this id is in progress"],
  );
  letGo();
  assert.equal(await first, 200);
  assert.equal(await statusOf(ask(search(7))), 200);
});

Deno.test("a call whose session is ended meanwhile is told to begin again", async () => {
  await using server = await served();
  const ask = await begin(server);
  const letGo = await hold(server);
  const [call] = await begun(server, () => [ask(search(1))]);
  assert.equal(await statusOf(ask("DELETE")), 200);
  assert.equal(await within("the call of the session", call ?? assert.fail()), 404);
  letGo();
  assert.equal(await statusOf(ask(search(2))), 404);
});

Deno.test("of more sessions than there is room for, the one that was silent longest begins again", async () => {
  await using server = await served();
  const [first, second] = [await begin(server), await begin(server)];
  const stream = await second("GET");
  assert.equal(stream.status, 200);
  assert.equal(await statusOf(first(search(1))), 200);
  for (let n = 2; n <= HTTP_MCP_SESSIONS_MAX; n++) await begin(server);
  assert.deepEqual([await statusOf(second(search(2))), await statusOf(first(search(2)))], [
    404,
    200,
  ]);
  await within("the end of its stream", stream.text());
});

Deno.test("a server that ends ends the streams of its sessions", async () => {
  const server = await served();
  const streams = await Promise.all([1, 2].map(async () => await (await begin(server))("GET")));
  await server[Symbol.asyncDispose]();
  for (const stream of streams) await within("the end of a stream", stream.text());
});

Deno.test("half a character of a note comes in JSON that every client can read", async () => {
  await using server = await served();
  const front = { id: '"half-\\ud83d"', type: "knowledge" };
  byHand(`${server.world.cwd}/.sage`, "knowledge/half.md", front, "# Half\n\nA note.");
  const ask = await begin(server);
  const call = { name: "sage_list_knowledge", arguments: {} };
  const text = await (await ask({ id: 1, method: "tools/call", params: call })).text();
  assert.match(text, /"half-(?:\ufffd|\\ufffd)"/);
  assert.doesNotMatch(text, /\\ud83d/);
});
