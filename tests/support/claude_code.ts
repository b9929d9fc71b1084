/**
 * The real Claude Code, for what only it can say: that it takes the plugin. Named by CLAUDE_CODE, or taken
 * from the npm registry into deno's cache, once a machine (170 MB). Where neither works the tests that
 * need it say so and are skipped.
 */
import { tempDir } from "./temp_store.ts";

/** Pinned, so that a run says the same on every machine; raised by hand. */
const VERSION = "2.1.325";

export async function claudeCode(): Promise<string | undefined> {
  const named = Deno.env.get("CLAUDE_CODE");
  if (named !== undefined && named !== "") return named;
  const reason = await fetched();
  const path = reason === undefined ? await cached() : undefined;
  if (path !== undefined && await starts(path)) return path;
  await Deno.stderr.write(new TextEncoder().encode(
    `the plugin is not tried in Claude Code: no ${PACKAGE}@${VERSION} from the npm registry (${
      reason ?? (path === undefined ? "not in deno's cache" : `${path} does not start here`)
    }); name one with CLAUDE_CODE=/path/to/claude\n`,
  ));
  return undefined;
}

const { os, arch } = Deno.build;
const PLATFORMS: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux" };
const PACKAGE = `@anthropic-ai/claude-code-${PLATFORMS[os] ?? "win32"}-${
  arch === "aarch64" ? "arm64" : "x64"
}`;

/** Why it could not be had; undefined when it is there. */
async function fetched(): Promise<string | undefined> {
  const flags = ["--quiet", "--no-lock", "--no-config", "--node-modules-dir=none"];
  const { success, stderr } = await deno(["cache", ...flags, `npm:${PACKAGE}@${VERSION}`]);
  return success ? undefined : stderr.trim().split("\n")[0] ?? "";
}

/** Built for another C library it does not. */
async function starts(path: string): Promise<boolean> {
  const home = tempDir();
  return await runClaude(path, ["--version"], { home, cwd: home })
    .then(({ code }) => code === 0, () => false);
}

/** Below the folder of whichever registry it came from. */
async function cached(): Promise<string | undefined> {
  const { npmCache } = JSON.parse((await deno(["info", "--json"])).stdout);
  for await (const { name } of Deno.readDir(npmCache)) {
    const path = `${npmCache}/${name}/${PACKAGE}/${VERSION}/claude${
      os === "windows" ? ".exe" : ""
    }`;
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  return undefined;
}

async function deno(args: string[]) {
  const env = { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" };
  const { success, ...out } = await new Deno.Command(Deno.execPath(), { args, env, cwd: tempDir() })
    .output();
  const [stdout, stderr] = [out.stdout, out.stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, stdout: stdout ?? "", stderr: stderr ?? "" };
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
  const { code, stdout, stderr } = await new Deno.Command(claude, {
    args,
    cwd,
    clearEnv: true,
    env: {
      HOME: home,
      PATH: Deno.env.get("PATH") ?? "",
      NO_COLOR: "1",
      TMPDIR: home,
      CLAUDE_CODE_TMPDIR: home,
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ...env,
    },
    stdin: "null",
    signal: AbortSignal.timeout(90_000),
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout) + decoder.decode(stderr) };
}

export interface WordyApi extends AsyncDisposable {
  readonly env: Record<string, string>;
  /** The bodies of the messages that it was sent. */
  readonly requests: readonly string[];
}

/** An API that answers every message with one word. */
export function wordyApi(word: string): WordyApi {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (req) => {
    const body = req.method === "POST" ? await req.text() : "";
    if (!new URL(req.url).pathname.endsWith("/messages")) return Response.json({ input_tokens: 1 });
    requests.push(body);
    return new Response(answer(word), { headers: { "content-type": "text/event-stream" } });
  });
  const { port } = server.addr;
  return {
    env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "none" },
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function answer(text: string): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage,
  };
  const block = { type: "text", text: "" };
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
