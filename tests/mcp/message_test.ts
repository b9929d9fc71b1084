import assert from "node:assert/strict";
import fc from "fast-check";
import { type Line, splitLines } from "../../src/mcp/lines.ts";
import { readMessage } from "../../src/mcp/message.ts";
import { depth } from "../support/depth.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (line: Line): string =>
  line.kind === "line" ? new TextDecoder().decode(line.bytes) : "too long";

Deno.test("splitLines() gives the same lines however the bytes arrive", () => {
  const texts = fc.array(
    fc.string({ unit: "binary", maxLength: 40 }).map((s) => s.replaceAll("\n", " ")),
  );
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (lines, steps) => {
        const bytes = encode(lines.map((line) => line + "\n").join(""));
        const splitter = splitLines(1000);
        const got: string[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const step = steps[i % steps.length] ?? 1;
          got.push(...splitter.push(bytes.subarray(at, at + step)).map(decode));
          at += step;
        }
        assert.deepEqual(got, lines.map((line) => line.toWellFormed()));
        assert.deepEqual(splitter.end(), []);
      },
    ),
    { numRuns: depth(100, 5000) },
  );
});

Deno.test("splitLines() reports a line that is too long once, and reads on", () => {
  const splitter = splitLines(10);
  const lines = ["a", "x".repeat(11), "b", "y".repeat(500), "z".repeat(10)];
  const got = lines.flatMap((line) =>
    splitter.push(encode(line))
      .concat(splitter.push(encode("\n")))
  ).map(decode);
  assert.deepEqual(got, ["a", "too long", "b", "too long", "z".repeat(10)]);
  splitter.push(encode("rest"));
  assert.deepEqual(splitter.end().map(decode), ["rest"]);
});

function read(value: unknown): ReturnType<typeof readMessage> {
  return readMessage(encode(typeof value === "string" ? value : JSON.stringify(value)));
}

Deno.test("readMessage() takes requests, notifications and answers, and drops members it does not know", () => {
  for (
    const message of [
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: "a", method: "x", params: { deep: [{ a: 1 }] } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 3, result: {} },
    ]
  ) {
    assert.deepEqual(read(message), { kind: "message", message });
    assert.deepEqual(read({ ...message, extra: true }), { kind: "message", message });
  }
  assert.equal(read("   \r").kind, "blank");
});

Deno.test("readMessage() answers what it cannot take with a code, a reason and the id where there is one", () => {
  const call = (params: unknown) => ({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
  const deep = JSON.parse("[".repeat(100) + "]".repeat(100));
  const cases: [unknown, number, number | string | null, RegExp][] = [
    ["nonsense", -32700, null, /not JSON/],
    ["{", -32700, null, /not JSON/],
    ["[]", -32600, null, /batches/],
    ["4", -32600, null, /object/],
    ["null", -32600, null, /object/],
    [{ id: 7 }, -32600, 7, /not a JSON-RPC/],
    [{ id: "seven" }, -32600, "seven", /not a JSON-RPC/],
    [{ id: "7".repeat(257) }, -32600, null, /not a JSON-RPC/],
    [{ jsonrpc: "1.0", id: 7, method: "ping" }, -32600, 7, /not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: 7, method: 4 }, -32600, 7, /not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: 7.5, method: "ping" }, -32600, null, /not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, -32600, null, /not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: 7, method: "ping", params: [] }, -32600, 7, /not a JSON-RPC/],
    [{ jsonrpc: "2.0", id: 7, method: "ping", params: { _meta: 4 } }, -32600, 7, /not a JSON-RPC/],
    [call({ a: Array(257).fill(1) }), -32602, 7, /257 items; at most 256/],
    [call({ a: "x".repeat(256 * 1024 + 1) }), -32602, 7, /longer than 256 KiB/],
    [call({ a: "€".repeat(100 * 1024) }), -32602, 7, /longer than 256 KiB/],
    [call({ ["k".repeat(256 * 1024 + 1)]: 1 }), -32602, 7, /longer than 256 KiB/],
    [call({ deep }), -32602, 7, /nested deeper/],
  ];
  for (const [value, code, id, reason] of cases) {
    const got = read(value);
    assert.equal(got.kind, "bad", JSON.stringify(value).slice(0, 80));
    if (got.kind !== "bad") continue;
    assert.deepEqual([got.code, got.id], [code, id], JSON.stringify(value).slice(0, 80));
    assert.match(got.reason, reason);
  }
  const invalid = readMessage(new Uint8Array([0x22, 0xff, 0xfe, 0x22]));
  assert.ok(invalid.kind === "bad" && /not UTF-8/.test(invalid.reason));
  assert.equal(read(call({ a: "x".repeat(256 * 1024), b: Array(256).fill(1) })).kind, "message");
});
