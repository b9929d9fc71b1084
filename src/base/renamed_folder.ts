/**
 * Finds the folder of a long-lived process after a rename: the process stays in it, but its remembered path
 * is gone.
 */
import { realFs } from "./fs.ts";
import { slashed } from "./path.ts";

/**
 * Returns a function that gives the present path of `started`, which is the working folder or one above it.
 * Call it when the process begins.
 */
export function followRenames(started: string): () => string {
  const below = pathBelow(started);
  return () => {
    if (below === undefined || realFs.lstat(started) !== undefined) return started;
    const here = workingFolder();
    return here?.endsWith(below) ? here.slice(0, here.length - below.length) : started;
  };
}

/** The path from `started` to the working folder; undefined if that is not inside. */
function pathBelow(started: string): string | undefined {
  const here = workingFolder();
  try {
    const folder = realFs.realPath(started);
    return `${here}/`.startsWith(`${folder}/`) ? here?.slice(folder.length) : undefined;
  } catch {
    return undefined;
  }
}

/** The working folder; undefined if it is gone. */
function workingFolder(): string | undefined {
  try {
    return slashed(Deno.cwd());
  } catch {
    return undefined;
  }
}
