/**
 * What still stands in other stores of a note that went from there to the person's own: its redirect,
 * and copies that a conflict left. Forgetting takes them along.
 */
import { join } from "../../base/fs.ts";
import { eraseNote } from "../../store/erase.ts";
import type { Store } from "../../store/handle.ts";
import { loadNote } from "../../store/load.ts";
import { listRedirects, removeRedirect } from "../../store/redirects.ts";
import { listPaths } from "../../store/walk.ts";
import { otherProjects } from "../other_projects.ts";
import { dropOtherIndexes } from "../sweep/index_folders.ts";
import { indexFolder, type Memory } from "../memory.ts";

/** Takes away what leads to the note; returns the files that went. */
export async function dropRedirects(memory: Memory, id: string): Promise<string[]> {
  // Of all that are known: what is forgotten is so in each.
  const others = (await otherProjects(memory, undefined, Infinity)).map(({ store }) => store);
  const stores = memory.project === undefined ? others : [memory.project, ...others];
  const gone: string[] = [];
  for (const store of stores) {
    for (const redirect of listRedirects(store).filter(({ to }) => to === id)) {
      // Erasing goes by id; a note that was made there since under the old one is another.
      const erased = await isTaken(store, redirect.id) ? [] : await eraseNote(store, redirect.id);
      if (removeRedirect(store, redirect.id)) erased.unshift(`redirects (${redirect.id})`);
      // Its words may still stand in what the index was made of.
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

/** By the files: the index of another project may be of long ago. */
async function isTaken(store: Store, id: string): Promise<boolean> {
  for (const { path } of listPaths(store).files) {
    const loaded = await loadNote(store, path).catch(() => undefined);
    if (loaded?.note.id === id) return true;
  }
  return false;
}
