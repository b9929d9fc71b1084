/**
 * `sage hook <event>`: one JSON object in, at most one out, exit code 0 whatever happens. A failure
 * costs a log line, and a slow disk the answer, but never the editor's time. `sage statusline`, which
 * the editor calls even more often, runs here as well.
 */
import { now } from "../base/clock.ts";
import { codeOf } from "../base/errors.ts";
import { decode, encode, withoutBom } from "../base/utf8.ts";
import {
  HOOK_DEADLINE_MS,
  HOOK_INPUT_BYTES_MAX,
  HOOK_INPUT_MS_MAX,
  HOOK_SESSION_END_DEADLINE_MS,
} from "../base/limits.ts";
import * as claudeCode from "../editor/claude_code/payload.ts";
import type { HookForm } from "../editor/editor.ts";
import { refusal } from "../editor/payload.ts";
import { answerEvent, isHookEvent, loadHandler } from "./answer.ts";

/** Editors whose hooks differ from Claude Code's, by the name that follows the event. */
const FORMS: Readonly<Record<string, () => Promise<HookForm>>> = {
  codex: () => import("../editor/codex/payload.ts"),
  cursor: () => import("../editor/cursor/payload.ts"),
  gemini: () => import("../editor/gemini/payload.ts"),
  opencode: () => import("../editor/opencode/payload.ts"),
  vscode: () => import("../editor/vscode/payload.ts"),
};

/** Bytes, enough for nearly every payload; doubled for larger ones. */
const READ_BYTES = 64 * 1024;
/** Time for a read that is due together with the end of its wait. */
const LATE_READ_MS_MAX = 50;
/** Time to write the receipt of a hook that ran into its deadline. */
const LAST_WORD_MS_MAX = 100;

export async function main(args: readonly string[]): Promise<number> {
  if (args[0] === "statusline") return await tellStatusLine();
  const [, event = "", editor] = args;
  const deadlineMs = event === "session-end" ? HOOK_SESSION_END_DEADLINE_MS : HOOK_DEADLINE_MS;
  globalThis.addEventListener("unhandledrejection", (rejection) => {
    rejection.preventDefault();
    leave("");
  });
  setTimeout(() => void giveUp(event), deadlineMs);
  try {
    leave(await answer(event, editor));
  } catch (error) {
    await noteFailure(event, codeOf(error), error);
    leave("");
  }
  return 0;
}

async function answer(event: string, editor: string | undefined): Promise<string> {
  if (claudeCode.isChildSession(env)) return "";
  if (!isHookEvent(event)) throw refusal("unknown_event");
  const input = readInput();
  // The file is read by another thread while this one would wait for input.
  loadHandler(event);
  const named = await formOf(editor);
  if (named === undefined) throw refusal("unknown_editor");
  const raw = await input;
  const form = editor === undefined && claudeCode.isCopilots(raw)
    ? await formOf("vscode")
    : undefined;
  return await answerEvent(event, raw, form ?? named, env);
}

async function formOf(editor: string | undefined): Promise<HookForm | undefined> {
  if (editor === undefined) return claudeCode;
  return Object.hasOwn(FORMS, editor) ? await FORMS[editor]?.() : undefined;
}

/**
 * `sage statusline`: one line, or none. A failure is not logged, because it loses nothing; it rejects the
 * promise of main(), which nobody catches.
 */
async function tellStatusLine(): Promise<never> {
  globalThis.addEventListener("unhandledrejection", () => leave(""));
  setTimeout(() => leave(""), HOOK_DEADLINE_MS);
  const raw = readInput();
  const { statusLineFor } = await import("./statusline.ts");
  leave(await statusLineFor(await raw, env));
}

/** Reads the payload to the end of input, to the end of an object, or until nothing more comes. */
async function readInput(): Promise<unknown> {
  let bytes = new Uint8Array(READ_BYTES);
  let length = 0;
  for (;;) {
    if (length === bytes.length) {
      if (length >= HOOK_INPUT_BYTES_MAX) return undefined;
      const larger = new Uint8Array(length * 2);
      larger.set(bytes);
      bytes = larger;
    }
    // Plain reads, because a stream over stdin takes a millisecond to set up.
    const count = await Promise.race([Deno.stdin.read(bytes.subarray(length)), silence()]);
    if (count === null) return parse(bytes.subarray(0, length));
    length += count;
    // A client may forget to close stdin, but its object ends with a brace.
    if (bytes[length - 1] === 0x7d || bytes[length - 2] === 0x7d) {
      const whole = parse(bytes.subarray(0, length));
      if (whole !== undefined) return whole;
    }
  }
}

/**
 * Resolves when nothing came for HOOK_INPUT_MS_MAX. In two steps, because a process that was not let run on a
 * busy machine finds its timer due before the thread that reads has had its turn.
 */
function silence(): Promise<null> {
  const last = (resolve: (value: null) => void) => setTimeout(resolve, LATE_READ_MS_MAX, null);
  return new Promise((resolve) => setTimeout(last, HOOK_INPUT_MS_MAX, resolve));
}

function parse(bytes: Uint8Array): unknown {
  try {
    // A Windows shell may put a byte order mark in front.
    return JSON.parse(withoutBom(decode(bytes)));
  } catch {
    return undefined;
  }
}

/** Writes the answer at once and exits, so that nothing pending delays the editor. */
function leave(text: string): never {
  try {
    if (text !== "") Deno.stdout.writeSync(encode(text + "\n"));
  } catch {
    // The editor closed the pipe, so it no longer wants the answer.
  }
  Deno.exit(0);
}

/**
 * Writes a receipt, because capture that is always too slow must be noticed; takes at most
 * LAST_WORD_MS_MAX, then exits.
 */
async function giveUp(event: string): Promise<void> {
  setTimeout(() => leave(""), LAST_WORD_MS_MAX);
  await noteFailure(event, "timeout");
  leave("");
}

async function noteFailure(event: string, code: string, error?: unknown): Promise<void> {
  try {
    const { logFailure } = await import("./receipt.ts");
    // main.ts has decided whether stacks are wanted, so that an unreadable variable costs no
    // receipt here.
    const stack = Error.stackTraceLimit > 0 ? (error as Error | undefined)?.stack : undefined;
    logFailure(env, now(), event, code, stack);
  } catch {
    // Nothing else can be done.
  }
}

function env(name: string): string | undefined {
  return Deno.env.get(name);
}
