/**
 * The way to the server of a session: `sage mcp`, started by an editor, has loaded and warmed what a short
 * process would load anew. It listens on a socket in the state folder, named by the process that started
 * it, and takes work from the same program of the same person:
 *
 *     process  {"program": …}            which build this is, and what else must be the same
 *     server   {"variables": […]}        which variables of the environment it goes by
 *     process  {…, "variables": {…}}     from here on the work is the server's
 *     server   {…}                       what came of it
 *
 * A line each. Whatever comes differently, or not in time, leaves the work with the process.
 */
import { buildInfo } from "../../base/build_info.ts";
import { parsed } from "../../base/fields.ts";
import { type Fs, join } from "../../base/fs.ts";
import { connectLocal, type LocalSocket } from "../../base/local_socket.ts";

/** Below the state folder. */
export const SOCKETS_FOLDER = "hooks";
/** A server that is at something else answers later than this; then the process is faster by itself. */
const READY_MS_MAX = 50;
const VARIABLES_BYTES_MAX = 64 * 1024;

type Env = (name: string) => string | undefined;

export interface Hello {
  readonly program: string;
  /** Where a command was called, and how `placeOf` tells that folder from others. */
  readonly cwd?: string;
  readonly place?: string;
}

/** A server that takes the work, and the variables that it wants to know. */
export interface Ready {
  readonly socket: LocalSocket;
  readonly names: readonly string[];
}

/** Where the server listens that the process `pid` started. */
export function socketPath(stateDir: string, pid: number): string {
  return join(stateDir, SOCKETS_FOLDER, `${pid}.sock`);
}

/** Two builds may not do each other's work: which file runs tells them apart, also where it was replaced. */
export function programId(fs: Fs): string {
  const file = fs.lstat(Deno.execPath());
  return [buildInfo?.version, buildInfo?.commit, file?.size, file?.mtimeMs].join(" ");
}

/** The same for two processes of one person that see one folder, and keep one state, under these names. */
export function placeOf(fs: Fs, cwd: string, stateDir: string): string {
  const folders = [cwd, stateDir].map((path) => fs.lstat(path));
  return [Deno.uid(), ...folders.flatMap((info) => [info?.device, info?.inode])].join(" ");
}

/** Undefined where nobody is there, or somebody else, or who is busy. */
export async function greet(path: string, hello: Hello): Promise<Ready | undefined> {
  const socket = await connectLocal(path);
  if (socket === undefined) return undefined;
  await socket.writeLine(JSON.stringify(hello));
  const line = await within(READY_MS_MAX, socket.readLine(VARIABLES_BYTES_MAX));
  const names = parseLine<{ variables: readonly string[] }>(line)?.variables;
  if (Array.isArray(names)) return { socket, names };
  socket.close();
  return undefined;
}

/** What came of the work, as the server says it; undefined where the process is to do it itself. */
export async function handOver<T>(
  { socket, names }: Ready,
  work: Readonly<Record<string, unknown>>,
  env: Env,
  { bytesMax, answerMsMax = Infinity }: { bytesMax: number; answerMsMax?: number },
): Promise<T | undefined> {
  try {
    const variables = Object.fromEntries(names.flatMap((name) => {
      const value = env(name);
      return value === undefined ? [] : [[name, value] as const];
    }));
    if (!await socket.writeLine(JSON.stringify({ ...work, variables }))) return undefined;
    return parseLine<T>(await within(answerMsMax, socket.readLine(bytesMax)));
  } finally {
    socket.close();
  }
}

/** Undefined for what is no JSON, and for no line at all. */
export function parseLine<T>(line: string | undefined): T | undefined {
  return (line === undefined ? undefined : parsed(line)) as T | undefined;
}

async function within(ms: number, line: Promise<string | undefined>): Promise<string | undefined> {
  if (ms === Infinity) return await line;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms);
  const first = await Promise.race([line, promise]);
  clearTimeout(timer);
  return first;
}
