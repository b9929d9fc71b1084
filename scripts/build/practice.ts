/**
 * The training runs of a build: typical calls of Sage. Modules that they load together are packed
 * together, and functions that they run are in the bytecode. What they leave out works too, only slower.
 */
import { TINY, writeBert } from "../../tests/support/bert_model.ts";
import { TranscriptBuilder } from "../../tests/support/transcript.ts";

export interface Call {
  readonly args: readonly string[];
  readonly stdin?: string;
  /** How frequent such a call is in use, relative to the others; default 1. */
  readonly weight?: number;
  /** Whether the session has an MCP server, which the hook hands its work to. */
  readonly isServed?: boolean;
}

/** For hooks that find nothing to do: most runs of Sage, and they must be imperceptible. */
const often = (call: Call): Call => ({ ...call, weight: 20 });

/** With a server, as in nearly every session of an editor that starts one. */
const served = (call: Call): Call => often({ ...call, isServed: true });

/** A scratch home and project, and the calls to run there in order. */
export interface Practice {
  readonly home: string;
  readonly project: string;
  readonly calls: readonly Call[];
}

const SESSION = "00000000-0000-4000-8000-000000000001";
const NEXT = "00000000-0000-4000-8000-000000000002";

export async function practice(folder: string): Promise<Practice> {
  const [home, project] = [`${folder}/home`, `${folder}/project`];
  const sessions = `${home}/.claude/projects/p`;
  await Deno.mkdir(sessions, { recursive: true });
  await Deno.mkdir(project, { recursive: true });
  writeBert(`${folder}/tiny`, TINY);
  const transcript = `${sessions}/${SESSION}.jsonl`;
  await Deno.writeTextFile(transcript, conversation(project));
  const hook = (event: string, fields: Record<string, unknown>, session = SESSION): Call => ({
    args: ["hook", event],
    stdin: JSON.stringify({
      session_id: session,
      transcript_path: `${sessions}/${session}.jsonl`,
      cwd: project,
      ...fields,
    }),
  });
  const prompt = (text: string, session = SESSION): Call =>
    hook("user-prompt-submit", { prompt: text }, session);
  const stop = { stop_hook_active: false, last_assistant_message: "Done." };
  return {
    home,
    project,
    calls: [
      { args: ["--version"] },
      { args: ["--help"] },
      { args: ["init"] },
      { args: ["install", "claude-code"] },
      ...FACTS.map(([title, text]) => ({
        args: ["knowledge", "add", "-", "--title", title, "--scope", "project"],
        stdin: text,
      })),
      { args: ["todo", "add", "Measure the cache on the oldest phone"] },
      { args: ["todo", "list"] },
      { args: ["admin", "rebuild"] },
      hook("session-start", { source: "startup" }),
      often(hook("notification", {})),
      often(prompt("thanks, looks good")),
      prompt("Which database did we choose for the offline notes on the phone?"),
      prompt("Which colour should the garden fence have next spring, and who paints it?"),
      hook("stop", stop),
      often(hook("stop", stop)),
      hook("subagent-stop", { agent_id: "a1", agent_type: "explore", ...stop }),
      served(prompt("How do we wait for the database when the sync worker has it locked?")),
      hook("pre-compact", { trigger: "auto", custom_instructions: null }),
      served(hook("pre-compact", { trigger: "auto", custom_instructions: null })),
      hook("session-start", { source: "compact" }),
      hook("session-end", { reason: "other" }),
      hook("session-start", { source: "startup" }, NEXT),
      prompt("The sync worker fails with SQLITE_BUSY: database is locked. Why?", NEXT),
      { args: ["statusline"], stdin: JSON.stringify({ session_id: NEXT, cwd: project }) },
      hook("stop", stop, NEXT),
      { args: ["statusline"], stdin: JSON.stringify({ session_id: NEXT, cwd: project }) },
      hook("session-end", { reason: "other" }, NEXT),
      { args: ["search", "database is locked"] },
      { args: ["search", "offline notes", "--type", "knowledge", "--json"] },
      { args: ["search", "offline notes", "--limit", "3"], isServed: true },
      { args: ["status"] },
      { args: ["load"] },
      { args: ["checkpoint", "list"] },
      { args: ["knowledge", "list"] },
      { args: ["knowledge", "match", "which database for offline notes"] },
      { args: ["doctor"] },
      { args: ["mcp"], stdin: MCP },
      { args: ["model", "pull", `${folder}/tiny`] },
      { args: ["model", "use", "tiny"] },
      { args: ["search", "database is locked"] },
      prompt("Why is the database locked when the sync worker runs?", NEXT),
      { args: ["uninstall", "claude-code"] },
    ],
  };
}

const FACTS: readonly (readonly [title: string, text: string])[] = [
  [
    "Offline notes are kept in SQLite",
    "We chose SQLite over Realm because Realm locks us into its sync service. WAL is on.",
  ],
  [
    "Database is locked",
    "SQLITE_BUSY came from the sync worker's read transaction; busy_timeout is 3000 ms.",
  ],
  [
    "Deploy order",
    "Migrations first, then the API, then the workers: they fail on unknown columns.",
  ],
];

const MCP = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "practice", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  {
    id: 3,
    method: "tools/call",
    params: { name: "search_notes", arguments: { query: "offline notes" } },
  },
  { id: 4, method: "tools/call", params: { name: "sage_status", arguments: {} } },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");

function conversation(cwd: string): string {
  const told = new TranscriptBuilder({ sessionId: SESSION, cwd });
  for (const [question, answer, command, result] of TURNS) {
    told.user(question).assistant(
      answer,
      command === undefined ? [] : [{ name: "Bash", input: { command }, result: result ?? "" }],
    );
  }
  return told.lines.map((line) => JSON.stringify(line) + "\n").join("");
}

const TURNS: readonly (readonly [string, string, string?, string?])[] = [
  [
    "Which store should the mobile client use for notes while it is offline? Sync may lag by hours.",
    "Two are realistic.\n\n### SQLite\nKnown, small, and our own server already resolves conflicts. " +
    "We write the schema and the migrations ourselves.\n\n### Realm\nFaster to start with, but its sync " +
    "service comes with it, and leaving later means a rewrite.\n\nWhich matters more to you?",
  ],
  [
    "We chose SQLite over Realm because we never want to depend on their sync. Write a prototype.",
    "The prototype in `src/db/store.ts` wrote 10,000 notes in 1.8 s with WAL on. The open point is " +
    "size: how large may the on-device cache grow before we evict?",
    "npm test",
    "Tests: 4 failed, 38 passed, 42 total\nSQLITE_BUSY: database is locked",
  ],
  [
    "The sync test fails. Find out why.",
    "The root cause is the sync worker: it holds a read transaction while the writer waits, so the " +
    "writer gets SQLITE_BUSY: database is locked. A busy timeout of 3000 ms fixes it.",
    "npm test",
    "Tests: 42 passed, 42 total",
  ],
  [
    "Good. Commit it and say what is left.",
    "Committed. Left to do: decide the cache limit, then add the eviction test. Next step: measure the " +
    "cache on the oldest supported phone.",
    "git commit -am 'Wait for the sync worker'",
    "[main 1a2b3c4] Wait for the sync worker",
  ],
];
