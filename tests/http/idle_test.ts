/** The end of a server that nobody uses. In a file of its own: it looks for its parent until the process ends. */
import assert from "node:assert/strict";
import { serve } from "../../src/http/main.ts";
import { tempDir } from "../support/temp_store.ts";
import { within } from "../support/within.ts";

/** A slow machine has asked for the stream before. */
const IDLE_MS = 3000;

Deno.test({
  name: "it ends by itself when nobody asks, but not under who listens",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const home = tempDir();
    const cwd = `${home}/project`;
    await Deno.mkdir(`${cwd}/.git`, { recursive: true });
    const serving = await serve({
      where: { cwd, env: (name) => ({ HOME: home })[name], holder: "test" },
      port: 0,
      host: "127.0.0.1",
      idleMs: IDLE_MS,
      confine: () => false,
      report: (error) => assert.fail(String(error)),
    });
    const { token } = JSON.parse(await Deno.readTextFile(serving.file));
    let cause: string | undefined;
    void serving.ended.then((why) => cause = why);
    const stream = await fetch(`${serving.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await new Promise((resolve) => setTimeout(resolve, 2 * IDLE_MS));
    assert.equal(cause, undefined);
    await stream.body?.cancel();
    assert.equal(await within("the end of who is idle", serving.ended), "idle");
    await serving.stop();
  },
});
