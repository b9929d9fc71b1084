/** A labelled conversation told line by line, as the editor would have written it. */
import type { ToolCall, TranscriptBuilder } from "../../tests/support/transcript.ts";
import type { Call, Conversation, Step } from "./conversation.ts";

/** The folder that the conversations work in. */
export const CWD = "/home/user/project";

/** For each step its prompt, a reply for each call, then the one that answers. */
export function tell(builder: TranscriptBuilder, { steps }: Conversation, cwd = CWD): void {
  for (const step of steps) {
    builder.user(step.prompt);
    for (const { text, tools } of repliesBefore(step, cwd)) builder.assistant(text, tools);
    builder.assistant(step.answer);
  }
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
