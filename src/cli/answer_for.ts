/**
 * Runs a command for another process (ask_server.ts): the same function, on an Io that keeps what it prints.
 * A session's server does this.
 */
import type { Env } from "../base/environment.ts";
import { ERRORS, SageError } from "../base/errors.ts";
import type { Opened } from "../memory/memory.ts";
import type { Asked, Printed } from "./ask_server.ts";
import type { Io } from "./io.ts";
import { main } from "./main.ts";
import { resolve } from "./resolve.ts";

/** Found, or not found. Other failures may not happen in the asking process: it has a network, say. */
const ANSWERS: readonly number[] = [0, ERRORS.not_found.exit];

/** Undefined if the asking process has to run it itself. */
export async function answerFor(
  asked: unknown,
  env: Env,
  opened: Opened,
): Promise<Printed | undefined> {
  const { argv, cwd, isTerminal, columns, color } = asked as Asked;
  const resolved = await resolve(argv, { fallback: true });
  if (resolved.kind === "group" || resolved.named.command.isServed !== true) return undefined;
  let [out, err] = ["", ""];
  const io: Io = {
    cwd: () => cwd,
    env,
    isTerminal,
    columns,
    color,
    disconnect(keep) {
      if (keep !== undefined) {
        throw new SageError("unreachable", `This server cannot reach ${keep}`);
      }
      return false;
    },
    binary: undefined,
    opened,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    status: () => {},
    readAll: () => Promise.resolve(""),
    readLine: () => Promise.resolve(undefined),
    readRawLine: () => Promise.resolve(undefined),
    interruptible: () => ({ signal: new AbortController().signal, [Symbol.dispose]() {} }),
    keyboard: undefined,
  };
  const code = await main(argv, io);
  return ANSWERS.includes(code) ? { out, err, code } : undefined;
}
