/** Who listens and reads nothing: a page in a browser that sleeps, a program that is stopped. */
import assert from "node:assert/strict";
import { HTTP_STREAMS_MAX } from "../../src/base/limits.ts";
import { put } from "../support/world.ts";
import { served } from "./server.ts";
import { until, within } from "../support/within.ts";

/** Fewer than are told one by one. */
const NOTES = 150;
const ROUNDS_MAX = 20;

Deno.test("a stream that nobody reads is let go before it takes more than it is worth", async () => {
  await using server = await served();
  const streams: Response[] = [];
  const listen = async (): Promise<Response> => {
    const response = await server.ask("/api/v1/events");
    streams.push(response);
    return response;
  };
  while (streams.length < HTTP_STREAMS_MAX) assert.equal((await listen()).status, 200);
  assert.equal((await listen()).status, 503);
  let status = 503;
  for (let round = 0; round < ROUNDS_MAX && status === 503; round++) {
    for (let n = 0; n < NOTES; n++) {
      put(`${server.world.home}/.sage/knowledge/n${n}.md`, `# ${n}\n\nIn round ${round}.\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1100));
    ({ status } = await listen());
  }
  assert.equal(status, 200);
  for (const { body } of streams) await body?.cancel();
  // A look that had begun ends before it.
  await server.get("/api/v1/status");
});

/** Reads what a stream says; `until` waits for it, `now` takes what is there already. */
function reading({ body }: Response) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const more = (async () => {
    for (;;) {
      const { value, done } = await reader?.read() ?? { done: true };
      if (done) return;
      text += value;
    }
  })();
  return {
    until: (words: string) => until(words, () => text.includes(words)),
    /** A turn of the loop, not a second: a look of its own comes later. */
    async now(): Promise<string> {
      for (let n = 0; n < 5; n++) await new Promise((resolve) => setTimeout(resolve, 0));
      return text;
    },
    end: () => reader?.cancel(),
    more,
  };
}

Deno.test("who writes through the server has told it to who listens before they are answered", async () => {
  await using server = await served();
  const { setInterval } = globalThis;
  // Otherwise a look of its own may come while a busy machine writes.
  globalThis.setInterval = (() => 0) as unknown as typeof setInterval;
  const told = reading(await server.ask("/api/v1/events"));
  await told.until(": listening");
  globalThis.setInterval = setInterval;
  const kept = await server.send("POST", "/api/v1/knowledge", { title: "Port", content: "8443." });
  assert.equal(kept.status, 201);
  assert.match(
    await told.now(),
    /^id: [0-9a-f]{8}-1\nevent: note\ndata: \{"change":"created","id":"port","type":"knowledge","scope":"project"\}\n\n/m,
  );
  const call = {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: {
      name: "sage_todo",
      arguments: { action: "add", content: "Rotate" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const answer = await server.ask("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "sage_todo",
    },
    body: JSON.stringify(call),
  });
  assert.equal(answer.status, 200, await answer.text());
  assert.match(await told.now(), /"change":"created","id":"rotate","type":"todo"/);
  await told.end();
});

Deno.test("who comes back with the last event they saw is told what came after it", async () => {
  await using server = await served();
  const first = reading(await server.ask("/api/v1/events"));
  await first.until(": listening");
  for (const title of ["One", "Two"]) {
    await server.send("POST", "/api/v1/knowledge", { title, content: `${title} alone.` });
  }
  const [id = ""] = /[0-9a-f]{8}-1$/m.exec(await first.now()) ?? [];
  const again = { headers: { "last-event-id": id } };
  const second = reading(await server.ask("/api/v1/events", again));
  await second.until(": listening");
  const said = await second.now();
  assert.match(said, /^retry: \d+\n\n/, "how soon a page comes back");
  assert.ok(said.includes('"id":"two"') && !said.includes('"id":"one"'), said);
  await Promise.all([first.end(), second.end()]);
});

Deno.test("who heard nothing yet and comes back is told what came meanwhile", async () => {
  await using server = await served();
  const first = reading(await server.ask("/api/v1/events"));
  await first.until(": listening");
  const [, id = ""] = /^id: (\S+)$/m.exec(await first.now()) ?? [];
  const other = reading(await server.ask("/api/v1/events"));
  await other.until(": listening");
  await first.end();
  await server.send("POST", "/api/v1/knowledge", { title: "One", content: "One alone." });
  const back = reading(
    await server.ask("/api/v1/events", { headers: { "last-event-id": id } }),
  );
  await back.until(": listening");
  const said = await back.now();
  assert.ok(said.includes('"id":"one"'), said);
  await Promise.all([other.end(), back.end()]);
});

Deno.test("who goes is not counted, however soon, and a server that ends ends every stream", async () => {
  await using server = await served();
  for (let n = 0; n < 2 * HTTP_STREAMS_MAX; n++) {
    const { status, body } = await server.ask("/api/v1/events");
    assert.equal(status, 200);
    await body?.cancel();
  }
  const there = reading(await server.ask("/api/v1/events"));
  await there.until(": listening");
  assert.equal(server.changes.listeners, 1);
  server.streams.close();
  await within("the end of the stream", there.more);
  assert.equal(server.changes.listeners, 0);
});
