/**
 * `.sageignore`: paths that are not read, indexed or captured, in gitignore's syntax. One file of the
 * project (paths relative to it), one of the person (absolute paths, or below `~`). The package that
 * matches them is loaded only when such a file exists.
 */
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { type Fs, readBytes } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decodeExact, withoutBom } from "../base/utf8.ts";
import { realOrTyped } from "./handle.ts";

export interface Ignores {
  /** For an absolute path. */
  isIgnored(path: string, isFolder?: boolean): boolean;
  /** The files that were read. */
  readonly files: readonly string[];
}

/** The part of `Places` (locate.ts) that is needed. */
export interface IgnorePlaces {
  readonly userRoot: string;
  readonly home: string;
  readonly projectDir?: string;
  /** The session's folder: the project's or one below it. */
  readonly here?: string;
}

const NAME = ".sageignore";
/** On macOS and Windows, where case makes no difference in file names, patterns match in any case. */
const FOLDS_CASE = Deno.build.os !== "linux";
const BYTES_MAX = 64 * 1024;
// A project's file may have come with a clone, and every path is matched against it: without limits a hook
// could take minutes. `/**/` is tried at each folder of a path, two of them in a line at each pair.
const CLONED_LINES_MAX = 1000;
const CLONED_ANY_DEPTH_MAX = 16;
/** No real path is deeper; a deeper one counts as excluded. */
const CLONED_FOLDERS_MAX = 32;

const NO_IGNORES: Ignores = { isIgnored: () => false, files: [] };

export async function openIgnores(fs: Fs, places: IgnorePlaces): Promise<Ignores> {
  const { userRoot, home, projectDir } = places;
  const found = [
    { base: "", file: join(userRoot, NAME) },
    ...(projectDir === undefined ? [] : [{ base: projectDir, file: join(projectDir, NAME) }]),
  ].flatMap(({ base, file }) => {
    const lines = readLines(fs, file, base);
    return lines === undefined ? [] : [{ base, file, lines }];
  });
  if (found.length === 0) return NO_IGNORES;
  const { default: ignore } = await import("ignore");
  const rules = found.map(({ base, lines }) => ({
    base: base === "" ? "/" : folded(rooted(base)) + "/",
    matcher: ignore({ ignoreCase: FOLDS_CASE }).add(
      (base === "" ? lines.flatMap((line) => placed(fs, line, home)) : lines)
        .map((line) => line.normalize("NFC")),
    ),
  }));
  return {
    files: found.map(({ file }) => file),
    isIgnored(path, isFolder = false) {
      return rules.some(({ base, matcher }) => {
        const whole = folded(rooted(path));
        if (!whole.startsWith(base)) return false;
        const relative = whole.slice(base.length).replace(/^\/+/, "") + (isFolder ? "/" : "");
        if (relative === "" || relative === "/") return false;
        if (base !== "/" && relative.split("/").length > CLONED_FOLDERS_MAX) return true;
        // Also matches by the folders above: `secret/` excludes everything in it.
        return matcher.ignores(relative);
      });
    },
  };
}

/**
 * Whether nothing may be captured at all: a `.sageignore` excludes the project's folder, its store, or the
 * session's folder.
 */
export async function isCaptureExcluded(fs: Fs, places: IgnorePlaces): Promise<boolean> {
  const { projectDir, here = projectDir } = places;
  if (projectDir === undefined || here === undefined) return false;
  const ignores = await openIgnores(fs, places);
  return ignores.isIgnored(projectDir, true) ||
    ignores.isIgnored(join(projectDir, ".sage"), true) ||
    ignores.isIgnored(here, true);
}

/**
 * A line of the person's file with `~/` expanded, and again with links resolved, because the paths that are
 * matched have theirs resolved. Only the part before the first wildcard is a path that can be resolved.
 */
