/** The official client and a real process: the way every editor comes in. */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { callTool, CHECKPOINT, folders, KNOWLEDGE } from "./connect.ts";
import { makeFolder, names, remove } from "./disk.ts";
import { command, environment, hasBinary } from "./process.ts";

for (const built of [false, true]) {
  Deno.test({
    name: `the official client saves and recalls through ${
      built ? "the built program" : "the sources"
    }`,
    ignore: built && !hasBinary,
    // The client's own transport leaves a timer behind when it closes.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => journey(built),
  });
}

async function journey(built: boolean): Promise<void> {
  const { home, project } = folders();
  makeFolder(`${project}/.sage`);
  const { program, args } = command(built);
  const transport = new StdioClientTransport({
    command: program,
    args,
    cwd: project,
    env: environment(home, project),
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 12);

  const checkpoint = await callTool(client, "sage_save_checkpoint", CHECKPOINT);
  assert.equal(checkpoint.data.outcome, "saved");
  await callTool(client, "sage_save_knowledge", KNOWLEDGE);
  const recalled = await callTool(client, "sage_recall_knowledge", {
    query: "what are the curator fees",
  });
  assert.match(String(recalled.data.notes), /0\.15 percent/);
  const loaded = await callTool(client, "sage_load_checkpoint");
  assert.match(String(loaded.data.notes), /Top curators/);

  await client.close();
  assert.deepEqual(names(`${project}/.sage/checkpoints`), [`${checkpoint.data.id}.md`]);
  remove(home);
}
