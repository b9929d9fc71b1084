/** `sage mcp` beside the hooks that a test starts, as an editor has it. */
import { basename } from "../../src/base/path.ts";
import { ownSocket, ownSocketPath, socketFolder, spawnMcp } from "../support/mcp_server.ts";
import type { Place } from "./process.ts";
import { orKilled, within } from "../support/within.ts";

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
      await orKilled("the end of the server", child, Promise.all([child.status, drained]));
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

/** Behind a socket, but not Sage: once it has heard something it says these lines; for null it waits. */
export function pretend(
  on: Place,
  lines: readonly (string | null)[],
  name = basename(ownSocketPath(on)),
): AsyncDisposable {
  Deno.mkdirSync(folder(on), { recursive: true, mode: 0o700 });
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
      await within("the end of who was pretended", served);
    },
  };
}
