/**
 * One session of the played editor: its process, its transcript on disk, and what tools are called
 * with. Knows no hooks.
 */
import type { Client } from "@modelcontextprotocol/sdk/client";
import type { TranscriptBuilder } from "./transcript.ts";

export interface Session {
  readonly name: string;
  readonly id: string;
  readonly cwd: string;
  readonly transcript: string;
  readonly builder: TranscriptBuilder;
  /** Lines of the builder that are in the file. */
  written: number;
  /** Stands for the client; killed like one. */
  process: Deno.ChildProcess | undefined;
  client: Client | undefined;
  prompts: number;
  /** The last stop was blocked, so the next one says so. */
  wasBlocked: boolean;
  /** Tokens in the window, if a journey sets them. */
  contextTokens: number | undefined;
}

/** One process goes on with another session; its server stays with it. */
export function hand(from: Session, to: Session): void {
  [to.process, to.client, from.process, from.client] = [
    from.process,
    from.client,
    undefined,
    undefined,
  ];
}

export async function stop(session: Session, signal: Deno.Signal): Promise<void> {
  const { process, client } = session;
  [session.process, session.client] = [undefined, undefined];
  await client?.close();
  if (process === undefined) return;
  process.kill(signal);
  await process.status;
}

export function attach(session: Session, attachment: Record<string, unknown>): void {
  session.builder.raw({
    parentUuid: null,
    isSidechain: false,
    attachment,
    type: "attachment",
    uuid: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    cwd: session.cwd,
    sessionId: session.id,
  });
}

/** Writes what the file does not hold yet, with the time it is now. */
export function flush(session: Session): void {
  const lines = session.builder.lines.slice(session.written).map((line) => {
    const stamped = line.timestamp === undefined
      ? line
      : { ...line, timestamp: new Date().toISOString() };
    return JSON.stringify(withUsage(stamped, session.contextTokens)) + "\n";
  });
  session.written = session.builder.lines.length;
  Deno.writeTextFileSync(session.transcript, lines.join(""), { append: true, mode: 0o600 });
}

function withUsage(line: Record<string, unknown>, tokens: number | undefined): unknown {
  const message = line.message as { usage?: Record<string, number> } | undefined;
  if (tokens === undefined || message?.usage === undefined) return line;
  const usage = { ...message.usage, cache_read_input_tokens: tokens };
  return { ...line, message: { ...message, usage } };
}

/** The client died in the middle of a line. */
export function tear(session: Session): void {
  const line = '{"parentUuid":"x","isSidechain":false,"message":{"id":"msg_torn","ro';
  Deno.writeTextFileSync(session.transcript, line, { append: true });
}

/** The input of a tool; text that begins with a brace is the input itself. */
export function inputOf(name: string, what: string, cwd: string): Record<string, unknown> {
  if (what.startsWith("{")) return JSON.parse(what);
  const file_path = what.startsWith("/") ? what : `${cwd}/${what}`;
  switch (name) {
    case "Bash":
      return { command: what, description: "Run it" };
    case "Edit":
      return { file_path, old_string: "a", new_string: "b" };
    case "Write":
      return { file_path, content: "…" };
    case "Read":
      return { file_path };
    default:
      throw new Error(`give ${name} its input as JSON`);
  }
}

export function defaultResult(name: string, input: Record<string, unknown>): string {
  if (name === "Bash") return "(no output)";
  return name === "Read" ? "1\timport x" : `The file ${input.file_path} has been updated.`;
}

/**
 * Made of one letter, so that people recognise a session by its first eight digits; `n12` adds its number.
 */
export function uuid(name: string, number: number): string {
  const digit = (name.codePointAt(0) ?? 97) >= 103 ? "0" : name.charAt(0);
  const group = name.slice(1).padStart(4, "0");
  return `${digit.repeat(8)}-${group}-4000-8000-${String(number).padStart(12, "0")}`;
}
