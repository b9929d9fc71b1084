/** Paths as people type them. */
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import { join, slashed } from "../base/path.ts";
import type { Io } from "./io.ts";

/** An existing folder, links resolved: a misspelt one must not quietly mean another store. */
export function folder(io: Io, typed: string): string {
  const unusable = (why: string): SageError =>
    new SageError("usage", `Cannot use "${typed}" as a project: ${why}`, {
      hint: "name an existing folder",
    });
  try {
    const real = realFs.realPath(absolute(io, typed));
    // Nothing is not the folder that this was called from.
    if (typed !== "" && realFs.lstat(real)?.kind === "dir") return real;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") throw unusable("there is no such folder");
    throw systemError(error, `use "${typed}" as a project`);
  }
  throw unusable("it is not a folder");
}

/** A path as it was typed, from where it was typed. */
export function absolute(io: Io, typed: string): string {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(typed) ? slashed(typed) : join(io.cwd(), typed);
}

/** How notes of one's own come in, a folder or a file; undefined where there is no such thing. */
export function bringingIn(io: Io, typed: string): string | undefined {
  const kind = realFs.lstat(absolute(io, typed))?.kind;
  const named = /\s/.test(typed) ? `"${typed}"` : typed;
  if (kind === "dir") return `sage migrate --from markdown ${named} --dry-run`;
  return kind === "file" && /\.(?:md|markdown|txt)$/i.test(typed)
    ? `sage knowledge add ${named}`
    : undefined;
}
