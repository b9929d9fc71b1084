/**
 * Replays a captured Claude Code session against the built binary, in a scratch home: the same transcript
 * lines, hooks and MCP calls that the editor makes. Placeholders of the capture ("First final answer.")
 * are replaced by a realistic conversation. Then the editor dies, and the next session starts.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const root = new URL("..", import.meta.url).pathname;
const binary = root + "dist/sage";
const capture = root +
  "tests/fixture/claude-code/transcripts/tools-stop-block-resume-compact.jsonl";

const scratch = await Deno.makeTempDir({ prefix: "sage-try-" });
const home = scratch + "/home";
const project = scratch + "/offline-notes";
const session = "00000000-0000-4000-8000-000000000001";
const nextSession = "00000000-0000-4000-8000-000000000002";
const transcript = `${home}/.claude/projects/${
  project.replace(/[^A-Za-z0-9]/g, "-")
}/${session}.jsonl`;

/** The captured placeholders → what is said instead. */
const SAID: Readonly<Record<string, string>> = {
  "First prompt: look around":
    "Which store should the mobile client use for notes while it is offline? Sync may lag by hours.",
  "First final answer.":
    "We chose SQLite over Realm because Realm locks us into its sync service, and our own server already " +
    "resolves conflicts. The prototype wrote 10,000 notes in 1.8 s with WAL on; Realm took 2.1 s. The open " +
    "point is size: how large may the on-device cache grow before we evict?",
  "Second final answer, after the stop hook.":
    "SQLite with WAL is the choice; Realm is out because of its sync lock-in.",
  "Second prompt, resumed": "Then write the migration, and make the schema survive a downgrade.",
  "Resumed answer.":
    "The migration is in src/db/migrate.ts. It failed first with SQLITE_BUSY: database is locked, because the " +
    "sync worker held a read transaction; a busy timeout of 3000 ms fixed it. Downgrades work because every " +
    "column is additive.",
  "Third prompt, continued": "What is left before we can ship it?",
  "Continued answer.":
    "Left to do: decide the cache limit, then add the eviction test. Next step: measure the cache on the " +
    "oldest supported phone.",
  "Fifth prompt, after compaction": "Go on with the cache limit.",
  "After compaction.": "I will measure on the oldest phone first; nothing is decided yet.",
};

try {
  await play();
} finally {
  await Deno.remove(scratch, { recursive: true });
}

async function play(): Promise<void> {
  await Deno.mkdir(transcript.slice(0, transcript.lastIndexOf("/")), { recursive: true });
  await Deno.mkdir(project, { recursive: true });
  await Deno.writeTextFile(project + "/README.md", "# Offline notes\n");
  await Deno.writeTextFile(home + "/.claude/settings.json", '{\n  "model": "opus"\n}\n');

  title("A person sets Sage up");
  show("sage init", await sage(["init"]));
  show("sage install claude-code", await sage(["install", "claude-code"]));

  title("A session starts; memory is empty");
  await hook("session-start", { source: "startup" });
  title("It works: captured lines, hooks and MCP calls, one after the other");
  await playTranscript();

  title("The editor is killed (kill -9): no stop, no session end. The next session starts:");
  await hook("session-start", { source: "startup" }, nextSession);
  title("… and asks in other words");
  await hook("user-prompt-submit", {
    prompt: "Which database do we use for storing on the device?",
  }, nextSession);

  title("What is on disk");
  show("sage checkpoint list", await sage(["checkpoint", "list"]));
  show("sage search 'database is locked'", await sage(["search", "database is locked"]));
  show("sage status", await sage(["status"]));

  title("And gone again");
  show("sage uninstall claude-code", await sage(["uninstall", "claude-code"]));
  const settings = await Deno.readTextFile(home + "/.claude/settings.json");
  if (settings !== '{\n  "model": "opus"\n}\n') {
    throw new Error("The settings are not what they were");
  }
  console.log("settings.json is byte for byte what it was; the notes stay in .sage/ as Markdown.");
}

/** Appends the captured lines as the editor does, and runs the hooks in between. */
async function playTranscript(): Promise<void> {
  const lines = (await Deno.readTextFile(capture)).trimEnd().split("\n");
  const client = await connect();
  let written = 0;
  for (const line of lines) {
    const record = retell(line);
    const text = typeof record.message?.content === "string" ? record.message.content : "";
    const isPrompt = record.type === "user" && record.isMeta !== true &&
      record.isCompactSummary !== true &&
      text !== "" && !text.startsWith("<");
    if (record.subtype === "compact_boundary") {
      await hook("pre-compact", { trigger: "manual", custom_instructions: null });
      await hook("session-start", { source: "compact" });
    }
    if (isPrompt) await hook("user-prompt-submit", { prompt: text });
    await Deno.writeTextFile(transcript, JSON.stringify(record) + "\n", { append: true });
    written++;
    if (record.subtype === "stop_hook_summary") await stop(client);
  }
  await client.close();
  console.log(`(${written} lines of the transcript were played)`);
}

