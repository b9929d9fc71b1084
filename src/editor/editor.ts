/** What the rest of Sage knows of an editor: turns and hook inputs. Each editor's formats are in its folder. */
import type { Env } from "../base/environment.ts";
import type { Fields } from "../base/fields.ts";

/** One step of a conversation, in order. Text is as the person or the model wrote it. */
export interface Turn {
  /** The line's own id. Forks repeat it, so it also serves to deduplicate. */
  readonly uuid: string;
  readonly role: "user" | "assistant";
  /** RFC 3339 with fractions as the editor wrote it; may be empty. */
  readonly at: string;
  /** What was said, joined; without tool input, tool output and the client's own text. */
  readonly text: string;
  readonly tools: readonly ToolUse[];
  readonly model?: string;
  /** A reply to Sage's own request at a stop, not to the person. */
  readonly toSage?: true;
  /** Said by the person when refusing the call before. */
  readonly refuses?: true;
  /** Typed behind a command or a skill: it says what that is to do, and answers nothing. */
  readonly runsCommand?: true;
  /** The agent was woken by a background task, not by a prompt. */
  readonly resumes?: true;
  /** The agent had come to its end, and a stop hook other than Sage's sent it on. */
  readonly sentOn?: true;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** Flat view of the input: the fields that memory uses. */
  readonly command?: string;
  readonly filePath?: string;
  /** The agent's description of the call; otherwise its address or query. */
  readonly description?: string;
  /** For question tools: what was asked, the options, and what was answered. */
  readonly question?: string;
  readonly options?: readonly string[];
  readonly answer?: string;
  /** What the person wrote beside the option that they took. */
  readonly notes?: string;
  /** A plan or a task list, as text lines. */
  readonly items?: readonly PlanItem[];
  /** Undefined while no result was seen. */
  readonly failed?: boolean;
  /** At most about 2,000 characters of the result: its beginning and its end. */
  readonly result?: string;
}

/** One line of a plan (no status) or of a task list (pending, in_progress, completed, deleted). */
export interface PlanItem {
  readonly text: string;
  readonly status: string;
}

export interface Compaction {
  readonly at: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  readonly summary?: string;
}

/** What a transcript holds, as far as it was read. */
export interface Transcript {
  /** Whose transcript it is; Claude Code's if undefined. */
  readonly agent?: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly title: string | undefined;
  /** The session whose first lines this file repeats, with the same turn uuids. */
  readonly forkedFrom?: string;
  /** What the client itself wrote of the conversation for a person who was away, if nothing was said since. */
  readonly recap?: string;
  readonly turns: readonly Turn[];
  readonly compactions: readonly Compaction[];
  /** The index of the first turn that is still in the context after the last compaction. */
  readonly sinceCompaction: number;
  /** Tokens in use now: the last real usage after the last compaction, otherwise its `postTokens`. */
  readonly contextTokens: number | undefined;
  /** Tokens at which the agent compacts by itself, if its file or its sources say it. */
  readonly contextWindow?: number;
  readonly model: string | undefined;
  /** False when reading began in the middle of the file. */
  readonly fromStart: boolean;
  /** The offset after the last complete line that was read: where the next reading may begin. */
  readonly endOffset: number;
}

export type HookEvent =
  | "session-start"
  | "user-prompt-submit"
  | "stop"
  | "subagent-stop"
  | "pre-compact"
  | "pre-tool-use"
  | "session-end";

/** A hook payload, validated and reduced to what handlers use. */
export interface HookInput {
  readonly event: HookEvent;
  /** Whose hook it is; Claude Code's if undefined. */
  readonly agent?: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** Only if it is a file inside the editor's own folder, or a session in its database. */
  readonly transcriptPath: string | undefined;
  /** startup, resume, clear, compact, fork. */
  readonly source?: string;
  /** For a resumed conversation: its tokens, and the seconds since its last reply. */
  readonly replayed?: { readonly tokens: number; readonly silentSeconds: number };
  readonly prompt?: string;
  readonly stopHookActive?: boolean;
  /** Unattended: the last reply goes to a program, which takes it for the answer. */
  readonly isUnattended?: boolean;
  readonly lastAssistantMessage?: string;
  /** Tokens of the model's context window, if the client says so. */
  readonly contextWindow?: number;
  /** manual, auto. */
  readonly trigger?: string;
  /** Why a session ended. */
  readonly reason?: string;
  readonly agentType?: string;
  readonly agentId?: string;
  /** Where the session started; unlike `cwd` it does not follow the agent's `cd`. */
  readonly startDir?: string;
  /** A subagent's own transcript, under the same rules as `transcriptPath`. */
  readonly agentTranscriptPath?: string;
  /** The file that is about to be edited, absolute; only before a tool that writes one. */
  readonly editedFile?: string;
  /** The last message is a summary as the editor's own summariser writes it. */
  readonly isCompaction?: boolean;
}

/** The format of an editor's hooks, in and out: `editor/<name>/payload.ts`. */
export interface HookForm {
  /** The payload as handlers see it; undefined if it is not for this program. Throws if it names no session. */
  parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined;
  /** Resolves once the editor has written what it reports, or is given up on; absent where it writes first. */
  settled?(input: HookInput, raw: Fields): Promise<void>;
  /** The reply in the editor's format; "" if there is nothing to say. */
  renderReply(event: HookEvent, reply: HookReply): string;
}

/** What a handler answers; `editor/<name>/payload.ts` renders it in that editor's format. */
export interface HookReply {
  /** Text for the model, if the event accepts some. */
  readonly context?: string;
  /** Makes the agent continue, for this reason (stop only). */
  readonly block?: string;
  /** One line for the person. */
  readonly notice?: string;
}
