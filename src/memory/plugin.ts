/**
 * Sage as a plugin of the editor, as far as it is asked here: what its files hold, whether it is there,
 * and whether somebody has it from elsewhere. Who writes them is install.ts.
 */
import { buildInfo } from "../base/build_info.ts";
import { SageError } from "../base/errors.ts";
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

/** A second copy of the hooks would run beside the first, so there is never to be one. */
export function refuseSecond(texts: FileTexts, paths: readonly string[]): void {
  for (const path of paths) {
    const found = pluginSetting(texts.get(path), path);
    if (found?.kind !== "elsewhere") continue;
    throw new SageError("conflict", `Claude Code has Sage as the plugin "${found.key}" already`, {
      hint: `claude plugin uninstall ${found.key}, then repeat; or leave it as it is`,
    });
  }
}
