/**
 * A command asks the server of a session, which has open and warm what it would open and load. Who types
 * it is not the server's parent: any that serves this folder will do. Loads no search and no memory.
 */
import type { Env } from "../base/environment.ts";
import { join, realFs } from "../base/fs.ts";
import {
  greet,
  handOver,
  type Hello,
  placeOf,
  programId,
  type Ready,
  SOCKETS_FOLDER,
} from "../memory/session/handover.ts";
import { locateState } from "../memory/session/peek.ts";
import type { Io } from "./io.ts";

/** What the server needs to print what this process would. */
export type Asked = Pick<Io, "isTerminal" | "columns" | "color"> & {
  readonly argv: readonly string[];
  readonly cwd: string;
};

/** All that was printed. */
export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Newer sessions than that are not asked either. */
const SERVERS_MAX = 8;
/** From there on the process does it itself: a server that is frozen since it said that it is ready. */
const ANSWER_MS_MAX = 250;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Undefined where no server answers, for whatever reason: then nothing was printed. */
export async function askServer(argv: readonly string[], io: Io): Promise<Printed | undefined> {
  // A stack is to be that of this process.
  if (io.binary === undefined || io.env("SAGE_DEBUG") === "1") return undefined;
  const env: Env = (name) => io.env(name);
  const cwd = io.cwd();
  const ready = await findServer(env, cwd);
  if (ready === undefined) return undefined;
  const { isTerminal, columns, color } = io;
  const asked: Asked = { argv, cwd, isTerminal, columns, color };
  const how = { bytesMax: ANSWER_BYTES_MAX, answerMsMax: ANSWER_MS_MAX };
  const printed = await handOver<Partial<Printed>>(ready, { asked }, env, how);
  return isPrinted(printed) ? printed : undefined;
}

/** The first that is ready: all are greeted at once, and one may be frozen. */
async function findServer(
  env: Env,
  cwd: string,
): Promise<Ready | undefined> {
  try {
    const stateDir = locateState(env);
    const folder = join(stateDir, SOCKETS_FOLDER);
    const names = realFs.list(folder).map(({ name }) => name).filter((name) =>
      name.endsWith(".sock")
    );
    if (names.length === 0) return undefined;
    const hello: Hello = {
      program: programId(realFs),
      cwd,
      place: placeOf(realFs, cwd, stateDir),
    };
    return await firstReady(
      names.slice(0, SERVERS_MAX).map((name) => greet(join(folder, name), hello)),
    );
  } catch {
    // No folder of sockets, or no home: who does the work says what is wrong.
    return undefined;
  }
}

async function firstReady(
  greeted: readonly Promise<Ready | undefined>[],
): Promise<Ready | undefined> {
  const { promise, resolve } = Promise.withResolvers<Ready | undefined>();
  let isTaken = false;
  const all = greeted.map(async (one) => {
    const ready = await one;
    if (ready === undefined) return;
    if (isTaken) ready.socket.close();
    isTaken = true;
    resolve(ready);
  });
  Promise.all(all).then(() => resolve(undefined));
  return await promise;
}

function isPrinted(printed: Partial<Printed> | undefined): printed is Printed {
  return typeof printed?.out === "string" && typeof printed.err === "string" &&
    Number.isInteger(printed.code);
}
