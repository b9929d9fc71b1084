/**
 * Sage's plugin for opencode (hooks/opencode/sage.js): a file that opencode loads into its own process, which
 * passes events to `sage hook` and puts what that answers beside the prompt. opencode has no other hooks;
 * they are described at https://opencode.ai/docs/plugins.
 */
import { readAsset } from "../../base/assets.ts";
import { SageError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/hash.ts";
import { decode } from "../../base/utf8.ts";
import { isSage } from "../own.ts";
import type { Format } from "../setup.ts";

/** What the plugin listens to, by opencode's names. */
export const PLUGIN_EVENTS = [
  "chat.message",
  "session.idle",
  "experimental.session.compacting",
  "session.compacted",
  "dispose",
] as const;

const PROGRAM = /^const SAGE = (".*");$/m;
const SEAL = /^\/\/ As installed: ([0-9a-f]{64})\n$/;

/** The plugin that starts this program. */
export function pluginText(command: string): string {
  const source = decode(readAsset("opencode.js"));
  const text = source.replace(PROGRAM, () => `const SAGE = ${JSON.stringify(command)};`);
  return `${text}// As installed: ${sha256Hex(text)}\n`;
}

/** The program that a plugin starts, if it is as any version of Sage wrote it. */
export function pluginProgram(plugin: string): string | undefined {
  const end = plugin.lastIndexOf("\n", plugin.length - 2) + 1;
  const text = plugin.slice(0, end);
  if (SEAL.exec(plugin.slice(end))?.[1] !== sha256Hex(text)) return undefined;
  const command: unknown = JSON.parse(PROGRAM.exec(text)?.[1] ?? "null");
  return isSage(command) ? command : undefined;
}

/** The plugin's file as `sage install` treats any other: Sage's alone, and a person's once they changed it. */
export const PLUGIN_FORMAT: Format = {
  isWhole: true,
  parse: (text) => text === "" ? {} : { plugin: text },
  own(text) {
    const program = pluginProgram(text);
    const events = program === undefined ? [] : PLUGIN_EVENTS;
    return {
      hooks: new Map(events.map((event) => [event, program])),
      server: undefined,
      hasStatusLine: false,
    };
  },
  containers: () => [],
  remove: (text) => pluginProgram(text) === undefined ? text : "",
};

/** The text of the plugin's file after installing; throws for a file that somebody changed. */
export function withPlugin(text: string, path: string, command: string): string {
  if (text === "" || pluginProgram(text) !== undefined) return pluginText(command);
  throw new SageError("conflict", `"${path}" was changed by hand`, {
    hint: "rename or remove it, then repeat; nothing was changed",
  });
}
