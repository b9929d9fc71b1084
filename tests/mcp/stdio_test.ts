import assert from "node:assert/strict";
import { MCP_PENDING_MAX, MCP_UNSENT_BYTES_MAX } from "../../src/base/limits.ts";
import { splitLines } from "../../src/mcp/lines.ts";
import { type StdioTransport, stdioTransport } from "../../src/mcp/stdio.ts";
import { within } from "../support/within.ts";

interface Fake {
  readonly transport: StdioTransport;
  /** What reached the protocol. */
  readonly received: { method?: string; id?: unknown }[];
  readonly written: string[];
  send(message: unknown): Promise<void>;
  end(): void;
}

/** A transport over two fake ends; nobody answers unless the test does. */
async function fake(write?: (bytes: Uint8Array) => Promise<number>): Promise<Fake> {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const [reader, writer] = [stream.readable.getReader(), stream.writable.getWriter()];
  const written: string[] = [];
  const received: Fake["received"] = [];
  const transport = stdioTransport({
    input: {
      async read(into) {
        const { value } = await reader.read();
        if (value === undefined) return null;
        into.set(value);
        return value.length;
      },
    },
    output: {
      write: write ?? ((bytes) => {
        written.push(new TextDecoder().decode(bytes));
        return Promise.resolve(bytes.length);
      }),
    },
  });
  transport.onmessage = (message) => void received.push(message as Fake["received"][number]);
  await transport.start();
  const encoder = new TextEncoder();
  return {
    transport,
    received,
    written,
    send: (message) => writer.write(encoder.encode(JSON.stringify(message) + "\n")),
    end: () => void writer.close(),
  };
}

const request = (id: number) => ({ jsonrpc: "2.0" as const, id, method: "tools/call" });
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

Deno.test("stdioTransport() reads on only when requests are answered or cancelled", async () => {
  const { transport, received, send, end } = await fake();
  const sending = (async () => {
    for (let id = 0; id < MCP_PENDING_MAX + 3; id++) await send(request(id));
    end();
  })();
  await pause();
  assert.equal(received.length, MCP_PENDING_MAX);
  await transport.send({ jsonrpc: "2.0", id: 5, result: {} });
  await pause();
  assert.equal(received.length, MCP_PENDING_MAX + 1);
  for (const { id } of [...received]) {
    await transport.send({ jsonrpc: "2.0", id: id as number, result: {} });
  }
  await sending;
  await transport.gone;
  for (const { id } of received.slice(MCP_PENDING_MAX)) {
    await transport.send({ jsonrpc: "2.0", id: id as number, result: {} });
  }
  await transport.settled();
  assert.equal(received.length, MCP_PENDING_MAX + 3);
});

Deno.test("stdioTransport() does not wait for what the client cancelled", async () => {
  const { transport, send, end } = await fake();
  await send(request(1));
  await send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  end();
  await transport.gone;
  await transport.settled();
});

Deno.test("stdioTransport() writes whole lines in order, however little the pipe takes", async () => {
  let out = "";
  const { transport } = await fake((bytes) => {
    out += new TextDecoder().decode(bytes.subarray(0, 3));
    return Promise.resolve(Math.min(3, bytes.length));
  });
  await Promise.all([1, 2, 3].map((id) => transport.send({ jsonrpc: "2.0", id, result: { id } })));
  assert.deepEqual(out.trim().split("\n").map((line) => JSON.parse(line).id), [1, 2, 3]);
  await transport.close();
});

Deno.test("stdioTransport() is gone when nobody reads any more", async () => {
  let closed = 0;
  const { transport } = await fake(() => Promise.reject(new Deno.errors.BrokenPipe()));
  transport.onclose = () => void closed++;
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await transport.gone;
  await transport.settled();
  assert.equal(closed, 1);
});

Deno.test("stdioTransport() is settled when the last request is answered, though the client has gone", async () => {
  const { transport, written, send, end } = await fake();
  await send(request(1));
  end();
  await transport.gone;
  const order: string[] = [];
  const settled = transport.settled().then(() => void order.push("settled"));
  for (let turn = 0; turn < 20; turn++) await null;
  order.push("answered");
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await within("the last answer", settled);
  assert.deepEqual(order, ["answered", "settled"]);
  assert.deepEqual(written.map((line) => JSON.parse(line).id), [1]);
});

Deno.test("stdioTransport() is settled when the last of all answers is written, not when it is given", async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const order: string[] = [];
  const { transport, send, end } = await fake(async (bytes) => {
    await taken;
    order.push("written");
    return bytes.length;
  });
  for (const id of [1, 2]) await send(request(id));
  // Of a client that answers us, nobody waits for an answer.
  await send({ jsonrpc: "2.0", id: 9, result: {} });
  end();
  await transport.gone;
  const settled = transport.settled().then(() => void order.push("settled"));
  for (const id of [1, 2]) {
    void transport.send({ jsonrpc: "2.0", id, result: {} });
    await pause();
  }
  take();
  await within("the last answer", settled);
  assert.deepEqual(order, ["written", "written", "settled"]);
});

Deno.test("stdioTransport() reads no more from a client that takes no answers, until it does", async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const { transport, received, send, end } = await fake(async (bytes) => {
    await taken;
    return bytes.length;
  });
  await send(request(1));
  await pause();
  void transport.send({
    jsonrpc: "2.0",
    id: 1,
    result: { text: "x".repeat(MCP_UNSENT_BYTES_MAX) },
  });
  const sending = send(request(2)).then(end);
  await pause();
  assert.equal(received.length, 1);
  take();
  await within("the end of the input", Promise.all([sending, transport.gone]));
  assert.equal(received.length, 2);
});

Deno.test("stdioTransport() reads a last message without the end of its line", async () => {
  const text = new TextEncoder().encode(JSON.stringify(request(1)));
  const pieces = [text];
  const received: unknown[] = [];
  const transport = stdioTransport({
    input: {
      read(into) {
        const piece = pieces.shift();
        if (piece !== undefined) into.set(piece);
        return Promise.resolve(piece?.length ?? null);
      },
    },
    output: { write: (bytes) => Promise.resolve(bytes.length) },
  });
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
  await transport.gone;
  assert.deepEqual(received, [request(1)]);
});

Deno.test("stdioTransport() reads on, however much was written and taken", async () => {
  const { transport, received, send, end } = await fake();
  const text = "x".repeat(MCP_UNSENT_BYTES_MAX / 2);
  for (let id = 0; id < 4; id++) {
    await send(request(id));
    await transport.send({ jsonrpc: "2.0", id, result: { text } });
  }
  end();
  await within("the end of the input", transport.gone);
  assert.equal(received.length, 4);
});

Deno.test("splitLines() puts a line together out of a buffer that is used again, and drops a long one alone", () => {
  const splitter = splitLines(8);
  const buffer = new Uint8Array(4);
  const push = (text: string) => {
    new TextEncoder().encodeInto(text, buffer);
    return splitter.push(buffer.subarray(0, text.length));
  };
  const told = (lines: ReturnType<typeof push>): string[] =>
    lines.map((line) => line.kind === "line" ? new TextDecoder().decode(line.bytes) : line.kind);
  const pieces = ["abcd", "efgh", "\nij", "klmn", "opqr", "s\nt\n", "last"];
  const lines = pieces.map((text) => told(push(text)));
  assert.deepEqual(lines, [[], [], ["abcdefgh"], [], [], ["too_long", "t"], []]);
  assert.deepEqual(told(splitter.end()), ["last"]);
});
