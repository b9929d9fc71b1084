/**
 * `sage mcp` as a process of its own, as a client starts it: pipes, an environment with nothing but
 * what is given, a home of its own. From the sources, or the built program with SAGE_TEST_BINARY=1.
 */
import { exists, makeFolder, remove } from "./disk.ts";
import { folders } from "./connect.ts";
import { kill, orKilled } from "../support/within.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const BINARY = `${ROOT}dist/sage`;

export interface Running {
  readonly pid: number;
  readonly home: string;
  readonly project: string;
  send(line: string | Uint8Array | object): Promise<void>;
  /** The next line of stdout, undefined at its end. */
  line(): Promise<string | undefined>;
  /** The answer to the request with this id; what comes before it is dropped. */
  answer(id: unknown): Promise<Record<string, unknown>>;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: unknown): Promise<Record<string, unknown>>;
  closeInput(): Promise<void>;
  kill(signal: Deno.Signal): void;
  /** The exit, with everything else that came on stdout. */
  ended(): Promise<{ code: number; signal: string | null; stderr: string }>;
  rest(): Promise<string>;
  remove(): void;
}

/** Whether there is a built program; a test that needs it is skipped without. */
export const hasBinary = exists(BINARY);

export function command(
  built = Deno.env.get("SAGE_TEST_BINARY") === "1",
): { program: string; args: string[] } {
  return built ? { program: BINARY, args: ["mcp"] } : {
    program: Deno.execPath(),
    args: ["run", "--no-check", "-A", "--config", `${ROOT}deno.json`, `${ROOT}main.ts`, "mcp"],
  };
}

export function environment(home: string, project: string): Record<string, string> {
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return { HOME: home, CLAUDE_PROJECT_DIR: project, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1" };
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly at?: { readonly home: string; readonly project: string };
  readonly env?: Readonly<Record<string, string>>;
}

export function start(options: StartOptions = {}): Running {
  const { home, project } = options.at ?? folders();
  makeFolder(`${project}/.sage`);
  const { program, args } = command();
  const child = new Deno.Command(program, {
    args: [...args, ...options.args ?? []],
    cwd: project,
    env: { ...environment(home, project), ...options.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  const stderr = new Response(child.stderr).text();
  const whole = child.status
    .then(async ({ code, signal }) => ({ code, signal, stderr: await stderr }));
  let id = 1000;

  const running: Running = {
    pid: child.pid,
    home,
    project,
    async send(line) {
      const bytes = line instanceof Uint8Array
        ? line
        : new TextEncoder().encode((typeof line === "string" ? line : JSON.stringify(line)) + "\n");
      await orKilled("the server to read", child, input.write(bytes));
    },
    line: async () => (await orKilled("a line of the server", child, lines.next())).value,
    async answer(id) {
      for (let line = await running.line(); line !== undefined; line = await running.line()) {
        const message = JSON.parse(line);
        if (message.id === id) return message;
      }
      throw new Error(`No answer to ${id}: ${await stderr}`);
    },
    async ask(method, params) {
      const request = {
        jsonrpc: "2.0",
        id: ++id,
        method,
        ...(params === undefined ? {} : { params }),
      };
      await running.send(request);
      return await running.answer(id);
    },
    closeInput: () => input.close().catch(() => {}),
    kill: (signal) => kill(child, signal),
    ended: () => orKilled("the end of the server", child, whole),
    async rest() {
      let text = "";
      for (let line = await running.line(); line !== undefined; line = await running.line()) {
        text += line + "\n";
      }
      return text;
    },
    remove: () => remove(home),
  };
  return running;
}

/** Runs the body with a server that is up, and ends it whatever happens. */
export async function withProcess(
  body: (running: Running) => Promise<void>,
  options: StartOptions = {},
): Promise<void> {
  const running = start(options);
  try {
    await running.ask("ping");
    await body(running);
  } finally {
    running.kill("SIGKILL");
    await running.closeInput();
    await running.rest();
    await running.ended();
    running.remove();
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let buffer = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    buffer += piece;
    let start = 0;
    for (let end = buffer.indexOf("\n"); end >= 0; end = buffer.indexOf("\n", start)) {
      yield buffer.slice(start, end);
      start = end + 1;
    }
    buffer = buffer.slice(start);
  }
  if (buffer !== "") yield buffer;
  return undefined;
}

/** Whether a process is still there. */
export function isAlive(pid: number): boolean {
  try {
    return Deno.statSync(`/proc/${pid}`).isDirectory;
  } catch {
    return false;
  }
}
