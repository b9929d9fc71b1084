/** Hook payloads as the client delivers them, and as an enemy would; replies as the client reads them. */
import assert from "node:assert/strict";
import {
  isChildSession,
  isCopilots,
  parsePayload,
  renderReply,
} from "../../src/editor/claude_code/payload.ts";

const FIXTURES = new URL("../fixture/claude-code/", import.meta.url).pathname;
const EVENTS: Record<string, string> = {
  SessionStart: "session-start",
  UserPromptSubmit: "user-prompt-submit",
  Stop: "stop",
  SubagentStop: "subagent-stop",
  PreCompact: "pre-compact",
  SessionEnd: "session-end",
};
const env = (name: string) => ({ HOME: "/home/user" } as Record<string, string>)[name];
const read = (file: string): Record<string, unknown> =>
  JSON.parse(Deno.readTextFileSync(FIXTURES + file));
const base = {
  session_id: "abc-1",
  cwd: "/home/user/project",
  transcript_path: "/home/user/.claude/projects/-home-user-project/abc-1.jsonl",
};

for (const { name } of Deno.readDirSync(FIXTURES + "hooks")) {
  const event = EVENTS[name.split(".")[0] ?? ""];
  Deno.test(`parsePayload() reads the captured ${name}`, () => {
    const raw = read(`hooks/${name}`);
    if (event === undefined) {
      assert.equal(parsePayload(raw, name, env), undefined);
      return;
    }
    const input = parsePayload(raw, event, env);
    assert.equal(input?.sessionId, raw.session_id);
    assert.equal(input?.cwd, "/home/user/project");
    assert.equal(input?.transcriptPath, raw.transcript_path);
    assert.equal(input?.event, event);
  });
}

Deno.test("isCopilots() is true of no payload of Claude Code, wherever its folder is", () => {
  const taken = [...Deno.readDirSync(FIXTURES + "hooks")].map(({ name }) => name)
    .filter((name) => isCopilots(read(`hooks/${name}`)));
  assert.deepEqual(taken, []);
  const session = "00000001-0000-4000-8000-000000000000";
  const place = `/session-state/${session}/GitHub.copilot-chat/transcripts/projects/transcripts`;
  for (const raw of [{}, { ...base, transcript_path: `${place}/${session}.jsonl` }]) {
    const hook_event_name = "UserPromptSubmit";
    assert.equal(isCopilots({ ...raw, hook_event_name, hookEventName: "Stop" }), false);
    assert.equal(isCopilots({ ...base, ...raw, hook_event_name, source: "new" }), false);
  }
  for (const raw of [undefined, null, 7, "{}", [], {}, { transcript_path: 7 }]) {
    assert.equal(isCopilots(raw), false);
  }
});

Deno.test("isCopilots() is true of what VS Code and Copilot CLI send", () => {
  const folder = new URL("../vscode/hooks/", `file://${FIXTURES}`).pathname;
  const names = [
    "SessionStart",
    ...["SessionStart", "Stop", "PreCompact"].map((event) => `${event}.copilot-cli`),
  ];
  for (const name of names) {
    const raw = JSON.parse(Deno.readTextFileSync(`${folder}${name}.json`));
    assert.equal(isCopilots(raw), true, name);
    // One on Windows.
    const transcript_path = "C:\\Users\\u\\.copilot\\session-state\\abcdefgh\\events.jsonl";
    assert.equal(isCopilots({ ...raw, transcript_path }), true, name);
  }
});

Deno.test("parsePayload() keeps the fields that act", () => {
  const stop = parsePayload(read("hooks/Stop.again.json"), "stop", env);
  assert.equal(stop?.stopHookActive, true);
  assert.equal(stop?.lastAssistantMessage, "Second final answer, after the stop hook.");
  const start = parsePayload(read("hooks/SessionStart.resume.json"), "session-start", env);
  assert.equal(start?.source, "resume");
  assert.deepEqual(start?.replayed, { tokens: 15295, silentSeconds: 1 });
  const compact = parsePayload(read("hooks/PreCompact.manual.json"), "pre-compact", env);
  assert.equal(compact?.trigger, "manual");
});

Deno.test("parsePayload() marks the subagent stop that compaction causes", () => {
  const own = parsePayload(read("hooks/SubagentStop.compaction.json"), "subagent-stop", env);
  assert.equal(own?.isCompaction, true);
  // What was asked by `/btw` ends in the same way.
  const aside = parsePayload(read("hooks/SubagentStop.btw.json"), "subagent-stop", env);
  assert.deepEqual([aside?.agentType, aside?.isCompaction], ["", undefined]);
  const real = parsePayload(read("hooks/SubagentStop.json"), "subagent-stop", env);
  assert.equal(real?.isCompaction, undefined);
  assert.equal(real?.agentType, "general-purpose");
  assert.match(real?.agentTranscriptPath ?? "", /subagents\/agent-a0000000000000003\.jsonl$/);
});

