/**
 * Runs hooks as Claude Code does: the commands of its settings, started without a shell, with the
 * captured payload and environment of tests/fixture/claude-code, in which only ids, paths and words
 * are replaced.
 */
import { parse } from "jsonc-parser";
import { killAfter } from "./kill_after.ts";
import { ended } from "./within.ts";

const FIXTURE = new URL("../fixture/claude-code/", import.meta.url);

/** Whom the hook runs for. */
export interface HookPlace {
  readonly home: string;
  readonly cwd: string;
  readonly session: string;
  readonly transcript: string;
  /** The client's process. */
  readonly pid: number;
  /** The prompt in progress; none before the first. */
  readonly promptId: string | undefined;
  /** The machine's mood: hooks are killed after so long. */
  readonly killedAfterMs?: number;
}

export interface HookAnswer {
  /** What the model is given. */
  readonly context: string;
  /** Why the client must not go on. */
  readonly block: string | undefined;
  /** What only the person sees. */
  readonly notices: readonly string[];
  /** The answers as received, for the transcript. */
  readonly runs: readonly { readonly command: string; readonly stdout: string }[];
}

/** A captured payload, by the name of its file. */
export type Capture =
  | `SessionStart.${"startup" | "resume" | "clear" | "compact" | "fork"}`
  | "UserPromptSubmit"
  | "Stop"
  | "Stop.again"
  | "SubagentStop.compaction"
  | `PreCompact.${"auto" | "manual"}`
  | `PostCompact.${"auto" | "manual"}`
  | `SessionEnd.${"clear" | "other" | "prompt_input_exit" | "resume"}`;

/** Fields by which a matcher chooses, per event. */
const MATCHED: Readonly<Record<string, string>> = {
  SessionStart: "source",
  SessionEnd: "reason",
  PreCompact: "trigger",
  PostCompact: "trigger",
  SubagentStop: "agent_type",
};

/** Environments were captured for these; the others have that of `Stop`, inside a turn. */
const ENVIRONMENTS = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"];

/** Runs whatever the settings register for the event, all at once, and answers what it comes to. */
export async function runHooks(
  place: HookPlace,
  capture: Capture,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<HookAnswer> {
  const event = capture.split(".")[0] ?? "";
  const payload = payloadOf(place, capture, fields);
  const matched = String(payload[MATCHED[event] ?? ""] ?? "");
  const runs = await Promise.all(
    registered(place, event, matched).map((handler) => runOne(place, event, handler, payload)),
  );
  const answers = runs.map(({ stdout }) => read(stdout));
  const contexts = answers.map(({ context }) => context).filter((text) => text !== "");
  return {
    context: contexts.join("\n"),
    block: answers.find(({ block }) => block !== undefined)?.block,
    notices: answers.flatMap(({ notice }) => notice ?? []),
    runs,
  };
}

function payloadOf(
  place: HookPlace,
  capture: Capture,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const captured = JSON.parse(
    Deno.readTextFileSync(new URL(`hooks/${capture}.json`, FIXTURE)),
  ) as Record<string, unknown>;
  const { prompt_id: _, ...rest } = captured;
  return {
    ...rest,
    session_id: place.session,
    transcript_path: place.transcript,
    cwd: place.cwd,
    ...(place.promptId === undefined ? {} : { prompt_id: place.promptId }),
    ...fields,
  };
}

interface Handler {
  readonly type: string;
  readonly command: string;
  readonly args?: readonly string[];
}

/** The handlers of the user's and the project's settings whose matcher fits; the same one runs once. */
function registered(place: HookPlace, event: string, matched: string): Handler[] {
  const handlers = new Map<string, Handler>();
  for (
    const path of [`${place.home}/.claude/settings.json`, `${place.cwd}/.claude/settings.json`]
  ) {
    const groups = settingsOf(path).hooks?.[event] ?? [];
    for (const { matcher = "", hooks = [] } of groups) {
      if (!fits(matcher, matched)) continue;
      for (const handler of hooks) {
        if (handler.type === "command") handlers.set(JSON.stringify(handler), handler);
      }
    }
  }
  return [...handlers.values()];
}

interface Settings {
  readonly hooks?: Readonly<
    Record<string, readonly { readonly matcher?: string; readonly hooks?: readonly Handler[] }[]>
  >;
}

export function settingsOf(path: string): Settings {
  try {
    return parse(Deno.readTextFileSync(path).replace(/^\ufeff/, "")) ?? {};
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

/** Plain names are compared whole; everything else is a pattern without anchors. */
function fits(matcher: string, value: string): boolean {
  if (matcher === "" || matcher === "*") return true;
  if (/^[\w\-,| ]+$/.test(matcher)) {
    return matcher.split(/[|,]/).map((n) => n.trim()).includes(value);
  }
  return new RegExp(matcher).test(value);
}

async function runOne(
  place: HookPlace,
  event: string,
  { command, args }: Handler,
  payload: Readonly<Record<string, unknown>>,
): Promise<{ command: string; stdout: string }> {
  const [program, words] = args === undefined ? ["sh", ["-c", command]] : [command, [...args]];
  const child = new Deno.Command(program, {
    args: words,
    cwd: place.cwd,
    env: environmentOf(place, event),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { killedAfterMs } = place;
  const spare = killedAfterMs === undefined ? () => {} : killAfter(child, killedAfterMs);
  const { code, signal, stdout, stderr } = await ended(
    `the hook ${event}`,
    child,
    JSON.stringify(payload),
  );
  spare();
  if (signal === "SIGKILL") return { command, stdout: "" };
  const said = stderr.trim();
  if (code !== 0 || said !== "") throw new Error(`hook ${event} ended with ${code}: ${said}`);
  return { command: [command, ...args ?? []].join(" "), stdout };
}

/** As captured, with this world's home, project, session and process. */
export function environmentOf(
  place: Omit<HookPlace, "promptId" | "transcript" | "killedAfterMs">,
  event: string,
): Record<string, string> {
  const name = event === "mcp"
    ? "plugin.mcp-server"
    : ENVIRONMENTS.includes(event)
    ? event
    : "Stop";
  const { env } = JSON.parse(
    Deno.readTextFileSync(new URL(`env/${name}.json`, FIXTURE)),
  ) as { env: Record<string, string> };
  const inPlugin = /^CLAUDE_PLUGIN_/;
  const kept = Object.entries(env).filter(([key]) => !inPlugin.test(key));
  return {
    ...Object.fromEntries(kept),
    // Captured of -p; a person is at this one.
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_CODE_SESSION_ATTENDED: "1",
    HOME: place.home,
    PATH: "/usr/bin:/bin",
    CLAUDE_PROJECT_DIR: place.cwd,
    CLAUDE_CODE_SESSION_ID: place.session,
    ...(env.CLAUDE_PID === undefined ? {} : { CLAUDE_PID: String(place.pid) }),
    ...(env.CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS === undefined
      ? {}
      : { CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: place.session }),
  };
}

/** stdout that begins with a brace is JSON, anything else is text for the model. */
function read(stdout: string): { context: string; block?: string; notice?: string } {
  const text = stdout.trim();
  if (!text.startsWith("{")) return { context: text };
  const json = JSON.parse(text);
  const { hookEventName, additionalContext = "" } = json.hookSpecificOutput ?? {};
  const notice = typeof json.systemMessage === "string" ? { notice: json.systemMessage } : {};
  // At a stop the turn goes on with it.
  return hookEventName === "Stop"
    ? { context: "", block: additionalContext, ...notice }
    : { context: additionalContext, ...notice };
}
