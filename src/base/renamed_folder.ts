/**
 * Where the folder of a long-lived process is now. When it is renamed, the system goes on with the
 * process in it, under the new name; whoever remembers a path would be in a folder that is gone.
 */
import { realFs, slashed } from "./fs.ts";

/** To be called where the process begins. `started`: the folder that it works in, or one above it. */
export function followRenames(started: string): () => string {
  const below = pathBelow(started);
  return () => {
    if (below === undefined || realFs.lstat(started) !== undefined) return started;
    const here = workingFolder();
    return here?.endsWith(below) ? here.slice(0, here.length - below.length) : started;
  };
}

/** From there to the folder that the process works in; undefined where that is elsewhere. */
function pathBelow(started: string): string | undefined {
  const here = workingFolder();
  try {
    const folder = realFs.realPath(started);
    return `${here}/`.startsWith(`${folder}/`) ? here?.slice(folder.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where it is gone. */
function workingFolder(): string | undefined {
  try {
    return slashed(Deno.cwd());
  } catch {
    return undefined;
  }
}
