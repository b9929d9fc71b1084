/**
 * opencode: MCP servers under `mcp` in `opencode.json` or `opencode.jsonc`, in `~/.config/opencode` or
 * at the project's root; program and arguments are one list. Described at
 * https://opencode.ai/docs/config and /docs/mcp-servers. Its only hooks
 * are those of plugins, which are programs that run inside it.
 */
import { join } from "../../base/path.ts";
import { jsonFormat, type JsonShape, withServer } from "../json_settings.ts";
import { folderNamed } from "../payload.ts";
import type { EditorSetup, Place } from "../setup.ts";

const SHAPE: JsonShape = { servers: "mcp", hooks: "flat" };
const FORMAT = jsonFormat(SHAPE);
/** It reads all that are there; the first wins. */
const NAMES = ["opencode.jsonc", "opencode.json"];

export const opencode: EditorSetup = {
  name: "opencode",
  title: "opencode",
  files(scope, place) {
    const folder = scope === "user" ? configFolder(place) : place.projectDir;
    const paths = NAMES.map((name) => join(folder, name));
    const there = paths.find((path) => place.fs.lstat(path) !== undefined);
    const path = there ?? join(folder, "opencode.json");
    return [{
      path,
      add: (text, { command }) => [
        withServer(text, path, SHAPE, { type: "local", command: [command, "mcp"], enabled: true }),
      ],
    }];
  },
  format: () => FORMAT,
  traces: (place) => [configFolder(place)],
  hookEvents: () => [],
  remarks: [
    "It has no hooks but plugins: nothing is told at a session's start or saved at its end; the agent recalls and saves through the tools.",
  ],
};

function configFolder({ home, env }: Place): string {
  return join(folderNamed(env, "XDG_CONFIG_HOME") ?? join(home, ".config"), "opencode");
}
