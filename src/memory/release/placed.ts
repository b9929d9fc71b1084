/**
 * What belongs to the program on disk: pages and completions that the installer placed and listed, and what
 * an update keeps. Only these paths are ever touched, whatever the list says.
 */
import { type Fs, readBytes } from "../../base/fs.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";

/** Relative to the parent of `bin`. install.sh and the release archive have the same list. */
export const PAGES: readonly string[] = [
  "share/man/man1/sage.1",
  "share/bash-completion/completions/sage",
  "share/fish/vendor_completions.d/sage.fish",
  "share/zsh/site-functions/_sage",
];
/** The installer's list: lines `file <path>` and `dir <path>`, folders in the order of their creation. */
const INSTALLED = "share/sage/installed";
const INSTALLED_BYTES_MAX = 64 * 1024;

/** The file with a program's assets, on platforms where the program cannot contain them; named by its hash. */
export const DATA_FILE = /^sage-[0-9a-f]{8}\.assets$/;

interface Placed {
  readonly files: readonly string[];
  /** Folders that were made for them, the outermost first. */
  readonly folders: readonly string[];
}

/** What the installer listed and still exists, as absolute paths. */
export function placedPages(fs: Fs, program: string): Placed {
  const bin = dirname(program);
  const prefix = dirname(bin);
  const list = join(prefix, INSTALLED);
  if (basename(bin) !== "bin" || fs.lstat(list)?.kind !== "file") return { files: [], folders: [] };
  const lines = decode(readBytes(fs, list, INSTALLED_BYTES_MAX)).split("\n");
  const named = (kind: string, isOurs: (path: string) => boolean): string[] =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1))
      .filter(isOurs).map((path) => join(prefix, path));
  const holds = (folder: string): boolean =>
    [...PAGES, INSTALLED].some((path) => path.startsWith(`${folder}/`));
  const files = named("file", (path) => PAGES.includes(path));
  return {
    files: [...files, list].filter((path) => fs.lstat(path) !== undefined),
    folders: named("dir", holds),
  };
}

/** The data of this program, and of others in its folder. */
export function dataBeside(fs: Fs, program: string): string[] {
  const folder = dirname(program);
  return fs.list(folder).filter(({ name, kind }) => kind === "file" && DATA_FILE.test(name))
    .map(({ name }) => join(folder, name));
}

/** The program before the last update. */
export function previousProgram(program: string): string {
  return program.replace(/(\.exe)?$/, ".previous$1");
}

/** Where an update is made ready. */
export function updateFolder(program: string): string {
  return join(dirname(program), ".sage-update");
}

interface PackageManager {
  readonly update: string;
  readonly remove: string;
}

/** The package manager that installed the program, by its path; undefined if there is none. */
export function packageManager(program: string): PackageManager | undefined {
  const path = program.replaceAll("\\", "/");
  return MANAGERS.find(([sign]) => sign.test(path))?.[1];
}

const MANAGERS: readonly (readonly [RegExp, PackageManager])[] = [
  [/\/node_modules\//, {
    update: "npm install -g sage-memory@latest",
    remove: "npm uninstall -g sage-memory",
  }],
  [/\/(?:Cellar|homebrew)\//i, { update: "brew upgrade sage", remove: "brew uninstall sage" }],
  [/\/WinGet\//i, { update: "winget upgrade Sage.Sage", remove: "winget uninstall Sage.Sage" }],
];
