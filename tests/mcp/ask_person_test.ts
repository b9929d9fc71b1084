/** Where a client can ask the person itself, a question is answered there and then, and by nobody else. */
import assert from "node:assert/strict";
import { listQuestions } from "../../src/memory/question/question.ts";
import { type Connected, withServer } from "./connect.ts";
import { withProcess } from "./process.ts";

const TABS = {
  title: "Tabs",
  content: "The person prefers tabs to spaces.",
  subject: "preference",
};

async function waiting({ use }: Connected): Promise<number> {
  return await use((memory) => Promise.resolve(listQuestions(memory).length));
}

async function known({ call }: Connected): Promise<string> {
  return (await call("sage_list_knowledge")).text;
}

Deno.test("a yes in the client's form is the person's: it is written at once", async () => {
  let shown = "";
  const person = (message: string) => {
    shown = message;
    return { action: "accept", content: { answer: "yes" } };
  };
  await withServer(async (server) => {
    const { text, data } = await server.call("sage_save_knowledge", TABS);
    assert.equal(
      shown,
      `Should I remember this preference in the project's notes: "Tabs"?\n\n${TABS.content}`,
    );
    assert.equal(text, "The person was asked, and said yes: it is done.");
    assert.deepEqual([data.answer, data.message], ["yes", text]);
    assert.match(await known(server), /Tabs/);
    assert.equal(await waiting(server), 0);
  }, { person });
});

Deno.test("a no is kept, later waits, and a form that is closed leaves the question as it was", async () => {
  const replies = [
    { action: "decline", content: { answer: "yes" } },
    { action: "cancel" },
    { action: "accept", content: { answer: "certainly" } },
    { action: "accept", content: { answer: "later" } },
    { action: "accept", content: { answer: "never" } },
  ];
  let at = 0;
  const person = () => replies[at++] ?? { action: "cancel" };
  await withServer(async (server) => {
    for (let i = 0; i < 3; i++) {
      const { text } = await server.call("sage_save_knowledge", TABS);
      assert.match(text, /^Not saved yet: .*sage inbox accept/);
      assert.equal(await waiting(server), 1);
    }
    const later = await server.call("sage_save_knowledge", TABS);
    assert.match(later.text, /decide later/);
    assert.equal(await waiting(server), 1);
    const [asked] = await server.use((memory) => Promise.resolve(listQuestions(memory)));
    assert.notEqual(asked?.later, undefined);
    const never = await server.call("sage_save_knowledge", TABS);
    assert.match(never.text, /said no: do not ask again/);
    assert.equal(await waiting(server), 0);
    assert.match((await server.call("sage_save_knowledge", TABS)).text, /said no on/);
    assert.doesNotMatch(await known(server), /Tabs/);
    assert.equal(at, 5);
  }, { person });
});

Deno.test("without a form nobody answers but the person, and the agent is told how", () =>
  withServer(async (server) => {
    const { data } = await server.call("sage_save_knowledge", TABS);
    assert.equal(data.outcome, "proposed");
    assert.match(String(data.message), /sage inbox accept [0-9a-f]{8}/);
    assert.equal(await waiting(server), 1);
  }));

Deno.test("over the pipes of a process the form goes out and its answer comes in", () =>
  withProcess(async ({ ask, send, line, answer }) => {
    await ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: "test", version: "0" },
    });
    const call = { name: "sage_save_knowledge", arguments: TABS };
    await send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: call });
    const form = JSON.parse(await line() ?? "{}");
    assert.equal(form.method, "elicitation/create");
    assert.match(form.params.message, /Should I remember/);
    assert.deepEqual(form.params.requestedSchema.required, ["answer"]);
    // Nobody else waits for the person.
    assert.ok("result" in await ask("tools/list"));
    const result = { action: "accept", content: { answer: "yes" } };
    await send({ jsonrpc: "2.0", id: form.id, result });
    const got = await answer(7) as { result: { structuredContent: { message: string } } };
    assert.match(got.result.structuredContent.message, /said yes: it is done/);
  }));

/** A request of Claude Code 2.1.332, with the revision without a handshake. */
function fromClaudeCode(params: Record<string, unknown>, capabilities: unknown = {
  roots: { listChanged: true },
  elicitation: { form: {}, url: {} },
}) {
  const own = "io.modelcontextprotocol/";
  const _meta = {
    [`${own}protocolVersion`]: "2026-07-28",
    [`${own}clientInfo`]: { name: "claude-code", title: "Claude Code", version: "2.1.332" },
    [`${own}clientCapabilities`]: capabilities,
    "claudecode/toolUseId": "toolu_1_1",
    progressToken: 3,
  };
  return { name: "sage_save_knowledge", arguments: TABS, _meta, ...params };
}

type Asked = { result: Record<string, unknown> & { structuredContent: { message: string } } };

Deno.test("without a handshake the form is the call's answer, and the call made again brings what was said", () =>
  withProcess(async ({ ask }) => {
    const call = async (params: Record<string, unknown> = {}, capabilities?: unknown) =>
      await ask("tools/call", fromClaudeCode(params, capabilities)) as unknown as Asked;
    const { result: asked } = await call();
    assert.equal(asked.resultType, "input_required");
    const { requestState, inputRequests } = asked;
    const form = (inputRequests as Record<string, { method: string; params: { message: string } }>)
      .answer;
    assert.equal(form?.method, "elicitation/create");
    assert.match(form.params.message, /Should I remember/);
    // Nobody else waits for the person, and what was answered beside the point is asked again.
    assert.ok("result" in await ask("tools/list", fromClaudeCode({})));
    const again = await call({ requestState, inputResponses: { other: { action: "accept" } } });
    assert.deepEqual(again.result, asked);
    const reply = { action: "accept", content: { answer: "yes" } };
    const { result } = await call({ requestState, inputResponses: { answer: reply } });
    assert.equal(result.resultType, "complete");
    assert.match(result.structuredContent.message, /said yes: it is done/);
    // What it stood for is done, and no other name stands for anything.
    for (const state of [requestState, "guessed", 7]) {
      const params = { requestState: state, inputResponses: { answer: reply } };
      const { error } = await ask("tools/call", fromClaudeCode(params)) as {
        error: { code: number };
      };
      assert.equal(error.code, -32602);
    }
  }));

Deno.test("without a handshake a form that is closed leaves the question, and who has none gets none", () =>
  withProcess(async ({ ask }) => {
    const call = async (params: Record<string, unknown>, capabilities?: unknown) =>
      await ask("tools/call", fromClaudeCode(params, capabilities)) as unknown as Asked;
    const { result: { requestState } } = await call({});
    // As Claude Code answers where no person is there.
    const inputResponses = { answer: { action: "cancel" } };
    const closed = await call({ requestState, inputResponses });
    assert.match(closed.result.structuredContent.message, /^Not saved yet: .*sage inbox accept/);
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      const { result } = await call({}, capabilities);
      assert.equal(result.resultType, "complete");
      assert.match(result.structuredContent.message, /^Not saved yet/);
    }
  }));

Deno.test("a client that says of its forms that it has none is greeted", () =>
  withProcess(async ({ ask }) => {
    const greeted = await ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: null },
      clientInfo: { name: "test", version: "0" },
    });
    assert.ok("result" in greeted, JSON.stringify(greeted));
  }));
