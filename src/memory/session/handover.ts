/**
 * The way to the server of a session: `sage mcp`, started by an editor, has loaded and warmed what a short
 * process would load anew. It listens on a socket in the state folder, named by the process that started
 * it, and takes work from the same program of the same person:
 *
 *     process  {"program": …, "before": …, …}    which build this is, until when to begin, and the work
 *     server   {"begun": true}                   it has heard; from here on the work is the server's
 *     server   {…}                               what came of it
 *
 * A line each. Whatever comes differently, or not in time, leaves the work with the process. All of it is
 * said at once, because a processor that sleeps is woken by each line.
 */
import { buildInfo } from "../../base/build_info.ts";
import { now, zoneOffsets } from "../../base/clock.ts";
import type { Env } from "../../base/environment.ts";
import { parsed } from "../../base/fields.ts";
import { type Fs, join, realFs } from "../../base/fs.ts";
import { pidNamespace } from "../../base/host.ts";
import { connectLocal } from "../../base/local_socket.ts";

/** Below the state folder. */
export const SOCKETS_FOLDER = "hooks";
export const BEGUN = '{"begun":true}';
/** A busy server begins later than this; then the process is faster by itself. */
const BEGIN_MS_MAX = 50;
/**
 * Time to hear that the work was begun, even for a process that was not scheduled meanwhile. After
 * `before` nothing is begun, and a word of what was begun earlier lies in the socket by then: so
 * nothing is done twice.
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
 * The same for two processes of one person that see one folder, and keep one state, under these
 * names, and have the same days.
 */
export function placeOf(fs: Fs, cwd: string, stateDir: string): string {
  const folders = [cwd, stateDir].map((path) => fs.lstat(path));
  return [Deno.uid(), ...folders.flatMap((info) => [info?.device, info?.inode]), ...zoneOffsets()]
    .join(" ");
}

/**
 * Has the server behind the socket do the work. After anything but `done` the process has to do it:
 * nothing was begun, unless a server broke off what it had begun.
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
