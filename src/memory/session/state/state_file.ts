/** Where a session's state lies. Apart from state.ts, because a hook that refuses reads nothing else. */
import { type Fs, type listIfDir, listIfReadable } from "../../../base/fs.ts";
import { join } from "../../../base/path.ts";
import { isOfHere } from "../../../base/host.ts";
import { readState } from "../../../store/state.ts";
import type { SessionState } from "./session_state.ts";

export const LIVE_FOLDER = "instances";
export const ENDED_FOLDER = "ended";

/** Names that Sage gives; other files may come from a sync tool. */
const STATE_NAME = /^[A-Za-z0-9_-]{1,128}\.json$/;

export function liveName(session: string): string {
  return `${LIVE_FOLDER}/${session}.json`;
}

export function endedName(session: string): string {
  return `${ENDED_FOLDER}/${session}.json`;
}

/** The names of the states in a folder, for `readState`; none of one that cannot be read, or as `list` says. */
export function stateNames(
  fs: Fs,
  stateDir: string,
  folder: string,
  list: typeof listIfDir = listIfReadable,
): string[] {
  return list(fs, join(stateDir, folder))
    .filter(({ name, kind }) => kind === "file" && STATE_NAME.test(name))
    .map(({ name }) => `${folder}/${name}`);
}

/** The state of a session, live or ended. Undefined for an id that can be no file's name. */
export function findState(fs: Fs, stateDir: string, session: string): SessionState | undefined {
  if (!STATE_NAME.test(`${session}.json`)) return undefined;
  const state = readState<SessionState>(fs, stateDir, liveName(session)) ??
    readState<SessionState>(fs, stateDir, endedName(session));
  return ofSession(state, session);
}

/** What is no state of this session counts as none. */
export function ofSession(
  state: SessionState | undefined,
  session: string,
): SessionState | undefined {
  return state?.session === session ? state : undefined;
}

/**
 * Whether a session works in the project in `dir`: another clone has the same id and other sessions.
 * One whose folder is gone was moved here, as far as can be told. Containers may have projects at the
 * same path.
 */
export function isOfProject(
  fs: Fs,
  state: SessionState,
  dir: string,
  ids: readonly string[],
): boolean {
  const isNamed = ids.includes(state.project);
  if (state.dir === dir) return isNamed || isOfHere(state);
  return isNamed && fs.lstat(state.dir) === undefined;
}
