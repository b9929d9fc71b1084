/**
 * Where opencode keeps its sessions, and how it writes a prompt: what its hooks and its history share. Sessions
 * are in `opencode.db` below the person's data folder; one is named like a file in a folder,
 * `…/opencode.db/ses_…`, so that it can be remembered where a file could be.
 */
import type { Env } from "../../base/environment.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { folderNamed } from "../payload.ts";

const DATABASE = "opencode.db";
export const SESSION_ID = /^ses_[A-Za-z0-9]{8,124}$/;

/** `opencode` in the person's data folder. */
export function dataFolder(home: string, env: Env): string {
  return join(folderNamed(env, "XDG_DATA_HOME") ?? join(home, ".local", "share"), "opencode");
}

export function databasePath(home: string, env: Env): string {
  return join(dataFolder(home, env), DATABASE);
}

/** The database and the session that a path means; undefined for the path of a file. */
export function sessionInDatabase(
  path: string,
): { readonly database: string; readonly session: string } | undefined {
  const [database, session] = [dirname(path), basename(path)];
  return basename(database) === DATABASE && SESSION_ID.test(session)
    ? { database, session }
    : undefined;
}

/** What somebody typed: `opencode run` puts a prompt of several words in quotes. */
export function typed(prompt: string): string {
  return /^"([^"]*)"$/.exec(prompt.trim())?.[1] ?? prompt;
}
