/** What other agents do in modes of their own: plans to approve, questions with options, scripts in place of calls. */
import assert from "node:assert/strict";
import { readRollout } from "../../src/editor/codex/history.ts";
import { readScript, scriptOutcome } from "../../src/editor/codex/script.ts";
import type { Transcript } from "../../src/editor/editor.ts";
import { readEvents } from "../../src/editor/vscode/history.ts";
import { assertQuick } from "../support/quick.ts";

const ID = "0197a3c5-c480-7ee3-b7f0-ada5183fade0";
const CWD = "/home/user/tides";

function bytes(records: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(
    records.map((record) => JSON.stringify(record) + "\n").join(""),
  );
}

function codex(...items: readonly Record<string, unknown>[]): Transcript {
  const timestamp = "2026-03-04T11:20:00.000Z";
  return readRollout(
    bytes([
      { timestamp, type: "session_meta", payload: { id: ID, cwd: CWD } },
      ...items.map((payload) => ({ timestamp, ...payload })),
    ]),
    ID,
  );
}

const item = (payload: Record<string, unknown>) => ({ type: "response_item", payload });
const message = (role: string, text: string) =>
  item({ type: "message", role, content: [{ type: "text", text }] });
const typed = (text: string) => [
  message("user", text),
  { type: "event_msg", payload: { type: "user_message", message: text } },
];

const spoken = ({ turns }: Transcript) => turns.map(({ role, text }) => `${role}: ${text}`);
const calls = ({ turns }: Transcript) => turns.flatMap(({ tools }) => tools);

const PLAN = "# Cache the tide tables\n\nKeep them for a day.";

Deno.test("Codex: a plan that its person approved is theirs to carry out, and the client's words are not", () => {
  const proposed = message(
    "assistant",
    `Here it is.\n<proposed_plan>\n${PLAN}\n</proposed_plan>\n`,
  );
  const implement = "user: Implement: Cache the tide tables";
  for (const approval of ["Implement the plan.", "Implement the proposed plan."]) {
    const said = codex(...typed("Plan it."), proposed, ...typed(approval));
    assert.deepEqual(spoken(said), [
      "user: Plan it.",
      `assistant: Here it is.\n${PLAN}`,
      implement,
    ]);
    const [plan, ...others] = calls(said);
    assert.deepEqual([plan?.name, plan?.failed, others], ["ExitPlanMode", false, []]);
    assert.deepEqual(plan?.items?.map(({ text }) => text), [
      "# Cache the tide tables",
      "Keep them for a day.",
    ]);
  }
  const fresh =
    "A previous agent produced the plan below to accomplish the user's task. Implement it.";
  for (const lead of ["PLEASE IMPLEMENT THIS PLAN:\n", `${fresh}\n\n`]) {
    const said = codex(...typed(lead + PLAN));
    assert.deepEqual([spoken(said), calls(said).length], [[implement], 1]);
  }
  // Nobody proposed one, or the person says more than the client would.
  for (
    const [before, prompt] of [
      [message("assistant", "No plan yet."), "Implement the plan."],
      [proposed, "Implement the plan. But keep them for a week."],
    ] as const
  ) {
    const said = codex(...typed("Plan it."), before, ...typed(prompt));
    assert.deepEqual([spoken(said).at(-1), calls(said)], [`user: ${prompt}`, []]);
  }
});

Deno.test("Codex: questions with options are read with their answers", () => {
  const ask = (call_id: string) => {
    const questions = [
      {
        id: "place",
        question: "Where do the tables lie?",
        options: [{ label: "Disk", description: "As files." }, { label: "Memory" }],
      },
      { id: "days", question: "For how long?", options: [] },
    ];
    const given = JSON.stringify({ questions });
    return item({ type: "function_call", name: "request_user_input", arguments: given, call_id });
  };
  const answers = { place: { answers: ["Disk"] }, days: { answers: [] } };
  const output = JSON.stringify({ answers });
  const said = codex(
    message("assistant", "Two questions."),
    ask("call_1"),
    item({ type: "function_call_output", call_id: "call_1", output }),
    ask("call_2"),
  );
  assert.deepEqual(
    calls(said).map(({ question, options, answer }) => [question, options, answer]),
    [
      ["Where do the tables lie?", ["Disk: As files.", "Memory"], "Disk"],
      ["For how long?", [], undefined],
      ["Where do the tables lie?", ["Disk: As files.", "Memory"], undefined],
      ["For how long?", [], undefined],
    ],
  );
});

