/**
 * Where Copilot keeps conversations, as a file of events each: its command line in `session-state/<id>` of
 * `~/.copilot`, VS Code in `transcripts` of the workspace's storage. What hooks and history share.
 */
import type { Env } from "../../base/environment.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { folderNamed } from "../payload.ts";

const EVENTS = "events.jsonl";
const OF_CLI = /\/session-state\/[A-Za-z0-9_-]{8,128}\/events\.jsonl$/;
const OF_VSCODE =
  /\/User\/workspaceStorage\/[^/]+\/GitHub\.copilot-chat\/transcripts\/[A-Za-z0-9_-]{8,128}\.jsonl$/;
/** A file of events, of either. */
export const EVENTS_FILE = new RegExp(`${OF_CLI.source}|${OF_VSCODE.source}`);

export function copilotFolder(home: string, env: Env): string {
  return folderNamed(env, "COPILOT_HOME") ?? join(home, ".copilot");
}

export function sessionsFolder(home: string, env: Env): string {
  return join(copilotFolder(home, env), "session-state");
}

export function eventsPath(home: string, env: Env, session: string): string {
  return join(sessionsFolder(home, env), session, EVENTS);
}

/** The session of a file of events, and who wrote it; undefined for any other file. */
export function eventsIn(
  path: string,
): { readonly agent: "copilot" | "vscode"; readonly session: string } | undefined {
  if (OF_CLI.test(path)) return { agent: "copilot", session: basename(dirname(path)) };
  return OF_VSCODE.test(path)
    ? { agent: "vscode", session: basename(path).replace(/\.jsonl$/, "") }
    : undefined;
}
