/**
 * `sage serve` for tests: the app without a port over a scratch home, and the real process on a port of
 * its own. Requests carry what a program's would; a test that attacks leaves parts out.
 */
import { createAccess } from "../../src/http/access.ts";
import { type App, createApp } from "../../src/http/app.ts";
import { type Changes, createChanges } from "../../src/http/changes.ts";
import { createStreams, type Streams } from "../../src/http/events.ts";
import { createLender, type Lender } from "../../src/http/lend.ts";
import { createMcpEndpoint } from "../../src/http/mcp.ts";
import { createMethods } from "../../src/mcp/methods.ts";
import type { Profile } from "../../src/mcp/profile.ts";
import { toolsOf } from "../../src/mcp/tools/table.ts";
import { serverInstructions } from "../../src/memory/instructions.ts";
import { type World, world, type WorldOptions } from "../support/world.ts";
import { kill, orKilled } from "../support/within.ts";

export const PORT = 7243;
/** What names the notes; the real one is made of their folders. */
export const PLACE = "0123456789abcdef";
export const BASE = `http://127.0.0.1:${PORT}`;

export interface Served extends AsyncDisposable {
  readonly world: World;
  readonly app: App;
  readonly lender: Lender;
  readonly changes: Changes;
  readonly streams: Streams;
  readonly token: string;
  /** A new one-time code. */
  code(): string;
  /** How many calls of MCP have come as far as memory. */
  calls(): number;
  /** Errors that only a bug can cause. */
  readonly bugs: unknown[];
  /** The same app, telling each time a request gets as far as memory, MCP or a stream. */
  watch(reached: () => void): App;
  /** As a program asks: with the token. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The body of a GET that must succeed. */
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  send(method: string, path: string, body: unknown, etag?: string): Promise<Response>;
  /** As the page asks, with its cookie and its header. */
  page(method: string, path: string, body?: unknown, etag?: string): Promise<Response>;
}

interface ServedOptions extends WorldOptions {
  readonly isOpen?: boolean;
  readonly profile?: Profile;
  /** Whether it may reach an embeddings server that is set. */
  readonly isConnected?: boolean;
}

export async function served(options: ServedOptions = {}): Promise<Served> {
  const place = await world(options);
  const where = {
    cwd: place.cwd,
    env: (name: string) => place.env[name],
    holder: "test",
    confine: () => options.isConnected ?? false,
  };
  const lender = createLender(where);
  const access = createAccess();
  const changes = createChanges(lender);
  const streams = createStreams(changes);
  const bugs: unknown[] = [];
  let calls = 0;
  const mcp = createMcpEndpoint(createMethods({
    use: (body) => (calls++, lender.write(body)),
    tools: toolsOf(options.profile ?? "standard"),
    instructions: serverInstructions,
  }));
  const parts = {
    ...{ lender, access, changes, streams, mcp },
    port: PORT,
    place: PLACE,
    isOpen: options.isOpen ?? false,
    report: (error: unknown) => void bugs.push(error),
  };
  const app = createApp(parts);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", `127.0.0.1:${PORT}`);
    if (!headers.has("authorization") && !headers.has("cookie")) {
      headers.set("authorization", `Bearer ${access.token}`);
    }
    return app(new Request(BASE + path, { ...init, headers }));
  };
  const json = (etag?: string): Record<string, string> => ({
    "content-type": "application/json",
    ...(etag === undefined ? {} : { "if-match": etag }),
  });
  let cookie: string | undefined;
  return {
    world: place,
    app,
    lender,
    changes,
    streams,
    token: access.token,
    code: () => access.code(),
    calls: () => calls,
    bugs,
    watch: (reached) =>
      createApp({
        ...parts,
        lender: {
          ...lender,
          read: (body, behindMsMax) => (reached(), lender.read(body, behindMsMax)),
          write: (body) => (reached(), lender.write(body)),
        },
        streams: { ...streams, open: (since) => (reached(), streams.open(since)) },
        mcp: { ...mcp, answer: (request, body) => (reached(), mcp.answer(request, body)) },
      }),
    ask,
    async get(path) {
      const response = await ask(path);
      if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
      return await response.json();
    },
    send: (method, path, body, etag) =>
      ask(path, { method, headers: json(etag), body: JSON.stringify(body) }),
    page(method, path, body, etag) {
      cookie ??= access.redeem(access.code(), String(PORT))?.split(";")[0] ?? "";
      const headers = { ...json(etag), cookie, "x-sage-page": PLACE };
      return ask(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    async [Symbol.asyncDispose]() {
      streams.close();
      changes.close();
      await mcp.close();
      await lender.close();
      place[Symbol.dispose]();
    },
  };
}

const ROOT = new URL("../../", import.meta.url).pathname;

export interface ServeProcess extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly home: string;
  readonly cwd: string;
  readonly file: string;
  /** Where the page opens, if `--open` was given. */
  readonly open: string | undefined;
  kill(signal: Deno.Signal): void;
  /** Who calls it has told the process to end. */
  ended(): Promise<{ readonly code: number; readonly stderr: string }>;
}

export interface ProcessOptions {
  readonly home: string;
  readonly cwd: string;
  readonly args?: readonly string[];
  /** From the sources instead of the built program. */
  readonly sources?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** How many files and connections it may have open. */
  readonly descriptorsMax?: number;
}

/** The real process, listening. */
export async function serveProcess(options: ProcessOptions): Promise<ServeProcess> {
  const { home, cwd, args = ["--port", "0"], sources = false } = options;
  const [program, before] = sources
    ? [Deno.execPath(), [
      "run",
      "--no-check",
      "-A",
      "--config",
      `${ROOT}deno.json`,
      ROOT + "main.ts",
    ]]
    : [`${ROOT}dist/sage`, []];
  const limited = options.descriptorsMax === undefined
    ? []
    : ["-c", `ulimit -n ${options.descriptorsMax}; exec "$0" "$@"`, program];
  const child = new Deno.Command(limited.length > 0 ? "/bin/sh" : program, {
    args: [...limited, ...before, "serve", "--json", ...args],
    cwd,
    clearEnv: true,
    env: {
      HOME: home,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      ...options.env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  const isMore = async () => {
    const { value = "", done } = await reader.read();
    line += value;
    return !done;
  };
  const begun = async () => {
    while (!line.includes("\n") && await isMore());
  };
  await orKilled("the line of a server that listens", child, begun());
  const whole = (async () => {
    while (await isMore());
    const { code } = await child.status;
    return { code, stderr: await stderr };
  })();
  const ended = () => orKilled("the end of the server", child, whole);
  const told: { url: string; token_file?: string; open?: string } = JSON.parse(line || "{}");
  // With `--json` an error is a document too. What failed ends by itself, and a test waits for it.
  if (told.token_file === undefined) throw new Error(line + (await ended()).stderr);
  const { token } = JSON.parse(await Deno.readTextFile(told.token_file));
  return {
    url: told.url,
    token,
    pid: child.pid,
    home,
    cwd,
    file: told.token_file,
    open: told.open,
    kill: (signal) => child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      kill(child);
      await ended();
    },
  };
}
