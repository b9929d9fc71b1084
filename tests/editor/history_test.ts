/** The past as other agents keep it, read into turns; their formats are made up here as their sources say. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { HOOK_DATABASE_BYTES_MAX } from "../../src/base/limits.ts";
import { native } from "../../src/base/path.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { commandsThatMattered, filesChanged } from "../../src/detect/summary/work.ts";
import type { Transcript } from "../../src/editor/editor.ts";
import {
  HISTORIES,
  type History,
  type HistoryPlace,
  type PastFile,
} from "../../src/editor/history.ts";
import { transcriptOf as opencodeTranscript } from "../../src/editor/opencode/history.ts";
import { readOrigin, readSessionFile } from "../../src/editor/session_file.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";

const CWD = "/home/user/project";
const ID = "0197a3c5-c480-7ee3-b7f0-ada5183fade0";

async function open(
  agent: string,
  home: string,
  { fs = realFs, onUnreadable = () => {}, only }: Partial<HistoryPlace> = {},
): Promise<History> {
  const history = await HISTORIES[agent]?.({
    fs,
    onUnreadable,
    only,
    home,
    env: () => undefined,
    projectDir: CWD,
    scratch: `${home}/.sage/state/migrate`,
  });
  assert.ok(history !== undefined);
  return history;
}

/** The only session there is, and what it says. */
async function only(agent: string, home: string): Promise<{ file: PastFile; said: Transcript }> {
  const history = await open(agent, home);
  try {
    const files = await history.list();
    const [file] = files;
    assert.ok(file !== undefined && files.length === 1, JSON.stringify(files));
    return { file, said: await history.read(file) };
  } finally {
    await history.close();
  }
}

function spoken({ turns }: Transcript): string[] {
  return turns.map(({ role, text }) => `${role}: ${text}`);
}

function lines(records: readonly unknown[]): string {
  return records.map((record) => JSON.stringify(record) + "\n").join("");
}

function rollout(id: string, items: readonly Record<string, unknown>[]): string {
  const stamp = (n: number): string => `2026-03-04T11:20:${String(n).padStart(2, "0")}.000Z`;
  const meta = {
    id,
    timestamp: stamp(0),
    cwd: CWD,
    git: { branch: "main" },
    base_instructions: "x",
  };
  return lines([
    { timestamp: stamp(0), type: "session_meta", payload: meta },
    ...items.map((item, n) => ({ timestamp: stamp(n + 1), ...item })),
  ]);
}

const item = (payload: Record<string, unknown>) => ({ type: "response_item", payload });
const message = (role: string, text: string) =>
  item({
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  });

