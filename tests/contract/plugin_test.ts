/** The plugin in the real Claude Code: it is valid, it runs, once, and leaves nothing. */
import assert from "node:assert/strict";
import { PROMPTS } from "../../src/memory/prompts.ts";
import { SKILL_DESCRIPTION } from "../../src/editor/claude_code/skill.ts";
import { claudeCode, runClaude, scriptedApi } from "../support/claude_code.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const root = new URL("../..", import.meta.url).pathname;
const program = `${root}dist/sage`;
const claude = await claudeCode();
const ignore = claude === undefined;

Deno.test({
  name:
    "claude plugin validate --strict passes the plugin, the marketplace and what install writes",
  ignore,
  async fn() {
    const [home, cwd] = [tempDir(), tempDir()];
    await sage(["install", "claude-code", "--plugin"], home, cwd);
    for (const path of [`${root}hooks/claude-code`, root, `${home}/.claude/skills/sage`]) {
      const args = ["plugin", "validate", "--strict", path];
      const { code, out } = await runClaude(claude ?? "", args, { home: tempDir(), cwd });
      assert.deepEqual([code, /Validation passed/.test(out)], [0, true], out);
    }
    // And it can say no.
    const broken = `${tempDir()}/sage`;
    await Deno.mkdir(`${broken}/.claude-plugin`, { recursive: true });
    await Deno.writeTextFile(`${broken}/.claude-plugin/plugin.json`, '{"name":"sage","hook":1}');
    const args = ["plugin", "validate", "--strict", broken];
    assert.notEqual((await runClaude(claude ?? "", args, { home: tempDir(), cwd })).code, 0);
  },
});

Deno.test({
  name: "installed as a plugin, each hook runs once, commands and the skill are offered, once",
  ignore,
  async fn() {
    const [home, cwd] = [tempDir(), tempDir()];
    await using api = scriptedApi(() => [{ type: "text", text: "done" }]);
    const who = { home, cwd, env: api.env };
    // First as entries: the plugin has to take their place.
    await sage(["install", "claude-code"], home, cwd);
    await sage(["install", "claude-code", "--plugin"], home, cwd);
    const how = ["--output-format", "stream-json", "--verbose", "--include-hook-events"];
    const said = "the tables are half-open";
    const { code, out } = await runClaude(claude ?? "", [
      ...["-p", `/sage:remember ${said}`],
      ...how,
    ], who);
    assert.equal(code, 0, out);
    const lines = out.split("\n").filter((line) => line.startsWith("{")).map((line) =>
      JSON.parse(line)
    );
    const started = lines.filter(({ subtype }) => subtype === "hook_started").map((line) =>
      line.hook_event
    );
    assert.deepEqual(started, ["SessionStart", "UserPromptSubmit", "Stop"]);
    const failed = lines.filter((line) => line.subtype === "hook_response" && line.exit_code !== 0);
    assert.deepEqual(failed, []);
    const init = lines.find(({ subtype }) => subtype === "init");
    assert.deepEqual(init.mcp_servers.map((server: { name: string }) => server.name), [
      "plugin:sage:sage",
    ]);
    const offered = init.slash_commands.filter((name: string) => /^sage|_sage_/.test(name)).sort();
    const commands = PROMPTS.map(({ name }) => `sage:${name}`);
    assert.deepEqual(offered, [...commands, "sage:managing-working-memory"].sort());
    const sent = api.requests.find(({ tools = [] }) => tools.length > 0);
    const text = JSON.stringify(sent?.messages) + JSON.stringify(sent?.tools);
    assert.ok(text.includes(`Save to memory: ${said}.`), "the command was expanded");
    const listed = JSON.stringify(SKILL_DESCRIPTION.slice(0, 60)).slice(1, -1);
    assert.ok(text.includes(listed), "the skill is listed");
    // What is left is the client's own.
    await sage(["uninstall"], home, cwd);
    assert.deepEqual(filesIn(home).filter((path) => /skills|settings/.test(path)), []);
  },
});

Deno.test({
  name: "the marketplace file installs the same plugin, and Sage knows of it",
  ignore,
  async fn() {
    const [home, cwd] = [tempDir(), tempDir()];
    for (const args of [["marketplace", "add", root], ["install", "sage@sage"]]) {
      const { code, out } = await runClaude(claude ?? "", ["plugin", ...args], { home, cwd });
      assert.equal(code, 0, out);
    }
    const { out } = await runClaude(claude ?? "", ["plugin", "list", "--json"], { home, cwd });
    const [listed] = JSON.parse(out);
    assert.deepEqual([listed.id, listed.enabled], ["sage@sage", true]);
    const made = `${listed.installPath}/hooks/hooks.json`;
    assert.equal(
      await Deno.readTextFile(made),
      await Deno.readTextFile(`${root}hooks/claude-code/hooks/hooks.json`),
    );
    const refused = await output(["install", "claude-code", "--plugin"], home, cwd);
    assert.match(refused.err, /has Sage as the plugin "sage@sage" already/);
    assert.equal(refused.code, 4);
    await sage(["init"], home, cwd);
    assert.doesNotMatch((await output(["status"], home, cwd)).out, /sage install/);
  },
});

async function sage(args: string[], home: string, cwd: string): Promise<void> {
  const { code, err } = await output(args, home, cwd);
  assert.equal(code, 0, err);
}

async function output(args: string[], home: string, cwd: string) {
  const how = { args, cwd, clearEnv: true, env: { HOME: home } };
  const { code, stdout: out, stderr: err } = await run(program, how);
  return { code, out, err };
}
