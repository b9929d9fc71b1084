/** What a client's model reads about this server: no tool that it cannot call, every one that matters. */
import assert from "node:assert/strict";
import { PROFILES } from "../../src/mcp/profile.ts";
import { withServer } from "./connect.ts";

for (const profile of PROFILES) {
  Deno.test(`instructions of the profile ${profile} name its tools only`, async () => {
    await withServer(async ({ client }) => {
      const { tools } = await client.listTools();
      const offered = new Set(tools.map(({ name }) => name));
      const text = client.getInstructions() ?? "";
      const named: string[] = text.match(/\b(?:sage_\w+|(?:get|search|find)_\w+)\b/g) ?? [];
      assert.deepEqual(named.filter((name) => !offered.has(name)), []);
      assert.ok(named.includes("search_notes") && named.includes("sage_save_checkpoint"), text);
      assert.equal(named.includes("get_note"), profile !== "minimal");
    }, { profile });
  });
}
