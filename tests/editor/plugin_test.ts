/**
 * The plugin as texts: what the client lists of it, what it promises, and that it says nothing which is not
 * there. That the client takes it is tests/contract/plugin_test.ts.
 */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { isGroup } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { pluginFiles, pluginSetting } from "../../src/editor/claude_code/plugin.ts";
import { hookGroups } from "../../src/editor/claude_code/registration.ts";
import { SKILL_NAME } from "../../src/editor/claude_code/skill.ts";
import { getPrompt } from "../../src/mcp/prompts.ts";
import { toolsOf } from "../../src/mcp/tools/table.ts";
import { PLUGIN_COMMANDS } from "../../src/memory/editor/plugin.ts";
import { PROMPTS } from "../../src/memory/prompts.ts";
import { splitFrontMatter } from "../../src/note/front_matter.ts";
import { parseNote } from "../../src/note/parse.ts";

const files = pluginFiles({ command: "sage", version: "1.2.3", commands: PLUGIN_COMMANDS });
const standard = new Map(toolsOf("standard").map((tool) => [tool.name, tool]));
const file = (name: string): string => files.get(name) ?? assert.fail(`no ${name}`);
const skill = file(`skills/${SKILL_NAME}/SKILL.md`);

/** The front matter as the client reads it: one line a key, values as JSON texts. */
function front(text: string): Record<string, string> {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? assert.fail("no front matter");
  return Object.fromEntries(
    head.split("\n").map((line) => {
      const [, key = "", value = ""] = /^([\w-]+): (.*)$/.exec(line) ?? assert.fail(line);
      return [key, JSON.parse(value)];
    }),
  );
}

Deno.test("the plugin registers the hooks and the server that the settings would", () => {
  const { hooks } = JSON.parse(file("hooks/hooks.json"));
  assert.deepEqual(
    hooks,
    Object.fromEntries(hookGroups("sage").map(([name, group]) => [name, [group]])),
  );
  const { mcpServers } = JSON.parse(file(".mcp.json"));
  assert.deepEqual(mcpServers, { sage: { command: "sage", args: ["mcp"], env: {} } });
});

Deno.test("the hook before edits comes along only where it was chosen", () => {
  const chosen = pluginFiles({
    command: "/opt/sage",
    version: "1",
    commands: [],
    hooks: { beforeEdits: true },
  });
  assert.match(chosen.get("hooks/hooks.json") ?? "", /PreToolUse/);
  assert.doesNotMatch(file("hooks/hooks.json"), /PreToolUse/);
});

Deno.test("the skill has a name and a description that the client takes whole", async () => {
  const { name, description = "", ...others } = front(skill);
  assert.equal(name, SKILL_NAME);
  assert.match(name ?? "", /^[a-z0-9-]{1,64}$/);
  assert.deepEqual(others, {});
  // The form of Agent Skills; the client's listing cuts at 1,536.
  assert.ok(description.length <= 1024, `${description.length} characters`);
  assert.doesNotMatch(description, /[<>\n]/);
  assert.match(description, /^[A-Z].*\.$/);
  const note = await parseNote(skill, "SKILL.md");
  assert.equal(note.problem, undefined);
  assert.equal(splitFrontMatter(skill) === undefined, false);
});

/** What people say, and what has just happened, when it is to be used; each in the words it comes in. */
const OCCASIONS: readonly RegExp[] = [
  /after a code review/,
  /after a diagnosis/,
  /root cause found/,
  /bug fixed/,
  /architectural or design decision/,
  /reusable pattern/,
  /constraint or gotcha/,
  /handed off, paused or compacted/,
  /"remember this"/,
  /"save this for later"/,
  /"don't forget"/,
  /"what did we decide"/,
  /"have we seen this before"/,
  /"update memory"/,
  /corrects something/,
];

Deno.test("the skill's description names every occasion to use it", () => {
  const { description = "" } = front(skill);
  for (const occasion of OCCASIONS) assert.match(description, occasion);
});

Deno.test("the skill says when, what, how to organise, what of conflicts, with checklists, in little", () => {
  for (
    const part of [
      "## When to write",
      "## What a note is",
      "## How it is organised",
      "## When something is there already",
      "## Checklists",
    ]
  ) assert.ok(skill.includes(part), part);
  assert.ok(skill.split("- [ ]").length > 6);
  // The client keeps 5,000 tokens of a skill after a compaction; ours costs a third of that.
  assert.ok(estimateTokens(skill) <= 1600, `${estimateTokens(skill)} tokens`);
});

Deno.test("every tool and command that the plugin names exists, for a standard server", async () => {
  const all = [...files.values()].join("\n");
  const names = all.match(/\bsage_[a-z_]+|\b(?:search_notes|get_note|find_similar_notes)\b/g) ?? [];
  assert.ok(names.length > 10);
  for (const name of new Set(names)) assert.ok(standard.has(name.replace(/^sage__/, "")), name);
  for (const [, name = "", verb] of all.matchAll(/`sage ([a-z]+)(?: ([a-z]+))?[^`]*`/g)) {
    const entry = COMMANDS.find((command) => command.name === name);
    assert.ok(entry !== undefined || name === "hook", name);
    const command = (await entry?.load())?.command;
    if (verb !== undefined && command !== undefined && isGroup(command)) {
      assert.ok(verb in command.verbs, `${name} ${verb}`);
    }
  }
  const conflict = standard.get("sage_save_knowledge");
  const choices = Object.keys(conflict?.input.shape ?? {});
  for (const field of ["title", "content", "sources", "keywords", "id", "on_conflict"]) {
    assert.ok(choices.includes(field), field);
  }
});

Deno.test("a command asks for what the prompt of its name asks for", () => {
  assert.deepEqual(PLUGIN_COMMANDS.map(({ name }) => name), PROMPTS.map(({ name }) => name));
  for (const { name, argument } of PROMPTS) {
    const text = file(`commands/${name}.md`);
    for (const what of [undefined, "$ARGUMENTS"]) {
      const { messages } = getPrompt(name, { [argument]: what }) ?? assert.fail(name);
      const { text: asked } = messages[0]?.content as { text: string };
      const [about = ""] = asked.split(". ");
      assert.ok(text.includes(about), `${name}: ${about}`);
      assert.ok(text.trimEnd().endsWith(asked.slice(about.length + 2)), name);
    }
  }
});

Deno.test("a command may call what it is about without asking, and never what takes something away", () => {
  for (const { name } of PROMPTS) {
    const text = file(`commands/${name}.md`);
    const allowed = (front(text)["allowed-tools"] ?? "").split(", ");
    for (const full of allowed) {
      const tool = full.replace("mcp__plugin_sage_sage__", "");
      assert.ok(standard.has(tool), full);
      assert.notEqual(standard.get(tool)?.annotations.destructiveHint, true, full);
    }
  }
});

Deno.test("pluginSetting() tells a plugin from a marketplace, and one that is switched off", () => {
  const of = (enabledPlugins: unknown) => pluginSetting(JSON.stringify({ enabledPlugins }), "s");
  assert.equal(of(undefined), undefined);
  assert.equal(of({ "sage@sage": false, "sagebrush@x": true, "sage@skills-dir": true }), undefined);
  assert.deepEqual(of({ "sage@sage": true }), { kind: "elsewhere", key: "sage@sage" });
  assert.deepEqual(of({ "sage@skills-dir": false })?.kind, "off");
});