Deno.test("Codex: prompts, replies, commands, patches, plans and compactions, without injected context", async () => {
  const home = tempDir();
  const call = (name: string, args: unknown, call_id: string) =>
    item({ type: "function_call", name, arguments: JSON.stringify(args), call_id });
  const text = rollout(ID, [
    message("developer", "You are Codex."),
    message("user", "# AGENTS.md instructions for /home/user/project\n\nBe brief."),
    message("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
    message("user", "Make the importer stream its rows."),
    {
      type: "event_msg",
      payload: { type: "user_message", message: "Make the importer stream its rows." },
    },
    item({ type: "reasoning", summary: [], encrypted_content: "gAAAA" }),
    message("assistant", "I will look at it first."),
    call("exec_command", { cmd: "npm test", workdir: CWD }, "call_1"),
    item({
      type: "function_call_output",
      call_id: "call_1",
      output: "Chunk ID: 1\nProcess exited with code 1\nOutput:\n1 failed",
    }),
    call("shell", { command: ["bash", "-lc", "git status"] }, "call_2"),
    call("shell", { command: ["npm", "run", "lint"] }, "call_9"),
    item({
      type: "function_call_output",
      call_id: "call_2",
      output: JSON.stringify({ output: "clean", metadata: { exit_code: 0 } }),
    }),
    item({
      type: "custom_tool_call",
      call_id: "call_3",
      name: "apply_patch",
      input:
        "*** Begin Patch\n*** Update File: src/importer.ts\n@@\n-a\n+b\n*** Add File: /abs/new.ts\n+x\n*** End Patch",
    }),
    item({ type: "custom_tool_call_output", call_id: "call_3", output: '{"output":"Success."}' }),
    call("update_plan", { plan: [{ step: "Measure it", status: "pending" }] }, "call_4"),
    { type: "compacted", payload: { message: "The importer streams." } },
    message(
      "assistant",
      'It streams now.\n\n::git-stage{cwd="/x"} ::git-commit{cwd="/x"}',
    ),
    { type: "something_new", payload: { type: "message" } },
  ]);
  put(
    `${home}/.codex/sessions/2026/03/04/rollout-2026-03-04T11-20-00-${ID}.jsonl`,
    `${text}{"torn`,
  );
  put(`${home}/.codex/sessions/2026/03/04/rollout-2026-03-04T11-20-01-${ID}.jsonl.zst`, "zst");
  put(`${home}/.codex/history.jsonl`, "{}\n");
  const { file, said } = await only("codex", home);
  assert.deepEqual([file.sessionId, file.cwd, said.agent], [
    ID,
    CWD,
    "codex",
  ]);
  assert.deepEqual(spoken(said), [
    "user: Make the importer stream its rows.",
    "assistant: I will look at it first.",
    "assistant: It streams now.",
  ]);
  const tools = said.turns.flatMap(({ tools }) => tools);
  assert.deepEqual(
    tools.map(({ name, command, filePath, failed }) => [name, command ?? filePath, failed]),
    [
      ["Bash", "npm test", true],
      ["Bash", "git status", false],
      ["Bash", "npm run lint", undefined],
      ["Edit", `${CWD}/src/importer.ts`, false],
      ["Edit", "/abs/new.ts", false],
      ["TodoWrite", undefined, undefined],
    ],
  );
  assert.deepEqual(tools[5]?.items, [{ text: "Measure it", status: "pending" }]);
  assert.deepEqual([said.sinceCompaction, said.compactions[0]?.summary], [
    2,
    "The importer streams.",
  ]);
});

Deno.test("Codex: a prompt that begins with a tag is a person's, unless the tag is around all of it", async () => {
  const home = tempDir();
  const text = rollout(ID, [
    message("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
    message("user", "<table> is the element that I mean."),
  ]);
  put(`${home}/.codex/sessions/2026/03/04/rollout-2026-03-04T11-20-00-${ID}.jsonl`, text);
  const { said } = await only("codex", home);
  assert.deepEqual(spoken(said), ["user: <table> is the element that I mean."]);
});

Deno.test("Codex: a command that goes on as a process ended as the last call that asked for it says", async () => {
  // As 0.169.0 says it.
  const output = (call_id: string, state: string, printed = "") =>
    item({
      type: "function_call_output",
      call_id,
      output:
        `Chunk ID: a29be5\nWall time: 0.2512 seconds\n${state}\nOriginal token count: 6\nOutput:\n${printed}`,
    });
  const call = (name: string, args: unknown, call_id: string) =>
    item({ type: "function_call", name, arguments: JSON.stringify(args), call_id });
  const ask = (call_id: string) =>
    call("write_stdin", { session_id: 54661, chars: "", yield_time_ms: 5000 }, call_id);
  const begun = [
    message("user", "Now run ./deploy.sh prod, please."),
    call("exec_command", { cmd: "./deploy.sh prod", yield_time_ms: 250 }, "call_1"),
    output("call_1", "Process running with session ID 54661"),
    ask("call_2"),
    output("call_2", "Process running with session ID 54661", "deploying\n"),
  ];
  const told = async (...more: readonly Record<string, unknown>[]) => {
    const home = tempDir();
    const path = `${home}/.codex/sessions/2026/03/04/rollout-2026-03-04T11-20-00-${ID}.jsonl`;
    put(path, rollout(ID, [...begun, ...more]));
    const { said } = await only("codex", home);
    const [deploy] = said.turns.flatMap(({ tools }) => tools);
    return [deploy?.failed, deploy?.result, ...commandsThatMattered(said.turns)];
  };
  assert.deepEqual(await told(), [undefined, undefined]);
  const failed = output("call_3", "Process exited with code 1", "no such cluster: prod\n");
  assert.deepEqual(await told(ask("call_3"), failed), [true, "no such cluster: prod\n"]);
  const silent = output("call_3", "Process exited with code 0");
  assert.deepEqual(await told(ask("call_3"), silent), [false, "", "`./deploy.sh prod` → passed"]);
});

Deno.test("Codex: what was refused, or stopped before it ended, was not run, and no file is changed by it", async () => {
  // As 0.171.0 says it.
  const answers = [
    "Wall time: 4.3 seconds\naborted by user",
    "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
    "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings",
  ];
  for (const output of answers) {
    const home = tempDir();
    const path = `${home}/.codex/sessions/2026/03/04/rollout-2026-03-04T11-20-00-${ID}.jsonl`;
    put(
      path,
      rollout(ID, [
        message("user", "Now run ./deploy.sh prod, please."),
        item({
          type: "function_call",
          name: "exec_command",
          arguments: JSON.stringify({ cmd: "./deploy.sh prod" }),
          call_id: "call_1",
        }),
        item({ type: "function_call_output", call_id: "call_1", output }),
        item({
          type: "custom_tool_call",
          call_id: "call_2",
          name: "apply_patch",
          input: "*** Begin Patch\n*** Add File: /abs/new.ts\n+x\n*** End Patch",
        }),
        item({ type: "custom_tool_call_output", call_id: "call_2", output }),
        message("assistant", "Neither was done."),
      ]),
    );
    const { turns } = (await only("codex", home)).said;
    const calls = turns.flatMap(({ tools }) => tools);
    assert.deepEqual(
      calls.map(({ name, command, failed, result }) => [name, command, failed, result]),
      [
        ["Bash", undefined, true, ""],
        ["Edit", undefined, true, ""],
      ],
      output,
    );
    assert.deepEqual([...filesChanged(turns), ...commandsThatMattered(turns)], [], output);
  }
});

Deno.test("Codex: what the context holds, and how much fits, as it counts after each reply", async () => {
  const count = (total: number) => ({
    type: "event_msg",
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { total_tokens: 900_000 },
        last_token_usage: { input_tokens: total - 10, output_tokens: 10, total_tokens: total },
        model_context_window: 258_400,
      },
    },
  });
  const held = async (...items: readonly Record<string, unknown>[]) => {
    const home = tempDir();
    const path = `${home}/.codex/sessions/2026/03/04/rollout-2026-03-04T11-20-00-${ID}.jsonl`;
    put(path, rollout(ID, [message("assistant", "One."), ...items]));
    const { said } = await only("codex", home);
    return [said.contextTokens, said.contextWindow];
  };
  assert.deepEqual(await held(), [undefined, undefined]);
  assert.deepEqual(await held(count(40_000), message("assistant", "Two."), count(190_000)), [
    190_000,
    258_400,
  ]);
  const compacted = { type: "compacted", payload: { message: "Short." } };
  assert.deepEqual(await held(count(240_000), compacted), [undefined, 258_400]);
  assert.deepEqual(
    await held({ type: "event_msg", payload: { type: "token_count", info: null } }),
    [
      undefined,
      undefined,
    ],
  );
});

Deno.test("Codex: a subagent's file is no session, and a branch is its own", async () => {
  const home = tempDir();
  const folder = `${home}/.codex/sessions/2026/03/04`;
  const sub = "0197a3c5-c480-7ee3-b7f0-ada5183fade1";
  put(
    `${folder}/rollout-2026-03-04T11-20-00-${sub}.jsonl`,
    lines([{ type: "session_meta", payload: { id: sub, cwd: CWD, parent_thread_id: ID } }]),
  );
  const branch = lines([{
    type: "session_meta",
    payload: { id: ID, cwd: CWD, forked_from_id: sub },
  }]);
  const copied = rollout(sub, [message("user", "Make the importer stream its rows.")]);
  put(`${folder}/rollout-2026-03-04T11-21-00-${ID}.jsonl`, branch + copied);
  const { said } = await only("codex", home);
  assert.deepEqual([said.sessionId, said.forkedFrom, said.turns.length], [ID, sub, 1]);
});

Deno.test("Codex: a session of 2026-11 in pages, and a branch that names what it comes from", async () => {
  const home = tempDir();
  const fixtures = new URL("../fixture/codex/sessions/", import.meta.url);
  for await (const { name } of Deno.readDir(fixtures)) {
    const text = await Deno.readTextFile(new URL(name, fixtures));
    put(`${home}/.codex/sessions/2026/11/22/${name}`, text);
  }
  const history = await open("codex", home);
  const files = await history.list();
  const said = await Promise.all(files.map((file) => history.read(file)));
  const [whole, branch] = said.sort((a, b) => a.sessionId.localeCompare(b.sessionId));
  assert.ok(whole !== undefined && branch !== undefined && files.length === 2);
  // The summariser's reply is in the file as well, as one to the person.
  assert.deepEqual(spoken(whole), [
    "user: Please decide about the queue",
    "assistant: We decided to split the queue into two lanes, because one lane let `poll()` starve at 40 jobs per second.",
    "user: please use sage",
    "assistant: Found: rows are streamed.",
    "user: Why after the compaction?",
    "assistant: ok",
  ]);
  assert.equal(whole.sinceCompaction, 4);
  assert.match(whole.compactions[0]?.summary ?? "", /Summary: they work on the importer\.$/);
  assert.deepEqual([whole.contextTokens, whole.contextWindow], [20_050, 258_400]);
  assert.equal(branch.forkedFrom, "00000020-0000-4000-8000-000000000000");
  assert.deepEqual(spoken(branch).slice(0, 2), ["user: said in a fork", "assistant: ok"]);
  for (const file of files) {
    const { forkedFrom } = await history.read(file);
    assert.equal(await readOrigin(file.path, realFs), forkedFrom);
  }
});

