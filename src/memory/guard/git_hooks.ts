/**
 * Adds the scan to a repository's git hooks, and removes it. A hook that exists keeps working: it is
 * renamed, not edited, and called first, since it may change what is staged; removing Sage's hook gives
 * the same file its name back. The hooks have git print what is staged or pushed, so that exactly that
 * is scanned, and not the files in the working tree.
 */
import { writeAtomic } from "../../base/atomic.ts";
import { SageError, systemError } from "../../base/errors.ts";
import { readBytes } from "../../base/fs.ts";
import { join, resolveFrom } from "../../base/path.ts";
import { removeEmpty } from "../../base/remove.ts";
import { decode, encode } from "../../base/utf8.ts";
import { readGit, requireGit } from "../../store/git/git.ts";
import { readGitValue } from "../../store/git/config.ts";
import { removeState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";
import { readReceiptPaths, writeReceiptPaths } from "../receipt_paths.ts";

export interface HooksOutcome {
  readonly kind: "installed" | "uninstalled" | "unchanged";
  /** The folder from which git runs hooks. */
  readonly folder: string;
  /** Other people's hooks: called by Sage's after installing, restored after uninstalling. */
  readonly kept: readonly string[];
}

const HOOKS = ["pre-commit", "pre-push"] as const;
type Hook = typeof HOOKS[number];

const MARK = "# sage guard";
const MADE_FOLDER = "# made the folder";
const KEPT = ".before-sage";
/** Folders with our hooks, so that uninstalling Sage finds them. */
const RECEIPT = "install/guard.json";
const SCRIPT_BYTES_MAX = 64 * 1024;

/** Has git show a change whole and plain, whatever a person configured. */
const PLAIN = "--no-color --no-ext-diff --no-textconv --no-renames --unified=0 " +
  "--irreversible-delete --src-prefix=a/ --dst-prefix=b/";

export function installHooks(memory: Memory, binary: string, folder?: string): HooksOutcome {
  const { fs } = memory;
  const place = folder ?? hooksFolder(memory);
  const isMade = fs.lstat(place) === undefined;
  const kept: string[] = [];
  const plan = HOOKS.map((hook) => {
    const path = join(place, hook);
    const before = readHook(memory, path);
    const isOurs = before?.includes(`\n${MARK}`) ?? false;
    if (before !== undefined && !isOurs && fs.lstat(path + KEPT) !== undefined && !isSame(path)) {
      throw new SageError("conflict", `Cannot keep ${path}: ${hook}${KEPT} exists already`, {
        hint: "look at both, remove one, then repeat; nothing was changed",
      });
    }
    if (before !== undefined && !isOurs || fs.lstat(path + KEPT) !== undefined) kept.push(hook);
    const text = scriptOf(hook, binary, isOurs ? before?.includes(MADE_FOLDER) ?? false : isMade);
    return { path, isOurs, before, text };
  });
  if (plan.every(({ before, text }) => before === text)) {
    return { kind: "unchanged", folder: place, kept };
  }
  try {
    fs.makeDir(place, 0o755);
    for (const { path, isOurs, before, text } of plan) {
      if (before !== undefined && !isOurs) keep(path);
      writeAtomic(fs, path, encode(text), { mode: 0o755, durable: true });
      // A umask may have taken the right to run it.
      fs.chmod(path, 0o755);
    }
  } catch (error) {
    throw systemError(error, `write the hooks in ${place}`);
  }
  writeReceiptPaths(memory, RECEIPT, [...new Set([...readReceiptPaths(memory, RECEIPT), place])]);
  return { kind: "installed", folder: place, kept };

  /** A file keeps its name until ours takes it, so that at no moment a hook is missing. */
  function keep(path: string): void {
    if (fs.lstat(path + KEPT) !== undefined) return;
    if (fs.lstat(path)?.kind === "file") fs.link(path, path + KEPT);
    else fs.rename(path, path + KEPT);
  }

  /** An earlier run died between renaming the hook and writing Sage's. */
  function isSame(path: string): boolean {
    return fs.lstat(path)?.inode === fs.lstat(path + KEPT)?.inode;
  }
}

export function uninstallHooks(memory: Memory, folder?: string): HooksOutcome {
  const { fs, places } = memory;
  const place = folder ?? hooksFolder(memory);
  const restored: string[] = [];
  let isChanged = false;
  let isMade = false;
  try {
    for (const hook of HOOKS) {
      const path = join(place, hook);
      const text = readHook(memory, path);
      // A hook that somebody wrote in place of ours stays.
      if (text !== undefined && !text.includes(`\n${MARK}`)) continue;
      isMade ||= text?.includes(MADE_FOLDER) ?? false;
      if (fs.lstat(path + KEPT) !== undefined) {
        fs.rename(path + KEPT, path);
        restored.push(hook);
        isChanged = true;
      } else if (text !== undefined) {
        fs.unlink(path);
        isChanged = true;
      }
    }
    if (isMade) removeEmpty(fs, place);
  } catch (error) {
    throw systemError(error, `take the hooks out of ${place}`);
  }
  const others = readReceiptPaths(memory, RECEIPT).filter((other) => other !== place);
  if (others.length > 0) writeReceiptPaths(memory, RECEIPT, others);
  else removeState(fs, places.stateDir, RECEIPT);
  return { kind: isChanged ? "uninstalled" : "unchanged", folder: place, kept: restored };
}

/** Removes them from every repository that is known to have them; returns the folders. */
export function uninstallAllHooks(memory: Memory): string[] {
  return installedFolders(memory).filter((folder) => {
    try {
      return uninstallHooks(memory, folder).kind !== "unchanged";
    } catch {
      // The folder cannot be written. The hook itself reports that Sage is gone.
      return false;
    }
  });
}

/** Every folder known to have Sage's hooks, and this repository's, which may have moved since. */
export function installedFolders(memory: Memory): readonly string[] {
  const here = ownFolderHere(memory);
  const folders = new Set([
    ...readReceiptPaths(memory, RECEIPT),
    ...(here === undefined ? [] : [here]),
  ]);
  return [...folders].filter((folder) => memory.fs.lstat(folder)?.kind === "dir");
}

/** The folders in which a hook of Sage's differs from what this version writes, other than by the program. */
export function changedFolders(memory: Memory): readonly string[] {
  const withoutProgram = (text: string): string => text.replace(/^sage='.*'$/m, "");
  return installedFolders(memory).filter((folder) =>
    HOOKS.some((hook) => {
      const text = readHook(memory, join(folder, hook));
      return text !== undefined && text.includes(`\n${MARK}`) &&
        withoutProgram(text) !==
          withoutProgram(scriptOf(hook, "", text.includes(MADE_FOLDER)));
    })
  );
}

/** A folder with Sage's hooks that git does not run, because `core.hooksPath` names another one. */
export function passedBy(
  memory: Memory,
): { readonly folder: string; readonly instead: string } | undefined {
  const { fs, places, env } = memory;
  const git = readGit(fs, places.here);
  const set = git && readGitValue(fs, { ...git, home: places.home, env }, "core", "hookspath");
  if (git === undefined || !set?.value || set.isConditional) return undefined;
  const folder = join(git.commonDir, "hooks");
  const instead = configuredFolder(memory, git.top, set.value);
  return hasOurs(memory, folder) && !hasOurs(memory, instead) ? { folder, instead } : undefined;
}

function ownFolderHere(memory: Memory): string | undefined {
  try {
    const folder = hooksFolder(memory);
    return hasOurs(memory, folder) ? folder : undefined;
  } catch {
    // No repository, or one whose hooks are set for others too.
    return undefined;
  }
}

function hasOurs(memory: Memory, folder: string): boolean {
  try {
    return HOOKS.some((hook) => readHook(memory, join(folder, hook))?.includes(`\n${MARK}`));
  } catch {
    // Hooks that cannot be read.
    return false;
  }
}

/** The folder from which git runs hooks in this repository. */
function hooksFolder(memory: Memory): string {
  const { fs, places, env } = memory;
  const git = requireGit(fs, places.here);
  const set = readGitValue(fs, { ...git, home: places.home, env }, "core", "hookspath");
  if (set === undefined || set.value === "") return join(git.commonDir, "hooks");
  if (!set.isLocal || set.isConditional || set.value.startsWith("%")) {
    const whose = set.isLocal ? "under a condition" : "for other repositories too";
    throw new SageError(
      "conflict",
      `Git runs hooks from "${set.value}", which ${set.file} sets ${whose}`,
      { hint: "to put them there all the same: --hooks <dir>" },
    );
  }
  return configuredFolder(memory, git.top, set.value);
}

function configuredFolder({ places }: Memory, top: string, value: string): string {
  return resolveFrom(top, value.replace(/^~(?=\/)/, places.home));
}

function readHook(memory: Memory, path: string): string | undefined {
  const { fs } = memory;
  const kind = fs.lstat(path)?.kind;
  if (kind === undefined) return undefined;
  if (kind === "dir" || kind === "other") {
    throw new SageError("conflict", `Cannot use ${path}: it is not a file`);
  }
  try {
    return decode(readBytes(fs, path, SCRIPT_BYTES_MAX));
  } catch {
    // A link to nowhere: kept and restored as it is.
    return "";
  }
}

/** If the program is gone, the hook says so and lets git continue, as `--no-verify` would. */
function scriptOf(hook: Hook, binary: string, isMade: boolean): string {
  const lines = [
    "#!/bin/sh",
    `${MARK}: scans what git is about to ${hook === "pre-commit" ? "commit" : "push"}.`,
    "# Made by sage guard install; sage guard uninstall puts back what was here.",
    ...(isMade ? [MADE_FOLDER] : []),
    `sage='${binary.replaceAll("\\", "/").replaceAll("'", `'\\''`)}'`,
    `kept="$0${KEPT}"`,
    ...BODIES[hook],
  ];
  return lines.join("\n") + "\n";
}

const GONE = `if [ ! -x "$sage" ]; then
  echo "sage guard: $sage is gone, nothing was scanned (sage guard install mends it)" >&2
  exit 0
fi`;

/**
 * Attributes can declare any file binary, so git shows everything as text, and Sage finds out what is
 * none. Git fails on a file of a gigabyte shown as text; then it follows the attributes.
 */
const SHOW = `show() { git "$@" --text || git "$@"; }`;

const BODIES: Readonly<Record<Hook, readonly string[]>> = {
  "pre-commit": [
    `if [ -x "$kept" ]; then "$kept" "$@" || exit $?; fi`,
    GONE,
    SHOW,
    `show diff --cached ${PLAIN} | "$sage" guard scan --quiet -`,
  ],
  // Each commit that the remote lacks: what one adds and a later one removes is pushed all the same.
  "pre-push": [
    "refs=$(cat)",
    `refs() { if [ -n "$refs" ]; then printf '%s\\n' "$refs"; fi; }`,
    `if [ -x "$kept" ]; then refs | "$kept" "$@" || exit $?; fi`,
    GONE,
    SHOW,
    "# What is sent is what is there, whatever git shows in its place.",
    "export GIT_NO_REPLACE_OBJECTS=1",
    "# What is pushed may be called by words: HEAD^{/fix the import}.",
    "refs | while read -r line; do",
    `  new=\${line% * *}`,
    `  new=\${new##* }`,
    `  case "$new" in *[!0]*) ;; *) continue ;; esac`,
    // The name of a branch or tag is pushed as well.
    `  ref=\${line% *}`,
    `  echo "ref \${ref##* }"`,
    // The message of a tag is in no commit.
    `  while kind=$(git cat-file -t "$new") && [ "$kind" = tag ]; do`,
    `    echo "commit $new" && git cat-file tag "$new" | LC_ALL=C sed 's/^/ /'`,
    `    new=$(git cat-file tag "$new" | LC_ALL=C sed -n '1s/^object //p')`,
    "  done",
    `  case "$kind" in`,
    `  blob)`,
    `    git cat-file blob "$new" |`,
    `      git diff --no-index --text ${PLAIN} --dst-prefix="b/$new/" /dev/null - ;;`,
    `  tree)`,
    `    show diff ${PLAIN} "$(git hash-object -t tree /dev/null)" "$new" ;;`,
    `  *)`,
    `    show log --patch --cc --root ${PLAIN} --no-show-signature --no-notes \\`,
    `      --format='commit %H%n%w(0,1,1)%B' "$new" --not --remotes="$1" ;;`,
    `  esac`,
    `done | "$sage" guard scan --quiet -`,
  ],
};
