/**
 * A labelled conversation as the editor would have written it, line by line, and read back by the code
 * that ships: what is measured is what a stop sees.
 */
import { exchangesOf } from "../../src/detect/exchanges.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { type ToolCall, TranscriptBuilder } from "../../tests/support/transcript.ts";
import type { Call, Conversation, Step } from "./conversation.ts";

/** The folder that the conversations work in. */
export const CWD = "/home/user/project";

const folder = Deno.makeTempDirSync({ prefix: "sage-detection-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
let written = 0;

/** The turns, and for each step the index behind its last turn. */
export function readBack(conversation: Conversation): { turns: readonly Turn[]; ends: number[] } {
  const id = `${String(++written).padStart(8, "0")}-0000-4000-8000-000000000001`;
  const builder = new TranscriptBuilder({ sessionId: id, cwd: CWD });
  for (const step of conversation.steps) addStep(builder, step);
  const { turns } = readTranscript(builder.write(folder), { tailBytes: Infinity });
  const starts = exchangesOf(turns).map(({ start }) => start);
  if (starts.length !== conversation.steps.length) {
    throw new Error(`"${conversation.name}": not every prompt came back from the transcript`);
  }
  return { turns, ends: [...starts.slice(1), turns.length] };
}

/** A reply for each call, then the one that answers. */
function addStep(builder: TranscriptBuilder, step: Step): void {
  builder.user(step.prompt);
  for (const { text, tools } of repliesBefore(step)) builder.assistant(text, tools);
  builder.assistant(step.answer);
}

/** What the agent did before it answered, a reply each. */
export function repliesBefore(
  { tools = [] }: Step,
  cwd = CWD,
): { text: string; tools: ToolCall[] }[] {
  return tools.map((call) =>
    "say" in call ? { text: call.say, tools: [] } : { text: "", tools: [toolOf(call, cwd)] }
  );
}

function toolOf(call: Exclude<Call, { readonly say: string }>, cwd: string): ToolCall {
  if ("run" in call) {
    const { run: command, out } = call;
    return call.failed === true
      ? { name: "Bash", input: { command }, result: `Exit code 1\n${out}`, isError: true }
      : { name: "Bash", input: { command }, result: out, details: { stdout: out, stderr: "" } };
  }
  if ("tool" in call) {
    const input = { file_path: call.file.startsWith("/") ? call.file : `${cwd}/${call.file}` };
    return call.failed === true
      ? { name: call.tool, input, result: "Error: File does not exist.", isError: true }
      : { name: call.tool, input, result: `The file ${input.file_path} is as asked for.` };
  }
  if ("plan" in call) {
    const { plan } = call;
    return call.approved
      ? {
        name: "ExitPlanMode",
        input: { plan },
        result: `User has approved your plan. You can now start coding.\n\n${plan}`,
        details: { plan, isAgent: false },
      }
      : {
        name: "ExitPlanMode",
        input: { plan },
        result: "The user doesn't want to proceed with this tool use.",
        isError: true,
      };
  }
  if ("ask" in call) {
    const { ask: question, options, answer } = call;
    return {
      name: "AskUserQuestion",
      input: { questions: [{ question, header: "Choice", options: options.map(optionOf) }] },
      result: `User has answered your questions: "${question}"="${answer}".`,
      details: { answers: { [question]: answer } },
    };
  }
  if ("todos" in call) {
    const todos = call.todos.map(([content, status]) => ({ content, status, activeForm: content }));
    return {
      name: "TodoWrite",
      input: { todos },
      result: "Todos have been modified successfully.",
    };
  }
  return {
    name: "Agent",
    input: { description: call.subagent, prompt: call.subagent },
    result: call.report,
    details: { status: "completed", content: [{ type: "text", text: call.report }] },
  };
}

/** `Label: what it means`, as two fields. */
function optionOf(option: string): Record<string, string> {
  const [label = option, ...rest] = option.split(": ");
  return rest.length === 0 ? { label } : { label, description: rest.join(": ") };
}
