/**
 * `.sageignore`: paths that are not read, indexed or captured, in gitignore's syntax. One file of the
 * project (paths relative to it), one of the person (paths relative to their home, or absolute).
 * The package behind it is loaded only when such a file exists.
 */
import { systemError } from "../base/errors.ts";
import { decode, type Fs, join, readBytes } from "../base/fs.ts";

export interface Ignores {
  /** For an absolute path. */
  isIgnored(path: string, isFolder?: boolean): boolean;
  /** The files that were read. */
  readonly files: readonly string[];
}

/** `Places` of locate.ts is one. */
export interface IgnorePlaces {
  readonly userRoot: string;
  readonly home: string;
  readonly projectDir?: string;
}

const NAME = ".sageignore";
const BYTES_MAX = 64 * 1024;

/** Ignores nothing. */
export const NO_IGNORES: Ignores = { isIgnored: () => false, files: [] };

export async function openIgnores(
  fs: Fs,
  places: IgnorePlaces,
): Promise<Ignores> {
  const { userRoot, home, projectDir } = places;
  const found = [
    { base: "", file: join(userRoot, NAME) },
    ...(projectDir === undefined ? [] : [{ base: projectDir, file: join(projectDir, NAME) }]),
  ].flatMap(({ base, file }) => {
    const lines = readLines(fs, file);
    return lines === undefined ? [] : [{ base, file, lines }];
  });
  if (found.length === 0) return NO_IGNORES;
  const { default: ignore } = await import("ignore");
  const rules = found.map(({ base, lines }) => ({
    base: base === "" ? "/" : base + "/",
    matcher: ignore({ ignoreCase: false }).add(
      base === "" ? lines.map((line) => underHome(line, home)) : lines,
    ),
  }));
  return {
    files: found.map(({ file }) => file),
    isIgnored(path, isFolder = false) {
      return rules.some(({ base, matcher }) => {
        if (!path.startsWith(base)) return false;
        const relative = path.slice(base.length).replace(/^\/+/, "") + (isFolder ? "/" : "");
        // Folders above count too: `secret/` excludes all below it.
        return relative !== "" && relative !== "/" && matcher.ignores(relative);
      });
    },
  };
}

/**
 * True when nothing of the project may be captured: the person's file names its folder, or its own
 * file excludes everything.
 */
export async function isCaptureExcluded(fs: Fs, places: IgnorePlaces): Promise<boolean> {
  const { projectDir } = places;
  const ignores = await openIgnores(fs, places);
  return projectDir !== undefined &&
    (ignores.isIgnored(projectDir, true) || ignores.isIgnored(join(projectDir, ".sage"), true));
}

/** `~/work/client/` in the person's file means that folder. */
function underHome(line: string, home: string): string {
  return line.replace(/^(!?)~\//, `$1${home.replace(/\/+$/, "")}/`);
}

function readLines(fs: Fs, file: string): string[] | undefined {
  try {
    if (fs.lstat(file)?.kind !== "file") return undefined;
    return decode(readBytes(fs, file, BYTES_MAX)).split(/\r?\n/);
  } catch (error) {
    // It says what must not be read: going on without it would read that.
    throw systemError(error, `read "${file}"`);
  }
}
