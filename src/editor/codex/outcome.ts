/**
 * What a call of Codex came to. A command that takes longer than the call waits goes on as a process, and
 * later calls ask how it goes: the last of their answers is the command's.
 */
import { fieldsOf, parsed, textOf } from "../../base/fields.ts";
import { joinedText } from "../turn_list.ts";

interface Outcome {
  readonly text: string;
  readonly failed: boolean;
  /** Of the process that goes on. */
  readonly process: string | undefined;
  /** Only words, and no code: the client says why it was not run, or not to its end. */
  readonly isExcuse: boolean;
}

/** What stands before the output of a command. */
const FRAME =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process|Original token count|Total output lines)\b[^\n]*\n)+(?:Output:\n)?/;

export class Outcomes {
  /** By process: the call that began it. */
  readonly #begun = new Map<string, string>();
  /** By call: the process that it asks for. */
  readonly #asks = new Map<string, string>();

  /** Calls that end with a code: commands and patches. */
  readonly #runs = new Set<string>();

  /** A call of a command, or of a patch. */
  run(call: string): void {
    this.#runs.add(call);
  }

  /** A call that asks how a process goes. */
  ask(call: string, process: unknown): void {
    this.#asks.set(call, String(process));
  }

  /** Whose outcome an output is, and which; nothing while the process goes on. */
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

/** A result is a text, JSON in a text, or an object; how it ended stands in it. */
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
