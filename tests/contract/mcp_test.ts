/** What clients see of the MCP server, recorded. A change here is a change of a public contract. */
import assert from "node:assert/strict";
import { PROMPTS } from "../../src/mcp/prompts.ts";
import { RESOURCE_TEMPLATES } from "../../src/mcp/resources.ts";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { toolsOf } from "../../src/mcp/tools/table.ts";
import { readText, writeText } from "../mcp/disk.ts";
import { withServer } from "../mcp/connect.ts";

const RECORD = new URL("mcp_tools.json", import.meta.url);
const SKILL = new URL(
  "../../hooks/claude-code/skills/managing-working-memory/SKILL.md",
  import.meta.url,
);
const STANDARD = [
  "sage_save_checkpoint",
  "sage_autosave_check",
  "sage_load_checkpoint",
  "sage_list_checkpoints",
  "sage_save_knowledge",
  "sage_recall_knowledge",
  "sage_list_knowledge",
  "sage_remove_knowledge",
  "sage_todo",
  "search_notes",
  "get_note",
  "find_similar_notes",
];
const MINIMAL = [
  "sage_save_checkpoint",
  "sage_load_checkpoint",
  "sage_save_knowledge",
  "sage_recall_knowledge",
  "search_notes",
];
const TOOL_TOKENS_MAX = 1500;

Deno.test("tools, prompts and resource templates are those on record (SAGE_RECORD=1 records anew)", () =>
  withServer(async ({ client }) => {
    const { tools } = await client.listTools();
    const seen =
      JSON.stringify({ tools, prompts: PROMPTS, templates: RESOURCE_TEMPLATES }, null, 2) + "\n";
    if (Deno.env.get("SAGE_RECORD") === "1") writeText(RECORD, seen);
    assert.equal(seen, readText(RECORD));
  }));

Deno.test("profiles hold their tools", () => {
  assert.deepEqual(toolsOf("standard").map(({ name }) => name), STANDARD);
  assert.deepEqual(toolsOf("minimal").map(({ name }) => name), MINIMAL);
  const full = toolsOf("full").map(({ name }) => name);
  assert.deepEqual(STANDARD.filter((name) => !full.includes(name)), []);
});

Deno.test("the standard tools cost at most 1,500 tokens of names, descriptions and input schemas", () =>
  withServer(async ({ client }) => {
    const { tools } = await client.listTools();
    const parts = tools.flatMap((tool) => [
      tool.name,
      tool.description ?? "",
      JSON.stringify(tool.inputSchema),
    ]);
    const tokens = parts.reduce((sum, part) => sum + estimateTokens(part), 0);
    assert.ok(tokens <= TOOL_TOKENS_MAX, `${tokens} tokens`);
    const characters = parts.join("").length;
    assert.ok(characters / 4 <= TOOL_TOKENS_MAX, `${characters} characters`);
  }));

Deno.test("every tool has what clients ask for", () =>
  withServer(async ({ client }) => {
    for (const tool of (await client.listTools()).tools) {
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
      assert.equal(tool.outputSchema?.type, "object", tool.name);
      for (const root of ["anyOf", "oneOf", "allOf", "$ref", "$schema"]) {
        assert.ok(!(root in tool.inputSchema), `${tool.name} ${root}`);
      }
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ??
        {};
      assert.equal(openWorldHint, false, tool.name);
      assert.equal(destructiveHint, tool.name === "sage_remove_knowledge", tool.name);
      const reads = /^(search_|get_|find_)|_(load|list|recall)_|_(status|config|graph)$/.test(
        tool.name,
      );
      assert.deepEqual(
        [readOnlyHint, idempotentHint],
        [reads, reads || destructiveHint],
        tool.name,
      );
      assert.ok((tool.description ?? "").length <= 2048 && tool.title !== undefined);
    }
  }, { profile: "full" }));

Deno.test("the server promises no list changes, and its instructions fit", () =>
  withServer(({ client }) => {
    assert.deepEqual(client.getServerCapabilities(), { tools: {}, prompts: {}, resources: {} });
    const instructions = client.getInstructions() ?? "";
    assert.ok(instructions.length > 100 && new TextEncoder().encode(instructions).length <= 2048);
    assert.equal(client.getServerVersion()?.name, "sage");
    return Promise.resolve();
  }));

Deno.test("the plugin's skill names only arguments that its tools take", () =>
  withServer(async ({ client }) => {
    const { tools } = await client.listTools();
    const taken = new Map(tools.map(({ name, inputSchema: { properties = {} } }) => [
      name,
      Object.keys(properties),
    ]));
    const wrong: string[] = [];
    let tool: string | undefined;
    for (const line of readText(SKILL).split("\n")) {
      // A tool begins a line; what its arguments hold may stand in a list below.
      tool = /^`(sage_\w+)`:/.exec(line)?.[1] ?? (line.startsWith("- `") ? tool : undefined);
      if (tool === undefined) continue;
      for (const [, name = ""] of line.matchAll(/`([a-z_]+)`/g)) {
        if (name !== tool && !taken.get(tool)?.includes(name)) wrong.push(`${tool}: ${name}`);
      }
    }
    assert.deepEqual(wrong, []);
  }));