Deno.test("Codex: a conversation that was taken back in part goes on in files of its own", async () => {
  const home = tempDir();
  const SESSION = "01a205ff-81d3-7de0-a935-9037f16eebe7";
  // As 0.169.0 names and begins them: by the time at which each was begun.
  const sessions = `${home}/.codex/sessions/2026/11`;
  const [one, two] = [
    "01a20602-a8b6-70e0-9da5-64906d8ee3b3",
    "01a20602-a969-71c3-91ee-00a8e1be354f",
  ];
  const begun = `${sessions}/22/rollout-2026-11-22T23-26-07-${SESSION}.jsonl`;
  const between = `${sessions}/23/rollout-2026-11-23T01-26-07-${SESSION}_${one}.jsonl`;
  const last = `${sessions}/23/rollout-2026-11-23T01-26-08-${SESSION}_${two}.jsonl`;
  const first = rollout(SESSION, [
    message("user", "About the importer?"),
    message("assistant", "One."),
  ]);
  const goingOn = (id: string, end: number, said: string): string =>
    lines([
      {
        type: "session_meta",
        payload: {
          id: SESSION,
          cwd: CWD,
          base_instructions: { text: '\\"history_base\\"' + "x".repeat(30_000) },
          history_mode: "paginated",
          history_base: { thread_id: id, end_ordinal_exclusive: 4, end_byte_offset: end },
        },
      },
      message("user", said),
    ]);
  put(begun, first + lines([message("user", "A mistake.")]));
  const second = goingOn(SESSION, first.length, "And on large files?");
  put(between, second + lines([message("user", "Wrong again.")]));
  put(last, goingOn(one, second.length, "And at night?"));
  for (const path of [begun, between]) await Deno.utime(path, 1, 1);

  const said = [
    "user: About the importer?",
    "assistant: One.",
    "user: And on large files?",
    "user: And at night?",
  ];
  const past = await only("codex", home);
  assert.deepEqual([past.file.sessionId, past.file.path], [SESSION, last]);
  assert.deepEqual(spoken(past.said), said);
  const now = await readSessionFile(last, { fs: realFs, tailBytes: Infinity, scratch: "" });
  assert.deepEqual(spoken(now), said);
  const { size } = await Deno.stat(last);
  assert.deepEqual([now.sessionId, now.fromStart, now.endOffset], [SESSION, true, size]);
  const end = await readSessionFile(last, { fs: realFs, tailBytes: size + 100, scratch: "" });
  assert.deepEqual([end.fromStart, spoken(end).at(-1)], [false, "user: And at night?"]);

  // Where one is gone, or it goes on from itself, what is there.
  await Deno.remove(between);
  for (const text of [read(last), goingOn(two, 10, "And at night?")]) {
    put(last, text);
    const left = await readSessionFile(last, { fs: realFs, tailBytes: Infinity, scratch: "" });
    assert.deepEqual([left.fromStart, spoken(left)], [false, said.slice(-1)]);
  }
});

Deno.test("Codex: a tool of a server has its server's name, and what parts say of themselves counts", async () => {
  const home = tempDir();
  const kinds = (text: string, ...content_item_kinds: string[]) => ({
    type: "response_item",
    payload: {
      ...message("user", text).payload,
      internal_chat_message_metadata_passthrough: { content_item_kinds },
    },
  });
  const text = rollout(ID, [
    kinds("Where the goal stands: open.", "goal.context"),
    kinds("Make it stream.", "environments.environment_context", "user.text"),
    item({
      type: "function_call",
      name: "search_notes",
      namespace: "mcp__sage",
      arguments: "{}",
      call_id: "call_1",
    }),
    kinds("And then?", "unknown"),
    kinds("Of before.", ...[]),
  ]);
  put(`${home}/.codex/sessions/2026/11/22/rollout-2026-11-22T11-20-00-${ID}.jsonl`, text);
  const { said } = await only("codex", home);
  assert.deepEqual(spoken(said), [
    "user: Make it stream.",
    "assistant: ",
    "user: And then?",
    "user: Of before.",
  ]);
  assert.equal(said.turns[1]?.tools[0]?.name, "mcp__sage__search_notes");
});

const GEMINI_MESSAGES = [
  {
    id: "1",
    timestamp: "2026-03-04T11:20:00Z",
    type: "user",
    content: [{ text: "Make it stream." }],
  },
  { id: "2", timestamp: "2026-03-04T11:20:01Z", type: "info", content: "Update available" },
  {
    id: "3",
    timestamp: "2026-03-04T11:20:02Z",
    type: "gemini",
    model: "gemini-3-pro",
    content: "Done.",
    tokens: {
      input: 380_000,
      output: 400,
      cached: 300_000,
      thoughts: 900,
      tool: 0,
      total: 381_300,
    },
    toolCalls: [
      {
        id: "a",
        name: "run_shell_command",
        args: { command: "npm test" },
        status: "error",
        result: [{ functionResponse: { response: { output: "1 failed" } } }],
      },
      {
        id: "b",
        name: "replace",
        args: { file_path: "src/a.ts" },
        status: "success",
        resultDisplay: {},
      },
    ],
  },
];
const GEMINI_FACTS = { sessionId: ID, projectHash: "h", startTime: "x", lastUpdated: "x" };

function assertGemini(said: Transcript): void {
  assert.deepEqual(spoken(said), ["user: Make it stream.", "assistant: Done."]);
  assert.equal(said.model, "gemini-3-pro");
  assert.deepEqual([said.contextTokens, said.contextWindow], [380_400, 524_288]);
  assert.deepEqual(
    said.turns[1]?.tools.map(({ name, command, filePath, failed, result }) => [
      name,
      command ?? filePath,
      failed,
      result,
    ]),
    [["Bash", "npm test", true, "1 failed"], ["Edit", `${CWD}/src/a.ts`, false, ""]],
  );
}

