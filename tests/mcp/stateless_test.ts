/** The revision without a handshake, request by request: what its frame has to say, and how long an answer holds. */
import assert from "node:assert/strict";
import { answerStateless, type StatelessAnswer } from "../../src/mcp/stateless.ts";
import type { Methods, Params } from "../../src/mcp/methods.ts";

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Each method answers with what it was asked. */
const METHODS: Methods = {
  instructions: () => Promise.resolve(""),
  answer: () => Promise.resolve(""),
  byName: new Map(
    ["tools/call", "tools/list", "resources/list", "resources/read"].map((method) => [
      method,
      (params: Params) => ({ asked: params }),
    ]),
  ),
};

function answer(
  method: string,
  params: Params,
  headers?: Readonly<Record<string, string>>,
): Promise<StatelessAnswer> {
  const message = { jsonrpc: "2.0" as const, id: 1, method, params: { ...params, _meta: META } };
  const header = headers === undefined ? undefined : (name: string) => headers[name] ?? null;
  return answerStateless(METHODS, message, header);
}

const HEADERS = {
  "mcp-protocol-version": VERSION,
  "mcp-method": "tools/call",
  "mcp-name": "=?base64?c8OkZ2U=?=",
};

Deno.test("a request whose headers repeat it is answered, with its own parameters alone", async () => {
  const { status, message } = await answer("tools/call", { name: "säge" }, HEADERS);
  assert.equal(status, 200);
  assert.deepEqual(message?.["result"], { asked: { name: "säge" }, resultType: "complete" });
});

const WRONG: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  "no version": { "mcp-protocol-version": undefined },
  "another version": { "mcp-protocol-version": "2025-11-25" },
  "no method": { "mcp-method": undefined },
  "another method": { "mcp-method": "tools/list" },
  "no name": { "mcp-name": undefined },
  "another name": { "mcp-name": "hammer" },
  "a name that is no text": { "mcp-name": "=?base64?/////w==?=" },
};

for (const [what, wrong] of Object.entries(WRONG)) {
  Deno.test(`a request whose headers say ${what} is refused`, async () => {
    const entries = Object.entries({ ...HEADERS, ...wrong });
    const headers = Object.fromEntries(
      entries.flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
    );
    // What was no text must not pass for the sign that stands for it.
    const name = what === "a name that is no text" ? "\ufffd".repeat(4) : "säge";
    const { status, message } = await answer("tools/call", { name }, headers);
    assert.deepEqual([status, (message?.["error"] as { code: number }).code], [400, -32020]);
  });
}

Deno.test("what is listed is kept by one client and for a while, what changes with every note not at all", async () => {
  for (
    const [method, ttlMs] of [["tools/list", 300_000], ["resources/list", 0], [
      "resources/read",
      0,
    ]] as const
  ) {
    const result = (await answer(method, {})).message?.["result"] as Record<string, unknown>;
    assert.deepEqual([result["ttlMs"], result["cacheScope"]], [ttlMs, "private"], method);
  }
});