Deno.test("parsePayload() accepts the spelling of VS Code", () => {
  const input = parsePayload(
    { sessionId: "s1", hookEventName: "SessionStart", cwd: "/home/user/project", source: "new" },
    "session-start",
    env,
  );
  assert.equal(input?.sessionId, "s1");
  assert.equal(input?.transcriptPath, undefined);
});

for (
  const [why, raw, event] of [
    ["null", null, "stop"],
    ["a string", "{}", "stop"],
    ["a list", [base], "stop"],
    ["an unknown event", base, "post-tool-use"],
    ["an inherited name as event", base, "constructor"],
    ["another event's payload", { ...base, hook_event_name: "SessionEnd" }, "stop"],
  ] as const
) {
  Deno.test(`parsePayload() refuses ${why}`, () => {
    assert.equal(parsePayload(raw, event, env), undefined);
  });
}

for (
  const [why, raw] of [
    ["nothing in it", {}],
    ["a session id that climbs", { ...base, session_id: "../../etc/passwd" }],
    ["a long session id", { ...base, session_id: "a".repeat(129) }],
    ["a session id that is no text", { ...base, session_id: { toString: "x" } }],
    ["a relative folder", { ...base, cwd: "project" }],
    ["a folder with a line break", { ...base, cwd: "/home/user\n/x" }],
    ["no folder", { session_id: "a" }],
  ] as const
) {
  Deno.test(`parsePayload() fails on ${why}`, () => {
    assert.throws(() => parsePayload(raw, "stop", env), { code: "unfit_payload" });
  });
}

for (
  const path of [
    "/etc/passwd",
    "/home/user/.claude/projects/../../.ssh/id.jsonl",
    "/home/user/.claude/projects/a/b.json",
    "/home/user/.claude/other/b.jsonl",
    "/home/user/.claude/projectsX/b.jsonl",
    "projects/a/b.jsonl",
    42,
    "/home/user/.claude/projects/a/" + "x".repeat(5000) + ".jsonl",
  ]
) {
  Deno.test(`parsePayload() drops the transcript path ${String(path).slice(0, 60)}`, () => {
    const input = parsePayload({ ...base, transcript_path: path }, "stop", env);
    assert.equal(input?.sessionId, "abc-1");
    assert.equal(input?.transcriptPath, undefined);
  });
}

Deno.test("parsePayload() follows CLAUDE_CONFIG_DIR, also on Windows", () => {
  const moved = (name: string) => name === "CLAUDE_CONFIG_DIR" ? "/data/claude/" : env(name);
  const inside = { ...base, transcript_path: "/data/claude/projects/x/y.jsonl" };
  assert.equal(parsePayload(inside, "stop", moved)?.transcriptPath, inside.transcript_path);
  assert.equal(parsePayload(base, "stop", moved)?.transcriptPath, undefined);
  const windows = (name: string) => name === "USERPROFILE" ? "C:\\Users\\me" : undefined;
  const path = "c:\\Users\\me\\.claude\\projects\\C--work\\s.jsonl";
  const raw = { session_id: "s", cwd: "c:\\work", transcript_path: path };
  const input = parsePayload(raw, "stop", windows);
  assert.equal(input?.transcriptPath, "C:/Users/me/.claude/projects/C--work/s.jsonl");
  assert.equal(input?.cwd, "C:/work", "one folder has one form, whoever wrote it");
  const long = { ...raw, cwd: `\\\\?\\${raw.cwd}`, transcript_path: `\\\\?\\${path}` };
  assert.deepEqual(parsePayload(long, "stop", windows), input);
});

Deno.test("parsePayload() knows the client's folder in either form of Unicode", () => {
  for (const form of ["NFC", "NFD"] as const) {
    const home = "/Volumes/Büro/ann".normalize(form);
    const path = "/Volumes/Büro/ann/.claude/projects/-work/a.jsonl";
    const input = parsePayload(
      { session_id: "a", cwd: "/work", transcript_path: path },
      "stop",
      (name) => name === "HOME" ? home : undefined,
    );
    assert.equal(input?.transcriptPath, path, form);
  }
});

Deno.test("parsePayload() bounds every text", () => {
  const huge = "x".repeat(1_000_000);
  const input = parsePayload(
    { ...base, prompt: huge, source: huge },
    "user-prompt-submit",
    env,
  );
  assert.ok((input?.prompt?.length ?? 0) <= 256 * 1024);
  assert.ok((input?.source?.length ?? 0) <= 200);
});

