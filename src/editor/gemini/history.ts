/**
 * Gemini CLI: one file for each session, `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, before 2026
 * one JSON object in a `.json`. A line is the session's facts, a message, a change of the facts (`$set`)
 * or a step back (`$rewindTo`); a message that comes again replaces the one before, and a list of them all
 * of them. The project's folder is called by a hash of its path, or by a name that `.project_root` or
 * `projects.json` explains.
 */
import { type Fields, fieldsOf, fieldsOfEach, parsed, textOf } from "../../base/fields.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { join, native } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { defined } from "../../base/defined.ts";
import { sha256Hex } from "../../base/hash.ts";
import { readJsonLines } from "../../base/jsonl.ts";
import type { Transcript } from "../editor.ts";
import type { HistoryPlace, PastFile } from "../history.ts";
import { entriesOf, fileHistory, headOf, isMeant, pastFile, tried } from "../history_files.ts";
import { folderNamed } from "../payload.ts";
import { planItems } from "../clip.ts";
import { absolutePath, joinedText, TurnList } from "../turn_list.ts";
import { withoutHookContext } from "./hook_context.ts";

const FILE = /^session-.*\.jsonl?$/;
const SMALL_BYTES_MAX = 1024 * 1024;
/** It compresses at half of what its models hold, all of them the same (`tokenLimits.ts`, `chatCompressionService.ts`). */
const COMPRESSED_AT_TOKENS = 1_048_576 / 2;
/** The first line of a file, or the beginning of its object, names the session. */
const HEAD_BYTES = 4096;

export const openHistory = fileHistory(
  list,
  (bytes, { path, sessionId, cwd }) => readChat(bytes, path, sessionId, cwd),
);

function list(place: HistoryPlace): PastFile[] {
  const { fs, home, env } = place;
  const root = join(folderNamed(env, "GEMINI_CLI_HOME") ?? home, ".gemini");
  const tmp = join(root, "tmp");
  const entries = entriesOf(place, tmp);
  if (entries.length === 0) return [];
  const roots = tried(place, root, () => projectRoots(fs, root)) ?? new Map();
  const found = new Map<string, PastFile>();
  for (const { name, kind } of entries) {
    const chats = join(tmp, name, "chats");
    const files = kind === "dir" ? entriesOf(place, chats) : [];
    if (files.length === 0) continue;
    const cwd = tried(place, join(tmp, name), () => rootOf(place, join(tmp, name), name, roots));
    for (const { name: fileName, kind: fileKind } of files) {
      if (fileKind !== "file" || !FILE.test(fileName)) continue;
      const path = join(chats, fileName);
      const { info, head = "" } = headOf(place, path, HEAD_BYTES) ?? {};
      const sessionId = /"sessionId"\s*:\s*"([A-Za-z0-9_-]{8,128})"/.exec(head)?.[1];
      if (info === undefined || sessionId === undefined || !isMeant(place, sessionId)) continue;
      const known = cwd === "" ? undefined : cwd;
      const file = pastFile({ agent: "gemini", path, sessionId }, info, known);
      // A session that was resumed has two files: what is said goes on in the one that holds all of it.
      const other = found.get(sessionId);
      if (other === undefined || other.size < file.size) found.set(sessionId, file);
    }
  }
  return [...found.values()];
}

/** Folder name → project, from the client's own list. */
function projectRoots(fs: Fs, root: string): ReadonlyMap<string, string> {
  const { projects } = fieldsOf(parsed(smallText(fs, join(root, "projects.json"))));
  const entries = Object.entries(fieldsOf(projects));
  return new Map(entries.flatMap(([path, name]) => typeof name === "string" ? [[name, path]] : []));
}

function rootOf(
  { fs, projectDir }: HistoryPlace,
  folder: string,
  name: string,
  roots: ReadonlyMap<string, string>,
): string {
  const said = smallText(fs, join(folder, ".project_root")).trim();
  return said || roots.get(name) || (name === sha256Hex(native(projectDir)) ? projectDir : "");
}

