/**
 * The names of all Markdown files of a vault, because links find a file by its name in any folder. A link
 * that fits two files leads to whichever the editor prefers, so names are checked before they are written.
 */
import { type Fs, listIfReadable } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { STORE_DEPTH_MAX, STORE_FILES_MAX } from "../base/limits.ts";
import { foldName, isMarkdown } from "./layout.ts";

/** Folded name → paths relative to the vault. */
export type VaultNames = ReadonlyMap<string, readonly string[]>;

/** The names in a vault; empty if it has too many files. */
export function vaultNames(fs: Fs, root: string): VaultNames {
  const names = new Map<string, string[]>();
  let seen = 0;
  const enter = (folder: string, depth: number): boolean => {
    for (const { name, kind } of listIfReadable(fs, join(root, folder))) {
      // Hidden folders have settings, versions and trash; editors do not look into them.
      if (name.startsWith(".")) continue;
      if (++seen > STORE_FILES_MAX) return false;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "dir" && depth < 2 * STORE_DEPTH_MAX && !enter(path, depth + 1)) return false;
      if (kind !== "file" || !isMarkdown(name)) continue;
      const key = foldName(name);
      const there = names.get(key);
      if (there === undefined) names.set(key, [path]);
      else there.push(path);
    }
    return true;
  };
  return enter("", 0) ? names : new Map();
}
