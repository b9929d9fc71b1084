/** Who listens and reads nothing: a page in a browser that sleeps, a program that is stopped. */
import assert from "node:assert/strict";
import { HTTP_STREAMS_MAX } from "../../src/base/limits.ts";
import { put } from "../support/world.ts";
import { served } from "./server.ts";

/** Fewer than are told one by one. */
const NOTES = 150;
const ROUNDS_MAX = 20;

Deno.test("a stream that nobody reads is let go before it takes more than it is worth", async () => {
  await using server = await served();
  const streams: Response[] = [];
  const listen = async (): Promise<Response> => {
    const response = await server.ask("/api/v1/events");
    streams.push(response);
    return response;
  };
  while (streams.length < HTTP_STREAMS_MAX) assert.equal((await listen()).status, 200);
  assert.equal((await listen()).status, 503);
  let status = 503;
  for (let round = 0; round < ROUNDS_MAX && status === 503; round++) {
    for (let n = 0; n < NOTES; n++) {
      put(`${server.world.home}/.sage/knowledge/n${n}.md`, `# ${n}\n\nIn round ${round}.\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1100));
    ({ status } = await listen());
  }
  assert.equal(status, 200);
  for (const { body } of streams) await body?.cancel();
  // A look that had begun ends before it.
  await server.get("/api/v1/status");
});
