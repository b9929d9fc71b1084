/**
 * Files that an agent writes for itself: its plans and its memory, which clients keep in folders of their own,
 * and drafts in a temporary folder. They are the means of the work and not what it changed.
 */

/** Plans and memory of Claude Code, and its folder for drafts. */
const CLIENTS = /\/\.claude\/(?:plans|projects)\/|\/claude[^/]*\/[^/]+\/[^/]+\/scratchpad\//;
const TEMPORARY =
  /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/|^[A-Z]:\/(?:(?:Windows\/)?Temp|Users\/[^/]+\/AppData\/Local\/Temp)\//i;

/** `path` is relative where it is below `cwd`: then it belongs to the work, wherever that lies. */
function isAgentsOwn(path: string, cwd: string): boolean {
  return CLIENTS.test(path) || TEMPORARY.test(path) && !TEMPORARY.test(`${cwd}/`);
}

/** Without the agent's own files, unless there are no others: then they are what came of it. */
export function withoutAgentsOwn(paths: readonly string[], cwd: string): string[] {
  const works = paths.filter((path) => !isAgentsOwn(path, cwd));
  return works.length > 0 ? works : [...paths];
}
