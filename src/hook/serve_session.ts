/**
 * The session's server takes work from other processes of the same program: hooks of its editor,
 * and questions of a command line. The other end of memory/session/handover.ts.
 */
import { unlessGone } from "../base/attempt.ts";
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { codeOf } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { HOOK_INPUT_BYTES_MAX } from "../base/limits.ts";
import { connectLocal, listenLocal } from "../base/local_socket.ts";
import type { HookInput } from "../editor/editor.ts";
import {
  BEGUN,
  type Handover,
  parseLine,
  placeOf,
  programId,
  socketPath,
  SOCKETS_FOLDER,
} from "../memory/session/handover.ts";
import { locateState } from "../memory/session/state/peek.ts";
import type { Outcome } from "./delegate.ts";
import type { EventQueue } from "./event_queue.ts";
import { handle } from "./work.ts";

export interface Server {
  readonly env: Env;
  readonly queue: EventQueue;
  /** The project's folder. Commands from elsewhere are refused: each would leave indexes open. */
  folder(): Promise<string>;
  /** The output for a command line; undefined if the command has to run by itself. */
  answer(asked: unknown, env: Env): Promise<unknown>;
}

/** A hook's event or a command line; `cwd` and `place` say where it was run. */
type Work =
  & Handover
  & (
    | { readonly input: HookInput }
    | { readonly asked: unknown; readonly cwd: string; readonly place: string }
  );

/**
 * Listens until it is closed. Undefined if the system has no such sockets, or if Sage has kept nothing so
 * far: then there are no hooks either. Throws where it can have no folder for its socket.
 */
export async function serveSession(server: Server): Promise<{ close(): void } | undefined> {
  const stateDir = locateState(server.env);
  if (realFs.lstat(stateDir) === undefined) return undefined;
  const program = programId(realFs);
  const folder = join(stateDir, SOCKETS_FOLDER);
  realFs.makeDir(folder, 0o700);
  // A folder that was restored from a copy may be open to others.
  realFs.chmod(folder, 0o700);
  await sweepSockets(folder);
  return listenLocal(realFs, socketPath(stateDir, Deno.ppid), async (socket) => {
    const work = parseLine<Work>(await socket.readLine(HOOK_INPUT_BYTES_MAX));
    if (work?.program !== program || !await isHere(work, stateDir, server)) return;
    // `BEGUN` goes out before the time is checked: a process that has not heard it by then works by
    // itself.
    if (!await socket.writeLine(BEGUN) || now() >= work.before) return;
    const outcome = await outcomeOf(work, stateDir, server);
    if (outcome !== undefined) await socket.writeLine(JSON.stringify(outcome));
  });
}

/**
 * Whether a command runs in this server's folder, and means the same folder by it (containers share
 * homes).
 */
async function isHere(work: Work, stateDir: string, { folder }: Server): Promise<boolean> {
  if ("input" in work) return true;
  return `${work.cwd}/`.startsWith(`${realFs.realPath(await folder())}/`) &&
    placeOf(realFs, work.cwd, stateDir) === work.place;
}

async function outcomeOf(
  work: Work,
  stateDir: string,
  { queue, answer }: Server,
): Promise<unknown> {
  const env: Env = (name) => work.variables[name];
  if ("asked" in work) return await answer(work.asked, env);
  try {
    return { reply: await handle(work.input, env, stateDir, queue) } satisfies Outcome;
  } catch (error) {
    return { failed: codeOf(error) } satisfies Outcome;
  }
}

/** Deletes sockets of servers that were killed. */
async function sweepSockets(folder: string): Promise<void> {
  for (const { name } of realFs.list(folder)) {
    const path = join(folder, name);
    const other = await connectLocal(path);
    if (other !== undefined) other.close();
    else unlessGone(() => realFs.unlink(path));
  }
}
