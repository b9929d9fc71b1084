/**
 * The server as each editor starts it: the very command that `sage install` wrote into its file, read
 * from there as the editor reads it, spoken to by the SDK's client.
 */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type EditorName, EDITORS } from "../../src/editor/setup.ts";
import { parseObject } from "../../src/editor/jsonc.ts";
import { parseTomlObject } from "../../src/editor/toml.ts";
import { binary, hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";

/** Where its documentation has a server stand, below the home. */
const PLACES: Readonly<Record<EditorName, readonly [string, string]>> = {
  "claude-code": [".claude.json", "mcpServers"],
  cursor: [".cursor/mcp.json", "mcpServers"],
  vscode: [".config/Code/User/mcp.json", "servers"],
  zed: [".config/zed/settings.json", "context_servers"],
  codex: [".codex/config.toml", "mcp_servers"],
  gemini: [".gemini/settings.json", "mcpServers"],
  opencode: [".config/opencode/opencode.json", "mcp"],
};

function registered(home: string, editor: EditorName): string[] {
  const [path, key] = PLACES[editor];
  const text = Deno.readTextFileSync(`${home}/${path}`);
  const root = path.endsWith(".toml") ? parseTomlObject(text, path) : parseObject(text, path);
  const { sage } = root[key] as Record<string, { command: string | string[]; args?: string[] }>;
  assert.ok(sage !== undefined);
  return Array.isArray(sage.command) ? sage.command : [sage.command, ...sage.args ?? []];
}

interface Where {
  readonly home: string;
  readonly cwd: string;
  /** What the client says is open. */
  readonly roots?: readonly string[];
}

/** A tool's answer, and how many tools there are. */
async function call(
  words: readonly string[],
  { home, cwd, roots }: Where,
  name: string,
  input: Record<string, unknown> = {},
): Promise<{ tools: number; data: Record<string, unknown> }> {
  const [command = "", ...args] = words;
  const transport = new StdioClientTransport({ command, args, cwd, env: { HOME: home } });
  const capabilities = roots === undefined ? {} : { roots: {} };
  const client = new Client({ name: "editor", version: "1" }, { capabilities });
  if (roots !== undefined) {
    client.setRequestHandler(
      ListRootsRequestSchema,
      () => ({ roots: roots.map((uri) => ({ uri })) }),
    );
  }
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { structuredContent, isError } = await client.callTool({ name, arguments: input });
    assert.ok(isError !== true, JSON.stringify(structuredContent));
    return { tools: tools.length, data: structuredContent as Record<string, unknown> };
  } finally {
    await client.close();
  }
}

const built = { ignore: !hasBinary, sanitizeOps: false, sanitizeResources: false };

function place(): { home: string; cwd: string } {
  const home = Deno.realPathSync(tempDir());
  Deno.mkdirSync(`${home}/project`);
  return { home, cwd: `${home}/project` };
}

for (const editor of EDITORS) {
  Deno.test(`the server answers as ${editor} starts it`, built, async () => {
    const on = place();
    const { code, stderr } = await binary(["install", editor], on);
    assert.equal(code, 0, stderr);
    const words = registered(on.home, editor);
    assert.equal(words[1], "mcp");
    const { tools, data } = await call(words, on, "search_notes", { query: "importer" });
    assert.ok(tools >= 10);
    assert.deepEqual(data.items, []);
  });
}

Deno.test(
  "a server that is started elsewhere serves the folder that the client has open",
  built,
  async () => {
    const on = place();
    await binary(["install", "vscode"], on);
    const words = [...registered(on.home, "vscode"), "--tools", "full"];
    const project = async (cwd: string, roots?: readonly string[]): Promise<unknown> => {
      const where = { home: on.home, cwd, ...(roots === undefined ? {} : { roots }) };
      return (await call(words, where, "sage_status")).data.project;
    };
    const open = `file://${on.cwd.replace("project", "pro%6Aect")}/`;
    const there = await project(on.cwd);
    assert.equal(await project(on.home, [open]), there);
    assert.equal(await project(on.home, ["file:///nowhere/else", open]), there);
    // Where it was started inside one of them, that stays.
    assert.equal(await project(on.cwd, [`file://${on.home}`]), there);
    for (const roots of [[], ["file:///%"], ["https://x/y"]]) {
      assert.equal(await project(on.home, roots), await project(on.home), `${roots}`);
    }
    assert.notEqual(await project(on.home), there);
  },
);