Deno.test("Gemini: lines that replace, rewind and set, below a named folder", async () => {
  const home = tempDir();
  const folder = `${home}/.gemini/tmp/project-1`;
  const [first, info, reply] = GEMINI_MESSAGES;
  put(`${folder}/.project_root`, `${CWD}\n`);
  put(
    `${folder}/chats/session-2026-03-04T11-20-0197a3c5.jsonl`,
    lines([
      GEMINI_FACTS,
      first,
      info,
      { ...reply, content: "Half of", toolCalls: [] },
      { id: "9", type: "user", content: "Never mind." },
      { $rewindTo: "9" },
      { $set: { summary: "Streaming importer" } },
      reply,
      { id: "10", type: "user", content: "/quit" },
    ]),
  );
  put(`${folder}/chats/${ID}/sub.jsonl`, lines([{ ...GEMINI_FACTS, kind: "subagent" }]));
  // Resuming begins a file for what goes on in the old one.
  put(
    `${folder}/chats/session-2026-03-05T08-00-0197a3c5.jsonl`,
    lines([GEMINI_FACTS, { id: "c", type: "user", content: "<session_context>" }]),
  );
  const { file, said } = await only("gemini", home);
  assert.deepEqual([file.cwd, said.title], [CWD, "Streaming importer"]);
  assertGemini(said);
});

/** What is read of calls that a reply of Gemini's made. */
async function geminiCalls(toolCalls: readonly unknown[]) {
  const home = tempDir();
  const folder = `${home}/.gemini/tmp/project-1`;
  put(`${folder}/.project_root`, `${CWD}\n`);
  const [first, , reply] = GEMINI_MESSAGES;
  const said = lines([GEMINI_FACTS, first, { ...reply, toolCalls }]);
  put(`${folder}/chats/session-2026-11-24T00-32-f8fd9328.jsonl`, said);
  const { turns } = (await only("gemini", home)).said;
  return turns[1]?.tools ?? assert.fail();
}

Deno.test("gemini: what a person answered, or that they did not", async () => {
  const asked = (result: string): unknown => ({
    id: "ask_user__1",
    name: "ask_user",
    status: "success",
    args: {
      questions: [
        {
          question: "Which store?",
          header: "Store",
          type: "choice",
          options: [{ label: "SQLite", description: "one file" }, {
            label: "Postgres",
            description: "a server",
          }],
        },
        { question: "Which port?", header: "Port", type: "text" },
      ],
    },
    result: [{ functionResponse: { response: { output: result } } }],
  });
  const answersIn = async (result: string) =>
    (await geminiCalls([asked(result)])).map(({ name, question, answer }) => [
      name,
      question,
      answer,
    ]);
  assert.deepEqual(await answersIn('{"answers":{"0":"SQLite"}}'), [
    ["AskUserQuestion", "Which store?", "SQLite"],
    ["AskUserQuestion", "Which port?", undefined],
  ]);
  assert.deepEqual(await answersIn("User dismissed ask_user dialog without answering."), [
    ["AskUserQuestion", "Which store?", undefined],
    ["AskUserQuestion", "Which port?", undefined],
  ]);
});

Deno.test("Gemini: a command failed when its code says so, and of one in the background nothing is known", async () => {
  // As 0.61.0 writes them: what the person sees has no code.
  const shell = (command: string, shown: string, told: string) => ({
    id: command,
    name: "run_shell_command",
    args: { command },
    status: "success",
    resultDisplay: shown,
    result: [{
      functionResponse: {
        response: { output: `<untrusted_context>\n${told}\n</untrusted_context>` },
      },
    }],
  });
  const moved = "Command moved to background (PID: 30331). Output hidden. Press Ctrl+B to view.";
  const failed = "3 passed, 1 failed";
  const toolCalls = [
    shell("npm test", failed, `Output: ${failed}\nExit Code: 1\nProcess Group PGID: 29959`),
    shell(
      "npm run build",
      "built",
      "Output: built\nExit Code: 1 is bad\nbuilt\nProcess Group PGID: 2",
    ),
    shell("sleep 9", "", "Output: (empty)\nSignal: 15\nProcess Group PGID: 29961"),
    shell("./deploy.sh prod", moved, moved),
  ];
  assert.deepEqual((await geminiCalls(toolCalls)).map(({ failed, result }) => [failed, result]), [
    [true, failed],
    [false, "built"],
    [true, ""],
    [undefined, undefined],
  ]);
});

Deno.test("Gemini: older files tell of a good end, too, and of the client's own prompt", async () => {
  // As an early 0.2x writes them.
  const shell = (id: string, code: string, signal: string) => ({
    id,
    name: "run_shell_command",
    args: { command: id },
    status: "success",
    resultDisplay: "shown",
    result: [{
      functionResponse: {
        response: {
          output:
            `Command: ${id}\nOutput: shown\nError: (none)\nExit Code: ${code}\nSignal: ${signal}\n` +
            "Background PIDs: (none)\nProcess Group PGID: 26593",
        },
      },
    }],
  });
  const toolCalls = [
    shell("make tide", "0", "0"),
    shell("make lint", "0", "(none)"),
    shell("make low", "2", "0"),
    shell("make high", "(none)", "15"),
    shell("make ten", "10", "(none)"),
  ];
  assert.deepEqual((await geminiCalls(toolCalls)).map(({ failed }) => failed), [
    false,
    false,
    true,
    true,
    true,
  ]);
  const home = tempDir();
  put(`${home}/.gemini/tmp/project-1/.project_root`, `${CWD}\n`);
  const [first, , reply] = GEMINI_MESSAGES;
  const goesOn = { ...first, id: "9", content: "System: Please continue." };
  put(
    `${home}/.gemini/tmp/project-1/chats/session-2026-01-10T20-00-f8fd9328.jsonl`,
    lines([GEMINI_FACTS, first, goesOn, { ...reply, toolCalls: [] }]),
  );
  assert.deepEqual(spoken((await only("gemini", home)).said), [
    "user: Make it stream.",
    "assistant: Done.",
  ]);
});

