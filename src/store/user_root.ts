/** Where a person's own store is. Apart from locate.ts, because a hook that refuses asks nothing else. */
import { SageError } from "../base/errors.ts";
import { type Fs, join } from "../base/fs.ts";
import { realRoot } from "./handle.ts";

/** The folder's name in a project and in a home. */
export const STORE_NAME = ".sage";

type Env = (name: string) => string | undefined;

/** `~/.sage`, or where `SAGE_HOME` says; links resolved. */
export function locateUserRoot(home: string, env: Env, fs: Fs): string {
  const moved = env("SAGE_HOME");
  if (moved !== undefined && moved !== "") return realRoot(fs, expandHome(moved, home));
  if (home === "") {
    throw new SageError("invalid_config", "Cannot find the user store: HOME is not set", {
      hint: "set HOME or SAGE_HOME",
    });
  }
  return realRoot(fs, join(home, STORE_NAME));
}

function expandHome(path: string, home: string): string {
  return path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path;
}
