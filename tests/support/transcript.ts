/**
 * Writes session files as Claude Code 2.1.328 does (tests/fixture/claude-code/transcripts): one line a
 * content block, ids that form a tree, the client's bookkeeping in between. Made for tests; no text in
 * it is real.
 */

export interface ToolCall {
  readonly name: string;
  readonly input?: Record<string, unknown>;
  readonly result?: string;
  readonly isError?: boolean;
  /** The client's structured copy of the result (`toolUseResult`). */
  readonly details?: unknown;
}

export interface BuilderOptions {
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly model?: string;
  /** Milliseconds of the first line; every line is a second later. */
  readonly startMs?: number;
  /** Every line is a subagent's. */
  readonly sidechain?: boolean;
  /** Leaves out attachments and request records. */
  readonly bare?: boolean;
}

type Line = Record<string, unknown>;

/** A session, told turn by turn. Every method returns the builder. */
export class TranscriptBuilder {
  readonly lines: Line[] = [];
  #options: Required<BuilderOptions>;
  #count = 0;
  #replies = 0;
  #tools = 0;
  #parent: string | null = null;
  #clock: number;
  #tokens = 12_000;
  #tail = "";

  constructor(options: BuilderOptions = {}) {
    this.#options = {
      sessionId: "11111111-0000-4000-8000-000000000001",
      cwd: "/home/user/project",
      model: "claude-opus-5-5",
      startMs: Date.UTC(2026, 10, 20, 8, 0, 0),
      sidechain: false,
      bare: false,
      ...options,
    };
    this.#clock = this.#options.startMs;
  }

  user(content: string | readonly Line[], extra: Line = {}): this {
    this.#bookkeep("queue-operation", { operation: "dequeue" });
    this.#conversation({
      type: "user",
      message: { role: "user", content },
      promptSource: "typed",
      ...extra,
    });
    if (!this.#options.bare) {
      for (const type of ["environment", "skill_listing", "prompt_snapshot"]) {
        this.#conversation({
          attachment: { type, text: '"role":"user" <left out>' },
          type: "attachment",
        });
      }
      this.#bookkeep("api-request", { request: { messages: "<left out>" } });
    }
    return this;
  }

  /** One reply: texts and calls are one line each, with one message id; results follow. */
  assistant(text: string | readonly string[], tools: readonly ToolCall[] = []): this {
    const id = `msg_${this.#options.sessionId.slice(0, 8)}_${++this.#replies}`;
    const texts = typeof text === "string" ? (text === "" ? [] : [text]) : text;
    this.#tokens += 200 + texts.join("").length / 4;
    const calls = tools.map((tool) => ({ tool, id: `toolu_${++this.#tools}` }));
    for (const block of texts) this.#reply(id, { type: "text", text: block });
    for (const call of calls) {
      const { name, input = {} } = call.tool;
      this.#reply(id, { type: "tool_use", id: call.id, name, input });
    }
    for (const { tool, id: toolId } of calls) {
      if (tool.result === undefined) continue;
      this.#tokens += tool.result.length / 4;
      this.#conversation({
        type: "user",
        message: {
          role: "user",
          content: [{
            tool_use_id: toolId,
            type: "tool_result",
            content: tool.result,
            ...(tool.isError === undefined ? {} : { is_error: tool.isError }),
          }],
        },
        toolUseResult: tool.details ?? tool.result,
      });
    }
    this.#bookkeep("last-prompt", { lastPrompt: "…" });
    return this;
  }

  /** A `user` line that the client wrote. */
  meta(content: string): this {
    return this.#conversation({ type: "user", message: { role: "user", content }, isMeta: true });
  }

  /** Text that a hook gave the model. */
  hookContext(hookEvent: string, text: string): this {
    const type = "hook_additional_context";
    const attachment = { type, content: [text], hookName: hookEvent, hookEvent };
    return this.#conversation({ attachment, type: "attachment" });
  }

  /** What arrived while the agent worked: a person's words, or a notice of the client. */
  queued(
    text: string,
    commandMode: "prompt" | "task-notification" = "prompt",
    extra: Line = {},
  ): this {
    const prompt = commandMode === "prompt" ? [{ type: "text", text }] : text;
    const attachment = { type: "queued_command", prompt, commandMode, ...extra };
    return this.#conversation({ attachment, type: "attachment" });
  }

  /** One that the client did itself. */
  command(name: string, args = ""): this {
    const content =
      `<command-name>/${name}</command-name>\n            <command-args>${args}</command-args>`;
    return this.#conversation({ type: "user", message: { role: "user", content } });
  }

  /** One that it handed to the model, with what it stands for. */
  expanded(name: string, args: string, prompt: string): this {
    const content = `<command-message>${name}</command-message>\n` +
      `<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
    this.#conversation({ type: "user", message: { role: "user", content } });
    return this.meta(prompt);
  }

  compact(summary: string, trigger: "auto" | "manual" = "auto"): this {
    const preTokens = Math.round(this.#tokens);
    this.#tokens = 2800;
    const logicalParentUuid = this.#parent;
    this.#parent = null;
    this.#conversation({
      logicalParentUuid,
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      compactMetadata: { trigger, preTokens, postTokens: 2800 },
    });
    return this.#conversation({
      type: "user",
      message: {
        role: "user",
        content:
          `This session is being continued from a previous conversation.\nSummary:\n${summary}`,
      },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
    });
  }

  /** What the client tells a person who was away. */
  recap(content: string): this {
    return this.#conversation({ type: "system", subtype: "away_summary", content, isMeta: false });
  }

  title(customTitle: string): this {
    return this.#bookkeep("custom-title", { customTitle });
  }

  /** Lines of another agent inside this file, as older clients wrote them. */
  sidechain(text: string): this {
    const id = `msg_side_${++this.#replies}`;
    this.#reply(id, { type: "text", text }, { isSidechain: true, agentId: "a1" });
    return this;
  }

  raw(line: Line): this {
    this.lines.push(line);
    return this;
  }

  /** Ends the file in the middle of a line. */
  torn(text = '{"parentUuid":"x","isSidechain":false,"message":{"id":"msg_torn","ro'): this {
    this.#tail = text;
    return this;
  }

  /** A copy of everything so far in a new session: same uuids, `forkedFrom` as `/branch` writes it. */
  fork(sessionId: string): TranscriptBuilder {
    const copy = new TranscriptBuilder({ ...this.#options, sessionId });
    for (const line of this.lines) {
      const forkedFrom = { sessionId: this.#options.sessionId, messageUuid: line.uuid };
      copy.lines.push({ ...line, sessionId, ...(line.uuid === undefined ? {} : { forkedFrom }) });
    }
    copy.#count = this.#count + 1000;
    copy.#replies = this.#replies + 1000;
    copy.#parent = this.#parent;
    copy.#clock = this.#clock;
    copy.#tokens = this.#tokens;
    return copy;
  }

  text(): string {
    return this.lines.map((line) => JSON.stringify(line) + "\n").join("") + this.#tail;
  }

  /** Writes the file into a folder, under the session's name; returns the path. */
  write(folder: string): string {
    const path = `${folder}/${this.#options.sessionId}.jsonl`;
    Deno.writeTextFileSync(path, this.text());
    return path;
  }

  #reply(id: string, block: Line, extra: Line = {}): void {
    this.#conversation({
      message: {
        id,
        type: "message",
        role: "assistant",
        model: this.#options.model,
        content: [block],
        usage: {
          input_tokens: 3,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: Math.round(this.#tokens),
          output_tokens: 7,
        },
      },
      type: "assistant",
      ...extra,
    });
  }

  #conversation(line: Line): this {
    const uuid = `${String(++this.#count).padStart(8, "0")}-${this.#options.sessionId}`;
    this.#clock += 1000;
    this.lines.push({
      parentUuid: this.#parent,
      isSidechain: this.#options.sidechain,
      ...line,
      uuid,
      timestamp: new Date(this.#clock).toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd: this.#options.cwd,
      sessionId: this.#options.sessionId,
      version: "2.1.328",
      gitBranch: "main",
    });
    this.#parent = uuid;
    return this;
  }

  #bookkeep(type: string, rest: Line): this {
    this.lines.push({ type, ...rest, sessionId: this.#options.sessionId });
    return this;
  }
}

/** Appends the client's request records and tool dumps until the file has `bytes`. Fast: one block, repeated. */
export function grow(path: string, bytes: number): void {
  const dump = "const x = 1; // padding of a file that was read\\n".repeat(400);
  const block = new TextEncoder().encode(
    [
      `{"type":"api-request","sessionId":"s","request":"${"r".repeat(60_000)}"}`,
      `{"parentUuid":"p","isSidechain":false,"attachment":{"type":"prompt_snapshot","text":"${
        "a".repeat(30_000)
      }"},"type":"attachment","uuid":"u"}`,
      `{"parentUuid":"p","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"${dump}"}]},"toolUseResult":{"stdout":"${dump}"},"sessionId":"s"}`,
      `{"type":"file-history-snapshot","snapshot":"${"f".repeat(20_000)}"}`,
      "",
    ].join("\n"),
  );
  const file = Deno.openSync(path, { append: true, create: true });
  try {
    for (let size = file.statSync().size; size < bytes; size += block.length) file.writeSync(block);
  } finally {
    file.close();
  }
}