Deno.test("isChildSession() is false in every captured hook, true with a mark", () => {
  for (const { name } of Deno.readDirSync(FIXTURES + "env")) {
    if (name.includes("mcp-server")) continue;
    const captured = read(`env/${name}`).env as Record<string, string>;
    assert.equal(captured.CLAUDE_CODE_CHILD_SESSION, "1");
    assert.equal(isChildSession((key) => captured[key]), false, name);
    assert.equal(isChildSession((key) => ({ ...captured, SAGE_CHILD: "1" })[key]), true);
    const nested = { ...captured, CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: "some-other-session" };
    assert.equal(isChildSession((key) => (nested as Record<string, string>)[key]), true);
  }
});

Deno.test("parsePayload() takes a notice of the client for no prompt", () => {
  const prompt = (said: string) =>
    parsePayload({ session_id: "s", cwd: "/p", prompt: said }, "user-prompt-submit", env)?.prompt;
  assert.equal(prompt("<task-notification>\n<task-id>b1</task-id>"), "");
  const report = String(read("hooks/UserPromptSubmit.agent-message.json").prompt);
  assert.match(report, /Found two readers/);
  assert.equal(prompt(report), "");
  assert.equal(
    prompt("What does <task-notification> mean?"),
    "What does <task-notification> mean?",
  );
  assert.equal(
    prompt("<ide_opened_file>The user opened a.ts</ide_opened_file>\nWhy is it slow?"),
    "Why is it slow?",
  );
});

Deno.test("parsePayload() knows an unattended session", () => {
  const stop = { session_id: "s", cwd: "/p", hook_event_name: "Stop" };
  const isUnattended = (env: Record<string, string>) =>
    parsePayload(stop, "stop", (key) => env[key])?.isUnattended;
  assert.equal(isUnattended({ CLAUDE_CODE_SESSION_ATTENDED: "0" }), true);
  assert.equal(isUnattended({ CLAUDE_CODE_SESSION_ATTENDED: "1" }), undefined);
  assert.equal(isUnattended({ CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }), true);
  assert.equal(isUnattended({ CLAUDE_CODE_ENTRYPOINT: "cli" }), undefined);
  assert.equal(isUnattended({}), undefined);
});

Deno.test("renderReply() names the event beside the context", () => {
  assert.deepEqual(JSON.parse(renderReply("session-start", { context: "hello" })), {
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "hello" },
  });
  assert.deepEqual(JSON.parse(renderReply("user-prompt-submit", { context: "x", notice: "n" })), {
    systemMessage: "n",
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "x" },
  });
});

Deno.test("renderReply() makes the agent go on at a stop, without the error that a block is shown as", () => {
  assert.deepEqual(JSON.parse(renderReply("stop", { block: "save", context: "ignored" })), {
    hookSpecificOutput: { hookEventName: "Stop", additionalContext: "save" },
  });
  assert.equal(renderReply("stop", { context: "ignored" }), "");
  for (const event of ["pre-compact", "session-end", "subagent-stop"] as const) {
    assert.equal(renderReply(event, { block: "b", context: "c", notice: "n" }), "");
  }
});

Deno.test("renderReply() is empty when there is nothing to say", () => {
  for (const event of ["session-start", "user-prompt-submit", "stop", "pre-compact"] as const) {
    assert.equal(renderReply(event, {}), "");
    assert.equal(renderReply(event, { context: "", block: "", notice: "" }), "");
  }
});

Deno.test("renderReply() sends no half of a pair of surrogates", () => {
  const half = "\ud83d";
  const notice = `${"n".repeat(499)}\ud83d\ude00`;
  const json = renderReply("session-start", { context: `a ${half} b`, notice });
  assert.doesNotMatch(json, /\\ud/);
  assert.equal(JSON.parse(json).hookSpecificOutput.additionalContext, "a \ufffd b");
});

Deno.test("renderReply() keeps the whole object below the client's cut, ending at a line", () => {
  for (
    const line of ["plain words here", 'quotes " and \\ back', "日本語の行", "\u0001\u0002\u0003"]
  ) {
    const context = Array.from({ length: 2000 }, (_, i) => `${i} ${line}`).join("\n");
    const json = renderReply("session-start", { context, notice: "note" });
    assert.ok(json.length <= 9900, `${json.length}`);
    const sent = JSON.parse(json).hookSpecificOutput.additionalContext as string;
    assert.ok(context.startsWith(sent + "\n"));
    assert.ok(json.length > 9500);
  }
  const oneLine = renderReply("session-start", { context: "😀".repeat(9000) });
  assert.ok(oneLine.length <= 9900);
  assert.doesNotMatch(JSON.parse(oneLine).hookSpecificOutput.additionalContext, /[\ud800-\udbff]$/);
});
