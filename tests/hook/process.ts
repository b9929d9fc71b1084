/**
 * The hook as the editor starts it: the built program, one payload on stdin, a clock beside it. What
 * must hold of every single run (R9, R10) is asserted here, so that no test can forget it.
 */
import assert from "node:assert/strict";
import { HOOK_DEADLINE_MS, HOOK_SESSION_END_DEADLINE_MS } from "../../src/base/limits.ts";
import { LABELLED } from "../support/labelled.ts";
import { assertInTime } from "../support/quick.ts";
import { hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { orKilled, within } from "../support/within.ts";

export const EVENTS = [
  "session-start",
  "user-prompt-submit",
  "stop",
  "subagent-stop",
  "pre-compact",
  "pre-tool-use",
  "session-end",
] as const;

export type Event = typeof EVENTS[number];

export const SESSION = "11111111-0000-4000-8000-000000000001";

export const BINARY = new URL("../../dist/sage", import.meta.url).pathname;
const FIXTURE = new URL("../fixture/claude-code/hooks/", import.meta.url);

/** The client's own bound on what reaches a model whole. */
const OUTPUT_CHARACTERS_MAX = 9900;
/** Starting a program and reaping it, on a machine that is busy with other tests. */
const PROCESS_MS_MAX = 900;

export interface HookRun {
  /** Undefined where the hook had nothing to say. */
  readonly reply: Record<string, unknown> | undefined;
  readonly milliseconds: number;
}

export interface HookOptions {
  readonly home: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The pipe stays open after the payload. */
  readonly keepsStdin?: boolean;
  /** Nobody reads the answer. */
  readonly closesStdout?: boolean;
  readonly uid?: number;
  /** Instead of HOME and what `env` says. */
  readonly bareEnv?: Readonly<Record<string, string>>;
}

/** A test that is skipped where there is no built program. */
export function testHook(name: string, body: () => Promise<void>, isPossible = true): void {
  Deno.test({ name, ignore: !hasBinary || !isPossible, fn: body });
}

/** Runs one hook; fails unless it ended in time, with code 0, and said nothing or one whole object. */
export async function runHook(
  event: string,
  payload: string | Uint8Array,
  options: HookOptions,
): Promise<HookRun> {
  const start = performance.now();
  const child = new Deno.Command(BINARY, {
    args: ["hook", event],
    cwd: options.cwd ?? "/",
    env: { ...options.bareEnv ?? { HOME: options.home, ...options.env } },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  }).spawn();
  const output = Promise.all([
    options.closesStdout === true ? child.stdout.cancel() : read(child.stdout),
    read(child.stderr),
  ]);
  const writer = child.stdin.getWriter();
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  // A hook that has seen enough closes the pipe.
  const written = writer.write(bytes).catch(() => {})
    .then(() => options.keepsStdin === true ? undefined : writer.close().catch(() => {}));
  const { code, signal } = await orKilled(`the hook ${event}`, child, child.status);
  const milliseconds = performance.now() - start;
  await written;
  await writer.close().catch(() => {});
  const [stdout, stderr] = await within(`all that the hook ${event} says`, output);

  const deadline = event === "session-end" ? HOOK_SESSION_END_DEADLINE_MS : HOOK_DEADLINE_MS;
  assert.deepEqual([code, signal], [0, null], `${event}: ${stderr}`);
  await assertInTime(milliseconds, deadline + PROCESS_MS_MAX, event);
  return { reply: typeof stdout === "string" ? replyOf(event, stdout) : undefined, milliseconds };
}

function replyOf(event: string, stdout: string): Record<string, unknown> | undefined {
  if (stdout === "") return undefined;
  assert.ok(
    stdout.length <= OUTPUT_CHARACTERS_MAX + 1,
    `${event} said ${stdout.length} characters`,
  );
  const reply = JSON.parse(stdout);
  assert.ok(typeof reply === "object" && reply !== null && !Array.isArray(reply), stdout);
  return reply;
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

/** What the model is told, or the empty text. */
export function contextOf({ reply }: HookRun): string {
  const own = reply?.hookSpecificOutput as { additionalContext?: string } | undefined;
  return own?.additionalContext ?? "";
}

/** A home with an editor's session file in it, and a project. */
export interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly transcript: string;
}

export function place(): Place {
  const base = tempDir();
  const [home, cwd] = [`${base}/home`, `${base}/project`];
  const folder = `${home}/.claude/projects/-project`;
  Deno.mkdirSync(folder, { recursive: true });
  Deno.mkdirSync(cwd);
  return { home, cwd, transcript: `${folder}/${SESSION}.jsonl` };
}

/** The session's conversation, a labelled one, in the editor's file. */
export function converse(on: Place, name: string): void {
  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd });
  for (const { prompt, answer, tools = [] } of LABELLED[name] ?? assert.fail(name)) {
    said.user(prompt);
    for (const { name, command = "", result = "" } of tools) {
      said.assistant("", [{ name, input: { command }, result }]);
    }
    said.assistant(answer);
  }
  Deno.writeTextFileSync(on.transcript, said.text());
}

const CAPTURES: Readonly<Record<Event, string>> = {
  "session-start": "SessionStart.startup",
  "user-prompt-submit": "UserPromptSubmit",
  "stop": "Stop",
  "subagent-stop": "SubagentStop",
  "pre-compact": "PreCompact.auto",
  "pre-tool-use": "PreToolUse.Read",
  "session-end": "SessionEnd.other",
};

/** The payload as it was captured, of this place. */
export function payload(
  on: Place,
  event: Event,
  fields: Readonly<Record<string, unknown>> = {},
  capture: string = CAPTURES[event],
): Record<string, unknown> {
  return {
    ...JSON.parse(Deno.readTextFileSync(new URL(`${capture}.json`, FIXTURE))),
    session_id: SESSION,
    transcript_path: on.transcript,
    cwd: on.cwd,
    ...fields,
  };
}

/** Runs the tasks two at a time: more would measure each other. */
export async function inPairs(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < tasks.length; at = next++) await tasks[at]?.();
  };
  await Promise.all([worker(), worker()]);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
