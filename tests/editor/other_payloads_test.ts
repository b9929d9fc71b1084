/** Hook payloads of Codex, Gemini CLI, Cursor and VS Code, captured or as documented, and the answers to them. */
import assert from "node:assert/strict";
import { tempDir, writeOld } from "../support/temp_store.ts";
import { put } from "../support/world.ts";
import * as codex from "../../src/editor/codex/payload.ts";
import * as cursor from "../../src/editor/cursor/payload.ts";
import type { HookForm } from "../../src/editor/editor.ts";
import * as gemini from "../../src/editor/gemini/payload.ts";
import { realFs } from "../../src/base/fs.ts";
import { readSessionFile } from "../../src/editor/session_file.ts";
import * as vscode from "../../src/editor/vscode/payload.ts";

const FIXTURES = new URL("../fixture/", import.meta.url).pathname;
const FORMS: Readonly<Record<string, HookForm>> = { codex, cursor, gemini, vscode };
/** Our event of each file. */
const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: "session-start",
  sessionStart: "session-start",
  UserPromptSubmit: "user-prompt-submit",
  BeforeAgent: "user-prompt-submit",
  Stop: "stop",
  stop: "stop",
  AfterAgent: "stop",
  PreCompact: "pre-compact",
  preCompact: "pre-compact",
  PreCompress: "pre-compact",
  SessionEnd: "session-end",
  sessionEnd: "session-end",
};
const UNFIT = { code: "unfit_payload" };
const env = (name: string) => ({ HOME: "/home/user" } as Record<string, string>)[name];

function read(path: string): Record<string, unknown> {
  return JSON.parse(Deno.readTextFileSync(FIXTURES + path));
}

function parse(editor: string, file: string, changed: Record<string, unknown> = {}) {
  const event = EVENTS[file.split(".")[0] ?? ""] ?? "";
  const raw = { ...read(`${editor}/hooks/${file}.json`), ...changed };
  return FORMS[editor]?.parsePayload(raw, event, env);
}

for (const [editor, form] of Object.entries(FORMS)) {
  for (const { name } of Deno.readDirSync(`${FIXTURES}${editor}/hooks`)) {
    Deno.test(`${editor}: parsePayload() reads ${name}`, () => {
      const file = name.replace(/\.json$/, "");
      const raw = read(`${editor}/hooks/${name}`);
      const input = parse(editor, file);
      assert.equal(input?.event, EVENTS[file.split(".")[0] ?? ""]);
      assert.equal(input?.sessionId, raw.session_id ?? raw.sessionId ?? raw.conversation_id);
      assert.equal(input?.cwd, "/home/user/project");
      if (editor === "codex" || editor === "gemini") {
        assert.equal(input?.transcriptPath, raw.transcript_path);
      } else if (editor === "cursor") {
        // A conversation that begins has no file yet.
        assert.equal(input?.transcriptPath, read("cursor/hooks/stop.json").transcript_path);
      } else if (editor === "vscode" && raw.session_id !== undefined) {
        const path = `/home/user/.copilot/session-state/${raw.session_id}/events.jsonl`;
        assert.equal(input?.transcriptPath, path);
      } else assert.equal(input?.transcriptPath, undefined);
      // No payload of one event is taken for another's.
      for (const event of new Set(Object.values(EVENTS))) {
        if (event !== input?.event) assert.equal(form.parsePayload(raw, event, env), undefined);
      }
    });
  }
}

Deno.test("a conversation of Cursor is read from its own file only, and after a turn that came to an end", () => {
  const stop = (changed: Record<string, unknown>) => parse("cursor", "stop", changed);
  const { transcript_path: own } = read("cursor/hooks/stop.json");
  const flat = String(own).replace(/\/[^/]+(?=\/[^/]+$)/, "");
  assert.equal(stop({ transcript_path: flat })?.transcriptPath, flat);
  for (
    const other of [
      String(own).replaceAll("c0ffee00", "badcafe0"),
      "/home/user/project/.cursor/projects/x/agent-transcripts/a.jsonl",
      String(own).replace("c0ffee00", "../c0ffee00"),
      7,
    ]
  ) assert.equal(stop({ transcript_path: other })?.transcriptPath, own);
  assert.equal(stop({ status: "completed" })?.isUnattended, true);
  for (const status of ["aborted", "error"]) assert.equal(stop({ status }), undefined);
});

Deno.test("a session of VS Code or Copilot CLI is read from a file of its events only", () => {
  const stop = (transcript_path: unknown, changed = {}) =>
    parse("vscode", "Stop.copilot-cli", { transcript_path, ...changed })?.transcriptPath;
  const id = "00000001-0000-4000-8000-000000000000";
  const storage = "/home/user/.vscode-server/data/User/workspaceStorage/0a1b/GitHub.copilot-chat";
  assert.equal(stop(`${storage}/transcripts/${id}.jsonl`), `${storage}/transcripts/${id}.jsonl`);
  const own = `/home/user/.copilot/session-state/${id}/events.jsonl`;
  for (
    const other of [
      own.replace("00000001", "00000002"),
      `/home/other/.copilot/session-state/${id}/events.jsonl`,
      `${storage}/transcripts/../${id}.jsonl`,
      null,
    ]
  ) {
    assert.equal(stop(other), own);
    assert.equal(stop(other, { session_id: undefined, sessionId: id }), undefined);
  }
});

