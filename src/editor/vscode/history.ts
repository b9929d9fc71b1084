/**
 * Conversations of Copilot's command line and of VS Code's Copilot: one event a line, `{type, data, id,
 * timestamp}`. Subagents' messages stand between the others and name their call. The files are named to hooks;
 * their form is not documented, and is as Copilot CLI 1.0.102 writes it.
 */
import { type Fields, fieldsOf, fieldsOfEach, parsed, textOf } from "../../base/fields.ts";
import { defined } from "../../base/defined.ts";
import { jsonLines } from "../../base/jsonl.ts";
import { planItems } from "../clip.ts";
import type { Transcript } from "../editor.ts";
import type { HistoryPlace, PastFile } from "../history.ts";
import { entriesOf, fileHistory, headOf, isMeant, pastFile } from "../history_files.ts";
import { absolutePath, patchedFiles, TurnList } from "../turn_list.ts";
import { eventsIn, eventsPath, sessionsFolder } from "./place.ts";

/** The first event names the folder. */
const HEAD_BYTES = 8 * 1024;

export const openHistory = fileHistory(
  list,
  (bytes, { path, cwd }) => readEvents(bytes, path, cwd),
);

/** Those of the command line; VS Code's lie with the settings of each workspace. */
function list(place: HistoryPlace): PastFile[] {
  const { home, env } = place;
  return entriesOf(place, sessionsFolder(home, env)).flatMap(({ name, kind }) => {
    const path = eventsPath(home, env, name);
    const isSession = kind === "dir" && eventsIn(path) !== undefined && isMeant(place, name);
    const looked = isSession ? headOf(place, path, HEAD_BYTES) : undefined;
    if (looked === undefined) return [];
    const cwd = textOf(parsed(/"cwd":("(?:[^"\\]|\\.)*")/.exec(looked.head)?.[1] ?? ""));
    return [pastFile({ agent: "copilot", path, sessionId: name }, looked.info, cwd)];
  });
}

/** The transcript of the file, or of its end with an incomplete first line. */
export function readEvents(bytes: Uint8Array, path: string, known = ""): Transcript {
  const turns = new TurnList();
  const { agent = "copilot", session = "" } = eventsIn(path) ?? {};
  let cwd = known;
  let contextWindow: number | undefined;
  for (const record of jsonLines(bytes)) {
    const { type, data: given, id, timestamp, agentId } = fieldsOf(record);
    const data = fieldsOf(given);
    // A subagent's.
    if (agentId !== undefined || data.parentToolCallId !== undefined) continue;
    const [at, uuid] = [textOf(timestamp) ?? "", textOf(id) ?? ""];
    if (type === "session.start" || type === "session.resume") {
      cwd = textOf(fieldsOf(data.context).cwd) ?? cwd;
    } else if (type === "user.message") {
      // Others write as the user too, and name themselves.
      if ((data.source ?? "user") === "user") {
        turns.say("user", textOf(data.content) ?? "", at, uuid);
      }
    } else if (type === "assistant.message") {
      turns.say("assistant", textOf(data.content) ?? "", at, uuid, textOf(data.model));
      for (const call of fieldsOfEach(data.toolRequests)) addCall(turns, call, at, cwd);
    } else if (type === "tool.execution_complete") addResult(turns, data);
    else if (type === "session.compaction_complete") {
      if (data.success !== false) turns.compaction(at, textOf(data.summaryContent));
    } else if (type === "session.usage_record") {
      const { inputTokens, outputTokens, maxPromptTokens } = fieldsOf(data.usage);
      turns.used(Number(inputTokens) + Number(outputTokens));
      if (typeof maxPromptTokens === "number") contextWindow = maxPromptTokens;
    }
  }
  return turns.finish({ agent, sessionId: session, cwd, ...defined({ contextWindow }) });
}

/** Tools of both, under the names that memory knows. */
const NAMES: Readonly<Record<string, string>> = {
  bash: "Bash",
  powershell: "Bash",
  run_in_terminal: "Bash",
  edit: "Edit",
  apply_patch: "Edit",
  str_replace_editor: "Edit",
  insert_edit_into_file: "Edit",
  replace_string_in_file: "Edit",
  multi_replace_string_in_file: "Edit",
  create: "Write",
  create_file: "Write",
  manage_todo_list: "TodoWrite",
};

function addCall(turns: TurnList, call: Fields, at: string, cwd: string): void {
  const given = textOf(call.name) ?? "";
  const id = textOf(call.toolCallId) ?? "";
  const name = NAMES[given] ?? given;
  const args = fieldsOf(
    typeof call.arguments === "string" ? parsed(call.arguments) : call.arguments,
  );
  const files = name === "Edit" || name === "Write" ? filesOf(args, call.arguments) : [];
  for (const path of files) turns.call({ id, name, filePath: absolutePath(path, cwd) }, at);
  if (files.length > 0) return;
  if (given === ASKS) {
    return turns.ask(id, [{ question: args.question, options: args.choices }], at);
  }
  turns.call({
    id,
    name,
    command: name === "Bash" ? textOf(args.command) : undefined,
    items: planItems(args.todoList, "title"),
  }, at);
}

/** What a tool that changes files changes; a patch may be all that it is given. */
function filesOf(args: Fields, whole: unknown): string[] {
  const one = textOf(args.path) ?? textOf(args.filePath);
  if (one !== undefined) return args.command === "view" ? [] : [one];
  const several = fieldsOfEach(args.replacements).map(({ filePath }) => textOf(filePath) ?? "");
  if (several.length > 0) return [...new Set(several)].filter((path) => path !== "");
  return patchedFiles(textOf(args.input) ?? textOf(whole) ?? "");
}

/** The tool that asks the person, and the client's words before the answer. */
const ASKS = "ask_user";
const ANSWERED = /^User (?:responded|selected): /;

/** A call that nobody allowed. */
const DENIED: readonly unknown[] = ["rejected", "denied"];

function addResult(turns: TurnList, data: Fields): void {
  const id = textOf(data.toolCallId) ?? "";
  const error = fieldsOf(data.error);
  if (DENIED.includes(error.code)) return turns.notRun(id);
  const { exitCode = 0 } = fieldsOf(data.shellExecution);
  const said = textOf(fieldsOf(data.result).content) ?? textOf(error.message) ?? "";
  turns.result(id, said, data.success === false || exitCode !== 0);
  if (ANSWERED.test(said)) turns.answers(id, [said.replace(ANSWERED, "")]);
}
