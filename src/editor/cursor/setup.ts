/**
 * Cursor: MCP servers in `mcp.json`, hooks in `hooks.json`, both in `~/.cursor` or the project's
 * `.cursor`. Described at https://cursor.com/docs/mcp and https://cursor.com/docs/hooks. A prompt's
 * hook may add nothing, so none is registered.
 */
import { join } from "../../base/path.ts";
import {
  type HookEntries,
  hooksFile,
  jsonFormat,
  type JsonShape,
  serverFile,
} from "../json_settings.ts";
import { commandLine, shellOf } from "../own.ts";
import type { EditorSetup, Place, Scope, Wanted } from "../setup.ts";
import { CURSOR_EVENTS } from "./payload.ts";

const SHAPE: JsonShape = { servers: "mcpServers", hooks: "flat" };
const FORMAT = jsonFormat(SHAPE);
const TIMEOUT_SECONDS = 10;

export const cursor: EditorSetup = {
  name: "cursor",
  title: "Cursor",
  files(scope, place) {
    const folder = folderOf(scope, place);
    return [
      serverFile(join(folder, "mcp.json"), SHAPE, { env: {} }),
      hooksFile(join(folder, "hooks.json"), SHAPE, entries),
    ];
  },
  format: () => FORMAT,
  traces: ({ home }) => [join(home, ".cursor")],
  hookEvents: () => Object.values(CURSOR_EVENTS),
  remarks: [
    "Its hooks save, and tell the agent where the last session stopped; beside a prompt they can show nothing.",
  ],
};

function folderOf(scope: Scope, { home, projectDir }: Place): string {
  return join(scope === "user" ? home : projectDir, ".cursor");
}

function entries({ command, os }: Wanted): HookEntries {
  const shell = shellOf(os, "cmd");
  return Object.entries(CURSOR_EVENTS).map(([event, name]) => [name, {
    command: commandLine(command, ["hook", event, "cursor"], shell),
    timeout: TIMEOUT_SECONDS,
  }]);
}
