/**
 * Which notes a change makes doubtful: those that rest on a changed file and not on its present
 * content. A note that is reworded or verified within the same change is settled.
 */
import { join, resolveFrom } from "../../base/path.ts";
import type { FileSource } from "../../note/provenance.ts";
import { realRoot } from "../../store/handle.ts";
import { readGit } from "../../store/git/git.ts";
import { catalogue } from "../catalogue.ts";
import { isOfProject, newestFirst, readEntry } from "../index/entries.ts";
import { type NoteItem, publicItem, type StaleSource } from "../item.ts";
import type { Memory } from "../memory.ts";
import { openContents, pathBelow } from "./contents.ts";
import { changedSources } from "./stale.ts";

export type Doubtful = NoteItem & { readonly stale: readonly StaleSource[] };

/**
 * The active notes of this project that rest on one of the files (paths from the project's folder) as
 * it was; without `files`, on any file that has changed.
 */
export async function doubtfulNotes(
  memory: Memory,
  files?: ReadonlySet<string>,
): Promise<Doubtful[]> {
  const entries = (await catalogue(memory, ["knowledge"])).filter((entry) =>
    entry.note.sources !== undefined && entry.note.status === "active" && isOfProject(memory, entry)
  );
  const contents = await openContents(memory);
  const found: Doubtful[] = [];
  for (const entry of entries.sort(newestFirst)) {
    const sources = (entry.note.sources ?? []).filter(({ path }) => files?.has(path) ?? true);
    const stale = [
      ...changedSources(contents, sources),
      ...(files === undefined ? [] : namedOnly(memory, sources)),
    ];
    const stored = stale.length === 0 ? undefined : await readEntry(entry);
    if (stored === undefined) continue;
    const item = publicItem(stored);
    found.push({ ...item, flags: [...item.flags, "stale"], stale });
  }
  contents.keep();
  return found;
}

/** A source without a hash cannot tell whether the file changed. */
function namedOnly({ fs, places }: Memory, sources: readonly FileSource[]): StaleSource[] {
  return sources.filter(({ hash }) => hash === undefined).map(({ path }) => ({
    path,
    change: fs.lstat(join(places.checkoutDir, path)) === undefined ? "gone" : "changed",
  }));
}

/** Paths as git prints them, from the top of the repository, or as typed, in the project's form. */
export function projectPaths(
  memory: Memory,
  paths: Iterable<string>,
  from: "git" | "here",
): Set<string> {
  const { fs, places } = memory;
  const root = realRoot(fs, places.checkoutDir);
  const top = from === "git" ? readGit(fs, places.here)?.top : undefined;
  const found = new Set<string>();
  for (const path of paths) {
    for (const base of top === undefined ? [places.here] : [top, places.here]) {
      const below = pathBelow(fs, root, resolveFrom(base, path));
      if (below !== undefined) found.add(below);
    }
  }
  return found;
}
