/** sage_load_context: what is known at once, fenced, with what was left out and why. */
import assert from "node:assert/strict";
import { withServer } from "./connect.ts";

Deno.test("sage_load_context loads by tiers within a budget, and says what it left out", () =>
  withServer(async ({ call }) => {
    const none = await call("sage_load_context");
    assert.match(none.text, /Nothing is known here yet/);
    await call("sage_save_knowledge", {
      title: "Queue of the importer",
      content: "Rows are streamed, for memory stays at 40 MB then.",
    });
    await call("sage_save_knowledge", {
      title: "Long story",
      content: "It began with a report of somebody who could not log in. ".repeat(60),
    });
    const { text, data } = await call("sage_load_context", { budget_tokens: 100 });
    assert.match(
      String(data.message),
      /^1 note loaded \(1 project\), \d+ of 100 tokens\. 1 left out: /,
    );
    assert.match(String(data.message), /"Long story" \(\d+ tokens, and \d+ were left\)/);
    assert.deepEqual(
      (data.items as { id: string; tier: string }[]).map(({ id, tier }) => [id, tier]),
      [
        ["queue-of-the-importer", "project"],
      ],
    );
    assert.match(text, /<recalled [^]*Rows are streamed/);
    assert.equal(Number(data.used) + Number(data.remaining), Number(data.budget));
    const all = await call("sage_load_context", { budget_tokens: 200_000 });
    assert.match(String(all.data.message), /^2 notes loaded .* of 5000 tokens, as much as one/);
    assert.ok(all.size < 50_000, String(all.size));
    assert.ok((await call("sage_load_context", { budget_tokens: 5 })).isError);
  }, { profile: "full" }));
