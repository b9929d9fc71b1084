/**
 * What a labelled conversation is, and how its lines become the turns that the editor would give. The
 * sets are handmade: no transcript of anybody, and none was changed after a detector had seen it.
 */
import type { Inflection } from "../../src/detect/signal.ts";
import type { ToolUse, Turn } from "../../src/editor/editor.ts";

export interface Step {
  readonly prompt: string;
  readonly answer: string;
  readonly tools?: readonly Call[];
  /** What a reader marked at the end of this turn, by docs of detection. */
  readonly label?: Inflection;
}

/** A command and what it printed, or a tool with the file that it changed. */
export type Call =
  | { readonly run: string; readonly out: string; readonly failed?: true }
  | { readonly tool: string; readonly file: string };

export interface Conversation {
  readonly name: string;
  readonly language: "en" | "de" | "es" | "fr";
  readonly steps: readonly Step[];
}

export function turnsOf(steps: readonly Step[]): Turn[] {
  return steps.flatMap(({ prompt, answer, tools = [] }, i): Turn[] => [
    { uuid: `u${i}`, role: "user", at: "", text: prompt, tools: [] },
    { uuid: `a${i}`, role: "assistant", at: "", text: answer, tools: tools.map(toolOf(i)) },
  ]);
}

function toolOf(step: number): (call: Call, i: number) => ToolUse {
  return (call, i) => {
    const id = `t${step}-${i}`;
    return "run" in call
      ? { id, name: "Bash", command: call.run, result: call.out, failed: call.failed ?? false }
      : { id, name: call.tool, filePath: call.file, result: "ok", failed: false };
  };
}