Deno.test("the folder of an agent that lies elsewhere may end with a separator", () => {
  const at = (name: string, file: string, path: string) => {
    const moved = (variable: string) => variable === name ? "/data//own/" : env(variable);
    const editor = name === "CODEX_HOME" ? "codex" : "gemini";
    const raw = { ...read(`${editor}/hooks/${file}.json`), transcript_path: path };
    return FORMS[editor]?.parsePayload(raw, EVENTS[file] ?? "", moved)?.transcriptPath;
  };
  const rollout = "/data/own/sessions/2026/01/13/rollout-x.jsonl";
  assert.equal(at("CODEX_HOME", "Stop", rollout), rollout);
  const chat = "/data/own/.gemini/tmp/abc/chats/session-x.json";
  assert.equal(at("GEMINI_CLI_HOME", "AfterAgent", chat), chat);
  assert.equal(at("GEMINI_CLI_HOME", "AfterAgent", chat.replace("own", "other")), undefined);
});

Deno.test("a prompt is what the person typed, without what Gemini CLI put into it for a hook", () => {
  const raw = read("gemini/hooks/BeforeAgent.json");
  assert.match(String(raw.prompt), /^<hook_context>Sage memory/);
  assert.equal(
    parse("gemini", "BeforeAgent")?.prompt,
    "Where were we with the importer and its buffers?",
  );
  assert.throws(() => parse("gemini", "BeforeAgent", { session_id: "../x" }), UNFIT);
  const { lastAssistantMessage, stopHookActive } = parse("gemini", "AfterAgent") ?? {};
  assert.match(lastAssistantMessage ?? "", /streaming rows/);
  assert.equal(stopHookActive, false);
});

Deno.test("fields that act are kept, whatever they are called", () => {
  assert.equal(parse("codex", "SessionStart.resume")?.source, "resume");
  assert.equal(parse("codex", "SessionStart.fork")?.source, "fork");
  assert.match(parse("codex", "Stop")?.lastAssistantMessage ?? "", /streaming rows/);
  assert.equal(parse("vscode", "SessionStart")?.source, "startup");
  assert.equal(parse("cursor", "sessionStart")?.source, "startup");
  assert.equal(parse("cursor", "sessionEnd")?.reason, "completed");
  assert.equal(parse("gemini", "SessionEnd.exit")?.reason, "exit");
});

Deno.test("no file is opened but a session's own, where its editor keeps them", () => {
  const paths = [
    "/etc/passwd",
    "/home/user/.codex/sessions/../auth.json",
    "/home/user/.codex/auth.json",
    "/home/user/.codex/sessions/2026/rollout-x.txt",
    "/home/USER/.codex/sessions/2026/rollout-x.jsonl",
    "/home/user/.gemini/oauth_creds.json",
    "/home/user/.gemini/tmp/p/logs.json",
    "relative/rollout-x.jsonl",
    7,
    null,
  ];
  for (const transcript_path of paths) {
    assert.equal(parse("codex", "Stop", { transcript_path })?.transcriptPath, undefined);
    assert.equal(parse("gemini", "AfterAgent", { transcript_path })?.transcriptPath, undefined);
  }
  const moved = (name: string) => name === "CODEX_HOME" ? "/data/codex" : env(name);
  const path = "/data/codex/sessions/2026/11/22/rollout-a.jsonl";
  const raw = { ...read("codex/hooks/Stop.json"), transcript_path: path };
  assert.equal(codex.parsePayload(raw, "stop", moved)?.transcriptPath, path);
  assert.equal(codex.parsePayload(raw, "stop", env)?.transcriptPath, undefined);
});

Deno.test("an agent may name its folder by what a link leads to, and nothing beside it", () => {
  const base = tempDir();
  Deno.mkdirSync(`${base}/dotfiles/codex/sessions`, { recursive: true });
  Deno.symlinkSync(`${base}/dotfiles/codex`, `${base}/codex`);
  const linked = (name: string) => name === "CODEX_HOME" ? `${base}/codex` : env(name);
  for (const [folder, isOwn] of [["codex", true], ["dotfiles/codex", true], ["other", false]]) {
    const transcript_path = `${base}/${folder}/sessions/2026/11/22/rollout-a.jsonl`;
    const raw = { ...read("codex/hooks/Stop.json"), transcript_path };
    const { transcriptPath } = codex.parsePayload(raw, "stop", linked) ?? {};
    assert.equal(transcriptPath, isOwn ? transcript_path : undefined);
  }
});

