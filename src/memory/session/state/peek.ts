/**
 * A look at a session's state without opening memory: enough for a hook to refuse. Imports next to
 * nothing, because refusing must cost next to nothing.
 */
import type { Env } from "../../../base/environment.ts";
import { findHome } from "../../../base/home.ts";
import { type Fs, realFs } from "../../../base/fs.ts";
import { dirname, join } from "../../../base/path.ts";
import { type LogFields, writeLog } from "../../../base/log.ts";
import { locateUserRoot } from "../../../store/user_root.ts";
import type { SessionState } from "./session_state.ts";
import { findState } from "./state_file.ts";

export interface Peek {
  readonly fs: Fs;
  readonly stateDir: string;
  readonly state: SessionState | undefined;
}

export function peekSession(session: string, stateDir: string): Peek {
  const fs = realFs;
  return { fs, stateDir, state: findState(fs, stateDir, session) };
}

/** Throws where there is no home; then nothing is written anywhere. */
export function locateState(env: Env): string {
  return join(locateUserRoot(findHome(env), env, realFs), "state");
}

/**
 * Whether Sage keeps anything here. Somebody may delete the state alone; the registry of projects
 * then remains. Uninstalling removes both.
 */
export function isInUse(stateDir: string): boolean {
  return [stateDir, join(dirname(stateDir), "projects.yaml")]
    .some((path) => realFs.lstat(path) !== undefined);
}

/** Writes the receipt of a hook that refused at once. */
export function leaveReceipt(peek: Peek, atMs: number, fields: LogFields): void {
  writeLog(peek.fs, peek.stateDir, atMs, "hook", {
    ...fields,
    outcome: "done",
    session: peek.state?.session,
    project: peek.state?.project,
  });
}
