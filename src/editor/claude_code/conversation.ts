/**
 * Records of a session file → turns. One reply of the model is several lines that share a message id;
 * tool results stand in `user` lines; much of what a `user` line holds was written by the client and
 * not by a person. Pure: records in, a transcript out. Knows no file.
 */
import type { Compaction, Transcript, Turn } from "../editor.ts";
import { type Fields, fieldsOf, fieldsOfEach, textOf } from "../../base/fields.ts";
import { slashedAsWritten } from "../../base/path.ts";
import { defined } from "../../base/defined.ts";
import { TRANSCRIPT_TURNS_MAX } from "../../base/limits.ts";
import { markNotRun, type PendingTool } from "../calls_not_run.ts";
import {
  typedBehindCommand,
  withoutIdeContext,
  withoutImageMarks,
  withoutTeamNotices,
} from "./typed.ts";
import {
  applyOutcome,
  applyResult,
  handedPlan,
  readSaid,
  readToolUse,
  resultText,
  runsInBackground,
  wasDenied,
} from "./tool_use.ts";

/** Characters kept of one transcript; beyond that the oldest turns are dropped. */
const TEXT_CHARACTERS_MAX = 6 * 1024 * 1024;
/** How many replies and calls are remembered: their lines and results follow closely. */
const OPEN_REPLIES_MAX = 64;
const OPEN_TOOLS_MAX = 512;

/**
 * Client-made text in `user` lines: commands, their output, reminders, notices, a hook's refusal, reports of
 * teammates, where a picture lies, what it asks on the side.
 */
const CLIENT_TEXT =
  /^\s*(?:<(?:command-(?:name|message|args|contents)|local-command-[a-z]+|system-reminder|bash-(?:input|stdout|stderr)|task-notification|user-memory-input)>|\[(?:Request interrupted by user|Image: source: |SUGGESTION MODE: )|Operation stopped by hook: |Another Claude session sent a message:\s*<|Caveat: The messages below were generated|Your task is to create a detailed summary of the conversation so far)/;

/** The outcome of a background task. If the agent was idle it comes as a prompt, otherwise as an attachment. */
const TASK_NOTICE = /^\s*<task-notification>/;

/** A request of Sage's own stop hook, not of another program's. */
const SAGE_ASKED = /\bsage_autosave_check\b/;
/** The client's words before the reason of a stop hook that blocks. */
const BLOCKED = /^Stop hook feedback:/;

/**
 * A person who refuses a call may say why: the client passes that on in the result, between its own words. A
 * refusal to make a question clearer has only the client's words.
 */
const REFUSED =
  /^The user doesn't want to [^\n]*To tell you how to proceed, the user said:\n(?!The user wants to clarify )([\s\S]+?)(?:\n\nNote: The user's next message [\s\S]*)?$/;

/** Types of lines that hold conversation. */
const CONVERSATION: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment"]);

/** Other agents, channels and the client also write as the user, and name themselves in `origin`; an SDK has none. */
function isPersons({ isMeta, origin }: Fields): boolean {
  const { kind } = fieldsOf(origin);
  return isMeta !== true && (kind === undefined || kind === "human");
}

/** A tool of an MCP server, whose error is its own text, whatever it claims to quote. */
function isForeign({ name }: PendingTool): boolean {
  return name.startsWith("mcp__");
}

interface PendingTurn {
  uuid: string;
  role: "user" | "assistant";
  at: string;
  parts: string[];
  tools: PendingTool[];
  /** The id of the line that the prompt followed. */
  after?: string;
  model?: string;
  toSage?: true;
  refuses?: true;
  runsCommand?: true;
  resumes?: true;
  sentOn?: true;
}

type Pending<T> = { -readonly [K in keyof T]: T[K] };

