/**
 * What still stands in other stores of a note that went from there to the person's own: its redirect,
 * and copies that a conflict left. Forgetting takes them along.
 */
import { join } from "../base/fs.ts";
import { eraseNote } from "../store/erase.ts";
import { listRedirects, removeRedirect } from "../store/redirects.ts";
import { elsewhere } from "./elsewhere.ts";
import { dropOtherIndexes } from "./index_folders.ts";
import { indexFolder, type Memory } from "./memory.ts";

/** Takes away what leads to the note; returns the files that went. */
export async function dropRedirects(memory: Memory, id: string): Promise<string[]> {
  // Of all that are known: what is forgotten is so in each.
  const others = (await elsewhere(memory, undefined, Infinity)).map(({ store }) => store);
  const stores = memory.project === undefined ? others : [memory.project, ...others];
  const gone: string[] = [];
  for (const store of stores) {
    for (const redirect of listRedirects(store).filter(({ to }) => to === id)) {
      // Erasing goes by id; a note that was made there since under the old one is another.
      const isTaken = memory.index(store).notes().some((note) => note.id === redirect.id);
      const erased = isTaken ? [] : await eraseNote(store, redirect.id);
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
