/**
 * `sage mcp`: the server on stdin and stdout, for as long as the client lives. stdout carries the
 * protocol and nothing else, so console is redirected to stderr before anything heavy is loaded.
 */
// deno-lint-ignore-file no-console -- stderr is the only place left to say something
import { messageOf } from "../base/errors.ts";
import { type Env, namedEnv } from "../base/environment.ts";
import { pause } from "../base/clock.ts";
import { realFs } from "../base/fs.ts";
import { slashed } from "../base/path.ts";
import { findHome } from "../base/home.ts";
import { MCP_FINISH_MS_MAX } from "../base/limits.ts";
import { giveUpNetwork } from "../base/network.ts";
import { processEnd } from "../base/process_end.ts";
import { cut } from "../base/text/text.ts";
import type { Opened } from "../memory/memory.ts";
import type { Profile } from "./profile.ts";

export interface McpOptions {
  /** Default: the one in the settings. */
  readonly profile: Profile | undefined;
  /** `--project`. */
  readonly project: string | undefined;
  /**
   * Returns what a command line of another process would print; undefined if that process
   * has to run it itself.
   */
  answerCommand(asked: unknown, env: Env, opened: Opened): Promise<unknown>;
}

/** Returns the exit code once the client is gone. */
export async function main({ profile, project, answerCommand }: McpOptions): Promise<number> {
  keepStdoutClean();
  surviveStrays();
  const ended = processEnd();
  const [
    { keepMaps },
    { clientFolder },
    { lendMemory, profileOf },
    { stdioTransport },
    { toolsOf },
  ] = await Promise
    .all([
      import("./keep_maps.ts"),
      import("./roots.ts"),
      import("./lend.ts"),
      import("./stdio.ts"),
      import("./tools/table.ts"),
    ]);
  const [
    { dualProtocol: bothEras },
    { createMethods, toldOnce },
    { serverOf },
    { serverInstructions },
    { closeOpened },
    { queueEvents },
  ] = await Promise.all([
    import("./dual_protocol.ts"),
    import("./methods.ts"),
    import("./server.ts"),
    import("../memory/instructions.ts"),
    import("../memory/memory.ts"),
    import("../hook/event_queue.ts"),
  ]);

  const env = namedEnv((name) => Deno.env.get(name));
  const folder = clientFolder(workingFolder(env));
  const opened: Opened = { indexes: new Map() };
  const events = queueEvents(opened);
  const lent = lendMemory({ opened, env, project, cwd: folder.now, confine: giveUpNetwork });
  // Opens memory once before anything is answered, because that drops the network permission.
  const wanted = await profileOf(lent);
  const { use, finish } = keepMaps(lent, say);
  const methods = toldOnce(createMethods({
    use,
    tools: toolsOf(profile ?? wanted),
    instructions: serverInstructions,
    // Set by Claude Code if the server belongs to a plugin.
    hasCommands: env("CLAUDE_PLUGIN_ROOT") !== undefined,
    async answerHook(args) {
      const { answerTool } = await import("../hook/answer_tool.ts");
      return await answerTool(args, env, events);
    },
    report: say,
  }));
  const server = serverOf(methods, { asks: true, greet: folder.greet });
  // If the environment names the project, the client is not asked for its roots.
  if (!env("CLAUDE_PROJECT_DIR")) folder.follow(server);
  server.onerror = say;
  const transport = stdioTransport({ input: Deno.stdin, output: Deno.stdout });
  await server.connect(bothEras(transport, methods));
  const { serveSession } = await import("../hook/serve_session.ts");
  const session = await serveSession({
    env,
    queue: events,
    folder: folder.now,
    answer: (asked, env) => answerCommand(asked, env, opened),
  }).catch(say);
  const life = await holdEditor(env).catch(say);
  let isGone = false;
  if (session !== undefined) {
    const { warmUp } = await import("../hook/warm_up.ts");
    warmUp(env, folder.now, opened, () => isGone).catch(say);
  }
  const { finishDeadSessions } = await import("./finish_dead_sessions.ts");
  finishDeadSessions(use, () => isGone).catch(say);

  const cause = await Promise.race([ended, transport.gone]);
  isGone = true;
  session?.close();
  // Requests from before the client closed its end are still answered, within a time limit.
  if (cause === undefined) {
    await Promise.race([transport.settled().then(finish), pause(MCP_FINISH_MS_MAX)]);
  }
  // Work that hooks were already answered for.
  await Promise.race([events.settled(), pause(MCP_FINISH_MS_MAX)]);
  await server.close();
  closeOpened(opened);
  life?.release();
  return 0;
}

/** Holds a lock that shows other processes that the editor runs, on systems that do not tell. */
async function holdEditor(env: Env): Promise<{ release(): void } | undefined> {
  const { showLiveness: holdLife } = await import("../memory/session/liveness.ts");
  const { locateState } = await import("../memory/session/state/peek.ts");
  return holdLife(realFs, locateState(env), Deno.ppid);
}

/** Redirects console output, so that nothing a package prints reaches the client as protocol. */
function keepStdoutClean(): void {
  for (const name of Object.keys(console)) {
    if (name === "error" || name === "warn" || name === "assert") continue;
    Object.defineProperty(console, name, { value: toStderr, configurable: true, writable: true });
  }
}

function toStderr(...parts: unknown[]): void {
  console.error(...parts);
}

/** One short line, because what a client sent does not belong in a log. */
function say(error: unknown): void {
  console.error(`sage mcp: ${cut(messageOf(error), 200)}`);
}

/** A rejected promise that nobody awaited must not end the server. */
function surviveStrays(): void {
  const survive = (event: Event, error: unknown): void => {
    event.preventDefault();
    say(error);
  };
  addEventListener("unhandledrejection", (event) => survive(event, event.reason));
  addEventListener("error", (event) => survive(event, event.error));
}

/** The client's project folder; the folder in which it started us may be gone by now. */
function workingFolder(env: Env): string {
  const project = env("CLAUDE_PROJECT_DIR");
  if (project !== undefined && project !== "") return slashed(project);
  try {
    return slashed(Deno.cwd());
  } catch {
    return findHome(env) || "/";
  }
}
