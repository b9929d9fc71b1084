/**
 * `sage serve`: a server on this machine for as long as it is used. The only file that listens.
 * Once it does, the process gives up the network, so that nothing it serves can connect anywhere.
 */
import { monotonic, pause } from "../base/clock.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import { sha256Hex } from "../base/hash.ts";
import { HTTP_FINISH_MS_MAX, HTTP_IDLE_MS_MAX } from "../base/limits.ts";
import { processEnd } from "../base/process_end.ts";
import { followRenames } from "../base/renamed_folder.ts";
import { createMethods } from "../mcp/methods.ts";
import { toolsOf } from "../mcp/tools/table.ts";
import { serverInstructions } from "../memory/instructions.ts";
import { openMemory, type Where } from "../memory/memory.ts";
import { removeServerFile, writeServerFile } from "../memory/server_file.ts";
import { createAccess } from "./access.ts";
import { type App, createApp } from "./app.ts";
import { createChanges } from "./changes.ts";
import { createStreams } from "./events.ts";
import { OPEN_PATH } from "./gate.ts";
import { createLender } from "./lend.ts";
import { createMcpEndpoint } from "./mcp.ts";

export interface ServeOptions {
  readonly where: Where;
  /** Undefined: the port of the settings, or the next free one. 0: any. */
  readonly port: number | undefined;
  readonly host: string;
  /**
   * Gives up the network once the port is open, except for a configured embeddings server (`keep`), and
   * the port's own address, to listen there again (`own`).
   */
  readonly confine: (keep: string | undefined, own: string) => boolean;
  readonly report: (error: unknown) => void;
  /** The path of this program, if it does not run from its sources. */
  readonly program?: string | undefined;
  /** It ends after this long without a request; HTTP_IDLE_MS_MAX by default. */
  readonly idleMs?: number;
}

export interface Serving {
  readonly url: string;
  /** The private file with pid, address and token. */
  readonly file: string;
  readonly project: string;
  /** The wanted port, if it was taken and another one is used. */
  readonly taken: number | undefined;
  /** An address that opens the page once, for a short time. */
  openAddress(): string;
  /** Settles with the reason when the process should end. Rejects if the port is lost. */
  readonly ended: Promise<"signal" | "orphaned" | "idle">;
  stop(): Promise<void>;
}

/** How many ports are tried from the one in the settings, so that a second server is near the first. */
const NEIGHBOURS = 10;
const IDLE_LOOKS = 100;
/** A pause before trying again on a machine that is out of files. */
const AGAIN_MS = 100;

export async function serve(options: ServeOptions): Promise<Serving> {
  const { where, host, idleMs = HTTP_IDLE_MS_MAX } = options;
  const { config, places: { projectDir, userRoot }, close } = await openMemory({
    ...where,
    light: true,
  });
  close();
  const wanted = options.port ?? config.get("server.port");
  const name = host.includes(":") ? `[${host}]` : host;
  let port = wanted;
  const confine = (keep: string | undefined): boolean => options.confine(keep, `${name}:${port}`);
  const follow = followRenames(where.cwd);
  const lender = createLender({
    ...where,
    confine,
    get cwd() {
      return follow();
    },
  });
  const methods = createMethods({
    use: (body) => lender.write(body),
    tools: toolsOf(config.get("mcp.tools")),
    instructions: serverInstructions,
    report: options.report,
  });
  const access = createAccess();
  const changes = createChanges(lender);
  const streams = createStreams(changes);
  const mcp = createMcpEndpoint(methods);

  let usedAt = monotonic();
  const ready = Promise.withResolvers<App>();
  const handle = (request: Request): Promise<Response> => {
    usedAt = monotonic();
    return ready.promise.then((app) => app(request));
  };
  let server = listen(options, wanted, handle);
  port = (server.addr as Deno.NetAddr).port;
  // Opening memory confines the process. If it cannot be opened, the process is confined here.
  await lender.read(() => undefined).catch(() => confine(undefined));
  const isOpen = !isLoopback(host);
  const place = sha256Hex(`${userRoot}\n${projectDir}`).slice(0, 16);
  const { program, report } = options;
  ready.resolve(
    createApp({ lender, access, changes, streams, mcp, port, place, isOpen, program, report }),
  );

  const url = `http://${isOpen ? "127.0.0.1" : name}:${port}`;
  const facts = { pid: Deno.pid, url, token: access.token, project: projectDir };
  const file = await lender.write((memory) => writeServerFile(memory, facts));

  const idle = Promise.withResolvers<"idle">();
  const timer = setInterval(() => {
    if (changes.listeners > 0) usedAt = monotonic();
    if (monotonic() - usedAt > idleMs) idle.resolve("idle");
  }, idleMs / IDLE_LOOKS);
  let isStopped = false;
  /**
   * If the process may open no more files, the runtime stops accepting connections, and reports it when
   * its last connection has ended. Then there is room again.
   */
  const listenAgain = async (): Promise<never> => {
    for (;;) {
      const why = await server.finished.then(() => "", (error: Error) => `: ${error.message}`);
      if (isStopped) return await new Promise(() => {});
      report(new SageError("io", `Could not accept more connections${why}; listening again`));
      await pause(AGAIN_MS);
      server = listen({ ...options, port }, port, handle);
    }
  };
  return {
    url,
    file: file.path,
    project: projectDir,
    taken: port === wanted || wanted === 0 ? undefined : wanted,
    openAddress: () => `${url}${OPEN_PATH}?code=${access.code()}`,
    ended: Promise.race([processEnd(), idle.promise, listenAgain()]),
    async stop() {
      isStopped = true;
      clearInterval(timer);
      streams.close();
      changes.close();
      await mcp.close();
      await Promise.race([server.shutdown(), pause(HTTP_FINISH_MS_MAX)]);
      await lender.write((memory) => removeServerFile(memory, Deno.pid));
      file.release();
      await lender.close();
    },
  };
}

export function isLoopback(host: string): boolean {
  return host === "127.0.0.1" || host === "::1";
}

function listen(
  { host, port: asked }: ServeOptions,
  wanted: number,
  handler: (request: Request) => Promise<Response>,
): Deno.HttpServer {
  const near = [...Array(NEIGHBOURS).keys()].map((i) => wanted + i).filter((port) => port < 65_536);
  // A port that was given by number is the only one tried.
  const ports = asked === undefined ? [...near, 0] : [asked];
  for (const port of ports) {
    try {
      return Deno.serve({ hostname: host, port, onListen() {} }, handler);
    } catch (error) {
      if (systemErrorCode(error) !== "EADDRINUSE" && !(error instanceof Deno.errors.AddrInUse)) {
        const { code, message, hint } = systemError(error, `listen on ${host}:${port}`);
        const mend = code === "permission" ? "use a port above 1023: sage serve --port 7243" : hint;
        throw new SageError(code, message, { ...defined({ hint: mend }), cause: error });
      }
    }
  }
  throw new SageError("io", `Cannot listen on ${host}:${asked}: the port is taken`, {
    hint: "leave out --port, and the next free one is used",
  });
}
