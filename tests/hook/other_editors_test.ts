/**
 * Hooks of other editors from end to end: the line that `sage install` registered, handed to a shell as
 * the editor does, with the payload that was captured; and what a session left behind.
 */
import assert from "node:assert/strict";
import { type EditorName } from "../../src/editor/setup.ts";
import { SETUPS } from "../../src/editor/setups.ts";
import { realFs } from "../../src/base/fs.ts";
import { parseObject } from "../../src/editor/jsonc.ts";
import { receipts } from "../support/receipts.ts";
import { binary } from "../support/sage.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { put, read } from "../support/world.ts";
import { pause, testHook } from "./process.ts";
import { run } from "../support/within.ts";

const FILL = "The rows of the nightly export come in one file of nine gigabytes. ".repeat(6);
const FIXTURES = new URL("../fixture/", import.meta.url).pathname;

interface Place {
  readonly home: string;
  readonly cwd: string;
}

async function connected(editor: EditorName): Promise<Place> {
  const home = `${tempDir()}/home`;
  const cwd = `${home}/project`;
  await Deno.mkdir(cwd, { recursive: true });
  const { code, stderr } = await binary(["install", editor], { home, cwd });
  assert.equal(code, 0, stderr);
  return { home, cwd };
}

/** The line of the hook for an event, as the editor finds it. */
function lineOf(editor: EditorName, { home, cwd: projectDir }: Place, event: string): string {
  const files = SETUPS[editor].files("user", {
    fs: realFs,
    os: "linux",
    home,
    projectDir,
    env: () => undefined,
  });
  for (const { path } of files.filter(({ path }) => path.endsWith(".json"))) {
    const { hooks } = parseObject(read(path), path) as {
      hooks?: Record<string, { command?: string; hooks?: { command: string }[] }[]>;
    };
    const [entry] = hooks?.[event] ?? [];
    if (entry !== undefined) return entry.command ?? entry.hooks?.[0]?.command ?? "";
  }
  return assert.fail(`${editor} has no hook for ${event}`);
}

/** What the editor's shell gets for a payload; fails unless the hook ended well. */
async function deliver(
  editor: EditorName,
  on: Place,
  capture: string,
  changed: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const event = capture.split(".")[0] ?? "";
  const text = read(`${FIXTURES}${editor}/hooks/${capture}.json`)
    .replaceAll("/home/user/project", on.cwd).replaceAll("/home/user", on.home);
  const { code, stdout: said, stderr } = await run("/bin/sh", {
    args: ["-c", lineOf(editor, on, event)],
    cwd: on.cwd,
    env: { HOME: on.home },
    clearEnv: true,
    input: JSON.stringify({ ...JSON.parse(text), ...changed }),
  });
  assert.equal(code, 0, stderr);
  return said === "" ? {} : JSON.parse(said);
}

/** The session note that was made, or undefined. */
function note({ home }: Place): string | undefined {
  const name = filesIn(`${home}/.sage`).find((path) => path.startsWith("sessions/"));
  return name === undefined ? undefined : read(`${home}/.sage/${name}`);
}

