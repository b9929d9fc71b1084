/**
 * Plays Claude Code: sessions with a real process, transcripts in the captured format, the installed
 * hooks and the installed MCP server. Each command answers what the model would get, `(silent)` where
 * that is nothing.
 */
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  type Capture,
  environmentOf,
  type HookAnswer,
  runHooks,
  settingsOf,
} from "./editor_hooks.ts";
import {
  attach,
  defaultResult,
  flush,
  hand,
  inputOf,
  type Session,
  stop,
  tear,
  uuid,
} from "./editor_session.ts";
import { type ToolCall, TranscriptBuilder } from "./transcript.ts";
import { receipts } from "./receipts.ts";

type Options = Readonly<Record<string, string>>;
type Source = "startup" | "resume" | "clear" | "fork";

/** The window of the model in the transcripts. */
const WINDOW_TOKENS = 1_000_000;
const REQUEST_CHARACTERS = 8000;
const SILENT = "(silent)";
const POLL_MS = 10;
const POLLS_MAX = 300;

export class Editor {
  readonly #home: string;
  readonly #cwd: () => string;
  readonly #sessions = new Map<string, Session>();
  #current: string | undefined;
  /** What the person was shown since the last look. */
  readonly #notices: string[] = [];

  constructor(place: { readonly home: string; readonly cwd: () => string }) {
    this.#home = place.home;
    this.#cwd = place.cwd;
  }

  async run(args: readonly string[]): Promise<string> {
    const { words: [verb = "", ...words], options } = readOptions(args);
    if (verb === "notices") return this.#notices.splice(0).join("\n");
    if (verb === "start") return await this.#start((words[0] ?? "startup") as Source, options);
    const session = this.#session(options.session);
    switch (verb) {
      case "prompt":
        return await this.#prompt(session, words[0] ?? "");
      case "tool":
        return this.#tool(session, words, options);
      case "reply":
        return await this.#reply(session, words[0] ?? "", options);
      case "compact":
        return await this.#compact(session, words[0] === "manual" ? "manual" : "auto", options);
      case "mcp":
        return await this.#mcp(session, words[0] ?? "", words[1] ?? "{}");
      case "exit":
        await this.#hooks(session, "SessionEnd.prompt_input_exit");
        await stop(session, "SIGTERM");
        return "";
      case "kill":
        await stop(session, "SIGKILL");
        if (options.torn !== undefined) tear(session);
        return "";
      default:
        throw new Error(`the editor has no command "${verb}"`);
    }
  }

  /** A reply in the middle of a turn, for which no hook runs. */
  add(text: string, tools: readonly ToolCall[]): void {
    const session = this.#session();
    session.builder.assistant(text, tools);
    flush(session);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await stop(session, "SIGKILL");
  }

