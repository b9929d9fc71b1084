/**
 * Sage as a plugin of Claude Code: the alternative to entries in its settings. What its files contain, which
 * of them exist, and whether somebody has the plugin from elsewhere. install.ts writes them.
 */
import { buildInfo } from "../../base/build_info.ts";
import { SageError } from "../../base/errors.ts";
import { dirname, join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { configDir } from "../../editor/claude_code/payload.ts";
import type { HookChoice } from "../../editor/claude_code/registration.ts";
import {
  type PluginCommand,
  pluginFiles,
  pluginFolder,
  pluginPaths,
  pluginSetting,
} from "../../editor/claude_code/plugin.ts";
import { claudeCode, statusLineFile } from "../../editor/claude_code/setup.ts";
import type { ReceiptFile } from "../../editor/plan.ts";
import type { FileTexts, SetupFile } from "../../editor/setup.ts";
import type { Memory } from "../memory.ts";
import { PROMPTS } from "../prompts.ts";

/** What people can ask for by name, as commands. */
export const PLUGIN_COMMANDS: readonly PluginCommand[] = PROMPTS.map((prompt) => {
  const { name, description, argument, tools, about, otherwise, request } = prompt;
  const text = `${about("$ARGUMENTS")} (Where nothing was given: ${otherwise}) ${request}`;
  return { name, description, argument, tools, text };
});

/** Where the editor looks for the plugin. */
export function pluginFolderOf({ env, places }: Memory): string {
  return pluginFolder(configDir(env) ?? join(places.home, ".claude"));
}

export function isInPlugin(memory: Memory, path: string): boolean {
  return path.startsWith(`${pluginFolderOf(memory)}/`);
}

/** The files of the plugin, and the status line's where one is wanted: a plugin cannot bring it. */
export function pluginSetupFiles(
  memory: Memory,
  settings: string,
  withStatusLine: boolean,
): SetupFile[] {
  const folder = pluginFolderOf(memory);
  const files = [...pluginTexts(folder, "sage", {}).keys()].map((path): SetupFile => ({
    path,
    add: (_, { command, beforeEdits = false }) => [
      pluginTexts(folder, command, { beforeEdits }).get(path) ?? "",
    ],
  }));
  return withStatusLine ? [...files, statusLineFile(settings)] : files;
}

/** A file of the plugin that somebody changed is theirs. */
export function refuseEdited(
  files: readonly SetupFile[],
  texts: FileTexts,
  known: readonly ReceiptFile[],
): void {
  const written = new Map(known.map(({ path, sha256 }) => [path, sha256]));
  for (const { path } of files) {
    const text = texts.get(path);
    if (text === undefined || written.get(path) === sha256Hex(text)) continue;
    throw new SageError("conflict", `"${path}" is not as Sage wrote it`, {
      hint: "move it away, then repeat; nothing was changed",
    });
  }
}

/** The files of a plugin without a receipt: what this version would have written for the same program. */
export function assumedPluginFiles(memory: Memory, texts: FileTexts): ReceiptFile[] {
  const folder = pluginFolderOf(memory);
  const { mcp } = pluginPaths(folder);
  const { server } = claudeCode.format(mcp).own(texts.get(mcp) ?? "", mcp);
  if (server === undefined) return [];
  const hooks = { beforeEdits: memory.config.get("surfacing.before_edits") };
  return [...pluginTexts(folder, server, hooks)].map(([path, text]) => ({
    path,
    sha256: sha256Hex(text),
    undo: null,
    containers: [],
  }));
}

/** All folders that installing the plugin may have made. */
export function pluginFolders(memory: Memory): readonly string[] {
  const folder = pluginFolderOf(memory);
  const folders = [...pluginTexts(folder, "sage", {}).keys()].map(dirname);
  return [...folders, folder, join(folder, "skills"), dirname(folder)];
}

/** A marketplace's plugin that these settings enable. Its hooks would run beside ours. */
export function secondPlugin(texts: FileTexts): string | undefined {
  return [...texts].map(([path, text]) => pluginSetting(text, path))
    .find((found) => found?.kind === "elsewhere")?.key;
}

/** The plugin's files by their absolute paths, for the program at `command`. */
function pluginTexts(folder: string, command: string, hooks: HookChoice): Map<string, string> {
  const version = buildInfo?.version ?? "0.0.0";
  const files = pluginFiles({ command, version, commands: PLUGIN_COMMANDS, hooks });
  return new Map([...files].map(([name, text]) => [join(folder, name), text]));
}
