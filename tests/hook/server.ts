/** `sage mcp` beside the hooks that a test starts, as an editor has it. */
import type { Place } from "./process.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;
/** Windows has no sockets that are files. */
export const hasSockets = Deno.build.os !== "windows";

/** `sage mcp` as an editor has it, once hooks of this process would find it. */
export async function serve(on: Place): Promise<Deno.ChildProcess & AsyncDisposable> {
  const child = mcp(on);
  const path = `${folder(on)}/${Deno.pid}.sock`;
  for (let polls = 0; !await answers(path); polls++) {
    if (polls > 3000) throw new Error("the server does not listen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const drained = child.stdout.cancel();
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      await child.stdin.close().catch(() => {});
      await child.status;
      await drained;
    },
  });
}

async function answers(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch {
    return false;
  }
}

export function mcp({ home, cwd }: Place): Deno.ChildProcess {
  return new Deno.Command(BINARY, {
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
export function folder({ home }: Place): string {
  return `${home}/.sage/state/hooks`;
}

/** All lines of the log. */
export function receipts({ home }: Place): string {
  const log = `${home}/.sage/state/log`;
  return [...Deno.readDirSync(log)].map(({ name }) => Deno.readTextFileSync(`${log}/${name}`)).join(
    "",
  );
}

/** Behind a socket, but not Sage: once it has heard something it says these lines; for null it waits. */
export function pretend(
  on: Place,
  lines: readonly (string | null)[],
  name = `${Deno.pid}.sock`,
): AsyncDisposable {
  Deno.mkdirSync(folder(on), { recursive: true });
  const path = `${folder(on)}/${name}`;
  const listener = Deno.listen({ transport: "unix", path });
  const talk = async (connection: Deno.UnixConn): Promise<void> => {
    if (lines.length > 0) await connection.read(new Uint8Array(1 << 20));
    for (const line of lines) {
      if (line !== null) await connection.write(new TextEncoder().encode(line + "\n"));
      else while (await connection.read(new Uint8Array(1 << 20)) !== null);
    }
    connection.close();
  };
  const served = (async () => {
    for await (const connection of listener) await talk(connection).catch(() => {});
  })().catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      listener.close();
      Deno.removeSync(path);
      await served;
    },
  };
}