/** Collects records in file order; what subagents said between them is left out. */
export class Conversation {
  readonly #seen = new Set<string>();
  readonly #replies = new Map<string, PendingTurn>();
  readonly #openTools = new Map<string, PendingTool[]>();
  readonly #tasks = new Map<string, string>();
  readonly #compactions: Pending<Compaction>[] = [];
  #turns: PendingTurn[] = [];
  #characters = 0;
  #dropped = false;
  #sinceCompaction = 0;
  #contextTokens: number | undefined;
  #model: string | undefined;
  #sessionId = "";
  #cwd = "";
  #customTitle: string | undefined;
  #madeTitle: string | undefined;
  #forkedFrom: string | undefined;
  #isAsked = false;
  #isWoken = false;
  #isSentOn = false;
  #recap: string | undefined;

  add(record: Fields): void {
    this.#sessionId = textOf(record.sessionId) ?? this.#sessionId;
    if (record.type === "custom-title") this.#customTitle = textOf(record.customTitle);
    if (record.type === "ai-title") this.#madeTitle = textOf(record.aiTitle);
    if (!CONVERSATION.has(record.type) || record.isSidechain === true) return;
    const uuid = textOf(record.uuid) ?? "";
    if (uuid !== "" && this.#seen.has(uuid)) return;
    this.#seen.add(uuid);
    if (this.#cwd === "") this.#cwd = slashedAsWritten(textOf(record.cwd) ?? "");
    this.#forkedFrom = textOf(fieldsOf(record.forkedFrom).sessionId) ?? this.#forkedFrom;
    if (record.type === "attachment") this.#addAttachment(record, uuid);
    else if (record.type === "system") this.#addSystem(record);
    else if (record.type === "user") this.#addUser(record, uuid);
    else this.#addAssistant(record, uuid);
  }

  finish(walk: Pick<Transcript, "fromStart" | "endOffset">): Transcript {
    return {
      sessionId: this.#sessionId,
      cwd: this.#cwd,
      title: this.#customTitle ?? this.#madeTitle,
      ...defined({ forkedFrom: this.#forkedFrom, recap: this.#recap }),
      turns: this.#turns.map(toTurn),
      compactions: this.#compactions,
      sinceCompaction: this.#sinceCompaction,
      contextTokens: this.#contextTokens,
      model: this.#model,
      ...walk,
      fromStart: walk.fromStart && !this.#dropped,
    };
  }

  #addSystem(record: Fields): void {
    if (record.subtype === "compact_boundary") this.#addBoundary(record);
    if (record.subtype === "away_summary") this.#recap = textOf(record.content);
  }

  #addBoundary(record: Fields): void {
    const meta = fieldsOf(record.compactMetadata);
    const compaction: Pending<Compaction> = { at: textOf(record.timestamp) ?? "" };
    if (typeof meta.preTokens === "number") compaction.preTokens = meta.preTokens;
    if (typeof meta.postTokens === "number") compaction.postTokens = meta.postTokens;
    this.#compactions.push(compaction);
    // A summary of a part, as the last reply in one of the whole, leaves the rest in the context.
    const { uuids } = fieldsOf(meta.preservedMessages);
    const kept = new Set(Array.isArray(uuids) ? uuids : []);
    const at = this.#turns.findIndex(({ uuid }) => kept.has(uuid));
    this.#sinceCompaction = at < 0 ? this.#turns.length : at;
    this.#contextTokens = compaction.postTokens;
  }

  #addAttachment(record: Fields, uuid: string): void {
    const { type, hookEvent, content, commandMode, prompt, ...rest } = fieldsOf(record.attachment);
    if (type === "hook_additional_context" && hookEvent === "Stop" && Array.isArray(content)) {
      this.#addStopHook(content.join("\n"));
    }
    // Typed while the agent worked, and taken into the running turn; notices of tasks come so as well.
    if (type !== "queued_command") return;
    if (commandMode === "prompt" && isPersons(rest)) this.#addSaid(record, uuid, prompt);
    if (commandMode === "task-notification") this.#addOutcome(textOf(prompt) ?? "");
  }

  #addUser(record: Fields, uuid: string): void {
    const content = fieldsOf(record.message).content;
    if (record.isCompactSummary === true) {
      const last = this.#compactions.at(-1);
      if (last !== undefined && typeof content === "string") last.summary ??= content;
      return;
    }
    if (record.isMeta === true && typeof content === "string" && BLOCKED.test(content)) {
      this.#addStopHook(content);
    }
    if (typeof content === "string" && TASK_NOTICE.test(content)) {
      this.#isWoken = true;
      this.#addOutcome(content);
    }
    const results = fieldsOfEach(content).filter((block) => block.type === "tool_result");
    // A notice or a teammate may wake the agent, too: what it does then is not for Sage.
    if (results.length === 0 && record.isMeta !== true) this.#isAsked = false;
    for (const block of results) {
      const [tool] = this.#openTools.get(textOf(block.tool_use_id) ?? "") ?? [];
      this.#addResult(block, record);
      if (tool !== undefined && block.is_error === true && !isForeign(tool)) {
        const [, refusal] = REFUSED.exec(resultText(block.content)) ?? [];
        if (refusal !== undefined) this.#addSaid(record, uuid, refusal, { refuses: true });
      }
    }
    if (record.isVisibleInTranscriptOnly === true || !isPersons(record)) return;
    // A person who allows a call or a plan may add something: it is beside the result.
    const plan = typeof content === "string" ? handedPlan(content) : undefined;
    if (plan === undefined) this.#addSaid(record, uuid, content);
    else this.#addSaid(record, uuid, plan.said, { tools: [plan.tool] });
  }

