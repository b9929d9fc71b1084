/**
 * Waits with an end: what a test waits for comes soon or never, and the error says what did not come. An
 * endless wait would stop all tests without a word.
 */

/** Only something that hangs takes this long, even on a busy machine. */
export const WAIT_MS_MAX = 60_000;
const POLL_MS = 20;

/** The promise, or an error that names `what` after `msMax`. */
export async function within<T>(
  what: string,
  promise: Promise<T>,
  msMax: number = WAIT_MS_MAX,
): Promise<T> {
  let timer;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`Waited ${msMax / 1000} s in vain: ${what}`);
    timer = setTimeout(() => reject(error), msMax);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks until it is so; fails as `within()` does. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  msMax: number = WAIT_MS_MAX,
): Promise<void> {
  const end = performance.now() + msMax;
  while (!await within(what, Promise.resolve(isSo()), msMax)) {
    if (performance.now() > end) throw new Error(`Waited ${msMax / 1000} s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export interface Ended {
  readonly code: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Gives a process with three pipes its input and waits for its end and that of its output. One that takes
 * too long is killed; what it started may hold the pipes, and is not waited for.
 */
export async function ended(
  what: string,
  child: Deno.ChildProcess,
  input: string | Uint8Array = "",
  msMax: number = WAIT_MS_MAX,
): Promise<Ended> {
  const given = give(child, input);
  const all = Promise.all([child.output(), given]);
  const [{ code, signal, stdout, stderr }] = await orKilled(what, child, all, msMax);
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, signal, stdout: decode(stdout), stderr: decode(stderr) };
}

/** A program that ends without reading its input closes the pipe; that is no failure of the test. */
async function give(
  child: Deno.ChildProcess,
  input: string | Uint8Array,
): Promise<void> {
  const writer = child.stdin.getWriter();
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  await writer.write(bytes).catch(() => {});
  await writer.close().catch(() => {});
}

export interface RunOptions extends Omit<Deno.CommandOptions, "stdin" | "stdout" | "stderr"> {
  readonly input?: string | Uint8Array;
  readonly msMax?: number;
}

/** Runs a program to its end, as `ended()` does. */
export async function run(program: string | URL, options: RunOptions = {}): Promise<Ended> {
  const { input, msMax, ...command } = options;
  const piped = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(program, { ...command, ...piped }).spawn();
  return await ended([program, ...options.args ?? []].join(" "), child, input, msMax);
}

/** Like `within()`, but kills the process at the end. */
export async function orKilled<T>(
  what: string,
  child: Deno.ChildProcess,
  promise: Promise<T>,
  msMax: number = WAIT_MS_MAX,
): Promise<T> {
  try {
    return await within(what, promise, msMax);
  } catch (error) {
    kill(child);
    throw error;
  }
}

/** Ends a process that may have ended by itself. */
export function kill(child: Deno.ChildProcess, signal: Deno.Signal = "SIGKILL"): void {
  try {
    child.kill(signal);
  } catch {
    // It had.
  }
}
