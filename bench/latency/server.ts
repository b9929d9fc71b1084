/** The server of a session, `sage mcp`, as an editor has it beside its hooks; shown to some runs only. */
import { ownSocket, socketFolder, spawnMcp } from "../../tests/support/mcp_server.ts";
import { basename } from "../../src/base/path.ts";
import type { World } from "./worlds.ts";

export interface SessionServer extends AsyncDisposable {
  /** Whether processes started from here find it. */
  show(isShown: boolean): Promise<void>;
  /** For what `sh` starts: the command that shows it to what comes after. */
  readonly showInShell: string;
}

export async function startServer({ home, project }: World, sage: string): Promise<SessionServer> {
  const child = spawnMcp({ home, cwd: project }, sage);
  const drained = child.stdout.cancel();
  const own = await ownSocket(home);
  const folder = socketFolder(home);
  // A socket answers under whatever name it has.
  const hidden = `${folder}/server-${child.pid}`;
  await Deno.rename(own, hidden);
  return {
    async show(isShown) {
      // A search finds it under any such name.
      for await (const { name } of Deno.readDir(folder)) {
        if (name.endsWith(".sock")) await Deno.remove(`${folder}/${name}`);
      }
      if (isShown) await Deno.symlink(hidden, own);
    },
    showInShell: `ln -sf "${hidden}" "${folder}/${basename(own).replace(/^\d+/, () => "$$")}"`,
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await child.status;
      await drained;
    },
  };
}
