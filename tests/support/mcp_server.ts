/** `sage mcp` as an editor starts it: pipes, and an environment with nothing but a home. */

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

/** The socket at which hooks of this process find their server, once it answers. */
export async function ownSocket(home: string): Promise<string> {
  const path = `${socketFolder(home)}/${Deno.pid}.sock`;
  for (let polls = 0; !await answers(path); polls++) {
    if (polls > 3000) throw new Error("the server does not listen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
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