Deno.test("Gemini: what a person or a rule denied was not run, and what Esc stopped has no result", async () => {
  // As 0.61.0 writes them.
  const call = (name: string, args: unknown, status: string, error: string) => ({
    id: `${name} ${error}`,
    name,
    args,
    status,
    resultDisplay: name === "write_file" ? { fileName: "b.ts" } : error,
    result: [{ functionResponse: { response: { error } } }],
  });
  const denied = "[Operation Cancelled] Reason: User denied execution.";
  const command = "./deploy.sh prod";
  const toolCalls = [
    call("run_shell_command", { command }, "cancelled", denied),
    call("write_file", { file_path: `${CWD}/src/b.ts` }, "cancelled", denied),
    call("run_shell_command", { command }, "error", "Tool execution denied by policy."),
    call(
      "run_shell_command",
      { command: "sleep 30" },
      "cancelled",
      "[Operation Cancelled] Reason: Operation cancelled by user",
    ),
  ];
  assert.deepEqual(
    (await geminiCalls(toolCalls)).map(({ command, failed, result }) => [command, failed, result]),
    [
      [undefined, true, ""],
      [undefined, true, ""],
      [undefined, true, ""],
      ["sleep 30", true, ""],
    ],
  );
});

Deno.test("Gemini: what a compression took out was said, and what it kept was said once", async () => {
  const name = "session-2026-11-24T03-33-00000010.jsonl";
  const captured = await Deno.readTextFile(
    new URL(`../fixture/gemini/chats/${name}`, import.meta.url),
  );
  const read = async (more: readonly unknown[] = []): Promise<Transcript> => {
    const home = tempDir();
    put(`${home}/.gemini/tmp/project-1/.project_root`, `${CWD}\n`);
    put(`${home}/.gemini/tmp/project-1/chats/${name}`, captured + lines(more));
    return (await only("gemini", home)).said;
  };
  const before = [
    "user: We go with SQLite over Realm because Realm locks us into its sync service",
    "assistant: Understood.",
    "user: Run the tests.",
    "assistant: ",
    "assistant: The tests fail: 1 of 12, eviction_test. The comparison in cache.ts is reversed.",
    "user: Should the eviction be LRU or FIFO",
    "assistant: LRU, because the reader comes back to the same notes.",
  ];
  const after = ["user: We keep the limit at 100 entries, never more", "assistant: Understood."];
  const said = await read();
  assert.deepEqual(spoken(said), [...before, ...after]);
  assert.equal(said.turns[3]?.tools[0]?.failed, true);
  assert.equal(said.sinceCompaction, before.length);
  assert.match(said.compactions[0]?.summary ?? "", /^<state_snapshot>/);
  // Taken back up to what the compression kept.
  const kept = JSON.parse(
    captured.split("\n").findLast((line) => line.includes("Thanks for the additional context")) ??
      "{}",
  );
  const asked = kept.$set.messages.at(-2).id;
  assert.deepEqual(spoken(await read([{ $rewindTo: asked }])), before.slice(0, -2));
});

Deno.test("Gemini: one object in a file, below a folder that is called by a hash", async () => {
  const home = tempDir();
  put(
    `${home}/.gemini/tmp/${sha256Hex(native(CWD))}/chats/session-2026-01-04T11-20-0197a3c5.json`,
    JSON.stringify({ ...GEMINI_FACTS, messages: GEMINI_MESSAGES }, null, 2),
  );
  const { file, said } = await only("gemini", home);
  assert.equal(file.cwd, CWD);
  assertGemini(said);
  await Deno.rename(
    `${home}/.gemini/tmp/${sha256Hex(native(CWD))}`,
    `${home}/.gemini/tmp/${sha256Hex("/home/user/other")}`,
  );
  assert.equal((await only("gemini", home)).file.cwd, undefined);
});

const PARTS = [
  { id: "prt_1", message: "msg_1", data: { type: "text", text: "Make it stream." } },
  {
    id: "prt_2",
    message: "msg_1",
    data: { type: "text", text: "<file>…</file>", synthetic: true },
  },
  {
    id: "prt_2b",
    message: "msg_1",
    data: { type: "text", text: "▣ 34K pruned", ignored: true },
  },
  { id: "prt_3", message: "msg_2", data: { type: "text", text: "Done." } },
  {
    id: "prt_4",
    message: "msg_2",
    data: {
      type: "tool",
      tool: "bash",
      callID: "c1",
      state: {
        status: "completed",
        input: { command: "npm test" },
        output: "1 failed",
        metadata: { exit: 1 },
      },
    },
  },
  {
    id: "prt_5",
    message: "msg_2",
    data: {
      type: "tool",
      tool: "edit",
      callID: "c2",
      state: { status: "running", input: { filePath: "src/a.ts" } },
    },
  },
  {
    id: "prt_6",
    message: "msg_2",
    data: {
      type: "tool",
      tool: "bash",
      callID: "c3",
      state: {
        status: "completed",
        input: { command: "./deploy.sh prod", timeout: 1000 },
        output: "(no output)\n\n<shell_metadata>\nshell tool terminated command after …",
        // As 1.18.33 says that it ended the command.
        metadata: { exit: null },
      },
    },
  },
  ...[
    "The user rejected permission to use this specific tool call.",
    "The user has specified a rule which prevents you from using this specific tool call. Here …",
  ].map((error, n) => ({
    id: `prt_${7 + n}`,
    message: "msg_2",
    data: {
      type: "tool",
      tool: "bash",
      callID: `c${4 + n}`,
      state: { status: "error", input: { command: "git push" }, error },
    },
  })),
];
/** What OpenAI's models use in place of `edit`, and the tool that asks the person. */
const OPENCODE_CALLS = [
  {
    type: "tool",
    tool: "apply_patch",
    callID: "p1",
    state: {
      status: "completed",
      input: {
        patchText: "*** Begin Patch\n*** Add File: src/b.ts\n+1\n*** Update File: src/c.ts\n" +
          `*** Move to: src/d.ts\n@@\n-1\n+2\n*** Update File: ${CWD}/src/e.ts\n@@\n-1\n+2\n*** End Patch`,
      },
      output: "Success. Updated the following files:\nA src/b.ts",
      metadata: {},
    },
  },
  {
    type: "tool",
    tool: "question",
    callID: "q1",
    state: {
      status: "completed",
      input: {
        questions: [
          {
            question: "Which store?",
            header: "Store",
            options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
          },
          { question: "Which port?", header: "Port", options: [] },
        ],
      },
      output:
        'User has answered your questions: "Which store?"="SQLite", "Which port?"="Unanswered".',
      metadata: { answers: [["SQLite"], []] },
    },
  },
];

Deno.test("opencode: the files of a patch, and what a person chose", () => {
  const parts = OPENCODE_CALLS;
  const { turns } = opencodeTranscript({ sessionId: "ses_1", cwd: CWD }, [
    { id: "msg_1", data: { role: "assistant" }, parts },
  ]);
  const calls = turns.flatMap(({ tools }) => tools);
  assert.deepEqual(
    calls.slice(0, 3).map(({ name, filePath, failed }) => [name, filePath, failed]),
    [
      ["Edit", `${CWD}/src/b.ts`, false],
      ["Edit", `${CWD}/src/d.ts`, false],
      ["Edit", `${CWD}/src/e.ts`, false],
    ],
  );
  assert.deepEqual(
    calls.slice(3).map(({ name, question, options, answer }) => [name, question, options, answer]),
    [
      ["AskUserQuestion", "Which store?", ["SQLite: one file", "Postgres"], "SQLite"],
      ["AskUserQuestion", "Which port?", [], undefined],
    ],
  );
});

