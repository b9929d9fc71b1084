/**
 * One tool call of a transcript, reduced to what memory uses. Names and input fields are those
 * of Claude Code's own tools; a foreign tool keeps its name, outcome and the start of its result.
 */
import { type Fields, fieldsOf, textOf } from "../../base/fields.ts";
import { slashedAsWritten } from "../../base/path.ts";
import {
  FIELD_CHARACTERS_MAX,
  flattened,
  headAndTail,
  ITEM_CHARACTERS_MAX,
  optionsOf,
  planItems,
  planLines,
} from "../clip.ts";
import type { PendingTool } from "../calls_not_run.ts";
import { asHanded, type HandedPlan } from "../handed_plan.ts";

const QUESTIONS_MAX = 8;

/** The tool by which the agent speaks to the person with `--brief`; other text is hidden then. */
const SAYS = new Set(["SendUserMessage", "Brief"]);

/** The text of a block for the person; undefined if it has none. */
export function readSaid({ type, text, name, input }: Fields): string | undefined {
  const said = type === "tool_use" && SAYS.has(textOf(name) ?? "") ? fieldsOf(input).message : text;
  return typeof said === "string" && said.trim() !== "" ? said : undefined;
}

/** The calls in one `tool_use` block: one, but a question tool that asks three things makes three. */
export function readToolUse(block: Fields): PendingTool[] {
  const id = textOf(block.id) ?? "";
  const name = textOf(block.name) ?? "";
  const input = fieldsOf(block.input);
  const tool: PendingTool = { id, name };
  setIf(tool, "command", field(input.command));
  setIf(tool, "filePath", path(input.file_path ?? input.notebook_path));
  setIf(tool, "description", field(input.description ?? input.url ?? input.query));
  if (Array.isArray(input.questions)) return questions(tool, input.questions);
  setIf(tool, "items", planItems(input.todos, "content"));
  if (name === "ExitPlanMode" && typeof input.plan === "string") tool.items = planLines(input.plan);
  if (name === "TaskCreate" && typeof input.subject === "string") {
    tool.items = [{ text: flattened(input.subject, ITEM_CHARACTERS_MAX), status: "pending" }];
  }
  if (name === "TaskUpdate" && typeof input.status === "string") {
    const text = textOf(input.subject) ?? `#${textOf(input.taskId) ?? ""}`;
    tool.items = [{ text: flattened(text, ITEM_CHARACTERS_MAX), status: input.status }];
  }
  return [tool];
}

/**
 * What the client says in place of a result, where a call was refused, skipped or cut off; in the last
 * case nobody knows how it went.
 */