testHook("Codex: a session is told where the last stopped, and leaves its own note", async () => {
  const on = await connected("codex");
  const first = await deliver("codex", on, "SessionStart.startup");
  assert.match(contextOf(first, "SessionStart"), /no earlier session/);
  const { transcript_path: path } = JSON.parse(
    read(`${FIXTURES}codex/hooks/Stop.json`).replaceAll("/home/user", on.home),
  );
  const session = "00000001-0000-4000-8000-000000000000";
  const at = (second: number) => `2026-11-22T03:10:${second}.000Z`;
  const message = (role: string, type: string, text: string, second: number) => ({
    timestamp: at(second),
    type: "response_item",
    payload: { type: "message", role, content: [{ type, text }] },
  });
  const lines = [
    { timestamp: at(10), type: "session_meta", payload: { id: session, cwd: on.cwd } },
    message("user", "input_text", "Why does the importer stall on large files?", 11),
    message("assistant", "output_text", "We decided to stream rows because buffers stalled.", 12),
    ...["the reader", "the parser", "the writer", "the index"].flatMap((part, n) => [
      message("user", "input_text", `What of ${part}? ${FILL}`, 20 + n),
      message(
        "assistant",
        "output_text",
        `I measured ${part} with \`npm run bench -- ${n}\`: it takes ${
          n + 3
        } s of the 20 s. ${FILL}`,
        30 + n,
      ),
    ]),
    {
      timestamp: at(40),
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { last_token_usage: { total_tokens: 190_000 }, model_context_window: 258_400 },
      },
    },
  ];
  const rollout = path.replace(/-[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/, `-${session}.jsonl`);
  put(rollout, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  const own = { transcript_path: rollout, session_id: session };
  await deliver("codex", on, "UserPromptSubmit", own);
  await deliver("codex", on, "Stop", own);
  const saved = filesIn(`${on.home}/.sage`).filter((path) => path.startsWith("checkpoints/"));
  assert.equal(saved.length, 1, "the window is at 70 %");
  await deliver("codex", on, "SessionEnd.other", own);
  assert.match(note(on) ?? "", /agent: codex\n[^]*\n---\n[^]*decided to stream rows/);
  const next = await deliver("codex", on, "SessionStart.startup", { session_id: "next-1" });
  assert.match(
    contextOf(next, "SessionStart"),
    /What of the index\? → I measured the index[^]*We decided to stream rows/,
  );
});

testHook("Codex: a branch is not told what it began with", async () => {
  const on = await connected("codex");
  const [branch, origin] = ["0000001f", "00000020"].map((id) =>
    `${id}-0000-4000-8000-000000000000`
  );
  const { transcript_path: path } = JSON.parse(
    read(`${FIXTURES}codex/hooks/SessionStart.fork.json`).replaceAll("/home/user", on.home),
  );
  const text = read(`${FIXTURES}codex/sessions/${path.split("/").at(-1)}`);
  put(path, text);
  const own = {
    session_id: origin,
    transcript_path: path.replace(branch, origin),
    last_assistant_message: "We decided to split the queue into two lanes: one lane starved.",
  };
  put(own.transcript_path, text.replaceAll(`${branch}`, `${origin}`));
  for (const event of ["SessionStart.startup", "UserPromptSubmit", "Stop", "SessionEnd.other"]) {
    await deliver("codex", on, event, own);
  }
  const other = await deliver("codex", on, "SessionStart.startup", { session_id: "next-3" });
  assert.match(contextOf(other, "SessionStart"), /Last session/);
  const told = JSON.stringify(await deliver("codex", on, "SessionStart.fork"));
  assert.doesNotMatch(told, /Last session/);
});

testHook(
  "Gemini CLI: a session is told where the last stopped, and leaves its own note",
  async () => {
    const on = await connected("gemini");
    await deliver("gemini", on, "SessionStart.startup");
    const { transcript_path: path } = JSON.parse(
      read(`${FIXTURES}gemini/hooks/AfterAgent.json`).replaceAll("/home/user", on.home),
    );
    put(path, read(`${FIXTURES}gemini/chats/session-2026-11-22T03-10-00000003.jsonl`));
    await deliver("gemini", on, "BeforeAgent");
    await deliver("gemini", on, "AfterAgent");
    await deliver("gemini", on, "SessionEnd.exit");
    const made = note(on) ?? "";
    assert.match(made, /title: We decided to use streaming rows because buffers stalled\.\n/);
    assert.match(made, /agent: gemini\n---\n[^]*streaming rows/);
    assert.doesNotMatch(made, /hook_context|session_context|recalled/);
    const next = await deliver("gemini", on, "SessionStart.startup", { session_id: "next-2" });
    assert.match(contextOf(next, "SessionStart"), /Where were we with the importer/);
  },
);

testHook("Cursor and VS Code: a session is told where the last stopped", async () => {
  for (const [editor, start] of [["cursor", "sessionStart"], ["vscode", "SessionStart"]] as const) {
    const on = await connected(editor);
    await binary(["knowledge", "add", "-", "--title", "Rows are streamed"], {
      ...on,
      stdin: "Buffers stalled the importer.",
    });
    const reply = await deliver(editor, on, start);
    const told = editor === "cursor"
      ? String(reply.additional_context)
      : contextOf(reply, "SessionStart");
    assert.match(told, /^Sage memory of "project"/);
    if (editor === "cursor") assert.deepEqual(Object.keys(reply), ["additional_context"]);
  }
  const on = await connected("cursor");
  assert.deepEqual(await deliver("cursor", on, "sessionEnd"), {});
});

testHook(
  "Cursor: a session saves and leaves its note, also after a turn that was stopped",
  async () => {
    const on = await connected("cursor");
    const first = "00000001-0000-4000-8000-000000000000";
    const second = first.replace("1", "2");
    const told = async (id: string): Promise<string> => {
      const own = { conversation_id: id, session_id: id };
      return String((await deliver("cursor", on, "sessionStart", own)).additional_context);
    };
    assert.match(await told(first), /no earlier session/);
    for (const [n, part] of ["the reader", "the parser", "the writer"].entries()) {
      const own = grow(
        on,
        first,
        `What of ${part}? ${FILL}`,
        `We decided to stream ${part} because buffers stalled for ${n + 3} s. ${FILL}`,
      );
      assert.deepEqual(await deliver("cursor", on, "stop", own), {});
    }
    const end = grow(on, first, "And the index?", "The index takes 4 s of the 20 s.");
    await deliver("cursor", on, "preCompact", end);
    const saved = filesIn(`${on.home}/.sage`).filter((path) => path.startsWith("checkpoints/"));
    assert.equal(saved.length, 1, "before the compaction");
    const checkpoint = read(`${on.home}/.sage/${saved[0]}`);
    assert.match(checkpoint, /decided to stream the (?:reader|parser|writer)/);
    assert.ok(!/REDACTED|user_query/.test(checkpoint), checkpoint);
    await deliver("cursor", on, "sessionEnd", { ...end, session_id: first });
    const noted = note(on) ?? "";
    assert.match(noted, /agent: cursor\n[^]*src\/rows\.ts[^]*\n---\n[^]*decided to stream/);

    assert.match(await told(second), /it stopped at "The index takes 4 s of the 20 s\."/);
    let own = {};
    for (const part of ["exports", "imports", "totals"]) {
      own = grow(on, second, `How do ${part} end? ${FILL}`, `All ${part} end with a mark. ${FILL}`);
      await deliver("cursor", on, "stop", { ...own, status: "aborted" });
    }
    await deliver("cursor", on, "sessionEnd", {
      ...own,
      session_id: second,
      reason: "window_close",
    });
    assert.match(await told(first.replace("1", "3")), /Last session [^]*How do totals end\?/);
  },
);

testHook(
  "Cursor: sage status tells that conversations have a form that Sage cannot read",
  async () => {
    const on = await connected("cursor");
    for (const n of ["1", "2", "3"]) {
      const id = `0000000${n}-0000-4000-8000-000000000000`;
      const own = grow(on, id, `How do rows end? ${FILL}`, `All rows end with a mark. ${FILL}`);
      put(own.transcript_path, read(own.transcript_path).replaceAll('"role"', '"author"'));
      assert.deepEqual(await deliver("cursor", on, "stop", own), {});
    }
    const { stdout } = await binary(["status"], on);
    assert.match(stdout, /the last 3 sessions saved nothing: the editor's transcripts have a form/);
  },
);

testHook(
  "Cursor: two sessions of turns that were stopped are no sign of missing hooks",
  async () => {
    const on = await connected("cursor");
    for (const n of ["1", "2"]) {
      const id = `0000000${n}-0000-4000-8000-000000000000`;
      const own = grow(on, id, `How do rows end? ${FILL}`, `All rows end with a mark. ${FILL}`);
      await deliver("cursor", on, "sessionStart", { conversation_id: id, session_id: id });
      await deliver("cursor", on, "stop", { ...own, status: "aborted" });
      await deliver("cursor", on, "sessionEnd", { ...own, session_id: id });
    }
    const ended = receipts(on.home).filter(({ hook }) => hook === "session-end");
    assert.deepEqual(
      ended.map(({ note, agent }) => [note, agent]),
      Array(2).fill(["written", "cursor"]),
    );
    assert.match((await binary(["status"], on)).stdout, /^healthy/);
  },
);

/** Adds a turn to a conversation of Cursor; what its hooks say of the conversation. */
function grow({ home, cwd }: Place, id: string, prompt: string, answer: string) {
  const project = cwd.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-/, "");
  const path = `${home}/.cursor/projects/${project}/agent-transcripts/${id}/${id}.jsonl`;
  const text = (words: string) => ({ type: "text", text: words });
  const edit = { path: `${cwd}/src/rows.ts`, old_string: "a", new_string: "b" };
  const lines = [
    { role: "user", message: { content: [text(`<user_query>\n${prompt}\n</user_query>`)] } },
    {
      role: "assistant",
      message: {
        content: [
          text(`${answer}\n\n[REDACTED]`),
          { type: "tool_use", name: "StrReplace", input: edit },
        ],
      },
    },
    { type: "turn_ended", status: "success" },
  ];
  const before = realFs.lstat(path) === undefined ? "" : read(path);
  put(path, before + lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return { conversation_id: id, transcript_path: path };
}

testHook(
  "Copilot CLI runs VS Code's hooks, and takes what is said in a form of its own",
  async () => {
    const on = await connected("vscode");
    await binary(["knowledge", "add", "-", "--title", "Rows are streamed"], {
      ...on,
      stdin: "Buffers stalled the importer.",
    });
    const first = await deliver("vscode", on, "SessionStart.copilot-cli");
    assert.match(String(first.additionalContext), /^Sage memory of "project"/);
    assert.equal(first.additionalContext, contextOf(first, "SessionStart"));
    const next = (session_id: string) =>
      deliver("vscode", on, "SessionStart.copilot-cli", { session_id }).then(JSON.stringify);
    // The program writes before it calls the first hook.
    put(
      `${on.home}/.copilot/session-state/00000001-0000-4000-8000-000000000000/events.jsonl`,
      "{}",
    );
    assert.match(await next("00000002-0000-4000-8000-000000000000"), /Another session works here/);
    // Both are over: who begins then is told of nobody.
    assert.deepEqual(await deliver("vscode", on, "SessionEnd.copilot-cli"), {});
    await deliver("vscode", on, "SessionEnd.copilot-cli", {
      session_id: "00000002-0000-4000-8000-000000000000",
    });
    assert.doesNotMatch(await next("00000003-0000-4000-8000-000000000000"), /Another session/);
  },
);

testHook("Copilot CLI: a session saves before a compaction, and leaves its note", async () => {
  const on = await connected("vscode");
  const file = JSON.parse(read(`${FIXTURES}vscode/hooks/Stop.copilot-cli.json`)).transcript_path
    .replace("/home/user", on.home);
  const event = (type: string, data: unknown, n: number) =>
    JSON.stringify({ type, data, id: `${type}-${n}`, timestamp: new Date().toISOString() }) + "\n";
  const turn = (part: string, n: number) =>
    event("user.message", { content: `What of ${part}? ${FILL}` }, n) +
    event("assistant.message", {
      content: `We decided to stream ${part} because buffers stalled for ${n + 3} s. ${FILL}`,
    }, n);
  await deliver("vscode", on, "SessionStart.copilot-cli");
  put(
    file,
    event("session.start", { context: { cwd: on.cwd } }, 0) +
      ["the reader", "the parser", "the writer"].map(turn).join(""),
  );
  assert.deepEqual(await deliver("vscode", on, "Stop.copilot-cli"), {});
  await deliver("vscode", on, "PreCompact.copilot-cli");
  const saved = filesIn(`${on.home}/.sage`).filter((path) => path.startsWith("checkpoints/"));
  assert.equal(saved.length, 1);
  await deliver("vscode", on, "SessionEnd.copilot-cli");
  assert.match(note(on) ?? "", /agent: copilot\n[^]*\n---\n[^]*decided to stream the writer/);
});

testHook("Copilot CLI: what it writes after it has called the hook is saved too", async () => {
  const long = FILL.repeat(4);
  for (const capture of ["Stop.copilot-cli", "SessionEnd.copilot-cli"]) {
    const on = await connected("vscode");
    const { transcript_path: path } = JSON.parse(
      read(`${FIXTURES}vscode/hooks/Stop.copilot-cli.json`).replaceAll("/home/user", on.home),
    );
    const event = (type: string, content: string, n: number) =>
      JSON.stringify({
        type,
        data: { content },
        id: `${type}-${n}`,
        timestamp: new Date().toISOString(),
      }) + "\n";
    await deliver("vscode", on, "SessionStart.copilot-cli");
    const called = deliver("vscode", on, capture, { timestamp: new Date().toISOString() });
    // By then a hook that does not wait has looked.
    await pause(150);
    put(
      path,
      ["the reader", "the parser", "the writer"].map((part, n) =>
        event("user.message", `What of ${part}? ${long}`, n) +
        event("assistant.message", `We decided to stream ${part}, as buffers stalled. ${long}`, n)
      ).join(""),
    );
    await called;
    assert.match(note(on) ?? "", /agent: copilot\n[^]*decided to stream the writer/, capture);
  }
});

testHook("a start that two editors' settings have a hook for is answered once", async () => {
  const on = await connected("vscode");
  assert.equal((await binary(["install", "claude-code"], on)).code, 0);
  await binary(["todo", "add", "Stream the rows"], on);
  await binary(["config", "set", "teaching.enabled", "false"], on);
  const capture = "SessionStart.copilot-cli";
  const text = read(`${FIXTURES}vscode/hooks/${capture}.json`)
    .replaceAll("/home/user/project", on.cwd);
  // The first session is oriented anew, the others are told what was prepared when the one before ended.
  for (let n = 1; n <= 4; n++) {
    const session = { session_id: `0000000${n}-0000-4000-8000-000000000000` };
    const [own, foreign] = await Promise.all([
      deliver("vscode", on, capture, session),
      binary(["hook", "session-start"], {
        ...on,
        stdin: JSON.stringify({ ...JSON.parse(text), ...session }),
      }),
    ]);
    const told = [own, foreign.stdout === "" ? {} : JSON.parse(foreign.stdout)];
    assert.equal(told.filter(({ additionalContext }) => additionalContext).length, 1);
    await deliver("vscode", on, "SessionEnd.copilot-cli", session);
  }
  const starts = receipts(on.home).filter(({ hook }) => hook === "session-start");
  assert.deepEqual(starts.filter(({ twice }) => twice).length, 4);
  assert.ok(starts.some(({ prepared }) => prepared));
});

testHook(
  "Copilot CLI and VS Code run the hooks in Claude Code's settings too, and are told and saved by them",
  async () => {
    const on = await connected("claude-code");
    const captured = (name: string): string =>
      read(`${FIXTURES}vscode/hooks/${name}.copilot-cli.json`)
        .replaceAll("/home/user/project", on.cwd).replaceAll("/home/user", on.home);
    const started = await binary(["hook", "session-start"], {
      ...on,
      stdin: captured("SessionStart"),
    });
    assert.match(JSON.parse(started.stdout).additionalContext, /^Sage memory of "project"/);
    const { transcript_path: path, session_id: id, ...stop } = JSON.parse(captured("Stop"));
    const events = (content: string) =>
      ["user", "assistant"].map((role, n) =>
        JSON.stringify({
          type: `${role}.message`,
          data: { content: n === 0 ? `What of rows? ${FILL}` : `${content} ${FILL}` },
          id: `${role}-${n}`,
          timestamp: new Date().toISOString(),
        }) + "\n"
      ).join("");
    const hook = async (event: string, payload: object): Promise<void> => {
      const stdin = JSON.stringify(payload);
      const { code, stdout } = await binary(["hook", event], { ...on, stdin });
      assert.deepEqual([code, stdout], [0, ""]);
    };
    put(path, events("We decided to stream rows because buffers stalled for 3 s."));
    await hook("stop", { ...stop, session_id: id, transcript_path: path });
    await hook("session-end", { ...stop, session_id: id, hook_event_name: "SessionEnd" });
    assert.match(note(on) ?? "", /\nagent: copilot\n[^]*decided to stream rows/);

    const folder = `${on.home}/.config/Code/User/workspaceStorage/1/GitHub.copilot-chat`;
    const other = `${folder}/transcripts/${id.replace("1", "2")}.jsonl`;
    put(other, events("We decided to stream columns because buffers stalled for 4 s."));
    const { hook_event_name: _, ...fields } = stop;
    const sessionId = id.replace("1", "2");
    await hook("stop", { ...fields, sessionId, hookEventName: "Stop", transcript_path: other });
    const gates = receipts(on.home).filter(({ hook }) => hook === "stop")
      .map(({ agent, gate }) => `${agent}: ${gate}`);
    assert.deepEqual(gates.filter((gate) => !/^vscode: (?!no )/.test(gate)), []);
  },
);

testHook(
  "a payload in another editor's form, or of an editor that nobody knows, does no more than leave a line in the log",
  async () => {
    const on = await connected("cursor");
    const before = filesIn(on.home);
    for (
      const [words, payload] of [
        [["stop", "nobody"], read(`${FIXTURES}codex/hooks/Stop.json`)],
        [
          ["session-start", "constructor"],
          read(`${FIXTURES}codex/hooks/SessionStart.startup.json`),
        ],
        [["session-start", "cursor"], read(`${FIXTURES}codex/hooks/SessionStart.startup.json`)],
        [["stop", "gemini"], read(`${FIXTURES}codex/hooks/Stop.json`)],
        [["stop", "codex"], "garbage"],
      ] as const
    ) {
      const { code, stdout } = await binary(["hook", ...words], { ...on, stdin: payload });
      assert.deepEqual([code, stdout], [0, ""], words.join(" "));
    }
    const isLog = (path: string): boolean => path.startsWith(".sage/state/log/");
    assert.deepEqual(filesIn(on.home).filter((path) => !isLog(path)), before);
    const told = receipts(on.home).map(({ hook, outcome, error }) =>
      `${hook} ${outcome}: ${error}`
    );
    assert.deepEqual(told, [
      "stop failed: unknown_editor",
      "session-start failed: unknown_editor",
      "stop failed: unreadable_payload",
    ]);
  },
);

function contextOf(reply: Record<string, unknown>, event: string): string {
  const own = reply.hookSpecificOutput as { hookEventName?: string; additionalContext?: string };
  assert.equal(own?.hookEventName, event);
  return own?.additionalContext ?? "";
}
