/**
 * The real Claude Code, for what only it can show: that it accepts the plugin. Named by CLAUDE_CODE, or
 * downloaded from the npm registry into deno's cache, once for each machine (170 MB). Without either, tests
 * that need it say so and are skipped.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { npmProgram } from "./npm_program.ts";
import { tempDir } from "./temp_store.ts";
import { orKilled, run, within } from "./within.ts";

/** Pinned, so that a run says the same on every machine; raised by hand. */
const VERSION = "2.1.332";
/** One call or one turn; the client is a large program. */
const CLAUDE_MS_MAX = 90_000;

export async function claudeCode(): Promise<string | undefined> {
  const named = Deno.env.get("CLAUDE_CODE");
  if (named !== undefined && named !== "") return named;
  const found = await npmProgram({ name: PACKAGE, version: VERSION, path: "claude" });
  if ("at" in found && await starts(found.at)) return found.at;
  const why = "at" in found ? `${found.at} does not start here` : found.missing;
  await Deno.stderr.write(new TextEncoder().encode(
    `the plugin is not tried in Claude Code: no ${PACKAGE}@${VERSION} from the npm registry (${why}); ` +
      "name one with CLAUDE_CODE=/path/to/claude\n",
  ));
  return undefined;
}

const { os, arch } = Deno.build;
const PLATFORMS: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux" };
const PACKAGE = `@anthropic-ai/claude-code-${PLATFORMS[os] ?? "win32"}-${
  arch === "aarch64" ? "arm64" : "x64"
}`;

/** Built for another C library it does not. */
async function starts(path: string): Promise<boolean> {
  const home = tempDir();
  return await runClaude(path, ["--version"], { home, cwd: home })
    .then(({ code }) => code === 0, () => false);
}

export interface ClaudeRun {
  readonly code: number;
  readonly out: string;
}

/** Runs it as somebody who lives in `home` and in nothing else. */
export async function runClaude(
  claude: string,
  args: string[],
  { home, cwd, env = {} }: { home: string; cwd: string; env?: Record<string, string> },
): Promise<ClaudeRun> {
  const how = { args, cwd, clearEnv: true, env: clientEnv(home, env), msMax: CLAUDE_MS_MAX };
  const { code, stdout, stderr } = await run(claude, how);
  return { code, out: stdout + stderr };
}

function clientEnv(home: string, more: Record<string, string>): Record<string, string> {
  return {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "",
    NO_COLOR: "1",
    TMPDIR: home,
    CLAUDE_CODE_TMPDIR: home,
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...more,
  };
}

/** Part of an answer, as the model would give it. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: unknown };

export interface Message {
  readonly role: string;
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Undefined in the client's own small requests, for a title and the like. */
  readonly tools?: readonly unknown[];
}

export interface ScriptedApi extends AsyncDisposable {
  readonly env: Record<string, string>;
  /** The requests that it received, oldest first. */
  readonly requests: readonly ModelRequest[];
}

/** An API that answers each message as `answer` says. */
export function scriptedApi(answer: (request: ModelRequest) => readonly Block[]): ScriptedApi {
  const requests: ModelRequest[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (req) => {
    const body = req.method === "POST" ? await req.text() : "";
    if (!new URL(req.url).pathname.endsWith("/messages")) return Response.json({ input_tokens: 1 });
    const request = JSON.parse(body) as ModelRequest;
    requests.push(request);
    const events = eventsOf(answer(request), requests.length);
    return new Response(events, { headers: { "content-type": "text/event-stream" } });
  });
  const { port } = server.addr;
  return {
    env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "none" },
    requests,
    [Symbol.asyncDispose]: () => within("the end of the scripted API", server.shutdown()),
  };
}

function eventsOf(blocks: readonly Block[], n: number): string {
  const usage = { input_tokens: 20_000, output_tokens: 50 };
  const message = {
    id: `msg_${n}`,
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage,
  };
  const calls = blocks.some(({ type }) => type === "tool_use");
  return [
    { type: "message_start", message },
    ...blocks.flatMap((block, index) => {
      const isText = block.type === "text";
      return [
        {
          type: "content_block_start",
          index,
          content_block: isText
            ? { type: "text", text: "" }
            : { type: "tool_use", id: `toolu_${n}_${index}`, name: block.name, input: {} },
        },
        {
          type: "content_block_delta",
          index,
          delta: isText
            ? { type: "text_delta", text: block.text }
            : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        },
        { type: "content_block_stop", index },
      ];
    }),
    {
      type: "message_delta",
      delta: { stop_reason: calls ? "tool_use" : "end_turn" },
      usage: { output_tokens: 50 },
    },
    { type: "message_stop" },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** A conversation with the client, a prompt at a time, in one process. */
export interface Conversation extends AsyncDisposable {
  /** Says it and waits for the end of the turn; what the client printed meanwhile. */
  say(prompt: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  kill(): Promise<void>;
}

export function converse(
  claude: string,
  { home, cwd, env }: { home: string; cwd: string; env: Record<string, string> },
): Conversation {
  const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
  const shown = ["--verbose", "--include-hook-events", "--model", "claude-sonnet-4-5"];
  const child = new Deno.Command(claude, {
    args: [...args, ...shown, "--allowedTools", "mcp__sage"],
    cwd,
    clearEnv: true,
    env: clientEnv(home, env),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const input = Readable.from(child.stdout.pipeThrough(new TextDecoderStream()));
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const drain = async (): Promise<void> => {
    while (!(await lines.next()).done);
    await child.status;
  };
  const drained = () => orKilled("the end of the client", child, drain(), CLAUDE_MS_MAX);
  return {
    async say(prompt) {
      const content = [{ type: "text", text: prompt }];
      const line = JSON.stringify({ type: "user", message: { role: "user", content } });
      await writer.write(new TextEncoder().encode(`${line}\n`));
      const printed: Record<string, unknown>[] = [];
      while (printed.at(-1)?.type !== "result") {
        const { value } = await within("the client's answer", lines.next(), CLAUDE_MS_MAX);
        if (value === undefined) throw new Error(`the client ended: ${JSON.stringify(printed)}`);
        printed.push(JSON.parse(value));
      }
      return printed;
    },
    async kill() {
      child.kill("SIGKILL");
      await drained();
    },
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {});
      await drained();
    },
  };
}
