import assert from "node:assert/strict";
import { PROMPTS } from "../../src/mcp/prompts.ts";
import { CHECKPOINT, KNOWLEDGE, withServer } from "./connect.ts";

async function read(
  client: { readResource(of: { uri: string }): Promise<unknown> },
  uri: string,
): Promise<string> {
  const { contents } = await client.readResource({ uri }) as { contents: { text: string }[] };
  return contents[0]?.text ?? "";
}

Deno.test("a checkpoint, a knowledge note and the orientation have addresses", () =>
  withServer(async ({ client, call }) => {
    assert.match(
      await read(client, "sage://orientation"),
      /no earlier session to go on from|Nothing from an earlier session/,
    );
    const { data: checkpoint } = await call("sage_save_checkpoint", CHECKPOINT);
    const { data: knowledge } = await call("sage_save_knowledge", KNOWLEDGE);

    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri), [
      "sage://orientation",
      "sage://session/current",
      `sage://checkpoint/${checkpoint.id}`,
    ]);
    for (const { uri } of resources) assert.ok((await read(client, uri)).length > 10);
    assert.match(
      await read(client, `sage://checkpoint/${checkpoint.short_id}`),
      /^<recalled [^]*Top curators/,
    );
    assert.match(
      await read(client, `sage://knowledge/${knowledge.id}`),
      /^<recalled [^]*0\.15 percent/,
    );
    assert.match(await read(client, "sage://orientation"), /Sage memory of/);

    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates.length, 2);
  }));

Deno.test("an address that names nothing is an error, not an exit", () =>
  withServer(async ({ client, call }) => {
    const { data } = await call("sage_save_knowledge", KNOWLEDGE);
    for (
      const uri of [
        "sage://knowledge/none",
        `sage://checkpoint/${data.id}`,
        "sage://knowledge/..%2F..%2Fetc",
        "sage://knowledge/%",
        "sage://",
        "file:///etc/passwd",
        "",
      ]
    ) await assert.rejects(client.readResource({ uri }), /not found/, uri);
    await client.ping();
  }));

Deno.test("prompts ask for tools that exist, with and without what the person adds", () =>
  withServer(async ({ client }) => {
    const tools = new Set((await client.listTools()).tools.map(({ name }) => name));
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), [
      "remember",
      "recall",
      "update-memory",
      "checkpoint",
      "handoff",
    ]);
    for (const { name, arguments: args } of PROMPTS) {
      for (const given of [undefined, { [args?.[0]?.name ?? ""]: "the curator fees" }]) {
        const { messages } = await client.getPrompt({
          name,
          ...(given === undefined ? {} : { arguments: given }),
        });
        const { text } = messages[0]?.content as { text: string };
        for (const [tool] of text.matchAll(/\bsage_\w+|\bsearch_notes\b/g)) {
          assert.ok(tools.has(tool), tool);
        }
        assert.equal(text.includes("the curator fees"), given !== undefined);
      }
    }
    await assert.rejects(
      client.getPrompt({ name: "remembr" }),
      /Unknown prompt: remembr; perhaps remember/,
    );
  }));

Deno.test("an unknown tool is named with the one that was meant", () =>
  withServer(async ({ call }) => {
    await assert.rejects(
      call("serch_notes", {}),
      /Unknown tool: serch_notes; perhaps search_notes/,
    );
  }));

Deno.test("the full profile tells how memory stands and what a setting does", () =>
  withServer(async ({ call }) => {
    const status = await call("sage_status");
    assert.match(status.text, /0 checkpoints, 0 knowledge/);
    const all = await call("sage_config");
    assert.ok((all.data.settings as unknown[]).length > 20);
    assert.match(all.text, /retrieval\.recall_threshold = 0\.7 \(default\)/);
    const one = await call("sage_config", { key: "recall_threshold" });
    assert.match(one.text, /sage config set retrieval\.recall_threshold/);
    const none = await call("sage_config", { key: "recal_threshold" });
    assert.equal(none.isError, true);
    assert.match(none.text, /recall_threshold/);
  }, { profile: "full" }));
