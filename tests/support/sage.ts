/**
 * The program as tests call it: `sage(args)` in process with an Io made for the test, `binary(args)`
 * as the built program. Both answer with what a shell would see.
 */
import { SageError } from "../../src/base/errors.ts";
import { type Io, withStatus } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import { tempDir } from "./temp_store.ts";
import { run } from "./within.ts";

export interface SageOptions {
  /** The home folder: nothing outside it and `cwd` is touched. */
  readonly home: string;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Bytes instead of text, for the built program. */
  readonly stdinBytes?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the standard streams are a terminal, all of them; in process only. */
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly color?: boolean;
  /** What a terminal sends, a key press each, where keys are read instead of lines. */
  readonly keys?: readonly string[];
  /** Another account for the built program, if tests run as root. */
  readonly uid?: number;
}

export interface SageResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process. */
export async function sage(args: readonly string[], options: SageOptions): Promise<SageResult> {
  const { io, written } = fakeIo(options);
  const code = await main(args, io);
  return { code, ...written() };
}

/** An Io over strings, for tests below main. */
export function fakeIo(
  options: SageOptions,
): { io: Io; written: () => { stdout: string; stderr: string } } {
  const { home, cwd = home, env = {}, terminal = false, columns = 80, color = false } = options;
  let [stdout, stderr, stdin] = ["", "", options.stdin ?? ""];
  const keys = [...options.keys ?? []];
  let isConnected = true;
  const io: Io = {
    cwd: () => cwd,
    env: (name) => ({ HOME: home, ...env })[name],
    isTerminal: { stdin: terminal, stdout: terminal, stderr: terminal },
    columns,
    color,
    binary: undefined,
    disconnect(keep) {
      if (keep === undefined) isConnected = false;
      return isConnected;
    },
    ...withStatus({
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
    }),
    readAll(bytesMax) {
      const text = stdin;
      stdin = "";
      return new TextEncoder().encode(text).length > bytesMax
        ? Promise.reject(new SageError("too_large", "Cannot read stdin: it is too large"))
        : Promise.resolve(text);
    },
    keyboard: options.keys === undefined
      ? undefined
      : { rows: 24, listen: (body) => body(() => Promise.resolve(keys.shift())) },
    readLine: () => Promise.resolve(line()),
    readRawLine() {
      const text = line();
      if (text === undefined) return Promise.resolve(undefined);
      return Promise.resolve({ bytes: new TextEncoder().encode(text), goesOn: false });
    },
    interruptible: () => ({ signal: new AbortController().signal, [Symbol.dispose]() {} }),
  };
  return { io, written: () => ({ stdout, stderr }) };

  function line(): string | undefined {
    if (stdin === "") return undefined;
    const end = stdin.indexOf("\n");
    const text = end < 0 ? stdin : stdin.slice(0, end);
    stdin = end < 0 ? "" : stdin.slice(end + 1);
    return text;
  }
}

/** The document of `--json`, with the exit code beside it. */
export async function sageJson(
  args: readonly string[],
  options: SageOptions,
): Promise<{ code: number; json: Record<string, unknown> }> {
  const { code, stdout } = await sage([...args, "--json"], options);
  return { code, json: JSON.parse(stdout) };
}

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

/** Whether there is a built program to run; a test that needs it says so and is skipped. */
export const hasBinary = exists(BINARY);

/** A test of the built program, passed over where there is none. */
export function builtTest(name: string, body: () => Promise<void>): void {
  Deno.test({ name, ignore: !hasBinary, fn: body });
}

/** Runs the built program as a process, with no environment but the given one. */
export async function binary(args: readonly string[], options: SageOptions): Promise<SageResult> {
  const { code, stdout, stderr } = await run(BINARY, {
    args: [...args],
    cwd: options.cwd ?? options.home,
    env: { HOME: options.home, ...options.env },
    clearEnv: true,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    input: options.stdinBytes ?? options.stdin ?? "",
  });
  return { code, stdout, stderr };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A home and a project folder in it, removed by the operating system's own rules. */
export function scratch(): { home: string; cwd: string } {
  const home = tempDir();
  const cwd = `${home}/project`;
  Deno.mkdirSync(cwd);
  return { home, cwd };
}
