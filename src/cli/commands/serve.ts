/** `sage serve`: starts the HTTP server, says where it is, and waits until it has to go. */
import { defined } from "../../base/defined.ts";
import { SageError } from "../../base/errors.ts";
import { defineCommand } from "../command.ts";
import { folder } from "../folder.ts";
import type { Io } from "../io.ts";

const HOSTS = ["127.0.0.1", "::1", "0.0.0.0", "::"] as const;

export const command = defineCommand({
  connects: "listen",
  options: {
    port: {
      type: "number",
      min: 0,
      max: 65_535,
      summary: "listen on this port; 0 takes any free one",
    },
    open: { type: "boolean", summary: "print an address that opens the page in a browser, once" },
    host: { type: "string", choices: HOSTS, summary: "listen on another address of this machine" },
    expose: {
      type: "boolean",
      summary: "allow other machines to connect, unencrypted: with --host 0.0.0.0 or ::",
    },
  },
  details:
    "Serves this project's memory and your own: a JSON API under /api/v1 (its OpenAPI document at /api/v1/openapi.json), MCP at /mcp, and at / a page to search, walk the links, answer the inbox and see what memory costs. Programs need the token, which is new at each start and stored in the file that is printed. Only this machine can connect, unless you use --expose. Ends with Ctrl-C, with the program that started it, or after 30 minutes without a request.",
  examples: ["sage serve --open", "sage serve --port 0 --json"],
  async run({ options, project, json }, io) {
    const { port, host = "127.0.0.1", open, expose } = options;
    const { isLoopback, serve } = await import("../../http/main.ts");
    if (!isLoopback(host) && !expose) {
      throw new SageError("usage", `With --host ${host} other machines can read this memory`, {
        hint: "if that is meant, add --expose",
      });
    }
    const serving = await serve({
      where: {
        cwd: io.cwd(),
        env: io.env,
        holder: "sage serve",
        ...defined({ projectDir: project === undefined ? undefined : folder(io, project) }),
      },
      port,
      host,
      confine: (keep, own) => io.disconnect(keep, own),
      program: io.binary,
      report: (error) => io.err(`sage serve: ${reasonOf(error)}\n`),
    });
    if (!isLoopback(host)) {
      io.err("sage: warning: other machines can reach this server, and nothing is encrypted\n");
    }
    const { url, file, taken } = serving;
    if (json) {
      const address = open ? { open: serving.openAddress() } : {};
      io.out(JSON.stringify({ url, token_file: file, pid: Deno.pid, ...address }) + "\n");
    } else {
      if (taken !== undefined) io.err(`sage: port ${taken} is taken\n`);
      io.out(`serving ${serving.project} at ${url}\ntoken in ${file}\n`);
      if (open) void offerAddresses(io, serving.openAddress);
    }
    try {
      await serving.ended;
    } finally {
      await serving.stop();
    }
    return undefined;
  },
});

/** One address now, and another each time somebody presses Enter: each works once, for a minute. */
async function offerAddresses(io: Io, address: () => string): Promise<void> {
  if (io.isTerminal.stdin) io.err("an address works once, within a minute; Enter prints another\n");
  do {
    io.out(`open ${address()}\n`);
  } while (io.isTerminal.stdin && await io.readLine() !== undefined);
}

function reasonOf(error: unknown): string {
  if (error instanceof SageError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
