/**
 * Notes that were removed together with the linked worktree in whose store they lay, before git had them. Nobody
 * chose to remove such a note, and the conversation is still there. Git's own folder of the worktree tells that it
 * is gone: one that was moved, or lies on a disk that is not there, keeps it.
 */
import { dirname } from "../../base/path.ts";
import { isOfHere } from "../../base/host.ts";
import { readGit } from "../../store/git/git.ts";
import type { Store } from "../../store/handle.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "./state/session_state.ts";

/** Git's folder of the linked worktree that a store lies in. */
export function worktreeOfStore({ fs, home, scope, vault }: Store): string | undefined {
  const git = scope === "project" && vault === undefined ? readGit(fs, dirname(home)) : undefined;
  return git?.mainCheckout === undefined ? undefined : git.gitDir;
}

/**
 * Returns a test whether a session's note is lost so; undefined where none can be, because only the main checkout
 * has a use for it.
 */
export function lostNotes({ fs, places }: Memory): ((state: SessionState) => boolean) | undefined {
  const git = places.project === undefined ? undefined : readGit(fs, places.projectDir);
  if (git === undefined || git.mainCheckout !== undefined) return;
  const isGone = (path: string): boolean => fs.lstat(path) === undefined;
  return ({ note, ...state }) =>
    note?.worktree?.startsWith(`${git.commonDir}/worktrees/`) === true && isOfHere(state) &&
    [note.worktree, note.path, state.dir].every(isGone);
}
