/**
 * The outcome of a tool call of Codex. A command that outlasts its call continues as a process, which later
 * calls poll; the last of their results is the command's.
 */
import { fieldsOf, parsed, textOf } from "../../base/fields.ts";
import { joinedText } from "../turn_list.ts";

interface Outcome {
  readonly text: string;
  readonly failed: boolean;
  /** The id of a process that continues. */
  readonly process: string | undefined;
  /** The client's words, without an exit code, for a command that did not run, or not to its end. */
  readonly isExcuse: boolean;
}

/** The header of a command's output. */
const FRAME =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process|Original token count|Total output lines)\b[^\n]*\n)+(?:Output:\n)?/;

export class Outcomes {
  /** The call that started each process. */
  readonly #begun = new Map<string, string>();
  /** The process that each call polls. */
  readonly #asks = new Map<string, string>();

  /** Calls that end with an exit code: commands and patches. */
  readonly #runs = new Set<string>();

  /** A call of a command, or of a patch. */
  run(call: string): void {
    this.#runs.add(call);
  }

  /** Adds a call that polls a process. */
  ask(call: string, process: unknown): void {
    this.#asks.set(call, String(process));
  }

  /** The call that an output belongs to, and its outcome; undefined while the process continues. */
  add(
    call: string,
    output: unknown,
  ): { call: string; text: string; failed: boolean; neverRan: boolean } | undefined {
    const { text, failed, process, isExcuse } = outcomeOf(output);
    const command = this.#begun.get(this.#asks.get(call) ?? "") ?? call;
    const neverRan = isExcuse && this.#runs.has(call);
    if (process === undefined) return { call: command, text, failed, neverRan };
    this.#begun.set(process, command);
    return undefined;
  }
}

/** Reads a result, which is text, JSON in text, or an object, and has the exit code in it. */
function outcomeOf(output: unknown): Outcome {
  const given = textOf(output);
  const inner = given?.startsWith("{") ? parsed(given) : output;
  const { output: nested, content, metadata, success } = fieldsOf(inner);
  const text = textOf(nested) ?? textOf(content) ?? given ?? joinedText(output);
  const [frame = ""] = FRAME.exec(text) ?? [];
  const code = fieldsOf(metadata).exit_code ??
    /(?:Process exited with code|Exit code:) (\d+)/.exec(frame)?.[1];
  return {
    text: text.slice(frame.length),
    failed: success === false || (code !== undefined && Number(code) !== 0),
    process: /Process running with session ID (\d+)/.exec(frame)?.[1],
    isExcuse: inner === given && code === undefined,
  };
}
