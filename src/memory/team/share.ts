/**
 * Sharing a project's notes through git: `.gitattributes` in the store names a merge driver, and each person
 * registers it in their own git. Without it git merges notes like any text.
 */
import { SageError, systemError } from "../../base/errors.ts";
import { readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode, encode } from "../../base/utf8.ts";
import { readGit } from "../../store/git/git.ts";
import { quoteGitValue, readGitSection, writeGitSection } from "../../store/git/section.ts";
import type { Store } from "../../store/handle.ts";
import { removeState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";
import { readReceiptPaths, writeReceiptPaths } from "../receipt_paths.ts";

export interface Sharing {
  /** The store says that its notes are merged by Sage. */
  readonly isShared: boolean;
  /** Whether git here would call Sage, or one that is gone; undefined where there is no repository. */
  readonly driver: "registered" | "gone" | "other" | "missing" | undefined;
  /** The git configuration in which the driver is registered, or would be. */
  readonly config: string | undefined;
}

const ATTRIBUTES = ".gitattributes";
const ATTRIBUTE_LINE = "*.md merge=sage";
const ATTRIBUTES_BYTES_MAX = 64 * 1024;
const SECTION = 'merge "sage"';
/** Repositories whose git calls us, so that uninstalling Sage finds them. */
const RECEIPT = "install/merge.json";

/** What the store's notes and this repository say. */
export function readSharing(memory: Memory): Sharing {
  const { project } = memory;
  const { config, section } = driverHere(memory);
  return {
    isShared: project !== undefined && isShared(project),
    driver: config === undefined
      ? undefined
      : section === undefined
      ? "missing"
      : !isOurs(section)
      ? "other"
      : isGone(memory, section)
      ? "gone"
      : "registered",
    config,
  };
}

/** Whether others have these notes too. */
export function isShared({ fs, root }: Store): boolean {
  return readAttributes(fs, root).split("\n").some((line) => line.trim() === ATTRIBUTE_LINE);
}

/** Names the driver in the store's `.gitattributes`. False if it is named there already. */
export function shareStore({ fs, root, vault }: Store): boolean {
  if (vault !== undefined) {
    throw new SageError("refused", "These notes lie in a vault, and not in this repository", {
      hint: "sage init --no-obsidian takes them out of it; then repeat",
    });
  }
  const text = readAttributes(fs, root);
  if (text.split("\n").some((line) => line.trim() === ATTRIBUTE_LINE)) return false;
  const path = join(root, ATTRIBUTES);
  const kind = fs.lstat(path)?.kind ?? "file";
  if (kind !== "file") {
    // A link may have come with a clone, and lead anywhere.
    throw new SageError("unsafe_path", `Cannot write ${path}: it is not a regular file`, {
      hint: "remove it, then repeat",
    });
  }
  try {
    // Appended to what a person wrote there, in one write.
    const file = fs.open(path, { write: true, append: true, create: true, mode: 0o644 });
    try {
      file.write(encode(`${text === "" || text.endsWith("\n") ? "" : "\n"}${ATTRIBUTE_LINE}\n`));
      file.sync();
    } finally {
      file.close();
    }
  } catch (error) {
    throw systemError(error, `write ${path}`);
  }
  return true;
}

/** The configuration by which git calls this program: its file, its lines, and whether it is there. */
export function plannedDriver(
  memory: Memory,
  binary: string,
): { readonly config: string; readonly text: string; readonly isThere: boolean } {
  const { config = "", section } = driverHere(memory);
  return {
    config,
    isThere: section?.join("\n") === linesOf(binary).join("\n"),
    text: [`[${SECTION}]`, ...linesOf(binary).map((line) => `\t${line}`)].join("\n"),
  };
}

/** Registers this program as the merge driver. False if it is registered already. */
export function registerDriver(memory: Memory, binary: string): boolean {
  const { fs, places } = memory;
  const commonDir = readGit(fs, places.checkoutDir)?.commonDir;
  if (commonDir === undefined) return false;
  const known = readReceiptPaths(memory, RECEIPT);
  if (!known.includes(commonDir)) {
    writeReceiptPaths(memory, RECEIPT, [...known, commonDir]);
  }
  return writeGitSection(fs, commonDir, SECTION, linesOf(binary));
}

/** Removes the driver from every repository known to have it; returns the configurations that changed. */
export function unregisterDrivers(memory: Memory, options: { readonly dryRun: boolean }): string[] {
  const { fs, places } = memory;
  // The repository here may have been moved since.
  const here = readGit(fs, places.checkoutDir)?.commonDir;
  const known = new Set([
    ...readReceiptPaths(memory, RECEIPT),
    ...(here === undefined ? [] : [here]),
  ]);
  const changed = [...known].filter((commonDir) => {
    try {
      if (fs.lstat(join(commonDir, "config")) === undefined) return false;
      const section = readGitSection(fs, commonDir, SECTION);
      return section !== undefined && isOurs(section) &&
        (options.dryRun || writeGitSection(fs, commonDir, SECTION, undefined));
    } catch {
      // It cannot be written any more. Once the program is gone, git merges notes there as text.
      return false;
    }
  });
  if (!options.dryRun) removeState(fs, places.stateDir, RECEIPT);
  return changed.map((commonDir) => join(commonDir, "config"));
}

/** A merge driver of this name that is called otherwise is another program's. */
function isOurs(section: readonly string[]): boolean {
  return section.some((line) => line.includes(" merge-driver "));
}

/** The program was moved since. One whose path has to be quoted is taken to be there. */
function isGone({ fs }: Memory, section: readonly string[]): boolean {
  const [, program] = /\[ -x '([^'\\"]+)' \]/.exec(section.join("\n")) ?? [];
  return program !== undefined && fs.lstat(program.replaceAll("%%", "%")) === undefined;
}

/** If the program is gone, the driver falls back to git's own merge of text. */
function linesOf(binary: string): string[] {
  const program = `'${
    binary.replaceAll("\\", "/").replaceAll("'", `'\\''`).replaceAll("%", "%%")
  }'`;
  const driver = `if [ -x ${program} ]; then ${program} merge-driver %O %A %B %P; ` +
    "else git merge-file %A %O %B; fi";
  return ["name = notes of Sage", `driver = ${quoteGitValue(driver)}`];
}

/** This repository's configuration and its section about the driver; neither outside of a repository. */
function driverHere({ fs, places }: Memory) {
  const commonDir = readGit(fs, places.checkoutDir)?.commonDir;
  return commonDir === undefined ? {} : {
    config: join(commonDir, "config"),
    section: readGitSection(fs, commonDir, SECTION),
  };
}

function readAttributes(fs: Memory["fs"], root: string): string {
  const path = join(root, ATTRIBUTES);
  return fs.lstat(path)?.kind === "file" ? decode(readBytes(fs, path, ATTRIBUTES_BYTES_MAX)) : "";
}
