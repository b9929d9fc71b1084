/**
 * Asks a session's server to run a command, because it has open and warm what this process would have to
 * load. Any server of this folder will do, since the person at the shell is not the child of one. Loads no
 * search and no memory.
 */
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { handOver, placeOf, SOCKETS_FOLDER } from "../memory/session/handover.ts";
import { locateState } from "../memory/session/state/peek.ts";
import type { Io } from "./io.ts";

/** What the server needs to print as this process would. */
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

/** Each costs a connection, and nobody has more sessions at a time. */
const SERVERS_MAX = 8;
/** How long a server that has begun to answer may be silent. */
const PATIENCE = { answerBytesMax: 16 * 1024 * 1024, answerMsMax: 250 };

/** Undefined if no server answers, for whatever reason: then nothing was printed. */
export async function askServer(argv: readonly string[], io: Io): Promise<Printed | undefined> {
  // A stack trace must be this process's own.
  if (io.binary === undefined || io.env("SAGE_DEBUG") === "1") return undefined;
  const cwd = io.cwd();
  const { env, isTerminal, columns, color } = io;
  const asked: Asked = { argv, cwd, isTerminal, columns, color };
  const { sockets, place } = findServers(env, cwd);
  for (const path of sockets) {
    const outcome = await handOver<Partial<Printed>>(path, { asked, cwd, place }, env, PATIENCE);
    // A late server has used up all the time.
    if (outcome === "late") return undefined;
    if (outcome !== "refused") return isPrinted(outcome.done) ? outcome.done : undefined;
  }
  return undefined;
}

/** All servers of this person; each knows whether it serves this folder. */
function findServers(
  env: Env,
  cwd: string,
): { readonly sockets: readonly string[]; readonly place: string } {
  try {
    const stateDir = locateState(env);
    const folder = join(stateDir, SOCKETS_FOLDER);
    const names = realFs.list(folder).map(({ name }) => name);
    const sockets = names.filter((name) => name.endsWith(".sock")).slice(0, SERVERS_MAX);
    return {
      sockets: sockets.map((name) => join(folder, name)),
      place: placeOf(realFs, cwd, stateDir),
    };
  } catch {
    // Without a folder of sockets, or a home: the command itself reports what is wrong.
    return { sockets: [], place: "" };
  }
}

function isPrinted(printed: Partial<Printed>): printed is Printed {
  return typeof printed.out === "string" && typeof printed.err === "string" &&
    Number.isInteger(printed.code);
}
