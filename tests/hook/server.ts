/** `sage mcp` beside the hooks that a test starts, as an editor has it. */
import { ownSocket, socketFolder, spawnMcp } from "../support/mcp_server.ts";
import type { Place } from "./process.ts";

/** Windows has no sockets that are files. */
export const hasSockets = Deno.build.os !== "windows";

/** `sage mcp` as an editor has it, once hooks of this process would find it. */
export async function serve(on: Place): Promise<Deno.ChildProcess & AsyncDisposable> {
  const child = spawnMcp(on);
  await ownSocket(on.home);
  const drained = child.stdout.cancel();
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      await child.stdin.close().catch(() => {});
      await child.status;
      await drained;
    },
  });
}

/** Where servers listen. */
export function folder({ home }: Place): string {
  return socketFolder(home);
}

/** All lines of the log. */
export function receipts({ home }: Place): string {
  const log = `${home}/.sage/state/log`;
  return [...Deno.readDirSync(log)].map(({ name }) => Deno.readTextFileSync(`${log}/${name}`)).join(
    "",
  );
}