const CLIENT_RESULT =
  /^\s*(?:\[Tool call (?:(interrupted|result not in this copy)\b|skipped\b)|\[Request interrupted by user|The user doesn't want to (?:proceed with this tool use|take this action)\b)/;

/** Adds what came back: whether it failed, the text, the answers of the person. */
export function applyResult(tools: readonly PendingTool[], block: Fields, extra: unknown): void {
  const text = resultText(block.content);
  const said = CLIENT_RESULT.exec(text);
  // As if the file ended before its result.
  if (said?.[1] !== undefined) return;
  const details = fieldsOf(extra);
  const answers = fieldsOf(details.answers);
  const annotations = fieldsOf(details.annotations);
  for (const tool of tools) {
    tool.failed = block.is_error === true;
    const report = tool.name === "Agent" || tool.name === "Task"
      ? resultText(details.content)
      : undefined;
    tool.result = said === null ? headAndTail(report || text) : "";
    if (tool.question !== undefined) {
      const answer = field(answers[tool.question]) ?? spokenAnswer(text, tool.question);
      const { notes } = fieldsOf(annotations[tool.question]);
      addAnswer(tool, answer, field(notes));
    }
    // Of a team, others bring the tasks further.
    if (tool.name === "TaskList") setIf(tool, "items", planItems(details.tasks, "subject"));
    if (tool.name === "ExitPlanMode" && typeof details.plan === "string") {
      tool.items = planLines(details.plan);
    }
  }
}

/** Stands for an option where the person took none and only wrote. */
const NO_OPTION = "(notes only)";

function addAnswer(tool: PendingTool, answer: string | undefined, notes: string | undefined): void {
  if (answer === NO_OPTION) return setIf(tool, "answer", notes);
  setIf(tool, "answer", answer?.replaceAll(RECOMMENDED, ""));
  setIf(tool, "notes", notes);
}

/** The tool's own description has the model write it behind a label: said to the person, not by them. */
const RECOMMENDED = / \(Recommended\)(?=$|: |, )/g;

/** By a rule of permissions, or by the check of auto mode. */
const DENIED = /^(?:permission-rule$|automode-)/;

/** Whether a call was denied before it began. One that Esc stopped as it ran is told as rejected, too. */
export function wasDenied(record: Fields): boolean {
  return record.toolDenialBeforeRun === true ||
    (record.toolDenialAfterRun !== true && DENIED.test(textOf(record.toolDenialKind) ?? ""));
}

/** Whether a call runs in the background: its result says only that, and a later notice its outcome. */
export function runsInBackground(extra: unknown): boolean {
  const { backgroundTaskId, status } = fieldsOf(extra);
  return textOf(backgroundTaskId) !== undefined || status === "async_launched";
}

/** Adds the outcome of a background call from a notice. That of a stopped one stays unknown. */
export function applyOutcome(tools: readonly PendingTool[], notice: string): void {
  const [, status] = /<status>(completed|failed)</.exec(notice) ?? [];
  if (status === undefined) return;
  // The report itself may contain tags.
  const report = inside(notice, "result", notice.lastIndexOf("</result>"));
  const summary = inside(notice, "summary", notice.indexOf("</summary>")) ?? "";
  for (const tool of tools) {
    tool.failed = status === "failed";
    // A command's output is in a file of its own.
    tool.result = headAndTail(report ?? (tool.failed ? summary : ""));
  }
}

/** The text of the element that ends at `end`. */
function inside(notice: string, name: string, end: number): string | undefined {
  const opening = `<${name}>`;
  const at = notice.indexOf(opening);
  const start = at + opening.length;
  return at >= 0 && start <= end ? notice.slice(start, end) : undefined;
}

function questions(tool: PendingTool, asked: readonly unknown[]): PendingTool[] {
  const tools = asked.slice(0, QUESTIONS_MAX).map(fieldsOf).filter((item) =>
    typeof item.question === "string"
  ).map((item): PendingTool => ({
    ...tool,
    question: flattened(String(item.question), FIELD_CHARACTERS_MAX),
    options: optionsOf(item.options).slice(0, QUESTIONS_MAX)
      .map((option) => option.replace(RECOMMENDED, "")),
  }));
  return tools.length === 0 ? [tool] : tools;
}

/** `User has answered your questions: "Which store?"="SQLite"`, as the model is told. */
function spokenAnswer(text: string, question: string): string | undefined {
  const lead = `"${question}"="`;
  const start = text.indexOf(lead);
  if (start < 0) return undefined;
  const end = text.indexOf('"', start + lead.length);
  return end < 0
    ? undefined
    : flattened(text.slice(start + lead.length, end), FIELD_CHARACTERS_MAX);
}

/** The client's prompt for a plan that is carried out in a new conversation. */
const HANDED_PLAN = "Implement the following plan:\n\n";
const PLAN_FOOTER = "\n\nIf you need specific details from before exiting plan mode";
const PLAN_FEEDBACK = "\n\nUser feedback on this plan: ";
/** Where a client has teams of agents. */
const PLAN_TEAM =
  /\n\nIf this plan can be broken down into multiple independent tasks, consider [^\n]*/;

/** The plan in such a prompt, as the call that asked for its approval, and the person's feedback. */
export function handedPlan(prompt: string): HandedPlan | undefined {
  if (!prompt.startsWith(HANDED_PLAN)) return undefined;
  const [rest = "", feedback = ""] = prompt.slice(HANDED_PLAN.length).replace(PLAN_TEAM, "")
    .split(PLAN_FEEDBACK, 2);
  const [plan = ""] = rest.split(PLAN_FOOTER, 1);
  return asHanded(plan, feedback);
}

/** The text of a result: a string, or the text blocks of a list. */
export function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => textOf(fieldsOf(block).text) ?? "").filter((text) => text !== "")
    .join("\n");
}

function field(value: unknown): string | undefined {
  return typeof value === "string" && value !== ""
    ? flattened(value, FIELD_CHARACTERS_MAX)
    : undefined;
}

function path(value: unknown): string | undefined {
  const written = field(value);
  return written === undefined ? undefined : slashedAsWritten(written);
}

function setIf<K extends keyof PendingTool>(
  tool: PendingTool,
  key: K,
  value: PendingTool[K] | undefined,
): void {
  if (value !== undefined) tool[key] = value;
}
