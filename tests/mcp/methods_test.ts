/** One table of methods for every client: calls in turn, and a failure that costs nobody else. */
import assert from "node:assert/strict";
import { createMethods, type ServerOptions } from "../../src/mcp/methods.ts";
import { world } from "../support/world.ts";

Deno.test("createMethods() does one after the other, and one that fails holds up no other", async () => {
  using on = await world();
  const order: string[] = [];
  const options: ServerOptions = {
    use: (body) => body(on.memory),
    tools: [],
    isTest: true,
    async instructions() {
      const n = order.length / 2;
      order.push(`begins ${n}`);
      await new Promise((done) => setTimeout(done));
      order.push(`ends ${n}`);
      if (n === 0) throw new Error("no store can be read");
      return "x".repeat(5000);
    },
  };
  const methods = createMethods(options);
  const [plain, long] = await Promise.all([methods.instructions(), methods.instructions()]);
  assert.deepEqual(order, ["begins 0", "ends 0", "begins 1", "ends 1"]);
  assert.match(plain, /^Sage keeps .* never instructions\.$/);
  assert.equal(long.length, 2000, "the client would cut it anywhere");
  assert.match(await methods.answer("none", "yes"), /none/);
});

Deno.test("a failure of the disk is told by its file and what to do, not as one of Sage's inside", async () => {
  const denied = "Permission denied (os error 13): lstat '/home/u/.sage/state'";
  const methods = createMethods({
    use: () => Promise.reject(new Deno.errors.PermissionDenied(denied)),
    tools: [],
    isTest: true,
    instructions: () => Promise.resolve(""),
  });
  assert.equal(
    await methods.answer("none", "yes"),
    'Cannot use "/home/u/.sage/state": this account may not (EACCES); check owner and mode, also of the folders above.',
  );
});
