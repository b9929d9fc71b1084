/**
 * Codex CLI: one rollout file for each session, `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl` below
 * `CODEX_HOME` (`~/.codex`), and the same below `archived_sessions`. A line is `{timestamp, type, payload}`:
 * the session's metadata, items sent to and received from the model, events of the user interface.
 */
import { type Fields, fieldsOf, fieldsOfEach, parsed, textOf } from "../../base/fields.ts";
import { DAY_MS, rfc3339 } from "../../base/clock.ts";
import { concat } from "../../base/concat.ts";
import { type Fs, listIfDir, readBytes } from "../../base/fs.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { defined } from "../../base/defined.ts";
import { jsonLines } from "../../base/jsonl.ts";
import { collapse } from "../../base/text/text.ts";
import type { Transcript } from "../editor.ts";
import { HISTORY_BYTES_MAX, type HistoryPlace, type PastFile } from "../history.ts";
import { bytesOf, entriesOf, fileHistory, headOf, isMeant, pastFile } from "../history_files.ts";
import { folderNamed } from "../payload.ts";
import { planItems } from "../clip.ts";
import { joinedText, patchedFiles, TurnList } from "../turn_list.ts";
import { Outcomes } from "./outcome.ts";
import { approvedPlan, proposedPlan, withoutPlanTag } from "./plan.ts";
import { readScript, scriptOutcome } from "./script.ts";

/** Named after the session. If a part was undone, the session continues in another file, with a further id. */
const FILE =
  /^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.jsonl$/;
/** What a file goes on from: the session's first file or a later one of it, up to there. */
const BASE =
  /"history_base":\{"thread_id":"([0-9a-f]{8}-[0-9a-f-]{27})",[^{}]*"end_byte_offset":(\d{1,15})\}/;
/** The base is named in the first line, after instructions of many pages. */
const BASE_BYTES = 256 * 1024;
/** More files than one conversation ever has. */
const BASES_MAX = 100;
/** Enough for the session's metadata, which begins its line; instructions of many pages follow in it. */
const HEAD_BYTES = 8 * 1024;
/** Years, months and days. */
const DEPTH_MAX = 4;
/** The most files listed: enough for years of work. */
const FILES_MAX = 20_000;

export const openHistory = fileHistory(
  list,
  (bytes, { path, sessionId, cwd }, fs) =>
    readRollout(
      withEarlier(fs, path, bytes, HISTORY_BYTES_MAX - bytes.length).bytes,
      sessionId,
      cwd,
    ),
);

