/**
 * Hands work to the server of a session: `sage mcp`, started by an editor, has loaded what each short process
 * would have to load anew. It listens on a socket in the state folder, named by the process that started it,
 * and takes work from the same program of the same person:
 *
 *     process  {"program": …, "before": …, …}    which build this is, until when to begin, and the work
 *     server   {"begun": true}                   it has begun; from now on the work is the server's
 *     server   {…}                               what came of it
 *
 * One line each. After any other answer, or none in time, the process does the work itself. The request is
 * a single line, because each line wakes a sleeping processor.
 */
import { buildInfo } from "../../base/build_info.ts";
import { now, zoneOffsets } from "../../base/clock.ts";
import type { Env } from "../../base/environment.ts";
import { parsed } from "../../base/fields.ts";
import { type Fs, realFs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { pidNamespace } from "../../base/host.ts";
import { connectLocal } from "../../base/local_socket.ts";

/** Below the state folder. */
export const SOCKETS_FOLDER = "hooks";
export const BEGUN = '{"begun":true}';
/** A busy server begins later than this; then the process is faster by itself. */
const BEGIN_MS_MAX = 50;
/**
 * Further time to read `begun`, for a process that was not scheduled meanwhile. The server begins nothing
 * after `before`, and has written `begun` to the socket by then, so no work is done twice.
 */
const HEAR_MS = 5;
const BEGUN_BYTES_MAX = 4096;

export interface Handover {
  readonly program: string;
  /** Milliseconds since the epoch: work that has not begun by then is done by the process. */
  readonly before: number;
  /** The environment variables that Sage reads. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `refused`: nobody listens, or another build does. `late`: the server is busy. */
type HandedOver<T> = { readonly done: T } | "refused" | "late";

interface Patience {
  readonly answerBytesMax: number;
  readonly answerMsMax?: number;
}

/** The socket of the server that process `pid` started; it can be reached on this machine only. */
export function socketPath(stateDir: string, pid: number): string {
  const space = pidNamespace();
  return join(stateDir, SOCKETS_FOLDER, `${pid}${space === "" ? "" : `-${space}`}.sock`);
}

/**
 * Two builds must not do each other's work: the executable's file tells them apart, even where it
 * was replaced.
 */
export function programId(fs: Fs): string {
  const file = fs.lstat(Deno.execPath());
  return [buildInfo?.version, buildInfo?.commit, file?.size, file?.mtimeMs].join(" ");
}

/**
 * Equal for two processes of one person for which these paths are the same folder and the same state, and
 * which have the same time zone.
 */
export function placeOf(fs: Fs, cwd: string, stateDir: string): string {
  const folders = [cwd, stateDir].map((path) => fs.lstat(path));
  return [Deno.uid(), ...folders.flatMap((info) => [info?.device, info?.inode]), ...zoneOffsets()]
    .join(" ");
}

/**
 * Has the server behind the socket do the work. After anything but `done` the process has to do it: nothing
 * was begun, or the server ended in the middle of it.
 */
export async function handOver<T>(
  path: string,
  work: Readonly<Record<string, unknown>>,
  env: Env,
  { answerBytesMax, answerMsMax = Infinity }: Patience,
): Promise<HandedOver<T>> {
  const socket = await connectLocal(path);
  if (socket === undefined) return "refused";
  try {
    const handover: Handover = {
      program: programId(realFs),
      before: now() + BEGIN_MS_MAX,
      variables: variablesOf(env),
    };
    // A frozen server accepts no more than its socket holds.
    const heard = socket.writeLine(JSON.stringify({ ...handover, ...work }))
      .then(() => socket.readLine(BEGUN_BYTES_MAX));
    let begun = await within(BEGIN_MS_MAX, heard);
    if (begun === LATE) begun = await within(HEAR_MS, heard);
    if (begun !== BEGUN) return begun === LATE ? "late" : "refused";
    const line = await within(answerMsMax, socket.readLine(answerBytesMax));
    const done = typeof line === "string" ? parseLine<T>(line) : undefined;
    return done === undefined ? "late" : { done };
  } finally {
    socket.close();
  }
}

/** Undefined for what is no JSON, and for no line. */
export function parseLine<T>(line: string | undefined): T | undefined {
  return (line === undefined ? undefined : parsed(line)) as T | undefined;
}

/**
 * When Sage runs from its sources the names of variables are not known without loading the table of
 * settings.
 */
function variablesOf(env: Env): Readonly<Record<string, string>> {
  return Object.fromEntries((buildInfo?.variables ?? []).flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  }));
}

const LATE = Symbol();

async function within(
  ms: number,
  line: Promise<string | undefined>,
): Promise<string | undefined | typeof LATE> {
  if (ms === Infinity) return await line;
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => resolve(LATE), ms);
  const first = await Promise.race([line, promise]);
  clearTimeout(timer);
  return first;
}
