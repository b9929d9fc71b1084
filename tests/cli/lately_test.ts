/** The log in plain words: no raw field, no whole session id. */
import assert from "node:assert/strict";
import type { LogLine } from "../../src/base/log.ts";
import { spansOf, textOf } from "../../src/cli/terminal/answer.ts";
import type { Io } from "../../src/cli/io.ts";
import { latelyLines } from "../../src/cli/lately.ts";

const io = { isTerminal: { stdout: true }, columns: 200 } as unknown as Io;
const AT = "2026-02-10T10:00:00Z";
const SESSION = "aaaaaaaa-0000-4000-8000-000000000000";

function row(line: Partial<LogLine>): string {
  const lines = latelyLines(io, [{ at: AT, event: "hook", ...line }], Date.parse(AT) + 180_000);
  return lines.map((one) => spansOf(one).map(textOf).join("")).join("\n");
}

const ROWS: readonly (readonly [Partial<LogLine>, RegExp])[] = [
  [
    { hook: "stop", session: SESSION, project: "p-1", outcome: "done", gate: "too shallow", ms: 9 },
    /^ {2}3 min ago {2}turn ended {2}aaaaaaaa {2}too little for a checkpoint$/,
  ],
  [
    { hook: "stop", gate: "synthesis 0.85", note: "written" },
    /turn ended {2}- {2}synthesis \(0\.85\), session note written$/,
  ],
  [
    { hook: "stop", gate: "topic_shift 0.90, asked enough", save: "saved" },
    /topic shift \(0\.90\), asked often enough, checkpoint saved$/,
  ],
  [
    { hook: "stop", gate: "synthesis 0.85, unattended", save: "saved" },
    /synthesis \(0\.85\), unattended, checkpoint saved$/,
  ],
  [
    { hook: "stop", gate: "context at 70 %", save: "duplicate" },
    /context at 70 %, checkpoint was there already$/,
  ],
  [
    { hook: "user-prompt-submit", gate: "same_topic" },
    /prompt {2}- {2}silent: still the same topic$/,
  ],
  [{ hook: "user-prompt-submit", gate: "passed", shown: 1 }, /1 note shown$/],
  [
    { hook: "session-start", source: "resume", tokens: 120 },
    /session started {2}- {2}resume, told 120 tokens$/,
  ],
  [
    { hook: "pre-compact", trigger: "auto", save: "saved", note: "written" },
    /compaction {2}- {2}checkpoint saved, session note written$/,
  ],
  [{ hook: "stop", outcome: "failed", error: "ENOSPC", stack: "at x" }, /failed: ENOSPC$/],
  [
    { event: "save", kind: "knowledge", short_id: "0a1b2c", by: "person" },
    /save {2}- {2}knowledge 0a1b2c by you$/,
  ],
  [
    { event: "save", kind: "checkpoint", short_id: "0a1b2c", by: "sage", redactions: 1 },
    /by Sage, 1 secret redacted$/,
  ],
  [{ event: "forget", short_id: "0a1b2c" }, /0a1b2c erased$/],
  [
    { event: "tool", tool: "sage_save_knowledge", outcome: "failed", tokens: 34 },
    /agent asked {2}- {2}sage_save_knowledge: failed, told 34 tokens$/,
  ],
  [
    { event: "tool", tool: "instructions", outcome: "done", tokens: 1114 },
    /MCP connected {2}- {2}told 1,114 tokens$/,
  ],
];

for (const [line, wanted] of ROWS) {
  Deno.test(`latelyLines() says ${wanted.source}`, () => {
    const said = row(line);
    assert.match(said, wanted);
    assert.doesNotMatch(said, /=|0000-4000|undefined/);
  });
}