Deno.test("a session of codex exec is unattended, and no other", () => {
  const home = tempDir();
  const path = `${home}/sessions/2026/11/22/rollout-a.jsonl`;
  const there = (name: string) => name === "CODEX_HOME" ? home : env(name);
  const raw = { ...read("codex/hooks/Stop.json"), transcript_path: path };
  const isUnattended = () => codex.parsePayload(raw, "stop", there)?.isUnattended;
  assert.equal(isUnattended(), undefined);
  const CASES = [
    [`{"originator":"codex_exec","source":"exec"}`, true],
    [`{"originator":"codex-tui","source":"cli"}`, undefined],
    [JSON.stringify({ source: "cli", instructions: `set "source":"exec" there` }), undefined],
  ] as const;
  for (const [payload, expected] of CASES) {
    writeOld(path, `{"type":"session_meta","payload":${payload}}\n`);
    assert.equal(isUnattended(), expected, payload);
  }
});

Deno.test("what is no payload of the editor's is none", () => {
  for (const form of Object.values(FORMS)) {
    for (const raw of [undefined, null, 1, "x", []]) {
      for (const event of ["session-start", "stop", "nothing", "constructor"]) {
        assert.equal(form.parsePayload(raw, event, env), undefined);
      }
    }
  }
  for (const [editor, file] of [["codex", "Stop"], ["gemini", "AfterAgent"]] as const) {
    assert.throws(() => parse(editor, file, { session_id: "../x" }), UNFIT, editor);
  }
  assert.throws(() => parse("cursor", "sessionStart", { workspace_roots: ["p"] }), UNFIT);
  assert.equal(parse("cursor", "sessionStart", { is_background_agent: true }), undefined);
  assert.equal(parse("cursor", "sessionStart", { workspace_roots: [] }), undefined);
  assert.equal(
    parse("cursor", "sessionStart", { workspace_roots: ["/c:/Users/me/p"] })?.cwd,
    "C:/Users/me/p",
  );
});

Deno.test("answers are in each editor's own form, and nothing where there is nothing to say", () => {
  const told = { context: "where it stopped", notice: "I remember" };
  const answer = (
    editor: string,
    event: "session-start" | "user-prompt-submit" | "stop",
    reply = {},
  ) => JSON.parse(FORMS[editor]?.renderReply(event, { ...told, ...reply }) || "null");
  assert.deepEqual(answer("cursor", "session-start"), { additional_context: told.context });
  assert.equal(answer("cursor", "user-prompt-submit"), null);
  assert.deepEqual(answer("codex", "session-start"), {
    systemMessage: told.notice,
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: told.context },
  });
  assert.deepEqual(answer("gemini", "user-prompt-submit"), {
    systemMessage: told.notice,
    hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: told.context },
  });
  assert.deepEqual(answer("gemini", "stop", { block: "save it" }), {
    systemMessage: told.notice,
    decision: "deny",
    reason: "save it",
  });
  assert.deepEqual(answer("codex", "stop", { block: "save it" }), {
    systemMessage: told.notice,
    decision: "block",
    reason: "save it",
  });
  for (const form of Object.values(FORMS)) {
    for (const event of ["session-start", "stop", "pre-compact", "session-end"] as const) {
      assert.equal(form.renderReply(event, {}), "");
    }
  }
});

Deno.test("readSessionFile() reads a captured session of Gemini CLI, its words alone", async () => {
  const path = `${FIXTURES}gemini/chats/session-2026-11-22T03-10-00000003.jsonl`;
  for (const tailBytes of [Infinity, 1500]) {
    const { agent, turns, endOffset, fromStart } = await readSessionFile(path, {
      fs: realFs,
      tailBytes,
      scratch: "",
    });
    assert.equal(agent, "gemini");
    assert.equal(endOffset, (await Deno.stat(path)).size);
    assert.equal(fromStart, tailBytes === Infinity);
    const said = turns.map(({ role, text }) => `${role}: ${text}`);
    assert.equal(
      said.at(-1),
      "assistant: We decided to use streaming rows because buffers stalled.",
    );
    if (fromStart) {
      assert.deepEqual(said.slice(0, -1), [
        "user: Where were we with the importer and its buffers?",
      ]);
    }
  }
});

Deno.test("a stop of Copilot CLI waits for its file to be as new as the report, and not for ever", async () => {
  const home = tempDir();
  const transcript_path = `${home}/.copilot/session-state/0a1b2c3d-4e5f/events.jsonl`;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const settled = async (path: string, timestamp?: string): Promise<void> => {
    const raw = {
      hook_event_name: "Stop",
      session_id: "0a1b2c3d-4e5f",
      cwd: home,
      transcript_path: path,
      ...(timestamp === undefined ? {} : { timestamp }),
    };
    const input = vscode.parsePayload(raw, "stop", (name) => name === "HOME" ? home : undefined);
    assert.ok(input !== undefined);
    await vscode.settled(input, raw);
  };
  const late = setTimeout(() => put(transcript_path, "{}\n"), 60);
  await settled(transcript_path, at(0));
  assert.ok(realFs.lstat(transcript_path) !== undefined, "the reply is written");
  clearTimeout(late);
  // Nothing more is written, or nobody knows when: each comes to an end.
  await settled(transcript_path, at(60_000));
  await settled(transcript_path);
});
