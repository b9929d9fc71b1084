/**
 * The chain from the editor to a saved note, link by link: registered, allowed, a program that can be
 * started, the same as this one, hooks that were called, a server that answered. Sage may start no
 * process, so whether a link holds is read from what the last sessions left.
 */
import { versionName } from "../../base/build_info.ts";
import { type LogLine, readLog } from "../../base/log.ts";
import { type CaptureHealth, captureHealth } from "../status/health.ts";
import type { EditorName, Scope } from "../../editor/setup.ts";
import {
  heldBack,
  hooksOffIn,
  hooksTwice,
  type KnownEditor,
  knownEditors,
} from "../editor/state.ts";
import type { Memory } from "../memory.ts";
import { liveSessions } from "../session/instances.ts";
import { applyEditorInstall } from "../editor/install.ts";
import { type Finding, ok, wrong } from "./finding.ts";

const DAYS = 7;
/** So many sessions that never reached the server are no accident. */
const SESSIONS_MIN = 3;

/** `program`: the path of this one, where it is a program. */
export async function chainFindings(
  memory: Memory,
  program: string | undefined,
): Promise<Finding[]> {
  const health = await captureHealth(memory, memory.session);
  const known = knownEditors(memory);
  const claudeCode = known.find(({ name }) => name === "claude-code");
  const isElsewhere = known.some(({ state }) => state.kind === "installed");
  // With another editor connected, Claude Code need not be.
  const first = claudeCode === undefined && isElsewhere
    ? []
    : registration(memory, claudeCode ?? NOT_CONNECTED, program, isElsewhere);
  const others = known.filter(({ name }) => name !== "claude-code")
    .flatMap((editor) => registration(memory, editor, program, true));
  const isWhole = first.length > 0 && first.every(({ level }) => level === "ok");
  return [...first, ...others, capture(memory, health, known), ...(isWhole ? server(memory) : [])];
}

const NOT_CONNECTED: KnownEditor = {
  name: "claude-code",
  title: "Claude Code",
  hasHooks: true,
  state: { kind: "absent" },
};

/** `isElsewhere`: this editor is only offered. */
function registration(
  memory: Memory,
  { name, title, hasHooks, state }: KnownEditor,
  program: string | undefined,
  isElsewhere: boolean,
): Finding[] {
  const scope = "scope" in state ? state.scope : "user";
  const plugin = "plugin" in state && state.plugin === true;
  const install = program === undefined
    ? undefined
    : { kind: "install", editor: name, scope, plugin } as const;
  const option = plugin ? " --plugin" : scope === "project" ? " --scope project" : "";
  const mend = `sage install ${name}${option}`;
  switch (state.kind) {
    case "absent":
      return name === "claude-code" && isHeard(memory)
        ? [ok("Claude Code: hooks run, registered elsewhere than in its settings (a plugin?)")]
        : isElsewhere
        ? [ok(`${title}: not connected`, mend)]
        : [wrong("warning", "Claude Code does not know Sage", mend, install)];
    case "elsewhere":
      return [ok(`${title}: the plugin ${state.plugin} starts the sage that is on the PATH`)];
    case "broken":
      return [wrong("error", state.reason, mend, install)];
    case "unreadable":
      return [wrong("error", state.reason, "mend the file by hand")];
  }
  const off = name === "claude-code" ? hooksOffIn(memory) : undefined;
  if (off !== undefined) {
    const what = `Claude Code calls no hook: ${off.key} is set in ${off.path}`;
    return [wrong("error", what, `remove ${off.key} from that file`)];
  }
  const there = `${title}: ${hasHooks ? "hooks and " : ""}MCP server ${
    plugin ? "come with the plugin" : "registered"
  }`;
  const held = heldBack(memory, name, scope);
  const twice = hooksTwice(memory, name);
  return [
    ...(twice === undefined ? [] : [
      wrong(
        "warning",
        `${title} runs each hook twice: it is in ${twice.join(" and in ")}`,
        "take Sage out of one of the two files",
      ),
    ]),
    held === undefined ? ok(there) : wrong("warning", `${there}, but ${held.reason}`, held.mend),
    ...startable(memory, state.binary),
    ...edited(memory, name, { scope, plugin, binary: state.binary }).map((path) =>
      wrong(
        "warning",
        `${title}: ${path} is not as Sage writes it, so some events may not arrive`,
        `${mend}; with --dry-run it only shows the difference`,
        install,
      )
    ),
    ...(program === undefined || isSame(memory, state.binary, program) ? [] : [
      wrong(
        "warning",
        `${title} runs ${state.binary}, and this is ${program}`,
        `${mend.replace("sage", program)}, where this is the newer one`,
        install,
      ),
    ]),
  ];
}

