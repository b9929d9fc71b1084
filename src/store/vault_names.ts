/**
 * The names of all Markdown files of a vault, as links find them: by name alone, in any folder. A link that
 * fits two files leads to whichever the editor prefers, so names and links are checked here before they are
 * written.
 */
import { type Fs, join, listIfReadable } from "../base/fs.ts";
import { STORE_DEPTH_MAX, STORE_FILES_MAX } from "../base/limits.ts";
import { foldName, isMarkdown } from "./layout.ts";

/** By folded name: paths from the vault's root. */
export type VaultNames = ReadonlyMap<string, readonly string[]>;

/** Undefined for a vault of too many files: then links have the whole path. */
export function vaultNames(fs: Fs, root: string): VaultNames {
  const names = new Map<string, string[]>();
  let seen = 0;
  const enter = (folder: string, depth: number): boolean => {
    for (const { name, kind } of listIfReadable(fs, join(root, folder))) {
      // Hidden folders hold settings, versions and trash; no vault's editor looks into them.
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
