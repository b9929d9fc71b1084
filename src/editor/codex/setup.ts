/**
 * Codex CLI: MCP servers as tables of `config.toml`, hooks in `hooks.json`, both in `~/.codex`
 * (`CODEX_HOME`) or a trusted project's `.codex`. Described at https://developers.openai.com/codex/mcp
 * and /codex/hooks; what hooks get and may answer in codex-rs/hooks/schema of its sources. Each hook
 * runs only after a person trusted it.
 */
import { join } from "../../base/path.ts";
import { defined } from "../../base/defined.ts";
import type { HookEvent } from "../editor.ts";
import { jsonFormat, type JsonShape, withHooks } from "../json_settings.ts";
import { commandLine, shellOf } from "../own.ts";
import { folderNamed } from "../payload.ts";
import type { EditorSetup, HeldBack, Place, Scope, Wanted } from "../setup.ts";
import { tomlFormat, withTomlServer } from "./config.ts";
import { countTrusted, withoutTrust } from "./trust.ts";

const SHAPE: JsonShape = { servers: "mcpServers", hooks: "grouped" };
const FORMAT = jsonFormat(SHAPE);
const EVENTS: readonly (readonly [string, HookEvent, string?])[] = [
  ["SessionStart", "session-start", "startup|resume|clear|compact|fork"],
  ["UserPromptSubmit", "user-prompt-submit"],
  ["Stop", "stop"],
  ["SubagentStop", "subagent-stop"],
  ["PreCompact", "pre-compact"],
  ["SessionEnd", "session-end"],
];
const TIMEOUT_SECONDS = 10;
/** More is cut to this, with a warning. */
const END_TIMEOUT_SECONDS = 3;

export const codex: EditorSetup = {
  name: "codex",
  title: "Codex",
  files(scope, place) {
    const config = join(codexFolder(scope, place), "config.toml");
    const hooks = join(codexFolder(scope, place), "hooks.json");
    return [
      { path: config, add: (text, { command }) => [withTomlServer(text, config, command)] },
      { path: hooks, add: (text, wanted) => withHooks(text, hooks, SHAPE, entries(wanted)) },
    ];
  },
  format: (path) => path.endsWith(".toml") ? tomlFormat : FORMAT,
  withoutNotes: (text, path, texts) =>
    path.endsWith(".toml") ? withoutTrust(text, path, texts) : text,
  heldBack: trustOf,
  traces: (place) => [codexFolder("user", place)],
  hookEvents: () => EVENTS.map(([name]) => name),
  remarks: [
    "It runs hooks only after you trusted them: it asks when it next starts, or type /hooks.",
  ],
};

/** Whether the hooks are trusted, which is always noted in the person's own config. */
function trustOf(
  scope: Scope,
  place: Place,
  read: (path: string) => string | undefined,
): HeldBack | undefined {
  const config = join(codexFolder("user", place), "config.toml");
  const hooks = join(codexFolder(scope, place), "hooks.json");
  const { all, untrusted, off } = countTrusted(read(config) ?? "", config, read(hooks) ?? "", [
    hooks,
    place.fs.realPath(hooks),
  ]);
  if (untrusted > 0) {
    return {
      reason: `Codex runs a hook only after you trusted it, and ${untrusted} of ${all} wait`,
      mend: "start codex and trust them when it asks, or type /hooks there",
    };
  }
  return off === 0
    ? undefined
    : { reason: `${off} of ${all} are switched off`, mend: "type /hooks in codex" };
}

function codexFolder(scope: Scope, { home, projectDir, env }: Place): string {
  return scope === "user"
    ? folderNamed(env, "CODEX_HOME") ?? join(home, ".codex")
    : join(projectDir, ".codex");
}

function entries({ command, os }: Wanted) {
  const shell = shellOf(os, "cmd");
  return EVENTS.map(([name, event, matcher]): [string, Record<string, unknown>] => [name, {
    ...defined({ matcher }),
    hooks: [{
      type: "command",
      command: commandLine(command, ["hook", event, "codex"], shell),
      timeout: event === "session-end" ? END_TIMEOUT_SECONDS : TIMEOUT_SECONDS,
    }],
  }]);
}