  async #start(source: Source, { session: name }: Options): Promise<string> {
    const before = this.#current === undefined ? undefined : this.#sessions.get(this.#current);
    const session = source === "resume" ? this.#session(name) : this.#open(name, source, before);
    if (source === "clear" && before !== undefined) {
      await this.#hooks(before, "SessionEnd.clear");
    }
    if (source === "fork" && before !== undefined) await this.#hooks(before, "SessionEnd.resume");
    if (before !== undefined && (source === "clear" || source === "fork")) hand(before, session);
    session.process ??= new Deno.Command("sleep", { args: ["600"] }).spawn();
    this.#current = session.name;
    const answer = await this.#hooks(session, `SessionStart.${source}`);
    return said(answer);
  }

  async #prompt(session: Session, prompt: string): Promise<string> {
    session.prompts++;
    session.wasBlocked = false;
    const answer = await this.#hooks(session, "UserPromptSubmit", { prompt });
    if (answer.block !== undefined) return `blocked: ${answer.block}`;
    session.builder.user(prompt);
    // The client's own record of each request is most of its file.
    const request = { messages: "<left out>".repeat(REQUEST_CHARACTERS / 10) };
    session.builder.raw({ type: "api-request", sessionId: session.id, request });
    flush(session);
    return said(answer);
  }

  #tool(session: Session, [name = "", what = "{}"]: readonly string[], options: Options): string {
    const input = inputOf(name, what, session.cwd);
    const result = options.fails ?? options.result ?? defaultResult(name, input);
    const isError = options.fails !== undefined;
    session.builder.assistant(options.saying ?? "", [{
      name,
      input,
      result,
      ...(isError ? { isError } : {}),
    }]);
    flush(session);
    return "";
  }

  async #reply(session: Session, text: string, options: Options): Promise<string> {
    if (options.context !== undefined) {
      session.contextTokens = Math.round(WINDOW_TOKENS * parseFloat(options.context) / 100);
    }
    session.builder.assistant(text);
    // In a quarter of all turns the client's file is behind by the reply when the hook runs.
    if (options.late === undefined) flush(session);
    const capture = session.wasBlocked ? "Stop.again" : "Stop";
    const known = this.#stopsNoted(session);
    const answer = await this.#hooks(
      session,
      capture,
      { last_assistant_message: text },
      options["hook-killed"],
    );
    // The session's server answers before it saves; a person looks later than a test.
    if (session.client !== undefined && options["hook-killed"] === undefined) {
      for (let polls = 0; this.#stopsNoted(session) === known && polls < POLLS_MAX; polls++) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
    flush(session);
    session.wasBlocked = answer.block !== undefined;
    if (answer.block === undefined) return said(answer);
    session.builder.hookContext("Stop", answer.block);
    flush(session);
    return `asked: ${answer.block}`;
  }

  /** Receipts of stops, which come when all of a stop is done. */
  #stopsNoted({ id }: Session): number {
    return receipts(this.#home).filter(({ hook, session }) => hook === "stop" && session === id)
      .length;
  }

  async #compact(session: Session, trigger: "manual" | "auto", options: Options): Promise<string> {
    const summary = options.summary ?? "The conversation was summarized.";
    const before = await this.#hooks(session, `PreCompact.${trigger}`);
    if (before.block !== undefined) return `compaction blocked: ${before.block}`;
    const reply = `<summary>\n${summary}\n</summary>`;
    await this.#hooks(session, "SubagentStop.compaction", { last_assistant_message: reply });
    const answer = await this.#hooks(session, "SessionStart.compact");
    session.contextTokens = undefined;
    session.builder.compact(summary, trigger);
    flush(session);
    await this.#hooks(session, `PostCompact.${trigger}`, { compact_summary: summary });
    return said(answer);
  }

  /** A real call to the installed server; what the model gets, and what the transcript keeps of it. */
  async #mcp(session: Session, name: string, args: string): Promise<string> {
    const client = session.client ??= await this.#connect(session);
    const input = JSON.parse(args) as Record<string, unknown>;
    const answer = await client.callTool({ name, arguments: input });
    const texts = (answer.content as { text?: string }[]).map(({ text }) => text ?? "");
    const isError = answer.isError === true;
    // The client hands on the structured part where there is one, and the text of an error.
    const structured = isError ? undefined : answer.structuredContent;
    const result = structured === undefined ? texts.join("\n") : JSON.stringify(structured);
    session.builder.assistant("", [{ name: `mcp__sage__${name}`, input, result, isError }]);
    flush(session);
    if (isError) return `error: ${result}`;
    return structured === undefined ? result : legible(structured as Record<string, unknown>);
  }

  async #connect(session: Session): Promise<Client> {
    const path = `${this.#home}/.claude.json`;
    const { mcpServers } = settingsOf(path) as {
      mcpServers?: Record<string, { command: string; args: string[] }>;
    };
    const server = mcpServers?.sage;
    if (server === undefined) throw new Error("no MCP server is installed");
    const client = new Client({ name: "claude-code", version: "2.1.328" });
    await client.connect(
      new StdioClientTransport({
        command: server.command,
        args: server.args,
        cwd: session.cwd,
        env: environmentOf(this.#place(session), "mcp"),
        stderr: "ignore",
      }),
    );
    return client;
  }

  /** Runs the hooks of an event, and keeps in the transcript what the client keeps of them. */
  async #hooks(
    session: Session,
    capture: Capture,
    fields: Readonly<Record<string, unknown>> = {},
    killedAfter?: string,
  ): Promise<HookAnswer> {
    const { transcript, prompts } = session;
    const promptId = prompts === 0 ? undefined : uuid(session.name, prompts);
    const killed = killedAfter === undefined ? {} : { killedAfterMs: Number(killedAfter) };
    const place = { ...this.#place(session), transcript, promptId, ...killed };
    const answer = await runHooks(place, capture, fields);
    this.#notices.push(...answer.notices.map((text) => `${capture.split(".")[0]} says: ${text}`));
    const [hookEvent, hookName] = [capture.split(".")[0], capture.replace(".", ":")];
    for (const { command, stdout } of answer.runs.filter(({ stdout }) => stdout !== "")) {
      attach(session, { type: "hook_success", hookName, hookEvent, command, stdout, exitCode: 0 });
    }
    if (answer.context !== "") {
      attach(session, { type: "hook_additional_context", content: [answer.context], hookEvent });
    }
    return answer;
  }

  #place(session: Session) {
    const { cwd, id, process } = session;
    if (process === undefined) throw new Error(`session ${session.name} is not running`);
    return { home: this.#home, cwd, session: id, pid: process.pid };
  }

  #open(name: string | undefined, source: Source, before: Session | undefined): Session {
    const fresh = name ?? String.fromCharCode(97 + this.#sessions.size);
    if (this.#sessions.has(fresh)) throw new Error(`there was a session ${fresh} before`);
    const [id, cwd] = [uuid(fresh, 0), this.#cwd()];
    const folder = `${this.#home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
    Deno.mkdirSync(folder, { recursive: true });
    const session: Session = {
      name: fresh,
      id,
      cwd,
      transcript: `${folder}/${id}.jsonl`,
      builder: source === "fork" && before !== undefined
        ? before.builder.fork(id)
        : new TranscriptBuilder({ sessionId: id, cwd }),
      written: 0,
      process: undefined,
      client: undefined,
      prompts: 0,
      wasBlocked: false,
      contextTokens: undefined,
    };
    this.#sessions.set(fresh, session);
    if (source === "fork") flush(session);
    return session;
  }

  #session(name = this.#current): Session {
    const session = this.#sessions.get(name ?? "");
    if (session === undefined) throw new Error(`there is no session ${name ?? ""}`);
    this.#current = session.name;
    return session;
  }
}

function said({ context }: HookAnswer): string {
  return context === "" ? SILENT : context;
}

/** The answer's members one a line, long texts as they are, so that a person can read it. */
function legible(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data).map(([key, value]) => {
    if (typeof value === "string" && value.includes("\n")) {
      return `${key}: |\n  ${value.replaceAll("\n", "\n  ")}`;
    }
    if (!Array.isArray(value) || value.length === 0) return `${key}: ${JSON.stringify(value)}`;
    return `${key}:\n${value.map((item) => `  - ${JSON.stringify(item)}`).join("\n")}`;
  }).join("\n");
}

function readOptions(args: readonly string[]): { words: string[]; options: Options } {
  const FLAGS = ["torn", "late"];
  const words: string[] = [];
  const options: Record<string, string> = {};
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("--")) words.push(/^[[{]/.test(arg) ? arg : withBreaks(arg));
    else if (FLAGS.includes(arg.slice(2))) options[arg.slice(2)] = "";
    else options[arg.slice(2)] = withBreaks(args[++at] ?? "");
  }
  return { words, options };
}

/** `\\n` as a line break, so that a text of several lines fits a command. */
function withBreaks(text: string): string {
  return text.replaceAll("\\n", "\n");
}
