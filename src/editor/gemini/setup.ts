/**
 * Gemini CLI: MCP servers and hooks in one `settings.json`, in `~/.gemini` (below `GEMINI_CLI_HOME`
 * where that is set) or the project's `.gemini`. Described in docs/tools/mcp-server.md and
 * docs/hooks/reference.md of https://github.com/google-gemini/gemini-cli. Timeouts are milliseconds.
 */
import { join } from "../../base/path.ts";
import { jsonFormat, type JsonShape, withHooks, withServer } from "../json_settings.ts";
import { commandLine, shellOf } from "../own.ts";
import { folderNamed } from "../payload.ts";
import type { EditorSetup, Place, Wanted } from "../setup.ts";
import { GEMINI_EVENTS } from "./payload.ts";

const SHAPE: JsonShape = { servers: "mcpServers", hooks: "grouped" };
const FORMAT = jsonFormat(SHAPE);
const TIMEOUT_MS = 10_000;

export const gemini: EditorSetup = {
  name: "gemini",
  title: "Gemini CLI",
  files(scope, place) {
    const folder = scope === "user" ? userFolder(place) : join(place.projectDir, ".gemini");
    const path = join(folder, "settings.json");
    return [{
      path,
      *add(text, wanted) {
        const server = { command: wanted.command, args: ["mcp"], env: {} };
        const served = withServer(text, path, SHAPE, server);
        yield served;
        yield* withHooks(served, path, SHAPE, entries(wanted));
      },
    }];
  },
  format: () => FORMAT,
  traces: (place) => [userFolder(place)],
  hookEvents: () => Object.values(GEMINI_EVENTS),
  remarks: ["Restart running sessions: settings are read when one starts."],
};

function userFolder({ home, env }: Place): string {
  return join(folderNamed(env, "GEMINI_CLI_HOME") ?? home, ".gemini");
}

function entries({ command, os }: Wanted) {
  const shell = shellOf(os, "powershell");
  return Object.entries(GEMINI_EVENTS).map((
    [event, name],
  ): [string, Record<string, unknown>] => [name, {
    // The other trigger comes before every prompt, whether anything is compressed or not.
    ...(event === "pre-compact" ? { matcher: "manual" } : {}),
    hooks: [{
      name: `sage-${event}`,
      type: "command",
      command: commandLine(command, ["hook", event, "gemini"], shell),
      timeout: TIMEOUT_MS,
    }],
  }]);
}
