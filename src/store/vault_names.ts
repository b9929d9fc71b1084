/**
 * What every Markdown file of a vault is called, as links find it: by its name alone, wherever it lies. A
 * link that is the name of two files leads to whichever the editor likes better, so both who names a file
 * and who links one asks here first.
 */
import { type Fs, join, listIfReadable } from "../base/fs.ts";
import { STORE_DEPTH_MAX, STORE_FILES_MAX } from "../base/limits.ts";
import { foldName, isMarkdown } from "./layout.ts";

/** Of each folded name the paths from the vault's root. */
export type VaultNames = ReadonlyMap<string, readonly string[]>;

/** Of a vault of too many files none: then a link says the whole path. */
export function vaultNames(fs: Fs, root: string): VaultNames {
  const names = new Map<string, string[]>();
  let seen = 0;
  const enter = (folder: string, depth: number): boolean => {
    for (const { name, kind } of listIfReadable(fs, join(root, folder))) {
      // Hidden folders hold settings, versions and trash; no editor of vaults looks into them.
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
