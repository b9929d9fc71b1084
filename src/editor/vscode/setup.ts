/**
 * VS Code with Copilot: MCP servers under `servers` in the profile's `mcp.json`, or in the project's
 * `.vscode/mcp.json`; hooks, in preview, in any file of `~/.copilot/hooks` or the project's
 * `.github/hooks`. Described at https://code.visualstudio.com/docs/agents/reference/mcp-configuration
 * and /docs/agent-customization/hooks. A prompt's hook may add nothing, so none is registered. GitHub's
 * Copilot CLI runs the same hooks, and also reports the end of a session.
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
import { folderNamed } from "../payload.ts";
import type { EditorSetup, Place, Scope, Wanted } from "../setup.ts";
import { VSCODE_EVENTS } from "./payload.ts";
import { copilotFolder } from "./place.ts";

const SHAPE: JsonShape = { servers: "servers", hooks: "flat" };
const FORMAT = jsonFormat(SHAPE);
const TIMEOUT_SECONDS = 10;
/** Each build has settings of its own. */
const BUILDS = ["Code", "Code - Insiders", "VSCodium"];

export const vscode: EditorSetup = {
  name: "vscode",
  title: "VS Code",
  files(scope, place) {
    return [
      ...serverPaths(scope, place).map((path) => serverFile(path, SHAPE)),
      hooksFile(hooksPath(scope, place), SHAPE, entries),
    ];
  },
  format: () => FORMAT,
  traces: (place) => BUILDS.map((build) => join(userFolder(place), build)),
  hookEvents: () => Object.values(VSCODE_EVENTS),
  remarks: [
    "Its hooks, in preview, save, and tell the agent where the last session stopped; beside a prompt they can show nothing.",
  ],
};

function entries({ command, os }: Wanted): HookEntries {
  const shell = shellOf(os, "powershell");
  return Object.entries(VSCODE_EVENTS).map(([event, name]) => {
    const line = commandLine(command, ["hook", event, "vscode"], shell);
    return [name, { type: "command", command: line, timeout: TIMEOUT_SECONDS }];
  });
}

/** The paths for every build that was used here; for the standard one if none was. */
function serverPaths(scope: Scope, place: Place): string[] {
  if (scope === "project") return [join(place.projectDir, ".vscode", "mcp.json")];
  const folders = BUILDS.map((build) => join(userFolder(place), build));
  const used = folders.filter((folder) => place.fs.lstat(folder) !== undefined);
  return (used.length === 0 ? folders.slice(0, 1) : used).map((folder) =>
    join(folder, "User", "mcp.json")
  );
}

function userFolder({ os, home, env }: Place): string {
  if (os === "darwin") return join(home, "Library", "Application Support");
  if (os === "windows") return env("APPDATA") || join(home, "AppData", "Roaming");
  return folderNamed(env, "XDG_CONFIG_HOME") ?? join(home, ".config");
}

/** A file of Sage's own, so that no other is edited. */
function hooksPath(scope: Scope, { home, projectDir, env }: Place): string {
  if (scope === "project") return join(projectDir, ".github", "hooks", "sage.json");
  return join(copilotFolder(home, env), "hooks", "sage.json");
}
