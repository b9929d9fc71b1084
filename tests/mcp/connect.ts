/**
 * A client beside a server, as tests need them: in this process over memory streams, or as a real
 * process over pipes. Stores, notes and settings are real files in a folder of their own.
 */
// @ts-types="@modelcontextprotocol/sdk/inMemory"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/types"
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { UseMemory } from "../../src/mcp/methods.ts";
import { createServer } from "../../src/mcp/server.ts";
import { lendMemory } from "../../src/mcp/lend.ts";
import type { Profile } from "../../src/mcp/profile.ts";
import { toolsOf } from "../../src/mcp/tools/table.ts";
import { initStores } from "../../src/memory/init.ts";
import { trustProject } from "../../src/memory/trust.ts";
import { serverInstructions } from "../../src/memory/instructions.ts";
import { makeFolder, remove } from "./disk.ts";
import { tempDir } from "../support/temp_store.ts";

export const SESSION = "00000000-0000-4000-8000-000000000001";

/** What a model gets: the structured part where there is one, else the text. */
export interface Result {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Record<string, unknown>;
  /** Characters of the whole result on the wire. */
  readonly size: number;
}

export interface Connected {
  readonly client: Client;
  readonly home: string;
  readonly project: string;
  readonly use: UseMemory;
  call(name: string, args?: unknown): Promise<Result>;
  close(): Promise<void>;
}

/** A home with a project in it. */
export function folders(): { home: string; project: string } {
  const home = tempDir();
  const project = `${home}/project`;
  makeFolder(project);
  return { home, project };
}

export interface ConnectOptions {
  readonly profile?: Profile;
  /** A project store that came from elsewhere, instead of one's own. */
  readonly foreign?: boolean;
  readonly session?: string;
  readonly at?: { readonly home: string; readonly project: string };
  /** What the person chooses in the client's form; without it the client has none. */
  readonly person?: (message: string) => { action: string; content?: Record<string, string> };
}

export async function connect(options: ConnectOptions = {}): Promise<Connected> {
  const { home, project } = options.at ?? folders();
  const env: Record<string, string> = {
    HOME: home,
    ...(options.session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: options.session }),
  };
  const use = lendMemory({ env: (name) => env[name], cwd: project, project: undefined });
  // Made by hand, so that no store in a folder above is taken for the project's.
  makeFolder(`${project}/.sage`);
  await use(async (memory) => await initStores(memory, { project: true }));
  if (options.foreign !== true) await use((memory) => Promise.resolve(trustProject(memory)));

  const tools = toolsOf(options.profile ?? "standard");
  const server = createServer({ use, tools, instructions: serverInstructions });
  const { person } = options;
  const client = new Client({ name: "test", version: "0" }, {
    capabilities: person === undefined ? {} : { elicitation: {} },
  });
  if (person !== undefined) {
    client.setRequestHandler(
      ElicitRequestSchema,
      ({ params }) => person(params.message) as ElicitResult,
    );
  }
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here);
  // Learns the output schemas, so that the client checks every structured answer against them.
  await client.listTools();
  return {
    client,
    home,
    project,
    use,
    call: (name, args) => callTool(client, name, args),
    async close() {
      await client.close();
      remove(home);
    },
  };
}

export async function callTool(client: Client, name: string, args: unknown = {}): Promise<Result> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const content = result.content as { type: string; text: string }[];
  return {
    isError: result.isError === true,
    text: content.map(({ text }) => text).join("\n"),
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
    size: JSON.stringify(result).length,
  };
}

/** Runs the body with a client and server in this process. */
export async function withServer(
  body: (connected: Connected) => Promise<void>,
  options: ConnectOptions = {},
): Promise<void> {
  const connected = await connect(options);
  try {
    await body(connected);
  } finally {
    await connected.close();
  }
}

/** A checkpoint that is neither thin nor odd. */
export const CHECKPOINT = {
  core_question: "What do curators earn?",
  thesis: "Top curators earn three to four million a quarter, but concentration risk is high.",
  confidence: 0.75,
  trigger: "synthesis",
  key_evidence: ["Dune query 6255951: Steakhouse at 1.5M last quarter"],
  reasoning_trace: "Started with the market's size, then broke it down by curator.",
  open_questions: ["How sustainable are the fees as deposits grow?"],
  tensions: ["fee sustainability against competition"],
  sources: ["dune-query-6255951: supports"],
};

export const KNOWLEDGE = {
  title: "Curator fees",
  content:
    "Curator fees are 0.15 percent of the yield on average, because vaults set them by hand.",
  keywords: ["curator", "fees"],
  subject: "fact",
};