Deno.test("Codex: what a script runs and changes counts as run and changed", () => {
  const script = (call_id: string, input: string) =>
    item({ type: "custom_tool_call", name: "exec", call_id, input });
  const printed = (call_id: string, text: string, state = "completed") =>
    item({
      type: "custom_tool_call_output",
      call_id,
      output: [
        { type: "input_text", text: `Script ${state}\nWall time 0.1 seconds\nOutput:\n` },
        { type: "input_text", text },
      ],
    });
  const run = (command: string) =>
    `const r = await tools.exec_command({cmd:${command},"workdir":"/"}); text(r)`;
  const patch = JSON.stringify(
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch",
  );
  const said = codex(
    message("assistant", "I look."),
    script("1", run('"make tide"')),
    printed("1", JSON.stringify({ exit_code: 2, output: "low water" })),
    script("2", run('"make \\"high tide\\""')),
    printed("2", "high water"),
    script("3", run("'make lint'")),
    printed("3", "threw", "failed"),
    script("4", run('"make long"')),
    printed("4", JSON.stringify({ session_id: 7, output: "" })),
    script("5", `const patch = ${patch};\ntext(await tools.apply_patch(patch));`),
    printed("5", "{}"),
    script("6", "text(await tools.get_goal({}))"),
  );
  assert.deepEqual(
    calls(said).map(({ name, command, filePath, failed, result }) => [
      name,
      command ?? filePath,
      failed,
      result,
    ]),
    [
      ["Bash", "make tide", true, "low water"],
      ["Bash", 'make "high tide"', undefined, "high water"],
      ["Bash", "make lint", true, "threw"],
      ["Bash", "make long", undefined, undefined],
      ["Edit", `${CWD}/src/a.ts`, undefined, "{}"],
      ["exec", undefined, undefined, undefined],
    ],
  );
});

Deno.test("readScript() reads any text in time, and runs none of it", async () => {
  assert.deepEqual(readScript("tools.exec_command({cmd: cmd})"), { commands: [], files: [] });
  assert.deepEqual(readScript("tools.exec_command({cmd:`echo ${1 + 1}`})").commands, [
    "echo ${1 + 1}",
  ]);
  for (const part of ["tools.exec_command({", 'cmd:"\\', "tools.apply_patch('", '\\\\\\"']) {
    await assertQuick(() => readScript(part.repeat(20_000)), 300);
  }
  assert.equal(scriptOutcome("Script running with cell ID 9\nWall time 1 seconds\n"), undefined);
  assert.deepEqual(scriptOutcome("plain"), { text: "plain", failed: undefined });
});

Deno.test("Codex: context in several tags is nobody's words, and a tag before words is", () => {
  const injected =
    "<recommended_plugins>\nSome.\n</recommended_plugins>\n# AGENTS.md instructions\nBe brief.";
  const both = "<a_b>\nx\n</a_b>\n<environment_context>\ny\n</environment_context>";
  const words = "<table>\nx\n</table>\n<b>is</b> the element that I mean.";
  const said = codex(message("user", injected), message("user", both), message("user", words));
  assert.deepEqual(spoken(said), [`user: ${words}`]);
});

Deno.test("Copilot: a question with choices is read with its answer", () => {
  const event = (type: string, data: Record<string, unknown>, n: number) => ({
    type,
    data,
    id: `e${n}`,
    timestamp: "2026-03-04T11:20:00.000Z",
  });
  const ask = (toolCallId: string) => ({
    toolCallId,
    name: "ask_user",
    arguments: { question: "Keep the tables?", choices: ["Yes (Recommended)", "No"] },
  });
  const done = (toolCallId: string, content: string) => ({
    toolCallId,
    success: true,
    result: { content },
  });
  const toolRequests = ["1", "2", "3"].map(ask);
  const said = readEvents(
    bytes([
      event("session.start", { context: { cwd: CWD } }, 0),
      event("assistant.message", { content: "One question.", toolRequests }, 1),
      event("tool.execution_complete", done("1", "User selected: Yes (Recommended)"), 2),
      event("tool.execution_complete", done("2", "User responded: for a day only"), 3),
      event("tool.execution_complete", done("3", "User skipped the question"), 4),
    ]),
    `/home/user/.copilot/session-state/${ID}/events.jsonl`,
  );
  assert.deepEqual(calls(said).map(({ question, answer }) => [question, answer]), [
    ["Keep the tables?", "Yes (Recommended)"],
    ["Keep the tables?", "for a day only"],
    ["Keep the tables?", undefined],
  ]);
  assert.deepEqual(calls(said)[0]?.options, ["Yes (Recommended)", "No"]);
});
