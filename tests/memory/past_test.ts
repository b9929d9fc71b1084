/** Which past sessions are of a project, on disks that find a folder by its name in any case. */
import assert from "node:assert/strict";
import { Past } from "../../src/memory/migrate/history.ts";
import { foldingFs } from "../support/folding_fs.ts";
import { put, world } from "../support/world.ts";

Deno.test("a session belongs to the project of its folder, however its case is written", async () => {
  using on = await world();
  const chat = (name: string, root: string): void => {
    const folder = `${on.home}/.gemini/tmp/${name}`;
    put(`${folder}/.project_root`, root);
    put(`${folder}/chats/session-1.jsonl`, `{"sessionId":"session-${name}","kind":"main"}\n`);
  };
  chat("exact", on.cwd);
  chat("typed", `${on.cwd.toUpperCase()}/SRC`);
  chat("beside", `${on.cwd.toUpperCase()}-2`);
  put(`${on.cwd}/src/a.ts`, "");
  const found = async (memory: typeof on.memory): Promise<string[]> => {
    const past = new Past(memory);
    try {
      return (await past.files({ all: false })).map(({ sessionId }) => sessionId).sort();
    } finally {
      await past.close();
    }
  };
  const folding = { ...on.memory, fs: foldingFs() };
  assert.deepEqual(await found(folding), ["session-exact", "session-typed"]);
  if (Deno.build.os !== "linux") return;
  assert.deepEqual(await found(on.memory), ["session-exact"], "another folder there");
});