function smallText(fs: Fs, path: string): string {
  const info = fs.lstat(path);
  return info?.kind === "file" && info.size <= SMALL_BYTES_MAX
    ? decode(readBytes(fs, path, SMALL_BYTES_MAX))
    : "";
}

/** The transcript of the file, or of its end with an incomplete first line. */
export function readChat(bytes: Uint8Array, path: string, known?: string, cwd = ""): Transcript {
  const { facts, messages } = path.endsWith(".json")
    ? wholeOf(parsed(decode(bytes)))
    : replayed(readJsonLines(bytes));
  const turns = new TurnList();
  if (facts.kind !== "subagent") {
    messages.forEach((message, i) => {
      if (isSummary(messages, i)) {
        turns.compaction(textOf(message.timestamp) ?? "", joinedText(message.content));
      } else if (!isSummary(messages, i - 1)) addMessage(turns, message, cwd);
    });
  }
  return turns.finish({
    agent: "gemini",
    sessionId: known ?? textOf(facts.sessionId) ?? "",
    cwd,
    contextWindow: COMPRESSED_AT_TOKENS,
    ...defined({ title: textOf(facts.summary) }),
  });
}

interface Chat {
  readonly facts: Fields;
  readonly messages: readonly Fields[];
}

function wholeOf(value: unknown): Chat {
  const facts = fieldsOf(value);
  return { facts, messages: fieldsOfEach(facts.messages) };
}

function replayed(records: readonly unknown[]): Chat {
  const replay = new Replay();
  for (const value of records) {
    const record = fieldsOf(value);
    const to = textOf(record.$rewindTo);
    const id = textOf(record.id);
    if (to !== undefined) replay.rewind(to);
    else if (id !== undefined) replay.put(id, record);
    else replay.set(wholeOf(record.$set ?? record));
  }
  return { facts: replay.facts, messages: replay.said() };
}

/** A chat while its lines are replayed. Keeps what a compression removes, since it was said. */
class Replay {
  facts: Fields = {};
  readonly #messages = new Map<string, Fields>();
  /** Everything said before the last compression. */
  #before: Fields[] = [];
  /** Ids of its last messages, which come again behind the summary without their calls. */
  readonly #copies = new Set<string>();

