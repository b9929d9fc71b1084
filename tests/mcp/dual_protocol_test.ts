/** `sage mcp` as clients open it: the revision without a handshake, the older one, and the fall from one to the other. */
import assert from "node:assert/strict";
import { folders } from "./connect.ts";
import { filesEnding, makeFolder, readText } from "./disk.ts";
import { type Running, withProcess } from "./process.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const meta = (version = "2026-07-28") => ({
  _meta: { [VERSION]: version, [CAPABILITIES]: { roots: { listChanged: true } } },
});

type Json = Record<string, unknown>;

/** As the editor opens: the probe, then the same again under another id, then the lists. */
async function discover(running: Running): Promise<Json> {
  const id = "server-discover-probe-1";
  const request = { jsonrpc: "2.0", id, method: "server/discover", params: meta() };
  await running.send(request);
  return (await running.answer(id)).result as Json;
}

Deno.test("without a handshake: discover, lists and calls, each on its own", () => {
  const at = folders();
  makeFolder(`${at.home}/.sage/state`);
  return withProcess(async (running) => {
    const found = await discover(running);
    assert.deepEqual(found.supportedVersions, ["2026-07-28"]);
    assert.equal(found.resultType, "complete");
    assert.match(String(found.instructions), /Sage/);
    // What is promised to change has to be told, so nothing is.
    assert.doesNotMatch(JSON.stringify(found.capabilities), /listChanged/);
    for (const method of ["tools/list", "prompts/list", "resources/list"]) {
      const { result } = await running.ask(method, meta()) as { result: Json };
      assert.deepEqual([result.resultType, typeof result.ttlMs], ["complete", "number"]);
    }
    const call = { name: "search_notes", arguments: { query: "ports" }, ...meta() };
    const { result } = await running.ask("tools/call", call) as { result: Json };
    assert.match(JSON.stringify(result.structuredContent), /Nothing found/);
    const [log] = filesEnding(`${running.home}/.sage/state/log`, ".jsonl");
    const told = readText(log ?? "");
    assert.match(told, /"tool":"instructions"/);
    await discover(running);
    assert.equal(readText(log ?? ""), told, "what the client was told once is counted once");
  }, { at });
});

Deno.test("a client that cannot speak it falls back at once, in the same process", () =>
  withProcess(async (running) => {
    const wrong: [string, Json | undefined, number][] = [
      ["server/discover", undefined, -32601],
      ["server/discover", meta("2027-01-01"), -32022],
      ["server/discover", { _meta: { [VERSION]: "2026-07-28" } }, -32602],
      ["ping", meta(), -32601],
      ["subscriptions/listen", meta(), -32601],
    ];
    for (const [method, params, code] of wrong) {
      const { error } = await running.ask(method, params) as { error: { code: number } };
      assert.equal(error.code, code, `${method} ${JSON.stringify(params)}`);
    }
    await discover(running);
    const { result } = await running.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: "test", version: "1" },
    }) as { result: Json };
    assert.equal(result.protocolVersion, "2025-11-25");
    await running.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const { result: listed } = await running.ask("tools/list") as { result: { tools: unknown[] } };
    assert.equal(listed.tools.length, 12);
  }));

Deno.test("what was cancelled is not answered, and the rest is", () =>
  withProcess(async (running) => {
    const call = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "search_notes", arguments: { query: "ports" }, ...meta() },
    });
    const params = { requestId: 2, ...meta() };
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    // Calls are done in turn, and all of this comes at once: the second still waits when it is cancelled.
    const lines = [call(1), call(2), cancel, call(3)].map((message) => JSON.stringify(message));
    await running.send(lines.join("\n"));
    const ids: unknown[] = [];
    while (ids.at(-1) !== 3) ids.push(JSON.parse(await running.line() ?? "{}").id);
    assert.deepEqual(ids, [1, 3]);
  }));
