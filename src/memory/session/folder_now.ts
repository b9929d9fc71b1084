/**
 * The project folder of a session whose working folder is gone, because a worktree was removed or the project
 * renamed meanwhile. As for dead sessions, it is the folder in which the project was last seen.
 */
import type { Env } from "../../base/environment.ts";
import { realFs } from "../../base/fs.ts";
import { dirname } from "../../base/path.ts";
import { listProjects } from "../../store/projects.ts";
import { locateState } from "./state/peek.ts";
import { findState } from "./state/state_file.ts";

/** `folder`: what the editor says, which is returned if it exists. */
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
