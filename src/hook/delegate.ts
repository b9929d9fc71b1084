/**
 * A hook's way to the server of its session: `sage mcp`, started by the same editor, has loaded and warmed
 * what the hook would load anew. It listens on a socket in the state folder, named by the process that
 * started both, and takes nothing but what a hook of the same program hands it.
 *
 *     hook    {"program": …}                    which build this is
 *     server  {"variables": […]}                which variables of the environment it goes by
 *     hook    {"input": …, "variables": {…}}    from here on the work is the server's
 *     server  {"reply": …} or {"failed": code}
 *
 * A line each. Whatever comes differently, or not in time, leaves the work with the hook.
 */
import { buildInfo } from "../base/build_info.ts";
import { parsed } from "../base/fields.ts";
import { type Fs, join, realFs } from "../base/fs.ts";
import { connectLocal, type LocalSocket } from "../base/local_socket.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import type { Env } from "./handler.ts";

/** Below the state folder. */
export const SOCKETS_FOLDER = "hooks";
/** A server that is at something else answers later than this; then the hook is faster by itself. */
const READY_MS_MAX = 50;
/** Of a line that the server says: a reply is bounded by what the editor takes. */
const LINE_BYTES_MAX = 256 * 1024;

export interface Handover {
  readonly input: HookInput;
  readonly variables: Readonly<Record<string, string>>;
}

export type Outcome = { readonly reply: HookReply } | { readonly failed: string };

/** The socket of the server that this process' parent started. */
export function socketPath(stateDir: string): string {
  return join(stateDir, SOCKETS_FOLDER, `${Deno.ppid}.sock`);
}

/** Two builds may not do each other's work: which file runs tells them apart, also where it was replaced. */
export function programId(fs: Fs): string {
  const file = fs.lstat(Deno.execPath());
  return [buildInfo?.version, buildInfo?.commit, file?.size, file?.mtimeMs].join(" ");
}

/** The server's reply; undefined where the work is still to be done. Throws what failed there. */
export async function delegate(
  input: HookInput,
  env: Env,
  stateDir: string,
): Promise<HookReply | undefined> {
  const socket = await connectLocal(socketPath(stateDir));
  if (socket === undefined) return undefined;
  try {
    const variables = await agree(socket);
    if (variables === undefined) return undefined;
    const known = variables.flatMap((name) => {
      const value = env(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const handover: Handover = { input, variables: Object.fromEntries(known) };
    if (!await socket.writeLine(JSON.stringify(handover))) return undefined;
    const outcome = parse<Outcome>(await socket.readLine(LINE_BYTES_MAX));
    if (outcome === undefined) return undefined;
    if ("reply" in outcome) return outcome.reply;
    throw Object.assign(new Error("the session's server failed"), { code: outcome.failed });
  } finally {
    socket.close();
  }
}

/** The variables that the server wants to know; undefined where it is another program, or late. */
async function agree(socket: LocalSocket): Promise<readonly string[] | undefined> {
  await socket.writeLine(JSON.stringify({ program: programId(realFs) }));
  let timer = 0;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), READY_MS_MAX);
  });
  const line = await Promise.race([socket.readLine(LINE_BYTES_MAX), late]);
  clearTimeout(timer);
  return parse<{ variables: readonly string[] }>(line)?.variables;
}

/** Undefined for what is no JSON, and for no line at all. */
export function parse<T>(line: string | undefined): T | undefined {
  return (line === undefined ? undefined : parsed(line)) as T | undefined;
}
