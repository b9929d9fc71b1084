/**
 * Where a session's project is, once the folder that it works in is gone: a worktree that was removed, or
 * a project that was renamed under it. By the rule for dead sessions: it goes on where its project is seen.
 */
import type { Env } from "../../base/environment.ts";
import { dirname, realFs } from "../../base/fs.ts";
import { listProjects } from "../../store/projects.ts";
import { locateState } from "./state/peek.ts";
import { findState } from "./state/state_file.ts";

/** `folder`: as the editor says. Costs a look at it where it is there. */
export async function folderNow(folder: string, session: string, env: Env): Promise<string> {
  if (realFs.lstat(folder) !== undefined) return folder;
  const stateDir = locateState(env);
  const state = findState(realFs, stateDir, session);
  if (state === undefined || realFs.lstat(state.dir) !== undefined) return folder;
  const known = await listProjects(realFs, dirname(stateDir)).catch(() => []);
  const there = known.find(({ id, root }) =>
    id === state.project && realFs.lstat(root)?.kind === "dir"
  );
  return there?.root ?? folder;
}