  /** Of two at one stop, what another program asks for is the work that follows. */
  #addStopHook(feedback: string): void {
    if (!SAGE_ASKED.test(feedback)) [this.#isSentOn, this.#isAsked] = [true, false];
    else if (!this.#isSentOn) this.#isAsked = true;
  }

  /** A person's words, where they are any. */
  #addSaid(
    record: Fields,
    uuid: string,
    content: unknown,
    how: Partial<Pick<PendingTurn, "refuses" | "tools">> = {},
  ): void {
    const said = typeof content === "string"
      ? [content]
      : fieldsOfEach(content).map((block) => textOf(block.text) ?? "");
    const line = said.map(withoutIdeContext).map(withoutTeamNotices).filter((part) => part !== "")
      .join("\n\n");
    const behind = typedBehindCommand(line);
    const text = withoutImageMarks(behind ?? line);
    if (text.trim() === "" || CLIENT_TEXT.test(text)) return;
    this.#isAsked = this.#isWoken = this.#isSentOn = false;
    const after = how.refuses === true ? undefined : textOf(record.parentUuid);
    if (after !== undefined) this.#takeBack(after);
    this.#push({
      uuid,
      role: "user",
      at: textOf(record.timestamp) ?? "",
      parts: [text],
      tools: [],
      ...defined({ after, runsCommand: behind === undefined ? undefined : true }),
      ...how,
    });
  }

  /**
   * Withdrawn before it was answered (Esc), or taken back with all that came of it (Esc twice): the next
   * prompt stands where it stood, and what holds is the branch with the last leaf.
   */
  #takeBack(after: string): void {
    const at = this.#turns.findLastIndex((turn) => turn.after === after);
    if (at < 0) return;
    this.#turns.splice(at);
    this.#sinceCompaction = Math.min(this.#sinceCompaction, at);
  }

  #addAssistant(record: Fields, uuid: string): void {
    const message = fieldsOf(record.message);
    // Notices of the client ('API Error: …') come as replies without a model.
    if (record.isApiErrorMessage === true || message.model === "<synthetic>") return;
    const turn = this.#reply(textOf(message.id) ?? uuid, uuid, record);
    for (const block of fieldsOfEach(message.content)) {
      const said = readSaid(block);
      if (said !== undefined) {
        turn.parts.push(said);
        this.#characters += said.length;
      } else if (block.type === "tool_use") this.#addTool(turn, block);
    }
    const tokens = usedTokens(message.usage);
    if (tokens > 0) this.#contextTokens = tokens;
    const model = textOf(message.model);
    if (model !== undefined) this.#model = turn.model = model;
  }

  /** The turn of a message id, since tool results may come between the lines of one reply. */
  #reply(messageId: string, uuid: string, record: Fields): PendingTurn {
    const known = this.#replies.get(messageId);
    if (known !== undefined) return known;
    const turn: PendingTurn = {
      uuid,
      role: "assistant",
      at: textOf(record.timestamp) ?? "",
      parts: [],
      tools: [],
      ...(this.#isAsked ? { toSage: true } : {}),
      ...(this.#isWoken ? { resumes: true } : {}),
      ...(this.#isSentOn ? { sentOn: true } : {}),
    };
    this.#isWoken = this.#isSentOn = false;
    this.#replies.set(messageId, turn);
    forgetOldest(this.#replies, OPEN_REPLIES_MAX);
    this.#push(turn);
    return turn;
  }

  #addTool(turn: PendingTurn, block: Fields): void {
    const tools = readToolUse(block);
    for (const tool of tools) {
      // A task's update names it by number only; its subject was given when it was made.
      const item = tool.items?.[0];
      const subject = item && this.#tasks.get(item.text);
      if (item && subject !== undefined) tool.items = [{ text: subject, status: item.status }];
      this.#characters += (tool.command?.length ?? 0) + 200;
    }
    turn.tools.push(...tools);
    this.#openTools.set(tools[0]?.id ?? "", tools);
    forgetOldest(this.#openTools, OPEN_TOOLS_MAX);
  }

  #addResult(block: Fields, record: Fields): void {
    const { toolUseResult: extra } = record;
    if (runsInBackground(extra)) return;
    const tools = this.#takeOpen(textOf(block.tool_use_id));
    if (tools === undefined) return;
    applyResult(tools, block, extra);
    if (wasDenied(record)) markNotRun(tools);
    for (const tool of tools) this.#characters += tool.result?.length ?? 0;
    const [tool] = tools;
    const taskId = textOf(fieldsOf(fieldsOf(extra).task).id) ??
      /^Task #(\d+)/.exec(tool?.result ?? "")?.[1];
    const subject = tool?.items?.[0]?.text;
    if (tool?.name === "TaskCreate" && taskId !== undefined && subject !== undefined) {
      this.#tasks.set(`#${taskId}`, subject);
    }
  }

  #addOutcome(notice: string): void {
    const tools = this.#takeOpen(/<tool-use-id>([^<]+)</.exec(notice)?.[1]) ?? [];
    applyOutcome(tools, notice);
    for (const tool of tools) this.#characters += tool.result?.length ?? 0;
  }

  #takeOpen(id = ""): PendingTool[] | undefined {
    const tools = this.#openTools.get(id);
    this.#openTools.delete(id);
    return tools;
  }

  #push(turn: PendingTurn): void {
    this.#recap = undefined;
    this.#turns.push(turn);
    for (const part of turn.parts) this.#characters += part.length;
    if (this.#turns.length > TRANSCRIPT_TURNS_MAX || this.#characters > TEXT_CHARACTERS_MAX) {
      this.#dropOldest();
    }
  }

  /** Drops the older half at once, which keeps dropping cheap. */
  #dropOldest(): void {
    const gone = Math.floor(this.#turns.length / 2);
    this.#turns = this.#turns.slice(gone);
    this.#sinceCompaction = Math.max(0, this.#sinceCompaction - gone);
    this.#seen.clear();
    this.#dropped = true;
    this.#characters = 0;
    for (const turn of this.#turns) {
      for (const part of turn.parts) this.#characters += part.length;
      for (const tool of turn.tools) this.#characters += (tool.result?.length ?? 0) + 200;
    }
  }
}

function toTurn({ parts, after: _after, ...turn }: PendingTurn): Turn {
  return { ...turn, text: parts.join("\n\n") };
}

/** Tokens in the context window after this reply. 0 for replies that never reached a model. */
function usedTokens(usage: unknown): number {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
    fieldsOf(usage);
  let sum = 0;
  for (
    const part of [
      input_tokens,
      cache_creation_input_tokens,
      cache_read_input_tokens,
      output_tokens,
    ]
  ) {
    if (typeof part === "number" && part > 0) sum += part;
  }
  return sum;
}

function forgetOldest(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
