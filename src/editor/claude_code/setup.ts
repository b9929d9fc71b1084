/**
 * Claude Code: hooks and status line in `settings.json`, MCP servers in `.claude.json` (for a project
 * in `.claude/settings.json` and `.mcp.json`). Described at https://code.claude.com/docs/en/settings,
 * /hooks, /mcp.
 */
import { join } from "../../base/path.ts";
import { parseObject, setValue } from "../jsonc.ts";
import { jsonFormat, type JsonShape, withHooks, withServer } from "../json_settings.ts";
import { tidyPath } from "../payload.ts";
import type { EditorSetup, Format, Place, Scope, SetupFile, Via, Wanted } from "../setup.ts";
import { hookGroups, isOwnStatusLine, mcpServer, statusLineEntry } from "./registration.ts";

export interface SettingsPaths {
  /** Where hooks are registered. */
  readonly settings: string;
  /** Where MCP servers are registered. */
  readonly mcp: string;
}

const SHAPE: JsonShape = { servers: "mcpServers", hooks: "grouped", isOwnStatusLine };
const FORMAT = jsonFormat(SHAPE);
const PAGE: Format = {
  parse: (text) => text,
  own: () => ({ hooks: new Map(), server: undefined, hasStatusLine: false }),
  containers: () => [],
  remove: (text) => text,
};

export const claudeCode: EditorSetup = {
  name: "claude-code",
  title: "Claude Code",
  files(scope, place) {
    const { settings, mcp } = settingsPaths(scope, place);
    return [
      {
        path: settings,
        *add(text, wanted) {
          let edited = text;
          const via = wanted.via ?? viaOf(text, settings);
          const groups = hookGroups(wanted.command, { ...wanted, via });
          for (edited of withHooks(text, settings, SHAPE, groups)) yield edited;
          yield withStatusLine(edited, settings, wanted);
        },
      },
      { path: mcp, add: (text, { command }) => [withServer(text, mcp, SHAPE, mcpServer(command))] },
    ];
  },
  // A plugin also has Markdown files, which are Sage's as a whole.
  format: (path) => /\.md$|\/\.claude-plugin\//.test(path) ? PAGE : FORMAT,
  traces: (place) => {
    const { settings, mcp } = settingsPaths("user", place);
    return [mcp, settings.slice(0, settings.lastIndexOf("/"))];
  },
  hookEvents: (wanted) => hookGroups("sage", wanted).map(([name]) => name),
  remarks: ["Restart running sessions: hooks are read when one starts."],
};

/** Whether events go to the server or to a process now, which a new installation keeps. */
function viaOf(text: string, file: string): Via {
  const isAsked = [...FORMAT.own(text, file).hooks.values()].includes(undefined);
  return isAsked ? "mcp" : "process";
}

/** The status line alone: a plugin brings the rest. */
export function statusLineFile(settings: string): SetupFile {
  return {
    path: settings,
    add: (text, wanted) => [withStatusLine(text, settings, { ...wanted, statusLine: true })],
  };
}

/** Where the client looks, for the user or for one project. */
export function settingsPaths(
  scope: Scope,
  { home, projectDir, env }: Pick<Place, "home" | "projectDir" | "env">,
): SettingsPaths {
  if (scope === "project") {
    return {
      settings: join(projectDir, ".claude", "settings.json"),
      mcp: join(projectDir, ".mcp.json"),
    };
  }
  const moved = tidyPath(env("CLAUDE_CONFIG_DIR"));
  return {
    settings: join(moved ?? join(home, ".claude"), "settings.json"),
    mcp: join(moved ?? home, ".claude.json"),
  };
}

/** The key by which these settings switch off Sage's hooks, or undefined. */
export function hooksOff(text: string | undefined, file: string): string | undefined {
  const settings = parseObject(text ?? "", file);
  return ["disableAllHooks", "allowManagedHooksOnly"].find((key) => settings[key] === true);
}

/** Whether there is a status line, and whether it is ours. */
export function statusLineOf(text: string | undefined, file: string): "none" | "own" | "other" {
  const present = parseObject(text ?? "", file).statusLine;
  return present === undefined ? "none" : isOwnStatusLine(present) ? "own" : "other";
}

/** Updates Sage's own status line to the program, or adds it if there is none and it was asked for. */
function withStatusLine(text: string, file: string, { command, statusLine }: Wanted): string {
  const present = parseObject(text, file).statusLine;
  const entry = statusLineEntry(command);
  if (present === undefined) return statusLine ? setValue(text, ["statusLine"], entry) : text;
  return isOwnStatusLine(present) && present.command !== entry.command
    ? setValue(text, ["statusLine", "command"], entry.command)
    : text;
}
