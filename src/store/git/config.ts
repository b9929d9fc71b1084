/**
 * Reads git's configuration from its files, because the binary may not start git: the entries of one file,
 * or the value of one key over all files that git reads. A value under a condition is reported as such.
 */
import type { Env } from "../../base/environment.ts";
import { followed, type Fs, readBytes } from "../../base/fs.ts";
import { dirname, join, resolveFrom } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";

export interface GitValue {
  readonly value: string;
  /** The file that sets it. */
  readonly file: string;
  /** Whether that is the repository's own file. */
  readonly isLocal: boolean;
  /** Whether it is in a file that is included under a condition (`includeIf`). */
  readonly isConditional: boolean;
}

export interface GitEntry {
  readonly section: string;
  readonly subsection: string;
  readonly key: string;
  readonly value: string;
}

const BYTES_MAX = 256 * 1024;
const INCLUDES_MAX = 10;
/** Longer lines are skipped: no value that Sage asks for is so long. */
const LINE_CHARACTERS_MAX = 1024;

/** The value that counts for git, the last one of: system, the person's, the repository's, the worktree's. */
export function readGitValue(
  fs: Fs,
  where: {
    readonly commonDir: string;
    readonly gitDir: string;
    readonly home: string;
    readonly env: Env;
  },
  section: string,
  key: string,
): GitValue | undefined {
  const { commonDir, gitDir, home, env } = where;
  const xdg = env("XDG_CONFIG_HOME") || join(home, ".config");
  const files = [
    ...(env("GIT_CONFIG_NOSYSTEM") ? [] : [env("GIT_CONFIG_SYSTEM") || "/etc/gitconfig"]),
    ...(env("GIT_CONFIG_GLOBAL") === undefined
      ? [join(xdg, "git", "config"), join(home, ".gitconfig")]
      : [env("GIT_CONFIG_GLOBAL") ?? ""]),
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
  ];
  let found: GitValue | undefined;
  for (const file of files) {
    const isLocal = file.startsWith(commonDir + "/") || file.startsWith(gitDir + "/");
    const read = (path: string, isConditional: boolean, depth: number): void => {
      for (const entry of readGitEntries(fs, path)) {
        if (entry.section === section && entry.subsection === "" && entry.key === key) {
          found = { value: entry.value, file: path, isLocal, isConditional };
        }
        const isInclude = entry.key === "path" && depth < INCLUDES_MAX &&
          (entry.section === "include" || entry.section === "includeif");
        if (!isInclude) continue;
        const target = entry.value.replace(/^~(?=\/)/, home);
        const conditional = isConditional || entry.section === "includeif";
        read(resolveFrom(dirname(path), target), conditional, depth + 1);
      }
    };
    read(file, false, 0);
  }
  return found;
}

/** The entries of one file; none if it cannot be read. Section and key in lower case, as git compares them. */
export function* readGitEntries(fs: Fs, path: string): Generator<GitEntry> {
  let [section, subsection] = ["", ""];
  const text = readText(fs, path).replace(/\\\r?\n/g, "");
  for (const raw of text.split(/\r?\n/)) {
    if (raw.length > LINE_CHARACTERS_MAX) continue;
    const head = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(raw);
    if (head !== null) {
      section = (head[1] ?? "").toLowerCase();
      subsection = (head[2] ?? "").replace(/\\(.)/g, "$1");
    }
    const line = head === null ? raw : head[3] ?? "";
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(line);
    if (entry === null) continue;
    yield {
      section,
      subsection,
      key: (entry[1] ?? "").toLowerCase(),
      value: plain(entry[2] ?? ""),
    };
  }
}

/** A value without quotes, escapes and trailing comment. */
function plain(text: string): string {
  let [out, quoted] = ["", false];
  for (const [part] of text.matchAll(/\\.|[^\\]/g)) {
    if (part === '"') quoted = !quoted;
    else if (!quoted && /[#;]/.test(part)) break;
    else if (part.length === 2) out += ESCAPES[part.slice(1)] ?? part.slice(1);
    else out += part;
  }
  return quoted ? out : out.trimEnd();
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

function readText(fs: Fs, path: string): string {
  try {
    const target = followed(fs, path);
    return fs.lstat(target)?.kind === "file" ? decode(readBytes(fs, target, BYTES_MAX)) : "";
  } catch {
    // As git does for a file that it may not read.
    return "";
  }
}