function placed(fs: Fs, line: string, home: string): string[] {
  const [, negation = "", typed = ""] = /^(!?)(.*)$/.exec(line) ?? [];
  // In a Windows path a backslash is no escape.
  const rest = /^(?:~|[A-Za-z]:)\\/.test(typed) ? typed.replaceAll("\\", "/") : typed;
  if (!/^(?:~|[A-Za-z]:)?\//.test(rest)) return [line];
  const spelled = rest.replace(/^~(?=\/)/, escaped(home.replace(/\/+$/, "")));
  const literal = /^(?:[A-Za-z]:)?(?:\/(?:[^/*?[\]\\]|\\.)+)+(?=\/|\s*$)/.exec(spelled)?.[0] ?? "";
  const path = literal.replace(/\\(.)/g, "$1");
  const real = path === "" ? path : escaped(realOrTyped(fs, path));
  return [...new Set([spelled, real + spelled.slice(literal.length)])]
    .map((one) => negation + rooted(one));
}

/** A path from the root, as the package needs it: a Windows drive becomes the first folder. */
function rooted(path: string): string {
  return path.replace(/^([A-Za-z]):\//, (_, drive: string) => `/${drive.toUpperCase()}/`);
}

/** One form for all names of one file: Finder makes folders in NFD, people type NFC, and case may not count. */
function folded(path: string): string {
  const composed = path.normalize("NFC");
  return FOLDS_CASE ? composed.toLowerCase() : composed;
}

/** A path escaped for gitignore's syntax. */
function escaped(path: string): string {
  return path.replace(/[*?[\]\\ ]/g, "\\$&");
}

function readLines(fs: Fs, file: string, projectDir: string): string[] | undefined {
  try {
    const info = fs.lstat(file);
    if (info === undefined) return undefined;
    const target = info.kind === "link" ? targetOf(fs, file) : file;
    // The person's own file may be a link to anywhere; a project's may have come with a clone.
    const isInside = projectDir === "" || target.startsWith(projectDir + "/");
    if (!isInside) throw unusable(file, "it is a link out of the project");
    if (fs.lstat(target)?.kind !== "file") throw unusable(file, "it is no file");
    const bytes = readBytes(fs, target, BYTES_MAX + 1);
    if (bytes.length > BYTES_MAX) throw unusable(file, `it is larger than ${BYTES_MAX / 1024} KiB`);
    const text = decodeExact(bytes);
    // Windows shells write UTF-16: read as UTF-8, such a file would exclude nothing.
    if (text === undefined || text.includes("\0")) throw unusable(file, "it is not UTF-8");
    const lines = withoutBom(text).split(/\r?\n/);
    if (projectDir !== "") refuseSlow(file, lines);
    return lines;
  } catch (error) {
    // Fail closed: without the file we would read what it excludes.
    throw systemError(error, `read "${file}"`);
  }
}

/** The target of a link. Throws for a broken one, because as a missing file it would exclude nothing. */
function targetOf(fs: Fs, link: string): string {
  try {
    return fs.realPath(link);
  } catch (error) {
    const isNowhere = ["ENOENT", "ELOOP"].includes(systemErrorCode(error) ?? "");
    throw isNowhere ? unusable(link, "it is a link to nowhere") : error;
  }
}

function refuseSlow(file: string, lines: readonly string[]): void {
  if (lines.length > CLONED_LINES_MAX) {
    throw unusable(file, `it has more than ${CLONED_LINES_MAX} lines`);
  }
  const found = lines.map((line) => line.match(/\/\*{2,}(?=\/)/g)?.length ?? 0);
  const often = found.findIndex((times) => times > 1);
  if (often >= 0) throw unusable(file, `line ${often + 1} says "/**/" more than once`);
  if (found.reduce((sum, times) => sum + times, 0) > CLONED_ANY_DEPTH_MAX) {
    throw unusable(file, `it says "/**/" more than ${CLONED_ANY_DEPTH_MAX} times`);
  }
}

function unusable(file: string, reason: string): SageError {
  return new SageError("invalid_config", `Cannot use "${file}": ${reason}`, {
    hint:
      "mend it, or put a text file in its place: until then nothing is captured or read, for it might be excluded",
  });
}
