/**
 * The server of a session takes work from other processes of the same program: the other end of
 * memory/session/handover.ts. Hooks of its editor, and questions that a command line was asked.
 */
import { codeOf } from "../base/errors.ts";
import { ENVIRONMENT } from "../base/environment.ts";
import { join, realFs } from "../base/fs.ts";
import { HOOK_INPUT_BYTES_MAX } from "../base/limits.ts";
import { connectLocal, listenLocal, type LocalSocket } from "../base/local_socket.ts";
import { settingVariables } from "../config/values.ts";
import { AGENT_VARIABLES } from "../editor/agent_shell.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import {
  type Hello,
  parseLine,
  placeOf,
  programId,
  socketPath,
  SOCKETS_FOLDER,
} from "../memory/session/handover.ts";
import { locateState } from "../memory/session/peek.ts";
import { unlessGone } from "../memory/sweep_state.ts";
import type { Outcome } from "./delegate.ts";
import type { EventQueue } from "./event_queue.ts";
import type { Env } from "./handler.ts";
import { handle } from "./work.ts";

const VARIABLES = [...ENVIRONMENT, ...AGENT_VARIABLES, "SAGE_HOME", ...settingVariables()];

export interface Server {
  readonly env: Env;
  readonly queue: EventQueue;
  /** The project's folder. Commands that were called elsewhere would open indexes for good. */
  folder(): Promise<string>;
  /** What a command line would have printed for `asked`; undefined where it has to do so itself. */
  answer(asked: unknown, env: Env): Promise<unknown>;
}

type Handover =
  & { readonly variables: Readonly<Record<string, string>> }
  & (
    | { readonly input: HookInput }
    | { readonly asked: unknown }
  );

/**
 * Listens until it is closed. Undefined where that cannot be, or where nothing of Sage's was kept yet:
 * then there are no hooks either.
 */
export async function serveSession(server: Server): Promise<{ close(): void } | undefined> {
  const stateDir = locateState(server.env);
  if (realFs.lstat(stateDir) === undefined) return undefined;
  const program = programId(realFs);
  try {
    realFs.makeDir(join(stateDir, SOCKETS_FOLDER), 0o700);
    await sweepSockets(join(stateDir, SOCKETS_FOLDER));
  } catch {
    return undefined;
  }
  const isMeant = async (hello: Hello | undefined): Promise<boolean> =>
    hello?.program === program &&
    (hello.cwd === undefined ||
      placeOf(realFs, hello.cwd, stateDir) === hello.place &&
        `${hello.cwd}/`.startsWith(`${await server.folder()}/`));
  return listenLocal(realFs, socketPath(stateDir, Deno.ppid), async (socket) => {
    if (await isMeant(parseLine(await socket.readLine(HOOK_INPUT_BYTES_MAX)))) {
      await serve(socket, stateDir, server);
    }
  });
}

async function serve(
  socket: LocalSocket,
  stateDir: string,
  { queue, answer }: Server,
): Promise<void> {
  await socket.writeLine(JSON.stringify({ variables: VARIABLES }));
  // Who has not waited says nothing more, and has done it itself.
  const handover = parseLine<Handover>(await socket.readLine(HOOK_INPUT_BYTES_MAX));
  if (handover === undefined) return;
  const env: Env = (name) => handover.variables[name];
  const outcome = "input" in handover
    ? await outcomeOf(handle(handover.input, env, stateDir, queue))
    : await answer(handover.asked, env);
  if (outcome !== undefined) await socket.writeLine(JSON.stringify(outcome));
}

async function outcomeOf(work: Promise<HookReply>): Promise<Outcome> {
  try {
    return { reply: await work };
  } catch (error) {
    return { failed: codeOf(error) };
  }
}

/** What servers that were killed left behind. */
async function sweepSockets(folder: string): Promise<void> {
  for (const { name } of realFs.list(folder)) {
    const path = join(folder, name);
    const other = await connectLocal(path);
    if (other !== undefined) other.close();
    else unlessGone(() => realFs.unlink(path));
  }
}
