/** A program that runs on while its file is replaced reads the file it was started from. */
import assert from "node:assert/strict";
import { spawnMcp } from "../support/mcp_server.ts";
import { hasBinary, scratch } from "../support/sage.ts";
import { orKilled } from "../support/within.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

Deno.test({
  name: "a server outlives an upgrade of its executable, with code and assets it had not yet read",
  ignore: !hasBinary,
  async fn() {
    const { home, cwd } = scratch();
    const program = `${home}/sage`;
    await Deno.copyFile(BINARY, program);
    const child = spawnMcp({ home, cwd }, program);
    const writer = child.stdin.getWriter();
    const send = (message: object): Promise<void> =>
      writer.write(
        new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"),
      );
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    await send({
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    });
    const read = () => orKilled("a line of the server", child, lines.read());
    assert.match((await read()).value ?? "", /"id":1/);
    await Deno.writeFile(`${program}.new`, new Uint8Array(2_000_000).fill(0x41));
    await Deno.rename(`${program}.new`, program);
    await send({ method: "notifications/initialized" });
    await send({
      id: 2,
      method: "tools/call",
      params: {
        name: "sage_save_knowledge",
        arguments: { title: "Upgrades", content: "A server lives on while its file is replaced." },
      },
    });
    await send({
      id: 3,
      method: "tools/call",
      params: { name: "search_notes", arguments: { query: "server while upgraded" } },
    });
    let said = "";
    while (!said.includes('"id":3')) {
      const { value, done } = await read();
      if (done) break;
      said += value;
    }
    assert.match(said, /"id":3[^\n]*Upgrades|Upgrades[^\n]*"id":3/);
    await writer.close();
    await orKilled("the end of the server", child, child.status);
    await lines.cancel();
    await Deno.remove(home, { recursive: true });
  },
});