  said(): Fields[] {
    const own = [...this.#messages].filter(([id]) => !this.#copies.has(id));
    return [...this.#before, ...own.map(([, message]) => message)];
  }

  put(id: string, message: Fields): void {
    this.#messages.set(id, message);
  }

  /** Removes a message and all after it; every message if it is unknown. */
  rewind(to: string): void {
    if (this.#copies.has(to)) {
      const content = contentOf(this.#messages.get(to));
      const original = this.#before.findLastIndex((message) => contentOf(message) === content);
      if (original >= 0) this.#before.splice(original);
    }
    const ids = [...this.#messages.keys()];
    const at = ids.indexOf(to);
    for (const gone of at < 0 ? ids : ids.slice(at)) this.#messages.delete(gone);
  }

  /** Changed facts. With a list of messages among them, that replaces the present ones. */
  set({ facts, messages }: Chat): void {
    this.facts = { ...this.facts, ...facts };
    if (facts.messages !== undefined) {
      this.#keepCompressed(messages);
      this.#messages.clear();
    }
    for (const message of messages) this.put(idOf(message), message);
  }

  #keepCompressed(messages: readonly Fields[]): void {
    const at = messages.findIndex((_, i) => isSummary(messages, i));
    const isNew = at >= 0 && !this.#messages.has(idOf(messages[at]));
    if (!isNew || ![...this.#messages.values()].some(({ type }) => type === "gemini")) return;
    this.#before = this.said();
    for (const message of messages.slice(at + 2)) this.#copies.add(idOf(message));
  }
}

/** The reply that the client itself adds after a summary of what a compression removed. */
const THANKS = "Got it. Thanks for the additional context!";

function isSummary(messages: readonly Fields[], at: number): boolean {
  const [summary, answer] = [messages[at], messages[at + 1]];
  return summary?.type === "user" && answer?.type === "gemini" && contentOf(answer) === THANKS;
}

function idOf(message: Fields | undefined): string {
  return textOf(message?.id) ?? "";
}

function contentOf(message: Fields | undefined): string {
  return joinedText(message?.content);
}

/** Context, a command, or the client after a reply that was no reply. */
const CLIENTS = /^(?:\/|<session_context>|System: Please continue\.$)/;

function addMessage(turns: TurnList, message: Fields, cwd: string): void {
  const at = textOf(message.timestamp) ?? "";
  const id = textOf(message.id) ?? at;
  const said = withoutHookContext(joinedText(message.displayContent ?? message.content));
  if (message.type === "user") {
    // What the client did by itself; a person's command begins with a slash and says nothing.
    if (!CLIENTS.test(said)) turns.say("user", said, at, id);
    return;
  }
  if (message.type !== "gemini") return;
  turns.say("assistant", said, at, id, textOf(message.model));
  const { input, output } = fieldsOf(message.tokens);
  turns.used(Number(input) + Number(output));
  const { toolCalls } = message;
  for (const call of fieldsOfEach(toolCalls)) {
    addCall(turns, call, at, cwd);
  }
}

/** The client's tools, under the names that memory knows. */
const NAMES: Readonly<Record<string, string>> = {
  run_shell_command: "Bash",
  replace: "Edit",
  write_file: "Write",
  write_todos: "TodoWrite",
  web_fetch: "WebFetch",
  google_web_search: "WebSearch",
};

/** The tool that asks the person. */
const ASKS = "ask_user";

/** Refused by a person, who was asked, or by a rule. */
const DENIED =
  /^(?:\[Operation Cancelled\] Reason: User denied|Tool execution .{0,200}denied by policy)/;
/** States whose outcome stays unknown. */
const GOES_ON = /^Command moved to background \(PID: /;
/**
 * A call that ran a command succeeded whatever the command did; only the model is told of that, at the end. Until
 * 2026 it was told of a good end, too.
 */
const ENDED_BADLY =
  /\n(?:Exit Code|Signal): (?!(?:0|\(none\))(?:\n|$))[^\n]{1,40}(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\s*(?:<\/untrusted_context>\s*)?$/;

function addCall(turns: TurnList, call: Fields, at: string, cwd: string): void {
  const id = textOf(call.id) ?? at;
  const name = textOf(call.name) ?? "";
  const args = fieldsOf(call.args);
  const path = textOf(args.file_path) ?? textOf(args.absolute_path);
  if (name === ASKS) turns.ask(id, fieldsOfEach(args.questions), at);
  else {
    turns.call({
      id,
      name: NAMES[name] ?? name,
      command: textOf(args.command),
      filePath: path === undefined ? undefined : absolutePath(path, cwd),
      items: planItems(args.todos, "description"),
    }, at);
  }
  if (call.status === undefined) return;
  const told = resultOf(call.result);
  if (call.status !== "success" && DENIED.test(told)) return turns.notRun(id);
  // A call that Esc stopped has only a message of the client as its result.
  const text = call.status === "cancelled" ? "" : textOf(call.resultDisplay) ?? told;
  if (GOES_ON.test(text)) return;
  const hasFailed = args.command !== undefined && ENDED_BADLY.test(told);
  turns.result(id, text, call.status !== "success" || hasFailed);
  if (name !== ASKS) return;
  // `{"answers": {"0": "SQLite"}}`, by the number of the question.
  const answers = fieldsOf(fieldsOf(parsed(told)).answers);
  turns.answers(id, fieldsOfEach(args.questions).map((_, i) => answers[String(i)]));
}

/** `[{functionResponse: {response: {output}}}]`, or parts of text. */
function resultOf(result: unknown): string {
  const parts = Array.isArray(result) ? result : [result];
  return parts.map((part) => {
    const { output, error } = fieldsOf(fieldsOf(fieldsOf(part).functionResponse).response);
    return textOf(output) ?? textOf(error) ?? joinedText(part);
  }).filter((text) => text !== "").join("\n");
}
