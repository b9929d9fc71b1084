/**
 * What the protocol's own people test servers with. Of the suite's scenarios those that need no tool,
 * prompt or resource of its fixture server; within them, checks that need one are told as not testable.
 */
import assert from "node:assert/strict";
import { serveProcess } from "../http/server.ts";
import { hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { addToken, overStdio } from "./bridge.ts";
import { checksOf, officialTools, runTool } from "./official_tools.ts";

const tools = hasBinary ? await officialTools() : undefined;
const official = { ignore: tools === undefined, sanitizeOps: false, sanitizeResources: false };

const HANDSHAKE = ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"];
const OVER_HTTP: Readonly<Record<string, readonly string[]>> = {
  "2025-03-26": ["server-session-lifecycle"],
  "2025-06-18": [...HANDSHAKE, "server-session-lifecycle"],
  "2025-11-25": [
    ...HANDSHAKE,
    ...["server-session-lifecycle", "server-sse-multiple-streams", "dns-rebinding-protection"],
  ],
  "2026-07-28": [
    ...["server-stateless", "tools-list", "resources-list", "prompts-list", "caching"],
    ...["http-header-validation", "sep-2164-resource-not-found", "dns-rebinding-protection"],
    ...["server-sse-multiple-streams", "input-required-result-unsupported-methods"],
  ],
};

for (const [revision, scenarios] of Object.entries(OVER_HTTP)) {
  Deno.test(`the conformance suite of ${revision} passes over HTTP`, official, async () => {
    const at = await place();
    await using server = await serveProcess(at);
    await using bridge = addToken(server);
    await passes(scenarios, revision, bridge.url, at.home);
  });
}

/**
 * Without what is of HTTP alone: headers, streams, hosts. A list comes first: without a header only what
 * came before says which era a message is of that says nothing by itself.
 */
const OVER_STDIO: Readonly<Record<string, readonly string[]>> = {
  "2025-06-18": HANDSHAKE,
  "2025-11-25": HANDSHAKE,
  "2026-07-28": [
    ...["tools-list", "server-stateless", "resources-list", "prompts-list", "caching"],
    ...["sep-2164-resource-not-found", "input-required-result-unsupported-methods"],
  ],
};

for (const [revision, scenarios] of Object.entries(OVER_STDIO)) {
  Deno.test(`the conformance suite of ${revision} passes over stdio`, official, async () => {
    await using bridge = overStdio();
    await passes(scenarios, revision, bridge.url, tempDir(), /-http-/);
  });
}

const inspector = tools?.inspector ?? [];
const inspected = { ...official, ignore: inspector.length === 0 };

Deno.test(
  "the inspector lists and calls over stdio and over HTTP, in both eras",
  inspected,
  async () => {
    const at = await place();
    await using server = await serveProcess(at);
    const binary = new URL("../../dist/sage", import.meta.url).pathname;
    const header = ["--header", `Authorization: Bearer ${server.token}`];
    const targets = ["legacy", "modern"].flatMap((era) => [
      ["--protocol-era", era, binary, "mcp"],
      ["--protocol-era", era, `${server.url}/mcp`, "--transport", "http", ...header],
    ]);
    for (const target of targets) {
      const inspect = async (...args: string[]) => {
        const env = { HOME: at.home };
        const { code, stdout, stderr } = await runTool([...inspector, ...target, ...args], {
          cwd: at.cwd,
          env,
        });
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
      };
      const { tools: listed } = await inspect("--method", "tools/list");
      assert.equal(listed.length, 12);
      const called = await inspect(
        ...["--method", "tools/call", "--tool-name", "search_notes", "--tool-arg", "query=ports"],
      );
      assert.match(JSON.stringify(called), /Nothing found/);
      const { resources } = await inspect("--method", "resources/list");
      assert.ok(resources.some(({ uri }: { uri: string }) => uri === "sage://orientation"));
    }
  },
);

Deno.test("no schema of a tool is one that the inspector warns of", inspected, async () => {
  const { cwd, home } = await place();
  const binary = new URL("../../dist/sage", import.meta.url).pathname;
  const args = ["-e", "SAGE_MCP_TOOLS=full", binary, "mcp", "--method", "tools/list", "--strict"];
  const how = { cwd, env: { HOME: home } };
  const { code, stdout, stderr } = await runTool([...inspector, ...args], how);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).tools.length, 19);
  assert.doesNotMatch(stderr, /tool "/);
});

/** `foreign`: checks of another transport, by their ids. */
async function passes(
  scenarios: readonly string[],
  revision: string,
  url: string,
  folder: string,
  foreign?: RegExp,
): Promise<void> {
  assert.ok(tools !== undefined);
  for (const scenario of scenarios) {
    const checks = await checksOf(tools, scenario, revision, url, folder);
    assert.ok(
      checks.some(({ status }) => status === "SUCCESS"),
      `${scenario}: nothing was checked`,
    );
    const failed = checks.filter(({ id, status, errorMessage = "" }) =>
      status === "FAILURE" && !errorMessage.startsWith("Not testable") && !foreign?.test(id)
    );
    assert.deepEqual(failed, [], scenario);
  }
}

async function place(): Promise<{ home: string; cwd: string }> {
  const home = tempDir();
  await Deno.mkdir(`${home}/project/.git`, { recursive: true });
  return { home, cwd: `${home}/project` };
}