const MESSAGES = [
  { id: "msg_1", data: { role: "user", time: { created: 1772623200000 } } },
  {
    id: "msg_2",
    data: {
      role: "assistant",
      modelID: "m-1",
      time: { created: 1772623201000 },
      tokens: { input: 500, output: 40, reasoning: 10, cache: { read: 2000, write: 300 } },
    },
  },
];

function assertOpencode(said: Transcript): void {
  assert.deepEqual(spoken(said), ["user: Make it stream.", "assistant: Done."]);
  assert.equal(said.turns[0]?.at, "2026-03-04T11:20:00Z");
  assert.equal(said.contextTokens, 2850);
  assert.deepEqual(
    said.turns[1]?.tools.map((
      { name, command, filePath, failed },
    ) => [name, command ?? filePath, failed]),
    [
      ["Bash", "npm test", true],
      ["Edit", `${CWD}/src/a.ts`, undefined],
      ["Bash", "./deploy.sh prod", true],
      // A person, and a rule, denied what would have been run.
      ["Bash", undefined, true],
      ["Bash", undefined, true],
    ],
  );
}

function database(path: string): void {
  put(path, "");
  const rows = new DatabaseSync(path);
  rows.exec(
    "pragma journal_mode=wal; create table session(id text, parent_id text, directory text, time_updated integer);" +
      "create table message(id text, session_id text, time_created integer, data text);" +
      "create table part(id text, message_id text, session_id text, data text);",
  );
  const session = rows.prepare("insert into session values (?, ?, ?, ?)");
  session.run("ses_00000001", null, CWD, 1772623201000);
  session.run("ses_00000002", "ses_00000001", CWD, 1772623201000);
  for (const [n, { id, data }] of MESSAGES.entries()) {
    rows.prepare("insert into message values (?, ?, ?, ?)").run(
      id,
      "ses_00000001",
      n,
      JSON.stringify(data),
    );
  }
  for (const { id, message, data } of PARTS) {
    rows.prepare("insert into part values (?, ?, ?, ?)").run(
      id,
      message,
      "ses_00000001",
      JSON.stringify(data),
    );
  }
  rows.close();
}

Deno.test("opencode: rows of its database, and nothing left beside it", async () => {
  const home = tempDir();
  const folder = `${home}/.local/share/opencode`;
  database(`${folder}/opencode.db`);
  const { file, said } = await only("opencode", home);
  assert.deepEqual([file.sessionId, file.cwd], ["ses_00000001", CWD]);
  assertOpencode(said);
  assert.deepEqual(filesIn(folder), ["opencode.db"]);
  assert.deepEqual(filesIn(`${home}/.sage/state/migrate`), []);
});

Deno.test("opencode: a hook copies no database that would take it longer than it has", async () => {
  const home = tempDir();
  const path = `${home}/.local/share/opencode/opencode.db`;
  const scratch = `${home}/.sage/state/migrate`;
  database(path);
  const session = "ses_00000001";
  const listed = async (): Promise<number> => {
    const history = await open("opencode", home, { only: new Set([session]) });
    const files = await history.list();
    await history.close();
    return files.length;
  };
  assert.equal(await listed(), 1);
  await Deno.truncate(path, HOOK_DATABASE_BYTES_MAX + 1);
  assert.equal(await listed(), 0);
  await assert.rejects(
    readSessionFile(`${path}/${session}`, { fs: realFs, tailBytes: 1024, scratch }),
    { code: "too_large" },
  );
  assert.deepEqual(filesIn(scratch), []);
});

Deno.test("opencode: files of before, and a database that is none", async () => {
  const home = tempDir();
  const storage = `${home}/.local/share/opencode/storage`;
  const facts = { id: "ses_00000001", directory: CWD, time: { created: 1, updated: 2 } };
  put(`${storage}/session/p/ses_00000001.json`, JSON.stringify(facts));
  put(
    `${storage}/session/p/ses_00000002.json`,
    JSON.stringify({ ...facts, id: "ses_00000002", parentID: "ses_00000001" }),
  );
  put(`${storage}/session/p/torn.json`, '{"id": "ses_');
  for (const { id, data } of MESSAGES) {
    put(`${storage}/message/ses_00000001/${id}.json`, JSON.stringify({ id, ...data }));
  }
  for (const { id, message, data } of PARTS) {
    put(`${storage}/part/${message}/${id}.json`, JSON.stringify({ id, ...data }));
  }
  put(`${home}/.local/share/opencode/opencode.db`, "This is no database.");
  const { said } = await only("opencode", home);
  assertOpencode(said);
});

Deno.test("Gemini: the past lies where the hooks and the settings are, if that is elsewhere", async () => {
  const home = tempDir();
  put(
    `${home}/moved/.gemini/tmp/project/chats/session-2026-03-04T11-20-abcdef01.jsonl`,
    lines([{ sessionId: ID, projectHash: "x" }]),
  );
  const places = { fs: realFs, home, projectDir: CWD, scratch: `${home}/scratch` };
  const env = (name: string) => name === "GEMINI_CLI_HOME" ? `${home}/moved` : undefined;
  const history = await HISTORIES.gemini?.({ ...places, env, onUnreadable() {} });
  assert.deepEqual((await history?.list())?.map(({ sessionId }) => sessionId), [ID]);
});

Deno.test("where an agent was never used there is no past, and nothing is made", async () => {
  const home = tempDir();
  for (const agent of Object.keys(HISTORIES)) {
    const history = await open(agent, home);
    assert.deepEqual(await history.list(), []);
    await history.close();
  }
  assert.deepEqual(filesIn(home), []);
});

