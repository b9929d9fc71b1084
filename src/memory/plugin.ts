/**
 * Sage as a plugin of the editor, as far as it is asked here: what its files hold, whether it is there,
 * and whether somebody has it from elsewhere. Who writes them is install.ts.
 */
import { buildInfo } from "../base/build_info.ts";
import { join } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import type { HookChoice } from "../editor/claude_code/registration.ts";
import {
  type PluginCommand,
  pluginFiles,
  pluginPaths,
  pluginSetting,
} from "../editor/claude_code/plugin.ts";
import { type FileTexts, type ReceiptFile, registered } from "../editor/claude_code/settings.ts";
import { PROMPTS } from "./prompts.ts";

/** What people can ask for by name, as commands. */
export const PLUGIN_COMMANDS: readonly PluginCommand[] = PROMPTS.map((prompt) => {
  const { name, description, argument, tools, about, otherwise, request } = prompt;
  const text = `${about("$ARGUMENTS")} (Where nothing was given: ${otherwise}) ${request}`;
  return { name, description, argument, tools, text };
});

/** The plugin's files by their absolute paths, for the program at `command`. */
export function pluginTexts(
  folder: string,
  command: string,
  hooks: HookChoice,
): Map<string, string> {
  const version = buildInfo?.version ?? "0.0.0";
  const files = pluginFiles({ command, version, commands: PLUGIN_COMMANDS, hooks });
  return new Map([...files].map(([name, text]) => [join(folder, name), text]));
}

/** Of a plugin whose receipt is lost: what this version would have written for the same program. */
export function pluginWithoutMemory(
  folder: string,
  texts: FileTexts,
  hooks: HookChoice,
): ReceiptFile[] {
  const { server } = registered(texts, pluginPaths(folder));
  if (server === undefined) return [];
  return [...pluginTexts(folder, server, hooks)].map(([path, text]) => ({
    path,
    sha256: sha256Hex(text),
    undo: null,
    containers: [],
    whole: true,
  }));
}

/** A marketplace's plugin that these settings enable. Its hooks would run beside ours. */
export function secondPlugin(texts: FileTexts, paths: readonly string[]): string | undefined {
  return paths.map((path) => pluginSetting(texts.get(path), path))
    .find((found) => found?.kind === "elsewhere")?.key;
}
