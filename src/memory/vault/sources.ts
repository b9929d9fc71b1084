/**
 * Notes of the vault that are not Sage's, where the person named them (`sources` in vault.yaml):
 * searched and read, never written. Sage's own folder is left out, whatever is named.
 */
import { type Fs, listIfReadable } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { STORE_DEPTH_MAX } from "../../base/limits.ts";
import { count } from "../../base/text/text.ts";
import { isMarkdown } from "../../store/layout.ts";
import { segmentProblem } from "../../store/paths.ts";
import type { Vault } from "../../store/vault.ts";
import type { Outside, OutsideFile } from "../outside/outside_index.ts";

/** Named as a source: all of the vault. */
export const WHOLE_VAULT = ".";

/** The most notes: each search looks at all of them. */
const FILES_MAX = 20_000;

export const VAULT_SOURCES: Outside = {
  prefix: "vault-",
  flag: "vault",
  reason: "it is yours alone",
  scope: ({ places }) => places.vault?.root ?? "",
  list: ({ fs, places: { vault } }) => vault === undefined ? [] : listSources(fs, vault),
};

/** How many of the vault's own notes are searched. */
export function sourcesText(files: number): string {
  return `${count(files, "note")} of the vault, searched and never written`;
}

/** Links are not followed, and hidden folders are skipped: settings, versions, trash. */
export function listSources(
  fs: Fs,
  { root, namespace, sources }: Vault,
  /** An unreadable folder does not affect the others; doctor names it. */
  list = listIfReadable,
): OutsideFile[] {
  const paths = new Set<string>();
  const enter = (path: string, depth: number): void => {
    if (path === WHOLE_VAULT) return enterEach("", depth);
    const isHidden = path.split("/").some((part) => part.startsWith("."));
    const isOurs = `${path}/`.startsWith(`${namespace}/`);
    if (isHidden || isOurs || depth > 2 * STORE_DEPTH_MAX || paths.size >= FILES_MAX) return;
    const kind = fs.lstat(join(root, path))?.kind;
    if (kind === "file" && isMarkdown(path)) paths.add(path);
    if (kind === "dir") enterEach(`${path}/`, depth + 1);
  };
  const enterEach = (folder: string, depth: number): void => {
    // A missing vault is no empty one: what is known of it stays.
    const entries = folder === "" ? fs.list(root) : list(fs, join(root, folder));
    for (const { name } of entries) enter(`${folder}${name}`, depth);
  };
  for (const source of sources) {
    const isInside = source === WHOLE_VAULT ||
      source.split("/").every((part) => segmentProblem(part) === undefined);
    if (isInside) enter(source, 0);
  }
  return [...paths].map((path) => ({ path: join(root, path), author: "person" }));
}
