/**
 * Zed: MCP servers under `context_servers` in `settings.json`, or in the project's
 * `.zed/settings.json` once the project is trusted. Described at https://zed.dev/docs/ai/mcp and
 * https://zed.dev/docs/configuring-zed. It has no hooks.
 */
import { join } from "../../base/path.ts";
import { jsonFormat, type JsonShape, withServer } from "../json_settings.ts";
import { folderNamed } from "../payload.ts";
import type { EditorSetup, Place } from "../setup.ts";

const SHAPE: JsonShape = { servers: "context_servers", hooks: "flat" };
const FORMAT = jsonFormat(SHAPE);

export const zed: EditorSetup = {
  name: "zed",
  title: "Zed",
  files(scope, place) {
    const folder = scope === "user" ? configFolder(place) : join(place.projectDir, ".zed");
    const path = join(folder, "settings.json");
    return [{
      path,
      add: (text, { command }) => [
        withServer(text, path, SHAPE, { command, args: ["mcp"], env: {} }),
      ],
    }];
  },
  format: () => FORMAT,
  traces: (place) => [configFolder(place)],
  hookEvents: () => [],
  remarks: [
    "It has no hooks: nothing is told at a session's start or saved at its end; the agent recalls and saves through the tools.",
  ],
};

function configFolder({ os, home, env }: Place): string {
  if (os === "windows") return join(env("APPDATA") || join(home, "AppData", "Roaming"), "Zed");
  // On a Mac as well, whatever is usual there.
  const base = os === "linux" ? folderNamed(env, "XDG_CONFIG_HOME") : undefined;
  return join(base || join(home, ".config"), "zed");
}