/** Whether a hook of Claude Code ran. Uninstalling removes the receipts, so it was registered since. */
function isHeard({ fs, places, now }: Memory): boolean {
  return readLog(fs, places.stateDir, now(), DAYS).some(isClaudeCodes);
}

/** Files in which Sage's entries were changed by hand: a narrowed matcher, other arguments. */
function edited(
  memory: Memory,
  name: EditorName,
  form: { readonly scope: Scope; readonly plugin: boolean; readonly binary: string },
): string[] {
  try {
    return applyEditorInstall(memory, name, { ...form, dryRun: true }).files
      .map(({ path }) => path);
  } catch {
    // Another check reports what keeps Sage from writing there.
    return [];
  }
}

function startable({ fs }: Memory, path: string): Finding[] {
  const real = fs.realPath(path);
  const info = fs.lstat(real);
  if (info === undefined || (info.mode & 0o111) !== 0) return [];
  const mode = (info.mode | 0o111) & 0o777;
  const fix = { kind: "chmod", path: real, mode } as const;
  return [wrong("error", `${real} may not be executed`, `chmod +x ${real}`, fix)];
}

function isSame({ fs }: Memory, a: string, b: string): boolean {
  return fs.realPath(a) === fs.realPath(b);
}

function capture(memory: Memory, health: CaptureHealth, known: readonly KnownEditor[]): Finding {
  if (health.isUnknown) return ok("capture: not known without its receipts");
  if (health.ok) {
    const telling = known.find(({ hasHooks, state }) =>
      hasHooks && (state.kind === "installed" || state.kind === "elsewhere")
    );
    const isNew = health.lastHookAt === undefined && telling !== undefined;
    return ok(
      `capture: ${health.detail}`,
      isNew ? `begin a session in ${telling.title}` : undefined,
    );
  }
  const mend = `see ${memory.places.stateDir}/log for what failed, newest line last`;
  return wrong("error", `capture: ${health.detail}`, health.mend ?? mend);
}

/** Whether Claude Code called this hook. */
function isClaudeCodes({ event, hook, agent }: LogLine): boolean {
  return event === "hook" && hook !== undefined && agent === undefined;
}

/**
 * The server leaves a receipt when a client greets it, which is once a process; hooks of the sessions that
 * began with one left theirs. What a process goes on to (`/clear`, `/branch`, a compaction) greets nobody, nor does a
 * conversation of another editor, whose one process has many.
 */
function server(memory: Memory): Finding[] {
  const { fs, places, now } = memory;
  const lines = readLog(fs, places.stateDir, now(), DAYS);
  const greeted = lines.findLast(({ event, tool }) => event === "tool" && tool === "instructions");
  const since = lines.indexOf(greeted as LogLine) + 1;
  const sessions = new Set(
    lines.slice(since)
      // Receipts of an older Sage name no notes, and its server left none.
      .filter((line) => {
        const { hook, told, source = "startup" } = line;
        return hook === "session-start" && Array.isArray(told) && source === "startup" &&
          isClaudeCodes(line);
      })
      .map(({ session }) => session),
  );
  if (sessions.size >= SESSIONS_MIN) {
    const what = `none of the last ${sessions.size} sessions connected to the MCP server`;
    const mend = "/mcp in Claude Code says why: disabled, not approved, or failed to start";
    return [wrong("warning", what, mend)];
  }
  if (greeted === undefined) return [];
  const own = versionName();
  const isOther = own !== undefined && greeted.version !== undefined && greeted.version !== own;
  if (!isOther || liveSessions(memory).length === 0) {
    return [ok(`MCP server: a session last connected ${greeted.at}`)];
  }
  const what = `the MCP server of a running session is ${greeted.version}, and this is ${own}`;
  return [wrong("warning", what, "restart that session, or /mcp there and reconnect")];
}