/** The agent does what a stop asks for: it calls the tool, then stops again. */
async function stop(client: Client): Promise<void> {
  const answer = await hook("stop", { stop_hook_active: false });
  if (!answer.includes("sage_autosave_check")) return;
  await call(client, "sage_autosave_check", {
    trigger: "branch_point",
    confidence: 0.85,
    core_question: "Which store should the mobile client use while it is offline?",
    thesis:
      "SQLite with WAL, because our own server resolves conflicts and Realm locks us into its sync service.",
    key_evidence: ["10,000 notes in 1.8 s with WAL; Realm took 2.1 s"],
    open_questions: ["How large may the on-device cache grow before we evict?"],
  });
  await hook("stop", { stop_hook_active: true });
}

async function connect(): Promise<Client> {
  const client = new Client({ name: "try", version: "0" });
  await client.connect(
    new StdioClientTransport({
      command: binary,
      args: ["mcp"],
      cwd: project,
      env: environment(session),
    }),
  );
  const { tools } = await client.listTools();
  console.log(`sage mcp offers ${tools.length} tools: ${tools.map(({ name }) => name).join(", ")}`);
  await call(client, "sage_save_knowledge", {
    title: "On-device storage",
    content:
      "Settled on SQLite with WAL for on-device storage; Realm was rejected for its sync lock-in.",
    subject: "decision",
    keywords: ["sqlite", "realm"],
  });
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name, arguments: args });
  console.log(`  ${name} → ${JSON.stringify(result.structuredContent ?? result.content)}`);
}

type Line = {
  type: string;
  subtype?: string;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  timestamp?: string;
  cwd?: string;
  content?: unknown;
  message?: { content: string | { type: string; text?: string }[] };
};

/** The captured line with the current time, this project and the realistic conversation. */
function retell(line: string): Line {
  const record = JSON.parse(line) as Line;
  if (record.timestamp !== undefined) record.timestamp = new Date().toISOString();
  if (record.cwd !== undefined) record.cwd = project;
  if (typeof record.content === "string") record.content = SAID[record.content] ?? record.content;
  const { message } = record;
  if (message === undefined) return record;
  if (typeof message.content === "string") {
    message.content = SAID[message.content] ?? message.content;
    return record;
  }
  for (const block of message.content) {
    if (block.text !== undefined) block.text = SAID[block.text] ?? block.text;
  }
  return record;
}

async function hook(event: string, fields: Record<string, unknown>, id = session): Promise<string> {
  const payload = {
    session_id: id,
    transcript_path: transcript.replace(session, id),
    cwd: project,
    ...fields,
  };
  const { stdout } = await sage(["hook", event], JSON.stringify(payload), id);
  const answer = stdout.trim();
  const parsed = answer === "" ? undefined : JSON.parse(answer);
  const said = parsed?.hookSpecificOutput?.additionalContext ?? parsed?.reason ?? "(silent)";
  console.log(
    `  hook ${event}${fields.source === undefined ? "" : `(${fields.source})`} → ${
      said.replaceAll("\n", "\n    ")
    }`,
  );
  return answer;
}

/** `id`: the agent's session. Without it Sage takes the caller for a person, and prints no fence. */
async function sage(args: readonly string[], stdin = "", id?: string) {
  const child = new Deno.Command(binary, {
    args: [...args],
    cwd: project,
    env: environment(id),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const output = await child.output();
  const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  if (output.code !== 0) {
    throw new Error(`sage ${args.join(" ")} ended with ${output.code}: ${stderr}`);
  }
  return { stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** CLAUDE_PID names a process that is dead by the time the next session starts. */
function environment(id: string | undefined): Record<string, string> {
  const own = { HOME: home, PATH: "/usr/bin:/bin" };
  if (id === undefined) return own;
  return { ...own, CLAUDE_CODE_SESSION_ID: id, CLAUDE_PID: "4194303" };
}

function title(text: string): void {
  console.log(`\n── ${text}`);
}

function show(command: string, { stdout, stderr }: { stdout: string; stderr: string }): void {
  console.log(`$ ${command}`);
  for (const line of (stdout + stderr).trimEnd().split("\n")) console.log(`  ${line}`);
}
