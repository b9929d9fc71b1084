/** Where a person's own store is. Apart from locate.ts, because a hook that refuses needs nothing else. */
import type { Env } from "../base/environment.ts";
import { SageError, systemErrorCode } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { realRoot } from "./handle.ts";

/** The name of a store's folder, in a project and in the home folder. */
export const STORE_NAME = ".sage";

/** `~/.sage`, or the folder that `SAGE_HOME` names; links resolved. */
export function locateUserRoot(home: string, env: Env, fs: Fs): string {
  const moved = env("SAGE_HOME");
  const isMoved = moved !== undefined && moved !== "";
  if (!isMoved && home === "") {
    throw new SageError("invalid_config", "Cannot find the user store: HOME is not set", {
      hint: "set HOME or SAGE_HOME",
    });
  }
  const path = isMoved ? expandHome(moved, home) : join(home, STORE_NAME);
  const name = isMoved ? "SAGE_HOME" : "HOME";
  if (!/^([A-Za-z]:)?[\\/]/.test(path)) {
    throw new SageError("invalid_config", `Cannot find the user store: ${name} is no whole path`, {
      hint: "give it from the root on; elsewhere it would be another folder each time",
    });
  }
  const root = behindLinks(fs, path);
  const above = dirname(root);
  if (above === root) {
    throw new SageError("invalid_config", `"${root}" is a whole disk, and no store of notes`, {
      hint: `set ${name} to a folder of its own, like ${join(root, "sage")}`,
    });
  }
  if (fs.lstat(above)?.kind === "file") {
    throw new SageError("invalid_config", `Cannot find the user store: "${above}" is a file`, {
      hint: `set ${name} to a folder`,
    });
  }
  return root;
}

/** The path with links resolved. A link to nowhere may mean that a disk is not mounted. */
function behindLinks(fs: Fs, path: string): string {
  try {
    return realRoot(fs, path);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
    const what = `Cannot find the user store: "${path}" leads by a link to nowhere`;
    const hint = "bring back what it leads to, or set SAGE_HOME to a folder";
    throw new SageError("invalid_config", what, { hint });
  }
}

function expandHome(path: string, home: string): string {
  return path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
