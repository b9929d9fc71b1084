/**
 * Sage as a plugin of Claude Code: hooks, server, skill and commands in one folder, as texts. Made from
 * the same registrations as the settings; `hooks/claude-code` holds them for a program on the PATH.
 * The client loads what lies in its skills folder by itself, so nothing is entered anywhere.
 */
import { isObject } from "../../base/fields.ts";
import { join } from "../../base/path.ts";
import { parseObject } from "../jsonc.ts";
import { SERVER_NAME } from "../own.ts";
import { type HookChoice, hookGroups, mcpServer } from "./registration.ts";
import type { SettingsPaths } from "./setup.ts";
import { SKILL_DESCRIPTION, SKILL_NAME, skillText } from "./skill.ts";

const PLUGIN_NAME = "sage";
/** The client's name for a plugin in its skills folder. */
const IN_PLACE = `${PLUGIN_NAME}@skills-dir`;

export interface PluginCommand {
  readonly name: string;
  readonly description: string;
  /** A hint of what may follow it. */
  readonly argument: string;
  /** Sage's tools that it may call without asking. */
  readonly tools: readonly string[];
  /** The prompt for the model; `$ARGUMENTS` stands for what was typed. */
  readonly text: string;
}

export interface PluginContent {
  /** The program, absolute or on the PATH. */
  readonly command: string;
  readonly version: string;
  readonly commands: readonly PluginCommand[];
  readonly hooks?: HookChoice;
}

const DESCRIPTION =
  "Memory for coding agents that survives compaction, crashes and the end of a session, as plain Markdown files.";

/** Every file by its path in the plugin's folder. */
export function pluginFiles(content: PluginContent): Map<string, string> {
  const { command, version, commands, hooks } = content;
  const { type: _, ...server } = mcpServer(command);
  return new Map([
    [
      ".claude-plugin/plugin.json",
      json({
        name: PLUGIN_NAME,
        version,
        description: DESCRIPTION,
        author: { name: "The Sage authors" },
        license: "MIT",
        keywords: ["memory", "context", "knowledge", "checkpoint", "obsidian"],
      }),
    ],
    [
      "hooks/hooks.json",
      json({
        description: "Each event starts sage hook <event>.",
        hooks: Object.fromEntries(
          hookGroups(command, hooks).map(([name, group]) => [name, [group]]),
        ),
      }),
    ],
    [".mcp.json", json({ mcpServers: { [SERVER_NAME]: server } })],
    ...commands.map((each) => [`commands/${each.name}.md`, commandText(each)] as const),
    [
      `skills/${SKILL_NAME}/SKILL.md`,
      markdown({ name: SKILL_NAME, description: SKILL_DESCRIPTION }, skillText()),
    ],
    ["README.md", README],
  ]);
}

/** The description of a marketplace with one plugin, which the repository is. */
export function marketplace(source: string): string {
  return json({
    name: PLUGIN_NAME,
    owner: { name: "The Sage authors" },
    metadata: { description: DESCRIPTION },
    plugins: [{ name: PLUGIN_NAME, source, description: DESCRIPTION, category: "productivity" }],
  });
}

/** The folder that the client loads in every project. */
export function pluginFolder(configDir: string): string {
  return join(configDir, "skills", PLUGIN_NAME);
}

/** The plugin's files for hooks and server, as settings paths. */
export function pluginPaths(folder: string): SettingsPaths {
  return { settings: join(folder, "hooks", "hooks.json"), mcp: join(folder, ".mcp.json") };
}

/** Whether these settings have a Sage plugin of a marketplace, or the installed one switched off. */
export function pluginSetting(
  text: string | undefined,
  file: string,
): { readonly kind: "elsewhere" | "off"; readonly key: string } | undefined {
  const enabled = parseObject(text ?? "", file).enabledPlugins;
  if (!isObject(enabled)) return undefined;
  if (enabled[IN_PLACE] === false) return { kind: "off", key: `enabledPlugins.${IN_PLACE}` };
  const other = Object.keys(enabled).find((key) =>
    key.startsWith(`${PLUGIN_NAME}@`) && key !== IN_PLACE && enabled[key] === true
  );
  return other === undefined ? undefined : { kind: "elsewhere", key: other };
}

function commandText({ name: _, description, argument, tools, text }: PluginCommand): string {
  return markdown({
    description,
    "argument-hint": `[${argument}]`,
    "allowed-tools": tools.map((tool) => `mcp__plugin_${PLUGIN_NAME}_${SERVER_NAME}__${tool}`)
      .join(", "),
  }, text + "\n");
}

/** JSON texts are YAML scalars too. */
function markdown(front: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n\n${body}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}

const README = `# Sage

${DESCRIPTION} This plugin connects Claude Code with the program \`sage\`, which does the work on this machine: no daemon, no database, no account.

It brings six hooks (a session starts, a prompt is sent, a turn or a subagent ends, before compaction, a session ends), the MCP server, the skill \`${SKILL_NAME}\`, and the commands \`/sage:remember\`, \`/sage:recall\`, \`/sage:update-memory\`, \`/sage:checkpoint\` and \`/sage:handoff\`.

The hooks start \`sage\`, so the program has to be where they look for it. \`sage install claude-code --plugin\` writes this folder with the program's full path, and \`sage uninstall\` takes it out again. Use that or the marketplace, not both: each would run its hooks.
`;