Deno.test("a file or a folder that may not be read keeps nobody from the other sessions", async () => {
  const home = tempDir();
  const other = ID.replace("0197", "0198");
  const day = `${home}/.codex/sessions/2026/03/04`;
  for (const id of [ID, other]) {
    const text = rollout(id, [message("user", "Make the importer stream its rows.")]);
    put(`${day}/rollout-2026-03-04T11-20-00-${id}.jsonl`, text);
  }
  put(`${home}/.codex/archived_sessions/x`, "");
  const chat = `${home}/.gemini/tmp/importer/chats`;
  const line = (id: string): string => JSON.stringify({ sessionId: id, kind: "main" }) + "\n";
  put(`${chat}/session-1.jsonl`, line("session-one"));
  put(`${chat}/session-2.jsonl`, line("session-two"));
  put(`${home}/.gemini/tmp/of-root/chats/session-3.jsonl`, line("session-three"));

  const closed = [
    `${day}/rollout-2026-03-04T11-20-00-${other}.jsonl`,
    `${home}/.codex/archived_sessions`,
    `${chat}/session-2.jsonl`,
    `${home}/.gemini/tmp/of-root/chats`,
  ];
  const guarded =
    <A extends readonly unknown[], R>(act: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R => {
      if (!closed.includes(path)) return act(path, ...rest);
      throw Object.assign(new Error("denied"), { code: "EACCES" });
    };
  const fs: Fs = { ...realFs, open: guarded(realFs.open), list: guarded(realFs.list) };
  const told: string[] = [];
  const found: string[] = [];
  for (const agent of ["codex", "gemini"]) {
    const history = await open(agent, home, { fs, onUnreadable: (path) => void told.push(path) });
    found.push(...(await history.list()).map(({ sessionId }) => sessionId));
    await history.close();
  }
  assert.deepEqual(found, [ID, "session-one"]);
  assert.deepEqual(told.toSorted(), closed.toSorted());
});

/** As Cursor 3.20 and its command line write it, by what people have published of theirs. */
const CURSOR_FOLDER = ".cursor/projects/home-user-project/agent-transcripts";
const said = (role: string, ...content: unknown[]) => ({ role, message: { content } });
const text = (words: string) => ({ type: "text", text: words });
const use = (name: string, input: unknown) => ({ type: "tool_use", name, input });
const query = (words: string, stamp = "") =>
  said("user", text(`${stamp}<user_query>\n${words}\n</user_query>`));

Deno.test("Cursor: a conversation in its folder, with what the client put around a prompt left out", async () => {
  const home = tempDir();
  const file = `${home}/${CURSOR_FOLDER}/${ID}/${ID}.jsonl`;
  put(
    file,
    lines([
      said("user", text("<dynamic_tools><tool>Context for the model</tool></dynamic_tools>")),
      query(
        "Why does the import stall?",
        "<timestamp>Tuesday, Jul 21, 2026, 6:56 PM (UTC+8)</timestamp>\n",
      ),
      said(
        "assistant",
        text("Looking.\n\n[REDACTED]"),
        use("Shell", { command: "npm test", working_directory: CWD }),
        use("Read", { path: `${CWD}/src/read.ts` }),
        use("StrReplace", { path: `${CWD}/src/import.ts`, old_string: "a", new_string: "b" }),
        use("ApplyPatch", "*** Begin Patch\n*** Add File: src/new.ts\n+a\n*** End Patch"),
        use("TodoWrite", { todos: [{ id: "1", content: "Stream the rows", status: "pending" }] }),
      ),
      said("assistant", text("[REDACTED]")),
      said("assistant", text("It reads the file whole.")),
      { type: "turn_ended", status: "success" },
      said("user", text("[Image]\n<user_query>\nAnd the export?\n</user_query>\n[File: a.pdf]")),
      said("assistant", text("The export streams.")),
    ]) + '{"role":"assistant","message":{"content":[{"ty',
  );
  put(`${home}/${CURSOR_FOLDER}/${ID}/subagents/0197a3c5-sub.jsonl`, lines([query("Look.")]));
  put(`${home}/${CURSOR_FOLDER}/old.txt`, "user:\nhi\n");
  put(`${home}/.cursor/projects/empty-window/x.json`, "{}");
  const { file: listed, said: all } = await only("cursor", home);
  assert.deepEqual([listed.sessionId, listed.cwd, listed.path], [ID, CWD, file]);
  assert.deepEqual(spoken(all), [
    "user: Why does the import stall?",
    "assistant: Looking.",
    "assistant: It reads the file whole.",
    "user: And the export?",
    "assistant: The export streams.",
  ]);
  const [prompt, reply] = all.turns;
  assert.deepEqual([prompt?.at, reply?.at], ["2026-07-21T10:56:59Z", "2026-07-21T10:56:59Z"]);
  assert.deepEqual(reply?.tools.map(({ name }) => name), [
    "Bash",
    "Read",
    "Edit",
    "Edit",
    "ApplyPatch",
    "TodoWrite",
  ]);
  assert.deepEqual(filesChanged(all.turns, CWD), ["src/import.ts", "src/new.ts"]);
  assert.equal(reply?.tools[0]?.failed, undefined);
});

Deno.test("Cursor: what was attached by a click is named, without its markup and the file of a terminal", async () => {
  const home = tempDir();
  const element = (component: string, markup: string) =>
    `DOM Path: div#root > div.card\nPosition: top=85px, left=0px, width=255px, height=65px\n${component}` +
    `HTML Element: ${markup}`;
  const bar = element(
    "React Component: Sidebar\n",
    '<div class="p-3" data-cursor-element-id="cursor-el-276">Search</div>',
  );
  const picture = element("", '<img alt="" src="a.png" data-cursor-element-id="cursor-el-9">');
  put(
    `${home}/${CURSOR_FOLDER}/${ID}.jsonl`,
    lines([
      query(`${bar} take this out`),
      query(`make it as round as ${picture} is`),
      query(
        "@c:\\Users\\user\\.cursor\\projects\\c-shop\\terminals\\2.txt:223-229 why does it fail?",
      ),
      query("a < b in src/terminals/2.txt: DOM Path: is no element"),
    ]),
  );
  const { said: all } = await only("cursor", home);
  assert.deepEqual(spoken(all), [
    "user: (Sidebar) take this out",
    "user: make it as round as (element) is",
    "user: @terminal 2 why does it fail?",
    "user: a < b in src/terminals/2.txt: DOM Path: is no element",
  ]);
});

Deno.test("Cursor: the command line's file, without times, has those of the file; a turn keeps its id", async () => {
  const home = tempDir();
  const file = `${home}/${CURSOR_FOLDER}/${ID}.jsonl`;
  const turns = Array.from({ length: 40 }, (_, n) => [
    said("user", text(`What of part ${n}? ${"ä".repeat(200)}`)),
    said("assistant", text("Done.")),
  ]).flat();
  put(file, lines(turns));
  const { said: all } = await only("cursor", home);
  assert.equal(all.turns.length, 80);
  assert.match(all.turns[0]?.at ?? "", /^20\d\d-/);
  const end = await readSessionFile(file, { fs: realFs, tailBytes: 4001, scratch: "" });
  assert.deepEqual([end.agent, end.sessionId, end.fromStart], ["cursor", ID, false]);
  assert.ok(end.turns.length > 5 && end.turns.length < 40);
  assert.deepEqual(end.turns, all.turns.slice(-end.turns.length));
  assert.equal(new Set(all.turns.map(({ uuid }) => uuid)).size, 80);
  assert.equal(await readOrigin(file, realFs), undefined);
});

Deno.test("Cursor: a time with a zone is read, and any other is no time", async () => {
  const home = tempDir();
  const at = async (stamp: string): Promise<string | undefined> => {
    put(
      `${home}/${CURSOR_FOLDER}/${ID}/${ID}.jsonl`,
      lines([query("Why?", `<timestamp>${stamp}</timestamp>\n`)]),
    );
    return (await only("cursor", home)).said.turns[0]?.at;
  };
  assert.equal(await at("Wednesday, Jun 3, 2026, 12:05 AM (UTC-7)"), "2026-06-03T07:05:59Z");
  assert.equal(await at("Thu, Dec 31, 2026, 11:59 PM (UTC-5:30)"), "2027-01-01T05:29:59Z");
  assert.equal(await at("Sunday, Sep 27, 2026, 9:00 AM (UTC)"), "2026-09-27T09:00:59Z");
  const year = new Date().getFullYear();
  for (const stamp of ["now", "Sunday, Sep 27, 2020, 9:00 AM", "Xyz 99, 2020, 9:00 AM (UTC)", ""]) {
    assert.ok((await at(stamp))?.startsWith(`${year}-`), stamp);
  }
});

/** Copilot CLI 1.0.102's lines, without what nobody reads. */
const event = (type: string, data: unknown, more: Record<string, unknown> = {}) => ({
  type,
  data,
  id: `${type}-${JSON.stringify(data).length}`,
  timestamp: "2026-11-29T21:42:26.798Z",
  parentId: null,
  ...more,
});

const COPILOT_EVENTS = [
  event("session.start", { sessionId: ID, copilotVersion: "1.0.102", context: { cwd: CWD } }),
  event("hook.start", { hookType: "sessionStart", input: { source: "new", cwd: CWD } }),
  event("user.message", {
    content: "Why does the import stall?",
    transformedContent: "<current_datetime>now</current_datetime>\n\nWhy does the import stall?",
  }),
  event("user.message", { content: "Use the skill as told.", source: "skill-import" }),
  event("system.message", { role: "system", content: "You are the CLI." }),
  event("assistant.message", {
    model: "gpt-4",
    content: "I look first.",
    toolRequests: [
      { toolCallId: "c1", name: "bash", arguments: { command: "npm test", description: "Test" } },
      { toolCallId: "c2", name: "edit", arguments: { path: `${CWD}/src/import.ts`, old_str: "a" } },
      { toolCallId: "c3", name: "apply_patch", arguments: "*** Update File: src/b.ts\n+b" },
      {
        toolCallId: "c4",
        name: "multi_replace_string_in_file",
        arguments: JSON.stringify({ replacements: [{ filePath: `${CWD}/src/c.ts` }] }),
      },
      { toolCallId: "c5", name: "create", arguments: { path: `${CWD}/src/no.ts` } },
      {
        toolCallId: "c6",
        name: "str_replace_editor",
        arguments: { command: "view", path: "x.ts" },
      },
      {
        toolCallId: "c7",
        name: "manage_todo_list",
        arguments: { todoList: [{ id: 1, title: "Stream the rows", status: "not-started" }] },
      },
    ],
  }),
  event("assistant.message", { content: "A subagent's.", parentToolCallId: "c9" }),
  event("assistant.message", { content: "Another's." }, { agentId: "explore" }),
  event("tool.execution_complete", {
    toolCallId: "c1",
    success: true,
    shellExecution: { exitCode: 1 },
    result: { content: "1 failed" },
  }),
  event("tool.execution_complete", { toolCallId: "c2", success: true, result: { content: "ok" } }),
  event("tool.execution_complete", {
    toolCallId: "c5",
    success: false,
    error: { code: "rejected", message: "The user rejected it" },
  }),
  event("session.usage_record", {
    usage: { inputTokens: 1234, outputTokens: 50, maxPromptTokens: 128000 },
  }),
  event("assistant.message", {
    model: "gpt-4",
    content: "It reads the file whole.",
    toolRequests: [],
  }),
];

Deno.test("Copilot CLI: a session is what was typed and said, with what calls came to", async () => {
  const home = tempDir();
  put(
    `${home}/.copilot/session-state/${ID}/events.jsonl`,
    lines(COPILOT_EVENTS) + '{"type":"user.m',
  );
  put(`${home}/.copilot/session-state/${ID}/workspace.yaml`, "name: x\n");
  put(`${home}/.copilot/session-state/.session-operation-locks/x.lock`, "");
  const { file, said: all } = await only("copilot", home);
  assert.deepEqual([file.sessionId, file.cwd], [ID, CWD]);
  assert.deepEqual(spoken(all), [
    "user: Why does the import stall?",
    "assistant: I look first.",
    "assistant: It reads the file whole.",
  ]);
  assert.deepEqual([all.contextTokens, all.contextWindow, all.model], [1284, 128000, "gpt-4"]);
  const tools = all.turns[1]?.tools ?? [];
  assert.deepEqual(tools.map(({ name, failed }) => [name, failed]), [
    ["Bash", true],
    ["Edit", false],
    ["Edit", undefined],
    ["Edit", undefined],
    ["Write", true],
    ["Edit", undefined],
    ["TodoWrite", undefined],
  ]);
  assert.deepEqual(tools[6]?.items?.map(({ text: words }) => words), ["Stream the rows"]);
  assert.deepEqual(filesChanged(all.turns, CWD), ["src/import.ts", "src/b.ts", "src/c.ts"]);
});

Deno.test("VS Code: the same events in a workspace's storage, whole and from the end", async () => {
  const folder =
    `${tempDir()}/.config/Code/User/workspaceStorage/0a1b/GitHub.copilot-chat/transcripts`;
  const path = `${folder}/${ID}.jsonl`;
  const text = lines(COPILOT_EVENTS);
  put(path, text);
  const whole = await readSessionFile(path, { fs: realFs, tailBytes: Infinity, scratch: "" });
  assert.deepEqual([whole.agent, whole.sessionId, whole.fromStart], ["vscode", ID, true]);
  const end = await readSessionFile(path, { fs: realFs, tailBytes: 300, scratch: "" });
  assert.deepEqual([spoken(end), end.fromStart], [["assistant: It reads the file whole."], false]);
  assert.equal(end.endOffset, text.length);
  assert.equal(await readOrigin(path, realFs), undefined);
});
