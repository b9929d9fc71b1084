/**
 * opencode: MCP servers under `mcp` in `opencode.json` or `opencode.jsonc`, in `~/.config/opencode` or
 * at the project's root; program and arguments are one list. Plugins are files in `plugins` of the same
 * folder, the project's in `.opencode/plugins`. Described at https://opencode.ai/docs/config,
 * /docs/mcp-servers and /docs/plugins.
 */
import { join } from "../../base/path.ts";
import { jsonFormat, type JsonShape, withServer } from "../json_settings.ts";
import { folderNamed } from "../payload.ts";
import type { EditorSetup, Place, Scope } from "../setup.ts";
import { PLUGIN_EVENTS, PLUGIN_FORMAT, withPlugin } from "./plugin.ts";

const SHAPE: JsonShape = { servers: "mcp", hooks: "flat" };
const FORMAT = jsonFormat(SHAPE);
/** It reads all that are there; the first wins. */
const NAMES = ["opencode.jsonc", "opencode.json"];
const PLUGIN_NAME = "sage.js";

export const opencode: EditorSetup = {
  name: "opencode",
  title: "opencode",
  files(scope, place) {
    const folder = scope === "user" ? configFolder(place) : place.projectDir;
    const paths = NAMES.map((name) => join(folder, name));
    const there = paths.find((path) => place.fs.lstat(path) !== undefined);
    const path = there ?? join(folder, "opencode.json");
    const plugin = pluginPath(scope, place);
    return [
      {
        path,
        add: (text, { command }) => [
          withServer(text, path, SHAPE, {
            type: "local",
            command: [command, "mcp"],
            enabled: true,
          }),
        ],
      },
      { path: plugin, add: (text, { command }) => [withPlugin(text, plugin, command)] },
    ];
  },
  format: (path) => path.endsWith(PLUGIN_NAME) ? PLUGIN_FORMAT : FORMAT,
  traces: (place) => [configFolder(place)],
  hookEvents: () => PLUGIN_EVENTS,
  remarks: ["Restart running sessions: plugins are loaded when it starts."],
};

function pluginPath(scope: Scope, place: Place): string {
  const folder = scope === "user" ? configFolder(place) : join(place.projectDir, ".opencode");
  return join(folder, "plugins", PLUGIN_NAME);
}

function configFolder({ home, env }: Place): string {
  return join(folderNamed(env, "XDG_CONFIG_HOME") ?? join(home, ".config"), "opencode");
}
