/** The folder that `--project` names. */
import { SageError } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import type { Io } from "./io.ts";

/** An existing folder, absolute: a misspelt one must not quietly mean another store. */
export function folder(io: Io, typed: string): string {
  const path = typed.startsWith("/") || /^[A-Za-z]:[\\/]/.test(typed)
    ? typed
    : `${io.cwd()}/${typed}`;
  try {
    const real = realFs.realPath(path);
    if (realFs.lstat(real)?.kind === "dir") return real;
  } catch {
    // Not there, or not to be entered: said below.
  }
  throw new SageError("usage", `Cannot use "${typed}" as a project: it is no folder`);
}
