/** Removes what a promoted note left in other stores: its redirect, and copies from conflicts. */
import { join } from "../../base/path.ts";
import { eraseNote } from "../../store/erase.ts";
import type { Store } from "../../store/handle.ts";
import { loadNote } from "../../store/load.ts";
import { listRedirects, removeRedirect } from "../../store/redirects.ts";
import { listPaths } from "../../store/walk.ts";
import { otherProjects } from "../other_projects.ts";
import { dropOtherIndexes } from "../sweep/index_folders.ts";
import { indexFolder, type Memory } from "../memory.ts";

/** Removes what leads to the note; returns the deleted files. */
export async function dropRedirects(memory: Memory, id: string): Promise<string[]> {
  // In all known projects: what is forgotten is forgotten everywhere.
  const others = (await otherProjects(memory, undefined, Infinity)).map(({ store }) => store);
  const stores = memory.project === undefined ? others : [memory.project, ...others];
  const gone: string[] = [];
  for (const store of stores) {
    for (const redirect of listRedirects(store).filter(({ to }) => to === id)) {
      // Erasing goes by id; a newer note under the old id is another one.
      const erased = await isTaken(store, redirect.id) ? [] : await eraseNote(store, redirect.id);
      if (removeRedirect(store, redirect.id)) erased.unshift(`redirects (${redirect.id})`);
      // The index may still hold its words.
      memory.index(store).apply(
        { put: [], remove: [redirect.path], erase: true },
        memory.embedder(),
      );
      dropOtherIndexes(memory, store.id, [indexFolder(memory, store)]);
      gone.push(...erased.map((path) => join(store.root, path)));
    }
  }
  return gone;
}

/** By the files, because another project's index may be out of date. */
async function isTaken(store: Store, id: string): Promise<boolean> {
  for (const { path } of listPaths(store).files) {
    const loaded = await loadNote(store, path).catch(() => undefined);
    if (loaded?.note.id === id) return true;
  }
  return false;
}
