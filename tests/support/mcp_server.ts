/** `sage mcp` as an editor starts it: pipes, and an environment with nothing but a home. */
import { until } from "./within.ts";
import { socketPath } from "../../src/memory/session/handover.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

export function spawnMcp(
  { home, cwd }: { readonly home: string; readonly cwd: string },
  program = BINARY,
): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: ["mcp"],
    cwd,
    env: { HOME: home },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** Where servers listen. */
export function socketFolder(home: string): string {
  return `${home}/.sage/state/hooks`;
}

/** Where hooks of this process look for their server. */
export function ownSocketPath({ home }: { readonly home: string }): string {
  return socketPath(`${home}/.sage/state`, Deno.pid);
}

/** The socket at which hooks of this process find their server, once it answers. */
export async function ownSocket(home: string): Promise<string> {
  const path = ownSocketPath({ home });
  await until("a server that listens", () => answers(path));
  return path;
}

async function answers(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch {
    return false;
  }
}
