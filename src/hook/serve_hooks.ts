/** The other end of delegate.ts, in the server of a session. */
import { codeOf } from "../base/errors.ts";
import { ENVIRONMENT } from "../base/environment.ts";
import { join, realFs } from "../base/fs.ts";
import { HOOK_INPUT_BYTES_MAX } from "../base/limits.ts";
import { connectLocal, listenLocal, type LocalSocket } from "../base/local_socket.ts";
import { settingVariables } from "../config/values.ts";
import { AGENT_VARIABLES } from "../editor/agent_shell.ts";
import { unlessGone } from "../memory/sweep_state.ts";
import { locateState } from "../memory/session/peek.ts";
import {
  type Handover,
  type Outcome,
  parse,
  programId,
  socketPath,
  SOCKETS_FOLDER,
} from "./delegate.ts";
import type { EventQueue } from "./event_queue.ts";
import type { Env } from "./handler.ts";
import { handle } from "./work.ts";

const VARIABLES = [...ENVIRONMENT, ...AGENT_VARIABLES, "SAGE_HOME", ...settingVariables()];

/**
 * Listens for the hooks of the editor that started this process, until it is closed. Undefined where
 * that cannot be, or where nothing of Sage's was kept yet: then there are no hooks either.
 */
export async function serveHooks(
  env: Env,
  queue: EventQueue,
): Promise<{ close(): void } | undefined> {
  const stateDir = locateState(env);
  if (realFs.lstat(stateDir) === undefined) return undefined;
  const program = programId(realFs);
  try {
    realFs.makeDir(join(stateDir, SOCKETS_FOLDER), 0o700);
    await sweepSockets(join(stateDir, SOCKETS_FOLDER));
  } catch {
    return undefined;
  }
  return listenLocal(
    realFs,
    socketPath(stateDir),
    (socket) => serve(socket, program, (handover) => outcomeOf(handover, stateDir, queue)),
  );
}

async function serve(
  socket: LocalSocket,
  program: string,
  answer: (handover: Handover) => Promise<Outcome>,
): Promise<void> {
  const hello = parse<{ program: string }>(await socket.readLine(HOOK_INPUT_BYTES_MAX));
  if (hello?.program !== program) return;
  await socket.writeLine(JSON.stringify({ variables: VARIABLES }));
  // A hook that has not waited says nothing more, and has done it itself.
  const handover = parse<Handover>(await socket.readLine(HOOK_INPUT_BYTES_MAX));
  if (handover === undefined) return;
  await socket.writeLine(JSON.stringify(await answer(handover)));
}

async function outcomeOf(
  { input, variables }: Handover,
  stateDir: string,
  queue: EventQueue,
): Promise<Outcome> {
  try {
    return { reply: await handle(input, (name) => variables[name], stateDir, queue) };
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
