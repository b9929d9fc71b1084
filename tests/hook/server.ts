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