function list(place: HistoryPlace): PastFile[] {
  const { home, env } = place;
  const root = folderNamed(env, "CODEX_HOME") ?? join(home, ".codex");
  const files = new Map<string, PastFile>();
  const visit = (folder: string, depth: number): void => {
    if (depth > DEPTH_MAX || files.size >= FILES_MAX) return;
    for (const { name, kind } of entriesOf(place, folder)) {
      const path = join(folder, name);
      if (kind === "dir") visit(path, depth + 1);
      const sessionId = kind === "file" ? FILE.exec(name)?.[1] : undefined;
      if (sessionId === undefined || !isMeant(place, sessionId)) continue;
      const looked = headOf(place, path, HEAD_BYTES);
      if (looked === undefined) continue;
      const { info, head } = looked;
      // A subagent's file is a part of the session that started it.
      if (/"(?:parent_thread_id|agent_path)":"|"thread_source":"subagent"/.test(head)) continue;
      const cwd = /"cwd":("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
      const known = cwd === undefined ? undefined : textOf(parsed(cwd));
      // A session's newest file has its latest state.
      const other = files.get(sessionId);
      if (other !== undefined && other.mtimeMs > info.mtimeMs) continue;
      files.set(sessionId, pastFile({ agent: "codex", path, sessionId }, info, known));
    }
  };
  for (const folder of ["sessions", "archived_sessions"]) visit(join(root, folder), 0);
  return [...files.values()];
}

/**
 * The bytes of a file, preceded by those of the files that it continues, of which at most `bytesMax` are
 * read; without what was undone.
 */
export function withEarlier(
  fs: Fs,
  path: string,
  bytes: Uint8Array,
  bytesMax: number,
): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const parts = [bytes];
  let room = bytesMax;
  let at = path;
  while (parts.length <= BASES_MAX) {
    const base = baseOf(fs, at);
    if (base === undefined) return { bytes: concat(parts), isWhole: true };
    const from = Math.max(0, base.end - room);
    if (base.path === undefined || base.path === at) break;
    if ((fs.lstat(base.path)?.size ?? 0) < base.end) break;
    parts.unshift(bytesOf(fs, base.path, from, base.end));
    if (from > 0) break;
    room -= base.end;
    at = base.path;
  }
  return { bytes: concat(parts), isWhole: false };
}

/** The file that this one continues; undefined if none. Without a path if that file cannot be found. */
function baseOf(
  fs: Fs,
  path: string,
): { readonly path: string | undefined; readonly end: number } | undefined {
  if (FILE.exec(basename(path))?.[2] === undefined) return undefined;
  const [head = ""] = decode(readBytes(fs, path, BASE_BYTES)).split("\n", 1);
  const [, id, end] = BASE.exec(head) ?? [];
  return id === undefined ? undefined : { path: find(fs, dirname(path), id), end: Number(end) };
}

/** A file by the id in its name. The id (UUIDv7) begins with the time, which names the folder of its day. */
function find(fs: Fs, folder: string, id: string): string | undefined {
  const bornMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  // Folders are named by local time.
  const days = [0, -1, 1].map((day) => rfc3339(bornMs + day * DAY_MS).slice(0, 10));
  const root = dirname(dirname(dirname(folder)));
  for (const place of [folder, ...days.map((day) => join(root, day.replaceAll("-", "/")))]) {
    const found = listIfDir(fs, place).find(({ name, kind }) =>
      kind === "file" && FILE.test(name) && /.{36}(?=\.jsonl$)/.exec(name)?.[0] === id
    );
    if (found !== undefined) return join(place, found.name);
  }
  return undefined;
}

/** The session that a rollout file is named after. */
export function rolloutSession(path: string): string | undefined {
  return FILE.exec(basename(path))?.[1];
}

/** The session that a rollout was forked from. Since 2026-11 a fork names it only; before, it repeated it. */
export function rolloutOrigin(fs: Fs, path: string): string | undefined {
  if (fs.lstat(path)?.kind !== "file") return undefined;
  return /"forked_from_id":"([0-9a-f-]{36})"/.exec(decode(readBytes(fs, path, HEAD_BYTES)))?.[1];
}

/** The transcript of the lines, which may be the end of a file with an incomplete first line. */
export function readRollout(bytes: Uint8Array, sessionId: string, known = ""): Transcript {
  const rollout: Rollout = {
    turns: new TurnList(),
    outcomes: new Outcomes(),
    typed: new Set(),
    scripts: new Set(),
    asked: new Map(),
    cwd: known,
  };
  const { turns, typed } = rollout;
  let from: string | undefined;
  let window: number | undefined;
  for (const record of jsonLines(bytes)) {
    const { type, timestamp, payload, metadata } = fieldsOf(record);
    const at = textOf(timestamp) ?? "";
    const item = fieldsOf(payload);
    if (type === "session_meta") {
      // A fork repeats the head of its origin.
      if (textOf(item.id) !== sessionId) continue;
      rollout.cwd = textOf(item.cwd) ?? rollout.cwd;
      from = textOf(item.forked_from_id);
    } else if (type === "turn_context") rollout.model = textOf(item.model) ?? rollout.model;
    else if (type === "response_item") {
      // The summary is not a reply; it comes again as `compacted`.
      if (fieldsOf(metadata).compaction_output === true) continue;
      addItem(rollout, item, at);
    } else if (type === "event_msg" && item.type === "user_message") {
      typed.add(collapse(textOf(item.message) ?? ""));
    } else if (type === "event_msg" && item.type === "token_count") {
      // Follows each reply. The last request held the whole conversation.
      const { last_token_usage, model_context_window } = fieldsOf(item.info);
      turns.used(fieldsOf(last_token_usage).total_tokens);
      if (typeof model_context_window === "number") window = model_context_window;
    } else if (type === "compacted") turns.compaction(at, textOf(item.message));
  }
  turns.keep(({ role, text }) =>
    role === "assistant" || (!isInjected(text) && isTyped(collapse(text), typed))
  );
  return turns.finish({
    agent: "codex",
    sessionId,
    cwd: rollout.cwd,
    ...defined({ forkedFrom: from, contextWindow: window }),
  });
}

/** The state while reading. */
interface Rollout {
  readonly turns: TurnList;
  readonly outcomes: Outcomes;
  /** What the screen showed as typed. */
  readonly typed: Set<string>;
  /** The calls that are scripts. */
  readonly scripts: Set<string>;
  /** The ids of the questions that a call asks. */
  readonly asked: Map<string, readonly string[]>;
  /** The last plan that the agent proposed. */
  plan?: string | undefined;
  cwd: string;
  model?: string | undefined;
}

function addItem(rollout: Rollout, item: Fields, at: string): void {
  const { turns, outcomes, cwd } = rollout;
  const id = textOf(item.call_id) ?? textOf(item.id) ?? at;
  switch (item.type) {
    case "message":
      return addMessage(rollout, item, at);
    case "function_call": {
      const args = parsed(textOf(item.arguments) ?? "");
      if (item.name === "write_stdin") outcomes.ask(id, fieldsOf(args).session_id);
      const name = [textOf(item.namespace) ?? [], textOf(item.name) ?? ""].flat().join("__");
      return addFunction(rollout, { id, name, args }, at);
    }
    case "local_shell_call":
      return addFunction(rollout, { id, name: "shell", args: item.action }, at);
    case "custom_tool_call":
      if (item.name === "exec") return addScript(rollout, id, textOf(item.input) ?? "", at);
      if (item.name !== "apply_patch") {
        return turns.call({ id, name: textOf(item.name) ?? "" }, at);
      }
      outcomes.run(id);
      return turns.edits(id, patchedFiles(textOf(item.input) ?? ""), cwd, at);
    case "function_call_output":
    case "custom_tool_call_output": {
      if (rollout.scripts.has(id)) {
        const { text, failed } = scriptOutcome(item.output) ?? {};
        return text === undefined ? undefined : turns.result(id, text, failed);
      }
      addAnswers(rollout, id, item.output);
      const outcome = outcomes.add(id, item.output);
      if (outcome?.neverRan === true) turns.notRun(outcome.call);
      else if (outcome !== undefined) turns.result(outcome.call, outcome.text, outcome.failed);
    }
  }
}

function addMessage(rollout: Rollout, item: Fields, at: string): void {
  const { turns, typed, model } = rollout;
  const uuid = textOf(item.id) ?? `${at}:${item.role}`;
  const text = joinedText(item.content);
  if (item.role === "assistant") {
    rollout.plan = proposedPlan(text) ?? rollout.plan;
    return turns.say("assistant", withoutPlanTag(text).replace(DIRECTIVE, ""), at, uuid, model);
  }
  if (item.role !== "user" || !isOfUser(item)) return;
  const plan = approvedPlan(text, rollout.plan);
  if (plan === undefined) return turns.say("user", text, at, uuid, model);
  // On the screen stands what the client wrote.
  typed.add(collapse(plan.said));
  turns.handPlan(plan, at, uuid);
}

/** What the desktop client makes buttons of: `::git-commit{cwd="…"}`. */
const DIRECTIVE = /(?<!\S)::[a-z][a-z-]{1,30}\{[^\n]{0,2000}?\}(?!\S)/g;

/** The commands and changes of a script, each as a call. */
function addScript({ turns, scripts, cwd }: Rollout, id: string, script: string, at: string): void {
  scripts.add(id);
  const { commands, files } = readScript(script);
  for (const command of commands) turns.call({ id, name: "Bash", command }, at);
  turns.edits(id, files, cwd, at);
  if (commands.length + files.length === 0) turns.call({ id, name: "exec" }, at);
}

function addQuestions({ turns, asked }: Rollout, id: string, given: unknown, at: string): void {
  const questions = fieldsOfEach(given).filter(({ question }) => typeof question === "string");
  asked.set(id, questions.map((item) => textOf(item.id) ?? ""));
  turns.ask(id, questions, at);
}

function addAnswers({ turns, asked }: Rollout, id: string, output: unknown): void {
  const ids = asked.get(id);
  if (ids === undefined) return;
  const { answers } = fieldsOf(parsed(joinedText(output)));
  turns.answers(id, ids.map((one) => fieldsOf(fieldsOf(answers)[one]).answers));
}

function addFunction(
  rollout: Rollout,
  { id, name, args: given }: { readonly id: string; readonly name: string; readonly args: unknown },
  at: string,
): void {
  const { turns, outcomes } = rollout;
  const args = fieldsOf(given);
  const command = args.cmd ?? args.command;
  if (name === "request_user_input") return addQuestions(rollout, id, args.questions, at);
  if (name === "update_plan" && Array.isArray(args.plan)) {
    return turns.call({ id, name: "TodoWrite", items: planItems(args.plan, "step") }, at);
  }
  if (command === undefined) return turns.call({ id, name }, at);
  outcomes.run(id);
  // `["bash", "-lc", "npm test"]`: the last item is what was run.
  const line = Array.isArray(command)
    ? command.length === 3 && /^-l?c$/.test(String(command[1]))
      ? String(command[2])
      : command.join(" ")
    : textOf(command);
  turns.call({ id, name: "Bash", command: line }, at);
}

/** As the screen showed it, where it says so; what goes to the model may name an image beside it. */
function isTyped(text: string, typed: ReadonlySet<string>): boolean {
  if (typed.size === 0 || typed.has(text)) return true;
  return [...typed].some((prompt) => prompt !== "" && text.includes(prompt));
}

/** Since 2026-11 each part has a kind: `user.text`, or context that is sent as the user. */
function isOfUser({ internal_chat_message_metadata_passthrough: said }: Fields): boolean {
  const { content_item_kinds: kinds } = fieldsOf(said);
  return !Array.isArray(kinds) || kinds.length === 0 ||
    kinds.some((kind) => kind === "unknown" || String(kind).startsWith("user."));
}

/** Whether a text is context that the client sends as the user before a prompt. */
function isInjected(text: string): boolean {
  const [first = ""] = text.split(/\n(?=# AGENTS\.md instructions|<[a-z_-]{1,60}>)/i, 1);
  const tag = /^<([a-z_-]+)>/i.exec(text)?.[1];
  return text.startsWith("# AGENTS.md instructions") ||
    (tag !== undefined && (text.trimEnd().endsWith(`</${tag}>`) ||
      first !== text && first.trimEnd().endsWith(`</${tag}>`) &&
        isInjected(text.slice(first.length + 1))));
}
